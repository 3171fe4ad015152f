//! The export sheet of whatever is open: what to write, and where.

use std::path::Path;

use egui::{Align, Key, Label, Layout, RichText, Ui, Vec2};

use super::sheet::scrolled;
use crate::desk::actions::SHOW_COMMAND;
use crate::desk::command::{Command, Commands};
use crate::desk::hand_out::Occupied;
use crate::desk::page::Offer;
use crate::desk::state::{PathPurpose, State};
use crate::parts::{Press, field, rule, section, text};

/// Height of the line and the buttons under what scrolls.
const FOOT: f32 = 64.0;

/// Shows the sheet: what the page can be written as, and where to.
pub(super) fn show(ui: &mut Ui, state: &State, chosen: &'static str, folder: &str, commands: &mut Commands) {
    let Some(page) = state.page() else { return };
    let offers = page.formats(state);
    let Some(offer) = offers.iter().find(|offer| offer.id == chosen) else { return };
    let t = &state.theme;
    let mut entered = false;
    scrolled(ui, FOOT, |ui| {
        section(ui, "What", None);
        ui.spacing_mut().item_spacing.y = 8.0;
        for one in &offers {
            choice(ui, state, one, one.id == chosen, folder, commands);
        }
        ui.add_space(t.space.m);
        section(ui, "Into the folder", None);
        entered = ui
            .horizontal(|ui| {
                let width = ui.available_width() - 92.0;
                let (response, changed) = field(ui, "Export folder", "a folder", folder, width);
                if let Some(new) = changed {
                    commands.push(Command::OverlayText(new));
                }
                if ui.add(Press::new("Browse…")).clicked() {
                    commands.push(Command::Browse(PathPurpose::ExportFolder));
                }
                response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter))
            })
            .inner;
        text(ui, format!("writes {}", offer.file), t.mono(t.size.value), t.color.muted);
    });
    ui.add_space(t.space.m);
    rule(ui);
    ui.add_space(t.space.xs);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let ready = offer.barred.is_none() && !folder.trim().is_empty();
        let press = Press::new("Export").primary().enabled(ready).key(Some("⏎".to_owned())).name("Write the export");
        let response = ui.add(press);
        let hot = ui.input(|i| i.key_pressed(Key::Enter)) && ui.ctx().memory(|m| m.focused().is_none());
        if ready && (response.clicked() || entered || hot) {
            commands.push(Command::Export(chosen, folder.trim().into()));
        }
        if ui.add(Press::new("Show the command").quiet()).clicked() {
            commands.act(&SHOW_COMMAND);
        }
    });
}

/// What to do about a file that this window did not write, or that was changed since.
pub(super) fn occupied(ui: &mut Ui, state: &State, occupied: &Occupied, commands: &mut Commands) {
    let t = &state.theme;
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let words = format!(
        "“{}” is there already and holds something else that this window did not write. Nothing was written.",
        name(&occupied.export.path)
    );
    ui.add(Label::new(words).wrap());
    text(ui, occupied.export.path.display().to_string(), t.mono(t.size.value), t.color.muted);
    ui.add_space(t.space.m);
    rule(ui);
    ui.add_space(t.space.xs);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let other = format!("Write {}", name(&occupied.other));
        let response = ui.add(Press::new(&other).primary().key(Some("⏎".to_owned())));
        let hot = ui.input(|i| i.key_pressed(Key::Enter)) && ui.ctx().memory(|m| m.focused().is_none());
        if response.clicked() || hot {
            commands.push(Command::Settle(occupied.clone(), false));
        }
        if ui.add(Press::new("Replace")).clicked() {
            commands.push(Command::Settle(occupied.clone(), true));
        }
    });
}

/// A format with what it is for, or why it cannot be written.
fn choice(ui: &mut Ui, state: &State, offer: &Offer, chosen: bool, folder: &str, commands: &mut Commands) {
    let t = &state.theme;
    let size = Vec2::new(172.0, 20.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().interact_size.y = size.y;
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Min), |ui| {
            ui.set_min_width(size.x);
            ui.add_enabled_ui(offer.barred.is_none(), |ui| {
                let name = RichText::new(offer.name).font(t.bold(t.size.body));
                let response = ui.radio(chosen, name);
                // What the keyboard comes to must be seen.
                if response.gained_focus() {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    commands.push(Command::ExportDraft(offer.id, folder.to_owned()));
                }
            });
        });
        let words = offer.barred.unwrap_or(offer.about);
        ui.add(Label::new(RichText::new(words).color(t.color.muted)).wrap());
    });
}
