//! Casebooks: opening, reading again, executing all cases in the background.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::desk::Desk;
use crate::desk::history::History;
use crate::desk::state::Tone;
use crate::desk::wings::Route;
use crate::parts::{counted, group};
use crate::wings::judgment::jobs::{book, case};
use crate::wings::judgment::state::{Book, Judged, Library, OpenNext, Origin, Query, Rejected, RowCertificate};
use crate::wings::step_value::command::StepCommand;
use crate::wings::verify::command::VerifyCommand;

impl Desk {
    /// Opens a casebook or a case.
    pub(crate) fn open_book(&mut self, path: &Path) {
        self.state.wings.judgment.open_next = None;
        self.read_book(Some(path.to_owned()));
    }

    /// Reads the shipped casebook behind what was opened first on another page, so that its cases are at hand.
    pub(crate) fn back_other_pages(&mut self) {
        let elsewhere = is_elsewhere(self.state.route);
        if elsewhere && self.state.wings.judgment.library.is_empty() && !self.state.wings.judgment.book.loading {
            self.read_book(None);
        }
    }

    /// Opens the shipped casebook and its first case.
    pub fn open_shipped(&mut self) {
        self.state.wings.judgment.open_next = Some(OpenNext::First);
        self.read_book(None);
    }

    /// Reads the open casebook again.
    pub(crate) fn reload_book(&mut self) {
        if let Some(open) = &self.state.wings.judgment.open {
            self.state.wings.judgment.open_next = Some(OpenNext::Id(open.case.id().to_owned()));
        }
        self.read_book(self.state.wings.judgment.library.path().map(Path::to_owned));
    }

    pub(crate) fn read_book(&mut self, path: Option<PathBuf>) {
        for stale in [
            self.state.wings.judgment.wanted.book.take(),
            self.state.wings.judgment.wanted.judging.take(),
            self.state.wings.judgment.wanted.case.take(),
        ]
        .into_iter()
        .flatten()
        {
            self.jobs.cancel(stale);
        }
        self.state.wings.judgment.opening = None;
        self.state.wings.judgment.book.loading = true;
        self.state.wings.judgment.book.error = None;
        let name = path
            .as_ref()
            .map_or_else(|| "Reading the shipped casebook".to_owned(), |p| format!("Reading {}", p.display()));
        self.state.wings.judgment.wanted.book = Some(self.start(&name, move |handle| book::open(path, handle)));
    }

    pub(crate) fn on_book(&mut self, library: Arc<Library>, book: Book) {
        self.mended("The casebook could not be opened");
        let again =
            self.state.wings.judgment.book.origin == book.origin && !self.state.wings.judgment.book.rows.is_empty();
        let before = std::mem::replace(&mut self.state.wings.judgment.book, book);
        self.state.wings.judgment.library = library;
        if let Origin::Path(path) = &self.state.wings.judgment.book.origin {
            self.state.gone.remove(path);
            self.state.settings.remember(path);
            self.keep();
        }
        if again {
            self.carry_certificates(&before);
        } else {
            self.state.wings.judgment.table.query = Query::default();
            self.state.history = History::default();
        }
        self.state.wings.judgment.refilter();
        self.state.wings.judgment.table.marked = self.state.wings.judgment.table.order.first().map(|&r| r as usize);
        let (loaded, trouble) = (self.state.wings.judgment.book.rows.len(), self.state.wings.judgment.book.trouble());
        if trouble > 0 {
            let text = account(&self.state.wings.judgment.book);
            self.toast(Tone::Warn, text, Some("The casebook view lists what was refused, where and why.".to_owned()));
        } else if again {
            self.toast(Tone::Note, format!("{} read again", counted(loaded, "case")), None);
        }
        self.judge_all();
        self.then(StepCommand::Look);
        match self.state.wings.judgment.open_next.take() {
            _ if loaded == 0 => {
                self.state.wings.judgment.open = None;
                self.state.route = Route::Casebook;
            }
            Some(OpenNext::First) => self.open_row(0),
            Some(OpenNext::Id(id)) => match self.state.wings.judgment.library.find(&id) {
                Some(row) => {
                    // Somebody who works elsewhere stays there.
                    let route = self.state.route;
                    self.open_row(row);
                    if is_elsewhere(route) {
                        self.state.route = route;
                    }
                }
                None => {
                    self.state.wings.judgment.open = None;
                    self.state.route = Route::Judgments;
                    self.toast(Tone::Warn, format!("Case “{id}” is not in the casebook any more"), None);
                }
            },
            // A certificate was opened: the casebook only serves its replay.
            None if self.state.route == Route::Verify => self.then(VerifyCommand::Again),
            None if is_elsewhere(self.state.route) => {}
            None if loaded == 1 => self.open_row(0),
            None => {
                self.state.wings.judgment.open = None;
                self.state.route = if trouble > 0 { Route::Casebook } else { Route::Judgments };
            }
        }
    }

