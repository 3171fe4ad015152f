//! `decidendi diff CERT CERT`: file and field, old and new digest, first differing field. It compares what is stated; it
//! does not check signatures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use decidendi_core::judgment::certificate::{Certificate, CertificateFault};
use decidendi_core::judgment::source::Mask;
use decidendi_core::limits::DOCUMENT_BYTES;
use decidendi_core::report::{json_line, plain};
use decidendi_core::seal::canon::read_input;
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::dsse::{Envelope, EnvelopeError};
use decidendi_core::seal::json::{Json, JsonPath};
use decidendi_core::seal::statement::{Statement, StatementError};
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
    /// No certificate inside.
    #[error("{}: {error}. {}", .path.display(), .error.advice())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// Why.
        error: CertificateFault,
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

/// A certificate and the artifacts at hand, by subject name.
struct Side {
    certificate: Certificate,
    subjects: Vec<(String, Digest)>,
    artifacts: BTreeMap<String, Vec<u8>>,
}

pub fn run(args: &Diff) -> Exit {
    match differences(&args.old, &args.new) {
        Ok(found) => {
            let mut out = Out::new(args.json);
            if args.json {
                out.line(&json_line(&json(&found)));
            } else if found.is_empty() {
                out.line("no difference");
            } else {
                out.text(&text(&found));
            }
            out.finish(if found.is_empty() { Exit::Holds } else { Exit::Failed })
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
pub fn differences(old: &Path, new: &Path) -> Result<Vec<Difference>, DiffError> {
    let (old, new) = (side(old)?, side(new)?);
    let mut found = Vec::new();
    let (a, b) = (&old.certificate, &new.certificate);
    let mut compare = |what: &str, x: String, y: String| {
        if x != y {
            found.push(Difference { what: what.to_owned(), old: Some(x), new: Some(y), field: None });
        }
    };
    compare("case id", a.case_id.clone(), b.case_id.clone());
    compare("status", a.status.clone(), b.status.clone());
    compare("obtained", a.obtained.clone(), b.obtained.clone());
    compare("receipts", family(a), family(b));
    let endpoints =
        |c: &Certificate| format!("{} -> {}", c.cells.first().map_or("?", |s| s), c.cells.last().map_or("?", |s| s));
    compare("endpoints", endpoints(a), endpoints(b));
    if a.names() == b.names() {
        for (i, (x, y)) in (0..).zip(a.cells.iter().zip(&b.cells)) {
            compare(&format!("cell {}", Mask(i).braces(&a.names())), x.clone(), y.clone());
        }
    } else {
        compare("sources", a.names().join(", "), b.names().join(", "));
    }
    compare("engine", format!("{} {}", a.engine, a.engine_version), format!("{} {}", b.engine, b.engine_version));
    compare("interface", a.interface.to_string(), b.interface.to_string());
    compare("adjudicator", a.adjudicator.to_string(), b.adjudicator.to_string());
    compare("compatibility", a.compatibility.to_string(), b.compatibility.to_string());
    compare("executed", a.executed.to_string(), b.executed.to_string());
    compare("tool", format!("{} {}", a.tool, a.tool_version), format!("{} {}", b.tool, b.tool_version));
    let time = |c: &Certificate| c.time.as_ref().map_or("none", |t| t.as_str()).to_owned();
    compare("time", time(a), time(b));
    found.extend(artifacts(&old, &new));
    Ok(found)
}

/// Subjects whose digests differ, the sources before the whole case that holds them.
fn artifacts(old: &Side, new: &Side) -> Vec<Difference> {
    let (a, b) = (&old.subjects, &new.subjects);
    let digest =
        |list: &[(String, Digest)], name: &str| list.iter().find(|(n, _)| n == name).map(|(_, d)| d.to_string());
    let mut names: Vec<&str> = a.iter().skip(1).map(|(n, _)| n.as_str()).collect();
    names.extend(b.iter().skip(1).map(|(n, _)| n.as_str()).filter(|n| digest(a, n).is_none()));
    names.push("case.json");
    let mut found = Vec::new();
    for name in names {
        let (x, y) = (digest(a, name), digest(b, name));
        if x == y {
            continue;
        }
        let both = old.artifacts.get(name).zip(new.artifacts.get(name));
        let field = both.and_then(|(x, y)| {
            let read = |bytes: &[u8]| read_input(name, bytes).ok().map(|d| d.root);
            first(&read(x)?, &read(y)?, &JsonPath::default())
        });
        found.push(Difference { what: name.to_owned(), old: x, new: y, field });
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
    let certificate =
        Certificate::read(&statement).map_err(|error| DiffError::Certificate { path: path.to_owned(), error })?;
    Ok(Side { certificate, subjects: statement.subjects, artifacts })
}

fn family(certificate: &Certificate) -> String {
    let names = certificate.names();
    let sets: Vec<String> = certificate.receipts.iter().map(|m| m.braces(&names)).collect();
    if sets.is_empty() { "none".to_owned() } else { sets.join(" ") }
}

fn text(found: &[Difference]) -> String {
    let mut text = String::new();
    for one in found {
        let side =
            |value: &Option<String>| value.as_deref().map_or_else(|| "absent".to_owned(), |v| plain(v).into_owned());
        text.push_str(&format!("{}\n  - {}\n  + {}\n", plain(&one.what), side(&one.old), side(&one.new)));
        if let Some((path, old, new)) = &one.field {
            text.push_str(&format!("  first difference at {}: {} -> {}\n", plain(path), cut(old), cut(new)));
        }
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

fn json(found: &[Difference]) -> Json {
    let text = |value: &Option<String>| value.as_ref().map_or(Json::Null, Json::text);
    let entries = found.iter().map(|one| {
        let mut fields = vec![("what", Json::text(&one.what)), ("old", text(&one.old)), ("new", text(&one.new))];
        if let Some((path, old, new)) = &one.field {
            let first = [("path", Json::text(path)), ("old", Json::text(old)), ("new", Json::text(new))];
            fields.push(("first", Json::map(first)));
        }
        Json::map(fields)
    });
    Json::map([("same", Json::Bool(found.is_empty())), ("differences", Json::List(entries.collect()))])
}
