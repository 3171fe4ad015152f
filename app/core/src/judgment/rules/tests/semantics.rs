//! The semantics of docs/formats/case.md C26 to C45, table by table, and the traces.

use std::ops::ControlFlow;

use super::draft::{Draft, cells, faults};
use crate::judgment::adjudicator::Adjudicator as _;
use crate::judgment::rules::Cache;
use crate::judgment::rules::prepare;
use crate::judgment::source::{Mask, Version};
use crate::judgment::trace::{Decision, RulesTrace, TraceBody};
use crate::watch::{Unwatched, Watch};

#[test]
fn the_example_of_the_format() {
    let case = Draft::default().case();
    assert_eq!(cells(&case), ["deny", "approve", "approve", "approve", "deny", "approve", "approve", "approve"]);
}

/// One hybrid of one condition set: which label, and by which step.
fn decide(rules: &str, default: &str, grants: &str) -> (String, Option<Decision>) {
    let norms = format!(r#"{{"parameters": {{"window": 14}}, "rules": [{rules}]{default}}}"#);
    let authority = format!(r#"{{"grants": [{grants}]}}"#);
    let draft = Draft { authority: [authority.clone(), authority], ..Draft::default() }.same_norms(&norms);
    let case = draft.case();
    let all = cells(&case);
    let rules = prepare(&case, &mut Cache::default()).expect("prepares");
    let decision = match rules.trace(Mask(0)).body {
        TraceBody::Rules(RulesTrace { decision, .. }) => Some(decision),
        _ => None,
    };
    (all[0].clone(), decision)
}

#[test]
fn jurisdiction_and_merits() {
    let rule = |id: &str, when: &str, then: &str, priority: i64| {
        format!(r#"{{"id": "{id}", "when": "{when}", "then": "{then}", "priority": {priority}}}"#)
    };
    let all = r#"{"norm": "*"}"#;
    let none = r#"{"norm": "*", "actor": "robot"}"#;
    let deny = r#", "default": "deny""#;
    let (a, d) = (rule("a", "true", "approve", 0), rule("d", "true", "deny", 0));
    let two = format!("{a}, {d}");
    for (rules, default, grants, label, decision) in [
        // 1. J ∩ M decides: priority first, deny over approve on a tie.
        (a.clone(), deny, all, "approve", Decision::Rule),
        (two.clone(), deny, all, "deny", Decision::Rule),
        (format!("{d}, {}", rule("b", "true", "approve", 1)), deny, all, "approve", Decision::Rule),
        (format!("{a}, {}", rule("b", "true", "deny", -1)), deny, all, "approve", Decision::Rule),
        (
            format!("{}, {}", rule("b", "true", "refer", 5), rule("c", "true", "refer", 5)),
            deny,
            all,
            "refer",
            Decision::Rule,
        ),
        // The rule of the higher priority has no jurisdiction: the next one decides.
        (format!("{a}, {}", rule("b", "true", "deny", 9)), deny, r#"{"norm": "a"}"#, "approve", Decision::Rule),
        // 2. A rule holds, none that holds has jurisdiction.
        (a.clone(), deny, none, "refer", Decision::NoJurisdiction),
        (
            format!("{a}, {}", rule("b", "false", "deny", 0)),
            deny,
            r#"{"norm": ["b", "default"]}"#,
            "refer",
            Decision::NoJurisdiction,
        ),
        // 3. No rule holds: the default, by a grant for `default` or `*`.
        (rule("a", "false", "approve", 0), deny, all, "deny", Decision::Default),
        (rule("a", "false", "approve", 0), deny, r#"{"norm": "default"}"#, "deny", Decision::Default),
        (rule("a", "false", "approve", 0), deny, r#"{"norm": "a"}"#, "refer", Decision::DefaultWithoutJurisdiction),
        (rule("a", "false", "approve", 0), "", all, "refer", Decision::DefaultWithoutJurisdiction),
        (String::new(), deny, all, "deny", Decision::Default),
        (String::new(), "", "", "refer", Decision::DefaultWithoutJurisdiction),
        // Ties other than deny over approve are faults.
        (format!("{a}, {}", rule("b", "true", "refer", 0)), deny, all, "-", Decision::Faulted),
        (format!("{two}, {}", rule("b", "true", "refer", 0)), deny, all, "-", Decision::Faulted),
        (format!("{two}, {}", rule("b", "true", "refer", -1)), deny, all, "deny", Decision::Rule),
    ] {
        assert_eq!(decide(&rules, default, grants), (label.to_owned(), Some(decision)), "{rules} {default} {grants}");
    }
}

#[test]
fn grants_match_the_context() {
    let rule = r#"{"id": "a", "when": "true", "then": "approve"}"#;
    for (grants, label) in [
        (r#"{"norm": "a", "actor": "agent"}"#, "approve"),
        (r#"{"norm": "a", "actor": ["clerk", "agent"], "region": "EU"}"#, "approve"),
        (r#"{"norm": "a", "actor": "agent", "region": "US"}"#, "refer"),
        (r#"{"norm": "a", "stage": "appeal"}"#, "refer"),
        (r#"{"norm": ["b", "a"]}"#, "approve"),
        (r#"{"norm": "*", "when": "amount <= 89.9"}"#, "approve"),
        (r#"{"norm": "*", "when": "amount < 89.90"}"#, "refer"),
        (r#"{"norm": "*", "when": "context.region == 'EU' && days < window + 10"}"#, "approve"),
        (r#"{"norm": "a", "actor": "robot", "when": "1 / 0 == 1"}"#, "refer"),
        (r#"{"norm": "nobody", "when": "1 / 0 == 1"}"#, "-"),
        (r#"{"norm": "*"}, {"norm": "nobody", "when": "1 / (days - days) == 1"}"#, "-"),
    ] {
        assert_eq!(decide(rule, "", grants).0, label, "{grants}");
    }
}

#[test]
fn an_error_that_remains_is_a_fault_whatever_the_priority() {
    let norms = r#"{"parameters": {"window": 14}, "rules": [
        {"id": "a", "when": "true", "then": "approve", "priority": 100},
        {"id": "b", "when": "10 / (days - 13) > 0", "then": "deny", "priority": -100},
        {"id": "c", "when": "10 / (days - 13) > 0 || true", "then": "approve"}]}"#;
    let case = Draft::default().same_norms(norms).case();
    assert_eq!(cells(&case), ["approve", "-", "approve", "-", "approve", "-", "approve", "-"]);
    assert_eq!(
        faults(&case)[0],
        "1 failed norms.old b: the condition of the rule errs: `10 / (days - 13)` divides by zero"
    );
}

#[test]
fn a_gate_without_its_label_is_a_fault() {
    let interface = r#"{"verdicts": ["yes", "no"], "grounds": {"days": {"type": "int"}}, "parameters": {}}"#;
    let norms = r#"{"rules": [{"id": "a", "when": "days < 15", "then": "yes"}], "default": "no"}"#;
    let grounds = |days: i32| format!(r#"{{"days": {days}}}"#);
    let authority = [r#"{"grants": [{"norm": "a"}]}"#.to_owned(), r#"{"grants": [{"norm": "*"}]}"#.to_owned()];
    let draft = Draft { interface, grounds: [grounds(16), grounds(13)], authority, ..Draft::default() };
    let case = draft.same_norms(norms).case();
    assert_eq!(cells(&case), ["-", "yes", "-", "yes", "no", "yes", "no", "yes"]);
    assert_eq!(
        faults(&case)[0],
        "0 failed  -: no norm that could decide has jurisdiction, and the label set has no `refer`; add it to `interface.verdicts`"
    );
}

#[test]
fn optional_fields() {
    let interface =
        r#"{"grounds": {"days": {"type": "int"}, "waiver": {"type": "string", "optional": true}}, "parameters": {}}"#;
    let norms =
        |when: &str| format!(r#"{{"rules": [{{"id": "a", "when": "{when}", "then": "approve"}}], "default": "deny"}}"#);
    let grounds = [r#"{"days": 1}"#.to_owned(), r#"{"days": 1, "waiver": "yes"}"#.to_owned()];
    for (when, old, new) in [
        ("has(grounds.waiver)", "deny", "approve"),
        ("waiver == 'yes'", "-", "approve"),
        ("has(grounds.waiver) && waiver == 'yes'", "deny", "approve"),
        ("waiver == 'yes' || !has(grounds.waiver)", "approve", "approve"),
        ("waiver > 'no'", "-", "approve"),
        ("waiver in ['no', 'yes']", "-", "approve"),
    ] {
        let draft = Draft { interface, grounds: grounds.clone(), ..Draft::default() }.same_norms(&norms(when));
        let all = cells(&draft.case());
        assert_eq!([&all[0], &all[1]], [old, new], "{when}");
    }
}

#[test]
fn a_fault_keeps_its_trace() {
    let norms = r#"{"parameters": {"window": 14}, "rules": [
        {"id": "ok", "when": "days > 3 && amount < 100", "then": "approve"},
        {"id": "bad", "when": "days / 0 == 1", "then": "deny"}]}"#;
    let case = Draft::default().same_norms(norms).case();
    let rules = prepare(&case, &mut Cache::default()).expect("prepares");
    let trace = rules.trace(Mask(0));
    let faults = trace.outcome.expect_err("a fault");
    assert_eq!(faults[0].source, Some((1, Version::Old)));
    let TraceBody::Rules(body) = trace.body else { panic!("no rules trace") };
    assert_eq!(body.decision, Decision::Faulted);
    let ids: Vec<&str> = body.rules.iter().map(|r| r.id.as_str()).collect();
    assert_eq!(ids, ["bad", "ok"]);
    assert_eq!(body.rules[0].condition.value, "`days / 0` divides by zero");
}

#[test]
fn the_trace_puts_the_decisive_rule_and_clause_first() {
    let case = Draft::default().case();
    let rules = prepare(&case, &mut Cache::default()).expect("prepares");
    let TraceBody::Rules(body) = rules.trace(Mask(1)).body else { panic!("no rules trace") };
    assert_eq!(body.decision, Decision::Rule);
    let window = &body.rules[0];
    assert_eq!((window.id.as_str(), window.decisive), ("window", true));
    let clauses: Vec<_> =
        window.condition.children.iter().map(|c| (c.text.as_str(), c.value.as_str(), c.decisive)).collect();
    assert_eq!(clauses, [("days <= window", "true", true), ("condition == 'unused'", "true", true)]);
    let grant = window.grant.as_ref().expect("granted");
    assert_eq!(grant.fields[0], ("actor".to_owned(), "agent".to_owned(), vec!["agent".to_owned()]));
    let TraceBody::Rules(body) = rules.trace(Mask(0)).body else { panic!("no rules trace") };
    let clauses: Vec<_> = body
        .rules
        .iter()
        .find(|r| r.id == "window")
        .expect("there")
        .condition
        .children
        .iter()
        .map(|c| c.decisive)
        .collect();
    assert_eq!(clauses, [true, false]);
    assert!(body.default.expect("there").decisive);
}

#[test]
fn work_stops_when_told() {
    struct Never;
    impl Watch for Never {
        fn step(&self, _: u64, _: u64) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    let more: String = (0..6).map(|i| format!(r#", {{"name": "grounds-{i}", "old": {{}}, "new": {{}}}}"#)).collect();
    let case = Draft { more, ..Draft::default() }.case();
    let rules = prepare(&case, &mut Cache::default()).expect("prepares");
    assert!(rules.execute(&Never).is_err());
    assert!(rules.execute(&Unwatched).is_ok());
}
