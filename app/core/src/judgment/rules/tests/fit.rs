//! Hybrids that are no well-typed input, the steps that repair them, and sources that share a role.

use super::draft::{Draft, cells, faults};
use crate::judgment::adjudicator::Adjudicator as _;
use crate::judgment::rules::Cache;
use crate::judgment::rules::prepare;
use crate::watch::Unwatched;

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
            "final_sale: the field is missing, and no undeclared field is left that could be it; a default would invent its value",
            r#"{"source":"grounds","version":"old","step":"default","field":"final_sale","value":"give VALUE"}"#,
        ),
        (
            r#"{"days": 16, "condition": "unused", "amount": {"value": "8990", "unit": "cent"}, "final_sale": false}"#,
            "amount: the value is in cent, the interface wants EUR",
            r#"{"source":"grounds","version":"old","step":"convert","field":"amount","factor":"1/100","offset":"0","from":"cent","to":"EUR"}"#,
        ),
        (
            r#"{"days": 16, "condition": "unusd", "amount": "89.90", "final_sale": false}"#,
            "condition: 'unusd' is none of the declared values (unused, used); is 'unused' meant?",
            r#"{"source":"grounds","version":"old","step":"map","field":"condition","values":{"unusd":"unused"}}"#,
        ),
        (
            r#"{"days": "16", "condition": "unused", "amount": "89.90", "final_sale": false}"#,
            "days: \"16\" is text; write the number 16 without quotation marks",
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
            .first()
            .map(|r| String::from_utf8(crate::seal::canon::canonical(&r.to_json())).expect("UTF-8"));
        let wanted = (!step.is_empty()).then(|| {
            let read = crate::seal::canon::read_input("step", step.as_bytes()).expect("JSON");
            String::from_utf8(crate::seal::canon::canonical(&read.root)).expect("UTF-8")
        });
        assert_eq!(repair, wanted);
        // The proposed step, once complete, repairs the case.
        if let Some(step) = wanted {
            let compatibility = format!("[{}]", step.replace("\"give VALUE\"", "false"));
            let repaired =
                Draft { grounds: [old.to_owned(), good.to_owned()], compatibility, ..Draft::default() }.case();
            assert_eq!(cells(&repaired)[1], "deny");
            assert!(!cells(&repaired).contains(&"-".to_owned()), "{step}");
        }
    }
}

/// A proposal that is pasted as it is asks for the value, once for each hybrid, and is not proposed again.
#[test]
fn a_gap_that_nobody_filled_is_not_proposed_again() {
    let good = r#"{"days": 16, "condition": "unused", "amount": "89.90", "final_sale": false}"#;
    for (old, field) in [
        (r#"{"days": 16, "condition": "unused", "amount": "89.90"}"#, "final_sale"),
        (r#"{"days": 16, "condition": "silver", "amount": "89.90", "final_sale": false}"#, "condition"),
        (
            r#"{"days": 16, "condition": "unused", "amount": {"value": 1, "unit": "GBP"}, "final_sale": false}"#,
            "amount",
        ),
    ] {
        let draft = |compatibility: String| {
            let grounds = [old.to_owned(), good.to_owned()];
            Draft { grounds, compatibility, ..Draft::default() }.case()
        };
        let repair = |case: &crate::judgment::case::Case| {
            let rules = prepare(case, &mut Cache::default()).expect("prepares");
            let executed = rules.execute(&Unwatched).expect("not cancelled");
            (executed.faults.len(), executed.faults.iter().find_map(|f| f.repair.first().cloned()))
        };
        let (4, Some(step)) = repair(&draft("[]".to_owned())) else { panic!("four faults with a repair") };
        assert!(step.has_gap(), "{step:?}");
        let pasted = String::from_utf8(crate::seal::canon::canonical(&step.to_json())).expect("UTF-8");
        assert!(pasted.contains("\"give VALUE\"") && !pasted.contains("null"), "{pasted}");
        let case = draft(format!("[{pasted}]"));
        assert_eq!(repair(&case), (4, None));
        assert_eq!(
            faults(&case)[0],
            format!(
                "0 refused grounds.old {field}: the step for `{field}` under `compatibility` is only a proposal: \
                 write the value that is true of your data in place of \"give VALUE\""
            )
        );
    }
}

#[test]
fn days_that_the_calendar_lacks_say_why() {
    let interface = r#"{"grounds": {"day": {"type": "date"}}}"#;
    for (day, why) in [
        ("2024-02-30", "\"2024-02-30\" is no day: February 2024 has 29 days"),
        ("2023-02-29", "\"2023-02-29\" is no day: February 2023 has 28 days"),
        ("2024-04-00", "\"2024-04-00\" is no day: April 2024 has 30 days"),
        ("2024-13-01", "\"2024-13-01\" is no day: there is no month 13"),
        ("0000-01-01", "\"0000-01-01\" is no day: years run from 0001 to 9999"),
        ("30.2.2024", "a day like \"2024-09-16\" is wanted, this is \"30.2.2024\""),
    ] {
        let draft = Draft { interface, ..Draft::default() }.same_grounds(&format!(r#"{{"day": "{day}"}}"#));
        let case = draft.same_norms(r#"{"rules": []}"#).case();
        assert_eq!(faults(&case)[0], format!("0 refused grounds.old day: {why}"));
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
    let grounds = r#"{"dayz": 13, "condition": "unused", "amount": "89.90", "final_sale": false}"#;
    let case = Draft::default().same_grounds(grounds).case();
    let rules = prepare(&case, &mut Cache::default()).expect("prepares");
    assert_eq!(rules.remarks()[0].text, "`dayz` is not declared in the interface and is not used; is `days` meant?");
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
            "days: an integer is wanted, this is \"13/7\"",
        ),
    ] {
        let compatibility = format!(r#"[{{"source": "grounds", "version": "new", {step}}}]"#);
        let case = Draft { compatibility, ..Draft::default() }.case();
        assert_eq!(cells(&case)[0], "deny");
        assert_eq!(faults(&case)[0], format!("1 refused grounds.new {reason}"));
    }
}

#[test]
fn steps_for_an_authority_are_not_passed_over() {
    let compatibility =
        r#"[{"source": "authority", "version": "new", "step": "default", "field": "days", "value": 1}]"#;
    let case = Draft { compatibility: compatibility.to_owned(), ..Draft::default() }.case();
    assert_eq!(cells(&case)[4..], ["-"; 4]);
    let told =
        "4 refused authority.new days: the declared step `default` does not apply: this version has no field `days`";
    assert_eq!(faults(&case)[0], told);
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
    assert!(told[0].starts_with("1 refused grounds-sale.old final_sale: the field is missing, and no"), "{}", told[0]);
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
