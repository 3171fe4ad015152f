//! `decidendi acquire run|probe|replay`.

mod probe;
mod tell;

use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

use decidendi_acquire::derive;
use decidendi_acquire::log::LogError;
use decidendi_acquire::probe::{NoAnswer, Outlook};
use decidendi_acquire::record::Record;
use decidendi_acquire::retry::ATTEMPTS;
use decidendi_acquire::run::{self, Again, Ears, End, RunError, Summary, counted};
use decidendi_core::report::json_line;
use decidendi_core::seal::json::Json;
use decidendi_core::seal::line_ends::CONVERTED;
use decidendi_files::acquisition::{self, Compared, Fault, Held, LOG, PLAN, Planned, SCORES, STUDY, Taken};

use crate::args::acquire::{Acquire, AcquireCommand, AcquireReplay, AcquireRun};
use crate::exit::Exit;
use crate::print::{self, Out};
use crate::progress;

use tell::{Meter, count, counts, tell};

pub fn run(args: &Acquire) -> Exit {
    progress::listen();
    let done = match &args.command {
        AcquireCommand::Run(args) => acquire(args),
        AcquireCommand::Probe(args) => probe::ask(args),
        AcquireCommand::Replay(args) => replay(args),
    };
    done.unwrap_or_else(|fault| {
        print::disk_error(&fault, if let Fault::Io(cause) = &fault { Some(cause) } else { None });
        exit_of(&fault)
    })
}

/// 1 is a check that failed, 2 something to correct, 3 something to take up later.
const fn exit_of(fault: &Fault) -> Exit {
    match fault {
        Fault::Log(LogError::Damaged { .. } | LogError::Converted(_))
        | Fault::Run(RunError::Log(LogError::Damaged { .. }) | RunError::Conflict(_) | RunError::Unsupported { .. })
        | Fault::Conflict { .. }
        | Fault::NoAnswer(NoAnswer { outlook: Outlook::Foreign, .. }) => Exit::Failed,
        Fault::Run(RunError::GaveUp { .. } | RunError::Later { .. } | RunError::Silent { .. })
        | Fault::NoAnswer(NoAnswer { outlook: Outlook::Open(_) | Outlook::After(_), .. }) => Exit::Inconclusive,
        _ => Exit::BadInput,
    }
}

/// Reads a plan and tells what was passed over in it.
fn read_plan(path: &Path) -> Result<Planned, Fault> {
    let planned = acquisition::read_plan(path)?;
    for notice in &planned.plan.notices {
        print::message(&format!("note: {}: {}: {}", planned.path.display(), notice.path, notice.text));
    }
    Ok(planned)
}

fn acquire(args: &AcquireRun) -> Result<Exit, Fault> {
    let Planned { plan, bytes, .. } = read_plan(&args.plan)?;
    if !args.force {
        acquisition::see_free(&args.out, &plan, &bytes)?;
    }
    let Taken { mut log, mut ledger, torn, kept } = acquisition::take_up(&args.out, &plan, &bytes)?;
    if torn > 0 {
        print::message(&format!(
            "note: {}: an unfinished last line of {} was moved to {LOG}.torn",
            args.out.join(LOG).display(),
            counted(torn as u64, "byte")
        ));
    }
    if let Some(kept) = kept {
        let name = kept.display();
        print::message(&format!("note: {name}: this plan asks for the same as {PLAN}, so the log goes on"));
    }
    let (before, failures) = (ledger.total(), RefCell::new((0, None)));
    let most = args.max_calls.unwrap_or(u64::MAX);
    let summary = if ledger.outstanding(&plan).is_empty() {
        Summary { end: End::Complete, attempts: 0, answered: 0, elapsed: Duration::ZERO, probe: None }
    } else {
        let client = acquisition::client(&plan, args.url.as_deref())?;
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
        acquisition::write_study(&args.out, &study)?;
    }
    let exit = match summary.end {
        End::Complete if study.counts.complete == 0 => Exit::Inconclusive,
        End::Complete => Exit::Holds,
        End::Capped => Exit::Inconclusive,
        End::Interrupted => Exit::Interrupted,
    };
    let mut out = Out::new(args.json);
    if args.json {
        let mut object = vec![
            ("file", Json::text(args.plan.display().to_string())),
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

fn say_again(again: &Again) {
    let Again { call, attempt, what, wait } = again;
    let what: String = what.chars().take(120).collect();
    let (next, wait) = (attempt + 1, wait.as_secs_f64());
    print::message(&format!("{call}: {what}; attempt {next} of {ATTEMPTS} follows in {wait:.1} s"));
}

fn replay(args: &AcquireReplay) -> Result<Exit, Fault> {
    let Planned { plan, bytes, .. } = read_plan(&args.dir)?;
    let Held { entries, ledger, torn } = acquisition::look(&args.dir, &plan, &bytes)?;
    let study = derive::study(&plan, &ledger);
    let open = ledger.outstanding(&plan).len();
    let files = acquisition::compare(&args.dir, &study)?;
    let has_more = files.iter().any(|file| file.has_more);
    let is_same = files.iter().all(|file| file.differs.is_none());
    // While calls are outstanding no study is written: one that lies there and says otherwise had another log.
    let contradicts = files.iter().any(|file| file.differs.is_some_and(|line| line > 0));
    let is_empty = study.counts.complete == 0;
    let exit = match (open, is_same) {
        (0, true) if is_empty => Exit::Inconclusive,
        (0, true) => Exit::Holds,
        (0, false) => Exit::Failed,
        _ if contradicts => Exit::Failed,
        _ => Exit::Inconclusive,
    };
    let mut out = Out::new(args.json);
    if args.json {
        let file = |file: &Compared| {
            let mut entries = vec![("name", Json::text(file.name)), ("same", Json::Bool(file.differs.is_none()))];
            entries.extend(file.differs.map(|line| ("line", count(line as u64))));
            entries.extend(file.is_converted.then_some(("line_ends_alone", Json::Bool(true))));
            Json::map(entries)
        };
        let mut object = vec![
            ("file", Json::text(args.dir.display().to_string())),
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
        for Compared { name, differs, is_converted, .. } in &files {
            out.line(&match differs {
                Some(_) if *is_converted => format!("{name}: {CONVERTED}"),
                None => format!("{name}: the same, byte for byte"),
                Some(0) => format!("{name}: is not there; `decidendi acquire run` writes it from the log"),
                Some(line) => format!("{name}: differs from what the log gives, first in line {line}"),
            });
        }
    }
    Ok(out.finish(exit))
}

const fn word(end: End) -> &'static str {
    match end {
        End::Complete => "complete",
        End::Capped => "stopped at the cap on calls",
        End::Interrupted => "interrupted",
    }
}
