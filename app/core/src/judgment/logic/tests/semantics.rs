//! What each hybrid comes to, and what is refused.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::world::{authority, facts, logic, one, read, rules, texts, trace, tree, words, world};
use crate::judgment::adjudicator::Adjudicator as _;
use crate::judgment::logic::adjudicator::Logic;
use crate::judgment::logic::parse::Atom;
use crate::judgment::logic::read::Input;
use crate::judgment::result::Stage;
use crate::judgment::source::{Mask, Role, Version};
use crate::judgment::trace::TraceBody;
use crate::judgment::verdict::Labels;
use crate::seal::json::Json;
use crate::watch::{Unwatched, Watch};

#[test]
fn the_four_answers() {
    let w = world("kind(anne) chases(bob,cat)", "w1: kind(X) -> big(X); w2: chases(X,cat) -> round(X)", "w1");
    assert_eq!(one(&w, "kind(anne)"), "approve", "a fact");
    assert_eq!(one(&w, "big(anne)"), "approve", "derivable");
    assert_eq!(one(&w, "big(bob)"), "deny", "an authoritative rule concludes it, but not for bob");
    assert_eq!(one(&w, "round(bob)"), "refer", "the only rule is not authoritative");
    assert_eq!(one(&w, "kind(bob)"), "refer", "no rule concludes the predicate");
    assert_eq!(one(&w, "big(anne,bob)"), "refer", "another number of terms is another predicate");
}

#[test]
fn the_cube_shows_each_source_at_work() {
    let old = world("", "w1: kind(X) -> big(X)", "");
    let new = world("kind(anne)", "w1: kind(X) -> big(X)", "w1 unknown-id");
    // ∅ G N GN A GA NA GNA
    let cells = ["refer", "refer", "refer", "refer", "deny", "approve", "deny", "approve"];
    let logic = logic(&old, &new, "big(anne)");
    assert_eq!(words(&logic), cells);
    assert_eq!(logic.execute(&Unwatched).expect("not cancelled").executed, 8);
    assert_eq!(trace(&logic, 1).concluding, [("w1".to_owned(), false)]);
    assert_eq!(trace(&logic, 4).concluding, [("w1".to_owned(), true)]);
    let trace = trace(&logic, 7);
    assert_eq!(tree(&trace.proof.expect("a proof")), "big(anne) by w1 [kind(anne)]");
    assert_eq!((trace.query.as_str(), trace.derived), ("big(anne)", 1));
}

#[test]
fn worlds_of_depth_0_to_5() {
    let chain = "r1: a0(X) -> a1(X); r2: a1(X) & b(X) -> a2(X); r3: a2(X) -> a3(X); \
                 r4: a3(X) & likes(X,Y) & a1(Y) -> a4(X); r5: a4(X) -> a5(X); detour: a4(X) & a3(X) -> a5(X)";
    let w = world("a0(anne) a0(bob) b(anne) likes(anne,bob)", chain, "r1 r2 r3 r4 r5 detour");
    for depth in 0..=5 {
        let logic = logic(&w, &w, &format!("a{depth}(anne)"));
        let proof = trace(&logic, 0).proof.expect("a proof");
        assert_eq!(proof.depth, depth);
        assert_eq!(words(&logic), ["approve"; 8]);
    }
    let deepest = trace(&logic(&w, &w, "a5(anne)"), 0).proof.expect("a proof");
    assert_eq!(deepest.rule.as_deref(), Some("detour"), "of two proofs of one depth, the smaller rule id");
    assert_eq!(
        tree(&deepest.premises[0]),
        "a4(anne) by r4 [a3(anne) by r3 [a2(anne) by r2 [a1(anne) by r1 [a0(anne)]; b(anne)]]; \
         likes(anne,bob); a1(bob) by r1 [a0(bob)]]"
    );
    let cut = world("a0(anne) b(anne)", chain, "r1 r2 r3 r5");
    assert_eq!(one(&cut, "a5(anne)"), "deny");
}

