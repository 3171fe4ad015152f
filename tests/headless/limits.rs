//! Work, memory and cancel: what a case of a few kilobytes may cost, counted and never timed.

use std::cell::Cell;
use std::fs;
use std::ops::ControlFlow;

use decidendi_core::judgment::case::Case;
use decidendi_core::judgment::walk::{Compiler, WalkError, judge, open_case};
use decidendi_core::limits::WORK;
use decidendi_core::watch::{Unwatched, Watch};

use crate::cli::{code, err, folder, out, run};

/// `count` grounds sources of one long fraction each, and a rule that multiplies them all in several orders.
fn long_products(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|i| format!("f{i}")).collect();
    let fields: Vec<String> = names.iter().map(|n| format!(r#""{n}": {{"type": "rational"}}"#)).collect();
    let number = |a: usize, b: usize| format!("{}{a:04}/{}{b:03}", "81".repeat(30), "73".repeat(29));
    let sources: String = (0..count)
        .map(|i| {
            let (old, new) = (number(i, 7 * i + 1), number(i + 50, 9 * i + 2));
            format!(r#"{{"name": "grounds-{i}", "old": {{"f{i}": "{old}"}}, "new": {{"f{i}": "{new}"}}}},"#)
        })
        .collect();
    let turned = |by: usize| [&names[by..], &names[..by]].concat().join(" * ");
    let when = (0..count.min(5)).map(turned).collect::<Vec<_>>().join(" + ");
    case(&fields.join(","), &sources, &format!(r#"{{"id": "r", "when": "{when} > 0.5", "then": "approve"}}"#))
}

/// `count` grounds sources of one integer each, and many ordinary rules.
fn ordinary(count: usize) -> String {
    let fields: Vec<String> = (0..count).map(|i| format!(r#""n{i}": {{"type": "int"}}"#)).collect();
    let source = |i| format!(r#"{{"name": "grounds-{i}", "old": {{"n{i}": {i}}}, "new": {{"n{i}": {}}}}},"#, i + 4);
    let sources: String = (0..count).map(source).collect();
    let rule = |i: usize| {
        let (a, b) = (i % count, (i * 7 + 3) % count);
        format!(r#"{{"id": "r{i}", "when": "n{a} > {i} && n{b} + 1 < 12 || n{b} == {a}", "then": "approve"}}"#)
    };
    case(&fields.join(","), &sources, &(0..100).map(rule).collect::<Vec<_>>().join(","))
}

fn case(fields: &str, sources: &str, rules: &str) -> String {
    format!(
        r#"{{"format": "decidendi/case@1", "id": "a", "adjudicator": {{"engine": "rules"}}, "interface": {{"grounds": {{{fields}}}}},
 "sources": [{sources} {{"name": "norms", "old": {{"rules": [], "default": "deny"}}, "new": {{"rules": [{rules}], "default": "deny"}}}},
 {{"name": "authority", "old": {{"grants": [{{"norm": "*"}}]}}, "new": {{"grants": [{{"norm": "*"}}]}}}}]}}"#
    )
}

/// `count` grounds sources of facts, and a join of them all that derives nothing.
fn joins(count: usize) -> String {
    let facts: Vec<String> = (0..30).map(|i| format!(r#""e(a{i},a{})""#, i * 7 % 30)).collect();
    let facts = facts.join(",");
    let source = |i| {
        format!(
            r#"{{"name": "grounds-{i}", "old": {{"facts": [{facts}]}}, "new": {{"facts": [{facts}, "w(b{i})"]}}}},"#
        )
    };
    let sources: String = (0..count).map(source).collect();
    let rules = r#"{"rules": [{"id": "r", "if": ["e(A,B)", "e(C,D)", "e(E,F)", "e(G,G)", "w(A)"], "then": "q(a)"}]}"#;
    format!(
        r#"{{"format": "decidendi/case@1", "id": "a", "adjudicator": {{"engine": "logic"}}, "context": {{"query": "q(a)"}},
 "sources": [{sources} {{"name": "norms", "old": {rules}, "new": {rules}}}, {{"name": "authority", "old": {{"rules": ["r"]}}, "new": {{"rules": ["r"]}}}}]}}"#
    )
}

fn read(text: &str) -> Case {
    open_case("a", text.as_bytes(), &Default::default()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn work_that_grows_is_refused_at_the_same_step_with_its_figures() {
    for text in [long_products(10), joins(9)] {
        let case = read(&text);
        let spent = |budget| match judge(&case, &mut Compiler::with_budget(budget), &Unwatched) {
            Err(WalkError::Budget(spent)) => spent,
            other => panic!("{other:?}"),
        };
        let first = spent(20_000_000);
        assert_eq!(first, spent(20_000_000));
        assert!(first.budget == 20_000_000 && first.steps > first.budget && first.done < first.total, "{first:?}");
        // What goes beyond is one operation at most.
        assert!(first.steps < 25_000_000, "{first:?}");
    }
}

#[test]
fn an_ordinary_case_takes_a_small_part_of_the_budget_and_the_budget_decides_no_cell() {
    let case = read(&ordinary(14));
    let judged = |budget| judge(&case, &mut Compiler::with_budget(budget), &Unwatched).unwrap();
    assert_eq!(judged(WORK / 100), judged(u64::MAX));
}

#[test]
fn the_watch_is_asked_within_one_hybrid_and_heard() {
    struct After(Cell<u32>);
    impl Watch for After {
        fn step(&self, done: u64, _: u64) -> ControlFlow<()> {
            self.0.set(self.0.get() + 1);
            // All this is work on the first hybrids: their number does not grow.
            assert!(done < 64, "{done}");
            if self.0.get() > 40 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    for text in [long_products(12), joins(12)] {
        let watch = After(Cell::new(0));
        let judged = judge(&read(&text), &mut Compiler::default(), &watch);
        assert!(matches!(judged, Err(WalkError::Cancelled(_))), "{judged:?}");
        assert_eq!(watch.0.get(), 41);
    }
}

#[test]
fn the_budget_is_told_and_raised_at_every_door() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("a.case.json"), long_products(3)).unwrap();
    let certify = ["certify", "a.case.json", "--key", "k", "--out", "o", "--bundle"];
    assert_eq!(code(&run(at, &certify)), 0);
    let verify = ["verify", "o/a.decidendi", "--trust", "k.pub"];
    for args in [&["inspect", "a.case.json"][..], &certify] {
        let output = run(at, &[args, &["--budget", "5000"]].concat());
        assert_eq!(code(&output), 2, "{args:?} {}", err(&output));
        let said = err(&output);
        assert!(
            said.contains("a.case.json:1:1: the case takes more than its budget of 5000 steps of work: "),
            "{said}"
        );
        assert!(said.contains(" of 32 hybrids done") && said.contains("give it a larger budget: --budget N"), "{said}");
    }
    let output = run(at, &[&verify[..], &["--budget", "5000"]].concat());
    assert_eq!(code(&output), 3, "{}", out(&output));
    assert!(out(&output).contains("not run  replay agrees cell by cell"), "{}", out(&output));
    assert!(out(&output).contains("its budget of 5000 steps") && out(&output).contains("next: "), "{}", out(&output));
    assert_eq!(code(&run(at, &[&verify[..], &["--budget", "100000000"]].concat())), 0);
    assert_eq!(code(&run(at, &["inspect", "a.case.json", "--budget", "0"])), 2);
}

#[test]
fn references_are_counted_before_they_are_read_each_time() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("big.json"), format!(r#"{{"days": "{}"}}"#, "y".repeat(30_000_000))).unwrap();
    let source = |i| format!(r#"{{"name": "s{i}", "old": {{"$ref": "big.json"}}, "new": {{"$ref": "big.json"}}}}"#);
    let sources = (0..3).map(source).collect::<Vec<_>>().join(",\n");
    let cells = [r#""deny""#; 8].join(",");
    let head = r#""format": "decidendi/case@1", "id": "a", "interface": {"verdicts": ["deny"]}"#;
    let case = format!(
        "{{{head}, \"adjudicator\": {{\"engine\": \"table\", \"cells\": [{cells}]}}, \"sources\": [{sources}]}}"
    );
    fs::write(at.join("a.case.json"), &case).unwrap();
    let output = run(at, &["inspect", "a.case.json"]);
    assert_eq!(code(&output), 2);
    let said = err(&output);
    assert!(said.contains("a.case.json:2:") && said.contains("more than 67108864 bytes"), "{said}");
    // The core says the same to whoever hands it files.
    let files = [("big.json".to_owned(), vec![b' '; 30_000_000])].into();
    let error = open_case("a", case.as_bytes(), &files).expect_err("too large").to_string();
    assert!(error.contains("with this reference followed the case is too large"), "{error}");
}

#[test]
fn what_a_document_builds_is_bounded() {
    for (value, count, fits) in [("[]", 1_100_000, true), ("[]", 1_200_000, false), ("7", 4_500_000, false)] {
        let text = format!("[{}0]", format!("{value},").repeat(count));
        let read = decidendi_core::seal::canon::read_foreign("a", text.as_bytes());
        assert_eq!(read.is_ok(), fits, "{count} times {value}");
        if let Err(error) = read {
            assert!(error.to_string().contains("more lists, objects and values than are read (17825792"), "{error}");
        }
    }
}

#[test]
fn of_very_many_unknown_fields_the_rest_is_counted() {
    let folder = folder();
    let unknown: String = (0..50_000).map(|i| format!(r#""u{i}": 1, "#)).collect();
    let text = ordinary(3).replacen("\"format\"", &format!("{unknown}\"format\""), 1);
    fs::write(folder.path().join("a.case.json"), text).unwrap();
    let output = run(folder.path(), &["inspect", "a.case.json"]);
    let said = err(&output);
    assert!((code(&output), said.lines().count()) == (0, 65) && said.contains("nor are 49935 more"), "{}", said.len());
}

#[test]
fn garbage_is_counted_and_its_reading_ends() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("a.jsonl"), "no case\n".repeat(40_000)).unwrap();
    for args in [&["inspect", "a.jsonl"][..], &["certify", "a.jsonl", "--key", "k", "--out", "o"]] {
        let output = run(at, &[args, &["--json"]].concat());
        let said = err(&output);
        assert_eq!(
            (code(&output), said.lines().filter(|l| l.starts_with("error: a.jsonl:")).count()),
            (2, 20),
            "{said}"
        );
        assert!(
            said.contains("9980 more cases were rejected") && said.contains("reading stopped after 10000"),
            "{said}"
        );
        assert_eq!(out(&output).lines().filter(|l| l.contains("rejected\", \"error")).count(), 10_000);
    }
}

#[cfg(unix)]
#[test]
fn many_certificates_need_few_open_files() {
    let folder = folder();
    let at = folder.path();
    let lines: String = (0..700).map(|i| crate::cli::example(&format!("case-{i}"), 30) + "\n").collect();
    fs::write(at.join("many.jsonl"), lines).unwrap();
    let binary = env!("CARGO_BIN_EXE_decidendi");
    let line = format!("ulimit -n 200 && {binary} certify many.jsonl --key k --out o --bundle --json | tail -1");
    let output = std::process::Command::new("sh").args(["-c", &line]).current_dir(at).output().unwrap();
    assert!(out(&output).contains(r#""certified": 700"#), "{}{}", out(&output), err(&output));
    let left = fs::read_dir(at.join("o")).unwrap().flatten().count();
    assert_eq!(left, 1400);
}

#[cfg(target_os = "linux")]
#[test]
fn a_key_that_nobody_is_told_of_is_not_kept() {
    let folder = folder();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = crate::cli::command(folder.path(), &["keygen", "--out", "new"]).stdout(full).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("no key was kept"), "{}", err(&output));
    assert!(!folder.path().join("new").exists() && !folder.path().join("new.pub").exists());
}
