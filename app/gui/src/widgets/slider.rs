//! A slider with a mark on its track: drag, click, or use the arrow keys.

use egui::{CornerRadius, Key, Rect, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2};

use crate::theme::Theme;

/// What it shows.
pub struct Slider<'a> {
    /// Its name for screen readers.
    pub name: &'a str,
    /// Where the knob stands.
    pub value: f64,
    /// The ends of the track.
    pub range: [f64; 2],
    /// A place on the track worth a sign.
    pub mark: Option<f64>,
    /// How far an arrow key goes.
    pub step: f64,
}

/// Shows it over `width`; gives the new value if it was moved.
pub fn show(ui: &mut Ui, slider: &Slider<'_>, width: f32) -> Option<f64> {
    let t = Theme::of(ui.ctx());
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, 24.0), Sense::click_and_drag());
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::slider(enabled, slider.value, slider.name));
    let track = Rect::from_center_size(rect.center(), Vec2::new(rect.width() - 14.0, 4.0));
    let [lo, hi] = slider.range;
    let at = |value: f64| track.left() + track.width() * ((value - lo) / (hi - lo)).clamp(0.0, 1.0) as f32;
    let p = ui.painter();
    p.rect_filled(track, CornerRadius::same(2), t.color.stroke);
    if let Some(mark) = slider.mark {
        let x = at(mark);
        p.vline(x, (track.center().y - 8.0)..=(track.center().y + 8.0), Stroke::new(2.0, t.color.text));
    }
    let knob = pos2(at(slider.value), track.center().y);
    let radius = if response.hovered() || response.dragged() { 8.0 } else { 7.0 };
    p.circle(knob, radius, t.color.accent, Stroke::new(1.5, t.color.panel));
    crate::parts::ring(ui, &response, rect, 6);
    let mut value = slider.value;
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged() || response.clicked()) {
        let share = f64::from((pointer.x - track.left()) / track.width()).clamp(0.0, 1.0);
        value = lo + share * (hi - lo);
    }
    if response.has_focus() {
        let filter = egui::EventFilter { horizontal_arrows: true, ..egui::EventFilter::default() };
        ui.memory_mut(|m| m.set_focus_lock_filter(response.id, filter));
        let steps = ui.input(|i| {
            let pressed = |key| i.num_presses(key) as f64;
            pressed(Key::ArrowRight) - pressed(Key::ArrowLeft)
        });
        value = (value + steps * slider.step).clamp(lo, hi);
    }
    let _ = response.on_hover_cursor(egui::CursorIcon::ResizeHorizontal);
    (value != slider.value).then_some(value)
}
