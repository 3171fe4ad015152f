//! How far means rest on which targets happened to be frequent: the same means with equal weight to each reviewed
//! target (docs/theory.md §3.5).

use std::collections::BTreeMap;

use super::cohort::{ClusterSums, Weighting};
use super::inference::{Inference, estimated};
use super::measure::Measured;
use super::study::Study;
use crate::stats::{Draws, Estimate, Level};
use crate::watch::{Cancelled, Watch};

/// Most distinct targets for which the mixture is weighed anew: beyond it every stratum is too small to say anything.
const TARGETS: usize = 16;

/// Two gains and their difference with equal weight to each target.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixture {
    /// Each target with its number of transitions.
    pub targets: Vec<(String, usize)>,
    /// Gains of reference and alternative; `None` where no draw holds every target.
    pub gains: [Option<Estimate>; 2],
    /// Ω of a contrast, `D` of a vertex.
    pub omega: Option<Estimate>,
}

impl Mixture {
    /// Of two gains and their difference, one value a member each; `None` with fewer than two targets or more than sixteen.
    pub(super) fn of(
        study: &Study,
        inference: &Inference<'_>,
        figures: [&[Measured]; 3],
        weighting: Weighting,
        watch: &dyn Watch,
    ) -> Result<Option<Self>, Cancelled> {
        let found = Balanced::of(study, inference, &figures, weighting, watch)?;
        Ok(found.map(|found| Self {
            gains: [found.estimate(&[(0, 1.0)]), found.estimate(&[(1, 1.0)])],
            omega: found.estimate(&[(2, 1.0)]),
            targets: found.targets,
        }))
    }
}

/// Means of several statistics, and their draws, with equal weight to each target.
pub(super) struct Balanced {
    /// Each target with its number of transitions.
    pub(super) targets: Vec<(String, usize)>,
    means: Vec<(f64, Draws)>,
    /// Trajectories of the target that has the fewest: one alone comes back the same in every draw that has it.
    rarest: usize,
}

impl Balanced {
    /// Of statistics with one value a member; `None` with fewer than two targets or more than [`TARGETS`]. Within a target
    /// the weighting is that of the means which are looked at again.
    pub(super) fn of(
        study: &Study,
        inference: &Inference<'_>,
        statistics: &[&[Measured]],
        weighting: Weighting,
        watch: &dyn Watch,
    ) -> Result<Option<Self>, Cancelled> {
        let cohort = inference.cohort();
        let target = |transition: usize| {
            let transition = &study.transitions[transition];
            study.candidates(transition).get(transition.target).map_or("", String::as_str)
        };
        let mut targets: BTreeMap<&str, usize> = BTreeMap::new();
        for &member in cohort.members() {
            *targets.entry(target(member)).or_insert(0) += 1;
            if targets.len() > TARGETS {
                return Ok(None);
            }
        }
        let count = targets.len();
        if count < 2 {
            return Ok(None);
        }
        let share = 1.0 / f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        let mean = |sums: &[ClusterSums], drawn: &[Draws]| {
            let by_target = sums.iter().map(|by| {
                let values: u32 = by.counts.iter().sum();
                by.sums.iter().fold(0.0, |sum, value| sum + value) / f64::from(values)
            });
            let parts: Vec<&Draws> = drawn.iter().collect();
            let draws =
                Draws::combine_all(&parts, |means| Some(means.iter().fold(0.0, |sum, mean| sum + mean) * share));
            (by_target.fold(0.0, |sum, mean| sum + mean) * share, draws)
        };
        let (mut means, mut rarest) = (Vec::with_capacity(statistics.len()), None);
        // Statistic by statistic, so that the draws of all targets are held for one at a time.
        for statistic in statistics {
            let values: Vec<f64> = statistic.iter().map(|measured| measured.value).collect();
            let by_name = |name: &&str| cohort.sums_where(&values, weighting, |t| target(t) == *name);
            let sums: Vec<ClusterSums> = targets.keys().map(by_name).collect();
            rarest = rarest.or_else(|| sums.iter().map(|by| by.counts.iter().filter(|n| **n > 0).count()).min());
            means.push(mean(&sums, &inference.columns(&sums, watch)?));
        }
        let targets = targets.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        Ok(Some(Self { targets, means, rarest: rarest.unwrap_or_default() }))
    }

    /// A sum of the means with these coefficients, each named by the position of its statistic.
    pub(super) fn estimate(&self, terms: &[(usize, f64)]) -> Option<Estimate> {
        let means = terms.iter().map(|&(at, _)| self.means.get(at)).collect::<Option<Vec<_>>>()?;
        let sum = |values: &mut dyn Iterator<Item = f64>| {
            terms.iter().zip(values).fold(0.0, |sum, (&(_, weight), value)| sum + weight * value)
        };
        let parts: Vec<&Draws> = means.iter().map(|(_, draws)| draws).collect();
        let draws = Draws::combine_all(&parts, |values| Some(sum(&mut values.iter().copied())));
        estimated(sum(&mut means.iter().map(|(mean, _)| *mean)), &draws, self.rarest, Level::P95)
    }
}
