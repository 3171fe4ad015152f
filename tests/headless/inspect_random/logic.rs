//! Random programs of engine `logic`, and their meaning by naive iteration.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Dice;

/// An atom: predicate, then terms; numbers from [`FIRST_VARIABLE`] on are variables.
type Atom = (usize, Vec<usize>);

const FIRST_VARIABLE: usize = 100;
const PREDICATES: [(&str, usize); 5] = [("raining", 0), ("kind", 1), ("big", 1), ("chases", 2), ("sees", 2)];
const CONSTANTS: [&str; 3] = ["anne", "7up", "'bald eagle'"];
const VARIABLES: [&str; 3] = ["X", "Y", "Zed"];

#[derive(Debug, Clone)]
struct Rule {
    id: String,
    conditions: Vec<Atom>,
    conclusion: Atom,
}

/// Old and new version of every source, in roles.
pub struct Program {
    facts: Vec<[Vec<Atom>; 2]>,
    rules: Vec<[Vec<Rule>; 2]>,
    listed: Vec<[Vec<String>; 2]>,
    query: Atom,
}

fn written(atom: &Atom, dice: &mut Dice) -> String {
    let (name, _) = PREDICATES[atom.0];
    let term = |&t: &usize| if t < FIRST_VARIABLE { CONSTANTS[t] } else { VARIABLES[t - FIRST_VARIABLE] };
    let terms: Vec<&str> = atom.1.iter().map(term).collect();
    match (terms.is_empty(), dice.chance(4)) {
        (true, _) => name.to_owned(),
        (false, true) => format!("{name}( {} )", terms.join(" , ")),
        (false, false) => format!("{name}({})", terms.join(",")),
    }
}

fn random_atom(dice: &mut Dice, terms: &[usize]) -> Atom {
    let predicate = dice.below(PREDICATES.len());
    (predicate, (0..PREDICATES[predicate].1).map(|_| *dice.pick(terms)).collect())
}

fn random_rule(dice: &mut Dice, id: &str) -> Rule {
    let all: Vec<usize> = (0..CONSTANTS.len()).chain((0..3).map(|v| FIRST_VARIABLE + v)).collect();
    let conditions: Vec<Atom> = (0..1 + dice.below(3)).map(|_| random_atom(dice, &all[2..])).collect();
    // Range-restricted: constants, and variables that a condition binds.
    let mut bound: Vec<usize> = conditions.iter().flat_map(|c| c.1.clone()).filter(|&t| t >= FIRST_VARIABLE).collect();
    bound.push(dice.below(CONSTANTS.len()));
    Rule { id: id.to_owned(), conclusion: random_atom(dice, &bound), conditions }
}

/// A random program: one or two sources of each role.
pub fn random_program(dice: &mut Dice) -> Program {
    let constants: Vec<usize> = (0..CONSTANTS.len()).collect();
    let counts = [1 + usize::from(dice.chance(4)), 1 + usize::from(dice.chance(4)), 1 + usize::from(dice.chance(4))];
    let facts = (0..counts[0])
        .map(|_| [0, 1].map(|_| (0..dice.below(6)).map(|_| random_atom(dice, &constants)).collect()))
        .collect();
    let mut ids = Vec::new();
    let mut rules = Vec::new();
    for source in 0..counts[1] {
        let named: Vec<String> = (0..1 + dice.below(3)).map(|i| format!("r{source}{i}")).collect();
        let old: Vec<Rule> = named.iter().map(|id| random_rule(dice, id)).collect();
        let mut new = old.clone();
        match dice.below(3) {
            0 => new[0] = random_rule(dice, &named[0]),
            1 => drop(new.pop()),
            _ => dice.shuffle(&mut new),
        }
        ids.extend(named);
        rules.push([old, new]);
    }
    // A rule that does not exist may be listed: it is new, or gone.
    ids.push("r99".to_owned());
    let listed =
        (0..counts[2]).map(|_| [0, 1].map(|_| ids.iter().filter(|_| !dice.chance(3)).cloned().collect())).collect();
    Program { facts, rules, listed, query: random_atom(dice, &constants) }
}

impl Program {
    /// Names of the sources in declared order.
    pub fn names(&self) -> Vec<String> {
        let named = |role: &str, n: usize| (0..n).map(|i| format!("{role}.{i}")).collect::<Vec<_>>();
        [named("grounds", self.facts.len()), named("norms", self.rules.len()), named("authority", self.listed.len())]
            .concat()
    }

    /// The verdict by naive iteration: every assignment of constants to variables, until nothing new follows.
    pub fn verdict(&self, mask: usize) -> &'static str {
        let (g, n) = (self.facts.len(), self.rules.len());
        let version = |at: usize| mask >> at & 1;
        let mut known: BTreeSet<Atom> = (0..g).flat_map(|i| self.facts[i][version(i)].clone()).collect();
        let listed: BTreeSet<&String> =
            (0..self.listed.len()).flat_map(|i| &self.listed[i][version(g + n + i)]).collect();
        let rules: Vec<&Rule> =
            (0..n).flat_map(|i| &self.rules[i][version(g + i)]).filter(|r| listed.contains(&r.id)).collect();
        if !known.contains(&self.query) && rules.iter().all(|r| r.conclusion.0 != self.query.0) {
            return "refer";
        }
        loop {
            let before = known.len();
            for rule in &rules {
                for code in 0..CONSTANTS.len().pow(3) {
                    let value = |t: usize| match t.checked_sub(FIRST_VARIABLE) {
                        None => t,
                        Some(v) => code / CONSTANTS.len().pow(v as u32) % CONSTANTS.len(),
                    };
                    let ground = |atom: &Atom| (atom.0, atom.1.iter().map(|&t| value(t)).collect::<Vec<_>>());
                    if rule.conditions.iter().all(|c| known.contains(&ground(c))) {
                        known.insert(ground(&rule.conclusion));
                    }
                }
            }
            if known.len() == before {
                return if known.contains(&self.query) { "approve" } else { "deny" };
            }
        }
    }

    /// The case file.
    pub fn case(&self, id: &str, dice: &mut Dice) -> Value {
        let mut bodies: Vec<[Value; 2]> = Vec::new();
        for pair in &self.facts {
            let mut body =
                |facts: &Vec<Atom>| json!({"facts": facts.iter().map(|f| written(f, dice)).collect::<BTreeSet<_>>()});
            bodies.push([body(&pair[0]), body(&pair[1])]);
        }
        for pair in &self.rules {
            let mut rule = |r: &Rule| {
                let conditions: Vec<String> = r.conditions.iter().map(|c| written(c, dice)).collect();
                json!({"id": r.id, "if": conditions, "then": written(&r.conclusion, dice)})
            };
            let mut body = |rules: &Vec<Rule>| json!({"rules": rules.iter().map(&mut rule).collect::<Vec<_>>()});
            bodies.push([body(&pair[0]), body(&pair[1])]);
        }
        bodies.extend(self.listed.iter().map(|pair| [0, 1].map(|v| json!({"rules": pair[v]}))));
        let sources: Vec<Value> = self
            .names()
            .iter()
            .zip(bodies)
            .map(|(name, [old, new])| json!({"name": name, "old": old, "new": new}))
            .collect();
        json!({
            "format": "decidendi/case@1", "id": id, "adjudicator": {"engine": "logic"},
            "context": {"query": written(&self.query, dice)}, "sources": sources,
        })
    }
}
