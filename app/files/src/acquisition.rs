//! The folder of an acquisition, as the command and the window both use it: copies of its plans, the log, the study.
//!
//! The first plan is kept as `plan.json`, and the log is bound to it. A later plan that asks for the same, with another cap,
//! address or patience, goes on in the same log and is kept beside the first as `plan-2.json`, `plan-3.json` and so on.

use std::path::{Path, PathBuf};

use decidendi_acquire::client::{Client, ClientError};
use decidendi_acquire::derive::{self, Study};
use decidendi_acquire::ledger::{Conflict, Ledger};
use decidendi_acquire::log::{self, Entry, LOG_BYTES, Log, LogError};
use decidendi_acquire::plan::{self, PLAN_BYTES, Plan, PlanDigest, PlanError};
use decidendi_acquire::probe::NoAnswer;
use decidendi_acquire::run::RunError;
use decidendi_acquire::secret::{Secret, SecretError};

use decidendi_core::seal::line_ends::with_line_feeds;

use crate::io::{self, IoError, Kind};
use crate::recognize::{Wanted, WrongFile};

/// The copy of the first plan.
pub const PLAN: &str = "plan.json";
/// The log.
pub const LOG: &str = "log.jsonl";
/// The study, derived from plan and log.
pub const STUDY: &str = "study.json";
/// Its scores, derived from the log.
pub const SCORES: &str = "scores.jsonl";

/// Everything that ends work on an acquisition before its answer.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A file.
    #[error(transparent)]
    Io(#[from] IoError),
    /// The plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Another kind of file in place of the plan.
    #[error(transparent)]
    Wrong(#[from] WrongFile),
    /// The key.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The address.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The log does not fit the plan.
    #[error("{}: {fault}", .path.display())]
    Conflict {
        /// The log.
        path: PathBuf,
        /// What does not fit.
        fault: Conflict,
    },
    /// A run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A probe.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// The folder has another plan.
    #[error(
        "{}: holds the acquisition of another plan, and they differ in more than `limits`, `url`, `timeout_s` and `api_key_env`; \
         name another folder",
        .0.display()
    )]
    OtherPlan(PathBuf),
}

/// A plan with its bytes and the file it was read from.
#[derive(Debug)]
pub struct Planned {
    /// The file.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The plan.
    pub plan: Plan,
}

/// Reads a plan, or the last one kept in a folder.
///
/// # Errors
/// The file or the plan.
pub fn read_plan(path: &Path) -> Result<Planned, Fault> {
    let path = if io::kind(path)? == Kind::Folder { last_plan(path) } else { path.to_owned() };
    let bytes = io::read(&path, PLAN_BYTES)?;
    let plan = plan::read(&path.display().to_string(), &bytes)
        .map_err(|error| WrongFile::of(&path, &bytes, Wanted::Plan).map_or_else(|| Fault::from(error), Into::into))?;
    Ok(Planned { path, bytes, plan })
}

fn nth_plan(folder: &Path, n: u32) -> PathBuf {
    folder.join(if n == 1 { PLAN.to_owned() } else { format!("plan-{n}.json") })
}

fn last_plan(folder: &Path) -> PathBuf {
    let mut n = 1;
    while io::exists(&nth_plan(folder, n + 1)) {
        n += 1;
    }
    nth_plan(folder, n)
}

/// A client with the plan's key, for the plan's address or another one.
///
/// # Errors
/// The key or the address.
pub fn client(plan: &Plan, url: Option<&str>) -> Result<Client, Fault> {
    let key = plan.endpoint.api_key_env.as_deref().map(Secret::from_env).transpose()?;
    Ok(Client::new(&plan.endpoint, url, key)?)
}

/// A log that was taken up: nobody else writes it until this is dropped.
#[derive(Debug)]
pub struct Taken {
    /// The log.
    pub log: Log,
    /// What it holds.
    pub ledger: Ledger,
    /// Bytes of an unfinished last line, moved to `log.jsonl.torn`.
    pub torn: usize,
    /// Where the plan was kept, if it is a new one that goes on in a log begun with another.
    pub kept: Option<PathBuf>,
}

/// Takes the log of a folder up, or begins one; keeps the plan.
///
/// # Errors
/// A folder of another plan, a log in use, damaged or at odds with the plan, the disk.
pub fn take_up(folder: &Path, plan: &Plan, bytes: &[u8]) -> Result<Taken, Fault> {
    io::make_folder(folder)?;
    let first = match first_digest(folder, plan, bytes)? {
        Some(first) => first,
        None => {
            io::write_atomic(&nth_plan(folder, 1), bytes)?;
            plan.digest
        }
    };
    let path = folder.join(LOG);
    let (log, entries, torn) = Log::open(&path, first).map_err(|error| converted(folder).unwrap_or(error))?;
    let ledger = Ledger::new(plan, &entries).map_err(|fault| Fault::Conflict { path, fault })?;
    let kept = keep_plan(folder, bytes)?;
    Ok(Taken { log, ledger, torn, kept })
}

/// The digest of the plan that the log of a folder is bound to; `None` while the folder has no plan.
fn first_digest(folder: &Path, plan: &Plan, bytes: &[u8]) -> Result<Option<PlanDigest>, Fault> {
    let path = nth_plan(folder, 1);
    if !io::exists(&path) {
        return Ok(None);
    }
    let held = io::read(&path, PLAN_BYTES)?;
    if held == bytes {
        return Ok(Some(plan.digest));
    }
    let held = plan::read(&path.display().to_string(), &held)?;
    if held.asks_as(plan) { Ok(Some(held.digest)) } else { Err(Fault::OtherPlan(folder.to_owned())) }
}

