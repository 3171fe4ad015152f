//! Known answers of others, carried over as tables of figures: `tests/vectors/foreign/`.

pub(crate) const DSSE: &str = include_str!("../../../../tests/vectors/foreign/dsse.tsv");
pub(crate) const ES6_NUMBERS: &str = include_str!("../../../../tests/vectors/foreign/es6-numbers.tsv");
pub(crate) const RFC8785_SAMPLES: &str = include_str!("../../../../tests/vectors/foreign/rfc8785-samples.tsv");
pub(crate) const SPECCHECK: &str = include_str!("../../../../tests/vectors/foreign/ed25519-speccheck.tsv");
pub(crate) const WYCHEPROOF: &str = include_str!("../../../../tests/vectors/foreign/ed25519-wycheproof.tsv");

/// The rows of a table, cell by cell; lines that open with `#` say where it is from and what its columns are.
pub(crate) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    assert!(table.starts_with("# from: "), "a table of others' figures says where they are from");
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// The cells behind the first of each row that starts with `name`.
pub(crate) fn named(table: &'static str, name: &str) -> Vec<Vec<&'static str>> {
    let found: Vec<_> = rows(table).filter(|row| row[0] == name).map(|row| row[1..].to_vec()).collect();
    assert!(!found.is_empty(), "the table has no row {name}");
    found
}

/// The bytes of a cell in hexadecimal; `-` stands for none.
pub(crate) fn bytes(cell: &str) -> Vec<u8> {
    if cell == "-" { Vec::new() } else { hex::decode(cell).unwrap() }
}
