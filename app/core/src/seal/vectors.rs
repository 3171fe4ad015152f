//! Test vectors of others, which lie beside the project and are not part of it.

use std::path::PathBuf;

/// The text of a file under `shared/vectors`, or nothing (with a message) where that folder is absent.
#[expect(clippy::disallowed_methods, reason = "a test reads its fixtures")]
pub(crate) fn shared(name: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors").join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            eprintln!("skipped: {}: {error}", path.display());
            None
        }
    }
}
