//! What executing a case gives: cube, receipt family, faults; and what follows from them.

use super::case::{CompatibilityStep, Place};
use super::cube::Cube;
use super::remark::Remark;
use super::source::{Mask, Version};
use super::verdict::{Labels, Verdict};
use crate::limits::FAULTS;
use crate::seal::digest::Digest;

/// How the cells came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obtained {
    /// The engine ran every hybrid.
    Executed,
    /// The cells were recorded elsewhere and are taken as given.
    Recorded,
}

impl Obtained {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Executed => "executed",
            Self::Recorded => "recorded",
        }
    }
}

/// The complete receipt family in canonical order: by size, then by mask (docs/theory.md §1.3). Always an antichain of
/// non-empty sets; only [`super::receipt::minimal_family`] makes one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Family(pub(super) Vec<Mask>);

impl Family {
    /// The members, by size, then by mask.
    #[must_use]
    pub fn members(&self) -> &[Mask] {
        &self.0
    }

    /// Reason complexity, min |S|; `None` for the empty family.
    #[must_use]
    pub fn complexity(&self) -> Option<usize> {
        self.0.first().map(|m| m.len())
    }

    /// Receipt multiplicity, |R|.
    #[must_use]
    pub fn multiplicity(&self) -> usize {
        self.0.len()
    }

    /// Whether more than one minimal replacement reproduces the new verdict.
    #[must_use]
    pub fn is_ambiguous(&self) -> bool {
        self.0.len() > 1
    }

    /// Whether `mask` is a member.
    #[must_use]
    pub fn contains(&self, mask: Mask) -> bool {
        self.0.contains(&mask)
    }
}

/// Result of a transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The endpoints differ; the family is complete.
    Changed(Family),
    /// The endpoints agree; no receipt is owed.
    Stable,
    /// At least one hybrid could not run; nothing is certified.
    Uncertifiable,
}

impl Outcome {
    /// The word in files.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Changed(_) => "changed",
            Self::Stable => "stable",
            Self::Uncertifiable => "uncertifiable",
        }
    }
}

/// Why a hybrid could not run or did not end in a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The hybrid.
    pub cell: Mask,
    /// The source at fault, by index, with the version this hybrid takes.
    pub source: Option<(usize, Version)>,
    /// The field, parameter, rule or grant at fault.
    pub field: Option<String>,
    /// Why, in words for a person.
    pub reason: String,
    /// Whether the hybrid was refused before anything ran (interface) or failed while running.
    pub stage: Stage,
    /// The compatibility steps that would repair it, in order: mostly one, a rename and what must follow it, or none.
    pub repair: Vec<CompatibilityStep>,
    /// Where the field stands in the source document, where whoever read it told ([`super::place::tell`]).
    pub place: Option<Place>,
}

/// When a fault arose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Type check of the hybrid against the interface: it never ran.
    Interface,
    /// Evaluation.
    Execution,
}

/// A judged case: everything that follows from executing all hybrids.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgment {
    /// The case's id.
    pub case: String,
    /// Content identifier of what was judged: an edited copy has the same id, and another digest.
    pub digest: Digest,
    /// Source names in declared order.
    pub sources: Vec<String>,
    /// The label set.
    pub labels: Labels,
    /// How the cells came about.
    pub obtained: Obtained,
    /// All cells.
    pub cube: Cube,
    /// Changed, stable or uncertifiable.
    pub outcome: Outcome,
    /// Faults, by cell, then by source; up to [`crate::limits::FAULTS`] of them.
    pub faults: Vec<Fault>,
    /// How many hybrids the engine executed to a verdict or a run-time fault.
    pub executed: u64,
    /// What the engine found odd about the bodies, but no fault; with the case's notices, the import account.
    pub remarks: Vec<Remark>,
}

impl Fault {
    /// Bytes of text that it holds.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.reason.len() + self.field.as_ref().map_or(0, String::len)
    }
}

impl Judgment {
    /// The label of a cell, or `None` where it did not run.
    #[must_use]
    pub fn word(&self, mask: Mask) -> Option<&str> {
        self.cube.cell(mask).map(|v| self.labels.word(v))
    }

    /// Cells without a verdict of which no fault is listed, where the list of faults is full; `None` where it holds all.
    #[must_use]
    pub fn unlisted(&self) -> Option<usize> {
        let last = self.faults.last()?.cell;
        // Faults are listed by cell, and each empty cell has one: what lies behind the last one was not looked at.
        let behind = self.cube.cells().iter().skip(last.0 as usize + 1).filter(|cell| cell.is_none()).count();
        (behind > 0 || self.faults.len() >= FAULTS).then_some(behind)
    }

    /// The receipt family; empty when stable, `None` when uncertifiable.
    #[must_use]
    pub fn family(&self) -> Option<Family> {
        match &self.outcome {
            Outcome::Changed(family) => Some(family.clone()),
            Outcome::Stable => Some(Family::default()),
            Outcome::Uncertifiable => None,
        }
    }

    /// Old and new endpoint.
    #[must_use]
    pub fn endpoints(&self) -> (Option<Verdict>, Option<Verdict>) {
        self.cube.endpoints()
    }

    /// Supersets of a receipt that fail to reproduce the new verdict, ascending: where the cube is not monotone.
    /// Closing the family upwards source by source takes k·2^k steps; asking every cell for every receipt would take
    /// hours for twenty sources.
    #[must_use]
    pub fn non_monotone(&self) -> Vec<Mask> {
        let Outcome::Changed(family) = &self.outcome else { return Vec::new() };
        let cells = self.cube.cells();
        let mut holds = vec![false; cells.len()];
        for member in family.members() {
            if let Some(slot) = holds.get_mut(member.0 as usize) {
                *slot = true;
            }
        }
        for source in 0..self.cube.sources() {
            for pair in holds.chunks_exact_mut(2 << source) {
                let (without, with) = pair.split_at_mut(1 << source);
                with.iter_mut().zip(without).for_each(|(upper, lower)| *upper |= *lower);
            }
        }
        let (_, new) = self.endpoints();
        let failing = holds.into_iter().zip(cells).zip(0..).filter(|&((held, &cell), _)| held && cell != new);
        failing.map(|(_, mask)| Mask(mask)).collect()
    }
}
