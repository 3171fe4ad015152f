//! What happens: the cube, the lattice or the table. All three show one judgment and share one selection.

use super::{Page, legend};
use crate::desk::command::Commands;
use crate::parts;
use crate::parts::frame;
use crate::parts::{Press, segments};
use crate::widgets::cube3d;
use crate::widgets::cube3d::Pose;
use crate::widgets::drawing::{Measure, measure_with};
use crate::widgets::lattice;
use crate::widgets::model::{Board, DRAWN, Edge};
use crate::widgets::scene::{Scene, Selected};
use crate::widgets::{cells, stage};
use crate::wings::judgment::actions::RESET_CUBE;
use crate::wings::judgment::command::CaseCommand;
use crate::wings::judgment::state::{CaseTab, OpenCase, Turn};
use egui::{Align, Id, Layout, Rect, ScrollArea, Ui, UiBuilder, Vec2, pos2};
use std::sync::Arc;

pub(super) fn show(ui: &mut Ui, page: &Page<'_>, rect: Rect, commands: &mut Commands) {
    let inner = frame::card(ui, page.theme, rect);
    let tab = tab_of(page);
    let rest = frame::head(ui, inner, "picture", |ui| head(ui, page, tab, commands));
    let entries = legend::of(page, tab);
    let rest = if rest.height() < 330.0 && rest.width() > 480.0 {
        // A low and wide room: the legend stands beside the picture.
        let (left, right) = rest.split_left_right_at_x(rest.right() - legend::width(ui, page.theme, &entries) - 10.0);
        let mut side = ui.new_child(UiBuilder::new().max_rect(right).id_salt("legend"));
        legend::show(&mut side, page.theme, &entries);
        left
    } else {
        frame::foot(ui, rest, "picture", |ui| legend::show(ui, page.theme, &entries))
    };
    match (tab, &page.prepared.board) {
        (CaseTab::Cube, Some(board)) => cube(ui, page, board, rest, commands),
        (CaseTab::Lattice, Some(board)) => hasse(ui, page, board, rest, commands),
        _ => table(ui, page, rest, commands),
    }
}

/// The tab that can be shown: no cube beyond three sources, no lattice beyond six.
fn tab_of(page: &Page<'_>) -> CaseTab {
    match (page.open.tab, page.open.case.k()) {
        (CaseTab::Cube, 4..=DRAWN) => CaseTab::Lattice,
        (CaseTab::Cube | CaseTab::Lattice, k) if k > DRAWN => CaseTab::Table,
        (tab, _) => tab,
    }
}

fn tabs(k: usize) -> &'static [(CaseTab, &'static str)] {
    const ALL: [(CaseTab, &str); 3] =
        [(CaseTab::Cube, "Cube"), (CaseTab::Lattice, "Lattice"), (CaseTab::Table, "Table")];
    match k {
        0..=3 => &ALL,
        4..=DRAWN => &ALL[1..],
        _ => &ALL[2..],
    }
}

fn head(ui: &mut Ui, page: &Page<'_>, tab: CaseTab, commands: &mut Commands) {
    let judgment = &page.prepared.judgment;
    let k = page.open.case.k();
    let ran = judgment.cube.cells().iter().filter(|c| c.is_some()).count();
    let remark =
        format!("{} of {} {}", parts::group(ran), parts::group(judgment.cube.cells().len()), cells::origin(judgment));
    let title = match (tab, k) {
        (CaseTab::Cube, 1) => "Judgment segment",
        (CaseTab::Cube, 2) => "Judgment square",
        (CaseTab::Cube, _) => "Judgment cube",
        (CaseTab::Lattice, _) => "Lattice",
        (CaseTab::Table, _) => "Hybrids",
    };
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let tabs = tabs(k);
            let words: Vec<&str> = tabs.iter().map(|(_, w)| *w).collect();
            let chosen = tabs.iter().position(|(t, _)| *t == tab).unwrap_or(0);
            if tabs.len() > 1
                && let Some(i) = segments(ui, "Picture", &words, chosen)
            {
                commands.wing(CaseCommand::Tab(tabs[i].0));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| frame::section(ui, page.theme, title, &remark));
        });
    });
    // What the case is about, where the room allows it: the picture comes first.
    if let Some(summary) = page.open.case.text("summary").filter(|_| ui.available_height() > 460.0) {
        let words = egui::RichText::new(summary).font(page.theme.sans(12.5)).color(page.theme.color.muted);
        ui.add(egui::Label::new(words).wrap());
    }
}

fn selected(open: &OpenCase) -> Selected {
    let edge = open.edge.map(|(cell, source)| Edge::at(cell, source));
    Selected { cell: open.selected, edge }
}

