//! The page by its accessible names: every part can be reached without looking, and asks for the right command.

use super::show;
use crate::desk::command::{Command, Commands};
use crate::desk::state::State;
use crate::desk::wings::{Route, WingCommand, Wings};
use crate::theme::{Look, Theme};
use crate::wings::judgment::command::CaseCommand;
use crate::wings::judgment::state::{CaseTab, JudgmentState, OpenCase};
use decidendi_core::judgment::case::Artifacts;
use decidendi_core::judgment::source::Mask;
use decidendi_core::judgment::walk::{self, Compiler};
use decidendi_core::watch::Unwatched;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use std::sync::Arc;

const CASE: &str = r#"{"format": "decidendi/case@1", "id": "t", "title": "T", "adjudicator": {"engine": "table", "cells":
["deny", "approve", "approve", "approve", "deny", "approve", "deny", "approve"]},
"sources": [{"name": "grounds", "old": {"days": 16, "kind": "a"}, "new": {"days": 13, "kind": "a"}},
{"name": "norms", "old": {"window": 14}, "new": {"window": 30}},
{"name": "authority", "old": {"grants": [{"norm": "*"}]}, "new": {"grants": [{"norm": "window"}]}}]}"#;

fn open(change: impl FnOnce(&mut OpenCase)) -> State {
    let case = Arc::new(walk::open_case("case.json", CASE.as_bytes(), &Artifacts::new()).unwrap());
    let mut compiler = Compiler::default();
    let judgment = Arc::new(walk::judge(&case, &mut compiler, &Unwatched).unwrap());
    let trace = walk::trace(&case, &mut compiler, Mask::EMPTY).ok().map(Arc::new);
    let mut open = OpenCase::new(0, case, judgment, trace);
    change(&mut open);
    let theme = Arc::new(Theme::new(Look::Light, false).unwrap());
    let judgment = JudgmentState { open: Some(open), ..JudgmentState::default() };
    State { theme, route: Route::Case, wings: Wings { judgment, ..Wings::default() }, ..State::default() }
}

/// Shows the page, clicks what has the name, and gives the case commands that were asked for.
fn click(name: &str, change: impl FnOnce(&mut OpenCase)) -> Vec<CaseCommand> {
    let state = open(change);
    let theme = Arc::clone(&state.theme);
    let mut harness = Harness::builder()
        .with_size([1264.0, 784.0])
        .with_max_steps(16)
        .with_context_setup(move |ctx| {
            crate::theme::fonts::install(ctx);
            theme.apply(ctx);
        })
        .build_ui_state(move |ui, commands: &mut Commands| show(ui, &state, commands), Commands::default());
    harness.run();
    let _ = harness.state_mut().take();
    harness.get_by_label(name).click();
    harness.run();
    let asked = harness.state_mut().take();
    asked.into_iter().filter_map(|c| if let Command::Wing(WingCommand::Case(c)) = c { Some(c) } else { None }).collect()
}

#[test]
fn corners_edges_toggles_rows_and_receipts_share_one_selection() {
    let none = |_: &mut OpenCase| {};
    assert!(click("Corner GN: approve (recorded)", none).contains(&CaseCommand::Select(Mask(3))));
    let walked = click("Edge ∅ to G: replaces Grounds, deny to approve", none);
    assert!(walked.contains(&CaseCommand::Select(Mask(1))) && walked.contains(&CaseCommand::Walk(Some((Mask(0), 0)))));
    assert_eq!(click("Norms: new", none), [CaseCommand::Flip(1)]);
    assert!(click("Receipt { grounds }", none).contains(&CaseCommand::Select(Mask(1))));
    assert_eq!(click("Why is { norms } minimal", none), [CaseCommand::Expand(Mask(2))]);
    assert_eq!(click("Picture: Lattice", none), [CaseCommand::Tab(CaseTab::Lattice)]);
    assert_eq!(click("Only differences", none), [CaseCommand::OnlyDifferences(false)]);
    let row = click("Hybrid NA: deny (recorded) holds a receipt, fails", |o| o.tab = CaseTab::Table);
    assert!(row.contains(&CaseCommand::Select(Mask(6))));
}

#[test]
fn the_lattice_has_the_same_parts_as_the_cube() {
    let lattice = |o: &mut OpenCase| o.tab = CaseTab::Lattice;
    assert!(click("Corner GNA: approve (recorded)", lattice).contains(&CaseCommand::Select(Mask(7))));
    let walked = click("Edge N to NA: replaces Authority, approve to deny", lattice);
    assert!(walked.contains(&CaseCommand::Walk(Some((Mask(2), 2)))));
}

#[test]
fn what_reading_found_odd_is_told_by_name() {
    let text = CASE.replace(r#""title": "T","#, r#""title": "T", "colour": 1, "a": 1, "b": 2, "c": 3,"#);
    let case = Arc::new(walk::open_case("case.json", text.as_bytes(), &Artifacts::new()).unwrap());
    let n = case.notices().len();
    assert!(n >= 4, "{:?}", case.notices());
    let odd = move |o: &mut OpenCase| o.case = Arc::clone(&case);
    assert_eq!(click("Show all notes", odd.clone()), [CaseCommand::Unfold("notes".to_owned())]);
    click(&format!("NOTES ({n})"), odd);
}

#[test]
fn the_picture_is_written_alike_twice_and_carries_legend_and_digest() {
    let state = open(|o| o.selected = Mask(1));
    let open = state.wings.judgment.open.as_ref().unwrap();
    let svg = crate::wings::judgment::export::picture(open, None, &state.theme.color).unwrap();
    assert_eq!(svg, crate::wings::judgment::export::picture(open, None, &state.theme.color).unwrap());
    assert!(
        svg.contains(&open.case.digest().to_string()) && svg.contains(">verdict flips<") && svg.contains(">receipt<")
    );
}

#[test]
fn turning_the_cube_costs_far_less_than_a_frame() {
    use crate::widgets::cube3d;
    use crate::widgets::model::Board;
    let state = open(|_| {});
    let board = Board::of(&state.wings.judgment.open.as_ref().unwrap().judgment).unwrap();
    let mut measure =
        |text: &str, ty: crate::widgets::ink::Type| egui::vec2(text.len() as f32 * ty.size * 0.55, ty.size * 1.36);
    let start = std::time::Instant::now();
    let mut last = None;
    for step in 0..200 {
        let pose = cube3d::Pose { yaw: step as f32 * 0.02, pitch: 0.3 };
        last = Some(cube3d::layout(&board, pose, egui::vec2(480.0, 600.0), last.as_ref(), &mut measure));
    }
    let each = start.elapsed().as_secs_f64() * 1e3 / 200.0;
    // Unoptimised and on a busy machine; optimised it is a small fraction of this.
    assert!(each < 40.0, "{each} ms");
}
