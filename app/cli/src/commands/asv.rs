//! `decidendi asv STUDY [--draws N] [--seed S] [--json] [--key FILE --out DIR]`.

use std::path::{Path, PathBuf};

use decidendi_core::report::step_value::{step_value_json, step_value_text};
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::json::Json;
use decidendi_core::seal::key::SecretKey;
use decidendi_core::seal::time::Time;
use decidendi_core::step_value::certificate::Scope;
use decidendi_core::step_value::inference::Sampling;
use decidendi_core::step_value::walk::{Report, analyse};
use decidendi_files::study::{LoadedStudy, StepCertifyError, StudyLoadError, certify_study, load_study};

use crate::args::Asv;
use crate::exit::Exit;
use crate::print::{self, Out};
use crate::progress::{self, Progress};
use crate::signing::signing;

pub fn run(args: &Asv) -> Exit {
    progress::listen();
    // A key that cannot be read is told before the work, not after it.
    let (keys, time) = match signing(&args.key, &args.passphrase, args.time.as_deref()) {
        Ok(ready) => ready,
        Err(error) => return bad(error),
    };
    match report(args) {
        Ok((loaded, _)) if !has_transition(args, &loaded) => bad(format!(
            "--transition: the study has no transition called `{}`; choose one that study.json declares",
            args.transition.as_deref().unwrap_or_default()
        )),
        Ok((loaded, report)) => show(args, &loaded, &report, &keys, time),
        Err(StudyLoadError::Cancelled(_)) => Exit::Interrupted,
        Err(StudyLoadError::Scores(faults)) => {
            // A message is one line, so that nothing in a file can pass for a message of its own.
            faults.faults.iter().for_each(print::error);
            let more = faults.total - faults.faults.len() as u64;
            if more > 0 {
                print::error(format!("{more} more rows of this file cannot be used"));
            }
            Exit::BadInput
        }
        Err(error) => bad(error),
    }
}

fn has_transition(args: &Asv, loaded: &LoadedStudy) -> bool {
    args.transition.as_ref().is_none_or(|id| loaded.study.transitions.iter().any(|t| t.id == *id))
}

fn bad(error: impl std::fmt::Display) -> Exit {
    print::error(error);
    Exit::BadInput
}

fn report(args: &Asv) -> Result<(LoadedStudy, Report), StudyLoadError> {
    let loaded = load_study(&args.study, &Progress::new("bytes of scores read:"))?;
    let sampling = Sampling { draws: args.draws, seed: args.seed };
    let report = analyse(&loaded.study, &loaded.scores, sampling, &Progress::new("worked out:"))?;
    Ok((loaded, report))
}

fn show(args: &Asv, loaded: &LoadedStudy, report: &Report, keys: &[SecretKey], time: Option<Time>) -> Exit {
    for notice in &loaded.study.notices {
        let path = notice.path.to_string();
        let at = if path.is_empty() { String::new() } else { format!(" {path}:") };
        print::message(&format!("note: {}:{at} {}", loaded.path.display(), notice.text));
    }
    for (field, (rows, line)) in &loaded.scores.account().unknown_fields {
        print::message(&format!(
            "note: scores: unknown field `{field}` is not used ({rows} rows, first in line {line})"
        ));
    }
    let written = match args.out.as_deref().map(|folder| certify(args, folder, loaded, report, keys, time)) {
        None => None,
        Some(Ok(written)) => Some(Some(written)),
        Some(Err(error @ StepCertifyError::NotCertifiable(_))) => {
            print::error(error);
            Some(None)
        }
        Some(Err(error)) => {
            print::disk_error(&error, if let StepCertifyError::Io(cause) = &error { Some(cause) } else { None });
            return Exit::BadInput;
        }
    };
    let mut exit = if report.complete() == 0 { Exit::Inconclusive } else { Exit::Holds };
    if written == Some(None) {
        exit = exit.worst(Exit::Inconclusive);
    }
    let mut out = Out::new(args.json);
    if args.json {
        let mut more = vec![("file", Json::text(args.study.display().to_string()))];
        if let Some(written) = written {
            let (path, digest) = written.map_or((Json::Null, Json::Null), |(path, digest)| {
                (Json::text(path.display().to_string()), Json::text(digest.hex()))
            });
            more.extend([("certificate", path), ("sha256", digest)]);
        }
        step_value_json(&loaded.study, &loaded.scores, report, &more, &mut |piece| out.text(piece));
        out.line("");
    } else {
        out.text(&step_value_text(&loaded.study, &loaded.scores, report));
        if let Some(Some((path, _))) = written {
            out.line("");
            out.line(&format!("certified  {}", path.display()));
        }
    }
    out.finish(exit)
}

fn certify(
    args: &Asv,
    folder: &Path,
    loaded: &LoadedStudy,
    report: &Report,
    keys: &[SecretKey],
    time: Option<Time>,
) -> Result<(PathBuf, Digest), StepCertifyError> {
    let keys: Vec<&SecretKey> = keys.iter().collect();
    let scope = args.transition.clone().map_or(Scope::Study, Scope::Transition);
    certify_study(folder, loaded, report, scope, &keys, time, args.force)
}
