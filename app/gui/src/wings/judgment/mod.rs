//! Judgments: a casebook, its cases, and the page of one case.

pub mod export;
pub mod jobs;
pub mod state;
pub mod update;
pub mod views;
