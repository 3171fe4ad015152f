//! Numbers that a double cannot tell apart: `1e-400` from zero, `1.00000000000000000001` from one, `0.10000000000000001`
//! from `0.1`. The parser hands over a double, so a document with a suspicious one is scanned once more for the spelling.

use super::fault::ReadFault;

/// More significant digits than these no writer needs to say which double it means.
const DIGITS: usize = 17;

/// The first number that does not survive reading, with its byte offset. The bytes are known to be JSON. With `any_double`
/// a spelling of at most 17 digits may be any that leads to its double, as programs write what they computed: only for
/// documents whose digest is that of their bytes.
pub(crate) fn first_lost(bytes: &[u8], any_double: bool) -> Option<(usize, ReadFault)> {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = after_string(bytes, at),
            b'-' | b'0'..=b'9' => {
                let end = at + bytes[at..].iter().take_while(|b| is_number_byte(**b)).count();
                if let Some(fault) = std::str::from_utf8(&bytes[at..end]).ok().and_then(|n| lost(n, any_double)) {
                    return Some((at, fault));
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    None
}

pub(super) const fn is_number_byte(byte: u8) -> bool {
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
fn lost(number: &str, any_double: bool) -> Option<ReadFault> {
    let value: f64 = number.parse().ok()?;
    if value.fract() != 0.0 {
        let kept = format!("{value:e}");
        let (written, read) = (significant(number)?, significant(&kept)?);
        let told = written != read && !(any_double && written.0.len() <= DIGITS);
        return told.then(|| ReadFault::Rounded(value.to_string()));
    }
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = whole.trim_start_matches('-');
    let digits = || whole.bytes().chain(fraction.bytes());
    let nonzero = digits().any(|d| d != b'0');
    if value == 0.0 {
        return nonzero.then_some(ReadFault::Underflow);
    }
    // An integer as a double; is it one as a decimal? Count the digits before the point, after the exponent moved it.
    let shift: i64 = exponent.parse().ok()?;
    let before = i64::try_from(whole.len()).ok()?.checked_add(shift)?;
    let before = usize::try_from(before.max(0)).ok()?;
    digits().skip(before).any(|d| d != b'0').then_some(ReadFault::TooPrecise)
}

/// The digits of a number without zeros at the ends, and the power of ten of the last one: equal for equal numbers.
fn significant(number: &str) -> Option<(String, i64)> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{fraction}", whole.trim_start_matches('-'));
    let kept = digits.trim_end_matches('0');
    let last = exponent.parse::<i64>().ok()?.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let last = last.checked_add(i64::try_from(digits.len() - kept.len()).ok()?)?;
    Some((kept.trim_start_matches('0').to_owned(), last))
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
            ("0.1000000000000000055511151231257827", Some(ReadFault::Rounded("0.1".to_owned()))),
            ("-0.10000000000000001", Some(ReadFault::Rounded("-0.1".to_owned()))),
            ("12345678.90123456789", Some(ReadFault::Rounded("12345678.901234567".to_owned()))),
            ("0.30000000000000004", None),
            ("0.1000000000000000000000000000000000000", None),
            ("100000e-6", None),
            ("2.2250738585072014E-308", None),
            ("5e-324", None),
            ("0.125", None),
            ("12.5e1", None),
            ("-3.333333333333333e-10", None),
        ] {
            assert_eq!(lost(text, false), fault, "{text}");
        }
    }

    #[test]
    fn a_program_may_write_any_spelling_of_its_double() {
        assert_eq!(lost("0.10000000000000001", true), None);
        assert_eq!(lost("0.100000000000000005", true), Some(ReadFault::Rounded("0.1".to_owned())));
        assert_eq!(lost("1e-400", true), Some(ReadFault::Underflow));
    }

    #[test]
    fn digits_within_strings_are_no_numbers() {
        assert_eq!(first_lost(br#"{"1e-400":"\"1e-400","a":1}"#, false), None);
        assert_eq!(first_lost(br#"{"a":[1,1e-400]}"#, false), Some((8, ReadFault::Underflow)));
    }
}
