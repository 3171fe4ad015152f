//! The bundled faces (`assets/fonts`): text looks the same on every machine, every sign we use has a glyph, and what no
//! face has is seen as missing.

mod direction;
mod missing;
mod scripts;

use std::sync::Arc;

use egui::epaint::text::{Fonts, TextOptions};
use egui::{Color32, Context, FontData, FontDefinitions, FontFamily, FontId, Galley};

const FACES: [(&str, &[u8]); 5] = [
    ("sans", include_bytes!("../../../../../assets/fonts/NotoSans-Regular.ttf")),
    ("bold", include_bytes!("../../../../../assets/fonts/NotoSans-SemiBold.ttf")),
    ("mono", include_bytes!("../../../../../assets/fonts/NotoSansMono-Regular.ttf")),
    ("math", include_bytes!("../../../../../assets/fonts/NotoSansMath-Regular.ttf")),
    ("symbols", include_bytes!("../../../../../assets/fonts/NotoSansSymbols2-Regular.ttf")),
];

/// The bold family; the toolkit makes no bold of its own.
#[must_use]
pub fn bold() -> FontFamily {
    FontFamily::Name("bold".into())
}

/// All faces and families: `sans` (the toolkit's proportional), `bold`, `mono` (its monospace).
#[must_use]
pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes) in FACES {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let chain = |first: &[&str]| first.iter().chain(&["math", "symbols"]).map(|s| (*s).to_owned()).collect::<Vec<_>>();
    fonts.families.insert(FontFamily::Proportional, chain(&["sans"]));
    fonts.families.insert(FontFamily::Name("sans".into()), chain(&["sans"]));
    fonts.families.insert(bold(), chain(&["bold", "sans"]));
    fonts.families.insert(FontFamily::Monospace, chain(&["mono", "sans"]));
    fonts.families.insert(FontFamily::Name("mono".into()), chain(&["mono", "sans"]));
    fonts
}

/// Installs the faces.
pub fn install(ctx: &Context) {
    ctx.set_fonts(definitions());
    ctx.add_font_provider(Arc::new(scripts::Scripts));
    ctx.add_glyph_rasterizer(missing::boxes());
    ctx.add_plugin(direction::Direction);
}

/// The faces without a window, for exported pictures and tests.
pub struct Faces {
    fonts: Fonts,
}

impl Faces {
    /// All of them.
    #[must_use]
    pub fn new() -> Self {
        let fonts = Fonts::new(TextOptions::default(), definitions())
            .with_font_providers(vec![Arc::new(scripts::Scripts)])
            .with_glyph_rasterizer(missing::boxes());
        Self { fonts }
    }

    /// One line of text, laid out.
    pub fn layout(&mut self, text: &str, font: FontId) -> Arc<Galley> {
        self.fonts.with_pixels_per_point(1.0).layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER)
    }

    /// A text as a picture shows it: `[U+1F600]` for a character that no face has.
    #[must_use]
    pub fn spelled(&mut self, text: &str) -> String {
        let font = FontId::proportional(14.0);
        let mut view = self.fonts.with_pixels_per_point(1.0);
        missing::spelled(text, |c| view.has_glyph(&font, c))
    }

    /// A text in runs, each with the family of the packed face that it needs, if it needs one.
    #[must_use]
    pub fn runs(text: &str) -> Vec<(Option<String>, &str)> {
        scripts::runs(text)
    }

    /// The bytes of the faces that a text is drawn with.
    #[must_use]
    pub fn for_text(text: &str) -> Vec<FontData> {
        let bundled = FACES.iter().map(|(_, bytes)| FontData::from_static(bytes));
        bundled.chain(scripts::needed(text)).collect()
    }
}

impl Default for Faces {
    fn default() -> Self {
        Self::new()
    }
}
