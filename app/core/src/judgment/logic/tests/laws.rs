//! Random worlds against a slow oracle.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::world::{World, logic, trace, words};
use crate::judgment::adjudicator::Adjudicator as _;
use crate::judgment::logic::parse::{Atom, Term};
use crate::judgment::source::Mask;

// The oracle: every rule under every assignment of constants to its variables, over and over, on strings.

fn substitute(atom: &Atom, binding: &BTreeMap<String, String>) -> String {
    let terms = atom.terms.iter().map(|t| match t {
        Term::Constant(_) => t.clone(),
        Term::Variable(v) => Term::Constant(binding[v].clone()),
    });
    Atom { predicate: atom.predicate.clone(), terms: terms.collect() }.to_string()
}

fn oracle(world: &World, query: &str) -> (&'static str, Option<usize>) {
    let parse = |t: &String| Atom::parse(t).expect("an atom");
    let mut depth: BTreeMap<String, usize> = world.facts.iter().map(|f| (parse(f).to_string(), 0)).collect();
    let usable: Vec<_> = world.rules.iter().filter(|(id, ..)| world.authority.contains(id)).collect();
    let mut constants: BTreeSet<String> = BTreeSet::new();
    for text in world.facts.iter().chain(usable.iter().flat_map(|(_, i, t)| i.iter().chain([t]))) {
        let atom = parse(text);
        constants.extend(atom.terms.into_iter().filter_map(|t| if let Term::Constant(c) = t { Some(c) } else { None }));
    }
    let constants: Vec<String> = constants.into_iter().collect();
    loop {
        let before = depth.clone();
        for (_, conditions, then) in &usable {
            let conditions: Vec<Atom> = conditions.iter().map(parse).collect();
            let variables: BTreeSet<String> = conditions
                .iter()
                .flat_map(|c| &c.terms)
                .filter_map(|t| if let Term::Variable(v) = t { Some(v.clone()) } else { None })
                .collect();
            for code in 0..constants.len().pow(variables.len() as u32) {
                let mut rest = code;
                let binding = variables.iter().map(|v| {
                    let constant = constants[rest % constants.len()].clone();
                    rest /= constants.len();
                    (v.clone(), constant)
                });
                let binding: BTreeMap<String, String> = binding.collect();
                let premises = conditions.iter().map(|c| depth.get(&substitute(c, &binding)).copied());
                if let Some(depths) = premises.collect::<Option<Vec<usize>>>() {
                    let here = 1 + depths.into_iter().max().unwrap_or(0);
                    let head = substitute(&parse(then), &binding);
                    let known = depth.entry(head).or_insert(here);
                    *known = here.min(*known);
                }
            }
        }
        if depth == before {
            break;
        }
    }
    let asked = Atom::parse(query).expect("an atom");
    let predicate = |a: &Atom| (a.predicate.clone(), a.terms.len());
    let found = depth.get(&asked.to_string()).copied();
    let word = match found {
        Some(_) => "approve",
        None if usable.iter().any(|(_, _, t)| predicate(&parse(t)) == predicate(&asked)) => "deny",
        None => "refer",
    };
    (word, found)
}

fn any_atom(variables: bool) -> impl Strategy<Value = String> {
    let terms = if variables { vec!["a", "b", "X", "Y", "Z"] } else { vec!["a", "b", "c"] };
    let term = prop::sample::select(terms);
    (0..4_usize, term.clone(), term).prop_map(|(p, s, t)| match p {
        0 => format!("p({s})"),
        1 => format!("q({s})"),
        2 => format!("r({s},{t})"),
        _ => format!("s({s},{t})"),
    })
}

fn any_rule() -> impl Strategy<Value = (Vec<String>, String)> {
    (prop::collection::vec(any_atom(true), 1..=3), any_atom(true)).prop_map(|(conditions, then)| {
        let body = conditions.join("");
        // A variable that no condition binds becomes a constant.
        let then = ["X", "Y", "Z"].iter().fold(then, |t, v| if body.contains(v) { t } else { t.replace(v, "c") });
        (conditions, then)
    })
}

fn any_world() -> impl Strategy<Value = World> {
    let facts = prop::collection::vec(any_atom(false), 0..6);
    let rules = prop::collection::vec((any_rule(), prop::bool::weighted(0.8)), 0..6);
    (facts, rules).prop_map(|(facts, rules)| {
        let id = |i: usize| format!("w{i}");
        World {
            facts,
            authority: (0..rules.len()).filter(|&i| rules[i].1).map(id).collect(),
            rules: rules.into_iter().enumerate().map(|(i, ((c, t), _))| (id(i), c, t)).collect(),
        }
    })
}

proptest! {
    #[test]
    fn every_hybrid_agrees_with_the_naive_oracle(old in any_world(), new in any_world(), query in any_atom(false)) {
        let logic = logic(&old, &new, &query);
        let cells = words(&logic);
        for cell in (0..8).map(Mask) {
            let pick = |i: usize| if cell.contains(i) { &new } else { &old };
            let hybrid = World {
                facts: pick(0).facts.clone(),
                rules: pick(1).rules.clone(),
                authority: pick(2).authority.clone(),
            };
            let (word, depth) = oracle(&hybrid, &query);
            prop_assert_eq!(&cells[cell.0 as usize], word, "cell {}", cell);
            let trace = trace(&logic, cell.0);
            prop_assert_eq!(trace.proof.map(|p| p.depth), depth, "depth of cell {}", cell);
        }
    }

    #[test]
    fn the_order_of_facts_rules_and_ids_is_irrelevant(
        (world, shuffled) in any_world().prop_flat_map(|w| {
            let shuffled = (Just(w.facts.clone()).prop_shuffle(), Just(w.rules.clone()).prop_shuffle(),
                Just(w.authority.clone()).prop_shuffle());
            (Just(w), shuffled.prop_map(|(facts, rules, authority)| World { facts, rules, authority }))
        }),
        query in any_atom(false)
    ) {
        let (a, b) = (logic(&world, &world, &query), logic(&shuffled, &shuffled, &query));
        prop_assert_eq!(a.trace(Mask(0)), b.trace(Mask(0)));
    }

    #[test]
    fn no_text_makes_the_atom_reader_panic(text in "[a-zA-Z0-9_'(), \\-!é\\PC]{0,24}") {
        if let Ok(atom) = Atom::parse(&text) {
            prop_assert_eq!(Atom::parse(&atom.to_string()), Ok(atom));
        }
    }
}
