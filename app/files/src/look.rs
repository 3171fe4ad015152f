//! What lies at a path, without reading it: kinds, times, and what is below a folder.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// So many entries of one folder are looked at for the newest change.
const ENTRIES: usize = 50_000;

/// Whether a file lies there.
#[must_use]
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Whether a folder lies there.
#[must_use]
pub fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// The folders directly in a folder, in the order of their names.
#[must_use]
pub fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(inside) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut inside: Vec<PathBuf> = inside.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    inside.sort();
    inside
}

/// The time of the last change, where the disk keeps one, and the length; `None` where nothing lies there.
#[must_use]
pub fn standing(path: &Path) -> Option<(Option<SystemTime>, u64)> {
    std::fs::metadata(path).ok().map(|about| (about.modified().ok(), about.len()))
}

/// The newest change at a path and so many folders below it: enough to notice an edit.
#[must_use]
pub fn newest(path: &Path, depth: u8) -> Option<SystemTime> {
    let about = std::fs::metadata(path).ok()?;
    let own = about.modified().ok();
    if !about.is_dir() || depth == 0 {
        return own;
    }
    let inside = std::fs::read_dir(path).ok()?.flatten().take(ENTRIES);
    own.max(inside.filter_map(|entry| newest(&entry.path(), depth - 1)).max())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_below_is_noticed_and_one_too_deep_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        assert_eq!(folders_in(folder.path()), [folder.path().join("a")]);
        let file = deep.join("x");
        std::fs::write(&file, "x").unwrap();
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        std::fs::File::options().write(true).open(&file).unwrap().set_modified(later).unwrap();
        assert_eq!(newest(folder.path(), 3), standing(&file).unwrap().0);
        assert!(newest(folder.path(), 1) < newest(folder.path(), 3));
        assert_eq!((is_file(&file), is_folder(&file), standing(&deep.join("y"))), (true, false, None));
    }
}
