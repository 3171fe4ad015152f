//! Means with their intervals: the trajectory is the resampling unit, all statistics of a cohort share their draws, and
//! draws for an AUC resample successes and failures apart (docs/theory.md §3.5).

use super::cohort::{ClusterSums, Cohort, Weighting};
pub use super::enough::{ENOUGH_CLUSTERS, ENOUGH_DRAWS, concludes};
use super::equivalence::Equivalence;
use super::measure::Measured;
use super::study::Study;
use crate::exact::Rational;
use crate::exact::interval::Sign;
use crate::limits;
use crate::stats::{Column, Draws, Estimate, Level, Plan, Ranking, Resampler};
use crate::watch::{Cancelled, Watch};

/// How many draws, and from which seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    /// Number of draws.
    pub draws: u32,
    /// The seed; the same seed gives the same draws everywhere.
    pub seed: u64,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { draws: 10_000, seed: 0 }
    }
}

/// A mean over a cohort, its interval, and the sign that its arithmetic certifies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// The mean and its interval.
    pub estimate: Estimate,
    /// The certified sign of the mean itself; `None` is an abstention.
    pub sign: Option<Sign>,
}

impl Effect {
    /// Whether the whole interval lies on the side of the certified sign, with draws enough to say so.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        if !concludes(&self.estimate) {
            return false;
        }
        match self.sign {
            Some(Sign::Positive) => self.estimate.above_zero(),
            Some(Sign::Negative) => self.estimate.below_zero(),
            None => false,
        }
    }
}

/// Most weights of a plan that are kept from pass to pass, a byte or two each: 10,000 draws of 800 clusters.
const KEPT: usize = 8 << 20;

/// An estimate over so many clusters. Resampling one cluster gives that cluster again, which says nothing about others.
pub(super) fn estimated(value: f64, draws: &Draws, clusters: usize, level: Level) -> Option<Estimate> {
    if clusters < 2 {
        return Some(Estimate::unbounded(value, draws.len()));
    }
    Estimate::new(value, draws, u32::try_from(clusters).unwrap_or(u32::MAX), level)
}

/// A statistic before its interval: the mean of the data, and one for each draw.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// The mean of the data.
    pub mean: Measured,
    /// The mean of each draw.
    pub draws: Draws,
    /// Clusters that the draws pick from: one alone says nothing about others.
    pub clusters: usize,
}

impl Drawn {
    /// With its interval; `None` if no draw has a value.
    #[must_use]
    pub fn effect(&self, level: Level) -> Option<Effect> {
        let estimate = estimated(self.mean.value, &self.draws, self.clusters, level)?;
        Some(Effect { estimate, sign: self.mean.sign() })
    }

    /// The same for keeping, without what else was drawn in its pass.
    #[must_use]
    pub(super) fn detached(&self) -> Self {
        Self { draws: self.draws.detached(), ..self.clone() }
    }

    /// Difference of two statistics over the same draws.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        Self {
            mean: self.mean.sub(&other.mean),
            draws: self.draws.minus(&other.draws),
            clusters: self.clusters.min(other.clusters),
        }
    }
}

/// AUC of stored success by two sides' scores, and their paired difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AucPair {
    /// By the reference side.
    pub reference: Estimate,
    /// By the alternative side.
    pub alternative: Estimate,
    /// Reference minus alternative.
    pub difference: Estimate,
    /// The difference against the Blackwell null, with the margin that the study declares for AUCs.
    pub equivalence: Equivalence,
    /// Trajectories that succeeded.
    pub successes: u64,
    /// Trajectories that failed.
    pub failures: u64,
}

/// Means with their draws; none for an empty cohort.
type Means = Vec<Option<Drawn>>;
/// The same with intervals in place of draws.
type Effects = Vec<Option<Effect>>;

