//! The acquire page, as the shell needs it.

use std::path::Path;

use decidendi_files::look;
use egui::Ui;

use super::actions::{ACTIONS, BACK};
use super::jobs::names_plan;
use super::views;
use crate::desk::Desk;
use crate::desk::command::{Action, Commands};
use crate::desk::page::{Page, Shell, Watched};
use crate::desk::state::State;
use crate::desk::wings::Route;

/// The page.
pub struct Acquire;

impl Page for Acquire {
    fn route(&self) -> Route {
        Route::Acquire
    }

    fn actions(&self) -> &'static [Action] {
        ACTIONS
    }

    fn keys_title(&self) -> &'static str {
        "On the acquire page"
    }

    fn under(&self) -> Route {
        Route::Step
    }

    fn crumbs(&self, _state: &State) -> Vec<String> {
        vec!["Step value".to_owned(), "Acquire".to_owned()]
    }

    fn back(&self) -> Option<Action> {
        Some(&BACK)
    }

    fn title(&self, state: &State) -> String {
        state.wings.acquire.open.as_ref().map_or("Acquire scores", |open| &open.plan.title).to_owned()
    }

    fn chips(&self, state: &State) -> Vec<String> {
        views::standing(state).into_iter().map(str::to_owned).collect()
    }

    fn buttons(&self, ui: &mut Ui, state: &State, commands: &mut Commands) {
        views::actions(ui, state, commands);
    }

    fn show(&self, ui: &mut Ui, state: &State, commands: &mut Commands) {
        views::show(ui, state, commands);
    }

    fn command_line(&self, state: &State, _with: &Shell) -> Option<String> {
        let Some(open) = &state.wings.acquire.open else {
            return Some("decidendi acquire run PLAN --out DIR".to_owned());
        };
        let (plan, folder) = (Shell::path(&open.path), Shell::path(&open.folder));
        Some(format!(
            "decidendi acquire probe {plan}\ndecidendi acquire run {plan} --out {folder}\ndecidendi acquire replay {folder}\ndecidendi asv {folder}"
        ))
    }

    fn opens(&self, desk: &mut Desk, path: &Path) -> bool {
        // A folder with study and plan is its study, but a plan where plans are asked for.
        let wanted = desk.state.route == Route::Acquire || !look::is_folder(path);
        let is_plan = wanted && names_plan(path);
        if is_plan {
            desk.open_plan(path, None);
        }
        is_plan
    }

    fn reload(&self, desk: &mut Desk) -> bool {
        desk.reload_plan()
    }

    fn watched(&self, state: &State) -> Option<Watched> {
        // While a run writes its log, the page follows it call by call.
        let stamp = state.wings.acquire.idle().ok()?.stamp.clone();
        Some(Box::new(move || stamp.is_outdated()))
    }

    fn changed(&self, desk: &mut Desk) {
        desk.on_plan_changed();
    }

    fn drop_hint(&self) -> Option<&'static str> {
        Some("A plan, or a folder with one and its log, is read; nothing is asked before you press Probe or Run.")
    }
}
