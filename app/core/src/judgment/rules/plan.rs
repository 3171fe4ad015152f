//! Jurisdiction and merits lifted over all hybrids: each condition is evaluated once, then every priority level is a few
//! bit operations on the words of cells that each label claims.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::sync::Arc;

use super::body::{Grant, Norms, Reach, Rule};
use super::cache::Compiled;
use crate::judgment::expr::{Bits, Inputs, Masks, Registers};
use crate::judgment::source::Version;
use crate::judgment::verdict::{Labels, Verdict};

/// The cells in which a rule or a grant is there at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    /// Both versions of its source have it alike.
    Always,
    /// One version has it.
    In(u8, Version),
}

impl Presence {
    #[inline]
    fn bits(self, masks: &Masks) -> u64 {
        match self {
            Self::Always => u64::MAX,
            Self::In(source, Version::New) => masks.of(source),
            Self::In(source, Version::Old) => !masks.of(source),
        }
    }
}

#[derive(Debug)]
struct PlannedRule {
    when: Arc<Compiled>,
    presence: Presence,
    then: Verdict,
    priority: i64,
    /// Positions of the grants that name it, within `Plan::reach`.
    grants: Range<usize>,
}

#[derive(Debug)]
struct PlannedGrant {
    when: Option<Arc<Compiled>>,
    presence: Presence,
    /// Whether it covers every rule and the default.
    all: bool,
}

/// The rules of a case prepared for the lifted evaluation.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// By priority, highest first.
    rules: Vec<PlannedRule>,
    /// Grants whose context matches.
    grants: Vec<PlannedGrant>,
    /// Grant positions, referred to by ranges.
    reach: Vec<u32>,
    defaults: Vec<(Presence, Verdict)>,
    default_grants: Range<usize>,
    labels: usize,
    approve: Option<Verdict>,
    deny: Option<Verdict>,
    refer: Option<Verdict>,
}

/// Space for intermediate words and for the result, kept from run to run.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    registers: Vec<Registers>,
    grants: Vec<u64>,
    merits: Vec<u64>,
    level: Vec<u64>,
    decided: Vec<u64>,
}

impl Scratch {
    /// After a run: for every label the cells that it got.
    #[must_use]
    pub fn decided(&self) -> &[u64] {
        &self.decided
    }
}

impl Plan {
    pub(super) fn new(labels: &Labels) -> Self {
        Self {
            labels: labels.words().len(),
            approve: labels.verdict("approve"),
            deny: labels.verdict("deny"),
            refer: labels.verdict("refer"),
            ..Self::default()
        }
    }

    /// Adds everything: both versions of every norms and of every authority source.
    pub(super) fn fill(&mut self, norms: &[(usize, [Norms; 2])], authority: &[(usize, [Arc<[Grant]>; 2])]) {
        let mut named: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        let mut default_grants = Vec::new();
        for (source, versions) in authority {
            // Grants that match differ only in condition and reach, and conditions of one text are one condition.
            let mut places: BTreeMap<(Option<*const Compiled>, &Reach), usize> = BTreeMap::new();
            for version in Version::BOTH {
                for grant in versions[version as usize].iter().filter(|g| g.matches) {
                    let presence = Presence::In(*source as u8, version);
                    let at = self.grants.len();
                    match places.entry((grant.when.as_ref().map(Arc::as_ptr), &grant.reach)) {
                        Entry::Occupied(known) => {
                            let known = &mut self.grants[*known.get()];
                            if known.presence != presence {
                                known.presence = Presence::Always;
                            }
                        }
                        Entry::Vacant(free) => {
                            free.insert(at);
                            let all = grant.reach.all;
                            self.grants.push(PlannedGrant { when: grant.when.clone(), presence, all });
                            // `*` covers whatever else is named beside it.
                            if !all {
                                grant.reach.ids.iter().for_each(|id| named.entry(id).or_default().push(at as u32));
                                default_grants.extend(grant.reach.default.then_some(at as u32));
                            }
                        }
                    }
                }
            }
        }
        let mut rules: Vec<(&Rule, Presence)> = Vec::new();
        for (source, [old, new]) in norms {
            let alike = Arc::ptr_eq(&old.rules, &new.rules);
            for (version, body, other) in [(Version::Old, old, new), (Version::New, new, old)] {
                let ids = other.rules.iter().filter(|_| !alike).map(|r| (&*r.id, r));
                let others: BTreeMap<&str, &Rule> = ids.collect();
                for rule in &*body.rules {
                    let both = alike || others.get(&*rule.id).is_some_and(|r| r.is_same(rule));
                    if both && version == Version::New {
                        continue;
                    }
                    let presence = if both { Presence::Always } else { Presence::In(*source as u8, version) };
                    rules.push((rule, presence));
                }
                if let Some(then) = body.default {
                    self.defaults.push((Presence::In(*source as u8, version), then));
                }
            }
        }
        rules.sort_by_key(|(rule, _)| std::cmp::Reverse(rule.priority));
        let mut ranges: BTreeMap<&str, Range<usize>> = BTreeMap::new();
        for (id, grants) in named {
            let start = self.reach.len();
            self.reach.extend(grants);
            ranges.insert(id, start..self.reach.len());
        }
        for (rule, presence) in rules {
            self.rules.push(PlannedRule {
                when: Arc::clone(&rule.when),
                presence,
                then: rule.then,
                priority: rule.priority,
                grants: ranges.get(&*rule.id).cloned().unwrap_or_default(),
            });
        }
        let start = self.reach.len();
        self.reach.extend(default_grants);
        self.default_grants = start..self.reach.len();
    }

