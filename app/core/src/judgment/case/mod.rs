//! A case: one decision, an old and a revised version of every declared source, and the contract they must meet
//! (docs/theory.md §1.1, docs/formats/case.md). A [`Case`] exists only after the strict reader and the shape check; the
//! window and the command line never see a raw one.

mod compatibility;
mod error;
mod normalise;
mod read;
mod reference;
mod source;

pub use compatibility::{Action, CompatibilityStep, DefaultValue, GAP};
pub use error::{CaseError, CaseFault, Place};
pub use read::read;
pub(in crate::judgment) use read::{rebuild, slot};
pub(crate) use reference::Origin;
pub use reference::{Artifacts, Reference, place_of, references};
pub use source::{Body, Engine, Source};

use super::source::{Mask, Role, Version};
use super::verdict::Labels;
use crate::seal::canon::Notice;
use crate::seal::digest::Digest;
use crate::seal::json::{Json, JsonPath};

/// A case that was read and whose shape was checked. References are resolved, text is NFC, declared sets are sorted.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The document without the parts that are held below: each of them is `null` here.
    frame: Json,
    canonical: Vec<u8>,
    digest: Digest,
    contract: Contract,
    id: String,
    context: Vec<(String, Json)>,
    engine: Engine,
    recorded: Vec<String>,
    interface: Json,
    labels: Labels,
    sources: Vec<Source>,
    compatibility: Vec<CompatibilityStep>,
    notices: Vec<Notice>,
}

/// Digests of what a case declares beside its sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Contract {
    interface: Digest,
    adjudicator: Digest,
    compatibility: Digest,
}

impl Case {
    /// The whole resolved document, put together again from its parts.
    #[must_use]
    pub fn document(&self) -> Json {
        let mut document = self.frame.clone();
        let top = JsonPath::default();
        let mut put = |path: &JsonPath, value: Json| {
            if let Some(slot) = slot(&mut document, path) {
                *slot = value;
            }
        };
        put(&top.key("interface"), self.interface.clone());
        put(&top.key("context"), Json::Map(self.context.clone()));
        for (i, source) in self.sources.iter().enumerate() {
            for version in Version::BOTH {
                put(&top.key("sources").at(i).key(version.word()), source.version(version).json.clone());
            }
        }
        document
    }

    /// Canonical bytes (RFC 8785) of the document: what the digest binds and what a bundle carries as `case.json`.
    #[must_use]
    pub fn canonical(&self) -> &[u8] {
        &self.canonical
    }