fn picked(done: &stage::Done, commands: &mut Commands) {
    if let Some(part) = done.picked {
        let (cell, edge) = stage::after(part);
        commands.wing(CaseCommand::Select(cell));
        commands.wing(CaseCommand::Walk(edge.map(|e| (e.base, e.source))));
    }
}

const fn pose(turn: Turn) -> Pose {
    Pose { yaw: turn.yaw, pitch: turn.pitch }
}

fn cube(ui: &mut Ui, page: &Page<'_>, board: &Board, rect: Rect, commands: &mut Commands) {
    let pose = pose(page.open.turn);
    let id = Id::unique("case page, cube");
    let turns = board.k() == 3;
    let (last, board_then): (Option<Arc<Scene>>, Option<(Pose, Board)>) =
        ui.data(|d| (d.get_temp(id), d.get_temp(id.with("for"))));
    let same = board_then.as_ref().is_some_and(|(p, b)| *p == pose && b == board);
    let scene = match last.clone().filter(|s| same && s.size == rect.size()) {
        Some(scene) => scene,
        None => {
            // Hysteresis only while the same cube turns: at rest a case looks the same each time it is opened.
            let keep = last
                .filter(|_| board_then.as_ref().is_some_and(|(_, b)| b == board) && page.open.turn != Turn::default());
            let mut measure = measure_with(ui.painter());
            Arc::new(cube3d::layout(board, pose, rect.size(), keep.as_deref(), &mut measure))
        }
    };
    ui.data_mut(|d| {
        d.insert_temp(id, Arc::clone(&scene));
        if !same {
            d.insert_temp(id.with("for"), (pose, board.clone()));
        }
    });
    let name = match board.k() {
        1 => "Judgment segment",
        2 => "Judgment square",
        _ => "Judgment cube: drag or use the arrow keys to turn it",
    };
    let done = stage::show(ui, rect, name, board, &scene, Some(selected(page.open)), turns);
    picked(&done, commands);
    if let Some(by) = done.dragged {
        let turned = pose.turned(by);
        commands.wing(CaseCommand::Turn(turned.yaw, turned.pitch));
    }
    if turns && page.open.turn != Turn::default() {
        let at = Rect::from_min_size(pos2(rect.right() - 96.0, rect.top()), egui::vec2(96.0, 24.0));
        let layout = Layout::right_to_left(Align::Min);
        let mut corner = ui.new_child(UiBuilder::new().max_rect(at).id_salt("turn back").layout(layout));
        let back = corner.add(Press::new("Turn back").quiet().small()).on_hover_text(RESET_CUBE.tooltip(page.state));
        if back.clicked() || done.reset {
            commands.act(&RESET_CUBE);
        }
    }
}

fn hasse(ui: &mut Ui, page: &Page<'_>, board: &Board, rect: Rect, commands: &mut Commands) {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("lattice"));
    let scene = {
        let mut measure = measure_with(ui.painter());
        lattice::layout(board, rect.size(), &mut measure)
    };
    let mut area = ScrollArea::both().id_salt("lattice").auto_shrink([false, false]);
    // A lattice wider than its room opens at its middle.
    let id = Id::unique("case page, lattice");
    let seen = (scene.size.x.to_bits(), rect.width().to_bits());
    if ui.data(|d| d.get_temp(id)) != Some(seen) {
        ui.data_mut(|d| d.insert_temp(id, seen));
        area = area.scroll_offset(Vec2::new(((scene.size.x - rect.width()) / 2.0).max(0.0), 0.0));
    }
    area.show(&mut child, |ui| {
        let (place, _) = ui.allocate_exact_size(scene.size, egui::Sense::hover());
        let done = stage::show(ui, place, "Lattice of replacements", board, &scene, Some(selected(page.open)), false);
        picked(&done, commands);
    });
}

fn table(ui: &mut Ui, page: &Page<'_>, rect: Rect, commands: &mut Commands) {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("table"));
    if let Some(cell) = cells::show(&mut child, &page.prepared.judgment, &page.prepared.special, page.open.selected) {
        commands.wing(CaseCommand::Select(cell));
        commands.wing(CaseCommand::Walk(None));
    }
}

/// The picture of the open case as it stands on the screen, laid out for a file; `None` beyond six sources.
#[must_use]
pub fn scene_for_export(open: &OpenCase, size: Vec2, measure: &mut Measure<'_>) -> Option<(Board, Scene, Selected)> {
    let board = Board::of(open.shown())?;
    let scene = if open.tab == CaseTab::Cube && board.k() <= 3 {
        cube3d::layout(&board, pose(open.turn), size, None, measure)
    } else {
        lattice::layout(&board, size, measure)
    };
    Some((board, scene, selected(open)))
}
