//! The status bar tells the truth: saved or not, jobs with progress and Cancel, the signing key, the place in the list and
//! the keys that work here.

use egui::{Align, Frame, Label, Layout, Margin, Panel, ProgressBar, RichText, Ui};

use crate::desk::command::{Action, Command, Commands};
use crate::desk::state::{Route, State};
use crate::parts::{Press, counted, group, icon};
use crate::theme::icons::Icon;
use crate::wings::judgment::state::Origin;

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
    if state.route == Route::Step {
        crate::wings::step_value::views::standing(ui, state, commands);
        if !state.jobs.is_empty() || state.dialog.is_some() {
            ui.add_space(12.0);
            jobs(ui, state, commands);
        }
        signing_key(ui, state);
        return;
    }
    let (dot, words) = if state.book.loading {
        (t.color.warn, "reading the casebook".to_owned())
    } else if state.unsaved {
        (t.color.warn, "settings not saved yet".to_owned())
    } else {
        match &state.book.origin {
            Origin::Shipped if state.book.rows.is_empty() => (t.color.strong, "no casebook".to_owned()),
            Origin::Shipped => (t.color.good, "shipped casebook · read-only".to_owned()),
            Origin::Path(_) => (t.color.good, "casebook read · all saved".to_owned()),
        }
    };
    icon(ui, Icon::Dot, 12.0, dot);
    small(ui, state, &words);
    ui.add_space(12.0);
    jobs(ui, state, commands);
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

fn jobs(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let shown: Vec<_> = state.jobs.iter().filter(|j| state.now - j.since >= NOTABLE).collect();
    let Some(job) = shown.last() else {
        if let Some(purpose) = state.dialog {
            small(ui, state, &format!("waiting for the file dialog: {}", purpose.title().to_lowercase()));
            if ui.add(Press::new("Type a path instead").quiet().small()).clicked() {
                commands.push(Command::TypePath);
            }
        } else {
            small(ui, state, partial(state).as_deref().unwrap_or("no jobs"));
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

/// Said while nothing runs but some rows were never executed.
fn partial(state: &State) -> Option<String> {
    let all = state.book.rows.len();
    (state.book.judged < all)
        .then(|| format!("partial: {} of {} executed", group(state.book.judged), counted(all, "case")))
}

fn right(ui: &mut Ui, state: &State) {
    let keys = Action::Keys.key_words().unwrap_or_default();
    let next = Action::Next.key_words().unwrap_or_default();
    let previous = Action::Previous.key_words().unwrap_or_default();
    let words = match state.route {
        Route::Case | Route::Judgments => {
            let (at, of) = state.position();
            let hidden = state.book.rows.len() - of.min(state.book.rows.len());
            let place = match at {
                Some(at) => format!("case {} of {}", group(at), group(of)),
                None if state.route == Route::Case && state.open.is_some() && hidden > 0 => {
                    format!("this case is hidden by the filter · {} shown", group(of))
                }
                None => counted(of, "case"),
            };
            let veil = if hidden > 0 && at.is_some() {
                format!(" · {} hidden by filter", group(hidden))
            } else {
                String::new()
            };
            format!("{place}{veil} · {next} next · {previous} previous · {keys} keys")
        }
        Route::Step if state.step.shown().is_ok() => {
            format!(
                "{}{next} next · {previous} previous · {keys} keys",
                crate::wings::step_value::views::position(state)
            )
        }
        Route::Casebook | Route::Verify | Route::Step | Route::Acquire => format!("{keys} keys"),
    };
    small(ui, state, &words);
}
