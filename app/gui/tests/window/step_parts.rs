//! Beside the face: corners of the retrieval face, cells of the cube, vertices of the bridge, each by its name and by keys.

#![expect(clippy::unwrap_used, reason = "a test that finds nothing has nothing to say")]

use decidendi_core::report::step_value::signed;
use decidendi_core::step_value::retrieval::RetrievalCorners;
use decidendi_core::step_value::scores::Corner;
use decidendi_core::step_value::study::State as Moment;
use decidendi_gui::command::{Action, StepCommand};
use decidendi_gui::state::{Spot, StepTab, Stop};
use egui::Key;
use egui_kittest::kittest::Queryable as _;

use crate::stage::Stage;
use crate::steps::{POPULATION, RETRIEVAL, at, open, sample, says, step};

fn press(stage: &mut Stage, label: &str) {
    stage.h.query_all_by_label_contains(label).next().unwrap().click();
    stage.h.run_steps(3);
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
    stage.h.query_all_by_label_contains("F(x⁺, r⁻) retrieval: ").next().unwrap().focus();
    stage.h.run_steps(2);
    stage.key(Key::Enter);
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
fn a_study_without_these_parts_says_what_to_declare() {
    let mut stage = at(sample(POPULATION));
    for tab in [StepTab::Retrieval, StepTab::Cube, StepTab::Bridge] {
        step(&mut stage, StepCommand::Tab(tab));
        assert!(!Action::StepAcross.applies(stage.state()), "{tab:?}");
    }
}
