//! The step-value view: every part by its name, the walk by keyboard alone, filters, sliders, what is missing.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing has nothing to say")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use decidendi_core::judgment::verify::EndState;
use decidendi_core::report::step_value::{step_value_csv, step_value_markdown};
use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::study::Moment;
use decidendi_gui::desk::actions::{QUIT, SHOW_COMMAND};
use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::state::Overlay;
use decidendi_gui::desk::wings::Route;
use decidendi_gui::theme::Look;
use decidendi_gui::wings::TABLE;
use decidendi_gui::wings::judgment::actions::GO_CASEBOOK;
use decidendi_gui::wings::step_value::actions::{CERTIFY, CERTIFY_STUDY, GO_STEP};
use decidendi_gui::wings::step_value::command::StepCommand;
use decidendi_gui::wings::step_value::state::{OpenStudy, StepColumn, StepFlag, StepFormat, StepTab, Stop, StudyPlace};
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;

use crate::stage::Stage;

pub const POPULATION: &str = "90-step-value-simulated";
pub const RETRIEVAL: &str = "91-step-value-simulated-retrieval";
pub const BRIDGE: &str = "92-step-value-simulated-bridge";

pub fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample_cases").join(name)
}

pub fn scratch() -> Arc<tempfile::TempDir> {
    Arc::new(tempfile::tempdir().unwrap())
}

pub fn at(path: PathBuf) -> Stage {
    let mut stage = Stage::open(Some(path), None, scratch());
    stage.wait("the study", |s| s.wings.step.open.is_some() && s.jobs.is_empty());
    stage
}

pub fn open(stage: &Stage) -> &OpenStudy {
    stage.state().wings.step.open.as_ref().unwrap()
}

pub fn step(stage: &mut Stage, command: StepCommand) {
    stage.ask(Command::wing(command));
    stage.h.run_steps(2);
}

pub fn says(stage: &Stage, words: &str) -> bool {
    stage.h.query_all_by_label_contains(words).next().is_some()
}

