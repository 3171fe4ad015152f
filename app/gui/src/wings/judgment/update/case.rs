//! The open case: one selection, its trace, sandbox, and the exchange of old and new.

use std::sync::Arc;

use decidendi_core::judgment::case::{Case, Source};
use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::sandbox::Sandbox;
use decidendi_core::judgment::source::{Mask, Role};
use decidendi_core::judgment::trace::Trace;

use crate::desk::Desk;
use crate::desk::history::Change;
use crate::desk::jobs::{Answer, Handle};
use crate::desk::state::Tone;
use crate::desk::wings::Route;
use crate::shared::certificates::Stand;
use crate::wings::judgment::answer::{CaseReady, Tried};
use crate::wings::judgment::command::CaseCommand;
use crate::wings::judgment::jobs::case;
use crate::wings::judgment::state::{Closed, Column, OpenCase, Sandboxed};

/// What the step is called that undo takes back when a sandbox was closed.
const CLOSED: &str = "close the sandbox";

impl Desk {
    pub(crate) fn on_case(&mut self, command: CaseCommand) {
        if let CaseCommand::OnlyDifferences(on) = command {
            self.note("only differences");
            self.state.settings.only_differences = on;
            self.keep();
        }
        if command == CaseCommand::ReopenSandbox {
            self.reopen_sandbox();
            return;
        }
        let Some(open) = &mut self.state.wings.judgment.open else { return };
        match command {
            CaseCommand::Select(cell) => self.select(cell),
            CaseCommand::Flip(source) => {
                let cell = Mask(open.selected.0 ^ (1 << source));
                if source < open.case.k() {
                    self.select(cell);
                }
            }
            CaseCommand::Tab(tab) => open.tab = tab,
            CaseCommand::Column(column) => open.column = column,
            CaseCommand::OnlyDifferences(on) => open.only_differences = on,
            CaseCommand::Turn(yaw, pitch) => {
                open.turn.yaw = yaw.rem_euclid(std::f32::consts::TAU);
                open.turn.pitch = pitch.clamp(-1.2, 1.2);
            }
            CaseCommand::Expand(member) => {
                if !open.expanded.remove(&member) {
                    open.expanded.insert(member);
                }
            }
            CaseCommand::Walk(edge) => {
                open.edge = edge;
                if let Some((from, source)) = edge {
                    let to = Mask(from.0 | (1 << source));
                    self.select(to);
                }
            }
            CaseCommand::FullTrace(on) => open.full_trace = on,
            CaseCommand::Unfold(key) => {
                if !open.unfolded.remove(&key) {
                    open.unfolded.insert(key);
                }
            }
            CaseCommand::Edit { source, version, path, value } => {
                let sandbox =
                    open.sandbox.as_ref().map_or_else(|| Arc::new(Sandbox::of(&open.case)), |s| Arc::clone(&s.sandbox));
                let cell = open.selected;
                self.ensure_sandbox(&sandbox);
                let change = Some((source, version, path, value));
                self.run_sandbox(move |handle| case::edit(&sandbox, change, cell, handle));
            }
            CaseCommand::Certify(passphrase) => self.certify(passphrase),
            CaseCommand::ReopenSandbox => {}
            CaseCommand::CloseSandbox => {
                if open.sandbox.is_some() {
                    self.what_if();
                }
            }
            CaseCommand::EditDraft(key, text) => {
                if let Some(sandbox) = &mut open.sandbox {
                    sandbox.drafts.insert(key, text);
                }
            }
        }
    }

    fn select(&mut self, cell: Mask) {
        let Some(open) = &mut self.state.wings.judgment.open else { return };
        if !cell.is_subset_of(Mask::full(open.case.k())) {
            return;
        }
        if open.edge.is_some_and(|(from, source)| cell != from && cell.0 != from.0 | (1 << source)) {
            open.edge = None;
        }
        if open.selected == cell && open.trace.as_ref().is_some_and(|t| t.cell == cell) {
            return;
        }
        open.selected = cell;
        // The old trace stays on the screen until the new one is there, so that nothing flickers; it names its cell.
        if let Some(stale) = self.state.wings.judgment.wanted.trace.take() {
            self.jobs.cancel(stale);
        }
        let id = if let Some(sandbox) = &open.sandbox {
            let sandbox = Arc::clone(&sandbox.sandbox);
            self.jobs.start("Tracing", move |_| case::trace_sandbox(&sandbox, cell))
        } else {
            let case = Arc::clone(&open.case);
            self.jobs.start("Tracing", move |_| case::trace(&case, cell))
        };
        self.state.wings.judgment.wanted.trace = Some(id);
    }

