//! A picture as a list of plain items in points. The painter shows it on screen, [`crate::wings::judgment::export`] writes it as SVG: the
//! same picture, because it is the same list.

use super::ink::{Ink, Type};
use crate::theme::Palette;
use egui::epaint::TextShape;
use egui::{Align2, Pos2, Rect, Shape, Stroke, Vec2, vec2};

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dash {
    /// Unbroken.
    Solid,
    /// Dashes: hidden edges, outlines of predictions.
    Dashed,
    /// Dots: outlines of what did not run, the selection.
    Dotted,
}

/// One thing to draw. Positions are points from the drawing's top left corner.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A line through points.
    Line {
        /// The points.
        points: Vec<Pos2>,
        /// Width in points.
        width: f32,
        /// Colour.
        ink: Ink,
        /// Broken or not.
        dash: Dash,
    },
    /// A filled convex polygon.
    Fill {
        /// Its corners.
        points: Vec<Pos2>,
        /// Colour.
        ink: Ink,
    },
    /// A filled disc.
    Disc {
        /// Centre.
        center: Pos2,
        /// Radius.
        radius: f32,
        /// Colour.
        ink: Ink,
    },
    /// A circle.
    Ring {
        /// Centre.
        center: Pos2,
        /// Radius.
        radius: f32,
        /// Width in points.
        width: f32,
        /// Colour.
        ink: Ink,
        /// Broken or not.
        dash: Dash,
    },
    /// One line of text.
    Words {
        /// Where the anchor stands.
        at: Pos2,
        /// Which point of the text stands there.
        anchor: Align2,
        /// The text.
        text: String,
        /// Face and size.
        ty: Type,
        /// Colour.
        ink: Ink,
    },
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Drawing {
    /// Its extent.
    pub size: Vec2,
    /// Back to front.
    pub items: Vec<Item>,
}

/// Measures one line of text, in points.
pub type Measure<'m> = dyn FnMut(&str, Type) -> Vec2 + 'm;

impl Drawing {
    /// An empty picture.
    #[must_use]
    pub const fn new(size: Vec2) -> Self {
        Self { size, items: Vec::new() }
    }

    /// Adds a line.
    pub fn line(&mut self, points: Vec<Pos2>, width: f32, ink: Ink, dash: Dash) {
        self.items.push(Item::Line { points, width, ink, dash });
    }

    /// Adds a filled convex polygon.
    pub fn fill(&mut self, points: Vec<Pos2>, ink: Ink) {
        self.items.push(Item::Fill { points, ink });
    }

    /// Adds a disc.
    pub fn disc(&mut self, center: Pos2, radius: f32, ink: Ink) {
        self.items.push(Item::Disc { center, radius, ink });
    }

    /// Adds a circle.
    pub fn ring(&mut self, center: Pos2, radius: f32, width: f32, ink: Ink, dash: Dash) {
        self.items.push(Item::Ring { center, radius, width, ink, dash });
    }

    /// Adds one line of text.
    pub fn words(&mut self, at: Pos2, anchor: Align2, text: impl Into<String>, ty: Type, ink: Ink) {
        self.items.push(Item::Words { at, anchor, text: text.into(), ty, ink });
    }

    /// Adds another picture, moved by `by`.
    pub fn place(&mut self, other: &Self, by: Vec2) {
        self.items.extend(other.items.iter().cloned().map(|item| item.moved(by)));
    }

    /// Shows the picture with its top left corner at `origin`.
    pub fn paint(&self, painter: &egui::Painter, origin: Pos2, palette: &Palette) {
        let by = origin.to_vec2();
        let mut shapes = Vec::with_capacity(self.items.len() + 16);
        for item in &self.items {
            item.shapes(painter, by, palette, &mut shapes);
        }
        painter.extend(shapes);
    }
}

impl Item {
    fn moved(self, by: Vec2) -> Self {
        let all = |points: Vec<Pos2>| points.into_iter().map(|p| p + by).collect();
        match self {
            Self::Line { points, width, ink, dash } => Self::Line { points: all(points), width, ink, dash },
            Self::Fill { points, ink } => Self::Fill { points: all(points), ink },
            Self::Disc { center, radius, ink } => Self::Disc { center: center + by, radius, ink },
            Self::Ring { center, radius, width, ink, dash } => {
                Self::Ring { center: center + by, radius, width, ink, dash }
            }
            Self::Words { at, anchor, text, ty, ink } => Self::Words { at: at + by, anchor, text, ty, ink },
        }
    }

    fn shapes(&self, painter: &egui::Painter, by: Vec2, palette: &Palette, out: &mut Vec<Shape>) {
        match self {
            Self::Line { points, width, ink, dash } => {
                let points: Vec<Pos2> = points.iter().map(|p| *p + by).collect();
                stroke_path(points, *width, ink.color(palette), *dash, out);
            }
            Self::Fill { points, ink } => {
                let points = points.iter().map(|p| *p + by).collect();
                out.push(Shape::convex_polygon(points, ink.color(palette), Stroke::NONE));
            }
            Self::Disc { center, radius, ink } => {
                out.push(Shape::circle_filled(*center + by, *radius, ink.color(palette)));
            }
            Self::Ring { center, radius, width, ink, dash } => {
                let color = ink.color(palette);
                if *dash == Dash::Solid {
                    out.push(Shape::circle_stroke(*center + by, *radius, Stroke::new(*width, color)));
                } else {
                    stroke_path(circle(*center + by, *radius), *width, color, *dash, out);
                }
            }
            Self::Words { at, anchor, text, ty, ink } => {
                let color = ink.color(palette);
                let galley = painter.layout_no_wrap(text.clone(), ty.font(), color);
                let rect = anchor.anchor_size(*at + by, galley.size());
                out.push(Shape::Text(TextShape::new(rect.min, galley, color)));
            }
        }
    }
}

fn stroke_path(points: Vec<Pos2>, width: f32, color: egui::Color32, dash: Dash, out: &mut Vec<Shape>) {
    match dash {
        Dash::Solid => out.push(Shape::line(points, Stroke::new(width, color))),
        Dash::Dashed => Shape::dashed_line_many(&points, Stroke::new(width, color), 4.5, 3.5, out),
        Dash::Dotted => out.extend(Shape::dotted_line(&points, color, width.mul_add(1.2, 2.0), width * 0.62)),
    }
}

/// A circle as a closed path of points.
#[must_use]
pub fn circle(center: Pos2, radius: f32) -> Vec<Pos2> {
    let n = (radius * 2.0).clamp(24.0, 96.0) as usize;
    (0..=n)
        .map(|i| {
            let a = std::f32::consts::TAU * i as f32 / n as f32;
            center + radius * vec2(a.cos(), a.sin())
        })
        .collect()
}

/// Measures text as the painter's fonts lay it out.
pub fn measure_with(painter: &egui::Painter) -> impl FnMut(&str, Type) -> Vec2 + '_ {
    move |text, ty| painter.layout_no_wrap(text.to_owned(), ty.font(), egui::Color32::PLACEHOLDER).size()
}

/// Breaks a text into lines no wider than `width`: between words where it can, inside one where it must.
pub fn wrap(text: &str, width: f32, ty: Type, measure: &mut Measure<'_>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if measure(&longer, ty).x <= width {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            line.push(c);
            if measure(&line, ty).x > width && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, c.to_string()));
            }
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// Whether two rectangles overlap by more than a hair.
#[must_use]
pub fn overlap(a: Rect, b: Rect) -> bool {
    let common = a.intersect(b);
    common.width() > 0.1 && common.height() > 0.1
}
