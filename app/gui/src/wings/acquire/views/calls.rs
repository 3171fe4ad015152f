//! The last calls, newest first: cell, status, time, labels missing, what was odd.

use egui::{Align, Color32, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::part;
use crate::desk::state::State;
use crate::parts::{group, quiet};
use crate::theme::Theme;
use crate::widgets::estimates::cell;
use crate::wings::acquire::state::{CallRow, OpenPlan};

/// Shares of the width: line, cell, status, time, missing, odd.
const SHARES: [f32; 6] = [0.09, 0.41, 0.13, 0.11, 0.13, 0.13];

pub(crate) fn show(ui: &mut Ui, state: &State, open: &OpenPlan) {
    let t = &state.theme;
    let remark = match open.calls.len() {
        0 => None,
        n => Some(format!("{n} of {} attempts, newest first", group(open.calls.front().map_or(0, |row| row.line)))),
    };
    part(ui, state, "Last calls", remark.as_deref(), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        if open.calls.is_empty() {
            let words = if open.standing.is_ok() {
                "None yet. Each attempt comes up here as soon as it is recorded."
            } else {
                "Not shown: what lies in this folder cannot be relied on."
            };
            quiet(ui, words);
            return;
        }
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
        let heads = ["line", "cell", "status", "time", "missing", "odd"];
        for (i, (part, head)) in split(rect).into_iter().zip(heads).enumerate() {
            cell(ui, part, head, t.sans(t.size.caption), t.color.muted, side(i), false);
        }
        for row in &open.calls {
            line(ui, t, row);
        }
    });
}

fn side(column: usize) -> Align {
    if matches!(column, 0 | 3) { Align::Max } else { Align::Min }
}

fn split(rect: Rect) -> [Rect; 6] {
    let mut left = rect.left();
    SHARES.map(|share| {
        let part = Rect::from_min_max(pos2(left, rect.top()), pos2(left + rect.width() * share, rect.bottom()));
        left = part.right();
        // What is set to the right keeps its distance from the next column.
        part.with_max_x(left - 8.0)
    })
}

fn line(ui: &mut Ui, t: &Theme, row: &CallRow) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), t.row.table), Sense::hover());
    let status = row.status_words();
    let missing = if row.missing.is_empty() { String::new() } else { group(row.missing.len()) };
    let again = if row.attempt > 1 { format!(" (attempt {})", row.attempt) } else { String::new() };
    let name = format!("{}{again}", row.cell);
    let lacking = if row.missing.is_empty() { String::new() } else { format!(", missing {}", row.missing.join("; ")) };
    let odd = row.flags.join("; ");
    let flags = if odd.is_empty() { String::new() } else { format!(", odd: {odd}") };
    let error = row.failure.as_ref().map(|failure| format!(", {failure}")).unwrap_or_default();
    let elapsed = format!("{} ms", group(usize::try_from(row.elapsed_ms).unwrap_or(usize::MAX)));
    let spoken = format!("{name}: {status}, {elapsed}{lacking}{flags}{error}");
    response.widget_info(|| WidgetInfo::labeled(Role::Row, true, &spoken));
    if !ui.is_rect_visible(rect) {
        return;
    }
    if response.hovered() {
        ui.painter().rect_filled(rect, 0, t.color.hover);
    }
    let ink: Color32 = if row.is_answer() { t.color.text } else { t.color.bad };
    let time = if row.elapsed_ms < 10_000 {
        format!("{} ms", row.elapsed_ms)
    } else {
        format!("{:.1} s", row.elapsed_ms as f64 / 1e3)
    };
    let shown = [
        (group(row.line), t.color.muted),
        (name, t.color.text),
        (status, ink),
        (time, t.color.text),
        (missing, t.color.warn),
        (odd, t.color.muted),
    ];
    let mut parts = split(rect);
    if let Some(failure) = &row.failure {
        // Where no labels came there is room to say why.
        let room = parts[4].with_max_x(parts[5].right());
        cell(ui, room, failure, t.body(), t.color.bad, Align::Min, false);
        (parts[4], parts[5]) = (Rect::NOTHING, Rect::NOTHING);
    }
    for (i, (part, (words, ink))) in parts.into_iter().zip(shown).enumerate() {
        let font = if matches!(i, 0 | 3) { t.mono(t.size.value) } else { t.body() };
        cell(ui, part, &words, font, ink, side(i), false);
    }
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(t.line(), t.color.stroke.gamma_multiply(0.7)));
    response.on_hover_text(spoken);
}
