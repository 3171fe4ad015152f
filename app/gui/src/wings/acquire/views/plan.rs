//! What a plan asks: endpoint, model, key, channels, calls, limits, and where the log lies.

use egui::Ui;

use super::{fact, part};
use crate::desk::actions::{RELOAD, SHOW_COMMAND};
use crate::desk::command::{Command, Commands};
use crate::desk::state::State;
use crate::parts::{Press, counted, group, quiet};
use crate::wings::acquire::actions::PLAN;
use crate::wings::acquire::command::AcquireCommand;
use crate::wings::acquire::state::{KeyStanding, OpenPlan};
use decidendi_acquire::plan::Plan;

pub(crate) fn show(ui: &mut Ui, state: &State, open: &OpenPlan, commands: &mut Commands) {
    let plan = &open.plan;
    let c = &state.theme.color;
    part(ui, state, "Plan", Some(&plan.id), |ui| {
        ui.spacing_mut().item_spacing.y = 5.0;
        fact(ui, state, "file", &open.path.display().to_string(), None);
        fact(ui, state, "endpoint", &plan.endpoint.url, None);
        fact(ui, state, "model", &plan.endpoint.model, None);
        if !plan.endpoint.note.is_empty() {
            fact(ui, state, "served by", &plan.endpoint.note, Some(c.muted));
        }
        match &open.key {
            KeyStanding::None => fact(ui, state, "key", "none is named: the endpoint wants none", None),
            KeyStanding::Set(name) => fact(ui, state, "key", &format!("from {name}, which is set"), Some(c.good)),
            KeyStanding::Unusable(name, why) => {
                fact(ui, state, "key", &format!("from {name}, which cannot be used"), Some(c.bad));
                quiet(ui, why.as_str());
            }
        }
        let dialect = plan.endpoint.dialect.word();
        let asked = format!(
            "temperature {}, top {} log-probabilities, dialect {dialect}, {} s a call",
            plan.temperature, plan.top_logprobs, plan.endpoint.timeout_s
        );
        fact(ui, state, "asks with", &asked, None);
        for (i, channel) in plan.channels.iter().enumerate() {
            let words = format!(
                "{}: {} readout, view {}, {}, basis {}",
                channel.id,
                channel.readout.word(),
                channel.view.word(),
                channel.authority.word(),
                channel.basis.word()
            );
            fact(ui, state, if i == 0 { "channels" } else { "" }, &words, None);
        }
        fact(ui, state, "tasks", &tasks(plan), None);
        calls(ui, state, open);
        fact(ui, state, "log in", &open.folder.display().to_string(), None);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            let idle = state.wings.acquire.idle().is_ok();
            if ui.add(Press::new("Another folder…").small().enabled(idle)).clicked() {
                commands.push(Command::wing(AcquireCommand::Browse));
            }
            let press = Press::new("Another plan…").small().enabled(idle);
            if ui.add(press).on_hover_text(PLAN.tooltip(state)).clicked() {
                commands.act(&PLAN);
            }
            let read = Press::new("Read it again").quiet().small().enabled(idle).name("Read the plan again");
            if ui.add(read).on_hover_text(RELOAD.tooltip(state)).clicked() {
                commands.act(&RELOAD);
            }
            if ui.add(Press::new("Show the command").quiet().small()).clicked() {
                commands.act(&SHOW_COMMAND);
            }
        });
    });
}

fn tasks(plan: &Plan) -> String {
    let states: usize = plan.tasks.iter().map(|task| task.states.len()).sum();
    format!(
        "{}, {}, {} candidates, {}, {}",
        counted(plan.tasks.len(), "trajectory").replace("trajectorys", "trajectories"),
        counted(states, "state"),
        plan.k(),
        counted(plan.layouts, "layout"),
        counted(plan.waves.len(), "wave")
    )
}

/// Cells, what is outstanding against the cap, the pace.
fn calls(ui: &mut Ui, state: &State, open: &OpenPlan) {
    let c = &state.theme.color;
    let plan = &open.plan;
    let number = |n: u64| group(usize::try_from(n).unwrap_or(usize::MAX));
    if let Ok(standing) = &open.standing {
        let views = standing.calls - standing.counts.cells.min(standing.calls);
        let views = if views > 0 { format!(" and {} views", number(views)) } else { String::new() };
        fact(
            ui,
            state,
            "calls",
            &format!("{}: {} cells{views}", number(standing.calls), number(standing.counts.cells)),
            None,
        );
        let left = open.left();
        // The probe at the start of a run is an attempt too.
        let short = standing.outstanding > 0 && left < standing.outstanding + 1;
        let words = format!(
            "{}; the cap leaves {} of {} attempts{}",
            number(standing.outstanding),
            number(left),
            number(plan.max_calls),
            if short { ": not enough for all" } else { "" }
        );
        fact(ui, state, "outstanding", &words, short.then_some(c.warn));
        for (what, n) in &standing.counts.missing {
            fact(ui, state, "missing", &format!("{} labels: {what}", number(*n)), Some(c.warn));
        }
        for (what, n) in &standing.counts.flags {
            fact(ui, state, "odd", &format!("{} answers: {what}", number(*n)), Some(c.muted));
        }
        for (model, n) in standing.counts.models.iter().filter(|(model, _)| **model != plan.endpoint.model) {
            fact(ui, state, "odd", &format!("{} answers name another model: {model}", number(*n)), Some(c.warn));
        }
    } else {
        fact(ui, state, "cap", &format!("{} attempts over all runs", number(plan.max_calls)), None);
    }
    let pace = plan
        .requests_per_minute
        .map_or_else(|| "one call at a time".to_owned(), |n| format!("one call at a time, at most {n} a minute"));
    fact(ui, state, "pace", &pace, None);
}
