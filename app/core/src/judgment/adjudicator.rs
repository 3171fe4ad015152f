//! The seam between the walk and an engine: an engine takes a read case and executes its hybrids.

use super::cube::Cube;
use super::remark::Remark;
use super::result::Fault;
use super::source::Mask;
use super::trace::Trace;
use crate::watch::{Cancelled, Watch};

/// All hybrids of a case after execution.
#[derive(Debug, Clone, PartialEq)]
pub struct Executed {
    /// The cells.
    pub cube: Cube,
    /// Faults, by cell, then by source: at least one of every empty cell, up to [`crate::limits::FAULTS`] in all.
    pub faults: Vec<Fault>,
    /// Hybrids that ran (to a verdict or a run-time fault).
    pub executed: u64,
}

/// An engine prepared for one case: bodies read, conditions compiled, every hybrid type-checked.
pub trait Adjudicator {
    /// Executes every hybrid that is a well-typed input.
    ///
    /// # Errors
    /// [`Cancelled`] when the watch asked to stop.
    fn execute(&self, watch: &dyn Watch) -> Result<Executed, Cancelled>;

    /// Executes one hybrid once more by plain interpretation and accounts for every step.
    fn trace(&self, cell: Mask) -> Trace;

    /// What is odd about the bodies but no fault: keys that nothing reads, grants that can never match.
    fn remarks(&self) -> &[Remark] {
        &[]
    }
}