#[test]
fn cycles_repeated_variables_and_unconditional_rules_end_well() {
    let rules = "t: edge(X,Y) & reach(Y,Z) -> reach(X,Z); b: edge(X,Y) -> reach(X,Y); loop: reach(X,X) -> cyclic(X)";
    let w = world("edge(a,b) edge(b,c) edge(c,a) edge(c,d)", rules, "t b loop");
    assert_eq!(one(&w, "cyclic(a)"), "approve");
    assert_eq!(one(&w, "cyclic(d)"), "deny");
    assert_eq!(trace(&logic(&w, &w, "reach(a,d)"), 0).proof.expect("a proof").depth, 3);
    let always = world("", "always: -> open", "always");
    let logic = logic(&always, &always, "open");
    assert_eq!(words(&logic), ["approve"; 8]);
    assert_eq!(tree(&trace(&logic, 0).proof.expect("a proof")), "open by always []");
}

#[test]
fn sources_of_one_role_are_united_and_a_rule_id_may_occur_once() {
    let both = |body: Json| [body.clone(), body];
    let one = both(facts(&["kind(anne)".to_owned()]));
    let more = [facts(&[]), facts(&["quiet(anne)".to_owned(), "kind(anne)".to_owned()])];
    let w = world("", "w1: kind(X) & quiet(X) -> big(X)", "w1");
    let norms = both(rules(&w.rules));
    let again = [rules(&[]), rules(&w.rules)];
    let authority = both(authority(&w.authority));
    let sources = vec![
        (Role::Grounds, &one),
        (Role::Grounds, &more),
        (Role::Norms, &norms),
        (Role::Norms, &again),
        (Role::Authority, &authority),
    ];
    let logic = read(sources, "big(anne)", None).expect("well formed");
    let executed = logic.execute(&Unwatched).expect("not cancelled");
    let labels = Labels::default();
    for cell in (0..32).map(Mask) {
        let word = executed.cube.cell(cell).map(|v| labels.word(v));
        let expected = match (cell.contains(3), cell.contains(1)) {
            (true, _) => None,
            (false, true) => Some("approve"),
            (false, false) => Some("deny"),
        };
        assert_eq!(word, expected, "cell {cell}");
    }
    assert_eq!((executed.executed, executed.faults.len()), (16, 16));
    let fault = &executed.faults[0];
    assert_eq!((fault.cell, fault.source, fault.stage), (Mask(8), Some((3, Version::New)), Stage::Interface));
    assert_eq!(fault.field.as_deref(), Some("w1"));
    assert_eq!(fault.reason, "rule id `w1` occurs twice in this hybrid");
    assert_eq!(logic.trace(Mask(8)).body, TraceBody::NotRun);
    let proof = trace(&logic, 2).proof.expect("a proof");
    assert_eq!(proof.source, 2);
    assert_eq!(proof.premises.iter().map(|p| p.source).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn the_declared_predicates_are_checked_before_anything_runs() {
    let predicates = Json::map([("kind", Json::Int(1)), ("big", Json::Int(1))]);
    let good = facts(&["kind(anne)".to_owned()]);
    let grounds = [good, facts(&["kind(anne,bob)".to_owned(), "tall(anne)".to_owned()])];
    let w = world("", "w1: kind(X) -> big(X)", "w1");
    let norms = [rules(&w.rules), rules(&w.rules)];
    let authority = [authority(&w.authority), authority(&w.authority)];
    let sources = || vec![(Role::Grounds, &grounds), (Role::Norms, &norms), (Role::Authority, &authority)];
    let logic = read(sources(), "big(anne)", Some(&predicates)).expect("well formed");
    assert_eq!(words(&logic), ["approve", "-", "approve", "-", "approve", "-", "approve", "-"]);
    let executed = logic.execute(&Unwatched).expect("not cancelled");
    assert_eq!(executed.executed, 4);
    let reasons: Vec<&str> = executed.faults[..2].iter().map(|f| f.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "predicate `kind` takes 1 terms by the interface, `kind(anne,bob)` gives 2",
            "predicate `tall` in `tall(anne)` is not declared in the interface",
        ]
    );
    let refused = read(sources(), "round(anne)", Some(&predicates)).expect_err("undeclared");
    assert_eq!(
        refused,
        "context.query: predicate `round` in `round(anne)` is not declared in the interface. \
         Ask a declared predicate, or declare it in `interface`."
    );
}

#[test]
fn what_is_no_logic_case_is_refused_with_its_place() {
    let refused = |facts: &str, rules: &str, query: &str| {
        let w = world(facts, rules, "");
        let bodies = [
            [self::facts(&w.facts), self::facts(&w.facts)],
            [self::rules(&w.rules), self::rules(&w.rules)],
            [authority(&w.authority), authority(&w.authority)],
        ];
        let roles = [Role::Grounds, Role::Norms, Role::Authority];
        read(roles.into_iter().zip(&bodies).collect(), query, None).expect_err("refused")
    };
    assert_eq!(
        refused("kind(X)", "", "p"),
        "sources[0].old.facts[0]: the fact `kind(X)` has the variable `X`. \
         Names that start with a capital are variables: use a constant."
    );
    assert_eq!(
        refused("kind(anne", "", "p"),
        "sources[0].old.facts[0]: `kind(anne` is not an atom, column 10: `,` or `)` is wanted, not the end. \
         Write it like `chases(bob,cat)`."
    );
    assert_eq!(
        refused("", "w1: kind(X) -> chases(X,Y)", "p"),
        "sources[1].old.rules[0].then: variable `Y` of the conclusion occurs in no condition of rule `w1`. \
         Use only variables that a condition binds."
    );
    assert_eq!(
        refused("", "", "big(X)"),
        "context.query: the query `big(X)` has the variable `X`. \
         Names that start with a capital are variables: use a constant."
    );
    let long = vec!["p(X)"; 65].join(" & ");
    assert!(refused("", &format!("w: {long} -> q(X)"), "p").contains("65 conditions"));
    let missing = Logic::read(&Input { sources: Vec::new(), query: None, predicates: None }, Labels::default());
    let missing = missing.expect_err("no query").to_string();
    assert_eq!(missing, "context.query: engine `logic` needs the atom that is asked. Add `query` to `context`.");
}

#[test]
fn bodies_of_any_other_shape_are_refused_without_a_panic() {
    let shapes = [
        Json::Null,
        Json::Int(3),
        Json::Map(Vec::new()),
        Json::map([("facts", Json::Null), ("rules", Json::Null)]),
        Json::map([("facts", Json::List(vec![Json::Null])), ("rules", Json::List(vec![Json::Null]))]),
        Json::map([("facts", texts(&[""])), ("rules", Json::List(vec![Json::map([("id", Json::text(" "))])]))]),
    ];
    for shape in &shapes {
        for role in [Role::Grounds, Role::Norms, Role::Authority] {
            let body = [shape.clone(), shape.clone()];
            assert!(read(vec![(role, &body)], "p", None).is_err(), "{role:?} {shape:?}");
        }
        assert!(read(Vec::new(), "p", Some(shape)).is_err(), "predicates {shape:?}");
    }
}

#[test]
fn a_label_set_without_the_verdict_is_a_fault() {
    let w = world("kind(anne)", "", "");
    let bodies = [[facts(&w.facts), facts(&w.facts)]];
    let query = Json::text("big(anne)");
    let input =
        Input { sources: vec![(Role::Grounds, [&bodies[0][0], &bodies[0][1]])], query: Some(&query), predicates: None };
    let labels = Labels::new(vec!["approve".to_owned(), "deny".to_owned()]).expect("two labels");
    let executed = Logic::read(&input, labels).expect("well formed").execute(&Unwatched).expect("not cancelled");
    assert_eq!(executed.cube.cells(), [None, None]);
    assert_eq!(
        (executed.faults[0].field.as_deref(), executed.faults[0].reason.as_str()),
        (None, "the verdict is `refer`, which is not a label of the interface; add it to `interface.verdicts`")
    );
}

/// A case of the engine over these facts, rules and labels, all authoritative.
fn world_case(query: &str, interface: &str, facts: &str, rules: &str) -> String {
    format!(
        r#"{{"format": "decidendi/case@1", "id": "world", "context": {{"query": "{query}"}},
            "adjudicator": {{"engine": "logic"}}, "interface": {interface},
            "sources": [
              {{"name": "grounds", "old": {{"facts": []}}, "new": {{"facts": {facts}}}}},
              {{"name": "norms", "old": {{"rules": []}}, "new": {{"rules": {rules}}}}},
              {{"name": "authority", "old": {{"rules": []}}, "new": {{"rules": ["w1"]}}}}]}}"#
    )
}

