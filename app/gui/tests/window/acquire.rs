//! The acquire page: every state by its names; a recorded log, an endpoint on this machine, and a port where nobody is.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing has nothing to say")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use decidendi_gui::desk::command::{Action, Command};
use decidendi_gui::desk::state::{Overlay, PathPurpose};
use decidendi_gui::desk::wings::Route;
use decidendi_gui::theme::Look;
use decidendi_gui::wings::acquire::actions::{GO_ACQUIRE, PROBE, REPLAY, RUN};
use decidendi_gui::wings::acquire::command::AcquireCommand;
use decidendi_gui::wings::acquire::state::{EndKind, KeyStanding, OpenPlan};
use decidendi_gui::wings::step_value::actions::GO_STEP;
use egui::Key;
use egui_kittest::kittest::Queryable as _;

use crate::endpoint::plan;
use crate::stage::Stage;
use decidendi_gui::wings::acquire::jobs::{EXAMPLE, EXAMPLE_FILE};

const RECORDED: &str = "93-step-value-smollm2";

pub fn scratch() -> Arc<tempfile::TempDir> {
    Arc::new(tempfile::tempdir().unwrap())
}

/// A recorded acquisition in a folder of its own.
pub fn recorded(scratch: &Path) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample_cases").join(RECORDED);
    let folder = scratch.join("recorded");
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["plan.json", "log.jsonl", "study.json", "scores.jsonl"] {
        std::fs::copy(from.join(name), folder.join(name)).unwrap();
    }
    folder
}

/// A window at an empty folder, on the acquire page.
pub fn page(picked: Option<PathBuf>, scratch: Arc<tempfile::TempDir>) -> Stage {
    let nothing = scratch.path().join("nothing");
    std::fs::create_dir_all(&nothing).unwrap();
    let mut stage = Stage::open(Some(nothing), picked, scratch);
    stage.wait("the empty casebook", |s| !s.wings.judgment.book.loading && s.jobs.is_empty());
    stage.ask(Command::Do(&GO_ACQUIRE));
    stage
}

pub fn at(path: &Path, scratch: Arc<tempfile::TempDir>) -> Stage {
    let mut stage = page(None, scratch);
    read(&mut stage, path);
    stage
}

pub fn read(stage: &mut Stage, path: &Path) {
    stage.ask(Command::wing(AcquireCommand::Open(path.to_owned())));
    stage.wait("the plan", |s| s.wings.acquire.opening.is_none() && s.jobs.is_empty());
}

/// A plan for an endpoint, in a folder of its own.
pub fn planned(url: &str, max_calls: u64, key: Option<&str>) -> (Stage, PathBuf) {
    let scratch = scratch();
    let path = scratch.path().join("capital.json");
    std::fs::write(&path, plan(url, max_calls, key)).unwrap();
    let stage = at(&path, scratch);
    let folder = open(&stage).folder.clone();
    (stage, folder)
}

pub fn open(stage: &Stage) -> &OpenPlan {
    stage.state().wings.acquire.open.as_ref().unwrap()
}

pub fn act(stage: &mut Stage, action: Action) {
    stage.ask(Command::Do(action));
}

/// Lets what is under way come to its end.
pub fn work(stage: &mut Stage, action: Action) {
    act(stage, action);
    stage.wait("its end", |s| s.wings.acquire.doing().is_none() && s.jobs.is_empty());
}

pub fn says(stage: &Stage, words: &str) -> bool {
    stage.h.query_all_by_label_contains(words).next().is_some()
}

#[track_caller]
pub fn ends(stage: &Stage, kind: EndKind) {
    let end = open(stage).end.as_ref().or(open(stage).standing.as_ref().err()).unwrap();
    assert_eq!(end.kind, kind, "{}", end.what);
    assert!(says(stage, &format!("End: {}", kind.title())));
    assert!(says(stage, "Copy message"));
}

pub fn lines(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("log.jsonl")).unwrap_or_default().lines().count()
}

