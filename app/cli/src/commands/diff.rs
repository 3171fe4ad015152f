//! `decidendi diff CERT CERT`: every place in which two statements differ, whatever their kinds, and the first differing field
//! of each artifact that both bundles carry. It compares what is stated; it says what it does not compare.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use decidendi_core::kinds;
use decidendi_core::limits::DOCUMENT_BYTES;
use decidendi_core::report::{json_line, plain};
use decidendi_core::seal::canon::read_input;
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::dsse::{Envelope, EnvelopeError};
use decidendi_core::seal::json::{Json, JsonPath};
use decidendi_core::seal::statement::{Statement, StatementError};
use decidendi_core::seal::verification::Wing;
use decidendi_core::{judgment, step_value};
use decidendi_files::bundle::zip::TOTAL_BYTES;
use decidendi_files::bundle::zip::is_zip;
use decidendi_files::io::{self, IoError};
use decidendi_files::load::{LoadError, is_bundle_name, load_bundle};
use decidendi_files::recognize::{Wanted, WrongFile};

use crate::args::Diff;
use crate::exit::Exit;
use crate::print::{self, Out};

/// Why two certificates cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// The disk.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A bundle.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Another kind of file.
    #[error(transparent)]
    Wrong(#[from] WrongFile),
    /// No envelope.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// No statement inside.
    #[error("{}: {error}", .path.display())]
    Statement {
        /// The file.
        path: PathBuf,
        /// Why.
        error: StatementError,
    },
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The artifact or the part of the certificate.
    pub what: String,
    /// In the first certificate.
    pub old: Option<String>,
    /// In the second.
    pub new: Option<String>,
    /// The first field inside the artifact that differs, where both bundles carry it: path, old value, new value.
    pub field: Option<(String, String, String)>,
}

/// All that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Differences {
    /// The differences that are listed.
    pub listed: Vec<Difference>,
    /// How many there are.
    pub all: usize,
    /// What was not compared, in words.
    pub passed_over: Vec<String>,
}

/// Most places of two statements that are listed one by one.
const LISTED: usize = 1_000;

/// A statement and the artifacts at hand, by subject name.
struct Side {
    statement: Statement,
    envelope: Envelope,
    artifacts: BTreeMap<String, Vec<u8>>,
}

pub fn run(args: &Diff) -> Exit {
    match differences(&args.old, &args.new) {
        Ok(found) => {
            let mut out = Out::new(args.json);
            if args.json {
                out.line(&json_line(&json(args, &found)));
            } else {
                out.text(&text(&found));
            }
            out.finish(if found.all == 0 { Exit::Holds } else { Exit::Failed })
        }
        Err(error) => {
            print::error(error);
            Exit::BadInput
        }
    }
}

/// Compares two certificates or bundles.
///
/// # Errors
/// [`DiffError`] when one of them cannot be read.
pub fn differences(old: &Path, new: &Path) -> Result<Differences, DiffError> {
    let (old, new) = (side(old)?, side(new)?);
    let (places, mut all) = kinds::differences(&old.statement, &new.statement, LISTED);
    let mut listed = Vec::new();
    let kinds = [&old, &new].map(|side| kind(&side.statement));
    if kinds[0] != kinds[1] {
        let [x, y] = kinds;
        listed.push(Difference { what: "kind of certificate".to_owned(), old: Some(x), new: Some(y), field: None });
        all += 1;
    }
    let place = |one: kinds::Difference| {
        let what = cell(&old.statement, &new.statement, &one.place).unwrap_or(one.place);
        Difference { what, old: one.old, new: one.new, field: None }
    };
    listed.extend(places.into_iter().map(place));
    let inside = inside(&old, &new);
    // What a bundle holds against its own certificate stands in no statement.
    let digest = |side: &Side, name: &str| side.statement.subject(name);
    all += inside.iter().filter(|one| digest(&old, &one.what) == digest(&new, &one.what)).count();
    listed.extend(inside);
    let mut passed_over = Vec::new();
    if old.envelope.signatures != new.envelope.signatures {
        passed_over.push("the signatures, which differ; `decidendi verify` checks them".to_owned());
    }
    let carried = |side: &Side| side.statement.subjects.iter().all(|(name, _)| side.artifacts.contains_key(name));
    if !(carried(&old) && carried(&new)) {
        passed_over
            .push("what stands in the artifacts, which are compared by digest; give two bundles for that".to_owned());
    }
    Ok(Differences { listed, all, passed_over })
}

fn kind(statement: &Statement) -> String {
    match kinds::wing(statement) {
        Wing::StepValue => step_value::certificate::KIND.name.to_owned(),
        Wing::Judgment if judgment::certificate::KIND.is_meant(statement) => {
            judgment::certificate::KIND.name.to_owned()
        }
        Wing::Judgment => statement.predicate_type.clone(),
    }
}

/// A cell by the sources that it replaces, where both statements list it for the same ones.
fn cell(old: &Statement, new: &Statement, place: &str) -> Option<String> {
    let at: usize = place.strip_prefix("predicate.cells[")?.strip_suffix("].verdict")?.parse().ok()?;
    let replaced = |side: &Statement| side.predicate.get("cells")?.as_list()?.get(at)?.get("replaced").cloned();
    let sources = replaced(old).filter(|sources| Some(sources) == replaced(new).as_ref())?;
    let names: Vec<&str> = sources.as_list()?.iter().filter_map(Json::as_text).collect();
    Some(format!("cell {{{}}}", names.join(", ")))
}

