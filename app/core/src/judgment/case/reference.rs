//! References to files beside a case, and the place of a fault in whichever file it stands.

use std::collections::BTreeMap;

use super::error::{CaseError, CaseFault, Place};
use super::read::slot;
use crate::limits::DOCUMENT_DEPTH;
use crate::seal::canon::{Notice, canonical, locate, read_input};
use crate::seal::digest::Digest;
use crate::seal::document::note_unknown;
use crate::seal::json::{Json, JsonPath};

/// Files that a case refers to, by the path as written in the reference.
pub type Artifacts = BTreeMap<String, Vec<u8>>;

/// A reference to a file beside the case: `{"$ref": "norms.json", "sha256": "…"}`.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// Relative path as written.
    pub path: String,
    /// Content identifier that the file must have, if one is given; checked when the reference is resolved.
    pub sha256: Option<Json>,
    /// Where the reference stands.
    pub at: JsonPath,
}

/// The files a case document refers to, in file order. Whoever touches the disk loads these and nothing else.
#[must_use]
pub fn references(root: &Json) -> Vec<Reference> {
    let sources = root.get("sources").and_then(Json::as_list).unwrap_or_default();
    let mut found = Vec::new();
    for (i, source) in sources.iter().enumerate() {
        for version in ["old", "new"] {
            if let Some(path) = source.get(version).and_then(|body| body.get("$ref")).and_then(Json::as_text) {
                found.push(Reference {
                    path: path.to_owned(),
                    sha256: source.get(version).and_then(|body| body.get("sha256")).cloned(),
                    at: JsonPath::default().key("sources").at(i).key(version),
                });
            }
        }
    }
    found
}

/// The place of a fault found after reading: line and column in the case file, or in the referenced file it came from.
#[must_use]
pub fn place_of(file: &str, bytes: &[u8], artifacts: &Artifacts, path: &JsonPath) -> Place {
    Origin::of(file, bytes, artifacts).place(path)
}

/// Where a document and its referenced files came from, to word the place of a fault.
pub(crate) struct Origin<'a> {
    pub(super) file: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) artifacts: &'a Artifacts,
    pub(super) references: Vec<Reference>,
}

impl<'a> Origin<'a> {
    /// Of bytes that were read before; the references are looked up once more.
    pub(crate) fn of(file: &'a str, bytes: &'a [u8], artifacts: &'a Artifacts) -> Self {
        // Without files there is nothing to look up, and a large document is not read twice.
        let read = || read_input(file, bytes).map(|d| references(&d.root)).unwrap_or_default();
        let references = if artifacts.is_empty() { Vec::new() } else { read() };
        Self { file, bytes, artifacts, references }
    }

    /// Line and column of a reference itself, not of the file that it names.
    pub(super) fn stands(&self, reference: &Reference) -> Place {
        place_in(self.file, self.bytes, &reference.at)
    }

    /// Line and column of a path into the resolved document.
    pub(crate) fn place(&self, path: &JsonPath) -> Place {
        for reference in &self.references {
            if let Some(rest) = path.0.strip_prefix(reference.at.0.as_slice())
                && let Some(bytes) = self.artifacts.get(&reference.path)
            {
                return place_in(&reference.path, bytes, &JsonPath(rest.to_vec()));
            }
        }
        place_in(self.file, self.bytes, path)
    }
}

/// The place of a path, or of its nearest ancestor that is there.
fn place_in(file: &str, bytes: &[u8], path: &JsonPath) -> Place {
    let mut here = path.clone();
    loop {
        if let Some((line, column)) = locate(bytes, &here) {
            return Place { file: file.to_owned(), line, column };
        }
        if here.0.pop().is_none() {
            return Place { file: file.to_owned(), line: 1, column: 1 };
        }
    }
}

/// Puts the referenced file's value where the reference stands.
pub(super) fn resolve(
    root: &mut Json,
    reference: &Reference,
    origin: &Origin<'_>,
    notices: &mut Vec<Notice>,
) -> Result<(), CaseError> {
    // Where the reference stands, not the file it names.
    let place = origin.stands(reference);
    let bytes = origin
        .artifacts
        .get(&reference.path)
        .ok_or_else(|| CaseError::MissingReference { place: place.clone(), path: reference.path.clone() })?;
    let document = read_input(&reference.path, bytes)?;
    if document.root.depth() + reference.at.0.len() > DOCUMENT_DEPTH {
        let what = format!("`{}` is nested too deeply to stand in a case", reference.path);
        let help = format!("A case has at most {DOCUMENT_DEPTH} levels: flatten the file.");
        return Err(CaseError::Shape { place, fault: CaseFault::new(reference.at.clone(), what, help) });
    }
    if let Some(wanted) = &reference.sha256 {
        let found = Digest::of(&canonical(&document.root));
        let shape = |fault| CaseError::Shape { place: place.clone(), fault };
        let at = reference.at.key("sha256");
        let wanted = wanted.as_text().ok_or_else(|| shape(CaseFault::kind(&at, "a content identifier", wanted)))?;
        if Digest::parse(wanted).ok() != Some(found) {
            let what = format!("`{}` has content identifier {found}, the reference asks for {wanted}", reference.path);
            let fault = CaseFault::new(reference.at.clone(), what, "Restore the file, or correct the reference.");
            return Err(shape(fault));
        }
    }
    notices.extend(document.notices.into_iter().map(|notice| {
        let path = JsonPath(reference.at.0.iter().chain(&notice.path.0).cloned().collect());
        Notice { path, text: notice.text }
    }));
    if let Some(slot) = slot(root, &reference.at) {
        note_unknown(slot, &["$ref", "sha256"], &reference.at, notices);
        *slot = document.root;
    }
    Ok(())
}
