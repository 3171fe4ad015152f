//! The typed inputs of a case and what forbids hybrids: every version is checked against the interface before anything
//! runs, and fields that several sources give are united.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::missing::Found;
use super::scope::TypedInputs;
use crate::judgment::case::{Action, Case, CompatibilityStep};
use crate::judgment::compat::{self, StepFault};
use crate::judgment::expr::{FIXED, NameId, Origin, Slot, Texts};
use crate::judgment::interface::{Checked, Interface, Misfit, Mismatch, check};
use crate::judgment::remark::Remark;
use crate::judgment::result::{Fault, Stage};
use crate::judgment::source::{Mask, Role, Version};
use crate::judgment::value::Value;
use crate::nearest::meant;
use crate::seal::json::{Json, JsonPath};

/// Most conflicts that are told one by one; beyond it only those that forbid further hybrids are kept.
const CONFLICTS: usize = 4096;
/// Most undeclared keys of a version among which a renamed field is looked for.
pub(super) const RENAMES: usize = 64;
/// Most absent fields among which the one that was meant is looked for.
const NEAR: usize = 256;

/// Hybrids that take all of `when` are no well-typed input.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Conflict {
    pub(super) when: Vec<(usize, Version)>,
    pub(super) source: Option<usize>,
    pub(super) field: Option<String>,
    pub(super) reason: String,
    /// Steps that would repair it, in order.
    pub(super) repair: Vec<CompatibilityStep>,
}

impl Conflict {
    pub(super) fn is_in(&self, cell: Mask) -> bool {
        self.when.iter().all(|&(source, version)| cell.version(source) == version)
    }

    pub(super) fn fault(&self, cell: Mask) -> Fault {
        Fault {
            cell,
            source: self.source.map(|s| (s, cell.version(s))),
            field: self.field.clone(),
            reason: self.reason.clone(),
            stage: Stage::Interface,
            repair: self.repair.clone(),
            place: None,
        }
    }
}

/// Collects inputs and conflicts of a case.
pub(super) struct Collector<'c> {
    pub(super) case: &'c Case,
    pub(super) interface: &'c Interface,
    pub(super) inputs: TypedInputs,
    pub(super) conflicts: Vec<Conflict>,
    /// The hybrids that conflicts forbid so far.
    forbidden: BTreeSet<Vec<(usize, Version)>>,
    pub(super) remarks: Vec<Remark>,
    /// Names that did not fit in a version: they are faulty there, not missing.
    misfits: BTreeMap<NameId, Vec<(usize, Version)>>,
}

impl<'c> Collector<'c> {
    pub(super) fn new(case: &'c Case, interface: &'c Interface) -> Self {
        let n = interface.fields().len();
        let inputs = TypedInputs {
            slots: Vec::new(),
            sources: vec![FIXED; n],
            values: vec![[None, None]; n],
            tangled: BTreeMap::new(),
        };
        Self {
            case,
            interface,
            inputs,
            conflicts: Vec::new(),
            forbidden: BTreeSet::new(),
            remarks: Vec::new(),
            misfits: BTreeMap::new(),
        }
    }

    /// Whether a conflict of these hybrids would only repeat, beyond any use, that they are forbidden.
    fn is_told(&self, when: &[(usize, Version)]) -> bool {
        self.conflicts.len() >= CONFLICTS && self.forbidden.contains(when)
    }

    fn push(&mut self, conflict: Conflict) {
        if !self.is_told(&conflict.when) {
            self.forbidden.insert(conflict.when.clone());
            self.conflicts.push(conflict);
        }
    }

    /// The context is the same in every hybrid.
    pub(super) fn context(&mut self) {
        let checked = check(self.interface, Origin::Context, self.case.context());
        for Mismatch { field, misfit, .. } in checked.mismatches {
            self.context_conflict(field, misfit.to_string());
        }
        for (id, value) in checked.values {
            if let Some(both) = self.inputs.values.get_mut(usize::from(id.0)) {
                *both = [Some(value.clone()), Some(value)];
            }
        }
        let mut lacking = Vec::new();
        for (field, value) in self.interface.fields().iter().zip(&self.inputs.values) {
            let bad = self.conflicts.iter().any(|c| c.field.as_deref() == Some(&*field.name));
            if field.origin == Origin::Context && !field.optional && value[0].is_none() && !bad {
                let reason = "the interface declares this context field, the context lacks it".to_owned();
                let field = Some(field.name.to_string());
                lacking.push(Conflict { when: Vec::new(), source: None, field, reason, repair: Vec::new() });
            }
        }
        lacking.into_iter().for_each(|conflict| self.push(conflict));
    }

