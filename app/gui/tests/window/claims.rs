//! What is claimed of the means, in the words of the report, and where the scores come from.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing has nothing to say")]

use std::path::Path;

use decidendi_core::report::step_value::step_value_markdown;
use decidendi_gui::wings::step_value::command::StepCommand;
use decidendi_gui::wings::step_value::export::{face_markdown, render};
use decidendi_gui::wings::step_value::state::{StepFormat, StepTab};
use egui_kittest::kittest::Queryable as _;

use crate::stage::Stage;
use crate::steps::{BRIDGE, POPULATION, RETRIEVAL, at, open, sample, says, scratch, small, step};

fn edit(folder: &Path, from: &str, to: &str) {
    let file = folder.join("study.json");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(from));
    std::fs::write(file, text.replace(from, to)).unwrap();
}

/// The sentence stands under both tables, and in the report.
fn concluded(stage: &mut Stage, words: &str) {
    for tab in [StepTab::Scatter, StepTab::Recalibration] {
        step(stage, StepCommand::Tab(tab));
        assert!(says(stage, words), "{tab:?}: {words}");
    }
    let data = &open(stage).data;
    let report = step_value_markdown(&data.loaded.study, &data.loaded.scores, &data.report);
    assert!(report.contains(words), "{report}");
}

#[test]
fn a_reversal_is_told_in_the_words_of_the_report() {
    let strict =
        "Strict reversal of means: it holds under any positive recalibration, and both intervals exclude zero.";
    concluded(&mut at(sample(POPULATION)), strict);
    for name in [RETRIEVAL, BRIDGE] {
        let mut stage = at(sample(name));
        let words = open(&stage).reversal().unwrap().to_owned();
        assert!(words.starts_with("Calibration: ") || words.contains("reversal"), "{words}");
        concluded(&mut stage, &words);
    }
}

#[test]
fn a_reversal_that_the_sample_does_not_support_is_no_claim() {
    // Quote against empty, by a real model: signs turn, the intervals span zero.
    let mut stage = at(sample("93-step-value-smollm2"));
    concluded(
        &mut stage,
        "Calibration: the mean gains of these steps have opposite signs, so the sign of their mean Ω holds under any positive recalibration. Sampling: an interval spans zero, so that of other trajectories this is not supported.",
    );
    assert!(!says(&stage, "strict: sign fixed"));
    assert!(says(&stage, "positive, spans 0"));
    let scratch = scratch();
    let folder = small(scratch.path(), true);
    concluded(
        &mut at(folder.clone()),
        "from fewer than 4 trajectories an interval is the range of what was seen, so that nothing is concluded of the means",
    );
    edit(&folder, r#""trajectory":"w1""#, r#""trajectory":"w0""#);
    edit(&folder, r#""success":false"#, r#""success":true"#);
    let mut stage = at(folder);
    concluded(&mut stage, "so that nothing is concluded of the means");
    assert!(!says(&stage, "strict: sign fixed"));
    for tab in [StepTab::Scatter, StepTab::Recalibration] {
        step(&mut stage, StepCommand::Tab(tab));
        assert!(says(&stage, "positive, interval not known"), "{tab:?}");
        assert!(!says(&stage, "spans 0"), "{tab:?}");
    }
}

#[test]
fn a_study_that_no_evaluator_scored_says_so() {
    let scratch = scratch();
    let folder = small(scratch.path(), true);
    let mut stage = at(folder.clone());
    assert!(says(&stage, "study loaded, simulated"));
    assert_eq!(stage.h.query_all_by_label("simulated").count(), 1, "a chip");
    stage.h.set_size([720.0, 450.0].into());
    stage.h.run_steps(3);
    assert!(says(&stage, "study loaded, simulated"), "at 200 % too");
    edit(&folder, r#""origin":"simulated","#, "");
    let stage = at(folder.clone());
    assert!(says(&stage, "study loaded, origin not declared"));
    edit(&folder, r#""title":"#, r#""origin":"recorded","title":"#);
    let stage = at(folder);
    assert!(says(&stage, "study loaded · ") && !says(&stage, "simulated"));
}

#[test]
fn counts_of_quadrants_hide_no_point() {
    let stage = at(sample(POPULATION));
    let svg = render(open(&stage), StepFormat::ScatterSvg, &stage.state().theme.color).unwrap();
    let svg = String::from_utf8(svg).unwrap();
    let words = svg.rfind("both −").unwrap();
    let point = svg.find("<circle").unwrap();
    assert!(words < point, "points are drawn above the words");
}

#[test]
fn one_trajectory_is_not_called_many() {
    let scratch = scratch();
    let folder = small(scratch.path(), true);
    edit(&folder, r#""trajectory":"w1""#, r#""trajectory":"w0""#);
    edit(&folder, r#""success":false"#, r#""success":true"#);
    let stage = at(folder);
    assert!(says(&stage, "2 of 3 complete · 1 trajectory"));
    assert!(!says(&stage, "1 trajectories"));
    let text = face_markdown(open(&stage));
    assert!(text.contains("## Means over 2 of 3 transitions, 1 trajectory\n"), "{text}");
}
