//! Pixels of a picture, drawn from its SVG with the bundled faces: no system font, so the same bytes on every machine.

use resvg::{tiny_skia, usvg};
use std::sync::Arc;

/// Renders an SVG at `scale` times its size.
pub(crate) fn png(svg: &str, scale: f32) -> Result<Vec<u8>, String> {
    let mut options = usvg::Options::default();
    let faces = Arc::make_mut(&mut options.fontdb);
    for font in crate::theme::fonts::Faces::for_text(svg) {
        faces.load_font_source(usvg::fontdb::Source::Binary(font.font));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Look, Theme};
    use crate::widgets::drawing::Drawing;
    use crate::widgets::ink::{Ink, Type};
    use egui::{Align2, pos2, vec2};

    fn drawn(words: &str) -> Vec<u8> {
        let mut drawing = Drawing::new(vec2(200.0, 40.0));
        drawing.words(pos2(4.0, 4.0), Align2::LEFT_TOP, words, Type::bold(18.0), Ink::Text);
        let theme = Theme::new(Look::Light, false).unwrap();
        png(&crate::shared::picture::svg(&drawing, &theme.color, "t"), 1.0).unwrap()
    }

    #[test]
    fn labels_in_any_script_are_drawn_and_differ() {
        let labels = [
            "",
            "許可",
            "却下",
            "승인",
            "거부",
            "مقبول",
            "مرفوض",
            "אושר",
            "נדחה",
            "स्वीकृत",
            "अस्वीकृत",
            "อนุมัติ",
            "Одобрено",
            "Εγκρίθηκε",
            "\u{1f600}",
            "\u{1f601}",
            "\u{13000}",
            "\u{e000}",
            "退货期限 الإرجاع التوقيع ระยะ \u{1f600}",
            "退货期限 الإرجاع الشراء ระยะ \u{1f600}",
            "返货期限 الإرجاع التوقيع ระยะ \u{1f600}",
        ];
        let pictures: Vec<Vec<u8>> = labels.iter().map(|label| drawn(label)).collect();
        for (i, picture) in pictures.iter().enumerate() {
            assert!(!pictures[..i].contains(picture), "{:?} looks like another label", labels[i]);
        }
    }
}
