//! Engine `logic`: positive Horn rules over ground facts, gated by the list of authoritative rules
//! (docs/formats/case.md C46 to C49).

mod adjudicator;
mod chain;
mod parse;
mod read;
mod remarks;
#[cfg(test)]
mod tests;

pub use adjudicator::{Logic, prepare};
pub use parse::{Atom, AtomError, AtomFault, Term};
