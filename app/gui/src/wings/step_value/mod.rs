//! Step value: a study, its transitions, and what their gains say.

pub mod actions;
pub mod answer;
pub mod command;
pub mod export;
pub mod jobs;
pub mod page;
pub mod plot;
pub mod state;
mod update;
pub mod views;
