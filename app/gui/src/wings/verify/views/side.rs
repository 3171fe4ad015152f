//! Beside the checks: whose signatures count, and which case the replay uses.

use egui::{Align, Layout, Ui};

use crate::desk::command::{Command, Commands};
use crate::desk::state::{PathPurpose, State};
use crate::parts::{Press, card, icon, quiet, section, short_digest, tag, text};
use crate::theme::icons::Icon;
use crate::wings::verify::command::VerifyCommand;

pub(crate) fn trust(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = t.space.s;
        section(ui, "Trusted keys", None);
        if let Some(key) = &state.key {
            ui.horizontal(|ui| {
                icon(ui, Icon::Key, 14.0, t.color.muted);
                text(ui, &key.name, t.bold(t.size.body), t.color.text);
                tag(ui, "your own", None);
            });
            if let Some(fingerprint) = &key.fingerprint {
                ui.horizontal(|ui| {
                    ui.add_space(14.0 + ui.spacing().item_spacing.x);
                    print(ui, state, fingerprint);
                });
            }
        }
        for (at, key) in state.settings.trusted.iter().enumerate() {
            ui.horizontal(|ui| {
                icon(ui, Icon::Key, 14.0, t.color.muted);
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = 0.0;
                    text(ui, &key.name, t.bold(t.size.body), t.color.text);
                    print(ui, state, &key.fingerprint);
                });
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let name = format!("Stop trusting {}", key.name);
                    if ui.add(Press::new("").icon(Icon::Close).quiet().small().name(&name)).clicked() {
                        commands.push(Command::wing(VerifyCommand::Distrust(at)));
                    }
                });
            });
        }
        if state.key.is_none() && state.settings.trusted.is_empty() {
            quiet(
                ui,
                "No key is trusted yet, so no signature can end in “verified”. Certifying makes your own key; those of others are added here.",
            );
        }
        if ui.add(Press::new("Trust a public key…").icon(Icon::Key)).clicked() {
            commands.push(Command::Browse(PathPurpose::Trust));
        }
    });
}

/// A key's fingerprint, to compare with check 3.
fn print(ui: &mut Ui, state: &State, fingerprint: &str) {
    let t = &state.theme;
    text(ui, short_digest(fingerprint, 8), t.mono(t.size.caption), t.color.muted).on_hover_text(fingerprint);
}

pub(crate) fn replay(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = t.space.s;
        section(ui, "Replay with", None);
        let words = match (
            &state.wings.verify.case,
            state.wings.verify.checked.as_ref().and_then(|c| c.replayed_with.as_ref()),
        ) {
            (Some(path), _) => path.display().to_string(),
            (None, Some(words)) => words.clone(),
            (None, None) => {
                "A bundle brings its case along. For a bare certificate the open casebook is searched for its case."
                    .to_owned()
            }
        };
        quiet(ui, words);
        ui.horizontal(|ui| {
            if ui.add(Press::new("Choose a case…")).clicked() {
                commands.push(Command::Browse(PathPurpose::ReplayCase));
            }
            if state.wings.verify.case.is_some() && ui.add(Press::new("Forget it").quiet()).clicked() {
                commands.push(Command::wing(VerifyCommand::UseCase(None)));
            }
        });
    });
}
