//! The sums of a block of draws, made for vector units: each lane is a draw.
//!
//! A lane's sum of doubles runs over the clusters in ascending order and multiplies before it adds, so its bits do not depend
//! on how many lanes a register has. Counts are integers, exact in any order. Everything is inlined into [`Block`], because
//! only what is inlined there is compiled for the wider unit.

use pulp::Simd;

use super::auc::Segment;

/// Draws whose doubles are summed side by side: two of the widest registers. Narrow units take two registers at a time, several
/// times.
pub(super) const STRIP: usize = 16;
/// Most series in a group: with two registers each, enough independent sums to hide how long an addition takes.
pub(super) const GROUP: usize = 4;

/// One value for each draw of a block. It starts where a cache line does; a register that is read from two lines takes twice
/// as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Row<T, const L: usize>(pub [T; L]);

impl<T: Copy + Default, const L: usize> Default for Row<T, L> {
    fn default() -> Self {
        Self([T::default(); L])
    }
}

/// A count of picks, as narrow as the number of clusters allows: it holds all picks of a draw.
pub(super) trait Weight: Copy + Default + Into<f64> {
    /// A count twice as wide. It holds two for each pair of picks of different outcome: there are at most a quarter of the
    /// square of all picks.
    type Pairs: Copy + Default;
    /// One pick.
    const ONE: Self;
    /// The sum; it is that of picks of one draw, and so fits.
    fn plus(self, more: Self) -> Self;
    /// `half_pairs + self * (below + upto)`.
    fn above(self, below: Self, upto: Self, half_pairs: Self::Pairs) -> Self::Pairs;
    /// `half_pairs / (2 * self * failures)`; NaN if that is zero over zero.
    fn area(self, failures: Self, half_pairs: Self::Pairs) -> f64;
}

macro_rules! weight {
    ($($type:ty => $pairs:ty),*) => { $(
        impl Weight for $type {
            type Pairs = $pairs;
            const ONE: Self = 1;

            #[inline(always)]
            fn plus(self, more: Self) -> Self {
                self.wrapping_add(more)
            }

            #[inline(always)]
            fn above(self, below: Self, upto: Self, half_pairs: $pairs) -> $pairs {
                let [here, below, upto] = [self, below, upto].map(<$pairs>::from);
                half_pairs.wrapping_add(here.wrapping_mul(below.wrapping_add(upto)))
            }

            #[inline(always)]
            fn area(self, failures: Self, half_pairs: $pairs) -> f64 {
                let [successes, failures] = [self, failures].map(<$pairs>::from);
                half_pairs as f64 / successes.wrapping_mul(failures).wrapping_mul(2) as f64
            }
        }
    )* };
}

weight!(u8 => u16, u16 => u32, u32 => u64);

/// Up to [`GROUP`] series that are summed together, interleaved: for each cluster one number of each.
#[derive(Debug)]
pub(super) struct Group {
    /// Series in the group.
    pub series: usize,
    /// `clusters * series` numbers.
    pub values: Vec<f64>,
}

/// A ranking whose clusters are named by their rows.
#[derive(Debug)]
pub(super) struct Ranks<'r> {
    pub order: Vec<u32>,
    pub segments: &'r [Segment],
}

/// The work on one block of `L` draws, as a value that is compiled for each vector unit (a closure is not inlined and stays
/// slow).
pub(super) struct Block<'b, W, const L: usize> {
    /// How often each draw picked each cluster, by row.
    pub rows: &'b [Row<W, L>],
    /// The row of each cluster; empty if that is the cluster itself.
    pub row_of: &'b [u32],
    /// Room for weights as doubles, one row for each cluster; its content on entry does not matter.
    pub weights: &'b mut [Row<f64, STRIP>],
    pub groups: &'b [Group],
    pub rankings: &'b [Ranks<'b>],
    /// Receives the weighted sum of each series.
    pub sums: &'b mut [[f64; L]],
    /// Receives the area of each ranking; NaN if a draw has no success or no failure.
    pub areas: &'b mut [[f64; L]],
}

