//! Beside the face: corners of the retrieval face, cells of the cube, vertices of the bridge, each by its name and by keys.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing has nothing to say")]

use decidendi_core::report::step_value::signed;
use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::retrieval::RetrievalCorners;
use decidendi_core::step_value::scores::Corner;
use decidendi_core::step_value::study::Moment;
use decidendi_gui::desk::actions::COPY_LINK;
use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::wings::Route;
use decidendi_gui::wings::judgment::actions::GO_CASEBOOK;
use decidendi_gui::wings::step_value::actions::ACROSS;
use decidendi_gui::wings::step_value::command::StepCommand;
use decidendi_gui::wings::step_value::state::{Spot, StepTab, Stop};
use egui::Key;
use egui_kittest::kittest::Queryable as _;

use crate::stage::Stage;
use crate::steps::{BRIDGE, POPULATION, RETRIEVAL, at, open, sample, says, scratch, step};

fn press(stage: &mut Stage, label: &str) {
    stage.h.query_all_by_label_contains(label).next().unwrap().click();
    stage.h.run_steps(3);
}

/// Gives a place the keyboard and presses Enter.
fn enter(stage: &mut Stage, label: &str) {
    stage.h.query_all_by_label_contains(label).next().unwrap().focus();
    stage.h.run_steps(2);
    stage.key(Key::Enter);
}

fn across(stage: &mut Stage) {
    stage.h.key_press_modifiers(egui::Modifiers::SHIFT, Key::F);
    stage.h.run_steps(2);
}

#[test]
fn crossed_corners_are_chosen_and_walked_through_the_stops() {
    let mut stage = at(sample(RETRIEVAL));
    step(&mut stage, StepCommand::Tab(StepTab::Retrieval));
    let channel = open(&stage).study().retrieval_face.as_ref().unwrap().channel;
    let crossed = Spot::new(channel, Corner { state: Moment::Before, view_at: Moment::After });
    let value = signed(open(&stage).scalar(crossed).unwrap().value);
    press(&mut stage, &format!("F(x⁻, r⁺) retrieval: {value}"));
    assert_eq!(open(&stage).followed(), Some(crossed));
    assert!(says(&stage, "View: r⁻") && says(&stage, "Channel: retrieval"));
    for stop in Stop::ALL {
        step(&mut stage, StepCommand::Stop(stop));
    }
    assert!(says(&stage, &format!("F(x⁻, r⁺) = 1 · {value} = {value}")));
    assert!(says(&stage, "ΔxF(r⁺) = F(x⁺) − F(x⁻, r⁺) = "));
    assert!(says(&stage, "envelope of ΔxF(r⁺) ["));
    press(&mut stage, "View: r⁻");
    assert_eq!(open(&stage).followed(), Some(Spot::new(channel, Corner::own(Moment::Before))));
    press(&mut stage, "F(x⁺) generated-neutral: ");
    assert_eq!(open(&stage).aside, None, "back on the face");
}

#[test]
fn the_keyboard_alone_reaches_every_corner_of_the_retrieval_face() {
    let mut stage = at(sample(RETRIEVAL));
    across(&mut stage);
    assert!(stage.state().toasts.iter().any(|t| t.text.contains("no corner beside the face")));
    stage.key(Key::Num2);
    let spots = open(&stage).spots();
    assert_eq!(spots.len(), 4);
    for spot in spots.iter().chain(spots.first()) {
        across(&mut stage);
        assert_eq!(open(&stage).followed(), Some(*spot));
    }
    stage.key(Key::F);
    assert_eq!(open(&stage).aside, None, "F leads back to the face");
    enter(&mut stage, "F(x⁺, r⁻) retrieval: ");
    assert_eq!(open(&stage).followed(), Some(spots[1]));
    stage.key(Key::J);
    assert_eq!(open(&stage).followed(), Some(spots[1]), "the next step shows the same corner");
}

