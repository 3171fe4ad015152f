//! RFC 8785: keys in UTF-16 order, the shortest number, the fewest escapes.
//!
//! Own emission because the canonicaliser library buffers and re-reads every key; that both write the same bytes is a
//! test over random documents. Escapes and numbers still come from libraries.

use std::cmp::Ordering;
use std::io::Write as _;

use crate::seal::json::Json;

/// The canonical bytes of a value. Values that the strict readers return have exactly one spelling; of a value built
/// in code, the builder sees to unique keys, NFC text and finite numbers.
#[must_use]
pub fn canonical(value: &Json) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    write_canonical(value, &mut out);
    out
}

/// Appends the canonical bytes of a value.
pub fn write_canonical(value: &Json, out: &mut Vec<u8>) {
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
                write_canonical(item, out);
            }
            out.push(b']');
        }
        Json::Map(entries) => write_map(entries, out),
    }
}

fn write_map(entries: &[(String, Json)], out: &mut Vec<u8>) {
    out.push(b'{');
    // What came from a canonical text is in order already, and needs no list of its own.
    if entries.is_sorted_by(|a, b| key_order(&a.0, &b.0).is_lt()) {
        write_entries(entries.iter(), out);
    } else {
        let mut sorted: Vec<&(String, Json)> = entries.iter().collect();
        sorted.sort_by(|a, b| key_order(&a.0, &b.0));
        write_entries(sorted.into_iter(), out);
    }
    out.push(b'}');
}

fn write_entries<'j>(entries: impl Iterator<Item = &'j (String, Json)>, out: &mut Vec<u8>) {
    for (i, (key, value)) in entries.enumerate() {
        if i > 0 {
            out.push(b',');
        }
        write_text(key, out);
        out.push(b':');
        write_canonical(value, out);
    }
}

/// RFC 8785 sorts keys by UTF-16 code unit. UTF-8 bytes sort the same unless a character beyond the basic plane meets
/// one at its upper end, so only keys that are not ASCII take the slow way.
fn key_order(a: &str, b: &str) -> Ordering {
    if a.is_ascii() || b.is_ascii() { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    // Writing to memory cannot fail, and serde_json's escapes are those of RFC 8785.
    if text.bytes().all(|b| b >= 0x20 && b != b'"' && b != b'\\') {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else if serde_json::to_writer(&mut *out, text).is_err() {
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