/// The first differing field of each artifact that both sides carry under different digests.
fn inside(old: &Side, new: &Side) -> Vec<Difference> {
    let mut found = Vec::new();
    for (name, x) in &old.artifacts {
        let Some(y) = new.artifacts.get(name).filter(|y| *y != x) else { continue };
        let read = |bytes: &[u8]| read_input(name, bytes).ok().map(|d| d.root);
        let field = read(x).zip(read(y)).and_then(|(x, y)| first(&x, &y, &JsonPath::default()));
        let digest = |bytes: &[u8]| Some(Digest::of(bytes).to_string());
        found.push(Difference { what: name.clone(), old: digest(x), new: digest(y), field });
    }
    found
}

/// The first place where two values differ.
fn first(old: &Json, new: &Json, at: &JsonPath) -> Option<(String, String, String)> {
    let absent = || "absent".to_owned();
    match (old, new) {
        (Json::Map(a), Json::Map(b)) => {
            let changed = a.iter().find_map(|(key, x)| match new.get(key) {
                None => Some((at.key(key).to_string(), json_line(x), absent())),
                Some(y) => first(x, y, &at.key(key)),
            });
            changed.or_else(|| {
                let (key, y) = b.iter().find(|(key, _)| old.get(key).is_none())?;
                Some((at.key(key).to_string(), absent(), json_line(y)))
            })
        }
        (Json::List(a), Json::List(b)) => {
            let changed = a.iter().zip(b).enumerate().find_map(|(i, (x, y))| first(x, y, &at.at(i)));
            let end = a.len().min(b.len());
            changed.or_else(|| match (a.get(end), b.get(end)) {
                (Some(x), _) => Some((at.at(end).to_string(), json_line(x), absent())),
                (_, Some(y)) => Some((at.at(end).to_string(), absent(), json_line(y))),
                _ => None,
            })
        }
        _ => (old != new).then(|| (at.to_string(), json_line(old), json_line(new))),
    }
}

fn side(path: &Path) -> Result<Side, DiffError> {
    // A bundle under another name is a bundle, as it is for `verify`.
    let plain = if is_bundle_name(path) { None } else { Some(io::read(path, TOTAL_BYTES)?) };
    let (bytes, artifacts) = match plain.filter(|bytes| !is_zip(bytes)) {
        Some(bytes) => (bytes, BTreeMap::new()),
        None => {
            let bundle = load_bundle(path)?;
            let artifacts = bundle.artifacts().iter().map(|a| (a.name.clone(), a.bytes.clone())).collect();
            (bundle.certificate().to_vec(), artifacts)
        }
    };
    if bytes.len() > DOCUMENT_BYTES {
        return Err(IoError::TooLarge { path: path.to_owned(), bound: DOCUMENT_BYTES }.into());
    }
    let envelope = Envelope::read(&path.display().to_string(), &bytes).map_err(|error| {
        WrongFile::of(path, &bytes, Wanted::Certificate).map_or_else(|| DiffError::from(error), Into::into)
    })?;
    let statement =
        Statement::read(&envelope.payload).map_err(|error| DiffError::Statement { path: path.to_owned(), error })?;
    Ok(Side { statement, envelope, artifacts })
}

fn text(found: &Differences) -> String {
    let mut text = String::new();
    if found.all == 0 {
        text.push_str("no difference\n");
    }
    for one in &found.listed {
        let side = |value: &Option<String>| value.as_deref().map_or_else(|| "absent".to_owned(), cut);
        text.push_str(&format!("{}\n  - {}\n  + {}\n", plain(&one.what), side(&one.old), side(&one.new)));
        if let Some((path, old, new)) = &one.field {
            text.push_str(&format!("  first difference at {}: {} -> {}\n", plain(path), cut(old), cut(new)));
        }
    }
    let more = found.all.saturating_sub(LISTED);
    if more > 0 {
        text.push_str(&format!("and {more} more places\n"));
    }
    for one in &found.passed_over {
        text.push_str(&format!("not compared: {one}\n"));
    }
    text
}

/// A value short enough for a line; never cut without a sign of it.
fn cut(value: &str) -> String {
    const SHOWN: usize = 100;
    let text: String = value.chars().take(SHOWN).collect();
    let more = if value.chars().nth(SHOWN).is_some() { "…" } else { "" };
    format!("{}{more}", plain(&text))
}

fn json(args: &Diff, found: &Differences) -> Json {
    let text = |value: &Option<String>| value.as_ref().map_or(Json::Null, Json::text);
    let entries = found.listed.iter().map(|one| {
        let mut fields = vec![("what", Json::text(&one.what)), ("old", text(&one.old)), ("new", text(&one.new))];
        if let Some((path, old, new)) = &one.field {
            let first = [("path", Json::text(path)), ("old", Json::text(old)), ("new", Json::text(new))];
            fields.push(("first", Json::map(first)));
        }
        Json::map(fields)
    });
    let path = |path: &Path| Json::text(path.display().to_string());
    Json::map([
        ("file", path(&args.old)),
        ("with", path(&args.new)),
        ("same", Json::Bool(found.all == 0)),
        ("count", Json::Int(i64::try_from(found.all).unwrap_or(i64::MAX))),
        ("differences", Json::List(entries.collect())),
        ("not_compared", Json::List(found.passed_over.iter().map(Json::text).collect())),
    ])
}
