//! One rule for all text that is ever compared: whatever spelling of a character stands on either side, in NFC they are
//! the same. One rule for numbers: one number has one spelling, and what a reader would lose is refused.

use std::fs;
use std::process::Command;

/// Runs `inspect` on a case; exit code and everything that it said.
pub(crate) fn inspect(case: &str) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.case.json");
    fs::write(&file, case).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_decidendi")).arg("inspect").arg(&file).output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().unwrap_or(-1), said)
}

/// Which parts of a rules case differ from the plain one. All are JSON.
pub(crate) struct Parts<'p> {
    pub(crate) verdicts: &'p str,
    pub(crate) grounds: &'p str,
    pub(crate) parameters: &'p str,
    pub(crate) typed: &'p str,
    pub(crate) context: &'p str,
    pub(crate) steps: &'p str,
    pub(crate) source: &'p str,
    pub(crate) body: &'p str,
    pub(crate) values: &'p str,
    pub(crate) rule: &'p str,
    pub(crate) grant: &'p str,
}

pub(crate) const PLAIN: Parts<'static> = Parts {
    verdicts: r#"["approve", "deny", "refer"]"#,
    grounds: r#"{"s": {"type": "string"}}"#,
    parameters: "{}",
    typed: "{}",
    context: r#"{"actor": "agent"}"#,
    steps: "[]",
    source: "grounds",
    body: r#"{"s": "x"}"#,
    values: "{}",
    rule: r#"{"id": "r", "when": "true", "then": "approve"}"#,
    grant: r#"{"norm": "*"}"#,
};

impl Parts<'_> {
    /// A case whose two versions are alike: it approves where the rule holds and the grant matches.
    pub(crate) fn case(&self) -> String {
        let Self { verdicts, grounds, parameters, typed, context, steps, source, body, values, rule, grant } = self;
        let norms = format!(r#"{{"parameters": {values}, "rules": [{rule}], "default": "deny"}}"#);
        let authority = format!(r#"{{"grants": [{grant}]}}"#);
        format!(
            r#"{{"format": "decidendi/case@1", "id": "t", "adjudicator": {{"engine": "rules"}},
"interface": {{"verdicts": {verdicts}, "grounds": {grounds}, "parameters": {parameters}, "context": {typed}}},
"context": {context}, "compatibility": {steps}, "sources": [
{{"name": "{source}", "old": {body}, "new": {body}}},
{{"name": "norms", "old": {norms}, "new": {norms}}},
{{"name": "authority", "old": {authority}, "new": {authority}}}]}}"#
        )
    }
}

/// Spellings of one text: composed, decomposed, and a compatibility character that NFC replaces.
const SPELLINGS: [&[&str]; 3] =
    [&["caf\u{e9}", "cafe\u{301}"], &["\u{c5}s", "A\u{30a}s", "\u{212b}s"], &["\u{d55c}", "\u{1112}\u{1161}\u{11ab}"]];

/// Puts every pair of spellings in the place of `%1` and `%2` and looks for the verdict.
fn same(place: &str, template: &str, verdict: &str) {
    for spellings in SPELLINGS {
        for one in spellings {
            for two in spellings {
                let case = template.replace("%1", one).replace("%2", two);
                let (exit, said) = inspect(&case);
                let wanted = verdict.replace("%", spellings[0]);
                assert_eq!(exit, 0, "{place}: {one:?} and {two:?}: {said}");
                assert!(said.contains(&wanted), "{place}: {one:?} and {two:?}: {said}");
            }
        }
    }
}

const APPROVES: &str = "approve -> approve";

