//! Figures in words: one spelling for the command line, the window and every export.

use crate::exact::interval::Sign;

/// The word of a certified sign; an abstention is none.
#[must_use]
pub const fn sign_word(sign: Option<Sign>) -> &'static str {
    match sign {
        Some(Sign::Positive) => "positive",
        Some(Sign::Negative) => "negative",
        None => "abstained",
    }
}

/// A signed figure with three decimals and a true minus sign: `+0.163`, `−0.160`, `0.000`.
#[must_use]
pub fn signed(value: f64) -> String {
    let text = format!("{:.3}", value.abs());
    // A figure that rounds to zero has no sign to show.
    match value {
        _ if text.bytes().all(|b| matches!(b, b'0' | b'.')) => text,
        value if value < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// An interval of signed figures: `[+0.102, +0.218]`; one without ends is not known.
#[must_use]
pub fn interval(lo: f64, hi: f64) -> String {
    if lo.is_infinite() || hi.is_infinite() {
        return "not known".to_owned();
    }
    format!("[{}, {}]", signed(lo), signed(hi))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_a_true_minus_and_zero_has_no_sign() {
        assert_eq!(signed(0.1629), "+0.163");
        assert_eq!(signed(-0.16), "−0.160");
        assert_eq!(signed(-0.0001), "0.000");
        assert_eq!(interval(-0.5, 0.0), "[−0.500, 0.000]");
        assert_eq!(interval(f64::NEG_INFINITY, f64::INFINITY), "not known");
    }
}
