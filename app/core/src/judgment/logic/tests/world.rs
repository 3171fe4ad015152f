//! Worlds for the tests, and what is asked of them.

use crate::judgment::adjudicator::Adjudicator as _;
use crate::judgment::logic::adjudicator::Logic;
use crate::judgment::logic::read::Input;
use crate::judgment::source::{Mask, Role};
use crate::judgment::trace::{LogicTrace, ProofNode, TraceBody};
use crate::judgment::verdict::Labels;
use crate::seal::json::Json;
use crate::watch::Unwatched;

/// A world: facts, rules (id, conditions, conclusion), listed rule ids.
#[derive(Debug, Clone, Default)]
pub(super) struct World {
    pub(super) facts: Vec<String>,
    pub(super) rules: Vec<(String, Vec<String>, String)>,
    pub(super) authority: Vec<String>,
}

pub(super) fn texts<T: AsRef<str>>(items: &[T]) -> Json {
    Json::List(items.iter().map(|t| Json::text(t.as_ref())).collect())
}

pub(super) fn facts(items: &[String]) -> Json {
    Json::map([("facts", texts(items))])
}

pub(super) fn rules(items: &[(String, Vec<String>, String)]) -> Json {
    let rule = |(id, conditions, then): &(String, Vec<String>, String)| {
        Json::map([("id", Json::text(id)), ("if", texts(conditions)), ("then", Json::text(then))])
    };
    Json::map([("rules", Json::List(items.iter().map(rule).collect()))])
}

pub(super) fn authority(items: &[String]) -> Json {
    Json::map([("rules", texts(items))])
}

/// A world in words: facts separated by blanks, rules `id: a & b -> c` by `;`, authority by blanks.
pub(super) fn world(facts: &str, rules: &str, authority: &str) -> World {
    let words = |t: &str| t.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let rule = |text: &str| {
        let (id, rest) = text.split_once(':').expect("id");
        let (conditions, then) = rest.split_once("->").expect("arrow");
        let conditions = conditions.split('&').map(str::trim).filter(|c| !c.is_empty()).map(str::to_owned).collect();
        (id.trim().to_owned(), conditions, then.trim().to_owned())
    };
    let rules = rules.split(';').filter(|r| !r.trim().is_empty()).map(rule).collect();
    World { facts: words(facts), rules, authority: words(authority) }
}

pub(super) fn logic(old: &World, new: &World, query: &str) -> Logic {
    let bodies = [
        [facts(&old.facts), facts(&new.facts)],
        [rules(&old.rules), rules(&new.rules)],
        [authority(&old.authority), authority(&new.authority)],
    ];
    let roles = [Role::Grounds, Role::Norms, Role::Authority];
    read(roles.into_iter().zip(&bodies).collect(), query, None).expect("a well-formed case")
}

pub(super) fn read(sources: Vec<(Role, &[Json; 2])>, query: &str, predicates: Option<&Json>) -> Result<Logic, String> {
    let query = Json::text(query);
    let sources = sources.into_iter().map(|(role, [old, new])| (role, [old, new])).collect();
    let input = Input { sources, query: Some(&query), predicates };
    Logic::read(&input, Labels::default()).map_err(|fault| fault.to_string())
}

pub(super) fn words(logic: &Logic) -> Vec<String> {
    let labels = Labels::default();
    let executed = logic.execute(&Unwatched).expect("not cancelled");
    executed.cube.cells().iter().map(|c| c.map_or("-", |v| labels.word(v)).to_owned()).collect()
}

pub(super) fn one(world: &World, query: &str) -> String {
    words(&logic(world, world, query)).swap_remove(0)
}

pub(super) fn trace(logic: &Logic, cell: u32) -> LogicTrace {
    match logic.trace(Mask(cell)).body {
        TraceBody::Logic(trace) => trace,
        other => panic!("not a logic trace: {other:?}"),
    }
}

pub(super) fn tree(node: &ProofNode) -> String {
    let premises: Vec<String> = node.premises.iter().map(tree).collect();
    match &node.rule {
        None => node.atom.clone(),
        Some(rule) => format!("{} by {rule} [{}]", node.atom, premises.join("; ")),
    }
}
