//! Engine `rules`: jurisdiction and merits over typed conditions (docs/formats/case.md C26 to C45).
//!
//! `J` are the rules with a grant that matches, `M` the rules whose condition holds. If `J ∩ M` is not empty its highest
//! priority decides; else, if `M` is not empty, a norm would decide but may not: `refer`; else the default disposition
//! where a grant covers it, otherwise `refer`. The order of rules and grants in the file never matters.

mod body;
mod cache;
mod inputs;
mod missing;
mod never;
mod plain;
mod plan;
mod scope;
mod silence;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use self::body::{At, BodyReader, Grant, Norms};
pub use self::cache::{Cache, Compiled};
use self::inputs::{Collector, Conflict};
use self::plan::Plan;
pub use self::plan::Scratch;
use self::scope::TypedInputs;
use super::adjudicator::{Adjudicator, Executed};
use super::case::{Case, CaseFault};
use super::cube::Cube;
use super::expr::{Masks, Origin};
use super::remark::Remark;
use super::result::Fault;
use super::source::{Mask, Role, Version};
use super::trace::{Trace, TraceBody};
use super::verdict::Verdict;
use crate::limits::{FAULT_BYTES, FAULTS};
use crate::nearest::meant;
use crate::seal::json::{Json, JsonPath};
use crate::watch::{Cancelled, Unwatched, Watch};

/// Most rules among which a misspelled one is looked for.
const NEAR: usize = 256;

/// A norms source, by its position, with both versions.
type NormsOf = (usize, [Norms; 2]);
/// An authority source, by its position, with both versions.
type Authority = (usize, [Arc<[Grant]>; 2]);

/// A case prepared for execution: bodies read, conditions compiled, every version type-checked.
#[derive(Debug)]
pub struct Rules<'c> {
    case: &'c Case,
    inputs: TypedInputs,
    conflicts: Vec<Conflict>,
    norms: Vec<NormsOf>,
    authority: Vec<Authority>,
    plan: Plan,
    remarks: Vec<Remark>,
}

/// Prepares a case of engine `rules`.
///
/// # Errors
/// [`CaseFault`] where the interface, a body's shape or a condition cannot be read, with its place. A version that does
/// not fit the interface is no error: its hybrids have faults then.
pub fn prepare<'c>(case: &'c Case, cache: &mut Cache) -> Result<Rules<'c>, CaseFault> {
    let entry = cache.entry(case.interface(), case.interface_digest(), case.context())?;
    let interface = Arc::clone(&entry.interface);
    let mut remarks = interface.notices().to_vec();
    let mut collector = Collector::new(case, &interface);
    collector.context();
    let (mut norms, mut authority) = (Vec::new(), Vec::new());
    let top = At::top("sources");
    let mut reader = BodyReader { entry, labels: case.labels(), context: case.context(), remarks: &mut remarks };
    for (index, source) in case.sources().iter().enumerate() {
        let here = top.index(index);
        let (old, new) = (&source.old.json, &source.new.json);
        match source.role {
            Some(Role::Grounds) => {
                for version in Version::BOTH {
                    let body = source.version(version).json.as_map().unwrap_or_default();
                    collector.fields(index, version, Origin::Grounds, body);
                }
            }
            Some(Role::Norms) => {
                for version in Version::BOTH {
                    let at = here.key(version.word());
                    match source.version(version).json.get("parameters") {
                        None => collector.fields(index, version, Origin::Parameters, &[]),
                        Some(Json::Map(entries)) => collector.fields(index, version, Origin::Parameters, entries),
                        Some(other) => {
                            let at = at.key("parameters").path();
                            return Err(CaseFault::kind(&at, "an object of parameters", other));
                        }
                    }
                }
                let first = reader.norms(old, &here.key("old"), None)?;
                let second = reader.norms(new, &here.key("new"), Some((old, &first)))?;
                norms.push((index, [first, second]));
            }
            Some(Role::Authority) => {
                collector.no_steps(index);
                let first = reader.grants(old, &here.key("old"))?;
                let second = if old == new { Arc::clone(&first) } else { reader.grants(new, &here.key("new"))? };
                authority.push((index, [first, second]));
            }
            None => {}
        }
    }
    remark_strangers(&norms, &authority, &mut remarks);
    silence::remarks(case, &norms, &authority, &mut remarks);
    collector.unite();
    unite_norms(&norms, &mut collector);
    collector.fill(&entry.texts);
    let Collector { inputs, mut conflicts, remarks: more, .. } = collector;
    conflicts.sort_by(|a, b| (a.source, &a.field, &a.when).cmp(&(b.source, &b.field, &b.when)));
    let mut plan = Plan::new(case.labels());
    plan.fill(&norms, &authority);
    remarks.extend(more);
    Ok(Rules { case, inputs, conflicts, norms, authority, plan, remarks })
}

