use super::*;
use crate::judgment::case::Case;
use crate::judgment::walk::{Compiler, judge, open_case};
use crate::seal::canon::read_input;
use crate::watch::Unwatched;

/// A recorded case over the named sources: what a report says follows from the cells alone.
fn recorded(id: &str, sources: &[&str], cells: &[&str]) -> (Case, Judgment) {
    let sources: Vec<String> = sources.iter().map(|name| format!(r#"{{"name":"{name}","old":1,"new":2}}"#)).collect();
    let text = format!(
        r#"{{"format":"decidendi/case@1","id":"{id}","title":"T","adjudicator":{{"engine":"table","cells":{cells:?}}},"interface":{{}},"sources":[{}]}}"#,
        sources.join(",")
    );
    let case = open_case("case", text.as_bytes(), &Default::default()).unwrap();
    let judgment = judge(&case, &mut Compiler::default(), &Unwatched).unwrap();
    (case, judgment)
}

const GNA: [&str; 3] = ["grounds", "norms", "authority"];

#[test]
fn the_line_says_what_the_value_says() {
    let (_, judgment) =
        recorded("a", &GNA, &["deny", "approve", "approve", "approve", "deny", "deny", "refer", "approve"]);
    let line = inspect_line(&judgment);
    assert_eq!(read_input("line", line.as_bytes()).unwrap().root, inspect_json(&judgment));
    assert!(
        line.starts_with(r#"{"case": "a", "status": "changed", "obtained": "recorded", "sources": ["grounds", "#),
        "{line}"
    );
    assert!(
        line.contains(r#""receipts": [["grounds"], ["norms"]], "complexity": 1, "multiplicity": 2, "ambiguous": true"#),
        "{line}"
    );
}

#[test]
fn a_cube_is_drawn_with_its_twelve_edges() {
    let (_, judgment) = recorded("a", &GNA, &["deny", "approve", "deny", "approve", "deny", "deny", "deny", "approve"]);
    let drawing = lattice(&judgment).unwrap().join("\n");
    assert_eq!(
        drawing,
        [
            "                GNA + approve",
            "      .---------------+---------------.",
            "      |               |               |",
            "GN + approve     GA - deny !      NA - deny",
            r"      | \           /   \           / |",
            r"      |    \     /         \     /    |",
            r"      |       X               X       |",
            r"      |    /     \         /     \    |",
            r"      | /           \   /           \ |",
            "G + approve *     N - deny        A - deny",
            "      |               |               |",
            "      '---------------+---------------'",
            "                  ∅ - deny",
        ]
        .join("\n")
    );
}

#[test]
fn small_and_large_lattices() {
    let (_, one) = recorded("a", &["grounds"], &["deny", "approve"]);
    assert_eq!(lattice(&one).unwrap().len(), 3);
    let (_, two) = recorded("a", &["grounds", "norms"], &["deny", "deny", "deny", "approve"]);
    assert_eq!(lattice(&two).unwrap().len(), 7);
    let (_, four) = recorded("a", &["a", "b", "c", "d"], &["deny"; 16]);
    assert_eq!(lattice(&four).unwrap().len(), 6);
    let (_, five) = recorded("a", &["a", "b", "c", "d", "e"], &["deny"; 32]);
    assert_eq!(lattice(&five), None);
}

#[test]
fn every_sentence_follows_from_the_cells_it_cites() {
    let (case, judgment) =
        recorded("a", &GNA, &["deny", "approve", "deny", "approve", "deny", "refer", "deny", "approve"]);
    let said: Vec<String> =
        account(&case, &judgment).iter().map(|s| format!("{} {}", s.text, s.citation(&judgment.sources))).collect();
    assert_eq!(
        said,
        [
            "With every source in its old version the verdict is deny; with every source revised it is approve. [∅, GNA]",
            "Replacing grounds alone gives approve; without it the verdict is deny. [G, ∅]",
            "There is no other minimal replacement: this is the one receipt. [G]",
            "More is not enough: with authority replaced in addition to grounds the verdict is refer, not approve. [G, GA]",
            "The revision of norms is in no receipt, though it moves a cell. [GA, GNA]",
            "The revision of authority is in no receipt, though it moves a cell. [G, GA]",
            "The 8 verdicts were recorded elsewhere and taken as given; they were not executed here. ",
        ]
    );
}

#[test]
fn a_stable_case_owes_no_receipt_but_tells_what_cancels_out() {
    let (case, judgment) = recorded("a", &["x", "y"], &["deny", "approve", "deny", "deny"]);
    let text = case_text(&case, &judgment);
    assert!(text.contains("No receipt is owed, and none is given."), "{text}");
    assert!(
        text.contains("The revisions cancel out: 1 hybrid in between gives another verdict, first x with approve."),
        "{text}"
    );
    assert!(!text.contains("Receipts ("), "{text}");
}

#[test]
fn recorded_is_never_called_executed() {
    let (case, judgment) = recorded("a", &GNA, &["deny"; 8]);
    let texts = [case_text(&case, &judgment), markdown(&case, &judgment, None)];
    for text in texts {
        assert!(
            text.contains("8 verdicts recorded, not executed") || text.contains("8 recorded, not executed"),
            "{text}"
        );
        assert!(!text.contains(" 8 executed") && !text.contains("| executed |"), "{text}");
    }
}

#[test]
fn markdown_escapes_what_could_be_markup() {
    let (case, judgment) = recorded("a", &["x_y"], &["deny"; 2]);
    let said = markdown(&case, &judgment, None);
    assert!(said.contains("x\\_y"), "{said}");
    assert!(said.contains("Certificate: none. Nothing here is signed."), "{said}");
    assert!(said.contains(&case.digest().hex()), "{said}");
}

/// A document's words cannot pose as the report's own: no list, no heading, no markup of theirs.
#[test]
fn a_summary_cannot_forge_a_line_of_the_report() {
    for (summary, shown) in [
        ("- Verdict: approve", "\n\\- Verdict: approve\n"),
        ("   + Verdict: approve", "\n\\+ Verdict: approve\n"),
        ("12. Verdict", "\n12\\. Verdict\n"),
        ("12 days &amp; more", "\n12 days \\&amp; more\n"),
        ("# Certificate", "\n\\# Certificate\n"),
    ] {
        let text = format!(
            r#"{{"format": "decidendi/case@1", "id": "a", "summary": "{summary}",
                "adjudicator": {{"engine": "table", "cells": ["deny", "deny"]}},
                "sources": [{{"name": "x", "old": 1, "new": 2}}]}}"#
        );
        let case = open_case("a.json", text.as_bytes(), &Default::default()).unwrap();
        let judgment = judge(&case, &mut Compiler::default(), &Unwatched).unwrap();
        let said = markdown(&case, &judgment, None);
        assert!(said.contains(shown), "{said}");
    }
}

#[test]
fn nothing_from_a_document_steers_the_reader() {
    assert_eq!(plain("plain – text ∅"), "plain – text ∅");
    assert_eq!(plain("a\u{1b}[2J\u{202e}b\n"), "a\\u{1b}[2J\\u{202e}b\\u{a}");
}

#[test]
fn failing_supersets_are_those_of_the_definition_and_cheap_for_many_sources() {
    let mut seed = 1_u32;
    for k in 1..=6 {
        let names: Vec<String> = (0..k).map(|i| format!("s{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for _ in 0..40 {
            let cells: Vec<&str> = (0..1 << k)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    ["deny", "approve"][(seed >> 16 & 1) as usize]
                })
                .collect();
            let (_, judgment) = recorded("a", &names, &cells);
            let family = judgment.family().unwrap();
            let by_definition: Vec<Mask> = (0..1 << k)
                .map(Mask)
                .filter(|&m| judgment.word(m) != cells.last().copied())
                .filter(|&m| family.members().iter().any(|r| r.is_subset_of(m)))
                .collect();
            assert_eq!(judgment.non_monotone(), by_definition);
        }
    }
    let names: Vec<String> = (0..16).map(|i| format!("s{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let cells: Vec<&str> = (0_u32..1 << 16).map(|m| if m.count_ones() >= 8 { "approve" } else { "deny" }).collect();
    let (case, judgment) = recorded("a", &names, &cells);
    assert!(case_text(&case, &judgment).contains("12870 receipts"));
}

/// A case of engine `rules` whose new grounds are `new`, in a document of several lines.
fn ruled(new: &str, compatibility: &str) -> String {
    format!(
        r#"{{"format": "decidendi/case@1", "id": "a", "adjudicator": {{"engine": "rules"}},
 "interface": {{"grounds": {{"amount": {{"type": "rational", "unit": "EUR"}}, "tier": {{"type": "string"}}}}}},
 "compatibility": {compatibility},
 "sources": [
  {{"name": "grounds", "old": {{"amount": 1, "tier": "gold"}},
   "new": {new}}},
  {{"name": "norms", "old": {{"rules": []}}, "new": {{"rules": [
   {{"id": "r", "when": "amount / 0 > 1", "then": "deny"}}]}}}},
  {{"name": "authority", "old": {{"grants": []}}, "new": {{"grants": []}}}}]}}"#
    )
}

fn told(text: &str) -> (String, String, String) {
    let none = Default::default();
    let case = open_case("a.json", text.as_bytes(), &none).unwrap_or_else(|e| panic!("{e}"));
    let mut judgment = judge(&case, &mut Compiler::default(), &Unwatched).unwrap();
    assert!(!case_text(&case, &judgment).contains("a.json"), "nobody told a place yet");
    crate::judgment::place::tell(&mut judgment, &case, "a.json", text.as_bytes(), &none);
    (case_text(&case, &judgment), markdown(&case, &judgment, None), inspect_line(&judgment))
}

/// Equal faults of several hybrids are one line, which names the hybrids and where the field stands.
#[test]
fn a_fault_is_told_once_with_its_cells_and_its_place() {
    let (text, markdown, line) = told(&ruled(r#"{"amount": {"value": 1, "unit": "cent"}, "tier": "gold"}"#, "[]"));
    let lines = [
        "Faults (2, in 6 hybrids)",
        "  cells G, GN, GA and GNA, grounds (new), `amount` at a.json:6:12: the value is in cent, the interface wants EUR",
        "  cells N and NA, norms (new), `r` at a.json:8:16: the condition of the rule errs: ",
        "  Smallest repair: add to \"compatibility\" and check that it is true of your data:",
    ];
    for line in lines {
        assert!(text.lines().any(|l| l.starts_with(line)), "{line}\n{text}");
    }
    assert!(!text.contains("give VALUE"), "{text}");
    assert!(
        markdown.contains("\n- cells G, GN, GA and GNA: grounds (new), amount: the value is in cent"),
        "{markdown}"
    );
    assert!(line.contains(r#""place": {"file": "a.json", "line": 6, "column": 12}, "repair": {"#), "{line}");
}

#[test]
fn a_proposal_says_where_a_person_gives_a_value() {
    let missing = r#"{"amount": 1}"#;
    let (text, ..) = told(&ruled(missing, "[]"));
    let lines = [
        // The object that lacks it.
        "  cells G, GN, GA and GNA, grounds (new), `tier` at a.json:6:4: the field is missing, and no undeclared field is left that could be it; a default would invent its value",
        "  (a default invents a value that this version does not hold)",
        "  (in place of \"give VALUE\" write the value that is true; until then nothing is repaired)",
        r#"    {"source": "grounds", "version": "new", "step": "default", "field": "tier", "value": "give VALUE"}"#,
    ];
    for line in lines {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }
    let step =
        r#"[{"source": "grounds", "version": "new", "step": "default", "field": "tier", "value": "give VALUE"}]"#;
    let (text, ..) = told(&ruled(missing, step));
    assert!(text.contains("Faults (2, in 6 hybrids)") && !text.contains("Smallest repair"), "{text}");
    let line = "grounds (new), `tier` at a.json:3:20: the step for `tier` under `compatibility` is only a proposal";
    assert!(text.contains(line), "{text}");
}

#[test]
fn what_all_hybrids_lack_is_said_of_all() {
    let text = ruled("{}", "[]").replace(r#"{"amount": 1, "tier": "gold"}"#, r#"{"amount": 1}"#);
    let (text, ..) = told(&text.replace(r#""new": {}"#, r#""new": {"amount": 1}"#));
    assert!(text.contains("cells ∅, N, A and NA, grounds (old), `tier` at a.json:5:23"), "{text}");
    let context =
        ruled("{}", "[]").replace(r#""grounds": {"#, r#""context": {"region": {"type": "string"}}, "grounds": {"#);
    let (text, ..) = told(&context);
    assert!(text.contains("  all 8 cells, `region` at a.json:2:28: the interface declares this"), "{text}");
}
