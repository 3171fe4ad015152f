//! Figures in words: one spelling for the command line, the window and every export.

use crate::stats::Estimate;
use crate::step_value::bridge::VertexReport;
use crate::step_value::inference::{ENOUGH_CLUSTERS, ENOUGH_DRAWS, Effect};
pub use crate::step_value::measure::sign_word;
use crate::step_value::scalars::{Missing, Why};
use crate::step_value::study::Study;

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

/// The same figure; a zero without its sign, which says from which side rounding came and nothing else.
#[must_use]
pub fn unsigned_zero(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value }
}

/// A figure with so many decimals and a true minus sign; one that rounds to zero has no sign to show.
#[must_use]
pub fn figure(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    if value < 0.0 && !is_zero(&text) { format!("−{text}") } else { text }
}

fn is_zero(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b'0' | b'.'))
}

/// A signed figure with three decimals: `+0.163`, `−0.160`, `0.000`.
#[must_use]
pub fn signed(value: f64) -> String {
    let text = figure(value, 3);
    if value > 0.0 && !is_zero(&text) { format!("+{text}") } else { text }
}

/// An interval of signed figures: `[+0.102, +0.218]`; one without ends is not known.
#[must_use]
pub fn interval(lo: f64, hi: f64) -> String {
    if lo.is_infinite() || hi.is_infinite() {
        return "not known".to_owned();
    }
    format!("[{}, {}]", signed(lo), signed(hi))
}

/// Over how many draws an interval is, where some of them have no value.
#[must_use]
pub fn over_draws(estimate: &Estimate) -> String {
    if estimate.defined == estimate.draws {
        return String::new();
    }
    format!(" over {} of {} draws", estimate.defined, estimate.draws)
}

/// What is said of the agreement of a vertex's waves, over so many trajectories; `None` where there is one wave.
#[must_use]
pub fn agreement(vertex: &VertexReport, trajectories: usize) -> Option<String> {
    if vertex.waves.len() < 2 {
        return None;
    }
    let said = match (&vertex.icc, trajectories) {
        (Some(icc), _) if icc.is_bounded() => {
            let [value, lo, hi] = [icc.value, icc.lo, icc.hi].map(|value| figure(value, 4));
            format!("{value} [{lo}, {hi}]{}", over_draws(icc))
        }
        (Some(icc), _) => format!("{}, interval not known", figure(icc.value, 4)),
        (None, 0) => "not defined, since no step is complete".to_owned(),
        (None, 1) => "not defined, since one trajectory has no other to differ from".to_owned(),
        (None, _) => "not defined, since no trajectory differs from another".to_owned(),
    };
    Some(format!("ICC(A,1) over the waves {said}"))
}

/// The first of the missing scores: where its row should stand, and the candidate where the row is there without it.
#[must_use]
pub fn missing_at(study: &Study, missing: &Missing) -> String {
    let cell = &missing.cell;
    let transition = &study.transitions[cell.transition];
    let mut text = format!("transition `{}`, state {}", transition.id, cell.corner.state.word());
    if cell.corner.view_at != cell.corner.state {
        text.push_str(&format!(", view at {}", cell.corner.view_at.word()));
    }
    text.push_str(&format!(", channel `{}`, layout {}", study.channels[cell.channel].id, cell.layout));
    if study.waves.len() > 1 {
        text.push_str(&format!(", wave {}", study.waves[cell.wave].id));
    }
    if missing.why != Why::NoRow
        && let Some(candidate) = study.candidates(transition).get(missing.candidate)
    {
        text.push_str(&format!(", candidate `{candidate}`"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::interval::Sign;

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
    fn agreement_near_zero_has_no_sign_and_names_its_draws() {
        let icc = |value, lo, hi| Estimate { value, lo, hi, defined: 7, draws: 10, clusters: 4 };
        let vertex = |icc| VertexReport {
            name: "A".to_owned(),
            gains: [None; 2],
            interaction: None,
            margin: None,
            equivalence: crate::step_value::equivalence::Equivalence::test(None, None),
            mixture: None,
            auc: None,
            waves: vec![None; 2],
            layouts: Vec::new(),
            icc,
        };
        let of = |icc| agreement(&vertex(icc), 4).unwrap();
        let told = "ICC(A,1) over the waves 0.0000 [−0.2500, 0.0000] over 7 of 10 draws";
        assert_eq!(of(Some(icc(-0.000_01, -0.25, -0.0))), told);
        let told = "ICC(A,1) over the waves −0.1000, interval not known";
        assert_eq!(of(Some(Estimate::unbounded(-0.1, 10))), told);
        assert!(of(None).ends_with("not defined, since no trajectory differs from another"));
    }

    #[test]
    fn figures_have_a_true_minus_and_zero_has_no_sign() {
        assert_eq!(signed(0.1629), "+0.163");
        assert_eq!(signed(-0.16), "−0.160");
        assert_eq!(signed(-0.0001), "0.000");
        assert!(unsigned_zero(-0.0).is_sign_positive() && unsigned_zero(-1e-300) < 0.0);
        assert_eq!((signed(-0.0), signed(0.0004)), ("0.000".to_owned(), "0.000".to_owned()));
        assert_eq!((figure(-0.000_04, 4), figure(-0.000_06, 4)), ("0.0000".to_owned(), "−0.0001".to_owned()));
        assert_eq!(interval(-0.5, 0.0), "[−0.500, 0.000]");
        assert_eq!(interval(f64::NEG_INFINITY, f64::INFINITY), "not known");
    }
}
