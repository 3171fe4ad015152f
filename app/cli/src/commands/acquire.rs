//! `decidendi acquire run|probe|replay`.

mod probe;
mod tell;

use std::path::{Path, PathBuf};
use std::time::Duration;

use decidendi_acquire::client::{Client, ClientError};
use decidendi_acquire::derive;
use decidendi_acquire::ledger::{Conflict, Ledger};
use decidendi_acquire::log::{self, LOG_BYTES, Log, LogError};
use decidendi_acquire::plan::{self, PLAN_BYTES, Plan, PlanError};
use decidendi_acquire::probe::NoAnswer;
use decidendi_acquire::run::{self, End, RunError, Summary};
use decidendi_acquire::secret::{Secret, SecretError};
use decidendi_core::report::json_line;
use decidendi_core::seal::json::Json;

use crate::args::acquire::{Acquire, AcquireCommand, AcquireReplay, AcquireRun};
use crate::exit::Exit;
use crate::io::{self, IoError, Kind};
use crate::print::{self, Out};
use crate::progress;

use tell::{Meter, count, counts, tell};

const PLAN: &str = "plan.json";
const LOG: &str = "log.jsonl";
const STUDY: &str = "study.json";
const SCORES: &str = "scores.jsonl";

pub fn run(args: &Acquire) -> Exit {
    progress::listen();
    let done = match &args.command {
        AcquireCommand::Run(args) => acquire(args),
        AcquireCommand::Probe(args) => probe::ask(args),
        AcquireCommand::Replay(args) => replay(args),
    };
    done.unwrap_or_else(|fault| {
        print::error(&fault);
        fault.exit()
    })
}

