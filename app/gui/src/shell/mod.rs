//! The views, and the shell around them. Every view takes `&State` and writes to the queue; none changes anything.

use egui::{CentralPanel, Frame, Margin, Ui};

use crate::desk::command::Commands;
use crate::desk::persist::Store;
use crate::desk::state::{Route, State};

pub mod context_bar;
mod export_sheet;
mod menu;
mod overlays;
mod palette;
mod rail;
mod status;
mod toasts;

/// Draws the whole window.
pub fn show(ui: &mut Ui, state: &State, store: &Store, commands: &mut Commands) {
    let t = &state.theme;
    menu::show(ui, state, commands);
    status::show(ui, state, commands);
    rail::show(ui, state, commands);
    context_bar::show(ui, state, commands);
    let padding = if ui.available_width() < 520.0 { 6 } else { 12 };
    let frame = Frame::new().fill(t.color.bg).inner_margin(Margin::same(padding));
    CentralPanel::default().frame(frame).show(ui, |ui| match state.route {
        Route::Casebook => crate::wings::judgment::views::casebook::show(ui, state, commands),
        Route::Judgments => crate::wings::judgment::views::judgments::show(ui, state, commands),
        Route::Step => crate::wings::step_value::views::show(ui, state, commands),
        Route::Acquire => crate::wings::acquire::views::show(ui, state, commands),
        Route::Verify => crate::wings::verify::views::show(ui, state, commands),
        Route::Case if state.open.is_some() => crate::wings::judgment::views::case::show(ui, state, commands),
        Route::Case => waiting(ui, state),
    });
    overlays::show(ui, state, store, commands);
    toasts::show(ui, state, commands);
}

/// A case is on its way. Nothing is drawn in the first moments, so that nothing flickers.
fn waiting(ui: &mut Ui, state: &State) {
    let since = state.jobs.iter().map(|j| j.since).reduce(f64::min);
    if since.is_some_and(|s| state.now - s < 0.3) {
        return;
    }
    let what = state.jobs.first().map_or("Reading", |j| j.name.as_str());
    crate::parts::empty(
        ui,
        crate::theme::icons::Icon::Book,
        what,
        "It comes up as soon as it is read and executed.",
        |_| {},
    );
}
