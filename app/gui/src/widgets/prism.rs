//! The matched cube as a drawing: a box for every view under every authority with its mean gain, between views how the gain
//! changes with the view, between authorities how it changes with the authority. All on one scale: one template, one stack.

use decidendi_core::report::step_value::{interval, signed};
use decidendi_core::step_value::cube::CubeReport;
use decidendi_core::step_value::inference::Effect;
use egui::{Align2, Rect, Vec2, pos2, vec2};

use super::boxes::{bar, fit, outline, sign};
use super::drawing::{Dash, Drawing, Measure};
use super::face::sign_ink;
use super::ink::{Ink, Type};
use super::zero::Zero;

/// Size of a box: interval and figure fit in.
const BOX: Vec2 = vec2(134.0, 74.0);
/// Room between views: a difference above its interval.
const ACROSS: f32 = 96.0;
/// Room between views where there is little: the difference alone.
const NARROW: f32 = 62.0;
/// Room between authorities.
const DOWN: f32 = 44.0;
/// Room above for names.
const HEAD: f32 = 22.0;
/// Room at both sides for the outlines.
const EDGE: f32 = 2.0;

/// What is drawn.
pub struct Model<'a> {
    /// The cube's report.
    pub cube: &'a CubeReport,
    /// The cell that is followed elsewhere: view, authority.
    pub selected: Option<(usize, usize)>,
}

/// The laid-out cube.
pub struct Laid {
    /// The picture.
    pub drawing: Drawing,
    /// Where each cell stands: view by view, then by authority.
    pub cells: Vec<Vec<Rect>>,
}

impl Model<'_> {
    /// The mean gain of a cell.
    #[must_use]
    pub fn gain(&self, view: usize, authority: usize) -> Option<Effect> {
        self.cube.gains.get(view)?.get(authority).copied().flatten()
    }

    /// `D(H)`: the gain under the next view less the gain under this one.
    #[must_use]
    pub fn across(&self, view: usize, authority: usize) -> Option<Effect> {
        let of = |c: &&decidendi_core::step_value::cube::ViewContrast| {
            (c.from, c.to, c.authority) == (view, view + 1, authority)
        };
        self.cube.view_contrasts.iter().find(of)?.interaction
    }

    /// The gain under an authority less the gain under the first.
    #[must_use]
    pub fn down(&self, view: usize, authority: usize) -> Option<Effect> {
        self.cube.authority_effects.get(view)?.get(authority.checked_sub(1)?).copied().flatten()
    }

    /// How far the intervals of the boxes reach from zero.
    fn reach(&self) -> f64 {
        let all = self.cube.gains.iter().flatten().flatten();
        let ends = all.flat_map(|effect| [effect.estimate.value, effect.estimate.lo, effect.estimate.hi]);
        ends.map(f64::abs).filter(|end| end.is_finite()).fold(0.0, f64::max)
    }
}

/// Lays the cube out in `width`; views stand beside each other where there is room, else below each other. It may come out
/// wider than asked for: then it is to be scrolled.
#[must_use]
pub fn layout(model: &Model<'_>, width: f32, measure: &mut Measure<'_>) -> Laid {
    let (views, authorities) = (model.cube.views.len(), model.cube.authorities.len());
    let wanted = |n: usize, gap: f32| 2.0 * EDGE + n as f32 * BOX.x + n.saturating_sub(1) as f32 * gap;
    let upright = wanted(views, NARROW) > width && authorities < views;
    let columns = if upright { authorities } else { views };
    let gap = if columns < 2 {
        0.0
    } else {
        let free = (width - 2.0 * EDGE - columns as f32 * BOX.x) / (columns - 1) as f32;
        free.clamp(NARROW, ACROSS).floor()
    };
    let rows = if upright { views } else { authorities };
    let size = vec2(wanted(columns, gap), HEAD + rows as f32 * BOX.y + rows.saturating_sub(1) as f32 * DOWN + 2.0);
    let left = EDGE + ((width - size.x) / 2.0).max(0.0).floor();
    let mut d = Drawing::new(vec2(size.x.max(width), size.y));
    let cell = |view: usize, authority: usize| {
        let (column, row) = if upright { (authority, view) } else { (view, authority) };
        let at = pos2(left + column as f32 * (BOX.x + gap), HEAD + row as f32 * (BOX.y + DOWN));
        Rect::from_min_size(at, BOX)
    };
    let cells: Vec<Vec<Rect>> = (0..views).map(|view| (0..authorities).map(|a| cell(view, a)).collect()).collect();
    let heads: &[String] = if upright { &model.cube.authorities } else { &model.cube.views };
    for (column, name) in heads.iter().enumerate() {
        let rect = if upright { cell(0, column) } else { cell(column, 0) };
        let name = fit(name.clone(), Type::bold(12.5), BOX.x + gap - 8.0, measure);
        d.words(pos2(rect.center().x, rect.top() - 6.0), Align2::CENTER_BOTTOM, name, Type::bold(12.5), Ink::Muted);
    }
    for view in 0..views {
        for authority in 0..authorities {
            let rect = cell(view, authority);
            let name = &if upright { &model.cube.views } else { &model.cube.authorities }
                [if upright { view } else { authority }];
            draw_cell(&mut d, rect, name, model, (view, authority), measure);
            if view + 1 < views {
                let to = cell(view + 1, authority);
                between(&mut d, "D", model.across(view, authority), [rect, to]);
            }
            if authority + 1 < authorities {
                // Against the first authority: with more than two the words say which.
                let to = cell(view, authority + 1);
                between(&mut d, "Δ", model.down(view, authority + 1), [rect, to]);
            }
        }
    }
    Laid { drawing: d, cells }
}

