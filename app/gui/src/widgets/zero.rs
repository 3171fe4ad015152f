//! Where an interval lies about zero, or why it does not say: the one place where pictures and tables ask, so that none of
//! them reads "spans 0" out of an interval that is not known.

use decidendi_core::stats::Estimate;
use decidendi_core::step_value::inference::{ENOUGH_CLUSTERS, ENOUGH_DRAWS, Effect};

/// What an interval says of zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zero {
    /// The whole interval lies above zero.
    Above,
    /// The whole interval lies below zero.
    Below,
    /// Zero lies within it.
    Spans,
    /// There is no figure.
    Unidentified,
    /// Resampling says nothing: one trajectory, or one stored outcome of a kind.
    Unknown,
    /// Too few draws to place the ends.
    FewDraws,
    /// Too few trajectories: the interval is the range of what was seen.
    FewClusters,
    /// The arithmetic does not carry the figure's sign.
    Abstained,
}

impl Zero {
    /// Of an effect: its certified sign counts as well.
    #[must_use]
    pub fn of_effect(effect: Option<Effect>) -> Self {
        let Some(effect) = effect else { return Self::Unidentified };
        if effect.sign.is_none() {
            return Self::Abstained;
        }
        match Self::of(&effect.estimate) {
            // A mean on the other side of its own interval carries neither.
            Self::Above | Self::Below if !effect.is_clear() => Self::Spans,
            said => said,
        }
    }

    /// Of a figure that has no certified sign.
    #[must_use]
    pub fn of(estimate: &Estimate) -> Self {
        if !estimate.is_bounded() {
            Self::Unknown
        } else if estimate.draws < ENOUGH_DRAWS {
            Self::FewDraws
        } else if estimate.clusters < ENOUGH_CLUSTERS {
            Self::FewClusters
        } else if estimate.above_zero() {
            Self::Above
        } else if estimate.below_zero() {
            Self::Below
        } else {
            Self::Spans
        }
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        self.or("above zero", "below zero", "spans 0")
    }

    /// In words of one's own for what an interval can say; what keeps it from saying anything is named alike everywhere.
    #[must_use]
    pub const fn or<'w>(self, above: &'w str, below: &'w str, spans: &'w str) -> &'w str {
        match self.silent() {
            Some(why) => why,
            None => match self {
                Self::Above => above,
                Self::Below => below,
                _ => spans,
            },
        }
    }

    /// Why nothing can be said; `None` where something can.
    #[must_use]
    pub const fn silent(self) -> Option<&'static str> {
        match self {
            Self::Above | Self::Below | Self::Spans => None,
            Self::Unidentified => Some("not identified"),
            Self::Unknown => Some("interval not known"),
            Self::FewDraws => Some("too few draws"),
            Self::FewClusters => Some("too few trajectories"),
            Self::Abstained => Some("abstained"),
        }
    }
}

#[cfg(test)]
mod tests {
    use decidendi_core::exact::interval::Sign;

    use super::*;

    fn estimate(lo: f64, hi: f64, draws: u32) -> Estimate {
        Estimate { value: 0.1, lo, hi, defined: draws, draws, clusters: 4 }
    }

    #[test]
    fn what_an_interval_cannot_say_is_not_read_out_of_it() {
        let of = |lo, hi, draws| Zero::of(&estimate(lo, hi, draws)).words();
        assert_eq!(of(0.05, 0.2, 1_000), "above zero");
        assert_eq!(of(-0.2, -0.05, 1_000), "below zero");
        assert_eq!(of(-0.05, 0.2, 1_000), "spans 0");
        assert_eq!(of(-0.05, 0.2, 999), "too few draws");
        assert_eq!(of(0.05, 0.2, 999), "too few draws");
        assert_eq!(Zero::of(&Estimate::unbounded(0.1, 10_000)).words(), "interval not known");
        let few = Estimate { clusters: 3, ..estimate(0.05, 0.2, 1_000) };
        assert_eq!(Zero::of(&few).words(), "too few trajectories");
    }

    #[test]
    fn the_certified_sign_of_an_effect_counts() {
        let of = |sign, estimate| Zero::of_effect(Some(Effect { estimate, sign })).words();
        let positive = Some(Sign::Positive);
        assert_eq!(of(positive, estimate(0.05, 0.2, 1_000)), "above zero");
        assert_eq!(of(Some(Sign::Negative), estimate(-0.2, -0.05, 1_000)), "below zero");
        assert_eq!(of(positive, estimate(-0.05, 0.2, 1_000)), "spans 0");
        assert_eq!(of(positive, estimate(-0.2, -0.05, 1_000)), "spans 0", "a sign against its interval is not clear");
        assert_eq!(of(positive, Estimate::unbounded(0.1, 10_000)), "interval not known");
        assert_eq!(of(positive, estimate(0.05, 0.2, 999)), "too few draws");
        assert_eq!(of(None, estimate(0.05, 0.2, 1_000)), "abstained");
        assert_eq!(Zero::of_effect(None).words(), "not identified");
    }

    #[test]
    fn own_words_are_for_what_is_said_alone() {
        let words = |zero: Zero| zero.or("differ", "differ", "not told apart");
        assert_eq!(words(Zero::Above), "differ");
        assert_eq!(words(Zero::Spans), "not told apart");
        assert_eq!(words(Zero::Unknown), "interval not known");
    }
}
