//! Every view by its names for screen readers, and error states that must not panic.

use std::sync::Arc;

use decidendi_core::judgment::verify::EndState;
use decidendi_gui::desk::actions::QUIT;
use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::state::Overlay;
use decidendi_gui::desk::wings::Route;
use decidendi_gui::shared::certificates::Stand;
use decidendi_gui::theme::Look;
use decidendi_gui::wings::TABLE;
use decidendi_gui::wings::judgment::actions::{CERTIFY, CUBE, GO_JUDGMENTS, LATTICE, TABLE_TAB};
use decidendi_gui::wings::judgment::command::TableCommand;
use decidendi_gui::wings::judgment::state::{Format, Judged};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;

use crate::stage::Stage;

#[test]
fn the_shell_has_its_names() {
    let stage = Stage::first_start().ready();
    for name in ["Search or run a command", "Certify", "Export", "Swap old and new", "Casebook", "Verify"] {
        assert!(stage.h.query_all_by_label(name).next().is_some(), "{name}");
    }
    assert!(stage.h.query_all_by_label_contains("Judgments,").next().is_some());
}

#[test]
fn the_rail_leads_to_every_view() {
    let mut stage = Stage::first_start().ready();
    for (name, route) in [("Casebook", Route::Casebook), ("Judgments", Route::Judgments), ("Verify", Route::Verify)] {
        let tab = stage.h.query_all_by_role(Role::Tab).find(|n| {
            use egui_kittest::kittest::NodeT as _;
            n.accesskit_node().label().is_some_and(|l| l.starts_with(name))
        });
        tab.unwrap().click();
        stage.h.run_steps(3);
        assert_eq!(stage.state().route, route);
    }
}

#[test]
fn rows_speak_and_filters_count() {
    let mut stage = Stage::first_start().ready();
    stage.ask(Command::Do(&GO_JUDGMENTS));
    assert!(stage.h.query_all_by_role(Role::Row).count() > 10);
    assert!(stage.h.query_all_by_label_contains("Pensioner starts pension credit: deny to approve").next().is_some());
    let chip = stage.h.query_all_by_label_contains("ambiguous, ").next().unwrap();
    chip.click();
    stage.h.run_steps(3);
    let state = stage.state();
    assert!(!state.wings.judgment.table.order.is_empty());
    for row in &state.wings.judgment.table.order {
        let Judged::Done(summary) = &state.wings.judgment.book.rows[*row as usize].judged else { panic!("not run") };
        assert!(summary.is_ambiguous());
    }
}

#[test]
fn every_case_opens_in_every_look_without_a_panic() {
    let mut stage = Stage::first_start().ready();
    let rows = stage.state().wings.judgment.book.rows.len();
    // Every shape of case is among them: the first of each folder, and the story's whole chain.
    for row in (0..14).step_by(4).chain((14..rows).step_by(5)).chain(rows.saturating_sub(5)..rows) {
        let look = Look::ALL[row % Look::ALL.len()];
        stage.ask(Command::SetLook(look));
        stage.ask(Command::wing(TableCommand::Open(row)));
        stage.wait("the case", |s| s.wings.judgment.open.as_ref().is_some_and(|o| o.row == row));
        for action in [&LATTICE, &TABLE_TAB, &CUBE] {
            stage.ask(Command::Do(action));
        }
    }
}

#[test]
fn every_command_can_be_asked_for_anywhere() {
    for route in [Route::Case, Route::Judgments, Route::Casebook, Route::Verify] {
        let mut stage = Stage::first_start().ready();
        stage.ask(Command::Go(route));
        for entry in TABLE.iter().copied().filter(|e| *e != &QUIT) {
            stage.ask(Command::Do(entry));
            stage.h.run_steps(2);
            stage.ask(Command::Overlay(None));
        }
        stage.wait("jobs", |s| s.jobs.is_empty());
    }
}

#[test]
fn sheets_draw() {
    let mut stage = Stage::first_start().ready();
    for overlay in [
        Overlay::About,
        Overlay::Keys,
        Overlay::Export { format: Format::Svg.id(), folder: "/x".into() },
        Overlay::SaveView("v".into()),
        Overlay::ShowCommand("decidendi verify x".into()),
        Overlay::Palette { text: "zzzz".into(), mark: 7 },
    ] {
        stage.ask(Command::Overlay(Some(overlay)));
        stage.h.run_steps(2);
    }
}

#[test]
fn end_states_are_kept_apart() {
    let mut stage = Stage::first_start().ready();
    stage.ask(Command::Do(&CERTIFY));
    stage.wait("the certificate", |s| matches!(s.wings.judgment.certificate(), Stand::Held(_)));
    let bytes = stage.state().wings.judgment.certificate().held().unwrap().bytes.to_vec();
    let folder = stage.scratch.path().to_owned();
    let mut check = |name: &str, bytes: &[u8]| {
        let file = folder.join(name);
        std::fs::write(&file, bytes).unwrap();
        stage.ask(Command::Open(file.clone()));
        stage.wait("the checks", |s| {
            s.wings.verify.checking.is_none() && s.wings.verify.checked.as_ref().is_some_and(|c| c.path == file)
        });
        let checked = stage.state().wings.verify.checked.as_ref().unwrap();
        checked.result.as_ref().map(|v| v.state).map_err(Clone::clone)
    };
    assert_eq!(check("good.cert.json", &bytes), Ok(Some(EndState::Verified)));
    let text = String::from_utf8(bytes).unwrap();
    let at = text.find("\"payload\":\"").unwrap() + 80;
    let mut spoiled = text.clone().into_bytes();
    spoiled[at] = if spoiled[at] == b'A' { b'B' } else { b'A' };
    assert_eq!(check("spoiled.cert.json", &spoiled), Ok(Some(EndState::Altered)));
    assert!(check("nonsense.cert.json", b"not json").is_err());
    assert!(stage.h.query_all_by_label_contains("could not be checked").next().is_some());
}

