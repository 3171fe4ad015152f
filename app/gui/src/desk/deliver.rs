//! What comes back from jobs. Late answers of a job that nobody waits for any more are dropped.

use egui::Context;

use super::Desk;
use super::jobs::{JobId, Outcome};
use super::state::{Route, Tone};
use crate::parts::{counted, group};
use crate::wings::judgment::state::CertificateState;

impl Desk {
    pub(crate) fn deliver(&mut self, id: JobId, outcome: Outcome, _ctx: &Context) {
        let wanted = Some(id);
        match outcome {
            Outcome::Book(library, book) if self.wanted.book == wanted => {
                self.wanted.book = None;
                self.on_book(library, book);
            }
            Outcome::BookFailed(why) if self.wanted.book == wanted => {
                self.wanted.book = None;
                self.state.book.loading = false;
                self.open_next = None;
                self.toast(Tone::Bad, "The casebook could not be opened", Some(why.clone()));
                self.state.book.error = Some(why);
                if self.state.book.rows.is_empty() {
                    self.state.route = Route::Casebook;
                }
            }
            Outcome::Rows(rows) if self.wanted.judging == wanted => self.on_rows(rows),
            Outcome::RowsDone if self.wanted.judging == wanted => {
                self.wanted.judging = None;
                self.on_rows_done();
            }
            Outcome::Case(ready) if self.wanted.case == wanted => {
                self.wanted.case = None;
                self.on_case_ready(ready);
            }
            Outcome::CaseFailed(row, why) if self.wanted.case == wanted => {
                self.wanted.case = None;
                self.state.opening = None;
                let title = self.state.book.rows.get(row).map_or("The case", |r| r.title.as_str()).to_owned();
                self.state.open = None;
                self.state.route = Route::Judgments;
                self.toast(Tone::Bad, format!("“{title}” could not be opened"), Some(why));
            }
            Outcome::Swapped(case, judgment, trace) if self.wanted.case == wanted => {
                self.wanted.case = None;
                self.on_swapped(case, judgment, trace);
            }
            Outcome::Trace(trace, in_sandbox) if self.wanted.trace == wanted => {
                self.wanted.trace = None;
                self.on_trace(trace, in_sandbox);
            }
            Outcome::Sandbox(result) if self.wanted.sandbox == wanted => {
                self.wanted.sandbox = None;
                self.on_sandbox(result);
            }
            Outcome::Certified(held, key, made) => self.on_certified(held, key, made),
            Outcome::Locked(key, why) => self.on_locked(id, key, why),
            Outcome::NotCertified(why) if self.wanted.step_signing == wanted => {
                self.settle(id);
                self.toast(Tone::Bad, "Not certified", Some(why));
            }
            Outcome::NotCertified(why) => {
                // The page may show another case by now.
                if let Some(open) = self.state.open.as_mut().filter(|_| self.signing == wanted)
                    && matches!(open.certificate, CertificateState::Signing)
                {
                    open.certificate = CertificateState::Refused(why.clone());
                }
                self.toast(Tone::Bad, "Not certified", Some(why));
            }
            Outcome::Exported(path, length) => self.on_exported(path, length),
            Outcome::ExportFailed(why) => self.toast(Tone::Bad, "The export was not written", Some(why)),
            Outcome::Verified(checked) if self.wanted.verify == wanted => {
                self.wanted.verify = None;
                self.state.verify.checking = None;
                self.state.verify.checked = Some(checked);
            }
            Outcome::Studies(shelf) if self.wanted.shelf == wanted => {
                self.wanted.shelf = None;
                self.on_shelf(shelf);
            }
            Outcome::Study(analysed) if self.wanted.study == wanted => {
                self.wanted.study = None;
                self.on_study(*analysed);
            }
            Outcome::StepCertified(what, held, key, made) => self.on_step_certified(id, what, held, key, made),
            Outcome::StudyFailed(fault, stamp) if self.wanted.study == wanted => {
                self.wanted.study = None;
                self.on_study_failed(fault, stamp);
            }
            Outcome::Key(key, made) => self.on_key(key, made),
            Outcome::Trust(trusted) => self.on_trust(trusted),
            Outcome::Failed(why) => {
                self.settle(id);
                self.toast(Tone::Bad, "Something could not be done", Some(why));
            }
            Outcome::Acquire(told) => self.on_told(id, told),
            Outcome::Looked(changed) => {
                self.wanted.watch = None;
                self.on_changed(changed);
            }
            Outcome::Cancelled => {
                let running = self.wanted.judging == wanted;
                self.settle(id);
                if running {
                    let (done, all) = (self.state.book.judged, self.state.book.rows.len());
                    let text = format!("Stopped: {} of {} executed", group(done), counted(all, "case"));
                    self.toast(Tone::Note, text, Some("The rest says “not run”. F5 starts again.".to_owned()));
                }
            }
            _ => {}
        }
    }

    /// Nobody waits for this job any more.
    pub(crate) fn settle(&mut self, id: JobId) {
        self.settle_plan(id);
        let w = &mut self.wanted;
        for slot in [&mut w.judging, &mut w.trace, &mut w.sandbox, &mut w.watch] {
            if *slot == Some(id) {
                *slot = None;
            }
        }
        if w.book == Some(id) {
            w.book = None;
            self.state.book.loading = false;
        }
        if w.case == Some(id) {
            w.case = None;
            self.state.opening = None;
            if self.state.open.is_none() && self.state.route == Route::Case {
                self.state.route = Route::Judgments;
            }
        }
        if w.shelf == Some(id) {
            w.shelf = None;
        }
        if w.study == Some(id) {
            w.study = None;
            self.state.step.opening = None;
        }
        if w.step_signing == Some(id) {
            w.step_signing = None;
            if let Some(open) = &mut self.state.step.open {
                open.signing = None;
            }
        }
        if w.verify == Some(id) {
            w.verify = None;
            self.state.verify.checking = None;
        }
        if let Some(open) = &mut self.state.open
            && matches!(open.certificate, CertificateState::Signing)
            && self.signing == Some(id)
        {
            open.certificate = CertificateState::None;
        }
    }
}
