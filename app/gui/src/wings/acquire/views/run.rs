//! The run: where it stands before, how far it is, how it ended, and what to do next.

use decidendi_acquire::retry::ATTEMPTS;
use egui::{ProgressBar, Role, Ui, WidgetInfo};

use super::{cancel_name, ended, part};
use crate::desk::actions::RELOAD;
use crate::desk::command::{Action, Command, Commands};
use crate::desk::state::State;
use crate::parts::{Press, group, quiet, rich, text};
use crate::shared::job::Progress;
use crate::wings::acquire::actions::{CANCEL, PROBE, REPLAY, RUN, STUDY};
use crate::wings::acquire::command::AcquireCommand;
use crate::wings::acquire::state::{Doing, EndKind, Failing, OpenPlan, Work};

pub(crate) fn show(ui: &mut Ui, state: &State, open: &OpenPlan, commands: &mut Commands) {
    part(ui, state, "Run", Some("every attempt is on the disk before the next"), |ui| {
        if let Some(doing) = open.doing.filter(|doing| doing.what == Work::Run) {
            running(ui, state, doing, open.again.as_ref(), commands);
            return;
        }
        // What a log holds now outweighs how the last run ended.
        let end = open.end.as_ref().or(open.standing.as_ref().err());
        if let Some(end) = end {
            ended(ui, state, end, commands, |ui, commands| after(ui, state, end.kind, commands));
            return;
        }
        before(ui, state, open, commands);
    });
}

fn press(ui: &mut Ui, state: &State, action: Action, press: Press<'_>, commands: &mut Commands) {
    if ui.add(press.enabled(action.applies(state))).on_hover_text(action.tooltip(state)).clicked() {
        commands.act(action);
    }
}

/// Nothing was run since the plan was opened.
fn before(ui: &mut Ui, state: &State, open: &OpenPlan, commands: &mut Commands) {
    let Ok(standing) = &open.standing else { return };
    let number = |n: u64| group(usize::try_from(n).unwrap_or(usize::MAX));
    let words = match (standing.outstanding, standing.attempts) {
        (0, _) if standing.has_study => "Everything is answered, and the study lies beside the log.".to_owned(),
        (0, _) => "Everything is answered. Run writes the study from the log; nothing is asked.".to_owned(),
        (open, 0) => format!("Nothing was asked yet; {} calls are outstanding.", number(open)),
        (left, attempts) if open.left() == 0 => format!(
            "{} attempts are in the log and the plan allows no more; {} calls are outstanding. Raise limits.max_calls in the plan and read it again (F5): Run then takes it up in the same log.",
            number(attempts),
            number(left)
        ),
        (open, attempts) => format!(
            "{} attempts are in the log, {} calls are outstanding. Run takes it up where it stands.",
            number(attempts),
            number(open)
        ),
    };
    text(ui, words, state.theme.body(), state.theme.color.text);
    if standing.torn > 0 {
        quiet(ui, format!("The log ends in an unfinished line of {} bytes; Run moves it aside.", standing.torn));
    }
    if let (Err(why), None) = ((RUN.when)(state), open.doing) {
        text(ui, why, state.theme.body(), state.theme.color.warn);
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        press(ui, state, &RUN, Press::new("Run now").small(), commands);
        if open.has_study() {
            press(ui, state, &STUDY, Press::new("Open the study").small(), commands);
        }
    });
}

/// How far it is, how fast, how long it still takes.
fn running(ui: &mut Ui, state: &State, doing: Doing, again: Option<&Failing>, commands: &mut Commands) {
    let t = &state.theme;
    let job = state.jobs.iter().find(|job| job.id == doing.job);
    let progress = job.map(|job| job.progress).unwrap_or_default();
    let words = progress_words(progress, doing, state.now, again.is_some());
    let share = if progress.total > 0 { progress.done as f32 / progress.total as f32 } else { 0.0 };
    ui.add(ProgressBar::new(share).desired_height(8.0).fill(t.color.accent).corner_radius(4.0));
    let response = text(ui, &words, t.bold(t.size.body), t.color.text);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    if let Some(again) = again {
        rich(ui, &again_words(again, state.now), t.color.warn);
    }
    if job.is_some_and(|job| job.cancelling) {
        rich(
            ui,
            "Stopping. The call under way is still waited for and recorded: it may have cost something.",
            t.color.warn,
        );
        return;
    }
    quiet(
        ui,
        "Cancel stops between two calls; the call under way is still recorded. The same button takes it up again.",
    );
    let name = format!("{} now", cancel_name(Work::Run));
    if ui.add(Press::new("Cancel").small().name(&name)).on_hover_text(CANCEL.tooltip(state)).clicked() {
        commands.act(&CANCEL);
    }
}

