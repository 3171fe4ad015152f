//! Verify: the checks of an exported file.

pub mod actions;
pub mod answer;
pub mod command;
pub mod jobs;
pub mod page;
pub mod state;
mod update;
pub mod views;
