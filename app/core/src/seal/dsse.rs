//! The DSSE envelope (protocol 1.0.2): payload bytes, their type, and any number of signatures over both.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

use super::canon::{self, Place, ReadError};
use super::json::{Json, JsonPath};
use super::key::SecretKey;

/// The payload type of in-toto statements: exactly this, also for predicates of our own.
pub const IN_TOTO: &str = "application/vnd.in-toto+json";
/// Most signatures of one envelope: each costs a verification per trusted key, and no honest file has more.
pub const SIGNATURES: usize = 64;

/// A payload with its signatures, taken apart but not verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// What kind of document the payload is; signed along with it.
    pub payload_type: String,
    /// The payload exactly as signed.
    pub payload: Vec<u8>,
    /// The signatures in file order.
    pub signatures: Vec<Signature>,
}

/// One signature of an envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// A hint at the key, empty if absent. Not signed, so nothing is decided by it.
    pub keyid: String,
    /// The signature; 64 bytes if it is an Ed25519 one.
    pub sig: Vec<u8>,
}

/// A file that is no DSSE envelope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvelopeError {
    /// The file is not sound JSON.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The JSON is not an envelope.
    #[error("{place}: {what}; a signed file is a DSSE envelope with payload, payloadType and signatures")]
    Shape {
        /// Where.
        place: Place,
        /// What is missing or wrong.
        what: String,
    },
}

/// The bytes that a DSSE signature covers: type and payload, each with its length.
#[must_use]
pub fn pae(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let mut out = format!("DSSEv1 {} {} {} ", payload_type.len(), payload_type, payload.len()).into_bytes();
    out.extend_from_slice(payload);
    out
}

impl Envelope {
    /// Signs `payload` with each of the keys, in their order.
    #[must_use]
    pub fn sign(payload_type: &str, payload: Vec<u8>, keys: &[&SecretKey]) -> Self {
        let message = pae(payload_type, &payload);
        let signatures = keys
            .iter()
            .map(|key| Signature { keyid: key.public().key_id(), sig: key.sign(&message).to_vec() })
            .collect();
        Self { payload_type: payload_type.to_owned(), payload, signatures }
    }

    /// The bytes that the signatures cover.
    #[must_use]
    pub fn pae(&self) -> Vec<u8> {
        pae(&self.payload_type, &self.payload)
    }

    /// Takes an envelope apart. Unknown fields are passed over, and both base64 alphabets are read, as DSSE asks; duplicate
    /// keys and sloppy base64 are not, because two readers could see two payloads.
    ///
    /// # Errors
    /// Unsound JSON, or JSON of another shape.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, EnvelopeError> {
        Self::read_with_surplus(file, bytes).map(|(envelope, _)| envelope)
    }

    /// The same, with the names of the fields that were passed over: nobody signed them, so a reader is told.
    pub(crate) fn read_with_surplus(file: &str, bytes: &[u8]) -> Result<(Self, Vec<String>), EnvelopeError> {
        let root = canon::read_foreign(file, bytes)?;
        let top = JsonPath::default();
        let refuse = |path: &JsonPath, what: String| {
            let (line, column) = canon::locate(bytes, path).unwrap_or((1, 1));
            EnvelopeError::Shape { place: Place { file: file.to_owned(), line, column }, what }
        };
        if root.as_map().is_none() {
            return Err(refuse(&top, format!("expected an object, found {}", root.kind())));
        }
        let text = |object: &Json, path: &JsonPath, key: &str| match object.get(key) {
            Some(Json::Text(text)) => Ok(text.clone()),
            Some(other) => Err(refuse(&path.key(key), format!("{key:?} must be text, found {}", other.kind()))),
            None => Err(refuse(path, format!("{key:?} is missing"))),
        };
        let decoded = |object: &Json, path: &JsonPath, key: &str| {
            let encoded = text(object, path, key)?;
            decode(&encoded).ok_or_else(|| refuse(&path.key(key), format!("{key:?} is not strict base64")))
        };
        let mut surplus = surplus(&root, &["payload", "payloadType", "signatures"], "");
        let payload = decoded(&root, &top, "payload")?;
        let payload_type = text(&root, &top, "payloadType")?;
        let at = top.key("signatures");
        let list = match root.get("signatures") {
            Some(Json::List(list)) => list,
            Some(other) => return Err(refuse(&at, format!("\"signatures\" must be a list, found {}", other.kind()))),
            None => return Err(refuse(&top, "\"signatures\" is missing".to_owned())),
        };
        if list.len() > SIGNATURES {
            return Err(refuse(&at.at(SIGNATURES), format!("more than {SIGNATURES} signatures")));
        }
        let mut signatures = Vec::with_capacity(list.len());
        for (i, entry) in list.iter().enumerate() {
            let at = at.at(i);
            if entry.as_map().is_none() {
                return Err(refuse(&at, format!("a signature must be an object, found {}", entry.kind())));
            }
            let keyid = if entry.get("keyid").is_some() { text(entry, &at, "keyid")? } else { String::new() };
            signatures.push(Signature { keyid, sig: decoded(entry, &at, "sig")? });
            surplus.extend(self::surplus(entry, &["keyid", "sig"], "signatures."));
        }
        Ok((Self { payload_type, payload, signatures }, surplus))
    }

    /// The envelope as canonical JSON, without a newline.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let signatures = self.signatures.iter().map(|signature| {
            Json::map([
                ("keyid", Json::text(signature.keyid.as_str())),
                ("sig", Json::Text(STANDARD.encode(&signature.sig))),
            ])
        });
        canon::canonical(&Json::map([
            ("payload", Json::Text(STANDARD.encode(&self.payload))),
            ("payloadType", Json::text(self.payload_type.as_str())),
            ("signatures", Json::List(signatures.collect())),
        ]))
    }
}

/// Standard or URL-safe base64, one of them throughout, padded, with no bit left over.
fn decode(encoded: &str) -> Option<Vec<u8>> {
    STANDARD.decode(encoded).or_else(|_| URL_SAFE.decode(encoded)).ok()
}

/// The first few keys of an object that are not `known`.
fn surplus(object: &Json, known: &[&str], before: &str) -> Vec<String> {
    const NAMED: usize = 4;
    let keys = object.as_map().unwrap_or_default().iter().map(|(key, _)| key.as_str());
    keys.filter(|key| !known.contains(key)).take(NAMED).map(|key| format!("{before}{key}")).collect()
}

#[cfg(test)]
mod tests;
