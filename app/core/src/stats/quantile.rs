//! Percentile intervals by linear interpolation between order statistics (Hyndman and Fan 1996, definition 7), which is
//! the default of NumPy and R. The interpolation is NumPy's to the last bit.

use super::Draws;

/// Which part of the draws an interval holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Level {
    /// 95 %, two-sided: from the 2.5th to the 97.5th percentile.
    P95,
    /// 90 %, two-sided: from the 5th to the 95th percentile. Its ends are one-sided 95 % bounds.
    P90,
}

impl Level {
    /// The fractions of draws below the lower and the upper end.
    #[must_use]
    pub const fn fractions(self) -> (f64, f64) {
        match self {
            Self::P95 => (0.025, 0.975),
            Self::P90 => (0.05, 0.95),
        }
    }

    /// Percent of the draws inside.
    #[must_use]
    pub const fn percent(self) -> u8 {
        match self {
            Self::P95 => 95,
            Self::P90 => 90,
        }
    }
}

/// The percentile interval of the defined draws; `None` if there are none.
#[must_use]
pub fn percentile(draws: &Draws, level: Level) -> Option<(f64, f64)> {
    let mut values: Vec<f64> = draws.raw().iter().copied().filter(|value| !value.is_nan()).collect();
    let (below, above) = level.fractions();
    Some((quantile(&mut values, below)?, quantile(&mut values, above)?))
}

/// The quantile of numbers that hold no NaN; reorders them. `None` if there are none or the fraction is outside 0..=1.
#[must_use]
pub fn quantile(values: &mut [f64], fraction: f64) -> Option<f64> {
    let (index, part) = place(values.len(), fraction)?;
    let (_, &mut below, rest) = values.select_nth_unstable_by(index, f64::total_cmp);
    let above = rest.iter().copied().min_by(f64::total_cmp).unwrap_or(below);
    Some(between(below, above, part))
}

/// The order statistic just below a quantile, from zero, and how far the quantile lies towards the next.
fn place(count: usize, fraction: f64) -> Option<(usize, f64)> {
    if count == 0 || !(0.0..=1.0).contains(&fraction) {
        return None;
    }
    let place = (count - 1) as f64 * fraction;
    Some((place as usize, place - place.floor()))
}

/// From whichever end is nearer, so that the result is monotone in `part` and hits both ends.
fn between(below: f64, above: f64, part: f64) -> f64 {
    let distance = above - below;
    if part >= 0.5 { above - distance * (1.0 - part) } else { below + distance * part }
}
