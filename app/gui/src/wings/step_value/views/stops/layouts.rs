//! Layouts as heat maps, candidate by position, and the same figures as text.

use egui::{
    Align2, Color32, CornerRadius, Label, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2,
    vec2,
};

use decidendi_core::report::step_value::signed;
use decidendi_core::step_value::study::position;

use super::Page;
use crate::parts::quiet;

/// Side of a cell of the heat maps.
const CELL: f32 = 21.0;

/// Whether cyclic layouts gave every candidate every position equally often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Balance {
    /// So many times each.
    Whole(usize),
    /// Not so: some positions were taken once more than others, or never.
    Part {
        /// Layouts.
        layouts: usize,
        /// Positions, as many as candidates.
        positions: usize,
    },
}

impl Balance {
    pub(super) const fn of(layouts: usize, positions: usize) -> Self {
        match layouts.checked_rem(positions) {
            Some(0) => Self::Whole(layouts / positions),
            _ => Self::Part { layouts, positions },
        }
    }

    /// What it does to position bias in the mean over the layouts.
    pub(super) fn words(self) -> String {
        match self {
            Self::Whole(1) => "Each candidate has stood at every position once, so position bias cancels.".to_owned(),
            Self::Whole(times) => {
                format!("Each candidate has stood at every position {times} times, so position bias cancels.")
            }
            Self::Part { layouts, positions } if layouts < positions => {
                format!(
                    "Each candidate has stood at {layouts} of {positions} positions: part of the position bias stays."
                )
            }
            Self::Part { layouts, positions } => format!(
                "{layouts} layouts over {positions} positions: some were taken more often than others, so part of the position bias stays."
            ),
        }
    }
}

/// Layout by layout, candidate by candidate: a figure, where there is one.
pub(super) type Layouts = [Vec<Option<f64>>];

/// One heat map a layout, and the numbers below.
pub(super) fn show(ui: &mut Ui, page: &Page<'_>, layouts: &Layouts, what: &str) {
    let open = page.open;
    let Some(step) = open.transition() else { return };
    let names = open.study().candidates(step);
    let known: Vec<f64> = layouts.iter().flatten().flatten().copied().collect();
    let lo = known.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    maps(ui, page, layouts, names, [lo, hi]);
    numbers(ui, page, names, layouts, step.target);
    let flat = known.len() > 1 && hi - lo < 1e-12;
    let lacking = layouts.iter().flatten().any(Option::is_none);
    let words = if known.is_empty() {
        "Every layout of this wave misses a score, so there is nothing to draw and nothing to reduce.".to_owned()
    } else if flat {
        let rivals = names.len().saturating_sub(1);
        format!(
            "All {what} figures are equal: the evaluator tells no candidate from another here, and the margin is −log({rivals})."
        )
    } else if lacking {
        format!(
            "Shade: {what}, from {} (faint) to {} (full). Dotted: missing. A layout that misses a score is not centred, and nothing is put in its place.",
            signed(lo),
            signed(hi)
        )
    } else {
        let removed = match Balance::of(layouts.len(), names.len()) {
            Balance::Whole(_) => "the layout mean removes it".to_owned(),
            Balance::Part { .. } => "the layout mean removes a part of it alone".to_owned(),
        };
        format!(
            "Shade: {what}, from {} (faint) to {} (full). A column that stays full whatever the candidate is position bias; {removed}.",
            signed(lo),
            signed(hi)
        )
    };
    quiet(ui, words);
}