#[test]
fn the_page_is_reached_from_step_value_and_left_again() {
    let mut stage = page(None, scratch());
    assert!(says(&stage, "No plan is open"));
    stage.key(Key::Escape);
    assert_eq!(stage.state().route, Route::Step);
    stage.h.get_by_label("Acquire…").click();
    stage.h.run_steps(3);
    assert_eq!(stage.state().route, Route::Acquire);
    stage.ctrl(Key::Num4);
    stage.ctrl(Key::Num5);
    assert_eq!(stage.state().route, Route::Acquire);
    stage.ctrl(Key::K);
    for name in ["Run the acquisition", "Probe the endpoint", "Replay the log", "Choose a plan…"] {
        stage.ask(Command::OverlayText(name.to_owned()));
        stage.h.get_by_role_and_label(egui::accesskit::Role::ListBoxOption, name);
    }
    stage.key(Key::Escape);
    stage.key(Key::Questionmark);
    assert!(says(&stage, "ON THE ACQUIRE PAGE"));
}

#[test]
fn a_recorded_log_says_what_it_holds_and_replays() {
    let scratch = scratch();
    let folder = recorded(scratch.path());
    let mut stage = at(&folder, scratch);
    assert_eq!(open(&stage).folder, folder);
    for words in [
        "endpoint: http://127.0.0.1:8651/v1",
        "model: smollm2-135m-instruct-q4_1",
        "key: none is named",
        "channels: empty: joint readout, view empty, neutral, basis raw",
        "generated: joint readout, view generated",
        "outstanding: 0; the cap leaves ",
        "Everything is answered, and the study lies beside the log.",
        "log in: ",
    ] {
        assert!(says(&stage, words), "{words}");
    }
    assert_eq!(open(&stage).calls.len(), 60);
    assert!(says(&stage, " · layout ") && says(&stage, ": 200, "));
    work(&mut stage, &REPLAY);
    assert!(says(&stage, "Replay: The same, byte for byte"));
    assert!(says(&stage, "study.json: the same") && says(&stage, "scores.jsonl: the same"));
    // Everything is answered already: nothing is asked.
    let before = std::fs::read(folder.join("log.jsonl")).unwrap();
    std::fs::remove_file(folder.join("scores.jsonl")).unwrap();
    work(&mut stage, &REPLAY);
    assert!(says(&stage, "scores.jsonl: is not there; Run writes it from the log"));
    work(&mut stage, &RUN);
    ends(&stage, EndKind::Already);
    assert_eq!(std::fs::read(folder.join("log.jsonl")).unwrap(), before);
    assert!(folder.join("scores.jsonl").is_file());
    stage.h.get_by_label("Open the study").click();
    stage.wait("the study", |s| s.wings.step.open.is_some());
    assert_eq!(stage.state().route, Route::Step);
    assert_eq!(stage.state().wings.step.open.as_ref().unwrap().study().id, "step-value-smollm2");
}

#[test]
fn a_changed_file_and_a_changed_log_are_told_apart() {
    let scratch = scratch();
    let folder = recorded(scratch.path());
    let scores = std::fs::read_to_string(folder.join("scores.jsonl")).unwrap();
    let mut changed: Vec<String> = scores.lines().map(str::to_owned).collect();
    changed[2] = changed[2].replacen('1', "2", 1);
    std::fs::write(folder.join("scores.jsonl"), changed.join("\n") + "\n").unwrap();
    let mut stage = at(&folder, Arc::clone(&scratch));
    work(&mut stage, &REPLAY);
    assert!(says(&stage, "Replay: Differs"));
    assert!(says(&stage, "scores.jsonl: differs from what the log gives, first in line 3"));

    let log = std::fs::read_to_string(folder.join("log.jsonl")).unwrap();
    std::fs::write(folder.join("log.jsonl"), log.replacen("\"elapsed_ms\":", "\"elapsed_ms\":1", 1)).unwrap();
    read(&mut stage, &folder);
    ends(&stage, EndKind::LogChanged);
    assert!(says(&stage, "log.jsonl:1: line 2 follows another line than this one: this was changed"));
    assert!(!RUN.applies(stage.state()));
    assert!(says(&stage, "Keep the log elsewhere…"));
    work(&mut stage, &REPLAY);
    assert!(matches!(open(&stage).replay, Some(Err(_))));
}

