//! Every proposed repair is carried out: with its gaps filled and its steps declared, the case fits.

use crate::judgment::case::Artifacts;
use crate::judgment::result::{Judgment, Outcome};
use crate::judgment::walk::{Compiler, judge, open_case};
use crate::report::{case_text, inspect_json};
use crate::seal::json::Json;
use crate::watch::Unwatched;

/// A case over these grounds, whose new version is sound.
fn case(grounds: &str, old: &str, new: &str, steps: &str) -> String {
    let norms = r#"{"rules": [], "default": "deny"}"#;
    let grants = r#"{"grants": [{"norm": "*"}]}"#;
    format!(
        r#"{{"format": "decidendi/case@1", "id": "repairs", "adjudicator": {{"engine": "rules"}},
 "interface": {{"grounds": {grounds}}},
 "sources": [{{"name": "grounds", "old": {old}, "new": {new}}},
  {{"name": "norms", "old": {norms}, "new": {norms}}}, {{"name": "authority", "old": {grants}, "new": {grants}}}],
 "compatibility": [{steps}]}}"#
    )
}

fn judged(text: &str) -> (Judgment, String) {
    let case =
        open_case("repairs.json", text.as_bytes(), &Artifacts::default()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let judgment = judge(&case, &mut Compiler::default(), &Unwatched).unwrap_or_else(|e| panic!("{e}"));
    let shown = case_text(&case, &judgment);
    (judgment, shown)
}

/// The proposed steps as they would be pasted, each once, and the reasons.
fn proposed(judgment: &Judgment) -> (Vec<String>, Vec<String>) {
    let (mut steps, mut reasons) = (Vec::new(), Vec::new());
    for fault in &judgment.faults {
        let reason = format!("{}: {}", fault.field.as_deref().unwrap_or(""), fault.reason);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
        for step in &fault.repair {
            let text = crate::report::json_line(&step.to_json());
            if !steps.contains(&text) {
                steps.push(text);
            }
        }
    }
    (steps, reasons)
}

const TEMP: &str = r#"{"temp": {"type": "rational", "unit": "C", "min": 0, "max": 1000}}"#;
const RETURN: &str = r#"{"days": {"type": "int", "unit": "day", "min": 0}, "amount": {"type": "rational", "unit": "EUR"},
    "tier": {"type": "enum", "values": ["gold", "plain"]}, "tags": {"type": "set", "values": ["fragile", "heavy", "live"]},
    "final": {"type": "bool"}, "note": {"type": "string", "optional": true}}"#;
const SOUND: &str = r#"{"days": 3, "amount": "20", "tier": "gold", "tags": ["heavy"], "final": false}"#;

