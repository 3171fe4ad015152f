//! Pixels of a picture, drawn from its SVG with the bundled faces: no system font, so the same bytes on every machine.

use resvg::{tiny_skia, usvg};
use std::sync::Arc;

/// Renders an SVG at `scale` times its size.
pub(crate) fn png(svg: &str, scale: f32) -> Result<Vec<u8>, String> {
    let mut options = usvg::Options::default();
    let faces = Arc::make_mut(&mut options.fontdb);
    for font in crate::theme::fonts::definitions().font_data.values() {
        faces.load_font_source(usvg::fontdb::Source::Binary(Arc::clone(&font.font)));
    }
    let failed = |why: &str| format!("The picture could not be drawn: {why}. Export it as SVG instead.");
    let tree = usvg::Tree::from_str(svg, &options).map_err(|e| failed(&e.to_string()))?;
    let size = tree.size().to_int_size();
    let side = |points: u32| ((points as f32 * scale).ceil() as u32).clamp(1, 16_384);
    let mut pixels =
        tiny_skia::Pixmap::new(side(size.width()), side(size.height())).ok_or_else(|| failed("it is too large"))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| failed(&e.to_string()))
}
