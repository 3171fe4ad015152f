//! A button: text, perhaps an icon, perhaps its key.

use egui::{
    Color32, CornerRadius, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, Widget, WidgetInfo, pos2,
};

use super::ring;
use crate::theme::Theme;
use crate::theme::icons::{Icon, square};

/// How much a button asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// The one primary action of a view.
    Primary,
    /// Any other action.
    #[default]
    Plain,
    /// Without a frame until it is pointed at.
    Quiet,
}

/// A button.
pub struct Press<'a> {
    text: &'a str,
    name: Option<&'a str>,
    key: Option<String>,
    icon: Option<Icon>,
    kind: Kind,
    enabled: bool,
    wide: bool,
    small: bool,
}

impl<'a> Press<'a> {
    /// A plain button.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self { text, name: None, key: None, icon: None, kind: Kind::Plain, enabled: true, wide: false, small: false }
    }

    /// The one primary action.
    #[must_use]
    pub const fn primary(mut self) -> Self {
        self.kind = Kind::Primary;
        self
    }

    /// Without a frame.
    #[must_use]
    pub const fn quiet(mut self) -> Self {
        self.kind = Kind::Quiet;
        self
    }

    /// Lower, for rows.
    #[must_use]
    pub const fn small(mut self) -> Self {
        self.small = true;
        self
    }

    /// As wide as there is room.
    #[must_use]
    pub const fn wide(mut self) -> Self {
        self.wide = true;
        self
    }

    /// With its key.
    #[must_use]
    pub fn key(mut self, key: Option<String>) -> Self {
        self.key = key;
        self
    }

    /// With an icon.
    #[must_use]
    pub const fn icon(mut self, icon: Icon) -> Self {
        self.icon = Some(icon);
        self
    }

    /// Another name for screen readers than its text.
    #[must_use]
    pub const fn name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }

    /// Whether it can be pressed.
    #[must_use]
    pub const fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    fn colors(&self, t: &Theme, response: &Response) -> (Color32, Stroke, Color32) {
        let c = &t.color;
        let line = Stroke::new(t.line(), c.stroke);
        if !self.enabled {
            return match self.kind {
                Kind::Quiet => (Color32::TRANSPARENT, Stroke::NONE, c.faint),
                _ => (c.raised, line, c.faint),
            };
        }
        let (hot, down) = (response.hovered(), response.is_pointer_button_down_on());
        match self.kind {
            Kind::Primary => (if hot || down { c.accent_hover } else { c.accent }, Stroke::NONE, c.on_accent),
            Kind::Plain if down => (c.accent_bg, Stroke::new(t.line(), c.accent), c.text),
            Kind::Plain => {
                (if hot { c.hover } else { c.raised }, if hot { Stroke::new(t.line(), c.strong) } else { line }, c.text)
            }
            Kind::Quiet => (
                if hot || down { c.hover } else { Color32::TRANSPARENT },
                Stroke::NONE,
                if hot { c.text } else { c.muted },
            ),
        }
    }
}

impl Widget for Press<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let t = Theme::of(ui.ctx());
        let font = if self.kind == Kind::Primary { t.bold(t.size.body) } else { t.body() };
        let label = ui.painter().layout_no_wrap(self.text.to_owned(), font, Color32::PLACEHOLDER);
        let key_size = if self.kind == Kind::Primary { 12.5 } else { t.size.caption };
        let cap =
            self.key.as_ref().map(|k| ui.painter().layout_no_wrap(k.clone(), t.sans(key_size), Color32::PLACEHOLDER));
        let (height, pad) = if self.small { (24.0, 8.0) } else { (t.row.control, 14.0) };
        let sign = if self.icon.is_some() { 16.0 } else { 0.0 };
        let gap = if self.icon.is_some() && !self.text.is_empty() { 8.0 } else { 0.0 };
        let cap_pad = if self.kind == Kind::Primary { 0.0 } else { 12.0 };
        let key_room = cap.as_ref().map_or(0.0, |g| g.size().x + cap_pad + 10.0);
        let pad = if self.text.is_empty() { 6.0 } else { pad };
        let content = sign + gap + label.size().x + key_room;
        let width = if self.wide { ui.available_width().max(content + 2.0 * pad) } else { content + 2.0 * pad };
        let sense = if self.enabled { Sense::click() } else { Sense::hover() };
        let (rect, response) = ui.allocate_exact_size(Vec2::new(width.round(), height), sense);
        let name = self.name.unwrap_or(self.text).to_owned();
        response.widget_info(|| WidgetInfo::labeled(Role::Button, self.enabled, &name));
        if !ui.is_rect_visible(rect) {
            return response;
        }
        let (fill, stroke, color) = self.colors(&t, &response);
        let radius = CornerRadius::same(t.radius.control);
        ui.painter().rect(rect, radius, fill, stroke, StrokeKind::Inside);
        let mut x = rect.left() + pad;
        if let Some(icon) = self.icon {
            icon.paint(ui.painter(), square(pos2(x + 8.0, rect.center().y), 16.0), color);
            x += sign + gap;
        }
        let y = rect.center().y - label.size().y / 2.0;
        let text_width = label.size().x;
        ui.painter().galley(pos2(x, y), label, color);
        if let Some(cap) = cap {
            let left = if self.wide { rect.right() - pad - cap.size().x - cap_pad } else { x + text_width + 10.0 };
            let frame = Rect::from_min_size(pos2(left, rect.center().y - 9.0), Vec2::new(cap.size().x + cap_pad, 18.0));
            let at = frame.center() - cap.size() / 2.0;
            if self.kind != Kind::Primary {
                ui.painter().rect(frame, CornerRadius::same(4), t.color.panel, t.hairline(), StrokeKind::Inside);
            }
            let ink = if self.kind == Kind::Primary || !self.enabled { color } else { t.color.muted };
            ui.painter().galley(at, cap, ink);
        }
        ring(ui, &response, rect, t.radius.control);
        response.on_hover_cursor(egui::CursorIcon::PointingHand)
    }
}
