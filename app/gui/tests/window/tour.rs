//! From a cold start to an exported and verified certificate by keyboard alone, in at most four interactions.

use decidendi_core::judgment::verify::EndState;
use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::state::Overlay;
use decidendi_gui::desk::wings::Route;
use decidendi_gui::shared::certificates::Stand;
use decidendi_gui::wings::judgment::state::Format;
use egui::Key;

use crate::stage::Stage;

#[test]
fn certify_export_verify_by_keyboard() {
    let mut stage = Stage::first_start().ready();
    // The window opened on the story case: interaction 1 certifies it, with a key made on the way.
    stage.ctrl(Key::Enter);
    stage.wait("the certificate", |s| matches!(s.wings.judgment.certificate(), Stand::Held(_)));
    assert!(stage.state().key.as_ref().is_some_and(|k| k.name.starts_with("auditor-")));
    // Interaction 2 opens the sheet; the certificate is chosen. (The folder is set so that the test writes nowhere else.)
    stage.ctrl(Key::E);
    assert!(matches!(stage.state().overlay, Some(Overlay::Export { format: "certificate", .. })));
    let out = stage.scratch.path().join("out");
    stage.ask(Command::ExportDraft(Format::Certificate.id(), out.display().to_string()));
    // Interaction 3 writes.
    stage.key(Key::Enter);
    stage.wait("the file", |_| out.read_dir().is_ok_and(|mut d| d.next().is_some()));
    let file = out
        .read_dir()
        .unwrap()
        .flatten()
        .map(|e| e.path())
        .find(|p| p.to_string_lossy().ends_with(".cert.json"))
        .unwrap();
    // And it verifies, replayed with the open casebook's case.
    stage.ask(Command::Open(file));
    stage.wait("the checks", |s| s.wings.verify.checked.is_some());
    let checked = stage.state().wings.verify.checked.as_ref().unwrap();
    let verification = checked.result.as_ref().unwrap();
    assert_eq!(verification.state, Some(EndState::Verified), "{:#?}", verification.checks);
}

#[test]
fn keys_walk_the_list_and_the_case() {
    let mut stage = Stage::first_start().ready();
    let selected = stage.state().wings.judgment.open.as_ref().unwrap().selected;
    for (key, bit) in [(Key::G, 1), (Key::N, 2), (Key::A, 4)] {
        let before = stage.state().wings.judgment.open.as_ref().unwrap().selected.0;
        stage.key(key);
        assert_eq!(stage.state().wings.judgment.open.as_ref().unwrap().selected.0, before ^ bit, "{key:?}");
    }
    for key in [Key::G, Key::N, Key::A] {
        stage.key(key);
    }
    assert_eq!(stage.state().wings.judgment.open.as_ref().unwrap().selected, selected);
    stage.wait("the trace", |s| {
        let open = s.wings.judgment.open.as_ref().unwrap();
        open.trace.as_ref().is_some_and(|t| t.cell == open.selected)
    });
    stage.key(Key::J);
    stage.wait("the second case", |s| s.wings.judgment.open.as_ref().is_some_and(|o| o.row == 1));
    stage.key(Key::K);
    stage.wait("the first case", |s| s.wings.judgment.open.as_ref().is_some_and(|o| o.row == 0));
    // At the end it stays and says so.
    stage.key(Key::K);
    assert!(stage.state().toasts.iter().any(|t| t.text.contains("first case")));
    stage.key(Key::Escape);
    assert_eq!(stage.state().route, Route::Judgments);
    stage.key(Key::J);
    assert_eq!(stage.state().wings.judgment.table.marked, Some(1));
    stage.key(Key::Enter);
    stage.wait("the marked case", |s| {
        s.route == Route::Case && s.wings.judgment.open.as_ref().is_some_and(|o| o.row == 1)
    });
}

#[test]
fn a_certificate_turns_stale_when_its_case_changes_on_disk() {
    let scratch = std::sync::Arc::new(tempfile::tempdir().unwrap());
    let story = include_str!("../../../../sample_cases/00-winter-fuel/01-pensioner-starts-pension-credit.case.json");
    let folder = scratch.path().join("book");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("story.case.json");
    std::fs::write(&file, story).unwrap();
    let mut stage = Stage::open(Some(folder), None, scratch).ready();
    stage.ctrl(Key::Enter);
    stage.wait("the certificate", |s| matches!(s.wings.judgment.certificate(), Stand::Held(_)));
    std::fs::write(&file, story.replace("\"on_benefits\": \"no\"", "\"on_benefits\": \"dont_know\"")).unwrap();
    stage.key(Key::F5);
    stage.wait("the stale mark", |s| matches!(s.wings.judgment.certificate(), Stand::Stale(_)));
    // Never silently done again: the bytes are those of before.
    assert!(stage.state().toasts.iter().any(|t| t.text.contains("stale")));
}

#[test]
fn the_sandbox_is_never_certified() {
    let mut stage = Stage::first_start().ready();
    stage.key(Key::W);
    stage.wait("the sandbox", |s| s.wings.judgment.open.as_ref().unwrap().sandbox.is_some());
    stage.ctrl(Key::Enter);
    assert!(matches!(stage.state().wings.judgment.certificate(), Stand::None));
    assert!(stage.state().toasts.iter().any(|t| t.text.contains("sandbox")));
}
