//! Judgments: a casebook, its cases, and the page of one case.

pub mod actions;
pub mod answer;
pub mod command;
pub mod export;
pub mod jobs;
pub mod page;
pub mod state;
mod update;
pub mod views;
