//! Lifted evaluation: every node once over all hybrids instead of once per hybrid.
//!
//! The cells of a cube are the bits of a word (of many words beyond six sources). An atom is evaluated once per
//! combination of old and new of just the sources that it reads, one or two as a rule, and spread over the cells; a
//! Boolean node is a few bit operations on the word of cells where it holds and the word of cells where it errs.

use std::ops::ControlFlow;

use super::interpret::{Scope, holds};
use super::node::NameId;
use super::program::{Atom, Operand, Operation, Program, Slot};
use crate::judgment::value::Value;
use crate::watch::Watch;

/// The source of names that no source gives: the context.
pub const FIXED: u8 = 31;

/// Which of 64 cells take each source in its revised version. Sources from the seventh on have one version throughout a
/// block of 64 cells.
#[derive(Debug, Clone)]
pub struct Masks([u64; 32]);

impl Masks {
    /// How many sources tell the cells of one block apart.
    pub const WITHIN: usize = 6;

    /// The masks of the `block`-th 64 cells in mask order.
    #[must_use]
    pub fn block(block: u32) -> Self {
        let mut masks = [0; 32];
        masks[..Self::WITHIN].copy_from_slice(&[
            0xAAAA_AAAA_AAAA_AAAA,
            0xCCCC_CCCC_CCCC_CCCC,
            0xF0F0_F0F0_F0F0_F0F0,
            0xFF00_FF00_FF00_FF00,
            0xFFFF_0000_FFFF_0000,
            0xFFFF_FFFF_0000_0000,
        ]);
        for (above, mask) in masks[Self::WITHIN..FIXED as usize].iter_mut().enumerate() {
            if above < 32 && block >> above & 1 == 1 {
                *mask = u64::MAX;
            }
        }
        Self(masks)
    }

    /// The cells that take `source` in its revised version; none for [`FIXED`].
    #[inline]
    #[must_use]
    pub const fn of(&self, source: u8) -> u64 {
        self.0[(source & 31) as usize]
    }
}

/// Where a Boolean node holds and where it errs; the two never overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bits {
    /// Cells where it holds.
    pub holds: u64,
    /// Cells where it errs.
    pub errs: u64,
}

/// The typed inputs of a cube: for every name its old and new value and the source that gives it.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'i> {
    /// Old and new slot of each name.
    pub slots: &'i [[Slot; 2]],
    /// The source of each name, or [`FIXED`].
    pub sources: &'i [u8],
    /// Old and new value of each name, for atoms that do not fit in slots.
    pub values: &'i [[Option<Value>; 2]],
    /// Told of the work that such atoms take. When it asks to stop, what is left of them errs, and the cells mean nothing.
    pub watch: &'i dyn Watch,
}

impl Inputs<'_> {
    #[inline]
    fn source(&self, id: NameId) -> u8 {
        self.sources.get(usize::from(id.0)).copied().unwrap_or(FIXED)
    }

    #[inline]
    fn name(&self, id: NameId) -> ([Slot; 2], u8) {
        (self.slots.get(usize::from(id.0)).copied().unwrap_or([Slot::ABSENT; 2]), self.source(id))
    }

    #[inline]
    fn operand(&self, operand: Operand) -> ([Slot; 2], u8) {
        match operand {
            Operand::Name(id) => self.name(id),
            Operand::Literal(slot) => ([slot; 2], FIXED),
        }
    }
}

/// Values of one hybrid: bit *i* of `cell` picks the version of source *i*.
struct Hybrid<'h> {
    inputs: &'h Inputs<'h>,
    cell: u32,
}

impl Scope for Hybrid<'_> {
    fn value(&self, name: NameId) -> Option<&Value> {
        let version = (self.cell >> self.inputs.source(name) & 1) as usize;
        self.inputs.values.get(usize::from(name.0))?[version].as_ref()
    }

    fn spend(&self, steps: u64) -> ControlFlow<()> {
        self.inputs.watch.spend(steps)
    }
}

/// Space for intermediate results, kept from run to run.
#[derive(Debug, Clone, Default)]
pub struct Registers(Vec<Bits>);

#[inline]
const fn spread(truth: bool) -> u64 {
    (truth as u64).wrapping_neg()
}

impl Program {
    /// Evaluates the condition over the cells of one block. Allocates only when `registers` is still too small.
    #[inline]
    #[must_use]
    pub fn run(&self, inputs: &Inputs<'_>, masks: &Masks, registers: &mut Registers) -> Bits {
        registers.0.clear();
        for operation in &self.operations {
            let bits = self.step(*operation, inputs, masks, &registers.0);
            registers.0.push(bits);
        }
        registers.0.last().copied().unwrap_or_default()
    }

    /// As [`Program::run`] for the block after the one that `registers` still hold: only what reads a source of `flipped`
    /// (those whose version differs between the two blocks) is evaluated again.
    #[must_use]
    pub fn rerun(&self, inputs: &Inputs<'_>, masks: &Masks, registers: &mut Registers, flipped: u32) -> Bits {
        if registers.0.len() != self.operations.len() {
            return self.run(inputs, masks, registers);
        }
        let mut stale = vec![false; self.operations.len()];
        for (at, operation) in self.operations.iter().enumerate() {
            stale[at] = match *operation {
                Operation::Always(_) => false,
                Operation::Has(id) => flipped >> inputs.source(id) & 1 == 1,
                Operation::Order { atom, .. }
                | Operation::Same { atom, .. }
                | Operation::Member { atom, .. }
                | Operation::Interpret { atom } => {
                    let names = self.atoms.get(usize::from(atom)).map_or(&[][..], |a| &a.names);
                    names.iter().any(|id| flipped >> inputs.source(*id) & 1 == 1)
                }
                Operation::Not(a) => stale[usize::from(a)],
                Operation::And(a, b) | Operation::Or(a, b) => stale[usize::from(a)] || stale[usize::from(b)],
            };
            if stale[at] {
                registers.0[at] = self.step(*operation, inputs, masks, &registers.0);
            }
        }
        registers.0.last().copied().unwrap_or_default()
    }

