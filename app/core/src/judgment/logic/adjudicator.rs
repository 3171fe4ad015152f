//! The engine: hybrids of facts, rules and authority, each decided by forward chaining (docs/formats/case.md C48,
//! docs/theory.md §1.2).

use std::collections::{BTreeMap, BTreeSet};

use super::chain::{Closure, Ground, STEPS, Stop};
use super::read::{Body, Input, Program};
use super::remarks::{idle, predicates, remarks, silence};
use crate::judgment::adjudicator::{Adjudicator, Executed};
use crate::judgment::case::{Case, CaseFault};
use crate::judgment::compat::refuse_steps;
use crate::judgment::cube::Cube;
use crate::judgment::remark::Remark;
use crate::judgment::result::{Fault, Stage};
use crate::judgment::source::{Mask, Version};
use crate::judgment::trace::{LogicTrace, ProofNode, Trace, TraceBody};
use crate::judgment::verdict::{Labels, Verdict};
use crate::limits::{DERIVED_ATOMS, FAULTS};
use crate::seal::json::JsonPath;
use crate::watch::{Cancelled, Unwatched, Watch};

/// Most nodes of a proof that a trace carries: a proof is a graph, and drawn as a tree it may be exponentially larger.
const PROOF_NODES: usize = 4096;
/// Most levels of a proof that a trace carries: trees are walked and dropped by recursion.
const PROOF_LEVELS: usize = 256;
/// Steps of work that a row matched, a fact taken up, and a rule or an id looked at count as.
const MATCH: u64 = 60;
const FACT: u64 = 120;
const LOOKED_AT: u64 = 20;
/// Most decided inputs that are remembered.
const REMEMBERED: usize = 1 << 20;

/// A case of engine `logic`, read and interned.
#[derive(Debug)]
pub struct Logic {
    program: Program,
    labels: Labels,
    /// Sources whose facts differ between the versions.
    facts_differ: u32,
    remarks: Vec<Remark>,
}

/// What the query came to in one hybrid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Approve,
    Deny,
    /// No authoritative rule concludes the query's predicate, and the query is no fact.
    Refer,
    TooManyAtoms,
    TooManySteps,
}

/// What decides a hybrid: its facts, by the versions that matter, and the rules it may use.
type Effective = (u32, Vec<usize>);

/// Reads a case of engine `logic`.
///
/// # Errors
/// [`CaseFault`] with the place in the document, when a body is not what the engine reads.
pub fn prepare(case: &Case) -> Result<Logic, CaseFault> {
    refuse_steps(case, "engine `logic` does not have")?;
    answers(case)?;
    let sources = case.sources().iter();
    let sources = sources.filter_map(|s| Some((s.role?, [&s.old.json, &s.new.json])));
    let input = Input {
        sources: sources.collect(),
        query: case.context().iter().find(|(key, _)| key == "query").map(|(_, value)| value),
        predicates: case.interface().get("predicates"),
    };
    let logic = Logic::read(&input, case.labels().clone())?;
    let mut remarks = remarks(case);
    predicates(case, &logic.program, &mut remarks);
    idle(case, &logic.program, &mut remarks);
    silence(case, &logic.program, &mut remarks);
    Ok(Logic { remarks, ..logic })
}

/// Every case of the engine may end in `approve` or `deny`; `refer` is asked for where it is needed.
fn answers(case: &Case) -> Result<(), CaseFault> {
    let lacks = ["approve", "deny"].into_iter().find(|word| case.labels().verdict(word).is_none());
    lacks.map_or(Ok(()), |word| {
        let path = JsonPath::default().key("interface").key("verdicts");
        let what = format!("engine `logic` answers approve, deny or refer; the labels lack `{word}`");
        Err(CaseFault::new(path, what, "Leave `verdicts` out, or list these three."))
    })
}

impl Logic {
    pub(super) fn read(input: &Input<'_>, labels: Labels) -> Result<Self, CaseFault> {
        let program = Program::read(input)?;
        let differ = program.sources.iter().enumerate().filter(|(_, [old, new])| old.facts != new.facts);
        let facts_differ = differ.fold(0, |mask, (i, _)| mask | Mask::single(i).0);
        Ok(Self { program, labels, facts_differ, remarks: Vec::new() })
    }

    /// The bodies of a hybrid, with source and version.
    fn bodies(&self, cell: Mask) -> impl Iterator<Item = (usize, Version, &Body)> {
        self.program.sources.iter().enumerate().map(move |(i, pair)| {
            let version = cell.version(i);
            (i, version, &pair[version as usize])
        })
    }

