//! `decidendi certify CASE… --key FILE --out DIR`: executes, signs, writes; chunk by chunk on all cores.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::path::Path;
use std::thread::ScopedJoinHandle;

use decidendi_core::judgment::certificate::{NotCertifiable, Time};
use decidendi_core::judgment::result::{Judgment, Outcome};
use decidendi_core::judgment::walk::Compiler;
use decidendi_core::report::{fault_fields, json_line};
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::json::Json;
use decidendi_core::seal::key::{PublicKey, SecretKey};
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
use crate::stream::{HELD, Item, Rejections, chunks, failed, rejected, source_fields};

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

impl Fate {
    /// Bytes that it holds, about.
    fn size(&self) -> usize {
        /// A fault as JSON, about; a cell that is listed beside the envelope that lists it.
        const FAULT: usize = 1024;
        match self {
            Self::Sealed { sealed, .. } => 4 * sealed.envelope.len() + sealed.bundle.as_ref().map_or(0, Vec::len),
            Self::Uncertifiable { faults, .. } => {
                let listed = faults.iter().filter_map(|(_, json)| json.as_list()).map(<[_]>::len).sum::<usize>();
                FAULT * listed
            }
            Self::Failed { .. } | Self::Rejected(_) => 0,
        }
    }

    /// The same, unless something lies in the case's place that is not ours to replace.
    fn kept(self, folder: &Path, keys: &[PublicKey]) -> Self {
        match self {
            Self::Sealed { place, notices, sealed, text } => match sealed.see_free(folder, keys) {
                Ok(()) => Self::Sealed { place, notices, sealed, text },
                Err(error) => Self::Failed { place, id: sealed.certificate.case_id.clone(), error: error.into() },
            },
            other => other,
        }
    }
}

/// A line of a chunk, told once what it tells of is on the disk.
enum Told {
    /// A certificate, and whether its endpoints differ.
    Sealed { line: String, changed: bool },
    /// Anything else.
    Other(String),
}

/// What became of writing a chunk: how many certificates are on the disk, and why not all.
type Disk = (usize, Result<(), IoError>);

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
    rejections: Rejections,
}

/// Most notes about normalised input that are shown.
const NOTES: u64 = 20;

impl<'a> Run<'a> {
    fn new(args: &'a Certify) -> Self {
        Self {
            args,
            out: Out::new(args.json),
            exit: Exit::Holds,
            counts: Counts::default(),
            seen: BTreeMap::new(),
            noted: 0,
            rejections: Rejections::default(),
        }
    }

    fn go(mut self, keys: &[SecretKey], time: Option<&Time>) -> Exit {
        let public: Vec<PublicKey> = keys.iter().map(SecretKey::public).collect();
        let keys: Vec<&SecretKey> = keys.iter().collect();
        let seal = Seal { keys: &keys, time, bundle: self.args.bundle };
        let mut workers = parallel::compilers(self.args.threads, self.args.budget);
        let progress = Progress::new("certified");
        let folder: &Path = &self.args.out;
        // While one chunk goes to the disk the next is computed; at most two are in memory.
        std::thread::scope(|scope| {
            let mut writing: Option<(ScopedJoinHandle<'_, _>, Vec<Told>)> = None;
            let (mut chunks, mut waiting) = (chunks(Inputs::new(&self.args.cases)), VecDeque::new());
            loop {
                if waiting.is_empty() {
                    let Some(chunk) = chunks.next() else { break };
                    waiting.extend(chunk);
                }
                let work = |compiler: &mut Compiler, item| {
                    let fate = certify(item, compiler, seal, &progress);
                    if self.args.force { fate } else { fate.kept(folder, &public) }
                };
                let fates = parallel::map_some(&mut waiting, &mut workers, HELD, Fate::size, work);
                if progress::is_stopped() || !writing.take().is_none_or(|(job, told)| self.written(job, told)) {
                    break;
                }
                let (sealed, told) = self.sort_out(fates);
                writing = Some((scope.spawn(move || write(folder, &sealed)), told));
                progress.show(self.counts.certified(), 0);
                if self.is_full() {
                    break;
                }
            }
            if let Some((job, told)) = writing {
                self.written(job, told);
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
    fn written(&mut self, job: ScopedJoinHandle<'_, Disk>, told: Vec<Told>) -> bool {
        let (mut there, outcome) = job.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        for told in told {
            match told {
                Told::Other(line) => self.out.line(&line),
                // Beyond the certificates that are there nothing is told in order any more.
                Told::Sealed { .. } if there == 0 => break,
                Told::Sealed { line, changed } => {
                    there -= 1;
                    *(if changed { &mut self.counts.changed } else { &mut self.counts.stable }) += 1;
                    self.out.line(&line);
                }
            }
        }
        self.out.flush();
        let Err(error) = outcome else { return true };
        // The disk refuses: more of the same would only repeat it.
        print::error(error);
        self.exit = self.exit.worst(Exit::BadInput);
        false
    }

    /// What is to be written of a chunk, and what is to be said once it is.
    fn sort_out(&mut self, fates: Vec<Fate>) -> (Vec<Sealed>, Vec<Told>) {
        let (mut told, mut all) = (Vec::new(), Vec::new());
        for fate in fates {
            if self.is_full() {
                break;
            }
            self.counts.cases += 1;
            let Fate::Sealed { place, notices, sealed, text } = fate else {
                told.extend(self.not_sealed(fate).map(Told::Other));
                continue;
            };
            self.note(&notices);
            let id = &sealed.certificate.case_id;
            match self.seen.entry(Digest::of(id.as_bytes()).0) {
                Entry::Occupied(first) => {
                    told.extend(duplicate(place, id, first.get(), self.args.json).map(Told::Other));
                    self.counts.duplicate += 1;
                    self.exit = self.exit.worst(Exit::BadInput);
                }
                Entry::Vacant(free) => {
                    free.insert(place.to_string().into());
                    let changed = sealed.certificate.status == "changed";
                    told.push(Told::Sealed { line: self.sealed(&place, &sealed, &text), changed });
                    all.push(*sealed);
                }
            }
        }
        (all, told)
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
            return format!("certified  {}  {text}  {}", sealed.certificate.case_id, certificate.display());
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
                let cause = if let CertifyError::Io(error) = &error { Some(error) } else { None };
                self.rejections.tell_disk(&message, cause);
                self.args.json.then(|| place.failed(&id, "rejected", message))
            }
            Fate::Rejected(error) => {
                self.counts.rejected += 1;
                self.exit = self.exit.worst(Exit::BadInput);
                self.rejections.tell(&error);
                self.args.json.then(|| json_line(&rejected(&error)))
            }
        }
    }

    /// Whether so much was rejected that the rest is not read.
    const fn is_full(&self) -> bool {
        self.rejections.is_full()
    }

    fn summary(&mut self) {
        self.rejections.finish();
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

/// Puts certificates on the disk, portion by portion: all of one are flushed before any of it gets its name.
fn write(folder: &Path, sealed: &[Sealed]) -> Disk {
    let mut there = 0;
    for portion in sealed.chunks(io::PORTION / 2) {
        let staged = portion.iter().map(|s| s.stage(folder)).collect::<Result<Vec<_>, _>>();
        if let Err(error) = staged.and_then(|staged| io::commit(staged.into_iter().flatten().collect())) {
            return (there, Err(error));
        }
        there += portion.len();
    }
    (there, Ok(()))
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
