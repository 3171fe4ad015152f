//! Messages in the corner: what happened, and for a failure where, why and what next. Errors stay and can be copied.

use egui::{
    Align, Align2, Area, CornerRadius, Frame, Id, Label, Layout, Margin, Order, RichText, Role, Ui, Vec2, WidgetInfo,
};

use crate::desk::command::{Command, Commands};
use crate::desk::page::Messages;
use crate::desk::state::{State, Toast, Tone};
use crate::parts::{Press, icon, row};
use crate::theme::icons::Icon;

pub(crate) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    if state.toasts.is_empty() {
        return;
    }
    let t = &state.theme;
    let place = state.page().map_or(Messages::Left(12.0), |page| page.messages());
    let beside = place == Messages::Right && ui.ctx().content_rect().width() > 1060.0;
    let foot = if let Messages::Left(foot) = place { foot } else { 12.0 };
    let (corner, x, width) =
        if beside { (Align2::RIGHT_BOTTOM, -12.0, 298.0) } else { (Align2::LEFT_BOTTOM, 12.0, 380.0) };
    let offset = Vec2::new(x, -(t.row.status + foot));
    Area::new(Id::unique("toasts")).order(Order::Tooltip).anchor(corner, offset).show(ui.ctx(), |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        for toast in &state.toasts {
            one(ui, state, toast, width, commands);
        }
    });
}

fn one(ui: &mut Ui, state: &State, toast: &Toast, width: f32, commands: &mut Commands) {
    let t = &state.theme;
    let (sign, ink) = match toast.tone {
        Tone::Note => (Icon::Info, t.color.accent),
        Tone::Good => (Icon::Check, t.color.good),
        Tone::Warn => (Icon::Warn, t.color.warn),
        Tone::Bad => (Icon::Cross, t.color.bad),
    };
    let frame = Frame::new()
        .fill(t.color.panel)
        .stroke(egui::Stroke::new(t.line(), t.color.stroke))
        .corner_radius(CornerRadius::same(t.radius.card))
        .shadow(egui::Shadow { offset: [0, 4], blur: 16, spread: 0, color: t.color.shadow })
        .inner_margin(Margin { left: 14, right: 8, top: 8, bottom: 10 });
    let shown = frame.show(ui, |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing = Vec2::new(8.0, 2.0);
        row(ui, 24.0, |ui| {
            icon(ui, sign, 15.0, ink);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.add(Press::new("").icon(Icon::Close).quiet().small().name("Close message")).clicked() {
                    commands.push(Command::DismissToast(toast.id));
                }
                if toast.tone == Tone::Bad && ui.add(Press::new("Copy").quiet().small()).clicked() {
                    let detail = toast.detail.as_deref().unwrap_or_default();
                    commands.push(Command::Copy(format!("{}\n{detail}", toast.text), "Message"));
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(Label::new(RichText::new(&toast.text).font(t.bold(t.size.body)).color(t.color.text)).wrap());
                });
            });
        });
        if let Some(detail) = &toast.detail {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().interact_size.y = 16.0;
                ui.add_space(23.0);
                ui.add(Label::new(RichText::new(detail).font(t.sans(12.0)).color(t.color.muted)).wrap());
            });
        }
    });
    shown.response.widget_info(|| WidgetInfo::labeled(Role::Status, true, &toast.text));
    let rect = shown.response.rect;
    let bar = egui::Rect::from_min_max(
        rect.left_top() + Vec2::new(0.0, 8.0),
        egui::pos2(rect.left() + 3.0, rect.bottom() - 8.0),
    );
    ui.painter().rect_filled(bar, CornerRadius::same(2), ink);
}