/// Keeps a plan beside those that lie there, unless it is one of them.
fn keep_plan(folder: &Path, bytes: &[u8]) -> Result<Option<PathBuf>, Fault> {
    let mut n = 1;
    loop {
        let path = nth_plan(folder, n);
        if !io::exists(&path) {
            io::write_atomic(&path, bytes)?;
            return Ok(Some(path));
        }
        if io::read(&path, PLAN_BYTES)? == bytes {
            return Ok(None);
        }
        n += 1;
    }
}

/// What a log holds, read without taking it.
#[derive(Debug)]
pub struct Held {
    /// Its records.
    pub entries: Vec<Entry>,
    /// What they come to.
    pub ledger: Ledger,
    /// Bytes of an unfinished last line.
    pub torn: usize,
}

/// Looks what the log of a folder holds; nothing where there is none yet.
///
/// # Errors
/// A folder of another plan, a log damaged or at odds with the plan, the disk.
pub fn look(folder: &Path, plan: &Plan, bytes: &[u8]) -> Result<Held, Fault> {
    let first = first_digest(folder, plan, bytes)?.unwrap_or(plan.digest);
    let path = folder.join(LOG);
    let held =
        if io::exists(&path) { io::read(&path, usize::try_from(LOG_BYTES).unwrap_or(usize::MAX))? } else { Vec::new() };
    let damaged = |(line, what)| LogError::Damaged { path: path.clone(), line, what };
    let (entries, torn) =
        log::read(&held, first).map_err(damaged).map_err(|error| converted(folder).unwrap_or(error))?;
    let ledger = Ledger::new(plan, &entries).map_err(|fault| Fault::Conflict { path, fault })?;
    Ok(Held { entries, ledger, torn })
}

/// That a log which cannot be read is sound once the line ends of log and plan are restored; `None` if it is not.
fn converted(folder: &Path) -> Option<LogError> {
    let restored = |path: &Path, most: usize| {
        let bytes = io::read(path, most).ok()?;
        let restored = with_line_feeds(&bytes);
        Some((restored.is_some(), restored.unwrap_or(bytes)))
    };
    let (path, log_path) = (nth_plan(folder, 1), folder.join(LOG));
    let (plan_differs, plan) = restored(&path, PLAN_BYTES)?;
    let (log_differs, log) = restored(&log_path, usize::try_from(LOG_BYTES).unwrap_or(usize::MAX))?;
    let plan = plan::read(&path.display().to_string(), &plan).ok()?;
    let is_sound = (log_differs || plan_differs) && log::read(&log, plan.digest).is_ok();
    is_sound.then_some(LogError::Converted(if log_differs { log_path } else { path }))
}

/// Whether study and scores lie in a folder.
#[must_use]
pub fn has_study(folder: &Path) -> bool {
    [STUDY, SCORES].iter().all(|name| io::exists(&folder.join(name)))
}

/// Sees that no study lies in a folder but what its log gives: one of another log, or of the same log when it held more,
/// cannot be had again.
///
/// # Errors
/// [`IoError::NotOurs`], or as [`look`].
pub fn see_free(folder: &Path, plan: &Plan, bytes: &[u8]) -> Result<(), Fault> {
    let paths = [STUDY, SCORES].map(|name| folder.join(name));
    if !paths.iter().any(|path| io::exists(path)) {
        return Ok(());
    }
    let ledger = look(folder, plan, bytes)?.ledger;
    let study = derive::study(plan, &ledger);
    io::see_free(&paths[0], &study.study, |_| false)?;
    // Scores are written when no call is outstanding, so any that lie here before are not this log's.
    let scores = if ledger.outstanding(plan).is_empty() { study.scores.as_slice() } else { &[] };
    Ok(io::see_free(&paths[1], scores, |_| false)?)
}

/// Writes study and scores.
///
/// # Errors
/// The disk.
pub fn write_study(folder: &Path, study: &Study) -> Result<(), Fault> {
    io::write_atomic(&folder.join(STUDY), &study.study)?;
    Ok(io::write_atomic(&folder.join(SCORES), &study.scores)?)
}

/// A file of a study beside what the log gives for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compared {
    /// Its name.
    pub name: &'static str,
    /// The first line that differs, from 1; 0 where the file is not there; `None` where all bytes are the same.
    pub differs: Option<usize>,
    /// Whether it is longer than what the log gives.
    pub has_more: bool,
    /// Whether it is the same but for its line ends.
    pub is_converted: bool,
}

/// Compares study and scores of a folder with what its log gives.
///
/// # Errors
/// The disk.
pub fn compare(folder: &Path, study: &Study) -> Result<[Compared; 2], Fault> {
    let one = |name, derived: &[u8]| -> Result<Compared, Fault> {
        let path = folder.join(name);
        if !io::exists(&path) {
            return Ok(Compared { name, differs: Some(0), has_more: false, is_converted: false });
        }
        // A byte beyond what the log gives is a difference; what comes after it need not be read.
        let lines = derived.iter().filter(|&&byte| byte == b'\n').count();
        let held = io::read_start(&path, derived.len() + lines + 1)?;
        let is_converted = with_line_feeds(&held).is_some_and(|restored| restored == derived);
        let has_more = held.len() > derived.len() && !is_converted;
        Ok(Compared { name, differs: first_difference(&held, derived), has_more, is_converted })
    };
    Ok([one(STUDY, &study.study)?, one(SCORES, &study.scores)?])
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
    fn the_first_line_that_differs_is_told() {
        assert_eq!(first_difference(b"a\nb\n", b"a\nb\n"), None);
        assert_eq!(first_difference(b"a\nb\n", b"a\nc\n"), Some(2));
        assert_eq!(first_difference(b"a\n", b"a\nb\n"), Some(2));
    }
}
