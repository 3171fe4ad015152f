//! The smallest declared step that would bring a value under the interface. A proposal: only the auditor declares it.

use std::sync::Arc;

use super::fit::{Misfit, read};
use super::{Field, FieldType};
use crate::exact::Rational;
use crate::judgment::case::{Action, DefaultValue};
use crate::nearest::nearest;
use crate::seal::json::Json;

/// Most values that one proposed map lists.
const FOREIGN: usize = 64;
/// Most declared values among which the nearest one is looked for.
const VALUES: usize = 256;

/// Units whose ratio is a matter of definition: each in terms of the first of its group. Bytes follow the SI and IEC
/// prefixes; no currency is converted into another.
const UNITS: &[(&str, &str, i64, i64)] = &[
    ("cent", "EUR", 1, 100),
    ("cent", "USD", 1, 100),
    ("cents", "EUR", 1, 100),
    ("cents", "USD", 1, 100),
    ("eurocent", "EUR", 1, 100),
    ("penny", "GBP", 1, 100),
    ("pence", "GBP", 1, 100),
    ("second", "minute", 1, 60),
    ("second", "hour", 1, 3600),
    ("second", "day", 1, 86_400),
    ("minute", "hour", 1, 60),
    ("minute", "day", 1, 1440),
    ("hour", "day", 1, 24),
    ("hour", "week", 1, 168),
    ("day", "week", 1, 7),
    ("month", "year", 1, 12),
    ("kb", "mb", 1, 1000),
    ("kb", "gb", 1, 1_000_000),
    ("mb", "gb", 1, 1000),
    ("gb", "tb", 1, 1000),
    ("mib", "gib", 1, 1024),
    ("g", "kg", 1, 1000),
    ("mm", "cm", 1, 10),
    ("cm", "m", 1, 100),
    ("m", "km", 1, 1000),
    ("percent", "ratio", 1, 100),
];

/// The exact factor from one unit to another, where it is a matter of definition.
#[must_use]
pub fn known_factor(from: &str, to: &str) -> Option<Rational> {
    let plain = |unit: &str| {
        let lower = unit.to_ascii_lowercase();
        let timed = ["seconds", "minutes", "hours", "days", "weeks", "months", "years"].contains(&lower.as_str());
        if timed { lower.trim_end_matches('s').to_owned() } else { lower }
    };
    let (from, to) = (plain(from), plain(to));
    let is = |unit: &str, other: &str| unit.to_ascii_lowercase() == *other;
    UNITS.iter().find_map(|&(small, large, n, d)| {
        if is(small, &from) && is(large, &to) {
            Rational::from_ratio(n, d)
        } else if is(small, &to) && is(large, &from) {
            Rational::from_ratio(d, n)
        } else {
            None
        }
    })
}

/// The declared values, where there are few enough to look for the nearest one.
pub(super) fn few(values: &[Arc<str>]) -> Option<impl Iterator<Item = &str>> {
    (values.len() <= VALUES).then(|| values.iter().map(|v| &**v))
}

/// The step that would repair a value that does not fit, where one kind of step can.
pub(super) fn for_misfit(field: &Field, json: &Json, misfit: &Misfit) -> Option<Action> {
    let name = field.name.to_string();
    match misfit {
        Misfit::Unit { found, .. } => {
            let to = field.unit.clone()?;
            let numeric = matches!(field.ty, FieldType::Int { .. } | FieldType::Rational { .. });
            numeric.then(|| Action::Convert {
                field: name,
                factor: known_factor(found, &to),
                offset: Rational::ZERO,
                from: found.clone(),
                to,
            })
        }
        Misfit::Value { .. } => {
            let (FieldType::Enum(values) | FieldType::Set(values)) = &field.ty else { return None };
            let given: Vec<&str> = match json {
                Json::List(items) => items.iter().filter_map(Json::as_text).collect(),
                other => other.as_text().into_iter().collect(),
            };
            let foreign = given.into_iter().filter(|text| values.binary_search_by(|v| (**v).cmp(text)).is_err());
            let foreign: Vec<&str> = foreign.take(FOREIGN).collect();
            let near = |text: &str| few(values).and_then(|all| nearest(text, all)).unwrap_or_default().to_owned();
            Some(Action::Map { field: name, values: foreign.into_iter().map(|t| (t.to_owned(), near(t))).collect() })
        }
        _ => None,
    }
}

/// The step that would repair a missing field: a rename where exactly one undeclared field fits it and fits no other
/// missing field, else a default for the auditor to declare.
#[must_use]
pub(crate) fn for_missing(field: &Field, missing: &[&Field], unknown: &[(&str, &Json)]) -> Action {
    let mut fitting = unknown.iter().filter(|(_, json)| read(field, json).is_ok());
    if let (Some((from, json)), None) = (fitting.next(), fitting.next())
        && !missing.iter().any(|m| m.name != field.name && read(m, json).is_ok())
    {
        return Action::Rename { from: (*from).to_owned(), to: field.name.to_string() };
    }
    Action::Default { field: field.name.to_string(), value: DefaultValue(Json::Null) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_exact_both_ways_and_only_where_defined() {
        for (from, to, factor) in [
            ("cent", "EUR", "1/100"),
            ("EUR", "cent", "100"),
            ("hours", "day", "1/24"),
            ("Day", "hours", "24"),
            ("GB", "MB", "1000"),
            ("MiB", "GiB", "1/1024"),
            ("months", "years", "1/12"),
        ] {
            assert_eq!(known_factor(from, to), Rational::parse(factor).ok(), "{from} to {to}");
        }
        for (from, to) in [("EUR", "USD"), ("day", "month"), ("cent", "CHF"), ("", "day"), ("EUR", "EUR")] {
            assert_eq!(known_factor(from, to), None, "{from} to {to}");
        }
    }
}
