//! The state-by-channel face as a drawing: four corners, two gain arrows in the colour of their certified sign, Ω in the
//! middle. A corner that is not complete is hollow and dotted; nothing stands in its place.

use decidendi_core::exact::interval::Sign;
use decidendi_core::report::step_value::signed;
use decidendi_core::step_value::face::{Face, Side, Turn};
use decidendi_core::step_value::scores::Corner;
use decidendi_core::step_value::study::Moment;
use egui::{Align2, Rect, Vec2, pos2, vec2};

use super::boxes::{arrow, scalar};
use super::drawing::{Dash, Drawing, Measure, wrap};
use super::ink::{Ink, Type};

/// What is drawn.
pub struct Model<'a> {
    /// The corners.
    pub face: Face,
    /// Names of reference and alternative channel.
    pub channels: [&'a str; 2],
    /// The corner that is followed elsewhere.
    pub selected: Option<(Side, Moment)>,
}

/// The laid-out face.
pub struct Laid {
    /// The picture.
    pub drawing: Drawing,
    /// Where each corner stands: by side, then by moment.
    pub corners: [[Rect; 2]; 2],
}

/// Before is `x⁻`, after `x⁺`.
#[must_use]
pub const fn moment(moment: Moment) -> &'static str {
    match moment {
        Moment::Before => "x⁻",
        Moment::After => "x⁺",
    }
}

/// The view made before is `r⁻`, after `r⁺`.
#[must_use]
pub const fn view(moment: Moment) -> &'static str {
    match moment {
        Moment::Before => "r⁻",
        Moment::After => "r⁺",
    }
}

/// A corner's argument: `x⁺` with its own view, `x⁺, r⁻` with the other.
#[must_use]
pub fn corner(at: Corner) -> String {
    if at.state == at.view_at {
        moment(at.state).to_owned()
    } else {
        format!("{}, {}", moment(at.state), view(at.view_at))
    }
}

/// The ink of a certified sign: the same two as of verdicts; an abstention has none.
#[must_use]
pub const fn sign_ink(sign: Option<Sign>) -> Ink {
    match sign {
        Some(Sign::Positive) => Ink::Approve,
        Some(Sign::Negative) => Ink::Deny,
        None => Ink::Muted,
    }
}

/// What the face says, in one sentence.
#[must_use]
pub fn sentence(face: &Face) -> &'static str {
    match face.turn() {
        Some(Turn::PositiveToNegative | Turn::NegativeToPositive) => {
            "opposite signs: the sign of Ω holds under any positive recalibration"
        }
        Some(Turn::SameSign) => "same sign: whether Ω is above or below zero depends on how the channels are scaled",
        Some(Turn::TouchingZero) => "touching zero: a gain cannot be told from zero, so its sign is abstained on",
        None => "a corner is missing, and Ω moves with it",
    }
}

/// Lays the face out in `size`.
#[must_use]
pub fn layout(model: &Model<'_>, size: Vec2, measure: &mut Measure<'_>) -> Laid {
    let mut d = Drawing::new(size);
    let low = size.y < 210.0;
    let tall = if low { 50.0 } else { 62.0 };
    let widest = model.channels.iter().map(|name| measure(&format!("F(x⁺) {name}"), Type::sans(12.0)).x);
    let wide = widest.fold(0.0, f32::max).clamp(104.0, (size.x - 120.0) / 2.0) + 24.0;
    let gap = (size.x - 2.0 * wide - 16.0).clamp(84.0, 190.0);
    let left = ((size.x - 2.0 * wide - gap) / 2.0).max(0.0);
    // Room for the names of the gains above and below.
    let (top, bottom) = (8.0, size.y - tall - 8.0);
    let corner = |side: Side, at: Moment| {
        let x = if at == Moment::Before { left } else { left + wide + gap };
        let y = if side == Side::Reference { top } else { bottom };
        Rect::from_min_size(pos2(x.round(), y.round()), vec2(wide.round(), tall))
    };
    let corners = Side::BOTH.map(|side| Moment::BOTH.map(|at| corner(side, at)));
    for side in Side::BOTH {
        for at in Moment::BOTH {
            let name = format!("F({}) {}", moment(at), model.channels[side as usize]);
            let rect = corners[side as usize][at.index()];
            scalar(&mut d, rect, name, model.face.corner(side, at), model.selected == Some((side, at)), measure);
        }
        draw_gain(&mut d, &corners[side as usize], side, model, measure);
    }
    for at in Moment::BOTH {
        let [above, below] = [corners[0][at.index()], corners[1][at.index()]];
        let ends = vec![above.center_bottom() + vec2(0.0, 5.0), below.center_top() - vec2(0.0, 5.0)];
        d.line(ends, 1.0, Ink::Faint, Dash::Dotted);
    }
    draw_omega(&mut d, &corners, model, measure);
    Laid { drawing: d, corners }
}

fn draw_gain(d: &mut Drawing, pair: &[Rect; 2], side: Side, model: &Model<'_>, measure: &mut Measure<'_>) {
    let gain = model.face.gain(side);
    let sign = gain.and_then(|gain| gain.sign());
    let ink = if gain.is_some() { sign_ink(sign) } else { Ink::Faint };
    let (from, to) = (pair[0].right_center() + vec2(8.0, 0.0), pair[1].left_center() - vec2(6.0, 0.0));
    arrow(d, from, to, ink, if gain.is_some() { Dash::Solid } else { Dash::Dotted });
    let name = model.channels[side as usize];
    let text = match gain {
        Some(gain) => format!("G {name} {}", signed(gain.value)),
        None => format!("G {name} ?"),
    };
    let (at, anchor) = match side {
        Side::Reference => (pos2(from.lerp(to, 0.5).x, from.y - 8.0), Align2::CENTER_BOTTOM),
        Side::Alternative => (pos2(from.lerp(to, 0.5).x, from.y + 8.0), Align2::CENTER_TOP),
    };
    let room = to.x - from.x - 8.0;
    let text = if measure(&text, Type::bold(13.0)).x > room {
        gain.map_or_else(|| "G ?".to_owned(), |gain| format!("G {}", signed(gain.value)))
    } else {
        text
    };
    d.words(at, anchor, text, Type::bold(13.0), ink);
}

fn draw_omega(d: &mut Drawing, corners: &[[Rect; 2]; 2], model: &Model<'_>, measure: &mut Measure<'_>) {
    let inside = Rect::from_min_max(corners[0][0].center_bottom(), corners[1][1].center_top());
    let center = inside.center();
    let omega = model.face.omega();
    let words = omega.map_or_else(|| "Ω not identified".to_owned(), |omega| format!("Ω {}", signed(omega.value)));
    let ty = if omega.is_some() { Type::mono(20.0) } else { Type::bold(15.0) };
    let lines = wrap(sentence(&model.face), inside.width() - 20.0, Type::sans(12.5), measure);
    let height = 26.0 + 17.0 * lines.len() as f32;
    let mut y = center.y - height / 2.0 + 11.0;
    d.words(pos2(center.x, y), Align2::CENTER_CENTER, words, ty, if omega.is_some() { Ink::Text } else { Ink::Warn });
    y += 25.0;
    for line in lines {
        d.words(pos2(center.x, y), Align2::CENTER_CENTER, line, Type::sans(12.5), Ink::Muted);
        y += 17.0;
    }
}
