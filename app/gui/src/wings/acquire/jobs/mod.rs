//! Acquisition: reading a plan and its log, probing, running, replaying. The only jobs that may speak to a network.

mod row;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use decidendi_acquire::ledger::Ledger;
use decidendi_acquire::log::LogError;
use decidendi_acquire::plan::{self, Plan};
use decidendi_acquire::probe::Outlook;
use decidendi_acquire::record::Record;
use decidendi_acquire::run::{self, Again, Ears, End, RunError, Summary, counted};
use decidendi_acquire::secret::Secret;
use decidendi_acquire::{calls, derive, probe};
use decidendi_files::acquisition::{self, Fault, Held, LOG, PLAN, Planned, SCORES, STUDY, Taken};
use decidendi_files::{io, look, names};

use super::state::{CALLS, CallRow, EndKind, Ended, KeyStanding, OpenPlan, Probed, Replayed, Standing};
use crate::desk::jobs::{Answer, Handle};
use crate::shared::stamp::Stamp;
use crate::wings::acquire::answer::AcquireAnswer;
use row::row;

/// So much of a file is looked at to tell whether it is a plan.
const SNIFFED: usize = 64 << 10;

/// A whole small plan: two states, two views, four layouts, an endpoint on this machine.
pub const EXAMPLE: &str = include_str!("../../../../../../assets/example-plan.json");
/// The file that it is written to.
pub const EXAMPLE_FILE: &str = "example-plan.json";

/// What a run or a replay works on.
#[derive(Debug, Clone)]
pub struct Place {
    /// The plan.
    pub plan: Arc<Plan>,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// Its file.
    pub path: PathBuf,
    /// The folder of the log.
    pub folder: PathBuf,
}

const fn kind(fault: &Fault) -> EndKind {
    match fault {
        Fault::Io(_) | Fault::Plan(_) | Fault::Wrong(_) => EndKind::Disk,
        Fault::Secret(_) => EndKind::NoKey,
        Fault::Client(_) => EndKind::Address,
        Fault::Log(fault) | Fault::Run(RunError::Log(fault)) => match fault {
            LogError::Damaged { .. } | LogError::Converted(_) => EndKind::LogChanged,
            LogError::Locked(_) => EndKind::Busy,
            LogError::TooLarge(_) | LogError::NoFile(_) | LogError::Link(_) | LogError::Disk { .. } => EndKind::Disk,
        },
        Fault::Conflict { .. } | Fault::Run(RunError::Conflict(_)) => EndKind::Conflict,
        Fault::Run(RunError::Unsupported { .. }) => EndKind::Unsupported,
        Fault::Run(RunError::Refused { .. }) => EndKind::Refused,
        Fault::Run(RunError::GaveUp { .. }) => EndKind::Unreachable,
        Fault::Run(RunError::Silent { .. }) => EndKind::Silent,
        Fault::Run(RunError::Later { .. }) => EndKind::Later,
        Fault::NoAnswer(answer) => match answer.outlook {
            Outlook::Open(_) | Outlook::After(_) => EndKind::Unanswered,
            Outlook::Foreign => EndKind::Unsupported,
            Outlook::Refused => EndKind::Refused,
        },
        Fault::OtherPlan(_) => EndKind::OtherPlan,
    }
}

impl From<Fault> for Ended {
    fn from(fault: Fault) -> Self {
        Self { kind: kind(&fault), what: fault.to_string() }
    }
}

/// Whether a path is a plan, or a folder with one in it.
#[must_use]
pub fn names_plan(path: &Path) -> bool {
    if look::is_folder(path) {
        return look::is_file(&path.join(PLAN));
    }
    if path.file_name().is_some_and(|name| name == PLAN) {
        return true;
    }
    // Opening what is no file, a pipe for one, can wait for ever.
    if path.extension().is_none_or(|ending| ending != "json") || !look::is_file(path) {
        return false;
    }
    let wanted = plan::FORMAT.as_bytes();
    io::read_start(path, SNIFFED).is_ok_and(|head| head.windows(wanted.len()).any(|window| window == wanted))
}