    /// Steps that a run over one block takes, beside the atoms that are interpreted.
    pub(super) fn effort(&self) -> u64 {
        let rules = self.rules.iter().map(|rule| 1 + rule.when.program.len());
        let grants = self.grants.iter().map(|grant| 1 + grant.when.as_ref().map_or(0, |when| when.program.len()));
        let levels = self.rules.chunk_by(|a, b| a.priority == b.priority).count();
        let words = rules.chain(grants).sum::<usize>() + self.reach.len() + (levels + 1) * self.labels;
        2 + 2 * words as u64
    }

    /// Decides the cells of one block; [`Scratch::decided`] then holds for each label the cells that it got. Cells of no
    /// label have a fault. `flipped` are the sources whose version differs from the block before, `None` for a first.
    pub(super) fn run(&self, inputs: &Inputs<'_>, masks: &Masks, scratch: &mut Scratch, flipped: Option<u32>) {
        let conditions = self.rules.len() + self.grants.len();
        if flipped.is_some() && scratch.registers.len() < conditions {
            scratch.registers.resize(conditions, Registers::default());
        } else if scratch.registers.is_empty() {
            scratch.registers.push(Registers::default());
        }
        let evaluate = |when: &Compiled, at: usize, registers: &mut [Registers]| -> Bits {
            match (flipped, registers) {
                (Some(flipped), registers) => match registers.get_mut(at) {
                    Some(own) => when.program.rerun(inputs, masks, own, flipped),
                    None => Bits::default(),
                },
                (None, [shared, ..]) => when.program.run(inputs, masks, shared),
                (None, []) => Bits::default(),
            }
        };
        let (mut errs, mut everywhere) = (0, 0);
        scratch.grants.clear();
        for (at, grant) in self.grants.iter().enumerate() {
            let presence = grant.presence.bits(masks);
            let granted = match &grant.when {
                None => presence,
                Some(when) => {
                    let bits = evaluate(when, self.rules.len() + at, &mut scratch.registers);
                    errs |= bits.errs & presence;
                    bits.holds & presence
                }
            };
            if grant.all {
                everywhere |= granted;
            }
            scratch.grants.push(granted);
        }
        let mut would_decide = 0;
        scratch.merits.clear();
        for (at, rule) in self.rules.iter().enumerate() {
            let presence = rule.presence.bits(masks);
            let bits = evaluate(&rule.when, at, &mut scratch.registers);
            errs |= bits.errs & presence;
            let merits = bits.holds & presence;
            would_decide |= merits;
            scratch.merits.push(merits & (everywhere | self.granted(&rule.grants, &scratch.grants)));
        }
        let defaults = everywhere | self.granted(&self.default_grants, &scratch.grants);
        // Cells without a fault, and of these the cells that are left to the default.
        let open = !errs;
        self.decide(masks, scratch, open, open & !would_decide & defaults);
    }

    fn granted(&self, range: &Range<usize>, grants: &[u64]) -> u64 {
        let reach = self.reach.get(range.clone()).unwrap_or_default();
        reach.iter().fold(0, |cells, &grant| cells | grants.get(grant as usize).copied().unwrap_or(0))
    }

    /// `open` are the cells to decide, `default` those of them in which no rule holds and the default has jurisdiction.
    fn decide(&self, masks: &Masks, scratch: &mut Scratch, mut open: u64, mut default: u64) {
        let Scratch { merits, level, decided, .. } = scratch;
        decided.clear();
        decided.resize(self.labels, 0);
        let mut at = 0;
        // 1. The highest priority at which a rule holds and has jurisdiction decides.
        while at < self.rules.len() && open != 0 {
            let priority = self.rules[at].priority;
            level.clear();
            level.resize(self.labels, 0);
            while let Some(rule) = self.rules.get(at).filter(|r| r.priority == priority) {
                if let (Some(cells), Some(merits)) = (level.get_mut(rule.then.index()), merits.get(at)) {
                    *cells |= merits & open;
                }
                at += 1;
            }
            // On a tie deny overrides approve; any other tie is a fault.
            if let (Some(approve), Some(deny)) = (self.approve, self.deny) {
                level[approve.index()] &= !level[deny.index()];
            }
            let (mut once, mut tied) = (0, 0);
            for cells in level.iter() {
                tied |= once & cells;
                once |= cells;
            }
            for (all, cells) in decided.iter_mut().zip(level.iter()) {
                *all |= cells & !tied;
            }
            open &= !once;
        }
        // 2. A rule holds, but none that holds has jurisdiction. 3. Else the default, where it has jurisdiction.
        for (presence, then) in &self.defaults {
            let cells = default & presence.bits(masks);
            if let Some(all) = decided.get_mut(then.index()) {
                *all |= cells;
            }
            default &= !cells;
            open &= !cells;
        }
        if let Some(all) = self.refer.and_then(|refer| decided.get_mut(refer.index())) {
            *all |= open;
        }
    }
}