/// Grants for a rule that no version of the norms has: a misspelled id takes jurisdiction away in silence.
fn remark_strangers(norms: &[NormsOf], authority: &[Authority], remarks: &mut Vec<Remark>) {
    // Most grants name no rule at all.
    if authority.iter().flat_map(|(_, versions)| versions).all(|body| body.iter().all(|g| g.reach.ids.is_empty())) {
        return;
    }
    let rules = norms.iter().flat_map(|(_, versions)| versions).flat_map(|body| &*body.rules);
    let ids: BTreeSet<&str> = rules.map(|rule| &*rule.id).collect();
    for (source, versions) in authority {
        for version in Version::BOTH {
            for (index, grant) in versions[version as usize].iter().enumerate() {
                for id in grant.reach.ids.iter().filter(|id| !ids.contains(id.as_str())) {
                    let at = JsonPath::default().key("sources").at(*source).key(version.word());
                    let meant = meant(id, ids.iter().copied().take(NEAR));
                    let text = format!("no version of the norms has a rule `{id}`{meant}");
                    remarks.push(Remark { path: at.key("grants").at(index).key("norm"), text });
                }
            }
        }
    }
}

/// Rules of one id, or two defaults, that two norms sources give in one hybrid.
fn unite_norms(norms: &[NormsOf], collector: &mut Collector<'_>) {
    if norms.len() < 2 {
        return;
    }
    let mut givers: BTreeMap<Option<&str>, Vec<(usize, Version)>> = BTreeMap::new();
    for (source, versions) in norms {
        for version in Version::BOTH {
            let body = &versions[version as usize];
            let default = body.default.map(|_| None);
            for id in body.rules.iter().map(|r| Some(&*r.id)).chain(default) {
                givers.entry(id).or_default().push((*source, version));
            }
        }
    }
    for (id, givers) in &givers {
        for (i, b) in givers.iter().enumerate() {
            for a in givers[..i].iter().filter(|a| a.0 != b.0) {
                match id {
                    Some(id) => collector.twice(&format!("the rule `{id}`"), id, *a, *b),
                    None => collector.twice("the default", "default", *a, *b),
                }
            }
        }
    }
}

