//! The in-toto Statement v1: which artifacts (by digest) a claim is about, and the claim.

use std::collections::BTreeSet;

use super::canon::{self, Place, ReadError};
use super::digest::Digest;
use super::json::{Json, JsonPath};

/// The `_type` of every statement.
pub const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";

/// A claim about artifacts.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// Name and digest of each artifact, in the statement's order.
    pub subjects: Vec<(String, Digest)>,
    /// What kind of claim, as a URI.
    pub predicate_type: String,
    /// The claim.
    pub predicate: Json,
}

/// A payload that is no statement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatementError {
    /// The envelope carries something else.
    #[error("the signed payload is of type {0:?}, not an in-toto statement ({expected:?})", expected = super::dsse::IN_TOTO)]
    PayloadType(String),
    /// Not canonical JSON, or not JSON at all.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// JSON of another shape.
    #[error("{place}: {what}; the signed text is not an in-toto Statement v1")]
    Shape {
        /// Where in the payload.
        place: Place,
        /// What is missing or wrong.
        what: String,
    },
}

impl Statement {
    /// The digest of the subject called `name`.
    #[must_use]
    pub fn subject(&self, name: &str) -> Option<Digest> {
        self.subjects.iter().find(|(n, _)| n == name).map(|(_, digest)| *digest)
    }

    /// The statement as JSON.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let subject = |(name, digest): &(String, Digest)| {
            Json::map([
                ("name", Json::text(name.as_str())),
                ("digest", Json::map([("sha256", Json::Text(digest.hex()))])),
            ])
        };
        Json::map([
            ("_type", Json::text(STATEMENT_TYPE)),
            ("subject", Json::List(self.subjects.iter().map(subject).collect())),
            ("predicateType", Json::text(self.predicate_type.as_str())),
            ("predicate", self.predicate.clone()),
        ])
    }

    /// The bytes to sign: canonical JSON without a newline.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        canon::canonical(&self.to_json())
    }

    /// Reads a payload: canonical JSON with exactly the fields of a statement, each subject with one SHA-256 digest and
    /// a name of its own.
    ///
    /// # Errors
    /// Anything else, with its place in the payload.
    pub fn read(bytes: &[u8]) -> Result<Self, StatementError> {
        let root = canon::read_signed("payload", bytes)?;
        Reading { bytes }.statement(root)
    }
}

/// One reading, for the places of its errors.
struct Reading<'b> {
    bytes: &'b [u8],
}

impl Reading<'_> {
    fn refuse(&self, path: &JsonPath, what: impl Into<String>) -> StatementError {
        let (line, column) = canon::locate(self.bytes, path).unwrap_or((1, 1));
        StatementError::Shape { place: Place { file: "payload".to_owned(), line, column }, what: what.into() }
    }

    fn statement(&self, root: Json) -> Result<Statement, StatementError> {
        let top = JsonPath::default();
        self.fields(&root, &top, &["_type", "predicate", "predicateType", "subject"])?;
        let kind = self.text(&root, &top, "_type")?;
        if kind != STATEMENT_TYPE {
            return Err(self.refuse(&top.key("_type"), format!("the statement type is {kind:?}")));
        }
        let predicate_type = self.text(&root, &top, "predicateType")?.to_owned();
        let at = top.key("subject");
        let list = root.get("subject").and_then(Json::as_list);
        let list = list.ok_or_else(|| self.refuse(&at, "\"subject\" must be a list"))?;
        let (mut subjects, mut names) = (Vec::with_capacity(list.len()), BTreeSet::new());
        for (i, entry) in list.iter().enumerate() {
            let (name, digest) = self.subject(entry, &at.at(i))?;
            if !names.insert(name.clone()) {
                return Err(self.refuse(&at.at(i), format!("two subjects are called {name:?}")));
            }
            subjects.push((name, digest));
        }
        if subjects.is_empty() {
            return Err(self.refuse(&at, "a statement needs at least one subject"));
        }
        let Json::Map(entries) = root else { return Err(self.refuse(&top, "expected an object")) };
        let predicate = entries.into_iter().find(|(key, _)| key == "predicate").map(|(_, value)| value);
        let predicate = predicate.ok_or_else(|| self.refuse(&top, "\"predicate\" is missing"))?;
        if predicate.as_map().is_none() {
            return Err(self.refuse(&top.key("predicate"), "\"predicate\" must be an object"));
        }
        Ok(Statement { subjects, predicate_type, predicate })
    }

    fn subject(&self, entry: &Json, at: &JsonPath) -> Result<(String, Digest), StatementError> {
        self.fields(entry, at, &["digest", "name"])?;
        let name = self.text(entry, at, "name")?;
        if name.is_empty() {
            return Err(self.refuse(&at.key("name"), "a subject needs a name"));
        }
        let at = at.key("digest");
        let digest = entry.get("digest").unwrap_or(&Json::Null);
        self.fields(digest, &at, &["sha256"])?;
        let hex = self.text(digest, &at, "sha256")?;
        // The field names the algorithm, so the value is the bare hex.
        let parsed = Digest::parse(hex).ok().filter(|_| hex.len() == 64);
        let digest = parsed.ok_or_else(|| self.refuse(&at.key("sha256"), "not 64 lower-case hex digits"))?;
        Ok((name.to_owned(), digest))
    }

    /// That `object` is an object with exactly these fields.
    fn fields(&self, object: &Json, path: &JsonPath, names: &[&str]) -> Result<(), StatementError> {
        let Some(entries) = object.as_map() else {
            return Err(self.refuse(path, format!("expected an object, found {}", object.kind())));
        };
        if let Some((key, _)) = entries.iter().find(|(key, _)| !names.contains(&key.as_str())) {
            return Err(self.refuse(&path.key(key), format!("unknown field {key:?}")));
        }
        match names.iter().find(|name| object.get(name).is_none()) {
            Some(name) => Err(self.refuse(path, format!("{name:?} is missing"))),
            None => Ok(()),
        }
    }

    fn text<'j>(&self, object: &'j Json, path: &JsonPath, key: &str) -> Result<&'j str, StatementError> {
        let text = object.get(key).and_then(Json::as_text);
        text.ok_or_else(|| self.refuse(&path.key(key), format!("{key:?} must be text")))
    }
}

#[cfg(test)]
mod tests;
