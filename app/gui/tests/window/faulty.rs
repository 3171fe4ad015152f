//! While a study that could not be opened is shown, nothing acts on the one before; figures of changed files are not signed.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing has nothing to say")]

use decidendi_gui::desk::actions::{COPY_LINK, COPY_MARKDOWN, EXPORT, NEXT};
use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::wings::Route;
use decidendi_gui::wings::step_value::actions::{CERTIFY, CERTIFY_STUDY, CSV};
use decidendi_gui::wings::step_value::command::StepCommand;
use decidendi_gui::wings::step_value::state::{StepFormat, StudyPlace};
use egui::Key;
use egui_kittest::kittest::Queryable as _;

use crate::stage::Stage;
use crate::steps::{at, open, says, scratch, small};

const CHANGED: &str = "The study changed on disk since it was read. Read it again (F5), then ask once more.";

fn told(stage: &Stage, words: &str) -> bool {
    stage
        .state()
        .toasts
        .iter()
        .any(|toast| format!("{}: {}", toast.text, toast.detail.as_deref().unwrap_or("")).contains(words))
}

/// A good study is open, then one that is broken is asked for.
fn broken(scratch: &std::path::Path) -> Stage {
    let good = small(scratch, true);
    let bad = scratch.join("bad");
    std::fs::create_dir(&bad).unwrap();
    std::fs::copy(good.join("study.json"), bad.join("study.json")).unwrap();
    std::fs::write(bad.join("scores.jsonl"), "not json\n").unwrap();
    let mut stage = at(good);
    assert!(says(&stage, "Transition t0"));
    stage.ask(Command::wing(StepCommand::Open(StudyPlace::Disk(bad))));
    stage.wait("the fault", |s| s.wings.step.fault.is_some());
    stage
}

#[test]
fn a_page_of_faults_leaves_nothing_of_the_study_before_armed() {
    let scratch = scratch();
    let mut stage = broken(scratch.path());
    assert!(says(&stage, "A study that could not be opened"));
    assert!(!says(&stage, "Transition t0"), "its heading is gone");
    assert!(!says(&stage, "transition 1 of 3"));
    for name in ["Certify sign", "Export", "Next transition", "Previous transition"] {
        assert!(stage.h.query_all_by_label(name).next().is_none(), "{name}");
    }
    let before = open(&stage).at;
    for action in [&CERTIFY, &CERTIFY_STUDY, &EXPORT, &NEXT, &CSV, &COPY_LINK] {
        stage.ask(Command::Do(action));
        let why = "The study that was asked for could not be opened. Esc goes back to the one that was open.";
        assert!(told(&stage, &format!("{}: {why}", action.name)), "{action:?}");
    }
    stage.ask(Command::Export(StepFormat::Csv.id(), scratch.path().join("out")));
    assert_eq!(
        (open(&stage).at, stage.state().overlay.is_none(), open(&stage).certificates.signing()),
        (before, true, None)
    );
    stage.h.run_steps(20);
    assert!(!scratch.path().join("out").exists());
}

#[test]
fn a_button_and_escape_lead_back_from_a_page_of_faults() {
    let scratch = scratch();
    let mut stage = broken(scratch.path());
    stage.key(Key::Escape);
    assert!(stage.state().wings.step.fault.is_none());
    assert_eq!(stage.state().route, Route::Step);
    assert!(says(&stage, "Transition t0"));
    assert!(!told(&stage, "The study could not be opened"), "its message is over too");
    stage.ask(Command::wing(StepCommand::Open(StudyPlace::Disk(scratch.path().join("bad")))));
    stage.wait("the fault", |s| s.wings.step.fault.is_some());
    stage.h.get_by_label("Back to Small").click();
    stage.h.run_steps(3);
    assert!(says(&stage, "Transition t0"));
}

#[test]
fn figures_of_files_that_changed_are_neither_signed_nor_written() {
    let scratch = scratch();
    let folder = small(scratch.path(), true);
    let mut stage = at(folder.clone());
    let file = folder.join("scores.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replacen("-1.5", "-1.75", 1)).unwrap();
    stage.ctrl(Key::Enter);
    stage.wait("the refusal", |s| s.toasts.iter().any(|toast| toast.text == "Not certified"));
    assert!(told(&stage, CHANGED));
    assert!(open(&stage).certificates.iter().next().is_none());
    assert!(open(&stage).certificates.signing().is_none());
    assert!(stage.state().key.is_none(), "no key was made for it");
    let out = scratch.path().join("out");
    stage.ask(Command::Export(StepFormat::Markdown.id(), out.clone()));
    stage.wait("the refusal", |s| s.toasts.iter().any(|toast| toast.text == "The export was not written"));
    assert!(!out.exists());
    stage.ask(Command::Do(&COPY_MARKDOWN));
    assert!(told(&stage, &format!("Nothing was copied: {CHANGED}")));
    stage.key(Key::F5);
    stage.wait("the study", |s| s.wings.step.opening.is_none() && s.jobs.is_empty());
    stage.ctrl(Key::Enter);
    stage.wait("the certificate", |s| s.wings.step.open.as_ref().is_some_and(|o| o.certificate().is_some()));
}
