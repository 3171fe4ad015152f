//! Places labels so that they collide with nothing: each label brings candidate places with a cost, and a few rounds of
//! choosing the cheapest place given the others' settle it. Deterministic; the last choice is kept while it is good, so
//! that labels do not jump while a cube turns.

use super::drawing::overlap;
use egui::{Pos2, Rect, Vec2};

/// A place where a label could go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The label's rectangle there.
    pub rect: Rect,
    /// What is wrong with it before anything else is looked at.
    pub cost: f32,
}

/// What labels must keep off.
#[derive(Debug, Clone)]
pub struct Obstacles {
    /// Marks: never covered.
    pub marks: Vec<Rect>,
    /// Lines with the cost of one point of their length under a label.
    pub lines: Vec<([Pos2; 2], f32)>,
    /// Where labels must stay.
    pub bounds: Rect,
}

const COLLISION: f32 = 4_000.0;
const KEEP: f32 = 14.0;

/// The index of the chosen place for every label. `last` holds the choices of the frame before, if there was one.
#[must_use]
pub fn settle(wishes: &[Vec<Place>], obstacles: &Obstacles, last: &[usize]) -> Vec<usize> {
    let fixed: Vec<Vec<f32>> = wishes
        .iter()
        .enumerate()
        .map(|(i, places)| {
            let keep = |j: usize| if last.get(i) == Some(&j) { -KEEP } else { 0.0 };
            places.iter().enumerate().map(|(j, p)| p.cost + keep(j) + against(p.rect, obstacles)).collect()
        })
        .collect();
    // The order in which labels move decides where a descent ends: the better of both ends is taken.
    let (forward, backward) = (descend(wishes, &fixed, false), descend(wishes, &fixed, true));
    if backward.1 < forward.1 { backward.0 } else { forward.0 }
}

/// Moves one label after the other to its cheapest place given the others' until none moves; the choice and its cost.
fn descend(wishes: &[Vec<Place>], fixed: &[Vec<f32>], backward: bool) -> (Vec<usize>, f32) {
    let mut chosen: Vec<usize> = fixed.iter().map(|costs| cheapest(costs.iter().copied()).0).collect();
    let mut total = 0.0;
    for round in 0..8 {
        let mut moved = round == 0;
        total = 0.0;
        for step in 0..wishes.len() {
            let i = if backward { wishes.len() - 1 - step } else { step };
            let costs = wishes[i].iter().zip(&fixed[i]).map(|(place, cost)| {
                let grown = place.rect.expand(1.5);
                // In the first round only those that have a place already count: who comes first chooses first.
                let placed = |o: usize| round > 0 || if backward { o > i } else { o < i };
                let others = (0..wishes.len()).filter(|&o| o != i && placed(o));
                let hit = others.filter_map(|o| wishes[o].get(chosen[o])).filter(|p| overlap(p.rect, grown));
                cost + hit.map(|p| COLLISION + area(p.rect.intersect(grown))).sum::<f32>()
            });
            let (best, cost) = cheapest(costs);
            total += cost;
            moved |= best != chosen[i];
            chosen[i] = best;
        }
        if !moved {
            break;
        }
    }
    (chosen, total)
}

fn cheapest(costs: impl Iterator<Item = f32>) -> (usize, f32) {
    costs.enumerate().fold((0, f32::INFINITY), |best, (i, c)| if c < best.1 { (i, c) } else { best })
}

fn area(r: Rect) -> f32 {
    r.width().max(0.0) * r.height().max(0.0)
}

fn against(rect: Rect, obstacles: &Obstacles) -> f32 {
    let marks: f32 =
        obstacles.marks.iter().filter(|m| overlap(**m, rect)).map(|m| COLLISION * 2.0 + area(m.intersect(rect))).sum();
    let lines: f32 = obstacles.lines.iter().map(|(line, cost)| covered(*line, rect.expand(1.0)) * cost).sum();
    let b = obstacles.bounds;
    let out = (b.min.x - rect.min.x).max(0.0)
        + (rect.max.x - b.max.x).max(0.0)
        + (b.min.y - rect.min.y).max(0.0)
        + (rect.max.y - b.max.y).max(0.0);
    marks + lines + out * 400.0
}

/// Length of the part of a segment inside a rectangle (Liang-Barsky).
fn covered([a, b]: [Pos2; 2], rect: Rect) -> f32 {
    let d: Vec2 = b - a;
    let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
    for (p, q) in [(-d.x, a.x - rect.min.x), (d.x, rect.max.x - a.x), (-d.y, a.y - rect.min.y), (d.y, rect.max.y - a.y)]
    {
        if p.abs() < 1e-6 {
            if q < 0.0 {
                return 0.0;
            }
        } else if p < 0.0 {
            enter = enter.max(q / p);
        } else {
            leave = leave.min(q / p);
        }
    }
    (leave - enter).max(0.0) * d.length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    #[test]
    fn the_length_under_a_rectangle_is_measured() {
        let r = Rect::from_min_size(pos2(0.0, 0.0), vec2(10.0, 10.0));
        assert!((covered([pos2(-5.0, 5.0), pos2(15.0, 5.0)], r) - 10.0).abs() < 1e-4);
        assert!(covered([pos2(-5.0, 15.0), pos2(15.0, 15.0)], r) < 1e-6);
    }

    #[test]
    fn two_labels_that_want_the_same_place_share() {
        let at = |x: f32, cost: f32| Place { rect: Rect::from_min_size(pos2(x, 0.0), vec2(10.0, 10.0)), cost };
        let wishes = vec![vec![at(0.0, 0.0), at(50.0, 5.0)], vec![at(0.0, 0.0), at(50.0, 9.0)]];
        let bounds = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 100.0));
        let chosen = settle(&wishes, &Obstacles { marks: Vec::new(), lines: Vec::new(), bounds }, &[]);
        assert_ne!(chosen[0], chosen[1]);
    }
}
