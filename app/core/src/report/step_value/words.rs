//! Figures in words: one spelling for the command line, the window and every export.

use crate::exact::interval::Sign;
use crate::step_value::inference::{ENOUGH_CLUSTERS, ENOUGH_DRAWS, Effect};

/// The word of a certified sign; an abstention is none.
#[must_use]
pub const fn sign_word(sign: Option<Sign>) -> &'static str {
    match sign {
        Some(Sign::Positive) => "positive",
        Some(Sign::Negative) => "negative",
        None => "abstained",
    }
}

/// What is said of a mean: the sign that its arithmetic certifies, and whether the interval lies on that side of zero.
#[must_use]
pub fn effect_words(effect: &Effect) -> String {
    let word = sign_word(effect.sign);
    if effect.sign.is_none() {
        word.to_owned()
    } else if !effect.estimate.is_bounded() {
        format!("{word}, interval not known")
    } else if effect.estimate.draws < ENOUGH_DRAWS {
        format!("{word}, too few draws")
    } else if effect.estimate.clusters < ENOUGH_CLUSTERS {
        format!("{word}, too few trajectories")
    } else if effect.is_clear() {
        format!("{word}, clear of 0")
    } else {
        format!("{word}, spans 0")
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
    use crate::stats::Estimate;

    #[test]
    fn a_certified_sign_is_told_beside_what_the_interval_says() {
        let over = |sign, lo, hi, draws, clusters| {
            let estimate = Estimate { value: 0.1, lo, hi, defined: draws, draws, clusters };
            effect_words(&Effect { estimate, sign })
        };
        let of = |sign, lo, hi, draws| over(sign, lo, hi, draws, 4);
        let positive = Some(Sign::Positive);
        assert_eq!(of(positive, 0.05, 0.2, 1_000), "positive, clear of 0");
        assert_eq!(of(positive, -0.05, 0.2, 1_000), "positive, spans 0");
        assert_eq!(of(positive, 0.05, 0.2, 999), "positive, too few draws");
        assert_eq!(over(positive, 0.05, 0.2, 1_000, 3), "positive, too few trajectories");
        assert_eq!(of(positive, f64::NEG_INFINITY, f64::INFINITY, 1_000), "positive, interval not known");
        assert_eq!(of(None, -0.1, 0.2, 1_000), "abstained");
    }

    #[test]
    fn figures_have_a_true_minus_and_zero_has_no_sign() {
        assert_eq!(signed(0.1629), "+0.163");
        assert_eq!(signed(-0.16), "−0.160");
        assert_eq!(signed(-0.0001), "0.000");
        assert_eq!(interval(-0.5, 0.0), "[−0.500, 0.000]");
        assert_eq!(interval(f64::NEG_INFINITY, f64::INFINITY), "not known");
    }
}