fn maps(ui: &mut Ui, page: &Page<'_>, layouts: &Layouts, names: &[String], [lo, hi]: [f64; 2]) {
    let t = page.theme;
    let k = names.len();
    let room = ui.available_width();
    let name_room = 22.0;
    let gap = 26.0;
    let wanted = (room - name_room - gap * layouts.len() as f32) / (k * layouts.len()).max(1) as f32;
    let side = wanted.clamp(9.0, CELL).floor();
    let columns =
        (((room - name_room + gap) / (side * k as f32 + gap)).floor() as usize).clamp(1, layouts.len().max(1));
    for (row, chunk) in layouts.chunks(columns).enumerate() {
        let size = vec2(room, 18.0 + side * k as f32 + 17.0);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        for (column, energies) in chunk.iter().enumerate() {
            let layout = row * columns + column;
            let left = rect.left() + name_room + column as f32 * (side * k as f32 + gap);
            let origin = pos2(left, rect.top() + 18.0);
            let p = ui.painter();
            let middle = left + side * k as f32 / 2.0;
            p.text(
                pos2(middle, rect.top() + 7.0),
                Align2::CENTER_CENTER,
                format!("layout {layout}"),
                t.sans(t.size.caption),
                t.color.muted,
            );
            for candidate in 0..k {
                if column == 0 {
                    let at = pos2(rect.left() + 14.0, origin.y + side * (candidate as f32 + 0.5));
                    p.text(at, Align2::RIGHT_CENTER, letter(candidate, false), t.sans(t.size.caption), t.color.muted);
                }
                let at = pos2(left + side * (candidate as f32 + 0.5), origin.y + side * k as f32 + 9.0);
                p.text(at, Align2::CENTER_CENTER, letter(candidate, true), t.sans(t.size.caption), t.color.faint);
            }
            map(ui, page, origin, side, layout, energies, names, [lo, hi]);
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "one cell grid, named once")]
fn map(
    ui: &Ui,
    page: &Page<'_>,
    origin: egui::Pos2,
    side: f32,
    layout: usize,
    energies: &[Option<f64>],
    names: &[String],
    [lo, hi]: [f64; 2],
) {
    let t = page.theme;
    let k = names.len();
    let whole = Rect::from_min_size(origin, Vec2::splat(side * k as f32));
    // Out of sight a map has its words alone: there may be as many maps as layouts, each of k × k cells.
    let shown = if ui.is_rect_visible(whole) { k } else { 0 };
    for candidate in 0..shown {
        for place in 0..k {
            let at = origin + vec2(place as f32 * side, candidate as f32 * side);
            let rect = Rect::from_min_size(at, Vec2::splat(side)).shrink(1.0);
            let here = position(candidate, layout, k) == place;
            let value = energies.get(candidate).copied().flatten().filter(|_| here);
            let fill = value.map_or(Color32::TRANSPARENT, |value| shade(page, value, lo, hi));
            let radius = CornerRadius::same(3);
            if here && value.is_none() {
                ui.painter().extend(egui::Shape::dotted_line(
                    &[rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()],
                    t.color.warn,
                    3.0,
                    0.8,
                ));
            } else {
                ui.painter().rect(rect, radius, fill, Stroke::new(t.line(), t.color.stroke), StrokeKind::Inside);
            }
        }
    }
    let response = ui.interact(whole, ui.scope_id().with(("map", layout)), Sense::hover());
    let words = || {
        let cells = (0..k).map(|candidate| {
            let value = energies.get(candidate).copied().flatten().map_or_else(|| "missing".to_owned(), signed);
            format!("{} at {}: {value}", names[candidate], letter(position(candidate, layout, k), true))
        });
        format!("Layout {layout}. {}", cells.collect::<Vec<_>>().join(", "))
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, words()));
    if response.hovered() {
        response.on_hover_text(words());
    }
}

/// Pale for the least, dark for the most; all-equal figures take the middle.
fn shade(page: &Page<'_>, value: f64, lo: f64, hi: f64) -> Color32 {
    let share = if hi - lo < 1e-12 { 0.5 } else { ((value - lo) / (hi - lo)) as f32 };
    page.theme.color.panel.lerp_to_gamma(page.theme.color.accent, 0.18 + 0.82 * share)
}

/// `a` or `A`; beyond 26 a number.
fn letter(at: usize, capital: bool) -> String {
    let first = if capital { b'A' } else { b'a' };
    u8::try_from(at)
        .ok()
        .filter(|at| *at < 26)
        .map_or_else(|| (at + 1).to_string(), |at| char::from(first + at).to_string())
}

/// Candidates by layouts, as text that can be selected.
fn numbers(ui: &mut Ui, page: &Page<'_>, names: &[String], layouts: &Layouts, target: usize) {
    let columns: Vec<(String, Vec<Option<f64>>)> =
        layouts.iter().enumerate().map(|(i, layout)| (format!("layout {i}"), layout.clone())).collect();
    grid(ui, page, names, &columns, target);
}

/// A block of figures in mono: one row a candidate, the target marked.
pub(super) fn grid(
    ui: &mut Ui,
    page: &Page<'_>,
    names: &[String],
    columns: &[(String, Vec<Option<f64>>)],
    target: usize,
) {
    let t = page.theme;
    let wide = names.iter().map(|n| n.chars().count().min(16)).max().unwrap_or(0) + 4;
    let mut text = format!("{:wide$}", "");
    for (head, _) in columns {
        text.push_str(&format!("{head:>10}"));
    }
    for (candidate, name) in names.iter().enumerate() {
        let name: String = name.chars().take(16).collect();
        let sign = if candidate == target { "›" } else { " " };
        text.push_str(&format!("\n{sign}{} {name:w$}", letter(candidate, false), w = wide.saturating_sub(3)));
        for (_, values) in columns {
            let value = values.get(candidate).copied().flatten().map_or_else(|| "missing".to_owned(), signed);
            text.push_str(&format!("{value:>10}"));
        }
    }
    let words = RichText::new(text).font(t.mono(t.size.value)).color(t.color.text);
    ui.add(Label::new(words).extend());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_bias_cancels_only_where_every_position_was_taken_equally_often() {
        let words = |layouts, positions| Balance::of(layouts, positions).words();
        assert_eq!(words(4, 4), "Each candidate has stood at every position once, so position bias cancels.");
        assert_eq!(words(8, 4), "Each candidate has stood at every position 2 times, so position bias cancels.");
        assert_eq!(words(2, 4), "Each candidate has stood at 2 of 4 positions: part of the position bias stays.");
        assert_eq!(
            words(6, 4),
            "6 layouts over 4 positions: some were taken more often than others, so part of the position bias stays."
        );
    }
}