/// Reads a plan, or the last one kept in a folder, and looks what its log holds. Without `folder` the log lies beside a plan
/// that has one there, else in a folder named after the plan.
pub fn open(path: &Path, folder: Option<PathBuf>) -> Answer {
    let Planned { path, bytes, plan } = match acquisition::read_plan(path) {
        Ok(planned) => planned,
        Err(why) => return AcquireAnswer::NotOpened(path.to_owned(), why.to_string()).into(),
    };
    let beside = path.parent().map(Path::to_owned).unwrap_or_default();
    let folder = folder.unwrap_or_else(|| {
        let own = io::exists(&beside.join(LOG)) && io::exists(&beside.join(PLAN));
        if own { beside } else { beside.join(names::file_stem(&plan.id)) }
    });
    let key = match &plan.endpoint.api_key_env {
        None => KeyStanding::None,
        Some(name) => match Secret::from_env(name) {
            Ok(_) => KeyStanding::Set(name.clone()),
            Err(why) => KeyStanding::Unusable(name.clone(), why.to_string()),
        },
    };
    // Before the log is read: what changes meanwhile is then found later.
    let stamp = stamp(&path, &folder);
    let place = Place { plan: Arc::new(plan), bytes: bytes.into(), path, folder };
    let (standing, calls) = match held(&place) {
        Ok((standing, calls)) => (Ok(standing), calls),
        Err(fault) => (Err(fault.into()), VecDeque::new()),
    };
    let Place { plan, bytes, path, folder } = place;
    let open = OpenPlan {
        path,
        folder,
        plan,
        bytes,
        stamp,
        key,
        standing,
        calls,
        doing: None,
        again: None,
        end: None,
        probe: None,
        replay: None,
    };
    AcquireAnswer::Opened(Box::new(open)).into()
}

/// Writes the example plan into a folder that may not be there yet. A file of its name stays as it is.
pub fn example(folder: &Path) -> Answer {
    let path = folder.join(EXAMPLE_FILE);
    let written = io::make_folder(folder).and_then(|()| io::write_new(&path, EXAMPLE.as_bytes(), io::Access::Shared));
    match written {
        Ok(()) => AcquireAnswer::Example(path).into(),
        Err(why) => Answer::Failed(format!("The example plan was not written: {why}")),
    }
}

fn stamp(plan: &Path, folder: &Path) -> Stamp {
    Stamp::of([plan, folder.join(LOG).as_path()])
}

fn held(place: &Place) -> Result<(Standing, VecDeque<CallRow>), Fault> {
    let Held { entries, ledger, torn } = acquisition::look(&place.folder, &place.plan, &place.bytes)?;
    let last = entries.iter().rev().take(CALLS);
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
        has_study: acquisition::has_study(&place.folder),
        counts: derive::study(plan, ledger).counts,
    }
}

/// Asks an endpoint what it can do; records nothing.
pub fn ask(place: &Place, handle: &Handle) -> Answer {
    let found = || -> Result<Probed, Fault> {
        let plan = &place.plan;
        let client = acquisition::client(plan, None)?;
        let report = probe::probe_watched(plan, &client, handle)?;
        let declared = report.beside(plan);
        Ok(Probed { url: client.url().to_owned(), report, declared })
    };
    let found = found();
    if handle.is_cancelled() {
        return Answer::Cancelled;
    }
    AcquireAnswer::Probed(Box::new(found.map_err(Ended::from))).into()
}

/// Scores what is outstanding; every call is handed out as soon as it is on the disk.
pub fn acquire(place: &Place, handle: &Handle) -> Answer {
    let end = attempt(place, handle).unwrap_or_else(Ended::from);
    let stamp = stamp(&place.path, &place.folder);
    let now = held(place).map(|(standing, _)| standing).map_err(Ended::from);
    AcquireAnswer::Ended(end, Box::new((now, stamp))).into()
}

