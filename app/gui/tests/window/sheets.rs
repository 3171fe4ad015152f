//! Sheets fit the window, at 200 % too: head and buttons stay in sight, what is between them scrolls.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing has nothing to say")]

use decidendi_gui::desk::actions::KEYS;
use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::state::Overlay;
use egui::{Key, Rect, Vec2};
use egui_kittest::kittest::Queryable as _;

use crate::stage::Stage;
use crate::steps::{BRIDGE, at, sample};

/// 1440 × 900 at 200 %.
const LOW: Vec2 = Vec2::new(720.0, 450.0);

fn last(stage: &Stage, name: &str) -> Rect {
    stage.h.query_all_by_label(name).last().unwrap().rect()
}

fn in_sight(stage: &Stage, size: Vec2, names: &[&str]) {
    let window = Rect::from_min_size(egui::Pos2::ZERO, size);
    for name in names {
        assert!(window.contains_rect(last(stage, name)), "{name}: {:?}", last(stage, name));
    }
}

#[test]
fn the_export_sheet_of_a_low_window_keeps_head_and_buttons_in_sight() {
    let mut stage = at(sample(BRIDGE));
    stage.h.set_size(LOW);
    stage.ctrl(Key::E);
    stage.h.run_steps(4);
    assert!(matches!(stage.state().overlay, Some(Overlay::Export { .. })));
    in_sight(&stage, LOW, &["Close", "Write the export", "Show the command"]);
    let mut case = Stage::first_start().ready();
    case.h.set_size(LOW);
    case.ctrl(Key::E);
    case.h.run_steps(4);
    in_sight(&case, LOW, &["Close", "Write the export", "Show the command"]);
    case.h.set_size([1440.0, 900.0].into());
    case.h.run_steps(4);
    in_sight(&case, Vec2::new(1440.0, 900.0), &["Close", "Export folder", "Write the export"]);
}

#[test]
fn the_sheet_of_keys_takes_its_room_again_after_zoom() {
    let mut stage = Stage::first_start().ready();
    let wide = Vec2::new(1440.0, 900.0);
    stage.ask(Command::Do(&KEYS));
    stage.h.run_steps(4);
    let before = last(&stage, "Undo");
    stage.h.set_size(LOW);
    stage.h.run_steps(4);
    in_sight(&stage, LOW, &["Close"]);
    stage.h.set_size(wide);
    stage.h.run_steps(4);
    in_sight(&stage, wide, &["Close"]);
    assert_eq!(last(&stage, "Undo"), before);
}
