//! The picture of a case as a page: title, endpoints, the cube or lattice as it stands on the screen, legend, digests.

use crate::widgets::drawing::{Dash, Drawing, wrap};
use crate::widgets::ink::{Ink, Type};
use crate::widgets::model::{Board, mark};
use crate::wings::judgment::state::{CaseTab, Held, OpenCase};
use crate::wings::judgment::views::case::{legend_for_export, scene_for_export};
use decidendi_core::judgment::source::Mask;
use egui::{Align2, Vec2, pos2, vec2};

const WIDTH: f32 = 720.0;
const PAD: f32 = 28.0;

/// The page; `None` beyond six sources.
#[must_use]
pub fn sheet(open: &OpenCase, held: Option<&Held>) -> Option<Drawing> {
    let mut measure = crate::shared::picture::measure();
    let (board, scene, selected) = scene_for_export(open, vec2(WIDTH - 2.0 * PAD, 500.0), &mut measure)?;
    let width = WIDTH.max(scene.size.x + 2.0 * PAD);
    let mut d = Drawing::new(vec2(width, 0.0));
    let mut y = head(open, width, &mut d, &mut measure);

    let picture = scene.draw(&board, Some(selected), None);
    d.place(&picture, vec2(((width - scene.size.x) / 2.0).round(), y));
    y += scene.size.y + 12.0;
    y = legend(open, &board, width, y, &mut d, &mut measure);
    y = digests(open, held, width, y, &mut d, &mut measure);
    d.size.y = (y + PAD - 8.0).ceil();
    Some(d)
}

type Ruler<'m> = dyn FnMut(&str, Type) -> Vec2 + 'm;

fn head(open: &OpenCase, width: f32, d: &mut Drawing, measure: &mut Ruler<'_>) -> f32 {
    let judgment = open.shown();
    let mut y = PAD;
    for line in wrap(open.case.title(), width - 2.0 * PAD, Type::bold(18.0), measure) {
        d.words(pos2(PAD, y), Align2::LEFT_TOP, line, Type::bold(18.0), Ink::Text);
        y += 25.0;
    }
    let full = Mask::full(judgment.sources.len());
    let mut x = PAD;
    y += 14.0;
    for (i, cell) in [Mask::EMPTY, full].into_iter().enumerate() {
        if i == 1 {
            d.words(pos2(x, y), Align2::LEFT_CENTER, "→", Type::sans(14.0), Ink::Muted);
            x += 24.0;
        }
        let mark = mark(judgment, cell);
        mark.draw(pos2(x + 8.0, y), 8.0, d);
        x += 23.0;
        x += measure(&mark.word, Type::bold(14.0)).x + 10.0;
        let at = x - 10.0 - measure(&mark.word, Type::bold(14.0)).x;
        d.words(pos2(at, y), Align2::LEFT_CENTER, mark.word, Type::bold(14.0), Ink::Text);
    }
    let note = match (open.sandbox.is_some(), open.swapped) {
        (true, _) => "SANDBOX: edited values, never certifiable",
        (false, true) => "old and new swapped",
        (false, false) => "",
    };
    d.words(pos2(width - PAD, y), Align2::RIGHT_CENTER, note, Type::bold(12.0), Ink::Warn);
    y + 22.0
}

fn legend(open: &OpenCase, board: &Board, width: f32, y: f32, d: &mut Drawing, measure: &mut Ruler<'_>) -> f32 {
    let judgment = open.shown();
    let mut at = pos2(PAD, y);
    let ty = Type::sans(12.0);
    for (drawing, word) in legend_for_export(judgment, board, open.tab == CaseTab::Cube) {
        let needed = drawing.size.x + 5.0 + measure(&word, ty).x;
        if at.x + needed > width - PAD {
            at = pos2(PAD, at.y + 24.0);
        }
        d.place(&drawing, at.to_vec2());
        d.words(
            pos2(at.x + drawing.size.x + 5.0, at.y + drawing.size.y / 2.0),
            Align2::LEFT_CENTER,
            word,
            ty,
            Ink::Muted,
        );
        at.x += needed + 18.0;
    }
    at.y + 32.0
}

fn digests(open: &OpenCase, held: Option<&Held>, width: f32, y: f32, d: &mut Drawing, measure: &mut Ruler<'_>) -> f32 {
    let judgment = open.shown();
    d.line(vec![pos2(PAD, y), pos2(width - PAD, y)], 1.0, Ink::Stroke, Dash::Solid);
    let ran = judgment.cube.cells().iter().filter(|c| c.is_some()).count();
    let all = judgment.cube.cells().len();
    let mut lines = vec![format!("case {} · {ran} of {all} hybrids {}", open.case.id(), judgment.obtained.word())];
    if let Some(family) = judgment.family().filter(|f| f.multiplicity() > 0) {
        let members =
            family.members().iter().take(12).map(|m| m.braces(&judgment.sources)).collect::<Vec<_>>().join("  ");
        let more = family.multiplicity().saturating_sub(12);
        lines
            .push(format!("receipts {members}{}", if more > 0 { format!("  and {more} more") } else { String::new() }));
    }
    if open.sandbox.is_none() {
        lines.push(format!("case.json {}", open.case.digest()));
        if let Some(held) = held.filter(|_| !open.swapped) {
            lines.push(format!("certificate {}", held.digest));
        }
    }
    let mut y = y + 12.0;
    for line in lines {
        for piece in wrap(&line, width - 2.0 * PAD, Type::mono(11.0), measure) {
            d.words(pos2(PAD, y), Align2::LEFT_TOP, piece, Type::mono(11.0), Ink::Muted);
            y += 17.0;
        }
    }
    y
}
