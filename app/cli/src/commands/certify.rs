//! `decidendi certify CASE… --key FILE --out DIR`: executes, signs, writes; chunk by chunk on all cores.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::path::Path;
use std::thread::ScopedJoinHandle;

use decidendi_core::judgment::certificate::{NotCertifiable, Time};
use decidendi_core::judgment::result::{Judgment, Outcome};
use decidendi_core::judgment::walk::Compiler;
use decidendi_core::report::{fault_fields, json_line, plain};
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::json::Json;
use decidendi_core::seal::key::SecretKey;
use decidendi_files::io::{self, IoError};
use decidendi_files::load::{Inputs, LoadError, Loaded, Raw};
use decidendi_files::parallel;
use decidendi_files::seal::{CertifyError, Seal, Sealed, Written};

use crate::args::Certify;
use crate::commands::inspect::notices;
use crate::exit::Exit;
use crate::print::{self, Out};
use crate::progress::{self, Progress};
use crate::signing::{SetupError, signing};
use crate::stream::{Item, chunks, failed, rejected, source_fields};

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
    let signing = signing(&args.key, &args.passphrase, args.time.as_deref())?;
    io::make_folder(&args.out)?;
    Ok(signing)
}

/// Where a case came from.
struct Spot {
    file: String,
    line: Option<u32>,
}

impl Spot {
    fn of(loaded: &Loaded) -> Self {
        let (file, line) = loaded.file_and_line();
        Self { file: file.to_owned(), line }
    }

    fn fields(&self) -> Vec<(&'static str, Json)> {
        source_fields(&self.file, self.line)
    }

    /// A case without a certificate, as a line of JSON.
    fn failed(self, id: &str, status: &str, message: String) -> String {
        json_line(&failed(Some(id), status, Some(self.file), self.line.map(|line| (line, None)), message))
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))
    }
}

/// What became of one case.
enum Fate {
    Sealed { place: Spot, notices: Vec<String>, sealed: Box<Sealed>, text: String },
    Uncertifiable { place: Spot, id: String, reason: NotCertifiable, faults: Vec<(&'static str, Json)> },
    Failed { place: Spot, id: String, error: CertifyError },
    Rejected(LoadError),
}

/// What is told of a chunk once it is on the disk.
#[derive(Default)]
struct Batch {
    lines: Vec<String>,
    changed: u64,
    stable: u64,
}

#[derive(Default)]
struct Counts {
    cases: u64,
    changed: u64,
    stable: u64,
    uncertifiable: u64,
    rejected: u64,
    duplicate: u64,
}

impl Counts {
    const fn certified(&self) -> u64 {
        self.changed + self.stable
    }
}

struct Run<'a> {
    args: &'a Certify,
    out: Out,
    exit: Exit,
    counts: Counts,
    /// Where each id was met first. The digest stands for the id, so that memory stays small for millions of cases.
    seen: BTreeMap<[u8; 32], Box<str>>,
    noted: u64,
}

/// Most notes about normalised input that are shown.
const NOTES: u64 = 20;

impl<'a> Run<'a> {
    fn new(args: &'a Certify) -> Self {
        Self {
            args,
            out: Out::default(),
            exit: Exit::Holds,
            counts: Counts::default(),
            seen: BTreeMap::new(),
            noted: 0,
        }
    }

