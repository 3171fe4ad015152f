//! What can be wrong with the shape of a case, worded for the person who wrote it.

pub use crate::seal::canon::Place;
use crate::seal::canon::ReadError;
use crate::seal::json::{Json, JsonPath};

/// Why a case could not be opened.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CaseError {
    /// The bytes are not strict JSON.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The JSON is not a case.
    #[error("{place}: {fault}")]
    Shape {
        /// Where, in the file that holds it.
        place: Place,
        /// What.
        fault: CaseFault,
    },
    /// A referenced file was not handed over.
    #[error("{place}: the referenced file `{path}` is missing. Put it beside the case, or write the body inline.")]
    MissingReference {
        /// Where the reference stands.
        place: Place,
        /// The reference.
        path: String,
    },
    /// A newer format.
    #[error("{place}: `{format}` is a newer format than this version reads (decidendi/case@1). Use a newer decidendi.")]
    Unsupported {
        /// Where.
        place: Place,
        /// The declared format.
        format: String,
    },
}

/// One fault in a case's shape: where, what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseFault {
    /// Where in the resolved document.
    pub path: JsonPath,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub help: String,
}

impl CaseFault {
    /// A fault in words.
    pub fn new(path: JsonPath, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { path, what: shortened(what.into()), help: shortened(help.into()) }
    }

    /// A required key is missing.
    #[must_use]
    pub fn missing(path: &JsonPath, key: &str) -> Self {
        Self::new(path.clone(), format!("`{key}` is missing"), format!("Add `{key}`."))
    }

    /// A value of the wrong kind.
    #[must_use]
    pub fn kind(path: &JsonPath, wanted: &str, found: &Json) -> Self {
        Self::new(path.clone(), format!("{wanted} is wanted here, this is {}", found.kind()), "Correct the value.")
    }

    /// A word that is none of the allowed ones.
    #[must_use]
    pub fn word(path: JsonPath, found: &str, allowed: &[&str]) -> Self {
        Self::new(path, format!("`{found}` is not known here"), format!("Use one of: {}.", allowed.join(", ")))
    }
}

/// A message quotes the document, which may hold a word of millions of letters.
fn shortened(mut text: String) -> String {
    const LONGEST: usize = 1000;
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

impl std::fmt::Display for CaseFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.path.0.is_empty() {
            write!(f, "{}. {}", self.what, self.help)
        } else {
            write!(f, "{}: {}. {}", self.path, self.what, self.help)
        }
    }
}
