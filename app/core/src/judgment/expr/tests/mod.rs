//! Tests of conditions: reading, errors, exact values, and agreement of three evaluators.

mod differential;
mod grammar;
mod lifted;
pub(crate) mod random;
mod reading;
mod values;
