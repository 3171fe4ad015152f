//! A bundle that is a folder, as the entries that a zip file would have.

use std::path::Path;

use super::{CASE, CERTIFICATE, LIST, SOURCES, ZipEntry, zip};
use crate::io::{self, IoError};

/// The files of a bundle that is a folder. Only files in the places of a bundle are read; others are named, with empty
/// bytes, so that they can be told as unsigned.
///
/// # Errors
/// [`IoError`]; a link or a special file anywhere in the folder is refused before anything is read.
pub fn entries(folder: &Path) -> Result<Vec<ZipEntry>, IoError> {
    let mut left = zip::TOTAL_BYTES;
    let mut entries = Vec::new();
    for (name, path) in io::tree(folder, zip::ENTRIES)? {
        let ours = [LIST, CERTIFICATE, CASE].contains(&name.as_str()) || name.starts_with(SOURCES);
        let bytes = if ours { io::read(&path, left.min(zip::ENTRY_BYTES))? } else { Vec::new() };
        left = left.saturating_sub(bytes.len());
        entries.push(ZipEntry { name, bytes });
    }
    Ok(entries)
}
