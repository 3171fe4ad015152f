//! What the commands of `acquire` say while they work and at their end.

use std::cell::RefCell;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use decidendi_acquire::derive::{self, Study};
use decidendi_acquire::ledger::Ledger;
use decidendi_acquire::plan::Plan;
use decidendi_acquire::run::counted;
use decidendi_core::seal::json::Json;
use decidendi_core::watch::Watch;

use crate::print::{self, Out};
use crate::progress;

pub(super) fn count(n: u64) -> Json {
    Json::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

pub(super) fn counts(plan: &Plan, ledger: &Ledger, study: &Study) -> Vec<(&'static str, Json)> {
    let c = &study.counts;
    let by_name =
        |map: &std::collections::BTreeMap<String, u64>| Json::map(map.iter().map(|(k, n)| (k.clone(), count(*n))));
    let margins = derive::margins(plan, ledger)
        .into_iter()
        .map(|(id, n, mean)| (id, Json::map([("states", count(n)), ("mean", mean.map_or(Json::Null, Json::Float))])));
    vec![
        (
            "cells",
            Json::map([
                ("all", count(c.cells)),
                ("complete", count(c.complete)),
                ("outstanding", count(c.outstanding)),
            ]),
        ),
        ("missing", by_name(&c.missing)),
        ("odd", by_name(&c.flags)),
        ("models", by_name(&c.models)),
        ("margins", Json::map(margins)),
    ]
}

pub(super) fn tell(out: &mut Out, plan: &Plan, ledger: &Ledger, study: &Study) {
    let c = &study.counts;
    out.line(&format!("cells: {} of {} complete, {} outstanding", c.complete, c.cells, c.outstanding));
    if c.complete == 0 && c.outstanding == 0 {
        out.line("no cell is complete: not one answer holds all its labels, so nothing follows from this study");
    }
    for (what, n) in &c.missing {
        out.line(&format!("missing labels: {n}, {what}"));
    }
    for (what, n) in &c.flags {
        out.line(&format!("odd: {}, {what}", counted(*n, "answer")));
    }
    for (model, n) in c.models.iter().filter(|(model, _)| **model != plan.endpoint.model) {
        out.line(&format!("odd: {} by another model than asked for, {model}", counted(*n, "answer")));
    }
    for (channel, n, mean) in derive::margins(plan, ledger) {
        let mean = mean.map_or("none".to_owned(), |mean| format!("{mean:.4}"));
        out.line(&format!("mean margin of the target, {channel}: {mean} over {}", counted(n, "complete state")));
    }
}

/// Count, rate and what is left on the terminal; looks for Ctrl-C.
pub(super) struct Meter {
    started: Instant,
    first: RefCell<Option<u64>>,
    drawn: RefCell<Option<Instant>>,
    is_watched: bool,
}

impl Meter {
    pub(super) fn new() -> Self {
        Self {
            started: Instant::now(),
            first: RefCell::default(),
            drawn: RefCell::default(),
            is_watched: print::is_watched(),
        }
    }

    fn draw(&self, done: u64, total: u64) {
        const BEAT: Duration = Duration::from_millis(250);
        if !self.is_watched || self.drawn.borrow().is_some_and(|at| at.elapsed() < BEAT) {
            return;
        }
        self.drawn.replace(Some(Instant::now()));
        let first = *self.first.borrow_mut().get_or_insert(done);
        let seconds = self.started.elapsed().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "counts of calls are small")]
        let rate = (done - first) as f64 / seconds.max(0.001);
        #[expect(clippy::cast_precision_loss, reason = "counts of calls are small")]
        let left = (total - done) as f64 / rate;
        let left =
            if left.is_finite() { format!(", about {:.0} min left", (left / 60.0).ceil()) } else { String::new() };
        let mut stderr = std::io::stderr().lock();
        let _ = write!(
            stderr,
            "\r\x1b[Kanswered {done} of {total}, {:.0} a minute{left}  (Ctrl-C stops after this call)",
            rate * 60.0
        );
        let _ = stderr.flush();
    }
}

impl Watch for Meter {
    fn step(&self, done: u64, total: u64) -> ControlFlow<()> {
        self.draw(done, total);
        if progress::is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.drawn.borrow().is_some() {
            let mut stderr = std::io::stderr().lock();
            let _ = write!(stderr, "\r\x1b[K");
            let _ = stderr.flush();
        }
    }
}
