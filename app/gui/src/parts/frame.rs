//! Columns of the page: a card of a given place, a foot that stays at its bottom, and a body that scrolls only when it must.

use crate::theme::Theme;
use egui::{CornerRadius, Rect, ScrollArea, StrokeKind, Ui, UiBuilder, pos2, vec2};

/// Paints a card and gives the room inside.
pub(crate) fn card(ui: &Ui, t: &Theme, rect: Rect) -> Rect {
    ui.painter().rect(rect, CornerRadius::same(t.radius.card), t.color.panel, t.hairline(), StrokeKind::Inside);
    rect.shrink(t.width.card_padding)
}

/// Lays `add` at the bottom of `inner` and gives what is left above it.
pub(crate) fn foot(ui: &mut Ui, inner: Rect, salt: &str, add: impl FnOnce(&mut Ui)) -> Rect {
    let id = ui.scope_id().with((salt, "foot"));
    let known: f32 = ui.data(|d| d.get_temp(id)).unwrap_or(0.0);
    let top = (inner.bottom() - known).max(inner.top());
    let rect = Rect::from_min_max(pos2(inner.left(), top), inner.max);
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt((salt, "foot")));
    child.set_width(rect.width());
    add(&mut child);
    let height = child.min_rect().height();
    if (height - known).abs() > 0.5 {
        // Its height is known only now: lay this frame out again rather than show a jump.
        ui.data_mut(|d| d.insert_temp(id, height));
        ui.ctx().request_discard("the foot of a column changed its height");
    }
    Rect::from_min_max(inner.min, pos2(inner.right(), (inner.bottom() - height - 10.0).max(inner.top())))
}

/// The body of a column: scrolls when it is longer than its room, with `keys` by page keys too.
pub(crate) fn body(ui: &mut Ui, rect: Rect, salt: &str, keys: bool, add: impl FnOnce(&mut Ui)) {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt((salt, "body")));
    ScrollArea::vertical().id_salt(salt).auto_shrink([false, false]).show(&mut child, |ui| {
        // Without it a wide child would push its neighbours out of the card.
        ui.set_max_width(rect.width());
        ui.set_min_width(rect.width());
        if keys {
            crate::parts::scroll_keys(ui, false);
        }
        add(ui);
    });
}

/// The part of a column above its body: laid out at the top, what is left is given back.
pub(crate) fn head(ui: &mut Ui, inner: Rect, salt: &str, add: impl FnOnce(&mut Ui)) -> Rect {
    let mut child = ui.new_child(UiBuilder::new().max_rect(inner).id_salt((salt, "head")));
    child.set_width(inner.width());
    add(&mut child);
    let bottom = child.min_rect().bottom() + 8.0;
    Rect::from_min_max(pos2(inner.left(), bottom.min(inner.bottom())), inner.max)
}

/// A section head in spaced capitals with a remark, on one line.
pub(crate) fn section(ui: &mut Ui, t: &Theme, title: &str, remark: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let head = egui::RichText::new(title.to_uppercase()).font(t.bold(t.size.section)).extra_letter_spacing(0.9);
        ui.add(egui::Label::new(head.color(t.color.muted)).selectable(false));
        if !remark.is_empty() {
            let remark = egui::RichText::new(remark).font(t.bold(t.size.caption)).color(t.color.faint);
            ui.add(egui::Label::new(remark).truncate());
        }
    });
}

/// A link in the flow of the text.
pub(crate) fn link(ui: &mut Ui, t: &Theme, words: &str, name: &str) -> bool {
    let text = egui::RichText::new(words).font(t.sans(12.0)).color(t.color.accent);
    let response = ui.add(egui::Label::new(text).sense(egui::Sense::click()).selectable(false));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    crate::parts::ring(ui, &response, response.rect.expand2(vec2(3.0, 1.0)), 3);
    response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked()
}
