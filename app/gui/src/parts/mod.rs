//! Small parts that every view is made of: buttons with their key, chips, key caps, cards, section heads, empty states.
//! Each is drawn from the theme and has a name for screen readers.

use std::path::Path;

use egui::{
    Align2, Color32, CornerRadius, FontId, Frame, InnerResponse, Key, Margin, Rect, Response, RichText, Role, Sense,
    Stroke, StrokeKind, Ui, Vec2, Widget, WidgetInfo,
};

use crate::theme::Theme;
use crate::theme::icons::{Icon, square};

mod chip;
pub mod frame;
mod press;

pub use chip::{Chip, counted, counted_as, group, grouped, key_cap, tag, trajectories};
pub use press::{Kind, Press};

/// A card: panel ground, hairline, rounded, padded.
pub fn card<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> InnerResponse<R> {
    let t = Theme::of(ui.ctx());
    card_frame(&t).show(ui, add)
}

/// The frame of a card.
pub fn card_frame(t: &Theme) -> Frame {
    Frame::new()
        .fill(t.color.panel)
        .stroke(t.hairline())
        .corner_radius(CornerRadius::same(t.radius.card))
        .inner_margin(Margin::same(margin(t.width.card_padding)))
}

/// Points as a margin.
#[expect(clippy::cast_possible_truncation, reason = "margins are small whole points")]
#[must_use]
pub fn margin(points: f32) -> i8 {
    points.clamp(0.0, 100.0) as i8
}

/// A section head in small spaced capitals, with a quiet remark beside it.
pub fn section(ui: &mut Ui, title: &str, remark: Option<&str>) -> Response {
    let t = Theme::of(ui.ctx());
    row(ui, 18.0, |ui| {
        let head = RichText::new(title.to_uppercase())
            .font(t.bold(t.size.section))
            .extra_letter_spacing(0.9)
            .color(t.color.muted);
        let head = ui.add(egui::Label::new(head).selectable(false));
        if let Some(remark) = remark {
            ui.label(RichText::new(remark).font(t.sans(t.size.caption)).color(t.color.muted));
        }
        head
    })
    .inner
}

/// A row of a given height, its parts centred; the toolkit's own rows are never lower than a button.
pub fn row<R>(ui: &mut Ui, height: f32, add: impl FnOnce(&mut Ui) -> R) -> InnerResponse<R> {
    let size = Vec2::new(ui.available_width(), height);
    ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.set_min_height(height);
        ui.spacing_mut().interact_size.y = height;
        add(ui)
    })
}

/// Text that wraps; what stands between backticks is set in mono.
pub fn rich(ui: &mut Ui, words: &str, color: Color32) -> Response {
    let t = Theme::of(ui.ctx());
    let mut job = egui::text::LayoutJob::default();
    for (i, part) in words.split('`').enumerate() {
        let font = if i % 2 == 1 { t.mono(t.size.value) } else { t.body() };
        job.append(
            part,
            0.0,
            egui::TextFormat { font_id: font, color, valign: egui::Align::BOTTOM, ..Default::default() },
        );
    }
    ui.add(egui::Label::new(job).wrap())
}

/// Text in a colour and a face.
pub fn text(ui: &mut Ui, words: impl Into<String>, font: FontId, color: Color32) -> Response {
    ui.label(RichText::new(words).font(font).color(color))
}

/// Quiet text that wraps.
pub fn quiet(ui: &mut Ui, words: impl Into<String>) -> Response {
    let t = Theme::of(ui.ctx());
    ui.add(egui::Label::new(RichText::new(words).color(t.color.muted)).wrap())
}

/// An icon in the flow of a row.
pub fn icon(ui: &mut Ui, icon: Icon, size: f32, color: Color32) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(size), Sense::hover());
    icon.paint(ui.painter(), square(rect.center(), size), color);
    response
}

/// A hairline over the whole width.
pub fn rule(ui: &mut Ui) {
    let t = Theme::of(ui.ctx());
    let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), 1.0), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, t.hairline());
}

/// Why a place is empty, and the one next step.
pub fn empty(ui: &mut Ui, sign: Icon, title: &str, why: &str, next: impl FnOnce(&mut Ui)) {
    let t = Theme::of(ui.ctx());
    // Inside of what scrolls there is no end of room: what can be seen counts.
    let room = ui.available_height().min(ui.clip_rect().height());
    ui.vertical_centered(|ui| {
        ui.add_space(((room - 260.0) * 0.43).clamp(12.0, 220.0));
        icon(ui, sign, 36.0, t.color.strong);
        ui.add_space(t.space.s);
        text(ui, title, t.bold(t.size.subtitle), t.color.text);
        ui.set_max_width(520.0);
        quiet(ui, why);
        ui.add_space(t.space.s);
        next(ui);
    });
}

/// A card over the whole view that scrolls, by keys too, where what it says has too little room.
pub fn page_card(ui: &mut Ui, keys: bool, add: impl FnOnce(&mut Ui)) {
    card(ui, |ui| {
        ui.set_min_size(ui.available_size());
        egui::ScrollArea::vertical().id_salt("page card").auto_shrink(false).show(ui, |ui| {
            if keys {
                scroll_keys(ui, true);
            }
            add(ui);
        });
    });
}

