//! The commands of casebook, table and case page.

use decidendi_core::judgment::source::Role;
use egui::Key;

use super::command::CaseCommand;
use super::state::{CaseTab, Format, Turn};
use crate::desk::actions::always;
use crate::desk::command::{Applies, Chord, Menu, Scope, actions};
use crate::desk::state::{Overlay, State};
use crate::desk::wings::Route;

/// Whether a case is open, and on the screen.
///
/// # Errors
/// What to do.
pub fn case_open(state: &State) -> Applies {
    if state.route == Route::Case && state.wings.judgment.open.is_some() { Ok(()) } else { Err("Open a case first.") }
}

fn certifiable(state: &State) -> Applies {
    case_open(state)?;
    let Some(open) = &state.wings.judgment.open else { return Err("Open a case first.") };
    if open.sandbox.is_some() {
        return Err("The sandbox is open: what is edited there is never certified. Close it first.");
    }
    if open.swapped {
        return Err("Old and new are swapped: only the case as loaded is certified. Swap back first.");
    }
    if open.judgment.family().is_none() {
        return Err("This case is uncertifiable: at least one hybrid could not run. The account says why.");
    }
    if state.wings.judgment.certificates.is_signing(&open.case.id().to_owned()) {
        return Err("It is being certified.");
    }
    Ok(())
}

fn exportable(state: &State, format: Format) -> Applies {
    case_open(state)?;
    state.wings.judgment.exportable(format)
}

fn certified(state: &State) -> Applies {
    exportable(state, Format::Certificate)
}

fn pictured(state: &State) -> Applies {
    exportable(state, Format::Svg)
}

fn cubed(state: &State) -> Applies {
    case_open(state)?;
    let drawn = state.wings.judgment.open.as_ref().is_some_and(|open| open.case.k() <= 3);
    if drawn {
        Ok(())
    } else {
        Err("Beyond three sources there is no cube; the lattice (2) and the table (3) show every hybrid.")
    }
}

/// Whether the casebook holds cases.
///
/// # Errors
/// That it does not.
pub fn listing(state: &State) -> Applies {
    if state.wings.judgment.book.rows.is_empty() { Err("The casebook holds no cases.") } else { Ok(()) }
}

fn filtered(state: &State) -> Applies {
    if state.wings.judgment.table.query.is_empty() { Err("No filter is set.") } else { Ok(()) }
}

const NONE: &[Chord] = &[];

