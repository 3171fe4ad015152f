//! `decidendi acquire run|probe|replay`.

mod probe;
mod tell;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use decidendi_acquire::client::{Client, ClientError};
use decidendi_acquire::derive;
use decidendi_acquire::ledger::{Conflict, Ledger};
use decidendi_acquire::log::{self, LOG_BYTES, Log, LogError};
use decidendi_acquire::plan::{self, PLAN_BYTES, Plan, PlanError};
use decidendi_acquire::probe::NoAnswer;
use decidendi_acquire::record::Record;
use decidendi_acquire::retry::ATTEMPTS;
use decidendi_acquire::run::{self, Again, Ears, End, RunError, Summary, counted};
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
    #[error(
        "{}: holds the acquisition of another plan, and they differ in more than `limits`, `url`, `timeout_s` and `api_key_env`; \
             name another folder",
        .0.display()
    )]
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
    let mut first = plan.digest;
    if !io::exists(&copy) {
        io::write_atomic(&copy, &bytes)?;
    } else {
        let held = io::read(&copy, PLAN_BYTES)?;
        if held != bytes {
            let held = plan::read(&copy.display().to_string(), &held)?;
            if !held.asks_as(&plan) {
                return Err(Fault::OtherPlan(args.out.clone()));
            }
            first = held.digest;
        }
    }
    let path = args.out.join(LOG);
    let (mut log, entries, torn) = Log::open(&path, first)?;
    if torn > 0 {
        print::message(&format!(
            "note: {}: an unfinished last line of {} was moved to {LOG}.torn",
            path.display(),
            counted(torn as u64, "byte")
        ));
    }
    let mut ledger = Ledger::new(&plan, &entries).map_err(|fault| Fault::Conflict { path, fault })?;
    drop(entries);
    keep_plan(&args.out, &bytes)?;
    let (before, failures) = (ledger.total(), RefCell::new((0, None)));
    let most = args.max_calls.unwrap_or(u64::MAX);
    let summary = if ledger.outstanding(&plan).is_empty() {
        Summary { end: End::Complete, attempts: 0, answered: 0, elapsed: Duration::ZERO, probe: None }
    } else {
        let client = client(&plan, args.url.as_deref())?;
        let meter = Meter::new();
        let recorded = |_, record: &Record| {
            if !record.is_answer() {
                let mut failures = failures.borrow_mut();
                *failures = (failures.0 + 1, Some(run::told_of(record)));
            }
        };
        let ears = Ears { recorded: &recorded, again: &say_again };
        run::run_heard(&plan, &mut log, &mut ledger, &client, most, &meter, ears)?
    };
    let (failed, last) = failures.into_inner();
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
        End::Complete if study.counts.complete == 0 => Exit::Inconclusive,
        End::Complete => Exit::Holds,
        End::Capped => Exit::Inconclusive,
        End::Interrupted => Exit::Interrupted,
    };
    let mut out = Out::default();
    if args.json {
        let mut object = vec![
            ("end", Json::text(word(summary.end))),
            ("attempts", count(summary.attempts)),
            ("failed", count(failed)),
            ("last_failure", last.map_or(Json::Null, Json::text)),
            ("answered", count(summary.answered)),
            ("outstanding", count(ledger.outstanding(&plan).len() as u64)),
            ("seconds", Json::Float((summary.elapsed.as_secs_f64() * 1e3).round() / 1e3)),
        ];
        object.extend(counts(&plan, &ledger, &study));
        out.line(&json_line(&Json::map(object)));
    } else {
        let seconds = summary.elapsed.as_secs_f64();
        out.line(&format!(
            "{}: {}, {} in {seconds:.0} s",
            word(summary.end),
            counted(summary.attempts, "attempt"),
            counted(summary.answered, "answer")
        ));
        if failed > 0 {
            let last = last.unwrap_or_default();
            out.line(&format!("{} without an answer, the last: {last}", counted(failed, "attempt")));
        }
        tell(&mut out, &plan, &ledger, &study);
        match summary.end {
            End::Complete => out.line(&format!("written: {} and {SCORES} in {}", STUDY, args.out.display())),
            End::Capped if before + summary.attempts >= plan.max_calls => out.line(&format!(
                "the plan's limits.max_calls allows {} over all runs, probes and failed ones included; raise it in the plan \
                 and run again: what is answered is kept",
                counted(plan.max_calls, "attempt")
            )),
            End::Capped => out.line(&format!(
                "--max-calls allows {} a run, the probe and failed ones included; the same command takes it up again",
                counted(most, "attempt")
            )),
            End::Interrupted => out.line("the same command takes it up again"),
        }
    }
    Ok(out.finish(exit))
}

