//! One press of Esc leaves one thing, nothing edited is lost without a way back, and what is longer than the window scrolls
//! by keyboard.

use decidendi_core::judgment::source::Version;
use decidendi_core::seal::json::{Json, JsonPath};
use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::state::{Overlay, Tone};
use decidendi_gui::desk::wings::Route;
use decidendi_gui::wings::judgment::actions::{CERTIFY, OPEN_SHIPPED};
use decidendi_gui::wings::judgment::command::CaseCommand;
use egui::Key;
use egui_kittest::kittest::Queryable as _;

use crate::stage::Stage;

/// Opens the sandbox of the story case and edits its first value that takes a word.
#[expect(clippy::unwrap_used, reason = "a test whose stage cannot be set has nothing to say")]
fn edited() -> Stage {
    let mut stage = Stage::first_start().ready();
    stage.key(Key::W);
    stage.wait("the sandbox", |s| {
        s.wings.judgment.open.as_ref().unwrap().sandbox.as_ref().is_some_and(|b| b.judgment.is_some())
    });
    let field = stage.state().wings.judgment.open.as_ref().unwrap().case.body(0, Version::New).unwrap().json.clone();
    let (name, value) = field
        .as_map()
        .unwrap()
        .iter()
        .find_map(|(k, v)| if let Json::Bool(b) = v { Some((k.clone(), Json::Bool(!b))) } else { None })
        .unwrap_or_else(|| {
            let (k, v) = field.as_map().unwrap().iter().find(|(_, v)| matches!(v, Json::Int(_))).unwrap();
            (k.clone(), Json::Int(v.as_int().unwrap() + 1))
        });
    let path = JsonPath::default().key(&name);
    stage.ask(Command::wing(CaseCommand::Edit { source: 0, version: Version::New, path, value }));
    stage.wait("the edit", |s| {
        s.wings.judgment.open.as_ref().unwrap().sandbox.as_ref().is_some_and(|b| b.sandbox.edits() == 1)
    });
    stage
}

#[test]
fn esc_leaves_one_thing_at_a_time() {
    let mut stage = edited();
    // The first value of the sandbox has the keyboard.
    stage.key(Key::Escape);
    assert!(stage.state().wings.judgment.open.as_ref().unwrap().sandbox.is_some());
    stage.key(Key::Escape);
    let state = stage.state();
    assert_eq!(state.route, Route::Case, "the page stays");
    assert!(state.wings.judgment.open.as_ref().unwrap().sandbox.is_none());
    let toast = state.toasts.iter().find(|t| t.text == "Sandbox closed with 1 edit").unwrap();
    assert_eq!(toast.detail.as_deref(), Some("Ctrl Z brings it back."));
    // An edge is left before the page.
    stage.ask(Command::wing(CaseCommand::Walk(Some((decidendi_core::judgment::source::Mask(0), 0)))));
    stage.key(Key::Escape);
    assert!(stage.state().wings.judgment.open.as_ref().unwrap().edge.is_none());
    assert_eq!(stage.state().route, Route::Case);
    // What has the keyboard loses it first.
    stage.key(Key::Tab);
    stage.key(Key::Escape);
    assert_eq!(stage.state().route, Route::Case);
    stage.key(Key::Escape);
    assert_eq!(stage.state().route, Route::Judgments);
}

#[test]
fn undo_brings_a_closed_sandbox_back() {
    let mut stage = edited();
    stage.key(Key::Escape);
    stage.key(Key::Escape);
    stage.ctrl(Key::Z);
    stage.wait("the sandbox again", |s| {
        s.wings.judgment.open.as_ref().unwrap().sandbox.as_ref().is_some_and(|b| b.sandbox.edits() == 1)
    });
    assert!(stage.state().toasts.iter().any(|t| t.text == "Undone: close the sandbox"));
    // Another case closes it too, and undo finds the way back.
    stage.key(Key::J);
    stage.wait("the next case", |s| s.wings.judgment.open.as_ref().is_some_and(|o| o.row == 1));
    assert!(stage.state().toasts.iter().any(|t| t.text == "Sandbox closed with 1 edit"));
    stage.ctrl(Key::Z);
    stage.wait("case and sandbox again", |s| {
        s.wings
            .judgment
            .open
            .as_ref()
            .is_some_and(|o| o.row == 0 && o.sandbox.as_ref().is_some_and(|b| b.sandbox.edits() == 1))
    });
}

