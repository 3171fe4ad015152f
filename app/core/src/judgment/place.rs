//! From a fault of a hybrid back to line and column: what it names is looked up in the document that the case was read
//! from. Judging needs no document, so whoever has it tells the places afterwards.

use std::collections::BTreeMap;

use super::case::{Action, Artifacts, Case, Engine, Origin};
use super::logic::Atom;
use super::result::{Fault, Judgment, Stage};
use super::source::{Role, Version};
use crate::seal::json::{Json, JsonPath};

/// Bytes that are passed over to find places: each place is a walk through the document.
const PASSED: usize = 1 << 26;

/// Writes into every fault where in the document the field stands that it names. Of very many fields in a very large
/// document only the first are looked up.
pub fn tell(judgment: &mut Judgment, case: &Case, file: &str, bytes: &[u8], artifacts: &Artifacts) {
    if judgment.faults.is_empty() {
        return;
    }
    let size = bytes.len() + artifacts.values().map(Vec::len).sum::<usize>();
    let most = (PASSED / size.max(1)).clamp(16, 4096);
    let origin = Origin::of(file, bytes, artifacts);
    let mut known = BTreeMap::new();
    for fault in &mut judgment.faults {
        // What a record contradicts is a cell; everything else is a field, whatever the hybrid.
        let cell = (case.engine() == Engine::Table).then_some(fault.cell);
        let key = (cell, fault.source, fault.field.clone(), fault.stage == Stage::Interface);
        if !known.contains_key(&key) {
            let path = if known.len() < most { path_of(case, fault) } else { None };
            known.insert(key.clone(), path.map(|path| origin.place(&path)));
        }
        fault.place = known.get(&key).cloned().flatten();
    }
}

/// The way to what a fault names. It may lead to a field that is not there: its deepest part that is there is meant then.
fn path_of(case: &Case, fault: &Fault) -> Option<JsonPath> {
    let top = JsonPath::default();
    if case.engine() == Engine::Table {
        return Some(top.key("adjudicator").key("cells").at(fault.cell.0 as usize));
    }
    let field = fault.field.as_deref();
    let Some((index, version)) = fault.source else {
        let given = case.context().iter().any(|(key, _)| Some(key.as_str()) == field);
        let context = if given { top.key("context") } else { top.key("interface").key("context") };
        return field.map(|field| context.key(field));
    };
    let source = case.sources().get(index)?;
    let (body, at) = (&source.version(version).json, top.key("sources").at(index).key(version.word()));
    let Some(field) = field else { return Some(at) };
    if let Some(step) = gap(case, &source.name, version, field) {
        return Some(top.key("compatibility").at(step));
    }
    let position = |key: &str, is: &dyn Fn(&Json) -> bool| body.get(key)?.as_list()?.iter().position(is);
    Some(match (source.role, case.engine()) {
        (Some(Role::Grounds), Engine::Logic) => {
            let same = |text: &str| Atom::parse(text).is_ok_and(|atom| atom.to_string() == field);
            let fact = position("facts", &|fact| fact.as_text().is_some_and(same));
            fact.map_or_else(|| at.clone(), |n| at.key("facts").at(n))
        }
        (Some(Role::Norms), engine) => {
            let named = |rule: &Json| rule.get("id").and_then(Json::as_text) == Some(field);
            let rule = position("rules", &named).map(|n| at.key("rules").at(n));
            let parameters = at.key("parameters");
            match rule {
                Some(rule) if fault.stage == Stage::Execution => rule.key("when"),
                Some(rule) if engine == Engine::Logic => rule,
                // A parameter may be called as a rule is.
                Some(rule) if fault.reason.starts_with("the rule `") => rule.key("id"),
                _ if fault.reason.starts_with("the default ") => at.key("default"),
                _ if fault.stage == Stage::Execution => at.key("rules"),
                _ => parameters.key(written(case, &source.name, version, field)),
            }
        }
        (Some(Role::Authority), _) => {
            let number = field.strip_prefix("grants[").and_then(|rest| rest.strip_suffix(']'));
            number.and_then(|n| n.parse().ok()).map_or_else(|| at.clone(), |n| at.key("grants").at(n).key("when"))
        }
        _ => at.key(written(case, &source.name, version, field)),
    })
}

/// The step that would give a field, were its own gap filled.
fn gap(case: &Case, source: &str, version: Version, field: &str) -> Option<usize> {
    let mut steps = case.compatibility().iter();
    steps.position(|s| s.source == source && s.version == version && s.has_gap() && s.target() == field)
}

/// What a field is called before the declared steps.
fn written<'c>(case: &'c Case, source: &str, version: Version, field: &'c str) -> &'c str {
    let mut steps = case.compatibility().iter().filter(|s| s.source == source && s.version == version);
    let renamed = steps.find_map(|step| match &step.action {
        Action::Rename { from, to } if to == field => Some(from.as_str()),
        _ => None,
    });
    renamed.unwrap_or(field)
}
