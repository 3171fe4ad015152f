//! Parts of pages that know the desk: buttons of named commands.

use egui::Ui;

use super::command::{Action, Commands};
use super::state::State;
use crate::parts::Press;

/// A button of a named command, with its key where there is room.
pub fn button(ui: &mut Ui, state: &State, commands: &mut Commands, action: Action, press: Press<'_>, key: bool) {
    let press = press.key(if key { action.key_words() } else { None }).enabled(action.applies(state));
    if ui.add(press).on_hover_text(action.tooltip(state)).clicked() {
        commands.act(action);
    }
}
