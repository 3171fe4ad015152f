//! Looking whether what is open still lies on the disk as it was read.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use decidendi_files::look;

/// Time of the last change, where the disk keeps one, and length.
type Look = (Option<SystemTime>, u64);

/// How files stood when they were read: time of the last change and length of each; `None` where there was no file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stamp(Vec<(PathBuf, Option<Look>)>);

impl Stamp {
    /// How the files stand now.
    #[must_use]
    pub fn of<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Self {
        Self(paths.into_iter().map(|path| (path.to_owned(), look::standing(path))).collect())
    }

    /// Whether any of the files stands otherwise now.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        Self::of(self.0.iter().map(|(path, _)| path.as_path())) != *self
    }
}
