//! `decidendi certify CASE… --key FILE --out DIR`: executes, signs, writes; chunk by chunk on all cores.

use std::collections::BTreeMap;
use std::path::Path;

use decidendi_core::judgment::certificate::{NotCertifiable, Time};
use decidendi_core::judgment::result::{Fault, Judgment, Outcome};
use decidendi_core::judgment::walk::Compiler;
use decidendi_core::report::json_line;
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::json::Json;
use decidendi_core::seal::key::SecretKey;

use crate::args::Certify;
use crate::commands::inspect::notices;
use crate::exit::Exit;
use crate::io::{self, IoError};
use crate::keys::{self, KeyFileError};
use crate::load::{Inputs, LoadError};
use crate::parallel;
use crate::print::{self, Out};
use crate::progress::{self, Interrupt, Progress};
use crate::seal::{CertifyError, Seal, Sealed, Written};
use crate::stream::{Item, chunks, rejected};

pub fn run(args: &Certify) -> Exit {
    progress::listen();
    match prepare(args) {
        Ok((keys, time)) => Run::new(args).go(&keys, time.as_ref()),
        Err(error) => {
            print::error(error);
            Exit::BadInput
        }
    }
}

/// Everything that can be wrong before the first case is read.
fn prepare(args: &Certify) -> Result<(Vec<SecretKey>, Option<Time>), SetupError> {
    let time = match &args.time {
        None => None,
        Some(text) => Some(Time::parse(text).ok_or_else(|| SetupError::Time(text.clone()))?),
    };
    let passphrase = args.passphrase.source().read()?;
    let mut keys: Vec<SecretKey> = Vec::new();
    for path in &args.key {
        let key = keys::read_secret(path, passphrase.as_ref().map(|p| p.as_str()))?;
        if keys.iter().any(|k| k.public() == key.public()) {
            return Err(SetupError::Twice(path.display().to_string()));
        }
        keys.push(key);
    }
    io::make_folder(&args.out)?;
    Ok((keys, time))
}

#[derive(Debug, thiserror::Error)]
enum SetupError {
    #[error("--time `{0}`: not a time of the form YYYY-MM-DDTHH:MM:SS.mmmZ, for example 2026-01-31T09:30:00.000Z")]
    Time(String),
    #[error("--key {0}: the same key is named twice; name each signer once")]
    Twice(String),
    #[error(transparent)]
    Key(#[from] KeyFileError),
    #[error(transparent)]
    Io(#[from] IoError),
}

/// What became of one case.
enum Fate {
    Sealed { place: String, notices: String, sealed: Box<Sealed>, text: String },
    Uncertifiable { place: String, id: String, reason: NotCertifiable, faults: Vec<Json> },
    Failed { place: String, id: String, error: CertifyError },
    Rejected(LoadError),
}

#[derive(Default)]
struct Counts {
    cases: u64,
    certified: u64,
    changed: u64,
    stable: u64,
    uncertifiable: u64,
    rejected: u64,
    duplicate: u64,
}

struct Run<'a> {
    args: &'a Certify,
    out: Out,
    exit: Exit,
    counts: Counts,
    /// Where each id was met first. The digest stands for the id, so that memory stays small for millions of cases.
    seen: BTreeMap<[u8; 32], Box<str>>,
}

impl<'a> Run<'a> {
    fn new(args: &'a Certify) -> Self {
        Self { args, out: Out::default(), exit: Exit::Holds, counts: Counts::default(), seen: BTreeMap::new() }
    }

