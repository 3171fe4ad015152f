//! What is known of judgments: the casebook, its table, and the open case.

use std::sync::Arc;

use decidendi_core::judgment::case::Case;
use decidendi_core::judgment::source::Mask;
use decidendi_core::judgment::verify::Verification;
use decidendi_core::seal::digest::Digest;

use crate::shared::certificates::{Certificates, Stand};
use crate::shared::job::JobId;

mod book;
mod format;
mod library;
mod open_case;
mod sift;
mod table;

pub use book::{Book, CaseRow, Judged, Origin, Rejected, RowCertificate, Summary};
pub use format::Format;
pub use library::{Found, Library};
pub use open_case::{CaseTab, Column, OpenCase, Sandboxed, Turn};
pub use sift::{filters_of, sift};
pub use table::{Filter, Query, SavedView, SortBy, Table};

/// A certificate of a case.
pub type Held = crate::shared::certificates::Held<Arc<Verification>>;

/// Jobs whose answer is still wanted. An answer with another number is late and is dropped.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Reading the casebook.
    pub book: Option<JobId>,
    /// Executing all cases.
    pub judging: Option<JobId>,
    /// Opening a case, or exchanging old and new.
    pub case: Option<JobId>,
    /// Tracing a hybrid.
    pub trace: Option<JobId>,
    /// Executing the sandbox.
    pub sandbox: Option<JobId>,
}

/// What to open once a casebook was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenNext {
    /// The first case.
    First,
    /// The case of this id.
    Id(String),
}

/// A sandbox that was closed with its edits.
#[derive(Debug)]
pub struct Closed {
    /// The id of its case.
    pub case: String,
    /// The case's digest.
    pub digest: Digest,
    /// The sandbox.
    pub sandboxed: Sandboxed,
}

/// Casebook, table and open case.
#[derive(Debug, Default)]
pub struct JudgmentState {
    /// Where cases are read from.
    pub library: Arc<Library>,
    /// The casebook.
    pub book: Book,
    /// The table of judgments.
    pub table: Table,
    /// The open case.
    pub open: Option<OpenCase>,
    /// The row that is being opened.
    pub opening: Option<usize>,
    /// Certificates made in this session, by case id.
    pub certificates: Certificates<String, Arc<Verification>>,
    /// Ask the toolkit to focus the search field in the next frame.
    pub focus_search: bool,
    /// Ask the toolkit to focus the first value of the sandbox in the next frame.
    pub focus_edit: bool,
    /// Jobs at work.
    pub wanted: Wanted,
    /// The case to open once the casebook is read.
    pub open_next: Option<OpenNext>,
    /// Tab and hybrid that a followed link asks for.
    pub arrive: Option<(CaseTab, Mask)>,
    /// The sandbox that was closed last, for undo.
    pub closed: Option<Closed>,
    /// The case being opened gets its sandbox back.
    pub restoring: bool,
}

impl JudgmentState {
    /// The casebook's place, as links name it.
    #[must_use]
    pub fn link_place(&self) -> String {
        self.library.path().map_or_else(|| "shipped".to_owned(), |p| p.display().to_string())
    }

    /// Position of a row in the filtered list, from 1, and the list's length.
    #[must_use]
    pub fn position(&self, row: Option<usize>) -> (Option<usize>, usize) {
        let at = row.and_then(|r| self.table.order.iter().position(|&o| o as usize == r));
        (at.map(|p| p + 1), self.table.order.len())
    }

    /// Where the certificate of the open case stands.
    #[must_use]
    pub fn certificate(&self) -> Stand<'_, Arc<Verification>> {
        self.open.as_ref().map_or(Stand::None, |open| self.certificate_of(open))
    }

    /// Where the certificate of a case stands, as it was loaded.
    #[must_use]
    pub fn certificate_of(&self, open: &OpenCase) -> Stand<'_, Arc<Verification>> {
        self.certificates.stand(&open.case.id().to_owned(), &[open.digest])
    }

    /// Whether a certificate of what is on the screen can be handed out; `Err` says why not and what to do.
    ///
    /// # Errors
    /// The reason, in words.
    pub fn certified(&self) -> Result<&Held, &'static str> {
        let Some(open) = &self.open else { return Err("Open a case first.") };
        if open.sandbox.is_some() {
            return Err("The sandbox is open. Close it first.");
        }
        if open.swapped {
            return Err("Old and new are swapped. Swap back first.");
        }
        match self.certificate_of(open) {
            Stand::Held(held) => Ok(held),
            Stand::Stale(_) => Err("The certificate is stale. Certify again first (Ctrl Enter)."),
            _ => Err("Certify the case first (Ctrl Enter)."),
        }
    }

    /// Whether the page can be written in a format; `Err` says why not and what to do.
    ///
    /// # Errors
    /// The reason, in words.
    pub fn exportable(&self, format: Format) -> Result<(), &'static str> {
        match format {
            Format::Certificate | Format::Bundle => self.certified().map(|_| ()),
            _ => self.open.as_ref().map_or(Err("Open a case first."), |open| open.exportable(format)),
        }
    }

    /// Sets the switch of the source diff.
    pub fn only_differences(&mut self, on: bool) {
        if let Some(open) = &mut self.open {
            open.only_differences = on;
        }
    }

    /// Filters, counts and sorts anew.
    pub fn refilter(&mut self) {
        let (order, counts) = sift(&self.book.rows, &self.table.query);
        self.table.order = order;
        self.table.counts = counts;
    }

    /// After filters changed: a row that passes stays marked, else the first that does is; either way it comes into sight.
    pub fn mark_shown(&mut self) {
        let table = &mut self.table;
        let passes = table.marked.is_some_and(|m| table.order.iter().any(|&r| r as usize == m));
        if let Some(&first) = table.order.first().filter(|_| !passes) {
            table.marked = Some(first as usize);
        }
        table.reveal = true;
    }

    /// Marks the certificate of the open case in its row.
    pub fn mark_certificate(&mut self) {
        let Some(open) = &self.open else { return };
        let (row, mark) = match self.certificate_of(open) {
            Stand::Held(_) => (open.row, RowCertificate::Verified),
            Stand::Stale(_) => (open.row, RowCertificate::Stale),
            _ => return,
        };
        if let Some(row) = self.book.rows.get_mut(row) {
            row.certificate = mark;
        }
    }

    /// Whether the case on the page is this one.
    #[must_use]
    pub fn shows(&self, case: &Case) -> bool {
        self.open.as_ref().is_some_and(|open| open.case.id() == case.id())
    }
}