    pub(crate) fn on_trace(&mut self, trace: Arc<Trace>, in_sandbox: bool) {
        let Some(open) = &mut self.state.wings.judgment.open else { return };
        if trace.cell != open.selected {
            return;
        }
        match (&mut open.sandbox, in_sandbox) {
            (Some(sandbox), true) => sandbox.trace = Some(trace),
            (None, false) => open.trace = Some(trace),
            _ => {}
        }
    }

    /// Another case comes onto the page: what is still being worked out for the one before is not wanted there.
    fn forget_answers(&mut self) {
        for stale in [self.state.wings.judgment.wanted.trace.take(), self.state.wings.judgment.wanted.sandbox.take()]
            .into_iter()
            .flatten()
        {
            self.jobs.cancel(stale);
        }
    }

    /// A case was read and executed. What belongs to the same case before (certificate, angle, tab) is carried over.
    pub(crate) fn on_case_ready(&mut self, ready: CaseReady) {
        self.state.wings.judgment.opening = None;
        self.forget_answers();
        let CaseReady { row, case, judgment, trace } = ready;
        let mut open = OpenCase::new(row, case, judgment, Some(trace));
        open.only_differences = self.state.settings.only_differences;
        if let Some(mut before) = self.state.wings.judgment.open.take() {
            if let Some(sandboxed) = before.sandbox.take() {
                self.keep_sandbox(&before.case, sandboxed);
            }
            if before.case.k() == open.case.k() {
                (open.tab, open.turn) = (before.tab, before.turn);
            }
            open.column = before.column;
            if before.case.id() == open.case.id() && before.digest != open.digest {
                self.tell_stale(&open);
            }
        }
        self.state.wings.judgment.certificates.turn_to(&open.case.id().to_owned());
        if let Some((tab, _)) = self.state.wings.judgment.arrive.take() {
            open.tab = tab;
        }
        self.state.wings.judgment.open = Some(open);
        self.state.wings.judgment.table.marked = Some(row);
        if self.state.route == Route::Judgments || self.state.route == Route::Casebook {
            self.state.route = Route::Case;
        }
        self.state.wings.judgment.mark_certificate();
        if std::mem::take(&mut self.state.wings.judgment.restoring) {
            self.restore_sandbox();
        }
    }

    /// Says that the certificate of a case speaks of other bytes now.
    fn tell_stale(&mut self, open: &OpenCase) {
        if matches!(self.state.wings.judgment.certificate_of(open), Stand::Stale(_)) {
            let next = "The case changed since it was signed. Certify again to sign what is loaded now.";
            self.toast(Tone::Warn, "The certificate is stale", Some(next.to_owned()));
        }
    }

    /// A sandbox was closed: undo brings its edits back.
    fn keep_sandbox(&mut self, case: &Case, sandboxed: Sandboxed) {
        let edits = sandboxed.sandbox.edits();
        if edits == 0 {
            return;
        }
        self.state.wings.judgment.closed =
            Some(Closed { case: case.id().to_owned(), digest: case.digest(), sandboxed });
        self.note_change(CLOSED, Change::SandboxClosed);
        let words = if edits == 1 { "1 edit".to_owned() } else { format!("{edits} edits") };
        self.toast(Tone::Note, format!("Sandbox closed with {words}"), Some("Ctrl Z brings it back.".to_owned()));
    }

    /// Brings the sandbox back that was closed last, on the page of its case.
    pub(crate) fn reopen_sandbox(&mut self) {
        let Some(closed) = &self.state.wings.judgment.closed else { return };
        let here = self.state.wings.judgment.open.as_ref().is_some_and(|o| o.case.digest() == closed.digest);
        if here {
            self.state.route = Route::Case;
            self.restore_sandbox();
        } else if let Some(row) = self.state.wings.judgment.library.find(&closed.case) {
            self.open_row(row);
            self.state.wings.judgment.restoring = true;
        }
    }

    fn restore_sandbox(&mut self) {
        let Some(Closed { digest, sandboxed, .. }) = self.state.wings.judgment.closed.take() else { return };
        let Some(open) = self.state.wings.judgment.open.as_mut().filter(|o| o.case.digest() == digest) else {
            self.toast(
                Tone::Warn,
                "The sandbox is not brought back",
                Some("Its case has changed on disk since.".to_owned()),
            );
            return;
        };
        let (sandbox, cell) = (Arc::clone(&sandboxed.sandbox), open.selected);
        open.sandbox = Some(sandboxed);
        self.run_sandbox(move |handle| case::edit(&sandbox, None, cell, handle));
    }

