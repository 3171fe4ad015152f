//! The verdict mark: shape, glyph, word and colour, so that a greyscale picture stays readable. Solid is executed, a
//! double outline recorded elsewhere, hatched with a dashed outline predicted, hollow and dotted not run.

use super::drawing::{Dash, Drawing, circle};
use super::ink::{Ink, Type};
use crate::theme::Palette;
use decidendi_core::judgment::verdict::Meaning;
use egui::{Align2, Pos2, Response, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

/// Where a verdict comes from. The four never look alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// The engine ran the hybrid.
    Executed,
    /// Recorded elsewhere and taken as given.
    Recorded,
    /// A model said so.
    Predicted,
    /// Nothing ran.
    NotRun,
}

impl Look {
    /// The word beside the mark, on the clipboard and for screen readers.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Executed => "executed",
            Self::Recorded => "recorded",
            Self::Predicted => "predicted",
            Self::NotRun => "not run",
        }
    }
}

/// A verdict to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The label as it is spelled; `not run` where there is none.
    pub word: String,
    /// What the label means to the eye.
    pub meaning: Meaning,
    /// Where it comes from.
    pub look: Look,
}

impl Mark {
    /// The mark of a label.
    #[must_use]
    pub fn new(word: &str, look: Look) -> Self {
        Self { word: word.to_owned(), meaning: Meaning::of(word), look }
    }

    /// The mark of a hybrid that did not run.
    #[must_use]
    pub fn not_run() -> Self {
        Self { word: "not run".to_owned(), meaning: Meaning::Other, look: Look::NotRun }
    }

    /// The mark of a cell: its label, or not run.
    #[must_use]
    pub fn of(word: Option<&str>, look: Look) -> Self {
        word.map_or_else(Self::not_run, |w| Self::new(w, look))
    }

    /// The colour of mark and word.
    #[must_use]
    pub const fn ink(&self) -> Ink {
        match self.look {
            Look::NotRun => Ink::Faint,
            _ => Ink::of(self.meaning),
        }
    }

    /// Name for a screen reader.
    #[must_use]
    pub fn name(&self) -> String {
        match self.look {
            Look::NotRun => self.word.clone(),
            look => format!("{} ({})", self.word, look.word()),
        }
    }

    /// Draws the mark with its centre at `center`; `radius` is that of the disc, the other shapes look as heavy.
    pub fn draw(&self, center: Pos2, radius: f32, into: &mut Drawing) {
        let outline = outline(self.meaning, self.look, center, radius);
        let ink = self.ink();
        let fine = (radius * 0.13).clamp(1.0, 2.0);
        match self.look {
            Look::Executed | Look::Recorded => {
                if self.meaning == Meaning::Approve {
                    into.disc(center, radius, ink);
                } else {
                    into.fill(outline, ink);
                }
                if self.look == Look::Recorded {
                    into.line(
                        closed(outline_of(self.meaning, center, radius * 0.8)),
                        fine * 0.8,
                        Ink::OnVerdict,
                        Dash::Solid,
                    );
                }
                let size = if self.look == Look::Recorded { radius * 0.78 } else { radius };
                self.glyph(center, size, Ink::OnVerdict, into);
            }
            Look::Predicted => {
                for line in hatch(&outline, radius * 0.42) {
                    into.line(line.to_vec(), fine, ink, Dash::Solid);
                }
                into.line(closed(outline), fine * 1.15, ink, Dash::Dashed);
                // The glyph stands on a spot of background, so that the hatching does not run through it.
                into.disc(center, radius * 0.56, Ink::Panel);
                self.glyph(center, radius * 0.8, ink, into);
            }
            Look::NotRun => into.ring(center, radius * 0.92, fine, ink, Dash::Dotted),
        }
    }

