//! Sealing: strict JSON, canonical bytes, digests, signatures. What passed a check is a value of its own type.
//!
//! The way of a signed file: [`dsse::Envelope::read`] takes the bytes apart, [`verified::check`] tries every trusted
//! key, and only what it returns, a [`verified::Verified`], counts as signed. [`statement::Statement`] is the text
//! inside. Everything that is hashed or signed goes through [`canon`].

pub mod canon;
pub mod certificate;
pub mod chain;
pub mod check;
pub mod digest;
pub mod document;
pub mod dsse;
pub mod json;
pub mod key;
pub mod line_ends;
pub mod major;
pub mod predicate;
pub mod statement;
pub mod time;
pub mod verification;
pub mod verified;

#[cfg(test)]
mod foreign;