/// Three transitions of one layout and wave, of two trajectories; the second lacks a score after the step.
pub fn small(folder: &Path, complete: bool) -> PathBuf {
    let folder = folder.join("small");
    std::fs::create_dir_all(&folder).unwrap();
    let step = |i: usize| {
        format!(
            r#"{{"id":"t{i}","trajectory":"w{}","step":{i},"target":"a","success":{},"candidates":["a","b"],"before":"s{i}","after":"s{}"}}"#,
            i / 2,
            i < 2,
            i + 1
        )
    };
    let channel = |id: &str| {
        format!(
            r#"{{"id":"{id}","readout":"joint","view":"none","authority":"neutral","stack":"m","temperature":"1","logprob_basis":"raw"}}"#
        )
    };
    let steps: Vec<String> = (0..3).map(step).collect();
    std::fs::write(
        folder.join("study.json"),
        format!(
            r#"{{"format":"decidendi/asv-study@1","id":"small","title":"Small","origin":"simulated","channels":[{},{}],"layouts":{{"kind":"cyclic","count":1}},"waves":[{{"id":0,"weight":"1"}}],"contrasts":[{{"id":"two-one","alternative":"two","reference":"one"}}],"transitions":[{}]}}"#,
            channel("one"),
            channel("two"),
            steps.join(",")
        ),
    )
    .unwrap();
    let mut rows = String::new();
    for i in 0..3 {
        for (c, channel) in ["one", "two"].iter().enumerate() {
            for (s, state) in ["before", "after"].iter().enumerate() {
                let a = if i == 2 { -1.0 } else { -1.0 - (s as f64) * if c == 0 { 0.5 } else { -0.5 } };
                let b = if i == 2 { -1.0 } else { -2.0 };
                let lacking = !complete || (i == 1 && c == 1 && s == 1);
                let scores = if lacking { format!(r#"{{"a":{a}}}"#) } else { format!(r#"{{"a":{a},"b":{b}}}"#) };
                rows.push_str(&format!(
                    "{{\"transition\":\"t{i}\",\"state\":\"{state}\",\"channel\":\"{channel}\",\"layout\":0,\"wave\":0,\"logprobs\":{scores}}}\n"
                ));
            }
        }
    }
    std::fs::write(folder.join("scores.jsonl"), rows).unwrap();
    folder
}

#[test]
fn a_study_folder_opens_its_view() {
    let stage = at(sample(POPULATION));
    assert_eq!(stage.state().route, Route::Step);
    assert!(says(&stage, "Step value, 1,100 transitions"));
    assert!(says(&stage, "1,004 of 1,100 complete · 100 trajectories"));
    for name in ["Previous transition", "Next transition", "Export"] {
        assert!(stage.h.query_all_by_label(name).next().is_some(), "{name}");
    }
    let open = open(&stage);
    assert_eq!(open.population().unwrap().counts, [240, 267, 0, 497, 96]);
    assert!(open.flag().unwrap() <= StepFlag::NegativeToPositive, "opens at a flip");
    assert_eq!(stage.state().settings.recents, [sample(POPULATION)]);
}

#[test]
fn the_shipped_casebook_brings_its_studies() {
    let mut stage = Stage::first_start().ready();
    stage.wait("the studies", |s| s.wings.step.shelf.len() >= 3);
    assert!(stage.state().wings.step.shelf.iter().all(|entry| matches!(entry.place, StudyPlace::Shipped(_))));
    let of = |stage: &Stage, name: &str| {
        let found = stage.state().wings.step.shelf.iter().find(|entry| entry.place.words().ends_with(name));
        found.map(|entry| (entry.place.clone(), entry.transitions)).unwrap()
    };
    assert_eq!(of(&stage, POPULATION).1, 1100);
    stage.ctrl(Key::Num4);
    stage.wait("the first of them", |s| s.wings.step.open.is_some());
    assert_eq!(open(&stage).data.place, stage.state().wings.step.shelf[0].place);
    let (place, _) = of(&stage, BRIDGE);
    step(&mut stage, StepCommand::Open(place));
    stage.wait("another one", |s| s.wings.step.open.as_ref().is_some_and(|o| o.study().transitions.len() == 40));
}

#[test]
fn every_part_has_its_names() {
    let mut stage = at(sample(POPULATION));
    for corner in ["F(x⁻) direct: ", "F(x⁺) direct: ", "F(x⁻) view: ", "F(x⁺) view: "] {
        assert!(says(&stage, corner), "{corner}");
    }
    assert!(says(&stage, "G direct +"));
    assert!(says(&stage, "Scatter of 1,004 transitions: flip + → − 240, flip − → + 267, touching zero 0"));
    assert!(says(&stage, "Ω: −0.323 [−0.442, −0.204], negative, clear of 0"));
    assert!(says(&stage, "Strict reversal of means: it holds under any positive recalibration"));
    for stop in Stop::ALL {
        step(&mut stage, StepCommand::Stop(stop));
        assert!(says(&stage, &format!(": {}", stop.name())));
    }
    assert!(says(&stage, "the factor is"));
    let found = [
        (StepTab::Retrieval, "The study declares no retrieval face"),
        (StepTab::Cube, "The study declares no matched cube"),
        (StepTab::Bridge, "The study declares no bridge"),
        (StepTab::Diagnostics, "layout 3: "),
        (StepTab::Recalibration, "strict: sign fixed"),
        (StepTab::Cohort, "96 transitions lack scores in some channel"),
        (StepTab::Cohort, "17,600 lines read: 17,600 rows, 0 blank"),
        (StepTab::Cohort, "1,004 of 1,100 transitions complete, 100 trajectories"),
    ];
    for (tab, words) in found {
        step(&mut stage, StepCommand::Tab(tab));
        assert!(says(&stage, words), "{tab:?}: {words}");
    }
}

#[test]
fn what_is_not_used_is_told_as_far_as_it_can_be_read() {
    let scratch = scratch();
    let folder = small(scratch.path(), true);
    let rows = std::fs::read_to_string(folder.join("scores.jsonl")).unwrap();
    let more: String = (10..35).map(|i| format!("\"x{i}\":1,")).collect();
    std::fs::write(folder.join("scores.jsonl"), rows.replace("\"layout\"", &format!("{more}\"layout\""))).unwrap();
    let mut stage = at(folder);
    step(&mut stage, StepCommand::Tab(StepTab::Cohort));
    assert!(says(&stage, "Field “x10” is not used") && says(&stage, "Field “x29” is not used"));
    assert!(!says(&stage, "Field “x30” is not used") && says(&stage, "and 5 more"));
}

#[test]
fn declared_parts_are_reported() {
    let mut stage = at(sample(RETRIEVAL));
    step(&mut stage, StepCommand::Tab(StepTab::Retrieval));
    assert!(says(&stage, "C_x  to the state: +"));
    assert!(says(&stage, "own minus donor: "));
    assert!(says(&stage, " = C_x "), "the identity with live numbers");
    step(&mut stage, StepCommand::Tab(StepTab::Cube));
    assert!(says(&stage, "generated · evidence-primary: "));
    assert!(says(&stage, "EQUIVALENCE TO THE BLACKWELL NULL"));
    assert!(says(&stage, "F(x⁻)  quote − empty · neutral: +0.013"));
    assert!(
        says(&stage, "inside the margin")
            && says(&stage, "Not tested: study.json declares no `auc_equivalence_margin`")
    );
    assert!(says(&stage, "The largest change with the authority is 0.216 in size."));
    let mut stage = at(sample(BRIDGE));
    step(&mut stage, StepCommand::Tab(StepTab::Bridge));
    assert!(says(&stage, "Directional support"));
    assert!(says(&stage, "ICC(A,1) over the waves"));
    assert!(says(&stage, "not identified: moving"));
    assert!(says(&stage, "with equal weight to each of 4 targets D −0.944 (interval not known)"));
    assert!(says(&stage, "Not tested: study.json declares no `equivalence_margin` and no `auc_equivalence_margin`"));
    step(&mut stage, StepCommand::Tab(StepTab::Diagnostics));
    assert!(says(&stage, "wave 3: "));
}

#[test]
fn the_keyboard_alone_walks_through_a_study() {
    let mut stage = at(sample(BRIDGE));
    let from = open(&stage).at;
    stage.key(Key::J);
    assert_eq!(open(&stage).at, from + 1);
    stage.key(Key::K);
    assert_eq!(open(&stage).at, from);
    for (key, tab) in [
        (Key::Num2, StepTab::Retrieval),
        (Key::Num3, StepTab::Cube),
        (Key::Num4, StepTab::Bridge),
        (Key::Num5, StepTab::Diagnostics),
        (Key::Num6, StepTab::Recalibration),
        (Key::Num7, StepTab::Cohort),
        (Key::Num1, StepTab::Scatter),
    ] {
        stage.key(key);
        assert_eq!(open(&stage).tab, tab);
    }
    stage.key(Key::C);
    assert_eq!(open(&stage).contrast, 1);
    stage.key(Key::S);
    assert_eq!(open(&stage).stop, Stop::Centred);
    stage.key(Key::W);
    assert_eq!(open(&stage).wave, 1);
    stage.key(Key::F);
    assert_eq!(open(&stage).corner, (Side::Reference, Moment::Before));
    stage.ctrl(Key::E);
    assert!(says(&stage, "writes step-value-simulated-bridge.md"));
    stage.key(Key::Escape);
    for _ in 0..60 {
        stage.key(Key::J);
    }
    assert_eq!(open(&stage).at, 39);
    assert!(stage.state().toasts.iter().any(|t| t.text == "This is the last transition"));
}

#[test]
fn chips_filter_the_walk_and_the_open_transition_stays() {
    let mut stage = at(sample(POPULATION));
    let lacking = open(&stage).population().unwrap().flags.iter().position(|f| *f == StepFlag::Incomplete).unwrap();
    let chip = stage.h.get_by_label("incomplete, 96 transitions");
    chip.click();
    stage.h.run_steps(3);
    assert_eq!(open(&stage).order.len(), 96);
    assert_eq!(open(&stage).position(), None, "the open transition stays put");
    assert!(says(&stage, "this transition is hidden by the filter · 96 shown"));
    step(&mut stage, StepCommand::Select(lacking));
    assert!(says(&stage, "transition 1 of 96 · 1,004 hidden by filter"));
    stage.key(Key::J);
    assert_eq!(open(&stage).flag(), Some(StepFlag::Incomplete));
    stage.key(Key::X);
    assert_eq!(open(&stage).order.len(), 1100);
    stage.ctrl(Key::Z);
    assert_eq!(open(&stage).order.len(), 96, "undo gives the chip back");
}

#[test]
fn an_incomplete_transition_shows_no_number() {
    let scratch = scratch();
    let mut stage = at(small(scratch.path(), true));
    step(&mut stage, StepCommand::Select(1));
    assert_eq!(open(&stage).flag(), Some(StepFlag::Incomplete));
    assert!(says(&stage, "F(x⁺) two: not identified"));
    assert!(says(&stage, "Ω not identified"));
    assert!(says(&stage, "F(x⁺) two lacks 1 score: left out, the first for b in layout 0, wave 0"));
    assert!(says(&stage, "moves the contrast by 1"));
    assert!(says(&stage, "Layout 0. a at A: −0.500, b at B: missing"), "what was returned is shown");
    for number in ["Ω +", "Ω −", "Ω 0", "G two +", "G two −", "G two 0"] {
        let shown = stage.h.query_all_by_label_contains(number).any(|node| {
            use egui_kittest::kittest::NodeT as _;
            node.accesskit_node()
                .label()
                .is_some_and(|label| label.contains("not identified") && label.contains(number))
        });
        assert!(!shown, "{number}");
    }
    step(&mut stage, StepCommand::Stop(Stop::WaveMean));
    assert!(says(&stage, "= not identified"));
}

#[test]
fn equal_energies_touch_zero_and_are_abstained_on() {
    let scratch = scratch();
    let mut stage = at(small(scratch.path(), true));
    step(&mut stage, StepCommand::Select(2));
    assert_eq!(open(&stage).flag(), Some(StepFlag::Touching));
    assert!(says(&stage, "touching zero"));
    assert!(says(&stage, "figures are equal"));
}

#[test]
fn a_study_without_one_complete_transition_says_so() {
    let scratch = scratch();
    let mut stage = at(small(scratch.path(), false));
    assert!(says(&stage, "No point to draw"));
    assert!(says(&stage, "there is no mean"));
    for tab in StepTab::ALL {
        step(&mut stage, StepCommand::Tab(tab));
    }
    for stop in Stop::ALL {
        step(&mut stage, StepCommand::Stop(stop));
    }
    stage.key(Key::J);
}

#[test]
fn sliders_move_what_they_should_and_nothing_else() {
    let mut stage = at(sample(POPULATION));
    let pooled = |stage: &Stage| {
        use egui_kittest::kittest::NodeT as _;
        let node = stage
            .h
            .query_all_by_label_contains("pooled mean [")
            .chain(stage.h.query_all_by_label_contains("pooled mean +"))
            .chain(stage.h.query_all_by_label_contains("pooled mean −"))
            .next();
        node.and_then(|n| n.accesskit_node().value().or_else(|| n.accesskit_node().label())).unwrap()
    };
    let before = pooled(&stage);
    let slider = stage.h.get_by_role_and_label(Role::Slider, "Weight of view in the pooled mean");
    slider.focus();
    stage.h.run_steps(2);
    for _ in 0..5 {
        stage.key(Key::ArrowRight);
    }
    assert!((open(&stage).lambda - 0.55).abs() < 1e-9, "{}", open(&stage).lambda);
    assert_ne!(pooled(&stage), before);
    assert!(says(&stage, "sign turns at λ = 0.505"));
    step(&mut stage, StepCommand::Tab(StepTab::Recalibration));
    assert!(says(&stage, "Ω: −0.323"));
    step(&mut stage, StepCommand::Scale(Side::Alternative, 2.0));
    assert!(says(&stage, "Ω: −0.80") && says(&stage, "strict: sign fixed"));
    assert!(says(&stage, "positive, clear of 0") && says(&stage, "negative, clear of 0"));
}

#[test]
fn faults_are_listed_with_their_places() {
    let scratch = scratch();
    let folder = small(scratch.path(), true);
    std::fs::write(folder.join("scores.jsonl"), "{\"transition\": \"nobody\"}\nnot json\n").unwrap();
    let mut stage = Stage::open(Some(folder), None, scratch);
    stage.wait("the faults", |s| s.wings.step.fault.is_some());
    assert!(says(&stage, "scores.jsonl:1:1"));
    assert!(says(&stage, "scores.jsonl:2:"));
    assert!(says(&stage, "2 of its rows cannot be taken"));
    assert!(stage.state().wings.step.open.is_none());
}

#[test]
fn a_folder_without_studies_says_what_one_is() {
    let scratch = scratch();
    let folder = scratch.path().join("nothing");
    std::fs::create_dir_all(&folder).unwrap();
    let mut stage = Stage::open(Some(folder), None, scratch);
    stage.wait("the empty casebook", |s| !s.wings.judgment.book.loading && s.jobs.is_empty());
    stage.ask(Command::Do(&GO_STEP));
    assert!(says(&stage, "No study is open"));
    assert!(says(&stage, "study.json and scores.jsonl"));
}

#[test]
fn a_folder_of_studies_alone_opens_the_first() {
    let scratch = scratch();
    small(scratch.path(), true);
    let mut stage = Stage::open(Some(scratch.path().to_owned()), None, Arc::clone(&scratch));
    stage.wait("its study", |s| s.wings.step.open.is_some());
    assert_eq!(open(&stage).study().id, "small");
}

#[test]
fn exports_are_what_the_core_writes() {
    let mut stage = at(sample(BRIDGE));
    let folder = stage.scratch.path().join("out");
    for format in StepFormat::ALL.into_iter().filter(|f| *f != StepFormat::Certificate) {
        stage.ask(Command::Export(format.id(), folder.clone()));
        stage.wait("the file", |s| s.jobs.is_empty());
    }
    let data = open(&stage).data.clone();
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let (study, scores) = (&data.loaded.study, &data.loaded.scores);
    assert_eq!(read("step-value-simulated-bridge.md"), step_value_markdown(study, scores, &data.report).into_bytes());
    assert_eq!(read("step-value-simulated-bridge.csv"), step_value_csv(study, &data.report).into_bytes());
    let scatter = String::from_utf8(read("step-value-simulated-bridge.scatter.svg")).unwrap();
    assert!(scatter.contains(&study.digest.to_string()) && scatter.contains("both +"));
    let at = open(&stage).transition().unwrap().id.clone();
    let face = String::from_utf8(read(&format!("step-value-simulated-bridge-{at}.face.svg"))).unwrap();
    assert!(face.contains("Ω") && face.contains(&scores.digest().to_string()));
    assert_eq!(&read("step-value-simulated-bridge.scatter.png")[1..4], b"PNG");
    stage.ask(Command::Do(&SHOW_COMMAND));
    assert!(says(&stage, "decidendi asv "));
}

#[test]
fn the_export_sheet_writes_what_is_chosen() {
    let mut stage = at(sample(BRIDGE));
    stage.ctrl(Key::E);
    assert!(says(&stage, "Certify the signs first (Ctrl Enter)."), "why a certificate cannot be written");
    stage.h.get_by_label("Transitions (CSV)").click();
    stage.h.run_steps(2);
    let folder = stage.scratch.path().join("chosen");
    stage.ask(Command::OverlayText(folder.display().to_string()));
    assert!(says(&stage, "writes step-value-simulated-bridge.csv"));
    stage.key(Key::Enter);
    stage.wait("the file", |s| s.jobs.is_empty() && s.overlay.is_none());
    assert!(folder.join("step-value-simulated-bridge.csv").is_file());
}

#[test]
fn what_the_window_wrote_itself_is_replaced_until_somebody_changes_it() {
    let mut stage = at(sample(BRIDGE));
    let folder = stage.scratch.path().join("drawn");
    let file = folder.join("step-value-simulated-bridge.scatter.svg");
    let mut drawn = |look: Look| {
        stage.ask(Command::SetLook(look));
        stage.ask(Command::Export(StepFormat::ScatterSvg.id(), folder.clone()));
        stage.wait("the file", |s| s.jobs.is_empty());
        (std::fs::read_to_string(&file).unwrap(), matches!(stage.state().overlay, Some(Overlay::Occupied(_))))
    };
    let (light, dark) = (drawn(Look::Light), drawn(Look::Dark));
    assert!(!light.1 && !dark.1);
    assert_ne!(light.0, dark.0);
    std::fs::write(&file, "my own notes").unwrap();
    assert_eq!(drawn(Look::Light), ("my own notes".to_owned(), true));
}

#[test]
fn signs_are_certified_exported_and_replayed() {
    let mut stage = at(sample(BRIDGE));
    assert!(stage.h.query_all_by_label("Certify sign").next().is_some());
    stage.ctrl(Key::Enter);
    stage.wait("the certificate", |s| s.wings.step.open.as_ref().is_some_and(|o| o.certificate().is_some()));
    let held = open(&stage).certificate().unwrap().clone();
    assert!(held.is_good(), "replayed right after signing");
    assert!(says(&stage, "certified"));
    let folder = stage.scratch.path().join("out");
    stage.ask(Command::Export(StepFormat::Certificate.id(), folder.clone()));
    stage.wait("the file", |s| s.jobs.is_empty());
    let file = folder.join(&held.file);
    assert_eq!(std::fs::read(&file).unwrap(), held.bytes.to_vec());
    stage.ask(Command::Do(&SHOW_COMMAND));
    assert!(says(&stage, "--transition "));
    stage.ask(Command::Overlay(None));
    stage.ask(Command::Open(file.clone()));
    stage.wait("the checks", |s| s.wings.verify.checking.is_none() && s.wings.verify.checked.is_some());
    let checked = stage.state().wings.verify.checked.as_ref().unwrap();
    assert_eq!(checked.result.as_ref().unwrap().state, Some(EndState::Verified));
    assert_eq!(checked.replayed_with.as_deref(), Some("the open study"));
    // Another window, which has only the shipped studies: the one of this id replays it.
    let mut other = Stage::open(Some(file), None, scratch());
    other.wait("the studies", |s| !s.wings.step.shelf.is_empty() && s.jobs.is_empty());
    other.wait("the replay", |s| s.wings.verify.checked.as_ref().is_some_and(|c| c.replayed_with.is_some()));
    let checked = other.state().wings.verify.checked.as_ref().unwrap();
    assert_eq!(checked.result.as_ref().unwrap().state, Some(EndState::UnknownSigner));
}

#[test]
fn the_palette_and_the_casebook_lead_to_studies_and_transitions() {
    let mut stage = at(sample(BRIDGE));
    stage.wait("the studies", |s| !s.wings.step.shelf.is_empty());
    stage.ctrl(Key::K);
    stage.ask(Command::OverlayText("b17".into()));
    stage.key(Key::Enter);
    assert_eq!(open(&stage).transition().unwrap().id, "b17");
    stage.ask(Command::Do(&GO_CASEBOOK));
    let row = stage.h.query_all_by_label_contains("Open the study ").next().unwrap();
    row.click();
    stage.h.run_steps(3);
    assert!(stage.state().wings.step.opening.is_some());
    let job = stage.state().jobs.iter().find(|job| job.name.starts_with("Reading the study")).unwrap().id;
    stage.ask(Command::Cancel(job));
    stage.wait("the stop", |s| s.jobs.is_empty());
    assert!(stage.state().wings.step.opening.is_none());
    assert_eq!(open(&stage).transition().unwrap().id, "b17", "the open study stays");
}

#[test]
fn a_study_read_again_keeps_the_place_in_it() {
    let scratch = scratch();
    let folder = small(scratch.path(), true);
    let mut stage = at(folder.clone());
    step(&mut stage, StepCommand::Select(2));
    step(&mut stage, StepCommand::Tab(StepTab::Diagnostics));
    stage.ask(Command::Do(&CERTIFY_STUDY));
    stage.wait("the certificate", |s| s.wings.step.open.as_ref().is_some_and(|o| o.certificates.get(&None).is_some()));
    stage.key(Key::F5);
    stage.wait("the study again", |s| s.jobs.is_empty() && s.wings.step.opening.is_none());
    assert_eq!((open(&stage).at, open(&stage).tab), (2, StepTab::Diagnostics));
    assert!(open(&stage).certificates.get(&None).is_some(), "the same bytes");
    let scores = folder.join("scores.jsonl");
    let text = std::fs::read_to_string(&scores).unwrap().replacen("-1.5", "-1.75", 1);
    std::fs::write(&scores, text).unwrap();
    stage.key(Key::F5);
    stage.wait("the study again", |s| s.jobs.is_empty() && s.wings.step.opening.is_none());
    let held = open(&stage).certificates.get(&None).unwrap();
    assert!(open(&stage).is_stale(held), "a certificate of other scores is not this study's");
    assert!(open(&stage).exportable(StepFormat::Certificate).unwrap_err().contains("stale"));
}

#[test]
fn what_is_not_complete_is_not_certified() {
    let scratch = scratch();
    let mut stage = at(small(scratch.path(), true));
    step(&mut stage, StepCommand::Select(1));
    assert!(!CERTIFY.applies(stage.state()));
    stage.ctrl(Key::Enter);
    assert!(stage.state().toasts.iter().any(|t| t.text.contains("incomplete")));
    stage.ask(Command::Do(&CERTIFY_STUDY));
    stage.wait("the study's certificate", |s| {
        s.wings.step.open.as_ref().is_some_and(|o| o.certificates.get(&None).is_some_and(|held| held.is_good()))
    });
}

#[test]
fn every_command_can_be_asked_for_with_a_study_open_in_every_look_and_size() {
    let mut stage = at(sample(BRIDGE));
    for entry in TABLE.iter().copied().filter(|e| *e != &QUIT) {
        stage.ask(Command::Go(Route::Step));
        stage.ask(Command::Do(entry));
        stage.ask(Command::Overlay(None));
    }
    stage.ask(Command::Go(Route::Step));
    for look in Look::ALL {
        stage.ask(Command::SetLook(look));
        for size in [[1440.0, 900.0], [1024.0, 640.0], [720.0, 450.0], [640.0, 420.0]] {
            stage.h.set_size(size.into());
            for column in StepColumn::ALL {
                step(&mut stage, StepCommand::Column(column));
            }
            for tab in StepTab::ALL {
                step(&mut stage, StepCommand::Tab(tab));
            }
        }
    }
}
