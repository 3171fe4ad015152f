//! The path box acts on the text that is shown, however fast it was typed.

use decidendi_gui::desk::state::Overlay;
use decidendi_gui::desk::wings::Route;
use egui::{Event, Key, Modifiers};

use crate::stage::Stage;
use crate::steps::{says, scratch, small};

/// Text and keys of one frame.
fn at_once(stage: &mut Stage, events: &[Event]) {
    stage.h.input_mut().events.extend_from_slice(events);
    stage.h.run_steps(3);
}

fn press(key: Key, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
}

fn enter() -> Event {
    press(Key::Enter, Modifiers::NONE)
}

#[test]
fn enter_opens_the_text_that_came_in_the_same_frame() {
    let scratch = scratch();
    let folder = small(scratch.path(), true);
    let mut stage = Stage::first_start().ready();
    stage.ctrl(Key::L);
    let parent = scratch.path().display().to_string();
    at_once(&mut stage, &[Event::Text(format!("  {parent}"))]);
    assert!(says(&stage, "Found."), "the parent folder is there too");
    at_once(&mut stage, &[Event::Text("/small ".to_owned()), enter()]);
    stage.wait("the study", |s| s.wings.step.open.is_some());
    assert_eq!(stage.state().route, Route::Step);
    assert_eq!(stage.state().settings.recents, [folder]);
}

#[test]
fn enter_on_a_path_that_leads_nowhere_says_so_and_keeps_the_text() {
    let mut stage = Stage::first_start().ready();
    stage.ctrl(Key::L);
    at_once(&mut stage, &[Event::Text("/nowhere/at all".to_owned()), enter()]);
    let Some(Overlay::Path { text, why, .. }) = &stage.state().overlay else { panic!("the box is gone") };
    assert_eq!(text, "/nowhere/at all");
    let told = "Nothing is there under “/nowhere/at all”. Mend the path, or close this box and choose a file.";
    assert_eq!(why.as_deref(), Some(told));
}

#[test]
fn text_typed_right_after_the_key_goes_into_the_box() {
    let mut stage = Stage::first_start().ready();
    let at = stage.state().wings.judgment.open.as_ref().unwrap().row;
    let letters = [press(Key::J, Modifiers::NONE), Event::Text("j".to_owned())];
    at_once(&mut stage, &[&[press(Key::L, Modifiers::COMMAND)], letters.as_slice()].concat());
    let Some(Overlay::Path { text, .. }) = &stage.state().overlay else { panic!("no box") };
    assert_eq!(text, "j");
    assert_eq!(stage.state().wings.judgment.open.as_ref().unwrap().row, at, "J is no command here");
}
