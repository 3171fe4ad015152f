//! The two-by-two face of a transition under a contrast: four corners, two gains, one interaction (docs/theory.md
//! §3.2).

use super::measure::Measured;
use super::scalars::Scalars;
use super::scores::Corner;
use super::study::{Contrast, Moment};
use crate::exact::interval::Sign;

/// Reference or alternative channel of a contrast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// ρ0.
    Reference,
    /// ρ1.
    Alternative,
}

impl Side {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::Reference, Self::Alternative];

    /// The channel of a contrast.
    #[must_use]
    pub const fn channel(self, contrast: &Contrast) -> usize {
        match self {
            Self::Reference => contrast.reference,
            Self::Alternative => contrast.alternative,
        }
    }
}

/// What the corners of one transition say. A corner that is not complete is missing; nothing is put in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face {
    /// `F_ab`: by side of the contrast, then by state.
    corners: [[Option<Measured>; 2]; 2],
}

impl Face {
    /// The face of a transition.
    #[must_use]
    pub fn of(scalars: &Scalars, transition: usize, contrast: &Contrast) -> Self {
        let corner =
            |side: Side| Moment::BOTH.map(|state| scalars.get(transition, side.channel(contrast), Corner::own(state)));
        Self { corners: Side::BOTH.map(corner) }
    }

    /// A face of given corners: by side, then by state.
    #[must_use]
    pub const fn new(corners: [[Option<Measured>; 2]; 2]) -> Self {
        Self { corners }
    }

    /// The scalar of a corner.
    #[must_use]
    pub const fn corner(&self, side: Side, state: Moment) -> Option<Measured> {
        self.corners[side as usize][state.index()]
    }

    /// `G = F(x+) − F(x−)` of a side.
    #[must_use]
    pub fn gain(&self, side: Side) -> Option<Measured> {
        let [before, after] = self.corners[side as usize];
        Some(after?.sub(&before?))
    }

    /// `Ω = G^ρ1 − G^ρ0`; `None` where any corner is missing, since then nothing identifies it (L12).
    #[must_use]
    pub fn omega(&self) -> Option<Measured> {
        Some(self.gain(Side::Alternative)?.sub(&self.gain(Side::Reference)?))
    }

    /// The corners that are missing.
    pub fn missing(&self) -> impl Iterator<Item = (Side, Moment)> + '_ {
        let all = Side::BOTH.into_iter().flat_map(|side| Moment::BOTH.map(|state| (side, state)));
        all.filter(|&(side, state)| self.corner(side, state).is_none())
    }

    /// The diagonal and what it is made of (L11): `F_ρ1(x+) − F_ρ0(x−) = G^ρ0 + Δ_ρF(x−) + Ω`.
    #[must_use]
    pub fn diagonal(&self) -> Option<Diagonal> {
        let at = |side, state| self.corner(side, state);
        let shift = at(Side::Alternative, Moment::Before)?.sub(&at(Side::Reference, Moment::Before)?);
        let whole = at(Side::Alternative, Moment::After)?.sub(&at(Side::Reference, Moment::Before)?);
        Some(Diagonal { whole, gain: self.gain(Side::Reference)?, shift, omega: self.omega()? })
    }

    /// How the gains' signs compare.
    #[must_use]
    pub fn turn(&self) -> Option<Turn> {
        let [reference, alternative] = [self.gain(Side::Reference)?, self.gain(Side::Alternative)?];
        Some(Turn::of(reference.sign(), alternative.sign()))
    }
}

/// The diagonal comparison, which a design with two corners would report.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Diagonal {
    /// `F_ρ1(x+) − F_ρ0(x−)`.
    pub whole: Measured,
    /// `G^ρ0`.
    pub gain: Measured,
    /// `Δ_ρF(x−)`.
    pub shift: Measured,
    /// `Ω`.
    pub omega: Measured,
}

/// How the sign of the gain turns from the reference to the alternative channel. Signs are certified ones: a gain whose
/// envelope holds zero touches zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// `+ → −`: a flip.
    PositiveToNegative,
    /// `− → +`: a flip.
    NegativeToPositive,
    /// Both above or both below zero.
    SameSign,
    /// At least one gain is zero or cannot be told from zero.
    TouchingZero,
}

impl Turn {
    /// All, in the order of the contract.
    pub const ALL: [Self; 4] = [Self::PositiveToNegative, Self::NegativeToPositive, Self::TouchingZero, Self::SameSign];

    /// From the certified sign of the reference's gain to that of the alternative's.
    #[must_use]
    pub const fn of(reference: Option<Sign>, alternative: Option<Sign>) -> Self {
        match (reference, alternative) {
            (Some(Sign::Positive), Some(Sign::Negative)) => Self::PositiveToNegative,
            (Some(Sign::Negative), Some(Sign::Positive)) => Self::NegativeToPositive,
            (Some(_), Some(_)) => Self::SameSign,
            _ => Self::TouchingZero,
        }
    }

    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::PositiveToNegative => "pos_to_neg",
            Self::NegativeToPositive => "neg_to_pos",
            Self::TouchingZero => "touching_zero",
            Self::SameSign => "same_sign",
        }
    }

    /// Whether the signs are opposite, so that the sign of Ω holds under every positive affine recalibration (L13).
    #[must_use]
    pub const fn is_flip(self) -> bool {
        matches!(self, Self::PositiveToNegative | Self::NegativeToPositive)
    }
}
