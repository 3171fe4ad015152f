//! What is drawn: how many clusters, how often, from which strata, by which seed.
//!
//! # Recipe
//! Draw `d` is a function of the seed and `d` alone. Its random bytes are the key stream of ChaCha with 8 rounds, a 64-bit
//! block counter from zero and a 64-bit nonce, both little-endian: the key is the seed as 8 little-endian bytes followed
//! by 24 zero bytes, the nonce is `d`. The stream is read as little-endian 64-bit words. The strata are taken in ascending
//! order of their numbers; each starts at a new word. A stratum of `n` clusters gets `n` picks. A word `x` gives up to
//! [`picks_per_word`] of them: the pick is the upper half of the 128-bit product `x * n`, and its lower half is the next
//! `x`. Pick `j` means the cluster with `j` smaller clusters in its stratum. A stratum of one cluster takes no word.
//!
//! The pick after `k` picks of one word deviates from uniform by a factor of at most `1 ± n^k / 2^64`, which is never more
//! than 2^-24.

/// Draws with replacement: which clusters stay together in strata, how many draws, and the seed that fixes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    clusters: usize,
    draws: u32,
    seed: u64,
    /// Clusters of each stratum, strata in ascending order.
    strata: Vec<u32>,
    /// For each cluster its place when the clusters are sorted by stratum; empty if that is the cluster itself.
    rows: Vec<u32>,
}

/// Most picks of one word.
pub(super) const MOST_PICKS: usize = 5;

/// Picks that one random word gives from `n` clusters: as many as keep `n^k` within 2^40.
#[must_use]
pub const fn picks_per_word(n: u32) -> usize {
    match n {
        0..=256 => MOST_PICKS,
        257..=8_192 => 3,
        8_193..=1_048_576 => 2,
        _ => 1,
    }
}

impl Plan {
    /// Every draw picks as many clusters as there are, each pick from all of them.
    #[must_use]
    pub fn plain(clusters: usize, draws: u32, seed: u64) -> Self {
        Self { clusters, draws, seed, strata: vec![narrow(clusters)], rows: Vec::new() }
    }

    /// Every draw picks within each stratum as many clusters as it has; `stratum_of` names the stratum of each cluster.
    #[must_use]
    pub fn stratified(stratum_of: &[u8], draws: u32, seed: u64) -> Self {
        let mut sizes = [0_u32; 256];
        for &stratum in stratum_of {
            sizes[usize::from(stratum)] += 1;
        }
        let mut next = 0;
        let mut places = sizes.map(|size| {
            let start = next;
            next += size;
            start
        });
        let place = |&stratum: &u8| {
            let place = &mut places[usize::from(stratum)];
            *place += 1;
            *place - 1
        };
        let rows = stratum_of.iter().map(place).collect();
        let strata = sizes.into_iter().filter(|&size| size > 0).collect();
        Self { clusters: stratum_of.len(), draws, seed, strata, rows }
    }

    /// How many clusters there are, which is how many picks a draw has.
    #[must_use]
    pub const fn clusters(&self) -> usize {
        self.clusters
    }

    /// How many draws are planned.
    #[must_use]
    pub const fn draws(&self) -> u32 {
        self.draws
    }

    /// The seed.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The row of each cluster in a block, which is sorted by stratum so that picking needs no second look-up; empty if
    /// rows are clusters.
    pub(super) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Clusters of each stratum; rows lie in the same order.
    pub(super) fn strata(&self) -> &[u32] {
        &self.strata
    }
}

/// More clusters than 32 bits count fit in no memory; there would be no slice of them.
fn narrow(clusters: usize) -> u32 {
    u32::try_from(clusters).unwrap_or(u32::MAX)
}
