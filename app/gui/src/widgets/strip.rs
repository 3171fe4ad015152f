//! The bridge as a drawing: a box for every vertex with the sign of its contrast, arrows that say what changes on the way.
//! Every interval is drawn on a scale of its own and its figures are quiet: across vertices only signs are compared.

use decidendi_core::report::step_value::{interval, signed};
use decidendi_core::step_value::inference::Effect;
use egui::{Align2, Rect, Vec2, pos2, vec2};

use super::boxes::{arrow, bar, fit, outline, sign};
use super::drawing::{Dash, Drawing, Measure};
use super::face::sign_ink;
use super::ink::{Ink, Type};

/// Height of a box.
const TALL: f32 = 106.0;
/// Its width, at least and at most: the interval in words fits in.
const WIDE: [f32; 2] = [150.0, 210.0];
/// Room for an arrow beside a box, and below one.
const ACROSS: f32 = 62.0;
const DOWN: f32 = 38.0;

/// One vertex.
pub struct Node<'a> {
    /// Its name.
    pub name: &'a str,
    /// Readout and stack, in words.
    pub how: String,
    /// The contrast; `None` where it is not identified.
    pub effect: Option<Effect>,
    /// What the interval says of the sign.
    pub word: &'static str,
    /// What changes from the vertex before; empty for the first.
    pub changes: String,
    /// Whether its face is on the left.
    pub selected: bool,
}

/// The laid-out strip.
pub struct Laid {
    /// The picture.
    pub drawing: Drawing,
    /// Where each vertex stands.
    pub nodes: Vec<Rect>,
}

/// Lays the vertices out in `width`: beside each other where there is room, else below each other.
#[must_use]
pub fn layout(nodes: &[Node<'_>], width: f32, measure: &mut Measure<'_>) -> Laid {
    let n = nodes.len().max(1) as f32;
    let wide = ((width - (n - 1.0) * ACROSS - 4.0) / n).floor();
    let beside = wide >= WIDE[0];
    let wide = if beside { wide.min(WIDE[1]) } else { (width - 4.0).min(WIDE[1] * 1.4) };
    let size = if beside { vec2(n * wide + (n - 1.0) * ACROSS, TALL) } else { vec2(wide, n * TALL + (n - 1.0) * DOWN) };
    let start = pos2(((width - size.x) / 2.0).max(2.0).floor(), 2.0);
    let step = if beside { vec2(wide + ACROSS, 0.0) } else { vec2(0.0, TALL + DOWN) };
    let places: Vec<Rect> =
        (0..nodes.len()).map(|i| Rect::from_min_size(start + step * i as f32, vec2(wide, TALL))).collect();
    let mut d = Drawing::new(vec2(width, size.y + 4.0));
    for (i, (node, rect)) in nodes.iter().zip(&places).enumerate() {
        draw_node(&mut d, *rect, node, measure);
        let Some(before) = i.checked_sub(1).and_then(|before| places.get(before)) else { continue };
        way(&mut d, [*before, *rect], &node.changes, measure);
    }
    Laid { drawing: d, nodes: places }
}

/// The arrow between two vertices, and what changes on it.
fn way(d: &mut Drawing, [from, to]: [Rect; 2], changes: &str, measure: &mut Measure<'_>) {
    let ty = Type::sans(11.5);
    if to.left() > from.right() {
        let (start, end) = (from.right_center() + vec2(7.0, 0.0), to.left_center() - vec2(6.0, 0.0));
        arrow(d, start, end, Ink::Faint, Dash::Solid);
        let mut y = start.y - 11.0;
        // From below upwards, so that the last word stands next to the arrow.
        for word in changes.split(", ").collect::<Vec<_>>().into_iter().rev() {
            let word = fit(word.to_owned(), ty, to.left() - from.right() - 4.0, measure);
            d.words(pos2(start.lerp(end, 0.5).x, y), Align2::CENTER_BOTTOM, word, ty, Ink::Muted);
            y -= 15.0;
        }
    } else {
        let (start, end) = (from.center_bottom() + vec2(0.0, 5.0), to.center_top() - vec2(0.0, 4.0));
        arrow(d, start, end, Ink::Faint, Dash::Solid);
        d.words(start.lerp(end, 0.5) + vec2(14.0, 0.0), Align2::LEFT_CENTER, changes, ty, Ink::Muted);
    }
}

fn draw_node(d: &mut Drawing, rect: Rect, node: &Node<'_>, measure: &mut Measure<'_>) {
    outline(d, rect, node.effect.is_some(), node.selected);
    let x = rect.center().x;
    let room: Vec2 = rect.size() - vec2(16.0, 0.0);
    let name = fit(node.name.to_owned(), Type::bold(14.0), room.x, measure);
    d.words(pos2(x, rect.top() + 14.0), Align2::CENTER_CENTER, name, Type::bold(14.0), Ink::Text);
    let how = fit(node.how.clone(), Type::sans(11.5), room.x, measure);
    d.words(pos2(x, rect.top() + 32.0), Align2::CENTER_CENTER, how, Type::sans(11.5), Ink::Muted);
    let Some(effect) = node.effect else {
        d.words(pos2(x, rect.top() + 66.0), Align2::CENTER_CENTER, "not identified", Type::sans(12.5), Ink::Warn);
        return;
    };
    // A sign that its interval does not carry is no sign to compare.
    let shown = effect.sign.filter(|_| effect.is_clear());
    let ink = if shown.is_some() { sign_ink(shown) } else { Ink::Muted };
    let wide = measure(node.word, Type::bold(13.0)).x;
    sign(d, pos2(x - wide / 2.0 - 8.0, rect.top() + 52.0), shown);
    d.words(pos2(x + 4.0, rect.top() + 52.0), Align2::CENTER_CENTER, node.word, Type::bold(13.0), ink);
    let e = effect.estimate;
    let reach = [e.value, e.lo, e.hi].map(f64::abs).into_iter().filter(|end| end.is_finite()).fold(0.0, f64::max);
    bar(
        d,
        Rect::from_center_size(pos2(x, rect.top() + 72.0), vec2(room.x - 12.0, 10.0)),
        [e.value, e.lo, e.hi],
        reach,
        ink,
    );
    let figures = format!("{} {}", signed(e.value), interval(e.lo, e.hi));
    let figures = if measure(&figures, Type::mono(10.5)).x > room.x { interval(e.lo, e.hi) } else { figures };
    d.words(pos2(x, rect.top() + 92.0), Align2::CENTER_CENTER, figures, Type::mono(10.5), Ink::Faint);
}
