//! What is shown while no study can be: it is on its way, it is broken, or there is none.

use egui::{Label, RichText, ScrollArea, Ui};

use crate::desk::actions::OPEN_FOLDER;
use crate::desk::command::{Command, Commands};
use crate::desk::state::State;
use crate::parts::{Press, banner, card, counted, empty, grouped, page_card, quiet, rich, rule, section};
use crate::theme::icons::Icon;
use crate::wings::step_value::command::StepCommand;
use crate::wings::step_value::state::{StudyFault, StudyPlace};

/// Whether something else than a study was shown.
pub(crate) fn shown(ui: &mut Ui, state: &State, commands: &mut Commands) -> bool {
    if let Some(place) = &state.wings.step.opening {
        let since = state.jobs.iter().map(|j| j.since).reduce(f64::min);
        // Nothing in the first moments, so that nothing flickers.
        if since.is_none_or(|s| state.now - s >= 0.3) {
            let why = "Scores are read, reduced to scalars, and the trajectories resampled 10,000 times. Cancel stands in the status bar.";
            empty(ui, Icon::Steps, &format!("Reading {}", place.words()), why, |_| {});
        }
        return true;
    }
    if let Some(fault) = &state.wings.step.fault {
        broken(ui, state, fault, commands);
        return true;
    }
    if state.wings.step.open.is_some() {
        return false;
    }
    page_card(ui, state.overlay.is_none(), |ui| {
        let why = "A study is a folder with study.json and scores.jsonl. Open one, drop it on the window, or take a shipped one.";
        empty(ui, Icon::Steps, "No study is open", why, |ui| {
            if ui.add(Press::new("Open folder…").primary().key(OPEN_FOLDER.key_words())).clicked() {
                commands.act(&OPEN_FOLDER);
            }
            if let Some(folder) = crate::shared::shipped::studies().next().filter(|_| state.wings.step.shelf.is_empty())
                && ui.add(Press::new("Open a shipped study")).clicked()
            {
                commands.wing(StepCommand::Open(StudyPlace::Shipped(folder)));
            }
            for entry in &state.wings.step.shelf {
                ui.add_space(2.0);
                let words = format!("{} ({})", entry.title, counted(entry.transitions, "transition"));
                if ui.add(Press::new(&words)).clicked() {
                    commands.wing(StepCommand::Open(entry.place.clone()));
                }
            }
        });
    });
    true
}

/// Everything that is wrong, each with its place.
fn broken(ui: &mut Ui, state: &State, fault: &StudyFault, commands: &mut Commands) {
    let t = &state.theme;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = t.width.gutter;
        banner(ui, Icon::Cross, t.color.bad, t.color.bad_bg, &fault.what, |ui| {
            if ui.add(Press::new("Copy").quiet().small()).clicked() {
                commands.push(Command::Copy(fault.words(), "List of faults"));
            }
            if ui.add(Press::new("Try again").small()).clicked() {
                commands.wing(StepCommand::Open(fault.place.clone()));
            }
            if let Some(open) = &state.wings.step.open {
                let words = format!("Back to {}", open.study().title());
                if ui.add(Press::new(&words).small().key(Some("Esc".to_owned())).name(&words)).clicked() {
                    commands.wing(StepCommand::Return);
                }
            }
        });
        card(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = t.space.s;
            let words = usize::try_from(fault.total).map_or_else(|_| String::new(), |n| counted(n, "fault"));
            section(ui, "What is wrong", Some(&words));
            quiet(ui, fault.place.words());
            for (place, why) in &fault.faults {
                rule(ui);
                ui.add(Label::new(RichText::new(place).font(t.mono(t.size.value)).color(t.color.text)).wrap());
                rich(ui, why, t.color.muted);
            }
            let more = fault.total.saturating_sub(fault.faults.len() as u64);
            if more > 0 && !fault.faults.is_empty() {
                quiet(
                    ui,
                    format!("and {} more: mend these first, then open the study again.", grouped(&more.to_string())),
                );
            }
            for entry in &state.wings.step.shelf {
                let words = format!("Open {} instead", entry.title);
                if ui.add(Press::new(&words).small()).clicked() {
                    commands.wing(StepCommand::Open(entry.place.clone()));
                }
            }
        });
    });
}
