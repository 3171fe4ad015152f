//! `decidendi acquire probe`: what an endpoint can do, told or as JSON.

use decidendi_acquire::client::Client;
use decidendi_acquire::probe::{self, Declared, Report};
use decidendi_core::report::json_line;
use decidendi_core::seal::json::Json;
use decidendi_files::acquisition::{Fault, client};

use super::read_plan;
use super::tell::count;
use crate::args::acquire::AcquireProbe;
use crate::exit::Exit;
use crate::print::{self, Out};
use crate::progress::{self, Progress};

pub(super) fn ask(args: &AcquireProbe) -> Result<Exit, Fault> {
    let plan = read_plan(&args.plan)?.plan;
    let client = client(&plan, args.url.as_deref())?;
    let watch = Progress::new("asked");
    let report = probe::probe_watched(&plan, &client, &watch);
    drop(watch);
    if progress::is_stopped() {
        print::message("interrupted; a probe records nothing");
        return Ok(Exit::Interrupted);
    }
    let report = report?;
    let Declared { measured, wrong, open, is_undecided } = report.beside(&plan);
    let exit = if report.answer.is_unsupported() || !wrong.is_empty() {
        Exit::Failed
    } else if is_undecided {
        Exit::Inconclusive
    } else {
        Exit::Holds
    };
    let mut out = Out::new(args.json);
    if args.json {
        out.line(&json_line(&probe_json(&client, &report, &wrong, &open)));
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
    if !open.is_empty() {
        let could = measured.map_or(String::new(), |basis| format!("; `{}` could be declared", basis.word()));
        out.line(&format!("the plan declares no basis, which holds at temperature 1, for: {}{could}", open.join(", ")));
    }
    Ok(out.finish(exit))
}

fn probe_json(client: &Client, report: &Report, wrong: &[String], open: &[String]) -> Json {
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
        ("declared_otherwise", Json::List(wrong.iter().map(Json::text).collect())),
        ("declared_unknown", Json::List(open.iter().map(Json::text).collect())),
    ])
}
