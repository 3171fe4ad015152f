//! Writes a drawing as SVG. The same drawing gives the same bytes: numbers have at most two decimals, nothing is dated.

use crate::theme::Palette;
use crate::theme::fonts::Faces;
use crate::widgets::drawing::{Dash, Drawing, Item};
use crate::widgets::ink::{Face, Type};
use egui::{Align, Color32, Pos2};
use std::fmt::Write as _;

/// The drawing as an SVG document on the theme's panel ground.
#[must_use]
pub fn svg(drawing: &Drawing, palette: &Palette, title: &str) -> String {
    let (w, h) = (number(drawing.size.x), number(drawing.size.y));
    let mut out = String::with_capacity(512 + drawing.items.len() * 120);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\">\n\
         <title>{}</title>\n<rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>\n",
        escape(title),
        hex(palette.panel)
    );
    let mut faces = Faces::new();
    for item in &drawing.items {
        write_item(&mut out, item, palette, &mut faces);
    }
    out.push_str("</svg>\n");
    out
}

fn write_item(out: &mut String, item: &Item, palette: &Palette, faces: &mut Faces) {
    // Writing to a String cannot fail.
    let _ = match item {
        Item::Line { points, width, ink, dash } => writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}/>",
            joined(points),
            hex(ink.color(palette)),
            number(*width),
            dashes(*dash, *width)
        ),
        Item::Fill { points, ink } => {
            writeln!(out, "<polygon points=\"{}\" fill=\"{}\"/>", joined(points), hex(ink.color(palette)))
        }
        Item::Disc { center, radius, ink } => writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>",
            number(center.x),
            number(center.y),
            number(*radius),
            hex(ink.color(palette))
        ),
        Item::Ring { center, radius, width, ink, dash } => writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>",
            number(center.x),
            number(center.y),
            number(*radius),
            hex(ink.color(palette)),
            number(*width),
            dashes(*dash, *width)
        ),
        Item::Words { at, anchor, text, ty, ink } => {
            let place = match anchor.x() {
                Align::Min => "start",
                Align::Center => "middle",
                Align::Max => "end",
            };
            writeln!(
                out,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"{place}\" {} fill=\"{}\">{}</text>",
                number(at.x),
                number(at.y + baseline(*ty, anchor.y())),
                font(*ty),
                hex(ink.color(palette)),
                words(&faces.spelled(text))
            )
        }
    };
}

/// A text with its scripts marked, so that a reader need not guess which face has them.
fn words(text: &str) -> String {
    let run = |(family, run): (Option<String>, &str)| match family {
        Some(family) => format!("<tspan font-family=\"'{family}',sans-serif\">{}</tspan>", escape(run)),
        None => escape(run),
    };
    Faces::runs(text).into_iter().map(run).collect()
}

/// From the anchor to the baseline, with the metrics of the bundled faces (ascent 1.069, descent 0.293 of the size).
fn baseline(ty: Type, align: Align) -> f32 {
    const ASCENT: f32 = 1.069;
    const HEIGHT: f32 = 1.362;
    let from_top = match align {
        Align::Min => ASCENT,
        Align::Center => ASCENT - HEIGHT / 2.0,
        Align::Max => ASCENT - HEIGHT,
    };
    from_top * ty.size
}

fn font(ty: Type) -> String {
    let (family, weight) = match ty.face {
        Face::Sans => ("'Noto Sans','Noto Sans Math','Noto Sans Symbols 2',sans-serif", ""),
        Face::Bold => ("'Noto Sans SemiBold','Noto Sans','Noto Sans Math',sans-serif", " font-weight=\"600\""),
        Face::Mono => ("'Noto Sans Mono','Noto Sans',monospace", ""),
    };
    format!("font-family=\"{family}\" font-size=\"{}\"{weight}", number(ty.size))
}

fn dashes(dash: Dash, width: f32) -> String {
    match dash {
        Dash::Solid => String::new(),
        Dash::Dashed => " stroke-dasharray=\"4.5 3.5\"".to_owned(),
        Dash::Dotted => format!(" stroke-dasharray=\"0 {}\" stroke-linecap=\"round\"", number(width.mul_add(1.2, 2.0))),
    }
}

fn joined(points: &[Pos2]) -> String {
    points.iter().map(|p| format!("{},{}", number(p.x), number(p.y))).collect::<Vec<_>>().join(" ")
}

/// At most two decimals, no negative zero, no trailing zeros.
fn number(value: f32) -> String {
    let rounded = (f64::from(value) * 100.0).round() / 100.0;
    let text = format!("{rounded:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn hex(color: Color32) -> String {
    format!("#{:02x}{:02x}{:02x}", color.r(), color.g(), color.b())
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no way to spell other control characters.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::ink::Ink;
    use egui::{Align2, pos2, vec2};

    #[test]
    fn text_is_escaped_and_numbers_are_short() {
        let mut d = Drawing::new(vec2(10.0, 10.0));
        d.words(pos2(1.0, 2.0), Align2::LEFT_TOP, "a < b & \"c\"", Type::sans(10.0), Ink::Text);
        d.disc(pos2(1.0 / 3.0, -0.001), 2.5, Ink::Approve);
        let text = svg(&d, &Palette::default(), "t");
        assert!(text.contains("a &lt; b &amp; &quot;c&quot;"));
        assert!(text.contains("cx=\"0.33\" cy=\"0\" r=\"2.5\""));
    }
}
