//! What checking a certificate comes to: numbered checks, five end states, three verdicts, and what to do next
//! (docs/formats/certificate.md T14 to T20, docs/formats/command-line.md L9). All doors show this one value.

use super::verified::{Signer, Verified};

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
    /// What to do next, where there is something to do. Each door words it.
    pub next: Option<Next>,
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

/// Which wing a certificate speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wing {
    /// One decision: its artifact is a case.
    Judgment,
    /// Frozen transitions: their artifact is a study.
    StepValue,
}

impl Wing {
    /// What its certificates are replayed with.
    #[must_use]
    pub const fn artifact(self) -> &'static str {
        match self {
            Self::Judgment => "case",
            Self::StepValue => "study",
        }
    }
}

/// What to do about a check that did not pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Get the signer's public key from elsewhere and trust it.
    TrustSigner,
    /// Ask the issuer for the file again.
    AskAgain,
    /// Ask the issuer for the bundle again.
    AskForBundle,
    /// Take out, or mark as unsigned, what nobody signed.
    TakeOut,
    /// Give what the certificate is to be replayed with.
    Give(Wing),
    /// Give the very artifact that was certified, or certify the one in hand.
    GiveOther(Wing),
    /// Do not rely on it; ask the issuer to certify anew.
    DoNotRely(Wing),
    /// Replay it with a larger budget of work, where whoever made the case is trusted.
    RaiseBudget,
    /// Use a newer version of this program.
    Upgrade,
    /// Give a certificate of the kind named; no other statement stands in for it.
    GiveKind(&'static str),
}

/// What is known of the signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    /// Enough trusted keys made it.
    Trusted,
    /// Not enough of the trusted keys made it.
    Unknown,
    /// It does not fit these bytes, or there is none.
    Broken,
    /// No key was at hand to try.
    NotChecked,
}

/// Outcome of a verification of a certificate of type `C`.
#[derive(Debug, Clone, PartialEq)]
pub struct Verification<C> {
    /// The wing whose checks were run; `None` where not even that is known.
    pub wing: Option<Wing>,
    /// Pass, Invalid or Inconclusive.
    pub verdict: Standing,
    /// The end state; `None` when nothing failed but the replay could not run for want of the artifacts.
    pub state: Option<EndState>,
    /// What is known of the signature.
    pub signature: Signature,
    /// All checks, in order.
    pub checks: Vec<Check>,
    /// What the certificate claims, where it could be read at all. A claim; `verdict` says whether it holds.
    pub claimed: Option<C>,
    /// The certificate as a verified value: only where every check holds.
    pub verified: Option<Verified<C>>,
    /// Trusted keys that signed it.
    pub signers: Vec<Signer>,
    /// Whether what it claims was recorded elsewhere, so that there is nothing to execute again.
    pub recorded: bool,
}

impl<C> Verification<C> {
    /// An outcome without a certificate, by one check: what holds it was refused before anything in it was read.
    #[must_use]
    pub fn refused(verdict: Standing, state: EndState, check: Check) -> Self {
        let (claimed, verified, signers) = (None, None, Vec::new());
        let (wing, signature, state) = (None, Signature::NotChecked, Some(state));
        Self { wing, verdict, state, signature, checks: vec![check], claimed, verified, signers, recorded: false }
    }

    /// The same outcome with the certificate as another type.
    pub(crate) fn map<D>(self, into: impl Fn(C) -> D) -> Verification<D> {
        let Self { wing, verdict, state, signature, checks, claimed, verified, signers, recorded } = self;
        let (claimed, verified) = (claimed.map(&into), verified.map(|verified| verified.map(&into)));
        Verification { wing, verdict, state, signature, checks, claimed, verified, signers, recorded }
    }
}