fn judged(text: &str) -> Result<Vec<String>, String> {
    use crate::judgment::walk::{Compiler, judge, open_case};
    let case = open_case("world.json", text.as_bytes(), &BTreeMap::new()).map_err(|e| e.to_string())?;
    let judgment = judge(&case, &mut Compiler::default(), &Unwatched).map_err(|e| e.to_string())?;
    Ok(judgment.remarks.iter().map(|r| format!("{}: {}", r.path, r.text)).collect())
}

#[test]
fn labels_that_the_engine_cannot_answer_are_refused_once() {
    let case = |verdicts: &str| {
        let interface = format!(r#"{{"verdicts": {verdicts}}}"#);
        let rules = r#"[{"id": "w1", "if": ["p(X)"], "then": "q(X)"}]"#;
        judged(&world_case("p(a)", &interface, r#"["p(a)"]"#, rules))
    };
    assert_eq!(
        case(r#"["pass", "fail"]"#),
        Err("interface.verdicts: engine `logic` answers approve, deny or refer; the labels lack `approve`. \
             Leave `verdicts` out, or list these three."
            .to_owned())
    );
    assert!(case(r#"["approve", "refer"]"#).is_err_and(|e| e.contains("lack `deny`")));
    assert_eq!(case(r#"["refer", "deny", "approve", "later"]"#), Ok(Vec::new()));
}

#[test]
fn slips_in_predicates_are_told() {
    let rules = r#"[{"id": "w1", "if": ["skipper(X)"], "then": "may_steer(X)"}]"#;
    let told = |query: &str, facts: &str| judged(&world_case(query, "{}", facts, rules)).expect("judged");
    let nothing: [String; 0] = [];
    assert_eq!(told("may_steer(ada)", r#"["skipper(ada)"]"#), nothing);
    assert_eq!(
        told("may_ster(ada)", r#"["skipper(ada)"]"#),
        ["context.query: no fact and no rule has the predicate `may_ster` that is asked; is `may_steer` meant?"]
    );
    assert_eq!(
        told("flies(ada)", r#"["skipper(ada)"]"#),
        ["context.query: no fact and no rule has the predicate `flies` that is asked"]
    );
    assert_eq!(
        told("may_steer(ada)", r#"["skipper(ada,boat)", "skipper(bob,boat)"]"#),
        ["sources[1].new.rules[0].if[0]: `skipper` has 1 term here and 2 terms at sources[0].new.facts[0]: \
          these are two predicates, and neither follows from the other"]
    );
    assert_eq!(
        told("may_steer(ada,boat)", r#"["skipper(ada)"]"#),
        ["context.query: `may_steer` is asked with 2 terms, facts and rules have it with 1 term"]
    );
    // A declared interface makes each of them a fault of its own.
    let declared = world_case("p(a)", r#"{"predicates": {"p": 1}}"#, r#"["p(a)", "p(a,b)"]"#, "[]");
    let remarks = judged(&declared).expect("judged");
    assert_eq!(remarks, ["sources[2].new.rules[0]: no version of the norms has a rule `w1`"]);
    // What is listed and what is declared is looked at for the word that was meant.
    let declared = world_case("p(a)", r#"{"predicates": {"p": 1, "skipper": 1}}"#, r#"["skippr(a)"]"#, "[]");
    let case = crate::judgment::walk::open_case("w", declared.as_bytes(), &BTreeMap::new()).expect("a case");
    let judgment = crate::judgment::walk::judge(&case, &mut Default::default(), &Unwatched).expect("judged");
    assert_eq!(
        judgment.faults[0].reason,
        "predicate `skippr` in `skippr(a)` is not declared in the interface; is `skipper` meant?"
    );
}

#[test]
fn the_watch_can_stop_the_work() {
    struct After(u64);
    impl Watch for After {
        fn step(&self, done: u64, _: u64) -> ControlFlow<()> {
            if done >= self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let w = world("kind(anne)", "", "");
    assert!(logic(&w, &w, "kind(anne)").execute(&After(5)).is_err());
}

#[test]
fn atoms_as_text() {
    let same = |text: &str, canonical: &str| {
        assert_eq!(Atom::parse(text).expect("an atom").to_string(), canonical);
        assert_eq!(Atom::parse(canonical), Atom::parse(text));
    };
    same(" chases ( 'bald eagle' , X ) ", "chases('bald eagle',X)");
    same("is('cat')", "is(cat)");
    same("is('Anne')", "is('Anne')");
    same("owes(l-1,16)", "owes(l-1,16)");
    same("said('it''s')", "said('it''s')");
    same("größe(äpfel)", "größe(äpfel)");
    same("open", "open");
    let fault = |text: &str| Atom::parse(text).expect_err("no atom").to_string();
    assert_eq!(fault(""), "column 1: a name is wanted, not the end");
    assert_eq!(
        fault("Big(anne)"),
        "column 1: `Big` starts with a capital, which makes it a variable; a predicate starts with a small letter"
    );
    assert_eq!(fault("not big(anne)"), "column 1: negation is not supported; rules are positive");
    assert_eq!(fault("\\+ big(anne)"), "column 1: negation is not supported; rules are positive");
    assert_eq!(fault("big()"), "column 5: empty parentheses; a proposition is written without them");
    assert_eq!(fault("big(a,)"), "column 7: a name is wanted, not `)`");
    assert_eq!(fault("big(a b)"), "column 7: `,` or `)` is wanted, not `b`");
    assert_eq!(fault("big('a"), "column 5: this quote is not closed");
    assert_eq!(fault("big('')"), "column 5: a constant is empty");
    assert_eq!(fault("big(a) kind(b)"), "column 8: the atom ends before `k`");
    assert_eq!(fault("big(f(a))"), "column 6: `,` or `)` is wanted, not `(`");
}

#[test]
fn a_case_file_is_judged() {
    use crate::judgment::walk::{Compiler, judge, open_case};
    let bytes = br#"{
      "format": "decidendi/case@1", "id": "world", "context": {"query": "big(anne)"},
      "adjudicator": {"engine": "logic"}, "interface": {"predicates": {"kind": 1, "big": 1}},
      "sources": [
        {"name": "grounds", "old": {"facts": []}, "new": {"facts": ["kind(anne)"]}},
        {"name": "norms", "old": {"rules": []}, "new": {"rules": [{"id": "w1", "if": ["kind(X)"], "then": "big(X)"}]}},
        {"name": "authority", "old": {"rules": ["w1"]}, "new": {"rules": ["w1"]}}]}"#;
    let case = open_case("world.json", bytes, &BTreeMap::new()).expect("a case");
    let judgment = judge(&case, &mut Compiler::default(), &Unwatched).expect("judged");
    let words: Vec<_> = (0..8).map(|s| judgment.word(Mask(s)).unwrap_or("-")).collect();
    assert_eq!(words, ["refer", "refer", "deny", "approve", "refer", "refer", "deny", "approve"]);
    assert_eq!(judgment.family().expect("complete").members(), [Mask(3)]);
    let steps =
        r#""compatibility": [{"source": "grounds", "version": "old", "step": "rename", "from": "a", "to": "b"}],"#;
    let text = String::from_utf8_lossy(bytes).replace("\"sources\"", &format!("{steps} \"sources\""));
    let case = open_case("world.json", text.as_bytes(), &BTreeMap::new()).expect("a case");
    assert!(judge(&case, &mut Compiler::default(), &Unwatched).is_err(), "steps have nothing to act on");
}

/// Where no listed rule concludes what is asked, every hybrid is `refer`; following the advice makes one decide.
#[test]
fn an_authority_that_lists_nothing_of_use_is_told() {
    use crate::judgment::walk::{Compiler, judge, open_case};
    let told = |old: &str, new: &str, query: &str| {
        let rules = r#"{"rules": [{"id": "w1", "if": ["kind(X)"], "then": "big(X)"}, {"id": "w2", "if": ["big(X)"], "then": "kind(X)"},
            {"id": "w3", "if": ["kind(X)"], "then": "big(X)"}]}"#;
        let text = format!(
            r#"{{"format": "decidendi/case@1", "id": "w", "context": {{"query": "{query}"}}, "adjudicator": {{"engine": "logic"}},
             "sources": [{{"name": "grounds", "old": {{"facts": []}}, "new": {{"facts": ["kind(anne)"]}}}},
             {{"name": "norms", "old": {rules}, "new": {rules}}},
             {{"name": "authority", "old": {{"rules": {old}}}, "new": {{"rules": {new}}}}}]}}"#
        );
        let case = open_case("w", text.as_bytes(), &BTreeMap::new()).expect("a case");
        let judgment = judge(&case, &mut Compiler::default(), &Unwatched).expect("judged");
        let told: Vec<String> = judgment.remarks.iter().map(|r| format!("{}: {}", r.path, r.text)).collect();
        (judgment.outcome.word(), told)
    };
    let nearest = "so every hybrid is `refer`; nearest: `w1` and `w3` conclude `big` and are not listed. Add one of them to \"rules\"";
    let (status, notes) = told("[]", "[]", "big(anne)");
    assert_eq!(status, "stable");
    assert_eq!(notes, [format!("sources[2].old.rules: no version of the authority lists any rule, {nearest}")]);
    let (_, notes) = told(r#"["w2"]"#, "[]", "big(anne)");
    assert_eq!(
        notes,
        [format!("sources[2].old.rules: no version of the authority lists a rule that concludes `big`, {nearest}")]
    );
    assert_eq!(told(r#"["w3"]"#, r#"["w3"]"#, "big(anne)"), ("changed", Vec::new()));
    assert_eq!(told("[]", r#"["w1"]"#, "big(anne)").1, [""; 0], "a gate that opens is no silence");
}

#[test]
fn what_nothing_reads_is_told() {
    use crate::judgment::walk::{Compiler, judge, open_case};
    let bytes = br#"{
      "format": "decidendi/case@1", "id": "world", "context": {"query": "big(anne)"},
      "adjudicator": {"engine": "logic"}, "interface": {"grounds": {}},
      "sources": [
        {"name": "grounds", "old": {"facts": [], "fact": []}, "new": {"facts": []}},
        {"name": "norms", "old": {"rules": []},
         "new": {"rules": [{"id": "w1", "if": ["kind(X)"], "then": "big(X)", "priority": 3, "note": "for people"}]}},
        {"name": "authority", "old": {"rules": ["w1", "w2"]}, "new": {"rules": ["w1"]}}]}"#;
    let case = open_case("world.json", bytes, &BTreeMap::new()).expect("a case");
    let judgment = judge(&case, &mut Compiler::default(), &Unwatched).expect("judged");
    let told: Vec<String> = judgment.remarks.iter().map(|r| format!("{}: {}", r.path, r.text)).collect();
    assert_eq!(
        told,
        [
            "interface.grounds: unknown field `grounds` is not used",
            "sources[0].old.fact: unknown field `fact` is not used",
            "sources[1].new.rules[0].priority: unknown field `priority` is not used",
            "sources[2].old.rules[1]: no version of the norms has a rule `w2`",
            "sources[1].new.rules[0].if[0]: no fact and no rule gives `kind` with 1 term, so this rule never applies",
        ]
    );
}
