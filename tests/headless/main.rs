//! Tests that need no window: laws against a slow oracle, tampering, vectors, the command line.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a test that fails should say so at once")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "tests print what they counted")]

mod laws;
mod mutants;
mod oracle;
mod schemas;
mod tamper;
