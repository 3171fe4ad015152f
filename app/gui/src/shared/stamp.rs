//! Looking whether what is open still lies on the disk as it was read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::desk::jobs::Outcome;
use crate::wings::judgment::state::Library;

/// Time of the last change, where the disk keeps one, and length.
type Look = (Option<SystemTime>, u64);

/// How files stood when they were read: time of the last change and length of each; `None` where there was no file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stamp(Vec<(PathBuf, Option<Look>)>);

impl Stamp {
    /// How the files stand now.
    #[must_use]
    pub fn of<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Self {
        let look = |path: &Path| std::fs::metadata(path).ok().map(|about| (about.modified().ok(), about.len()));
        Self(paths.into_iter().map(|path| (path.to_owned(), look(path))).collect())
    }

    /// Whether any of the files stands otherwise now.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        Self::of(self.0.iter().map(|(path, _)| path.as_path())) != *self
    }
}

/// What is open, as it was read.
#[derive(Debug, Default)]
pub struct Open {
    /// The casebook.
    pub book: Option<Arc<Library>>,
    /// The study.
    pub study: Option<Stamp>,
    /// The plan with its log.
    pub plan: Option<Stamp>,
    /// Paths that were opened before.
    pub before: Vec<PathBuf>,
}

/// What stands otherwise on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// A file of the casebook.
    pub book: bool,
    /// Study or scores.
    pub study: bool,
    /// Plan or log.
    pub plan: bool,
    /// Those of the paths opened before where nothing is any more.
    pub gone: BTreeSet<PathBuf>,
}

/// Looks at the disk.
pub fn look(open: &Open) -> Outcome {
    let stamped = |stamp: &Option<Stamp>| stamp.as_ref().is_some_and(Stamp::is_outdated);
    Outcome::Looked(Changed {
        book: open.book.as_ref().is_some_and(|library| library.is_outdated()),
        study: stamped(&open.study),
        plan: stamped(&open.plan),
        gone: open.before.iter().filter(|path| !path.exists()).cloned().collect(),
    })
}
