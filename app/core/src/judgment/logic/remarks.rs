//! What is odd about a case of engine `logic` but no fault: keys that nothing reads, authority for rules that nobody has.

use std::collections::{BTreeMap, BTreeSet};

use super::parse::Atom;
use super::read::{NEAR, Program};
use crate::judgment::case::Case;
use crate::judgment::remark::Remark;
use crate::judgment::source::{Role, Version};
use crate::nearest::meant;
use crate::seal::json::{Json, JsonPath, Step};

/// Most conditions that are told because nothing meets them.
const TOLD: usize = 16;
/// Most rules that are named as the nearest ones.
const NEAREST: usize = 2;

/// Keys for people, which any body and any rule may have.
const DISPLAY: [&str; 4] = ["title", "note", "label", "source"];

/// The remarks on a case, in file order.
pub(super) fn remarks(case: &Case) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let interface = JsonPath::default().key("interface");
    unused(case.interface(), &["verdicts", "predicates"], &interface, &mut remarks);
    let ids = rule_ids(case);
    for (i, source) in case.sources().iter().enumerate() {
        for version in Version::BOTH {
            let body = &source.version(version).json;
            let at = JsonPath::default().key("sources").at(i).key(version.word());
            let key = if source.role == Some(Role::Grounds) { "facts" } else { "rules" };
            unused(body, &[key], &at, &mut remarks);
            let listed = body.get("rules").and_then(Json::as_list).unwrap_or_default();
            for (n, entry) in listed.iter().enumerate() {
                match entry {
                    Json::Text(id) if source.role == Some(Role::Authority) && !ids.contains(id.as_str()) => {
                        let meant = meant(id, ids.iter().copied().take(NEAR));
                        let text = format!("no version of the norms has a rule `{id}`{meant}");
                        remarks.push(Remark { path: at.key("rules").at(n), text });
                    }
                    Json::Map(_) => unused(entry, &["id", "if", "then"], &at.key("rules").at(n), &mut remarks),
                    _ => {}
                }
            }
        }
    }
    remarks
}

fn rule_ids(case: &Case) -> BTreeSet<&str> {
    let norms = case.in_role(Role::Norms).filter_map(|i| case.sources().get(i));
    let bodies = norms.flat_map(|source| Version::BOTH.map(|version| &source.version(version).json));
    let rules = bodies.filter_map(|body| body.get("rules").and_then(Json::as_list)).flatten();
    rules.filter_map(|rule| rule.get("id").and_then(Json::as_text)).collect()
}

fn unused(object: &Json, known: &[&str], at: &JsonPath, remarks: &mut Vec<Remark>) {
    remarks.extend(Remark::unused(object, &[known, &DISPLAY].concat(), at));
}

/// A predicate that is asked and occurs nowhere, and names that stand for two predicates: most likely slips, which would
/// change a verdict in silence. Where the interface declares the predicates, each such use is a fault of its own.
pub(super) fn predicates(case: &Case, program: &Program, remarks: &mut Vec<Remark>) {
    let all = program.predicates();
    let (asked, terms) = &all[program.query.predicate];
    let query = JsonPath::default().key("context").key("query");
    let clash = |pair: &[(String, usize)]| pair[0].0 == pair[1].0;
    if !program.knows_query() {
        let names = all.iter().map(|(name, _)| name.as_str()).filter(|name| name != asked);
        let others: Vec<String> =
            all.iter().filter(|(n, t)| n == asked && t != terms).map(|(_, t)| count(*t)).collect();
        let text = if others.is_empty() {
            format!("no fact and no rule has the predicate `{asked}` that is asked{}", meant(asked, names.take(NEAR)))
        } else {
            let others = others.join(" and ");
            format!("`{asked}` is asked with {}, facts and rules have it with {others}", count(*terms))
        };
        remarks.push(Remark { path: query, text });
    }
    if case.interface().get("predicates").is_some() || !all.windows(2).any(clash) {
        return;
    }
    let mut first: BTreeMap<String, (usize, JsonPath)> = BTreeMap::new();
    let mut told = BTreeSet::new();
    for (path, atom) in atoms(case) {
        let terms = atom.terms.len();
        match first.get(&atom.predicate) {
            None => {
                first.insert(atom.predicate, (terms, path));
            }
            Some((other, at)) if *other != terms && told.insert(atom.predicate.clone()) => {
                let (name, here, there) = (&atom.predicate, count(terms), count(*other));
                let text = format!(
                    "`{name}` has {here} here and {there} at {at}: these are two predicates, and neither follows from the other"
                );
                remarks.push(Remark { path, text });
            }
            Some(_) => {}
        }
    }
}

