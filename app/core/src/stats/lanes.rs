//! The sums of a block of draws, made for vector units: each lane is a draw.
//!
//! A lane's sum runs over the clusters in ascending order and multiplies before it adds, so its bits do not depend on how
//! many lanes a register has. Everything is inlined into [`Block`], because only what is inlined there is compiled for the
//! wider unit.

use pulp::Simd;

use super::Ranking;

/// Draws in a block: two of the widest registers. Every kernel works on two registers at a time, narrow units several
/// times.
pub(super) const LANES: usize = 16;
/// Most series in a group: with two registers each, enough independent sums to hide how long an addition takes.
pub(super) const GROUP: usize = 4;

/// How often each draw of a block picked one cluster.
pub(super) type Row<W> = [W; LANES];

/// A count of picks, as narrow as the number of clusters allows.
pub(super) trait Weight: Copy + Default {
    fn add_one(&mut self);
    fn to_f64(self) -> f64;
}

macro_rules! weight {
    ($($type:ty),*) => { $(
        impl Weight for $type {
            #[inline(always)]
            fn add_one(&mut self) {
                *self += 1;
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }
        }
    )* };
}

weight!(u8, u16, u32);

/// Up to [`GROUP`] series that are summed together, interleaved: for each cluster one number of each.
#[derive(Debug)]
pub(super) struct Group {
    /// Series in the group.
    pub series: usize,
    /// `clusters * series` numbers.
    pub values: Vec<f64>,
}

/// The work on one block, as a value that is compiled for each vector unit (a closure is not inlined and stays slow).
pub(super) struct Block<'b, W> {
    /// Picks, by row.
    pub rows: &'b [Row<W>],
    /// The row of each cluster; empty if that is the cluster itself.
    pub row_of: &'b [u32],
    /// Room for the weights as doubles, one row for each cluster; its content on entry does not matter.
    pub weights: &'b mut [Row<f64>],
    pub groups: &'b [Group],
    pub rankings: &'b [Ranking],
    /// Receives the weighted sum of each series.
    pub sums: &'b mut [Row<f64>],
    /// Receives the area of each ranking; NaN if a draw has no success or no failure.
    pub areas: &'b mut [Row<f64>],
}

impl<W: Weight> pulp::WithSimd for Block<'_, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        if self.row_of.is_empty() {
            for (weights, row) in self.weights.iter_mut().zip(self.rows) {
                *weights = doubles(row);
            }
        } else {
            for (weights, &row) in self.weights.iter_mut().zip(self.row_of) {
                *weights = doubles(&self.rows[row as usize]);
            }
        }
        let (weights, _) = S::as_simd_f64s(self.weights.as_flattened());
        let mut sums = self.sums;
        for group in self.groups {
            let (now, later) = sums.split_at_mut(group.series);
            match group.series {
                1 => linear::<S, 1>(simd, weights, &group.values, now),
                2 => linear::<S, 2>(simd, weights, &group.values, now),
                3 => linear::<S, 3>(simd, weights, &group.values, now),
                _ => linear::<S, GROUP>(simd, weights, &group.values, now),
            }
            sums = later;
        }
        for (ranking, area) in self.rankings.iter().zip(self.areas) {
            areas(simd, weights, ranking, area);
        }
    }
}

#[inline(always)]
fn doubles<W: Weight>(row: &Row<W>) -> Row<f64> {
    let mut doubles = [0.0; LANES];
    for (double, weight) in doubles.iter_mut().zip(row) {
        *double = weight.to_f64();
    }
    doubles
}

/// Registers that hold one row.
const fn registers<S: Simd>() -> usize {
    LANES / S::F64_LANES
}

/// Weighted sums of `G` series.
#[inline(always)]
fn linear<S: Simd, const G: usize>(simd: S, weights: &[S::f64s], values: &[f64], sums: &mut [Row<f64>]) {
    let (values, _) = values.as_chunks::<G>();
    for at in (0..registers::<S>()).step_by(2) {
        let mut sum = [[simd.splat_f64s(0.0); 2]; G];
        for (row, values) in weights.chunks_exact(registers::<S>()).zip(values) {
            let row = [row[at], row[at + 1]];
            for (sum, &value) in sum.iter_mut().zip(values) {
                let value = simd.splat_f64s(value);
                for (sum, weight) in sum.iter_mut().zip(row) {
                    *sum = simd.add_f64s(*sum, simd.mul_f64s(weight, value));
                }
            }
        }
        for (out, sum) in sums.iter_mut().zip(sum) {
            let (out, _) = S::as_mut_simd_f64s(out.as_mut_slice());
            [out[at], out[at + 1]] = sum;
        }
    }
}

/// The area under one curve, by one pass in the order of the scores. Counts of pairs are integers, and doubles hold them
/// exactly while there are at most 2^26 clusters.
#[inline(always)]
fn areas<S: Simd>(simd: S, weights: &[S::f64s], ranking: &Ranking, areas: &mut Row<f64>) {
    let (areas, _) = S::as_mut_simd_f64s(areas.as_mut_slice());
    for at in (0..registers::<S>()).step_by(2) {
        let zero = [simd.splat_f64s(0.0); 2];
        let add = |a: [S::f64s; 2], b: [S::f64s; 2]| [simd.add_f64s(a[0], b[0]), simd.add_f64s(a[1], b[1])];
        let mul = |a: [S::f64s; 2], b: [S::f64s; 2]| [simd.mul_f64s(a[0], b[0]), simd.mul_f64s(a[1], b[1])];
        let weigh = |mut sum, clusters: &[u32]| {
            for &cluster in clusters {
                let first = cluster as usize * registers::<S>() + at;
                sum = add(sum, [weights[first], weights[first + 1]]);
            }
            sum
        };
        let (mut failures, mut successes, mut half_pairs) = (zero, zero, zero);
        let mut order = ranking.order();
        for segment in ranking.segments() {
            let (failing, rest) = order.split_at(segment.failures as usize);
            let (succeeding, rest) = rest.split_at(segment.successes as usize);
            order = rest;
            let below = failures;
            failures = weigh(failures, failing);
            let here = weigh(zero, succeeding);
            successes = add(successes, here);
            half_pairs = add(half_pairs, mul(here, add(below, failures)));
        }
        let pairs = mul(successes, failures);
        for (i, (half_pairs, pairs)) in half_pairs.into_iter().zip(pairs).enumerate() {
            areas[at + i] = simd.div_f64s(half_pairs, simd.add_f64s(pairs, pairs));
        }
    }
}