    fn go(mut self, keys: &[SecretKey], time: Option<&Time>) -> Exit {
        let keys: Vec<&SecretKey> = keys.iter().collect();
        let seal = Seal { keys: &keys, time, bundle: self.args.bundle };
        let mut workers: Vec<Compiler> =
            (0..parallel::threads(self.args.threads.map(usize::from))).map(|_| Compiler::default()).collect();
        let progress = Progress::new("certified");
        for chunk in chunks(Inputs::new(&self.args.cases)) {
            let outcomes = parallel::map(chunk, &mut workers, |compiler, item| certify(item, compiler, seal));
            if progress::is_stopped() {
                break;
            }
            if let Err(error) = self.write(outcomes, &mut workers) {
                // The disk refuses: more of the same would only repeat it.
                print::error(error);
                self.exit = self.exit.worst(Exit::BadInput);
                break;
            }
            self.out.flush();
            progress.show(self.counts.certified, 0);
        }
        drop(progress);
        if progress::is_stopped() {
            print::message("stopped: the certificates listed are whole, the rest was not made");
            self.exit = self.exit.worst(Exit::Interrupted);
        }
        self.summary();
        self.out.finish(self.exit)
    }

    /// Puts the certificates of a chunk on the disk, all flushed before any gets its name, then tells of each case.
    fn write(&mut self, outcomes: Vec<Fate>, workers: &mut [Compiler]) -> Result<(), IoError> {
        let mut lines = Vec::with_capacity(outcomes.len());
        let mut sealed_now = Vec::new();
        for outcome in outcomes {
            self.counts.cases += 1;
            let outcome = match outcome {
                Fate::Sealed { place, notices, sealed, text } => {
                    print::message(&notices);
                    let id = sealed.certificate.case_id.clone();
                    match self.seen.get(&Digest::of(id.as_bytes()).0) {
                        Some(first) => Err(self.duplicate(&place, &id, first)),
                        None => {
                            self.seen.insert(Digest::of(id.as_bytes()).0, place.into());
                            let line = self.sealed(&sealed, &text);
                            sealed_now.push(sealed);
                            Ok(line)
                        }
                    }
                }
                other => Err(self.not_sealed(other)),
            };
            match outcome {
                Ok(line) => lines.push(line),
                Err(line) => lines.extend(line),
            }
        }
        let folder: &Path = &self.args.out;
        let staged = parallel::map(sealed_now, workers, |_, sealed| sealed.stage(folder));
        io::commit(staged.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())?;
        for line in lines {
            self.out.line(&line);
        }
        Ok(())
    }

    fn sealed(&mut self, sealed: &Sealed, text: &str) -> String {
        self.counts.certified += 1;
        let status = sealed.certificate.status.as_str();
        if status == "changed" { self.counts.changed += 1 } else { self.counts.stable += 1 }
        let Written { certificate, bundle } = sealed.paths(&self.args.out);
        if !self.args.json {
            return format!("certified  {}  {text}  {}", sealed.certificate.case_id, certificate.display());
        }
        let names = sealed.certificate.names();
        let set = |names: Vec<&str>| Json::List(names.into_iter().map(Json::text).collect());
        let receipts = sealed.certificate.receipts.iter().map(|m| set(m.names(&names))).collect();
        let mut fields = vec![
            ("case", Json::text(&sealed.certificate.case_id)),
            ("status", Json::text(status)),
            ("receipts", Json::List(receipts)),
            ("certificate", Json::text(certificate.display().to_string())),
            ("sha256", Json::text(Digest::of(&sealed.envelope).hex())),
        ];
        if let Some(bundle) = bundle {
            fields.push(("bundle", Json::text(bundle.display().to_string())));
        }
        json_line(&Json::map(fields))
    }

    fn duplicate(&self, place: &str, id: &str, first: &str) -> Option<String> {
        let message = format!("{place}: the id `{id}` was used by {first} already; nothing was overwritten. Give each case its own id.");
        print::error(&message);
        let fields = [("case", Json::text(id)), ("status", Json::text("duplicate")), ("error", Json::text(message))];
        self.args.json.then(|| json_line(&Json::map(fields)))
    }

