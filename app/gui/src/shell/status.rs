//! The status bar tells the truth: saved or not, jobs with progress and Cancel, the signing key, the place in the list and
//! the keys that work here.

use egui::{Align, Frame, Label, Layout, Margin, Panel, ProgressBar, RichText, Role, Sense, Ui, WidgetInfo};

use crate::desk::actions::{KEYS, NEXT, PREVIOUS};
use crate::desk::command::{Command, Commands};
use crate::desk::state::State;
use crate::parts::{Press, group, icon};
use crate::theme::icons::Icon;

/// Work shorter than this is not worth a word.
const NOTABLE: f64 = 0.3;

pub(crate) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let frame = Frame::new().fill(t.color.panel).inner_margin(Margin::symmetric(12, 0));
    Panel::bottom("status bar").exact_size(t.row.status).frame(frame).show_separator_line(true).show(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            right(ui, state);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| left(ui, state, commands));
        });
    });
}

fn small(ui: &mut Ui, state: &State, words: &str) -> egui::Response {
    let t = &state.theme;
    ui.add(
        Label::new(RichText::new(words).font(t.sans(t.size.caption)).color(t.color.muted)).selectable(false).truncate(),
    )
}

fn left(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    ui.spacing_mut().item_spacing.x = 6.0;
    let own = state.page().and_then(|page| page.standing(state));
    let Some(standing) = own.or_else(|| state.first_page()?.standing(state)) else { return };
    icon(ui, Icon::Dot, 12.0, standing.dot);
    let words = RichText::new(&standing.words).font(t.sans(t.size.caption));
    let words = words.color(standing.ink.unwrap_or(t.color.muted));
    ui.add(Label::new(words).selectable(false).truncate());
    if let Some((words, spoken, ask)) = standing.more {
        let words = RichText::new(words).font(t.sans(t.size.caption)).color(t.color.muted);
        let response = ui.add(Label::new(words).selectable(false).sense(Sense::click()));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &spoken));
        if response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
            commands.push(ask);
        }
    }
    // Where the words need the room, jobs are named only while there are any.
    if standing.idle.is_some() || !state.jobs.is_empty() || state.dialog.is_some() {
        ui.add_space(12.0);
        jobs(ui, state, standing.idle.as_deref().unwrap_or("no jobs"), commands);
    }
    signing_key(ui, state);
}

fn signing_key(ui: &mut Ui, state: &State) {
    let t = &state.theme;
    ui.add_space(12.0);
    if ui.available_width() > 120.0 {
        icon(ui, Icon::Key, 12.0, t.color.muted);
        let key = state.key.as_ref().map_or("no signing key yet: Certify makes one", |k| k.name.as_str());
        let words = if state.key.is_some() { format!("signing key: {key}") } else { key.to_owned() };
        let tip = state.key.as_ref().map_or_else(
            || "The first certificate makes a key in your settings folder. File ▸ Sign with another key… uses your own.".to_owned(),
            |k| k.path.display().to_string(),
        );
        small(ui, state, &words).on_hover_text(tip);
    }
}

fn jobs(ui: &mut Ui, state: &State, idle: &str, commands: &mut Commands) {
    let t = &state.theme;
    let shown: Vec<_> = state.jobs.iter().filter(|j| state.now - j.since >= NOTABLE).collect();
    let Some(job) = shown.last() else {
        if let Some(purpose) = state.dialog {
            small(ui, state, &format!("waiting for the file dialog: {}", purpose.title().to_lowercase()));
            if ui.add(Press::new("Type a path instead").quiet().small()).clicked() {
                commands.push(Command::TypePath);
            }
        } else {
            small(ui, state, idle);
        }
        return;
    };
    let more = if shown.len() > 1 { format!(" (and {} more)", shown.len() - 1) } else { String::new() };
    let count = if job.progress.total > 0 {
        format!(" {} of {}", group(job.progress.done as usize), group(job.progress.total as usize))
    } else {
        String::new()
    };
    small(ui, state, &format!("{}{count}{more}", job.name));
    if job.progress.total > 0 {
        let done = job.progress.done as f32 / job.progress.total as f32;
        ui.add(ProgressBar::new(done).desired_width(110.0).desired_height(6.0).fill(t.color.accent).corner_radius(3.0));
    }
    let words = if job.cancelling { "Stopping" } else { "Cancel" };
    let press = Press::new(words).quiet().small().enabled(!job.cancelling);
    if ui.add(press).clicked() {
        commands.push(Command::Cancel(job.id));
    }
}

fn right(ui: &mut Ui, state: &State) {
    let keys = KEYS.key_words().unwrap_or_default();
    let words = match state.page().and_then(|page| page.position(state)) {
        Some(place) => {
            let (next, previous) = (NEXT.key_words().unwrap_or_default(), PREVIOUS.key_words().unwrap_or_default());
            format!("{place} · {next} next · {previous} previous · {keys} keys")
        }
        None => format!("{keys} keys"),
    };
    small(ui, state, &words);
}
