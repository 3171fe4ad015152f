//! The table of judgments: filters, order, saved views. Filtering runs when something changes, never while drawing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One filter chip. Chips of one kind are alternatives, kinds are joined.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filter {
    /// Verdict before and after.
    Endpoints(String, String),
    /// `changed`, `stable`, `uncertifiable`, `not run`, `failed`.
    Status(String),
    /// The family in letters.
    Family(String),
    /// Members of the smallest receipt.
    Size(usize),
    /// More than one receipt.
    Ambiguous(bool),
    /// The engine.
    Engine(String),
    /// The statistical unit.
    Unit(String),
}

impl Filter {
    /// The kind's name.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Endpoints(..) => "verdict",
            Self::Status(_) => "status",
            Self::Family(_) => "family",
            Self::Size(_) => "size",
            Self::Ambiguous(_) => "receipts",
            Self::Engine(_) => "engine",
            Self::Unit(_) => "unit",
        }
    }

    /// The chip's text.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Endpoints(old, new) => format!("{old} → {new}"),
            Self::Status(s) | Self::Engine(s) | Self::Unit(s) => s.clone(),
            Self::Family(s) => s.clone(),
            Self::Size(n) => format!("size {n}"),
            Self::Ambiguous(true) => "ambiguous".to_owned(),
            Self::Ambiguous(false) => "single".to_owned(),
        }
    }
}

/// What the table can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SortBy {
    /// As in the casebook.
    #[default]
    Order,
    /// By verdict before and after.
    Verdicts,
    /// By title.
    Title,
    /// By family.
    Family,
    /// By size.
    Size,
    /// By number of receipts.
    Multiplicity,
    /// By engine.
    Engine,
    /// By unit.
    Unit,
    /// By id.
    Id,
    /// By status.
    Status,
    /// By certificate.
    Certificate,
}

/// Search, chips and order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Query {
    /// Words that must all occur in id, title, group or unit.
    pub search: String,
    /// Chips that are on.
    pub filters: Vec<Filter>,
    /// The column.
    pub sort: SortBy,
    /// Descending.
    pub descending: bool,
}

impl Query {
    /// Whether every case passes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.search.trim().is_empty() && self.filters.is_empty()
    }

    /// Whether a chip is on.
    #[must_use]
    pub fn has(&self, filter: &Filter) -> bool {
        self.filters.contains(filter)
    }
}

/// A query under a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedView {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub query: Query,
}

/// The table of judgments.
#[derive(Debug, Default)]
pub struct Table {
    /// Search, chips and order.
    pub query: Query,
    /// Rows that pass, in order.
    pub order: Vec<u32>,
    /// The marked row, by its place in the casebook.
    pub marked: Option<usize>,
    /// How many rows each chip would leave, given the other kinds.
    pub counts: BTreeMap<Filter, usize>,
    /// Scroll the marked row into sight in the next frame.
    pub reveal: bool,
}
