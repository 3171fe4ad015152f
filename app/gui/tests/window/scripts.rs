//! Text in any script: drawn, told apart, and in the order of the eye.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::Shape;
use egui::epaint::text::Glyph;

use crate::stage::Stage;

const LABELS: [&str; 4] = ["許可", "却下", "אושר מאד", "\u{1f600}"];

fn words(shape: &Shape, found: &mut Vec<(String, Vec<Glyph>)>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| words(shape, found)),
        Shape::Text(text) => {
            for row in &text.galley.rows {
                found.push((text.galley.text().to_owned(), row.row.glyphs.clone()));
            }
        }
        _ => {}
    }
}

#[test]
fn four_labels_in_four_scripts_are_seen_and_differ() {
    let scratch = Arc::new(tempfile::tempdir().unwrap());
    let case = scratch.path().join("scripts.case.json");
    let list = LABELS.map(|label| format!("{label:?}")).join(", ");
    let text = format!(
        r#"{{"format": "decidendi/case@1", "id": "scripts", "title": "返品 ระยะเวลา الإرجاع",
            "adjudicator": {{"engine": "table", "cells": [{list}]}}, "interface": {{"verdicts": [{list}]}},
            "sources": [{{"name": "a", "old": {{"発行": "甲"}}, "new": {{"発行": "乙"}}}},
                        {{"name": "b", "old": {{"text": "שלום"}}, "new": {{"text": "שלום עולם"}}}}]}}"#
    );
    std::fs::write(&case, text).unwrap();
    let stage = Stage::open(Some(case), None, scratch).ready();
    let mut found = Vec::new();
    for clipped in &stage.h.output().shapes {
        words(&clipped.shape, &mut found);
    }
    let mut pictures = BTreeSet::new();
    for label in LABELS {
        let (_, glyphs) =
            found.iter().find(|(text, _)| text == label).unwrap_or_else(|| panic!("{label} is not there"));
        let inked: Vec<[u16; 4]> = glyphs
            .iter()
            .filter(|glyph| !glyph.uv_rect.is_nothing())
            .map(|glyph| [glyph.uv_rect.min[0], glyph.uv_rect.min[1], glyph.uv_rect.max[0], glyph.uv_rect.max[1]])
            .collect();
        assert!(!inked.is_empty(), "{label} is blank");
        assert!(pictures.insert(inked), "{label} looks like another label");
    }
    // The second word of the Hebrew label stands left of the first.
    let (_, glyphs) = found.iter().find(|(text, _)| text == LABELS[2]).unwrap();
    let at = |c: char| glyphs.iter().find(|glyph| glyph.chr == c).unwrap().pos.x;
    assert!(at('ד') < at('ר'), "{} {}", at('ד'), at('ר'));
}
