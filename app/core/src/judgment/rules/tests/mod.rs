//! Tests of engine `rules`: its semantics table by table, and laws on random cases.

mod draft;
mod fit;
mod laws;
mod semantics;
mod words;