actions! {
    OPEN_SHIPPED = 40, "open-shipped", "Open the shipped casebook", "Open the casebook that comes with Decidendi", NONE, Some((Menu::File, 0)), Scope::Everywhere, always => |desk, _| desk.open_shipped();
    CERTIFY = 60, "certify", "Certify", "Bind the executed cube and its receipts into a signed certificate", &[Chord::ctrl(Key::Enter)], Some((Menu::File, 1)), Scope::On(Route::Case), certifiable => |desk, _| desk.certify(None);
    EXPORT_CERTIFICATE = 100, "export-certificate", "Export certificate", "Write the signed certificate for others to check", &[Chord::ctrl_shift(Key::E)], None, Scope::On(Route::Case), certified => |desk, _| desk.show_export(Some(Format::Certificate.id()));
    EXPORT_BUNDLE = 110, "export-bundle", "Export bundle", "Write certificate, case and every source version in one file", &[Chord::ctrl_shift(Key::B)], None, Scope::On(Route::Case), certified => |desk, _| desk.show_export(Some(Format::Bundle.id()));
    FIND = 320, "find", "Find a case", "Put the cursor into the search field of the table", &[Chord::ctrl(Key::F), Chord::bare(Key::Slash)], Some((Menu::Edit, 2)), Scope::Everywhere, listing => |desk, _| desk.find_case();
    CLEAR_FILTERS = 330, "clear-filters", "Clear all filters", "Show every case again", &[Chord::bare(Key::X)], Some((Menu::Edit, 2)), Scope::On(Route::Judgments), filtered => |desk, _| desk.clear_filters();
    SAVE_VIEW = 340, "save-view", "Save this view…", "Keep filters and order under a name", &[Chord::ctrl(Key::S)], Some((Menu::Edit, 2)), Scope::On(Route::Judgments), listing => |desk, _| desk.state.overlay = Some(Overlay::SaveView(String::new()));
    CUBE = 350, "cube", "Cube", "Show the judgment cube", &[Chord::bare(Key::Num1)], Some((Menu::View, 0)), Scope::On(Route::Case), cubed => |desk, _| desk.on_case(CaseCommand::Tab(CaseTab::Cube));
    LATTICE = 360, "lattice", "Lattice", "Show the lattice of replacements", &[Chord::bare(Key::Num2)], Some((Menu::View, 0)), Scope::On(Route::Case), pictured => |desk, _| desk.on_case(CaseCommand::Tab(CaseTab::Lattice));
    TABLE_TAB = 370, "table", "Table", "Show every hybrid as a row", &[Chord::bare(Key::Num3)], Some((Menu::View, 0)), Scope::On(Route::Case), case_open => |desk, _| desk.on_case(CaseCommand::Tab(CaseTab::Table));
    RESET_CUBE = 380, "reset-cube", "Turn the cube back", "Put the cube back to its first angle", &[Chord::bare(Key::Num0)], Some((Menu::View, 0)), Scope::On(Route::Case), case_open => |desk, _| desk.on_case(CaseCommand::Turn(Turn::default().yaw, Turn::default().pitch));
    ONLY_DIFFERENCES = 390, "only-differences", "Only differences", "Hide what is equal in old and new", &[Chord::bare(Key::D)], Some((Menu::View, 1)), Scope::On(Route::Case), case_open => |desk, _| desk.turn_only_differences();
    FLIP_GROUNDS = 400, "flip-grounds", "Flip grounds", "Take the other version of the grounds", &[Chord::bare(Key::G)], Some((Menu::View, 2)), Scope::On(Route::Case), case_open => |desk, _| desk.flip(Role::Grounds);
    FLIP_NORMS = 410, "flip-norms", "Flip norms", "Take the other version of the norms", &[Chord::bare(Key::N)], Some((Menu::View, 2)), Scope::On(Route::Case), case_open => |desk, _| desk.flip(Role::Norms);
    FLIP_AUTHORITY = 420, "flip-authority", "Flip authority", "Take the other version of the authority", &[Chord::bare(Key::A)], Some((Menu::View, 2)), Scope::On(Route::Case), case_open => |desk, _| desk.flip(Role::Authority);
    NEXT_CELL = 430, "next-cell", "Next hybrid", "Select the next hybrid in the order of the table", &[Chord::bare(Key::ArrowRight)], None, Scope::On(Route::Case), case_open => |desk, _| desk.step_cell(1);
    PREVIOUS_CELL = 440, "previous-cell", "Previous hybrid", "Select the hybrid before", &[Chord::bare(Key::ArrowLeft)], None, Scope::On(Route::Case), case_open => |desk, _| desk.step_cell(-1);
    SWAP = 450, "swap", "Swap old and new", "Look at the inverse transition", &[Chord::bare(Key::S)], Some((Menu::View, 2)), Scope::On(Route::Case), case_open => |desk, _| desk.swap();
    WHAT_IF = 460, "what-if", "What if… (sandbox)", "Edit values in a sandbox that can never be certified", &[Chord::bare(Key::W)], Some((Menu::View, 2)), Scope::On(Route::Case), case_open => |desk, _| desk.what_if();
    GO_CASEBOOK = 700, "go-casebook", "Casebook", "What is loaded, and from where", &[Chord::ctrl(Key::Num1)], Some((Menu::Go, 0)), Scope::Everywhere, always => |desk, _| desk.go(Route::Casebook);
    GO_JUDGMENTS = 710, "go-judgments", "Judgments", "All cases with their verdicts", &[Chord::ctrl(Key::Num2)], Some((Menu::Go, 0)), Scope::Everywhere, always => |desk, _| desk.go(Route::Judgments);
    OPEN_MARKED = 770, "open-marked", "Open the marked case", "Open the case that is marked in the table", &[Chord::bare(Key::Enter)], Some((Menu::Go, 1)), Scope::On(Route::Judgments), listing => |desk, _| desk.open_marked();
    BACK = 780, "back", "Back to the list", "Leave the case; Esc first closes a sandbox or steps off an edge", &[Chord::bare(Key::Escape), Chord::bare(Key::Backspace)], Some((Menu::Go, 1)), Scope::On(Route::Case), case_open => |desk, _| desk.go(Route::Judgments);
}
