//! The shell around the pages: it goes through all of them, and knows none. Every view takes `&State` and writes to the
//! queue; none changes anything.

use egui::{CentralPanel, Frame, Margin, Ui};

use crate::desk::command::Commands;
use crate::desk::persist::Store;
use crate::desk::state::State;

mod context_bar;
mod export_sheet;
mod menu;
mod overlays;
mod palette;
mod rail;
mod sheet;
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
    CentralPanel::default().frame(frame).show(ui, |ui| {
        if let Some(page) = state.page() {
            page.show(ui, state, commands);
        }
    });
    overlays::show(ui, state, store, commands);
    toasts::show(ui, state, commands);
}
