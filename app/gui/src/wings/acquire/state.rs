//! The acquire page: a plan, where its log stands, what an endpoint was found to do, and how the last run ended.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use decidendi_acquire::derive::Counts;
use decidendi_acquire::plan::Plan;
use decidendi_acquire::probe::{Declared, Report};
use decidendi_files::acquisition::Compared;

use crate::shared::job::JobId;
use crate::shared::stamp::Stamp;

/// How many of the last calls are shown.
pub const CALLS: usize = 60;

/// The environment variable that holds the key: its name, never what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyStanding {
    /// The plan names none.
    None,
    /// It is set.
    Set(String),
    /// It is not set, or no header can carry what it holds: why, in words.
    Unusable(String, String),
}

/// What a log holds against its plan.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standing {
    /// Calls that the plan makes, views among them.
    pub calls: u64,
    /// Of these, not answered yet.
    pub outstanding: u64,
    /// Attempts in the log, over all runs.
    pub attempts: u64,
    /// Bytes of an unfinished last line.
    pub torn: usize,
    /// Whether study and scores lie there.
    pub has_study: bool,
    /// What the answers hold.
    pub counts: Counts,
}

/// One attempt, as the table shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRow {
    /// Its line in the log.
    pub line: usize,
    /// The cell in words.
    pub cell: String,
    /// Which attempt at it.
    pub attempt: u64,
    /// The status, if one came.
    pub status: Option<u16>,
    /// What broke.
    pub error: Option<String>,
    /// What happened where it is no whole answer: status, what broke, what the server said.
    pub failure: Option<String>,
    /// How long it took.
    pub elapsed_ms: u64,
    /// Labels without a value, each with the reason; empty where all are there or none were asked for.
    pub missing: Vec<String>,
    /// What was odd.
    pub flags: Vec<String>,
}

impl CallRow {
    /// The answer in words: `200`, `503`, `no answer`.
    #[must_use]
    pub fn status_words(&self) -> String {
        match (self.status, &self.error) {
            (Some(status), None) => status.to_string(),
            (Some(status), Some(_)) => format!("{status}, broken off"),
            (None, _) => "no answer".to_owned(),
        }
    }

    /// Whether it is a whole answer.
    #[must_use]
    pub const fn is_answer(&self) -> bool {
        matches!(self.status, Some(200)) && self.error.is_none()
    }
}

/// How an acquisition ended, or why it could not begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named in `title` and explained in `next`")]
pub enum EndKind {
    Complete,
    Already,
    Capped,
    Stopped,
    Unreachable,
    Later,
    Unanswered,
    Refused,
    Unsupported,
    Silent,
    LogChanged,
    Conflict,
    OtherPlan,
    Busy,
    NoKey,
    Address,
    Disk,
}

impl EndKind {
    /// What happened.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Complete => "Complete",
            Self::Already => "Everything is answered already",
            Self::Capped => "The cap on calls is reached",
            Self::Stopped => "Stopped",
            Self::Unreachable => "The endpoint did not answer",
            Self::Later => "The endpoint asks to wait",
            Self::Unanswered => "The probe was not answered",
            Self::Refused => "Refused for good",
            Self::Unsupported => "No log-probabilities come back",
            Self::Silent => "The labels do not come back",
            Self::LogChanged => "The log was changed",
            Self::Conflict => "The log does not fit the plan",
            Self::OtherPlan => "The folder belongs to another plan",
            Self::Busy => "Another run writes this log",
            Self::NoKey => "The key is not at hand",
            Self::Address => "The endpoint cannot be asked",
            Self::Disk => "A file cannot be read or written",
        }
    }

    /// What to do next.
    #[must_use]
    pub const fn next(self) -> &'static str {
        match self {
            Self::Complete | Self::Already => {
                "Open the study, or replay it: the scores are derived again from the log and compared byte for byte."
            }
            Self::Capped => {
                "What was answered stays. Raise limits.max_calls in the plan and read it again (F5): Run then takes it up in the same log."
            }
            Self::Stopped => "What was answered is in the log. Run takes it up where it stands.",
            Self::Unreachable => {
                "See that the endpoint is up and can be reached, then run again: what was answered is kept."
            }
            Self::Later => "Run again when that time is over: what was answered is kept.",
            Self::Unanswered => {
                "See that the endpoint is up and can be reached, then probe again. A probe records nothing."
            }
            Self::Refused => "Asking again cannot help: correct the key, the model or the plan, then run again.",
            Self::Unsupported => {
                "Ask the model directly, or take another model or a newer server. Probe shows what comes back."
            }
            Self::Silent => "Look at the last calls before you spend more. Probe shows which tokens come back.",
            Self::LogChanged => {
                "Restore the log from a copy, or choose another folder and acquire anew. Nothing was written."
            }
            Self::Conflict => "Take the plan that the log was made with, or choose another folder.",
            Self::OtherPlan => "Choose another folder for this plan.",
            Self::Busy => "Wait for the other run to end, or choose another folder.",
            Self::NoKey => "Set the variable before Decidendi is started, then run again.",
            Self::Address => "Correct the endpoint in the plan, or this machine's certificates.",
            Self::Disk => "Correct what the message names, then run again: what was recorded is kept.",
        }
    }

    /// Whether the study is there.
    #[must_use]
    pub const fn is_good(self) -> bool {
        matches!(self, Self::Complete | Self::Already)
    }

    /// Whether the same button takes it up again later, without anything to correct.
    #[must_use]
    pub const fn is_pause(self) -> bool {
        matches!(self, Self::Capped | Self::Stopped | Self::Unreachable | Self::Later | Self::Unanswered | Self::Busy)
    }
}

