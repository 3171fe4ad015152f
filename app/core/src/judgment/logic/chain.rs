//! Semi-naive forward chaining in synchronous rounds, with proofs of least depth.
//!
//! Round *r* derives exactly the atoms whose shallowest proof has depth *r*: a new atom needs at least one premise of
//! the round before. Of several such proofs the one with the smallest rule id is kept, then the one with the smallest
//! premises, so that the proof does not depend on the order of rules or facts.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};

use crate::limits::DERIVED_ATOMS;

/// Most steps of one hybrid, rows matched and indices looked up: a join that derives nothing must end as well, within
/// seconds.
pub(super) const STEPS: u64 = 10_000_000;
/// Steps between two looks at the watch.
const LOOK: u64 = 1 << 12;

/// A ground atom, by numbers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ground {
    pub predicate: usize,
    pub terms: Box<[usize]>,
}

/// A term of a rule's atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Constant(usize),
    Variable(usize),
}

/// An atom of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    pub predicate: usize,
    pub slots: Vec<Slot>,
}

/// A rule; every variable of its conclusion occurs in a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    pub id: String,
    pub conditions: Vec<Pattern>,
    pub conclusion: Pattern,
    /// Number of variables.
    pub variables: usize,
}

/// Why chaining ended without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The watch asked to stop.
    Cancelled,
    /// More than [`DERIVED_ATOMS`] atoms.
    Atoms,
    /// More steps than allowed.
    Steps,
}

/// A known atom.
#[derive(Debug)]
pub(super) struct Row {
    pub atom: Ground,
    /// 0 for a fact, else the round that derived it.
    pub depth: usize,
    /// The rule (a position in the rule list) and its premises (rows); `None` for a fact.
    pub derivation: Option<Derivation>,
}

/// How an atom was derived.
#[derive(Debug)]
pub(super) struct Derivation {
    pub rule: usize,
    pub premises: Box<[usize]>,
}

/// Known atoms and their proofs. Rows of one round stand together, later rounds behind earlier ones.
#[derive(Debug, Default)]
pub(super) struct Closure {
    pub rows: Vec<Row>,
    facts: usize,
    numbers: BTreeMap<Ground, usize>,
    /// Rows of each predicate, ascending.
    by_predicate: BTreeMap<usize, Vec<usize>>,
    /// Rows of each predicate with the given constant at the given position, ascending.
    by_constant: BTreeMap<(usize, usize, usize), Vec<usize>>,
}

impl Closure {
    /// The facts alone; ascending and each once.
    pub(super) fn of_facts(facts: impl IntoIterator<Item = Ground>) -> Self {
        let mut closure = Self::default();
        for atom in facts {
            closure.push(Row { atom, depth: 0, derivation: None });
        }
        closure.facts = closure.rows.len();
        closure
    }

    /// The row of an atom.
    pub(super) fn find(&self, atom: &Ground) -> Option<usize> {
        self.numbers.get(atom).copied()
    }

    /// How many atoms were derived beyond the facts.
    pub(super) const fn derived(&self) -> usize {
        self.rows.len() - self.facts
    }

