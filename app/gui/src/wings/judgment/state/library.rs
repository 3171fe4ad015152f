//! Where cases are read from: the index of a casebook, and one case at a time when it is needed.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use decidendi_core::judgment::case::Case;
use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::walk::{self, Compiler};
use decidendi_core::seal::digest::Digest;
use decidendi_core::watch::Watch;
use decidendi_files::casebook::{At, Casebook, CasebookError};
use decidendi_files::load::{Loaded, load_case};
use decidendi_files::look;

use crate::shared::shipped;

use super::{Book, CaseRow, Origin, Rejected};

/// How many folders below a casebook are looked at for changes.
const DEPTH: u8 = 3;
/// How many refused files are read in full for their reason.
const LOOKED_AT: usize = 200;

/// The index of a casebook.
#[derive(Debug, Default)]
pub struct Library {
    shelf: Shelf,
    stamp: Option<SystemTime>,
}

#[derive(Debug, Default)]
enum Shelf {
    #[default]
    Empty,
    /// Paths inside the program, with the ids of their cases.
    Shipped(Vec<(&'static str, String)>),
    Disk(Casebook),
}

/// One case that was read.
#[derive(Debug)]
pub enum Found {
    /// From the program itself.
    Shipped(Box<Case>),
    /// From the disk.
    Disk(Box<Loaded>),
}

impl Found {
    /// The case.
    #[must_use]
    pub fn into_case(self) -> Case {
        match self {
            Self::Shipped(case) => *case,
            Self::Disk(loaded) => loaded.case,
        }
    }

    /// Executes every hybrid.
    ///
    /// # Errors
    /// What, where, why, what to do.
    pub fn judge(&self, compiler: &mut Compiler, watch: &dyn Watch) -> Result<Judgment, String> {
        match self {
            Self::Shipped(case) => walk::judge(case, compiler, watch).map_err(|e| e.to_string()),
            Self::Disk(loaded) => loaded.judge(compiler, watch).map_err(|e| e.to_string()),
        }
    }
}

impl Library {
    /// Opens a file or a folder; `None` opens the shipped casebook.
    ///
    /// # Errors
    /// [`CasebookError`].
    pub fn open(path: Option<&Path>, watch: &dyn Watch) -> Result<(Self, Book), CasebookError> {
        let Some(path) = path else { return Ok(Self::open_shipped()) };
        let casebook = Casebook::open(path, watch)?;
        let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
        let account = casebook.account();
        let refuse =
            |r: &decidendi_files::casebook::Rejected| Rejected { place: r.place.clone(), why: r.reason.clone() };
        let book = Book {
            origin: Origin::Path(path.to_owned()),
            name,
            rows: rows(&casebook),
            read: account.found,
            rejected: account
                .rejected
                .iter()
                .take(LOOKED_AT)
                .map(reason)
                .chain(account.rejected.iter().skip(LOOKED_AT).map(refuse))
                .collect(),
            duplicates: account.duplicates.iter().map(refuse).collect(),
            ..Book::default()
        };
        Ok((Self { shelf: Shelf::Disk(casebook), stamp: look::newest(path, DEPTH) }, book))
    }

    fn open_shipped() -> (Self, Book) {
        let mut book = Book { name: "Shipped casebook".to_owned(), ..Book::default() };
        let mut shelf = Vec::new();
        for path in shipped::cases() {
            book.read += 1;
            match shipped::read(path) {
                Ok(case) => {
                    let top = path.split('/').next().unwrap_or_default();
                    book.rows.push(CaseRow {
                        id: case.id().to_owned(),
                        title: case.title().to_owned(),
                        group: readable(top).into(),
                        unit: case.text("unit").unwrap_or_default().into(),
                        engine: Arc::from(case.engine().word()),
                        ..CaseRow::default()
                    });
                    shelf.push((path, case.id().to_owned()));
                }
                Err(why) => book.rejected.push(Rejected { place: path.to_owned(), why }),
            }
        }
        (Self { shelf: Shelf::Shipped(shelf), stamp: None }, book)
    }

    /// How many cases there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.shelf {
            Shelf::Empty => 0,
            Shelf::Shipped(paths) => paths.len(),
            Shelf::Disk(book) => book.entries().len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The path as it was opened; none for the shipped casebook.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        if let Shelf::Disk(book) = &self.shelf { Some(book.path()) } else { None }
    }

    /// The folder of the casebook, for dialogs.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        let path = self.path()?;
        if look::is_folder(path) { Some(path) } else { path.parent() }
    }

    /// Where a case is, for messages and command lines.
    #[must_use]
    pub fn place(&self, row: usize) -> Option<String> {
        match &self.shelf {
            Shelf::Empty => None,
            Shelf::Shipped(paths) => paths.get(row).map(|(path, _)| format!("sample_cases/{path}")),
            Shelf::Disk(book) => book.place(row),
        }
    }

    /// The row of the case with this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<usize> {
        match &self.shelf {
            Shelf::Empty => None,
            Shelf::Shipped(paths) => paths.iter().position(|(_, own)| own == id),
            Shelf::Disk(book) => book.find(id),
        }
    }

    /// The case of this id that has this digest; where there is none, the first of the id that reads.
    #[must_use]
    pub fn bound(&self, id: &str, digest: Digest) -> Option<Case> {
        if let Shelf::Disk(book) = &self.shelf {
            return book.bound(id, digest)?.ok().map(|loaded| loaded.case);
        }
        self.case(self.find(id)?).ok().map(Found::into_case)
    }

    /// Reads one case.
    ///
    /// # Errors
    /// What, where, why, what to do.
    pub fn case(&self, row: usize) -> Result<Found, String> {
        let found = match &self.shelf {
            Shelf::Empty => None,
            Shelf::Shipped(paths) => {
                paths.get(row).map(|(path, _)| shipped::read(path).map(|c| Found::Shipped(Box::new(c))))
            }
            Shelf::Disk(book) => book.case(row).map(|l| l.map(|l| Found::Disk(Box::new(l))).map_err(|e| e.to_string())),
        };
        found.unwrap_or_else(|| Err(format!("The casebook has no case number {}. Read it again with F5.", row + 1)))
    }

    /// Whether the files on disk are newer than what was read.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        self.path().is_some_and(|path| look::newest(path, DEPTH) != self.stamp)
    }
}

/// The index only says that a file is no case; reading it in full says where and what to do.
fn reason(rejected: &decidendi_files::casebook::Rejected) -> Rejected {
    let path = Path::new(&rejected.place);
    let why = if look::is_file(path) { load_case(path).err().map(|e| e.to_string()) } else { None };
    Rejected { place: rejected.place.clone(), why: why.unwrap_or_else(|| rejected.reason.clone()) }
}

/// The index as rows. Words that neighbouring rows share are kept once.
fn rows(book: &Casebook) -> Vec<CaseRow> {
    let mut shared: Vec<Arc<str>> = Vec::new();
    let mut share = |word: &str| -> Arc<str> {
        if let Some(kept) = shared.iter().rev().take(32).find(|k| ***k == *word) {
            return Arc::clone(kept);
        }
        let kept: Arc<str> = word.into();
        shared.push(Arc::clone(&kept));
        kept
    };
    let entries = book.entries().iter();
    entries
        .map(|entry| {
            let group = match &entry.at {
                At::File(file) => {
                    let inside = file.strip_prefix(book.path()).ok().and_then(Path::parent);
                    let top = inside.and_then(|p| p.components().next());
                    top.map(|c| c.as_os_str().to_string_lossy().into_owned()).unwrap_or_default()
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