#[test]
fn every_proposed_repair_makes_the_case_fit() {
    for (grounds, old, new, gap, wanted) in [
        // One is missing, one is undeclared: a rename, and what the units ask for.
        (TEMP, r#"{"t_f": {"value": 212, "unit": "F"}}"#, r#"{"temp": 100}"#, "", "rename convert:5/9:-160/9"),
        (TEMP, r#"{"reading": {"value": "373.15", "unit": "K"}}"#, r#"{"temp": 100}"#, "", "rename convert:1:-5463/20"),
        (TEMP, r#"{"reading": 99}"#, r#"{"temp": 100}"#, "", "rename"),
        (TEMP, r#"{"reading": {"value": 80, "unit": "R"}}"#, r#"{"temp": 100}"#, "5/4", "rename convert:give VALUE:0"),
        (TEMP, "{}", r#"{"temp": 100}"#, "20", "default"),
        (TEMP, r#"{"place": "kitchen"}"#, r#"{"temp": 100}"#, "20", "default"),
        (TEMP, r#"{"temp": {"value": 212, "unit": "F"}}"#, r#"{"temp": 100}"#, "", "convert:5/9:-160/9"),
        // By unit, by name, by type, and by what is left over.
        (
            RETURN,
            r#"{"span": {"value": 2, "unit": "weeks"}, "total": {"value": 1999, "unit": "cent"}, "tier": "gold", "tags": [], "final": true}"#,
            SOUND,
            "",
            "rename convert:1/100:0 rename convert:7:0",
        ),
        (
            RETURN,
            r#"{"days_late": 4, "pieces": 2, "amount": "20", "tier": "gold", "tags": [], "final": true}"#,
            SOUND,
            "",
            "rename",
        ),
        (
            RETURN,
            r#"{"days": 4, "amount": "20", "level": "gold", "marks": ["live"], "closed": true, "remark": "hello"}"#,
            SOUND,
            "",
            "rename rename rename",
        ),
        (
            RETURN,
            r#"{"days": 4, "amount": "20", "tier": "platinum", "tags": ["fragil", "heavy", "glass"], "final": true}"#,
            SOUND,
            "live gold",
            "map map",
        ),
        (
            RETURN,
            r#"{"days": 4, "amount": "20", "class": "first", "tags": [], "final": true}"#,
            SOUND,
            "gold",
            "rename map",
        ),
    ] {
        let (judgment, shown) = judged(&case(grounds, old, new, ""));
        assert_eq!(judgment.outcome, Outcome::Uncertifiable);
        let (steps, reasons) = proposed(&judgment);
        let kinds: Vec<String> = steps
            .iter()
            .map(|step| {
                let json = crate::seal::canon::read_input("step", step.as_bytes()).unwrap().root;
                let word = |key: &str| json.get(key).and_then(Json::as_text).unwrap_or("").to_owned();
                match word("step").as_str() {
                    "convert" => format!("convert:{}:{}", word("factor"), word("offset")),
                    other => other.to_owned(),
                }
            })
            .collect();
        assert_eq!(kinds.join(" "), wanted, "{old}: {reasons:?}");
        assert!(steps.iter().all(|step| shown.contains(step.as_str())), "{shown}");
        let invents = wanted.contains("default");
        assert_eq!(shown.contains("a default invents a value"), invents, "{shown}");
        assert_eq!(reasons.iter().any(|r| r.contains("a default would invent its value")), invents, "{reasons:?}");
        // Gaps are filled one after the other, as a person would.
        let mut filled = steps.join(", ");
        let values: Vec<&str> = gap.split_whitespace().collect();
        for value in &values {
            let text = if value.starts_with(|c: char| c.is_ascii_digit()) && invents {
                (*value).to_owned()
            } else {
                format!("\"{value}\"")
            };
            filled = filled.replacen("\"give VALUE\"", &text, 1);
        }
        assert!(!filled.contains("give VALUE"), "{filled}");
        let (repaired, shown) = judged(&case(grounds, old, new, &filled));
        assert_ne!(repaired.outcome, Outcome::Uncertifiable, "{old}\n{shown}");
    }
}

#[test]
fn a_datum_that_is_there_is_never_replaced_by_an_invented_one() {
    for (old, reason) in [
        // Two that may be it: only the auditor knows.
        (
            r#"{"t_f": {"value": 212, "unit": "F"}, "t_k": {"value": 373, "unit": "K"}}"#,
            "temp: the field is missing; the interface does not declare `t_f` or `t_k`, and one of them may be meant: rename the one that is",
        ),
        (
            r#"{"first": 20, "second": 30}"#,
            "temp: the field is missing; the interface does not declare `first` or `second`, and one of them may be meant: rename the one that is",
        ),
        // One that may be it, and no step leads there.
        (
            r#"{"reading": 99.5}"#,
            "temp: the field is missing; the interface does not declare `reading` (99.5 is a number with a fraction, which may have been rounded; \
             write it as text, \"99.5\"), and it may be meant: rename it if it is",
        ),
        (
            r#"{"reading": 2000}"#,
            "temp: the field is missing; the interface does not declare `reading` (2000 is above the declared maximum 1000), \
             and it may be meant: rename it if it is",
        ),
    ] {
        let (judgment, _) = judged(&case(TEMP, old, r#"{"temp": 100}"#, ""));
        let (steps, reasons) = proposed(&judgment);
        assert_eq!((steps.len(), reasons), (0, vec![reason.to_owned()]), "{old}");
    }
    // A conversion that does not end in an integer of the range repairs nothing, so it is not proposed.
    let days = r#"{"days": {"type": "int", "unit": "week"}}"#;
    let (judgment, _) = judged(&case(days, r#"{"days": {"value": 10, "unit": "day"}}"#, r#"{"days": 1}"#, ""));
    assert_eq!(proposed(&judgment).0, [""; 0]);
    let (judgment, _) = judged(&case(days, r#"{"days": {"value": 14, "unit": "day"}}"#, r#"{"days": 1}"#, ""));
    assert_eq!(proposed(&judgment).0.len(), 1);
}

#[test]
fn several_steps_stand_in_the_json_in_their_order() {
    let (judgment, _) = judged(&case(TEMP, r#"{"t_f": {"value": 212, "unit": "F"}}"#, r#"{"temp": 100}"#, ""));
    let json = inspect_json(&judgment);
    let fault = &json.get("faults").and_then(Json::as_list).unwrap()[0];
    let repairs = fault.get("repairs").and_then(Json::as_list).unwrap();
    let words: Vec<_> = repairs.iter().map(|step| step.get("step").and_then(Json::as_text).unwrap()).collect();
    assert_eq!(words, ["rename", "convert"]);
    assert_eq!(fault.get("repair"), repairs.first());
}