    /// Certificates made before reading again stay, and the rows that lost theirs say *stale* once the case is opened.
    fn carry_certificates(&mut self, before: &Book) {
        let certified = before.rows.iter().filter(|r| r.certificate != RowCertificate::None);
        for old in certified {
            if let Some(row) = self
                .state
                .wings
                .judgment
                .library
                .find(&old.id)
                .and_then(|at| self.state.wings.judgment.book.rows.get_mut(at))
            {
                row.certificate = old.certificate;
            }
        }
    }

    fn judge_all(&mut self) {
        let library = Arc::clone(&self.state.wings.judgment.library);
        let name = "Executing all cases".to_owned();
        self.state.wings.judgment.wanted.judging =
            Some(self.start(&name, move |handle| book::judge_all(&library, handle)));
    }

    pub(crate) fn on_rows(&mut self, rows: Vec<(u32, Judged)>) {
        for (at, judged) in rows {
            if let Judged::Failed(why) = &judged {
                let place = self.state.wings.judgment.library.place(at as usize).unwrap_or_default();
                self.state.wings.judgment.book.failed.push(Rejected { place, why: why.to_string() });
            }
            if let Some(row) = self.state.wings.judgment.book.rows.get_mut(at as usize) {
                row.judged = judged;
            }
        }
        self.state.wings.judgment.book.judged =
            self.state.wings.judgment.book.rows.iter().filter(|r| r.judged != Judged::NotRun).count();
        self.state.wings.judgment.refilter();
    }

    /// Every case was executed: those that could not be are told, as the command line tells them.
    pub(crate) fn on_rows_done(&mut self) {
        self.state.wings.judgment.book.failed.sort_by(|a, b| a.place.cmp(&b.place));
        let (failed, all) = (self.state.wings.judgment.book.failed.len(), self.state.wings.judgment.book.rows.len());
        if failed > 0 {
            let text = format!("{} of {} could not be read or executed", group(failed), counted(all, "case"));
            self.toast(Tone::Warn, text, Some("The casebook view lists them, where and why.".to_owned()));
        }
    }

    /// A file of the casebook changed on disk: it is read again with a notice; what was certified of the old bytes turns
    /// stale.
    pub(crate) fn on_book_changed(&mut self) {
        if !self.state.wings.judgment.book.changed_on_disk {
            let again = Some("It was read again.".to_owned());
            self.toast(Tone::Note, "A file of the casebook changed on disk", again);
            self.reload_book();
            self.state.wings.judgment.book.changed_on_disk = true;
        }
    }

    /// Opens the case of a row.
    pub(crate) fn open_row(&mut self, row: usize) {
        if row >= self.state.wings.judgment.library.len() {
            return;
        }
        self.state.overlay = None;
        self.state.wings.judgment.table.marked = Some(row);
        let library = Arc::clone(&self.state.wings.judgment.library);
        let cell = self.state.wings.judgment.arrive.map(|(_, cell)| cell);
        self.state.wings.judgment.opening = Some(row);
        self.state.wings.judgment.restoring = false;
        self.state.route = Route::Case;
        // Walking to another case stops opening the one before.
        if let Some(stale) = self.state.wings.judgment.wanted.case.take() {
            self.jobs.cancel(stale);
        }
        let name =
            format!("Opening {}", self.state.wings.judgment.book.rows.get(row).map_or("case", |r| r.id.as_str()));
        self.state.wings.judgment.wanted.case =
            Some(self.start(&name, move |handle| case::open(&library, row, cell, handle)));
    }
}

/// Whether a page is none of judgments.
const fn is_elsewhere(route: Route) -> bool {
    !matches!(route, Route::Casebook | Route::Judgments | Route::Case)
}

/// What became of everything that was found: `3 cases loaded, 1 rejected, 2 duplicate ids`.
fn account(book: &Book) -> String {
    let mut parts = vec![format!("{} loaded", counted(book.rows.len(), "case"))];
    if !book.rejected.is_empty() {
        parts.push(format!("{} rejected", group(book.rejected.len())));
    }
    if !book.duplicates.is_empty() {
        parts.push(counted(book.duplicates.len(), "duplicate id"));
    }
    parts.join(", ")
}
