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
mod sensitivity;
mod states;
mod stops;

pub(crate) use bar::{actions, heading, position, standing};

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2};

use super::state::{OpenStudy, StepColumn};
use crate::desk::command::Commands;
use crate::desk::state::State;
use crate::parts::frame;
use crate::parts::segments;
use crate::theme::Theme;
use crate::wings::step_value::command::StepCommand;

/// What every part of the page reads.
struct Page<'a> {
    state: &'a State,
    open: &'a OpenStudy,
    theme: &'a Theme,
}

impl Page<'_> {
    /// Whether page keys scroll here: while a sheet is open they are its own.
    fn keys(&self) -> bool {
        self.state.overlay.is_none()
    }
}

/// From this width on there are two cards.
const TWO_CARDS: f32 = 960.0;

/// A section's head, as low as its words.
fn section(ui: &mut Ui, t: &Theme, title: &str, remark: &str) {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 18.0;
        frame::section(ui, t, title, remark);
    });
}

/// One of several places of a drawing, of which one is followed. Tells whether it was chosen.
fn choice(ui: &Ui, rect: Rect, id: impl std::hash::Hash + std::fmt::Debug, name: &str, on: bool) -> bool {
    let response = ui.interact(rect, ui.scope_id().with(id), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, name));
    crate::parts::ring(ui, &response, rect, 6);
    // What the keyboard comes to must be seen.
    if response.gained_focus() {
        ui.scroll_to_rect(rect, None);
    }
    response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked()
}

/// From this width on face and log-probabilities stand side by side where the population has a tab of its own.
const BOTH_PARTS: f32 = 740.0;

/// Shows the view.
pub(crate) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let theme = Theme::of(ui.ctx());
    if states::shown(ui, state, commands) {
        return;
    }
    let Some(open) = &state.wings.step.open else { return };
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
        let height = (inner.height() * 0.37).clamp(210.0, 270.0);
        face::show(ui, page, height, commands);
        ui.add_space(10.0);
        stops::show(ui, page, commands);
    });
}

/// One part at a time; face and log-probabilities side by side where that fits.
fn tabs(ui: &mut Ui, page: &Page<'_>, area: Rect, commands: &mut Commands) {
    let bar = Rect::from_min_max(area.min, pos2(area.right(), area.top() + 28.0));
    let rest = Rect::from_min_max(pos2(area.left(), bar.bottom() + 6.0), area.max);
    let mut head = ui.new_child(egui::UiBuilder::new().max_rect(bar).id_salt("parts"));
    let both = area.width() >= BOTH_PARTS;
    let (columns, names): (&[StepColumn], &[&str]) = if both {
        (&[StepColumn::Face, StepColumn::Population], &["Step", "Population"])
    } else {
        (&StepColumn::ALL, &["Face", "Log-probabilities", "Population"])
    };
    let shown = if both && page.open.column == StepColumn::Stops { StepColumn::Face } else { page.open.column };
    let chosen = columns.iter().position(|c| *c == shown).unwrap_or(0);
    if let Some(i) = segments(&mut head, "Part", names, chosen) {
        commands.wing(StepCommand::Column(columns[i]));
    }
    match shown {
        StepColumn::Population => population::show(ui, page, rest, commands),
        StepColumn::Face if both => {
            let split = (rest.left() + rest.width() * 0.46).round();
            let left = Rect::from_min_max(rest.min, pos2(split, rest.bottom()));
            let right = Rect::from_min_max(pos2(split + page.theme.width.gutter, rest.top()), rest.max);
            part(ui, page, left, StepColumn::Face, commands);
            part(ui, page, right, StepColumn::Stops, commands);
        }
        column => part(ui, page, rest, column, commands),
    }
}

fn part(ui: &mut Ui, page: &Page<'_>, rect: Rect, column: StepColumn, commands: &mut Commands) {
    let inner = frame::card(ui, page.theme, rect);
    let salt = if column == StepColumn::Face { "face" } else { "stops" };
    frame::body(ui, inner, salt, page.keys(), |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        if column == StepColumn::Face {
            face::show(ui, page, (inner.height() - 34.0).clamp(190.0, 320.0), commands);
        } else {
            stops::show(ui, page, commands);
        }
    });
}
