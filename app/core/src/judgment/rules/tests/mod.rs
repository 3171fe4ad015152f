//! Tests of engine `rules`: its semantics table by table, and laws on random cases.

mod laws;
mod semantics;
