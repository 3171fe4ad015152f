//! The verify view, as the shell needs it.

use std::path::Path;

use decidendi_files::load;
use egui::Ui;

use super::actions::{ACTIONS, GO_VERIFY};
use super::views;
use crate::desk::Desk;
use crate::desk::command::{Action, Command, Commands};
use crate::desk::page::{Messages, Page, Shell};
use crate::desk::state::{PathPurpose, State};
use crate::desk::wings::Route;
use crate::parts::Press;
use crate::theme::icons::Icon;

/// The view.
pub struct Verify;

impl Page for Verify {
    fn route(&self) -> Route {
        Route::Verify
    }

    fn actions(&self) -> &'static [Action] {
        ACTIONS
    }

    fn rail(&self) -> Option<(Icon, Action)> {
        Some((Icon::Shield, &GO_VERIFY))
    }

    fn crumbs(&self, _state: &State) -> Vec<String> {
        vec!["Verify".to_owned()]
    }

    fn title(&self, _state: &State) -> String {
        "Check an exported file".to_owned()
    }

    fn buttons(&self, ui: &mut Ui, _state: &State, commands: &mut Commands) {
        if ui.add(Press::new("Open a file to check…").primary()).clicked() {
            commands.push(Command::Browse(PathPurpose::Verify));
        }
    }

    fn show(&self, ui: &mut Ui, state: &State, commands: &mut Commands) {
        views::show(ui, state, commands);
    }

    fn command_line(&self, state: &State, with: &Shell) -> Option<String> {
        let verify = &state.wings.verify;
        let file = verify.checked.as_ref().map_or_else(|| "FILE".to_owned(), |checked| Shell::path(&checked.path));
        let case = verify.case.as_ref().map(|case| format!(" --case {}", Shell::path(case))).unwrap_or_default();
        Some(format!("decidendi verify {file}{case} --trust {}.pub", with.key))
    }

    fn opens(&self, desk: &mut Desk, path: &Path) -> bool {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let is_sealed = name.ends_with(".cert.json") || load::is_bundle_name(path);
        if is_sealed {
            desk.check(path.to_owned());
        }
        is_sealed
    }

    fn messages(&self) -> Messages {
        // On the list of checks, below the keys: no check is covered.
        Messages::Right
    }
}
