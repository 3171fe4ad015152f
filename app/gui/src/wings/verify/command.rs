//! What the verify view can be asked.

use std::path::PathBuf;

/// Commands of the verify view.
#[derive(Debug, Clone, PartialEq)]
pub enum VerifyCommand {
    /// Check the same file again, for another trust list or another casebook.
    Again,
    /// Check a file.
    Check(PathBuf),
    /// Stop trusting the key at a position.
    Distrust(usize),
    /// Use a case file for the replay, or none.
    UseCase(Option<PathBuf>),
}
