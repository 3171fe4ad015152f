//! What the jobs on studies send back.

use super::state::{Analysed, StudyEntry, StudyFault};
use crate::shared::signing::{NotSigned, Signed};
use crate::shared::stamp::Stamp;

/// What came back from a job.
#[derive(Debug)]
pub enum StepAnswer {
    /// The studies of the casebook.
    Studies(Vec<StudyEntry>),
    /// A study was read and analysed.
    Study(Box<Analysed>),
    /// A study could not be read, and how its files stood.
    StudyFailed(StudyFault, Option<Stamp>),
    /// Signs were certified, or were not.
    Certified(Result<Signed<()>, NotSigned>),
}
