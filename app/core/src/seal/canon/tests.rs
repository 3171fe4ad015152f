//! Tests of the strict readers and the canonical writer.

mod laws;
mod reading;
