//! Every hybrid as a row: what it replaces, its verdict, and what is special about it. Rows are virtual, so that 2^20 of
//! them scroll like eight.

use super::drawing::{Dash, Drawing};
use super::ink::Ink;
use super::model::{look, mark};
use super::scene::warning;
use crate::theme::Theme;
use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::source::Mask;
use egui::{Align2, CornerRadius, Id, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

const ROW: f32 = 28.0;

/// Facts about a judgment that the table shows per row and that are worked out once.
#[derive(Debug, Clone, Default)]
pub struct Special {
    /// Members of the family, ascending by mask.
    pub receipts: Vec<Mask>,
    /// Supersets of a receipt that fail, ascending by mask.
    pub broken: Vec<Mask>,
}

impl Special {
    /// The special cells of a judgment.
    #[must_use]
    pub fn of(judgment: &Judgment) -> Self {
        let mut receipts = judgment.family().map(|f| f.members().to_vec()).unwrap_or_default();
        receipts.sort_unstable();
        Self { receipts, broken: judgment.non_monotone() }
    }
}

/// Shows the table; gives the hybrid that was clicked.
pub fn show(ui: &mut Ui, judgment: &Judgment, special: &Special, selected: Mask) -> Option<Mask> {
    let t = Theme::of(ui.ctx());
    let names = &judgment.sources;
    let k = names.len();
    let count = judgment.cube.cells().len();
    let width = ui.available_width();
    // Name, one column per source while they fit, verdict, remark.
    let label = (k as f32).mul_add(7.0, 52.0).min(120.0);
    let measure = |text: &str, size| ui.painter().layout_no_wrap(text.to_owned(), t.sans(size), t.color.text).size().x;
    let word = judgment.labels.words().iter().map(|w| measure(w, 12.5)).fold(0.0, f32::max).min(width * 0.3);
    let remark = match (special.broken.is_empty(), special.receipts.contains(&Mask::full(k))) {
        (_, true) => "receipt · new endpoint",
        (false, false) => "holds a receipt, fails",
        (true, false) => "new endpoint",
    };
    // Verdict and remark have their room in every row.
    let told = 8.0 + 26.0 + word + 14.0 + measure(remark, 11.5) + 10.0;
    let source = ((width - label - told) / k as f32).clamp(0.0, 88.0);
    let source = if source < 34.0 { 0.0 } else { source };
    let verdict = source.mul_add(k as f32, label);
    let layout = Layout { label, source, verdict };

    let (head, _) = ui.allocate_exact_size(vec2(width, 26.0), Sense::hover());
    let mut heads: Vec<(f32, String)> = vec![(0.0, "hybrid".to_owned()), (verdict, "verdict".to_owned())];
    if source > 0.0 {
        heads.extend(names.iter().enumerate().map(|(i, n)| (source.mul_add(i as f32, label), n.clone())));
    }
    for (x, word) in heads {
        let room = if x >= label && x < verdict { source - 10.0 } else { width };
        let mut job = egui::text::LayoutJob::simple_singleline(word, t.sans(11.5), t.color.muted);
        job.wrap = egui::text::TextWrapping::truncate_at_width(room);
        let mut galley = ui.painter().layout_job(job);
        let at_source = x >= label && x < verdict;
        if at_source && galley.elided {
            // What does not fit is named by its letter or number, and in full under the pointer.
            let i = ((x - label) / source).round() as usize;
            let short = Mask(1 << i).label(names);
            galley = ui.painter().layout_no_wrap(short, t.bold(11.5), t.color.muted);
            let place = egui::Rect::from_min_size(pos2(head.left() + x, head.top()), vec2(source, head.height()));
            ui.interact(place, ui.scope_id().with(("source head", i)), Sense::hover()).on_hover_text(&names[i]);
        }
        let at = pos2(head.left() + x + 8.0, head.center().y - galley.size().y / 2.0);
        ui.painter().galley(at, galley, t.color.muted);
    }
    let mut clicked = None;
    let id = ui.scope_id().with("cells");
    // Follow the selection when it was moved elsewhere.
    let moved = ui.data_mut(|d| d.get_temp::<u32>(id) != Some(selected.0));
    ui.data_mut(|d| d.insert_temp(id, selected.0));
    let mut area = ScrollArea::vertical().id_salt("cells").auto_shrink([false, false]);
    let height = ui.available_height();
    if moved && count as f32 * ROW > height {
        area = area.vertical_scroll_offset((selected.0 as f32).mul_add(ROW, ROW * 0.5 - height / 2.0).max(0.0));
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    area.show_rows(ui, ROW, count, |ui, range| {
        for m in range {
            let cell = Mask(m as u32);
            if row(ui, &t, judgment, special, cell, cell == selected, &layout, id) {
                clicked = Some(cell);
            }
        }
    });
    clicked
}

struct Layout {
    label: f32,
    source: f32,
    verdict: f32,
}

#[expect(clippy::too_many_arguments, reason = "a row is drawn from all of them, and nothing else is")]
fn row(
    ui: &mut Ui,
    t: &Theme,
    judgment: &Judgment,
    special: &Special,
    cell: Mask,
    on: bool,
    at: &Layout,
    id: Id,
) -> bool {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let response = ui.interact(rect, id.with(cell.0), Sense::click());
    let c = &t.color;
    let receipt = special.receipts.binary_search(&cell).is_ok();
    let broken = special.broken.binary_search(&cell).is_ok();
    let mark = mark(judgment, cell);
    let new = cell == Mask::full(judgment.sources.len());
    let remark = match (receipt, broken) {
        (true, _) if new => "receipt · new endpoint",
        (true, _) => "receipt",
        (false, true) => "holds a receipt, fails",
        _ if cell.is_empty() => "old endpoint",
        _ if new => "new endpoint",
        _ => "",
    };
    response.widget_info(|| {
        let name = format!("Hybrid {}: {} {remark}", cell.label(&judgment.sources), mark.name());
        WidgetInfo::selected(Role::Row, true, on, name.trim_end())
    });
    let painter = ui.painter();
    if on {
        painter.rect_filled(rect, CornerRadius::same(4), c.accent_bg);
    } else if response.hovered() {
        painter.rect_filled(rect, CornerRadius::same(4), c.hover);
    }
    if response.has_focus() {
        painter.rect_stroke(rect, CornerRadius::same(4), t.focus(), egui::StrokeKind::Inside);
    }
    painter.hline(rect.x_range(), rect.top(), t.hairline());
    let y = rect.center().y;
    let label = cell.label(&judgment.sources);
    let mut job = egui::text::LayoutJob::simple_singleline(label, t.bold(12.5), c.text);
    job.wrap = egui::text::TextWrapping::truncate_at_width(at.label - 12.0);
    let galley = painter.layout_job(job);
    painter.galley(pos2(rect.left() + 8.0, y - galley.size().y / 2.0), galley, c.text);
    if at.source > 0.0 {
        for i in 0..judgment.sources.len() {
            let word = cell.version(i).word();
            let color = if cell.contains(i) { c.text } else { c.faint };
            let x = at.source.mul_add(i as f32, rect.left() + at.label + 8.0);
            painter.text(pos2(x, y), Align2::LEFT_CENTER, word, t.mono(12.0), color);
        }
    }
    let x = rect.left() + at.verdict + 8.0;
    let mut d = Drawing::new(Vec2::splat(ROW));
    mark.draw(pos2(9.0, ROW / 2.0), 7.0, &mut d);
    if receipt {
        d.ring(pos2(9.0, ROW / 2.0), 10.5, 1.8, Ink::Receipt, Dash::Solid);
    }
    if broken {
        warning(pos2(17.0, ROW / 2.0 - 6.0), 4.5, &mut d);
    }
    d.paint(painter, pos2(x, rect.top()), c);
    let word = painter.layout_no_wrap(mark.word.clone(), t.sans(12.5), mark.ink().color(c));
    let end = x + 26.0 + word.size().x;
    painter.galley(pos2(x + 26.0, y - word.size().y / 2.0), word, c.text);
    let remark =
        painter.layout_no_wrap(remark.to_owned(), t.sans(11.5), if receipt { c.receipt_text } else { c.muted });
    if end + 12.0 + remark.size().x < rect.right() {
        let at = pos2(rect.right() - 8.0 - remark.size().x, y - remark.size().y / 2.0);
        painter.galley(at, remark, c.muted);
    }
    response.clicked()
}

/// The word under which the table counts its cells: executed or recorded.
#[must_use]
pub fn origin(judgment: &Judgment) -> &'static str {
    look(judgment.obtained).word()
}
