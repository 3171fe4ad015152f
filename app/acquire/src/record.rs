//! One attempt as one line of the log: what was asked, what came back, byte for byte.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use decidendi_core::seal::canon::{canonical, read_foreign};
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::json::Json;

/// The version of a record.
const VERSION: i64 = 1;

/// One attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Which run on this log made it, from 1.
    pub run: u64,
    /// The call, as [`crate::calls::Call::name`] names it.
    pub cell: Json,
    /// Which attempt at this call it is, from 1, over all runs.
    pub attempt: u64,
    /// The digest of the request's bytes.
    pub request_sha256: Digest,
    /// The request's bytes, in the first record that has this digest.
    pub request: Option<String>,
    /// The address asked.
    pub url: String,
    /// The model asked for.
    pub model: String,
    /// The model that answered, by its own word.
    pub returned_model: Option<String>,
    /// The build that answered, by its own word.
    pub system_fingerprint: Option<String>,
    /// When the attempt began.
    pub at: String,
    /// How long it took.
    pub elapsed_ms: u64,
    /// The status, if one came.
    pub status: Option<u16>,
    /// The headers that are kept.
    pub headers: Vec<(String, String)>,
    /// The exact body, if it came whole.
    pub body: Option<Vec<u8>>,
    /// What broke, if something did.
    pub error: Option<String>,
    /// Whether the key was taken out of the body, a header or the error.
    pub is_redacted: bool,
    /// The digest of the line before, or of the plan before the first.
    pub prev: Digest,
}

impl Record {
    /// Whether it ends its call: a complete 200, whatever its content.
    #[must_use]
    pub const fn is_answer(&self) -> bool {
        matches!(self.status, Some(200)) && self.error.is_none() && self.body.is_some()
    }

    /// The call's name as one line: equal names are equal calls.
    #[must_use]
    pub fn key(&self) -> String {
        crate::calls::key(&self.cell)
    }

    /// The line, without its line feed.
    #[must_use]
    pub fn to_line(&self) -> Vec<u8> {
        let int = |n: u64| Json::Int(i64::try_from(n).unwrap_or(i64::MAX));
        let text = |t: &Option<String>| t.as_ref().map_or(Json::Null, Json::text);
        let mut entries = vec![
            ("v", Json::Int(VERSION)),
            ("run", int(self.run)),
            ("cell", self.cell.clone()),
            ("attempt", int(self.attempt)),
            ("request_sha256", Json::text(self.request_sha256.to_string())),
            ("url", Json::text(&self.url)),
            ("model", Json::text(&self.model)),
            ("returned_model", text(&self.returned_model)),
            ("system_fingerprint", text(&self.system_fingerprint)),
            ("at", Json::text(&self.at)),
            ("elapsed_ms", int(self.elapsed_ms)),
            ("status", self.status.map_or(Json::Null, |status| Json::Int(i64::from(status)))),
            ("headers", Json::map(self.headers.iter().map(|(name, value)| (name.clone(), Json::text(value))))),
            ("error", text(&self.error)),
            ("redacted", Json::Bool(self.is_redacted)),
            ("prev", Json::text(self.prev.to_string())),
        ];
        if let Some(request) = &self.request {
            entries.push(("request", Json::text(request)));
        }
        if let Some(body) = &self.body {
            entries.push(("body_sha256", Json::text(Digest::of(body).to_string())));
            entries.push(match std::str::from_utf8(body) {
                Ok(body) => ("body", Json::text(body)),
                Err(_) => ("body_base64", Json::text(STANDARD.encode(body))),
            });
        }
        canonical(&Json::map(entries))
    }

    /// Reads a line.
    ///
    /// # Errors
    /// In words what is wrong with it.
    pub fn read(line: &[u8]) -> Result<Self, String> {
        let root = read_foreign("", line).map_err(|e| format!("column {}: {}", e.place.column, e.fault))?;
        let field = Fields(&root);
        let version = field.int("v")?;
        if version != 1 {
            return Err(format!(
                "the record has version {version}, this program reads {VERSION}; use a newer decidendi"
            ));
        }
        let record = Self {
            run: field.int("run")?,
            cell: root.get("cell").filter(|cell| cell.as_map().is_some()).cloned().ok_or("`cell` is missing")?,
            attempt: field.int("attempt")?,
            request_sha256: field.digest("request_sha256")?,
            request: field.text("request")?,
            url: field.text("url")?.ok_or("`url` is missing")?,
            model: field.text("model")?.ok_or("`model` is missing")?,
            returned_model: field.text("returned_model")?,
            system_fingerprint: field.text("system_fingerprint")?,
            at: field.text("at")?.ok_or("`at` is missing")?,
            elapsed_ms: field.int("elapsed_ms")?,
            status: field.status()?,
            headers: field.headers()?,
            body: field.body()?,
            error: field.text("error")?,
            is_redacted: root.get("redacted").and_then(Json::as_bool).ok_or("`redacted` is missing")?,
            prev: field.digest("prev")?,
        };
        if record.request.as_ref().is_some_and(|request| Digest::of(request.as_bytes()) != record.request_sha256) {
            return Err("the request does not have the digest that is given for it".to_owned());
        }
        if record.body.as_ref().map(|body| Digest::of(body)) != field.digest("body_sha256").ok() {
            return Err("the body does not have the digest that is given for it".to_owned());
        }
        // One spelling, so that equal records are equal bytes and nothing hides in unread fields.
        if record.to_line() != line {
            return Err("the record is not spelled as this program spells it".to_owned());
        }
        Ok(record)
    }
}

