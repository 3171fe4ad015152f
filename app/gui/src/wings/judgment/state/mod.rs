//! What is known of judgments: the casebook, its table, and the open case.

mod book;
mod format;
mod library;
mod open_case;
mod table;

pub use book::{Book, CaseRow, Judged, Origin, Rejected, RowCertificate, Summary};
pub use format::Format;
pub use library::{Found, Library};
pub use open_case::{CaseTab, CertificateState, Column, Held, OpenCase, Sandboxed, Turn};
pub use table::{Filter, Query, SavedView, SortBy, Table};
