//! Where cases are read from: the index of a casebook, and one case at a time when it is needed.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use decidendi_cli::casebook::{At, Casebook, CasebookError};
use decidendi_cli::load::Loaded;
use decidendi_core::watch::Watch;

use crate::state::{Book, CaseRow, Origin, Rejected};

/// The index of a casebook.
#[derive(Debug, Default)]
pub struct Library {
    book: Option<Casebook>,
    shipped: bool,
    stamp: Option<SystemTime>,
}

impl Library {
    /// Opens a file or a folder; `None` opens the shipped casebook.
    ///
    /// # Errors
    /// [`CasebookError`].
    pub fn open(path: Option<&Path>, watch: &dyn Watch) -> Result<(Self, Book), CasebookError> {
        let shipped = path.is_none();
        let casebook = match path {
            Some(path) => Casebook::open(path, watch)?,
            None => Casebook::open(&shipped_path(), watch)?,
        };
        let origin = path.map_or(Origin::Shipped, |p| Origin::Path(p.to_owned()));
        let name = match &origin {
            Origin::Shipped => "Shipped casebook".to_owned(),
            Origin::Path(p) => p.file_name().map_or_else(|| p.display().to_string(), |n| n.to_string_lossy().into_owned()),
        };
        let account = casebook.account();
        let refuse = |r: &decidendi_cli::casebook::Rejected| Rejected { place: r.place.clone(), why: r.reason.clone() };
        let book = Book {
            origin,
            name,
            rows: rows(&casebook),
            read: account.found,
            rejected: account.rejected.iter().map(refuse).collect(),
            duplicates: account.duplicates.iter().map(refuse).collect(),
            ..Book::default()
        };
        let stamp = path.and_then(newest);
        Ok((Self { book: Some(casebook), shipped, stamp }, book))
    }

    /// How many cases there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.book.as_ref().map_or(0, |b| b.entries().len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The path as it was opened; none for the shipped casebook.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.book.as_ref().filter(|_| !self.shipped).map(Casebook::path)
    }

    /// The folder of the casebook, for dialogs.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        let path = self.path()?;
        if path.is_dir() { Some(path) } else { path.parent() }
    }

    /// Where a case is, for messages and command lines.
    #[must_use]
    pub fn place(&self, row: usize) -> Option<String> {
        self.book.as_ref().and_then(|b| b.place(row))
    }

    /// The row of the case with this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<usize> {
        self.book.as_ref().and_then(|b| b.find(id))
    }

    /// Reads one case.
    ///
    /// # Errors
    /// What, where, why, what to do.
    pub fn case(&self, row: usize) -> Result<Loaded, String> {
        match self.book.as_ref().and_then(|b| b.case(row)) {
            Some(loaded) => loaded.map_err(|e| e.to_string()),
            None => Err(format!("The casebook has no case number {}. Read it again with F5.", row + 1)),
        }
    }

    /// Whether the files on disk are newer than what was read.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        self.path().is_some_and(|path| newest(path) != self.stamp)
    }
}

fn shipped_path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_cases"))
}

/// The index as rows. Words that many rows share are kept once.
fn rows(book: &Casebook) -> Vec<CaseRow> {
    let mut shared: Vec<Arc<str>> = Vec::new();
    let mut share = |word: &str| -> Arc<str> {
        if let Some(kept) = shared.iter().rev().take(16).find(|k| ***k == *word) {
            return Arc::clone(kept);
        }
        let kept: Arc<str> = word.into();
        shared.push(Arc::clone(&kept));
        kept
    };
    book.entries()
        .iter()
        .map(|entry| {
            let group = match &entry.at {
                At::File(file) => {
                    let inside = file.strip_prefix(book.path()).ok().and_then(Path::parent);
                    let top = inside.and_then(|p| p.components().next()).map(|c| c.as_os_str().to_string_lossy().into_owned());
                    top.unwrap_or_default()
                }
                At::Line { .. } => String::new(),
            };
            CaseRow {
                id: entry.id.to_string(),
                title: entry.title.to_string(),
                group: share(&readable(&group)),
                unit: share(entry.unit.as_deref().unwrap_or_default()),
                engine: share(&entry.engine),
                ..CaseRow::default()
            }
        })
        .collect()
}

/// A folder's name for people: `00-winter-fuel` reads *Winter fuel*.
fn readable(folder: &str) -> String {
    let name = folder.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['-', '_']);
    let name = if name.is_empty() { folder } else { name }.replace(['-', '_'], " ");
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The newest change below a path: enough to notice an edit, cheap enough to ask when the window gets the focus.
fn newest(path: &Path) -> Option<SystemTime> {
    fn look(path: &Path, depth: u8) -> Option<SystemTime> {
        let about = std::fs::metadata(path).ok()?;
        let own = about.modified().ok();
        if !about.is_dir() || depth == 0 {
            return own;
        }
        let below = std::fs::read_dir(path).ok()?.flatten().take(50_000).filter_map(|e| look(&e.path(), depth - 1)).max();
        own.max(below)
    }
    look(path, 3)
}
