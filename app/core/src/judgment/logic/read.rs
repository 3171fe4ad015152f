//! From the JSON bodies of a case to interned facts and rules (docs/formats/case.md C46).

use std::collections::{BTreeMap, BTreeSet};

use super::chain::{Ground, Pattern, Rule, Slot};
use super::parse::{Atom, Term};
use crate::judgment::case::CaseFault;
use crate::judgment::source::{Role, Version};
use crate::nearest::meant;
use crate::seal::json::{Json, JsonPath};

/// Most conditions of one rule: the join goes one call deeper for each.
const CONDITIONS: usize = 64;

/// Most predicates among which a misspelled one is looked for.
pub(super) const NEAR: usize = 256;

/// Most letters of an atom that a message quotes.
const SHOWN: usize = 80;

/// Keys that a body or a rule of the engine may have.
pub(super) const KEYS: [&str; 9] = ["facts", "rules", "id", "if", "then", "title", "note", "label", "source"];

/// What the engine reads of a case.
pub(super) struct Input<'c> {
    /// Every source's role and bodies, in declared order.
    pub sources: Vec<(Role, [&'c Json; 2])>,
    /// `context.query`.
    pub query: Option<&'c Json>,
    /// `interface.predicates`.
    pub predicates: Option<&'c Json>,
}

/// One version of one source.
#[derive(Debug, Default)]
pub(super) struct Body {
    /// Facts (grounds), ascending, each once.
    pub facts: Vec<Ground>,
    /// Rules (norms), as positions in [`Program::rules`], in file order.
    pub rules: Vec<usize>,
    /// Listed rule ids (authority).
    pub authoritative: BTreeSet<String>,
    /// Where the version breaks `interface.predicates`: the fact or rule, and how.
    pub breaches: Vec<(String, String)>,
}

/// A case's bodies, interned. Symbols and rules are numbered in the order of their names, so that comparing numbers is
/// comparing names and nothing depends on the order of a file.
#[derive(Debug)]
pub(super) struct Program {
    /// The atom asked.
    pub query: Ground,
    /// Distinct rules by id, then by content.
    pub rules: Vec<Rule>,
    /// For every source, old and new body.
    pub sources: Vec<[Body; 2]>,
    predicates: Vec<(String, usize)>,
    constants: Vec<String>,
}

/// A rule as text.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone)]
struct RuleText {
    id: String,
    conditions: Vec<Atom>,
    conclusion: Atom,
}

enum Content {
    Facts(Vec<Atom>),
    Rules(Vec<RuleText>),
    Authority(BTreeSet<String>),
}

impl Program {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, CaseFault> {
        let top = JsonPath::default();
        let at = top.key("context").key("query");
        let query = input.query.ok_or_else(|| {
            CaseFault::new(at.clone(), "engine `logic` needs the atom that is asked", "Add `query` to `context`.")
        })?;
        let query = atom(query, &at)?;
        ground(&query, &at, "the query")?;
        let contract = contract(input.predicates)?;
        if let Some(breach) = contract.as_ref().and_then(|c| breach(&query, c)) {
            return Err(CaseFault::new(at, breach, "Ask a declared predicate, or declare it in `interface`."));
        }
        let mut contents = Vec::with_capacity(input.sources.len());
        for (i, (role, bodies)) in input.sources.iter().enumerate() {
            let path = top.key("sources").at(i);
            let read = |v: Version| content(*role, bodies[v as usize], &path.key(v.word()));
            contents.push([read(Version::Old)?, read(Version::New)?]);
        }
        Ok(Interner::over(&query, &contents).program(&query, &contents, contract.as_ref()))
    }

    /// Predicates by name and number of terms, ascending; that of the query is among them.
    pub(super) fn predicates(&self) -> &[(String, usize)] {
        &self.predicates
    }

    /// Whether a fact or a rule has the query's predicate.
    pub(super) fn knows_query(&self) -> bool {
        let asked = self.query.predicate;
        let mut facts = self.sources.iter().flatten().flat_map(|body| &body.facts);
        let mut rules = self.rules.iter().flat_map(|r| r.conditions.iter().chain([&r.conclusion]));
        facts.any(|fact| fact.predicate == asked) || rules.any(|pattern| pattern.predicate == asked)
    }

    /// A ground atom in words.
    pub(super) fn text(&self, atom: &Ground) -> String {
        let (predicate, _) = &self.predicates[atom.predicate];
        let terms = atom.terms.iter().map(|&t| Term::Constant(self.constants[t].clone())).collect();
        Atom { predicate: predicate.clone(), terms }.to_string()
    }
}

fn list<'j>(json: &'j Json, path: &JsonPath, key: &str, of: &str) -> Result<&'j [Json], CaseFault> {
    let value = json.get(key).ok_or_else(|| CaseFault::missing_in(json, path, key, &KEYS))?;
    value.as_list().ok_or_else(|| CaseFault::kind(&path.key(key), of, value))
}

