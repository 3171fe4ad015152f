//! Casebook, table of judgments and case page, as the shell needs them.

use std::path::Path;
use std::sync::Arc;

use decidendi_files::names;
use egui::Ui;

use super::actions::{
    ACTIONS, BACK, CERTIFY, GO_CASEBOOK, GO_JUDGMENTS, OPEN_MARKED, SAVE_VIEW, SWAP, WHAT_IF, case_open, listing,
};
use super::command::CaseCommand;
use super::export::{markdown, render};
use super::state::{Format, OpenCase, Origin};
use super::views::{case, casebook, find, judgments};
use crate::desk::Desk;
use crate::desk::actions::{EXPORT, OPEN_FILE, OPEN_FOLDER};
use crate::desk::command::{Action, Applies, Command, Commands};
use crate::desk::jobs::Exported;
use crate::desk::link::{CaseLink, Link};
use crate::desk::page::{Count, Hit, Messages, Offer, Page, Shell, Standing, Watched, Writing};
use crate::desk::parts::button;
use crate::desk::state::State;
use crate::desk::wings::Route;
use crate::parts::{Press, counted, group};
use crate::shared::certificates::Stand;
use crate::theme::icons::Icon;

/// What is loaded.
pub struct Casebook;

impl Page for Casebook {
    fn route(&self) -> Route {
        Route::Casebook
    }

    fn actions(&self) -> &'static [Action] {
        ACTIONS
    }

    fn rail(&self) -> Option<(Icon, Action)> {
        Some((Icon::Book, &GO_CASEBOOK))
    }

    fn count(&self, state: &State) -> Option<Count> {
        let trouble = state.wings.judgment.book.trouble();
        let spoken = format!("{} refused", group(trouble));
        (trouble > 0).then_some(Count { number: trouble, spoken, is_trouble: true })
    }

    fn crumbs(&self, _state: &State) -> Vec<String> {
        vec!["Casebook".to_owned()]
    }

    fn title(&self, state: &State) -> String {
        state.wings.judgment.book.name.clone()
    }

    fn buttons(&self, ui: &mut Ui, state: &State, commands: &mut Commands) {
        let wide = ui.available_width() > WIDE;
        button(ui, state, commands, &OPEN_FOLDER, Press::new("Open folder…").primary(), false);
        button(ui, state, commands, &OPEN_FILE, Press::new("Open file…"), wide);
    }

    fn show(&self, ui: &mut Ui, state: &State, commands: &mut Commands) {
        casebook::show(ui, state, commands);
    }

    fn window_title(&self, state: &State) -> Option<String> {
        Some(state.wings.judgment.book.name.clone())
    }

    fn standing(&self, state: &State) -> Option<Standing> {
        let (t, book) = (&state.theme, &state.wings.judgment.book);
        let (dot, words) = if book.loading {
            (t.color.warn, "reading the casebook")
        } else if state.unsaved {
            (t.color.warn, "settings not saved yet")
        } else {
            match &book.origin {
                Origin::Shipped if book.rows.is_empty() => (t.color.strong, "no casebook"),
                Origin::Shipped => (t.color.good, "shipped casebook · read-only"),
                Origin::Path(_) => (t.color.good, "casebook read · all saved"),
            }
        };
        // Said while nothing runs but some rows were never executed.
        let all = book.rows.len();
        let idle = if book.judged < all {
            format!("partial: {} of {} executed", group(book.judged), counted(all, "case"))
        } else {
            "no jobs".to_owned()
        };
        Some(Standing { dot, words: words.to_owned(), ink: None, more: None, idle: Some(idle) })
    }

    fn walkable(&self, state: &State) -> Option<Applies> {
        Some(listing(state))
    }

    fn walk(&self, desk: &mut Desk, by: isize) -> bool {
        desk.move_by(by);
        true
    }

    fn command_line(&self, state: &State, with: &Shell) -> Option<String> {
        let book = state.wings.judgment.library.path().map_or_else(|| "sample_cases".to_owned(), Shell::path);
        let (key, out) = (&with.key, Shell::path(&with.folder));
        Some(format!("decidendi inspect {book} --json\ndecidendi certify {book} --key {key} --out {out}"))
    }

    fn find(&self, state: &State, words: &[&str]) -> Vec<Hit> {
        find::found(state, words)
    }

    fn opens(&self, desk: &mut Desk, path: &Path) -> bool {
        if path.extension().is_some_and(|ending| ending == "pub") {
            desk.then(Command::Trust(path.to_owned()));
        } else {
            desk.open_book(path);
        }
        true
    }

    fn reload(&self, desk: &mut Desk) -> bool {
        desk.reload_book();
        true
    }

    fn watched(&self, state: &State) -> Option<Watched> {
        let judgment = &state.wings.judgment;
        let library = Arc::clone(&judgment.library);
        library.path().filter(|_| !judgment.book.loading)?;
        Some(Box::new(move || library.is_outdated()))
    }

    fn changed(&self, desk: &mut Desk) {
        desk.on_book_changed();
    }
}