#[test]
fn text_in_conditions() {
    let enumerated = r#"{"s": {"type": "enum", "values": ["%1", "b"]}}"#;
    let set = r#"{"s": {"type": "set", "values": ["%1", "b"]}}"#;
    let parameter = r#"{"p": {"type": "string"}}"#;
    let rule = |when: &str| format!(r#"{{"id": "r", "when": "{when}", "then": "approve"}}"#);
    let cases: [(&str, Parts<'_>); 8] = [
        ("a literal", Parts { body: r#"{"s": "%1"}"#, rule: &rule("s == '%2'"), ..PLAIN }),
        ("a raw literal", Parts { body: r#"{"s": "%1"}"#, rule: &rule("s == r'%2'"), ..PLAIN }),
        ("a long literal", Parts { body: r#"{"s": "%1"}"#, rule: &rule("s == '''%2'''"), ..PLAIN }),
        ("a list", Parts { body: r#"{"s": "%1"}"#, rule: &rule("s in ['b', '%2']"), ..PLAIN }),
        ("an enum", Parts { grounds: enumerated, body: r#"{"s": "%2"}"#, rule: &rule("s == '%2'"), ..PLAIN }),
        ("a set", Parts { grounds: set, body: r#"{"s": ["%2"]}"#, rule: &rule("'%1' in s"), ..PLAIN }),
        (
            "a parameter",
            Parts {
                parameters: parameter,
                values: r#"{"p": "%1"}"#,
                body: r#"{"s": "%2"}"#,
                rule: &rule("s == p"),
                ..PLAIN
            },
        ),
        ("a context", Parts { context: r#"{"actor": "%1"}"#, rule: &rule("context.actor == '%2'"), ..PLAIN }),
    ];
    for (place, parts) in cases {
        same(place, &parts.case(), APPROVES);
    }
}

#[test]
fn escapes_in_conditions() {
    for (data, literal) in [
        ("\u{e9}", r"e\\u0301"),
        ("e\u{301}", r"\\u00e9"),
        ("e\u{301}", r"\\x65\\U00000301"),
        ("\u{c5}", r"\\u212b"),
        ("\u{212b}", r"\\101\\u030a"),
    ] {
        let grounds = format!(r#"{{"s": {{"type": "enum", "values": ["{data}"]}}}}"#);
        let body = format!(r#"{{"s": "{data}"}}"#);
        let rule = format!(r#"{{"id": "r", "when": "s == '{literal}'", "then": "approve"}}"#);
        let (exit, said) = inspect(&Parts { grounds: &grounds, body: &body, rule: &rule, ..PLAIN }.case());
        assert!(exit == 0 && said.contains(APPROVES) && !said.contains("never takes"), "{said}");
    }
}

#[test]
fn names_labels_and_grants() {
    let labels = r#"["%1", "deny", "refer"]"#;
    let cases: [(&str, Parts<'_>, &str); 5] = [
        (
            "a rule's id",
            Parts { rule: r#"{"id": "%1", "when": "true", "then": "approve"}"#, grant: r#"{"norm": "%2"}"#, ..PLAIN },
            APPROVES,
        ),
        (
            "a verdict",
            Parts { verdicts: labels, rule: r#"{"id": "r", "when": "true", "then": "%2"}"#, ..PLAIN },
            "% -> %",
        ),
        (
            "a grant's value",
            Parts { context: r#"{"actor": "%1"}"#, grant: r#"{"norm": "*", "actor": ["%2"]}"#, ..PLAIN },
            APPROVES,
        ),
        (
            "a context field",
            Parts { context: r#"{"%1": "agent"}"#, grant: r#"{"norm": "*", "%2": "agent"}"#, ..PLAIN },
            APPROVES,
        ),
        ("a field", Parts { grounds: r#"{"%1": {"type": "int"}}"#, body: r#"{"%2": 1}"#, ..PLAIN }, APPROVES),
    ];
    for (place, parts, verdict) in cases {
        same(place, &parts.case(), verdict);
    }
}

#[test]
fn compatibility_steps() {
    let both = |step: &str| {
        let versions =
            ["old", "new"].map(|version| format!(r#"{{"source": "grounds-%2", "version": "{version}", {step}}}"#));
        format!("[{}]", versions.join(", "))
    };
    let rule = r#"{"id": "r", "when": "s == 'b%1'", "then": "approve"}"#;
    let enumerated = r#"{"s": {"type": "enum", "values": ["b%1"]}}"#;
    for (place, body, step) in [
        ("a map's key", r#"{"s": "%1"}"#, r#""step": "map", "field": "s", "values": {"%2": "b%1"}"#),
        ("a map's value", r#"{"s": "c"}"#, r#""step": "map", "field": "s", "values": {"c": "b%2"}"#),
        ("a default", "{}", r#""step": "default", "field": "s", "value": "b%2""#),
        ("a rename", r#"{"x%1": "b%2"}"#, r#""step": "rename", "from": "x%2", "to": "s""#),
    ] {
        let parts = Parts { grounds: enumerated, source: "grounds-%1", body, steps: &both(step), rule, ..PLAIN };
        same(place, &parts.case(), APPROVES);
    }
}

#[test]
fn atoms_and_recorded_cells() {
    let logic = r#"{"format": "decidendi/case@1", "id": "t", "context": {"query": "q('%2')"}, "adjudicator": {"engine": "logic"},
"sources": [{"name": "grounds", "old": {"facts": ["p('%1')"]}, "new": {"facts": ["p('%2')"]}},
{"name": "norms", "old": {"rules": [{"id": "%1", "if": ["p(X)", "p('%2')"], "then": "q(X)"}]}, "new": {"rules": []}},
{"name": "authority", "old": {"rules": ["%2"]}, "new": {"rules": ["%1"]}}]}"#;
    same("an atom", logic, "approve -> refer");
    let table = r#"{"format": "decidendi/case@1", "id": "t", "interface": {"verdicts": ["%1", "b"]},
"adjudicator": {"engine": "table", "cells": ["%2", "%1"]},
"sources": [{"name": "m", "old": {"v": 1}, "new": {"v": 2}}]}"#;
    same("a recorded cell", table, "% -> %");
}

/// `int` everywhere: values, bounds, defaults, typed context, priorities.
#[test]
fn integers_beyond_what_json_numbers_keep() {
    let wide = r#""9007199254740993""#;
    let rule = r#"{"id": "r", "when": "n == 9007199254740993 && n > 9007199254740992", "then": "approve"}"#;
    let with = |body: &str, bounds: &str| {
        let grounds = format!(r#"{{"n": {{"type": "int"{bounds}}}}}"#);
        Parts { grounds: &grounds, body, rule, ..PLAIN }.case()
    };
    let body = format!(r#"{{"n": {wide}}}"#);
    let default = format!(
        r#"[{{"source": "grounds", "version": "old", "step": "default", "field": "n", "value": {wide}}},
{{"source": "grounds", "version": "new", "step": "default", "field": "n", "value": {wide}}}]"#
    );
    let n = r#"{"n": {"type": "int"}}"#;
    let priority = rule.replace("\"then\"", r#""priority": "9223372036854775807", "then""#);
    let context = format!(r#"{{"n": {wide}}}"#);
    let values = format!(r#"{{"n": {wide}}}"#);
    for case in [
        with(&body, ""),
        with(&body, &format!(r#", "min": {wide}, "max": {wide}"#)),
        with(&body, r#", "min": "-9223372036854775808", "max": "9223372036854775807""#),
        Parts { grounds: n, body: "{}", steps: &default, rule, ..PLAIN }.case(),
        Parts { grounds: n, body: &body, rule: &priority, ..PLAIN }.case(),
        Parts { typed: n, context: &context, rule, ..PLAIN }.case(),
        Parts { parameters: n, values: &values, rule, ..PLAIN }.case(),
    ] {
        let (exit, said) = inspect(&case);
        assert!(exit == 0 && said.contains(APPROVES), "{said}");
    }
    for (value, words) in [
        (r#""5""#, "\"5\" is text; write the number 5 without quotation marks"),
        (r#""9007199254740991""#, "write the number 9007199254740991 without quotation marks"),
        (r#""-0""#, "an integer is wanted, this is \"-0\""),
        (r#""09007199254740993""#, "an integer is wanted"),
        (r#""+9007199254740993""#, "an integer is wanted"),
        (r#""9007199254740993.0""#, "an integer is wanted"),
        (r#""9223372036854775808""#, "does not fit in 64 bits"),
    ] {
        let (exit, said) = inspect(&with(&format!(r#"{{"n": {value}}}"#), ""));
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(exit != 0 && said.contains(words), "{value}: {exit} {said}");
    }
    for (bound, words) in [
        (r#", "min": "5""#, "Write the number 5 without quotation marks."),
        (r#", "max": "9223372036854775808""#, "does not fit in 64 bits"),
    ] {
        let (exit, said) = inspect(&with(&body, bound));
        assert!(exit == 2 && said.contains(words), "{said}");
    }
    let (exit, said) = inspect(&with(&body, r#", "max": "9007199254740992""#));
    assert!(exit != 0 && said.contains("above the declared maximum 9007199254740992"), "{said}");
}

/// Two numbers never have one digest: what a double does not keep is refused, with its place.
#[test]
fn numbers_that_a_reader_would_lose() {
    for (number, words) in [
        ("0.1000000000000000055511151231257827", "a reader keeps only 0.1 of this number"),
        ("0.10000000000000001", "a reader keeps only 0.1 of this number"),
        ("-2.50000000000000000001", "a reader keeps only -2.5 of this number"),
        ("9007199254740993.0", "beyond ±9007199254740991"),
        ("9007199254740991.4", "more digits than a reader keeps"),
        ("1e400", "out of range"),
        ("1e-400", "too small"),
    ] {
        let (exit, said) = inspect(&Parts { context: &format!("{{\"x\":\n {number}}}"), ..PLAIN }.case());
        assert!(exit == 2 && said.contains("t.case.json:4:2: ") && said.contains(words), "{number}: {said}");
    }
    for number in ["0.1", "0.30000000000000004", "1.50", "25e-1", "-0.0"] {
        let (exit, said) = inspect(&Parts { context: &format!("{{\"x\": {number}}}"), ..PLAIN }.case());
        assert_eq!(exit, 0, "{number}: {said}");
    }
}
