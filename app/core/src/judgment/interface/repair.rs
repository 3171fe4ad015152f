//! The smallest declared step that would bring a value under the interface. A proposal: only the auditor declares it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::fit::{Misfit, read};
use super::units::known_conversion;
use super::{Field, FieldType};
use crate::exact::Rational;
use crate::judgment::case::{Action, DefaultValue};
use crate::judgment::compat::exact_json;
use crate::nearest::nearest;
use crate::seal::json::Json;

/// Most values that one proposed map lists.
const FOREIGN: usize = 64;
/// Most declared values among which the nearest one is looked for.
const VALUES: usize = 256;

/// The declared values, where there are few enough to look for the nearest one.
pub(super) fn few(values: &[Arc<str>]) -> Option<impl Iterator<Item = &str>> {
    (values.len() <= VALUES).then(|| values.iter().map(|v| &**v))
}

/// The step that would repair a value that does not fit, where one kind of step can. What is known of it is tried first:
/// a step after which the value still does not fit repairs nothing.
pub(super) fn for_misfit(field: &Field, json: &Json, misfit: &Misfit) -> Option<Action> {
    match misfit {
        Misfit::Unit { found, .. } => convert(field, json, found),
        Misfit::Value { .. } => map(field, json),
        _ => None,
    }
}

fn convert(field: &Field, json: &Json, from: &str) -> Option<Action> {
    let to = field.unit.clone()?;
    if !matches!(field.ty, FieldType::Int { .. } | FieldType::Rational { .. }) {
        return None;
    }
    let number = match json.get("value")? {
        Json::Int(i) => Rational::from_int(*i),
        Json::Text(text) => Rational::parse(text).ok()?,
        _ => return None,
    };
    let (factor, offset) = match known_conversion(from, &to) {
        Some((factor, offset)) => {
            read(field, &exact_json(&number.mul(&factor).add(&offset))).ok()?;
            (Some(factor), offset)
        }
        None => (None, Rational::ZERO),
    };
    Some(Action::Convert { field: field.name.to_string(), factor, offset, from: from.to_owned(), to })
}

fn map(field: &Field, json: &Json) -> Option<Action> {
    let (FieldType::Enum(values) | FieldType::Set(values)) = &field.ty else { return None };
    let given: Vec<&str> = match json {
        Json::List(items) => items.iter().filter_map(Json::as_text).collect(),
        other => other.as_text().into_iter().collect(),
    };
    let declared = |text: &str| values.binary_search_by(|v| (**v).cmp(text)).is_ok();
    let foreign: Vec<&str> = given.iter().copied().filter(|text| !declared(text)).take(FOREIGN + 1).collect();
    if foreign.is_empty() || foreign.len() > FOREIGN {
        return None;
    }
    // A set must not list a value twice after the step.
    let mut taken: BTreeSet<&str> = given.iter().copied().filter(|text| declared(text)).collect();
    let pairs = foreign.into_iter().map(|text| {
        let near = few(values).and_then(|all| nearest(text, all)).filter(|near| taken.insert(near)).unwrap_or_default();
        (text.to_owned(), near.to_owned())
    });
    Some(Action::Map { field: field.name.to_string(), values: pairs.collect() })
}

/// What may be done about a missing field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Missing {
    /// An undeclared field is it: steps in order, a rename and what must follow it.
    Renamed(Vec<Action>),
    /// Undeclared fields that may be it; which one, only the auditor knows.
    Candidates(Vec<String>),
    /// Nothing that is there could be it: a default would invent the value.
    Absent(Action),
}

