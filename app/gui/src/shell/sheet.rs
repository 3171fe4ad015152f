//! A sheet over the window: its frame, and the part of it that scrolls.

use egui::{Align, Context, CornerRadius, Frame, Id, Layout, Margin, Modal, ScrollArea, Ui, Vec2};

use crate::desk::state::State;
use crate::parts::{Press, scroll_keys, text};
use crate::theme::icons::Icon;

/// The part of a sheet between its head and a foot of this height: scrolls where the window is too low for it.
pub(super) fn scrolled(ui: &mut Ui, foot: f32, add: impl FnOnce(&mut Ui)) {
    /// Head and margins of a sheet, and what stays free above and below it.
    const AROUND: f32 = 140.0;
    let height = (ui.ctx().content_rect().height() - AROUND - foot).max(80.0);
    ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        scroll_keys(ui, false);
        add(ui);
    });
}

/// A modal sheet with a title and a way out. Tells whether it was closed.
pub(super) fn sheet(ctx: &Context, state: &State, title: &str, width: f32, add: impl FnOnce(&mut Ui)) -> bool {
    let t = &state.theme;
    let width = width.min(ctx.content_rect().width() - 88.0);
    let frame = Frame::new()
        .fill(t.color.panel)
        .stroke(t.hairline())
        .corner_radius(CornerRadius::same(t.radius.card + 4))
        .shadow(egui::Shadow { offset: [0, 12], blur: 40, spread: 0, color: t.color.shadow })
        .inner_margin(Margin::same(20));
    // An area never grows beyond the size it first had: where window or zoom has changed much, it is another.
    let room = (ctx.content_rect().size() / 64.0).floor();
    let id = Id::unique(("sheet", title, room.x as u32, room.y as u32));
    // The first frame must already have its room, or lists would stay as low as an ordinary popup.
    let area = Modal::default_area(id).default_size(ctx.content_rect().size() - Vec2::splat(60.0));
    let modal = Modal::new(id).area(area).backdrop_color(t.color.scrim).frame(frame);
    let shown = modal.show(ctx, |ui| {
        ui.set_width(width);
        let mut closed = false;
        ui.horizontal(|ui| {
            text(ui, title, t.bold(t.size.subtitle), t.color.text);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                closed = ui.add(Press::new("").icon(Icon::Close).quiet().small().name("Close")).clicked();
            });
        });
        ui.add_space(t.space.s);
        add(ui);
        closed
    });
    shown.inner || shown.backdrop_response.clicked()
}
