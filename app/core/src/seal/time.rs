//! Times in signed documents: an explicit input, in one spelling (docs/formats/certificate.md T12).

/// A declared time in the one accepted spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Time(String);

impl Time {
    /// Reads `YYYY-MM-DDTHH:MM:SS.mmmZ` with existing months, days and hours and seconds 00 to 59; nothing else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let pattern = b"0000-00-00T00:00:00.000Z";
        let fits = bytes.len() == pattern.len()
            && bytes.iter().zip(pattern).all(|(&b, &p)| if p == b'0' { b.is_ascii_digit() } else { b == p });
        if !fits {
            return None;
        }
        let number = |from: usize, to: usize| text.get(from..to).and_then(|t| t.parse::<u32>().ok());
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 => 28 + u32::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let exists = (1..=days).contains(&day) && hour < 24 && minute < 60 && second < 60;
        exists.then(|| Self(text.to_owned()))
    }

    /// The spelling.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