/// An end with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub kind: EndKind,
    /// The crate's message, or what was done.
    pub what: String,
}

impl Ended {
    /// As text for the clipboard.
    #[must_use]
    pub fn words(&self) -> String {
        format!("{}\n{}\n{}", self.kind.title(), self.what, self.kind.next())
    }
}

/// What a probe found, beside the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Probed {
    /// The address asked.
    pub url: String,
    /// What came back.
    pub report: Report,
    /// The plan's declared bases beside the measured one.
    pub declared: Declared,
}

/// What a replay found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Records in the log.
    pub records: usize,
    /// Calls not answered.
    pub outstanding: u64,
    /// Cells with all their labels.
    pub complete: u64,
    /// Each file of the study beside what the log gives.
    pub files: [Compared; 2],
}

impl Replayed {
    /// Whether everything is answered and every byte is the same.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.outstanding == 0 && self.files.iter().all(|file| file.differs.is_none())
    }

    /// Whether a study lies there although the log does not give it: it had another log, or the log lost lines.
    #[must_use]
    pub fn contradicts(&self) -> bool {
        self.files.iter().any(|file| file.differs.is_some_and(|line| line > 0))
    }
}

/// What is under way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Doing {
    /// The job.
    pub job: JobId,
    /// What it does.
    pub what: Work,
    /// When it began, in seconds of the window's clock.
    pub since: f64,
    /// Calls answered when it began.
    pub first: Option<u64>,
}

/// What can be under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// A probe.
    Probe,
    /// A run.
    Run,
    /// A replay.
    Replay,
}

/// A call that failed and is asked again.
#[derive(Debug, Clone, PartialEq)]
pub struct Failing {
    /// What happened.
    pub what: String,
    /// The attempt that follows, from 2.
    pub next: u32,
    /// When it follows, in seconds of the window's clock.
    pub at: f64,
}

/// A plan that was read, with everything that was found since.
#[derive(Debug, Clone)]
pub struct OpenPlan {
    /// The plan's file.
    pub path: PathBuf,
    /// The folder of the log.
    pub folder: PathBuf,
    /// The plan.
    pub plan: Arc<Plan>,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// How plan and log stood on the disk when they were read, or when the last run ended.
    pub stamp: Stamp,
    /// The key.
    pub key: KeyStanding,
    /// What the log holds, or why it cannot be used.
    pub standing: Result<Standing, Ended>,
    /// The last calls, newest first.
    pub calls: VecDeque<CallRow>,
    /// What is under way.
    pub doing: Option<Doing>,
    /// What failed last and is asked again, while no other call came back.
    pub again: Option<Failing>,
    /// How the last run ended.
    pub end: Option<Ended>,
    /// What the last probe found, or why it found nothing.
    pub probe: Option<Result<Probed, Ended>>,
    /// What the last replay found, or why it could not compare.
    pub replay: Option<Result<Replayed, Ended>>,
}

impl OpenPlan {
    /// Adds a call to the table.
    pub fn add(&mut self, row: CallRow) {
        if let Ok(standing) = &mut self.standing {
            standing.attempts += 1;
            let scored = row.is_answer() && !row.cell.starts_with("probe");
            standing.outstanding = standing.outstanding.saturating_sub(u64::from(scored));
        }
        self.calls.push_front(row);
        self.calls.truncate(CALLS);
    }

    /// Whether everything is answered and the study lies there.
    #[must_use]
    pub fn has_study(&self) -> bool {
        self.standing.as_ref().is_ok_and(|standing| standing.outstanding == 0 && standing.has_study)
    }

    /// Attempts that the plan still allows.
    #[must_use]
    pub fn left(&self) -> u64 {
        let attempts = self.standing.as_ref().map_or(0, |standing| standing.attempts);
        self.plan.max_calls.saturating_sub(attempts)
    }
}

/// The acquire page.
#[derive(Debug, Default)]
pub struct AcquireState {
    /// The plan that is being read.
    pub opening: Option<PathBuf>,
    /// Why the last one could not be read: where, what.
    pub fault: Option<(PathBuf, String)>,
    /// The open plan.
    pub open: Option<OpenPlan>,
    /// Reading a plan.
    pub wanted: Option<JobId>,
}

impl AcquireState {
    /// What is under way.
    #[must_use]
    pub fn doing(&self) -> Option<Doing> {
        self.open.as_ref()?.doing
    }

    /// The folder of the open plan.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.open.as_ref()?.path.parent()
    }

    /// How many calls were answered when the run began: the rate counts from there.
    pub fn on_progress(&mut self, id: JobId, done: u64) {
        let doing = self.open.as_mut().and_then(|open| open.doing.as_mut());
        if let Some(doing) = doing.filter(|doing| doing.job == id) {
            doing.first.get_or_insert(done);
        }
    }

    /// Whether a plan is open and nothing is under way; `Err` says why not and what to do.
    ///
    /// # Errors
    /// The reason, in words.
    pub fn idle(&self) -> Result<&OpenPlan, &'static str> {
        if self.opening.is_some() {
            return Err("The plan is being read.");
        }
        let open = self.open.as_ref().ok_or("Choose a plan first.")?;
        match open.doing.map(|doing| doing.what) {
            None => Ok(open),
            Some(Work::Run) => Err("A run is under way; stop it first."),
            Some(Work::Probe) => Err("The endpoint is being probed; stop that first."),
            Some(Work::Replay) => Err("The log is being replayed."),
        }
    }
}
