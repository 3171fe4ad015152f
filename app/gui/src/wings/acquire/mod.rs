//! Acquire: scores from an endpoint, by a plan.

pub mod actions;
pub mod answer;
pub mod command;
pub mod jobs;
pub mod page;
pub mod state;
mod update;
pub mod views;
