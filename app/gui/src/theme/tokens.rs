//! What `assets/theme.toml` holds: colours and sizes by name.

use decidendi_core::judgment::verdict::Meaning;
use egui::Color32;
use serde::{Deserialize, Deserializer};

/// Colours by meaning.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are explained where the values stand, in assets/theme.toml")]
pub struct Palette {
    #[serde(deserialize_with = "hex")]
    pub bg: Color32,
    #[serde(deserialize_with = "hex")]
    pub panel: Color32,
    #[serde(deserialize_with = "hex")]
    pub raised: Color32,
    #[serde(deserialize_with = "hex")]
    pub hover: Color32,
    #[serde(deserialize_with = "hex")]
    pub stroke: Color32,
    #[serde(deserialize_with = "hex")]
    pub strong: Color32,
    #[serde(deserialize_with = "hex")]
    pub text: Color32,
    #[serde(deserialize_with = "hex")]
    pub muted: Color32,
    #[serde(deserialize_with = "hex")]
    pub faint: Color32,
    #[serde(deserialize_with = "hex")]
    pub accent: Color32,
    #[serde(deserialize_with = "hex")]
    pub accent_hover: Color32,
    #[serde(deserialize_with = "hex")]
    pub accent_bg: Color32,
    #[serde(deserialize_with = "hex")]
    pub on_accent: Color32,
    #[serde(deserialize_with = "hex")]
    pub approve: Color32,
    #[serde(deserialize_with = "hex")]
    pub deny: Color32,
    #[serde(deserialize_with = "hex")]
    pub refer: Color32,
    #[serde(deserialize_with = "hex")]
    pub other: Color32,
    #[serde(deserialize_with = "hex")]
    pub on_verdict: Color32,
    #[serde(deserialize_with = "hex")]
    pub receipt: Color32,
    #[serde(deserialize_with = "hex")]
    pub receipt_text: Color32,
    #[serde(deserialize_with = "hex")]
    pub good: Color32,
    #[serde(deserialize_with = "hex")]
    pub good_bg: Color32,
    #[serde(deserialize_with = "hex")]
    pub warn: Color32,
    #[serde(deserialize_with = "hex")]
    pub warn_bg: Color32,
    #[serde(deserialize_with = "hex")]
    pub bad: Color32,
    #[serde(deserialize_with = "hex")]
    pub bad_bg: Color32,
    #[serde(deserialize_with = "hex")]
    pub old: Color32,
    #[serde(deserialize_with = "hex")]
    pub new: Color32,
    #[serde(deserialize_with = "hex")]
    pub shadow: Color32,
    #[serde(deserialize_with = "hex")]
    pub scrim: Color32,
}

impl Palette {
    /// The colour of a verdict.
    #[must_use]
    pub const fn verdict(&self, meaning: Meaning) -> Color32 {
        match meaning {
            Meaning::Approve => self.approve,
            Meaning::Deny => self.deny,
            Meaning::Refer => self.refer,
            Meaning::Other => self.other,
        }
    }
}

/// Type sizes, in points.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it; the values stand in assets/theme.toml")]
pub struct Sizes {
    pub caption: f32,
    pub section: f32,
    pub body: f32,
    pub value: f32,
    pub subtitle: f32,
    pub title: f32,
    pub display: f32,
}

/// Gaps, in points.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it; the values stand in assets/theme.toml")]
pub struct Space {
    pub xs: f32,
    pub s: f32,
    pub m: f32,
    pub l: f32,
    pub xl: f32,
    pub xxl: f32,
}

/// Corner radii.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it; the values stand in assets/theme.toml")]
pub struct Radii {
    pub control: u8,
    pub card: u8,
    pub chip: u8,
}

/// Heights of rows and bars.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it; the values stand in assets/theme.toml")]
pub struct Rows {
    pub table: f32,
    pub rail: f32,
    pub menu: f32,
    pub context: f32,
    pub status: f32,
    pub control: f32,
}

/// Widths, and the widths at which the layout gives way.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it; the values stand in assets/theme.toml")]
pub struct Widths {
    pub rail: f32,
    pub rail_narrow: f32,
    pub search: f32,
    pub sheet: f32,
    pub gutter: f32,
    pub card_padding: f32,
    pub narrow: f32,
    pub tight: f32,
}

fn hex<'de, D: Deserializer<'de>>(d: D) -> Result<Color32, D::Error> {
    let text = String::deserialize(d)?;
    Color32::from_hex(&text)
        .map_err(|_| serde::de::Error::custom(format!("{text} is no colour; write #RRGGBB or #RRGGBBAA")))
}
