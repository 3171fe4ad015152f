//! Pictures as files: a drawing as SVG and PNG. The bytes depend on nothing but the drawing and the colours.

pub mod png;
pub mod svg;

use egui::Vec2;

use crate::theme::fonts::Faces;
use crate::widgets::ink::Type;

pub use svg::svg;

/// Measures text without a window: the same faces, so the same numbers.
pub fn measure() -> impl FnMut(&str, Type) -> Vec2 {
    let mut faces = Faces::new();
    move |text, ty| {
        let spelled = faces.spelled(text);
        faces.layout(&spelled, ty.font()).size()
    }
}
