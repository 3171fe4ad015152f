//! What a file is that was given in place of another, told by what it holds and not by its name. Looked at only after it
//! could not be read as what was wanted: a file that is what it should be keeps its own faults.

use std::path::{Path, PathBuf};

use decidendi_core::seal::canon::read_input;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use crate::bundle::zip::is_zip;

/// What a command wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A case, or several.
    Case,
    /// A signed file.
    Certificate,
    /// A study.
    Study,
    /// The scores of a study.
    Scores,
    /// An acquisition plan.
    Plan,
}

impl Wanted {
    const fn advice(self) -> &'static str {
        match self {
            Self::Case => "a case is wanted: name a case.json, a folder of cases, JSON Lines of cases or a bundle",
            Self::Certificate => "a certificate is wanted: name a *.cert.json, a bundle, or a folder of them",
            Self::Study => "a study is wanted: name the folder that holds study.json and scores.jsonl",
            Self::Scores => "the scores of the study are wanted: a row a line, as `decidendi acquire run` writes them",
            Self::Plan => "an acquisition plan is wanted: name a plan.json, or the folder of an acquisition",
        }
    }
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A case.
    Case,
    /// A study document.
    Study,
    /// Rows of scores.
    Scores,
    /// An acquisition plan.
    Plan,
    /// The log of an acquisition.
    Log,
    /// A signed envelope.
    Certificate,
    /// A zip file.
    Bundle,
    /// A key in PEM.
    Key,
}

impl Found {
    const fn words(self) -> &'static str {
        match self {
            Self::Case => "a case, which `decidendi inspect` reads",
            Self::Study => "a study, which `decidendi asv` reads",
            Self::Scores => "a score file, which `decidendi asv` reads with the study in its folder",
            Self::Plan => "an acquisition plan, which `decidendi acquire run` reads",
            Self::Log => "the log of an acquisition, whose folder `decidendi acquire replay` reads",
            Self::Certificate => "a certificate, which `decidendi verify` reads",
            Self::Bundle => "a bundle or another zip file, which `decidendi verify` reads",
            Self::Key => "a key",
        }
    }

    const fn is_wanted(self, wanted: Wanted) -> bool {
        matches!(
            (self, wanted),
            (Self::Case, Wanted::Case)
                | (Self::Bundle, Wanted::Case | Wanted::Certificate)
                | (Self::Certificate, Wanted::Certificate)
                | (Self::Study, Wanted::Study)
                | (Self::Scores, Wanted::Scores)
                | (Self::Plan, Wanted::Plan)
        )
    }
}

/// A file that is something else than what was wanted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: this is {}; {}", .path.display(), .found.words(), .wanted.advice())]
pub struct WrongFile {
    /// The file.
    pub path: PathBuf,
    /// What it is.
    pub found: Found,
    /// What was wanted.
    pub wanted: Wanted,
}

impl WrongFile {
    /// Looks at the bytes, or the first of them, of a file that could not be read as `wanted`; `None` where they are that,
    /// or nothing that is known here.
    #[must_use]
    pub fn of(path: &Path, bytes: &[u8], wanted: Wanted) -> Option<Self> {
        let found = found(bytes).filter(|found| !found.is_wanted(wanted))?;
        Some(Self { path: path.to_owned(), found, wanted })
    }
}

/// The keys by which formats are told apart, of the first JSON value in a file.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    format: Word,
    #[serde(default, deserialize_with = "is_there")]
    payload: bool,
    #[serde(default, rename = "payloadType", deserialize_with = "is_there")]
    payload_type: bool,
    #[serde(default, deserialize_with = "is_there")]
    request_sha256: bool,
    #[serde(default, deserialize_with = "is_there")]
    prev: bool,
    #[serde(default, deserialize_with = "is_there")]
    transition: bool,
    #[serde(default, deserialize_with = "is_there")]
    channel: bool,
}

/// A text, or anything else.
#[derive(Deserialize)]
#[serde(untagged)]
enum Word {
    Text(String),
    Other(IgnoredAny),
}

impl Default for Word {
    fn default() -> Self {
        Self::Other(IgnoredAny)
    }
}

fn is_there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

fn found(bytes: &[u8]) -> Option<Found> {
    if is_zip(bytes) {
        return Some(Found::Bundle);
    }
    if bytes.trim_ascii_start().starts_with(b"-----BEGIN ") {
        return Some(Found::Key);
    }
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<Head>();
    let head = values.next()?.ok()?;
    // What no strict reader takes, two values under one key for example, is told as that first.
    let first = bytes.get(..values.byte_offset())?;
    read_input("", first).ok()?;
    if let Word::Text(format) = &head.format {
        let kinds = [
            ("decidendi/case@", Found::Case),
            ("decidendi/asv-study@", Found::Study),
            ("decidendi/acquire-plan@", Found::Plan),
        ];
        return kinds.into_iter().find(|(name, _)| format.starts_with(name)).map(|(_, found)| found);
    }
    match head {
        Head { payload: true, payload_type: true, .. } => Some(Found::Certificate),
        Head { request_sha256: true, prev: true, .. } => Some(Found::Log),
        Head { transition: true, channel: true, .. } => Some(Found::Scores),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_what_it_holds() {
        for (bytes, expected) in [
            (r#"{"format": "decidendi/case@1", "id": 1}"#, Some(Found::Case)),
            ("{\n \"format\": \"decidendi/asv-study@2\"}", Some(Found::Study)),
            (r#"{"id": "x", "format": "decidendi/acquire-plan@1"}"#, Some(Found::Plan)),
            ("{\"transition\": \"t\", \"channel\": \"c\"}\n{]", Some(Found::Scores)),
            (r#"{"prev": "sha256:…", "request_sha256": null}"#, Some(Found::Log)),
            (r#"{"payloadType": "t", "payload": "", "signatures": []}"#, Some(Found::Certificate)),
            ("PK\u{3}\u{4}", Some(Found::Bundle)),
            ("-----BEGIN PRIVATE KEY-----\n", Some(Found::Key)),
            (r#"{"format": 7, "payload": 1}"#, None),
            (r#"{"format": "else/case@1"}"#, None),
            (r#"{"format": "decidendi/case@1""#, None),
            (r#"{"format": "decidendi/case@1", "a": {"b": 1, "b": 2}}"#, None),
            ("[]", None),
            ("", None),
        ] {
            assert_eq!(found(bytes.as_bytes()), expected, "{bytes}");
        }
    }
}
