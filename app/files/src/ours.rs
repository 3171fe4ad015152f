//! Whether a certificate that lies in a place was made of the same subject with the same key, so that a new one may take
//! its place.

use decidendi_core::seal::dsse::Envelope;
use decidendi_core::seal::json::Json;
use decidendi_core::seal::key::PublicKey;
use decidendi_core::seal::statement::Statement;
use decidendi_core::seal::verified::{Outcome, TrustStore, check};

use crate::bundle::Bundle;
use crate::bundle::zip::is_zip;

/// Whether `held`, a certificate or a zipped bundle, is of the subject of the certificate `new`, and one of `keys` signed it.
#[must_use]
pub fn is_of_same_subject(held: &[u8], new: &[u8], keys: &[PublicKey]) -> bool {
    let held =
        if is_zip(held) { Bundle::from_zip(held).map(|b| b.certificate().to_vec()).ok() } else { Some(held.to_vec()) };
    let read = |bytes: &[u8]| Envelope::read("", bytes).ok();
    let (Some(held), Some(new)) = (held.as_deref().and_then(read), read(new)) else { return false };
    let subjects = [&held, &new].map(|envelope| Statement::read(&envelope.payload).ok().and_then(|s| subject(&s)));
    let is_signed = |key: &PublicKey| {
        TrustStore::new([key.clone()]).is_ok_and(|trust| matches!(check(&held, &trust), Outcome::Verified(_)))
    };
    matches!(&subjects, [Some(held), Some(new)] if held == new) && keys.iter().any(is_signed)
}

/// What a certificate speaks of: its kind, the name of the case or study, and the part of it.
fn subject(statement: &Statement) -> Option<(String, String, Option<Json>)> {
    let name = ["case", "study"].iter().find_map(|part| statement.predicate.get(part)?.get("id")?.as_text());
    Some((statement.predicate_type.clone(), name?.to_owned(), statement.predicate.get("scope").cloned()))
}
