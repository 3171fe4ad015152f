//! The semantics of formats §1, table by table, through the reader.

use std::ops::ControlFlow;

use crate::judgment::adjudicator::Adjudicator as _;
use crate::judgment::case::{Artifacts, Case};
use crate::judgment::expr::Cache;
use crate::judgment::result::Stage;
use crate::judgment::rules::prepare;
use crate::judgment::source::{Mask, Version};
use crate::judgment::trace::{Decision, RulesTrace, TraceBody};
use crate::judgment::walk::open_case;
use crate::watch::{Unwatched, Watch};

/// A case whose parts are given as JSON text; what is left out stays as in formats §1.
pub(super) struct Draft {
    pub(super) interface: &'static str,
    pub(super) context: &'static str,
    pub(super) grounds: [String; 2],
    pub(super) norms: [String; 2],
    pub(super) authority: [String; 2],
    pub(super) more: String,
    pub(super) compatibility: String,
}

pub(super) const WINDOW: &str = r#"{
    "verdicts": ["approve", "deny", "refer"],
    "grounds": {
      "days": {"type": "int", "unit": "day", "min": 0},
      "condition": {"type": "enum", "values": ["unused", "used"]},
      "amount": {"type": "rational", "unit": "EUR"},
      "final_sale": {"type": "bool"}
    },
    "parameters": {"window": {"type": "int", "unit": "day"}}
  }"#;

impl Default for Draft {
    fn default() -> Self {
        let grounds =
            |days: i32| format!(r#"{{"days": {days}, "condition": "unused", "amount": "89.90", "final_sale": false}}"#);
        let norms = |window: i32| {
            format!(
                r#"{{"parameters": {{"window": {window}}},
                 "rules": [{{"id": "window", "when": "days <= window && condition == 'unused'", "then": "approve"}},
                           {{"id": "final-sale", "when": "final_sale", "then": "deny", "priority": 10}}],
                 "default": "deny"}}"#
            )
        };
        let grants =
            r#"{"grants": [{"norm": "*", "actor": ["agent"], "region": ["EU", "US"], "channel": ["chat", "phone"]}]}"#;
        Self {
            interface: WINDOW,
            context: r#"{"actor": "agent", "region": "EU", "product": "footwear", "channel": "chat"}"#,
            grounds: [grounds(16), grounds(13)],
            norms: [norms(14), norms(30)],
            authority: [grants.to_owned(), grants.to_owned()],
            more: String::new(),
            compatibility: "[]".to_owned(),
        }
    }
}

impl Draft {
    pub(super) fn text(&self) -> String {
        let source =
            |name: &str, [old, new]: &[String; 2]| format!(r#"{{"name": "{name}", "old": {old}, "new": {new}}}"#);
        format!(
            r#"{{"format": "decidendi/case@1", "id": "t", "context": {}, "adjudicator": {{"engine": "rules"}},
                "interface": {}, "sources": [{}, {}, {}{}], "compatibility": {}}}"#,
            self.context,
            self.interface,
            source("grounds", &self.grounds),
            source("norms", &self.norms),
            source("authority", &self.authority),
            self.more,
            self.compatibility,
        )
    }

    pub(super) fn case(&self) -> Case {
        let text = self.text();
        match open_case("t.json", text.as_bytes(), &Artifacts::default()) {
            Ok(case) => case,
            Err(error) => panic!("{error}\n{text}"),
        }
    }

    fn same_grounds(mut self, body: &str) -> Self {
        self.grounds = [body.to_owned(), body.to_owned()];
        self
    }

    fn same_norms(mut self, body: &str) -> Self {
        self.norms = [body.to_owned(), body.to_owned()];
        self
    }
}

/// Labels of all cells, `-` where a hybrid did not end in a verdict; lifted and plain agree.
fn cells(case: &Case) -> Vec<String> {
    let rules = prepare(case, &mut Cache::default()).expect("prepares");
    let executed = rules.execute(&Unwatched).expect("not cancelled");
    assert_eq!(executed, rules.execute_plainly(&Unwatched).expect("not cancelled"));
    for (i, cell) in executed.cube.cells().iter().enumerate() {
        let trace = rules.trace(Mask(i as u32));
        assert_eq!(trace.outcome.ok(), *cell, "the trace of cell {i}");
        assert_eq!(executed.faults.iter().any(|f| f.cell.0 == i as u32), cell.is_none(), "faults of cell {i}");
    }
    let word = |v: &Option<_>| v.map_or_else(|| "-".to_owned(), |v| case.labels().word(v).to_owned());
    executed.cube.cells().iter().map(word).collect()
}

