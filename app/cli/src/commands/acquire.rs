//! `decidendi acquire run|probe|replay`.

use std::cell::RefCell;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use decidendi_acquire::client::{Client, ClientError};
use decidendi_acquire::derive::{self, Study};
use decidendi_acquire::ledger::{Conflict, Ledger};
use decidendi_acquire::log::{self, LOG_BYTES, Log, LogError};
use decidendi_acquire::plan::{self, PLAN_BYTES, Plan, PlanError};
use decidendi_acquire::probe::{self, NoAnswer, Report};
use decidendi_acquire::run::{self, End, RunError, Summary};
use decidendi_acquire::secret::{Secret, SecretError};
use decidendi_core::report::json_line;
use decidendi_core::seal::json::Json;
use decidendi_core::watch::Watch;

use crate::args::acquire::{Acquire, AcquireCommand, AcquireProbe, AcquireReplay, AcquireRun};
use crate::exit::Exit;
use crate::io::{self, IoError, Kind};
use crate::print::{self, Out};
use crate::progress;

const PLAN: &str = "plan.json";
const LOG: &str = "log.jsonl";
const STUDY: &str = "study.json";
const SCORES: &str = "scores.jsonl";

pub fn run(args: &Acquire) -> Exit {
    progress::listen();
    let done = match &args.command {
        AcquireCommand::Run(args) => acquire(args),
        AcquireCommand::Probe(args) => ask(args),
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

fn ask(args: &AcquireProbe) -> Result<Exit, Fault> {
    let (plan, _) = read_plan(&args.plan)?;
    let client = client(&plan, args.url.as_deref())?;
    let report = probe::probe(&plan, &client)?;
    let declared = plan.channels.iter().map(|channel| (channel.id.as_str(), channel.basis));
    let measured = report.measured.map(|measured| measured.basis);
    let wrong: Vec<&str> =
        declared.filter(|(_, basis)| measured.is_some_and(|m| m != *basis)).map(|(id, _)| id).collect();
    let unknown = measured.is_none_or(|basis| basis == plan::Basis::Unknown);
    let exit = if report.answer.is_unsupported() {
        Exit::Failed
    } else if unknown {
        Exit::Inconclusive
    } else if wrong.is_empty() {
        Exit::Holds
    } else {
        Exit::Failed
    };
    let mut out = Out::default();
    if args.json {
        out.line(&json_line(&probe_json(&client, &report, &wrong)));
        return Ok(out.finish(exit));
    }
    out.line(&format!("endpoint   {}", client.url()));
    out.line(&format!("model      {}", report.answer.model.as_deref().unwrap_or("(not said)")));
    for (i, name) in report.labels.iter().enumerate() {
        let rank =
            report.answer.ranks.get(i).copied().flatten().map_or(String::new(), |rank| format!("  rank {}", rank + 1));
        match report.answer.labels.get(i) {
            Some(Ok(value)) => out.line(&format!("label {name:<4} {value:.6}{rank}")),
            Some(Err(missing)) => out.line(&format!("label {name:<4} missing: {missing}{rank}")),
            None => {}
        }
    }
    for flag in &report.answer.flags {
        out.line(&format!("odd        {flag}"));
    }
    match report.measured {
        Some(m) => out.line(&format!(
            "basis      {} (slope {:.6} between temperatures {} and {}, {:.6} unexplained, {} scores)",
            m.basis.word(),
            m.slope,
            probe::TEMPERATURES[0],
            probe::TEMPERATURES[1],
            m.residual,
            m.points
        )),
        None => out.line("basis      not measured: labels are missing"),
    }
    if !wrong.is_empty() {
        out.line(&format!("the plan declares another basis for: {}", wrong.join(", ")));
    }
    Ok(out.finish(exit))
}

fn probe_json(client: &Client, report: &Report, wrong: &[&str]) -> Json {
    let label = |(i, name): (usize, &String)| {
        let mut entries = vec![("label", Json::text(name))];
        match report.answer.labels.get(i) {
            Some(Ok(value)) => entries.push(("logprob", Json::Float(*value))),
            Some(Err(missing)) => entries.push(("missing", Json::text(missing.to_string()))),
            None => {}
        }
        if let Some(rank) = report.answer.ranks.get(i).copied().flatten() {
            entries.push(("rank", count(rank as u64 + 1)));
        }
        Json::map(entries)
    };
    let measured = report.measured.map_or(Json::Null, |m| {
        Json::map([
            ("basis", Json::text(m.basis.word())),
            ("slope", Json::Float(m.slope)),
            ("residual", Json::Float(m.residual)),
            ("temperatures", Json::List(probe::TEMPERATURES.iter().map(|t| Json::Float(*t)).collect())),
            ("scores", count(m.points as u64)),
        ])
    });
    Json::map([
        ("url", Json::text(client.url())),
        ("model", report.answer.model.as_ref().map_or(Json::Null, Json::text)),
        ("fingerprint", report.answer.fingerprint.as_ref().map_or(Json::Null, Json::text)),
        ("logprobs", Json::Bool(!report.answer.is_unsupported())),
        ("labels", Json::List(report.labels.iter().enumerate().map(label).collect())),
        ("flags", Json::List(report.answer.flags.iter().map(|flag| Json::text(flag.to_string())).collect())),
        ("measured", measured),
        ("declared_otherwise", Json::List(wrong.iter().map(|id| Json::text(*id)).collect())),
    ])
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

fn count(n: u64) -> Json {
    Json::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

fn counts(plan: &Plan, ledger: &Ledger, study: &Study) -> Vec<(&'static str, Json)> {
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

fn tell(out: &mut Out, plan: &Plan, ledger: &Ledger, study: &Study) {
    let c = &study.counts;
    out.line(&format!("cells: {} of {} complete, {} outstanding", c.complete, c.cells, c.outstanding));
    for (what, n) in &c.missing {
        out.line(&format!("missing labels: {n}, {what}"));
    }
    for (what, n) in &c.flags {
        out.line(&format!("odd: {n} answers, {what}"));
    }
    for (model, n) in c.models.iter().filter(|(model, _)| **model != plan.endpoint.model) {
        out.line(&format!("odd: {n} answers name another model than asked for, {model}"));
    }
    for (channel, n, mean) in derive::margins(plan, ledger) {
        let mean = mean.map_or("none".to_owned(), |mean| format!("{mean:.4}"));
        out.line(&format!("mean margin of the target, {channel}: {mean} over {n} complete states"));
    }
}

/// Count, rate and what is left on the terminal; looks for Ctrl-C.
struct Meter {
    started: Instant,
    first: RefCell<Option<u64>>,
    drawn: RefCell<Option<Instant>>,
    is_watched: bool,
}

impl Meter {
    fn new() -> Self {
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
