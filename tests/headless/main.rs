//! Tests that need no window: laws against a slow oracle, tampering, vectors, the command line.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a test that fails should say so at once")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "tests print what they counted")]

mod acquire;
mod acquire_live;
mod acquire_log;
mod acquire_wire;
mod advice;
mod bugs;
mod citations;
mod clauses;
mod cli;
mod cli_bundle;
mod cli_disk;
mod cli_empty;
mod cli_keys;
mod cli_places;
mod cli_verify;
mod contradictions;
mod docs;
mod inspect_random;
mod laws;
mod limits;
mod line_ends;
mod mutants;
mod one_spelling;
mod oracle;
mod samples;
mod schemas;
mod step_value;
mod tamper;
mod terminal;
mod vectors;
mod wrong_files;
