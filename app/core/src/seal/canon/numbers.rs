//! Numbers that a double cannot tell apart: `1e-400` from zero, `1.00000000000000000001` from one. The parser hands
//! over a double, so a document with a suspicious one is scanned once more for the spelling.

use super::fault::ReadFault;

/// The first number that does not survive reading, with its byte offset. The bytes are known to be JSON.
pub(crate) fn first_lost(bytes: &[u8]) -> Option<(usize, ReadFault)> {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = after_string(bytes, at),
            b'-' | b'0'..=b'9' => {
                let end = at + bytes[at..].iter().take_while(|b| is_number_byte(**b)).count();
                if let Some(fault) = std::str::from_utf8(&bytes[at..end]).ok().and_then(lost) {
                    return Some((at, fault));
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    None
}

const fn is_number_byte(byte: u8) -> bool {
    matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
}

fn after_string(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

/// How a number's spelling differs from the double it is read as, where that matters.
fn lost(number: &str) -> Option<ReadFault> {
    let value: f64 = number.parse().ok()?;
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = whole.trim_start_matches('-');
    let digits = || whole.bytes().chain(fraction.bytes());
    let nonzero = digits().any(|d| d != b'0');
    if value == 0.0 {
        return nonzero.then_some(ReadFault::Underflow);
    }
    if value.fract() != 0.0 {
        return None;
    }
    // An integer as a double; is it one as a decimal? Count the digits before the point, after the exponent moved it.
    let shift: i64 = exponent.parse().ok()?;
    let before = i64::try_from(whole.len()).ok()?.checked_add(shift)?;
    let before = usize::try_from(before.max(0)).ok()?;
    digits().skip(before).any(|d| d != b'0').then_some(ReadFault::TooPrecise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_that_a_double_loses_is_found() {
        for (text, fault) in [
            ("1e-400", Some(ReadFault::Underflow)),
            ("-0.0e-999999999999999999999", None),
            ("0", None),
            ("-0.00", None),
            ("1.0", None),
            ("1200e-2", None),
            ("1.00000000000000000001", Some(ReadFault::TooPrecise)),
            ("100000000000000000000001e-23", Some(ReadFault::TooPrecise)),
            ("9007199254740991.4", Some(ReadFault::TooPrecise)),
            ("0.125", None),
            ("12.5e1", None),
            ("-3.333333333333333e-10", None),
        ] {
            assert_eq!(lost(text), fault, "{text}");
        }
    }

    #[test]
    fn digits_within_strings_are_no_numbers() {
        assert_eq!(first_lost(br#"{"1e-400":"\"1e-400","a":1}"#), None);
        assert_eq!(first_lost(br#"{"a":[1,1e-400]}"#), Some((8, ReadFault::Underflow)));
    }
}
