//! A rectangle with round corners as a path, for drawings.

use egui::{Pos2, Rect, vec2};

/// Its outline, closed.
#[must_use]
pub fn rounded(rect: Rect, radius: f32) -> Vec<Pos2> {
    const STEPS: usize = 5;
    let corners = [
        (rect.right_top() + vec2(-radius, radius), -0.25_f32),
        (rect.right_bottom() + vec2(-radius, -radius), 0.0),
        (rect.left_bottom() + vec2(radius, -radius), 0.25),
        (rect.left_top() + vec2(radius, radius), 0.5),
    ];
    let mut path = Vec::with_capacity(4 * (STEPS + 1) + 1);
    for (center, from) in corners {
        for step in 0..=STEPS {
            let turn = std::f32::consts::TAU * (from + 0.25 * step as f32 / STEPS as f32);
            path.push(center + radius * vec2(turn.cos(), turn.sin()));
        }
    }
    path.extend(path.first().copied());
    path
}
