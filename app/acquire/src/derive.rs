//! From plan and log to the study: a pure function of recorded bodies. What acquisition writes and what a replay writes
//! come from here, so they can only differ when plan or log do.

use std::collections::BTreeMap;

use decidendi_core::report::json_line;
use decidendi_core::seal::json::Json;

use crate::answer::{self, Answer, Missing};
use crate::calls::{At, Call, Cell, cells_of};
use crate::ledger::Ledger;
use crate::plan::document::{document, transition_id};
use crate::plan::{Basis, Channel, Plan, Readout, Task};
use crate::request::labels;

/// A study: two files, and what was counted on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// `study.json`.
    pub study: Vec<u8>,
    /// `scores.jsonl`.
    pub scores: Vec<u8>,
    /// What was counted.
    pub counts: Counts,
}

/// Counts over the calls of a study.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Score calls that the plan makes.
    pub cells: u64,
    /// Of these, answered with every label.
    pub complete: u64,
    /// Of these, not answered yet.
    pub outstanding: u64,
    /// Labels missing in answers, by reason.
    pub missing: BTreeMap<String, u64>,
    /// What was odd, by kind.
    pub flags: BTreeMap<String, u64>,
    /// The models that answered, by their own word.
    pub models: BTreeMap<String, u64>,
}

/// Derives the study.
#[must_use]
pub fn study(plan: &Plan, ledger: &Ledger) -> Study {
    let mut counts = Counts::default();
    let mut answers = BTreeMap::new();
    for wave in 0..plan.waves.len() {
        for cell in crate::calls::cells(plan, wave) {
            counts.cells += 1;
            let Some(answer) = answer(plan, ledger, cell) else {
                counts.outstanding += 1;
                continue;
            };
            counts.complete += u64::from(answer.is_complete());
            for missing in answer.labels.iter().filter_map(|label| label.as_ref().err()) {
                *counts.missing.entry(kind(missing)).or_default() += 1;
            }
            for flag in &answer.flags {
                *counts.flags.entry(flag.to_string()).or_default() += 1;
            }
            if let Some(model) = &answer.model {
                *counts.models.entry(model.clone()).or_default() += 1;
            }
            answers.insert(cell, answer);
        }
    }
    Study { study: document(plan), scores: rows(plan, &answers), counts }
}

/// What a cell's recorded body says; `None` while there is none.
#[must_use]
pub fn answer(plan: &Plan, ledger: &Ledger, cell: Cell) -> Option<Answer> {
    let labels = labels(plan.channels[cell.channel].readout, plan.k());
    if let Some(body) = ledger.body(Call::Score(cell)) {
        return Some(answer::read(body, &labels, usize::try_from(plan.top_logprobs).unwrap_or_default()));
    }
    let barred = ledger.is_barred(plan, Call::Score(cell));
    barred.then(|| Answer {
        ranks: vec![None; labels.len()],
        labels: vec![Err(Missing::Unreadable("the view has no text".to_owned())); labels.len()],
        flags: Vec::new(),
        model: None,
        fingerprint: None,
    })
}

/// The reason without its numbers, for counting.
fn kind(missing: &Missing) -> String {
    match missing {
        Missing::Unreadable(_) => "the body cannot be read".to_owned(),
        Missing::NotInTopK(_) => "not among the tokens returned".to_owned(),
        Missing::Sentinel(_) => "a value that stands for \"not reported\"".to_owned(),
        Missing::Positive(_) => "a value above 0".to_owned(),
        other => other.to_string(),
    }
}

/// One row a cell and side of a transition: a state that ends one step and begins the next stands in both.
fn rows(plan: &Plan, answers: &BTreeMap<Cell, Answer>) -> Vec<u8> {
    let mut out = Vec::new();
    for (t, task) in plan.tasks.iter().enumerate() {
        for step in 1..task.states.len() {
            for (side, state) in [("before", step - 1), ("after", step)] {
                for channel in 0..plan.channels.len() {
                    for wave in 0..plan.waves.len() {
                        for cell in cells_of(plan, At { task: t, state }, channel, wave) {
                            let Some(answer) = answers.get(&cell) else { continue };
                            let head =
                                [("transition", Json::text(transition_id(task, step))), ("state", Json::text(side))];
                            let row = row(plan, task, cell, answer);
                            let all = head.into_iter().chain(row).map(|(k, v)| (k.to_owned(), v));
                            out.extend_from_slice(json_line(&Json::Map(all.collect())).as_bytes());
                            out.push(b'\n');
                        }
                    }
                }
            }
        }
    }
    out
}

