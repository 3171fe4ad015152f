//! What the step-value drawings share: boxes with a figure, arrows, the mark of a sign, an interval on a scale.

use decidendi_core::exact::interval::Sign;
use decidendi_core::report::step_value::signed;
use decidendi_core::step_value::measure::Measured;
use egui::{Align2, Pos2, Rect, pos2, vec2};

use super::drawing::{Dash, Drawing, Measure};
use super::face::sign_ink;
use super::ink::{Ink, Type};
use super::rounded::rounded;

/// The outline of a box: solid where something is known, hollow and dotted where not, the accent where it is followed.
pub(super) fn outline(d: &mut Drawing, rect: Rect, known: bool, selected: bool) {
    let path = rounded(rect, 6.0);
    if known {
        d.fill(path.clone(), Ink::Raised);
    }
    match (known, selected) {
        (true, true) => d.line(path, 1.5, Ink::Accent, Dash::Solid),
        (true, false) => d.line(path, 1.0, Ink::Stroke, Dash::Solid),
        (false, _) => d.line(path, 1.4, if selected { Ink::Accent } else { Ink::Faint }, Dash::Dotted),
    }
}

/// A box with a name and a scalar.
pub(super) fn scalar(
    d: &mut Drawing,
    rect: Rect,
    name: String,
    value: Option<Measured>,
    selected: bool,
    measure: &mut Measure<'_>,
) {
    outline(d, rect, value.is_some(), selected);
    let center = rect.center();
    let step = rect.height() * 0.2;
    let name = fit(name, Type::sans(12.0), rect.width() - 8.0, measure);
    d.words(pos2(center.x, center.y - step), Align2::CENTER_CENTER, name, Type::sans(12.0), Ink::Muted);
    let at = pos2(center.x, center.y + step);
    match value {
        Some(value) => d.words(at, Align2::CENTER_CENTER, signed(value.value), Type::mono(17.0), Ink::Text),
        None => d.words(at, Align2::CENTER_CENTER, "not identified", Type::sans(12.5), Ink::Warn),
    }
}

/// An arrow whose point is at `to`.
pub(super) fn arrow(d: &mut Drawing, from: Pos2, to: Pos2, ink: Ink, dash: Dash) {
    const HEAD: f32 = 15.0;
    let along = (to - from).normalized();
    let across = vec2(-along.y, along.x) * 7.5;
    let neck = to - along * HEAD;
    d.line(vec![from, neck + along], 2.5, ink, dash);
    d.fill(vec![to, neck + across, neck - across], ink);
}

/// A sign without words: a triangle up, a triangle down, a bar where it is abstained on.
pub(super) fn sign(d: &mut Drawing, at: Pos2, sign: Option<Sign>) {
    const R: f32 = 5.0;
    let ink = sign_ink(sign);
    match sign {
        Some(Sign::Positive) => d.fill(vec![at - vec2(0.0, R), at + vec2(R, R - 1.0), at + vec2(-R, R - 1.0)], ink),
        Some(Sign::Negative) => d.fill(vec![at + vec2(0.0, R), at - vec2(R, R - 1.0), at - vec2(-R, R - 1.0)], ink),
        None => d.line(vec![at - vec2(R, 0.0), at + vec2(R, 0.0)], 2.0, ink, Dash::Solid),
    }
}

/// A value and its interval about zero, over `−reach … reach`. Ends that are not known have no arms.
pub(super) fn bar(d: &mut Drawing, rect: Rect, [value, lo, hi]: [f64; 3], reach: f64, ink: Ink) {
    let reach = if reach > 0.0 { reach * 1.05 } else { 1.0 };
    let at = |v: f64| rect.left() + rect.width() * ((v + reach) / (2.0 * reach)).clamp(0.0, 1.0) as f32;
    let y = rect.center().y;
    d.line(vec![pos2(rect.left(), y), pos2(rect.right(), y)], 1.0, Ink::Stroke, Dash::Solid);
    d.line(vec![pos2(at(0.0), rect.top()), pos2(at(0.0), rect.bottom())], 1.0, Ink::Faint, Dash::Solid);
    if lo.is_finite() && hi.is_finite() {
        d.line(vec![pos2(at(lo), y), pos2(at(hi), y)], 1.8, ink, Dash::Solid);
        for end in [lo, hi] {
            d.line(vec![pos2(at(end), y - 3.5), pos2(at(end), y + 3.5)], 1.6, ink, Dash::Solid);
        }
    }
    d.disc(pos2(at(value), y), 3.4, ink);
}

/// No box of the drawings has room for more characters than this; a name may have any number.
const LONGEST: usize = 64;
/// As many characters are always kept.
const SHORTEST: usize = 4;

/// Words that end with … where they have too little room. Laid out a handful of times, however long they are.
pub(super) fn fit(words: String, ty: Type, room: f32, measure: &mut Measure<'_>) -> String {
    let ends: Vec<usize> = words.char_indices().map(|(at, _)| at).take(LONGEST + 1).collect();
    let whole = ends.len() <= LONGEST;
    if whole && measure(&words, ty).x <= room {
        return words;
    }
    let cut = |count: usize| format!("{}…", ends.get(count).map_or(words.as_str(), |end| &words[..*end]));
    // The most characters that fit: `fits` do, or are kept anyway; more than `most` are not looked at.
    let most = if whole { ends.len().saturating_sub(1) } else { LONGEST };
    let (mut fits, mut most) = (SHORTEST.min(ends.len()), most);
    while fits < most {
        let middle = fits + (most - fits).div_ceil(2);
        if measure(&cut(middle), ty).x <= room {
            fits = middle;
        } else {
            most = middle - 1;
        }
    }
    cut(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every character is 10 wide; how often it was laid out is counted.
    fn fitted(words: &str, room: f32) -> (String, usize) {
        let mut asked = 0;
        let mut measure = |text: &str, _: Type| {
            asked += 1;
            assert!(text.chars().count() <= LONGEST + 1, "never a long layout");
            vec2(text.chars().count() as f32 * 10.0, 10.0)
        };
        let words = fit(words.to_owned(), Type::sans(12.0), room, &mut measure);
        (words, asked)
    }

    #[test]
    fn names_are_cut_to_the_room_with_few_layouts() {
        assert_eq!(fitted("vertex", 60.0).0, "vertex");
        assert_eq!(fitted("vertex", 59.0).0, "vert…");
        assert_eq!(fitted("a name with words", 80.0).0, "a name …");
        assert_eq!(fitted("Ω≥−Ω≥−Ω≥−", 60.0).0, "Ω≥−Ω≥…");
        assert_eq!(fitted("vertex", 10.0).0, "vert…", "something is always left to read");
        assert_eq!(fitted("abc", 10.0).0, "abc…");
        let (words, asked) = fitted(&"x".repeat(100_000), 200.0);
        assert_eq!((words.chars().count(), words.ends_with('…')), (20, true));
        assert!(asked <= 8, "{asked}");
    }
}