/// The table of cases.
pub struct Judgments;

impl Page for Judgments {
    fn route(&self) -> Route {
        Route::Judgments
    }

    fn keys_title(&self) -> &'static str {
        "In the list"
    }

    fn rail(&self) -> Option<(Icon, Action)> {
        Some((Icon::Rows, &GO_JUDGMENTS))
    }

    fn count(&self, state: &State) -> Option<Count> {
        let cases = state.wings.judgment.book.rows.len();
        (cases > 0).then_some(Count { number: cases, spoken: counted(cases, "case"), is_trouble: false })
    }

    fn crumbs(&self, state: &State) -> Vec<String> {
        vec![state.wings.judgment.book.name.clone()]
    }

    fn title(&self, _state: &State) -> String {
        "Judgments".to_owned()
    }

    fn entered(&self, desk: &mut Desk) {
        desk.mark_open();
    }

    fn buttons(&self, ui: &mut Ui, state: &State, commands: &mut Commands) {
        let wide = ui.available_width() > WIDE;
        button(ui, state, commands, &OPEN_MARKED, Press::new("Open case").primary(), wide);
        if wide {
            button(ui, state, commands, &SAVE_VIEW, Press::new("Save this view…"), false);
        }
    }

    fn show(&self, ui: &mut Ui, state: &State, commands: &mut Commands) {
        judgments::show(ui, state, commands);
    }

    fn position(&self, state: &State) -> Option<String> {
        Some(position(state, state.wings.judgment.table.marked, false))
    }

    fn walks_by_arrows(&self) -> bool {
        true
    }
}

/// The page of one case.
pub struct CasePage;

impl Page for CasePage {
    fn route(&self) -> Route {
        Route::Case
    }