/// Everything that ends a command before its answer.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(transparent)]
    Io(#[from] IoError),
    #[error(transparent)]
    Plan(#[from] PlanError),
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
    /// 1 is a check that failed, 2 something to correct, 3 something to take up later.
    const fn exit(&self) -> Exit {
        match self {
            Self::Log(LogError::Damaged { .. })
            | Self::Run(
                RunError::Log(LogError::Damaged { .. }) | RunError::Conflict(_) | RunError::Unsupported { .. },
            )
            | Self::Conflict { .. } => Exit::Failed,
            Self::Run(RunError::GaveUp { .. } | RunError::Silent { .. }) => Exit::Inconclusive,
            Self::NoAnswer(answer) if answer.is_temporary => Exit::Inconclusive,
            _ => Exit::BadInput,
        }
    }
}

/// Reads a plan, or `plan.json` in a folder, and tells what was passed over in it.
fn read_plan(path: &Path) -> Result<(Plan, Vec<u8>), Fault> {
    let path = if io::kind(path)? == Kind::Folder { path.join(PLAN) } else { path.to_owned() };
    let bytes = io::read(&path, PLAN_BYTES)?;
    let name = path.display().to_string();
    let plan = plan::read(&name, &bytes)?;
    for notice in &plan.notices {
        print::message(&format!("note: {name}: {}: {}", notice.path, notice.text));
    }
    Ok((plan, bytes))
}

fn client(plan: &Plan, url: Option<&str>) -> Result<Client, Fault> {
    let key = plan.endpoint.api_key_env.as_deref().map(Secret::from_env).transpose()?;
    Ok(Client::new(&plan.endpoint, url, key)?)
}

fn acquire(args: &AcquireRun) -> Result<Exit, Fault> {
    let (plan, bytes) = read_plan(&args.plan)?;
    io::make_folder(&args.out)?;
    let copy = args.out.join(PLAN);
    if !io::exists(&copy) {
        io::write_atomic(&copy, &bytes)?;
    } else if io::read(&copy, PLAN_BYTES)? != bytes {
        return Err(Fault::OtherPlan(args.out.clone()));
    }
    let path = args.out.join(LOG);
    let (mut log, entries, torn) = Log::open(&path, plan.digest)?;
    if torn > 0 {
        print::message(&format!(
            "note: {}: an unfinished last line of {torn} bytes was moved to {LOG}.torn",
            path.display()
        ));
    }
    let mut ledger = Ledger::new(&plan, &entries).map_err(|fault| Fault::Conflict { path, fault })?;
    drop(entries);
    let summary = if ledger.outstanding(&plan).is_empty() {
        Summary { end: End::Complete, attempts: 0, answered: 0, elapsed: Duration::ZERO, probe: None }
    } else {
        let client = client(&plan, args.url.as_deref())?;
        let meter = Meter::new();
        run::run(&plan, &mut log, &mut ledger, &client, args.max_calls.unwrap_or(u64::MAX), &meter)?
    };
    if let Some(seen) = summary.probe.as_ref().filter(|seen| !seen.is_complete()) {
        for missing in seen.labels.iter().filter_map(|label| label.as_ref().err()) {
            print::message(&format!("note: the probe at the start missed a label: {missing}"));
        }
    }
    let study = derive::study(&plan, &ledger);
    if summary.end == End::Complete {
        io::write_atomic(&args.out.join(STUDY), &study.study)?;
        io::write_atomic(&args.out.join(SCORES), &study.scores)?;
    }
    let exit = match summary.end {
        End::Complete => Exit::Holds,
        End::Capped => Exit::Inconclusive,
        End::Interrupted => Exit::Interrupted,
    };
    let mut out = Out::default();
    if args.json {
        let mut object = vec![
            ("end", Json::text(word(summary.end))),
            ("attempts", count(summary.attempts)),
            ("answered", count(summary.answered)),
            ("outstanding", count(ledger.outstanding(&plan).len() as u64)),
            ("seconds", Json::Float((summary.elapsed.as_secs_f64() * 1e3).round() / 1e3)),
        ];
        object.extend(counts(&plan, &ledger, &study));
        out.line(&json_line(&Json::map(object)));
    } else {
        let seconds = summary.elapsed.as_secs_f64();
        out.line(&format!(
            "{}: {} attempts, {} answers in {seconds:.0} s",
            word(summary.end),
            summary.attempts,
            summary.answered
        ));
        tell(&mut out, &plan, &ledger, &study);
        match summary.end {
            End::Complete => out.line(&format!("written: {} and {SCORES} in {}", STUDY, args.out.display())),
            _ => out.line("the same command takes it up again"),
        }
    }
    Ok(out.finish(exit))
}

fn replay(args: &AcquireReplay) -> Result<Exit, Fault> {
    let (plan, _) = read_plan(&args.dir)?;
    let path = args.dir.join(LOG);
    let bytes = io::read(&path, usize::try_from(LOG_BYTES).unwrap_or(usize::MAX))?;
    let damaged = |(line, what)| LogError::Damaged { path: path.clone(), line, what };
    let (entries, torn) = log::read(&bytes, plan.digest).map_err(damaged)?;
    let ledger = Ledger::new(&plan, &entries).map_err(|fault| Fault::Conflict { path, fault })?;
    let study = derive::study(&plan, &ledger);
    let open = ledger.outstanding(&plan).len();
    let mut files = Vec::new();
    for (name, derived) in [(STUDY, &study.study), (SCORES, &study.scores)] {
        let path = args.dir.join(name);
        let differs =
            if io::exists(&path) { first_difference(&io::read(&path, usize::MAX >> 1)?, derived) } else { Some(0) };
        files.push((name, differs));
    }
    let is_same = files.iter().all(|(_, differs)| differs.is_none());
    let exit = match (open, is_same) {
        (0, true) => Exit::Holds,
        (0, false) => Exit::Failed,
        _ => Exit::Inconclusive,
    };
    let mut out = Out::default();
    if args.json {
        let file = |(name, differs): &(&str, Option<usize>)| {
            let mut entries = vec![("name", Json::text(*name)), ("same", Json::Bool(differs.is_none()))];
            entries.extend(differs.map(|line| ("line", count(line as u64))));
            Json::map(entries)
        };
        let mut object = vec![
            (
                "verdict",
                Json::text(match exit {
                    Exit::Holds => "same",
                    Exit::Failed => "differs",
                    _ => "incomplete",
                }),
            ),
            ("records", count(entries.len() as u64)),
            ("torn", count(torn as u64)),
            ("outstanding", count(open as u64)),
            ("files", Json::List(files.iter().map(file).collect())),
        ];
        object.extend(counts(&plan, &ledger, &study));
        out.line(&json_line(&Json::map(object)));
        return Ok(out.finish(exit));
    }
    out.line(&format!("{} records, every line bound to the one before, the first to the plan", entries.len()));
    if torn > 0 {
        out.line(&format!("an unfinished last line of {torn} bytes is passed over"));
    }
    tell(&mut out, &plan, &ledger, &study);
    if open > 0 {
        out.line(&format!(
            "{open} calls are outstanding, so there is no study yet; `decidendi acquire run` takes it up"
        ));
    } else {
        for (name, differs) in &files {
            out.line(&match differs {
                None => format!("{name}: the same, byte for byte"),
                Some(0) => format!("{name}: is not there; `decidendi acquire run` writes it from the log"),
                Some(line) => format!("{name}: differs from what the log gives, first in line {line}"),
            });
        }
    }
    Ok(out.finish(exit))
}

/// The line, from 1, in which two texts first differ.
fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    let at = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    (at < a.len().max(b.len())).then(|| 1 + a[..at].iter().filter(|&&byte| byte == b'\n').count())
}

const fn word(end: End) -> &'static str {
    match end {
        End::Complete => "complete",
        End::Capped => "stopped at the cap on calls",
        End::Interrupted => "interrupted",
    }
}
