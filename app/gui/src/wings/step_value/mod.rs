//! Step value: a study, its transitions, and what their gains say.

pub mod export;
pub mod jobs;
pub mod plot;
pub mod state;
pub mod update;
pub mod views;
