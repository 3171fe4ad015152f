//! Area under the receiver operating characteristic: the chance that a success scores above a failure, ties one half.

/// Clusters in the order of their scores, prepared once and then weighed anew in every draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// Ranked clusters: each segment's failures, then its successes.
    order: Vec<u32>,
    segments: Vec<Segment>,
}

/// A stretch of the order. Its successes score above all failures of earlier segments and tie with its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    pub failures: u32,
    pub successes: u32,
}

/// Scores that have no order, or not one for each outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unranked {
    /// A score is NaN.
    #[error("the score of cluster {0} is not a number; leave the score out if there is none")]
    NotANumber(usize),
    /// Not as many scores as outcomes.
    #[error("{scores} scores for {outcomes} outcomes; there must be one of each for every cluster")]
    Lengths {
        /// Scores given.
        scores: usize,
        /// Outcomes given.
        outcomes: usize,
    },
}

/// The area as a count of pairs: `half_pairs / (2 * successes * failures)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Auc {
    /// Two for each pair in which the success scores higher, one for each tie.
    pub half_pairs: u64,
    /// Successes ranked.
    pub successes: u64,
    /// Failures ranked.
    pub failures: u64,
}

impl Auc {
    /// The area as a double: the quotient of two integers, rounded once while both have at most 53 bits.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.half_pairs as f64 / (2.0 * (self.successes as f64 * self.failures as f64))
    }
}

impl Ranking {
    /// Ranks clusters by score; `outcomes` says which are successes. A cluster without a score is left out. Zero and minus
    /// zero tie.
    ///
    /// # Errors
    /// [`Unranked`]: a score is NaN, or there are not as many scores as outcomes.
    pub fn new(scores: &[Option<f64>], outcomes: &[bool]) -> Result<Self, Unranked> {
        if scores.len() != outcomes.len() {
            return Err(Unranked::Lengths { scores: scores.len(), outcomes: outcomes.len() });
        }
        if let Some(at) = scores.iter().position(|score| score.is_some_and(f64::is_nan)) {
            return Err(Unranked::NotANumber(at));
        }
        // Adding zero turns minus zero into zero and changes nothing else.
        let ranked = scores.iter().zip(outcomes).enumerate();
        let mut ranked: Vec<(f64, bool, u32)> =
            ranked.filter_map(|(at, (score, &success))| Some(((*score)? + 0.0, success, at as u32))).collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        let order = ranked.iter().map(|&(_, _, at)| at).collect();
        let mut segments: Vec<Segment> = Vec::new();
        for tied in ranked.chunk_by(|a, b| a.0 == b.0) {
            let successes = tied.iter().filter(|(_, success, _)| *success).count() as u32;
            let failures = tied.len() as u32 - successes;
            match segments.last_mut() {
                // Neighbouring groups of one outcome count the same pairs as one group.
                Some(last) if last.failures == 0 && failures == 0 => last.successes += successes,
                Some(last) if last.successes == 0 && successes == 0 => last.failures += failures,
                _ => segments.push(Segment { failures, successes }),
            }
        }
        Ok(Self { order, segments })
    }

    /// The area over the data as they are; `None` if there is no success or no failure.
    #[must_use]
    pub fn auc(&self) -> Option<Auc> {
        let mut auc = Auc { half_pairs: 0, successes: 0, failures: 0 };
        for segment in &self.segments {
            let below = auc.failures;
            auc.failures += u64::from(segment.failures);
            auc.successes += u64::from(segment.successes);
            auc.half_pairs += u64::from(segment.successes) * (below + auc.failures);
        }
        (auc.successes > 0 && auc.failures > 0).then_some(auc)
    }

    /// The ranked clusters in order.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The stretches of [`Self::order`].
    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments
    }
}
