//! Acquire: a plan, what it asks and of whom, probe, run and replay, and the last calls. At the left what is planned, at the
//! right what is done.

mod calls;
mod plan;
mod probe;
mod replay;
mod run;

use egui::{Color32, Label, Layout, RichText, Role, ScrollArea, Ui, Vec2, WidgetInfo};

use super::state::{Ended, OpenPlan, Work};
use crate::desk::command::{Command, Commands};
use crate::desk::state::State;
use crate::parts::{Press, card, empty, icon, page_card, quiet, scroll_keys, section, text};
use crate::theme::icons::Icon;
use crate::wings::acquire::actions::{CANCEL, EXAMPLE, PLAN, PROBE, REPLAY, RUN, STUDY};
use crate::wings::acquire::command::AcquireCommand;

use crate::desk::parts::button;
use crate::parts::short_path;

/// From this width on there are two columns.
const TWO: f32 = 900.0;

/// Where the plan stands, in a word.
pub(crate) fn standing(state: &State) -> Option<&'static str> {
    let open = state.wings.acquire.open.as_ref()?;
    Some(match (open.doing.map(|doing| doing.what), &open.standing) {
        (Some(Work::Run), _) => "running",
        (Some(Work::Probe), _) => "probing",
        (Some(Work::Replay), _) => "replaying",
        (None, Err(_)) => "not usable",
        (None, Ok(standing)) if standing.outstanding == 0 => "complete",
        (None, Ok(standing)) if standing.attempts > 0 => "begun",
        (None, Ok(_)) => "not begun",
    })
}

/// The actions, from the right: the primary one first.
pub(crate) fn actions(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let wide = ui.available_width() > 900.0;
    let Some(open) = &state.wings.acquire.open else {
        button(ui, state, commands, &PLAN, Press::new("Choose a plan…").primary(), wide);
        return;
    };
    if let Some(doing) = open.doing {
        let cancelling = state.jobs.iter().any(|job| job.id == doing.job && job.cancelling);
        let (words, name) = if cancelling { ("Stopping", "Stopping") } else { ("Cancel", cancel_name(doing.what)) };
        let press = Press::new(words).primary().name(name).enabled(!cancelling);
        if ui.add(press).on_hover_text(CANCEL.tooltip(state)).clicked() {
            commands.act(&CANCEL);
        }
        return;
    }
    let done = open.has_study();
    let accent = |press: Press<'static>, on: bool| if on { press.primary() } else { press };
    if done {
        button(ui, state, commands, &STUDY, Press::new("Open study").primary(), wide);
    }
    let begun = open.standing.as_ref().is_ok_and(|standing| standing.attempts > 0 && standing.outstanding > 0);
    let words = if begun { "Run on" } else { "Run" };
    button(ui, state, commands, &RUN, accent(Press::new(words).name("Run"), !done), wide);
    button(ui, state, commands, &PROBE, Press::new("Probe"), wide);
    button(ui, state, commands, &REPLAY, Press::new("Replay"), wide);
    if wide {
        button(ui, state, commands, &PLAN, Press::new("Choose a plan…"), false);
    }
}

const fn cancel_name(what: Work) -> &'static str {
    match what {
        Work::Run => "Cancel the run",
        Work::Probe => "Cancel the probe",
        Work::Replay => "Cancel the replay",
    }
}

/// Shows the page.
pub(crate) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let acquire = &state.wings.acquire;
    if let Some(path) = &acquire.opening {
        let since = state.jobs.iter().map(|job| job.since).reduce(f64::min);
        // Nothing in the first moments, so that nothing flickers.
        if since.is_none_or(|since| state.now - since >= 0.3) {
            let why = "The plan is checked, and every record of its log against it.";
            empty(ui, Icon::Steps, &format!("Reading {}", path.display()), why, |_| {});
        }
        return;
    }
    if let Some((path, why)) = &acquire.fault {
        unread(ui, state, path, why, commands);
        return;
    }
    let Some(open) = &acquire.open else {
        nothing(ui, state, commands);
        return;
    };
    if open.doing.is_some() {
        // Times go on while a call is under way.
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(250));
    }
    ScrollArea::vertical().id_salt("acquire").auto_shrink(false).show(ui, |ui| {
        // Room for the scroll bar beside the cards.
        ui.set_max_width(ui.available_width() - 8.0);
        if state.overlay.is_none() {
            scroll_keys(ui, true);
        }
        columns(ui, state, open, commands);
    });
}

