//! The one table of commands.

use egui::Key;

use super::{Action, Chord, Entry, Menu, Scope};
use crate::desk::state::{Route, State};
use crate::wings::acquire::state::KeyStanding;
use crate::wings::judgment::state::{CertificateState, Format};
use crate::wings::step_value::state::StepTab;

type Applies = Result<(), &'static str>;

const fn always(_: &State) -> Applies {
    Ok(())
}

fn case_open(state: &State) -> Applies {
    if state.route == Route::Case && state.open.is_some() { Ok(()) } else { Err("Open a case first.") }
}

fn study_open(state: &State) -> Applies {
    if state.route == Route::Step { state.step.shown().map(|_| ()) } else { Err("Open a study first.") }
}

fn page_open(state: &State) -> Applies {
    if state.route == Route::Step { study_open(state) } else { case_open(state) }
}

fn sifted(state: &State) -> Applies {
    study_open(state)?;
    let sifted = state.step.open.as_ref().is_some_and(|open| !open.filters.is_empty());
    if sifted { Ok(()) } else { Err("No filter is set.") }
}

fn waved(state: &State) -> Applies {
    study_open(state)?;
    let waves = state.step.open.as_ref().is_some_and(|open| open.study().waves.len() > 1);
    if waves { Ok(()) } else { Err("The study has one wave.") }
}

fn contrasted(state: &State) -> Applies {
    study_open(state)?;
    let many = state.step.open.as_ref().is_some_and(|open| open.data.contrasts.len() > 1);
    if many { Ok(()) } else { Err("The study declares one contrast.") }
}

fn beside(state: &State) -> Applies {
    study_open(state)?;
    let Some(open) = &state.step.open else { return study_open(state) };
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
    state.step.open.as_ref().map_or(Err("Open a study first."), |open| open.certifiable(Some(open.at)))
}

fn signs_certifiable(state: &State) -> Applies {
    study_open(state)?;
    state.step.open.as_ref().map_or(Err("Open a study first."), |open| open.certifiable(None))
}

fn plan_idle(state: &State) -> Applies {
    state.acquire.idle().map(|_| ())
}

fn plan_choosable(state: &State) -> Applies {
    if state.acquire.doing().is_some() { plan_idle(state) } else { Ok(()) }
}

fn keyed(state: &State) -> Applies {
    match state.acquire.idle()?.key {
        KeyStanding::Unusable(..) => {
            Err("The environment variable of the key is not usable; set it before Decidendi is started.")
        }
        KeyStanding::None | KeyStanding::Set(_) => Ok(()),
    }
}

fn runnable(state: &State) -> Applies {
    let open = state.acquire.idle()?;
    match &open.standing {
        Err(_) => Err("The log in this folder cannot be used; the page says why."),
        // What is answered already needs neither key nor cap.
        Ok(standing) if standing.outstanding == 0 => Ok(()),
        Ok(_) if open.left() == 0 => Err("The cap on calls in the plan is reached."),
        Ok(_) => keyed(state),
    }
}

fn stoppable(state: &State) -> Applies {
    if state.acquire.doing().is_some() { Ok(()) } else { Err("Nothing is under way.") }
}

fn replayable(state: &State) -> Applies {
    let open = state.acquire.idle()?;
    match &open.standing {
        Ok(standing) if standing.attempts == 0 => Err("There is no log yet."),
        _ => Ok(()),
    }
}

fn studied(state: &State) -> Applies {
    if state.acquire.idle()?.has_study() {
        Ok(())
    } else {
        Err("There is no study yet: calls are outstanding, or run once more.")
    }
}

fn certifiable(state: &State) -> Applies {
    case_open(state)?;
    let Some(open) = &state.open else { return Err("Open a case first.") };
    if open.sandbox.is_some() {
        return Err("The sandbox is open: what is edited there is never certified. Close it first.");
    }
    if open.swapped {
        return Err("Old and new are swapped: only the case as loaded is certified. Swap back first.");
    }
    if open.judgment.family().is_none() {
        return Err("This case is uncertifiable: at least one hybrid could not run. The account says why.");
    }
    if matches!(open.certificate, CertificateState::Signing) {
        return Err("It is being certified.");
    }
    Ok(())
}

