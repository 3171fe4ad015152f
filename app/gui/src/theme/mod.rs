//! The look: every colour and size by name, read from `assets/theme.toml`, and laid over the toolkit's style.

use std::sync::{Arc, LazyLock};

use egui::{Context, FontFamily, FontId, Id, Stroke};
use serde::{Deserialize, Serialize};

pub mod fonts;
pub mod icons;
mod style;
mod tokens;

pub use tokens::{Palette, Radii, Rows, Sizes, Space, Widths};

const FILE: &str = include_str!("../../../../assets/theme.toml");
static SHEET: LazyLock<Result<Sheet, toml::de::Error>> = LazyLock::new(|| toml::from_str(FILE));

/// Which of the looks a person asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Look {
    /// As the desktop says; light where it says nothing.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
    /// White on black with wide lines.
    HighContrast,
}

impl Look {
    /// All looks in menu order.
    pub const ALL: [Self; 4] = [Self::System, Self::Light, Self::Dark, Self::HighContrast];

    /// The name in the menu.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "Follow the system",
            Self::Light => "Light",
            Self::Dark => "Dark",
            Self::HighContrast => "High contrast",
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    size: Sizes,
    space: Space,
    radius: Radii,
    row: Rows,
    width: Widths,
    light: Palette,
    dark: Palette,
    contrast: Palette,
}

/// One look, resolved: what views draw with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Theme {
    /// Whether the background is dark.
    pub dark: bool,
    /// Whether lines are drawn wider, for high contrast.
    pub wide_lines: bool,
    /// Colours.
    pub color: Palette,
    /// Type sizes.
    pub size: Sizes,
    /// Gaps.
    pub space: Space,
    /// Corner radii.
    pub radius: Radii,
    /// Heights.
    pub row: Rows,
    /// Widths.
    pub width: Widths,
}

impl Theme {
    /// The theme of a look. `system_dark` answers for [`Look::System`].
    ///
    /// # Errors
    /// When `assets/theme.toml` does not read; a test keeps that from shipping.
    pub fn new(look: Look, system_dark: bool) -> Result<Self, &'static toml::de::Error> {
        let sheet = SHEET.as_ref()?;
        let (dark, color) = match look {
            Look::Light => (false, sheet.light),
            Look::Dark => (true, sheet.dark),
            Look::HighContrast => (true, sheet.contrast),
            Look::System if system_dark => (true, sheet.dark),
            Look::System => (false, sheet.light),
        };
        Ok(Self {
            dark,
            wide_lines: look == Look::HighContrast,
            color,
            size: sheet.size,
            space: sheet.space,
            radius: sheet.radius,
            row: sheet.row,
            width: sheet.width,
        })
    }

    /// The theme that was laid over `ctx` last.
    #[must_use]
    pub fn of(ctx: &Context) -> Arc<Self> {
        ctx.data(|d| d.get_temp(Self::key())).unwrap_or_default()
    }

    fn key() -> Id {
        Id::unique("decidendi theme")
    }

    /// Width of a hairline.
    #[must_use]
    pub const fn line(&self) -> f32 {
        if self.wide_lines { 1.5 } else { 1.0 }
    }

    /// The quiet line around cards and between rows.
    #[must_use]
    pub fn hairline(&self) -> Stroke {
        Stroke::new(self.line(), self.color.stroke)
    }

    /// The ring around what has the keyboard.
    #[must_use]
    pub fn focus(&self) -> Stroke {
        Stroke::new(2.0, self.color.accent)
    }

    /// Sans, body size.
    #[must_use]
    pub fn body(&self) -> FontId {
        FontId::new(self.size.body, FontFamily::Proportional)
    }

    /// Bold sans of any size.
    #[must_use]
    pub fn bold(&self, size: f32) -> FontId {
        FontId::new(size, fonts::bold())
    }

    /// Sans of any size.
    #[must_use]
    pub fn sans(&self, size: f32) -> FontId {
        FontId::new(size, FontFamily::Proportional)
    }

    /// Mono for values, digests and masks.
    #[must_use]
    pub fn mono(&self, size: f32) -> FontId {
        FontId::new(size, FontFamily::Monospace)
    }

    /// Lays this theme over the toolkit's style.
    pub fn apply(self: &Arc<Self>, ctx: &Context) {
        ctx.data_mut(|d| d.insert_temp(Self::key(), Arc::clone(self)));
        ctx.set_theme(if self.dark { egui::Theme::Dark } else { egui::Theme::Light });
        ctx.all_styles_mut(|style| self.style(style));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Color32;

    fn luminance(c: Color32) -> f32 {
        let f = |v: u8| {
            let v = f32::from(v) / 255.0;
            if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * f(c.r()) + 0.7152 * f(c.g()) + 0.0722 * f(c.b())
    }

    fn ratio(a: Color32, b: Color32) -> f32 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_and_marks_keep_their_contrast_in_every_look() {
        for look in [Look::Light, Look::Dark, Look::HighContrast] {
            let c = Theme::new(look, false).unwrap().color;
            for ground in [c.bg, c.panel, c.raised] {
                for text in [
                    c.text,
                    c.muted,
                    c.accent,
                    c.approve,
                    c.deny,
                    c.refer,
                    c.other,
                    c.good,
                    c.warn,
                    c.bad,
                    c.receipt_text,
                ] {
                    assert!(ratio(text, ground) >= 4.5, "{look:?}: {text:?} on {ground:?} is {}", ratio(text, ground));
                }
                assert!(ratio(c.faint, ground) >= 4.5, "{look:?} faint {}", ratio(c.faint, ground));
                assert!(ratio(c.receipt, ground) >= 3.0, "{look:?} receipt {}", ratio(c.receipt, ground));
            }
            for (text, ground) in [
                (c.on_accent, c.accent),
                (c.on_accent, c.accent_hover),
                (c.accent, c.accent_bg),
                (c.text, c.accent_bg),
                (c.text, c.hover),
                (c.text, c.old),
                (c.text, c.new),
                (c.good, c.good_bg),
                (c.warn, c.warn_bg),
                (c.bad, c.bad_bg),
                (c.on_verdict, c.approve),
                (c.on_verdict, c.deny),
                (c.on_verdict, c.refer),
                (c.on_verdict, c.other),
            ] {
                assert!(ratio(text, ground) >= 4.5, "{look:?}: {text:?} on {ground:?} is {}", ratio(text, ground));
            }
        }
    }
}
