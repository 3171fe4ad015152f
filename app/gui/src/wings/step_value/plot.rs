//! Axes and words around a cloud of steps: the same on the screen and in a file.

use egui::{Align2, Pos2, Rect, Vec2, pos2, vec2};

use super::state::StepFlag;
use super::state::cloud::{Camera, Cloud, Point};
use crate::parts::group;
use crate::widgets::drawing::{Dash, Drawing, Measure};
use crate::widgets::ink::{Ink, Type};
use crate::widgets::rounded::rounded;

/// Room left of the axis, above, right and below of the plot.
const MARGIN: [f32; 4] = [40.0, 20.0, 6.0, 38.0];

/// A plot laid out in a rectangle.
pub struct Plot<'a> {
    /// What is plotted.
    pub cloud: &'a Cloud,
    /// The plotted area.
    pub inner: Rect,
    /// Screen points a unit.
    pub scale: Vec2,
    camera: Camera,
}

/// The ink of a flag: flips by where the gain turns to.
#[must_use]
pub const fn flag_ink(flag: StepFlag) -> Ink {
    match flag {
        StepFlag::NegativeToPositive => Ink::Approve,
        StepFlag::PositiveToNegative => Ink::Deny,
        StepFlag::Touching => Ink::Text,
        StepFlag::Same | StepFlag::Incomplete => Ink::Faint,
    }
}

/// Flags with their counts, in words.
#[must_use]
pub fn counts(counts: &[usize; 5]) -> Vec<String> {
    StepFlag::ALL.iter().zip(counts).take(4).map(|(flag, n)| format!("{} {}", flag.words(), group(*n))).collect()
}

impl<'a> Plot<'a> {
    /// Lays it out.
    #[must_use]
    pub fn new(cloud: &'a Cloud, rect: Rect, camera: Camera) -> Self {
        let [left, top, right, bottom] = MARGIN;
        let inner = Rect::from_min_max(rect.min + vec2(left, top), rect.max - vec2(right, bottom));
        let inner = Rect::from_min_size(inner.min, inner.size().max(Vec2::splat(20.0)));
        let [x, y] = cloud.reach();
        let scale = vec2(inner.width() / (2.0 * x), inner.height() / (2.0 * y)) * camera.zoom;
        Self { cloud, inner, scale, camera }
    }

    /// Where a place stands on the screen.
    #[must_use]
    pub fn at(&self, place: [f32; 2]) -> Pos2 {
        let center = self.inner.center();
        pos2(
            (place[0] - self.camera.center[0]).mul_add(self.scale.x, center.x),
            (self.camera.center[1] - place[1]).mul_add(self.scale.y, center.y),
        )
    }

    /// The place that stands at a point of the screen.
    #[must_use]
    pub fn back(&self, at: Pos2) -> [f32; 2] {
        let by = at - self.inner.center();
        [self.camera.center[0] + by.x / self.scale.x, self.camera.center[1] - by.y / self.scale.y]
    }

    /// Ground, axes, ticks and the axes' names.
    #[must_use]
    pub fn ground(&self, names: [&str; 2], measure: &mut Measure<'_>) -> Drawing {
        let mut d = Drawing::new(Vec2::ZERO);
        let r = self.inner;
        d.fill(vec![r.left_top(), r.right_top(), r.right_bottom(), r.left_bottom()], Ink::Raised);
        let zero = self.at([0.0; 2]);
        if r.x_range().contains(zero.x) {
            d.line(vec![pos2(zero.x, r.top()), pos2(zero.x, r.bottom())], 1.2, Ink::Quiet, Dash::Solid);
        }
        if r.y_range().contains(zero.y) {
            d.line(vec![pos2(r.left(), zero.y), pos2(r.right(), zero.y)], 1.2, Ink::Quiet, Dash::Solid);
        }
        let frame = vec![r.left_top(), r.right_top(), r.right_bottom(), r.left_bottom(), r.left_top()];
        d.line(frame, 1.0, Ink::Stroke, Dash::Solid);
        self.ticks(0, &mut d, measure);
        self.ticks(1, &mut d, measure);
        let small = Type::sans(11.5);
        let x = format!("gain, {} channel (symmetric log)", names[0]);
        d.words(pos2(r.center().x, r.bottom() + 22.0), Align2::CENTER_TOP, x, small, Ink::Muted);
        let mean = "mean";
        let room = measure(mean, small).x;
        d.words(pos2(r.right(), r.bottom() + 22.0), Align2::RIGHT_TOP, mean, small, Ink::Muted);
        mean_mark(pos2(r.right() - room - 10.0, r.bottom() + 30.0), 4.5, &mut d);
        let y = format!("gain, {} channel ↑", names[1]);
        d.words(pos2(r.left(), r.top() - 4.0), Align2::LEFT_BOTTOM, y, small, Ink::Muted);
        d
    }

