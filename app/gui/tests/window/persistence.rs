//! What is kept between runs, and what happens without a file dialog.

use std::path::Path;
use std::sync::Arc;

use decidendi_gui::desk::actions::OPEN_FILE;
use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::state::{Overlay, PathPurpose};
use decidendi_gui::desk::wings::Route;
use decidendi_gui::theme::Look;
use decidendi_gui::wings::judgment::command::TableCommand;
use decidendi_gui::wings::judgment::state::Filter;
use egui::Key;

use crate::stage::Stage;

#[test]
fn look_zoom_views_and_recents_come_back() {
    let scratch = Arc::new(tempfile::tempdir().unwrap());
    let folder = scratch.path().join("book");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("case.json"), include_str!("../../../../sample_cases/80-gallery-ambiguous/case.json"))
        .unwrap();
    {
        let mut stage = Stage::open(Some(folder.clone()), None, Arc::clone(&scratch)).ready();
        stage.ask(Command::SetLook(Look::Dark));
        stage.ask(Command::SetZoom(1.5));
        stage.ask(Command::wing(TableCommand::Toggle(Filter::Status("changed".into()))));
        stage.ask(Command::wing(TableCommand::SaveView("only changed".into())));
    }
    let stage = Stage::open(None, None, scratch).ready();
    let settings = &stage.state().settings;
    assert_eq!((settings.look, settings.zoom), (Look::Dark, 1.5));
    assert_eq!(settings.views[0].name, "only changed");
    assert_eq!(settings.recents, vec![folder]);
    assert!(stage.state().theme.dark);
}

#[test]
fn unreadable_settings_are_told_and_never_written_over() {
    let not_utf8: &[u8] = b"trusted = [\"a\xff\"]\n";
    for (damaged, place) in
        [(&b"look = \"dark\"\nzoom = [nonsense"[..], "settings.toml:2:"), (not_utf8, "settings.toml")]
    {
        let scratch = Arc::new(tempfile::tempdir().unwrap());
        let config = scratch.path().join("config");
        std::fs::create_dir_all(&config).unwrap();
        std::fs::write(config.join("settings.toml"), damaged).unwrap();
        std::fs::write(config.join("settings.toml.unreadable"), "of another day").unwrap();
        {
            let mut stage = Stage::open(None, None, Arc::clone(&scratch)).ready();
            let told = stage.state().toasts.iter().find(|t| t.text == "The settings could not be read").unwrap();
            assert!(told.detail.as_ref().unwrap().contains(place), "{told:?}");
            stage.ask(Command::SetZoom(1.2));
            stage.wait("settings on disk", |s| s.toasts.iter().any(|t| t.text.contains("settings.toml.unreadable-2")));
        }
        assert_eq!(std::fs::read(config.join("settings.toml.unreadable-2")).unwrap(), damaged);
        assert_eq!(std::fs::read(config.join("settings.toml.unreadable")).unwrap(), b"of another day");
        let stage = Stage::open(None, None, scratch);
        assert!((stage.state().settings.zoom - 1.2).abs() < 1e-6);
        assert!(stage.state().toasts.is_empty());
    }
}

#[test]
fn undo_gives_filters_and_layout_back_by_name() {
    let mut stage = Stage::first_start().ready();
    stage.ctrl(Key::Num2);
    let all = stage.state().wings.judgment.table.order.len();
    stage.ask(Command::wing(TableCommand::Toggle(Filter::Status("stable".into()))));
    assert!(stage.state().wings.judgment.table.order.len() < all);
    stage.ask(Command::SetZoom(1.2));
    stage.ctrl(Key::Z);
    assert!((stage.state().settings.zoom - 1.0).abs() < 1e-6);
    stage.ctrl(Key::Z);
    assert_eq!(stage.state().wings.judgment.table.order.len(), all);
    assert!(stage.state().toasts.iter().any(|t| t.text.contains("filter “stable”")));
    stage.ctrl(Key::Y);
    assert!(stage.state().wings.judgment.table.order.len() < all);
}

#[test]
fn without_a_dialog_the_path_box_opens_with_the_reason() {
    let mut stage = Stage::first_start().ready();
    let from = std::time::Instant::now();
    stage.ctrl(Key::O);
    stage.wait("the path box", |s| matches!(s.overlay, Some(Overlay::Path { .. })));
    assert!(from.elapsed() < std::time::Duration::from_secs(2));
    let Some(Overlay::Path { purpose, why, .. }) = &stage.state().overlay else { panic!("no path box") };
    assert_eq!(*purpose, PathPurpose::OpenFile);
    assert!(why.as_ref().unwrap().contains("no file dialog"));
}

#[test]
fn a_chosen_path_is_opened() {
    let scratch = Arc::new(tempfile::tempdir().unwrap());
    let file = scratch.path().join("one.case.json");
    std::fs::write(&file, include_str!("../../../../sample_cases/80-gallery-ambiguous/case.json")).unwrap();
    let mut stage = Stage::open(None, Some(file.clone()), scratch).ready();
    stage.ask(Command::Do(&OPEN_FILE));
    stage.wait("the chosen casebook", |s| s.wings.judgment.book.rows.len() == 1 && s.wings.judgment.open.is_some());
    assert_eq!(stage.state().route, Route::Case);
}

#[test]
fn a_link_leads_back_to_case_and_hybrid() {
    let mut stage = Stage::first_start().ready();
    let id = stage.state().wings.judgment.book.rows[3].id.clone();
    stage.ask(Command::Open(format!("decidendi:shipped#{id}/table/5").into()));
    stage.wait("the linked case", |s| s.wings.judgment.open.as_ref().is_some_and(|o| o.row == 3 && o.selected.0 == 5));
}

#[test]
fn what_was_opened_by_a_relative_path_is_found_from_anywhere() {
    let mut stage = Stage::first_start().ready();
    let relative = std::path::PathBuf::from("../../sample_cases/80-gallery-ambiguous/case.json");
    stage.ask(Command::UsePath(PathPurpose::OpenFile, relative));
    stage.wait("the case", |s| s.wings.judgment.book.rows.len() == 1);
    let recent = &stage.state().settings.recents[0];
    assert!(recent.is_absolute() && recent.is_file(), "{}", recent.display());
}

#[test]
fn what_was_opened_before_and_is_gone_says_so_once_the_window_is_looked_at_again() {
    let scratch = Arc::new(tempfile::tempdir().unwrap());
    let folder = scratch.path().join("book");
    std::fs::create_dir_all(&folder).unwrap();
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample_cases/10-airline-01/case.json");
    std::fs::copy(case, folder.join("case.json")).unwrap();
    let mut stage = Stage::open(Some(folder.clone()), None, Arc::clone(&scratch));
    stage.wait("the case", |s| s.wings.judgment.open.is_some() && s.jobs.is_empty());
    stage.look_elsewhere();
    stage.wait("a look at the disk", |s| s.jobs.is_empty());
    assert!(!stage.state().gone.contains(&folder));
    std::fs::remove_dir_all(&folder).unwrap();
    stage.look_elsewhere();
    stage.wait("what is gone", |s| s.gone.contains(&folder));
}

/// From 1.7.0 on this pool keeps one thread that wakes twice a second for ever; an idle window would cost CPU.
#[test]
fn the_pool_of_the_screen_readers_bus_lets_its_threads_go() {
    let lock = include_str!("../../../../Cargo.lock");
    let version = lock.split("name = \"blocking\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next());
    assert_eq!(
        version,
        Some("1.6.2"),
        "look at its idle threads (main_loop), and at an idle window, before taking another"
    );
}
