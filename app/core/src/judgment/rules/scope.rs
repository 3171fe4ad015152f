//! The typed values of a case's names, and those that one hybrid gives them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::judgment::expr::{FIXED, Inputs, NameId, Scope, Slot};
use crate::judgment::source::{Mask, Version};
use crate::judgment::value::Value;
use crate::watch::Watch;

/// Typed values of all names. A name has one source as a rule; where two sources give it, which forbids some hybrids, the
/// further values are kept aside and the case is executed hybrid by hybrid.
#[derive(Debug, Default)]
pub(super) struct TypedInputs {
    pub(super) slots: Vec<[Slot; 2]>,
    pub(super) sources: Vec<u8>,
    pub(super) values: Vec<[Option<Value>; 2]>,
    pub(super) tangled: BTreeMap<NameId, Vec<(usize, Version, Value)>>,
}

impl TypedInputs {
    pub(super) fn lifted<'i>(&'i self, watch: &'i dyn Watch) -> Inputs<'i> {
        Inputs { slots: &self.slots, sources: &self.sources, values: &self.values, watch }
    }

    /// Whether every name has one source, so that the lifted evaluation applies.
    pub(super) fn is_plain(&self) -> bool {
        self.tangled.is_empty()
    }

    pub(super) const fn hybrid<'i>(&'i self, cell: Mask, watch: &'i dyn Watch) -> HybridScope<'i> {
        HybridScope { inputs: self, cell, watch }
    }
}

/// The values of one hybrid.
#[derive(Debug, Clone, Copy)]
pub(super) struct HybridScope<'i> {
    inputs: &'i TypedInputs,
    cell: Mask,
    watch: &'i dyn Watch,
}

impl Scope for HybridScope<'_> {
    fn value(&self, name: NameId) -> Option<&Value> {
        let at = usize::from(name.0);
        let source = *self.inputs.sources.get(at)?;
        let version = usize::from(source != FIXED && self.cell.contains(usize::from(source)));
        let own = self.inputs.values.get(at)?[version].as_ref();
        own.or_else(|| {
            let others = self.inputs.tangled.get(&name)?;
            others.iter().find(|(source, version, _)| self.cell.version(*source) == *version).map(|(_, _, value)| value)
        })
    }

    fn spend(&self, steps: u64) -> ControlFlow<()> {
        self.watch.spend(steps)
    }
}