    #[inline]
    fn step(&self, operation: Operation, inputs: &Inputs<'_>, masks: &Masks, done: &[Bits]) -> Bits {
        let register = |at: u16| done.get(usize::from(at)).copied().unwrap_or_default();
        let (bits, atom) = match operation {
            Operation::Always(truth) => return Bits { holds: spread(truth), errs: 0 },
            Operation::Has(id) => {
                let ([old, new], source) = inputs.name(id);
                let mask = masks.of(source);
                // A wide value is there, too: only the denominator zero says absent.
                let holds = spread(old.denominator != 0) & !mask | spread(new.denominator != 0) & mask;
                return Bits { holds, errs: 0 };
            }
            Operation::Not(a) => {
                let a = register(a);
                return Bits { holds: !(a.holds | a.errs), errs: a.errs };
            }
            Operation::And(a, b) => {
                let (a, b) = (register(a), register(b));
                // An error survives unless the other side is false.
                let holds = a.holds & b.holds;
                return Bits { holds, errs: (a.holds | a.errs) & (b.holds | b.errs) & !holds };
            }
            Operation::Or(a, b) => {
                let (a, b) = (register(a), register(b));
                let holds = a.holds | b.holds;
                return Bits { holds, errs: (a.errs | b.errs) & !holds };
            }
            Operation::Order { op, a, b, atom } => {
                (binary(inputs.operand(a), inputs.operand(b), masks, |a, b| op.holds(a.order(b))), atom)
            }
            Operation::Same { equal, a, b, atom } => {
                (binary(inputs.operand(a), inputs.operand(b), masks, |a, b| (a.number == b.number) == equal), atom)
            }
            Operation::Member { item, set, atom } => {
                let within = |item: Slot, set: Slot| {
                    // Texts without a bit are in no set that is a mask.
                    (0..64).contains(&item.number) && set.number as u64 >> item.number & 1 == 1
                };
                (binary(inputs.operand(item), inputs.operand(set), masks, within), atom)
            }
            Operation::Interpret { atom } => (None, atom),
        };
        match bits {
            Some(holds) => Bits { holds, errs: 0 },
            None => self.atoms.get(usize::from(atom)).map_or_else(Bits::default, |a| interpreted(a, inputs, masks)),
        }
    }
}

/// An atom of two operands over the cells: two evaluations where it reads one source, four where it reads two. `None`
/// where a slot does not hold its value.
#[inline(always)]
fn binary(
    ([a_old, a_new], a_source): ([Slot; 2], u8),
    ([b_old, b_new], b_source): ([Slot; 2], u8),
    masks: &Masks,
    test: impl Fn(Slot, Slot) -> bool,
) -> Option<u64> {
    if !(a_old.is_held() & a_new.is_held() & b_old.is_held() & b_new.is_held()) {
        return None;
    }
    let split = |mask: u64, old: bool, new: bool| spread(old) & !mask | spread(new) & mask;
    let (a_mask, b_mask) = (masks.of(a_source), masks.of(b_source));
    Some(if a_source == b_source {
        split(a_mask, test(a_old, b_old), test(a_new, b_new))
    } else if b_source == FIXED {
        split(a_mask, test(a_old, b_old), test(a_new, b_old))
    } else if a_source == FIXED {
        split(b_mask, test(a_old, b_old), test(a_old, b_new))
    } else {
        let old = split(a_mask, test(a_old, b_old), test(a_new, b_old));
        let new = split(a_mask, test(a_old, b_new), test(a_new, b_new));
        old & !b_mask | new & b_mask
    })
}

/// An atom by interpretation, once per combination of the sources that it reads.
#[cold]
fn interpreted(atom: &Atom, inputs: &Inputs<'_>, masks: &Masks) -> Bits {
    let sources = atom.names.iter().map(|id| inputs.source(*id)).filter(|s| *s < FIXED);
    combine(atom, inputs, masks, sources.fold(0, |all, s| all | 1 << s), 0)
}

/// `left` are the sources whose version is still to be picked, `cell` the versions picked so far.
fn combine(atom: &Atom, inputs: &Inputs<'_>, masks: &Masks, left: u32, cell: u32) -> Bits {
    if left == 0 {
        return match holds(&atom.node, &Hybrid { inputs, cell }) {
            Ok(truth) => Bits { holds: spread(truth), errs: 0 },
            Err(_) => Bits { holds: 0, errs: u64::MAX },
        };
    }
    let source = left.trailing_zeros();
    let mask = masks.of(source as u8);
    let side = |cell| combine(atom, inputs, masks, left & (left - 1), cell);
    match mask {
        0 => side(cell),
        u64::MAX => side(cell | 1 << source),
        _ => {
            let (old, new) = (side(cell), side(cell | 1 << source));
            Bits { holds: old.holds & !mask | new.holds & mask, errs: old.errs & !mask | new.errs & mask }
        }
    }
}
