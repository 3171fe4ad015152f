//! Laws on random cases: lifted equals interpreted, order never matters, masks follow the sources, swapping mirrors.

use proptest::prelude::*;

use crate::judgment::adjudicator::{Adjudicator as _, Executed};
use crate::judgment::case::{Artifacts, Case};
use crate::judgment::expr::Origin;
use crate::judgment::expr::tests::random::{Dice, Subset, condition, environment, value};
use crate::judgment::rules::Cache;
use crate::judgment::rules::prepare;
use crate::judgment::source::Mask;
use crate::judgment::value::{Value, date_text, duration_text};
use crate::judgment::walk::open_case;
use crate::seal::canon::{canonical, read_input};
use crate::seal::json::Json;
use crate::watch::Unwatched;

const INTERFACE: &str = r#"{"verdicts": ["approve", "deny", "refer", "defer"],
    "grounds": {"i": {"type": "int"}, "r": {"type": "rational"}, "s": {"type": "string"},
                "b": {"type": "bool", "optional": true}, "set": {"type": "set", "values": ["", "a", "b", "c", "größe"]},
                "day": {"type": "date"}},
    "parameters": {"j": {"type": "int"}, "q": {"type": "rational", "optional": true}, "c": {"type": "bool"},
                   "others": {"type": "set", "values": ["", "a", "b", "c", "größe"]}, "wait": {"type": "duration"}},
    "context": {"e": {"type": "enum", "values": ["", "a", "b", "c", "größe"]}}}"#;

fn json(value: &Value) -> Json {
    match value {
        Value::Bool(b) => Json::Bool(*b),
        Value::Int(i) => Json::Int(i % 4),
        Value::Rational(r) => Json::text(r.to_string()),
        Value::Text(t) => Json::text(&**t),
        Value::Set(set) => Json::List(set.iter().map(|t| Json::text(&**t)).collect()),
        Value::Date(d) => Json::text(date_text(*d)),
        Value::Duration(d) => Json::text(duration_text(*d)),
        Value::List(_) => Json::Null,
    }
}

/// A source as it is drawn: name and the two bodies.
#[derive(Clone)]
struct Drawn {
    name: String,
    bodies: [Json; 2],
}

struct Draw {
    dice: Dice,
    /// Whether some bodies do not fit the interface.
    faulty: bool,
}

impl Draw {
    fn sources(&mut self) -> Vec<Drawn> {
        let (grounds, norms, authority) = (1 + self.dice.below(3), 1 + self.dice.below(2), 1 + self.dice.below(2));
        let mut all = Vec::new();
        for i in 0..grounds {
            let bodies = [0, 1].map(|_| Json::Map(self.fields(Origin::Grounds, i, grounds)));
            all.push(Drawn { name: format!("grounds-{i}"), bodies });
        }
        for i in 0..norms {
            let same = self.rules(i);
            let bodies = [0, 1].map(|version| {
                let rules = if version == 1 && self.dice.below(2) == 0 { self.rules(i) } else { same.clone() };
                let parameters = self.fields(Origin::Parameters, i, norms);
                let mut body = vec![("parameters".to_owned(), Json::Map(parameters)), ("rules".to_owned(), rules)];
                if i == 0 && self.dice.below(4) != 0 {
                    body.push(("default".to_owned(), Json::text(self.dice.one(&["approve", "deny", "defer"]))));
                }
                Json::Map(body)
            });
            all.push(Drawn { name: format!("norms-{i}"), bodies });
        }
        for i in 0..authority {
            let same = self.grants();
            let changed = if self.dice.below(2) == 0 { self.grants() } else { same.clone() };
            let bodies = [same, changed].map(|grants| Json::map([("grants", grants)]));
            all.push(Drawn { name: format!("authority-{i}"), bodies });
        }
        self.dice.shuffle(&mut all);
        all
    }

    /// The fields of one of several sources that share an origin.
    fn fields(&mut self, origin: Origin, index: usize, of: usize) -> Vec<(String, Json)> {
        let env = environment();
        let mine = env.names().iter().filter(|n| n.origin == origin).enumerate().filter(|(i, _)| i % of == index);
        let mut fields = Vec::new();
        for (_, name) in mine {
            let optional = matches!(&*name.text, "b" | "q") && self.dice.below(3) == 0;
            let bad = self.faulty && self.dice.below(25) == 0;
            if !optional && !bad {
                fields.push((name.text.to_string(), json(&value(&mut self.dice, &name.ty))));
            } else if bad && self.dice.below(2) == 0 {
                fields.push((name.text.to_string(), Json::Null));
            }
        }
        fields
    }

    fn rules(&mut self, source: usize) -> Json {
        let count = self.dice.below(4);
        let rules = (0..count).map(|i| {
            let mut rule = vec![
                ("id", Json::text(format!("n{source}r{i}"))),
                ("when", Json::text(condition(&mut self.dice, Subset::All, 1 + i))),
                ("then", Json::text(self.dice.one(&["approve", "deny", "approve", "deny", "refer", "defer"]))),
            ];
            if self.dice.below(2) == 0 {
                rule.push(("priority", Json::Int(self.dice.below(3) as i64 - 1)));
            }
            Json::map(rule)
        });
        Json::List(rules.collect())
    }

