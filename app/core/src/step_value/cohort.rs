//! Who counts: the transitions that are complete for a question, and the trajectories they belong to. A cohort is fixed
//! by technical completeness alone.

use super::study::Study;

/// Transitions that count, and their trajectories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cohort {
    members: Vec<usize>,
    /// Per member, its cluster.
    cluster: Vec<u32>,
    /// Per cluster, its trajectory.
    trajectories: Vec<usize>,
}

/// What weighs the same in a mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weighting {
    /// Every step: the ratio of sums.
    Steps,
    /// Every trajectory: the mean of its steps' mean.
    Trajectories,
}

impl Cohort {
    /// The cohort of the transitions for which `complete` holds.
    #[must_use]
    pub fn of(study: &Study, complete: impl Fn(usize) -> bool) -> Self {
        let mut number: Vec<Option<u32>> = vec![None; study.trajectories.len()];
        let mut cohort = Self { members: Vec::new(), cluster: Vec::new(), trajectories: Vec::new() };
        for (i, transition) in study.transitions.iter().enumerate().filter(|(i, _)| complete(*i)) {
            let next = cohort.trajectories.len() as u32;
            let cluster = *number[transition.trajectory].get_or_insert(next);
            if cluster == next {
                cohort.trajectories.push(transition.trajectory);
            }
            cohort.members.push(i);
            cohort.cluster.push(cluster);
        }
        cohort
    }

    /// Positions of the transitions, ascending.
    #[must_use]
    pub fn members(&self) -> &[usize] {
        &self.members
    }

    /// Positions of the trajectories that have a transition here, in order of first mention.
    #[must_use]
    pub fn trajectories(&self) -> &[usize] {
        &self.trajectories
    }

    /// Values of the members, one each, summed up by cluster for a weighting.
    #[must_use]
    pub fn sums(&self, values: &[f64], weighting: Weighting) -> ClusterSums {
        self.sums_where(values, weighting, |_| true)
    }

    /// The same for those members only for which `keep` holds; clusters without any have no values.
    #[must_use]
    pub fn sums_where(&self, values: &[f64], weighting: Weighting, keep: impl Fn(usize) -> bool) -> ClusterSums {
        let mut by = ClusterSums { sums: vec![0.0; self.trajectories.len()], counts: vec![0; self.trajectories.len()] };
        for ((&cluster, &member), value) in self.cluster.iter().zip(&self.members).zip(values) {
            if keep(member) {
                by.sums[cluster as usize] += value;
                by.counts[cluster as usize] += 1;
            }
        }
        if weighting == Weighting::Trajectories {
            for (sum, count) in by.sums.iter_mut().zip(&mut by.counts).filter(|(_, count)| **count > 0) {
                *sum /= f64::from(*count);
                *count = 1;
            }
        }
        by
    }

    /// The cluster of the member at a position of [`Self::members`].
    #[must_use]
    pub fn cluster(&self, member: usize) -> usize {
        self.cluster.get(member).map_or(0, |&cluster| cluster as usize)
    }
}

/// Sums and counts by cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterSums {
    /// Sum of the values of each cluster.
    pub sums: Vec<f64>,
    /// Number of values of each cluster.
    pub counts: Vec<u32>,
}