    /// Steps that a hybrid takes before anything is chained: every rule, every listed id and every breach is looked at.
    fn effort(&self, cell: Mask) -> u64 {
        let looks = self.bodies(cell).map(|(_, _, b)| b.rules.len() + b.authoritative.len() + b.breaches.len());
        1 + LOOKED_AT * looks.sum::<usize>() as u64
    }

    /// Why a hybrid is no well-typed input, by source: predicates against the interface, rule ids that occur twice.
    fn incompatibilities(&self, cell: Mask) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut seen = BTreeSet::new();
        for (source, version, body) in self.bodies(cell) {
            let mut fault = |field: &str, reason: String| {
                if faults.len() >= FAULTS {
                    return;
                }
                faults.push(Fault {
                    cell,
                    source: Some((source, version)),
                    field: Some(field.to_owned()),
                    reason,
                    stage: Stage::Interface,
                    repair: Vec::new(),
                    place: None,
                });
            };
            for (field, breach) in &body.breaches {
                fault(field, breach.clone());
            }
            for &rule in &body.rules {
                let id = self.program.rules[rule].id.as_str();
                if !seen.insert(id) {
                    fault(id, format!("rule id `{id}` occurs twice in this hybrid"));
                }
            }
        }
        faults
    }

    /// The rules of a hybrid that its authority lists, ascending.
    fn authoritative(&self, cell: Mask) -> Vec<usize> {
        let listed: BTreeSet<&str> =
            self.bodies(cell).flat_map(|(_, _, b)| &b.authoritative).map(String::as_str).collect();
        let rules = self.bodies(cell).flat_map(|(_, _, b)| &b.rules).copied();
        let mut rules: Vec<usize> = rules.filter(|&r| listed.contains(self.program.rules[r].id.as_str())).collect();
        rules.sort_unstable();
        rules
    }

    fn facts(&self, cell: Mask) -> BTreeSet<Ground> {
        self.bodies(cell).flat_map(|(_, _, b)| &b.facts).cloned().collect()
    }

    /// Decides the query over a hybrid's facts and authoritative rules.
    fn decide(&self, closure: &mut Closure, rules: &[usize], watch: &dyn Watch) -> Result<Answer, Cancelled> {
        let query = &self.program.query;
        if closure.find(query).is_some() {
            return Ok(Answer::Approve);
        }
        if !rules.iter().any(|&r| self.concludes(r)) {
            return Ok(Answer::Refer);
        }
        match closure.chain(&self.program.rules, rules, query, STEPS, &mut |steps| watch.spend(MATCH * steps)) {
            Ok(()) if closure.find(query).is_some() => Ok(Answer::Approve),
            Ok(()) => Ok(Answer::Deny),
            Err(Stop::Cancelled) => Err(Cancelled),
            Err(Stop::Atoms) => Ok(Answer::TooManyAtoms),
            Err(Stop::Steps) => Ok(Answer::TooManySteps),
        }
    }

    /// Whether a rule concludes the query's predicate (name and number of terms).
    fn concludes(&self, rule: usize) -> bool {
        self.program.rules[rule].conclusion.predicate == self.program.query.predicate
    }

    fn verdict(&self, cell: Mask, answer: Answer) -> Result<Verdict, Box<Fault>> {
        let fault = |reason: String| {
            Box::new(Fault {
                cell,
                source: None,
                field: None,
                reason,
                stage: Stage::Execution,
                repair: Vec::new(),
                place: None,
            })
        };
        let word = match answer {
            Answer::Approve => "approve",
            Answer::Deny => "deny",
            Answer::Refer => "refer",
            Answer::TooManyAtoms => {
                return Err(fault(format!("forward chaining derives more than {DERIVED_ATOMS} atoms")));
            }
            Answer::TooManySteps => {
                return Err(fault(format!("forward chaining takes more than {STEPS} steps of matching")));
            }
        };
        let missing = || {
            let what = format!("the verdict is `{word}`, which is not a label of the interface");
            fault(format!("{what}; add it to `interface.verdicts`"))
        };
        self.labels.verdict(word).ok_or_else(missing)
    }

    /// The proof of a row as a tree; beyond the bounds a derived node is shown without its premises.
    fn proof(&self, cell: Mask, closure: &Closure, row: usize, levels: usize, budget: &mut usize) -> ProofNode {
        let known = &closure.rows[row];
        let mut node = ProofNode {
            atom: self.program.text(&known.atom),
            rule: None,
            source: 0,
            depth: known.depth,
            premises: Vec::new(),
        };
        let holder = |holds: &dyn Fn(&Body) -> bool| {
            self.bodies(cell).find(|(_, _, body)| holds(body)).map_or(0, |(source, ..)| source)
        };
        match &known.derivation {
            None => node.source = holder(&|body| body.facts.binary_search(&known.atom).is_ok()),
            Some(derivation) => {
                node.rule = Some(self.program.rules[derivation.rule].id.clone());
                node.source = holder(&|body| body.rules.contains(&derivation.rule));
                if levels > 0 && *budget >= derivation.premises.len() {
                    *budget -= derivation.premises.len();
                    let premises = derivation.premises.iter();
                    node.premises = premises.map(|&p| self.proof(cell, closure, p, levels - 1, budget)).collect();
                }
            }
        }
        node
    }

    fn concluding(&self, cell: Mask, authoritative: &[usize]) -> Vec<(String, bool)> {
        let rules: BTreeSet<usize> = self.bodies(cell).flat_map(|(_, _, b)| &b.rules).copied().collect();
        let rules = rules.into_iter().filter(|&r| self.concludes(r));
        rules.map(|r| (self.program.rules[r].id.clone(), authoritative.contains(&r))).collect()
    }
}

