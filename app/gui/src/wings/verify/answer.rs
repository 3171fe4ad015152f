//! What the checks of a file send back.

use super::state::Checked;

/// What came back from a job.
#[derive(Debug)]
pub enum VerifyAnswer {
    /// A file was checked.
    Checked(Checked),
}
