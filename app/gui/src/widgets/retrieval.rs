//! The retrieval face as a drawing: state from left to right, the view's state from above to below. The arrows are what
//! state and view bring at either of the other; in the middle their means, whose sum is the gain.

use decidendi_core::report::step_value::signed;
use decidendi_core::step_value::measure::Measured;
use decidendi_core::step_value::retrieval::RetrievalCorners;
use decidendi_core::step_value::scores::Corner;
use decidendi_core::step_value::study::Moment;
use egui::{Align2, Rect, Vec2, pos2, vec2};

use super::boxes::{arrow, scalar};
use super::drawing::{Dash, Drawing, Measure, wrap};
use super::face::{moment, sign_ink, view};
use super::ink::{Ink, Type};

/// Words that break at most into these lines stay between the arrows.
const INNER: Type = Type::mono(12.5);

/// What is drawn.
pub struct Model {
    /// The corners.
    pub corners: RetrievalCorners,
    /// The corner that is followed elsewhere.
    pub selected: Option<Corner>,
}

/// The laid-out face.
pub struct Laid {
    /// The picture.
    pub drawing: Drawing,
    /// Where each corner stands: by the view's state, then by state.
    pub corners: [[Rect; 2]; 2],
}

impl Model {
    /// A corner's scalar; `None` where a score is missing.
    #[must_use]
    pub const fn at(&self, corner: Corner) -> Option<Measured> {
        self.corners.0[corner.state.index()][corner.view_at.index()]
    }

    /// What the state brings under one view.
    #[must_use]
    pub fn by_state(&self, view_at: Moment) -> Option<Measured> {
        let [before, after] = Moment::BOTH.map(|state| self.at(Corner { state, view_at }));
        Some(after?.sub(&before?))
    }

    /// What the view brings in one state.
    #[must_use]
    pub fn by_view(&self, state: Moment) -> Option<Measured> {
        let [before, after] = Moment::BOTH.map(|view_at| self.at(Corner { state, view_at }));
        Some(after?.sub(&before?))
    }

    /// `C_x + C_r = G^ret` with its numbers, or that it is not identified.
    #[must_use]
    pub fn identity(&self) -> [String; 2] {
        match self.corners.allocation() {
            Some(a) => [
                format!("G^ret {}", signed(a.gain.value)),
                format!("= C_x {} + C_r {}", signed(a.state.value), signed(a.view.value)),
            ],
            None => {
                ["G^ret not identified".to_owned(), "a corner is missing, and nothing is put in its place".to_owned()]
            }
        }
    }
}

/// Lays the face out in `size`.
#[must_use]
pub fn layout(model: &Model, size: Vec2, measure: &mut Measure<'_>) -> Laid {
    let mut d = Drawing::new(size);
    let tall = if size.y < 210.0 { 50.0 } else { 58.0 };
    let wide = 118.0_f32.min((size.x - 130.0) / 2.0);
    let gap = (size.x - 2.0 * wide - 16.0).clamp(96.0, 230.0);
    let left = ((size.x - 2.0 * wide - gap) / 2.0).max(0.0);
    let rows = [8.0, size.y - tall - 8.0];
    let corners = Moment::BOTH.map(|view_at| {
        Moment::BOTH.map(|state| {
            let x = left + state.index() as f32 * (wide + gap);
            Rect::from_min_size(pos2(x.round(), rows[view_at.index()].round()), vec2(wide.round(), tall))
        })
    });
    for view_at in Moment::BOTH {
        for state in Moment::BOTH {
            let corner = Corner { state, view_at };
            let rect = corners[view_at.index()][state.index()];
            let name = format!("F({}, {})", moment(state), view(view_at));
            scalar(&mut d, rect, name, model.at(corner), model.selected == Some(corner), measure);
        }
        let [from, to] = corners[view_at.index()];
        let (from, to) = (from.right_center() + vec2(8.0, 0.0), to.left_center() - vec2(6.0, 0.0));
        let above = view_at == Moment::Before;
        let anchor = if above { Align2::CENTER_BOTTOM } else { Align2::CENTER_TOP };
        let at = from.lerp(to, 0.5) + vec2(0.0, if above { -8.0 } else { 8.0 });
        change(&mut d, &format!("ΔxF({})", view(view_at)), model.by_state(view_at), [from, to], (at, anchor));
    }
    for state in Moment::BOTH {
        let [above, below] = [corners[0][state.index()], corners[1][state.index()]];
        let (from, to) = (above.center_bottom() + vec2(0.0, 6.0), below.center_top() - vec2(0.0, 5.0));
        let outer = if state == Moment::Before { -1.0 } else { 1.0 };
        let anchor = if state == Moment::Before { Align2::RIGHT_CENTER } else { Align2::LEFT_CENTER };
        // Where there is no room beside the face, the words stand inside.
        let room = if state == Moment::Before { from.x } else { size.x - from.x };
        let words = format!("ΔrF({})", moment(state));
        let inside = measure(&format!("{words} −0.000"), Type::bold(13.0)).x + 10.0 > room;
        let (outer, anchor) = if inside { (-outer, flipped(anchor)) } else { (outer, anchor) };
        change(
            &mut d,
            &words,
            model.by_view(state),
            [from, to],
            (from.lerp(to, 0.5) + vec2(10.0 * outer, 0.0), anchor),
        );
    }
    draw_identity(&mut d, &corners, model, measure);
    Laid { drawing: d, corners }
}

fn flipped(anchor: Align2) -> Align2 {
    if anchor == Align2::RIGHT_CENTER { Align2::LEFT_CENTER } else { Align2::RIGHT_CENTER }
}

/// An arrow in the colour of its certified sign, with its name and figure.
fn change(
    d: &mut Drawing,
    name: &str,
    value: Option<Measured>,
    [from, to]: [egui::Pos2; 2],
    (at, anchor): (egui::Pos2, Align2),
) {
    let ink = value.map_or(Ink::Faint, |value| sign_ink(value.sign()));
    let dash = if value.is_some() { Dash::Solid } else { Dash::Dotted };
    arrow(d, from, to, ink, dash);
    let words = value.map_or_else(|| format!("{name} ?"), |value| format!("{name} {}", signed(value.value)));
    d.words(at, anchor, words, Type::bold(13.0), ink);
}

fn draw_identity(d: &mut Drawing, corners: &[[Rect; 2]; 2], model: &Model, measure: &mut Measure<'_>) {
    let inside = Rect::from_min_max(corners[0][0].center_bottom(), corners[1][1].center_top());
    let known = model.corners.allocation().is_some();
    let [gain, parts] = model.identity();
    let lines = wrap(&parts, inside.width() - 24.0, INNER, measure);
    let mut y = inside.center().y - (26.0 + 18.0 * lines.len() as f32) / 2.0 + 11.0;
    let ty = if known { Type::mono(18.0) } else { Type::bold(14.0) };
    d.words(pos2(inside.center().x, y), Align2::CENTER_CENTER, gain, ty, if known { Ink::Text } else { Ink::Warn });
    y += 25.0;
    for line in lines {
        d.words(pos2(inside.center().x, y), Align2::CENTER_CENTER, line, INNER, Ink::Muted);
        y += 18.0;
    }
}
