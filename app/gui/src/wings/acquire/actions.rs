//! The commands of the acquire page.

use egui::Key;

use super::state::{KeyStanding, Work};
use crate::desk::actions::always;
use crate::desk::command::{Applies, Chord, Menu, Scope, actions};
use crate::desk::state::{PathPurpose, State};
use crate::desk::wings::Route;
use crate::wings::step_value::command::StepCommand;

fn plan_idle(state: &State) -> Applies {
    state.wings.acquire.idle().map(|_| ())
}

fn plan_choosable(state: &State) -> Applies {
    if state.wings.acquire.doing().is_some() { plan_idle(state) } else { Ok(()) }
}

fn keyed(state: &State) -> Applies {
    match state.wings.acquire.idle()?.key {
        KeyStanding::Unusable(..) => {
            Err("The environment variable of the key is not usable; set it before Decidendi is started.")
        }
        KeyStanding::None | KeyStanding::Set(_) => Ok(()),
    }
}

fn runnable(state: &State) -> Applies {
    let open = state.wings.acquire.idle()?;
    match &open.standing {
        Err(_) => Err("The log in this folder cannot be used; the page says why."),
        // What is answered already needs neither key nor cap.
        Ok(standing) if standing.outstanding == 0 => Ok(()),
        Ok(_) if open.left() == 0 => Err("The cap on calls in the plan is reached."),
        Ok(_) => keyed(state),
    }
}

fn stoppable(state: &State) -> Applies {
    if state.wings.acquire.doing().is_some() { Ok(()) } else { Err("Nothing is under way.") }
}

fn replayable(state: &State) -> Applies {
    let open = state.wings.acquire.idle()?;
    match &open.standing {
        Ok(standing) if standing.attempts == 0 => Err("There is no log yet."),
        _ => Ok(()),
    }
}

fn studied(state: &State) -> Applies {
    if state.wings.acquire.idle()?.has_study() {
        Ok(())
    } else {
        Err("There is no study yet: calls are outstanding, or run once more.")
    }
}

actions! {
    PLAN = 190, "acquire-plan", "Choose a plan…", "Choose a plan for scores: endpoint, channels, tasks, limits", &[Chord::bare(Key::O)], Some((Menu::File, 5)), Scope::On(Route::Acquire), plan_choosable => |desk, _| desk.choose_plan();
    EXAMPLE = 200, "acquire-example", "Start from an example plan…", "Write a small plan of two states, two views and four layouts into a folder, and open it", &[Chord::bare(Key::E)], None, Scope::On(Route::Acquire), plan_choosable => |desk, _| desk.ask(PathPurpose::ExampleFolder);
    PROBE = 210, "acquire-probe", "Probe the endpoint", "Ask what the endpoint can do: log-probabilities, labels, basis; records nothing", &[Chord::bare(Key::P)], None, Scope::On(Route::Acquire), keyed => |desk, _| desk.work(Work::Probe);
    RUN = 220, "acquire-run", "Run the acquisition", "Ask what is outstanding, record every attempt, derive the study when all is answered", &[Chord::ctrl(Key::Enter)], Some((Menu::File, 5)), Scope::On(Route::Acquire), runnable => |desk, _| desk.work(Work::Run);
    CANCEL = 230, "acquire-cancel", "Stop the acquisition", "Stop between two calls; the call under way is still recorded", &[Chord::bare(Key::S)], None, Scope::On(Route::Acquire), stoppable => |desk, _| desk.stop_work();
    REPLAY = 240, "acquire-replay", "Replay the log", "Derive the study again from the log and compare it byte for byte", &[Chord::bare(Key::R)], None, Scope::On(Route::Acquire), replayable => |desk, _| desk.work(Work::Replay);
    STUDY = 250, "acquire-study", "Open the acquired study", "Show the derived study in the step-value view", &[Chord::bare(Key::V)], None, Scope::On(Route::Acquire), studied => |desk, _| desk.open_acquired();
    BACK = 260, "acquire-back", "Back to step value", "Leave the acquire page; a run goes on", &[Chord::bare(Key::Escape), Chord::bare(Key::Backspace)], None, Scope::On(Route::Acquire), always => |desk, _| desk.then(StepCommand::Go);
    GO_ACQUIRE = 740, "go-acquire", "Acquire…", "Score the cells of a study on an endpoint and keep every answer", &[Chord::ctrl(Key::Num5)], Some((Menu::Go, 0)), Scope::Everywhere, always => |desk, _| desk.go(Route::Acquire);
}