#[test]
fn a_retrieval_face_without_a_corner_shows_no_number_for_it() {
    let mut stage = at(sample(RETRIEVAL));
    step(&mut stage, StepCommand::Tab(StepTab::Retrieval));
    let data = open(&stage).data.clone();
    let corners = |t: usize| RetrievalCorners::of(&data.loaded.study, &data.report.scalars, t).unwrap();
    let lacking = (0..data.loaded.study.transitions.len()).find(|t| corners(*t).allocation().is_none()).unwrap();
    step(&mut stage, StepCommand::Select(lacking));
    assert!(says(&stage, "retrieval: not identified"));
    assert!(says(&stage, "G^ret not identified a corner is missing"));
    press(&mut stage, "retrieval: not identified");
    step(&mut stage, StepCommand::Stop(Stop::WaveMean));
    assert!(says(&stage, "= not identified"));
}

#[test]
fn a_cell_of_the_cube_leads_to_its_channel() {
    let mut stage = at(sample(RETRIEVAL));
    stage.key(Key::Num3);
    let words = "G quote under evidence-primary: +0.702 [+0.357, +1.049], positive, clear of 0; D to generated −1.307; less neutral +0.073";
    assert!(says(&stage, words));
    press(&mut stage, "G quote under evidence-primary: ");
    let named = |stage: &Stage| {
        let spot = open(stage).followed().unwrap();
        open(stage).study().channels[spot.channel].id.clone()
    };
    assert_eq!(named(&stage), "quote-primary");
    assert!(says(&stage, "Channel: quote-primary"));
    assert!(says(&stage, "Channel quote-primary: joint readout"));
    across(&mut stage);
    assert_eq!(named(&stage), "generated-neutral");
    assert_eq!(open(&stage).aside, None, "that cell is a corner of the face");
    for _ in 0..2 {
        across(&mut stage);
    }
    assert_eq!(named(&stage), "empty-neutral");
    enter(&mut stage, "G empty under evidence-primary: ");
    assert_eq!(named(&stage), "empty-primary");
}

#[test]
fn the_cube_fits_a_window_at_twice_its_size() {
    for (width, size) in [(720.0, [720.0, 450.0]), (640.0, [640.0, 420.0]), (1440.0, [1440.0, 900.0])] {
        let mut stage = at(sample(RETRIEVAL));
        stage.h.set_size(size.into());
        step(&mut stage, StepCommand::Tab(StepTab::Cube));
        let under = |authority: &str| -> Vec<egui::Rect> {
            stage.h.query_all_by_label_contains(&format!(" under {authority}: ")).map(|node| node.rect()).collect()
        };
        let cells = [under("neutral"), under("evidence-primary")].concat();
        assert_eq!(cells.len(), 6, "{width}");
        for (i, cell) in cells.iter().enumerate() {
            assert!(cell.left() > 60.0 && cell.right() < width, "{width}: {cell:?}");
            assert!(cells[..i].iter().all(|other| !other.intersects(*cell)), "{width}");
        }
    }
}

#[test]
fn a_cube_without_a_complete_step_shows_no_number() {
    let scratch = scratch();
    let folder = scratch.path().join("cube");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(sample(RETRIEVAL).join("study.json"), folder.join("study.json")).unwrap();
    let rows = std::fs::read_to_string(sample(RETRIEVAL).join("scores.jsonl")).unwrap();
    let kept: Vec<&str> = rows.lines().filter(|row| !row.contains("generated-primary")).collect();
    std::fs::write(folder.join("scores.jsonl"), kept.join("\n")).unwrap();
    let mut stage = at(folder);
    stage.key(Key::Num3);
    assert!(says(&stage, "G generated under evidence-primary: not identified; less neutral not identified"));
    press(&mut stage, "G generated under evidence-primary: ");
    step(&mut stage, StepCommand::Stop(Stop::WaveMean));
    assert!(says(&stage, "= not identified"));
}

#[test]
fn a_vertex_of_the_bridge_leads_to_its_face() {
    let mut stage = at(sample(BRIDGE));
    stage.key(Key::Num4);
    assert!(says(&stage, "Vertex A, joint · stack-one: D below zero"));
    press(&mut stage, "Vertex C, binary · stack-two: D below zero");
    let vertex = |stage: &Stage| {
        let study = open(stage).study();
        study.bridge.iter().find(|v| open(stage).shows(v)).unwrap().name.clone()
    };
    assert_eq!(vertex(&stage), "C");
    across(&mut stage);
    assert_eq!(vertex(&stage), "A");
    enter(&mut stage, "Vertex B, ");
    assert_eq!(vertex(&stage), "B");
}

