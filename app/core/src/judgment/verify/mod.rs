//! Verification of a certificate: numbered checks over the received bytes, ending in a full replay
//! (docs/formats/certificate.md T14 to T20). Nothing is believed because the file says so: family, minimality and
//! counts are recomputed from the cells, and the cells from the case.

mod checks;
mod replay;
#[cfg(test)]
mod tests;

use super::case::Case;
use super::certificate::Certificate;
use super::walk::Compiler;
pub use crate::seal::check::VerifyError;
use crate::seal::check::{self, Opened};
use crate::seal::verification;
pub use crate::seal::verification::{Check, EndState, Next, Signature, Standing, Status};
use crate::seal::verified::TrustStore;
use crate::watch::{Cancelled, Watch};

/// Outcome of the verification of a judgment certificate.
pub type Verification = verification::Verification<Certificate>;

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
    Ok(verify_opened(&check::open(file, bytes)?, against, compiler, watch)?)
}

/// Runs every check on a file that was taken apart.
///
/// # Errors
/// [`Cancelled`].
pub fn verify_opened(
    opened: &Opened,
    against: Against<'_>,
    compiler: &mut Compiler,
    watch: &dyn Watch,
) -> Result<Verification, Cancelled> {
    checks::run(opened, against, compiler, watch)
}
