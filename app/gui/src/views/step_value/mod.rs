//! Step value: one transition's face and the way from log-probabilities to its gains at the left, the population at the
//! right. Where there is no room for both, one part at a time.

mod bar;
mod bridge;
mod cohort;
mod cube;
mod diagnostics;
mod face;
mod means;
mod population;
mod recalibration;
mod retrieval;
mod scatter;
mod sheet;
mod states;
mod stops;

pub(super) use bar::{actions, heading, position, standing};
pub(super) use sheet::export as export_sheet;

use egui::{Rect, Ui, pos2};

use super::case::frame;
use crate::command::{Commands, StepCommand};
use crate::parts::segments;
use crate::state::{OpenStudy, State, StepColumn};
use crate::theme::Theme;

/// What every part of the page reads.
struct Page<'a> {
    state: &'a State,
    open: &'a OpenStudy,
    theme: &'a Theme,
}

/// From this width on there are two cards.
const TWO_CARDS: f32 = 960.0;

/// Shows the view.
pub(super) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let theme = Theme::of(ui.ctx());
    if states::shown(ui, state, commands) {
        return;
    }
    let Some(open) = &state.step.open else { return };
    let page = Page { state, open, theme: &theme };
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    if area.width() < TWO_CARDS {
        tabs(ui, &page, area, commands);
        return;
    }
    let gap = theme.width.gutter;
    let split = (area.left() + (area.width() - gap) * 0.452).round();
    let left = Rect::from_min_max(area.min, pos2(split, area.bottom()));
    let right = Rect::from_min_max(pos2(split + gap, area.top()), area.max);
    step(ui, &page, left, commands);
    population::show(ui, &page, right, commands);
}

/// Face above, log-probabilities below; both scroll together where they must.
fn step(ui: &mut Ui, page: &Page<'_>, rect: Rect, commands: &mut Commands) {
    let inner = frame::card(ui, page.theme, rect);
    frame::body(ui, inner, "step", false, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        let height = (inner.height() * 0.42).clamp(210.0, 290.0);
        face::show(ui, page, height, commands);
        ui.add_space(10.0);
        stops::show(ui, page, commands);
    });
}

fn tabs(ui: &mut Ui, page: &Page<'_>, area: Rect, commands: &mut Commands) {
    let bar = Rect::from_min_max(area.min, pos2(area.right(), area.top() + 28.0));
    let mut head = ui.new_child(egui::UiBuilder::new().max_rect(bar).id_salt("parts"));
    let chosen = StepColumn::ALL.iter().position(|c| *c == page.open.column).unwrap_or(0);
    if let Some(i) = segments(&mut head, "Part", &["Face", "Log-probabilities", "Population"], chosen) {
        commands.step(StepCommand::Column(StepColumn::ALL[i]));
    }
    let rest = Rect::from_min_max(pos2(area.left(), bar.bottom() + 6.0), area.max);
    if page.open.column == StepColumn::Population {
        population::show(ui, page, rest, commands);
        return;
    }
    let inner = frame::card(ui, page.theme, rest);
    frame::body(ui, inner, "part", true, |ui| {
        if page.open.column == StepColumn::Face {
            face::show(ui, page, (inner.height() - 34.0).clamp(190.0, 320.0), commands);
        } else {
            stops::show(ui, page, commands);
        }
    });
}