    /// Opens the sandbox, or closes it and everything in it.
    pub(crate) fn what_if(&mut self) {
        let Some(open) = &mut self.state.wings.judgment.open else { return };
        if let Some(closed) = open.sandbox.take() {
            let case = Arc::clone(&open.case);
            if let Some(stale) = self.state.wings.judgment.wanted.sandbox.take() {
                self.jobs.cancel(stale);
            }
            self.keep_sandbox(&case, closed);
            let Some(open) = &mut self.state.wings.judgment.open else { return };
            let cell = open.selected;
            open.trace = open.trace.take().filter(|t| t.cell == cell);
            if open.trace.is_none() {
                let case = Arc::clone(&open.case);
                self.state.wings.judgment.wanted.trace =
                    Some(self.jobs.start("Tracing", move |_| case::trace(&case, cell)));
            }
            return;
        }
        let sandbox = Arc::new(Sandbox::of(&open.case));
        let cell = open.selected;
        // Where the columns are tabs, the values are in this one.
        open.column = Column::Sources;
        self.state.wings.judgment.focus_edit = true;
        self.ensure_sandbox(&sandbox);
        self.run_sandbox(move |handle| case::edit(&sandbox, None, cell, handle));
    }

    fn ensure_sandbox(&mut self, sandbox: &Arc<Sandbox>) {
        let Some(open) = &mut self.state.wings.judgment.open else { return };
        if open.sandbox.is_none() {
            open.sandbox = Some(Sandboxed {
                sandbox: Arc::clone(sandbox),
                judgment: None,
                trace: None,
                refused: None,
                drafts: std::collections::BTreeMap::new(),
            });
        }
    }

    fn run_sandbox(&mut self, work: impl FnOnce(&Handle) -> Answer + Send + 'static) {
        if let Some(stale) = self.state.wings.judgment.wanted.sandbox.take() {
            self.jobs.cancel(stale);
        }
        self.state.wings.judgment.wanted.sandbox = Some(self.start("Executing the sandbox", work));
    }

    pub(crate) fn on_sandbox(&mut self, result: Result<Tried, String>) {
        let Some(open) = &mut self.state.wings.judgment.open else { return };
        let Some(state) = &mut open.sandbox else { return };
        match result {
            Ok((sandbox, judgment, trace)) => {
                state.sandbox = sandbox;
                state.judgment = Some(judgment);
                state.trace = Some(trace).filter(|t| t.cell == open.selected);
                state.refused = None;
            }
            Err(why) => state.refused = Some(why),
        }
    }

    pub(crate) fn swap(&mut self) {
        let Some(open) = &self.state.wings.judgment.open else { return };
        if open.swapped {
            let row = open.row;
            self.open_row(row);
            return;
        }
        let case = Arc::clone(&open.case);
        self.state.wings.judgment.wanted.case =
            Some(self.start("Executing the inverse transition", move |handle| case::swap(&case, handle)));
    }

    pub(crate) fn on_swapped(&mut self, case: Arc<Case>, judgment: Arc<Judgment>, trace: Arc<Trace>) {
        self.forget_answers();
        let edited =
            self.state.wings.judgment.open.as_mut().and_then(|o| Some((Arc::clone(&o.case), o.sandbox.take()?)));
        if let Some((case, sandboxed)) = edited {
            self.keep_sandbox(&case, sandboxed);
        }
        let Some(open) = &mut self.state.wings.judgment.open else { return };
        open.selected = trace.cell;
        (open.case, open.judgment, open.trace) = (case, judgment, Some(trace));
        open.swapped = !open.swapped;
        open.edge = None;
        open.expanded.clear();
    }

    /// Takes the other version of the source in a role.
    pub(crate) fn flip(&mut self, role: Role) {
        let source = self.state.wings.judgment.open.as_ref().and_then(|open| {
            let by_role = open.case.in_role(role).next();
            // A case with other sources answers to the same letters by its initials: the page shows them as key caps.
            let initial = |s: &Source| s.name.to_lowercase().starts_with(&role.word()[..1]);
            by_role.or_else(|| open.case.sources().iter().position(initial))
        });
        match source {
            Some(source) => self.on_case(CaseCommand::Flip(source)),
            None => self.toast(Tone::Note, format!("This case has no source in the role of {}", role.word()), None),
        }
    }

    /// Selects the hybrid so many places on, in the order of the table.
    pub(crate) fn step_cell(&mut self, by: i64) {
        let Some(open) = &self.state.wings.judgment.open else { return };
        let cells = 1_i64 << open.case.k();
        let next = (i64::from(open.selected.0) + by).rem_euclid(cells);
        let next = Mask(u32::try_from(next).unwrap_or_default());
        self.on_case(CaseCommand::Select(next));
    }

    /// Turns the switch of the source diff.
    pub(crate) fn turn_only_differences(&mut self) {
        let on = self.state.wings.judgment.open.as_ref().is_some_and(|o| o.only_differences);
        self.on_case(CaseCommand::OnlyDifferences(!on));
    }
}