    fn context_conflict(&mut self, field: String, reason: String) {
        self.push(Conflict { when: Vec::new(), source: None, field: Some(field), reason, repair: Vec::new() });
    }

    /// One version of a grounds source, or the parameters of a norms source.
    pub(super) fn fields(&mut self, source: usize, version: Version, origin: Origin, entries: &[(String, Json)]) {
        let name = &self.case.sources()[source].name;
        let steps: Vec<&CompatibilityStep> =
            self.case.compatibility().iter().filter(|s| s.version == version && s.source == *name).collect();
        let (entries, faults) = compat::apply(&steps, entries);
        // What a proposal would mend is not proposed again.
        let mut proposed = BTreeSet::new();
        for fault in faults {
            let field = fault.field().to_owned();
            if let StepFault::Proposal { field } = &fault {
                if let Some(id) = self.interface.env().find(Some(origin), field) {
                    self.misfits.entry(id).or_default().push((source, version));
                }
                proposed.insert(field.clone());
            }
            self.conflict(source, version, field, Misfit::Step(fault), None);
        }
        let Checked { values, mismatches, unknown, notices } = check(self.interface, origin, &entries);
        for (id, value) in values {
            self.put(id, source, version, value);
        }
        for Mismatch { field, misfit, repair } in mismatches.into_iter().filter(|m| !proposed.contains(&m.field)) {
            if let Some(id) = self.interface.env().find(Some(origin), &field) {
                self.misfits.entry(id).or_default().push((source, version));
            }
            self.conflict(source, version, field, misfit, repair);
        }
        if !(unknown.is_empty() && notices.is_empty()) {
            let mut at = JsonPath::default().key("sources").at(source).key(version.word());
            if origin == Origin::Parameters {
                at = at.key("parameters");
            }
            let given: BTreeSet<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
            let fields = self.interface.fields();
            let absent = fields.iter().filter(|f| f.origin == origin && !given.contains(&*f.name));
            let absent: Vec<&str> = absent.map(|f| &*f.name).take(NEAR).collect();
            for (n, key) in unknown.into_iter().enumerate() {
                let meant = if n < RENAMES { meant(&key, absent.iter().copied()) } else { String::new() };
                let text = format!("`{key}` is not declared in the interface and is not used{meant}");
                self.remarks.push(Remark { path: at.key(&key), text });
            }
            self.remarks.extend(notices.into_iter().map(|text| Remark { path: at.clone(), text }));
        }
    }

    /// Steps for an authority source have nothing to act on: told, not passed over.
    pub(super) fn no_steps(&mut self, source: usize) {
        let case = self.case;
        for step in case.compatibility().iter().filter(|s| s.source == case.sources()[source].name) {
            let (word, field) = match &step.action {
                Action::Rename { from, .. } => ("rename", from),
                Action::Convert { field, .. } => ("convert", field),
                Action::Map { field, .. } => ("map", field),
                Action::Default { field, .. } => ("default", field),
            };
            let fault = StepFault::NoField { step: word, field: field.clone() };
            self.conflict(source, step.version, field.clone(), Misfit::Step(fault), None);
        }
    }

    fn conflict(&mut self, source: usize, version: Version, field: String, misfit: Misfit, repair: Option<Action>) {
        let repair = repair.map(|action| self.step(source, version, action)).into_iter().collect();
        let when = vec![(source, version)];
        let reason = misfit.to_string();
        self.push(Conflict { when, source: Some(source), field: Some(field), reason, repair });
    }

    fn step(&self, source: usize, version: Version, action: Action) -> CompatibilityStep {
        CompatibilityStep { source: self.case.sources()[source].name.clone(), version, action }
    }

    fn put(&mut self, id: NameId, source: usize, version: Version, value: Value) {
        let at = usize::from(id.0);
        let owner = self.inputs.sources[at];
        if owner == FIXED || usize::from(owner) == source {
            self.inputs.sources[at] = source as u8;
            self.inputs.values[at][version as usize] = Some(value);
        } else {
            self.inputs.tangled.entry(id).or_default().push((source, version, value));
        }
    }