struct Fields<'j>(&'j Json);

impl Fields<'_> {
    fn text(&self, key: &str) -> Result<Option<String>, String> {
        match self.0.get(key) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::Text(text)) => Ok(Some(text.clone())),
            Some(other) => Err(format!("`{key}` is {}, not text", other.kind())),
        }
    }

    fn int(&self, key: &str) -> Result<u64, String> {
        let found = self.0.get(key).and_then(Json::as_int).and_then(|n| u64::try_from(n).ok());
        found.ok_or_else(|| format!("`{key}` is no count"))
    }

    fn digest(&self, key: &str) -> Result<Digest, String> {
        let text = self.text(key)?.ok_or_else(|| format!("`{key}` is missing"))?;
        Digest::parse(&text).map_err(|e| format!("`{key}`: {e}"))
    }

    fn status(&self) -> Result<Option<u16>, String> {
        match self.0.get("status") {
            Some(Json::Null) => Ok(None),
            Some(Json::Int(status)) => u16::try_from(*status).map(Some).map_err(|_| "`status` is no status".to_owned()),
            _ => Err("`status` is no status".to_owned()),
        }
    }

    fn headers(&self) -> Result<Vec<(String, String)>, String> {
        let entries = self.0.get("headers").and_then(Json::as_map).ok_or("`headers` is no object")?;
        let text = |(name, value): &(String, Json)| Some((name.clone(), value.as_text()?.to_owned()));
        entries.iter().map(text).collect::<Option<_>>().ok_or_else(|| "a header is no text".to_owned())
    }

    fn body(&self) -> Result<Option<Vec<u8>>, String> {
        match (self.text("body")?, self.text("body_base64")?) {
            (None, None) => Ok(None),
            (Some(text), None) => Ok(Some(text.into_bytes())),
            (None, Some(coded)) => STANDARD.decode(coded).map(Some).map_err(|e| format!("`body_base64`: {e}")),
            (Some(_), Some(_)) => Err("the record has two bodies".to_owned()),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A record with a body.
    pub(crate) fn sample(body: &[u8]) -> Record {
        let request = r#"{"model":"m"}"#.to_owned();
        Record {
            run: 1,
            cell: Json::map([("kind", Json::text("probe"))]),
            attempt: 1,
            request_sha256: Digest::of(request.as_bytes()),
            request: Some(request),
            url: "http://127.0.0.1:1/v1/chat/completions".to_owned(),
            model: "m".to_owned(),
            returned_model: None,
            system_fingerprint: None,
            at: "2026-01-01T00:00:00.000Z".to_owned(),
            elapsed_ms: 12,
            status: Some(200),
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: Some(body.to_vec()),
            error: None,
            is_redacted: false,
            prev: Digest::of(b""),
        }
    }

    proptest! {
        #[test]
        fn every_body_survives_byte_for_byte(bytes in prop::collection::vec(any::<u8>(), 0..200), text in ".{0,60}") {
            for body in [bytes.as_slice(), text.as_bytes()] {
                let record = sample(body);
                let line = record.to_line();
                prop_assert!(!line.contains(&b'\n'));
                prop_assert_eq!(Record::read(&line), Ok(record));
            }
        }

        #[test]
        fn no_changed_byte_goes_unseen(at in 0_usize..600, with in any::<u8>()) {
            let line = sample(br#"{"choices":[]}"#).to_line();
            let mut changed = line.clone();
            let at = at % changed.len();
            prop_assume!(changed[at] != with);
            changed[at] = with;
            // A changed value may still be a sound record; then the chain of digests shows it.
            if let Ok(record) = Record::read(&changed) {
                prop_assert_eq!(record.to_line(), changed);
            }
        }
    }
}
