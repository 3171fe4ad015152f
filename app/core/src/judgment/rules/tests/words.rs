//! What is refused, in which words.

use super::draft::{Draft, refused};
use crate::judgment::adjudicator::Adjudicator as _;
use crate::judgment::rules::Cache;
use crate::judgment::rules::prepare;

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
    let words = |rules: &str| refused(&norms(rules));
    assert_eq!(
        words(r#"{"id": "a", "whn": "true", "then": "deny"}"#),
        "sources[1].old.rules[0]: `when` is missing. Is `whn` a slip for it? Then correct that; else add `when`."
    );
    assert_eq!(
        words(r#"{"id": "a", "when": "true", "then": "approved"}"#),
        "sources[1].old.rules[0].then: `approved` is not known here. Is `approve` meant? Use one of: approve, deny, refer."
    );
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
fn what_is_passed_over_names_what_may_be_meant() {
    let norms = r#"{"parameters": {"window": 14}, "rules": [{"id": "window", "when": "condition == 'unsed'", "then": "deny"}], "defualt": "deny"}"#;
    let draft = Draft {
        authority: [0, 1].map(|_| r#"{"grants": [{"norm": ["windw"], "regoin": "EU"}]}"#.to_owned()),
        ..Draft::default().same_norms(norms)
    };
    let case = draft.case();
    let rules = prepare(&case, &mut Cache::default()).expect("prepares");
    let told: Vec<&str> = rules.remarks().iter().map(|r| r.text.as_str()).collect();
    for words in [
        "unknown field `defualt` is not used; is `default` meant?",
        "`condition` never takes the value 'unsed'; is 'unused' meant?",
        "the context has no `regoin`, so this grant never matches; is `region` meant?",
        "no version of the norms has a rule `windw`; is `window` meant?",
    ] {
        assert!(told.contains(&words), "{words}: {told:#?}");
    }
}