/// The scores of a cell by stable candidate; a missing one is absent.
fn row(plan: &Plan, task: &Task, cell: Cell, answer: &Answer) -> Vec<(&'static str, Json)> {
    let channel = &plan.channels[cell.channel];
    let mut row = vec![
        ("channel", Json::text(&channel.id)),
        ("layout", Json::Int(i64::try_from(cell.layout).unwrap_or_default())),
        ("wave", Json::Int(plan.waves[cell.wave].id)),
    ];
    let found = |position: usize| answer.labels.get(position).and_then(|label| label.as_ref().ok()).copied();
    match (channel.readout, cell.candidate) {
        (Readout::Binary, Some(candidate)) => {
            row.push(("candidate", Json::text(&task.candidates[candidate].id)));
            let values = [("yes", found(0)), ("no", found(1))];
            row.extend(values.into_iter().filter_map(|(name, value)| Some((name, number(value?)))));
        }
        _ => {
            let k = task.candidates.len();
            let score = |(j, c): (usize, &crate::plan::Candidate)| {
                Some((c.id.clone(), number(found(crate::templates::position(j, cell.layout, k))?)))
            };
            let scores = task.candidates.iter().enumerate().filter_map(score).collect();
            row.push(("logprobs", Json::Map(scores)));
        }
    }
    row
}

/// A double in the shortest spelling that reads back as the same double.
fn number(value: f64) -> Json {
    Json::Float(value)
}

/// The margin of the target on a state's orbit mean, for the run's own summary: `m = L_g − log Σ exp(L_c)` of the centred
/// scores, averaged over the layouts of one channel and wave. `None` if a label is missing or the readout is binary.
#[must_use]
pub fn margin(plan: &Plan, ledger: &Ledger, at: At, channel: usize, wave: usize) -> Option<f64> {
    if plan.channels[channel].readout == Readout::Binary {
        return None;
    }
    let (task, k) = (&plan.tasks[at.task], plan.k());
    let mut mean = vec![0.0; k];
    for cell in cells_of(plan, at, channel, wave) {
        let answer = answer(plan, ledger, cell)?;
        let values = answer.labels.iter().map(|label| label.as_ref().ok().copied()).collect::<Option<Vec<f64>>>()?;
        #[expect(clippy::cast_precision_loss, reason = "a handful of candidates and layouts")]
        let (centre, layouts) = (values.iter().sum::<f64>() / k as f64, plan.layouts as f64);
        for (j, sum) in mean.iter_mut().enumerate() {
            *sum += (values[crate::templates::position(j, cell.layout, k)] - centre) / layouts;
        }
    }
    let scale = if plan.channels[channel].basis == Basis::Tempered { plan.temperature_value } else { 1.0 };
    let rivals = || (0..k).filter(|j| *j != task.target).map(|j| scale * mean[j]);
    // Shifted by the largest rival, so that nothing overflows.
    let largest = rivals().reduce(f64::max)?;
    let rest: f64 = rivals().map(|energy| (energy - largest).exp()).sum();
    Some(scale * mean[task.target] - largest - rest.ln())
}

/// For each joint channel: over how many complete states and waves, and the mean margin of the target there.
#[must_use]
pub fn margins(plan: &Plan, ledger: &Ledger) -> Vec<(String, u64, Option<f64>)> {
    let joint = plan.channels.iter().enumerate().filter(|(_, channel)| channel.readout == Readout::Joint);
    let mean = |(i, channel): (usize, &Channel)| {
        let each = crate::calls::states(plan).flat_map(|at| (0..plan.waves.len()).map(move |wave| (at, wave)));
        let found: Vec<f64> = each.filter_map(|(at, wave)| margin(plan, ledger, at, i, wave)).collect();
        #[expect(clippy::cast_precision_loss, reason = "a count of states")]
        let mean = (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64);
        (channel.id.clone(), found.len() as u64, mean)
    };
    joint.map(mean).collect()
}
