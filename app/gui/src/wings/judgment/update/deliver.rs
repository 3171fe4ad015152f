//! What comes back from the jobs on casebooks and cases. Late answers of a job that nobody waits for any more are dropped.

use crate::desk::Desk;
use crate::desk::state::Tone;
use crate::desk::wings::Route;
use crate::parts::{counted, group};
use crate::shared::job::JobId;
use crate::wings::judgment::answer::JudgmentAnswer;

impl Desk {
    pub(crate) fn deliver_judgment(&mut self, id: JobId, answer: JudgmentAnswer) {
        let wanted = Some(id);
        let judgment = &mut self.state.wings.judgment;
        match answer {
            JudgmentAnswer::Book(library, book) if judgment.wanted.book == wanted => {
                judgment.wanted.book = None;
                self.on_book(library, book);
            }
            JudgmentAnswer::BookFailed(why) if judgment.wanted.book == wanted => {
                judgment.wanted.book = None;
                judgment.book.loading = false;
                judgment.open_next = None;
                judgment.book.error = Some(why.clone());
                if judgment.book.rows.is_empty() {
                    self.state.route = Route::Casebook;
                }
                self.toast(Tone::Bad, "The casebook could not be opened", Some(why));
            }
            JudgmentAnswer::Rows(rows) if judgment.wanted.judging == wanted => self.on_rows(rows),
            JudgmentAnswer::RowsDone if judgment.wanted.judging == wanted => {
                judgment.wanted.judging = None;
                self.on_rows_done();
            }
            JudgmentAnswer::Case(ready) if judgment.wanted.case == wanted => {
                judgment.wanted.case = None;
                self.on_case_ready(ready);
            }
            JudgmentAnswer::CaseFailed(row, why) if judgment.wanted.case == wanted => {
                judgment.wanted.case = None;
                judgment.opening = None;
                let title = judgment.book.rows.get(row).map_or("The case", |r| r.title.as_str()).to_owned();
                judgment.open = None;
                self.state.route = Route::Judgments;
                self.toast(Tone::Bad, format!("“{title}” could not be opened"), Some(why));
            }
            JudgmentAnswer::Swapped(case, judged, trace) if judgment.wanted.case == wanted => {
                judgment.wanted.case = None;
                self.on_swapped(case, judged, trace);
            }
            JudgmentAnswer::Trace(trace, in_sandbox) if judgment.wanted.trace == wanted => {
                judgment.wanted.trace = None;
                self.on_trace(trace, in_sandbox);
            }
            JudgmentAnswer::Sandbox(result) if judgment.wanted.sandbox == wanted => {
                judgment.wanted.sandbox = None;
                self.on_sandbox(result);
            }
            JudgmentAnswer::Certified(done) => self.on_certified(id, done),
            _ => {}
        }
    }

    /// Nobody waits for this job any more.
    pub(crate) fn settle_judgment(&mut self, id: JobId) {
        let judgment = &mut self.state.wings.judgment;
        judgment.certificates.settle(id);
        let was_judging = judgment.wanted.judging == Some(id);
        let wanted = &mut judgment.wanted;
        for slot in [&mut wanted.judging, &mut wanted.trace, &mut wanted.sandbox] {
            slot.take_if(|waiting| *waiting == id);
        }
        if judgment.wanted.book.take_if(|waiting| *waiting == id).is_some() {
            judgment.book.loading = false;
        }
        if judgment.wanted.case.take_if(|waiting| *waiting == id).is_some() {
            judgment.opening = None;
            if judgment.open.is_none() && self.state.route == Route::Case {
                self.state.route = Route::Judgments;
            }
        }
        if was_judging {
            let (done, all) = (self.state.wings.judgment.book.judged, self.state.wings.judgment.book.rows.len());
            let text = format!("Stopped: {} of {} executed", group(done), counted(all, "case"));
            self.toast(Tone::Note, text, Some("The rest says “not run”. F5 starts again.".to_owned()));
        }
    }
}
