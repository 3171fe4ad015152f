//! Receipts: the complete family of minimal replacements that reproduce the new verdict, and its proof (docs/theory.md
//! §1.3).

mod family;
mod kernel;
mod lanes;
mod minimality;
#[cfg(test)]
mod tests;
mod truth;

pub use family::{minimal_family, minimal_masks, sufficient};
pub use kernel::{Minimal, TableLength, minimal_in_place, minimal_word, table_words};
pub use minimality::{Minimality, minimality};
pub use truth::TruthTable;