fn columns(ui: &mut Ui, state: &State, open: &OpenPlan, commands: &mut Commands) {
    let t = &state.theme;
    let total = ui.available_width();
    if total < TWO {
        ui.spacing_mut().item_spacing.y = t.width.gutter;
        run::show(ui, state, open, commands);
        replay::show(ui, state, open, commands);
        plan::show(ui, state, open, commands);
        probe::show(ui, state, open, commands);
        calls::show(ui, state, open);
        return;
    }
    let side = (total * 0.38).clamp(340.0, 480.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = t.width.gutter;
        ui.vertical(|ui| {
            ui.set_width(side);
            ui.spacing_mut().item_spacing.y = t.width.gutter;
            plan::show(ui, state, open, commands);
            probe::show(ui, state, open, commands);
        });
        ui.vertical(|ui| {
            ui.set_width(total - side - t.width.gutter);
            ui.spacing_mut().item_spacing.y = t.width.gutter;
            run::show(ui, state, open, commands);
            replay::show(ui, state, open, commands);
            calls::show(ui, state, open);
        });
    });
}

/// No plan yet: what one is, and the ways to one.
fn nothing(ui: &mut Ui, state: &State, commands: &mut Commands) {
    page_card(ui, state.overlay.is_none(), |ui| {
        let why = "A plan says which questions are scored in which states, on which endpoint, within which limits. Choose one, or drop it on the window. Nothing is asked before you press Probe or Run.";
        empty(ui, Icon::Steps, "No plan is open", why, |ui| {
            let press = Press::new("Choose a plan…").primary().name("Choose a first plan…");
            if ui.add(press.key(PLAN.key_words())).clicked() {
                commands.act(&PLAN);
            }
            let example = &EXAMPLE;
            let press = Press::new(example.name).key(example.key_words());
            if ui.add(press).on_hover_text(example.tooltip(state)).clicked() {
                commands.act(example);
            }
            if ui.add(Press::new("Type a path…").quiet()).clicked() {
                let purpose = crate::desk::state::PathPurpose::AcquirePlan;
                let path = crate::desk::state::Overlay::Path { purpose, text: String::new(), why: None, found: None };
                commands.push(Command::Overlay(Some(path)));
            }
            recents(ui, state, commands);
        });
    });
}

fn recents(ui: &mut Ui, state: &State, commands: &mut Commands) {
    if state.settings.plans.is_empty() {
        return;
    }
    let t = &state.theme;
    ui.add_space(t.space.m);
    text(ui, "Opened before", t.bold(t.size.body), t.color.muted);
    for path in &state.settings.plans {
        ui.horizontal(|ui| {
            let there = !state.gone.contains(path);
            let room = (((ui.available_width() - 60.0) / 7.6) as usize).min(64);
            let words = if there { short_path(path, room) } else { format!("{} (missing)", short_path(path, room)) };
            let press = Press::new(&words).quiet().small().icon(Icon::File).enabled(there);
            if ui.add(press).on_hover_text(path.display().to_string()).clicked() {
                commands.push(Command::wing(AcquireCommand::Open(path.clone())));
            }
            let name = format!("Forget {}", path.display());
            if ui.add(Press::new("").icon(Icon::Close).quiet().small().name(&name)).clicked() {
                commands.push(Command::wing(AcquireCommand::Forget(path.clone())));
            }
        });
    }
}

