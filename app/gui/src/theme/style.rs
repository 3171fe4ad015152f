//! The theme laid over the toolkit's own style.

use egui::style::ScrollStyle;
use egui::{CornerRadius, Margin, Shadow, Stroke, TextStyle, Vec2};

use super::Theme;

impl Theme {
    pub(super) fn style(&self, style: &mut egui::Style) {
        let c = &self.color;
        style.animation_time = 0.08;
        style.interaction.tooltip_delay = 0.35;
        style.interaction.selectable_labels = true;
        style.text_styles = [
            (TextStyle::Small, self.sans(self.size.caption)),
            (TextStyle::Body, self.body()),
            (TextStyle::Button, self.body()),
            (TextStyle::Heading, self.bold(self.size.title)),
            (TextStyle::Monospace, self.mono(self.size.value)),
        ]
        .into();
        let s = &mut style.spacing;
        s.item_spacing = Vec2::new(self.space.s, self.space.s);
        s.button_padding = Vec2::new(self.space.m, 5.0);
        s.interact_size.y = self.row.table;
        s.menu_margin = Margin::same(6);
        s.menu_width = 260.0;
        s.window_margin = Margin::same(16);
        s.indent = 16.0;
        s.combo_width = 120.0;
        s.tooltip_width = 380.0;
        s.scroll = ScrollStyle { bar_width: 8.0, floating: true, ..ScrollStyle::floating() };
        self.visuals(&mut style.visuals);
        style.visuals.dark_mode = self.dark;
        style.visuals.hyperlink_color = c.accent;
    }

    fn visuals(&self, v: &mut egui::Visuals) {
        let c = &self.color;
        let control = CornerRadius::same(self.radius.control);
        v.override_text_color = None;
        v.weak_text_color = Some(c.muted);
        v.faint_bg_color = c.raised;
        v.extreme_bg_color = c.raised;
        v.text_edit_bg_color = Some(c.raised);
        v.code_bg_color = c.raised;
        v.warn_fg_color = c.warn;
        v.error_fg_color = c.bad;
        v.window_fill = c.panel;
        v.window_stroke = self.hairline();
        v.window_corner_radius = CornerRadius::same(self.radius.card);
        v.window_shadow = Shadow { offset: [0, 8], blur: 28, spread: 0, color: c.shadow };
        v.popup_shadow = Shadow { offset: [0, 4], blur: 14, spread: 0, color: c.shadow };
        v.menu_corner_radius = CornerRadius::same(self.radius.card);
        v.panel_fill = c.bg;
        v.selection.bg_fill = c.accent.gamma_multiply(0.32);
        v.selection.stroke = Stroke::new(1.0, c.accent);
        v.striped = false;
        v.slider_trailing_fill = true;
        v.indent_has_left_vline = false;
        v.disabled_alpha = 0.45;
        let line = self.hairline();
        for (w, fill, stroke, text) in [
            (&mut v.widgets.noninteractive, c.panel, line, c.text),
            (&mut v.widgets.inactive, c.panel, line, c.text),
            (&mut v.widgets.hovered, c.hover, Stroke::new(self.line(), c.strong), c.text),
            (&mut v.widgets.active, c.accent_bg, Stroke::new(self.line(), c.accent), c.text),
            (&mut v.widgets.open, c.hover, line, c.text),
        ] {
            w.bg_fill = fill;
            w.weak_bg_fill = fill;
            w.bg_stroke = stroke;
            w.fg_stroke = Stroke::new(1.2, text);
            w.corner_radius = control;
            w.expansion = 0.0;
        }
    }
}