fn draw_cell(
    d: &mut Drawing,
    rect: Rect,
    name: &str,
    model: &Model<'_>,
    (view, authority): (usize, usize),
    measure: &mut Measure<'_>,
) {
    let gain = model.gain(view, authority);
    outline(d, rect, gain.is_some(), model.selected == Some((view, authority)));
    let x = rect.center().x;
    let name = fit(name.to_owned(), Type::sans(11.5), rect.width() - 8.0, measure);
    d.words(pos2(x, rect.top() + 13.0), Align2::CENTER_CENTER, name, Type::sans(11.5), Ink::Muted);
    let Some(effect) = gain else {
        d.words(rect.center(), Align2::CENTER_CENTER, "not identified", Type::sans(12.5), Ink::Warn);
        return;
    };
    let ink = if effect.sign.is_some() { sign_ink(effect.sign) } else { Ink::Muted };
    let words = format!("G {}", signed(effect.estimate.value));
    let wide = measure(&words, Type::bold(13.0)).x;
    sign(d, pos2(x - wide / 2.0 - 9.0, rect.top() + 31.0), effect.sign);
    d.words(pos2(x + 3.0, rect.top() + 31.0), Align2::CENTER_CENTER, words, Type::bold(13.0), ink);
    let e = effect.estimate;
    d.words(pos2(x, rect.top() + 47.0), Align2::CENTER_CENTER, interval(e.lo, e.hi), Type::mono(11.0), Ink::Muted);
    let rail = Rect::from_center_size(pos2(x, rect.bottom() - 12.0), vec2(rect.width() - 24.0, 9.0));
    bar(d, rail, [e.value, e.lo, e.hi], model.reach(), ink);
}

/// A difference between two boxes beside or below each other, on a dotted line. Strong where it is clear of zero.
fn between(d: &mut Drawing, name: &str, effect: Option<Effect>, [from, to]: [Rect; 2]) {
    let beside = to.left() > from.right();
    let words =
        effect.map_or_else(|| format!("{name} ?"), |effect| format!("{name} {}", signed(effect.estimate.value)));
    let said = Zero::of_effect(effect);
    let ink = match effect {
        Some(effect) if effect.is_clear() => sign_ink(effect.sign),
        Some(_) => Ink::Muted,
        None => Ink::Warn,
    };
    let remark = match said {
        // Between two boxes there is room for two short words.
        Zero::Unknown => "not known",
        said => said.or("", "", "spans 0"),
    };
    if beside {
        let y = from.center().y;
        d.line(vec![pos2(from.right() + 4.0, y), pos2(to.left() - 4.0, y)], 1.0, Ink::Faint, Dash::Dotted);
        let x = (from.right() + to.left()) / 2.0;
        d.words(pos2(x, y - 6.0), Align2::CENTER_BOTTOM, words, Type::bold(12.0), ink);
        d.words(pos2(x, y + 5.0), Align2::CENTER_TOP, remark, Type::sans(11.0), Ink::Muted);
    } else {
        let x = from.center().x;
        d.line(vec![pos2(x, from.bottom() + 4.0), pos2(x, to.top() - 4.0)], 1.0, Ink::Faint, Dash::Dotted);
        let y = (from.bottom() + to.top()) / 2.0;
        d.words(pos2(x - 7.0, y), Align2::RIGHT_CENTER, words, Type::bold(12.0), ink);
        d.words(pos2(x + 7.0, y), Align2::LEFT_CENTER, remark, Type::sans(11.0), Ink::Muted);
    }
}
