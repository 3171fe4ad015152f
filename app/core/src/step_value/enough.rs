//! From how much something may be concluded.

use crate::stats::Estimate;

/// Least number of draws from which a conclusion is drawn: fewer leave the ends of an interval to chance.
pub const ENOUGH_DRAWS: u32 = 1_000;
/// Least number of trajectories from which a conclusion is drawn: of three, more than one draw in forty picks the same one
/// every time, so that the ends of a 95 % interval are merely the largest and the smallest that was seen.
pub const ENOUGH_CLUSTERS: u32 = 4;

/// Whether something may be concluded from an interval: it has ends, and draws and trajectories enough to place them.
#[must_use]
pub fn concludes(estimate: &Estimate) -> bool {
    estimate.is_bounded() && estimate.draws >= ENOUGH_DRAWS && estimate.clusters >= ENOUGH_CLUSTERS
}