    fn keys_title(&self) -> &'static str {
        "On the case page"
    }

    fn under(&self) -> Route {
        Route::Judgments
    }

    fn crumbs(&self, state: &State) -> Vec<String> {
        let judgment = &state.wings.judgment;
        let mut crumbs = vec![judgment.book.name.clone()];
        let row = judgment.open.as_ref().and_then(|open| judgment.book.rows.get(open.row));
        if let Some(row) = row.filter(|r| !r.group.is_empty()) {
            crumbs.push(row.group.to_string());
        }
        crumbs
    }

    fn back(&self) -> Option<Action> {
        Some(&BACK)
    }

    fn title(&self, state: &State) -> String {
        let judgment = &state.wings.judgment;
        let opening =
            || judgment.opening.and_then(|row| judgment.book.rows.get(row)).map_or("Opening", |r| r.title.as_str());
        judgment.open.as_ref().map_or_else(opening, |open| open.case.title()).to_owned()
    }

    fn chips(&self, state: &State) -> Vec<String> {
        let Some(open) = &state.wings.judgment.open else { return Vec::new() };
        let mut chips = Vec::new();
        let labels = open.case.sources().iter().find_map(|s| s.label_old.as_ref().zip(s.label_new.as_ref()));
        if let Some((old, new)) = labels {
            chips.push(format!("{old} → {new}"));
        }
        chips.push(open.case.engine().word().to_owned());
        if open.swapped {
            chips.push("swapped".to_owned());
        }
        if open.sandbox.is_some() {
            chips.push("sandbox".to_owned());
        }
        chips
    }

    fn buttons(&self, ui: &mut Ui, state: &State, commands: &mut Commands) {
        let Some(open) = &state.wings.judgment.open else { return };
        let wide = ui.available_width() > WIDE;
        let done = matches!(state.wings.judgment.certificate(), Stand::Held(_));
        // Once the certificate is there, the next step is to hand it out: the accent moves, the buttons stay.
        let accent = |press: Press<'static>, on: bool| if on { press.primary() } else { press };
        button(ui, state, commands, &CERTIFY, accent(Press::new("Certify"), !done), wide);
        button(ui, state, commands, &EXPORT, accent(Press::new("Export"), done), wide);
        if wide {
            let words = if open.swapped { "Swap back" } else { "Swap old and new" };
            button(ui, state, commands, &SWAP, Press::new(words), false);
        }
    }

    fn show(&self, ui: &mut Ui, state: &State, commands: &mut Commands) {
        if state.wings.judgment.open.is_some() {
            case::show(ui, state, commands);
        } else {
            case::waiting(ui, state);
        }
    }

    fn window_title(&self, state: &State) -> Option<String> {
        state.wings.judgment.open.as_ref().map(|open| open.case.title().to_owned())
    }

    fn position(&self, state: &State) -> Option<String> {
        let open = state.wings.judgment.open.as_ref();
        let row = open.map_or(state.wings.judgment.table.marked, |open| Some(open.row));
        Some(position(state, row, open.is_some()))
    }

    fn shows_one(&self) -> bool {
        true
    }

    fn is_open(&self, state: &State) -> Applies {
        case_open(state)
    }

    fn walks_by_arrows(&self) -> bool {
        true
    }

    fn leave(&self, state: &State) -> Option<Command> {
        let open = state.wings.judgment.open.as_ref()?;
        if open.sandbox.is_some() {
            return Some(Command::Do(&WHAT_IF));
        }
        open.edge.map(|_| CaseCommand::Walk(None).into())
    }

    fn formats(&self, state: &State) -> Vec<Offer> {
        let Some(open) = &state.wings.judgment.open else { return Vec::new() };
        let offer = |format: Format| Offer {
            id: format.id(),
            name: format.name(),
            about: format.about(),
            file: format!("{}.{}", names::file_stem(open.case.id()), format.ending()),
            ending: format.ending(),
            barred: state.wings.judgment.exportable(format).err(),
        };
        Format::ALL.into_iter().map(offer).collect()
    }

    fn write(&self, state: &State, format: &str) -> Result<Writing, String> {
        let judgment = &state.wings.judgment;
        let format = Format::ALL.into_iter().find(|known| known.id() == format);
        let (Some(format), Some(open)) = (format, &judgment.open) else { return Err("Open a case first.".to_owned()) };
        let (open, held, theme) = (open.clone(), judgment.certificate().held().cloned(), Arc::clone(&state.theme));
        Ok(Box::new(move || render(format, &open, held.as_ref(), &theme.color)))
    }

    fn exported(&self, desk: &mut Desk, exported: &Exported) {
        if let Some(digest) = &exported.certificate {
            desk.state.wings.judgment.certificates.saved(digest, &exported.path);
        }
    }

    fn markdown(&self, state: &State) -> Result<(String, &'static str), String> {
        let judgment = &state.wings.judgment;
        let open: &OpenCase = judgment.open.as_ref().ok_or("Open a case first.")?;
        markdown(open, judgment.certificate().held()).map(|text| (text, "Account with digests"))
    }

    fn link(&self, state: &State) -> Option<String> {
        let open = state.wings.judgment.open.as_ref()?;
        let (place, case) = (state.wings.judgment.link_place(), open.case.id().to_owned());
        Some(Link::Case(CaseLink { place, case, tab: open.tab, cell: open.selected }).to_string())
    }

    fn command_line(&self, state: &State, with: &Shell) -> Option<String> {
        let judgment = &state.wings.judgment;
        let open = judgment.open.as_ref()?;
        let book = || judgment.library.path().map_or_else(|| "sample_cases".to_owned(), Shell::path);
        let case = judgment.library.place(open.row).map_or_else(book, |place| Shell::word(&place));
        let file = format!("{}.{}", names::file_stem(open.case.id()), Format::Certificate.ending());
        let (key, out, cert) = (&with.key, Shell::path(&with.folder), Shell::path(&with.folder.join(file)));
        Some(format!(
            "decidendi inspect {case}\ndecidendi certify {case} --key {key} --out {out}\ndecidendi verify {cert} --case {case} --trust {key}.pub"
        ))
    }

    fn messages(&self) -> Messages {
        // Above the button at the foot of the sources: verdicts, legend and certificate stay in sight.
        Messages::Left(62.0)
    }
}

/// From this width of the context bar on there is room for keys and more buttons.
const WIDE: f32 = 860.0;

fn position(state: &State, row: Option<usize>, on_page: bool) -> String {
    let (at, of) = state.wings.judgment.position(row);
    let all = state.wings.judgment.book.rows.len();
    let hidden = all - of.min(all);
    let place = match at {
        Some(at) => format!("case {} of {}", group(at), group(of)),
        None if on_page && hidden > 0 => format!("this case is hidden by the filter · {} shown", group(of)),
        None => counted(of, "case"),
    };
    let veil =
        if hidden > 0 && at.is_some() { format!(" · {} hidden by filter", group(hidden)) } else { String::new() };
    format!("{place}{veil}")
}
