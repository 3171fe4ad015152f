//! The window of Decidendi.
//!
//! Views read [`desk::state::State`] and ask for [`desk::command::Command`]s; only the desk and the wings' updates change the
//! state; everything slow runs in [`desk::jobs`]. One queue, one order of events.

pub mod app;
pub mod desk;
pub mod parts;
pub mod shared;
pub mod shell;
pub mod theme;
pub mod widgets;
pub mod wings;

pub use app::{App, Options, WindowError, run};
