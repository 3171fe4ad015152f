//! Acquire: scores from an endpoint, by a plan.

pub mod jobs;
pub mod state;
pub mod update;
pub mod views;
