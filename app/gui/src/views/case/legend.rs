//! The legend under the picture: the marks of this case, the ring of the receipt, and the looks that are not executed.

use super::Page;
use crate::theme::Theme;
use crate::widgets::drawing::{Dash, Drawing};
use crate::widgets::ink::Ink;
use crate::widgets::model::Board;
use crate::widgets::scene::warning;
use crate::widgets::verdict::{Look, Mark};
use decidendi_core::judgment::result::Judgment;
use egui::{Role, Sense, Ui, Vec2, WidgetInfo, pos2};

const SIZE: f32 = 18.0;

/// One entry: what is drawn, and the word.
pub type Entry = (Drawing, String);

/// The entries for a judgment's marks.
fn entries(marks: &[Mark], changed: bool, broken: bool) -> Vec<Entry> {
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
    let example = marks.first().map_or("approve", |m| m.word.as_str());
    entries.push((draw(&|d| Mark::new(example, Look::Predicted).draw(middle, 7.5, d)), "predicted".to_owned()));
    entries.push((draw(&|d| Mark::not_run().draw(middle, 7.5, d)), "not run".to_owned()));
    entries
}

/// The entries of the page.
pub(super) fn of(page: &Page<'_>) -> Vec<Entry> {
    let marks: Vec<Mark> = match &page.prepared.board {
        Some(board) => board.marks().into_iter().cloned().collect(),
        None => {
            let look = crate::widgets::model::look(page.prepared.judgment.obtained);
            page.prepared.judgment.labels.words().iter().map(|w| Mark::new(w, look)).collect()
        }
    };
    entries(&marks, !page.prepared.special.receipts.is_empty(), !page.prepared.special.broken.is_empty())
}

/// Shows the legend, on as many lines as it needs; a mark and its word stay together.
pub(super) fn show(ui: &mut Ui, t: &Theme, entries: &[Entry]) {
    const GAP: f32 = 5.0;
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
pub fn legend_for_export(judgment: &Judgment, board: &Board) -> Vec<Entry> {
    let marks: Vec<Mark> = board.marks().into_iter().cloned().collect();
    let changed = judgment.family().is_some_and(|f| f.multiplicity() > 0);
    entries(&marks, changed, !judgment.non_monotone().is_empty())
}
