//! The casebook, the table of judgments, and the page of one case.

pub mod case;
pub mod casebook;
pub mod find;
pub mod judgments;