fn faults(case: &Case) -> Vec<String> {
    let rules = prepare(case, &mut Cache::default()).expect("prepares");
    let executed = rules.execute(&Unwatched).expect("not cancelled");
    let line = |f: &crate::judgment::result::Fault| {
        let names = case.names();
        let source = f.source.map_or_else(String::new, |(s, v)| format!("{}.{}", names[s], v.word()));
        let stage = if f.stage == Stage::Interface { "refused" } else { "failed" };
        format!("{} {stage} {source} {}: {}", f.cell, f.field.as_deref().unwrap_or("-"), f.reason)
    };
    executed.faults.iter().map(line).collect()
}

fn refused(draft: &Draft) -> String {
    match prepare(&draft.case(), &mut Cache::default()) {
        Ok(_) => panic!("prepared"),
        Err(fault) => fault.to_string(),
    }
}

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
fn what_does_not_fit_is_not_run_and_names_its_repair() {
    let good = r#"{"days": 16, "condition": "unused", "amount": "89.90", "final_sale": false}"#;
    for (old, fault, step) in [
        (
            r#"{"days_since": 16, "condition": "unused", "amount": "89.90", "final_sale": false}"#,
            "days: the field is missing",
            r#"{"source":"grounds","version":"old","step":"rename","from":"days_since","to":"days"}"#,
        ),
        (
            r#"{"days": 16, "condition": "unused", "amount": "89.90"}"#,
            "final_sale: the field is missing",
            r#"{"source":"grounds","version":"old","step":"default","field":"final_sale","value":null}"#,
        ),
        (
            r#"{"days": 16, "condition": "unused", "amount": {"value": "8990", "unit": "cent"}, "final_sale": false}"#,
            "amount: the value is in cent, the interface wants EUR",
            r#"{"source":"grounds","version":"old","step":"convert","field":"amount","factor":"1/100","offset":"0","from":"cent","to":"EUR"}"#,
        ),
        (
            r#"{"days": 16, "condition": "unusd", "amount": "89.90", "final_sale": false}"#,
            "condition: 'unusd' is none of the declared values (unused, used)",
            r#"{"source":"grounds","version":"old","step":"map","field":"condition","values":{"unusd":"unused"}}"#,
        ),
        (
            r#"{"days": "16", "condition": "unused", "amount": "89.90", "final_sale": false}"#,
            "days: an integer is wanted, this is text",
            "",
        ),
        (
            r#"{"days": -1, "condition": "unused", "amount": "89.90", "final_sale": false}"#,
            "days: -1 is below the declared minimum 0",
            "",
        ),
        (
            r#"{"days": 16, "condition": "unused", "amount": 89.9, "final_sale": false}"#,
            "amount: 89.9 is a number with a fraction, which may have been rounded; write it as text, \"89.9\"",
            "",
        ),
        (
            r#"{"days": 16, "condition": "unused", "amount": "about 90", "final_sale": false}"#,
            "amount: an exact number (an integer, or text like \"89.90\" or \"3/8\") is wanted, this is \"about 90\"",
            "",
        ),
    ] {
        let case = Draft { grounds: [old.to_owned(), good.to_owned()], ..Draft::default() }.case();
        assert_eq!(cells(&case), ["-", "deny", "-", "approve", "-", "deny", "-", "approve"]);
        assert_eq!(faults(&case)[0], format!("0 refused grounds.old {fault}"));
        let rules = prepare(&case, &mut Cache::default()).expect("prepares");
        let executed = rules.execute(&Unwatched).expect("not cancelled");
        assert_eq!(executed.executed, 4);
        let repair = executed.faults[0]
            .repair
            .as_ref()
            .map(|r| String::from_utf8(crate::seal::canon::canonical(&r.to_json())).expect("UTF-8"));
        let wanted = (!step.is_empty()).then(|| {
            let read = crate::seal::canon::read_input("step", step.as_bytes()).expect("JSON");
            String::from_utf8(crate::seal::canon::canonical(&read.root)).expect("UTF-8")
        });
        assert_eq!(repair, wanted);
        // The proposed step, once complete, repairs the case.
        if let Some(step) = wanted {
            let compatibility = format!("[{}]", step.replace("null", "false"));
            let repaired =
                Draft { grounds: [old.to_owned(), good.to_owned()], compatibility, ..Draft::default() }.case();
            assert_eq!(cells(&repaired)[1], "deny");
            assert!(!cells(&repaired).contains(&"-".to_owned()), "{step}");
        }
    }
}