impl<W: Weight, const L: usize> pulp::WithSimd for Block<'_, W, L> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let strips = if self.groups.is_empty() { 0 } else { L / STRIP };
        for strip in 0..strips {
            if self.row_of.is_empty() {
                for (weights, row) in self.weights.iter_mut().zip(self.rows) {
                    *weights = doubles(row, strip);
                }
            } else {
                for (weights, &row) in self.weights.iter_mut().zip(self.row_of) {
                    *weights = doubles(&self.rows[row as usize], strip);
                }
            }
            let mut sums = &mut *self.sums;
            for group in self.groups {
                let (now, later) = sums.split_at_mut(group.series);
                match group.series {
                    1 => linear::<S, 1, L>(simd, self.weights, &group.values, strip, now),
                    2 => linear::<S, 2, L>(simd, self.weights, &group.values, strip, now),
                    3 => linear::<S, 3, L>(simd, self.weights, &group.values, strip, now),
                    _ => linear::<S, GROUP, L>(simd, self.weights, &group.values, strip, now),
                }
                sums = later;
            }
        }
        for (ranks, area) in self.rankings.iter().zip(self.areas) {
            areas(self.rows, ranks, area);
        }
    }
}

#[inline(always)]
fn doubles<W: Weight, const L: usize>(row: &Row<W, L>, strip: usize) -> Row<f64, STRIP> {
    let mut doubles = [0.0; STRIP];
    for (double, &weight) in doubles.iter_mut().zip(&row.0.as_chunks::<STRIP>().0[strip]) {
        *double = weight.into();
    }
    Row(doubles)
}

/// Weighted sums of `G` series over the draws of a strip.
#[inline(always)]
fn linear<S: Simd, const G: usize, const L: usize>(
    simd: S,
    weights: &[Row<f64, STRIP>],
    values: &[f64],
    strip: usize,
    sums: &mut [[f64; L]],
) {
    let (values, _) = values.as_chunks::<G>();
    for at in (0..STRIP / S::F64_LANES).step_by(2) {
        let mut sum = [[simd.splat_f64s(0.0); 2]; G];
        for (row, values) in weights.iter().zip(values) {
            let (row, _) = S::as_simd_f64s(&row.0);
            let row = [row[at], row[at + 1]];
            for (sum, &value) in sum.iter_mut().zip(values) {
                let value = simd.splat_f64s(value);
                for (sum, weight) in sum.iter_mut().zip(row) {
                    *sum = simd.add_f64s(*sum, simd.mul_f64s(weight, value));
                }
            }
        }
        for (out, sum) in sums.iter_mut().zip(sum) {
            let (out, _) = S::as_mut_simd_f64s(&mut out.as_chunks_mut::<STRIP>().0[strip]);
            [out[at], out[at + 1]] = sum;
        }
    }
}

/// The area under one curve, by one pass in the order of the scores.
#[inline(always)]
fn areas<W: Weight, const L: usize>(rows: &[Row<W, L>], ranks: &Ranks<'_>, areas: &mut [f64; L]) {
    let none = [W::default(); L];
    let (mut failures, mut successes, mut half_pairs) = (none, none, [W::Pairs::default(); L]);
    let mut order = ranks.order.as_slice();
    for segment in ranks.segments {
        let (failing, rest) = order.split_at(segment.failures as usize);
        let (succeeding, rest) = rest.split_at(segment.successes as usize);
        order = rest;
        let (below, mut here) = (failures, none);
        for &row in failing {
            add(&mut failures, &rows[row as usize].0);
        }
        for &row in succeeding {
            add(&mut here, &rows[row as usize].0);
        }
        add(&mut successes, &here);
        for lane in 0..L {
            half_pairs[lane] = here[lane].above(below[lane], failures[lane], half_pairs[lane]);
        }
    }
    for lane in 0..L {
        areas[lane] = successes[lane].area(failures[lane], half_pairs[lane]);
    }
}

#[inline(always)]
fn add<W: Weight, const L: usize>(sum: &mut [W; L], row: &[W; L]) {
    for (sum, &weight) in sum.iter_mut().zip(row) {
        *sum = sum.plus(weight);
    }
}
