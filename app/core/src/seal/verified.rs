//! Verification: the only maker of [`Verified`] values.
//!
//! Every trusted key is tried on every signature. A key id is a hint of whoever wrote the file; it never decides
//! whether a signature counts, only which words a failure gets.

use super::dsse::{Envelope, IN_TOTO};
use super::key::PublicKey;
use super::statement::{Statement, StatementError};

/// Something that enough trusted keys signed. Only [`check`] makes one, and what comes out of it is read from the very
/// bytes that were verified.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified<T> {
    value: T,
    signers: Vec<Signer>,
}

impl<T> Verified<T> {
    /// What was signed.
    pub const fn get(&self) -> &T {
        &self.value
    }

    /// Who signed: distinct trusted keys, in the trust store's order.
    #[must_use]
    pub fn signers(&self) -> &[Signer] {
        &self.signers
    }

    /// The same value as another type. For this crate only: `into` must keep all it is given.
    pub(crate) fn map<U>(self, into: impl FnOnce(T) -> U) -> Verified<U> {
        Verified { value: into(self.value), signers: self.signers }
    }

    /// Reads the verified value further. For parsers of this crate only: `read` must take all it returns from its
    /// argument.
    pub(crate) fn read<U, E>(&self, read: impl FnOnce(&T) -> Result<U, E>) -> Result<Verified<U>, E> {
        Ok(Verified { value: read(&self.value)?, signers: self.signers.clone() })
    }
}

/// The payload of an envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    /// Its type.
    pub payload_type: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Verified<Payload> {
    /// The in-toto statement that the payload is.
    ///
    /// # Errors
    /// Another payload type, or bytes that are no canonical statement.
    pub fn statement(&self) -> Result<Verified<Statement>, StatementError> {
        self.read(|payload| {
            if payload.payload_type != IN_TOTO {
                return Err(StatementError::PayloadType(payload.payload_type.clone()));
            }
            Statement::read(&payload.bytes)
        })
    }
}

/// A trusted key whose signature was found good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signer {
    /// The key.
    pub key: PublicKey,
    /// The key id that the file gives; another than the key's own is worth a note, no more.
    pub keyid: String,
}

impl Signer {
    /// Whether the file names the key rightly.
    #[must_use]
    pub fn is_named_rightly(&self) -> bool {
        self.keyid == self.key.key_id()
    }
}

/// The keys somebody trusts, and how many of them must have signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustStore {
    keys: Vec<PublicKey>,
    threshold: usize,
}

/// Keys that make no trust store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrustError {
    /// One key twice would count twice.
    #[error("the key {0} is listed twice; list each trusted key once")]
    Twice(String),
    /// A threshold that no or every file meets.
    #[error("a threshold of {threshold} of {keys} keys; choose from 1 to the number of trusted keys")]
    Threshold {
        /// How many signers are asked for.
        threshold: usize,
        /// How many keys there are.
        keys: usize,
    },
}

impl TrustStore {
    /// A store of which any one key suffices.
    ///
    /// # Errors
    /// No key, or the same raw key twice.
    pub fn new(keys: impl IntoIterator<Item = PublicKey>) -> Result<Self, TrustError> {
        let keys: Vec<PublicKey> = keys.into_iter().collect();
        for (i, key) in keys.iter().enumerate() {
            if keys[..i].contains(key) {
                return Err(TrustError::Twice(key.key_id()));
            }
        }
        Self { keys, threshold: 1 }.with_threshold(1)
    }

    /// The store, asking for `threshold` distinct signers.
    ///
    /// # Errors
    /// Zero, or more than there are keys.
    pub fn with_threshold(mut self, threshold: usize) -> Result<Self, TrustError> {
        if threshold == 0 || threshold > self.keys.len() {
            return Err(TrustError::Threshold { threshold, keys: self.keys.len() });
        }
        self.threshold = threshold;
        Ok(self)
    }

    /// The trusted keys, in the order they were given.
    #[must_use]
    pub fn keys(&self) -> &[PublicKey] {
        &self.keys
    }

    /// How many distinct signers are asked for.
    #[must_use]
    pub const fn threshold(&self) -> usize {
        self.threshold
    }
}

/// What checking an envelope's signatures came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Enough trusted keys signed exactly this payload.
    Verified(Verified<Payload>),
    /// Some trusted keys signed, but fewer than asked for.
    TooFew {
        /// Those that did.
        signers: Vec<Signer>,
        /// How many are asked for.
        needed: usize,
    },
    /// The envelope has no signature at all: it was stripped.
    NoSignature,
    /// No trusted key verifies, yet a signature names one: the file was changed after signing, or is a forgery.
    BadSignature {
        /// The trusted keys that are named.
        named: Vec<PublicKey>,
    },
    /// Signed, but by nobody in the trust store.
    UnknownSigner {
        /// The key ids that the file gives.
        keyids: Vec<String>,
    },
}

/// Tries every trusted key on every signature and counts distinct keys.
#[must_use]
pub fn check(envelope: &Envelope, trust: &TrustStore) -> Outcome {
    if envelope.signatures.is_empty() {
        return Outcome::NoSignature;
    }
    let message = envelope.pae();
    let signer = |key: &PublicKey| {
        // The signature that names the key is the likely one; trying it first saves the rest.
        let id = key.key_id();
        let (named, others): (Vec<_>, Vec<_>) = envelope.signatures.iter().partition(|s| s.keyid == id);
        let good = named.into_iter().chain(others).find(|s| key.verify_strict(&message, &s.sig));
        good.map(|signature| Signer { key: key.clone(), keyid: signature.keyid.clone() })
    };
    let signers: Vec<Signer> = trust.keys.iter().filter_map(signer).collect();
    if signers.len() >= trust.threshold {
        let value = Payload { payload_type: envelope.payload_type.clone(), bytes: envelope.payload.clone() };
        return Outcome::Verified(Verified { value, signers });
    }
    if !signers.is_empty() {
        return Outcome::TooFew { signers, needed: trust.threshold };
    }
    let keyids: Vec<String> = envelope.signatures.iter().map(|s| s.keyid.clone()).collect();
    let named: Vec<PublicKey> = trust.keys.iter().filter(|key| keyids.contains(&key.key_id())).cloned().collect();
    if named.is_empty() { Outcome::UnknownSigner { keyids } } else { Outcome::BadSignature { named } }
}

#[cfg(test)]
mod tests;
