//! Acquisition: reading a plan and its log, probing, running, replaying. The only jobs that may speak to a network.

mod row;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use decidendi_acquire::client::{Client, ClientError};
use decidendi_acquire::ledger::{Conflict, Ledger};
use decidendi_acquire::log::{self, Entry, LOG_BYTES, Log, LogError};
use decidendi_acquire::plan::{self, Basis, PLAN_BYTES, Plan};
use decidendi_acquire::probe::{self, NoAnswer};
use decidendi_acquire::record::Record;
use decidendi_acquire::run::{self, End, RunError, Summary};
use decidendi_acquire::secret::{Secret, SecretError};
use decidendi_acquire::{calls, derive};
use decidendi_cli::io::{self, IoError};

use super::{Handle, Outcome};
use crate::state::{CallRow, EndKind, Ended, KeyStanding, OpenPlan, Probed, Replayed, SHOWN_CALLS, Standing};
use row::row;

/// The plan's copy beside its log.
pub const PLAN: &str = "plan.json";
/// The log.
pub const LOG: &str = "log.jsonl";
const STUDY: &str = "study.json";
const SCORES: &str = "scores.jsonl";
/// So much of a file is looked at to tell whether it is a plan.
const SNIFFED: usize = 64 << 10;

/// What an acquisition job sends.
#[derive(Debug)]
pub enum Told {
    /// A plan was read.
    Opened(Box<OpenPlan>),
    /// It could not be.
    NotOpened(PathBuf, String),
    /// A call is on the disk.
    Call(CallRow),
    /// A probe is over.
    Probed(Box<Result<Probed, Ended>>),
    /// A run is over: how, and what the log holds now.
    Ended(Ended, Box<Result<Standing, Ended>>),
    /// A replay is over.
    Replayed(Result<Replayed, Ended>),
}

/// What a run or a replay works on.
#[derive(Debug, Clone)]
pub struct Place {
    /// The plan.
    pub plan: Arc<Plan>,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// The folder of the log.
    pub folder: PathBuf,
}

/// Everything that ends a job before its answer.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(transparent)]
    Io(#[from] IoError),
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("{}: {fault}", .path.display())]
    Conflict { path: PathBuf, fault: Conflict },
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    #[error("{}: holds the acquisition of another plan; name another folder", .0.display())]
    OtherPlan(PathBuf),
}

impl Fault {
    const fn kind(&self) -> EndKind {
        match self {
            Self::Io(_) => EndKind::Disk,
            Self::Secret(_) => EndKind::NoKey,
            Self::Client(_) => EndKind::Address,
            Self::Log(fault) | Self::Run(RunError::Log(fault)) => match fault {
                LogError::Damaged { .. } => EndKind::LogChanged,
                LogError::Locked(_) => EndKind::Busy,
                LogError::TooLarge(_) | LogError::Disk { .. } => EndKind::Disk,
            },
            Self::Conflict { .. } | Self::Run(RunError::Conflict(_)) => EndKind::Conflict,
            Self::Run(RunError::Unsupported { .. }) => EndKind::Unsupported,
            Self::Run(RunError::Refused { .. }) => EndKind::Refused,
            Self::Run(RunError::GaveUp { .. }) => EndKind::Unreachable,
            Self::Run(RunError::Silent { .. }) => EndKind::Silent,
            Self::NoAnswer(answer) if answer.is_temporary => EndKind::Unreachable,
            Self::NoAnswer(_) => EndKind::Refused,
            Self::OtherPlan(_) => EndKind::OtherPlan,
        }
    }
}

impl From<Fault> for Ended {
    fn from(fault: Fault) -> Self {
        Self { kind: fault.kind(), what: fault.to_string() }
    }
}

/// Whether a path is a plan, or a folder with one in it.
#[must_use]
pub fn names_plan(path: &Path) -> bool {
    use std::io::Read as _;
    if path.is_dir() {
        return path.join(PLAN).is_file();
    }
    if path.file_name().is_some_and(|name| name == PLAN) {
        return true;
    }
    if path.extension().is_none_or(|ending| ending != "json") {
        return false;
    }
    let mut head = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(SNIFFED as u64).read_to_end(&mut head));
    let wanted = plan::FORMAT.as_bytes();
    read.is_ok() && head.windows(wanted.len()).any(|window| window == wanted)
}

