//! Areas under the curves of a block of draws, each by one pass in the order of the scores. Counts of pairs are integers and
//! exact, so it does not matter in what they are counted.

use pulp::Simd;

use super::Ranking;
use super::auc::Segment;
use super::row::{Row, STRIP, Weight, doubles};

/// A ranking whose clusters are named by their rows.
#[derive(Debug)]
pub(super) struct Ranks<'r> {
    order: Vec<u32>,
    segments: &'r [Segment],
}

impl<'r> Ranks<'r> {
    /// With the row of each cluster; no rows say that it is the cluster itself.
    pub fn new(ranking: &'r Ranking, row_of: &[u32]) -> Self {
        let row = |&cluster: &u32| row_of.get(cluster as usize).copied().unwrap_or(cluster);
        Self { order: ranking.order().iter().map(row).collect(), segments: ranking.segments() }
    }

    /// The rows of the failures and of the successes of each segment.
    #[inline(always)]
    fn segments(&self) -> impl Iterator<Item = [&[u32]; 2]> {
        let mut order = self.order.as_slice();
        self.segments.iter().map(move |segment| {
            let (failing, rest) = order.split_at(segment.failures as usize);
            let (succeeding, rest) = rest.split_at(segment.successes as usize);
            order = rest;
            [failing, succeeding]
        })
    }
}

/// Counts in bytes: a draw of at most 255 picks has no more of either outcome, and its pairs, counted twice, are at most half
/// the square of that, which 16 bits hold. NaN if a draw has no success or no failure.
#[inline(always)]
pub(super) fn areas_of_bytes<const L: usize>(rows: &[Row<u8, L>], rankings: &[Ranks<'_>], areas: &mut [[f64; L]]) {
    for (ranks, out) in rankings.iter().zip(areas) {
        area_of_bytes(rows, ranks, out);
    }
}

#[inline(always)]
fn area_of_bytes<const L: usize>(rows: &[Row<u8, L>], ranks: &Ranks<'_>, out: &mut [f64; L]) {
    let none = [0_u8; L];
    let (mut failures, mut successes, mut half_pairs) = (none, none, [0_u16; L]);
    for [failing, succeeding] in ranks.segments() {
        let (below, mut here) = (failures, none);
        for &row in failing {
            add(&mut failures, &rows[row as usize].0);
        }
        for &row in succeeding {
            add(&mut here, &rows[row as usize].0);
        }
        add(&mut successes, &here);
        for lane in 0..L {
            let [here, below, upto] = [here[lane], below[lane], failures[lane]].map(u16::from);
            half_pairs[lane] = half_pairs[lane].wrapping_add(here.wrapping_mul(below.wrapping_add(upto)));
        }
    }
    for lane in 0..L {
        let [successes, failures] = [successes[lane], failures[lane]].map(u16::from);
        out[lane] = f64::from(half_pairs[lane]) / f64::from(successes.wrapping_mul(failures).wrapping_mul(2));
    }
}

#[inline(always)]
fn add<const L: usize>(sum: &mut [u8; L], row: &[u8; L]) {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

/// Counts in doubles, which are exact while there are at most 2^26 clusters. NaN if a draw has no success or no failure.
/// There is room in `weights` for every row.
#[inline(always)]
pub(super) fn areas<S: Simd, W: Weight, const L: usize>(
    simd: S,
    rows: &[Row<W, L>],
    rankings: &[Ranks<'_>],
    weights: &mut [Row<f64, STRIP>],
    areas: &mut [[f64; L]],
) {
    let strips = if rankings.is_empty() { 0 } else { L / STRIP };
    for strip in 0..strips {
        for (weights, row) in weights.iter_mut().zip(rows) {
            *weights = doubles(row, strip);
        }
        for (ranks, out) in rankings.iter().zip(areas.iter_mut()) {
            area(simd, weights, ranks, &mut out.as_chunks_mut::<STRIP>().0[strip]);
        }
    }
}

#[inline(always)]
fn area<S: Simd>(simd: S, weights: &[Row<f64, STRIP>], ranks: &Ranks<'_>, out: &mut [f64; STRIP]) {
    let add = |a: [S::f64s; 2], b: [S::f64s; 2]| [simd.add_f64s(a[0], b[0]), simd.add_f64s(a[1], b[1])];
    let mul = |a: [S::f64s; 2], b: [S::f64s; 2]| [simd.mul_f64s(a[0], b[0]), simd.mul_f64s(a[1], b[1])];
    let none = [simd.splat_f64s(0.0); 2];
    let (out, _) = S::as_mut_simd_f64s(out);
    for at in (0..STRIP / S::F64_LANES).step_by(2) {
        let weigh = |mut sum, rows: &[u32]| {
            for &row in rows {
                let (weights, _) = S::as_simd_f64s(&weights[row as usize].0);
                sum = add(sum, [weights[at], weights[at + 1]]);
            }
            sum
        };
        let (mut failures, mut successes, mut half_pairs) = (none, none, none);
        for [failing, succeeding] in ranks.segments() {
            let below = failures;
            failures = weigh(failures, failing);
            let here = weigh(none, succeeding);
            successes = add(successes, here);
            half_pairs = add(half_pairs, mul(here, add(below, failures)));
        }
        let pairs = mul(successes, failures);
        for (i, (half_pairs, pairs)) in half_pairs.into_iter().zip(pairs).enumerate() {
            out[at + i] = simd.div_f64s(half_pairs, simd.add_f64s(pairs, pairs));
        }
    }
}