    /// Counts and tells a case without a certificate; the line for standard output, if one is due.
    fn not_sealed(&mut self, outcome: Fate) -> Option<String> {
        match outcome {
            Fate::Sealed { .. } => None,
            Fate::Uncertifiable { place, id, reason, faults } => {
                self.counts.uncertifiable += 1;
                self.exit = self.exit.worst(Exit::Inconclusive);
                print::message(&format!("{place}: {id}: {reason}"));
                let fields =
                    [("case", Json::text(&id)), ("status", Json::text("uncertifiable")), ("faults", Json::List(faults))];
                Some(if self.args.json { json_line(&Json::map(fields)) } else { format!("uncertifiable  {id}") })
            }
            Fate::Failed { place, id, error } => {
                self.counts.rejected += 1;
                self.exit = self.exit.worst(Exit::BadInput);
                print::error(format!("{place}: {error}"));
                let fields =
                    [("case", Json::text(id)), ("status", Json::text("rejected")), ("error", Json::text(error.to_string()))];
                self.args.json.then(|| json_line(&Json::map(fields)))
            }
            Fate::Rejected(error) => {
                self.counts.rejected += 1;
                self.exit = self.exit.worst(Exit::BadInput);
                print::error(&error);
                self.args.json.then(|| json_line(&rejected(&error)))
            }
        }
    }

    fn summary(&mut self) {
        let c = &self.counts;
        let number = |n: u64| Json::Int(i64::try_from(n).unwrap_or(i64::MAX));
        if self.args.json {
            let line = json_line(&Json::map([(
                "summary",
                Json::map([
                    ("cases", number(c.cases)),
                    ("certified", number(c.certified)),
                    ("changed", number(c.changed)),
                    ("stable", number(c.stable)),
                    ("uncertifiable", number(c.uncertifiable)),
                    ("rejected", number(c.rejected)),
                    ("duplicate", number(c.duplicate)),
                ]),
            )]));
            self.out.line(&line);
        } else {
            let mut parts = vec![format!("{} of {} certified ({} changed, {} stable)", c.certified, c.cases, c.changed, c.stable)];
            for (n, what) in [(c.uncertifiable, "uncertifiable"), (c.rejected, "rejected"), (c.duplicate, "duplicate")] {
                if n > 0 {
                    parts.push(format!("{n} of {} {what}", c.cases));
                }
            }
            print::message(&parts.join(", "));
        }
    }
}

fn certify(item: Item, compiler: &mut Compiler, seal: Seal<'_>) -> Fate {
    let judged = item.and_then(super::super::load::Raw::load).and_then(|loaded| {
        let judgment = loaded.judge(compiler, &Interrupt)?;
        Ok((loaded, judgment))
    });
    let (loaded, judgment) = match judged {
        Ok(both) => both,
        Err(error) => return Fate::Rejected(error),
    };
    let (place, id) = (loaded.place(), loaded.case.id().to_owned());
    match seal.seal(&loaded.case, &judgment) {
        Ok(sealed) => {
            Fate::Sealed { place, notices: notices(&loaded), sealed: Box::new(sealed), text: told(&judgment) }
        }
        Err(CertifyError::NotCertifiable(reason @ NotCertifiable::Incomplete { .. })) => {
            let faults = judgment.faults.iter().map(|f| fault(&judgment, f)).collect();
            Fate::Uncertifiable { place, id, reason, faults }
        }
        Err(error) => Fate::Failed { place, id, error },
    }
}

/// `deny -> approve  {grounds} {norms}`.
fn told(judgment: &Judgment) -> String {
    use decidendi_core::judgment::source::Mask;
    let word = |mask| judgment.word(mask).unwrap_or("?");
    let (old, new) = (word(Mask::EMPTY), word(Mask::full(judgment.sources.len())));
    let family: Vec<String> = match &judgment.outcome {
        Outcome::Changed(family) => family.members().iter().take(6).map(|m| m.braces(&judgment.sources)).collect(),
        _ => vec!["stable".to_owned()],
    };
    format!("{old} -> {new}  {}", family.join(" "))
}

fn fault(judgment: &Judgment, fault: &Fault) -> Json {
    let source = fault.source.and_then(|(i, _)| judgment.sources.get(i));
    Json::map([
        ("cell", Json::Int(i64::from(fault.cell.0))),
        ("source", source.map_or(Json::Null, Json::text)),
        ("field", fault.field.as_ref().map_or(Json::Null, Json::text)),
        ("reason", Json::text(&fault.reason)),
    ])
}