/// A file that is no plan: where, why, and the next step.
fn unread(ui: &mut Ui, state: &State, path: &std::path::Path, why: &str, commands: &mut Commands) {
    let t = &state.theme;
    card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = t.space.s;
        ui.horizontal(|ui| {
            icon(ui, Icon::Cross, 22.0, t.color.bad);
            let title = text(ui, "The plan could not be read", t.bold(t.size.subtitle), t.color.text);
            title.widget_info(|| WidgetInfo::labeled(Role::Heading, true, "The plan could not be read"));
        });
        message(ui, state, why);
        quiet(ui, "Nothing was asked. Mend what is named, then read it again.");
        ui.horizontal_wrapped(|ui| {
            if ui.add(Press::new("Read it again").primary()).clicked() {
                commands.push(Command::wing(AcquireCommand::Open(path.to_owned())));
            }
            if ui.add(Press::new("Choose another…")).clicked() {
                commands.act(&PLAN);
            }
            if ui.add(Press::new("Copy message").quiet()).clicked() {
                commands.push(Command::Copy(why.to_owned(), "Message"));
            }
        });
    });
}

/// A message of the crate, letter for letter.
fn message(ui: &mut Ui, state: &State, words: &str) {
    let t = &state.theme;
    ui.add(Label::new(RichText::new(words).font(t.mono(t.size.value)).color(t.color.text)).wrap());
}

/// An end: sign, title, message, the next step, and a way to copy it all.
fn ended(ui: &mut Ui, state: &State, end: &Ended, commands: &mut Commands, next: impl FnOnce(&mut Ui, &mut Commands)) {
    let t = &state.theme;
    let (sign, ink, ground) = look(state, end);
    egui::Frame::new().fill(ground).corner_radius(t.radius.card).inner_margin(egui::Margin::same(14)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 12.0;
            icon(ui, sign, 24.0, ink);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 4.0;
                let title = text(ui, end.kind.title(), t.bold(t.size.subtitle), ink);
                title.widget_info(|| WidgetInfo::labeled(Role::Heading, true, format!("End: {}", end.kind.title())));
                message(ui, state, &end.what);
                ui.add(Label::new(RichText::new(end.kind.next()).color(t.color.text)).wrap());
                ui.horizontal_wrapped(|ui| {
                    ui.spacing_mut().item_spacing.x = 8.0;
                    next(ui, commands);
                    if ui.add(Press::new("Copy message").quiet().small()).clicked() {
                        commands.push(Command::Copy(end.words(), "Message"));
                    }
                });
            });
        });
    });
}

fn look(state: &State, end: &Ended) -> (Icon, Color32, Color32) {
    let c = &state.theme.color;
    match end.kind {
        kind if kind.is_good() => (Icon::Check, c.good, c.good_bg),
        kind if kind.is_pause() => (Icon::Warn, c.warn, c.warn_bg),
        _ => (Icon::Cross, c.bad, c.bad_bg),
    }
}

/// A named line of a card: the name quiet, the value beside it; read out as one.
fn fact(ui: &mut Ui, state: &State, name: &str, value: &str, ink: Option<Color32>) {
    let t = &state.theme;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().interact_size.y = 18.0;
        ui.allocate_ui_with_layout(Vec2::new(92.0, 18.0), Layout::left_to_right(egui::Align::Min), |ui| {
            ui.set_min_width(92.0);
            ui.add(Label::new(RichText::new(name).color(t.color.muted)).selectable(false));
        });
        let words = RichText::new(value).color(ink.unwrap_or(t.color.text));
        let response = ui.add(Label::new(words).wrap());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, spoken(name, value)));
    });
}

fn spoken(name: &str, value: &str) -> String {
    if name.is_empty() { value.to_owned() } else { format!("{name}: {value}") }
}

/// A card of the page with its head.
fn part(ui: &mut Ui, state: &State, title: &str, remark: Option<&str>, add: impl FnOnce(&mut Ui)) {
    card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = state.theme.space.s;
        section(ui, title, remark);
        add(ui);
    });
}