/// What may be done about each missing field, in their order. An undeclared field is taken for a missing one only where
/// nothing else could be meant: by its unit or its name, else because it is the only one that fits. `optional` fields are
/// absent too, and need nothing, but may be what an undeclared field is called.
#[must_use]
pub(crate) fn for_missing(missing: &[&Field], optional: &[&Field], unknown: &[(&str, &Json)]) -> Vec<Missing> {
    let all: Vec<&Field> = missing.iter().chain(optional).copied().collect();
    let fits: Vec<Vec<Fit>> =
        all.iter().map(|f| unknown.iter().map(|(key, json)| Fit::of(f, key, json)).collect()).collect();
    let mut paired: Vec<Option<usize>> = vec![None; all.len()];
    // Evidence first, then what is left over; a value that needs a map with gaps comes last.
    let strong = |f: usize, k: usize| fits[f][k].steps.is_some() && fits[f][k].is_evident;
    pair(&mut paired, all.len(), unknown.len(), strong);
    let plain = |f: usize, k: usize| fits[f][k].steps.as_ref().is_some_and(|s| !s.iter().any(is_guess));
    pair(&mut paired, missing.len(), unknown.len(), plain);
    pair(&mut paired, missing.len(), unknown.len(), |f, k| fits[f][k].steps.is_some());
    let left: Vec<usize> = (0..unknown.len()).filter(|k| !paired.contains(&Some(*k))).collect();
    let answer = |(f, field): (usize, &&Field)| {
        let name = field.name.to_string();
        if let Some(k) = paired[f] {
            let rename = Action::Rename { from: unknown[k].0.to_owned(), to: name };
            let steps = fits[f][k].steps.iter().flatten().cloned();
            return Missing::Renamed(std::iter::once(rename).chain(steps).collect());
        }
        let candidates = left.iter().filter_map(|&k| {
            let fit = &fits[f][k];
            let why = fit.blocked.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
            (fit.steps.is_some() || fit.blocked.is_some()).then(|| format!("`{}`{why}", unknown[k].0))
        });
        let candidates: Vec<String> = candidates.collect();
        if candidates.is_empty() {
            Missing::Absent(Action::Default { field: name, value: DefaultValue(Json::Null) })
        } else {
            Missing::Candidates(candidates)
        }
    };
    missing.iter().enumerate().map(answer).collect()
}

/// Pairs fields and keys that have only one another, until none is left.
fn pair(paired: &mut [Option<usize>], fields: usize, keys: usize, fits: impl Fn(usize, usize) -> bool) {
    loop {
        let open = |paired: &[Option<usize>], f: usize, k: usize| {
            paired[f].is_none() && !paired.contains(&Some(k)) && fits(f, k)
        };
        let found = (0..fields).find_map(|f| {
            let mut mine = (0..keys).filter(|&k| open(paired, f, k));
            let (Some(k), None) = (mine.next(), mine.next()) else { return None };
            let others = (0..fields).any(|g| g != f && open(paired, g, k));
            (!others).then_some((f, k))
        });
        let Some((f, k)) = found else { return };
        paired[f] = Some(k);
    }
}

/// Whether a step asks for values that nothing suggests.
fn is_guess(action: &Action) -> bool {
    matches!(action, Action::Map { values, .. } if values.iter().any(|(_, to)| to.is_empty()))
}

/// How an undeclared field fits a missing one.
struct Fit {
    /// The steps that follow a rename; `None` where no steps lead there.
    steps: Option<Vec<Action>>,
    /// Why no step leads there, though the value may be what is meant.
    blocked: Option<Misfit>,
    /// Whether its unit or its name says that it is meant.
    is_evident: bool,
}

impl Fit {
    fn of(field: &Field, key: &str, json: &Json) -> Self {
        if json.as_list().is_some_and(|items| items.len() > VALUES) {
            return Self { steps: None, blocked: None, is_evident: false };
        }
        let named = is_alike(&field.name, key);
        match read(field, json) {
            Ok(_) => Self { steps: Some(Vec::new()), blocked: None, is_evident: named || json.as_map().is_some() },
            Err(misfit) => match for_misfit(field, json, &misfit) {
                Some(action) => {
                    let known = matches!(&action, Action::Convert { factor: Some(_), .. });
                    Self { steps: Some(vec![action]), blocked: None, is_evident: named || known }
                }
                None => {
                    let close = match &misfit {
                        Misfit::Fraction(_) | Misfit::Range { .. } | Misfit::Unit { .. } => true,
                        Misfit::Kind { .. } => false,
                        _ => named,
                    };
                    Self { steps: None, blocked: close.then_some(misfit), is_evident: false }
                }
            },
        }
    }
}

/// Whether two names are spelled alike, or one is a part of the other.
fn is_alike(a: &str, b: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        let parts = name.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    let (a, b) = (words(a), words(b));
    let (x, y) = (a.concat(), b.concat());
    let begins = |long: &str, short: &str| short.chars().count() >= 3 && long.starts_with(short);
    let part = |of: &[String], all: &[String]| of.iter().any(|w| w.chars().count() >= 3 && all.contains(w));
    x == y || begins(&x, &y) || begins(&y, &x) || part(&a, &b) || nearest(&x, [y.as_str()]).is_some()
}
