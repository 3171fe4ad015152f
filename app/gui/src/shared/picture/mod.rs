//! Pictures as files: a drawing as SVG and PNG. The bytes depend on nothing but the drawing and the colours.

pub mod png;
pub mod svg;

use egui::Vec2;
use egui::epaint::text::{Fonts, TextOptions};

use crate::widgets::ink::Type;

pub use svg::svg;

/// Measures text without a window: the same faces, so the same numbers.
pub fn measure() -> impl FnMut(&str, Type) -> Vec2 {
    let mut fonts = Fonts::new(TextOptions::default(), crate::theme::fonts::definitions());
    move |text, ty| {
        let mut view = fonts.with_pixels_per_point(1.0);
        view.layout_no_wrap(text.to_owned(), ty.font(), egui::Color32::PLACEHOLDER).size()
    }
}
