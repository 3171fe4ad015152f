//! JSON texts through the three readers.

use decidendi_core::seal::canon::{ReadError, canonical, read_foreign, read_input, read_lines, read_signed};

use super::file::{Found, Vector, variant};

const FILE: &str = "vector.json";

/// Reads the body with the reader that the header names.
pub fn run(vector: &Vector) -> Found {
    let bytes = &vector.body;
    let read = match vector.header("read") {
        "input" => read_input(FILE, bytes).map(|d| (d.root, d.notices)),
        "signed" => read_signed(FILE, bytes).map(|root| (root, Vec::new())),
        "foreign" => read_foreign(FILE, bytes).map(|root| (root, Vec::new())),
        _ => return lines(bytes),
    };
    match read {
        Ok((root, notices)) => {
            let mut found = Found::accepted(&canonical(&root));
            found.notices = notices.into_iter().map(|n| format!("{}: {}", n.path, n.text)).collect();
            found
        }
        Err(error) => refused(&error),
    }
}

/// The first line that is refused; the others must be read all the same.
fn lines(bytes: &[u8]) -> Found {
    let (read, failed): (Vec<_>, Vec<_>) = read_lines(FILE, bytes).partition(|(_, result)| result.is_ok());
    let held = bytes.split(|&b| b == b'\n').filter(|line| !line.is_empty()).count();
    assert_eq!(read.len() + failed.len(), held);
    let (number, error) = failed.into_iter().next().map(|(n, result)| (n, result.unwrap_err())).expect("no line fails");
    assert_eq!(number, error.place.line);
    refused(&error)
}

/// A refused text.
pub fn refused(error: &ReadError) -> Found {
    // A spelling that no signer of ours writes is altered, exit 1; anything else is bad input.
    let exit = if error.fault.is_altered() { 1 } else { 2 };
    let place = &error.place;
    Found::refused(variant(&error.fault), error.to_string(), exit).at(&place.file, place.line, place.column)
}
