//! The values of one statistic, one for each draw.

use std::ops::Range;
use std::sync::Arc;

/// One value for each draw; a draw may have none, for example a ratio whose denominator is zero.
#[derive(Debug, Clone)]
pub struct Draws {
    /// The values of all statistics that were computed together: a copy costs nothing, and so does keeping one of them.
    values: Arc<Vec<f64>>,
    /// Where the own values lie. NaN marks a draw without a value; it never leaves this module's functions.
    own: Range<usize>,
    undefined: u32,
}

/// The values of several statistics while they are computed: all draws of the first, all draws of the second. One piece of
/// memory serves them all; asking for it and giving it back costs as much as a statistic.
pub(super) struct Table {
    values: Vec<f64>,
    statistics: usize,
    draws: usize,
}

impl Table {
    pub fn new(statistics: usize, draws: u32) -> Self {
        let draws = draws as usize;
        Self { values: vec![0.0; statistics * draws], statistics, draws }
    }

    /// The values of some draws in a row.
    pub fn part(&mut self, statistic: usize, first: u32, draws: usize) -> &mut [f64] {
        &mut self.values[statistic * self.draws + first as usize..][..draws]
    }

    /// Whatever is no finite number is undefined.
    pub fn into_draws(mut self) -> Vec<Draws> {
        let arch = pulp::Arch::new();
        let draws = self.draws;
        let own = |at: usize| at * draws..(at + 1) * draws;
        let settle = |at| arch.dispatch(Settle(&mut self.values[own(at)]));
        let undefined: Vec<u32> = (0..self.statistics).map(settle).collect();
        let values = Arc::new(self.values);
        let part = |(at, undefined)| Draws { values: Arc::clone(&values), own: own(at), undefined };
        undefined.into_iter().enumerate().map(part).collect()
    }
}

/// Marks what is no finite number and counts it; as a value, to be compiled for each vector unit.
struct Settle<'v>(&'v mut [f64]);

impl pulp::WithSimd for Settle<'_> {
    type Output = u32;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> u32 {
        let mut undefined = 0;
        for value in self.0 {
            let finite = value.is_finite();
            *value = if finite { *value } else { f64::NAN };
            undefined += u32::from(!finite);
        }
        undefined
    }
}

impl Draws {
    /// From computed values: whatever is no finite number is undefined.
    pub(super) fn new(mut values: Vec<f64>) -> Self {
        let undefined = pulp::Arch::new().dispatch(Settle(&mut values));
        Self { own: 0..values.len(), values: Arc::new(values), undefined }
    }

    /// The same in memory of its own, for keeping: the other statistics of the pass are then given back.
    #[must_use]
    pub fn detached(&self) -> Self {
        let values = self.raw().to_vec();
        Self { own: 0..values.len(), values: Arc::new(values), undefined: self.undefined }
    }

    /// How many draws there are, defined or not.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.own.len() as u32
    }

    /// Whether there are no draws.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// How many draws have a value.
    #[must_use]
    pub fn defined(&self) -> u32 {
        self.len() - self.undefined
    }

    /// How many draws have none.
    #[must_use]
    pub const fn undefined(&self) -> u32 {
        self.undefined
    }

    /// The value of a draw, if it has one.
    #[must_use]
    pub fn get(&self, draw: u32) -> Option<f64> {
        self.raw().get(draw as usize).copied().filter(|value| !value.is_nan())
    }

    /// The values of the draws in order, `None` where there is none.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<f64>> + '_ {
        self.raw().iter().map(|&value| (!value.is_nan()).then_some(value))
    }

    /// Draw by draw, this minus the other: the paired difference of statistics over the same draws. Undefined where
    /// either is, and in draws that one of them does not have.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        let (a, b) = (self.raw(), other.raw());
        let mut values: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        values.resize(a.len().max(b.len()), f64::NAN);
        Self::new(values)
    }

    /// Draw by draw a function of several statistics over the same draws. Undefined where any of them is, and where the
    /// function gives nothing or no finite number.
    #[must_use]
    pub fn combine<const N: usize>(parts: [&Self; N], value: impl Fn([f64; N]) -> Option<f64>) -> Self {
        let draws = parts.iter().map(|part| part.own.len()).max().unwrap_or(0);
        let at = |draw: usize| {
            let values = parts.map(|part| part.raw().get(draw).copied().unwrap_or(f64::NAN));
            if values.iter().any(|value| value.is_nan()) { f64::NAN } else { value(values).unwrap_or(f64::NAN) }
        };
        Self::new((0..draws).map(at).collect())
    }

    /// [`Self::combine`] for a number of statistics that is known only at run time.
    #[must_use]
    pub fn combine_all(parts: &[&Self], value: impl Fn(&[f64]) -> Option<f64>) -> Self {
        let draws = parts.iter().map(|part| part.own.len()).max().unwrap_or(0);
        let mut values = Vec::with_capacity(parts.len());
        let at = |draw: usize| {
            values.clear();
            values.extend(parts.iter().map(|part| part.raw().get(draw).copied().unwrap_or(f64::NAN)));
            if values.iter().any(|value| value.is_nan()) { f64::NAN } else { value(&values).unwrap_or(f64::NAN) }
        };
        Self::new((0..draws).map(at).collect())
    }

    /// The values as they are kept, NaN where there is none.
    pub(super) fn raw(&self) -> &[f64] {
        &self.values[self.own.clone()]
    }
}