    /// Applies rules, round by round, until `goal` is known or nothing new follows. `rules` are those that may be used
    /// (positions in `all`, ascending), `most` the steps that this may take; `look` is told of them as they are taken.
    ///
    /// The bounds are checked against whole rounds, the goal after them, so that neither depends on the order of rules.
    pub(super) fn chain(
        &mut self,
        all: &[Rule],
        rules: &[usize],
        goal: &Ground,
        most: u64,
        look: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), Stop> {
        let (mut steps, mut told) = (0, 0);
        let mut fresh_from = 0;
        // Only conditions whose predicate is fresh can match anything new; a long chain of rules has few of them a round.
        let mut pivots: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for &number in rules {
            for (pivot, condition) in all[number].conditions.iter().enumerate() {
                pivots.entry(condition.predicate).or_default().push((number, pivot));
            }
        }
        for depth in 1.. {
            let delta = fresh_from..self.rows.len();
            let fresh: BTreeSet<usize> = self.rows[delta.clone()].iter().map(|row| row.atom.predicate).collect();
            let mut due: Vec<(usize, usize)> = fresh.iter().filter_map(|p| pivots.get(p)).flatten().copied().collect();
            due.sort_unstable();
            let mut round = Round {
                closure: self,
                delta: delta.clone(),
                found: BTreeMap::new(),
                steps,
                told,
                most,
                look: &mut *look,
            };
            if depth == 1 {
                for &number in rules.iter().filter(|&&n| all[n].conditions.is_empty()) {
                    round.conclude(&Join::of(number, &all[number], 0))?;
                }
            }
            for (number, pivot) in due {
                round.extend(&mut Join::of(number, &all[number], pivot))?;
            }
            let found = std::mem::take(&mut round.found);
            (steps, told) = (round.steps, round.told);
            if found.is_empty() {
                break;
            }
            fresh_from = delta.end;
            for (atom, derivation) in found {
                self.push(Row { atom, depth, derivation: Some(derivation) });
            }
            if self.numbers.contains_key(goal) {
                break;
            }
        }
        if look(steps - told).is_break() { Err(Stop::Cancelled) } else { Ok(()) }
    }

    fn push(&mut self, row: Row) {
        let number = self.rows.len();
        self.by_predicate.entry(row.atom.predicate).or_default().push(number);
        for (position, &constant) in row.atom.terms.iter().enumerate() {
            self.by_constant.entry((row.atom.predicate, position, constant)).or_default().push(number);
        }
        self.numbers.insert(row.atom.clone(), number);
        self.rows.push(row);
    }

    /// The shortest list of rows in `range` that can match a pattern under a binding: an index holds every position
    /// that is bound.
    fn candidates(&self, pattern: &Pattern, binding: &[Option<usize>], range: &Range<usize>) -> &[usize] {
        let within = |rows: Option<&'_ Vec<usize>>| -> Range<usize> {
            rows.map_or(0..0, |r| r.partition_point(|n| *n < range.start)..r.partition_point(|n| *n < range.end))
        };
        let mut list = self.by_predicate.get(&pattern.predicate);
        let mut part = within(list);
        for (position, slot) in pattern.slots.iter().enumerate() {
            let constant = match *slot {
                Slot::Constant(c) => Some(c),
                Slot::Variable(v) => binding[v],
            };
            if let Some(constant) = constant {
                let rows = self.by_constant.get(&(pattern.predicate, position, constant));
                let here = within(rows);
                if here.len() < part.len() {
                    (list, part) = (rows, here);
                }
            }
        }
        list.map_or(&[], |rows| &rows[part])
    }

    fn premises(&self, derivation: &Derivation) -> impl Iterator<Item = &Ground> {
        derivation.premises.iter().map(|&p| &self.rows[p].atom)
    }
}

/// One round: all consequences that use at least one atom of the round before.
struct Round<'c> {
    closure: &'c Closure,
    /// Rows of the round before.
    delta: Range<usize>,
    found: BTreeMap<Ground, Derivation>,
    steps: u64,
    /// Those of them that the watch was told of.
    told: u64,
    most: u64,
    look: &'c mut dyn FnMut(u64) -> ControlFlow<()>,
}

/// A join under way.
struct Join<'r> {
    number: usize,
    rule: &'r Rule,
    /// The condition that must match the round before. Those in front of it match older rows only, so that no
    /// combination comes twice.
    pivot: usize,
    binding: Vec<Option<usize>>,
    premises: Vec<Option<usize>>,
}

impl<'r> Join<'r> {
    fn of(number: usize, rule: &'r Rule, pivot: usize) -> Self {
        let (binding, premises) = (vec![None; rule.variables], vec![None; rule.conditions.len()]);
        Self { number, rule, pivot, binding, premises }
    }
}