/// `answered 12 of 300, 40 a minute, about 8 min left`.
fn progress_words(progress: Progress, doing: Doing, now: f64, failing: bool) -> String {
    let number = |n: u64| group(usize::try_from(n).unwrap_or(usize::MAX));
    if progress.total == 0 {
        return "Taking the log up …".to_owned();
    }
    let mut words = format!("answered {} of {}", number(progress.done), number(progress.total));
    let new = progress.done.saturating_sub(doing.first.unwrap_or(progress.done));
    let minutes = (now - doing.since) / 60.0;
    if new > 0 && minutes > 0.0 {
        let rate = new as f64 / minutes;
        let left = ((progress.total - progress.done.min(progress.total)) as f64 / rate).ceil();
        words.push_str(&format!(", {rate:.0} a minute, about {left:.0} min left"));
    } else if !failing {
        words.push_str(&format!(", waiting for the first answer for {:.0} s", (now - doing.since).max(0.0)));
    }
    words
}

/// `connection refused; attempt 3 of 8 follows in 4 s`.
fn again_words(again: &Failing, now: f64) -> String {
    let Failing { what, next, at } = again;
    let left = (at - now).ceil();
    let when = if left > 0.0 { format!("follows in {left:.0} s") } else { "is under way".to_owned() };
    format!("{what}; attempt {next} of {ATTEMPTS} {when}")
}

/// The one next step, as a button.
fn after(ui: &mut Ui, state: &State, kind: EndKind, commands: &mut Commands) {
    match kind {
        EndKind::Complete | EndKind::Already => {
            press(ui, state, &STUDY, Press::new("Open the study").small(), commands);
            press(ui, state, &REPLAY, Press::new("Replay it").small(), commands);
        }
        EndKind::LogChanged | EndKind::Conflict | EndKind::OtherPlan | EndKind::Busy => {
            if ui.add(Press::new("Keep the log elsewhere…").small()).clicked() {
                commands.push(Command::wing(AcquireCommand::Browse));
            }
        }
        EndKind::Capped => press(ui, state, &RELOAD, Press::new("Read the plan again").small(), commands),
        EndKind::Unsupported | EndKind::Silent => {
            press(ui, state, &PROBE, Press::new("Probe it").small(), commands);
        }
        _ => press(ui, state, &RUN, Press::new("Run again").small(), commands),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::job::JobId;

    #[test]
    fn rate_and_rest_count_from_where_the_run_began() {
        let doing = Doing { job: JobId(1), what: Work::Run, since: 0.0, first: Some(100) };
        let at = |done, now| progress_words(Progress { done, total: 300 }, doing, now, false);
        assert_eq!(at(100, 3.0), "answered 100 of 300, waiting for the first answer for 3 s");
        assert_eq!(at(140, 60.0), "answered 140 of 300, 40 a minute, about 4 min left");
        assert_eq!(progress_words(Progress::default(), doing, 1.0, false), "Taking the log up …");
        // Nobody waits for a first answer while calls are refused.
        assert_eq!(progress_words(Progress { done: 100, total: 300 }, doing, 3.0, true), "answered 100 of 300");
        let again = Failing { what: "connection refused".to_owned(), next: 3, at: 7.2 };
        assert_eq!(again_words(&again, 3.0), "connection refused; attempt 3 of 8 follows in 5 s");
        assert_eq!(again_words(&again, 7.5), "connection refused; attempt 3 of 8 is under way");
    }
}
