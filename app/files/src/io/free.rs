//! Whether a place is free to be written: a file that this program did not write there is not replaced unasked.

use std::fs;
use std::path::Path;

use decidendi_core::limits::DOCUMENT_BYTES;

use super::{IoError, read};

/// Sees that `bytes` may take a place: nothing is there, the same bytes are, or something that `is_ours` knows.
///
/// # Errors
/// [`IoError::NotOurs`]. What else is wrong with the place, the writing tells.
pub fn see_free(path: &Path, bytes: &[u8], is_ours: impl FnOnce(&[u8]) -> bool) -> Result<(), IoError> {
    // A link is looked at and not followed: it was put there by somebody.
    let Ok(about) = fs::symlink_metadata(path) else { return Ok(()) };
    if about.is_dir() {
        return Ok(());
    }
    let held = if about.is_file() { read(path, bytes.len().max(DOCUMENT_BYTES)).ok() } else { None };
    let is_free = held.is_some_and(|held| held == bytes || is_ours(&held));
    if is_free { Ok(()) } else { Err(IoError::NotOurs(path.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_ours_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        assert!(see_free(&path, b"new", |_| false).is_ok());
        fs::write(&path, "new").unwrap();
        assert!(see_free(&path, b"new", |_| false).is_ok());
        fs::write(&path, "notes").unwrap();
        assert!(matches!(see_free(&path, b"new", |_| false), Err(IoError::NotOurs(at)) if at == path));
        assert!(see_free(&path, b"new", |held| held == b"notes").is_ok());
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            for target in [path, folder.path().join("nothing")] {
                std::os::unix::fs::symlink(target, &link).unwrap();
                assert!(see_free(&link, b"notes", |_| true).is_err());
                fs::remove_file(&link).unwrap();
            }
        }
    }
}
