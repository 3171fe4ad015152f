//! The commands of the step-value view.

use egui::Key;

use super::command::StepCommand;
use super::state::{StepFormat, StepTab};
use crate::desk::actions::always;
use crate::desk::command::{Applies, Chord, Menu, Scope, actions};
use crate::desk::state::State;
use crate::desk::wings::Route;

/// Whether a study is open, and on the screen.
///
/// # Errors
/// What to do.
pub fn study_open(state: &State) -> Applies {
    if state.route == Route::Step { state.wings.step.shown().map(|_| ()) } else { Err("Open a study first.") }
}

fn sifted(state: &State) -> Applies {
    study_open(state)?;
    let sifted = state.wings.step.open.as_ref().is_some_and(|open| !open.filters.is_empty());
    if sifted { Ok(()) } else { Err("No filter is set.") }
}

fn waved(state: &State) -> Applies {
    study_open(state)?;
    let waves = state.wings.step.open.as_ref().is_some_and(|open| open.study().waves.len() > 1);
    if waves { Ok(()) } else { Err("The study has one wave.") }
}

fn contrasted(state: &State) -> Applies {
    study_open(state)?;
    let many = state.wings.step.open.as_ref().is_some_and(|open| open.data.contrasts.len() > 1);
    if many { Ok(()) } else { Err("The study declares one contrast.") }
}

fn beside(state: &State) -> Applies {
    study_open(state)?;
    let Some(open) = &state.wings.step.open else { return study_open(state) };
    let vertices = open.tab == StepTab::Bridge && !open.study().bridge.is_empty();
    if vertices || !open.spots().is_empty() {
        Ok(())
    } else {
        Err(
            "This tab shows no corner beside the face; retrieval face, matched cube and bridge do where they are declared.",
        )
    }
}

fn sign_certifiable(state: &State) -> Applies {
    study_open(state)?;
    state.wings.step.open.as_ref().map_or(Err("Open a study first."), |open| open.certifiable(Some(open.at)))
}

fn signs_certifiable(state: &State) -> Applies {
    study_open(state)?;
    state.wings.step.open.as_ref().map_or(Err("Open a study first."), |open| open.certifiable(None))
}

actions! {
    CERTIFY = 70, "certify-sign", "Certify sign", "Bind the signs of this transition into a signed certificate, and replay it", &[Chord::ctrl(Key::Enter)], Some((Menu::File, 1)), Scope::On(Route::Step), sign_certifiable => |desk, _| desk.certify_step();
    CERTIFY_STUDY = 80, "certify-signs", "Certify all signs of the study", "Bind every complete transition and every mean into one signed certificate", &[Chord::ctrl_shift(Key::Enter)], Some((Menu::File, 1)), Scope::On(Route::Step), signs_certifiable => |desk, _| desk.certify_study(None, None);
    CSV = 150, "export-csv", "Export transitions (CSV)", "Write one row a transition and contrast", &[Chord::ctrl_shift(Key::V)], None, Scope::On(Route::Step), study_open => |desk, _| desk.show_export(Some(StepFormat::Csv.id()));
    SCATTER = 470, "step-scatter", "Scatter", "Every step by its two gains, the means, the pooling weight", &[Chord::bare(Key::Num1)], Some((Menu::View, 3)), Scope::On(Route::Step), study_open => |desk, _| desk.on_step(StepCommand::Tab(StepTab::Scatter));
    RETRIEVAL = 480, "step-retrieval", "Retrieval face", "State crossed with view, allocated to both", &[Chord::bare(Key::Num2)], Some((Menu::View, 3)), Scope::On(Route::Step), study_open => |desk, _| desk.on_step(StepCommand::Tab(StepTab::Retrieval));
    MATCHED_CUBE = 490, "step-cube", "Matched cube", "Views under authorities, against the Blackwell null", &[Chord::bare(Key::Num3)], Some((Menu::View, 3)), Scope::On(Route::Step), study_open => |desk, _| desk.on_step(StepCommand::Tab(StepTab::Cube));
    BRIDGE = 500, "step-bridge", "Bridge", "Whether a sign holds over readouts and stacks", &[Chord::bare(Key::Num4)], Some((Menu::View, 3)), Scope::On(Route::Step), study_open => |desk, _| desk.on_step(StepCommand::Tab(StepTab::Bridge));
    DIAGNOSTICS = 510, "step-diagnostics", "Diagnostics", "Ω from single layouts, waves and targets; AUC", &[Chord::bare(Key::Num5)], Some((Menu::View, 3)), Scope::On(Route::Step), study_open => |desk, _| desk.on_step(StepCommand::Tab(StepTab::Diagnostics));
    RECALIBRATION = 520, "step-recalibration", "Recalibration", "What a positive change of scale leaves standing", &[Chord::bare(Key::Num6)], Some((Menu::View, 3)), Scope::On(Route::Step), study_open => |desk, _| desk.on_step(StepCommand::Tab(StepTab::Recalibration));
    COHORT = 530, "step-cohort", "Cohort", "Who counts, who does not, and why", &[Chord::bare(Key::Num7)], Some((Menu::View, 3)), Scope::On(Route::Step), study_open => |desk, _| desk.on_step(StepCommand::Tab(StepTab::Cohort));
    CONTRAST = 540, "step-contrast", "Next contrast", "Compare the next declared pair of channels", &[Chord::bare(Key::C)], Some((Menu::View, 3)), Scope::On(Route::Step), contrasted => |desk, _| desk.next_contrast();
    CORNER = 550, "step-corner", "Next corner", "Follow the log-probabilities of the next corner", &[Chord::bare(Key::F)], Some((Menu::View, 3)), Scope::On(Route::Step), study_open => |desk, _| desk.next_corner();
    ACROSS = 560, "step-across", "Next corner of the tab", "Follow the next corner of the retrieval face, cell of the cube, or vertex of the bridge", &[Chord::shift(Key::F)], Some((Menu::View, 3)), Scope::On(Route::Step), beside => |desk, _| desk.next_across();
    STOP = 570, "step-stop", "Next stop", "Energies, centred, layout mean, margin, wave mean", &[Chord::bare(Key::S)], Some((Menu::View, 3)), Scope::On(Route::Step), study_open => |desk, _| desk.next_stop();
    WAVE = 580, "step-wave", "Next wave", "Show the next wave", &[Chord::bare(Key::W)], Some((Menu::View, 3)), Scope::On(Route::Step), waved => |desk, _| desk.next_wave();
    FIT = 590, "step-fit", "Show all points", "Put the scatter back to its first extent", &[Chord::bare(Key::Num0)], Some((Menu::View, 3)), Scope::On(Route::Step), study_open => |desk, _| desk.on_step(StepCommand::Camera(None));
    CLEAR = 600, "step-clear", "Show every transition", "Take all chips off", &[Chord::bare(Key::X)], Some((Menu::Edit, 2)), Scope::On(Route::Step), sifted => |desk, _| desk.clear_chips();
    GO_STEP = 730, "go-step-value", "Step value", "Whether a step's gain keeps its sign when the channel changes", &[Chord::ctrl(Key::Num4)], Some((Menu::Go, 0)), Scope::Everywhere, always => |desk, _| desk.on_step(StepCommand::Go);
}
