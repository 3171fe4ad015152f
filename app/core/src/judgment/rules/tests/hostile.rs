//! Cases that are made to be large: they end soon, with a bounded account, and right.

use super::draft::{Draft, cells, faults, refused};
use crate::judgment::adjudicator::Adjudicator as _;
use crate::judgment::rules::Cache;
use crate::judgment::rules::prepare;
use crate::limits::{FAULTS, FIELDS};
use crate::watch::Unwatched;

fn listed(n: usize, item: impl Fn(usize) -> String) -> String {
    (0..n).map(item).collect::<Vec<_>>().join(", ")
}

/// One grant more than 16 bits can count: the last one must not be taken for the first.
#[test]
fn grants_beyond_65536_keep_their_own_reach() {
    let grants = listed(1 << 16, |i| format!(r#"{{"norm": "other{i}", "when": "false"}}"#));
    let body = |last: &str| format!(r#"{{"grants": [{grants}, {{"norm": "{last}"}}]}}"#);
    let draft = Draft { authority: [body("window"), body("final-sale")], ..Draft::default() };
    // The window holds in G, N and GN; only the old authority lets it decide.
    assert_eq!(cells(&draft.case()).join(" "), "refer approve approve approve refer refer refer refer");
}

#[test]
fn many_rules_and_many_grants_are_matched_by_name() {
    let n = 4_000;
    let rules = listed(n, |i| format!(r#"{{"id": "r{i}", "when": "days == {i}", "then": "approve"}}"#));
    let grants = listed(n, |i| format!(r#"{{"norm": ["r{i}", "r{i}"]}}"#));
    let norms = format!(r#"{{"parameters": {{"window": 1}}, "rules": [{rules}], "default": "deny"}}"#);
    let old = format!(r#"{{"grants": [{grants}]}}"#);
    let draft = Draft { authority: [old, r#"{"grants": []}"#.to_owned()], ..Draft::default() }.same_norms(&norms);
    assert_eq!(cells(&draft.case()).join(" "), "approve approve approve approve refer refer refer refer");
}

#[test]
fn a_tie_of_many_names_a_few() {
    let interface = r#"{"verdicts": ["approve", "deny", "refer", "defer"], "grounds": {}, "parameters": {}}"#;
    let rules = listed(500, |i| {
        let then = if i == 0 { "defer" } else { "approve" };
        format!(r#"{{"id": "r{i:03}", "when": "true", "then": "{then}"}}"#)
    });
    let draft = Draft { interface, ..Draft::default() }.same_grounds("{}");
    let told = faults(&draft.same_norms(&format!(r#"{{"rules": [{rules}]}}"#)).case());
    assert_eq!(told.len(), 8);
    assert!(told[0].contains("`r000` (defer), `r001` (approve),") && told[0].contains(", 492 more tie"), "{}", told[0]);
    assert!(told[0].len() < 600, "{}", told[0].len());
}

/// Each of many sources gives each of many fields in both versions: pairs beyond counting, all hybrids forbidden.
#[test]
fn fields_that_all_sources_give_are_told_within_bounds() {
    let fields = 2_000;
    let interface: &'static str = Box::leak(
        format!(
            r#"{{"verdicts": ["approve", "deny", "refer"], "parameters": {{}}, "grounds": {{{}}}}}"#,
            listed(fields, |i| format!(r#""f{i}": {{"type": "int"}}"#))
        )
        .into_boxed_str(),
    );
    let body = format!("{{{}}}", listed(fields, |i| format!(r#""f{i}": 1"#)));
    let more: String =
        (0..7).map(|i| format!(r#", {{"name": "grounds-{i}", "old": {body}, "new": {body}}}"#)).collect();
    let draft = Draft { interface, more, ..Draft::default() }.same_grounds(&body).same_norms(r#"{"rules": []}"#);
    let case = draft.case();
    let rules = prepare(&case, &mut Cache::default()).expect("prepares");
    let executed = rules.execute(&Unwatched).expect("not cancelled");
    assert_eq!(executed.executed, 0);
    assert!(executed.cube.cells().iter().all(Option::is_none));
    assert_eq!(executed.faults.len(), FAULTS);
}

#[test]
fn undeclared_keys_beyond_counting_cost_no_search() {
    let keys = listed(40_000, |i| format!(r#""u{i}": "x""#));
    let draft = Draft::default().same_grounds(&format!("{{{keys}}}"));
    let told = faults(&draft.case());
    assert!(told[0].contains("the field is missing"), "{}", told[0]);
}

#[test]
fn more_fields_than_can_be_paired_are_refused() {
    let fields = listed(FIELDS + 1, |i| format!(r#""f{i}": {{"type": "int"}}"#));
    let interface: &'static str = Box::leak(format!(r#"{{"grounds": {{{fields}}}}}"#).into_boxed_str());
    let words = refused(&Draft { interface, ..Draft::default() });
    assert!(words.ends_with("too many fields are declared. Declare at most 4096 fields."), "{words}");
}
