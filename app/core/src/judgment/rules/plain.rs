//! One hybrid by plain interpretation: the slow twin of the plan, which also tells why.

use std::collections::{BTreeMap, BTreeSet};

use super::Rules;
use super::body::{Grant, Rule};
use crate::judgment::expr::{EvalError, holds, trace as trace_condition};
use crate::judgment::result::{Fault, Stage};
use crate::judgment::source::{Mask, Version};
use crate::judgment::trace::{Decision, DefaultTrace, GrantTrace, RuleTrace, RulesTrace};
use crate::judgment::verdict::{Meaning, Verdict};
use crate::seal::json::Json;
use crate::watch::{Unwatched, Watch};

/// Most rules of a tie that are told by name: the fault may be told for many hybrids.
const TOLD: usize = 8;

/// How one hybrid ended.
pub(super) struct Plain<'r> {
    pub(super) decision: Decision,
    pub(super) outcome: Result<Verdict, Vec<Fault>>,
    /// Every rule: source, rule, whether it holds, the first grant that gives it jurisdiction.
    rules: Vec<RuleAt<'r>>,
    decisive: BTreeSet<&'r str>,
    default: Option<(Verdict, Option<GrantAt<'r>>)>,
}

type RuleAt<'r> = (usize, &'r Rule, Result<bool, EvalError>, Option<GrantAt<'r>>);

/// Source, position in it, grant.
type GrantAt<'r> = (usize, usize, &'r Grant);

/// The first grant, in order of sources, for whatever a hybrid's grants cover.
struct Granted<'r> {
    /// Of those that cover everything, with its place among all.
    everything: Option<(usize, GrantAt<'r>)>,
    named: BTreeMap<&'r str, (usize, GrantAt<'r>)>,
    default: Option<GrantAt<'r>>,
}

impl<'r> Granted<'r> {
    fn of(all: &[GrantAt<'r>]) -> Self {
        let mut first = Self { everything: None, named: BTreeMap::new(), default: None };
        for (place, at) in all.iter().enumerate() {
            let reach = &at.2.reach;
            if reach.all && first.everything.is_none() {
                first.everything = Some((place, *at));
            }
            if reach.covers_default() && first.default.is_none() {
                first.default = Some(*at);
            }
            for id in &reach.ids {
                first.named.entry(id).or_insert((place, *at));
            }
        }
        first
    }

    fn rule(&self, id: &str) -> Option<GrantAt<'r>> {
        let found = [self.everything, self.named.get(id).copied()];
        found.into_iter().flatten().min_by_key(|(place, _)| *place).map(|(_, at)| at)
    }
}