    fn glyph(&self, c: Pos2, r: f32, ink: Ink, into: &mut Drawing) {
        let width = (r * 0.17).max(1.2);
        let at = |x: f32, y: f32| pos2(x.mul_add(r, c.x), y.mul_add(r, c.y));
        let mut line = |points: &[(f32, f32)]| {
            into.line(points.iter().map(|&(x, y)| at(x, y)).collect(), width, ink, Dash::Solid);
        };
        match self.meaning {
            Meaning::Approve => line(&[(-0.4, 0.03), (-0.12, 0.32), (0.42, -0.3)]),
            Meaning::Deny => {
                line(&[(-0.31, -0.31), (0.31, 0.31)]);
                line(&[(-0.31, 0.31), (0.31, -0.31)]);
            }
            Meaning::Refer => {
                line(&[(-0.32, 0.32), (0.3, -0.3)]);
                line(&[(-0.12, -0.32), (0.32, -0.32), (0.32, 0.12)]);
            }
            Meaning::Other => {
                let letter: String = self.word.chars().next().map(|l| l.to_uppercase().collect()).unwrap_or_default();
                into.words(c, Align2::CENTER_CENTER, letter, Type::bold((r * 1.05).max(6.0)), ink);
            }
        }
    }

    /// Shows the mark inline, `size` points high, without its word.
    pub fn show(&self, ui: &mut Ui, palette: &Palette, size: f32) -> Response {
        let (rect, response) = ui.allocate_exact_size(Vec2::splat(size), Sense::hover());
        let mut drawing = Drawing::new(rect.size());
        self.draw(pos2(size / 2.0, size / 2.0), size * 0.46, &mut drawing);
        drawing.paint(ui.painter(), rect.min, palette);
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, self.name()));
        response
    }
}

fn outline(meaning: Meaning, look: Look, c: Pos2, r: f32) -> Vec<Pos2> {
    if look == Look::NotRun { circle(c, r) } else { outline_of(meaning, c, r) }
}

/// The shape of a meaning, each about as heavy as a disc of radius `r`.
fn outline_of(meaning: Meaning, c: Pos2, r: f32) -> Vec<Pos2> {
    match meaning {
        Meaning::Approve => circle(c, r).into_iter().skip(1).collect(),
        Meaning::Deny => {
            let h = r * 0.88;
            [(-h, -h), (h, -h), (h, h), (-h, h)].map(|(x, y)| c + vec2(x, y)).to_vec()
        }
        Meaning::Refer => {
            let h = r * 1.18;
            [(0.0, -h), (h, 0.0), (0.0, h), (-h, 0.0)].map(|(x, y)| c + vec2(x, y)).to_vec()
        }
        Meaning::Other => (0..6)
            .map(|i| {
                let a = std::f32::consts::TAU * i as f32 / 6.0;
                c + r * 1.06 * vec2(a.cos(), a.sin())
            })
            .collect(),
    }
}

fn closed(mut outline: Vec<Pos2>) -> Vec<Pos2> {
    if let Some(first) = outline.first().copied() {
        outline.push(first);
    }
    outline
}

/// Slanted lines `step` apart inside a convex outline.
fn hatch(outline: &[Pos2], step: f32) -> Vec<[Pos2; 2]> {
    // Lines x + y = s; each cuts a convex outline in at most two points.
    let sums: Vec<f32> = outline.iter().map(|p| p.x + p.y).collect();
    let (low, high) = sums.iter().fold((f32::MAX, f32::MIN), |(a, b), &s| (a.min(s), b.max(s)));
    let count = ((high - low) / step).floor().clamp(0.0, 64.0) as usize;
    let mut lines = Vec::with_capacity(count);
    for i in 0..count {
        let s = (i as f32 + 0.5).mul_add(step, low);
        let mut cuts = Vec::with_capacity(2);
        for j in 0..outline.len() {
            let (a, b) = (outline[j], outline[(j + 1) % outline.len()]);
            let (sa, sb) = (a.x + a.y - s, b.x + b.y - s);
            if (sa < 0.0) != (sb < 0.0) {
                cuts.push(a.lerp(b, sa / (sa - sb)));
            }
        }
        if let [a, b, ..] = cuts[..] {
            lines.push([a, b]);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_of_one_label_are_drawn_differently() {
        let draw = |look| {
            let mut drawing = Drawing::new(vec2(20.0, 20.0));
            Mark::new("approve", look).draw(pos2(10.0, 10.0), 8.0, &mut drawing);
            drawing.items
        };
        let all = [Look::Executed, Look::Recorded, Look::Predicted, Look::NotRun].map(draw);
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                assert_ne!(a, b);
            }
        }
    }

    #[test]
    fn hatching_stays_inside() {
        for line in hatch(&outline_of(Meaning::Approve, pos2(0.0, 0.0), 10.0), 3.0) {
            for p in line {
                assert!(p.to_vec2().length() < 10.1);
            }
        }
    }
}
