//! Judgments: from a case file to its cube, its receipt family and its certificate (docs/theory.md §1).

pub mod adjudicator;
pub mod case;
pub mod certificate;
pub mod compat;
pub mod cube;
pub mod expr;
pub mod interface;
pub mod logic;
pub mod place;
pub mod receipt;
pub mod remark;
pub mod result;
pub mod rules;
mod same_state;
pub mod sandbox;
pub mod source;
pub mod table;
pub mod trace;
pub mod value;
pub mod verdict;
pub mod verify;
pub mod walk;