impl<'c> Rules<'c> {
    /// Decides one hybrid. When the watch asks to stop, what comes out means nothing.
    pub(super) fn plain(&self, cell: Mask, watch: &dyn Watch) -> Plain<'_> {
        let scope = self.inputs.hybrid(cell, watch);
        let mut faults = Vec::new();
        let mut granted: Vec<GrantAt<'_>> = Vec::new();
        for (source, versions) in &self.authority {
            let version = cell.version(*source);
            for (index, grant) in versions[version as usize].iter().enumerate().filter(|(_, g)| g.matches) {
                match grant.when.as_ref().map_or(Ok(true), |w| holds(&w.condition.root, &scope)) {
                    Ok(true) => granted.push((*source, index, grant)),
                    Ok(false) => {}
                    Err(error) => {
                        let text = grant.when.as_ref().map_or("", |w| &*w.condition.text);
                        let reason = format!("the condition of the grant errs: {}", error.words(text));
                        faults.push(fault(cell, Some((*source, version)), Some(format!("grants[{index}]")), reason));
                    }
                }
            }
        }
        let granted = Granted::of(&granted);
        let mut rules = Vec::new();
        let mut default = None;
        for (source, versions) in &self.norms {
            let version = cell.version(*source);
            let body = &versions[version as usize];
            for rule in &*body.rules {
                let result = holds(&rule.when.condition.root, &scope);
                if let Err(error) = &result {
                    let reason = format!("the condition of the rule errs: {}", error.words(&rule.when.condition.text));
                    faults.push(fault(cell, Some((*source, version)), Some(rule.id.to_string()), reason));
                }
                rules.push((*source, rule, result, granted.rule(&rule.id)));
            }
            if let Some(then) = body.default {
                default = Some((then, granted.default));
            }
        }
        let mut plain =
            Plain { decision: Decision::Faulted, outcome: Err(faults), rules, decisive: BTreeSet::new(), default };
        if matches!(&plain.outcome, Err(faults) if faults.is_empty()) {
            self.settle(cell, &mut plain);
        }
        plain
    }

    /// Jurisdiction and merits (docs/formats/case.md C41 to C45), once no condition erred.
    fn settle<'r>(&'r self, cell: Mask, plain: &mut Plain<'r>) {
        let holding: Vec<&Rule> = plain.rules.iter().filter(|r| r.2 == Ok(true)).map(|r| r.1).collect();
        let able: Vec<&Rule> = plain.rules.iter().filter(|r| r.2 == Ok(true) && r.3.is_some()).map(|r| r.1).collect();
        let top = able.iter().map(|r| r.priority).max();
        let first: Vec<&'r Rule> = able.into_iter().filter(|r| Some(r.priority) == top).collect();
        if !first.is_empty() {
            plain.decision = Decision::Rule;
            match self.winner(&first) {
                Some(then) => {
                    plain.decisive = first.iter().filter(|r| r.then == then).map(|r| &*r.id).collect();
                    plain.outcome = Ok(then);
                }
                None => {
                    plain.decision = Decision::Faulted;
                    plain.outcome = Err(vec![self.tie(cell, &first)]);
                }
            }
            return;
        }
        let covered = plain.default.filter(|(_, grant)| grant.is_some());
        plain.decision = match (holding.is_empty(), covered) {
            (false, _) => Decision::NoJurisdiction,
            (true, Some(_)) => Decision::Default,
            (true, None) => Decision::DefaultWithoutJurisdiction,
        };
        if let (Decision::Default, Some((then, _))) = (plain.decision, covered) {
            plain.outcome = Ok(then);
            return;
        }
        plain.outcome = self.case.labels().verdict("refer").ok_or_else(|| {
            plain.decision = Decision::Faulted;
            let reason = "no norm that could decide has jurisdiction, and the label set has no `refer`; add it to `interface.verdicts`";
            vec![fault(cell, None, None, reason.to_owned())]
        });
    }

    /// The label that rules of one priority agree on; deny overrides approve.
    fn winner(&self, rules: &[&Rule]) -> Option<Verdict> {
        let labels = self.case.labels();
        let meaning = |v: Verdict| Meaning::of(labels.word(v));
        let denied = rules.iter().any(|r| meaning(r.then) == Meaning::Deny);
        let mut left = rules.iter().map(|r| r.then).filter(|&v| !(denied && meaning(v) == Meaning::Approve));
        let first = left.next()?;
        left.all(|v| v == first).then_some(first)
    }

    fn tie(&self, cell: Mask, rules: &[&Rule]) -> Fault {
        let labels = self.case.labels();
        let mut named: Vec<String> = rules.iter().map(|r| format!("`{}` ({})", r.id, labels.word(r.then))).collect();
        named.sort();
        let mut ids: Vec<String> = rules.iter().map(|r| r.id.to_string()).collect();
        ids.sort_unstable();
        for list in [&mut named, &mut ids] {
            let more = list.len().saturating_sub(TOLD);
            list.truncate(TOLD);
            list.extend((more > 0).then(|| format!("{more} more")));
        }
        let priority = rules.first().map_or(0, |r| r.priority);
        let reason =
            format!("the rules {} tie at priority {priority}; give one of them a higher priority", named.join(", "));
        let source = match self.norms.as_slice() {
            [(only, _)] => Some((*only, cell.version(*only))),
            _ => None,
        };
        fault(cell, source, Some(ids.join(", ")), reason)
    }

    /// The account of a decided hybrid.
    pub(super) fn account(&self, cell: Mask, plain: &Plain<'_>) -> RulesTrace {
        let mut rules: Vec<RuleTrace> = plain
            .rules
            .iter()
            .map(|(source, rule, _, grant)| RuleTrace {
                id: rule.id.to_string(),
                source: *source,
                then: rule.then,
                priority: rule.priority,
                condition: trace_condition(
                    &rule.when.condition.text,
                    &rule.when.condition.root,
                    &self.inputs.hybrid(cell, &Unwatched),
                ),
                grant: grant.map(|g| self.grant_trace(cell, g)),
                decisive: plain.decision == Decision::Rule && plain.decisive.contains(&&*rule.id),
            })
            .collect();
        let rank = |i: usize| match &plain.rules[i].2 {
            _ if rules[i].decisive => 0,
            Err(_) => 1,
            Ok(true) => 2,
            Ok(false) => 3,
        };
        let mut order: Vec<(u8, usize)> = (0..rules.len()).map(|i| (rank(i), i)).collect();
        order.sort_unstable();
        let mut slots: Vec<Option<RuleTrace>> = rules.drain(..).map(Some).collect();
        let rules = order.into_iter().filter_map(|(_, i)| slots[i].take()).collect();
        let default = plain.default.map(|(then, grant)| DefaultTrace {
            then,
            grant: grant.map(|g| self.grant_trace(cell, g)),
            decisive: plain.decision == Decision::Default,
        });
        RulesTrace { decision: plain.decision, rules, default }
    }

    fn grant_trace(&self, cell: Mask, (source, index, grant): GrantAt<'_>) -> GrantTrace {
        let word = |json: &Json| match json {
            Json::Text(t) => t.clone(),
            Json::Int(i) => i.to_string(),
            Json::Bool(b) => b.to_string(),
            _ => String::new(),
        };
        let value = |key: &str| self.case.context().iter().find(|(k, _)| k == key).map(|(_, v)| word(v));
        let fields = grant
            .fields
            .iter()
            .map(|(key, allowed)| (key.clone(), value(key).unwrap_or_default(), allowed.iter().map(word).collect()))
            .collect();
        let when = grant
            .when
            .as_ref()
            .map(|w| trace_condition(&w.condition.text, &w.condition.root, &self.inputs.hybrid(cell, &Unwatched)));
        GrantTrace { source, index, fields, when }
    }
}

fn fault(cell: Mask, source: Option<(usize, Version)>, field: Option<String>, reason: String) -> Fault {
    Fault { cell, source, field, reason, stage: Stage::Execution, repair: Vec::new(), place: None }
}
