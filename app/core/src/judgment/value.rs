//! Typed values of grounds, parameters and context, and their exact spellings.

use std::fmt;
use std::sync::Arc;

use crate::exact::Rational;

/// Microseconds of a day: dates and durations are counted in microseconds, exactly.
pub const DAY: i64 = 86_400_000_000;

/// A typed value. Text of enums and sets is shared with the interface that declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Truth.
    Bool(bool),
    /// A 64-bit integer.
    Int(i64),
    /// An exact rational.
    Rational(Rational),
    /// Text, or the value of an enum.
    Text(Arc<str>),
    /// A set of texts, ascending, without duplicates.
    Set(Arc<[Arc<str>]>),
    /// A point in time: microseconds since 1970-01-01. Read dates are whole days; sums with a duration need not be.
    Date(i64),
    /// A span of time in microseconds.
    Duration(i64),
    /// A list that a condition spells out.
    List(Vec<Self>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(b) => write!(f, "{b}"),
            Self::Int(i) => write!(f, "{i}"),
            Self::Rational(r) => match r.to_decimal() {
                Some(decimal) => f.write_str(&decimal),
                None => write!(f, "{r}"),
            },
            Self::Text(t) => write!(f, "'{t}'"),
            Self::Set(items) => write_list(f, ('{', '}'), items.iter().map(|t| format!("'{t}'"))),
            Self::List(items) => write_list(f, ('[', ']'), items.iter().map(Self::to_string)),
            Self::Date(micros) => f.write_str(&date_text(*micros)),
            Self::Duration(micros) => f.write_str(&duration_text(*micros)),
        }
    }
}

fn write_list(
    f: &mut fmt::Formatter<'_>,
    (open, close): (char, char),
    items: impl Iterator<Item = String>,
) -> fmt::Result {
    write!(f, "{open}{}{close}", items.collect::<Vec<_>>().join(", "))
}

/// Reads an ISO day, `2024-09-16` (years 0001 to 9999), into microseconds since 1970-01-01.
#[must_use]
pub fn parse_date(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let (year, month, day) = (digits(&bytes[..4])?, digits(&bytes[5..7])?, digits(&bytes[8..])?);
    (year >= 1 && (1..=12).contains(&month) && day >= 1 && day <= days_in_month(year, month))
        .then(|| days_from_civil(year, month, day) * DAY)
}

/// Why text that is spelled like a day is none; nothing where it is spelled otherwise, or is one.
#[must_use]
pub fn no_such_day(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' || parse_date(text).is_some() {
        return None;
    }
    let (year, month) = (digits(&bytes[..4])?, digits(&bytes[5..7])?);
    digits(&bytes[8..])?;
    if year < 1 {
        return Some("years run from 0001 to 9999".to_owned());
    }
    Some(match usize::try_from(month - 1).ok().and_then(|m| MONTHS.get(m)) {
        Some(name) => format!("{name} {year} has {} days", days_in_month(year, month)),
        None => format!("there is no month {month:02}"),
    })
}

/// Reads a UTC midnight, `2024-09-16T00:00:00Z`: the only timestamps that are whole days.
#[must_use]
pub fn parse_timestamp(text: &str) -> Option<i64> {
    let (day, time) = text.split_once('T')?;
    matches!(time, "00:00:00Z" | "00:00:00.000Z" | "00:00:00+00:00").then(|| parse_date(day)).flatten()
}

fn digits(bytes: &[u8]) -> Option<i64> {
    bytes.iter().try_fold(0_i64, |n, b| b.is_ascii_digit().then(|| n * 10 + i64::from(b - b'0')))
}

const fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar (eras of 400 years, years that begin in March).
const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

const fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (era * 400 + year_of_era + if month <= 2 { 1 } else { 0 }, month, day)
}

/// A point in time as ISO text; the time of day only when it is not midnight.
#[must_use]
pub fn date_text(micros: i64) -> String {
    let (year, month, day) = civil_from_days(micros.div_euclid(DAY));
    let rest = micros.rem_euclid(DAY);
    if rest == 0 {
        return format!("{year:04}-{month:02}-{day:02}");
    }
    let (seconds, fraction) = (rest / 1_000_000, rest % 1_000_000);
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fraction = if fraction == 0 { String::new() } else { format!(".{fraction:06}") };
    format!("{year:04}-{month:02}-{day:02}T{clock}{fraction}Z")
}

