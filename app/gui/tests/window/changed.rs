//! Files of what is open change on the disk: a notice, read again, certificates turn stale and are never redone in silence.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing has nothing to say")]

use std::path::Path;
use std::sync::Arc;

use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::wings::Route;
use decidendi_gui::wings::step_value::command::StepCommand;
use decidendi_gui::wings::step_value::state::{StepFormat, StepTab};
use decidendi_gui::wings::verify::actions::GO_VERIFY;
use egui::Key;

use crate::acquire::{at as plan_at, recorded};
use crate::stage::Stage;
use crate::steps::{at, open, says, scratch, small, step};

fn toasted(stage: &Stage, words: &str) -> bool {
    stage.state().toasts.iter().any(|toast| toast.text == words)
}

/// Messages leave by themselves: they are waited for, not looked up later.
fn notice(stage: &mut Stage, words: &str) {
    stage.wait(words, |s| s.toasts.iter().any(|toast| toast.text == words));
}

fn edit(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from));
    std::fs::write(file, text.replacen(from, to, 1)).unwrap();
}

fn idle(stage: &mut Stage) {
    stage.wait("the end of all jobs", |s| {
        s.jobs.is_empty() && s.wings.step.opening.is_none() && !s.wings.judgment.book.loading
    });
    for _ in 0..20 {
        std::thread::sleep(std::time::Duration::from_millis(5));
        stage.h.run_steps(1);
    }
    stage.wait("the end of all jobs", |s| {
        s.jobs.is_empty() && s.wings.step.opening.is_none() && !s.wings.judgment.book.loading
    });
}

#[test]
fn a_study_that_changes_on_disk_is_read_again_and_its_certificate_is_stale() {
    let scratch = scratch();
    let folder = small(scratch.path(), true);
    let mut stage = at(folder.clone());
    step(&mut stage, StepCommand::Select(2));
    step(&mut stage, StepCommand::Tab(StepTab::Diagnostics));
    step(&mut stage, StepCommand::Select(0));
    stage.ctrl(Key::Enter);
    stage.wait("the certificate", |s| s.wings.step.open.as_ref().is_some_and(|o| o.certificate().is_some()));
    assert!(says(&stage, "certified"));
    stage.look_elsewhere();
    idle(&mut stage);
    assert!(!toasted(&stage, "The study changed on disk"), "nothing changed");

    let bytes = open(&stage).certificate().unwrap().bytes.clone();
    edit(&folder.join("scores.jsonl"), "-1.5", "-1.75");
    stage.look_elsewhere();
    notice(&mut stage, "The study changed on disk");
    notice(&mut stage, "The certificate is stale");
    idle(&mut stage);
    assert!(says(&stage, "certificate stale"));
    assert_eq!((open(&stage).at, open(&stage).tab), (0, StepTab::Diagnostics));
    let held = open(&stage).certificate().unwrap().clone();
    assert_eq!(held.bytes, bytes, "it is not made anew");
    assert!(open(&stage).is_stale(&held));
    assert!(open(&stage).exportable(StepFormat::Certificate).is_err());
    stage.ctrl(Key::Enter);
    stage.wait("a new one", |s| {
        s.wings.step.open.as_ref().is_some_and(|o| o.certificate().is_some_and(|held| !o.is_stale(held)))
    });
    assert!(open(&stage).exportable(StepFormat::Certificate).is_ok());
}

#[test]
fn a_study_that_breaks_on_disk_says_where() {
    let scratch = scratch();
    let folder = small(scratch.path(), true);
    let mut stage = at(folder.clone());
    let whole = std::fs::read(folder.join("scores.jsonl")).unwrap();
    std::fs::write(folder.join("scores.jsonl"), "not json\n").unwrap();
    stage.look_elsewhere();
    stage.wait("the fault", |s| s.wings.step.fault.is_some());
    assert!(says(&stage, "scores.jsonl:1:"));
    assert!(stage.state().wings.step.open.is_some(), "what was read stays");
    idle(&mut stage);
    let broken = "The study changed on disk and could not be read";
    let told = |stage: &Stage| stage.state().toasts.iter().filter(|toast| toast.text == broken).count();
    assert_eq!(told(&stage), 1);
    assert!(!toasted(&stage, "The study changed on disk"), "it was not read again");
    stage.look_elsewhere();
    idle(&mut stage);
    assert_eq!(told(&stage), 1, "as long as it stays broken, once");
    std::fs::write(folder.join("scores.jsonl"), whole).unwrap();
    stage.look_elsewhere();
    notice(&mut stage, "The study changed on disk");
    assert_eq!((told(&stage), stage.state().wings.step.fault.is_none()), (0, true), "mended");
}

#[test]
fn somebody_who_works_elsewhere_stays_there() {
    let scratch = scratch();
    let book = scratch.path().join("book");
    std::fs::create_dir_all(&book).unwrap();
    let folder = small(&book, true);
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample_cases/10-airline-01/case.json");
    std::fs::copy(case, book.join("case.json")).unwrap();
    let mut stage = Stage::open(Some(book.clone()), None, Arc::clone(&scratch));
    stage.wait("the case", |s| s.wings.judgment.open.is_some() && s.jobs.is_empty());
    stage.ask(Command::wing(StepCommand::Open(decidendi_gui::wings::step_value::state::StudyPlace::Disk(
        folder.clone(),
    ))));
    stage.wait("the study", |s| s.wings.step.open.is_some() && s.jobs.is_empty());
    edit(&folder.join("scores.jsonl"), "-1.5", "-1.75");
    edit(&book.join("case.json"), "{", "{ ");
    stage.look_elsewhere();
    notice(&mut stage, "A file of the casebook changed on disk");
    notice(&mut stage, "The study changed on disk");
    idle(&mut stage);
    assert_eq!(stage.state().route, Route::Step);
    stage.ask(Command::Do(&GO_VERIFY));
    edit(&folder.join("scores.jsonl"), "-1.75", "-1.625");
    stage.look_elsewhere();
    stage.wait("the study", |s| s.wings.step.opening.is_some());
    idle(&mut stage);
    assert_eq!(stage.state().route, Route::Verify);
}

#[test]
fn a_plan_and_its_log_that_change_on_disk_are_read_again() {
    let scratch = scratch();
    let folder = recorded(scratch.path());
    let mut stage = plan_at(&folder, Arc::clone(&scratch));
    stage.look_elsewhere();
    idle(&mut stage);
    assert!(!toasted(&stage, "The plan or its log changed on disk"));
    edit(&folder.join("log.jsonl"), "\"elapsed_ms\":", "\"elapsed_ms\":1");
    stage.look_elsewhere();
    notice(&mut stage, "The plan or its log changed on disk");
    stage.wait("the log's fault", |s| s.wings.acquire.open.as_ref().is_some_and(|open| open.standing.is_err()));
    edit(&folder.join("plan.json"), "Twenty-four", "Two dozen");
    stage.look_elsewhere();
    stage.wait("the plan", |s| {
        s.wings.acquire.open.as_ref().is_some_and(|open| open.plan.title.starts_with("Two dozen"))
    });
}
