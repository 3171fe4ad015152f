//! Slow work: everything that executes, hashes or reads files runs in a named, cancellable thread and comes back as a
//! command. A panic in a job is caught and becomes an error with a next step.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use decidendi_core::judgment::case::Case;
use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::sandbox::Sandbox;
use decidendi_core::judgment::trace::Trace;
use decidendi_core::watch::Watch;

use super::command::Command;
use super::settings::Trusted;
use super::state::SigningKey;
use crate::wings::judgment::state::Library;
use crate::wings::judgment::state::{Book, Held, Judged};
use crate::wings::step_value::state::{Analysed, Certified, StepHeld, StudyEntry, StudyFault};
use crate::wings::verify::state::Checked;

/// Stack of a thread that executes: a deep but honest case needs room for recursion, more than the system's share.
pub(crate) const STACK: usize = 16 << 20;

/// Number of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct JobId(pub u64);

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Units finished.
    pub done: u64,
    /// Units in all; 0 while that is unknown.
    pub total: u64,
}

/// What came back from a job.
#[derive(Debug)]
pub enum Outcome {
    /// A casebook was read; `open` names the case to open at once.
    Book(Arc<Library>, Book),
    /// A casebook could not be read.
    BookFailed(String),
    /// Some rows were executed.
    Rows(Vec<(u32, Judged)>),
    /// All rows were executed.
    RowsDone,
    /// A case was read and executed.
    Case(CaseReady),
    /// A case could not be read or executed.
    CaseFailed(usize, String),
    /// A hybrid was traced; `true` when in the sandbox.
    Trace(Arc<Trace>, bool),
    /// The sandbox was edited and executed, or the edit was refused.
    Sandbox(Result<Tried, String>),
    /// The old-new exchange was executed.
    Swapped(Arc<Case>, Arc<Judgment>, Arc<Trace>),
    /// A certificate was signed and verified, with the key that was used and whether it was made for this.
    Certified(Held, SigningKey, bool),
    /// It could not be certified.
    NotCertified(String),
    /// The signing key asks for its passphrase; with the reason if one was given and does not fit.
    Locked(PathBuf, Option<String>),
    /// A file was written.
    Exported(PathBuf, u64),
    /// A file could not be written.
    ExportFailed(String),
    /// A file was checked.
    Verified(Checked),
    /// A signing key was made or read.
    Key(SigningKey, bool),
    /// A public key was read.
    Trust(Trusted),
    /// Something asked for in passing failed: what, why, what to do.
    Failed(String),
    /// The studies of the casebook.
    Studies(Vec<StudyEntry>),
    /// A study was read and analysed.
    Study(Box<Analysed>),
    /// Signs of a study were certified: of which transition, with which key, and whether that was made for this.
    StepCertified(Certified, StepHeld, SigningKey, bool),
    /// A study could not be read, and how its files stood.
    StudyFailed(StudyFault, Option<crate::shared::stamp::Stamp>),
    /// Acquisition has something to tell.
    Acquire(crate::wings::acquire::jobs::Told),
    /// What on the disk is not what was read.
    Looked(crate::shared::stamp::Changed),
    /// It was told to stop and did.
    Cancelled,
}

/// What an edit of the sandbox gave: the edited copy, its judgment, the trace of the selected hybrid.
pub type Tried = (Arc<Sandbox>, Arc<Judgment>, Arc<Trace>);

/// A case read, executed and traced in its first hybrid.
#[derive(Debug)]
pub struct CaseReady {
    /// Its row.
    pub row: usize,
    /// The case.
    pub case: Arc<Case>,
    /// Its judgment.
    pub judgment: Arc<Judgment>,
    /// The trace of the hybrid that is selected first.
    pub trace: Arc<Trace>,
}

/// Wakes the window.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// What a job sees of the outside: where to report, and whether to go on.
pub struct Handle {
    id: JobId,
    cancel: Arc<AtomicBool>,
    out: Sender<Command>,
    waker: Waker,
    told: Cell<Option<Instant>>,
}

impl Handle {
    /// Whether it was told to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// What the helpers of a job look at, each in a thread of its own.
    #[must_use]
    pub fn stop(&self) -> Stop {
        Stop(Arc::clone(&self.cancel))
    }

    /// Hands part of the result out; the job goes on.
    pub fn part(&self, outcome: Outcome) {
        let _ = self.out.send(Command::Part(self.id, outcome));
        (self.waker)();
    }
}

/// Whether a job was told to stop, for its helpers: they report nothing themselves.
#[derive(Debug, Clone)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Whether it was told to stop.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Watch for Stop {
    fn step(&self, _done: u64, _total: u64) -> ControlFlow<()> {
        if self.is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Watch for Handle {
    fn step(&self, done: u64, total: u64) -> ControlFlow<()> {
        let due = self.told.get().is_none_or(|t| t.elapsed() > Duration::from_millis(50));
        if due {
            self.told.set(Some(Instant::now()));
            let _ = self.out.send(Command::Progress(self.id, Progress { done, total }));
            (self.waker)();
        }
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Starts jobs and collects what they send.
pub struct Jobs {
    out: Sender<Command>,
    inbox: Receiver<Command>,
    waker: Waker,
    next: u64,
    tokens: BTreeMap<JobId, Arc<AtomicBool>>,
}

impl Jobs {
    /// No jobs yet.
    #[must_use]
    pub fn new(waker: Waker) -> Self {
        let (out, inbox) = channel();
        Self { out, inbox, waker, next: 1, tokens: BTreeMap::new() }
    }

    /// Starts a job in a thread of its own.
    pub fn start(&mut self, name: &str, work: impl FnOnce(&Handle) -> Outcome + Send + 'static) -> JobId {
        let id = JobId(self.next);
        self.next += 1;
        let cancel = Arc::new(AtomicBool::new(false));
        self.tokens.insert(id, Arc::clone(&cancel));
        let handle =
            Handle { id, cancel, out: self.out.clone(), waker: Arc::clone(&self.waker), told: Cell::new(None) };
        let (name, report, wake) = (name.to_owned(), self.out.clone(), Arc::clone(&self.waker));
        let title = name.clone();
        let spawned = std::thread::Builder::new().name(name.clone()).stack_size(STACK).spawn(move || {
            let outcome = catch_unwind(AssertUnwindSafe(|| work(&handle))).unwrap_or_else(|_| {
                Outcome::Failed(format!("{title} stopped by an internal fault. Nothing was changed. Try again; if it comes back, report it with the file."))
            });
            let _ = handle.out.send(Command::Done(handle.id, outcome));
            (handle.waker)();
        });
        if let Err(why) = spawned {
            let fault =
                Outcome::Failed(format!("{name} could not be started: {why}. Close other programs and try again."));
            let _ = report.send(Command::Done(id, fault));
            wake();
        }
        id
    }

    /// Tells a job to stop.
    pub fn cancel(&self, id: JobId) {
        if let Some(token) = self.tokens.get(&id) {
            token.store(true, Ordering::Relaxed);
        }
    }

    /// Takes what jobs have sent, in order.
    pub fn drain(&mut self) -> Vec<Command> {
        let sent: Vec<Command> = self.inbox.try_iter().collect();
        for command in &sent {
            if let Command::Done(id, _) = command {
                self.tokens.remove(id);
            }
        }
        sent
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        for token in self.tokens.values() {
            token.store(true, Ordering::Relaxed);
        }
    }
}