fn text<'j>(json: &'j Json, path: &JsonPath, what: &str) -> Result<&'j str, CaseFault> {
    json.as_text().ok_or_else(|| CaseFault::kind(path, what, json))
}

fn atom(json: &Json, path: &JsonPath) -> Result<Atom, CaseFault> {
    let text = text(json, path, "an atom as text")?;
    Atom::parse(text).map_err(|e| {
        let shown: String = text.chars().take(SHOWN).collect();
        let more = if shown.len() < text.len() { "…" } else { "" };
        let what = format!("`{}{more}` is not an atom, {e}", shown.escape_debug());
        CaseFault::new(path.clone(), what, "Write it like `chases(bob,cat)`.")
    })
}

fn ground(atom: &Atom, path: &JsonPath, what: &str) -> Result<(), CaseFault> {
    atom.variable().map_or(Ok(()), |name| {
        let what = format!("{what} `{atom}` has the variable `{name}`");
        Err(CaseFault::new(path.clone(), what, "Names that start with a capital are variables: use a constant."))
    })
}

fn content(role: Role, body: &Json, path: &JsonPath) -> Result<Content, CaseFault> {
    match role {
        Role::Grounds => {
            let mut facts = Vec::new();
            for (i, fact) in list(body, path, "facts", "a list of atoms")?.iter().enumerate() {
                let at = path.key("facts").at(i);
                let fact = atom(fact, &at)?;
                ground(&fact, &at, "the fact")?;
                facts.push(fact);
            }
            Ok(Content::Facts(facts))
        }
        Role::Norms => {
            let rules = list(body, path, "rules", "a list of rules")?;
            let rules = rules.iter().enumerate().map(|(i, r)| rule(r, &path.key("rules").at(i)));
            Ok(Content::Rules(rules.collect::<Result<_, _>>()?))
        }
        Role::Authority => {
            let ids = list(body, path, "rules", "a list of rule ids")?;
            let ids = ids.iter().enumerate().map(|(i, id)| text(id, &path.key("rules").at(i), "a rule id"));
            Ok(Content::Authority(ids.map(|id| id.map(str::to_owned)).collect::<Result<_, _>>()?))
        }
    }
}

fn rule(json: &Json, path: &JsonPath) -> Result<RuleText, CaseFault> {
    if json.as_map().is_none() {
        return Err(CaseFault::kind(path, "a rule with `id`, `if` and `then`", json));
    }
    let field = |key: &str| json.get(key).ok_or_else(|| CaseFault::missing_in(json, path, key, &KEYS));
    let id = text(field("id")?, &path.key("id"), "a rule id")?.to_owned();
    if id.trim().is_empty() {
        return Err(CaseFault::new(path.key("id"), "a rule id is blank", "Give the rule a name of its own."));
    }
    let mut conditions = Vec::new();
    for (i, condition) in list(json, path, "if", "a list of atoms")?.iter().enumerate() {
        conditions.push(atom(condition, &path.key("if").at(i))?);
    }
    if conditions.len() > CONDITIONS {
        let what = format!("rule `{id}` has {} conditions", conditions.len());
        return Err(CaseFault::new(path.key("if"), what, format!("Use at most {CONDITIONS}; split the rule.")));
    }
    let conclusion = atom(field("then")?, &path.key("then"))?;
    let bound: BTreeSet<&Term> = conditions.iter().flat_map(|c| &c.terms).collect();
    for term in &conclusion.terms {
        if matches!(term, Term::Variable(_)) && !bound.contains(term) {
            let what = format!("variable `{term}` of the conclusion occurs in no condition of rule `{id}`");
            return Err(CaseFault::new(path.key("then"), what, "Use only variables that a condition binds."));
        }
    }
    Ok(RuleText { id, conditions, conclusion })
}

/// Declared predicates with their number of terms; `None` where the interface declares none and every name goes.
fn contract(json: Option<&Json>) -> Result<Option<BTreeMap<String, usize>>, CaseFault> {
    let Some(json) = json else { return Ok(None) };
    let at = JsonPath::default().key("interface").key("predicates");
    let entries = json.as_map().ok_or_else(|| CaseFault::kind(&at, "an object of predicates", json))?;
    let arities = entries.iter().map(|(name, arity)| {
        let number = arity.as_int().and_then(|n| usize::try_from(n).ok());
        let number = number.ok_or_else(|| CaseFault::kind(&at.key(name), "a number of terms (0 or more)", arity))?;
        Ok((name.clone(), number))
    });
    arities.collect::<Result<_, _>>().map(Some)
}

