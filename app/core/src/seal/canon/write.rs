//! RFC 8785: keys in UTF-16 order, the shortest number, the fewest escapes.
//!
//! Own emission because the canonicaliser library buffers and re-reads every key; that both write the same bytes is a
//! test over random documents. Escapes and numbers still come from libraries.

use std::cmp::Ordering;
use std::io::Write as _;
use std::ops::Range;

use crate::seal::json::Json;

/// The canonical bytes of a value. Values that the strict readers return have exactly one spelling; of a value built
/// in code, the builder sees to unique keys, NFC text and finite numbers.
#[must_use]
pub fn canonical(value: &Json) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    write_canonical(value, &mut out);
    out
}

/// The canonical bytes of a value, and where in them each of some values inside it stands: the canonical bytes of a part
/// are a slice of those of the whole, so parts need no writing of their own. A value that is not inside has an empty
/// range.
#[must_use]
pub fn canonical_with_parts(value: &Json, parts: &[&Json]) -> (Vec<u8>, Vec<Range<usize>>) {
    let mut out = Vec::with_capacity(4096);
    let mut ranges = vec![0..0; parts.len()];
    write(value, &mut out, &mut |part, range| {
        if let Some(i) = parts.iter().position(|&wanted| std::ptr::eq(wanted, part)) {
            ranges[i] = range;
        }
    });
    (out, ranges)
}

/// Appends the canonical bytes of a value.
pub fn write_canonical(value: &Json, out: &mut Vec<u8>) {
    write(value, out, &mut |_, _| ());
}

/// Appends a value and tells where each value in it stands.
fn write(value: &Json, out: &mut Vec<u8>, tell: &mut impl FnMut(&Json, Range<usize>)) {
    let start = out.len();
    match value {
        Json::Null => out.extend_from_slice(b"null"),
        Json::Bool(true) => out.extend_from_slice(b"true"),
        Json::Bool(false) => out.extend_from_slice(b"false"),
        Json::Int(number) => write_int(*number, out),
        Json::Float(number) => write_float(*number, out),
        Json::Text(text) => write_text(text, out),
        Json::List(items) => {
            out.push(b'[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                write(item, out, tell);
            }
            out.push(b']');
        }
        Json::Map(entries) => write_map(entries, out, tell),
    }
    tell(value, start..out.len());
}

fn write_map(entries: &[(String, Json)], out: &mut Vec<u8>, tell: &mut impl FnMut(&Json, Range<usize>)) {
    // RFC 8785 sorts keys by UTF-16 code unit; for ASCII that is the order of bytes, which is much cheaper.
    let order = if entries.iter().all(|(key, _)| key.is_ascii()) { byte_order } else { utf16_order };
    out.push(b'{');
    // What came from a canonical text is in order already, and needs no list of its own.
    if entries.is_sorted_by(|a, b| order(a, b).is_lt()) {
        write_entries(entries.iter(), out, tell);
    } else {
        let mut sorted: Vec<&(String, Json)> = entries.iter().collect();
        sorted.sort_by(|a, b| order(a, b));
        write_entries(sorted.into_iter(), out, tell);
    }
    out.push(b'}');
}

fn byte_order(a: &(String, Json), b: &(String, Json)) -> Ordering {
    a.0.cmp(&b.0)
}

fn utf16_order(a: &(String, Json), b: &(String, Json)) -> Ordering {
    a.0.encode_utf16().cmp(b.0.encode_utf16())
}

fn write_entries<'j>(
    entries: impl Iterator<Item = &'j (String, Json)>,
    out: &mut Vec<u8>,
    tell: &mut impl FnMut(&Json, Range<usize>),
) {
    for (i, (key, value)) in entries.enumerate() {
        if i > 0 {
            out.push(b',');
        }
        write_text(key, out);
        out.push(b':');
        write(value, out, tell);
    }
}

/// Appends a text with its quotes.
pub(crate) fn write_text(text: &str, out: &mut Vec<u8>) {
    // Nearly all text needs no escape; looking at every byte without stopping lets the compiler take many at once.
    let plain = text.bytes().fold(true, |plain, b| plain & (b >= 0x20) & (b != b'"') & (b != b'\\'));
    if plain {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else if serde_json::to_writer(&mut *out, text).is_err() {
        // Writing to memory cannot fail. The library's escapes are those of RFC 8785.
        debug_assert!(false, "text is always JSON");
    }
}

fn write_int(number: i64, out: &mut Vec<u8>) {
    if let Ok(digit @ 0..=9) = u8::try_from(number) {
        out.push(b'0' + digit);
    } else if write!(out, "{number}").is_err() {
        debug_assert!(false, "memory takes every write");
    }
}

/// Integral doubles within the safe range are written by the library as integers, as RFC 8785 wants. What is not a
/// number becomes `null`, as ECMAScript's `JSON.stringify` does; no reader of ours produces one.
fn write_float(number: f64, out: &mut Vec<u8>) {
    let start = out.len();
    if !number.is_finite() || serde_json_canonicalizer::to_writer(&number, out).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}
