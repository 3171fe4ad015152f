//! The returned log-probabilities of a study, in one dense table: a place for every score that the study declares, so
//! that what is missing is known by its absence and two rows can never share a place.

mod reader;
mod row;

pub use reader::{ImportAccount, ScoreFault, ScoreFaults, ScoreReader};

use crate::seal::digest::Digest;
use crate::step_value::study::{Moment, Study};

/// Any returned value at or below this is an endpoint's way to say "not among those returned" (−9999 at several, the
/// least single-precision number at others), never a log-probability.
pub const SENTINEL: f64 = -9999.0;

/// The state that is scored and the state whose view is shown beside it. Outside the retrieval face both are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corner {
    /// The scored state.
    pub state: Moment,
    /// The state from which the view was made.
    pub view_at: Moment,
}

impl Corner {
    /// A state with its own view.
    #[must_use]
    pub const fn own(state: Moment) -> Self {
        Self { state, view_at: state }
    }
}

/// One acquired cell: what one request (joint) or one round of requests (binary) scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The transition, by position.
    pub transition: usize,
    /// The channel, by position.
    pub channel: usize,
    /// State and view.
    pub corner: Corner,
    /// The wave, by position.
    pub wave: usize,
    /// The layout.
    pub layout: usize,
}

/// One returned score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Score {
    /// A finite log-probability above the sentinel.
    Value(f64),
    /// The endpoint returned a sentinel: missing.
    Sentinel,
    /// Nothing was returned: missing.
    Absent,
}

impl Score {
    /// The log-probability, if there is one.
    #[must_use]
    pub const fn value(self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(value),
            Self::Sentinel | Self::Absent => None,
        }
    }
}

/// A study that declares more scores than are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the study declares more than {} scores (transitions x channels x layouts x waves x candidates); split it",
    crate::limits::SCORES
)]
pub struct TooManyScores;

/// Checks that the scores of a study could be held, without holding any.
///
/// # Errors
/// It declares more than [`crate::limits::SCORES`].
pub fn check_size(study: &Study) -> Result<(), TooManyScores> {
    Shape::of(study).map(drop).ok_or(TooManyScores)
}

/// Where in the table each score lies.
#[derive(Debug, Clone, PartialEq)]
struct Shape {
    layouts: usize,
    waves: usize,
    /// Per slot: log-probabilities per candidate of all slots before it, and of itself.
    slots: Vec<(usize, usize)>,
    channels: usize,
    /// The channel of the retrieval face, if there is one.
    crossed: Option<usize>,
    /// Per transition: its candidates and the place of its first score.
    transitions: Vec<(u32, usize)>,
    len: usize,
}

impl Shape {
    /// `None` if the study declares more scores than are held.
    fn of(study: &Study) -> Option<Self> {
        let mut slots = Vec::new();
        let mut width = 0;
        let crossed = study.retrieval_face.as_ref().map(|face| face.channel);
        let extra = crossed.into_iter().flat_map(|channel| [channel; 2]);
        for channel in (0..study.channels.len()).flat_map(|channel| [channel; 2]).chain(extra) {
            let own = study.channels.get(channel)?.readout.width();
            slots.push((width, own));
            width += own;
        }
        let cells = study.layouts.checked_mul(study.waves.len())?;
        let mut len = 0_usize;
        let mut transitions = Vec::with_capacity(study.transitions.len());
        for transition in &study.transitions {
            let candidates = study.candidates(transition).len();
            transitions.push((u32::try_from(candidates).ok()?, len));
            len = len.checked_add(candidates.checked_mul(cells)?.checked_mul(width)?)?;
            if len > crate::limits::SCORES {
                return None;
            }
        }
        let (layouts, waves, channels) = (study.layouts, study.waves.len(), study.channels.len());
        Some(Self { layouts, waves, slots, channels, crossed, transitions, len })
    }

    /// Place of a cell's first score, its candidates, and the scores per candidate. `None` where the study has no such
    /// cell.
    fn cell(&self, cell: &Cell) -> Option<(usize, usize, usize)> {
        let slot = if cell.corner.state == cell.corner.view_at {
            2 * cell.channel + cell.corner.state.index()
        } else if self.crossed == Some(cell.channel) {
            2 * self.channels + cell.corner.state.index()
        } else {
            return None;
        };
        if cell.layout >= self.layouts || cell.wave >= self.waves {
            return None;
        }
        let &(before, width) = self.slots.get(slot)?;
        let &(candidates, first) = self.transitions.get(cell.transition)?;
        let candidates = candidates as usize;
        let cells = self.layouts * self.waves;
        let at = first + candidates * (cells * before + width * (cell.wave * self.layouts + cell.layout));
        Some((at, candidates, width))
    }
}

/// The scores of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    shape: Shape,
    /// NaN is absent, −∞ a sentinel. The encoding never leaves this module.
    values: Vec<f64>,
    digest: Digest,
    account: ImportAccount,
}

impl Scores {
    /// Digest of the bytes of the score file.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// What was read and what was not.
    #[must_use]
    pub const fn account(&self) -> &ImportAccount {
        &self.account
    }

    /// The scores of a cell in candidate order; joint readouts have one a candidate, binary ones two (Yes, No). Nothing
    /// where the study has no such cell.
    pub fn cell(&self, cell: &Cell) -> impl Iterator<Item = Score> + '_ {
        let range = self.shape.cell(cell).map_or(0..0, |(at, candidates, width)| at..at + candidates * width);
        self.values[range].iter().map(|&value| {
            if value.is_nan() {
                Score::Absent
            } else if value == f64::NEG_INFINITY {
                Score::Sentinel
            } else {
                Score::Value(value)
            }
        })
    }
}
