//! The verify view: the file that was checked and what came out.

use std::path::PathBuf;
use std::sync::Arc;

use decidendi_core::kinds::Claim;
use decidendi_core::seal::verification::Verification;

use crate::shared::job::JobId;

/// One checked file.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of its bytes.
    pub digest: String,
    /// What was found, or why the file could not be read at all.
    pub result: Result<Arc<Verification<Claim>>, String>,
    /// The case that the replay used, in words.
    pub replayed_with: Option<String>,
}

/// The verify view.
#[derive(Debug, Default)]
pub struct VerifyState {
    /// The file that is being checked.
    pub checking: Option<PathBuf>,
    /// The last result.
    pub checked: Option<Checked>,
    /// A case chosen for the replay.
    pub case: Option<PathBuf>,
    /// Checking a file.
    pub wanted: Option<JobId>,
}
