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
}

/// Fewest draws for which looking for the tails first pays.
const MANY: usize = 1024;
/// Draws that are looked at to guess where the tails begin.
const SAMPLE: usize = 256;

/// Draws that are looked at before asking whether there is room for more: a power of two, whose remainder is cheap.
const STRETCH: usize = 256;

/// The percentile interval of the defined draws; `None` if there are none.
#[must_use]
pub fn percentile(draws: &Draws, level: Level) -> Option<(f64, f64)> {
    let (below, above) = level.fractions();
    let count = draws.defined() as usize;
    if count >= MANY
        && let Some(ends) = from_tails(draws.raw(), place(count, below)?, place(count, above)?, count)
    {
        return Some(ends);
    }
    let mut values: Vec<f64> = draws.iter().flatten().collect();
    Some((quantile(&mut values, below)?, quantile(&mut values, above)?))
}

/// Both ends from the tails alone: one pass sets aside what lies beyond two pivots guessed from a regular sample. The guess
/// decides only how long that takes; `None` if it was so bad that a tail misses an order statistic or is long. NaN, an undefined
/// draw, is beyond no pivot.
fn from_tails(values: &[f64], low: (usize, f64), high: (usize, f64), count: usize) -> Option<(f64, f64)> {
    let mut sample: Vec<f64> = values.iter().step_by(values.len() / SAMPLE).copied().filter(|v| !v.is_nan()).collect();
    // The sample's share of the tail, and four standard deviations more.
    let depth = |statistics: usize| {
        let share = (statistics * sample.len()).div_ceil(count);
        share + 4 * share.isqrt() + 2
    };
    let from_top = count - high.0;
    let (lower, upper) = (depth(low.0 + 2), sample.len().checked_sub(1 + depth(from_top))?);
    if lower >= upper {
        return None;
    }
    let (_, &mut lower_pivot, rest) = sample.select_nth_unstable_by(lower, f64::total_cmp);
    let (_, &mut upper_pivot, _) = rest.select_nth_unstable_by(upper - lower - 1, f64::total_cmp);
    // A good guess sets aside about a tenth at each end.
    let mut tails = vec![0.0; values.len() / 2];
    let mut kept = 0;
    for values in values.chunks(STRETCH) {
        let tails: &mut [f64; STRETCH] = tails.get_mut(kept..)?.first_chunk_mut()?;
        let mut at = 0;
        for &value in values {
            // Without a branch: each value is written, and kept by moving on. A stretch cannot fill more than its own room.
            tails[at % STRETCH] = value;
            at += usize::from((value <= lower_pivot) | (value >= upper_pivot));
        }
        kept += at;
    }
    let tails = &mut tails[..kept];
    let lowers = tails.iter().filter(|&&value| value <= lower_pivot).count();
    if lowers < low.0 + 2 || kept - lowers < from_top {
        return None;
    }
    let in_tail = (high.0 + kept - count, high.1);
    Some((at(tails, low), at(tails, in_tail)))
}

/// The quantile of numbers that hold no NaN; reorders them. `None` if there are none or the fraction is outside 0..=1.
#[must_use]
pub fn quantile(values: &mut [f64], fraction: f64) -> Option<f64> {
    let place = place(values.len(), fraction)?;
    Some(at(values, place))
}

/// The number at a place between order statistics; the place lies within.
fn at(values: &mut [f64], (index, part): (usize, f64)) -> f64 {
    let (_, &mut below, rest) = values.select_nth_unstable_by(index, f64::total_cmp);
    let above = rest.iter().copied().min_by(f64::total_cmp).unwrap_or(below);
    between(below, above, part)
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
