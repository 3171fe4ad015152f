//! Writing what the window hands out: over nothing that it did not write itself, unless a person says so.

use std::path::PathBuf;
use std::sync::Arc;

use decidendi_core::seal::digest::Digest;
use decidendi_files::io::{self, IoError};

use super::jobs::{Answer, Exported};

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// What it is, in words.
    pub what: &'static str,
    /// Where it goes.
    pub path: PathBuf,
    /// The part of its name that says the format, without the dot before it.
    pub ending: &'static str,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// The digest of the certificate in it, if there is one.
    pub certificate: Option<String>,
}

/// What should be written where another file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occupied {
    /// What should be written.
    pub export: Export,
    /// A name beside it that nothing has.
    pub other: PathBuf,
}

/// Writes a file where there is nothing, the same bytes, or still what this window wrote there (`own`). Of anything else a
/// person is asked.
pub(super) fn put(export: Export, own: Option<Digest>) -> Answer {
    match io::see_free(&export.path, &export.bytes, |held| Some(Digest::of(held)) == own) {
        Ok(()) => replace(export),
        Err(IoError::NotOurs(_)) => {
            let other = beside(&export);
            Answer::Occupied(Occupied { export, other })
        }
        Err(why) => Answer::ExportFailed(why.to_string()),
    }
}

/// Writes a file whatever is there.
pub(super) fn replace(export: Export) -> Answer {
    let folder = export.path.parent().map_or(Ok(()), io::make_folder);
    match folder.and_then(|()| io::write_atomic(&export.path, &export.bytes)) {
        Ok(()) => {
            let (length, digest) = (export.bytes.len() as u64, Digest::of(&export.bytes));
            let Export { what, path, certificate, .. } = export;
            Answer::Exported(Exported { what, path, length, digest, certificate })
        }
        Err(why) => Answer::ExportFailed(why.to_string()),
    }
}

/// `notes-2.csv` beside `notes.csv`, or the first number that is free.
fn beside(export: &Export) -> PathBuf {
    let name = export.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name.strip_suffix(&format!(".{}", export.ending)).unwrap_or(&name);
    let numbered = |number: u32| export.path.with_file_name(format!("{stem}-{number}.{}", export.ending));
    (2..1000).map(numbered).find(|path| !io::exists(path)).unwrap_or_else(|| numbered(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_this_window_wrote_is_replaced_unasked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/a.b.cert.json");
        let export = |bytes: &[u8]| Export {
            what: "Certificate",
            path: path.clone(),
            ending: "cert.json",
            bytes: bytes.into(),
            certificate: None,
        };
        let Answer::Exported(Exported { length: 3, digest, .. }) = put(export(b"one"), None) else { panic!() };
        // The same bytes again, and other bytes over what was written.
        assert!(matches!(put(export(b"one"), None), Answer::Exported(_)));
        assert!(matches!(put(export(b"two"), Some(digest)), Answer::Exported(_)));
        // Somebody changed it since.
        std::fs::write(&path, "my own notes").unwrap();
        std::fs::write(path.with_file_name("a.b-2.cert.json"), "").unwrap();
        let Answer::Occupied(asked) = put(export(b"two"), Some(Digest::of(b"two"))) else { panic!() };
        assert_eq!(std::fs::read(&path).unwrap(), b"my own notes");
        assert_eq!((&asked.export.path, &asked.other), (&path, &path.with_file_name("a.b-3.cert.json")));
        assert!(matches!(replace(asked.export), Answer::Exported(_)));
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
    }
}
