//! What the acquire page can be asked.

use std::path::PathBuf;

/// Commands of the acquire page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AcquireCommand {
    /// Read a plan, or the plan in a folder.
    Open(PathBuf),
    /// Keep the log in this folder.
    Into(PathBuf),
    /// Write the example plan into this folder, and open it.
    Example(PathBuf),
    /// Choose the folder of the log in a dialog.
    Browse,
    /// Take a plan out of those opened before.
    Forget(PathBuf),
}
