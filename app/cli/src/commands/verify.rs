//! `decidendi verify FILE… [--case CASE] [--trust PUB…]`.

use std::path::{Path, PathBuf};

use decidendi_core::judgment::walk::Compiler;
use decidendi_core::kinds::Claim;
use decidendi_core::report::verification::meaning;
use decidendi_core::report::{json_line, plain};
use decidendi_core::seal::json::Json;
use decidendi_core::seal::verification::{Next, Standing, Verification, Wing};
use decidendi_core::seal::verified::TrustStore;
use decidendi_files::bundle::{EXTENSION, LIST};
use decidendi_files::check::{CheckError, verify_path};
use decidendi_files::evidence::Evidence;
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
    let evidence = match Evidence::open(args.case.as_deref(), &progress) {
        Ok(evidence) => evidence,
        Err(error) if error.is_cancelled() => return Exit::Interrupted,
        Err(error) => return bad(format!("--case: {error}")),
    };
    tell_left_out(&evidence);
    let found = Found::of(&files);
    found.tell_passed_over();
    let found = found.checked;
    let total = found.len();
    let mut workers = parallel::compilers(args.threads, args.budget);
    let (mut out, mut exit, mut done, mut passed) = (Out::new(args.json), Exit::Holds, 0, 0);
    let mut found = found.into_iter();
    while found.len() > 0 && !progress::is_stopped() {
        let chunk: Vec<_> = found.by_ref().take(CHUNK).collect();
        let check = |compiler: &mut Compiler, path| check(path, trust.as_ref(), &evidence, compiler, &progress);
        for checked in parallel::map(chunk, &mut workers, check) {
            match checked {
                (path, Ok(outcome)) => {
                    passed += u64::from(outcome.verdict == Standing::Pass);
                    exit = exit.worst(code(outcome.verdict));
                    if args.json {
                        out.line(&json_line(&json(&path, &outcome)));
                    } else {
                        out.text(&text(&path, &outcome, done > 0));
                    }
                }
                (_, Err(error)) if error.is_cancelled() => break,
                (path, Err(error)) => {
                    exit = exit.worst(bad(&error));
                    if args.json {
                        out.line(&json_line(&unreadable(&path, &error)));
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

/// Most files or lines that are named where there may be many.
const NAMED: usize = 20;

/// What of a casebook is not at hand for a replay: without this, a certificate of such a case would seem to have none.
fn tell_left_out(evidence: &Evidence) {
    for one in evidence.rejected().iter().take(NAMED) {
        print::message(&format!("note: --case: {}: not used: {}", one.place, one.reason));
    }
    let more = evidence.rejected().len().saturating_sub(NAMED);
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

/// What the files and folders that were named stand for.
#[derive(Default)]
struct Found {
    /// What is checked, in order. What cannot be looked at keeps its place.
    checked: Vec<(PathBuf, Option<IoError>)>,
    /// Files of folders that are not taken for certificates.
    passed_over: Vec<PathBuf>,
}

impl Found {
    fn of(named: &[PathBuf]) -> Self {
        let mut found = Self::default();
        for path in named {
            if let Err(error) = found.add(path) {
                found.checked.push((path.clone(), Some(error)));
            }
        }
        found
    }

    /// A folder that is no bundle stands for all certificates and bundles below it.
    fn add(&mut self, path: &Path) -> Result<(), IoError> {
        if io::kind(path)? == Kind::File || is_bundle_name(path) {
            self.checked.push((path.to_owned(), None));
            return Ok(());
        }
        let before = self.checked.len();
        let files = io::files_below(path, |_| true)?;
        // A list stands for the folder that it lists, and all in that folder is the bundle's.
        let lists = files.iter().filter(|file| file.ends_with(LIST));
        let folders: Vec<PathBuf> = lists.map(|list| Folder::of(list).path().to_owned()).collect();
        for file in files {
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if let Some(folder) = folders.iter().find(|folder| file.starts_with(folder)) {
                if file.ends_with(LIST) {
                    self.checked.push((folder.clone(), None));
                }
            } else if name.ends_with(".cert.json") || name.ends_with(&format!(".{EXTENSION}")) {
                self.checked.push((file, None));
            } else {
                self.passed_over.push(file);
            }
        }
        if self.checked.len() == before {
            let wanted = "certificate (*.cert.json) or bundle (*.decidendi, or a folder with bundle.json)";
            return Err(IoError::NothingIn { path: path.to_owned(), wanted });
        }
        Ok(())
    }

    /// Without this, a certificate under another name would seem to have been checked.
    fn tell_passed_over(&self) {
        for file in self.passed_over.iter().take(NAMED) {
            print::message(&format!("note: {}: passed over: not called *.cert.json or *.{EXTENSION}", file.display()));
        }
        let more = self.passed_over.len().saturating_sub(NAMED);
        if more > 0 {
            print::message(&format!("note: {more} more files are passed over; name one itself to have it checked"));
        }
    }
}

fn check(
    (path, error): (PathBuf, Option<IoError>),
    trust: Option<&TrustStore>,
    evidence: &Evidence,
    compiler: &mut Compiler,
    progress: &Progress,
) -> (PathBuf, Result<Verification<Claim>, CheckError>) {
    let outcome = match error {
        Some(error) => Err(error.into()),
        None => verify_path(&path, trust, evidence, compiler, &progress.inside()),
    };
    (path, outcome)
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
pub fn json(path: &Path, outcome: &Verification<Claim>) -> Json {
    let checks = outcome.checks.iter().map(|check| {
        let mut fields = vec![
            ("n", Json::Int(i64::from(check.n))),
            ("name", Json::text(check.name)),
            ("status", Json::text(check.status.word())),
            ("detail", Json::text(&check.detail)),
        ];
        if let Some(next) = check.next {
            fields.push(("next", Json::text(advice(next))));
        }
        Json::map(fields)
    });
    Json::map([
        ("file", Json::text(path.display().to_string())),
        ("verdict", Json::text(outcome.verdict.word())),
        ("state", outcome.state.map_or(Json::Null, |s| Json::text(s.word()))),
        ("checks", Json::List(checks.collect())),
    ])
}

/// A file that could not be checked keeps its line: it is certainly no valid certificate, no end state is reached, and why.
fn unreadable(path: &Path, error: &CheckError) -> Json {
    let detail = error.to_string();
    let check = [
        ("n", Json::Int(0)),
        ("name", Json::text("file can be read")),
        ("status", Json::text("fail")),
        ("detail", Json::text(detail)),
    ];
    Json::map([
        ("file", Json::text(path.display().to_string())),
        ("verdict", Json::text(Standing::Invalid.word())),
        ("state", Json::Null),
        ("checks", Json::List(vec![Json::map(check)])),
    ])
}

/// Numbered checks, end state and next step.
pub fn text(path: &Path, outcome: &Verification<Claim>, more: bool) -> String {
    let mut lines = Vec::new();
    if more {
        lines.push(String::new());
    }
    lines.push(path.display().to_string());
    let width = outcome.checks.iter().map(|c| c.name.chars().count()).max().unwrap_or(0);
    for check in &outcome.checks {
        lines.push(format!("  {:>2}  {:<7}  {:<width$}  {}", check.n, check.status.word(), check.name, check.detail));
    }
    let meaning = meaning(outcome);
    lines.push(format!("  {}: {}. {}", outcome.verdict.word(), meaning.short, meaning.sentence));
    let mut said: Vec<Next> = Vec::new();
    for next in outcome.checks.iter().filter_map(|c| c.next) {
        if !said.contains(&next) {
            said.push(next);
            lines.push(format!("  next: {}", advice(next)));
        }
    }
    let mut text: String = lines.iter().map(|line| plain(line.trim_end()).into_owned() + "\n").collect();
    text.shrink_to_fit();
    text
}

/// What to do next, in words of the command line.
fn advice(next: Next) -> String {
    let words = match next {
        Next::TrustSigner => "Obtain the issuer's public key from a source you trust, and name it (--trust FILE.pub).",
        Next::AskAgain => "Ask the issuer for the file again.",
        Next::AskForBundle => "Ask the issuer for the bundle again.",
        Next::TakeOut => "Take it out, or move it into a folder `unsigned`, where it is told as such.",
        Next::Give(Wing::Judgment) => "Give the case (--case FILE), or verify the bundle that carries it.",
        Next::Give(Wing::StepValue) => "Give the study's folder (--case STUDY).",
        Next::GiveOther(wing) => {
            let artifact = wing.artifact();
            return format!("Verify against the {artifact} that was certified, or certify this one anew.");
        }
        Next::DoNotRely(wing) => {
            let artifact = wing.artifact();
            return format!("Do not rely on this certificate; ask the issuer to certify the {artifact} again.");
        }
        Next::RaiseBudget => "Replay it with a larger budget (--budget N) if you trust whoever made the case.",
        Next::Upgrade => "Use a newer decidendi.",
        Next::GiveKind(wanted) => {
            return format!("Give a {wanted}; no other statement is accepted in its place.");
        }
    };
    words.to_owned()
}
