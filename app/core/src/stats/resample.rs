//! The bootstrap over clusters: weighs every cluster by how often a draw picked it and computes each statistic once per
//! draw (theory §3.2: the trajectory is the resampling unit).

use super::auc::Ranking;
use super::{Draws, Plan};
use crate::watch::{Cancelled, Unwatched, Watch};

/// The values of a mean, summed up by cluster; one entry for each cluster of the plan. Entries that are missing count as no
/// values, entries beyond the plan as absent.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// Sum of each cluster's values.
    pub sums: &'a [f64],
    /// Number of each cluster's values.
    pub counts: &'a [u32],
}

impl Column<'_> {
    /// The mean of the data as they are: all values weigh the same. `None` if there are none.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let count: f64 = self.counts.iter().map(|&count| f64::from(count)).sum();
        let mean = self.sums.iter().fold(0.0, |sum, value| sum + value) / count;
        mean.is_finite().then_some(mean)
    }
}

/// What one pass over the draws gave.
#[derive(Debug, Clone)]
pub struct Resampled {
    /// For each column the ratio of the weighted sum to the weighted count; undefined in draws without a value.
    pub ratios: Vec<Draws>,
    /// For each ranking the area under the curve; undefined in draws without a success or without a failure.
    pub aucs: Vec<Draws>,
}

/// Carries out a plan.
#[derive(Debug, Clone)]
pub struct Resampler {
    plan: Plan,
}

impl Resampler {
    /// Draws anew on each call, a block at a time; the weights of one block are all the memory that it takes.
    #[must_use]
    pub const fn new(plan: Plan) -> Self {
        Self { plan }
    }

    /// Draws now and keeps the weights for all calls: one, two or four bytes for each cluster and draw (up to 255, up to
    /// 65,535, and more clusters).
    #[must_use]
    pub fn kept(self) -> Self {
        self
    }

    /// The plan.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Ratios alone.
    #[must_use]
    pub fn ratios(&self, columns: &[Column<'_>]) -> Vec<Draws> {
        self.run(columns, &[], &Unwatched).map(|resampled| resampled.ratios).unwrap_or_default()
    }

    /// Areas alone.
    #[must_use]
    pub fn aucs(&self, rankings: &[Ranking]) -> Vec<Draws> {
        self.run(&[], rankings, &Unwatched).map(|resampled| resampled.aucs).unwrap_or_default()
    }

    /// For each slice, one number per cluster, its weighted sum in each draw.
    #[must_use]
    pub fn sums(&self, values: &[&[f64]]) -> Vec<Draws> {
        let mut out = vec![Vec::new(); values.len()];
        let _ = self.each(&Unwatched, |weights| {
            for (out, values) in out.iter_mut().zip(values) {
                out.push(weighted(weights, values.iter().copied()));
            }
        });
        out.into_iter().map(Draws::new).collect()
    }

    /// All ratios and areas in one pass over the draws.
    ///
    /// # Errors
    /// [`Cancelled`] when the watch says so.
    pub fn run(&self, columns: &[Column<'_>], rankings: &[Ranking], watch: &dyn Watch) -> Result<Resampled, Cancelled> {
        let (mut ratios, mut aucs) = (vec![Vec::new(); columns.len()], vec![Vec::new(); rankings.len()]);
        self.each(watch, |weights| {
            for (out, column) in ratios.iter_mut().zip(columns) {
                let sum = weighted(weights, column.sums.iter().copied());
                out.push(sum / weighted(weights, column.counts.iter().copied().map(f64::from)));
            }
            for (out, ranking) in aucs.iter_mut().zip(rankings) {
                let (mut half_pairs, mut n1, mut n0, mut at) = (0, 0, 0, 0);
                let weight = |range: &[u32]| range.iter().map(|&c| u64::from(weights[c as usize])).sum::<u64>();
                for segment in ranking.segments() {
                    let (f, s) = (segment.failures as usize, segment.successes as usize);
                    let below = n0;
                    n0 += weight(&ranking.order()[at..at + f]);
                    let successes = weight(&ranking.order()[at + f..at + f + s]);
                    n1 += successes;
                    half_pairs += successes * (below + n0);
                    at += f + s;
                }
                out.push(half_pairs as f64 / (2.0 * (n1 as f64 * n0 as f64)));
            }
        })?;
        let finish = |all: Vec<Vec<f64>>| all.into_iter().map(Draws::new).collect();
        Ok(Resampled { ratios: finish(ratios), aucs: finish(aucs) })
    }

    fn each(&self, watch: &dyn Watch, mut draw: impl FnMut(&[u32])) -> Result<(), Cancelled> {
        let mut picker = self.plan.picker();
        let mut rows = vec![0_u32; self.plan.clusters()];
        for d in 0..self.plan.draws() {
            rows.fill(0);
            picker.draw(d, |row| rows[row] += 1);
            let weights: Vec<u32> = (0..rows.len()).map(|cluster| rows[self.plan.row(cluster)]).collect();
            draw(&weights);
            if watch.step(u64::from(d) + 1, self.plan.draws().into()).is_break() {
                return Err(Cancelled);
            }
        }
        Ok(())
    }
}

fn weighted(weights: &[u32], values: impl Iterator<Item = f64>) -> f64 {
    weights.iter().zip(values).fold(0.0, |sum, (&weight, value)| sum + f64::from(weight) * value)
}
