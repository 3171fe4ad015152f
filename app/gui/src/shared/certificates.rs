//! Certificates made in this session, of any wing: which are held, which one is being signed, which are stale.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::verification::{EndState, Standing};

use super::job::JobId;

/// A signed certificate in memory, with what verifying it right after gave.
#[derive(Debug, Clone)]
pub struct Held<C> {
    /// The envelope's bytes.
    pub bytes: Arc<[u8]>,
    /// SHA-256 of the bytes, as `sha256:<hex>`.
    pub digest: String,
    /// The signing key's name.
    pub signer: String,
    /// Its file's name.
    pub file: String,
    /// Digests of what it speaks of.
    pub of: Vec<Digest>,
    /// What the verification right after signing came to, with full replay.
    pub verdict: Standing,
    /// The end state that it was given.
    pub state: Option<EndState>,
    /// What it claims, as its wing reads it.
    pub claim: C,
    /// Where it was written, if it was.
    pub saved: Option<PathBuf>,
}

impl<C> Held<C> {
    /// Whether the verification right after signing held.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.verdict == Standing::Pass
    }
}

/// Where the certificate of one thing stands.
#[derive(Debug)]
pub enum Stand<'a, C> {
    /// None yet.
    None,
    /// At work.
    Signing,
    /// Signed and verified.
    Held(&'a Held<C>),
    /// Signed once; what it speaks of has changed since.
    Stale(&'a Held<C>),
    /// It could not be made: why, and what to do.
    Refused(&'a str),
}

impl<C> Clone for Stand<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Stand<'_, C> {}

impl<'a, C> Stand<'a, C> {
    /// The certificate, if there is one, stale or not.
    #[must_use]
    pub const fn held(self) -> Option<&'a Held<C>> {
        match self {
            Self::Held(held) | Self::Stale(held) => Some(held),
            Self::None | Self::Signing | Self::Refused(_) => None,
        }
    }
}

/// The certificates of one wing, by what they are of.
#[derive(Debug, Clone)]
pub struct Certificates<K, C> {
    held: BTreeMap<K, Held<C>>,
    signing: Option<(JobId, K)>,
    refused: Option<(K, String)>,
}

impl<K: Ord, C> Default for Certificates<K, C> {
    fn default() -> Self {
        Self { held: BTreeMap::new(), signing: None, refused: None }
    }
}

impl<K: Ord + Clone, C> Certificates<K, C> {
    /// Where the certificate of `key` stands, whose digests are `of` now.
    pub fn stand(&self, key: &K, of: &[Digest]) -> Stand<'_, C> {
        if self.is_signing(key) {
            return Stand::Signing;
        }
        if let Some((_, why)) = self.refused.as_ref().filter(|(refused, _)| refused == key) {
            return Stand::Refused(why);
        }
        match self.held.get(key) {
            Some(held) if held.of == of => Stand::Held(held),
            Some(held) => Stand::Stale(held),
            None => Stand::None,
        }
    }

    /// The certificate of `key`, stale or not.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&Held<C>> {
        self.held.get(key)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &Held<C>)> {
        self.held.iter()
    }

    /// What is being signed.
    #[must_use]
    pub fn signing(&self) -> Option<&K> {
        self.signing.as_ref().map(|(_, key)| key)
    }

    /// Whether `key` is being signed.
    #[must_use]
    pub fn is_signing(&self, key: &K) -> bool {
        self.signing() == Some(key)
    }

    /// A job signs `key`; an earlier one is not waited for any more.
    pub fn begin(&mut self, job: JobId, key: K) {
        self.refused = None;
        self.signing = Some((job, key));
    }

    /// The job is over: what it signed, if it was waited for.
    pub fn settle(&mut self, job: JobId) -> Option<K> {
        let (_, key) = self.signing.take_if(|(signing, _)| *signing == job)?;
        Some(key)
    }

    /// Keeps a certificate.
    pub fn hold(&mut self, key: K, held: Held<C>) {
        if self.refused.as_ref().is_some_and(|(refused, _)| *refused == key) {
            self.refused = None;
        }
        self.held.insert(key, held);
    }

    /// Remembers why `key` could not be certified, until it is tried again or forgotten.
    pub fn refuse(&mut self, key: K, why: String) {
        self.refused = Some((key, why));
    }

    /// Another thing came onto the page: nobody waits, and no refusal is shown.
    pub fn turn_to(&mut self, key: &K) {
        self.signing.take_if(|(_, signing)| signing != key);
        self.refused.take_if(|(refused, _)| refused != key);
    }

    /// A certificate was written to a file.
    pub fn saved(&mut self, digest: &str, path: &Path) {
        for held in self.held.values_mut().filter(|held| held.digest == digest) {
            held.saved = Some(path.to_owned());
        }
    }

    /// The same certificates under other keys; those without one go.
    #[must_use]
    pub fn rekeyed(self, key: impl Fn(&K) -> Option<K>) -> Self {
        let held = self.held.into_iter().filter_map(|(old, held)| Some((key(&old)?, held))).collect();
        Self { held, signing: None, refused: None }
    }
}