    /// Who gives a name: source and version, in order of sources.
    pub(super) fn givers(&self, id: NameId) -> Vec<(usize, Version)> {
        let at = usize::from(id.0);
        let owner = usize::from(self.inputs.sources[at]);
        let own =
            Version::BOTH.into_iter().filter(|v| self.inputs.values[at][*v as usize].is_some()).map(|v| (owner, v));
        let others = self.inputs.tangled.get(&id).into_iter().flatten().map(|t| (t.0, t.1));
        let bad = self.misfits.get(&id).into_iter().flatten().copied();
        let mut givers: Vec<_> = own.chain(others).chain(bad).collect();
        givers.sort_unstable();
        givers.dedup();
        givers
    }

    /// After all versions: names that no source of their role gives, and names that two give.
    pub(super) fn unite(&mut self) {
        let mut found = Found::new();
        for (at, field) in self.interface.fields().iter().enumerate() {
            let role = match field.origin {
                Origin::Grounds => Role::Grounds,
                Origin::Parameters => Role::Norms,
                Origin::Context => continue,
            };
            // The common case: one source gives it in both versions.
            let complete = self.inputs.values[at].iter().all(Option::is_some);
            if complete && self.inputs.is_plain() && self.misfits.is_empty() {
                continue;
            }
            let id = NameId(at as u16);
            let givers = self.givers(id);
            if !field.optional {
                self.missing(&mut found, at, role, &givers);
            }
            for (i, a) in givers.iter().enumerate() {
                for b in givers[..i].iter().filter(|b| b.0 != a.0) {
                    self.twice(&format!("the field `{}`", field.name), &field.name, *b, *a);
                }
            }
        }
    }

    fn missing(&mut self, found: &mut Found, at: usize, role: Role, givers: &[(usize, Version)]) {
        let mut when = Vec::new();
        for source in self.case.in_role(role) {
            let lacks: Vec<Version> = Version::BOTH.into_iter().filter(|v| !givers.contains(&(source, *v))).collect();
            match lacks.as_slice() {
                [] => return,
                [version] => when.push((source, *version)),
                _ => {}
            }
        }
        let blamed: Vec<(usize, Version)> = match when.last() {
            Some(one) => vec![*one],
            // Missing everywhere: each version of the first source needs its own repair.
            None => self.case.in_role(role).take(1).flat_map(|s| Version::BOTH.map(|v| (s, v))).collect(),
        };
        for (source, version) in blamed {
            let field = &self.interface.fields()[at];
            let (more, actions) = self.remedy(found, at, source, version);
            let repair = actions.into_iter().map(|action| self.step(source, version, action)).collect();
            let when = if when.is_empty() { vec![(source, version)] } else { when.clone() };
            let field = Some(field.name.to_string());
            let reason = Misfit::Missing.to_string() + &more;
            self.push(Conflict { when, source: Some(source), field, reason, repair });
        }
    }

    /// Two sources give one thing in one hybrid.
    pub(super) fn twice(&mut self, what: &str, field: &str, a: (usize, Version), b: (usize, Version)) {
        if self.is_told(&[a, b]) {
            return;
        }
        let reason = format!("{what} is given by `{}`, too", self.case.sources()[a.0].name);
        let field = Some(field.to_owned());
        self.push(Conflict { when: vec![a, b], source: Some(b.0), field, reason, repair: Vec::new() });
    }

    /// Fills the slots once every text of the conditions has its number. Texts that neither interface nor conditions
    /// mention are equal to none of them; among themselves they are numbered here.
    pub(super) fn fill(&mut self, texts: &Texts) {
        const OWN: u32 = 1 << 30;
        let mut own: BTreeMap<Arc<str>, u32> = BTreeMap::new();
        let mut number = |text: &Arc<str>| {
            texts.number(text).unwrap_or_else(|| {
                let next = OWN + own.len() as u32;
                *own.entry(Arc::clone(text)).or_insert(next)
            })
        };
        let mut slot = |value: &Option<Value>| value.as_ref().map_or(Slot::ABSENT, |v| Slot::of(v, &mut number));
        self.inputs.slots = self.inputs.values.iter().map(|[old, new]| [slot(old), slot(new)]).collect();
    }
}
