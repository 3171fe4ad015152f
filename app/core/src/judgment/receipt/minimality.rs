//! The proof that a receipt is minimal: the executed verdicts of all its strict subsets (docs/theory.md §1.4, L4).

use crate::judgment::cube::Cube;
use crate::judgment::result::Family;
use crate::judgment::source::Mask;
use crate::judgment::verdict::Verdict;

/// The minimality proof of one member. The 2^|S| − 1 subsets are read off the cube when asked for, not stored.
#[derive(Debug, Clone, Copy)]
pub struct Minimality<'c> {
    cube: &'c Cube,
    member: Mask,
}

/// The minimality proof of every member of a family, in the family's order.
pub fn minimality<'c>(cube: &'c Cube, family: &'c Family) -> impl Iterator<Item = Minimality<'c>> {
    family.members().iter().map(move |&member| Minimality::new(cube, member))
}

impl<'c> Minimality<'c> {
    /// The proof for `member`, whether or not it holds: a certificate's claimed member may turn out not to be minimal.
    #[must_use]
    pub const fn new(cube: &'c Cube, member: Mask) -> Self {
        Self { cube, member }
    }

    /// The member.
    #[must_use]
    pub const fn member(&self) -> Mask {
        self.member
    }

    /// Every strict subset with its executed verdict, ascending by mask, the empty set first; `None` where the hybrid
    /// did not run.
    pub fn subsets(&self) -> impl Iterator<Item = (Mask, Option<Verdict>)> + use<'c> {
        let cube = self.cube;
        self.member.strict_subsets().map(move |subset| (subset, cube.cell(subset)))
    }

    /// Whether the member gives `target` and none of its strict subsets does, all of them having run (L4).
    #[must_use]
    pub fn holds(&self, target: Verdict) -> bool {
        self.cube.cell(self.member) == Some(target)
            && self.subsets().all(|(_, verdict)| verdict.is_some_and(|v| v != target))
    }
}
