//! Verdicts and their labels. Labels are data: any set is allowed, each is shown as it is spelled.

use std::num::NonZeroU8;

use crate::legible::is_legible;
use crate::limits::LABELS;

/// A verdict: the position of its label in the interface's label list. One byte, so that a cube of 2^24 cells fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Verdict(NonZeroU8);

impl Verdict {
    /// The verdict of the label at `index`, if there can be one.
    #[must_use]
    pub fn from_index(index: usize) -> Option<Self> {
        u8::try_from(index + 1).ok().and_then(NonZeroU8::new).map(Self)
    }

    /// Position of the label.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// What a label means to the gate and to the eye. Only the three standard words carry a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Meaning {
    /// `approve`.
    Approve,
    /// `deny`.
    Deny,
    /// `refer`: nobody who could decide has jurisdiction. An abstention, never a deny.
    Refer,
    /// Any other label.
    Other,
}

impl Meaning {
    /// The meaning of a label's word.
    #[must_use]
    pub fn of(label: &str) -> Self {
        match label {
            "approve" => Self::Approve,
            "deny" => Self::Deny,
            "refer" => Self::Refer,
            _ => Self::Other,
        }
    }
}

/// Why labels are no label set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LabelFault {
    /// None, or too many.
    #[error("{} listed", match .0 { 0 => "no label is".to_owned(), n => format!("{n} labels are") })]
    Number(usize),
    /// One does not read as what it is.
    #[error("the label \"{}\" is blank, or has blanks at its ends, a doubled blank or a hidden character", .label.escape_debug())]
    Illegible {
        /// Its position.
        at: usize,
        /// The label.
        label: String,
    },
    /// One occurs twice.
    #[error("the label `{label}` is listed twice")]
    Twice {
        /// Position of the second one.
        at: usize,
        /// The label.
        label: String,
    },
}

impl LabelFault {
    /// Position of the label at fault, where it is one.
    #[must_use]
    pub const fn at(&self) -> Option<usize> {
        match self {
            Self::Number(_) => None,
            Self::Illegible { at, .. } | Self::Twice { at, .. } => Some(*at),
        }
    }

    /// What to do.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Number(_) => "List 1 to 255 labels.",
            Self::Illegible { .. } => "Write words with single blanks between them.",
            Self::Twice { .. } => "List each label once.",
        }
    }
}

/// The finite label set of an interface, in declared order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labels(Vec<String>);

impl Default for Labels {
    fn default() -> Self {
        Self(["approve", "deny", "refer"].map(str::to_owned).to_vec())
    }
}

impl Labels {
    /// A label set.
    ///
    /// # Errors
    /// It is empty, holds more than [`crate::limits::LABELS`], or a label twice, or one that is not legible.
    pub fn new(labels: Vec<String>) -> Result<Self, LabelFault> {
        if labels.is_empty() || labels.len() > LABELS {
            return Err(LabelFault::Number(labels.len()));
        }
        for (at, label) in labels.iter().enumerate() {
            if !is_legible(label) {
                return Err(LabelFault::Illegible { at, label: label.clone() });
            }
            if labels[..at].contains(label) {
                return Err(LabelFault::Twice { at, label: label.clone() });
            }
        }
        Ok(Self(labels))
    }

    /// The verdict that `word` spells.
    #[must_use]
    pub fn verdict(&self, word: &str) -> Option<Verdict> {
        self.0.iter().position(|l| l == word).and_then(Verdict::from_index)
    }

    /// The label of a verdict; a verdict of another label set reads `?`.
    #[must_use]
    pub fn word(&self, verdict: Verdict) -> &str {
        self.0.get(verdict.index()).map_or("?", String::as_str)
    }

    /// All labels, in declared order.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.0
    }
}
