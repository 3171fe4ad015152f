//! Judgments: from a case file to its cube, its receipt family and its certificate (theory §1).

pub mod adjudicator;
pub mod case;
pub mod certificate;
pub mod cube;
pub mod result;
pub mod source;
pub mod trace;
pub mod verdict;
pub mod verify;
pub mod walk;
