//! The only clock of the crate, and the spellings of a time that it meets.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The last second of the year 9999, beyond which no time is spelled.
pub const LAST_SECOND: u64 = 253_402_300_799;

/// Now, as `YYYY-MM-DDTHH:MM:SS.mmmZ`.
#[must_use]
pub fn now() -> String {
    spell(since_epoch())
}

/// Time since 1970, or zero on a machine whose clock stands before it.
#[must_use]
pub fn since_epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// A time as `YYYY-MM-DDTHH:MM:SS.mmmZ`.
#[must_use]
pub fn spell(since_epoch: Duration) -> String {
    let text = spell_seconds(since_epoch);
    format!("{}.{:03}Z", text.trim_end_matches('Z'), since_epoch.subsec_millis())
}

/// A time as `YYYY-MM-DDTHH:MM:SSZ`.
#[must_use]
pub fn spell_seconds(since_epoch: Duration) -> String {
    let seconds = since_epoch.as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Reads an HTTP date in any of its three forms: `Sun, 06 Nov 1994 08:49:37 GMT`, which is sent today, and
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`, which a reader has to know (RFC 9110, 5.6.7). `now`
/// decides the century of a year of two digits: it lies at most fifty years ahead.
#[must_use]
pub fn http_date(text: &str, now: Duration) -> Option<Duration> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let (is_named, day, month, year, clock) = match words[..] {
        [name, day, month, year, clock, zone] if zone.eq_ignore_ascii_case("GMT") => {
            (is_short_day(name.strip_suffix(',')?), number(day, 2)?, month, number(year, 4)?, clock)
        }
        [name, date, clock, zone] if zone.eq_ignore_ascii_case("GMT") => {
            let mut parts = date.split('-');
            let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
            let is_named = is_day(name.strip_suffix(',')?) && parts.next().is_none();
            (is_named, number(day, 2)?, month, near(number(year, 2)?, now), clock)
        }
        [name, month, day, clock, year] => {
            (is_short_day(name), number(day, day.len().min(2))?, month, number(year, 4)?, clock)
        }
        _ => return None,
    };
    let month = 1 + MONTHS.iter().position(|known| known.eq_ignore_ascii_case(month))? as u64;
    let clock: Vec<u64> = clock.split(':').map(|part| number(part, 2)).collect::<Option<_>>()?;
    let [hour, minute, second] = clock[..] else { return None };
    if !is_named || year < 1970 || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let date = days(year, month, day);
    // A day beyond its month comes out as another one.
    (civil(date) == (year, month, day)).then(|| Duration::from_secs(date * 86_400 + hour * 3600 + minute * 60 + second))
}

const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

fn is_day(name: &str) -> bool {
    DAYS.iter().any(|day| day.eq_ignore_ascii_case(name))
}

fn is_short_day(name: &str) -> bool {
    DAYS.iter().any(|day| day[..3].eq_ignore_ascii_case(name))
}

/// A number of so many digits.
fn number(text: &str, digits: usize) -> Option<u64> {
    (digits > 0 && text.len() == digits && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

/// The year of two digits that lies fifty years ahead at most.
fn near(two_digits: u64, now: Duration) -> u64 {
    let this = civil(now.as_secs() / 86_400).0;
    let year = this - this % 100 + two_digits;
    if year > this + 50 { year - 100 } else { year }
}

/// Year, month and day of a day since 1970, after Howard Hinnant's `civil_from_days`.
const fn civil(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let (era, of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}

/// The day since 1970 of a date after it.
const fn days(year: u64, month: u64, day: u64) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year / 400, year % 400);
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let of_year = (153 * shifted + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_spelled_and_read_alike() {
        assert_eq!(spell(Duration::from_millis(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(spell(Duration::from_millis(1_709_210_096_007)), "2024-02-29T12:34:56.007Z");
        for day in (0..60_000).step_by(17) {
            let (y, m, d) = civil(day);
            assert_eq!(days(y, m, d), day);
        }
    }

    #[test]
    fn an_http_date_is_read_in_its_three_forms() {
        let now = Duration::from_secs(1_764_500_000);
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "sun, 06 nov 1994 08:49:37 gmt",
        ] {
            assert_eq!(http_date(text, now), Some(Duration::from_secs(784_111_777)), "{text}");
        }
        let year = |text: &str, now: u64| http_date(text, Duration::from_secs(now)).map(spell_seconds);
        // Seen from 2025: 75 lies fifty years ahead, 76 belongs to the century before.
        assert_eq!(year("Tuesday, 01-Jan-75 00:00:00 GMT", 1_764_500_000).as_deref(), Some("2075-01-01T00:00:00Z"));
        assert_eq!(year("Thursday, 01-Jan-76 00:00:00 GMT", 1_764_500_000).as_deref(), Some("1976-01-01T00:00:00Z"));
        assert_eq!(year("Tue Dec 31 23:59:60 2024", 0).as_deref(), Some("2025-01-01T00:00:00Z"));
        assert_eq!(year("Thu, 29 Feb 2024 12:00:00 GMT", 0).as_deref(), Some("2024-02-29T12:00:00Z"));
        for wrong in [
            "",
            "tomorrow",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nix 1994 08:49:37 GMT",
            "Son, 06 Nov 1994 08:49:37 GMT",
            "Sun, 31 Feb 2027 08:49:37 GMT",
            "Sun, 00 Nov 2027 08:49:37 GMT",
            "Sun, 06 Nov 1969 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sun Nov 6 08:49:37 94",
            "Sun, x",
        ] {
            assert_eq!(http_date(wrong, now), None, "{wrong}");
        }
    }
}
