//! Chips, tags and key caps.

use egui::{Color32, CornerRadius, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, Widget, WidgetInfo, pos2};

use super::ring;
use crate::theme::Theme;
use crate::theme::icons::{Icon, square};

/// A filter chip: on or off, with its count.
pub struct Chip<'a> {
    text: &'a str,
    count: Option<usize>,
    noun: &'a str,
    on: bool,
}

impl<'a> Chip<'a> {
    /// A chip.
    #[must_use]
    pub const fn new(text: &'a str, on: bool) -> Self {
        Self { text, count: None, noun: "case", on }
    }

    /// What is counted, instead of cases.
    #[must_use]
    pub const fn noun(mut self, noun: &'a str) -> Self {
        self.noun = noun;
        self
    }

    /// With a count.
    #[must_use]
    pub const fn count(mut self, count: usize) -> Self {
        self.count = Some(count);
        self
    }
}

impl Widget for Chip<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let t = Theme::of(ui.ctx());
        let c = &t.color;
        let font = t.sans(12.0);
        let label = ui.painter().layout_no_wrap(self.text.to_owned(), font, Color32::PLACEHOLDER);
        let number = self.count.map(|n| ui.painter().layout_no_wrap(group(n), t.mono(11.0), Color32::PLACEHOLDER));
        let mark = if self.on { 14.0 } else { 0.0 };
        let width = 20.0 + mark + label.size().x + number.as_ref().map_or(0.0, |n| n.size().x + 6.0);
        let (rect, response) = ui.allocate_exact_size(Vec2::new(width.round(), 24.0), Sense::click());
        let name =
            self.count.map_or_else(|| self.text.to_owned(), |n| format!("{}, {}", self.text, counted(n, self.noun)));
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, self.on, &name));
        let (fill, stroke, ink) = if self.on {
            (c.accent_bg, Stroke::new(t.line(), c.accent), c.accent)
        } else if response.hovered() {
            (c.hover, Stroke::new(t.line(), c.strong), c.text)
        } else {
            (c.raised, t.hairline(), c.text)
        };
        ui.painter().rect(rect, CornerRadius::same(t.radius.chip), fill, stroke, StrokeKind::Inside);
        let mut x = rect.left() + 10.0;
        if self.on {
            Icon::Check.paint(ui.painter(), square(pos2(x + 4.0, rect.center().y), 12.0), ink);
            x += mark;
        }
        let at = pos2(x, rect.center().y - label.size().y / 2.0);
        x += label.size().x + 6.0;
        ui.painter().galley(at, label, ink);
        if let Some(number) = number {
            let at = pos2(x, rect.center().y - number.size().y / 2.0);
            ui.painter().galley(at, number, if self.on { c.accent } else { c.muted });
        }
        ring(ui, &response, rect, t.radius.chip);
        response.on_hover_cursor(egui::CursorIcon::PointingHand)
    }
}

/// A number with thin gaps between thousands.
#[must_use]
pub fn group(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

/// Words with their numbers of four and more digits grouped. Names between backticks stay as they are, and so do digits that
/// belong to a word, a fraction or a place in a file.
#[must_use]
pub fn grouped(words: &str) -> String {
    let in_words = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '/' | ':');
    let mut out = String::with_capacity(words.len() + 8);
    for (i, part) in words.split('`').enumerate() {
        if i > 0 {
            out.push('`');
        }
        if i % 2 == 1 {
            out.push_str(part);
            continue;
        }
        for piece in part.split_inclusive(|c: char| !in_words(c)) {
            let word = piece.trim_end_matches(|c: char| !in_words(c) || matches!(c, '.' | ':'));
            let digits = word.len() > 3 && !word.starts_with('0') && word.bytes().all(|b| b.is_ascii_digit());
            match word.parse().ok().filter(|_| digits) {
                Some(n) => out.push_str(&group(n)),
                None => out.push_str(word),
            }
            out.push_str(&piece[word.len()..]);
        }
    }
    out
}

/// A number with its noun: `1 case`, `1,200 cases`.
#[must_use]
pub fn counted(n: usize, noun: &str) -> String {
    format!("{} {noun}{}", group(n), if n == 1 { "" } else { "s" })
}

/// A number with a noun whose plural is a word of its own: `1 trajectory`, `1,200 trajectories`.
#[must_use]
pub fn counted_as(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", group(n), if n == 1 { one } else { many })
}

/// How many trajectories.
#[must_use]
pub fn trajectories(n: usize) -> String {
    counted_as(n, "trajectory", "trajectories")
}

/// A quiet tag: version labels, engine, states. `tint` colours its line and text.
pub fn tag(ui: &mut Ui, words: &str, tint: Option<(Color32, Color32)>) -> Response {
    let t = Theme::of(ui.ctx());
    let (ink, fill) = tint.unwrap_or((t.color.text, t.color.raised));
    let line = tint.map_or(t.color.stroke, |(ink, _)| ink.gamma_multiply(0.5));
    let label = ui.painter().layout_no_wrap(words.to_owned(), t.sans(12.0), ink);
    let (rect, response) = ui.allocate_exact_size(Vec2::new((label.size().x + 20.0).round(), 22.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, words));
    ui.painter().rect(rect, CornerRadius::same(t.radius.chip), fill, Stroke::new(t.line(), line), StrokeKind::Inside);
    ui.painter().galley(rect.center() - label.size() / 2.0, label, ink);
    response
}

/// A key cap.
pub fn key_cap(ui: &mut Ui, key: &str) -> Response {
    let t = Theme::of(ui.ctx());
    let label = ui.painter().layout_no_wrap(key.to_owned(), t.sans(t.size.caption), t.color.muted);
    let size = Vec2::new((label.size().x + 12.0).max(20.0).round(), 18.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("key {key}")));
    ui.painter().rect(rect, CornerRadius::same(4), t.color.panel, t.hairline(), StrokeKind::Inside);
    ui.painter().galley(rect.center() - label.size() / 2.0, label, t.color.muted);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words_are_grouped_and_names_are_left() {
        let words =
            "17600 lines read: 1004 of 1100 (12345 by `t 12345`), 999 blank, 3.14159, t017-04, a:12345:7, 2026.";
        let grouped_words =
            "17,600 lines read: 1,004 of 1,100 (12,345 by `t 12345`), 999 blank, 3.14159, t017-04, a:12345:7, 2,026.";
        assert_eq!(grouped(words), grouped_words);
        assert_eq!(grouped(""), "");
    }
}
