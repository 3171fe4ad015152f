//! Characters that no face has: a box with the character's number in it on the screen, `[U+1F600]` in a picture. Two
//! texts that differ never look the same.

use egui::epaint::text::{GlyphBitmap, GlyphRasterizer, GlyphRasterizerRequest, RasterizedGlyph};
use egui::{Color32, ColorImage, vec2};

/// The digits 0 to F, three pixels by five; the top left pixel is the highest bit.
const DIGITS: [u16; 16] = [
    0b111_101_101_101_111,
    0b010_110_010_010_111,
    0b111_001_111_100_111,
    0b111_001_111_001_111,
    0b101_101_111_001_001,
    0b111_100_111_001_111,
    0b111_100_111_101_111,
    0b111_001_001_001_001,
    0b111_101_111_101_111,
    0b111_101_111_001_111,
    0b010_101_111_101_101,
    0b110_101_110_101_110,
    0b011_100_100_100_011,
    0b110_101_101_101_110,
    0b111_100_110_100_111,
    0b111_100_110_100_100,
];
/// A digit with its gap.
const CELL: (usize, usize) = (4, 6);
/// Frame and gap around the digits, on one side.
const FRAME: usize = 2;
const HEIGHT: usize = 2 * CELL.1 - 1 + 2 * FRAME;

/// Draws what no face has.
pub(super) fn boxes() -> GlyphRasterizer {
    GlyphRasterizer::new("decidendi_gui::theme::fonts::missing", rasterize)
}

fn rasterize(request: &GlyphRasterizerRequest<'_>) -> Option<RasterizedGlyph> {
    let codes: Vec<Vec<usize>> = request.cluster.chars().filter(|c| !c.is_control()).map(digits).collect();
    if codes.is_empty() {
        return None;
    }
    let scale = ((request.font_size_px / 15.0).round() as usize).max(1);
    let widths: Vec<usize> = codes.iter().map(|code| code.len() / 2 * CELL.0 - 1 + 2 * FRAME).collect();
    let width: usize = widths.iter().map(|w| w + 1).sum();
    let mut image = ColorImage::filled([width * scale, HEIGHT * scale], Color32::TRANSPARENT);
    let mut left = 0;
    for (code, width) in codes.iter().zip(&widths) {
        for y in 0..HEIGHT {
            for x in 0..*width {
                if is_inked(code, *width, x, y) {
                    for (dx, dy) in (0..scale).flat_map(|dx| (0..scale).map(move |dy| (dx, dy))) {
                        image[((left + x) * scale + dx, y * scale + dy)] = Color32::WHITE;
                    }
                }
            }
        }
        left += width + 1;
    }
    let [width, height] = image.size;
    // Centred on the height of capital letters.
    let top = -(0.36 * request.font_size_px + height as f32 / 2.0).round();
    let bitmap = GlyphBitmap { image, offset_px: vec2(scale as f32, top), is_color: false };
    Some(RasterizedGlyph { bitmap, advance_px: (width + scale) as f32 })
}

/// The digits of a character's number, four or six.
fn digits(c: char) -> Vec<usize> {
    let code = u32::from(c) as usize;
    let count = if code > 0xffff { 6 } else { 4 };
    (0..count).rev().map(|place| code >> (4 * place) & 0xf).collect()
}

fn is_inked(code: &[usize], width: usize, x: usize, y: usize) -> bool {
    if x == 0 || y == 0 || x + 1 == width || y + 1 == HEIGHT {
        return true;
    }
    let (Some(x), Some(y)) = (x.checked_sub(FRAME), y.checked_sub(FRAME)) else { return false };
    let (column, row) = (x / CELL.0, y / CELL.1);
    let (x, y) = (x % CELL.0, y % CELL.1);
    let digit = code.get(row * code.len() / 2 + column).filter(|_| row < 2 && column < code.len() / 2);
    x < 3 && y < 5 && digit.is_some_and(|&digit| DIGITS[digit] >> (14 - (3 * y + x)) & 1 == 1)
}

/// A text as a picture shows it: what no face has is spelled out.
pub(super) fn spelled(text: &str, mut has: impl FnMut(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() || c.is_control() || has(c) {
            out.push(c);
        } else {
            out.push_str(&format!("[U+{:04X}]", u32::from(c)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(cluster: &str, font_size_px: f32) -> RasterizedGlyph {
        let family = egui::FontFamily::Proportional;
        let request = GlyphRasterizerRequest { cluster, family: &family, font_size_px, subpixel_offset_px: 0.0 };
        rasterize(&request).unwrap()
    }

    #[test]
    fn every_missing_character_has_a_box_of_its_own() {
        let pixels = |cluster: &str| drawn(cluster, 14.0).bitmap.image;
        let all = ["\u{1f600}", "\u{1f601}", "\u{10400}", "\u{13000}", "\u{e000}", "\u{1f468}\u{200d}\u{1f469}"];
        for (i, a) in all.iter().enumerate() {
            assert!(pixels(a).pixels.contains(&Color32::WHITE), "{a}");
            assert!(all[..i].iter().all(|b| pixels(a) != pixels(b)), "{a}");
        }
        let (small, large) = (drawn("\u{1f600}", 14.0), drawn("\u{1f600}", 30.0));
        assert!(large.advance_px > 1.5 * small.advance_px);
    }

    #[test]
    fn a_picture_spells_out_what_is_missing() {
        assert_eq!(spelled("a\u{1f600}é", |c| c == 'é'), "a[U+1F600]é");
        assert_eq!(spelled("\u{e000}", |_| false), "[U+E000]");
    }
}