#[test]
fn a_vertex_that_no_contrast_declares_has_a_face_of_its_own() {
    let scratch = scratch();
    let folder = scratch.path().join("bridge");
    std::fs::create_dir_all(&folder).unwrap();
    let text = std::fs::read_to_string(sample(BRIDGE).join("study.json")).unwrap();
    let mut study: serde_json::Value = serde_json::from_str(&text).unwrap();
    study["contrasts"].as_array_mut().unwrap().truncate(1);
    std::fs::write(folder.join("study.json"), study.to_string()).unwrap();
    std::fs::copy(sample(BRIDGE).join("scores.jsonl"), folder.join("scores.jsonl")).unwrap();
    let mut stage = at(folder);
    step(&mut stage, StepCommand::Tab(StepTab::Bridge));
    press(&mut stage, "Vertex C, ");
    assert!(says(&stage, "F(x⁺) C-generated: ") && says(&stage, "F(x⁻) C-quote: "));
    for tab in [StepTab::Scatter, StepTab::Diagnostics, StepTab::Recalibration] {
        step(&mut stage, StepCommand::Tab(tab));
        assert!(says(&stage, "Means are reported for declared contrasts"), "{tab:?}");
        assert!(!says(&stage, "The study declares no contrast"), "{tab:?}");
    }
}

#[test]
fn a_bridge_speaks_of_its_own_two_views() {
    let scratch = scratch();
    let folder = scratch.path().join("bridge");
    std::fs::create_dir_all(&folder).unwrap();
    let text = std::fs::read_to_string(sample(BRIDGE).join("study.json")).unwrap();
    let mut study: serde_json::Value = serde_json::from_str(&text).unwrap();
    for channel in study["channels"].as_array_mut().unwrap() {
        if channel["view"] == "quote" {
            channel["view"] = "excerpt".into();
        }
    }
    std::fs::write(folder.join("study.json"), study.to_string()).unwrap();
    std::fs::copy(sample(BRIDGE).join("scores.jsonl"), folder.join("scores.jsonl")).unwrap();
    let mut stage = at(folder);
    step(&mut stage, StepCommand::Tab(StepTab::Bridge));
    for words in [
        "G excerpt: ",
        "G generated: ",
        "D = generated − excerpt: ",
        "the AUC by excerpt exceeds the AUC by generated at every vertex",
        "A excerpt: ",
    ] {
        assert!(says(&stage, words), "{words}");
    }
    assert!(!says(&stage, "G quote") && !says(&stage, "quote orders better"));
}

#[test]
fn a_study_without_these_parts_says_what_to_declare() {
    let mut stage = at(sample(POPULATION));
    let next = |key: &str, how: &str| format!("Declare {key} in study.json: {how}. Then open the study again.");
    for (tab, words) in [
        (
            StepTab::Retrieval,
            next(
                "retrieval_face",
                "the channel whose view is scored at both states (channel), and a direct channel (direct)",
            ),
        ),
        (
            StepTab::Cube,
            next("matched_cube", "the channels that cross every view with every authority under one template"),
        ),
        (
            StepTab::Bridge,
            next("bridge", "vertices, each an alternative against a reference channel under another readout or stack"),
        ),
    ] {
        step(&mut stage, StepCommand::Tab(tab));
        assert!(says(&stage, &words), "{words}");
        assert!(!ACROSS.applies(stage.state()), "{tab:?}");
    }
}

fn copied(stage: &mut Stage) -> String {
    stage.h.state_mut().ask(Command::Do(&COPY_LINK));
    let mut found = None;
    for _ in 0..3 {
        stage.h.run_steps(1);
        let copied = stage.h.output().platform_output.commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
        found = found.or(copied);
    }
    found.unwrap()
}

