//! Tests of engine `logic`: its semantics, cases made to be large, and laws against a slow oracle.

mod hostile;
mod laws;
mod semantics;
mod world;
