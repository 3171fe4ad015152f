//! The export sheet of whatever is open: what to write, and where.

use std::path::PathBuf;

use egui::{Align, Key, Label, Layout, RichText, Ui, Vec2};

use super::overlays::scrolled;
use crate::desk::command::{Action, Command, Commands, VerifyCommand};
use crate::desk::state::{PathPurpose, State};
use crate::parts::{Press, field, rule, section, text};
use crate::wings::judgment::state::Format;
use crate::wings::step_value::export::file_name;
use crate::wings::step_value::state::StepFormat;

/// Height of the line and the buttons under what scrolls.
const FOOT: f32 = 64.0;

/// One thing that can be written.
struct Choice<F> {
    format: F,
    name: &'static str,
    about: &'static str,
    /// Why it cannot be written now.
    barred: Option<&'static str>,
}

/// What the sheet shows, and the commands it gives.
struct Sheet<'a, F> {
    choices: Vec<Choice<F>>,
    chosen: F,
    folder: &'a str,
    /// The file that would be written.
    file: String,
    draft: fn(F, String) -> Command,
    write: fn(F, PathBuf) -> Command,
}

/// Of the open case.
pub(crate) fn case(ui: &mut Ui, state: &State, chosen: Format, folder: &str, commands: &mut Commands) {
    let Some(open) = &state.open else { return };
    let choice = |format: Format| Choice {
        format,
        name: format.name(),
        about: format.about(),
        barred: open.exportable(format).err(),
    };
    let file = format!("{}.{}", decidendi_files::io::file_stem(open.case.id()), chosen.ending());
    let choices = Format::ALL.into_iter().map(choice).collect();
    let (draft, write) = (Command::ExportDraft, Command::Export);
    show(ui, state, &Sheet { choices, chosen, folder, file, draft, write }, commands);
}

/// Of the open study.
pub(crate) fn study(ui: &mut Ui, state: &State, chosen: StepFormat, folder: &str, commands: &mut Commands) {
    let Ok(open) = state.step.shown() else { return };
    let choice = |format: StepFormat| Choice {
        format,
        name: format.name(),
        about: format.about(),
        barred: open.exportable(format).err(),
    };
    let choices = StepFormat::ALL.into_iter().map(choice).collect();
    let (draft, write) = (Command::StepExportDraft, Command::StepExport);
    show(ui, state, &Sheet { choices, chosen, folder, file: file_name(open, chosen), draft, write }, commands);
}

fn show<F: Copy + PartialEq>(ui: &mut Ui, state: &State, sheet: &Sheet<'_, F>, commands: &mut Commands) {
    let t = &state.theme;
    let mut entered = false;
    scrolled(ui, FOOT, |ui| {
        section(ui, "What", None);
        ui.spacing_mut().item_spacing.y = 8.0;
        for choice in &sheet.choices {
            one(ui, state, sheet, choice, commands);
        }
        ui.add_space(t.space.m);
        section(ui, "Into the folder", None);
        entered = ui
            .horizontal(|ui| {
                let width = ui.available_width() - 92.0;
                let (response, changed) = field(ui, "Export folder", "a folder", sheet.folder, width);
                if let Some(new) = changed {
                    commands.push(Command::OverlayText(new));
                }
                if ui.add(Press::new("Browse…")).clicked() {
                    commands.push(Command::Verify(VerifyCommand::Browse(PathPurpose::ExportFolder)));
                }
                response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter))
            })
            .inner;
        text(ui, format!("writes {}", sheet.file), t.mono(t.size.value), t.color.muted);
    });
    ui.add_space(t.space.m);
    rule(ui);
    ui.add_space(t.space.xs);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let barred = sheet.choices.iter().any(|choice| choice.format == sheet.chosen && choice.barred.is_some());
        let ready = !barred && !sheet.folder.trim().is_empty();
        let press = Press::new("Export").primary().enabled(ready).key(Some("⏎".to_owned())).name("Write the export");
        let response = ui.add(press);
        let hot = ui.input(|i| i.key_pressed(Key::Enter)) && ui.ctx().memory(|m| m.focused().is_none());
        if ready && (response.clicked() || entered || hot) {
            commands.push((sheet.write)(sheet.chosen, sheet.folder.trim().into()));
        }
        if ui.add(Press::new("Show the command").quiet()).clicked() {
            commands.act(Action::ShowCommand);
        }
    });
}

/// A format with what it is for, or why it cannot be written.
fn one<F: Copy + PartialEq>(
    ui: &mut Ui,
    state: &State,
    sheet: &Sheet<'_, F>,
    choice: &Choice<F>,
    commands: &mut Commands,
) {
    let t = &state.theme;
    let size = Vec2::new(172.0, 20.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().interact_size.y = size.y;
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Min), |ui| {
            ui.set_min_width(size.x);
            ui.add_enabled_ui(choice.barred.is_none(), |ui| {
                let name = RichText::new(choice.name).font(t.bold(t.size.body));
                let response = ui.radio(sheet.chosen == choice.format, name);
                // What the keyboard comes to must be seen.
                if response.gained_focus() {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    commands.push((sheet.draft)(choice.format, sheet.folder.to_owned()));
                }
            });
        });
        let words = choice.barred.unwrap_or(choice.about);
        ui.add(Label::new(RichText::new(words).color(t.color.muted)).wrap());
    });
}