impl Rules<'_> {
    /// Decides the cells of one block of 64 at once. [`Scratch::decided`] then holds, for every label, the cells that it
    /// got; only cells that are in the cube and run at all mean something. For one-block cubes this is the whole
    /// execution, without any allocation once `scratch` has grown.
    pub fn lift(&self, masks: &Masks, scratch: &mut Scratch) {
        self.plan.run(&self.inputs.lifted(&Unwatched), masks, scratch, None);
    }

    /// The cells of a block in which a conflict forbids the hybrid.
    fn forbidden(&self, masks: &Masks) -> u64 {
        self.conflicts.iter().fold(0, |all, conflict| {
            let cells = conflict.when.iter().fold(u64::MAX, |cells, (source, version)| {
                let new = masks.of(*source as u8);
                cells & if *version == Version::New { new } else { !new }
            });
            all | cells
        })
    }

    /// All cells lifted, block by block.
    fn lifted(&self, watch: &dyn Watch) -> Result<(Vec<Option<Verdict>>, u64), Cancelled> {
        let total = 1_usize << self.case.k();
        let within = total.min(64);
        let mut cells = vec![None; total];
        let mut executed = 0;
        let mut scratch = Scratch::default();
        let blocks = (total / within) as u32;
        let (inputs, effort) = (self.inputs.lifted(watch), self.plan.effort() + self.conflicts.len() as u64);
        for block in 0..blocks {
            if watch.step(u64::from(block) * within as u64, total as u64).is_break() {
                return Err(Cancelled);
            }
            let masks = Masks::block(block);
            let flipped =
                (blocks > 1).then(|| if block == 0 { u32::MAX } else { (block ^ (block - 1)) << Masks::WITHIN });
            self.plan.run(&inputs, &masks, &mut scratch, flipped);
            if watch.spend(effort).is_break() {
                return Err(Cancelled);
            }
            let inside = if within == 64 { u64::MAX } else { (1 << within) - 1 };
            let runs = inside & !self.forbidden(&masks);
            executed += u64::from(runs.count_ones());
            let start = block as usize * within;
            for (label, words) in scratch.decided().iter().enumerate() {
                let mut left = words & runs;
                while left != 0 {
                    cells[start + left.trailing_zeros() as usize] = Verdict::from_index(label);
                    left &= left - 1;
                }
            }
        }
        Ok((cells, executed))
    }

    /// All cells hybrid by hybrid: the oracle, and the way for cases in which two sources give one name.
    fn interpreted(&self, watch: &dyn Watch) -> Result<(Vec<Option<Verdict>>, u64), Cancelled> {
        let total = 1_u32 << self.case.k();
        let mut executed = 0;
        let mut cells = Vec::with_capacity(total as usize);
        let effort = self.plain_effort();
        for cell in (0..total).map(Mask) {
            if watch.step(u64::from(cell.0), u64::from(total)).is_break() {
                return Err(Cancelled);
            }
            let runs = !self.conflicts.iter().any(|c| c.is_in(cell));
            executed += u64::from(runs);
            cells.push(if runs { self.plain(cell, watch).outcome.ok() } else { None });
            if watch.spend(effort).is_break() {
                return Err(Cancelled);
            }
        }
        Ok((cells, executed))
    }

    /// Steps that one hybrid takes by plain interpretation, beside its conditions: every rule, every grant and what it
    /// names, every conflict is looked at.
    fn plain_effort(&self) -> u64 {
        let rules = self.norms.iter().flat_map(|(_, versions)| versions).map(|body| body.rules.len());
        let grants = self.authority.iter().flat_map(|(_, versions)| versions).flat_map(|grants| &**grants);
        let looks = rules.sum::<usize>() + grants.map(|grant| 1 + grant.reach.ids.len()).sum::<usize>();
        (32 + 32 * looks + self.conflicts.len()) as u64
    }

    fn faults(&self, cells: &[Option<Verdict>], watch: &dyn Watch) -> Result<Vec<Fault>, Cancelled> {
        let (mut faults, mut bytes) = (Vec::new(), 0);
        let effort = self.plain_effort();
        let empty = cells.iter().enumerate().filter(|(_, cell)| cell.is_none());
        for cell in empty.map(|(i, _)| Mask(i as u32)) {
            if watch.step(u64::from(cell.0), cells.len() as u64).is_break() {
                return Err(Cancelled);
            }
            let before = faults.len();
            faults.extend(self.conflicts.iter().filter(|c| c.is_in(cell)).map(|c| c.fault(cell)));
            if faults.len() == before {
                let mut own = self.plain(cell, watch).outcome.err().unwrap_or_default();
                own.sort_by(|a, b| (a.source, &a.field).cmp(&(b.source, &b.field)));
                faults.extend(own);
            }
            if watch.spend(effort).is_break() {
                return Err(Cancelled);
            }
            bytes += faults.iter().skip(before).map(Fault::bytes).sum::<usize>();
            if faults.len() >= FAULTS || bytes >= FAULT_BYTES {
                break;
            }
        }
        faults.truncate(FAULTS);
        Ok(faults)
    }

    fn finish(&self, (cells, executed): (Vec<Option<Verdict>>, u64), watch: &dyn Watch) -> Result<Executed, Cancelled> {
        let complete = cells.iter().all(Option::is_some);
        let faults = if complete { Vec::new() } else { self.faults(&cells, watch)? };
        // A read case has at most as many sources as a cube, so that the cube always exists.
        let cube = Cube::new(self.case.k(), cells).ok_or(Cancelled)?;
        Ok(Executed { cube, faults, executed })
    }

    /// Executes every hybrid by plain interpretation: slow, and equal to [`Adjudicator::execute`].
    ///
    /// # Errors
    /// [`Cancelled`] when the watch asked to stop.
    pub fn execute_plainly(&self, watch: &dyn Watch) -> Result<Executed, Cancelled> {
        self.finish(self.interpreted(watch)?, watch)
    }
}

impl Adjudicator for Rules<'_> {
    fn execute(&self, watch: &dyn Watch) -> Result<Executed, Cancelled> {
        let cells = if self.inputs.is_plain() { self.lifted(watch)? } else { self.interpreted(watch)? };
        self.finish(cells, watch)
    }

    fn trace(&self, cell: Mask) -> Trace {
        let conflicts: Vec<Fault> = self.conflicts.iter().filter(|c| c.is_in(cell)).map(|c| c.fault(cell)).collect();
        if !conflicts.is_empty() {
            return Trace { cell, outcome: Err(conflicts), body: TraceBody::NotRun };
        }
        let plain = self.plain(cell, &Unwatched);
        let body = TraceBody::Rules(self.account(cell, &plain));
        Trace { cell, outcome: plain.outcome, body }
    }

    fn remarks(&self) -> &[Remark] {
        &self.remarks
    }
}
