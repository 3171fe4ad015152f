//! What changes casebook, table and open case.

mod book;
mod case;
mod certify;
mod deliver;
mod follow;
mod table;