fn attempt(place: &Place, handle: &Handle) -> Result<Ended, Fault> {
    let plan = &*place.plan;
    let Taken { mut log, mut ledger, torn, .. } = acquisition::take_up(&place.folder, plan, &place.bytes)?;
    let last_failure = RefCell::new(None);
    let is_answered = ledger.outstanding(plan).is_empty();
    let summary = if is_answered {
        Summary { end: End::Complete, attempts: 0, answered: 0, elapsed: Duration::ZERO, probe: None }
    } else {
        let client = acquisition::client(plan, None)?;
        let recorded = |line: usize, record: &Record| {
            let row = row(plan, line, record);
            if row.failure.is_some() {
                last_failure.replace(row.failure.clone());
            }
            handle.part(AcquireAnswer::Call(row).into());
        };
        let again = |again: &Again| handle.part(AcquireAnswer::Again(again.clone()).into());
        let ears = Ears { recorded: &recorded, again: &again };
        run::run_heard(plan, &mut log, &mut ledger, &client, u64::MAX, handle, ears)?
    };
    if summary.end == End::Complete {
        let study = derive::study(plan, &ledger);
        acquisition::write_study(&place.folder, &study)?;
    }
    let seconds = summary.elapsed.as_secs_f64();
    let (attempts, answers) = (counted(summary.attempts, "attempt"), counted(summary.answered, "answer"));
    let last = last_failure.into_inner().map_or_else(String::new, |last| format!("; the last failure: {last}"));
    let mut what = format!("{attempts}, {answers} in {seconds:.0} s{last}.");
    let open = counted(ledger.outstanding(plan).len() as u64, "call");
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
            " The plan allows {} over all runs, probes and failed ones included; {open} outstanding.",
            counted(plan.max_calls, "attempt")
        )),
        _ => what.push_str(&format!(" {open} outstanding.")),
    }
    if torn > 0 {
        what.push_str(&format!(
            " An unfinished last line of {} was moved to {LOG}.torn.",
            counted(torn as u64, "byte")
        ));
    }
    Ok(Ended { kind, what })
}

/// Derives the study again from the log and compares it with the one that lies there.
pub fn replay(place: &Place) -> Answer {
    let compare = || -> Result<Replayed, Fault> {
        let Held { entries, ledger, .. } = acquisition::look(&place.folder, &place.plan, &place.bytes)?;
        let study = derive::study(&place.plan, &ledger);
        let files = acquisition::compare(&place.folder, &study)?;
        let outstanding = ledger.outstanding(&place.plan).len() as u64;
        Ok(Replayed { records: entries.len(), outstanding, files, complete: study.counts.complete })
    };
    AcquireAnswer::Replayed(compare().map_err(Ended::from)).into()
}

#[cfg(test)]
mod tests {
    use decidendi_acquire::ledger::Conflict;

    use super::*;

    #[test]
    fn every_fault_of_a_run_is_an_end_of_its_own() {
        let (url, cell, what, why) = (String::new(), String::new(), String::new(), String::new());
        let ends = [
            RunError::Unsupported { url: url.clone(), why: why.clone() },
            RunError::Refused { url: url.clone(), cell: cell.clone(), what: what.clone() },
            RunError::GaveUp { url, cell: cell.clone(), attempts: 8, what, is_there: false },
            RunError::Silent { why },
            RunError::Conflict(Conflict::Unknown { line: 1, cell }),
            RunError::Log(LogError::Locked(PathBuf::new())),
        ];
        let kinds: Vec<&str> = ends.into_iter().map(|end| kind(&Fault::Run(end)).title()).collect();
        for (i, kind) in kinds.iter().enumerate() {
            assert!(!kinds[..i].contains(kind), "{kind}");
        }
    }
}
