//! What a reader needs to be told: numbers, names, marks and lines say what they are, and a search leads on.

use std::sync::Arc;

use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::state::Overlay;
use decidendi_gui::desk::wings::Route;
use decidendi_gui::wings::judgment::actions::GO_JUDGMENTS;
use decidendi_gui::wings::judgment::command::TableCommand;
use decidendi_gui::wings::judgment::state::{CaseTab, Column, Format};
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::stage::Stage;

/// Four sources of which two are called alike: hybrids are named by numbers.
const FOUR: &str = r#"{"format": "decidendi/case@1", "id": "four", "title": "Four", "question": "Is the fee owed?",
"adjudicator": {"engine": "table", "cells": ["deny", "approve", "approve", "approve", "deny", "approve", "approve",
"approve", "deny", "approve", "approve", "approve", "deny", "approve", "approve", "approve"]},
"sources": [{"name": "grounds-income", "old": 1, "new": 2}, {"name": "grounds-age", "old": 1, "new": 2},
{"name": "norms", "old": 1, "new": 2}, {"name": "authority", "old": 1, "new": 2}]}"#;

#[expect(clippy::unwrap_used, reason = "a test whose stage cannot be set has nothing to say")]
fn four() -> Stage {
    let scratch = Arc::new(tempfile::tempdir().unwrap());
    let file = scratch.path().join("four.case.json");
    std::fs::write(&file, FOUR).unwrap();
    Stage::open(Some(file), None, scratch).ready()
}

#[test]
fn sources_that_are_called_alike_have_numbers_and_keys() {
    let mut stage = four();
    stage.h.run_steps(3);
    for (at, name) in ["Grounds-income", "Grounds-age", "Norms", "Authority"].into_iter().enumerate() {
        stage.h.get_by_label_contains(&format!("{}  {name}", at + 1));
    }
    for (key, bit) in [(Key::G, 1), (Key::R, 2), (Key::N, 4), (Key::A, 8)] {
        let before = stage.state().wings.judgment.open.as_ref().unwrap().selected.0;
        stage.key(key);
        assert_eq!(stage.state().wings.judgment.open.as_ref().unwrap().selected.0, before ^ bit, "{key:?}");
    }
    stage.key(Key::Num1);
    let told = "Cube: Beyond three sources there is no cube; the lattice (2) and the table (3) show every hybrid.";
    assert!(stage.state().toasts.iter().any(|t| t.text == told));
    stage.h.get_by_label("Is the fee owed?");
    stage.h.get_by_label_contains("4 sources owe at most 6 receipts; none contains another.");
    stage.key(Key::Num3);
    stage.h.get_by_label("Hybrid 1·2·3·4: approve (recorded) new endpoint");
}

#[test]
fn the_legend_explains_what_is_drawn_and_nothing_else() {
    let mut stage = Stage::first_start().ready();
    stage.h.get_by_label("Legend: approve, deny, receipt, verdict flips, stays, behind");
    stage.key(Key::Num2);
    stage.h.get_by_label("Legend: approve, deny, receipt, verdict flips, stays");
    stage.key(Key::Num3);
    stage.h.get_by_label("Legend: approve, deny, receipt");
}

#[test]
fn a_search_marks_its_first_hit_and_enter_opens_it() {
    let mut stage = Stage::first_start().ready();
    stage.ctrl(Key::F);
    stage.h.run_steps(3);
    stage.h.get_by_role_and_label(Role::TextInput, "Search cases").type_text("scotland");
    stage.h.run_steps(3);
    let state = stage.state();
    let first = state.wings.judgment.table.order[0] as usize;
    assert!(state.wings.judgment.table.order.len() < state.wings.judgment.book.rows.len() && first > 0);
    assert_eq!(state.wings.judgment.table.marked, Some(first));
    stage.key(Key::Enter);
    stage.wait("the first hit", |s| {
        s.route == Route::Case && s.wings.judgment.open.as_ref().is_some_and(|o| o.row == first)
    });
    // Without the filter the marked row is in sight.
    stage.key(Key::Escape);
    stage.ask(Command::wing(TableCommand::Search("telecom".into())));
    let last = *stage.state().wings.judgment.table.order.last().unwrap() as usize;
    stage.ask(Command::wing(TableCommand::Mark(last)));
    stage.key(Key::X);
    stage.h.run_steps(4);
    assert_eq!(stage.state().wings.judgment.table.marked, Some(last));
    let title = stage.state().wings.judgment.book.rows[last].title.clone();
    assert!(
        stage.h.query_all_by_role(Role::Row).any(|n| n.accesskit_node().label().is_some_and(|l| l.starts_with(&title)))
    );
}

