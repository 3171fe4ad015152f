//! Verification of a certificate: numbered checks over the received bytes, ending in a full replay
//! (docs/formats/certificate.md T14 to T20). Nothing is believed because the file says so: family, minimality and
//! counts are recomputed from the cells, and the cells from the case.

mod checks;
mod replay;
#[cfg(test)]
mod tests;

use super::case::Case;
use super::certificate::Certificate;
use super::result::Obtained;
use super::walk::Compiler;
use crate::seal::check::{self, Spelled};
pub use crate::seal::check::{Check, EndState, Standing, Status, VerifyError};
use crate::seal::verified::TrustStore;
use crate::watch::Watch;

/// Outcome of the verification of a judgment certificate.
pub type Verification = check::Verification<Certificate>;

impl Spelled for Certificate {
    fn payload(&self) -> Vec<u8> {
        Self::payload(self)
    }

    fn is_recorded(&self) -> bool {
        self.obtained == Obtained::Recorded.word()
    }
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