    fn go(mut self, keys: &[SecretKey], time: Option<&Time>) -> Exit {
        let keys: Vec<&SecretKey> = keys.iter().collect();
        let seal = Seal { keys: &keys, time, bundle: self.args.bundle };
        let mut workers = parallel::compilers(self.args.threads, self.args.budget);
        let progress = Progress::new("certified");
        let folder: &Path = &self.args.out;
        // While one chunk goes to the disk the next is computed; at most two are in memory.
        std::thread::scope(|scope| {
            let mut writing: Option<(ScopedJoinHandle<'_, _>, Batch)> = None;
            for chunk in chunks(Inputs::new(&self.args.cases)) {
                let fates =
                    parallel::map(chunk, &mut workers, |compiler, item| certify(item, compiler, seal, &progress));
                if progress::is_stopped() || !writing.take().is_none_or(|(job, batch)| self.written(job, batch)) {
                    break;
                }
                let (sealed, batch) = self.sort_out(fates);
                writing = Some((scope.spawn(move || write(folder, &sealed)), batch));
                progress.show(self.counts.certified(), 0);
            }
            if let Some((job, batch)) = writing {
                self.written(job, batch);
            }
        });
        drop(progress);
        if progress::is_stopped() {
            print::message("stopped: the certificates listed are whole, the rest was not made");
            self.exit = self.exit.worst(Exit::Interrupted);
        }
        self.summary();
        self.out.finish(self.exit)
    }

    /// Waits until a chunk is on the disk, then tells of each of its cases; whether it is there.
    fn written(&mut self, job: ScopedJoinHandle<'_, Result<(), IoError>>, batch: Batch) -> bool {
        match job.join() {
            Ok(Ok(())) => {
                self.counts.changed += batch.changed;
                self.counts.stable += batch.stable;
                for line in batch.lines {
                    self.out.line(&line);
                }
                self.out.flush();
                true
            }
            Ok(Err(error)) => {
                // The disk refuses: more of the same would only repeat it.
                print::error(error);
                self.exit = self.exit.worst(Exit::BadInput);
                false
            }
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    /// What is to be written of a chunk, and what is to be said once it is.
    fn sort_out(&mut self, fates: Vec<Fate>) -> (Vec<Sealed>, Batch) {
        let (mut batch, mut all) = (Batch::default(), Vec::new());
        for fate in fates {
            self.counts.cases += 1;
            let Fate::Sealed { place, notices, sealed, text } = fate else {
                batch.lines.extend(self.not_sealed(fate));
                continue;
            };
            self.note(&notices);
            let id = &sealed.certificate.case_id;
            match self.seen.entry(Digest::of(id.as_bytes()).0) {
                Entry::Occupied(first) => {
                    batch.lines.extend(duplicate(place, id, first.get(), self.args.json));
                    self.counts.duplicate += 1;
                    self.exit = self.exit.worst(Exit::BadInput);
                }
                Entry::Vacant(free) => {
                    free.insert(place.to_string().into());
                    let changed = sealed.certificate.status == "changed";
                    *(if changed { &mut batch.changed } else { &mut batch.stable }) += 1;
                    batch.lines.push(self.sealed(&place, &sealed, &text));
                    all.push(*sealed);
                }
            }
        }
        (all, batch)
    }

    /// Tells what reading normalised, up to a screenful; `inspect` tells all of it for one case.
    fn note(&mut self, notices: &[String]) {
        for line in notices {
            if self.noted < NOTES {
                print::message(line);
            }
            self.noted += 1;
        }
    }

    fn sealed(&self, place: &Spot, sealed: &Sealed, text: &str) -> String {
        let status = sealed.certificate.status.as_str();
        let Written { certificate, bundle } = sealed.paths(&self.args.out);
        if !self.args.json {
            return plain(&format!("certified  {}  {text}  {}", sealed.certificate.case_id, certificate.display()))
                .into_owned();
        }
        let names = sealed.certificate.names();
        let set = |names: Vec<&str>| Json::List(names.into_iter().map(Json::text).collect());
        let receipts = sealed.certificate.receipts.iter().map(|m| set(m.names(&names))).collect();
        let mut fields = place.fields();
        fields.extend([
            ("case", Json::text(&sealed.certificate.case_id)),
            ("status", Json::text(status)),
            ("receipts", Json::List(receipts)),
            ("certificate", Json::text(certificate.display().to_string())),
            ("sha256", Json::text(Digest::of(&sealed.envelope).hex())),
        ]);
        if let Some(bundle) = bundle {
            fields.push(("bundle", Json::text(bundle.display().to_string())));
        }
        json_line(&Json::map(fields))
    }

    /// Counts and tells a case without a certificate; the line for standard output, if one is due.
    fn not_sealed(&mut self, outcome: Fate) -> Option<String> {
        match outcome {
            Fate::Sealed { .. } => None,
            Fate::Uncertifiable { place, id, reason, faults } => {
                self.counts.uncertifiable += 1;
                self.exit = self.exit.worst(Exit::Inconclusive);
                print::message(&format!("{place}: {id}: {reason}"));
                let mut fields = place.fields();
                fields.extend([("case", Json::text(&id)), ("status", Json::text("uncertifiable"))]);
                fields.extend(faults);
                Some(if self.args.json { json_line(&Json::map(fields)) } else { format!("uncertifiable  {id}") })
            }
            Fate::Failed { place, id, error } => {
                self.counts.rejected += 1;
                self.exit = self.exit.worst(Exit::BadInput);
                let message = format!("{place}: {error}");
                print::error(&message);
                self.args.json.then(|| place.failed(&id, "rejected", message))
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
        if self.noted > NOTES {
            print::message(&format!(
                "note: {} more notes; `decidendi inspect` shows those of one case",
                self.noted - NOTES
            ));
        }
        let c = &self.counts;
        let number = |n: u64| Json::Int(i64::try_from(n).unwrap_or(i64::MAX));
        if self.args.json {
            let line = json_line(&Json::map([(
                "summary",
                Json::map([
                    ("cases", number(c.cases)),
                    ("certified", number(c.certified())),
                    ("changed", number(c.changed)),
                    ("stable", number(c.stable)),
                    ("uncertifiable", number(c.uncertifiable)),
                    ("rejected", number(c.rejected)),
                    ("duplicate", number(c.duplicate)),
                    ("notes", number(self.noted)),
                ]),
            )]));
            self.out.line(&line);
        } else {
            let mut parts = vec![format!(
                "{} of {} certified ({} changed, {} stable)",
                c.certified(),
                c.cases,
                c.changed,
                c.stable
            )];
            for (n, what) in [(c.uncertifiable, "uncertifiable"), (c.rejected, "rejected"), (c.duplicate, "duplicate")]
            {
                if n > 0 {
                    parts.push(format!("{n} of {} {what}", c.cases));
                }
            }
            print::message(&parts.join(", "));
        }
    }
}

/// Puts certificates on the disk, all flushed before any gets its name.
fn write(folder: &Path, sealed: &[Sealed]) -> Result<(), IoError> {
    let staged = sealed.iter().map(|s| s.stage(folder)).collect::<Result<Vec<_>, _>>()?;
    io::commit(staged.into_iter().flatten().collect())
}

/// Tells of a second case with an id; the line for standard output, if one is due.
fn duplicate(place: Spot, id: &str, first: &str, json: bool) -> Option<String> {
    let message = format!(
        "{place}: the id `{id}` was used by {first} already; nothing was overwritten. Give each case its own id."
    );
    print::error(&message);
    json.then(|| place.failed(id, "duplicate", message))
}

fn certify(item: Item, compiler: &mut Compiler, seal: Seal<'_>, progress: &Progress) -> Fate {
    let judged = item.and_then(Raw::load).and_then(|loaded| {
        let judgment = loaded.judge(compiler, &progress.inside())?;
        Ok((loaded, judgment))
    });
    let (loaded, judgment) = match judged {
        Ok(both) => both,
        Err(error) => return Fate::Rejected(error),
    };
    let (place, id) = (Spot::of(&loaded), loaded.case.id().to_owned());
    match seal.seal(&loaded.case, &judgment) {
        Ok(sealed) => Fate::Sealed {
            place,
            notices: notices(&loaded, &judgment),
            sealed: Box::new(sealed),
            text: told(&judgment),
        },
        Err(CertifyError::NotCertifiable(
            reason @ (NotCertifiable::Incomplete { .. } | NotCertifiable::Contradictory { .. }),
        )) => Fate::Uncertifiable { place, id, reason, faults: fault_fields(&judgment) },
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
