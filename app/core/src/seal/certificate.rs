//! What all kinds of certificate have in common.

use super::dsse::{Envelope, IN_TOTO};
use super::key::SecretKey;
use super::predicate::{CertificateFault, Kind};
use super::statement::Statement;
use super::verification::Wing;

/// A certificate as a value: it claims, and can be spelled again byte for byte. Verification decides whether its claims hold.
pub trait Certificate: Clone {
    /// How the kind is told.
    const KIND: Kind;
    /// The wing that makes and checks it.
    const WING: Wing;

    /// Reads the content of a statement.
    ///
    /// # Errors
    /// [`CertificateFault`] naming the first field at fault.
    fn read(statement: &Statement) -> Result<Self, CertificateFault>;

    /// The payload that is signed: a canonical in-toto statement.
    fn payload(&self) -> Vec<u8>;

    /// The id of the case or study that it speaks of.
    fn id(&self) -> &str;

    /// Whether it says that nothing was executed.
    fn is_recorded(&self) -> bool {
        false
    }

    /// Signs with every key given; one envelope, canonical bytes and a final newline. Same content, same key, same bytes.
    fn sign(&self, keys: &[&SecretKey]) -> Vec<u8> {
        let mut bytes = Envelope::sign(IN_TOTO, self.payload(), keys).to_bytes();
        bytes.push(b'\n');
        bytes
    }
}
