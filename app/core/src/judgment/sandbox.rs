//! What-if: a copy of a case whose values may be edited and judged, and that no certificate can be made from. The type
//! has no way back to a [`Case`].

use super::case::{Case, CaseError, rebuild, slot};
use super::result::Judgment;
use super::source::{Mask, Version};
use super::trace::Trace;
use super::walk::{self, Compiler, WalkError};
use crate::seal::canon::nfc;
use crate::seal::json::{Json, JsonPath};
use crate::watch::Watch;

/// An edited copy of a case. It can be judged and traced; it cannot be bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Sandbox {
    origin: Case,
    edited: Case,
    edits: Vec<Edit>,
}

/// One edit of the sandbox.
#[derive(Debug, Clone, PartialEq)]
struct Edit {
    source: usize,
    version: Version,
    path: JsonPath,
    value: Json,
}

/// Why an edit was refused; the sandbox is as it was.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EditError {
    /// There is no such value.
    #[error("there is no value at `{0}` to edit")]
    NoSuchValue(JsonPath),
    /// The edited document is no case any more.
    #[error(transparent)]
    Case(#[from] CaseError),
}

impl Sandbox {
    /// A copy of a case to try edits in.
    #[must_use]
    pub fn of(case: &Case) -> Self {
        Self { origin: case.clone(), edited: case.clone(), edits: Vec::new() }
    }

    /// Replaces the value at `path` inside one version of a source.
    ///
    /// # Errors
    /// [`EditError`]; the sandbox is unchanged then.
    pub fn edit(&mut self, source: usize, version: Version, path: &JsonPath, value: Json) -> Result<(), EditError> {
        let mut document = self.edited.document();
        let full = JsonPath::default().key("sources").at(source).key(version.word());
        let full = JsonPath(full.0.into_iter().chain(path.0.iter().cloned()).collect());
        let slot = slot(&mut document, &full).ok_or_else(|| EditError::NoSuchValue(path.clone()))?;
        let value = normal(value);
        *slot = value.clone();
        self.edited = rebuild("sandbox", document)?;
        self.edits.retain(|e| (e.source, e.version, &e.path) != (source, version, path));
        self.edits.push(Edit { source, version, path: path.clone(), value });
        Ok(())
    }

    /// Undoes every edit.
    pub fn reset(&mut self) {
        self.edited = self.origin.clone();
        self.edits.clear();
    }

    /// How many values differ from the loaded evidence by an edit.
    #[must_use]
    pub const fn edits(&self) -> usize {
        self.edits.len()
    }

    /// Whether the value at `path` was edited.
    #[must_use]
    pub fn is_edited(&self, source: usize, version: Version, path: &JsonPath) -> bool {
        self.edits.iter().any(|e| e.source == source && e.version == version && &e.path == path)
    }

    /// The body as edited, for display.
    #[must_use]
    pub fn body(&self, source: usize, version: Version) -> Option<&Json> {
        self.edited.body(source, version).map(|b| &b.json)
    }

    /// The edited case, for the account only: outside this crate nothing can bind it.
    pub(crate) const fn edited(&self) -> &Case {
        &self.edited
    }

    /// Executes the edited hybrids.
    ///
    /// # Errors
    /// As [`walk::judge`].
    pub fn judge(&self, compiler: &mut Compiler, watch: &dyn Watch) -> Result<Judgment, WalkError> {
        walk::judge(&self.edited, compiler, watch)
    }

    /// Traces one edited hybrid.
    ///
    /// # Errors
    /// As [`walk::trace`].
    pub fn trace(&self, compiler: &mut Compiler, cell: Mask) -> Result<Trace, WalkError> {
        walk::trace(&self.edited, compiler, cell)
    }
}

/// A typed value with all its text in NFC, as a file's text is read.
fn normal(value: Json) -> Json {
    match value {
        Json::Text(text) => Json::Text(nfc(&text).into_owned()),
        Json::List(items) => Json::List(items.into_iter().map(normal).collect()),
        Json::Map(entries) => {
            Json::Map(entries.into_iter().map(|(key, value)| (nfc(&key).into_owned(), normal(value))).collect())
        }
        other => other,
    }
}