#[test]
fn a_link_leads_back_to_a_transition_its_corner_and_its_stop() {
    let mut stage = at(sample(RETRIEVAL));
    step(&mut stage, StepCommand::Contrast(1));
    step(&mut stage, StepCommand::Select(41));
    step(&mut stage, StepCommand::Tab(StepTab::Retrieval));
    press(&mut stage, "F(x⁻, r⁺) retrieval: ");
    step(&mut stage, StepCommand::Stop(Stop::Margin));
    let link = copied(&mut stage);
    assert!(link.ends_with("#r041/quote-empty/retrieval/retrieval/before+after/margin"), "{link}");
    let followed = open(&stage).followed();
    let there = |stage: &Stage| {
        let open = open(stage);
        assert_eq!((open.contrast, open.at, open.tab, open.stop), (1, 41, StepTab::Retrieval, Stop::Margin));
        assert_eq!(open.followed(), followed);
    };
    // In the same study, from another page, by the palette.
    step(&mut stage, StepCommand::Contrast(0));
    step(&mut stage, StepCommand::Select(3));
    step(&mut stage, StepCommand::Tab(StepTab::Cohort));
    stage.ask(Command::Do(&GO_CASEBOOK));
    stage.ctrl(Key::K);
    stage.ask(Command::OverlayText(link.clone()));
    assert!(says(&stage, "Follow the link to r041"));
    stage.key(Key::Enter);
    assert_eq!(stage.state().route, Route::Step);
    there(&stage);
    // In a new window, as the command line gives it.
    let stage = at(link.into());
    there(&stage);
}

#[test]
fn a_link_leads_to_a_shipped_study_and_tells_what_is_gone() {
    let link = format!("decidendi:shipped/{POPULATION}#t017-05/no-such/bridge/direct/after/wave-mean");
    let mut stage = Stage::open(Some(link.into()), None, scratch());
    let told = "The study does not have contrast “no-such” any more";
    stage.wait("what is gone", |s| s.toasts.iter().any(|toast| toast.text == told));
    assert_eq!(open(&stage).transition().unwrap().id, "t017-05");
    assert_eq!(open(&stage).corner, (Side::Reference, Moment::After));
    assert_eq!((open(&stage).tab, open(&stage).stop), (StepTab::Bridge, Stop::WaveMean));
}

#[test]
fn at_twice_its_size_every_tab_stays_in_its_card_and_scrolls_by_keys() {
    for (study, tab, last) in [
        (RETRIEVAL, StepTab::Retrieval, "other authority minus own: "),
        (RETRIEVAL, StepTab::Cube, "D  generated − quote · evidence-primary: "),
        (BRIDGE, StepTab::Bridge, "not identified: moving"),
        (POPULATION, StepTab::Diagnostics, "Not tested: study.json declares no"),
        (POPULATION, StepTab::Recalibration, "Changing state and channel at once"),
        (POPULATION, StepTab::Cohort, "t096-08: "),
    ] {
        let mut stage = at(sample(study));
        stage.h.set_size([720.0, 450.0].into());
        step(&mut stage, StepCommand::Tab(tab));
        stage.key(Key::End);
        stage.h.run_steps(4);
        let place = stage.h.query_all_by_label_contains(last).last().unwrap().rect();
        assert!(place.left() > 60.0 && place.right() < 720.0, "{tab:?}: {place:?}");
        assert!(place.top() > 160.0 && place.bottom() < 415.0, "{tab:?}: {place:?}");
    }
}

#[test]
fn what_the_keyboard_comes_to_is_scrolled_into_sight() {
    let mut stage = at(sample(RETRIEVAL));
    stage.h.set_size([720.0, 450.0].into());
    step(&mut stage, StepCommand::Tab(StepTab::Cube));
    let cell =
        |stage: &Stage| stage.h.query_all_by_label_contains("G quote under evidence-primary: ").next().unwrap().rect();
    assert!(cell(&stage).bottom() > 400.0, "below what is shown");
    stage.h.query_all_by_label_contains("G quote under evidence-primary: ").next().unwrap().focus();
    stage.h.run_steps(30);
    assert!(cell(&stage).bottom() < 400.0, "{:?}", cell(&stage));
}
