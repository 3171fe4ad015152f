//! `decidendi verify FILE… [--case CASE] [--trust PUB…]`.

use std::path::{Path, PathBuf};

use decidendi_core::judgment::walk::Compiler;
use decidendi_core::report::{json_line, plain};
use decidendi_core::seal::check::{EndState, Standing, Verification};
use decidendi_core::seal::json::Json;
use decidendi_core::seal::verified::TrustStore;
use decidendi_files::bundle::{EXTENSION, LIST};
use decidendi_files::check::{Cases, CheckError, verify_any};
use decidendi_files::io::{self, Folder, IoError, Kind};
use decidendi_files::keys;
use decidendi_files::load::is_bundle_name;
use decidendi_files::parallel;

use crate::args::Verify;
use crate::exit::Exit;
use crate::print::{self, Out};
use crate::progress::{self, Progress};

/// Files per chunk.
const CHUNK: usize = 512;

pub fn run(args: &Verify) -> Exit {
    progress::listen_soon();
    let (files, trust) = sorted_out(args);
    if files.is_empty() {
        // Nothing verified must never look like everything verified.
        return bad("no FILE is left to verify: --trust takes every name after it; write the files before --trust");
    }
    let trust = match keys::read_trust(&trust, args.threshold) {
        Ok(trust) => trust,
        Err(error) => return bad(error),
    };
    let progress = Progress::new("verified");
    let cases = match Cases::open(args.case.as_deref(), &progress) {
        Ok(cases) => cases,
        Err(error) if error.is_cancelled() => return Exit::Interrupted,
        Err(error) => return bad(format!("--case: {error}")),
    };
    tell_left_out(&cases);
    let found: Vec<Result<PathBuf, IoError>> = files.iter().flat_map(|file| expand(file)).collect();
    let total = found.len();
    let mut workers = parallel::compilers(args.threads, args.budget);
    let (mut out, mut exit, mut done, mut passed) = (Out::new(args.json), Exit::Holds, 0, 0);
    let mut found = found.into_iter();
    while found.len() > 0 && !progress::is_stopped() {
        let chunk: Vec<_> = found.by_ref().take(CHUNK).collect();
        let check = |compiler: &mut Compiler, path| check(path, trust.as_ref(), &cases, compiler, &progress);
        for checked in parallel::map(chunk, &mut workers, check) {
            match checked {
                Ok((path, outcome)) => {
                    passed += u64::from(outcome.verdict == Standing::Pass);
                    exit = exit.worst(code(outcome.verdict));
                    if args.json {
                        out.line(&json_line(&json(&outcome)));
                    } else {
                        out.text(&text(&path, &outcome, done > 0));
                    }
                }
                Err(error) if error.is_cancelled() => break,
                Err(error) => {
                    exit = exit.worst(bad(&error));
                    if args.json {
                        out.line(&json_line(&unreadable(&error)));
                    }
                }
            }
            done += 1;
        }
        out.flush();
        progress.show(done, total as u64);
    }
    if progress::is_stopped() {
        exit = exit.worst(Exit::Interrupted);
    }
    drop(progress);
    if total > 1 && !args.json {
        print::message(&format!("{passed} of {total} verified"));
    }
    out.finish(exit)
}

/// Most files or lines of a casebook that are named.
const NAMED: usize = 20;

/// What of a casebook is not at hand for a replay: without this, a certificate of such a case would seem to have none.
fn tell_left_out(cases: &Cases) {
    let Cases::Book(book) = cases else { return };
    let account = book.account();
    let left_out = || account.rejected.iter().chain(&account.duplicates);
    for one in left_out().take(NAMED) {
        print::message(&format!("note: --case: {}: not used: {}", one.place, one.reason));
    }
    let more = left_out().count().saturating_sub(NAMED);
    if more > 0 {
        print::message(&format!("note: --case: {more} more are not used; `decidendi inspect` tells why"));
    }
}

/// `--trust` takes several values, so files written after it are taken for keys. When no file is left, those that do
/// not look like keys are the files that were meant.
fn sorted_out(args: &Verify) -> (Vec<PathBuf>, Vec<PathBuf>) {
    if !args.files.is_empty() {
        return (args.files.clone(), args.trust.clone());
    }
    args.trust.iter().cloned().partition(|path| {
        let json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
        json || is_bundle_name(path) || io::kind(path).is_ok_and(|kind| kind == Kind::Folder)
    })
}

/// A folder that is no bundle stands for all certificates and bundles below it. What cannot be looked at keeps its place.
fn expand(path: &Path) -> Vec<Result<PathBuf, IoError>> {
    below(path).map_or_else(|error| vec![Err(error)], |found| found.into_iter().map(Ok).collect())
}

