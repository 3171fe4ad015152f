//! The bootstrap over clusters: weighs every cluster by how often a draw picked it and computes each statistic once per
//! draw (docs/theory.md §3.5: the trajectory is the resampling unit).

use super::areas::Ranks;
use super::auc::Ranking;
use super::draws::Table;
use super::lanes::{Block, GROUP, Group, SHEET};
use super::picks::{BYTE, Picks};
use super::row::{Row, Weight};
use super::{Draws, Plan};
use crate::watch::{Cancelled, Watch};

/// The values of a mean, summed up by cluster; one entry for each cluster of the plan. Entries that are missing count as no
/// values, entries beyond the plan as absent.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// Sum of each cluster's values.
    pub sums: &'a [f64],
    /// Number of each cluster's values.
    pub counts: &'a [u32],
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
    kept: Option<Kept>,
}

/// Draws in a block, by the width of a weight: a row of them fills a cache line, which is the widest register.
const BYTES: usize = 64;
const WORDS: usize = 32;
const LONGS: usize = 16;

/// The rows of all blocks, block after block. No cluster can be picked more often than there are clusters.
#[derive(Debug, Clone)]
enum Kept {
    Bytes(Vec<Row<u8, BYTES>>),
    Words(Vec<Row<u16, WORDS>>),
    Longs(Vec<Row<u32, LONGS>>),
}

impl Resampler {
    /// Draws anew on each call, a block at a time; the weights of one block are all the memory that it takes.
    #[must_use]
    pub const fn new(plan: Plan) -> Self {
        Self { plan, kept: None }
    }

    /// Draws now and keeps the weights for all calls: one, two or four bytes for each cluster and draw (up to 255, up to
    /// 65,535, and more clusters).
    #[must_use]
    pub fn kept(self) -> Self {
        let kept = match self.plan.clusters() {
            0..=255 => Kept::Bytes(self.draw_all()),
            256..=65_535 => Kept::Words(self.draw_all()),
            _ => Kept::Longs(self.draw_all()),
        };
        Self { plan: self.plan, kept: Some(kept) }
    }

    /// Given picks in place of drawn ones.
    #[cfg(test)]
    pub(super) fn of_picks(plan: Plan, draws: &[Vec<usize>]) -> Self {
        let mut rows = vec![Row([0_u8; BYTES]); plan.clusters() * draws.len().div_ceil(BYTES)];
        for (draw, picks) in draws.iter().enumerate() {
            for pick in picks {
                rows[draw / BYTES * plan.clusters() + pick].0[draw % BYTES] += 1;
            }
        }
        Self { plan, kept: Some(Kept::Bytes(rows)) }
    }

    #[cfg(test)]
    pub(super) const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// For each slice, one number per cluster, its weighted sum in each draw. Missing entries count as zero.
    ///
    /// # Errors
    /// [`Cancelled`] when the watch says so; it is asked after each block of draws.
    pub fn sums(&self, values: &[&[f64]], watch: &dyn Watch) -> Result<Vec<Draws>, Cancelled> {
        let mut series = Series::new(self.plan.clusters());
        let at: Vec<usize> = values.iter().map(|values| series.place(values.iter().copied())).collect();
        let mut out = Table::new(values.len(), self.plan.draws());
        self.pass(&series.groups(), &[], watch, |first, lanes, sums, _| {
            for (row, &at) in at.iter().enumerate() {
                out.part(row, first, lanes).copy_from_slice(sums.get(at, lanes));
            }
        })?;
        Ok(out.into_draws())
    }

    /// All ratios and areas in one pass over the draws.
    ///
    /// # Errors
    /// [`Cancelled`] when the watch says so; it is asked after each block of draws.
    pub fn run(&self, columns: &[Column<'_>], rankings: &[Ranking], watch: &dyn Watch) -> Result<Resampled, Cancelled> {
        let mut series = Series::new(self.plan.clusters());
        let mut place = |column: &Column<'_>| {
            let counts = column.counts.iter().copied().map(f64::from);
            (series.place(column.sums.iter().copied()), series.place(counts))
        };
        let at: Vec<(usize, usize)> = columns.iter().map(&mut place).collect();
        let mut out = Table::new(columns.len() + rankings.len(), self.plan.draws());
        self.pass(&series.groups(), rankings, watch, |first, lanes, sums, areas| {
            for (row, &(sum, count)) in at.iter().enumerate() {
                let parts = sums.get(sum, lanes).iter().zip(sums.get(count, lanes));
                for (out, (sum, count)) in out.part(row, first, lanes).iter_mut().zip(parts) {
                    *out = sum / count;
                }
            }
            for at in 0..rankings.len() {
                out.part(columns.len() + at, first, lanes).copy_from_slice(areas.get(at, lanes));
            }
        })?;
        let mut ratios = out.into_draws();
        let aucs = ratios.split_off(columns.len());
        Ok(Resampled { ratios, aucs })
    }