impl Round<'_> {
    /// Rows that a condition may match in this round.
    const fn range(&self, condition: usize, pivot: usize) -> Range<usize> {
        if condition == pivot {
            self.delta.start..self.delta.end
        } else if condition < pivot {
            0..self.delta.start
        } else {
            0..self.delta.end
        }
    }

    fn extend(&mut self, join: &mut Join<'_>) -> Result<(), Stop> {
        let closure = self.closure;
        // The condition with the fewest candidates is matched next; the pivot starts.
        let open = (0..join.premises.len()).filter(|&c| join.premises[c].is_none());
        self.step(open.clone().map(|c| 1 + join.rule.conditions[c].slots.len() as u64).sum())?;
        let lists = open.map(|c| {
            let range = self.range(c, join.pivot);
            (c, closure.candidates(&join.rule.conditions[c], &join.binding, &range))
        });
        let started = join.premises.iter().any(Option::is_some);
        let Some((condition, rows)) = lists.min_by_key(|(c, l)| (!started && *c != join.pivot, l.len(), *c)) else {
            return self.conclude(join);
        };
        for &row in rows {
            self.step(1)?;
            let bound = bind(&join.rule.conditions[condition], &closure.rows[row].atom, &mut join.binding);
            if let Some(bound) = bound {
                join.premises[condition] = Some(row);
                self.extend(join)?;
                join.premises[condition] = None;
                bound.into_iter().for_each(|v| join.binding[v] = None);
            }
        }
        Ok(())
    }

    fn step(&mut self, count: u64) -> Result<(), Stop> {
        self.steps += count;
        let untold = self.steps - self.told;
        if untold >= LOOK {
            self.told = self.steps;
            if (self.look)(untold).is_break() {
                return Err(Stop::Cancelled);
            }
        }
        if self.steps > self.most { Err(Stop::Steps) } else { Ok(()) }
    }

    fn conclude(&mut self, join: &Join<'_>) -> Result<(), Stop> {
        let pattern = &join.rule.conclusion;
        let term = |slot: &Slot| match *slot {
            Slot::Constant(c) => Some(c),
            Slot::Variable(v) => join.binding[v],
        };
        // A rule is range-restricted, so nothing of its conclusion is left open here.
        let Some(terms) = pattern.slots.iter().map(term).collect::<Option<Box<[usize]>>>() else { return Ok(()) };
        let atom = Ground { predicate: pattern.predicate, terms };
        if self.closure.numbers.contains_key(&atom) {
            return Ok(());
        }
        let premises = join.premises.iter().copied().flatten().collect();
        let derivation = Derivation { rule: join.number, premises };
        match self.found.get_mut(&atom) {
            Some(kept) => {
                let order = derivation.rule.cmp(&kept.rule);
                if order.then_with(|| self.closure.premises(&derivation).cmp(self.closure.premises(kept))).is_lt() {
                    *kept = derivation;
                }
            }
            None => {
                self.found.insert(atom, derivation);
                if self.closure.derived() + self.found.len() > DERIVED_ATOMS {
                    return Err(Stop::Atoms);
                }
            }
        }
        Ok(())
    }
}

/// Matches a pattern with an atom: the variables newly bound, or `None` and the binding as it was.
fn bind(pattern: &Pattern, atom: &Ground, binding: &mut [Option<usize>]) -> Option<Vec<usize>> {
    let mut bound = Vec::new();
    for (slot, &constant) in pattern.slots.iter().zip(&atom.terms) {
        let expected = match *slot {
            Slot::Constant(c) => Some(c),
            Slot::Variable(v) => {
                if binding[v].is_none() {
                    bound.push(v);
                    binding[v] = Some(constant);
                }
                binding[v]
            }
        };
        if expected != Some(constant) {
            bound.into_iter().for_each(|v| binding[v] = None);
            return None;
        }
    }
    Some(bound)
}
