//! What `inspect --json` says against the definitions (docs/formats/inspect.md), for every engine, on 10,000 random
//! cases: cells by a slow oracle, and everything that follows from the cells by comparing every pair of sets.

mod logic;

use std::collections::BTreeSet;

use decidendi_core::judgment::case::Artifacts;
use decidendi_core::judgment::walk::{Compiler, judge, open_case};
use decidendi_core::report::inspect_line;
use decidendi_core::watch::Unwatched;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::oracle;

/// A small generator of our own: the same cases on every run.
pub struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Whether one throw in `one_in` is a hit.
    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    /// One of the items.
    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }

    /// Another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The result that the definitions give; `faults` are cell, source and field.
fn expected(id: &str, names: &[String], cells: &[Option<String>], faults: Value, executed: bool) -> Value {
    let (ran, whole) = (cells.iter().flatten().count(), cells.iter().all(Option::is_some));
    let known: Vec<String> = cells.iter().flatten().cloned().collect();
    let masks = if whole { oracle::family(&known) } else { Vec::new() };
    let set = |mask: u32| (0..names.len()).filter(|i| mask >> i & 1 == 1).map(|i| &names[i]).collect::<Vec<_>>();
    let receipts: Vec<Vec<&String>> = masks.iter().map(|&m| set(m)).collect();
    let status = match (whole, cells.first() == cells.last()) {
        (false, _) => "uncertifiable",
        (true, true) => "stable",
        (true, false) => "changed",
    };
    let complexity = receipts.iter().map(Vec::len).min();
    json!({
        "case": id, "status": status, "obtained": if executed { "executed" } else { "recorded" },
        "sources": names, "cells": cells, "endpoints": [cells.first(), cells.last()],
        "receipts": whole.then_some(&receipts), "complexity": complexity,
        "multiplicity": whole.then_some(receipts.len()), "ambiguous": whole.then_some(receipts.len() > 1),
        "executed": if executed { ran } else { 0 }, "faults": faults,
    })
}

/// Opens, judges and compares one case.
fn agree(text: &str, expected: &Value, compiler: &mut Compiler) {
    let case = open_case("random.json", text.as_bytes(), &Artifacts::new()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let judgment = judge(&case, compiler, &Unwatched).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let line = inspect_line(&judgment);
    let mut found: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}\n{line}"));
    for fault in found["faults"].as_array_mut().unwrap() {
        let fault = fault.as_object_mut().unwrap();
        assert!(fault.remove("reason").is_some_and(|r| r.as_str().is_some_and(|r| !r.is_empty())));
        fault.remove("repair");
    }
    assert_eq!(&found, expected, "{text}");
}

fn tell(engine: &str, count: usize, results: &[Value]) {
    let share = |status: &str| results.iter().filter(|r| r["status"] == status).count();
    println!(
        "inspect --json, engine {engine}: {count}/{count} agree ({} changed, {} stable, {} uncertifiable)",
        share("changed"),
        share("stable"),
        share("uncertifiable")
    );
}

#[test]
fn engine_rules_agrees_on_3400_random_cases() {
    const COUNT: usize = 3400;
    let (mut runner, mut dice, mut compiler) = (TestRunner::deterministic(), Dice(1), Compiler::default());
    let strategy = oracle::worlds();
    let mut results = Vec::new();
    for _ in 0..COUNT {
        let world = strategy.new_tree(&mut runner).unwrap().current();
        let mut order: Vec<usize> = (0..world.k()).collect();
        dice.shuffle(&mut order);
        let own = world.names();
        let names: Vec<String> = order.iter().map(|&i| own[i].clone()).collect();
        // Bit i of a declared mask is source order[i] of the world.
        let moved = |mask: u32| order.iter().zip(0..).fold(0, |m, (&at, bit)| m | (mask >> bit & 1) << at);
        let mut cells: Vec<Option<String>> = (0..1_u32 << world.k()).map(|m| Some(world.verdict(moved(m)))).collect();
        let mut text = world.case(&order);
        let mut faults = Vec::new();
        if dice.chance(8) {
            // One version of one grounds source does not fit: exactly its hybrids cannot run.
            let (source, new) = (dice.below(world.grounds.len()), dice.chance(2));
            let mut case: Value = serde_json::from_str(&text).unwrap();
            let at = order.iter().position(|&i| i == source).unwrap();
            case["sources"][at][if new { "new" } else { "old" }][format!("amount{source}")] = json!("many");
            text = case.to_string();
            for (mask, cell) in cells.iter_mut().enumerate().filter(|(mask, _)| (mask >> at & 1 == 1) == new) {
                *cell = None;
                faults.push(json!({"cell": mask, "source": own[source], "field": format!("amount{source}")}));
            }
        }
        let result = expected("random", &names, &cells, Value::Array(faults), true);
        agree(&text, &result, &mut compiler);
        results.push(result);
    }
    tell("rules", COUNT, &results);
}

#[test]
fn engine_table_agrees_on_3300_random_cases() {
    const COUNT: usize = 3300;
    const LABELS: [&str; 8] =
        ["approve", "deny", "refer", "offen", "ja, aber", "\u{e9}lev\u{e9}", "\u{1f600}", "\"q\" \\"];
    let (mut dice, mut compiler, mut results) = (Dice(2), Compiler::default(), Vec::new());
    for i in 0..COUNT {
        let k = 1 + dice.below(6);
        let mut labels = LABELS.to_vec();
        dice.shuffle(&mut labels);
        labels.truncate(1 + dice.below(4));
        let cells: Vec<Option<String>> = (0..1 << k).map(|_| Some((*dice.pick(&labels)).to_owned())).collect();
        let names: Vec<String> = (0..k).map(|i| format!("part {}", char::from(b'z' - i as u8))).collect();
        let sources: Vec<Value> =
            names.iter().map(|n| json!({"name": n, "old": dice.below(9), "new": [null, n]})).collect();
        let id = format!("table-{i}");
        let case = json!({
            "format": "decidendi/case@1", "id": id, "adjudicator": {"engine": "table", "cells": cells},
            "interface": {"verdicts": labels}, "sources": sources,
        });
        let result = expected(&id, &names, &cells, json!([]), false);
        agree(&case.to_string(), &result, &mut compiler);
        results.push(result);
    }
    tell("table", COUNT, &results);
}

#[test]
fn engine_logic_agrees_on_3300_random_cases() {
    const COUNT: usize = 3300;
    let (mut dice, mut compiler, mut results) = (Dice(3), Compiler::default(), Vec::new());
    let mut words = BTreeSet::new();
    for i in 0..COUNT {
        let program = logic::random_program(&mut dice);
        let id = format!("logic-{i}");
        let names = program.names();
        let cells: Vec<Option<String>> = (0..1 << names.len()).map(|m| Some(program.verdict(m).to_owned())).collect();
        words.extend(cells.iter().flatten().cloned());
        let result = expected(&id, &names, &cells, json!([]), true);
        agree(&program.case(&id, &mut dice).to_string(), &result, &mut compiler);
        results.push(result);
    }
    assert_eq!(words.len(), 3);
    tell("logic", COUNT, &results);
}