    /// Goes over all blocks; `take` gets the first draw of each, the number of draws in it, and its sums and areas.
    fn pass(
        &self,
        groups: &[Group],
        rankings: &[Ranking],
        watch: &dyn Watch,
        take: impl FnMut(u32, usize, Values<'_>, Values<'_>),
    ) -> Result<(), Cancelled> {
        match (&self.kept, self.plan.clusters()) {
            (Some(Kept::Bytes(rows)), _) => self.over(Some(rows), groups, rankings, watch, take),
            (Some(Kept::Words(rows)), _) => self.over(Some(rows), groups, rankings, watch, take),
            (Some(Kept::Longs(rows)), _) => self.over(Some(rows), groups, rankings, watch, take),
            (None, 0..=255) => self.over::<u8, BYTES>(None, groups, rankings, watch, take),
            (None, 256..=65_535) => self.over::<u16, WORDS>(None, groups, rankings, watch, take),
            (None, _) => self.over::<u32, LONGS>(None, groups, rankings, watch, take),
        }
    }

    fn over<W: Weight, const L: usize>(
        &self,
        kept: Option<&[Row<W, L>]>,
        groups: &[Group],
        rankings: &[Ranking],
        watch: &dyn Watch,
        mut take: impl FnMut(u32, usize, Values<'_>, Values<'_>),
    ) -> Result<(), Cancelled> {
        let (clusters, draws) = (self.plan.clusters(), self.plan.draws());
        let arch = pulp::Arch::new();
        let mut drawn = if kept.is_none() { room(clusters) } else { Vec::new() };
        let rankings: Vec<Ranks<'_>> = rankings.iter().map(|ranking| Ranks::new(ranking, self.plan.rows())).collect();
        let all = !rankings.is_empty() && W::bytes::<L>(&[]).is_none();
        let mut weights = vec![Row::default(); if all { clusters } else { SHEET.min(clusters) }];
        let mut sums = vec![[0.0; L]; groups.iter().map(|group| group.series).sum()];
        let mut areas = vec![[0.0; L]; rankings.len()];
        for (block, first) in (0..draws).step_by(L).enumerate() {
            let rows = match kept {
                Some(rows) => &rows[block * clusters..][..clusters],
                None => {
                    self.draw_block(arch, first, &mut drawn);
                    &drawn[..clusters]
                }
            };
            arch.dispatch(Block {
                rows,
                row_of: self.plan.rows(),
                weights: &mut weights,
                groups,
                rankings: &rankings,
                sums: &mut sums,
                areas: &mut areas,
            });
            let lanes = L.min((draws - first) as usize);
            take(first, lanes, Values(sums.as_flattened(), L), Values(areas.as_flattened(), L));
            if watch.step(u64::from(first) + lanes as u64, draws.into()).is_break() {
                return Err(Cancelled);
            }
        }
        Ok(())
    }

    /// The picks of `L` draws from `first` on; those beyond the plan are made and never looked at.
    fn draw_block<W: Weight, const L: usize>(&self, arch: pulp::Arch, first: u32, rows: &mut [Row<W, L>]) {
        arch.dispatch(Picks { seed: self.plan.seed(), strata: self.plan.strata(), first, rows });
    }

    fn draw_all<W: Weight, const L: usize>(&self) -> Vec<Row<W, L>> {
        let (clusters, draws) = (self.plan.clusters(), self.plan.draws());
        let mut all = Vec::with_capacity(clusters * (draws as usize).div_ceil(L));
        let (arch, mut drawn) = (pulp::Arch::new(), room(clusters));
        for first in (0..draws).step_by(L) {
            self.draw_block(arch, first, &mut drawn);
            all.extend_from_slice(&drawn[..clusters]);
        }
        all
    }
}

/// Room for the picks of a block.
fn room<W: Weight, const L: usize>(clusters: usize) -> Vec<Row<W, L>> {
    vec![Row::default(); clusters + BYTE]
}

/// Several values for each draw of a block: all of the first, all of the second; with the length of a block.
#[derive(Clone, Copy)]
struct Values<'v>(&'v [f64], usize);

impl<'v> Values<'v> {
    /// One of them for the first `lanes` draws.
    fn get(self, at: usize, lanes: usize) -> &'v [f64] {
        &self.0[at * self.1..][..lanes]
    }
}

/// Distinct series of one number per cluster: counts that several columns share are summed once.
struct Series {
    clusters: usize,
    all: Vec<Vec<f64>>,
}

impl Series {
    const fn new(clusters: usize) -> Self {
        Self { clusters, all: Vec::new() }
    }

    /// Where the series lies among the distinct ones.
    fn place(&mut self, values: impl Iterator<Item = f64>) -> usize {
        let mut values: Vec<f64> = values.take(self.clusters).collect();
        values.resize(self.clusters, 0.0);
        let same = |known: &Vec<f64>| known.iter().zip(&values).all(|(a, b)| a.to_bits() == b.to_bits());
        self.all.iter().position(same).unwrap_or_else(|| {
            self.all.push(values);
            self.all.len() - 1
        })
    }

    fn groups(&self) -> Vec<Group> {
        let interleaved = |series: &[Vec<f64>]| {
            let cluster = |cluster: usize| series.iter().map(move |values| values[cluster]);
            Group { series: series.len(), values: (0..self.clusters).flat_map(cluster).collect() }
        };
        self.all.chunks(GROUP).map(interleaved).collect()
    }
}