/// Keeps a plan that differs from `plan.json` in what no answer depends on: the log stays that of the first.
fn keep_plan(folder: &Path, bytes: &[u8]) -> Result<(), Fault> {
    for n in 1_u32.. {
        let path = folder.join(if n == 1 { PLAN.to_owned() } else { format!("plan-{n}.json") });
        if !io::exists(&path) {
            io::write_atomic(&path, bytes)?;
            let name = path.display();
            print::message(&format!("note: {name}: this plan asks for the same as {PLAN}, so the log goes on"));
            return Ok(());
        }
        if io::read(&path, PLAN_BYTES)? == bytes {
            return Ok(());
        }
    }
    Ok(())
}

fn say_again(again: &Again) {
    let Again { call, attempt, what, wait } = again;
    let what: String = what.chars().take(120).collect();
    let (next, wait) = (attempt + 1, wait.as_secs_f64());
    print::message(&format!("{call}: {what}; attempt {next} of {ATTEMPTS} follows in {wait:.1} s"));
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
    let (mut files, mut has_more) = (Vec::new(), false);
    for (name, derived) in [(STUDY, &study.study), (SCORES, &study.scores)] {
        let path = args.dir.join(name);
        let mut held = None;
        if io::exists(&path) {
            held = Some(io::read(&path, usize::MAX >> 1)?);
        }
        let differs = held.as_ref().map_or(Some(0), |held| first_difference(held, derived));
        has_more |= held.is_some_and(|held| lines(&held) > lines(derived));
        files.push((name, differs));
    }
    let is_same = files.iter().all(|(_, differs)| differs.is_none());
    // While calls are outstanding no study is written: one that lies there and says otherwise had another log.
    let contradicts = files.iter().any(|(_, differs)| differs.is_some_and(|line| line > 0));
    let is_empty = study.counts.complete == 0;
    let exit = match (open, is_same) {
        (0, true) if is_empty => Exit::Inconclusive,
        (0, true) => Exit::Holds,
        (0, false) => Exit::Failed,
        _ if contradicts => Exit::Failed,
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
                    _ if open == 0 => "empty",
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
    let records = counted(entries.len() as u64, "record");
    out.line(&format!("{records}, every line bound to the one before, the first to the plan"));
    if torn > 0 {
        out.line(&format!("an unfinished last line of {} is passed over", counted(torn as u64, "byte")));
    }
    tell(&mut out, &plan, &ledger, &study);
    if open > 0 {
        let are = format!("{} {} outstanding", counted(open as u64, "call"), if open == 1 { "is" } else { "are" });
        out.line(&if has_more {
            format!("{are}, but the study that lies here holds more than the log gives: the log lost lines, or it is another")
        } else if contradicts {
            format!("{are}, but a study lies here, and it is not what the log gives")
        } else {
            format!("{are}, so there is no study yet; `decidendi acquire run` takes it up")
        });
    }
    if open == 0 || contradicts {
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

fn lines(text: &[u8]) -> usize {
    text.split(|&byte| byte == b'\n').count()
}

const fn word(end: End) -> &'static str {
    match end {
        End::Complete => "complete",
        End::Capped => "stopped at the cap on calls",
        End::Interrupted => "interrupted",
    }
}
