//! JSON Lines: one document a line, positions counted in the whole file.

use super::{Document, ReadError, read_input};

/// Reads a JSON Lines file: each line that holds anything, with its number from 1. A fault in one line does not stop
/// the others; blank lines are passed over.
pub fn read_lines(file: &str, bytes: &[u8]) -> impl Iterator<Item = (u32, Result<Document, ReadError>)> {
    let lines = bytes.split(|&b| b == b'\n').zip(1_u32..);
    let blank = |line: &[u8]| line.iter().all(|b| matches!(b, b' ' | b'\t' | b'\r'));
    lines.filter(move |(line, _)| !blank(line)).map(move |(line, number)| {
        let document = read_input(file, line).map_err(|mut error| {
            error.place.line = number;
            error
        });
        (number, document)
    })
}