/// Draws over the trajectories of one cohort.
#[derive(Debug, Clone)]
pub struct Inference<'a> {
    cohort: &'a Cohort,
    draws: u32,
    plain: Resampler,
    outcomes: Vec<Option<bool>>,
    stratified: Resampler,
    auc_margin: Option<Rational>,
}

impl<'a> Inference<'a> {
    /// Draws for a cohort of `study`.
    #[must_use]
    pub fn new(study: &Study, cohort: &'a Cohort, sampling: Sampling) -> Self {
        let clusters = cohort.trajectories();
        let outcomes: Vec<Option<bool>> = clusters.iter().map(|&t| study.success.get(t).copied().flatten()).collect();
        let strata: Vec<u8> = outcomes.iter().map(|outcome| outcome.map_or(2, u8::from)).collect();
        // Several passes go over the same draws.
        let resampler = |plan: Plan| {
            let resampler = Resampler::new(plan);
            if clusters.len().saturating_mul(sampling.draws as usize) <= KEPT { resampler.kept() } else { resampler }
        };
        Self {
            cohort,
            draws: sampling.draws,
            plain: resampler(Plan::plain(clusters.len(), sampling.draws, sampling.seed)),
            outcomes,
            stratified: resampler(Plan::stratified(&strata, sampling.draws, sampling.seed)),
            auc_margin: study.auc_equivalence_margin.clone(),
        }
    }

    /// The cohort.
    #[must_use]
    pub const fn cohort(&self) -> &Cohort {
        self.cohort
    }

    /// Means of several statistics over shared draws; one value a member each. `None` for an empty cohort.
    ///
    /// # Errors
    /// The watch asked to stop.
    pub fn means(
        &self,
        statistics: &[&[Measured]],
        weighting: Weighting,
        watch: &dyn Watch,
    ) -> Result<Vec<Option<Drawn>>, Cancelled> {
        let sums: Vec<ClusterSums> = statistics
            .iter()
            .map(|values| self.cohort.sums(&values.iter().map(|m| m.value).collect::<Vec<_>>(), weighting))
            .collect();
        let drawn = self.columns(&sums, watch)?;
        Ok(drawn
            .into_iter()
            .zip(statistics)
            .map(|(draws, values)| {
                let clusters = self.cohort.trajectories().len();
                Some(Drawn { mean: self.mean(values, weighting)?, draws, clusters })
            })
            .collect())
    }

    /// Ratios of sums over shared draws.
    ///
    /// # Errors
    /// The watch asked to stop.
    pub fn columns(&self, sums: &[ClusterSums], watch: &dyn Watch) -> Result<Vec<Draws>, Cancelled> {
        let columns: Vec<Column<'_>> = sums.iter().map(|by| Column { sums: &by.sums, counts: &by.counts }).collect();
        Ok(self.plain.run(&columns, &[], watch)?.ratios)
    }

    /// Means as [`Self::means`], and effects of further statistics, whose draws are not kept: a study with many draws, layouts
    /// and waves is gone over in several passes, so that no more values are held at a time than memory is meant for.
    ///
    /// # Errors
    /// The watch asked to stop.
    pub fn means_and_effects(
        &self,
        kept: &[&[Measured]],
        further: &[&[Measured]],
        weighting: Weighting,
        watch: &dyn Watch,
    ) -> Result<(Means, Effects), Cancelled> {
        let statistics = [kept, further].concat();
        let room = (limits::DRAWN_VALUES / (self.draws as usize).max(1)).max(kept.len());
        let single = statistics.len() <= room;
        let (mut means, mut effects) = (Vec::with_capacity(kept.len()), Vec::with_capacity(further.len()));
        for part in statistics.chunks(room.max(1)) {
            for drawn in self.means(part, weighting, watch)? {
                if means.len() == kept.len() {
                    effects.push(drawn.and_then(|drawn| drawn.effect(Level::P95)));
                } else {
                    means.push(if single { drawn } else { drawn.map(|drawn| drawn.detached()) });
                }
            }
        }
        Ok((means, effects))
    }

