//! The wings: what Decidendi audits, each in a folder of its own.

pub mod acquire;
pub mod judgment;
pub mod step_value;
pub mod verify;
