//! The only clock of the crate, and the two spellings of a time that it meets.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

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
    let seconds = since_epoch.as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", since_epoch.subsec_millis())
}

/// Reads the one form of an HTTP date that is sent today, `Sun, 06 Nov 1994 08:49:37 GMT`.
#[must_use]
pub fn http_date(text: &str) -> Option<Duration> {
    let mut words = text.split_once(", ")?.1.split(' ');
    let day: u64 = words.next()?.parse().ok()?;
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let name = words.next()?;
    let month = 1 + names.iter().position(|n| *n == name)? as u64;
    let year: u64 = words.next()?.parse().ok()?;
    let clock: Vec<u64> = words.next()?.split(':').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [hour, minute, second] = clock[..] else { return None };
    let sound = (1970..=9999).contains(&year) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second < 61;
    (sound && words.next() == Some("GMT"))
        .then(|| Duration::from_secs(days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second))
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
        let read = http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        assert_eq!((read.as_secs(), spell(read).as_str()), (784_111_777, "1994-11-06T08:49:37.000Z"));
        for day in (0..60_000).step_by(17) {
            let (y, m, d) = civil(day);
            assert_eq!(days(y, m, d), day);
        }
        for wrong in ["", "tomorrow", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nix 1994 08:49:37 GMT", "Sun, x"] {
            assert_eq!(http_date(wrong), None, "{wrong}");
        }
    }
}
