//! The casebook: where it comes from, its cases as rows, and the account of what was read.

use std::path::PathBuf;
use std::sync::Arc;

use decidendi_core::judgment::source::Mask;

/// Where a casebook comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Origin {
    /// It ships with the program.
    #[default]
    Shipped,
    /// A file or a folder.
    Path(PathBuf),
}

impl Origin {
    /// In words.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Shipped => "shipped with Decidendi".to_owned(),
            Self::Path(path) => path.display().to_string(),
        }
    }
}

/// What executing a case gave, in short: what the table shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// `changed`, `stable` or `uncertifiable`.
    pub status: &'static str,
    /// Label before; `None` where it did not run.
    pub old: Option<Arc<str>>,
    /// Label after.
    pub new: Option<Arc<str>>,
    /// The receipt family; `None` when uncertifiable.
    pub family: Option<Vec<Mask>>,
    /// The family in letters, `{G} | {N}`.
    pub family_words: Arc<str>,
    /// Hybrids executed.
    pub executed: u64,
    /// Whether cells were recorded, not executed.
    pub recorded: bool,
}

impl Summary {
    /// Reason complexity: members of the smallest receipt.
    #[must_use]
    pub fn size(&self) -> Option<usize> {
        self.family.as_ref()?.iter().map(|m| m.len()).min()
    }

    /// How many receipts there are.
    #[must_use]
    pub fn multiplicity(&self) -> Option<usize> {
        self.family.as_ref().map(Vec::len)
    }

    /// Whether there is more than one.
    #[must_use]
    pub fn is_ambiguous(&self) -> bool {
        self.multiplicity().is_some_and(|n| n > 1)
    }
}

/// Whether a row was executed. *Not run* is never drawn like a result.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Judged {
    /// Not executed yet.
    #[default]
    NotRun,
    /// Executed.
    Done(Box<Summary>),
    /// It could not be read or executed: what, where, why, what to do.
    Failed(Arc<str>),
}

/// One case of the casebook.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CaseRow {
    /// Its id.
    pub id: String,
    /// Its title, or the id.
    pub title: String,
    /// The folder or file it stands in, for grouping and the breadcrumb.
    pub group: Arc<str>,
    /// The statistical unit.
    pub unit: Arc<str>,
    /// The engine.
    pub engine: Arc<str>,
    /// What executing it gave.
    pub judged: Judged,
    /// The certificate's state in short: empty, `certified`, `stale`.
    pub certificate: RowCertificate,
}

/// The certificate of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum RowCertificate {
    /// None made in this session.
    #[default]
    None,
    /// Made and verified.
    Verified,
    /// Made; the case has changed since.
    Stale,
}

/// An entry that was read and refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// file:line:column.
    pub place: String,
    /// Why, and what to do.
    pub why: String,
}

impl Book {
    /// How many entries are not at hand: refused, doubled or failed.
    #[must_use]
    pub const fn trouble(&self) -> usize {
        self.rejected.len() + self.duplicates.len() + self.failed.len()
    }
}

/// The casebook.
#[derive(Debug, Default)]
pub struct Book {
    /// Where it comes from.
    pub origin: Origin,
    /// Its name.
    pub name: String,
    /// Its cases.
    pub rows: Vec<CaseRow>,
    /// How many entries were read in all: loaded, rejected and duplicates sum to it.
    pub read: usize,
    /// What was refused.
    pub rejected: Vec<Rejected>,
    /// Cases whose id another one had already.
    pub duplicates: Vec<Rejected>,
    /// Rows that turned out not to read or not to run when they were executed.
    pub failed: Vec<Rejected>,
    /// How many rows were executed or failed.
    pub judged: usize,
    /// It changed on disk and was not read again yet.
    pub changed_on_disk: bool,
    /// It is being read.
    pub loading: bool,
    /// It could not be opened: what, where, why, what to do.
    pub error: Option<String>,
}
