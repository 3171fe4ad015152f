//! Casebooks: opening, reading again, executing all cases in the background.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::desk::state::{Route, Tone};
use crate::desk::{Desk, OpenNext};
use crate::parts::{counted, group};
use crate::shared::stamp;
use crate::wings::judgment::jobs::{book, case};
use crate::wings::judgment::state::Library;
use crate::wings::judgment::state::{Book, CertificateState, Judged, Origin, Rejected, RowCertificate};
use crate::wings::step_value::state::StudyPlace;
use decidendi_files::{load, study};

impl Desk {
    /// Opens whatever is at a path: a casebook or a case; a certificate or a bundle goes to the verify view.
    pub fn open(&mut self, path: &Path) {
        let path = &crate::desk::absolute(path);
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if name.ends_with(".cert.json") || load::is_bundle_name(path) {
            self.check(path.to_owned());
            return;
        }
        if name.ends_with(".pub") {
            self.read_trust(path.to_owned());
            return;
        }
        self.open_next = None;
        // A folder with study and plan is its study, but a plan where plans are asked for.
        let wanted = self.state.route == Route::Acquire || !path.is_dir();
        if wanted && crate::wings::acquire::jobs::names_plan(path) {
            self.open_plan(path, None);
            return;
        }
        if names_study(path) {
            self.open_study(StudyPlace::Disk(path.to_owned()));
            return;
        }
        self.read_book(Some(path.to_owned()));
    }

    /// Reads the shipped casebook behind a certificate that was opened first, so that its case is at hand.
    pub fn back_verify(&mut self) {
        if matches!(self.state.route, Route::Verify | Route::Step | Route::Acquire) && self.library.is_empty() {
            self.read_book(None);
        }
    }

    /// Opens the shipped casebook and its first case.
    pub fn open_shipped(&mut self) {
        self.open_next = Some(OpenNext::First);
        self.read_book(None);
    }

    /// Reads the open casebook again.
    pub(crate) fn reload(&mut self) {
        self.state.toasts.retain(|t| t.tone != Tone::Bad);
        if self.state.route == Route::Step && self.reload_study() {
            return;
        }
        if self.state.route == Route::Acquire && self.reload_plan() {
            return;
        }
        self.reload_book();
    }

    fn reload_book(&mut self) {
        if let Some(open) = &self.state.open {
            self.open_next = Some(OpenNext::Id(open.case.id().to_owned()));
        }
        self.read_book(self.library.path().map(Path::to_owned));
    }

    pub(crate) fn read_book(&mut self, path: Option<PathBuf>) {
        for stale in
            [self.wanted.book.take(), self.wanted.judging.take(), self.wanted.case.take()].into_iter().flatten()
        {
            self.jobs.cancel(stale);
        }
        self.state.opening = None;
        self.state.book.loading = true;
        self.state.book.error = None;
        let name = path
            .as_ref()
            .map_or_else(|| "Reading the shipped casebook".to_owned(), |p| format!("Reading {}", p.display()));
        self.wanted.book = Some(self.start(&name, move |handle| book::open(path, handle)));
    }

    pub(crate) fn on_book(&mut self, library: Arc<Library>, book: Book) {
        self.mended("The casebook could not be opened");
        let again = self.state.book.origin == book.origin && !self.state.book.rows.is_empty();
        let before = std::mem::replace(&mut self.state.book, book);
        self.library = library;
        if let Origin::Path(path) = &self.state.book.origin {
            self.state.gone.remove(path);
            self.state.settings.remember(path);
            self.keep();
        }
        if again {
            self.carry_certificates(&before);
        } else {
            self.state.table.query = crate::wings::judgment::state::Query::default();
            self.state.history = crate::desk::history::History::default();
        }
        self.refilter();
        self.state.table.marked = self.state.table.order.first().map(|&r| r as usize);
        let (loaded, trouble) = (self.state.book.rows.len(), self.state.book.trouble());
        if trouble > 0 {
            let text = account(&self.state.book);
            self.toast(Tone::Warn, text, Some("The casebook view lists what was refused, where and why.".to_owned()));
        } else if again {
            self.toast(Tone::Note, format!("{} read again", counted(loaded, "case")), None);
        }
        self.judge_all();
        self.look_for_studies();
        match self.open_next.take() {
            _ if loaded == 0 => {
                self.state.open = None;
                self.state.route = Route::Casebook;
            }
            Some(OpenNext::First) => self.open_row(0),
            Some(OpenNext::Id(id)) => match self.library.find(&id) {
                Some(row) => {
                    // Somebody who works elsewhere stays there.
                    let route = self.state.route;
                    self.open_row(row);
                    if matches!(route, Route::Step | Route::Acquire | Route::Verify) {
                        self.state.route = route;
                    }
                }
                None => {
                    self.state.open = None;
                    self.state.route = Route::Judgments;
                    self.toast(Tone::Warn, format!("Case “{id}” is not in the casebook any more"), None);
                }
            },
            // A certificate was opened: the casebook only serves its replay.
            None if self.state.route == Route::Verify => self.check_again(),
            None if matches!(self.state.route, Route::Step | Route::Acquire) => {}
            None if loaded == 1 => self.open_row(0),
            None => {
                self.state.open = None;
                self.state.route = if trouble > 0 { Route::Casebook } else { Route::Judgments };
            }
        }
    }

