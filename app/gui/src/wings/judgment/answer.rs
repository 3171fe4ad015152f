//! What the jobs on casebooks and cases send back.

use std::sync::Arc;

use decidendi_core::judgment::case::Case;
use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::sandbox::Sandbox;
use decidendi_core::judgment::trace::Trace;
use decidendi_core::judgment::verify::Verification;

use super::state::{Book, Judged, Library};
use crate::shared::signing::{NotSigned, Signed};

/// What came back from a job.
#[derive(Debug)]
pub enum JudgmentAnswer {
    /// A casebook was read.
    Book(Arc<Library>, Book),
    /// A casebook could not be read.
    BookFailed(String),
    /// Some rows were executed.
    Rows(Vec<(u32, Judged)>),
    /// All rows were executed.
    RowsDone,
    /// A case was read and executed.
    Case(CaseReady),
    /// A case could not be read or executed.
    CaseFailed(usize, String),
    /// A hybrid was traced; `true` when in the sandbox.
    Trace(Arc<Trace>, bool),
    /// The sandbox was edited and executed, or the edit was refused.
    Sandbox(Result<Tried, String>),
    /// The old-new exchange was executed.
    Swapped(Arc<Case>, Arc<Judgment>, Arc<Trace>),
    /// A certificate was signed and verified, or was not.
    Certified(Result<Signed<Arc<Verification>>, NotSigned>),
}

/// What an edit of the sandbox gave: the edited copy, its judgment, the trace of the selected hybrid.
pub type Tried = (Arc<Sandbox>, Arc<Judgment>, Arc<Trace>);

/// A case read, executed and traced in its first hybrid.
#[derive(Debug)]
pub struct CaseReady {
    /// Its row.
    pub row: usize,
    /// The case.
    pub case: Arc<Case>,
    /// Its judgment.
    pub judgment: Arc<Judgment>,
    /// The trace of the hybrid that is selected first.
    pub trace: Arc<Trace>,
}
