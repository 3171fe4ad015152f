//! Literals, read exactly from their source text: numbers never pass through a float.

use std::sync::Arc;

use super::error::{ConditionError, ConditionFault};
use super::lexer::span;
use super::node::Span;
use crate::exact::Rational;
use crate::judgment::value::{Value, no_such_day, parse_date, parse_duration, parse_timestamp};
use crate::seal::canon::nfc;

/// Largest decimal exponent of a literal: an exact rational of it still fits in a line.
const EXPONENT: u32 = 64;

/// An integer literal, decimal or `0x…`, without its sign.
pub(super) fn integer(digits: &str, negative: bool) -> Option<Value> {
    let (digits, radix) = digits.strip_prefix("0x").map_or((digits, 10), |hex| (hex, 16));
    let sign = if negative { "-" } else { "" };
    i64::from_str_radix(&format!("{sign}{digits}"), radix).ok().map(Value::Int)
}

/// A decimal literal without its sign.
pub(super) fn decimal(digits: &str, negative: bool) -> Option<Value> {
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (digits, 0),
    };
    if exponent.unsigned_abs() > EXPONENT || mantissa.len() > 256 {
        return None;
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.bytes().chain(fraction.bytes()).all(|digit| digit == b'0') {
        return Some(Value::Rational(Rational::ZERO));
    }
    let whole = whole.trim_start_matches('0');
    let point = whole.len() as i32 + exponent;
    let all = format!("{whole}{fraction}");
    let sign = if negative { "-" } else { "" };
    let text = if point <= 0 {
        format!("{sign}0.{}{all}", "0".repeat(point.unsigned_abs() as usize))
    } else if point as usize >= all.len() {
        let digits = format!("{all}{}", "0".repeat(point as usize - all.len()));
        format!("{sign}{}", digits.trim_start_matches('0'))
    } else {
        let whole = all[..point as usize].trim_start_matches('0');
        format!("{sign}{}.{}", if whole.is_empty() { "0" } else { whole }, &all[point as usize..])
    };
    Rational::parse(&text).ok().map(Value::Rational)
}

/// The text of the quoted literal at `at`, in NFC like all text that is compared.
///
/// # Errors
/// At the first escape that CEL does not have.
pub(super) fn text(source: &str, at: Span) -> Result<Value, ConditionError> {
    let literal = at.of(source);
    let unprefixed = literal.trim_start_matches(['r', 'R']);
    let raw = unprefixed.len() < literal.len();
    let triple = unprefixed.len() >= 6 && (unprefixed.starts_with("'''") || unprefixed.starts_with("\"\"\""));
    let width = if triple { 3 } else { 1 };
    let inner = &unprefixed[width..unprefixed.len() - width];
    let read = if raw {
        inner.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        let start = at.end as usize - width - inner.len();
        unescaped(inner).map_err(|escape| {
            let here = span(start + escape.start as usize, start + escape.end as usize);
            let fault = ConditionFault::Literal("is no escape of CEL (write `\\\\` for a backslash)");
            ConditionError::at(source, here, fault)
        })?
    };
    Ok(Value::Text(Arc::from(&*nfc(&read))))
}

/// Text without its escapes, or the place of the first that is none.
fn unescaped(inner: &str) -> Result<String, Span> {
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find(['\\', '\r']) {
        out.push_str(&rest[..at]);
        let here = &rest[at..];
        let start = inner.len() - here.len();
        let (character, length) = if here.starts_with('\r') {
            // Every end of a line counts as one character.
            ('\n', if here.starts_with("\r\n") { 2 } else { 1 })
        } else {
            escape(here).ok_or_else(|| {
                let shown = here.chars().take(2).map(char::len_utf8).sum::<usize>();
                span(start, start + shown)
            })?
        };
        out.push(character);
        rest = &here[length..];
    }
    out.push_str(rest);
    Ok(out)
}

/// The character and the length of the escape at the beginning of `here`.
fn escape(here: &str) -> Option<(char, usize)> {
    let numbered = |from: usize, digits: usize, radix: u32| {
        let number = here.get(from..from + digits).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let character = char::from_u32(u32::from_str_radix(number, radix).ok()?)?;
        Some((character, from + digits))
    };
    let simple = |c: char| Some((c, 2));
    match here.as_bytes().get(1)? {
        b'a' => simple('\u{7}'),
        b'b' => simple('\u{8}'),
        b'f' => simple('\u{c}'),
        b'n' => simple('\n'),
        b'r' => simple('\r'),
        b't' => simple('\t'),
        b'v' => simple('\u{b}'),
        c @ (b'"' | b'\'' | b'\\' | b'?' | b'`') => simple(char::from(*c)),
        b'x' | b'X' => numbered(2, 2, 16),
        b'u' => numbered(2, 4, 16),
        b'U' => numbered(2, 8, 16),
        b'0'..=b'3' => numbered(1, 3, 8),
        _ => None,
    }
}

/// The value of `date('…')`, `timestamp('…')` or `duration('…')`, or why the text gives none; nothing for another name.
pub(super) fn function(name: &str, text: &str) -> Option<Result<Value, &'static str>> {
    let (value, why) = match name {
        "date" => (
            parse_date(text).map(Value::Date),
            match no_such_day(text) {
                Some(_) => "is a day that the calendar does not have",
                None => "is no day (write date('2024-09-16'))",
            },
        ),
        "timestamp" => {
            (parse_timestamp(text).map(Value::Date), "is no whole UTC day (write timestamp('2024-09-16T00:00:00Z'))")
        }
        "duration" => {
            (parse_duration(text).map(Value::Duration), "is no duration (write duration('36h') or duration('1h30m'))")
        }
        _ => return None,
    };
    Some(value.ok_or(why))
}