    /// Plain weighted sums over shared draws, one value a cluster.
    ///
    /// # Errors
    /// The watch asked to stop.
    pub fn sums(&self, values: &[&[f64]], watch: &dyn Watch) -> Result<Vec<Draws>, Cancelled> {
        self.plain.sums(values, watch)
    }

    /// The mean of the data.
    fn mean(&self, values: &[Measured], weighting: Weighting) -> Option<Measured> {
        match weighting {
            Weighting::Steps => Measured::mean(values),
            Weighting::Trajectories => Measured::mean(&self.by_trajectory(values)),
        }
    }

    /// Mean of each trajectory's values.
    #[must_use]
    pub fn by_trajectory(&self, values: &[Measured]) -> Vec<Measured> {
        let mut sums = vec![(Measured::zero(), 0_usize); self.cohort.trajectories().len()];
        for (member, value) in values.iter().enumerate() {
            let (sum, count) = &mut sums[self.cohort.cluster(member)];
            *sum = sum.add(value);
            *count += 1;
        }
        sums.iter().map(|(sum, count)| sum.over(*count)).collect()
    }

    /// AUC pairs: for each, the scores of the reference and of the alternative side. `None` without a success or without
    /// a failure.
    ///
    /// # Errors
    /// The watch asked to stop.
    pub fn aucs(&self, pairs: &[[&[Measured]; 2]], watch: &dyn Watch) -> Result<Vec<Option<AucPair>>, Cancelled> {
        let outcomes: Vec<bool> = self.outcomes.iter().map(|outcome| *outcome == Some(true)).collect();
        let rank = |scores: &[Measured]| {
            let means = told_apart(&self.by_trajectory(scores));
            let known = means.into_iter().zip(&self.outcomes).map(|(mean, outcome)| outcome.map(|_| mean));
            Ranking::new(&known.collect::<Vec<_>>(), &outcomes).ok()
        };
        let ranked: Option<Vec<Ranking>> = pairs.iter().flatten().map(|scores| rank(scores)).collect();
        let Some(ranked) = ranked else { return Ok(vec![None; pairs.len()]) };
        let drawn = self.stratified.run(&[], &ranked, watch)?.aucs;
        let both = ranked.chunks_exact(2).zip(drawn.chunks_exact(2));
        Ok(both
            .map(|(ranking, draws)| {
                let [reference, alternative] = [ranking[0].auc()?, ranking[1].auc()?];
                let [a, b] = [reference.to_f64(), alternative.to_f64()];
                // Draws pick within each outcome, so the rarer one bounds what they say.
                let least = usize::try_from(reference.successes.min(reference.failures)).unwrap_or(usize::MAX);
                let estimated = |value, draws: &Draws, level| estimated(value, draws, least, level);
                let difference = draws[0].minus(&draws[1]);
                let ninety = estimated(a - b, &difference, Level::P90);
                Some(AucPair {
                    reference: estimated(a, &draws[0], Level::P95)?,
                    alternative: estimated(b, &draws[1], Level::P95)?,
                    difference: estimated(a - b, &difference, Level::P95)?,
                    equivalence: Equivalence::test(ninety, self.auc_margin.as_ref()),
                    successes: reference.successes,
                    failures: reference.failures,
                })
            })
            .collect())
    }
}

/// The figures, with those that their envelopes cannot tell apart made equal: a tie must not be decided by rounding.
fn told_apart(figures: &[Measured]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..figures.len()).collect();
    order.sort_by(|&a, &b| figures[a].value.total_cmp(&figures[b].value));
    let mut values = vec![0.0; figures.len()];
    let mut last: Option<(f64, f64)> = None;
    for at in order {
        let Measured { value, envelope } = figures[at];
        let (value, reach) = match last {
            Some((tied, reach)) if envelope.lo() <= reach => (tied, reach.max(envelope.hi())),
            _ => (value, envelope.hi()),
        };
        values[at] = value;
        last = Some((value, reach));
    }
    values
}
