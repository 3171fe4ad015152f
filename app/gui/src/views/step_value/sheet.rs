//! The export sheet of a study: what to write, and where.

use egui::{Align, Label, Layout, RichText, Ui, Vec2};

use crate::command::{Action, Command, Commands};
use crate::export::study::file_name;
use crate::parts::{Press, field, rule, section, text};
use crate::state::{PathPurpose, State, StepFormat};

pub(in crate::views) fn export(ui: &mut Ui, state: &State, format: StepFormat, folder: &str, commands: &mut Commands) {
    let t = &state.theme;
    let Some(open) = &state.step.open else { return };
    section(ui, "What", None);
    ui.spacing_mut().item_spacing.y = 8.0;
    for one in StepFormat::ALL {
        let why = open.exportable(one).err();
        ui.horizontal_top(|ui| {
            ui.spacing_mut().interact_size.y = 20.0;
            ui.allocate_ui_with_layout(Vec2::new(172.0, 20.0), Layout::left_to_right(Align::Min), |ui| {
                ui.set_min_width(172.0);
                ui.spacing_mut().interact_size.y = 20.0;
                ui.add_enabled_ui(why.is_none(), |ui| {
                    if ui.radio(format == one, RichText::new(one.name()).font(t.bold(t.size.body))).clicked() {
                        commands.push(Command::StepExportDraft(one, folder.to_owned()));
                    }
                });
            });
            ui.add(Label::new(RichText::new(why.unwrap_or(one.about())).color(t.color.muted)).wrap());
        });
    }
    ui.add_space(t.space.m);
    section(ui, "Into the folder", None);
    let entered = ui
        .horizontal(|ui| {
            let (response, changed) = field(ui, "Export folder", "a folder", folder, ui.available_width() - 92.0);
            if let Some(new) = changed {
                commands.push(Command::OverlayText(new));
            }
            if ui.add(Press::new("Browse…")).clicked() {
                commands.push(Command::Verify(crate::command::VerifyCommand::Browse(PathPurpose::ExportFolder)));
            }
            response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter))
        })
        .inner;
    text(ui, format!("writes {}", file_name(open, format)), t.mono(t.size.value), t.color.muted);
    ui.add_space(t.space.m);
    rule(ui);
    ui.add_space(t.space.xs);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let ready = !folder.trim().is_empty() && open.exportable(format).is_ok();
        let press = Press::new("Export").primary().enabled(ready).key(Some("⏎".to_owned())).name("Write the export");
        let response = ui.add(press);
        let hot = ui.input(|i| i.key_pressed(egui::Key::Enter)) && ui.ctx().memory(|m| m.focused().is_none());
        if ready && (response.clicked() || entered || hot) {
            commands.push(Command::StepExport(format, folder.trim().into()));
        }
        if ui.add(Press::new("Show the command").quiet()).clicked() {
            commands.act(Action::ShowCommand);
        }
    });
}