impl Adjudicator for Logic {
    fn execute(&self, watch: &dyn Watch) -> Result<Executed, Cancelled> {
        let sources = self.program.sources.len();
        let total = 1_u64 << sources.min(crate::limits::SOURCES);
        let mut cells = Vec::new();
        let mut faults = Vec::new();
        let mut executed = 0;
        // Hybrids with the same facts and the same usable rules have the same answer; each is chained once.
        let mut answers: BTreeMap<Effective, Answer> = BTreeMap::new();
        for (done, cell) in (0..total).zip((0..).map(Mask)) {
            if watch.step(done, total).is_break() || watch.spend(self.effort(cell)).is_break() {
                return Err(Cancelled);
            }
            let incompatible = self.incompatibilities(cell);
            if !incompatible.is_empty() {
                faults.extend(incompatible.into_iter().take(FAULTS - faults.len()));
                cells.push(None);
                continue;
            }
            executed += 1;
            let effective = (cell.0 & self.facts_differ, self.authoritative(cell));
            let answer = match answers.get(&effective) {
                Some(&answer) => answer,
                None => {
                    let facts = self.facts(cell);
                    if watch.spend(FACT * facts.len() as u64).is_break() {
                        return Err(Cancelled);
                    }
                    let mut closure = Closure::of_facts(facts);
                    let answer = self.decide(&mut closure, &effective.1, watch)?;
                    if answers.len() >= REMEMBERED {
                        answers.clear();
                    }
                    answers.insert(effective, answer);
                    answer
                }
            };
            match self.verdict(cell, answer) {
                Ok(verdict) => cells.push(Some(verdict)),
                Err(fault) => {
                    faults.extend((faults.len() < FAULTS).then_some(*fault));
                    cells.push(None);
                }
            }
        }
        let _ = watch.step(total, total);
        // A case has at most `limits::SOURCES` sources, so there is a cube; were there none, nothing is handed out.
        let cube = Cube::new(sources, cells).ok_or(Cancelled)?;
        Ok(Executed { cube, faults, executed })
    }

    fn trace(&self, cell: Mask) -> Trace {
        let incompatible = self.incompatibilities(cell);
        if !incompatible.is_empty() {
            return Trace { cell, outcome: Err(incompatible), body: TraceBody::NotRun };
        }
        let rules = self.authoritative(cell);
        let mut closure = Closure::of_facts(self.facts(cell));
        // Nobody watches a single hybrid, so it is never cancelled; were it, it would count as too long.
        let answer = self.decide(&mut closure, &rules, &Unwatched);
        let answer = answer.unwrap_or(Answer::TooManySteps);
        let proof = closure.find(&self.program.query);
        let body = LogicTrace {
            query: self.program.text(&self.program.query),
            proof: proof.map(|row| self.proof(cell, &closure, row, PROOF_LEVELS, &mut { PROOF_NODES - 1 })),
            concluding: self.concluding(cell, &rules),
            derived: closure.derived(),
        };
        let outcome = self.verdict(cell, answer).map_err(|fault| vec![*fault]);
        Trace { cell, outcome, body: TraceBody::Logic(body) }
    }

    fn remarks(&self) -> &[Remark] {
        &self.remarks
    }
}
