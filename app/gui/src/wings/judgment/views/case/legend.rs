//! The legend under the picture: the marks of this case, the ring of the receipt, and the looks that are not executed.

use super::Page;
use crate::theme::Theme;
use crate::widgets::drawing::{Dash, Drawing};
use crate::widgets::ink::Ink;
use crate::widgets::model::Board;
use crate::widgets::scene::warning;
use crate::widgets::verdict::{Look, Mark};
use crate::wings::judgment::state::CaseTab;
use decidendi_core::judgment::result::Judgment;
use egui::{Role, Sense, Ui, Vec2, WidgetInfo, pos2};

const SIZE: f32 = 18.0;
const GAP: f32 = 5.0;

/// One entry: what is drawn, and the word.
pub type Entry = (Drawing, String);

/// What of a picture is explained. Nothing is listed that it does not show.
struct Shown<'a> {
    marks: &'a [Mark],
    changed: bool,
    broken: bool,
    not_run: bool,
    /// Verdicts differ across some edge, agree across some, and some edge is hidden by the cube.
    edges: [bool; 3],
}

fn entries(shown: &Shown<'_>) -> Vec<Entry> {
    let Shown { marks, changed, broken, not_run, edges } = *shown;
    let middle = pos2(SIZE / 2.0, SIZE / 2.0);
    let draw = |with: &dyn Fn(&mut Drawing)| {
        let mut drawing = Drawing::new(Vec2::splat(SIZE));
        with(&mut drawing);
        drawing
    };
    let mut entries: Vec<Entry> =
        marks.iter().take(8).map(|m| (draw(&|d| m.draw(middle, 7.5, d)), m.word.clone())).collect();
    if changed {
        entries.push((draw(&|d| d.ring(middle, 6.8, 2.0, Ink::Receipt, Dash::Solid)), "receipt".to_owned()));
    }
    if broken {
        entries.push((draw(&|d| warning(middle, 6.0, d)), "holds a receipt, fails".to_owned()));
    }
    if not_run {
        entries.push((draw(&|d| Mark::not_run().draw(middle, 7.5, d)), "not run".to_owned()));
    }
    let line =
        |width, ink, dash| draw(&|d| d.line(vec![pos2(1.0, middle.y), pos2(SIZE - 1.0, middle.y)], width, ink, dash));
    let lines = [
        (1.9, Ink::Text, Dash::Solid, "verdict flips"),
        (1.1, Ink::Quiet, Dash::Solid, "stays"),
        (1.1, Ink::Text, Dash::Dashed, "behind"),
    ];
    for (_, (width, ink, dash, word)) in edges.into_iter().zip(lines).filter(|(on, _)| *on) {
        entries.push((line(width, ink, dash), word.to_owned()));
    }
    entries
}

/// Which kinds of edges a board has; the cube of three sources hides some.
fn edges(board: &Board, cube: bool) -> [bool; 3] {
    [board.edges().any(|e| board.flips(e)), board.edges().any(|e| !board.flips(e)), cube && board.k() == 3]
}

/// The entries of the page, for the picture or, without one, for the table.
pub(super) fn of(page: &Page<'_>, tab: CaseTab) -> Vec<Entry> {
    let judgment = &page.prepared.judgment;
    let board = page.prepared.board.as_ref();
    let marks: Vec<Mark> = match board {
        Some(board) => board.marks().into_iter().cloned().collect(),
        None => {
            let look = crate::widgets::model::look(judgment.obtained);
            judgment.labels.words().iter().map(|w| Mark::new(w, look)).collect()
        }
    };
    entries(&Shown {
        marks: &marks,
        changed: !page.prepared.special.receipts.is_empty(),
        broken: !page.prepared.special.broken.is_empty(),
        not_run: judgment.cube.cells().iter().any(Option::is_none),
        edges: board.filter(|_| tab != CaseTab::Table).map_or([false; 3], |b| edges(b, tab == CaseTab::Cube)),
    })
}

/// How wide the legend is where every entry has a line of its own.
pub(super) fn width(ui: &Ui, t: &Theme, entries: &[Entry]) -> f32 {
    let word = |w: &String| ui.painter().layout_no_wrap(w.clone(), t.sans(12.0), t.color.muted).size().x;
    entries.iter().map(|(d, w)| d.size.x + GAP + word(w)).fold(0.0, f32::max).ceil() + 1.0
}

/// Shows the legend, on as many lines as it needs; a mark and its word stay together.
pub(super) fn show(ui: &mut Ui, t: &Theme, entries: &[Entry]) {
    let width = ui.available_width();
    let mut places = Vec::with_capacity(entries.len());
    let mut at = Vec2::ZERO;
    for (drawing, word) in entries {
        let galley = ui.painter().layout_no_wrap(word.clone(), t.sans(12.0), t.color.muted);
        let needed = drawing.size.x + GAP + galley.size().x;
        if at.x > 0.0 && at.x + needed > width {
            at = egui::vec2(0.0, at.y + SIZE + 5.0);
        }
        places.push((at, galley));
        at.x += needed + 17.0;
    }
    let (rect, response) = ui.allocate_exact_size(egui::vec2(width, at.y + SIZE), Sense::hover());
    for ((drawing, _), (at, galley)) in entries.iter().zip(places) {
        drawing.paint(ui.painter(), rect.min + at, &t.color);
        let beside = rect.min + at + egui::vec2(drawing.size.x + GAP, (SIZE - galley.size().y) / 2.0);
        ui.painter().galley(beside, galley, t.color.muted);
    }
    response.widget_info(|| {
        let words = entries.iter().map(|(_, w)| w.as_str()).collect::<Vec<_>>().join(", ");
        WidgetInfo::labeled(Role::Label, true, format!("Legend: {words}"))
    });
}

/// The legend of an exported picture.
#[must_use]
pub fn legend_for_export(judgment: &Judgment, board: &Board, cube: bool) -> Vec<Entry> {
    let marks: Vec<Mark> = board.marks().into_iter().cloned().collect();
    entries(&Shown {
        marks: &marks,
        changed: judgment.family().is_some_and(|f| f.multiplicity() > 0),
        broken: !judgment.non_monotone().is_empty(),
        not_run: board.has(Look::NotRun),
        edges: edges(board, cube),
    })
}
