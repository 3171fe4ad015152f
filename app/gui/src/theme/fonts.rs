//! The bundled faces (`assets/fonts`, OFL): text looks the same on every machine, and every sign we use has a glyph.

use std::sync::Arc;

use egui::{Context, FontData, FontDefinitions, FontFamily};

const FACES: [(&str, &[u8]); 5] = [
    ("sans", include_bytes!("../../../../assets/fonts/NotoSans-Regular.ttf")),
    ("bold", include_bytes!("../../../../assets/fonts/NotoSans-SemiBold.ttf")),
    ("mono", include_bytes!("../../../../assets/fonts/NotoSansMono-Regular.ttf")),
    ("math", include_bytes!("../../../../assets/fonts/NotoSansMath-Regular.ttf")),
    ("symbols", include_bytes!("../../../../assets/fonts/NotoSansSymbols2-Regular.ttf")),
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
}
