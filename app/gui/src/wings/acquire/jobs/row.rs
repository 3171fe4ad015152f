//! One record of the log as the table of calls shows it.

use decidendi_acquire::plan::Plan;
use decidendi_acquire::record::Record;
use decidendi_acquire::request::labels;
use decidendi_acquire::run::told_of;
use decidendi_acquire::{answer, calls};
use decidendi_core::seal::json::Json;

use crate::wings::acquire::state::CallRow;

/// One record as the table shows it.
pub(crate) fn row(plan: &Plan, line: usize, record: &Record) -> CallRow {
    let text = |key: &str| record.cell.get(key).and_then(Json::as_text).unwrap_or_default();
    let number = |key: &str| record.cell.get(key).and_then(Json::as_int).unwrap_or_default();
    let kind = text("kind");
    let channel = match kind {
        "score" => plan.channels.iter().find(|channel| channel.id == text("channel")),
        "probe" => plan.channels.get(calls::probe(plan).channel),
        _ => None,
    };
    let cell = match kind {
        "score" => {
            let candidate = text("candidate");
            let candidate = if candidate.is_empty() { String::new() } else { format!(" · {candidate}") };
            let (layout, wave) = (number("layout"), number("wave"));
            format!("{} · {}{candidate} · layout {layout} · wave {wave}", text("state"), text("channel"))
        }
        "view" => format!("view of {}", text("state")),
        other => other.to_owned(),
    };
    let (mut missing, mut flags) = (Vec::new(), Vec::new());
    if let (true, Some(body)) = (record.is_answer(), &record.body) {
        if let Some(channel) = channel {
            let names = labels(channel.readout, plan.k());
            let answer = answer::read(body, &names, usize::try_from(plan.top_logprobs).unwrap_or_default());
            let gone = names.iter().zip(&answer.labels).filter_map(|(name, label)| Some((name, label.as_ref().err()?)));
            missing = gone.map(|(name, why)| format!("{name}: {why}")).collect();
            flags = answer.flags.iter().map(ToString::to_string).collect();
        } else if let Err(why) = answer::text(body) {
            missing.push(format!("the view has no text: {why}"));
        }
    }
    if record.is_redacted {
        flags.push("the key was taken out of it".to_owned());
    }
    CallRow {
        line,
        cell,
        attempt: record.attempt,
        status: record.status,
        error: record.error.clone(),
        failure: (!record.is_answer()).then(|| told_of(record)),
        elapsed_ms: record.elapsed_ms,
        missing,
        flags,
    }
}
