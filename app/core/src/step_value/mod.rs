//! Agent Step Value (theory §3): state-by-channel faces, from log-probabilities to gains, their interaction Ω, and signs
//! that are certified or abstained on.

pub mod face;
pub mod measure;
mod real;
pub mod reduce;
pub mod scalars;
pub mod scores;
pub mod study;
