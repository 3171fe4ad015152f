//! Verification of a certificate: numbered checks over the received bytes, ending in a full replay (formats §3, §4).
//! Nothing is believed because the file says so: family, minimality and counts are recomputed from the cells, and the
//! cells from the case.

mod checks;
mod replay;

use super::case::Case;
use super::certificate::Certificate;
use super::walk::Compiler;
use crate::seal::dsse::EnvelopeError;
use crate::seal::verified::{Signer, TrustStore, Verified};
use crate::watch::{Cancelled, Watch};

/// Result of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It holds.
    Pass,
    /// It does not.
    Fail,
    /// It could not be run; the detail says why.
    NotRun,
}

impl Status {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::NotRun => "not run",
        }
    }
}

/// One numbered check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Its number, from 1; the same check always has the same number.
    pub n: u32,
    /// Its name.
    pub name: &'static str,
    /// Its result.
    pub status: Status,
    /// What was compared, and the cause of a failure.
    pub detail: String,
    /// What to do next, where there is something to do.
    pub next: Option<String>,
}

/// The five end states, kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndState {
    /// Signed by a trusted key, bindings hold, replay agrees.
    Verified,
    /// No trusted key signed it.
    UnknownSigner,
    /// A newer or another kind of statement.
    UnsupportedVersion,
    /// Bytes are not what was signed, or the artifacts are not those that were bound.
    Altered,
    /// Executing again gives something else than the certificate states.
    ReplayDiffers,
}

impl EndState {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::UnknownSigner => "unknown-signer",
            Self::UnsupportedVersion => "unsupported-version",
            Self::Altered => "altered",
            Self::ReplayDiffers => "replay-differs",
        }
    }
}

/// The three-valued verdict on a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Every check holds.
    Pass,
    /// A check failed.
    Invalid,
    /// No check failed, but not every check could run.
    Inconclusive,
}

impl Standing {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "Pass",
            Self::Invalid => "Invalid",
            Self::Inconclusive => "Inconclusive",
        }
    }
}

/// Outcome of a verification.
#[derive(Debug, Clone, PartialEq)]
pub struct Verification {
    /// Pass, Invalid or Inconclusive.
    pub verdict: Standing,
    /// The end state; `None` when nothing failed but the replay could not run for want of the case.
    pub state: Option<EndState>,
    /// All checks, in order.
    pub checks: Vec<Check>,
    /// What the certificate claims, where it could be read at all. A claim; `verdict` says whether it holds.
    pub claimed: Option<Certificate>,
    /// The certificate as a verified value: only where every check holds.
    pub verified: Option<Verified<Certificate>>,
    /// Trusted keys that signed it.
    pub signers: Vec<Signer>,
}

/// Why a file could not even be checked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VerifyError {
    /// The file is no DSSE envelope.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// The watch asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// What a certificate is checked against.
#[derive(Debug, Clone, Copy, Default)]
pub struct Against<'a> {
    /// Trusted keys and how many distinct ones must have signed.
    pub trust: Option<&'a TrustStore>,
    /// The case, from a bundle or named beside the certificate.
    pub case: Option<&'a Case>,
}

/// Runs every check on the bytes of a certificate file.
///
/// # Errors
/// [`VerifyError::Envelope`] when the bytes are no signed envelope at all: bad input, not a failed check.
pub fn verify(
    file: &str,
    bytes: &[u8],
    against: Against<'_>,
    compiler: &mut Compiler,
    watch: &dyn Watch,
) -> Result<Verification, VerifyError> {
    checks::run(file, bytes, against, compiler, watch)
}
