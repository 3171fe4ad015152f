//! Worlds that are made to be large: they end soon, and say what stopped them.

use std::ops::ControlFlow;

use super::world::{World, facts, logic, one, read, rules, trace, words, world};
use crate::judgment::adjudicator::Adjudicator as _;
use crate::judgment::logic::chain::{Closure, Ground, Pattern, Rule, Slot, Stop};
use crate::judgment::result::Stage;
use crate::judgment::source::{Mask, Role};
use crate::judgment::trace::{ProofNode, TraceBody};
use crate::limits::FAULTS;
use crate::seal::json::Json;
use crate::watch::Unwatched;

#[test]
fn a_rule_set_that_derives_too_much_is_a_fault_of_its_hybrid() {
    let old = world("d(c0)", "grow: d(X) & d(Y) & d(Z) -> t(X,Y,Z); ask: t(X,X,X) & no(X) -> goal", "grow ask");
    let mut new = old.clone();
    new.facts = (0..60).map(|i| format!("d(c{i})")).collect();
    let logic = logic(&old, &new, "goal");
    let cells = words(&logic);
    assert_eq!(cells, ["deny", "-", "deny", "-", "deny", "-", "deny", "-"]);
    let executed = logic.execute(&Unwatched).expect("not cancelled");
    assert_eq!(executed.executed, 8);
    assert_eq!(executed.faults[0].reason, "forward chaining derives more than 200000 atoms");
    assert_eq!((executed.faults[0].source, executed.faults[0].stage), (None, Stage::Execution));
    let trace = logic.trace(Mask(1));
    assert_eq!(trace.outcome, Err(vec![executed.faults[0].clone()]));
    assert!(matches!(trace.body, TraceBody::Logic(_)));
}

#[test]
fn a_proof_that_is_a_small_graph_but_a_huge_tree_is_cut() {
    let mut w = world("p0(a)", "", "");
    for i in 0..600 {
        let before = format!("p{i}(X)");
        w.rules.push((format!("r{i}"), vec![before.clone(), before], format!("p{}(X)", i + 1)));
        w.authority.push(format!("r{i}"));
    }
    let proof = trace(&logic(&w, &w, "p600(a)"), 0).proof.expect("a proof");
    assert_eq!(proof.depth, 600);
    fn size(node: &ProofNode) -> usize {
        1 + node.premises.iter().map(size).sum::<usize>()
    }
    assert!(size(&proof) <= 4096);
}

/// Every rule looked at in every round would take hundreds of millions of looks.
#[test]
fn a_long_chain_of_rules_is_followed_link_by_link() {
    let n = 20_000;
    let links = (0..n).map(|i| (format!("r{i}"), vec![format!("p{i}")], format!("p{}", i + 1))).collect::<Vec<_>>();
    let authority = links.iter().map(|(id, ..)| id.clone()).collect();
    let chain = World { facts: vec!["p0".to_owned()], rules: links, authority };
    assert_eq!(one(&chain, &format!("p{n}")), "approve");
    assert_eq!(one(&chain, "q"), "refer");
}

/// A join of many wide conditions does little in each step and much in looking for the next: each look is a step.
#[test]
fn looking_up_counts_as_work() {
    let pattern = |last| Pattern { predicate: 0, slots: (0..100).map(Slot::Variable).chain([last]).collect() };
    let wide = Rule {
        id: "wide".to_owned(),
        conditions: (0..40).map(|i| pattern(Slot::Variable(100 + i))).collect(),
        conclusion: Pattern { predicate: 1, slots: vec![Slot::Constant(0)] },
        variables: 140,
    };
    let fact = |i| Ground { predicate: 0, terms: std::iter::repeat_n(0, 100).chain([i]).collect() };
    let goal = Ground { predicate: 1, terms: Box::new([1]) };
    let mut looks = 0;
    let mut closure = Closure::of_facts((0..40).map(fact));
    let stopped = closure.chain(&[wide], &[0], &goal, 400_000, &mut |steps| {
        looks += steps;
        ControlFlow::Continue(())
    });
    assert_eq!(stopped, Err(Stop::Steps));
    assert!((395_000..=404_100).contains(&looks), "the watch is told of all steps but the last few: {looks}");
}

#[test]
fn an_atom_has_a_longest_length() {
    let wide = format!("p({})", vec!["X"; 3000].join(","));
    let body = [rules(&[("r".to_owned(), vec![wide], "q(a)".to_owned())]), rules(&[])];
    let none = [facts(&[]), facts(&[])];
    let words = read(vec![(Role::Grounds, &none), (Role::Norms, &body)], "q(a)", None).expect_err("too long");
    assert!(
        words.contains("is not an atom, column 1: an atom has at most 4096 bytes") && words.chars().count() < 1100,
        "{words}"
    );
}

#[test]
fn faults_beyond_counting_are_not_all_told() {
    let many: Vec<String> = (0..FAULTS + 100).map(|i| format!("p(c{i})")).collect();
    let body = [facts(&many), facts(&many)];
    let predicates = Json::map([("q", Json::Int(1))]);
    let logic = read(vec![(Role::Grounds, &body)], "q(a)", Some(&predicates)).expect("a well-formed case");
    let executed = logic.execute(&Unwatched).expect("not cancelled");
    assert_eq!((executed.faults.len(), executed.executed), (FAULTS, 0));
    assert_eq!(executed.cube.cells(), [None, None]);
}
