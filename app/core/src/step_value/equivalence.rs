//! The equivalence test against the Blackwell null: whether a difference that should be zero lies, with its 90 %
//! interval, inside a declared ±margin (docs/theory.md §3.4). Without a declared margin there is no test, and none is
//! assumed.

use super::enough::concludes;
use crate::exact::Rational;
use crate::stats::Estimate;

/// What a test says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Equivalent {
    /// The whole 90 % interval lies strictly inside the margin.
    Inside,
    /// It does not: the two may be equivalent or not.
    NotInside,
    /// No margin is declared, so nothing is tested.
    NoMargin,
    /// There is no interval, or one from too few draws.
    NotKnown,
}

impl Equivalent {
    /// The words in files and on screen.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Inside => "inside the margin",
            Self::NotInside => "not inside the margin",
            Self::NoMargin => "no margin declared",
            Self::NotKnown => "not known",
        }
    }
}

/// One tested difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equivalence {
    /// The difference with its 90 % interval, whose ends are one-sided 95 % bounds; `None` where nothing was drawn.
    pub ninety: Option<Estimate>,
    /// What it comes to.
    pub verdict: Equivalent,
}

impl Equivalence {
    /// Tests a difference, given with its 90 % interval and in the unit of the margin.
    #[must_use]
    pub fn test(ninety: Option<Estimate>, margin: Option<&Rational>) -> Self {
        let known = ninety.filter(concludes);
        let verdict = match (margin, known) {
            (None, _) => Equivalent::NoMargin,
            (Some(_), None) => Equivalent::NotKnown,
            (Some(margin), Some(estimate)) if estimate.within(margin.to_f64()) => Equivalent::Inside,
            (Some(_), Some(_)) => Equivalent::NotInside,
        };
        Self { ninety, verdict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_needs_a_margin_an_interval_and_draws_enough() {
        let quarter = Rational::from_ratio(1, 4).unwrap();
        let of = |lo, hi, draws, clusters| Some(Estimate { value: 0.0, lo, hi, defined: draws, draws, clusters });
        let estimate = |lo, hi, draws| of(lo, hi, draws, 4);
        for (ninety, margin, verdict) in [
            (estimate(-0.2, 0.2, 1_000), Some(&quarter), Equivalent::Inside),
            (estimate(-0.2, 0.25, 1_000), Some(&quarter), Equivalent::NotInside),
            (estimate(-0.26, 0.2, 1_000), Some(&quarter), Equivalent::NotInside),
            (estimate(-0.2, 0.2, 999), Some(&quarter), Equivalent::NotKnown),
            (of(-0.2, 0.2, 1_000, 3), Some(&quarter), Equivalent::NotKnown),
            (Some(Estimate::unbounded(0.0, 1_000)), Some(&quarter), Equivalent::NotKnown),
            (None, Some(&quarter), Equivalent::NotKnown),
            (estimate(-0.2, 0.2, 1_000), None, Equivalent::NoMargin),
            (None, None, Equivalent::NoMargin),
        ] {
            assert_eq!(Equivalence::test(ninety, margin).verdict, verdict, "{ninety:?} {margin:?}");
        }
    }
}
