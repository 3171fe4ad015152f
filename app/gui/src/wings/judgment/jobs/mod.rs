//! Slow work on casebooks and cases.

pub mod book;
pub mod case;
pub mod certify;
