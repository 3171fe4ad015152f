//! What a certificate is said to be: recorded or executed, of this case and no other, signed with a protected key.

use std::sync::Arc;

use decidendi_core::judgment::verify::EndState;
use decidendi_files::keys;
use decidendi_gui::desk::actions::EXPORT_MARKDOWN;
use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::state::{Overlay, State};
use decidendi_gui::shared::certificates::Stand;
use decidendi_gui::wings::judgment::actions::{EXPORT_BUNDLE, EXPORT_CERTIFICATE};
use decidendi_gui::wings::judgment::state::Format;
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::stage::Stage;

const RECORDED: &str = r#"{"format": "decidendi/case@1", "id": "t", "title": "T",
"adjudicator": {"engine": "table", "cells": ["deny", "approve", "approve", "approve"]},
"sources": [{"name": "grounds", "old": {"days": 16}, "new": {"days": 13}}, {"name": "norms", "old": 14, "new": 30}]}"#;

fn held(state: &State) -> bool {
    matches!(state.wings.judgment.certificate(), Stand::Held(_))
}

fn says(stage: &Stage, text: &str) -> bool {
    stage.state().toasts.iter().any(|t| t.text.contains(text) || t.detail.as_ref().is_some_and(|d| d.contains(text)))
}

#[test]
fn a_recorded_case_is_compared_and_never_called_replayed() {
    let scratch = Arc::new(tempfile::tempdir().unwrap());
    let file = scratch.path().join("t.case.json");
    std::fs::write(&file, RECORDED).unwrap();
    let mut stage = Stage::open(Some(file), None, scratch).ready();
    stage.ctrl(Key::Enter);
    stage.wait("the certificate", held);
    assert!(says(&stage, "Certified, signed and compared with the record"));
    assert!(says(&stage, "Its cells are recorded, not executed."));
    assert!(!says(&stage, "replay"));
    stage.h.get_by_label_contains("Certificate: verified · 4/4 compared");
    let bytes = stage.state().wings.judgment.certificate().held().unwrap().bytes.to_vec();
    let out = stage.scratch.path().join("t.cert.json");
    std::fs::write(&out, bytes).unwrap();
    stage.ask(Command::Open(out));
    stage.wait("the checks", |s| s.wings.verify.checked.is_some());
    let state = stage.state().wings.verify.checked.as_ref().unwrap().result.as_ref().unwrap().state;
    assert_eq!(state, Some(EndState::Verified));
    stage.h.get_by_label_contains("the recorded cells agree; nothing was executed.");
    assert!(stage.h.query_by_label_contains("the replay agrees").is_none());
}

#[test]
fn the_certificate_is_not_shown_or_exported_for_what_it_does_not_speak_of() {
    let mut stage = Stage::first_start().ready();
    stage.ctrl(Key::Enter);
    stage.wait("the certificate", held);
    stage.h.get_by_label_contains("Certificate: verified");
    stage.key(Key::S);
    stage.wait("the inverse", |s| s.wings.judgment.open.as_ref().is_some_and(|o| o.swapped));
    assert!(stage.h.query_by_label_contains("Certificate: verified").is_none());
    stage.h.get_by_label_contains("belongs to the case as loaded");
    stage.ctrl(Key::E);
    assert!(matches!(stage.state().overlay, Some(Overlay::Export { format: "markdown", .. })));
    let radio = stage.h.get_by_role_and_label(Role::RadioButton, "Certificate");
    assert!(radio.accesskit_node().is_disabled());
    stage.h.get_all_by_label_contains("Swap back first").next().unwrap();
    stage.ask(Command::Overlay(None));
    stage.key(Key::S);
    stage.wait("the case as loaded", |s| s.wings.judgment.open.as_ref().is_some_and(|o| !o.swapped));
    stage.h.get_by_label_contains("Certificate: verified");

    stage.key(Key::W);
    stage.wait("the sandbox", |s| s.wings.judgment.open.as_ref().unwrap().sandbox.is_some());
    for action in [&EXPORT_CERTIFICATE, &EXPORT_BUNDLE, &EXPORT_MARKDOWN] {
        stage.ask(Command::Do(action));
        assert_eq!(stage.state().overlay, None, "{action:?}");
    }
    assert!(says(&stage, "Export certificate: The sandbox is open. Close it first."));
    let out = stage.scratch.path().join("out");
    stage.ask(Command::Export(Format::Certificate.id(), out.clone()));
    stage.h.run_steps(10);
    assert!(!out.exists() && says(&stage, "Certificate not exported"));
}

#[test]
fn a_protected_key_asks_for_its_passphrase_and_keeps_nothing() {
    let mut stage = Stage::first_start().ready();
    let key = stage.scratch.path().join("guarded");
    let secret = keys::fresh().unwrap();
    keys::write_pair(&key, &secret, Some("open sesame")).unwrap();
    stage.ask(Command::UseKey(key.clone()));
    stage.wait("the key", |s| s.key.as_ref().is_some_and(|k| k.path == key));
    assert!(says(&stage, "It asks for its passphrase at each signature"));
    let known = stage.state().key.clone().unwrap();
    assert_eq!(known.fingerprint, Some(secret.public().fingerprint().to_string()));
    let mut attempt = |typed: &str| {
        stage.ctrl(Key::Enter);
        stage.wait("the question", |s| matches!(s.overlay, Some(Overlay::Passphrase { .. })));
        stage.h.run_steps(3);
        stage.h.get_by_role_and_label(Role::PasswordInput, "Passphrase").type_text(typed);
        stage.h.run_steps(2);
        stage.key(Key::Enter);
        stage.wait("the answer", |s| held(s) || matches!(&s.overlay, Some(Overlay::Passphrase { why: Some(_), .. })));
        let again = matches!(stage.state().overlay, Some(Overlay::Passphrase { .. }));
        if again {
            stage.h.get_by_label_contains("This passphrase does not open the key.");
            stage.ask(Command::Overlay(None));
        }
        !again
    };
    assert!(!attempt("something else"));
    assert!(attempt("open sesame"));
    stage.h.run_steps(400);
    let settings = std::fs::read_to_string(stage.scratch.path().join("config/settings.toml")).unwrap_or_default();
    assert!(!settings.contains("sesame"));
    assert!(!format!("{:?}", stage.state()).contains("sesame"));
}

#[test]
fn an_export_over_a_file_of_somebody_else_asks_first() {
    let mut stage = Stage::first_start().ready();
    let out = stage.scratch.path().join("out");
    std::fs::create_dir_all(&out).unwrap();
    let id = stage.state().wings.judgment.open.as_ref().unwrap().case.id().to_owned();
    let (file, other) = (out.join(format!("{id}.md")), out.join(format!("{id}-2.md")));
    std::fs::write(&file, "my own notes").unwrap();
    let asked = |s: &State| matches!(s.overlay, Some(Overlay::Occupied(_)));
    stage.ask(Command::Export(Format::Markdown.id(), out.clone()));
    stage.wait("the question", asked);
    assert_eq!(std::fs::read(&file).unwrap(), b"my own notes");
    stage.key(Key::Enter);
    stage.wait("the other file", |_| other.is_file());
    stage.wait("the toast", |s| s.jobs.is_empty());
    assert_eq!(std::fs::read(&file).unwrap(), b"my own notes");
    stage.ask(Command::Export(Format::Markdown.id(), out));
    stage.wait("the question again", asked);
    stage.h.get_by_label("Replace").click();
    stage.h.run_steps(2);
    stage.wait("the file", |_| std::fs::read(&file).unwrap() == std::fs::read(&other).unwrap());
}
