//! A value with its percentile interval and the draws that stand behind it.

use super::{Draws, Level, quantile};

/// A statistic of the data with its interval over the draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The statistic of the data as they are, not of the draws.
    pub value: f64,
    /// Lower end of the percentile interval.
    pub lo: f64,
    /// Upper end of the percentile interval.
    pub hi: f64,
    /// Draws in which the statistic was defined; the interval is over these.
    pub defined: u32,
    /// All draws.
    pub draws: u32,
    /// Clusters that the draws picked from.
    pub clusters: u32,
}

impl Estimate {
    /// The value of the data with the interval over its draws; `None` if no draw has a value.
    #[must_use]
    pub fn new(value: f64, draws: &Draws, clusters: u32, level: Level) -> Option<Self> {
        let (lo, hi) = quantile::percentile(draws, level)?;
        Some(Self { value, lo, hi, defined: draws.defined(), draws: draws.len(), clusters })
    }

    /// A value about which resampling says nothing, such as a mean over a single cluster: the interval is the whole line.
    #[must_use]
    pub const fn unbounded(value: f64, draws: u32) -> Self {
        Self { value, lo: f64::NEG_INFINITY, hi: f64::INFINITY, defined: 0, draws, clusters: 1 }
    }

    /// Whether resampling says anything about the value.
    #[must_use]
    pub const fn is_bounded(&self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    /// Whether the whole interval lies below zero: directional support (docs/theory.md §3.4).
    #[must_use]
    pub fn below_zero(&self) -> bool {
        self.hi < 0.0
    }

    /// Whether the whole interval lies above zero: criterion support (docs/theory.md §3.4).
    #[must_use]
    pub fn above_zero(&self) -> bool {
        self.lo > 0.0
    }

    /// Whether the whole interval lies strictly within `margin` of zero: the equivalence test, with a 90 % interval.
    #[must_use]
    pub fn within(&self, margin: f64) -> bool {
        -margin < self.lo && self.hi < margin
    }
}