/// Reads a duration in the spelling of CEL and Go (`36h`, `1h30m`, `1.5s`, `-90s`), days (`2d`) added. Exact to the
/// microsecond; anything finer or too large is refused.
#[must_use]
pub fn parse_duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut nanos: i128 = 0;
    while !rest.is_empty() {
        let number_end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, tail) = rest.split_at(number_end);
        let unit_end = tail.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(unit_end);
        let unit: i128 = match unit {
            "d" => 86_400_000_000_000,
            "h" => 3_600_000_000_000,
            "m" => 60_000_000_000,
            "s" => 1_000_000_000,
            "ms" => 1_000_000,
            "us" | "µs" | "μs" => 1_000,
            "ns" => 1,
            _ => return None,
        };
        nanos = nanos.checked_add(scaled(number, unit)?)?;
        rest = tail;
    }
    if nanos % 1_000 != 0 {
        return None;
    }
    i64::try_from(if negative { -nanos } else { nanos } / 1_000).ok()
}

/// `number` (digits with at most one point) times `unit`, if that is a whole number.
fn scaled(number: &str, unit: i128) -> Option<i128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let plain = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || whole.len() > 18 || fraction.len() > 15 || !plain(whole) || !plain(fraction)
    {
        return None;
    }
    let mantissa = format!("{whole}{fraction}").parse::<i128>().ok()?;
    let scale = 10_i128.pow(u32::try_from(fraction.len()).ok()?);
    let product = mantissa.checked_mul(unit)?;
    (product % scale == 0).then_some(product / scale)
}

/// A duration in hours, minutes and seconds: `36h`, `1h30m`, `1.5s`.
#[must_use]
pub fn duration_text(micros: i64) -> String {
    if micros == 0 {
        return "0s".to_owned();
    }
    let sign = if micros < 0 { "-" } else { "" };
    let all = micros.unsigned_abs();
    let (hours, minutes, seconds, fraction) =
        (all / 3_600_000_000, all / 60_000_000 % 60, all / 1_000_000 % 60, all % 1_000_000);
    let mut text = sign.to_owned();
    if hours > 0 {
        text += &format!("{hours}h");
    }
    if minutes > 0 {
        text += &format!("{minutes}m");
    }
    if fraction > 0 {
        text += &format!("{seconds}.{}s", format!("{fraction:06}").trim_end_matches('0'));
    } else if seconds > 0 {
        text += &format!("{seconds}s");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_read_and_print() {
        for (text, days) in [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("2000-02-29", 11_016),
            ("2024-09-16", 19_982),
            ("0001-01-01", -719_162),
        ] {
            assert_eq!(parse_date(text), Some(days * DAY), "{text}");
            assert_eq!(date_text(days * DAY), text);
        }
        for text in [
            "2023-02-29",
            "1900-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-1-1",
            "24-01-01",
            "0000-01-01",
            "2024-04-31",
            "",
        ] {
            assert_eq!(parse_date(text), None, "{text}");
        }
        assert_eq!(date_text(DAY / 2 + 1), "1970-01-01T12:00:00.000001Z");
        assert_eq!(parse_timestamp("2024-09-16T00:00:00Z"), parse_date("2024-09-16"));
        assert_eq!(parse_timestamp("2024-09-16T01:00:00Z"), None);
    }

    #[test]
    fn every_day_of_four_centuries_round_trips() {
        for day in -150_000..150_000 {
            assert_eq!(parse_date(&date_text(day * DAY)), Some(day * DAY));
        }
    }

    #[test]
    fn durations_read_exactly() {
        for (text, micros, printed) in [
            ("36h", 129_600_000_000, "36h"),
            ("1h30m", 5_400_000_000, "1h30m"),
            ("90s", 90_000_000, "1m30s"),
            ("2d", 2 * DAY, "48h"),
            ("-1.5s", -1_500_000, "-1.5s"),
            ("250ms", 250_000, "0.25s"),
            ("3000ns", 3, "0.000003s"),
            ("0", 0, "0s"),
        ] {
            assert_eq!(parse_duration(text), Some(micros), "{text}");
            assert_eq!(duration_text(micros), printed);
        }
        for text in ["", "-", "h", "1", "1x", "1ns", "1.0000001s", "99999999999999999d", "1..5s", "1h-2m", "."] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }
}
