//! All scalars of a study, and which scores are missing: the cohort is fixed here, before any outcome is looked at.

use super::measure::Measured;
use super::reduce::{Part, Reducer};
use super::scores::{Cell, Corner, Score, Scores};
use super::study::{Moment, Readout, Study};
use crate::watch::{Cancelled, Watch};

/// `F_ρ(x; g)` of every transition, channel and corner.
#[derive(Debug, Clone, PartialEq)]
pub struct Scalars {
    channels: usize,
    crossed: Option<usize>,
    slots: usize,
    values: Vec<Option<Measured>>,
}

impl Scalars {
    /// Reduces every corner.
    ///
    /// # Errors
    /// The watch asked to stop.
    pub fn of(study: &Study, scores: &Scores, watch: &dyn Watch) -> Result<Self, Cancelled> {
        let channels = study.channels.len();
        let crossed = study.retrieval_face.as_ref().map(|face| face.channel);
        let slots = 2 * channels + if crossed.is_some() { 2 } else { 0 };
        let reducer = Reducer::new(study, scores);
        let mut values = Vec::with_capacity(slots * study.transitions.len());
        for transition in 0..study.transitions.len() {
            if watch.step(transition as u64, study.transitions.len() as u64).is_break() {
                return Err(Cancelled);
            }
            for channel in 0..channels {
                for state in Moment::BOTH {
                    values.push(reducer.scalar(transition, channel, Corner::own(state), Part::Whole));
                }
            }
            if let Some(channel) = crossed {
                for state in Moment::BOTH {
                    let corner = Corner { state, view_at: state.other() };
                    values.push(reducer.scalar(transition, channel, corner, Part::Whole));
                }
            }
        }
        Ok(Self { channels, crossed, slots, values })
    }

    /// The scalar of a corner; `None` where it is incomplete or the study has no such corner.
    #[must_use]
    pub fn get(&self, transition: usize, channel: usize, corner: Corner) -> Option<Measured> {
        if channel >= self.channels {
            return None;
        }
        let slot = if corner.state == corner.view_at {
            2 * channel + corner.state.index()
        } else if self.crossed == Some(channel) {
            2 * self.channels + corner.state.index()
        } else {
            return None;
        };
        self.values.get(transition * self.slots + slot).copied().flatten()
    }

    /// Both scalars of a channel with its own view: before and after.
    #[must_use]
    pub fn pair(&self, transition: usize, channel: usize) -> Option<[Measured; 2]> {
        let [before, after] = Moment::BOTH.map(|state| self.get(transition, channel, Corner::own(state)));
        Some([before?, after?])
    }

    /// ASV: `F(x+) − F(x−)`.
    #[must_use]
    pub fn gain(&self, transition: usize, channel: usize) -> Option<Measured> {
        self.pair(transition, channel).map(|[before, after]| after.sub(&before))
    }
}

/// Why a score is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// No row scores the cell.
    NoRow,
    /// The row leaves the candidate out.
    LeftOut,
    /// The endpoint returned a sentinel.
    Sentinel,
}

impl Why {
    /// The word in files and on screen.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NoRow => "no row",
            Self::LeftOut => "left out",
            Self::Sentinel => "sentinel",
        }
    }
}

/// One missing score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    /// The cell.
    pub cell: Cell,
    /// The candidate, by position.
    pub candidate: usize,
    /// Why.
    pub why: Why,
}

/// Every missing score of a transition in the given channels, in order of channel, state, wave, layout, candidate.
pub fn missing<'a>(
    study: &'a Study,
    scores: &'a Scores,
    transition: usize,
    channels: &'a [usize],
) -> impl Iterator<Item = Missing> + 'a {
    channels.iter().flat_map(move |&channel| missing_of(study, scores, transition, channel))
}

/// Every missing score of a transition in one channel.
pub(super) fn missing_of<'a>(
    study: &'a Study,
    scores: &'a Scores,
    transition: usize,
    channel: usize,
) -> impl Iterator<Item = Missing> + 'a {
    let crossed = study.retrieval_face.as_ref().is_some_and(|face| face.channel == channel);
    let own = Moment::BOTH.map(Corner::own).into_iter();
    let other = Moment::BOTH.map(|state| Corner { state, view_at: state.other() }).into_iter();
    let cells = own.chain(other.filter(move |_| crossed)).flat_map(move |corner| {
        (0..study.waves.len()).flat_map(move |wave| {
            (0..study.layouts).map(move |layout| Cell { transition, channel, corner, wave, layout })
        })
    });
    cells.flat_map(move |cell| missing_in(study, scores, cell))
}

fn missing_in(study: &Study, scores: &Scores, cell: Cell) -> Vec<Missing> {
    let width = study.channels.get(cell.channel).map_or(1, |channel| channel.readout.width());
    let joint = width == Readout::Joint.width();
    let found: Vec<Score> = scores.cell(&cell).collect();
    let no_row = found.iter().all(|score| *score == Score::Absent);
    let mut missing = Vec::new();
    for (candidate, found) in found.chunks_exact(width).enumerate() {
        let why = if found.contains(&Score::Sentinel) {
            Why::Sentinel
        } else if !found.contains(&Score::Absent) {
            continue;
        } else if no_row || !joint && found.iter().all(|score| *score == Score::Absent) {
            Why::NoRow
        } else {
            Why::LeftOut
        };
        missing.push(Missing { cell, candidate, why });
    }
    missing
}