#[test]
fn what_cannot_be_opened_says_what_where_why() {
    let mut stage = Stage::first_start().ready();
    stage.ask(Command::Open("/nowhere/at/all.json".into()));
    stage.wait("the failure", |s| s.toasts.iter().any(|t| t.text.contains("could not be opened")));
    let toast = stage.state().toasts.iter().find(|t| t.text.contains("could not be opened")).unwrap();
    assert!(toast.detail.as_ref().unwrap().contains("/nowhere/at/all.json"));
    assert!(toast.until.is_none(), "errors stay until closed");
}

#[test]
fn refused_files_are_accounted_for() {
    let scratch = Arc::new(tempfile::tempdir().unwrap());
    let folder = scratch.path().join("book");
    std::fs::create_dir_all(folder.join("a")).unwrap();
    std::fs::create_dir_all(folder.join("b")).unwrap();
    std::fs::write(folder.join("a/case.json"), "{\"id\": \"x\", \"id\": \"y\"}").unwrap();
    std::fs::write(folder.join("b/case.json"), include_str!("../../../../sample_cases/80-gallery-ambiguous/case.json"))
        .unwrap();
    let mut stage = Stage::open(Some(folder), None, scratch);
    stage.wait("the casebook", |s| !s.wings.judgment.book.loading && s.wings.judgment.book.read == 2);
    let book = &stage.state().wings.judgment.book;
    assert_eq!(book.rows.len() + book.rejected.len() + book.duplicates.len(), book.read);
    assert!(book.rejected[0].why.contains(":1:"), "{}", book.rejected[0].why);
}

#[test]
fn a_certificate_opened_first_finds_its_case_in_the_shipped_casebook() {
    let mut stage = Stage::first_start().ready();
    stage.ask(Command::Do(&CERTIFY));
    stage.wait("the certificate", |s| matches!(s.wings.judgment.certificate(), Stand::Held(_)));
    let bytes = stage.state().wings.judgment.certificate().held().unwrap().bytes.to_vec();
    let file = stage.scratch.path().join("handed-out.cert.json");
    std::fs::write(&file, bytes).unwrap();
    // Another machine, whose owner trusts nobody yet.
    let mut other = Stage::open(Some(file), None, Arc::new(tempfile::tempdir().unwrap()));
    other.wait("the replay", |s| s.wings.verify.checked.as_ref().is_some_and(|c| c.replayed_with.is_some()));
    assert_eq!(other.state().route, Route::Verify);
    let checked = other.state().wings.verify.checked.as_ref().unwrap();
    assert_eq!(checked.result.as_ref().unwrap().state, Some(EndState::UnknownSigner));
}

/// A folder in which a broken case comes before a sound one of the same id, a third doubles it, and another never runs.
#[test]
fn a_case_that_fails_hides_no_good_one_and_all_are_counted() {
    let scratch = Arc::new(tempfile::tempdir().unwrap());
    let folder = scratch.path().join("book");
    std::fs::create_dir_all(&folder).unwrap();
    let good = include_str!("../../../../sample_cases/80-gallery-ambiguous/case.json");
    let at = good.find("\"sources\"").unwrap();
    let broken = format!("{}\"sources\": 1}}", &good[..at]);
    for (name, text) in [("1.case.json", broken.as_str()), ("2.case.json", good), ("3.case.json", good)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let lone = broken.replacen("\"id\": \"", "\"id\": \"lone-", 1);
    std::fs::write(folder.join("4.case.json"), lone).unwrap();
    let mut stage = Stage::open(Some(folder), None, scratch);
    stage.wait("the casebook", |s| {
        !s.wings.judgment.book.loading
            && s.wings.judgment.book.read == 4
            && s.wings.judgment.book.judged == 2
            && s.jobs.is_empty()
    });
    let state = stage.state();
    let book = &state.wings.judgment.book;
    assert_eq!((book.rows.len(), book.rejected.len(), book.duplicates.len(), book.failed.len()), (2, 1, 1, 1));
    assert!(book.rejected[0].place.ends_with("1.case.json") && book.duplicates[0].place.ends_with("3.case.json"));
    assert!(matches!(book.rows[0].judged, Judged::Done(_)));
    assert!(book.failed[0].place.ends_with("4.case.json"));
    let texts: Vec<&str> = state.toasts.iter().map(|t| t.text.as_str()).collect();
    assert!(texts.contains(&"2 cases loaded, 1 rejected, 1 duplicate id"), "{texts:?}");
    assert!(texts.contains(&"1 of 2 cases could not be read or executed"), "{texts:?}");
}
