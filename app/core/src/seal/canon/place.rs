//! From a place in a value back to a line and a column: a second pass over the bytes, made only when something is
//! wrong. It trusts the grammar no further than it must: on anything odd it stops where it is.

use unicode_normalization::UnicodeNormalization;

use super::fault::Place;
use crate::seal::json::{JsonPath, Step};

/// Line and column (from 1) of what `path` names: the key for an object's entry, the value for a list's. A path that
/// leads out of the document gives its deepest part that exists, so that "field missing" points at the object that
/// lacks it. `None` if the bytes are not JSON.
#[must_use]
pub fn locate(bytes: &[u8], path: &JsonPath) -> Option<(u32, u32)> {
    let wants: Vec<Want<'_>> = path
        .0
        .iter()
        .map(|step| match step {
            Step::Key(key) => Want::Key(key),
            Step::At(index) => Want::Nth(*index),
        })
        .collect();
    let found = descend(bytes, &wants)?;
    let place = of("", bytes, found.key.unwrap_or(found.value));
    Some((place.line, place.column))
}

/// One step downwards.
#[derive(Debug, Clone, Copy)]
pub(super) enum Want<'p> {
    /// The object's entry with this (normalised) key.
    Key(&'p str),
    /// The list's or object's entry at this position.
    Nth(usize),
}

/// Where an entry begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// The key, if the entry is an object's.
    pub(super) key: Option<usize>,
    /// The value.
    pub(super) value: usize,
}

/// Line and column of a byte offset.
pub(super) fn of(file: &str, bytes: &[u8], offset: usize) -> Place {
    let before = &bytes[..offset.min(bytes.len())];
    let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
    let column = 1 + String::from_utf8_lossy(&before[start..]).chars().count();
    Place { file: file.to_owned(), line: saturate(line), column: saturate(column) }
}

/// The byte offset of a line and a byte column, as the parser library counts them.
pub(super) fn offset(bytes: &[u8], line: usize, column: usize) -> usize {
    let mut start = 0;
    for _ in 1..line {
        match bytes[start..].iter().position(|&b| b == b'\n') {
            Some(i) => start += i + 1,
            None => break,
        }
    }
    (start + column.saturating_sub(1)).min(bytes.len())
}

fn saturate(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Follows `wants` from the root as far as they lead.
pub(super) fn descend(bytes: &[u8], wants: &[Want<'_>]) -> Option<Found> {
    let mut scan = Scan { bytes, at: 0 };
    scan.space();
    scan.peek()?;
    let mut here = Found { key: None, value: scan.at };
    for want in wants {
        scan.at = here.value;
        match scan.entry(*want) {
            Some(next) => here = next,
            None => break,
        }
    }
    Some(here)
}

/// A cursor over JSON bytes.
struct Scan<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Finds an entry of the container at the cursor.
    fn entry(&mut self, want: Want<'_>) -> Option<Found> {
        let map = match self.peek()? {
            b'{' => true,
            b'[' => false,
            _ => return None,
        };
        self.at += 1;
        for index in 0.. {
            self.space();
            if matches!(self.peek()?, b'}' | b']') {
                return None;
            }
            let start = self.at;
            let mut hit = matches!(want, Want::Nth(n) if n == index);
            if map {
                self.string()?;
                hit |= matches!(want, Want::Key(key) if spells(&self.bytes[start..self.at], key));
                self.space();
                // A missing colon is the very fault that is being located.
                if self.peek()? == b':' {
                    self.at += 1;
                }
                self.space();
            }
            if hit {
                return Some(Found { key: map.then_some(start), value: self.at });
            }
            self.skip()?;
            self.space();
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        None
    }

    /// Passes a string, from its opening to behind its closing quote.
    fn string(&mut self) -> Option<()> {
        if self.peek()? != b'"' {
            return None;
        }
        self.at += 1;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(())
    }

    /// Passes one value of any kind, without recursion.
    fn skip(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        let from = self.at;
        loop {
            match self.peek()? {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' | b',' if depth == 0 => return (self.at > from).then_some(()),
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
            if depth == 0 && matches!(self.bytes[self.at - 1], b'"' | b'}' | b']') {
                return Some(());
            }
        }
    }
}

/// Whether a quoted key, decoded and normalised, is `key`.
fn spells(quoted: &[u8], key: &str) -> bool {
    let inner = &quoted[1..quoted.len() - 1];
    if inner == key.as_bytes() {
        return true;
    }
    if inner.is_ascii() && !inner.contains(&b'\\') {
        return false;
    }
    serde_json::from_slice::<String>(quoted).is_ok_and(|text| text.nfc().eq(key.chars()))
}
