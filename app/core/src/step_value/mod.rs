//! Agent Step Value (docs/theory.md §3): state-by-channel faces, from log-probabilities to gains, their interaction Ω,
//! and signs that are certified or abstained on.

pub mod bridge;
pub mod certificate;
pub mod cohort;
pub mod contrast;
pub mod crossing;
pub mod cube;
pub mod design;
mod enough;
pub mod equivalence;
pub mod face;
pub(crate) mod findings;
pub mod inference;
pub mod measure;
pub mod mixture;
mod real;
pub mod reduce;
pub mod retrieval;
pub mod scalars;
pub mod scores;
pub mod study;
pub mod verify;
pub mod walk;