/// A note across the view: icon, text, what to do.
pub fn banner(ui: &mut Ui, sign: Icon, color: Color32, ground: Color32, words: &str, next: impl FnOnce(&mut Ui)) {
    let t = Theme::of(ui.ctx());
    Frame::new()
        .fill(ground)
        .stroke(Stroke::new(t.line(), color.gamma_multiply(0.55)))
        .corner_radius(CornerRadius::same(t.radius.card))
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                icon(ui, sign, 16.0, color);
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    next(ui);
                    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                        ui.add(egui::Label::new(RichText::new(words).color(t.color.text)).wrap());
                    });
                });
            });
        });
}

/// A row of alternatives of which one holds: `old | new`, `Cube | Lattice | Table`. Gives the index that was clicked.
pub fn segments(ui: &mut Ui, name: &str, words: &[&str], chosen: usize) -> Option<usize> {
    let t = Theme::of(ui.ctx());
    let font = t.bold(t.size.body);
    let widths: Vec<f32> = words
        .iter()
        .map(|w| ui.painter().layout_no_wrap((*w).to_owned(), font.clone(), t.color.text).size().x + 24.0)
        .collect();
    let size = Vec2::new(widths.iter().sum(), 24.0);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let mut left = rect.left();
    let mut clicked = None;
    for (i, (word, width)) in words.iter().zip(&widths).enumerate() {
        let part = Rect::from_min_size(egui::pos2(left, rect.top()), Vec2::new(*width, rect.height()));
        left += width;
        let response = ui.interact(part, ui.scope_id().with((name, i)), Sense::click());
        let on = i == chosen;
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, format!("{name}: {word}")));
        let ground = if on {
            t.color.accent_bg
        } else if response.hovered() {
            t.color.hover
        } else {
            Color32::TRANSPARENT
        };
        ui.painter().rect_filled(part, CornerRadius::same(t.radius.control), ground);
        let color = if on { t.color.accent } else { t.color.muted };
        ui.painter().text(part.center(), Align2::CENTER_CENTER, word, font.clone(), color);
        ring(ui, &response, part, t.radius.control);
        if response.clicked() && !on {
            clicked = Some(i);
        }
    }
    clicked
}

/// The ring around what has the keyboard.
pub fn ring(ui: &Ui, response: &Response, rect: Rect, radius: u8) {
    if response.has_focus() {
        let t = Theme::of(ui.ctx());
        ui.painter().rect_stroke(rect, CornerRadius::same(radius), t.focus(), StrokeKind::Outside);
    }
}

/// A text field with our frame; `name` is for screen readers. Gives the response and the changed text, if it changed.
pub fn field(ui: &mut Ui, name: &str, hint: &str, value: &str, width: f32) -> (Response, Option<String>) {
    let t = Theme::of(ui.ctx());
    let mut draft = value.to_owned();
    let edit = egui::TextEdit::singleline(&mut draft)
        .hint_text(RichText::new(hint).color(t.color.faint))
        .margin(Margin::symmetric(10, 6))
        .desired_width(width)
        .align(Align2::LEFT_CENTER);
    let response = edit.ui(ui);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, name));
    let changed = (draft != value).then_some(draft);
    (response, changed)
}

/// Keys that scroll the area around `ui`: by a page, to its ends, and with `arrows` by a line. They sleep while somebody
/// types.
pub fn scroll_keys(ui: &Ui, arrows: bool) {
    const ENDS: f32 = 1e6;
    const LINE: f32 = 48.0;
    if ui.ctx().text_edit_focused() {
        return;
    }
    let page = (ui.clip_rect().height() * 0.85).max(LINE);
    let by: f32 = ui.input_mut(|i| {
        let keys = [(Key::PageDown, -page), (Key::PageUp, page), (Key::End, -ENDS), (Key::Home, ENDS)];
        let lines = [(Key::ArrowDown, -LINE), (Key::ArrowUp, LINE)];
        let all = keys.into_iter().chain(lines.into_iter().filter(|_| arrows));
        all.filter(|(key, _)| i.consume_key(egui::Modifiers::NONE, *key)).map(|(_, by)| by).sum()
    });
    if by != 0.0 {
        ui.scroll_with_delta(Vec2::new(0.0, by));
    }
}

/// A digest by `ends` digits at its beginning and its end.
#[must_use]
pub fn short_digest(digest: &str, ends: usize) -> String {
    let hex = digest.strip_prefix("sha256:").unwrap_or(digest);
    match (hex.get(..ends), hex.get(hex.len().saturating_sub(ends)..)) {
        (Some(start), Some(end)) if hex.len() > 2 * ends => format!("sha256 {start}…{end}"),
        _ => digest.to_owned(),
    }
}

/// A path that fits: its end matters most.
#[must_use]
pub fn short_path(path: &Path, letters: usize) -> String {
    let whole = path.display().to_string();
    let count = whole.chars().count();
    if count <= letters.max(8) {
        return whole;
    }
    let tail: String = whole.chars().skip(count - letters.max(8) + 1).collect();
    format!("…{tail}")
}