fn exportable(state: &State, format: Format) -> Applies {
    case_open(state)?;
    state.open.as_ref().map_or(Err("Open a case first."), |open| open.exportable(format))
}

fn certified(state: &State) -> Applies {
    exportable(state, Format::Certificate)
}

fn evidence(state: &State) -> Applies {
    if state.route == Route::Step {
        return study_open(state);
    }
    exportable(state, Format::Markdown)
}

fn pictured(state: &State) -> Applies {
    exportable(state, Format::Svg)
}

fn drawable(state: &State) -> Applies {
    if state.route == Route::Step { study_open(state) } else { pictured(state) }
}

fn cubed(state: &State) -> Applies {
    case_open(state)?;
    let drawn = state.open.as_ref().is_some_and(|open| open.case.k() <= 3);
    if drawn {
        Ok(())
    } else {
        Err("Beyond three sources there is no cube; the lattice (2) and the table (3) show every hybrid.")
    }
}

fn walkable(state: &State) -> Applies {
    if state.route == Route::Step { study_open(state) } else { listing(state) }
}

fn listing(state: &State) -> Applies {
    if state.book.rows.is_empty() { Err("The casebook holds no cases.") } else { Ok(()) }
}

fn filtered(state: &State) -> Applies {
    if state.table.query.is_empty() { Err("No filter is set.") } else { Ok(()) }
}

fn undoable(state: &State) -> Applies {
    if state.history.undo.is_empty() { Err("Nothing to undo.") } else { Ok(()) }
}

fn redoable(state: &State) -> Applies {
    if state.history.redo.is_empty() { Err("Nothing to redo.") } else { Ok(()) }
}

const NONE: &[Chord] = &[];

macro_rules! commands {
    ($($action:ident, $id:literal, $name:literal, $about:literal, $keys:expr, $menu:expr, $scope:ident, $when:ident;)*) => {
        /// Every command, in the order of menu and palette.
        pub const TABLE: &[Entry] = &[$(Entry {
            action: Action::$action, id: $id, name: $name, about: $about, keys: $keys, menu: $menu, scope: Scope::$scope, when: $when,
        }),*];
    };
}

