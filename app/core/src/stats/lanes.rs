//! The sums of a block of draws, made for vector units: each lane is a draw.
//!
//! A lane's sum of doubles runs over the clusters in ascending order and multiplies before it adds, so its bits do not depend
//! on how many lanes a register has. Everything is inlined into [`Block`], because only what is inlined there is compiled for
//! the wider unit.

use pulp::Simd;

use super::areas::{Ranks, areas, areas_of_bytes};
use super::row::{Row, STRIP, Weight, doubles};

/// Clusters whose weights are made into doubles at a time; they stay in the nearest cache.
pub(super) const SHEET: usize = 128;
/// Most series in a group: with two registers each, enough independent sums to hide how long an addition takes.
pub(super) const GROUP: usize = 4;

/// Up to [`GROUP`] series that are summed together, interleaved: for each cluster one number of each.
#[derive(Debug)]
pub(super) struct Group {
    /// Series in the group.
    pub series: usize,
    /// `clusters * series` numbers.
    pub values: Vec<f64>,
}

/// The work on one block of `L` draws, as a value that is compiled for each vector unit (a closure is not inlined and stays
/// slow).
pub(super) struct Block<'b, W, const L: usize> {
    /// How often each draw picked each cluster, by row.
    pub rows: &'b [Row<W, L>],
    /// The row of each cluster; empty if that is the cluster itself.
    pub row_of: &'b [u32],
    /// Room for weights as doubles, its content on entry does not matter: [`SHEET`] rows, or one for each cluster if those are
    /// fewer, or if there are rankings and the counts are no bytes.
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
        let clusters = if self.groups.is_empty() { 0 } else { self.rows.len() };
        for strip in 0..L / STRIP {
            for first in (0..clusters).step_by(SHEET) {
                let weights = &mut self.weights[..SHEET.min(clusters - first)];
                if self.row_of.is_empty() {
                    for (weights, row) in weights.iter_mut().zip(&self.rows[first..]) {
                        *weights = doubles(row, strip);
                    }
                } else {
                    for (weights, &row) in weights.iter_mut().zip(&self.row_of[first..]) {
                        *weights = doubles(&self.rows[row as usize], strip);
                    }
                }
                let mut sums = &mut *self.sums;
                for group in self.groups {
                    let (now, later) = sums.split_at_mut(group.series);
                    let values = &group.values[first * group.series..];
                    let goes_on = first > 0;
                    match group.series {
                        1 => linear::<S, 1, L>(simd, weights, values, strip, goes_on, now),
                        2 => linear::<S, 2, L>(simd, weights, values, strip, goes_on, now),
                        3 => linear::<S, 3, L>(simd, weights, values, strip, goes_on, now),
                        _ => linear::<S, GROUP, L>(simd, weights, values, strip, goes_on, now),
                    }
                    sums = later;
                }
            }
        }
        match W::bytes(self.rows) {
            Some(rows) => areas_of_bytes(rows, self.rankings, self.areas),
            None => areas(simd, self.rows, self.rankings, self.weights, self.areas),
        }
    }
}

/// Weighted sums of `G` series over the draws of a strip; they go on from what they are, or start at zero.
#[inline(always)]
fn linear<S: Simd, const G: usize, const L: usize>(
    simd: S,
    weights: &[Row<f64, STRIP>],
    values: &[f64],
    strip: usize,
    goes_on: bool,
    sums: &mut [[f64; L]],
) {
    let (values, _) = values.as_chunks::<G>();
    let Some((sums, _)) = sums.split_first_chunk_mut::<G>() else { return };
    let mut sums = sums.each_mut().map(|sums| S::as_mut_simd_f64s(&mut sums.as_chunks_mut::<STRIP>().0[strip]).0);
    for at in (0..STRIP / S::F64_LANES).step_by(2) {
        let mut sum = [[simd.splat_f64s(0.0); 2]; G];
        if goes_on {
            sum = sums.each_ref().map(|sums| [sums[at], sums[at + 1]]);
        }
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
            [out[at], out[at + 1]] = sum;
        }
    }
}
