//! Tests of engine `rules`: its semantics table by table, and laws on random cases.

mod draft;
mod fit;
mod hostile;
mod laws;
mod repairs;
mod semantics;
mod silence;
mod words;
