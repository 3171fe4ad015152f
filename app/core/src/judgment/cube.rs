//! The judgment cube: the verdict of every hybrid, in mask order (docs/theory.md §1.2).

use super::source::Mask;
use super::verdict::Verdict;

/// The executed table `Q`: 2^k cells in mask order; `None` where the hybrid could not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cube {
    sources: usize,
    cells: Vec<Option<Verdict>>,
}

impl Cube {
    /// A cube over `sources` sources; `None` unless there are exactly 2^sources cells and at most
    /// [`crate::limits::SOURCES`] sources.
    #[must_use]
    pub fn new(sources: usize, cells: Vec<Option<Verdict>>) -> Option<Self> {
        (sources <= crate::limits::SOURCES && cells.len() == 1 << sources).then_some(Self { sources, cells })
    }

    /// k, the number of sources.
    #[must_use]
    pub const fn sources(&self) -> usize {
        self.sources
    }

    /// All cells in mask order.
    #[must_use]
    pub fn cells(&self) -> &[Option<Verdict>] {
        &self.cells
    }

    /// The cell of a hybrid; `None` where it could not run.
    #[must_use]
    pub fn cell(&self, mask: Mask) -> Option<Verdict> {
        self.cells.get(mask.0 as usize).copied().flatten()
    }

    /// Old and new endpoint, Q(∅) and Q(K).
    #[must_use]
    pub fn endpoints(&self) -> (Option<Verdict>, Option<Verdict>) {
        (self.cell(Mask::EMPTY), self.cell(Mask::full(self.sources)))
    }

    /// Whether every hybrid ran.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.cells.iter().all(Option::is_some)
    }
}
