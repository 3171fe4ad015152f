//! Text that runs from right to left. The toolkit shapes each word in its own direction but sets the words of a line
//! from left to right; here the words of each finished line are moved to where the Unicode bidirectional algorithm puts
//! them.

use std::sync::Arc;

use egui::epaint::text::{Glyph, Row};
use egui::{Context, FullOutput, Galley, Shape};
use unicode_bidi::{BidiClass, BidiInfo, bidi_class};

/// Reorders lines just before they are drawn.
pub(super) struct Direction;

impl egui::Plugin for Direction {
    fn debug_name(&self) -> &'static str {
        "direction"
    }

    fn output_hook(&mut self, _ctx: &Context, output: &mut FullOutput) {
        for clipped in &mut output.shapes {
            reorder(&mut clipped.shape);
        }
    }
}

fn reorder(shape: &mut Shape) {
    match shape {
        Shape::Vec(shapes) => shapes.iter_mut().for_each(reorder),
        Shape::Text(text) if runs_left(text.galley.text()) => {
            let galley: &mut Galley = Arc::make_mut(&mut text.galley);
            for placed in &mut galley.rows {
                if placed.row.glyphs.iter().any(|glyph| is_strong(glyph.chr)) {
                    set(Arc::make_mut(&mut placed.row));
                }
            }
        }
        _ => {}
    }
}

/// Whether a text holds a character that runs from right to left. Most texts do not, and are asked in each frame.
fn runs_left(text: &str) -> bool {
    text.bytes().any(|b| matches!(b, 0xd6..=0xdf | 0xe0 | 0xef | 0xf0)) && text.chars().any(is_strong)
}

fn is_strong(c: char) -> bool {
    matches!(bidi_class(c), BidiClass::R | BidiClass::AL)
}

/// Neighbouring glyphs that keep their order among each other, and what the algorithm sees in their place.
struct Unit {
    glyphs: std::ops::Range<usize>,
    stands_for: char,
}

/// A word that runs from right to left is one unit, since the shaper has set its glyphs in the order of the eye; any
/// other glyph is one by itself.
fn units(glyphs: &[Glyph]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut at = 0;
    while at < glyphs.len() {
        let first = at;
        at += 1;
        let mut stands_for = glyphs[first].chr;
        if is_strong(stands_for) {
            let in_word = |c: char| is_strong(c) || matches!(bidi_class(c), BidiClass::NSM | BidiClass::BN);
            at += glyphs[at..].iter().take_while(|glyph| in_word(glyph.chr)).count();
        } else if bidi_class(stands_for) == BidiClass::B {
            stands_for = ' ';
        }
        units.push(Unit { glyphs: first..at, stands_for });
    }
    units
}

/// The units of a line in the order of the eye.
fn order(units: &[Unit]) -> Vec<usize> {
    let text: String = units.iter().map(|unit| unit.stands_for).collect();
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let bidi = BidiInfo::new(&text, None);
    let mut order = Vec::with_capacity(units.len());
    for paragraph in &bidi.paragraphs {
        let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let inside = starts.iter().enumerate().filter(|(_, at)| run.contains(at)).map(|(unit, _)| unit);
            if levels[run.start].is_rtl() {
                order.extend(inside.rev());
            } else {
                order.extend(inside);
            }
        }
    }
    order
}

fn set(row: &mut Row) {
    let units = units(&row.glyphs);
    let order = order(&units);
    let left = |at: usize| row.glyphs.get(at).map(|glyph| glyph.pos.x);
    let end = row.glyphs.last().map_or(0.0, Glyph::max_x);
    let places: Vec<(f32, f32)> = units
        .iter()
        .map(|unit| (left(unit.glyphs.start).unwrap_or(end), left(unit.glyphs.end).unwrap_or(end)))
        .collect();
    let mut x = places.first().map_or(0.0, |place| place.0);
    for at in order {
        let (from, to) = places[at];
        let by = x - from;
        x += to - from;
        for glyph in &mut row.glyphs[units[at].glyphs.clone()] {
            glyph.pos.x += by;
            if !glyph.uv_rect.is_nothing() {
                let first = glyph.first_vertex as usize;
                for vertex in row.visuals.mesh.vertices.iter_mut().skip(first).take(4) {
                    vertex.pos.x += by;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets one line and reads it as an eye does, from left to right.
    fn seen(text: &str) -> Vec<char> {
        let mut fonts = crate::theme::fonts::Faces::new();
        let galley = fonts.layout(text, egui::FontId::proportional(14.0));
        let mut shape = Shape::galley(egui::Pos2::ZERO, galley, egui::Color32::WHITE);
        reorder(&mut shape);
        let Shape::Text(text) = shape else { panic!() };
        let mut glyphs: Vec<(f32, char)> = text.galley.rows[0]
            .glyphs
            .iter()
            .filter(|g| g.advance_width > 0.0)
            .map(|glyph| (glyph.pos.x, glyph.chr))
            .collect();
        glyphs.sort_by(|a, b| a.0.total_cmp(&b.0));
        glyphs.into_iter().map(|(_, c)| c).collect()
    }

    #[test]
    fn words_stand_in_the_order_of_the_eye() {
        assert_eq!(seen("abc def"), "abc def".chars().collect::<Vec<_>>());
        assert_eq!(seen("שלום עולם"), "םלוע םולש".chars().collect::<Vec<_>>());
        // Within Latin text, and with a number, which keeps its direction.
        assert_eq!(seen("to גדול מאד now"), "to דאמ לודג now".chars().collect::<Vec<_>>());
        assert_eq!(seen("אחרי 16 יום"), "םוי 16 ירחא".chars().collect::<Vec<_>>());
    }

    #[test]
    fn letters_of_arabic_join() {
        // Shaped by itself each letter is as wide as when it stands alone; in a word it is not.
        let width =
            |text: &str| crate::theme::fonts::Faces::new().layout(text, egui::FontId::proportional(30.0)).size().x;
        let alone: f32 = ["م", "و", "ا", "ف", "ق", "ة"].into_iter().map(width).sum();
        assert!(width("موافقة") < 0.95 * alone, "{} of {alone}", width("موافقة"));
    }
}