/// Reads a plan, or `plan.json` in a folder, and looks what its log holds. Without `folder` the log lies beside a plan that
/// has one there, else in a folder named after the plan.
pub fn open(path: &Path, folder: Option<PathBuf>) -> Outcome {
    let path = if path.is_dir() { path.join(PLAN) } else { path.to_owned() };
    let read = || -> Result<_, String> {
        let bytes = io::read(&path, PLAN_BYTES).map_err(|e| e.to_string())?;
        let plan = plan::read(&path.display().to_string(), &bytes).map_err(|e| e.to_string())?;
        Ok((plan, bytes))
    };
    let (plan, bytes) = match read() {
        Ok(read) => read,
        Err(why) => return Outcome::Acquire(Told::NotOpened(path, why)),
    };
    let beside = path.parent().map(Path::to_owned).unwrap_or_default();
    let folder = folder.unwrap_or_else(|| {
        let own = path.file_name().is_some_and(|name| name == PLAN) && beside.join(LOG).is_file();
        if own { beside } else { beside.join(io::file_stem(&plan.id)) }
    });
    let key = match &plan.endpoint.api_key_env {
        None => KeyStanding::None,
        Some(name) => match Secret::from_env(name) {
            Ok(_) => KeyStanding::Set(name.clone()),
            Err(why) => KeyStanding::Unusable(name.clone(), why.to_string()),
        },
    };
    let place = Place { plan: Arc::new(plan), bytes: bytes.into(), folder };
    let (standing, calls) = match look(&place) {
        Ok((standing, calls)) => (Ok(standing), calls),
        Err(fault) => (Err(fault.into()), VecDeque::new()),
    };
    let Place { plan, bytes, folder } = place;
    let open =
        OpenPlan { path, folder, plan, bytes, key, standing, calls, doing: None, end: None, probe: None, replay: None };
    Outcome::Acquire(Told::Opened(Box::new(open)))
}

/// A log's records, without taking it; none where there is no log yet.
fn records(place: &Place) -> Result<(Vec<Entry>, usize), Fault> {
    let copy = place.folder.join(PLAN);
    if io::exists(&copy) && io::read(&copy, PLAN_BYTES)? != *place.bytes {
        return Err(Fault::OtherPlan(place.folder.clone()));
    }
    let path = place.folder.join(LOG);
    if !io::exists(&path) {
        return Ok((Vec::new(), 0));
    }
    let bytes = io::read(&path, usize::try_from(LOG_BYTES).unwrap_or(usize::MAX))?;
    let damaged = |(line, what)| LogError::Damaged { path: path.clone(), line, what };
    Ok(log::read(&bytes, place.plan.digest).map_err(damaged)?)
}

fn ledger(place: &Place, entries: &[Entry]) -> Result<Ledger, Fault> {
    let path = place.folder.join(LOG);
    Ledger::new(&place.plan, entries).map_err(|fault| Fault::Conflict { path, fault })
}

fn look(place: &Place) -> Result<(Standing, VecDeque<CallRow>), Fault> {
    let (entries, torn) = records(place)?;
    let ledger = ledger(place, &entries)?;
    let last = entries.iter().rev().take(SHOWN_CALLS);
    let calls = last.map(|entry| row(&place.plan, entry.line, &entry.record)).collect();
    Ok((standing(place, &ledger, torn), calls))
}

fn standing(place: &Place, ledger: &Ledger, torn: usize) -> Standing {
    let plan = &place.plan;
    Standing {
        calls: calls::all(plan).len() as u64,
        outstanding: ledger.outstanding(plan).len() as u64,
        attempts: ledger.total(),
        torn,
        has_study: [STUDY, SCORES].iter().all(|name| io::exists(&place.folder.join(name))),
        counts: derive::study(plan, ledger).counts,
    }
}

fn client(plan: &Plan) -> Result<Client, Fault> {
    let key = plan.endpoint.api_key_env.as_deref().map(Secret::from_env).transpose()?;
    Ok(Client::new(&plan.endpoint, None, key)?)
}

/// Asks an endpoint what it can do; records nothing.
pub fn ask(place: &Place, handle: &Handle) -> Outcome {
    let found = || -> Result<Probed, Fault> {
        let plan = &place.plan;
        let client = client(plan)?;
        let report = probe::probe_watched(plan, &client, handle)?;
        let measured = report.measured.map(|measured| measured.basis);
        let differs = |basis: Basis| measured.is_some_and(|measured| measured != basis);
        let wrong = plan.channels.iter().filter(|c| differs(c.basis)).map(|c| c.id.clone()).collect();
        Ok(Probed { url: client.url().to_owned(), report, wrong })
    };
    let found = found();
    if handle.is_cancelled() {
        return Outcome::Cancelled;
    }
    Outcome::Acquire(Told::Probed(Box::new(found.map_err(Ended::from))))
}

/// Scores what is outstanding; every call is handed out as soon as it is on the disk.
pub fn acquire(place: &Place, handle: &Handle) -> Outcome {
    let end = attempt(place, handle).unwrap_or_else(Ended::from);
    let now = look(place).map(|(standing, _)| standing).map_err(Ended::from);
    Outcome::Acquire(Told::Ended(end, Box::new(now)))
}

