//! A remark on a declaration: nothing is refused, but whoever wrote it should know.

use crate::seal::document::unknown;
use crate::seal::json::{Json, JsonPath};

/// Something odd that is no error, for the import account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Where.
    pub path: JsonPath,
    /// What.
    pub text: String,
}

impl Remark {
    /// The keys of an object that nothing reads.
    pub fn unused(object: &Json, known: &[&str], at: &JsonPath) -> impl Iterator<Item = Self> {
        unknown(object, known).map(|(key, text)| Self { path: at.key(key), text })
    }
}