#[test]
fn a_key_is_named_and_never_shown() {
    let (stage, _) = planned("https://example.invalid/v1", 40, Some("PATH"));
    let value = std::env::var("PATH").unwrap();
    assert_eq!(open(&stage).key, KeyStanding::Set("PATH".to_owned()));
    assert!(says(&stage, "key: from PATH, which is set"));
    assert!(!says(&stage, &value) && !format!("{:?}", open(&stage)).contains(&value));
    let (stage, _) = planned("https://example.invalid/v1", 40, Some("DECIDENDI_NO_SUCH_VARIABLE"));
    assert!(says(&stage, "key: from DECIDENDI_NO_SUCH_VARIABLE, which cannot be used"));
    assert!(!RUN.applies(stage.state()) && !PROBE.applies(stage.state()));
    assert!(says(&stage, "set it before Decidendi is started"));
}

#[test]
fn a_plan_that_does_not_read_names_its_place() {
    let scratch = scratch();
    let path = scratch.path().join("plan.json");
    std::fs::write(&path, plan("http://example.org/v1", 4, None)).unwrap();
    let mut stage = at(&path, Arc::clone(&scratch));
    assert!(says(&stage, "The plan could not be read"));
    assert!(says(&stage, "plan.json:5:") && says(&stage, "Copy message"));
    assert!(!RUN.applies(stage.state()));
    std::fs::write(&path, plan("http://127.0.0.1:9/v1", 4, None)).unwrap();
    stage.h.get_by_label("Read it again").click();
    stage.wait("the plan", |s| s.wings.acquire.open.is_some());
    assert!(says(&stage, "endpoint: http://127.0.0.1:9/v1"));
}

#[test]
fn a_folder_of_another_plan_is_refused_and_another_one_taken() {
    let (mut stage, folder) = planned("http://127.0.0.1:9/v1", 40, None);
    std::fs::create_dir_all(&folder).unwrap();
    let other = plan("http://127.0.0.1:9/v1", 40, None).replace("Swiss", "French");
    std::fs::write(folder.join("plan.json"), other).unwrap();
    stage.h.get_by_label("Read the plan again").click();
    stage.wait("the refusal", |s| s.wings.acquire.open.as_ref().is_some_and(|open| open.standing.is_err()));
    ends(&stage, EndKind::OtherPlan);
    assert!(says(&stage, "they differ in more than `limits`, `url`, `timeout_s` and `api_key_env`"));
    // A copy that is no plan is named with its place.
    std::fs::write(folder.join("plan.json"), "{}").unwrap();
    stage.key(Key::F5);
    stage.wait("the fault", |s| s.wings.acquire.opening.is_none() && s.jobs.is_empty());
    ends(&stage, EndKind::Disk);
    assert!(says(&stage, "plan.json:1:1: `format` is missing"));
    let other = folder.with_file_name("elsewhere");
    stage.ask(Command::UsePath(PathPurpose::AcquireFolder, other.clone()));
    stage.wait("the folder", |s| s.wings.acquire.open.as_ref().is_some_and(|open| open.folder == other));
    assert!(says(&stage, "Nothing was asked yet"));
}

#[test]
fn plans_come_by_dialog_path_box_and_drop() {
    let folder = scratch();
    let path = folder.path().join("capital.json");
    std::fs::write(&path, plan("http://127.0.0.1:9/v1", 40, None)).unwrap();
    let mut stage = page(Some(path.clone()), Arc::clone(&folder));
    stage.h.get_by_label("Choose a first plan…").click();
    stage.wait("the plan", |s| s.wings.acquire.open.is_some());

    let mut stage = page(None, scratch());
    stage.key(Key::O);
    stage.wait("the path box", |s| s.overlay.is_some());
    assert!(matches!(&stage.state().overlay, Some(Overlay::Path { purpose: PathPurpose::AcquirePlan, .. })));
    stage.ask(Command::UsePath(PathPurpose::AcquirePlan, path.clone()));
    stage.wait("the plan", |s| s.wings.acquire.open.is_some());

    // A file that is a plan leads here from everywhere; a folder with a study only from this page.
    let own = scratch();
    let recorded = recorded(own.path());
    let mut stage = Stage::open(Some(path), None, Arc::clone(&own));
    stage.wait("the plan", |s| s.wings.acquire.open.is_some() && s.jobs.is_empty());
    assert_eq!(stage.state().route, Route::Acquire);
    stage.ask(Command::Open(recorded.clone()));
    stage.wait("the other plan", |s| s.wings.acquire.open.as_ref().is_some_and(|open| open.folder == recorded));
    assert_eq!(stage.state().settings.plans.len(), 2);
    act(&mut stage, &GO_STEP);
    stage.ask(Command::Open(recorded));
    stage.wait("the study", |s| s.wings.step.open.as_ref().is_some_and(|open| open.study().id == "step-value-smollm2"));
}