fn attempt(place: &Place, handle: &Handle) -> Result<Ended, Fault> {
    let plan = &*place.plan;
    io::make_folder(&place.folder)?;
    let copy = place.folder.join(PLAN);
    if !io::exists(&copy) {
        io::write_atomic(&copy, &place.bytes)?;
    } else if io::read(&copy, PLAN_BYTES)? != *place.bytes {
        return Err(Fault::OtherPlan(place.folder.clone()));
    }
    let (mut log, entries, torn) = Log::open(&place.folder.join(LOG), plan.digest)?;
    let mut ledger = ledger(place, &entries)?;
    drop(entries);
    let is_answered = ledger.outstanding(plan).is_empty();
    let summary = if is_answered {
        Summary { end: End::Complete, attempts: 0, answered: 0, elapsed: Duration::ZERO, probe: None }
    } else {
        let client = client(plan)?;
        let told = |line: usize, record: &Record| handle.part(Outcome::Acquire(Told::Call(row(plan, line, record))));
        run::run_told(plan, &mut log, &mut ledger, &client, u64::MAX, handle, &told)?
    };
    if summary.end == End::Complete {
        let study = derive::study(plan, &ledger);
        io::write_atomic(&place.folder.join(STUDY), &study.study)?;
        io::write_atomic(&place.folder.join(SCORES), &study.scores)?;
    }
    let seconds = summary.elapsed.as_secs_f64();
    let mut what = format!("{} attempts, {} answers in {seconds:.0} s.", summary.attempts, summary.answered);
    let open = ledger.outstanding(plan).len();
    let kind = match summary.end {
        End::Complete if is_answered => EndKind::Already,
        End::Complete => EndKind::Complete,
        End::Capped => EndKind::Capped,
        End::Interrupted => EndKind::Stopped,
    };
    match kind {
        EndKind::Already => what = format!("Nothing was asked. {STUDY} and {SCORES} are derived from the log."),
        EndKind::Complete => what.push_str(&format!(" {STUDY} and {SCORES} are written.")),
        EndKind::Capped => what.push_str(&format!(
            " The plan allows {} attempts over all runs; {open} calls are outstanding.",
            plan.max_calls
        )),
        _ => what.push_str(&format!(" {open} calls are outstanding.")),
    }
    if torn > 0 {
        what.push_str(&format!(" An unfinished last line of {torn} bytes was moved to {LOG}.torn."));
    }
    Ok(Ended { kind, what })
}

/// Derives the study again from the log and compares it with the one that lies there.
pub fn replay(place: &Place) -> Outcome {
    let compare = || -> Result<Replayed, Fault> {
        let (entries, _) = records(place)?;
        let ledger = ledger(place, &entries)?;
        let study = derive::study(&place.plan, &ledger);
        let mut files = Vec::new();
        for (name, derived) in [(STUDY, &study.study), (SCORES, &study.scores)] {
            let path = place.folder.join(name);
            let there = io::exists(&path);
            let differs = if there { first_difference(&io::read(&path, usize::MAX >> 1)?, derived) } else { Some(0) };
            files.push((name, differs));
        }
        let outstanding = ledger.outstanding(&place.plan).len() as u64;
        Ok(Replayed { records: entries.len(), outstanding, files })
    };
    Outcome::Acquire(Told::Replayed(compare().map_err(Ended::from)))
}

/// The line, from 1, in which two texts first differ.
fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    let at = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    (at < a.len().max(b.len())).then(|| 1 + a[..at].iter().filter(|&&byte| byte == b'\n').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_of_a_run_is_an_end_of_its_own() {
        let (url, cell, what, why) = (String::new(), String::new(), String::new(), String::new());
        let ends = [
            RunError::Unsupported { url: url.clone(), why: why.clone() },
            RunError::Refused { url: url.clone(), cell: cell.clone(), what: what.clone() },
            RunError::GaveUp { url, cell: cell.clone(), attempts: 8, what },
            RunError::Silent { why },
            RunError::Conflict(Conflict::Unknown { line: 1, cell }),
            RunError::Log(LogError::Locked(PathBuf::new())),
        ];
        let kinds: Vec<&str> = ends.into_iter().map(|end| Fault::Run(end).kind().title()).collect();
        for (i, kind) in kinds.iter().enumerate() {
            assert!(!kinds[..i].contains(kind), "{kind}");
        }
    }

    #[test]
    fn the_first_line_that_differs_is_told() {
        assert_eq!(first_difference(b"a\nb\n", b"a\nb\n"), None);
        assert_eq!(first_difference(b"a\nb\n", b"a\nc\n"), Some(2));
        assert_eq!(first_difference(b"a\n", b"a\nb\n"), Some(2));
    }
}
