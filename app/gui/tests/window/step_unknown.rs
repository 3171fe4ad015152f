//! What cannot be known is not shown as found to be nothing: intervals that resampling says nothing about.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing has nothing to say")]

use std::path::{Path, PathBuf};

use decidendi_gui::wings::step_value::command::StepCommand;
use decidendi_gui::wings::step_value::state::StepTab;

use crate::steps::{BRIDGE, RETRIEVAL, at, sample, says, scratch, step};

/// A sample with its first trajectory alone.
fn of_one_trajectory(name: &str, folder: &Path) -> PathBuf {
    let folder = folder.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let text = std::fs::read_to_string(sample(name).join("study.json")).unwrap();
    let mut study: serde_json::Value = serde_json::from_str(&text).unwrap();
    let steps = study["transitions"].as_array_mut().unwrap();
    let first = steps[0]["trajectory"].clone();
    steps.retain(|step| step["trajectory"] == first);
    let ids: Vec<String> = steps.iter().map(|step| step["id"].as_str().unwrap().to_owned()).collect();
    std::fs::write(folder.join("study.json"), study.to_string()).unwrap();
    let rows = std::fs::read_to_string(sample(name).join("scores.jsonl")).unwrap();
    let of = |row: &&str| {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        ids.iter().any(|id| row["transition"] == id.as_str())
    };
    let kept: Vec<&str> = rows.lines().filter(of).collect();
    std::fs::write(folder.join("scores.jsonl"), kept.join("\n")).unwrap();
    folder
}

#[test]
fn one_trajectory_tells_nothing_about_others() {
    let scratch = scratch();
    let mut stage = at(of_one_trajectory(BRIDGE, scratch.path()));
    step(&mut stage, StepCommand::Tab(StepTab::Bridge));
    assert!(says(&stage, "Vertex A, joint · stack-one: D interval not known"));
    assert!(says(&stage, "not known, interval not known"), "in the table");
    assert!(says(&stage, "not known: no interval at some vertex says enough"));
    assert!(!says(&stage, "spans 0"));
    step(&mut stage, StepCommand::Tab(StepTab::Diagnostics));
    assert!(says(&stage, "all waves: ") && says(&stage, ", interval not known") && !says(&stage, "spans 0"));
    let mut stage = at(of_one_trajectory(RETRIEVAL, scratch.path()));
    step(&mut stage, StepCommand::Tab(StepTab::Cube));
    assert!(says(&stage, "F(x⁻)  quote − empty: ") && says(&stage, "not known, interval not known"));
    for words in ["not told apart", "spans 0", "departs from it"] {
        assert!(!says(&stage, words), "{words}");
    }
}