#[test]
fn the_table_says_what_it_has_no_room_for_and_keeps_save_this_view() {
    let mut stage = Stage::first_start().ready();
    stage.ask(Command::Do(&GO_JUDGMENTS));
    stage.h.run_steps(2);
    stage.h.get_by_label("Sort by Unit");
    stage.ask(Command::SetZoom(2.0));
    stage.h.run_steps(4);
    stage.h.get_by_label_contains("columns");
    stage.h.get_by_label("Views").click();
    stage.h.run_steps(3);
    stage.h.get_by_label("Save this view…").click();
    stage.h.run_steps(3);
    assert!(matches!(stage.state().overlay, Some(Overlay::SaveView(_))));
}

#[test]
fn one_case_is_not_one_cases() {
    let mut stage = four();
    stage.ask(Command::Do(&GO_JUDGMENTS));
    stage.h.get_by_label("1 case");
    assert!(stage.h.query_by_label_contains("1 cases").is_none());
}

#[test]
fn the_palette_knows_views_edges_and_columns() {
    let mut stage = Stage::first_start().ready();
    stage.ask(Command::wing(TableCommand::SaveView("my stable ones".into())));
    let run = |stage: &mut Stage, words: &str| {
        stage.ctrl(Key::K);
        stage.ask(Command::OverlayText(words.into()));
        stage.key(Key::Enter);
        stage.h.run_steps(2);
    };
    run(&mut stage, "edge of norms");
    assert_eq!(stage.state().wings.judgment.open.as_ref().unwrap().edge.map(|(_, source)| source), Some(1));
    run(&mut stage, "column: account");
    assert_eq!(stage.state().wings.judgment.open.as_ref().unwrap().column, Column::Account);
    run(&mut stage, "my stable ones");
    assert_eq!(stage.state().route, Route::Judgments);
}

#[test]
fn the_sandbox_takes_the_keyboard_and_tells_its_own_account() {
    let mut stage = Stage::first_start().ready();
    stage.key(Key::W);
    stage.wait("the sandbox", |s| {
        s.wings.judgment.open.as_ref().unwrap().sandbox.as_ref().is_some_and(|b| b.judgment.is_some())
    });
    stage.h.run_steps(3);
    let focused = stage.h.query_all_by_label_contains(", old version").find(|n| n.accesskit_node().is_focused());
    assert!(focused.is_some(), "the first value has the keyboard");
    stage.h.get_by_label_contains("Change a value in Sources and press Enter; cube and receipts follow.");
    stage.h.get_by_label_contains("Replacing grounds alone gives approve");
    assert_eq!(stage.state().wings.judgment.open.as_ref().unwrap().tab, CaseTab::Cube);
}

#[test]
fn a_bundle_counts_as_exported() {
    let mut stage = Stage::first_start().ready();
    stage.ctrl(Key::Enter);
    stage.wait("the certificate", |s| s.wings.judgment.certificate().held().is_some());
    stage.h.get_by_label_contains("Not exported yet.");
    let out = stage.scratch.path().join("out");
    stage.ask(Command::Export(Format::Bundle.id(), out));
    stage.wait("the bundle", |s| s.toasts.iter().any(|t| t.text.starts_with("Bundle written")));
    assert!(stage.h.query_by_label_contains("Not exported yet.").is_none());
    stage.h.get_by_label_contains(".decidendi.");
}

#[test]
fn trusted_keys_show_what_check_three_names() {
    let mut stage = Stage::first_start().ready();
    stage.ctrl(Key::Enter);
    stage.wait("the certificate", |s| s.wings.judgment.certificate().held().is_some());
    let print = stage.state().key.as_ref().unwrap().fingerprint.clone().unwrap();
    // A later start reads it from the public half.
    let scratch = Arc::clone(&stage.scratch);
    stage.h.run_steps(200);
    drop(stage);
    let mut again = Stage::open(None, None, scratch).ready();
    assert_eq!(again.state().key.as_ref().unwrap().fingerprint.as_deref(), Some(print.as_str()));
    again.ask(Command::Go(Route::Verify));
    again.h.run_steps(2);
    let hex = print.trim_start_matches("sha256:");
    again.h.get_by_label_contains(&hex[..8]);
}