#[test]
fn the_command_line_is_shown() {
    let (mut stage, folder) = planned("http://127.0.0.1:9/v1", 40, None);
    stage.h.get_by_label("Show the command").click();
    stage.h.run_steps(2);
    let Some(Overlay::ShowCommand(lines)) = &stage.state().overlay else { panic!("no command") };
    let folder = folder.display();
    assert!(lines.contains("decidendi acquire probe ") && lines.contains(&format!(" --out {folder}")), "{lines}");
    assert!(lines.contains(&format!("decidendi acquire replay {folder}")), "{lines}");
}

#[test]
fn the_page_draws_in_every_look_and_at_twice_the_size() {
    let scratch = scratch();
    let folder = recorded(scratch.path());
    let mut stage = at(&folder, scratch);
    work(&mut stage, &REPLAY);
    for look in Look::ALL {
        stage.ask(Command::SetLook(look));
        for zoom in [0.8, 1.0, 2.0] {
            stage.ask(Command::SetZoom(zoom));
            assert!(says(&stage, "Replay: The same, byte for byte"), "{look:?} {zoom}");
        }
    }
}

#[test]
fn the_example_plan_reads_without_a_notice() {
    let plan = decidendi_acquire::plan::read(EXAMPLE_FILE, EXAMPLE.as_bytes()).unwrap();
    assert_eq!(plan.notices.len(), 0, "{:?}", plan.notices);
    assert!(plan.endpoint.url.starts_with("http://127.0.0.1:"), "it asks nobody but this machine");
    assert_eq!((plan.channels.len(), plan.layouts, plan.tasks[0].states.len()), (2, 4, 2));
}

#[test]
fn an_example_plan_is_written_where_nothing_is_and_opened() {
    let scratch = scratch();
    let folder = scratch.path().join("first plan");
    let mut stage = page(Some(folder.clone()), Arc::clone(&scratch));
    stage.h.get_by_label("Start from an example plan…").click();
    stage.wait("the plan", |s| s.wings.acquire.open.is_some());
    let file = folder.join(EXAMPLE_FILE);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), EXAMPLE);
    assert_eq!(open(&stage).path, file);
    assert!(open(&stage).plan.notices.is_empty());
    assert!(says(&stage, "18: 16 cells and 2 views"), "what it would ask");
    // Once more into the same folder, by key: what was changed there since stays.
    std::fs::write(&file, "mine").unwrap();
    let mut stage = page(Some(folder.clone()), Arc::clone(&scratch));
    stage.key(Key::E);
    stage.wait("the refusal", |s| s.jobs.is_empty() && !s.toasts.is_empty());
    let told = stage.state().toasts.iter().filter_map(|toast| toast.detail.as_deref());
    let told = told.filter(|why| why.contains("example-plan.json: exists already and is not overwritten"));
    assert_eq!(told.count(), 1, "{:?}", stage.state().toasts);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    assert!(stage.state().wings.acquire.open.is_none());
}

#[test]
fn without_a_plan_every_way_to_one_is_reached_at_twice_the_size() {
    let mut stage = page(None, scratch());
    stage.h.set_size([720.0, 450.0].into());
    stage.h.run_steps(2);
    stage.key(Key::End);
    stage.h.run_steps(4);
    for name in ["Start from an example plan…", "Type a path…"] {
        let place = stage.h.get_by_label(name).rect();
        assert!(place.top() > 88.0 && place.bottom() < 420.0, "{name}: {place:?}");
    }
}
