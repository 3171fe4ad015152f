//! Where nothing can decide, the case says so, with the grants that come nearest; following the advice makes it decide.

use crate::judgment::case::Artifacts;
use crate::judgment::result::Judgment;
use crate::judgment::walk::{Compiler, judge, open_case};
use crate::report::{account, markdown};
use crate::watch::Unwatched;

const RULES: &str = r#"{"rules": [{"id": "soon", "when": "days <= 14", "then": "approve"},
    {"id": "late", "when": "days > 60", "then": "deny"}], "default": "deny"}"#;

fn text(norms: &str, old: &str, new: &str) -> String {
    format!(
        r#"{{"format": "decidendi/case@1", "id": "silent", "context": {{"desk": "returns", "region": "EU"}},
 "adjudicator": {{"engine": "rules"}}, "interface": {{"grounds": {{"days": {{"type": "int", "min": 0, "max": 90}}}}}},
 "sources": [{{"name": "grounds", "old": {{"days": 30}}, "new": {{"days": 3}}}},
  {{"name": "norms", "old": {norms}, "new": {norms}}}, {{"name": "authority", "old": {old}, "new": {new}}}]}}"#
    )
}

fn judged(text: &str) -> (Judgment, String, String) {
    let case = open_case("silent.json", text.as_bytes(), &Artifacts::default()).unwrap_or_else(|e| panic!("{e}"));
    let judgment = judge(&case, &mut Compiler::default(), &Unwatched).unwrap_or_else(|e| panic!("{e}"));
    let said: Vec<String> = account(&case, &judgment).into_iter().map(|s| s.text).collect();
    let page = markdown(&case, &judgment, None);
    (judgment, said.join(" "), page)
}

fn told(norms: &str, old: &str, new: &str) -> Vec<String> {
    let (judgment, ..) = judged(&text(norms, old, new));
    judgment.remarks.iter().map(|r| format!("{}: {}", r.path, r.text)).collect()
}

#[test]
fn an_authority_without_grants_is_told_and_the_advice_helps() {
    for empty in ["{}", r#"{"grants": []}"#] {
        let (judgment, said, page) = judged(&text(RULES, empty, empty));
        assert_eq!(judgment.outcome.word(), "stable");
        let notes: Vec<&str> = judgment.remarks.iter().map(|r| r.text.as_str()).collect();
        let wanted = "no version of `authority` holds a grant, so nothing has jurisdiction and every hybrid is `refer`. \
                      Add one to its \"grants\", such as {\"norm\": \"*\"}";
        assert_eq!(notes, [wanted], "{empty}");
        assert!(said.contains("Every hybrid is refer: nothing was decided"), "{said}");
        assert!(!said.contains("makes no difference"), "{said}");
        assert!(page.contains("## Notes\n\n- sources\\[2\\].old: no version"), "{page}");
    }
    let helped = r#"{"grants": [{"norm": "*"}]}"#;
    let (judgment, said, page) = judged(&text(RULES, helped, helped));
    assert_eq!((judgment.outcome.word(), judgment.remarks.len()), ("changed", 0));
    assert!(!said.contains("nothing was decided") && !page.contains("## Notes"));
}

#[test]
fn grants_for_another_context_are_told_with_the_nearest() {
    let grants = r#"{"grants": [{"norm": "*", "desk": ["sales"], "region": "US"}, {"norm": "*", "desk": ["sales", "repairs"]},
        {"norm": "*", "team": "a", "region": ["ASIA"], "desk": "sales"}, {"norm": "soon", "region": "US"}]}"#;
    let notes = told(RULES, grants, grants);
    assert_eq!(
        notes.last().map(String::as_str),
        Some(
            "sources[2].old.grants[1]: no grant covers this context, so nothing has jurisdiction and every hybrid is `refer`; \
             nearest: grants[1] of `authority` (old and new) wants `desk` to be 'repairs' or 'sales', the context has 'returns'; \
             grants[3] of `authority` (old and new) wants `region` to be 'US', the context has 'EU'. \
             Widen a grant, or correct the context"
        )
    );
    let never = r#"{"grants": [{"norm": "*", "when": "days < 0"}]}"#;
    let notes = told(RULES, never, never);
    assert!(notes.last().is_some_and(|n| n.contains("(old and new) has a condition that never holds")), "{notes:?}");
    assert!(notes[0].ends_with("`days < 0` is true of no declared value, so this grant never matches"), "{notes:?}");
}

/// One version with jurisdiction and one without is what a case may be about.
#[test]
fn a_gate_that_opens_or_closes_is_no_silence() {
    let (open, shut) = (r#"{"grants": [{"norm": "*", "desk": "returns"}]}"#, r#"{"grants": []}"#);
    assert_eq!(told(RULES, open, shut), [""; 0]);
    assert_eq!(told(RULES, shut, open), [""; 0]);
}

#[test]
fn rules_and_defaults_that_no_grant_covers_are_told() {
    let grants = r#"{"grants": [{"norm": ["soon"]}, {"norm": "late", "desk": "legal"}]}"#;
    assert_eq!(
        told(RULES, grants, grants),
        [
            "sources[1].old.rules[1].id: no grant that covers this context names the rule `late`, so it decides nothing; \
             nearest: grants[1] of `authority` (old and new) wants `desk` to be 'legal', the context has 'returns'; \
             grants[0] of `authority` (old and new) names `soon` only",
            "sources[1].old.default: no grant that covers this context names `default`, so the verdict is `refer` where no rule holds; \
             nearest: grants[0] of `authority` (old and new) names `soon` only; \
             grants[1] of `authority` (old and new) wants `desk` to be 'legal', the context has 'returns'",
        ]
    );
    let misspelled = r#"{"grants": [{"norm": ["sooon", "late", "default"]}]}"#;
    let notes = told(RULES, misspelled, misspelled);
    assert!(
        notes.iter().any(|n| n.ends_with("no version of the norms has a rule `sooon`; is `soon` meant?")),
        "{notes:?}"
    );
    assert!(notes.iter().any(|n| n.contains("names the rule `soon`, so it decides nothing")), "{notes:?}");
    let whole = r#"{"grants": [{"norm": ["soon", "late", "default"]}]}"#;
    assert_eq!(told(RULES, whole, whole), [""; 0]);
}

#[test]
fn norms_without_a_default_and_rules_that_never_hold_are_told() {
    let grants = r#"{"grants": [{"norm": "*"}]}"#;
    let bare = RULES.replace(r#", "default": "deny""#, "");
    assert_eq!(
        told(&bare, grants, grants),
        [
            "sources[1].old: both versions of `norms` declare no `default`: where no rule holds, the verdict is `refer`. \
          Add one, such as \"default\": \"deny\""
        ]
    );
    let one = text(RULES, grants, grants).replacen(r#", "default": "deny""#, "", 1);
    let (judgment, ..) = judged(&one);
    assert!(judgment.remarks[0].text.starts_with("the old version of `norms` declares no `default`"));
    let never = RULES.replace("days > 60", "days > 90");
    let notes = told(&never, grants, grants);
    assert_eq!(
        notes[0],
        "sources[1].old.rules[1].when: `days > 90` is true of no declared value, so this rule never holds"
    );
}