    /// Content identifier of the case.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// The case's id: also the name of its certificate file.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The text of an optional top-level field (`title`, `unit`, `summary`, `question`).
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        self.frame.get(field).and_then(Json::as_text)
    }

    /// The title, or the id where there is none.
    #[must_use]
    pub fn title(&self) -> &str {
        self.text("title").unwrap_or(&self.id)
    }

    /// The fixed context: actor, region, product and so on. Not a source.
    #[must_use]
    pub fn context(&self) -> &[(String, Json)] {
        &self.context
    }

    /// The engine that decides.
    #[must_use]
    pub const fn engine(&self) -> Engine {
        self.engine
    }

    /// Recorded labels in mask order; empty unless the engine is `table`.
    #[must_use]
    pub fn recorded(&self) -> &[String] {
        &self.recorded
    }

    /// The declared interface as written (an empty object where there is none).
    #[must_use]
    pub const fn interface(&self) -> &Json {
        &self.interface
    }

    /// The label set.
    #[must_use]
    pub const fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The sources in declared order: bit *i* of a mask is the *i*-th of them.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The sources' names in declared order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.sources.iter().map(|s| s.name.clone()).collect()
    }

    /// k, the number of sources.
    #[must_use]
    pub fn k(&self) -> usize {
        self.sources.len()
    }

    /// Indices of the sources in `role`, ascending.
    pub fn in_role(&self, role: Role) -> impl Iterator<Item = usize> + '_ {
        self.sources.iter().enumerate().filter(move |(_, s)| s.role == Some(role)).map(|(i, _)| i)
    }

    /// Declared compatibility steps, in file order.
    #[must_use]
    pub fn compatibility(&self) -> &[CompatibilityStep] {
        &self.compatibility
    }

    /// What reading normalised or passed over, for the import account.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// The bodies that a hybrid takes, in declared order.
    pub fn hybrid(&self, mask: Mask) -> impl Iterator<Item = &Body> {
        self.sources.iter().enumerate().map(move |(i, s)| s.version(mask.version(i)))
    }

    /// The inverse transition (L5): old and revised version of every source exchanged.
    ///
    /// # Errors
    /// Never on a case that was read; the signature keeps the shape check in one place.
    pub fn swapped(&self) -> Result<Self, CaseError> {
        let mut document = self.document();
        for source in entries_mut(&mut document, "sources") {
            exchange(source, "old", "new");
            exchange(source, "label_old", "label_new");
        }
        for step in entries_mut(&mut document, "compatibility") {
            if let Json::Map(fields) = step {
                for (_, value) in fields.iter_mut().filter(|(key, _)| key == "version") {
                    let other = if value.as_text() == Some("old") { "new" } else { "old" };
                    *value = Json::text(other);
                }
            }
        }
        swap_recorded(&mut document);
        rebuild("swapped", document)
    }

    /// Digest of the interface, bound by the certificate (`{}` where none is declared).
    #[must_use]
    pub const fn interface_digest(&self) -> Digest {
        self.contract.interface
    }

    /// Digest of the adjudicator's declaration, bound by the certificate.
    #[must_use]
    pub const fn adjudicator_digest(&self) -> Digest {
        self.contract.adjudicator
    }

    /// Digest of the compatibility map, bound by the certificate (`[]` where none is declared).
    #[must_use]
    pub const fn compatibility_digest(&self) -> Digest {
        self.contract.compatibility
    }

    /// Old or new body of a source, by its position.
    #[must_use]
    pub fn body(&self, source: usize, version: Version) -> Option<&Body> {
        self.sources.get(source).map(|s| s.version(version))
    }
}

/// The elements of a top-level list; none where it is missing.
fn entries_mut<'d>(document: &'d mut Json, key: &str) -> impl Iterator<Item = &'d mut Json> {
    let list = match document {
        Json::Map(fields) => fields.iter_mut().find(|(k, _)| k == key).map(|(_, v)| v),
        _ => None,
    };
    match list {
        Some(Json::List(items)) => items.iter_mut(),
        _ => [].iter_mut(),
    }
}

/// Exchanges the values of two keys; where only one is there, it is renamed. The keys keep their places, so that
/// exchanging twice gives the document back.
fn exchange(object: &mut Json, a: &str, b: &str) {
    let Json::Map(fields) = object else { return };
    let at = |fields: &[(String, Json)], key: &str| fields.iter().position(|(k, _)| k == key);
    match (at(fields, a), at(fields, b)) {
        (Some(i), Some(j)) => {
            let first = fields[i].1.clone();
            fields[i].1 = std::mem::replace(&mut fields[j].1, first);
        }
        (Some(i), None) => b.clone_into(&mut fields[i].0),
        (None, Some(j)) => a.clone_into(&mut fields[j].0),
        (None, None) => {}
    }
}

/// A recorded table is reversed: Q'(S) = Q(K∖S).
fn swap_recorded(document: &mut Json) {
    let Json::Map(fields) = document else { return };
    let Some((_, Json::Map(adjudicator))) = fields.iter_mut().find(|(k, _)| k == "adjudicator") else { return };
    if let Some((_, Json::List(cells))) = adjudicator.iter_mut().find(|(k, _)| k == "cells") {
        cells.reverse();
    }
}
