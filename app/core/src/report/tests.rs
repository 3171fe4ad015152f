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