fn breach(atom: &Atom, contract: &BTreeMap<String, usize>) -> Option<String> {
    let (name, given) = (&atom.predicate, atom.terms.len());
    match contract.get(name) {
        None => {
            let meant = meant(name, contract.keys().map(String::as_str).take(NEAR));
            Some(format!("predicate `{name}` in `{atom}` is not declared in the interface{meant}"))
        }
        Some(&arity) if arity != given => {
            Some(format!("predicate `{name}` takes {arity} terms by the interface, `{atom}` gives {given}"))
        }
        Some(_) => None,
    }
}

struct Interner {
    predicates: BTreeMap<(String, usize), usize>,
    constants: BTreeMap<String, usize>,
    rules: BTreeMap<RuleText, usize>,
}

fn numbered<K: Ord>(keys: BTreeSet<K>) -> BTreeMap<K, usize> {
    keys.into_iter().enumerate().map(|(i, k)| (k, i)).collect()
}

impl Interner {
    fn over(query: &Atom, contents: &[[Content; 2]]) -> Self {
        let (mut predicates, mut constants, mut rules) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut see = |atom: &Atom| {
            predicates.insert((atom.predicate.clone(), atom.terms.len()));
            for term in &atom.terms {
                if let Term::Constant(name) = term {
                    constants.insert(name.clone());
                }
            }
        };
        see(query);
        for content in contents.iter().flatten() {
            match content {
                Content::Facts(facts) => facts.iter().for_each(&mut see),
                Content::Rules(texts) => {
                    for text in texts {
                        text.conditions.iter().for_each(&mut see);
                        see(&text.conclusion);
                        rules.insert(text.clone());
                    }
                }
                Content::Authority(_) => {}
            }
        }
        Self { predicates: numbered(predicates), constants: numbered(constants), rules: numbered(rules) }
    }

    fn program(self, query: &Atom, contents: &[[Content; 2]], contract: Option<&BTreeMap<String, usize>>) -> Program {
        let body = |content: &Content| self.body(content, contract);
        let sources = contents.iter().map(|pair| [body(&pair[0]), body(&pair[1])]).collect();
        let rules = self.rules.keys().map(|text| self.rule(text)).collect();
        let query = self.ground(query);
        Program {
            query,
            rules,
            sources,
            predicates: self.predicates.into_keys().collect(),
            constants: self.constants.into_keys().collect(),
        }
    }

    fn body(&self, content: &Content, contract: Option<&BTreeMap<String, usize>>) -> Body {
        let mut body = Body::default();
        let mut check = |atom: &Atom, field: &str| {
            if let Some(breach) = contract.and_then(|c| breach(atom, c)) {
                body.breaches.push((field.to_owned(), breach));
            }
        };
        match content {
            Content::Facts(facts) => {
                facts.iter().for_each(|f| check(f, &f.to_string()));
                body.facts = facts.iter().map(|f| self.ground(f)).collect::<BTreeSet<_>>().into_iter().collect();
            }
            Content::Rules(texts) => {
                for text in texts {
                    text.conditions.iter().chain([&text.conclusion]).for_each(|a| check(a, &text.id));
                }
                body.rules = texts.iter().filter_map(|t| self.rules.get(t)).copied().collect();
            }
            Content::Authority(ids) => body.authoritative.clone_from(ids),
        }
        body
    }

    fn predicate(&self, atom: &Atom) -> usize {
        // Every atom was seen before, so the default is never taken.
        self.predicates.get(&(atom.predicate.clone(), atom.terms.len())).copied().unwrap_or_default()
    }

    fn constant(&self, name: &str) -> usize {
        self.constants.get(name).copied().unwrap_or_default()
    }

    fn ground(&self, atom: &Atom) -> Ground {
        let constant = |t: &Term| match t {
            Term::Constant(name) | Term::Variable(name) => self.constant(name),
        };
        Ground { predicate: self.predicate(atom), terms: atom.terms.iter().map(constant).collect() }
    }

    fn rule(&self, text: &RuleText) -> Rule {
        let mut variables: BTreeMap<&str, usize> = BTreeMap::new();
        let mut pattern = |atom: &'_ Atom| Pattern {
            predicate: self.predicate(atom),
            slots: atom.terms.iter().map(|_| Slot::Constant(0)).collect(),
        };
        let mut conditions: Vec<Pattern> = text.conditions.iter().map(&mut pattern).collect();
        let mut conclusion = pattern(&text.conclusion);
        let atoms = text.conditions.iter().chain([&text.conclusion]);
        for (atom, pattern) in atoms.zip(conditions.iter_mut().chain([&mut conclusion])) {
            for (term, slot) in atom.terms.iter().zip(&mut pattern.slots) {
                *slot = match term {
                    Term::Constant(name) => Slot::Constant(self.constant(name)),
                    Term::Variable(name) => {
                        let next = variables.len();
                        Slot::Variable(*variables.entry(name).or_insert(next))
                    }
                };
            }
        }
        Rule { id: text.id.clone(), conditions, conclusion, variables: variables.len() }
    }
}
