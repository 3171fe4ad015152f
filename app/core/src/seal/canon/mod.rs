//! Strict JSON in, canonical JSON out.
//!
//! Three readers, one grammar. [`read_input`] normalises what people write (NFC text, `1.0` as an integer) and says
//! so; [`read_signed`] takes only the one canonical spelling; [`read_foreign`] is strict but changes nothing, for
//! envelopes that other tools wrote. All refuse what two readers could understand differently: duplicate keys, lone
//! surrogates, numbers that do not survive, trailing text. [`canonical`] writes RFC 8785.

mod fault;
mod lines;
mod numbers;
mod place;
mod reader;
mod state;
mod text;
mod write;

#[cfg(test)]
mod tests;

pub use fault::{Place, ReadError, ReadFault, Spelling};
pub use lines::read_lines;
pub(crate) use numbers::first_lost;
pub use place::locate;
pub(crate) use text::nfc;
pub(crate) use write::write_text;
pub use write::{canonical, canonical_with_parts, write_canonical};

use super::json::{Json, JsonPath};
use state::Mode;

/// Largest magnitude of an integer that every JSON reader keeps: 2^53 − 1.
pub const LARGEST_INTEGER: i64 = (1 << 53) - 1;

/// What an input document says after normalisation, and what was normalised.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The document's value.
    pub root: Json,
    /// What was read differently from how it is spelled, for the account.
    pub notices: Vec<Notice>,
}

/// Something that reading changed, or that a person should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Where in the document.
    pub path: JsonPath,
    /// What, in one sentence without a full stop.
    pub text: String,
}

/// Reads an input document: strict grammar, NFC-normalised text, integers that are spelled otherwise read as such.
///
/// # Errors
/// The first violation, with its line and column.
pub fn read_input(file: &str, bytes: &[u8]) -> Result<Document, ReadError> {
    reader::read(file, bytes, Mode::Input)
}

/// Reads a signed document: the bytes must be exactly the canonical spelling of what they say, without fractions.
///
/// # Errors
/// The first violation, with its line and column; [`ReadFault::is_altered`] tells broken JSON from a spelling that no
/// signer of ours writes.
pub fn read_signed(file: &str, bytes: &[u8]) -> Result<Json, ReadError> {
    let root = reader::read(file, bytes, Mode::Signed)?.root;
    let spelled = canonical(&root);
    if spelled == bytes {
        return Ok(root);
    }
    let at = spelled.iter().zip(bytes).take_while(|(a, b)| a == b).count();
    Err(ReadError { place: place::of(file, bytes, at), fault: ReadFault::NotCanonical(Spelling::Form) })
}

/// Reads a document that another tool wrote: strict grammar, nothing normalised, any spelling.
///
/// # Errors
/// The first violation, with its line and column.
pub fn read_foreign(file: &str, bytes: &[u8]) -> Result<Json, ReadError> {
    Ok(reader::read(file, bytes, Mode::Foreign)?.root)
}