    /// Certificates made before reading again stay, and the rows that lost theirs say *stale* once the case is opened.
    fn carry_certificates(&mut self, before: &Book) {
        let certified = before.rows.iter().filter(|r| r.certificate != RowCertificate::None);
        for old in certified {
            if let Some(row) = self.library.find(&old.id).and_then(|at| self.state.book.rows.get_mut(at)) {
                row.certificate = old.certificate;
            }
        }
    }

    fn judge_all(&mut self) {
        let library = Arc::clone(&self.library);
        let name = "Executing all cases".to_owned();
        self.wanted.judging = Some(self.start(&name, move |handle| book::judge_all(&library, handle)));
    }

    pub(crate) fn on_rows(&mut self, rows: Vec<(u32, Judged)>) {
        for (at, judged) in rows {
            if let Judged::Failed(why) = &judged {
                let place = self.library.place(at as usize).unwrap_or_default();
                self.state.book.failed.push(Rejected { place, why: why.to_string() });
            }
            if let Some(row) = self.state.book.rows.get_mut(at as usize) {
                row.judged = judged;
            }
        }
        self.state.book.judged = self.state.book.rows.iter().filter(|r| r.judged != Judged::NotRun).count();
        self.refilter();
    }

    /// Every case was executed: those that could not be are told, as the command line tells them.
    pub(crate) fn on_rows_done(&mut self) {
        self.state.book.failed.sort_by(|a, b| a.place.cmp(&b.place));
        let (failed, all) = (self.state.book.failed.len(), self.state.book.rows.len());
        if failed > 0 {
            let text = format!("{} of {} could not be read or executed", group(failed), counted(all, "case"));
            self.toast(Tone::Warn, text, Some("The casebook view lists them, where and why.".to_owned()));
        }
    }

    /// Looks whether files of what is open changed on disk; called when the window gets the focus.
    pub fn look_at_disk(&mut self) {
        if self.wanted.watch.is_some() {
            return;
        }
        let (step, acquire) = (&self.state.step, &self.state.acquire);
        let book = (self.library.path().is_some() && !self.state.book.loading).then(|| Arc::clone(&self.library));
        let study = step.open.as_ref().filter(|_| step.opening.is_none()).and_then(|open| open.data.stamp.clone());
        // While a run writes its log, the page follows it call by call.
        let plan = acquire.idle().ok().map(|open| open.stamp.clone());
        let before: Vec<_> = self.state.settings.opened_before().cloned().collect();
        if book.is_none() && study.is_none() && plan.is_none() && before.is_empty() {
            return;
        }
        let open = stamp::Open { book, study, plan, before };
        self.wanted.watch = Some(self.jobs.start("Looking at the disk", move |_| stamp::look(&open)));
    }

    /// What changed is read again with a notice; what was certified of the old bytes turns stale.
    pub(crate) fn on_changed(&mut self, changed: stamp::Changed) {
        let again = || Some("It was read again.".to_owned());
        self.state.gone = changed.gone;
        if changed.study {
            self.reread_study();
        }
        if changed.plan && self.state.acquire.idle().is_ok() {
            self.toast(Tone::Note, "The plan or its log changed on disk", again());
            self.reread_plan();
        }
        if changed.book && !self.state.book.changed_on_disk {
            self.toast(Tone::Note, "A file of the casebook changed on disk", again());
            self.reload_book();
            self.state.book.changed_on_disk = true;
        }
    }

    /// Opens the case of a row.
    pub(crate) fn open_row(&mut self, row: usize) {
        if row >= self.library.len() {
            return;
        }
        self.state.overlay = None;
        self.state.table.marked = Some(row);
        let library = Arc::clone(&self.library);
        let cell = self.arrive.map(|(_, cell)| cell);
        self.state.opening = Some(row);
        self.restoring = false;
        self.state.route = Route::Case;
        // Walking to another case stops opening the one before.
        if let Some(stale) = self.wanted.case.take() {
            self.jobs.cancel(stale);
        }
        let name = format!("Opening {}", self.state.book.rows.get(row).map_or("case", |r| r.id.as_str()));
        self.wanted.case = Some(self.start(&name, move |handle| case::open(&library, row, cell, handle)));
    }

    /// Marks the certificate of the open case in its row.
    pub(crate) fn mark_certificate(&mut self) {
        let Some(open) = &self.state.open else { return };
        let mark = match open.certificate {
            CertificateState::Held(_) => RowCertificate::Verified,
            CertificateState::Stale(_) => RowCertificate::Stale,
            _ => return,
        };
        if let Some(row) = self.state.book.rows.get_mut(open.row) {
            row.certificate = mark;
        }
    }
}

/// Whether a path is a study: its folder, or its document.
fn names_study(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == study::STUDY) || study::is_study(path)
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
