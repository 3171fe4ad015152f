//! What changes casebook, table and open case.

mod book;
pub mod case;
mod table;