/// Where no version lets a rule with authority conclude what is asked, every hybrid is `refer`: told, with the rules that
/// come nearest.
pub(super) fn silence(case: &Case, program: &Program, remarks: &mut Vec<Remark>) {
    let bodies = || program.sources.iter().flatten();
    if !program.knows_query() || bodies().any(|body| body.facts.binary_search(&program.query).is_ok()) {
        return;
    }
    let asked = &program.predicates()[program.query.predicate].0;
    let concluding = || program.rules.iter().filter(|rule| rule.conclusion.predicate == program.query.predicate);
    if concluding().any(|rule| bodies().any(|body| body.authoritative.contains(&rule.id))) {
        return;
    }
    let mut ids: Vec<&str> = concluding().map(|rule| rule.id.as_str()).collect();
    ids.dedup();
    if ids.is_empty() {
        let query = JsonPath::default().key("context").key("query");
        let text = format!(
            "no rule concludes `{asked}`, and `{}` is no fact, so every hybrid is `refer`",
            program.text(&program.query)
        );
        remarks.push(Remark { path: query, text });
        return;
    }
    let near: Vec<String> = ids.iter().take(NEAREST).map(|id| format!("`{id}`")).collect();
    let listed = if bodies().any(|body| !body.authoritative.is_empty()) {
        format!("a rule that concludes `{asked}`")
    } else {
        "any rule".to_owned()
    };
    let nearest = if let [one] = near.as_slice() {
        format!("{one} concludes `{asked}` and is not listed. Add it to \"rules\"")
    } else {
        format!("{} conclude `{asked}` and are not listed. Add one of them to \"rules\"", near.join(" and "))
    };
    let text = format!("no version of the authority lists {listed}, so every hybrid is `refer`; nearest: {nearest}");
    let source = case.in_role(Role::Authority).next().unwrap_or(0);
    let path = JsonPath::default().key("sources").at(source).key(Version::Old.word()).key("rules");
    remarks.push(Remark { path, text });
}

/// Rules with a condition that no fact and no rule of any version can meet: they never apply.
pub(super) fn idle(case: &Case, program: &Program, remarks: &mut Vec<Remark>) {
    let facts = program.sources.iter().flatten().flat_map(|body| &body.facts).map(|fact| fact.predicate);
    let given: BTreeSet<usize> = facts.chain(program.rules.iter().map(|rule| rule.conclusion.predicate)).collect();
    // A name that is given with another number of terms is told as two predicates already.
    let lacks = |atom: &Atom| !given.iter().any(|&at| program.predicates()[at].0 == atom.predicate);
    if !program.rules.iter().flat_map(|rule| &rule.conditions).any(|c| !given.contains(&c.predicate)) {
        return;
    }
    let names: Vec<&str> =
        given.iter().filter_map(|&at| program.predicates().get(at)).map(|(n, _)| n.as_str()).collect();
    let idle = atoms(case).filter(|(path, atom)| path.0.contains(&Step::Key("if".to_owned())) && lacks(atom));
    for (path, atom) in idle.take(TOLD) {
        let (name, terms) = (&atom.predicate, count(atom.terms.len()));
        let meant = meant(name, names.iter().copied().take(NEAR));
        let text = format!("no fact and no rule gives `{name}` with {terms}, so this rule never applies{meant}");
        remarks.push(Remark { path, text });
    }
}

fn count(terms: usize) -> String {
    if terms == 1 { "1 term".to_owned() } else { format!("{terms} terms") }
}

/// All atoms of the bodies with their places, in file order. They were read once before, so that each of them is one.
fn atoms(case: &Case) -> impl Iterator<Item = (JsonPath, Atom)> {
    let bodies = case.sources().iter().enumerate().flat_map(|(i, source)| {
        let at = JsonPath::default().key("sources").at(i);
        Version::BOTH.map(|version| (at.key(version.word()), source.role, &source.version(version).json))
    });
    bodies.flat_map(|(at, role, body)| {
        let list = |key: &str| body.get(key).and_then(Json::as_list).unwrap_or_default().iter().enumerate();
        let mut found: Vec<(JsonPath, &Json)> = Vec::new();
        match role {
            Some(Role::Grounds) => found.extend(list("facts").map(|(n, fact)| (at.key("facts").at(n), fact))),
            Some(Role::Norms) => {
                for (n, rule) in list("rules") {
                    let at = at.key("rules").at(n);
                    let conditions = rule.get("if").and_then(Json::as_list).unwrap_or_default().iter().enumerate();
                    found.extend(conditions.map(|(n, condition)| (at.key("if").at(n), condition)));
                    found.extend(rule.get("then").map(|then| (at.key("then"), then)));
                }
            }
            _ => {}
        }
        found.into_iter().filter_map(|(path, json)| Some((path, Atom::parse(json.as_text()?).ok()?)))
    })
}
