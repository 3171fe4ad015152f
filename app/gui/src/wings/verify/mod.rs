//! Verify: the checks of an exported file.

pub mod jobs;
pub mod state;
pub mod views;
