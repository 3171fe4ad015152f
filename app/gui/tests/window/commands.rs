//! The command table: no two commands on one key, every key reaches its command, every menu item is in the palette.

use std::collections::BTreeSet;

use decidendi_gui::app::action_for;
use decidendi_gui::desk::actions::PALETTE;
use decidendi_gui::desk::command::{Chord, Entry, Scope, check};
use decidendi_gui::desk::state::Overlay;
use decidendi_gui::desk::wings::Route;
use decidendi_gui::wings::{PAGES, TABLE};
use egui::Key;
use egui_kittest::kittest::Queryable as _;

use crate::stage::Stage;

#[test]
fn no_two_commands_share_a_key() {
    check(&TABLE, PAGES).unwrap();
}

#[test]
fn a_conflict_is_refused_and_named() {
    let entry = |id, name, scope| Entry {
        id,
        rank: 0,
        name,
        about: "",
        keys: &[Chord { modifiers: egui::Modifiers::NONE, key: Key::G }],
        menu: None,
        scope,
        when: |_| Ok(()),
        run: |_, _| {},
    };
    let one = entry("a", "one", Scope::On(Route::Case));
    let clash = [&one, &entry("b", "two", Scope::Everywhere)];
    let text = check(&clash, PAGES).unwrap_err().to_string();
    assert!(text.contains("one") && text.contains("two") && text.contains('G'), "{text}");
    check(&[&one, &entry("b", "two", Scope::On(Route::Judgments))], PAGES).unwrap();
    // What acts on whatever is open meets the page of a case, and not the list.
    assert!(check(&[&one, &entry("b", "two", Scope::Open)], PAGES).is_err());
    check(&[&entry("a", "one", Scope::Open), &entry("b", "two", Scope::On(Route::Judgments))], PAGES).unwrap();
}

#[test]
fn ids_and_names_are_unique() {
    let ids: BTreeSet<_> = TABLE.iter().map(|e| e.id).collect();
    let names: BTreeSet<_> = TABLE.iter().map(|e| e.name).collect();
    let ranks: BTreeSet<_> = TABLE.iter().map(|e| e.rank).collect();
    assert_eq!((ids.len(), names.len(), ranks.len()), (TABLE.len(), TABLE.len(), TABLE.len()));
}

#[test]
fn every_listed_key_reaches_its_command() {
    for entry in TABLE.iter().copied() {
        let route = match entry.scope {
            Scope::Everywhere | Scope::Open => Route::Case,
            Scope::On(route) => route,
        };
        for chord in entry.keys {
            assert_eq!(action_for(chord.key, chord.modifiers, route), Some(entry), "{} {}", entry.name, chord.words());
        }
    }
}

#[test]
fn single_keys_sleep_in_text_fields() {
    let mut stage = Stage::first_start().ready();
    stage.ctrl(Key::F);
    assert_eq!(stage.state().route, Route::Judgments);
    stage.h.run_steps(2);
    let field = stage.h.get_by_role_and_label(egui::accesskit::Role::TextInput, "Search cases");
    field.focus();
    stage.h.run_steps(2);
    let field = stage.h.get_by_role_and_label(egui::accesskit::Role::TextInput, "Search cases");
    field.type_text("jkx");
    stage.key(Key::J);
    stage.key(Key::X);
    assert_eq!(stage.state().wings.judgment.table.query.search, "jkx");
    assert_eq!(stage.state().wings.judgment.table.marked, Some(0));
}

#[test]
fn the_palette_finds_commands_and_cases() {
    let mut stage = Stage::first_start().ready();
    stage.ctrl(Key::K);
    assert!(matches!(stage.state().overlay, Some(Overlay::Palette { .. })));
    for entry in TABLE.iter().copied().filter(|e| e.menu.is_some() && *e != &PALETTE) {
        let wanted = entry.name.to_owned();
        stage.ask(decidendi_gui::desk::command::Command::OverlayText(wanted.clone()));
        let found = stage.h.query_all_by_role(egui::accesskit::Role::ListBoxOption).count();
        assert!(found > 0, "the palette does not find {wanted}");
    }
    stage.ask(decidendi_gui::desk::command::Command::OverlayText("about decidendi".into()));
    stage.key(Key::Enter);
    assert_eq!(stage.state().overlay, Some(Overlay::About));
    stage.key(Key::Escape);
    assert_eq!(stage.state().overlay, None);
    stage.ctrl(Key::K);
    stage.ask(decidendi_gui::desk::command::Command::OverlayText("gets the payment back".into()));
    stage.key(Key::Enter);
    stage.wait("the found case", |s| {
        s.wings.judgment.open.as_ref().is_some_and(|o| o.case.title().contains("gets the payment back"))
    });
}

#[test]
fn three_letters_list_every_export_with_its_key() {
    let mut stage = Stage::first_start().ready();
    stage.ctrl(Key::K);
    stage.ask(decidendi_gui::desk::command::Command::OverlayText("exp".into()));
    for name in [
        "Export…",
        "Export certificate",
        "Export bundle",
        "Export account (Markdown)",
        "Export picture as SVG",
        "Export picture as PNG",
        "Copy as Markdown",
    ] {
        stage.h.get_by_role_and_label(egui::accesskit::Role::ListBoxOption, name);
        assert!(TABLE.iter().any(|e| e.name == name && !e.keys.is_empty()), "{name} has no key");
    }
    stage.key(Key::Escape);
    stage.h.key_press_modifiers(egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, Key::G);
    stage.h.run_steps(2);
    let open = matches!(stage.state().overlay, Some(Overlay::Export { format: "svg", .. }));
    assert!(open, "{:?}", stage.state().overlay);
}

#[test]
fn the_cheat_sheet_lists_every_key() {
    let mut stage = Stage::first_start().ready();
    stage.key(Key::Questionmark);
    assert_eq!(stage.state().overlay, Some(Overlay::Keys));
    stage.h.get_by_label("key Ctrl E");
}