#[test]
fn extra_fields_move_nothing() {
    let grounds = r#"{"days": 13, "condition": "unused", "amount": "89.90", "final_sale": false, "colour": "red"}"#;
    let case = Draft::default().same_grounds(grounds).case();
    assert_eq!(cells(&case)[0], "approve");
    let rules = prepare(&case, &mut Cache::default()).expect("prepares");
    let texts: Vec<String> = rules.remarks().iter().map(|r| format!("{}: {}", r.path, r.text)).collect();
    assert_eq!(texts[0], "sources[0].old.colour: `colour` is not declared in the interface and is not used");
}

#[test]
fn steps_that_do_not_apply_are_faults() {
    for (step, reason) in [
        (
            r#""step": "rename", "from": "tenure", "to": "days""#,
            "tenure: the declared step `rename` does not apply: this version has no field `tenure`",
        ),
        (
            r#""step": "rename", "from": "amount", "to": "days""#,
            "days: the declared step `rename` does not apply: this version has a field `days` already",
        ),
        (
            r#""step": "default", "field": "days", "value": 3"#,
            "days: the declared step `default` does not apply: this version has a field `days` already",
        ),
        (
            r#""step": "map", "field": "days", "values": {"a": "b"}"#,
            "days: the declared step `map` does not apply: `days` is an integer, not text",
        ),
        (
            r#""step": "convert", "field": "condition", "factor": "2", "from": "a", "to": "b""#,
            "condition: the declared step `convert` does not apply: `condition` is text, not an exact number",
        ),
        (
            r#""step": "convert", "field": "days", "factor": "24", "from": "day", "to": "hour""#,
            "days: the value is in hour, the interface wants day",
        ),
        (
            r#""step": "convert", "field": "days", "factor": "1/7", "from": "hour", "to": "day""#,
            "days: an integer is wanted, this is text",
        ),
    ] {
        let compatibility = format!(r#"[{{"source": "grounds", "version": "new", {step}}}]"#);
        let case = Draft { compatibility, ..Draft::default() }.case();
        assert_eq!(cells(&case)[0], "deny");
        assert_eq!(faults(&case)[0], format!("1 refused grounds.new {reason}"));
    }
}

#[test]
fn several_sources_of_a_role_are_united() {
    let more = r#", {"name": "grounds-sale", "old": {"final_sale": false}, "new": {"final_sale": true}},
        {"name": "norms.fees", "old": {"rules": []}, "new": {"rules": [{"id": "fee", "when": "amount > 80", "then": "refer", "priority": 20}]}},
        {"name": "authority/fees", "role": "authority", "old": {}, "new": {"grants": [{"norm": "fee"}]}}"#;
    let grounds = |days: i32| format!(r#"{{"days": {days}, "condition": "unused", "amount": "89.90"}}"#);
    let mut draft = Draft { grounds: [grounds(16), grounds(13)], more: more.replace('/', "-"), ..Draft::default() };
    draft.authority = [0, 1].map(|_| r#"{"grants": [{"norm": ["window", "final-sale", "default"]}]}"#.to_owned());
    let all = cells(&draft.case());
    assert_eq!(all.len(), 64);
    assert_eq!(all[0b000_001], "approve");
    assert_eq!(all[0b001_001], "deny");
    assert_eq!(all[0b010_001], "approve", "the fee rule holds without jurisdiction, another rule decides");
    assert_eq!(all[0b110_001], "refer");
}

#[test]
fn a_name_given_twice_forbids_just_those_hybrids() {
    let more = r#", {"name": "grounds-sale", "old": {}, "new": {"final_sale": true}}"#;
    let grounds = |sale: &str| format!(r#"{{"days": 13, "condition": "unused", "amount": "89.90"{sale}}}"#);
    let draft = Draft {
        grounds: [grounds(r#", "final_sale": false"#), grounds("")],
        more: more.to_owned(),
        ..Draft::default()
    };
    let case = draft.case();
    let all = cells(&case);
    // Old, old: given once; new, old: missing; old, new: twice; new, new: once.
    assert_eq!([&all[0], &all[1], &all[8], &all[9]], ["approve", "-", "-", "deny"]);
    let told = faults(&case);
    assert_eq!(told[0], "1 refused grounds-sale.old final_sale: the field is missing");
    assert!(told.contains(
        &"8 refused grounds-sale.new final_sale: the field `final_sale` is given by `grounds`, too".to_owned()
    ));
}

#[test]
fn rules_and_defaults_given_twice_forbid_hybrids() {
    let more = r#", {"name": "norms-2", "old": {}, "new": {"rules": [{"id": "window", "when": "true", "then": "deny"}], "default": "refer"}}"#;
    let case = Draft { more: more.to_owned(), ..Draft::default() }.case();
    assert_eq!(cells(&case)[8..], ["-"; 8]);
    let told = faults(&case);
    assert_eq!(told[0], "8 refused norms-2.new default: the default is given by `norms`, too");
    assert_eq!(told[1], "8 refused norms-2.new window: the rule `window` is given by `norms`, too");
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
fn errors_name_place_and_remedy() {
    let norms = |rules: &str| {
        Draft::default().same_norms(&format!(r#"{{"parameters": {{"window": 14}}, "rules": [{rules}]}}"#))
    };
    for (rules, words) in [
        (
            r#"{"id": "a", "when": "days <= windw", "then": "approve"}"#,
            "sources[1].old.rules[0].when: column 9: `windw` is not declared. Is `window` meant? Else declare it under `interface` or in the context.",
        ),
        (
            r#"{"id": "a", "when": "days", "then": "approve"}"#,
            "sources[1].old.rules[0].when: column 1: `days` is an integer, not a condition. Compare it with something.",
        ),
        (
            r#"{"id": "a", "when": "true", "then": "maybe"}"#,
            "sources[1].old.rules[0].then: `maybe` is not known here. Use one of: approve, deny, refer.",
        ),
        (r#"{"id": "a", "then": "deny"}"#, "sources[1].old.rules[0]: `when` is missing. Add `when`."),
        (
            r#"{"id": "default", "when": "true", "then": "deny"}"#,
            "sources[1].old.rules[0].id: `default` cannot be the id of a rule. Use a word of its own: grants mean by `*` every rule and by `default` the default disposition.",
        ),
        (
            r#"{"id": "a", "when": "true", "then": "deny"}, {"id": "a", "when": "true", "then": "deny"}"#,
            "sources[1].old.rules[1].id: two rules are called `a`. Give each rule its own id.",
        ),
    ] {
        assert_eq!(refused(&norms(rules)), words);
    }
    let draft =
        Draft { authority: [0, 1].map(|_| r#"{"grants": [{"actor": "agent"}]}"#.to_owned()), ..Draft::default() };
    assert_eq!(refused(&draft), "sources[2].old.grants[0]: `norm` is missing. Add `norm`.");
    let draft = Draft { interface: r#"{"grounds": {"days": {"type": "integer"}}}"#, ..Draft::default() };
    assert_eq!(
        refused(&draft),
        "interface.grounds.days.type: `integer` is not known here. Use one of: bool, int, rational, enum, set, date, duration, string."
    );
    let draft = Draft { interface: r#"{"grounds": {"actor": {"type": "bool"}}}"#, ..Draft::default() };
    assert_eq!(
        refused(&draft),
        "context.actor: `actor` is declared twice among grounds, parameters and context. Give one of them another name."
    );
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
