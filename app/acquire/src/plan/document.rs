//! `study.json`, the part of a study that follows from its plan.

use decidendi_core::report::json_line;
use decidendi_core::seal::json::Json;

use super::{Channel, Plan, Task};

/// `study.json`: it follows from the plan alone.
pub(crate) fn document(plan: &Plan) -> Vec<u8> {
    let text = |t: &str| Json::text(t);
    let int = |n: usize| Json::Int(i64::try_from(n).unwrap_or_default());
    let channel = |channel: &Channel| {
        Json::map([
            ("id", text(&channel.id)),
            ("readout", text(channel.readout.word())),
            ("view", text(channel.view.word())),
            ("authority", text(channel.authority.word())),
            ("stack", text(&plan.endpoint.model)),
            ("temperature", text(&plan.temperature)),
            ("logprob_basis", text(channel.basis.word())),
        ])
    };
    let mut head = vec![
        ("format", text("decidendi/asv-study@1")),
        ("id", text(&plan.id)),
        ("title", text(&plan.title)),
        ("origin", text("recorded")),
        ("layouts", Json::map([("kind", text("cyclic")), ("count", int(plan.layouts))])),
        (
            "waves",
            Json::List(
                plan.waves.iter().map(|w| Json::map([("id", Json::Int(w.id)), ("weight", text(&w.weight))])).collect(),
            ),
        ),
    ];
    for (name, pairs) in [("contrasts", &plan.contrasts), ("bridge", &plan.bridge)] {
        if !pairs.is_empty() {
            head.push((name, Json::List(pairs.clone())));
        }
    }
    head.extend(plan.margins.iter().map(|(name, margin)| (*name, margin.clone())));
    // One channel and one transition a line: easy to read, and a change shows where it is.
    let mut out = String::from("{\n");
    for (name, value) in &head {
        out.push_str(&format!("  {}: {},\n", json_line(&text(name)), json_line(value)));
    }
    let block =
        |items: Vec<Json>| items.iter().map(|item| format!("    {}", json_line(item))).collect::<Vec<_>>().join(",\n");
    out.push_str(&format!("  \"channels\": [\n{}\n  ],\n", block(plan.channels.iter().map(channel).collect())));
    let steps = plan.tasks.iter().flat_map(|task| (1..task.states.len()).map(move |step| (task, step)));
    out.push_str(&format!(
        "  \"transitions\": [\n{}\n  ]\n}}\n",
        block(steps.map(|(task, step)| transition(task, step)).collect())
    ));
    out.into_bytes()
}

/// The name of the transition that ends in a state.
pub(crate) fn transition_id(task: &Task, step: usize) -> String {
    format!("{}-{step:02}", task.trajectory)
}

fn transition(task: &Task, step: usize) -> Json {
    Json::map([
        ("id", Json::text(transition_id(task, step))),
        ("trajectory", Json::text(&task.trajectory)),
        ("step", Json::Int(i64::try_from(step).unwrap_or_default())),
        ("target", Json::text(&task.candidates[task.target].id)),
        ("success", Json::Bool(task.success)),
        ("candidates", Json::List(task.candidates.iter().map(|c| Json::text(&c.id)).collect())),
        ("before", Json::text(&task.states[step - 1].id)),
        ("after", Json::text(&task.states[step].id)),
    ])
}
