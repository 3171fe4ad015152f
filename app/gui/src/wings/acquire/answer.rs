//! What the jobs on a plan send back.

use std::path::PathBuf;

use decidendi_acquire::run::Again;

use super::state::{CallRow, Ended, OpenPlan, Probed, Replayed, Standing};
use crate::shared::stamp::Stamp;

/// What an acquisition job sends.
#[derive(Debug)]
pub enum AcquireAnswer {
    /// A plan was read.
    Opened(Box<OpenPlan>),
    /// It could not be.
    NotOpened(PathBuf, String),
    /// The example plan was written.
    Example(PathBuf),
    /// A call is on the disk.
    Call(CallRow),
    /// A call failed and is asked again.
    Again(Again),
    /// A probe is over.
    Probed(Box<Result<Probed, Ended>>),
    /// A run is over: how, and what the log holds now.
    Ended(Ended, Box<(Result<Standing, Ended>, Stamp)>),
    /// A replay is over.
    Replayed(Result<Replayed, Ended>),
}
