//! Progress and cancellation as one argument: long work calls [`Watch::step`] now and then and stops when told to.

use std::ops::ControlFlow;

/// Told how far a piece of work has come; answers whether to go on.
pub trait Watch {
    /// `done` of `total` units are finished. `Break` asks the work to stop soon; it then returns [`Cancelled`].
    fn step(&self, done: u64, total: u64) -> ControlFlow<()>;
}

/// A watch that never looks: work runs to its end.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn step(&self, _done: u64, _total: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The work was asked to stop and did; nothing partial is handed out as final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;