fn below(path: &Path) -> Result<Vec<PathBuf>, IoError> {
    if io::kind(path)? == Kind::File || is_bundle_name(path) {
        return Ok(vec![path.to_owned()]);
    }
    let wanted = |name: &str| name == LIST || name.ends_with(".cert.json") || name.ends_with(&format!(".{EXTENSION}"));
    let found = io::files_below(path, wanted)?;
    if found.is_empty() {
        let wanted = "certificate (*.cert.json) or bundle (*.decidendi, or a folder with bundle.json)";
        return Err(IoError::NothingIn { path: path.to_owned(), wanted });
    }
    // A list stands for the folder that it lists.
    let whole = |file: PathBuf| if file.ends_with(LIST) { Folder::of(&file).path().to_owned() } else { file };
    Ok(found.into_iter().map(whole).collect())
}

fn check(
    path: Result<PathBuf, IoError>,
    trust: Option<&TrustStore>,
    cases: &Cases,
    compiler: &mut Compiler,
    progress: &Progress,
) -> Result<(PathBuf, Verification<()>), CheckError> {
    let path = path?;
    let outcome = verify_any(&path, trust, cases, compiler, &progress.inside())?;
    Ok((path, outcome))
}

fn bad(error: impl std::fmt::Display) -> Exit {
    print::error(error);
    Exit::BadInput
}

const fn code(verdict: Standing) -> Exit {
    match verdict {
        Standing::Pass => Exit::Holds,
        Standing::Invalid => Exit::Failed,
        Standing::Inconclusive => Exit::Inconclusive,
    }
}

/// The object of the contract (docs/formats/command-line.md L9).
pub fn json<C>(outcome: &Verification<C>) -> Json {
    let checks = outcome.checks.iter().map(|check| {
        let mut fields = vec![
            ("n", Json::Int(i64::from(check.n))),
            ("name", Json::text(check.name)),
            ("status", Json::text(check.status.word())),
            ("detail", Json::text(&check.detail)),
        ];
        if let Some(next) = &check.next {
            fields.push(("next", Json::text(next)));
        }
        Json::map(fields)
    });
    Json::map([
        ("verdict", Json::text(outcome.verdict.word())),
        ("state", outcome.state.map_or(Json::Null, |s| Json::text(s.word()))),
        ("checks", Json::List(checks.collect())),
    ])
}

/// A file that could not be checked keeps its line: it is certainly no valid certificate, no end state is reached, and why.
fn unreadable(error: &CheckError) -> Json {
    let detail = error.to_string();
    let check = [
        ("n", Json::Int(0)),
        ("name", Json::text("file can be read")),
        ("status", Json::text("fail")),
        ("detail", Json::text(detail)),
    ];
    Json::map([
        ("verdict", Json::text(Standing::Invalid.word())),
        ("state", Json::Null),
        ("checks", Json::List(vec![Json::map(check)])),
    ])
}

/// Numbered checks, end state and next step.
pub fn text<C>(path: &Path, outcome: &Verification<C>, more: bool) -> String {
    let mut lines = Vec::new();
    if more {
        lines.push(String::new());
    }
    lines.push(path.display().to_string());
    let width = outcome.checks.iter().map(|c| c.name.chars().count()).max().unwrap_or(0);
    for check in &outcome.checks {
        lines.push(format!("  {:>2}  {:<7}  {:<width$}  {}", check.n, check.status.word(), check.name, check.detail));
    }
    lines.push(format!("  {}: {}", outcome.verdict.word(), meaning(outcome)));
    let mut said: Vec<&str> = Vec::new();
    for next in outcome.checks.iter().filter_map(|c| c.next.as_deref()) {
        if !said.contains(&next) {
            said.push(next);
            lines.push(format!("  next: {next}"));
        }
    }
    let mut text: String = lines.iter().map(|line| plain(line.trim_end()).into_owned() + "\n").collect();
    text.shrink_to_fit();
    text
}

fn meaning<C>(outcome: &Verification<C>) -> &'static str {
    // What was never executed is not replayed either.
    let recorded = outcome.recorded;
    match outcome.state {
        Some(EndState::Verified) if recorded => {
            "verified. Signed by a trusted key, bound to these artifacts, and the recorded cells agree; nothing was executed."
        }
        Some(EndState::Verified) => {
            "verified. Signed by a trusted key, bound to these artifacts, and the replay agrees."
        }
        Some(EndState::UnknownSigner) => "unknown signer. Not enough trusted keys signed this certificate.",
        Some(EndState::UnsupportedVersion) => "unsupported version. This is another or a newer kind of statement.",
        Some(EndState::Altered) => "altered. What is here is not what was signed.",
        Some(EndState::ReplayDiffers) if recorded => {
            "replay differs. The certificate does not follow from the recorded cells."
        }
        Some(EndState::ReplayDiffers) => {
            "replay differs. Executing again gives something else than the certificate states."
        }
        None if recorded => "not compared. Nothing failed, but the case with the recorded cells is not at hand.",
        None => "not replayed. Nothing failed, but the case or study is not at hand.",
    }
}
