//! The window of Decidendi.
//!
//! Views read [`state::State`] and ask for [`command::Command`]s; only `update` changes the state; everything slow runs in
//! [`jobs`]. One queue, one order of events.

pub mod app;
pub mod command;
pub mod dialog;
pub mod export;
pub mod fonts;
pub mod icons;
pub mod jobs;
pub mod library;
pub mod link;
pub mod parts;
pub mod persist;
pub mod state;
pub mod theme;
pub mod update;
pub mod views;
pub mod widgets;

pub use app::{App, Options, WindowError, run};
