//! Colours and type by their meaning. A drawing names inks; a palette turns them into colours, so that the screen, an
//! SVG and a PNG come from one description.

use crate::theme::Palette;
use decidendi_core::judgment::verdict::Meaning;
use egui::{Color32, FontFamily, FontId};

/// What a colour means. Verdict inks appear only on verdicts, gold only on receipts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Card background; also the halo that keeps lines off marks.
    Panel,
    /// Ground of a box on a card, and of a plot.
    Raised,
    /// Hairlines between rows and around cards.
    Stroke,
    /// Edges across which nothing happens: quieter than text, still visible.
    Quiet,
    /// Words.
    Text,
    /// Secondary words.
    Muted,
    /// Tertiary words, dotted outlines of what did not run.
    Faint,
    /// Selection and the one primary action.
    Accent,
    /// The band below an edge that is pointed at.
    Band,
    /// The label `approve`.
    Approve,
    /// The label `deny`.
    Deny,
    /// The label `refer`.
    Refer,
    /// Any other label.
    Other,
    /// The receipt, and only the receipt.
    Receipt,
    /// A thing to look at twice.
    Warn,
    /// Glyphs on a solid verdict mark.
    OnVerdict,
}

impl Ink {
    /// The ink of a label.
    #[must_use]
    pub const fn of(meaning: Meaning) -> Self {
        match meaning {
            Meaning::Approve => Self::Approve,
            Meaning::Deny => Self::Deny,
            Meaning::Refer => Self::Refer,
            Meaning::Other => Self::Other,
        }
    }

    /// Its colour in a palette.
    #[must_use]
    pub fn color(self, palette: &Palette) -> Color32 {
        match self {
            Self::Panel => palette.panel,
            Self::Raised => palette.raised,
            Self::Stroke => palette.stroke,
            Self::Quiet => palette.stroke.lerp_to_gamma(palette.faint, 0.35),
            Self::Text => palette.text,
            Self::Muted => palette.muted,
            Self::Faint => palette.faint,
            Self::Accent => palette.accent,
            Self::Band => palette.panel.lerp_to_gamma(palette.accent, 0.28),
            Self::Approve => palette.approve,
            Self::Deny => palette.deny,
            Self::Refer => palette.refer,
            Self::Other => palette.other,
            Self::Receipt => palette.receipt,
            Self::Warn => palette.warn,
            Self::OnVerdict => palette.on_verdict,
        }
    }
}

/// A face of the bundled family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// Humanist sans: words.
    Sans,
    /// Its bold cut: names and heads.
    Bold,
    /// Mono: values, digests, masks.
    Mono,
}

/// Face and size of a run of text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Type {
    /// The face.
    pub face: Face,
    /// Size in points.
    pub size: f32,
}

impl Type {
    /// Words.
    #[must_use]
    pub const fn sans(size: f32) -> Self {
        Self { face: Face::Sans, size }
    }

    /// Names and heads.
    #[must_use]
    pub const fn bold(size: f32) -> Self {
        Self { face: Face::Bold, size }
    }

    /// Values and digests.
    #[must_use]
    pub const fn mono(size: f32) -> Self {
        Self { face: Face::Mono, size }
    }

    /// The font that the window uses for it.
    #[must_use]
    pub fn font(self) -> FontId {
        let family = match self.face {
            Face::Sans => FontFamily::Proportional,
            Face::Bold => crate::theme::fonts::bold(),
            Face::Mono => FontFamily::Monospace,
        };
        FontId::new(self.size, family)
    }
}