#[test]
fn errors_go_with_esc_with_f5_and_when_mended() {
    let mut stage = Stage::first_start().ready();
    let fail = |stage: &mut Stage| {
        stage.ask(Command::Open("/nowhere/at/all.json".into()));
        stage.wait("the failure", |s| s.toasts.iter().any(|t| t.tone == Tone::Bad));
    };
    let bad = |stage: &Stage| stage.state().toasts.iter().filter(|t| t.tone == Tone::Bad).count();
    fail(&mut stage);
    fail(&mut stage);
    assert_eq!(bad(&stage), 1, "the same message does not stack");
    let route = stage.state().route;
    stage.key(Key::Escape);
    assert_eq!((bad(&stage), stage.state().route), (0, route));
    fail(&mut stage);
    stage.key(Key::F5);
    assert_eq!(bad(&stage), 0);
    stage.wait("the casebook", |s| !s.wings.judgment.book.loading);
    fail(&mut stage);
    stage.ask(Command::Do(&OPEN_SHIPPED));
    stage.wait("the casebook", |s| !s.wings.judgment.book.loading);
    assert_eq!(bad(&stage), 0);
}

#[test]
fn the_rail_is_as_wide_after_zoom_as_before() {
    let mut stage = Stage::first_start().ready();
    let width = |stage: &Stage| stage.h.get_by_label("Casebook").rect().width();
    stage.h.run_steps(4);
    let before = width(&stage);
    stage.ask(Command::SetZoom(2.0));
    stage.h.run_steps(6);
    stage.ask(Command::SetZoom(1.0));
    stage.h.run_steps(6);
    assert!((width(&stage) - before).abs() < 1.0, "{before} became {}", width(&stage));
}

#[test]
fn the_cheat_sheet_and_the_checks_scroll_by_keyboard() {
    let mut stage = Stage::first_start().ready();
    stage.ask(Command::SetZoom(2.0));
    stage.ask(Command::Overlay(Some(Overlay::Keys)));
    stage.h.run_steps(4);
    let place = |stage: &Stage, name: &str| stage.h.get_by_label(name).rect().top();
    let top = place(&stage, "EVERYWHERE");
    for (key, up) in [(Key::PageDown, true), (Key::PageUp, false), (Key::End, true), (Key::Home, false)] {
        let before = place(&stage, "EVERYWHERE");
        stage.h.key_press(key);
        stage.h.run_steps(40);
        let after = place(&stage, "EVERYWHERE");
        assert_eq!(after < before, up, "{key:?}: {before} to {after}");
    }
    stage.h.key_press(Key::ArrowDown);
    stage.h.run_steps(40);
    assert!(place(&stage, "EVERYWHERE") < top);

    stage.ask(Command::Overlay(None));
    stage.ask(Command::Do(&CERTIFY));
    stage.wait("the certificate", |s| s.wings.judgment.certificate().held().is_some());
    let bytes = stage.state().wings.judgment.certificate().held().unwrap().bytes.to_vec();
    let file = stage.scratch.path().join("mine.cert.json");
    std::fs::write(&file, bytes).unwrap();
    stage.ask(Command::Open(file));
    stage.wait("the checks", |s| s.wings.verify.checked.is_some());
    stage.h.run_steps(4);
    let top = stage.h.get_by_label("CHECKS").rect().top();
    stage.h.key_press(Key::End);
    stage.h.run_steps(40);
    assert!(stage.h.get_by_label("CHECKS").rect().top() < top - 100.0);
    assert_eq!(stage.state().route, Route::Verify, "arrows and pages stay here");
}