    fn grants(&mut self) -> Json {
        let count = self.dice.below(4);
        let grants = (0..count).map(|_| {
            let norm = match self.dice.below(4) {
                0 | 1 => Json::text("*"),
                2 => Json::List(vec![Json::text("n0r0"), Json::text("default")]),
                _ => Json::text(self.dice.one(&["n0r1", "n1r0", "default"])),
            };
            let mut grant = vec![("norm", norm)];
            if self.dice.below(3) == 0 {
                grant.push(("e", Json::List(vec![Json::text("a"), Json::text("b")])));
            }
            if self.dice.below(3) == 0 {
                grant.push(("when", Json::text(condition(&mut self.dice, Subset::All, 1))));
            }
            Json::map(grant)
        });
        Json::List(grants.collect())
    }
}

fn case(sources: &[Drawn], word: &str) -> Case {
    let interface = read_input("interface", INTERFACE.as_bytes()).expect("JSON").root;
    let sources = sources.iter().map(|s| {
        Json::map([("name", Json::text(&s.name)), ("old", s.bodies[0].clone()), ("new", s.bodies[1].clone())])
    });
    let document = Json::map([
        ("format", Json::text("decidendi/case@1")),
        ("id", Json::text("t")),
        ("context", Json::map([("e", Json::text(word))])),
        ("adjudicator", Json::map([("engine", Json::text("rules"))])),
        ("interface", interface),
        ("sources", Json::List(sources.collect())),
    ]);
    open_case("t", &canonical(&document), &Artifacts::default()).expect("a case")
}

fn execute(case: &Case) -> Executed {
    let rules = prepare(case, &mut Cache::default()).unwrap_or_else(|e| panic!("{e}"));
    let executed = rules.execute(&Unwatched).expect("not cancelled");
    assert_eq!(executed, rules.execute_plainly(&Unwatched).expect("not cancelled"));
    for (i, cell) in executed.cube.cells().iter().enumerate() {
        assert_eq!(cell.is_none(), executed.faults.iter().any(|f| f.cell.0 == i as u32), "a fault for each empty cell");
        if i % 7 == 0 {
            let trace = rules.trace(Mask(i as u32));
            let told: Vec<_> = executed.faults.iter().filter(|f| f.cell.0 == i as u32).collect();
            assert_eq!(trace.outcome.as_ref().ok(), cell.as_ref());
            assert_eq!(trace.outcome.err().map_or(0, |f| f.len()), told.len());
        }
    }
    executed
}

/// Reverses the lists of rules and grants, and the order of fields.
fn reordered(json: &Json, dice: &mut Dice) -> Json {
    match json {
        Json::Map(entries) => {
            let mut entries: Vec<_> = entries.iter().map(|(k, v)| (k.clone(), reordered(v, dice))).collect();
            dice.shuffle(&mut entries);
            Json::Map(entries)
        }
        Json::List(items) if items.iter().all(|i| i.as_map().is_some()) => {
            let mut items: Vec<_> = items.iter().map(|i| reordered(i, dice)).collect();
            dice.shuffle(&mut items);
            Json::List(items)
        }
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn laws(seed in any::<u64>(), faulty in any::<bool>()) {
        let mut draw = Draw { dice: Dice(seed), faulty };
        let sources = draw.sources();
        let Draw { mut dice, .. } = draw;
        let word = dice.one(&["a", "b", "c"]);
        let original = case(&sources, word);
        let executed = execute(&original);
        let all = executed.cube.cells();

        // The order of rules, grants and fields in the file never matters.
        let mixed: Vec<Drawn> = sources
            .iter()
            .map(|s| Drawn { name: s.name.clone(), bodies: [0, 1].map(|v| reordered(&s.bodies[v], &mut dice)) })
            .collect();
        let again = execute(&case(&mixed, word));
        prop_assert_eq!(&again.cube, &executed.cube);
        prop_assert_eq!(again.faults.len(), executed.faults.len());

        // L6: reordering the sources permutes masks and nothing else.
        let mut order: Vec<usize> = (0..sources.len()).collect();
        dice.shuffle(&mut order);
        let permuted: Vec<Drawn> = order.iter().map(|&i| sources[i].clone()).collect();
        let permuted = execute(&case(&permuted, word));
        for (i, cell) in permuted.cube.cells().iter().enumerate() {
            let mask = order.iter().enumerate().filter(|(at, _)| i >> at & 1 == 1).fold(0, |m, (_, s)| m | 1 << s);
            prop_assert_eq!(cell, &all[mask as usize]);
        }

        // L5: the inverse transition mirrors the cube.
        let inverse = execute(&original.swapped().expect("a case"));
        let mirrored: Vec<_> = all.iter().rev().copied().collect();
        prop_assert_eq!(inverse.cube.cells(), mirrored.as_slice());
    }
}

#[test]
fn random_cases_reach_every_outcome() {
    let (mut labels, mut empty, mut refused) = ([0_usize; 4], 0, 0);
    for seed in 0..60 {
        let mut draw = Draw { dice: Dice(seed), faulty: seed % 2 == 0 };
        let sources = draw.sources();
        let executed = execute(&case(&sources, "a"));
        refused += executed.cube.cells().len() - executed.executed as usize;
        for cell in executed.cube.cells() {
            match cell {
                Some(v) => labels[v.index()] += 1,
                None => empty += 1,
            }
        }
    }
    assert!(labels.iter().all(|n| *n > 20) && empty > refused && refused > 20, "{labels:?} {empty} {refused}");
}