    fn ticks(&self, axis: usize, d: &mut Drawing, measure: &mut Measure<'_>) {
        let r = self.inner;
        let small = Type::sans(11.0);
        let mut taken: Vec<[f32; 2]> = Vec::new();
        // Zero first, then the largest: where there is little room, what says most stays.
        let mut ticks = self.cloud.ticks(axis);
        ticks.sort_by(|a, b| (*a != 0.0).cmp(&(*b != 0.0)).then(b.abs().total_cmp(&a.abs())));
        for tick in ticks {
            let along = self.cloud.along(tick);
            let at = self.at(if axis == 0 { [along, 0.0] } else { [0.0, along] });
            let (place, range) = if axis == 0 { (at.x, r.x_range()) } else { (at.y, r.y_range()) };
            if !range.contains(place) {
                continue;
            }
            let words = tick_words(tick);
            let size = measure(&words, small);
            let half = if axis == 0 { size.x } else { size.y } / 2.0 + if axis == 0 { 5.0 } else { 1.0 };
            let span = [place - half, place + half];
            if taken.iter().any(|t| span[0] < t[1] && t[0] < span[1]) {
                continue;
            }
            taken.push(span);
            if axis == 0 {
                d.line(vec![pos2(place, r.bottom()), pos2(place, r.bottom() + 3.0)], 1.0, Ink::Faint, Dash::Solid);
                d.words(pos2(place, r.bottom() + 5.0), Align2::CENTER_TOP, words, small, Ink::Muted);
            } else {
                d.line(vec![pos2(r.left() - 3.0, place), pos2(r.left(), place)], 1.0, Ink::Faint, Dash::Solid);
                d.words(pos2(r.left() - 6.0, place), Align2::RIGHT_CENTER, words, small, Ink::Muted);
            }
        }
    }

    /// Counts in the four quadrants, to be drawn below the points, which they must not hide; what touches zero is counted
    /// apart.
    #[must_use]
    pub fn names(&self, counts: &[usize; 5], measure: &mut Measure<'_>) -> Drawing {
        let mut d = Drawing::new(Vec2::ZERO);
        let r = self.inner.shrink(8.0);
        let bold = Type::bold(12.5);
        let [above, below] = self.cloud.same();
        let [down, up, touching, ..] = *counts;
        let mut words = |d: &mut Drawing, at, anchor: Align2, text: String, ink| {
            // An axis below would make it illegible.
            let ground = anchor.anchor_size(at, measure(&text, bold)).expand2(vec2(4.0, 1.0));
            d.fill(rounded(ground, 3.0), Ink::Raised);
            d.words(at, anchor, text, bold, ink);
        };
        words(&mut d, r.left_top(), Align2::LEFT_TOP, format!("− → +  {}", group(up)), Ink::Approve);
        words(&mut d, r.right_bottom(), Align2::RIGHT_BOTTOM, format!("+ → −  {}", group(down)), Ink::Deny);
        words(&mut d, r.right_top(), Align2::RIGHT_TOP, format!("both +  {}", group(above)), Ink::Muted);
        words(&mut d, r.left_bottom(), Align2::LEFT_BOTTOM, format!("both −  {}", group(below)), Ink::Muted);
        if touching > 0 {
            let at = pos2(self.inner.right(), self.inner.top() - 4.0);
            d.words(
                at,
                Align2::RIGHT_BOTTOM,
                format!("touching zero {} (rings)", group(touching)),
                Type::sans(11.5),
                Ink::Muted,
            );
        }
        d
    }

    /// A point for a file: the same mark as on the screen.
    pub fn mark(&self, point: &Point, place: [f32; 2], d: &mut Drawing) {
        mark(point.flag, self.at(place), d);
    }
}

/// The mean: a diamond with nothing in it, so that a point it stands on stays in sight.
pub fn mean_mark(at: Pos2, radius: f32, d: &mut Drawing) {
    // One corner more than a diamond has closes its outline.
    let corners = [vec2(0.0, -radius), vec2(radius, 0.0), vec2(0.0, radius), vec2(-radius, 0.0), vec2(0.0, -radius)];
    let outline = corners.map(|by| at + by).to_vec();
    d.line(outline.clone(), 4.0, Ink::Raised, Dash::Solid);
    d.line(outline, 2.0, Ink::Text, Dash::Solid);
}

/// The mark of a flag.
pub fn mark(flag: StepFlag, at: Pos2, d: &mut Drawing) {
    let ink = flag_ink(flag);
    match flag {
        StepFlag::NegativeToPositive => {
            d.fill(vec![at - vec2(0.0, 3.6), at + vec2(3.3, 2.6), at + vec2(-3.3, 2.6)], ink);
        }
        StepFlag::PositiveToNegative => d.disc(at, 3.0, ink),
        StepFlag::Touching => d.ring(at, 2.6, 1.2, ink, Dash::Solid),
        StepFlag::Same | StepFlag::Incomplete => d.disc(at, 1.6, Ink::Quiet),
    }
}

fn tick_words(tick: f64) -> String {
    let size = tick.abs();
    let text = if size >= 1000.0 { group(size as usize) } else { format!("{size}") };
    if tick < 0.0 { format!("−{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::drawing::Item;

    #[test]
    fn the_mean_leaves_the_point_below_it_in_sight() {
        let mut d = Drawing::default();
        mean_mark(pos2(10.0, 10.0), 7.5, &mut d);
        assert!(!d.items.is_empty());
        assert!(d.items.iter().all(|item| matches!(item, Item::Line { .. })), "nothing is filled");
    }
}
