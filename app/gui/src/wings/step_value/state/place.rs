//! Where a person can be in the step-value view: tabs, stops, parts, chips, and the scalar that is followed.

use decidendi_core::step_value::face::{Face, Turn};
use decidendi_core::step_value::scores::Corner;

/// The right card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum StepTab {
    /// Every step by its two gains, means, pooling.
    #[default]
    Scatter,
    /// State crossed with view.
    Retrieval,
    /// Views by authorities.
    Cube,
    /// Readout and stack.
    Bridge,
    /// Single layouts, waves, targets.
    Diagnostics,
    /// What a change of scale leaves.
    Recalibration,
    /// Who counts, who does not, and why.
    Cohort,
}

impl StepTab {
    /// All, left to right.
    pub const ALL: [Self; 7] = [
        Self::Scatter,
        Self::Retrieval,
        Self::Cube,
        Self::Bridge,
        Self::Diagnostics,
        Self::Recalibration,
        Self::Cohort,
    ];

    /// The tab's word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scatter => "Scatter",
            Self::Retrieval => "Retrieval face",
            Self::Cube => "Matched cube",
            Self::Bridge => "Bridge",
            Self::Diagnostics => "Diagnostics",
            Self::Recalibration => "Recalibration",
            Self::Cohort => "Cohort",
        }
    }
}

/// A stop between log-probabilities and the scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Stop {
    /// As returned.
    #[default]
    Energies,
    /// Less the layout's mean.
    Centred,
    /// Averaged over layouts, times the factor.
    LayoutMean,
    /// Of the target.
    Margin,
    /// Averaged over waves: the scalar.
    WaveMean,
}

impl Stop {
    /// All, in order.
    pub const ALL: [Self; 5] = [Self::Energies, Self::Centred, Self::LayoutMean, Self::Margin, Self::WaveMean];

    /// The chip's word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Energies => "energies",
            Self::Centred => "centred",
            Self::LayoutMean => "layout mean",
            Self::Margin => "margin",
            Self::WaveMean => "wave mean",
        }
    }
}

/// Which part is on top where the page shows one at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum StepColumn {
    /// The face.
    #[default]
    Face,
    /// From log-probabilities to gain.
    Stops,
    /// The right card.
    Population,
}

impl StepColumn {
    /// All, left to right.
    pub const ALL: [Self; 3] = [Self::Face, Self::Stops, Self::Population];
}

/// What is remarkable about a transition under a contrast. Every transition has exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepFlag {
    /// The gain turns from above zero to below.
    PositiveToNegative,
    /// From below to above.
    NegativeToPositive,
    /// Some gain cannot be told from zero: its sign is abstained on.
    Touching,
    /// Both gains have the same certified sign.
    Same,
    /// Some corner misses a score.
    Incomplete,
}

impl StepFlag {
    /// All, in the order of the chips.
    pub const ALL: [Self; 5] =
        [Self::PositiveToNegative, Self::NegativeToPositive, Self::Touching, Self::Same, Self::Incomplete];

    /// The chip's text.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::PositiveToNegative => "flip + → −",
            Self::NegativeToPositive => "flip − → +",
            Self::Touching => "touching zero",
            Self::Same => "same sign",
            Self::Incomplete => "incomplete",
        }
    }

    /// The rule that raises it.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::PositiveToNegative => {
                "G of the reference channel is certified above zero, G of the alternative certified below: the sign of Ω holds under any positive recalibration."
            }
            Self::NegativeToPositive => {
                "G of the reference channel is certified below zero, G of the alternative certified above: the sign of Ω holds under any positive recalibration."
            }
            Self::Touching => "The envelope of some gain holds zero: its sign is abstained on, and no flip is claimed.",
            Self::Same => {
                "Both gains have the same certified sign: the sign of Ω depends on how the channels are scaled."
            }
            Self::Incomplete => {
                "Some corner misses a score: Ω is not identified, and the transition leaves the cohort."
            }
        }
    }

    /// The flag of a face.
    #[must_use]
    pub fn of(face: &Face) -> Self {
        match face.turn() {
            Some(Turn::PositiveToNegative) => Self::PositiveToNegative,
            Some(Turn::NegativeToPositive) => Self::NegativeToPositive,
            Some(Turn::TouchingZero) => Self::Touching,
            Some(Turn::SameSign) => Self::Same,
            None => Self::Incomplete,
        }
    }
}

/// A scalar of the selected transition, and the log-probabilities behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The channel, by position.
    pub channel: usize,
    /// The scored state, and the state whose view is shown beside it.
    pub corner: Corner,
}

impl Spot {
    /// A channel at a state, with the view made at a state.
    #[must_use]
    pub const fn new(channel: usize, corner: Corner) -> Self {
        Self { channel, corner }
    }

    /// Whether the view was made at the other state.
    #[must_use]
    pub fn is_crossed(self) -> bool {
        self.corner.state != self.corner.view_at
    }
}
