//! What an endpoint was found to do: each label with its value and rank, what was odd, the basis with its numbers.

use decidendi_acquire::plan::Basis;
use decidendi_acquire::probe::TEMPERATURES;
use egui::{Role, Ui, WidgetInfo};

use super::{ended, fact, part};
use crate::desk::command::Commands;
use crate::desk::state::State;
use crate::parts::{Press, quiet, rich};
use crate::wings::acquire::actions::PROBE;
use crate::wings::acquire::state::{OpenPlan, Probed, Work};

pub(crate) fn show(ui: &mut Ui, state: &State, open: &OpenPlan, commands: &mut Commands) {
    part(ui, state, "Probe", Some("up to five calls, none recorded"), |ui| {
        ui.spacing_mut().item_spacing.y = 5.0;
        let doing = open.doing.filter(|doing| doing.what == Work::Probe);
        if let Some(doing) = doing {
            let progress =
                state.jobs.iter().find(|job| job.id == doing.job).map(|job| job.progress).unwrap_or_default();
            let words =
                format!("Asking {}: call {} of {} …", open.plan.endpoint.url, progress.done + 1, progress.total.max(1));
            quiet(ui, words);
            return;
        }
        match &open.probe {
            None => {
                quiet(
                    ui,
                    "Not probed yet: whether log-probabilities come back, whether every label is among them, and on which side of the temperature they stand.",
                );
                let press = Press::new("Probe now").small().enabled(PROBE.applies(state));
                if ui.add(press).on_hover_text(PROBE.tooltip(state)).clicked() {
                    commands.act(&PROBE);
                }
            }
            Some(Err(end)) => ended(ui, state, end, commands, |_, _| {}),
            Some(Ok(probed)) => found(ui, state, probed),
        }
    });
}

fn found(ui: &mut Ui, state: &State, probed: &Probed) {
    let c = &state.theme.color;
    let report = &probed.report;
    let answer = &report.answer;
    fact(ui, state, "asked", &probed.url, None);
    fact(ui, state, "answered by", answer.model.as_deref().unwrap_or("not said"), None);
    let returned = if answer.is_unsupported() { "do not come back" } else { "come back" };
    let ink = if answer.is_unsupported() { c.bad } else { c.good };
    fact(ui, state, "log-probs", returned, Some(ink));
    for (i, name) in report.labels.iter().enumerate() {
        let rank =
            answer.ranks.get(i).copied().flatten().map_or_else(String::new, |rank| format!(", rank {}", rank + 1));
        let (words, ink) = match answer.labels.get(i) {
            Some(Ok(value)) => (format!("{value:.6}{rank}"), None),
            Some(Err(missing)) => (format!("missing: {missing}{rank}"), Some(c.warn)),
            None => continue,
        };
        fact(ui, state, &format!("label {name}"), &words, ink);
    }
    for flag in &answer.flags {
        fact(ui, state, "odd", &flag.to_string(), Some(c.muted));
    }
    match report.measured {
        Some(m) => {
            let ink = if m.basis == Basis::Unknown || !probed.declared.wrong.is_empty() { c.warn } else { c.good };
            let words = format!(
                "{}: slope {:.6} between temperatures {} and {}, {:.6} unexplained, {} scores",
                m.basis.word(),
                m.slope,
                TEMPERATURES[0],
                TEMPERATURES[1],
                m.residual,
                m.points
            );
            fact(ui, state, "basis", &words, Some(ink));
        }
        None => fact(ui, state, "basis", "not measured: labels are missing", Some(c.warn)),
    }
    if !probed.declared.wrong.is_empty() {
        let words = format!(
            "The plan declares another basis for: {}. Correct `logprob_basis`.",
            probed.declared.wrong.join(", ")
        );
        let response = rich(ui, &words, c.warn);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    }
    if !probed.declared.open.is_empty() {
        let could =
            probed.declared.measured.map_or(String::new(), |basis| format!("; `{}` could be declared", basis.word()));
        let channels = probed.declared.open.join(", ");
        quiet(ui, format!("The plan declares no basis, which holds at temperature 1, for: {channels}{could}."));
    }
}
