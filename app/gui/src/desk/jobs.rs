//! Slow work: everything that executes, hashes or reads files runs in a named, cancellable thread and comes back as a
//! message. A panic in a job is caught and becomes an error with a next step.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use decidendi_core::seal::digest::Digest;
use decidendi_core::watch::Watch;

use super::hand_out::Occupied;
use super::settings::Trusted;
use super::state::PathPurpose;
use super::wings::{Route, WingAnswer};
use crate::shared::job::{JobId, Progress};
use crate::shared::signing::SigningKey;

/// Stack of a thread that executes: a deep but honest case needs room for recursion, more than the system's share.
pub(crate) const STACK: usize = 16 << 20;

/// What a job sends.
#[derive(Debug)]
pub enum Message {
    /// It tells how far it is.
    Progress(JobId, Progress),
    /// It hands part of its result out and goes on.
    Part(JobId, Answer),
    /// It is over.
    Done(JobId, Answer),
}

/// What came back from a job.
#[derive(Debug)]
pub enum Answer {
    /// Something for one wing.
    Wing(WingAnswer),
    /// A file was written.
    Exported(Exported),
    /// Another file is in the way of one that should be written.
    Occupied(Occupied),
    /// A file could not be written.
    ExportFailed(String),
    /// A signing key was made or read.
    Key(SigningKey, bool),
    /// A public key was read.
    Trust(Trusted),
    /// Something asked for in passing failed: what, why, what to do.
    Failed(String),
    /// What on the disk is not what was read.
    Looked(Changed),
    /// Whether something lies at a typed path, and what it is to be used for, if it is.
    Sought {
        /// The path.
        path: PathBuf,
        /// What it is to be used for; `None` while it is being typed.
        purpose: Option<PathPurpose>,
        /// Whether something lies there.
        is_there: bool,
    },
    /// It was told to stop and did.
    Cancelled,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// What it is, in words.
    pub what: &'static str,
    /// Where it lies.
    pub path: PathBuf,
    /// How many bytes it has.
    pub length: u64,
    /// The digest of its bytes.
    pub digest: Digest,
    /// The digest of the certificate in it, if there is one.
    pub certificate: Option<String>,
}

/// What on the disk is not what was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The pages whose files stand otherwise.
    pub pages: Vec<Route>,
    /// Those of the paths opened before where nothing is any more.
    pub gone: BTreeSet<PathBuf>,
}

/// Wakes the window.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// What a job sees of the outside: where to report, and whether to go on.
pub struct Handle {
    id: JobId,
    cancel: Arc<AtomicBool>,
    out: Sender<Message>,
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
    pub fn part(&self, answer: Answer) {
        let _ = self.out.send(Message::Part(self.id, answer));
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
            let _ = self.out.send(Message::Progress(self.id, Progress { done, total }));
            (self.waker)();
        }
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Starts jobs and collects what they send.
pub struct Jobs {
    out: Sender<Message>,
    inbox: Receiver<Message>,
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
    pub fn start(&mut self, name: &str, work: impl FnOnce(&Handle) -> Answer + Send + 'static) -> JobId {
        let id = JobId(self.next);
        self.next += 1;
        let cancel = Arc::new(AtomicBool::new(false));
        self.tokens.insert(id, Arc::clone(&cancel));
        let handle =
            Handle { id, cancel, out: self.out.clone(), waker: Arc::clone(&self.waker), told: Cell::new(None) };
        let (name, report, wake) = (name.to_owned(), self.out.clone(), Arc::clone(&self.waker));
        let title = name.clone();
        let spawned = std::thread::Builder::new().name(name.clone()).stack_size(STACK).spawn(move || {
            let answer = catch_unwind(AssertUnwindSafe(|| work(&handle))).unwrap_or_else(|_| {
                Answer::Failed(format!("{title} stopped by an internal fault. Nothing was changed. Try again; if it comes back, report it with the file."))
            });
            let _ = handle.out.send(Message::Done(handle.id, answer));
            (handle.waker)();
        });
        if let Err(why) = spawned {
            let fault =
                Answer::Failed(format!("{name} could not be started: {why}. Close other programs and try again."));
            let _ = report.send(Message::Done(id, fault));
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
    pub fn drain(&mut self) -> Vec<Message> {
        let sent: Vec<Message> = self.inbox.try_iter().collect();
        for message in &sent {
            if let Message::Done(id, _) = message {
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