commands! {
    OpenFile, "open-file", "Open file…", "Open a case, a casebook file, a certificate or a bundle", &[Chord::ctrl(Key::O)], Some((Menu::File, 0)), Everywhere, always;
    OpenFolder, "open-folder", "Open folder…", "Open a folder of cases as a casebook, or a study folder", &[Chord::ctrl_shift(Key::O)], Some((Menu::File, 0)), Everywhere, always;
    OpenPath, "open-path", "Open path…", "Type or paste a path to open", &[Chord::ctrl(Key::L)], Some((Menu::File, 0)), Everywhere, always;
    OpenShipped, "open-shipped", "Open the shipped casebook", "Open the casebook that comes with Decidendi", NONE, Some((Menu::File, 0)), Everywhere, always;
    Reload, "reload", "Read again from disk", "Read the casebook, the open study or the open plan again; certificates that no longer match turn stale", &[Chord::bare(Key::F5)], Some((Menu::File, 0)), Everywhere, always;
    Certify, "certify", "Certify", "Bind the executed cube and its receipts into a signed certificate", &[Chord::ctrl(Key::Enter)], Some((Menu::File, 1)), Case, certifiable;
    StepCertify, "certify-sign", "Certify sign", "Bind the signs of this transition into a signed certificate, and replay it", &[Chord::ctrl(Key::Enter)], Some((Menu::File, 1)), Step, sign_certifiable;
    StepCertifyStudy, "certify-signs", "Certify all signs of the study", "Bind every complete transition and every mean into one signed certificate", &[Chord::ctrl_shift(Key::Enter)], Some((Menu::File, 1)), Step, signs_certifiable;
    Export, "export", "Export…", "Write the certificate, a bundle, the account, a table or a picture", &[Chord::ctrl(Key::E)], Some((Menu::File, 1)), Page, page_open;
    ExportCertificate, "export-certificate", "Export certificate", "Write the signed certificate for others to check", &[Chord::ctrl_shift(Key::E)], None, Case, certified;
    ExportBundle, "export-bundle", "Export bundle", "Write certificate, case and every source version in one file", &[Chord::ctrl_shift(Key::B)], None, Case, certified;
    ExportMarkdown, "export-markdown", "Export account (Markdown)", "Write cube, receipts and account in words, with digests", &[Chord::ctrl_shift(Key::M)], None, Page, evidence;
    ExportSvg, "export-svg", "Export picture as SVG", "Write the cube or lattice as it stands on the screen", &[Chord::ctrl_shift(Key::G)], None, Page, drawable;
    ExportPng, "export-png", "Export picture as PNG", "Write the same picture in pixels", &[Chord::ctrl_shift(Key::P)], None, Page, drawable;
    StepCsv, "export-csv", "Export transitions (CSV)", "Write one row a transition and contrast", &[Chord::ctrl_shift(Key::V)], None, Step, study_open;
    ShowCommand, "show-command", "Show the command", "The command line that writes the same bytes", &[Chord::ctrl_shift(Key::X)], Some((Menu::File, 1)), Everywhere, always;
    NewKey, "new-key", "New signing key", "Make a fresh Ed25519 key pair in the settings folder and sign with it", NONE, Some((Menu::File, 2)), Everywhere, always;
    ChooseKey, "choose-key", "Sign with another key…", "Choose a private key (PKCS#8 PEM) to sign with", NONE, Some((Menu::File, 2)), Everywhere, always;
    AcquirePlan, "acquire-plan", "Choose a plan…", "Choose a plan for scores: endpoint, channels, tasks, limits", &[Chord::bare(Key::O)], Some((Menu::File, 5)), Acquire, plan_choosable;
    AcquireExample, "acquire-example", "Start from an example plan…", "Write a small plan of two states, two views and four layouts into a folder, and open it", &[Chord::bare(Key::E)], None, Acquire, plan_choosable;
    AcquireProbe, "acquire-probe", "Probe the endpoint", "Ask what the endpoint can do: log-probabilities, labels, basis; records nothing", &[Chord::bare(Key::P)], None, Acquire, keyed;
    AcquireRun, "acquire-run", "Run the acquisition", "Ask what is outstanding, record every attempt, derive the study when all is answered", &[Chord::ctrl(Key::Enter)], Some((Menu::File, 5)), Acquire, runnable;
    AcquireCancel, "acquire-cancel", "Stop the acquisition", "Stop between two calls; the call under way is still recorded", &[Chord::bare(Key::S)], None, Acquire, stoppable;
    AcquireReplay, "acquire-replay", "Replay the log", "Derive the study again from the log and compare it byte for byte", &[Chord::bare(Key::R)], None, Acquire, replayable;
    AcquireStudy, "acquire-study", "Open the acquired study", "Show the derived study in the step-value view", &[Chord::bare(Key::V)], None, Acquire, studied;
    AcquireBack, "acquire-back", "Back to step value", "Leave the acquire page; a run goes on", &[Chord::bare(Key::Escape), Chord::bare(Key::Backspace)], None, Acquire, always;
    Quit, "quit", "Quit", "Close the window", &[Chord::ctrl(Key::Q)], Some((Menu::File, 3)), Everywhere, always;

    Undo, "undo", "Undo", "Take the last filter or layout change back", &[Chord::ctrl(Key::Z)], Some((Menu::Edit, 0)), Everywhere, undoable;
    Redo, "redo", "Redo", "Do it again", &[Chord::ctrl_shift(Key::Z), Chord::ctrl(Key::Y)], Some((Menu::Edit, 0)), Everywhere, redoable;
    CopyMarkdown, "copy-markdown", "Copy as Markdown", "Export cube, family and account with their digests to the clipboard", &[Chord::ctrl_shift(Key::C)], Some((Menu::Edit, 1)), Page, evidence;
    CopyLink, "copy-link", "Copy link", "Copy a line that opens this case and cell, or this transition with corner and stop, again", NONE, Some((Menu::Edit, 1)), Page, page_open;
    Find, "find", "Find a case", "Put the cursor into the search field of the table", &[Chord::ctrl(Key::F), Chord::bare(Key::Slash)], Some((Menu::Edit, 2)), Everywhere, listing;
    ClearFilters, "clear-filters", "Clear all filters", "Show every case again", &[Chord::bare(Key::X)], Some((Menu::Edit, 2)), List, filtered;
    SaveView, "save-view", "Save this view…", "Keep filters and order under a name", &[Chord::ctrl(Key::S)], Some((Menu::Edit, 2)), List, listing;

    Cube, "cube", "Cube", "Show the judgment cube", &[Chord::bare(Key::Num1)], Some((Menu::View, 0)), Case, cubed;
    Lattice, "lattice", "Lattice", "Show the lattice of replacements", &[Chord::bare(Key::Num2)], Some((Menu::View, 0)), Case, pictured;
    Table, "table", "Table", "Show every hybrid as a row", &[Chord::bare(Key::Num3)], Some((Menu::View, 0)), Case, case_open;
    ResetCube, "reset-cube", "Turn the cube back", "Put the cube back to its first angle", &[Chord::bare(Key::Num0)], Some((Menu::View, 0)), Case, case_open;
    OnlyDifferences, "only-differences", "Only differences", "Hide what is equal in old and new", &[Chord::bare(Key::D)], Some((Menu::View, 1)), Case, case_open;
    FlipGrounds, "flip-grounds", "Flip grounds", "Take the other version of the grounds", &[Chord::bare(Key::G)], Some((Menu::View, 2)), Case, case_open;
    FlipNorms, "flip-norms", "Flip norms", "Take the other version of the norms", &[Chord::bare(Key::N)], Some((Menu::View, 2)), Case, case_open;
    FlipAuthority, "flip-authority", "Flip authority", "Take the other version of the authority", &[Chord::bare(Key::A)], Some((Menu::View, 2)), Case, case_open;
    NextCell, "next-cell", "Next hybrid", "Select the next hybrid in the order of the table", &[Chord::bare(Key::ArrowRight)], None, Case, case_open;
    PreviousCell, "previous-cell", "Previous hybrid", "Select the hybrid before", &[Chord::bare(Key::ArrowLeft)], None, Case, case_open;
    Swap, "swap", "Swap old and new", "Look at the inverse transition", &[Chord::bare(Key::S)], Some((Menu::View, 2)), Case, case_open;
    WhatIf, "what-if", "What if… (sandbox)", "Edit values in a sandbox that can never be certified", &[Chord::bare(Key::W)], Some((Menu::View, 2)), Case, case_open;
    StepScatter, "step-scatter", "Scatter", "Every step by its two gains, the means, the pooling weight", &[Chord::bare(Key::Num1)], Some((Menu::View, 3)), Step, study_open;
    StepRetrieval, "step-retrieval", "Retrieval face", "State crossed with view, allocated to both", &[Chord::bare(Key::Num2)], Some((Menu::View, 3)), Step, study_open;
    StepCube, "step-cube", "Matched cube", "Views under authorities, against the Blackwell null", &[Chord::bare(Key::Num3)], Some((Menu::View, 3)), Step, study_open;
    StepBridge, "step-bridge", "Bridge", "Whether a sign holds over readouts and stacks", &[Chord::bare(Key::Num4)], Some((Menu::View, 3)), Step, study_open;
    StepDiagnostics, "step-diagnostics", "Diagnostics", "Ω from single layouts, waves and targets; AUC", &[Chord::bare(Key::Num5)], Some((Menu::View, 3)), Step, study_open;
    StepRecalibration, "step-recalibration", "Recalibration", "What a positive change of scale leaves standing", &[Chord::bare(Key::Num6)], Some((Menu::View, 3)), Step, study_open;
    StepCohort, "step-cohort", "Cohort", "Who counts, who does not, and why", &[Chord::bare(Key::Num7)], Some((Menu::View, 3)), Step, study_open;
    StepContrast, "step-contrast", "Next contrast", "Compare the next declared pair of channels", &[Chord::bare(Key::C)], Some((Menu::View, 3)), Step, contrasted;
    StepCorner, "step-corner", "Next corner", "Follow the log-probabilities of the next corner", &[Chord::bare(Key::F)], Some((Menu::View, 3)), Step, study_open;
    StepAcross, "step-across", "Next corner of the tab", "Follow the next corner of the retrieval face, cell of the cube, or vertex of the bridge", &[Chord::shift(Key::F)], Some((Menu::View, 3)), Step, beside;
    StepStop, "step-stop", "Next stop", "Energies, centred, layout mean, margin, wave mean", &[Chord::bare(Key::S)], Some((Menu::View, 3)), Step, study_open;
    StepWave, "step-wave", "Next wave", "Show the next wave", &[Chord::bare(Key::W)], Some((Menu::View, 3)), Step, waved;
    StepFit, "step-fit", "Show all points", "Put the scatter back to its first extent", &[Chord::bare(Key::Num0)], Some((Menu::View, 3)), Step, study_open;
    StepClear, "step-clear", "Show every transition", "Take all chips off", &[Chord::bare(Key::X)], Some((Menu::Edit, 2)), Step, sifted;

    LookSystem, "look-system", "Look: follow the system", "Light or dark as the desktop says", NONE, None, Everywhere, always;
    LookLight, "look-light", "Look: light", "Dark text on light ground", NONE, None, Everywhere, always;
    LookDark, "look-dark", "Look: dark", "Light text on dark ground", NONE, None, Everywhere, always;
    LookContrast, "look-contrast", "Look: high contrast", "White on black with wider lines", NONE, None, Everywhere, always;
    ZoomIn, "zoom-in", "Larger", "Zoom in, up to 200 %", &[Chord::ctrl(Key::Plus), Chord::ctrl(Key::Equals)], Some((Menu::View, 4)), Everywhere, always;
    ZoomOut, "zoom-out", "Smaller", "Zoom out, down to 80 %", &[Chord::ctrl(Key::Minus)], Some((Menu::View, 4)), Everywhere, always;
    ZoomReset, "zoom-reset", "Actual size", "Zoom to 100 %", &[Chord::ctrl(Key::Num0)], Some((Menu::View, 4)), Everywhere, always;
    FullScreen, "full-screen", "Full screen", "Fill the screen, or leave it", &[Chord::bare(Key::F11)], Some((Menu::View, 5)), Everywhere, always;
    ResetLayout, "reset-layout", "Reset layout", "Put widths, zoom and window back as they were at first", NONE, Some((Menu::View, 5)), Everywhere, always;

    GoCasebook, "go-casebook", "Casebook", "What is loaded, and from where", &[Chord::ctrl(Key::Num1)], Some((Menu::Go, 0)), Everywhere, always;
    GoJudgments, "go-judgments", "Judgments", "All cases with their verdicts", &[Chord::ctrl(Key::Num2)], Some((Menu::Go, 0)), Everywhere, always;
    GoVerify, "go-verify", "Verify", "Check an exported file", &[Chord::ctrl(Key::Num3)], Some((Menu::Go, 0)), Everywhere, always;
    GoStep, "go-step-value", "Step value", "Whether a step's gain keeps its sign when the channel changes", &[Chord::ctrl(Key::Num4)], Some((Menu::Go, 0)), Everywhere, always;
    GoAcquire, "go-acquire", "Acquire…", "Score the cells of a study on an endpoint and keep every answer", &[Chord::ctrl(Key::Num5)], Some((Menu::Go, 0)), Everywhere, always;
    Next, "next", "Next case or transition", "The next one in the filtered order", &[Chord::bare(Key::J), Chord::bare(Key::ArrowDown)], Some((Menu::Go, 1)), Everywhere, walkable;
    Previous, "previous", "Previous case or transition", "The one before in the filtered order", &[Chord::bare(Key::K), Chord::bare(Key::ArrowUp)], Some((Menu::Go, 1)), Everywhere, walkable;
    OpenMarked, "open-marked", "Open the marked case", "Open the case that is marked in the table", &[Chord::bare(Key::Enter)], Some((Menu::Go, 1)), List, listing;
    Back, "back", "Back to the list", "Leave the case; Esc first closes a sandbox or steps off an edge", &[Chord::bare(Key::Escape), Chord::bare(Key::Backspace)], Some((Menu::Go, 1)), Case, case_open;
    Palette, "palette", "Search or run a command", "Find a case or a command by a few letters", &[Chord::ctrl(Key::K), Chord::ctrl(Key::P)], Some((Menu::Go, 2)), Everywhere, always;

    Keys, "keys", "Keyboard", "Every command with its key", &[Chord::bare(Key::Questionmark), Chord::bare(Key::F1)], Some((Menu::Help, 0)), Everywhere, always;
    About, "about", "About Decidendi", "Version, licences, where things are kept", NONE, Some((Menu::Help, 1)), Everywhere, always;
}
