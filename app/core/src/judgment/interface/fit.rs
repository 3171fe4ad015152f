//! Does a body fit the interface? Each field is read into a typed value; what does not fit is told with its reason and
//! the smallest declared step that would repair it.

use std::sync::Arc;

use super::repair;
use super::{Field, FieldType, Interface};
use crate::exact::Rational;
use crate::judgment::case::Action;
use crate::judgment::compat::StepFault;
use crate::judgment::expr::{NameId, Origin};
use crate::judgment::value::{Value, no_such_day, parse_date, parse_duration};
use crate::nearest::meant;
use crate::seal::canon::LARGEST_INTEGER;
use crate::seal::json::Json;

/// A field of a body that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The field's name in the interface.
    pub field: String,
    /// Why it does not fit.
    pub misfit: Misfit,
    /// What a compatibility step for this body would have to do.
    pub repair: Option<Action>,
}

/// Why a field does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// The body does not give it.
    #[error("the field is missing")]
    Missing,
    /// A value of another kind.
    #[error("{wanted} is wanted, this is {found}")]
    Kind {
        /// What the interface wants.
        wanted: &'static str,
        /// What the body has.
        found: &'static str,
    },
    /// Text that does not spell a value of the type.
    #[error("{wanted} is wanted, this is \"{found}\"")]
    Spelling {
        /// What the interface wants.
        wanted: &'static str,
        /// The text.
        found: String,
    },
    /// A JSON number with a fraction: it may have been rounded already.
    #[error("{0} is a number with a fraction, which may have been rounded; write it as text, \"{0}\"")]
    Fraction(String),
    /// The unit differs, or is given where none is declared.
    #[error("the value is in {found}, the interface wants {wanted}")]
    Unit {
        /// The value's unit.
        found: String,
        /// The declared unit, or `no unit`.
        wanted: String,
    },
    /// Outside the declared range.
    #[error("{found} is {side} the declared {bound}")]
    Range {
        /// The value.
        found: String,
        /// `below` or `above`.
        side: &'static str,
        /// The bound.
        bound: String,
    },
    /// A value that the enum or set does not list.
    #[error("'{found}' is none of the declared values ({declared}){meant}")]
    Value {
        /// The value.
        found: String,
        /// The declared values.
        declared: String,
        /// Which of them may be meant, as the end of the sentence.
        meant: String,
    },
    /// A date like any other that the calendar does not have.
    #[error("\"{found}\" is no day: {why}")]
    Day {
        /// The text.
        found: String,
        /// Why not.
        why: String,
    },
    /// A declared compatibility step does not apply.
    #[error(transparent)]
    Step(#[from] StepFault),
    /// An integer in quotation marks that a number spells as well: one integer has one spelling, so that it has one digest.
    #[error("\"{0}\" is text; write the number {0} without quotation marks")]
    Quoted(i64),
    /// An integer of more than 64 bits.
    #[error("{0} does not fit in 64 bits; use type `rational`, or a smaller number")]
    Wide(String),
    /// A set that lists a value twice.
    #[error("'{0}' is listed twice")]
    Twice(String),
}

/// A body after the check.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checked {
    /// The typed values, in the body's order.
    pub values: Vec<(NameId, Value)>,
    /// What does not fit; missing fields are not among them, since another source may give them.
    pub mismatches: Vec<Mismatch>,
    /// Keys that the interface does not declare; they move nothing.
    pub unknown: Vec<String>,
    /// Values that were normalised.
    pub notices: Vec<String>,
}

/// Checks a body's fields (for a norms source: its parameters) against the interface.
#[must_use]
pub fn check(interface: &Interface, origin: Origin, entries: &[(String, Json)]) -> Checked {
    let mut checked = Checked { values: Vec::with_capacity(entries.len()), ..Checked::default() };
    // Bodies mostly list their fields in the order of the interface: look at the next one before searching.
    let mut next = interface.first(origin);
    for (key, json) in entries {
        let expected = interface.field(next).filter(|f| f.origin == origin && *f.name == **key).map(|f| (next, f));
        let found = expected
            .or_else(|| interface.env().find(Some(origin), key).and_then(|id| Some((id, interface.field(id)?))));
        next = NameId(found.map_or(next.0, |(id, _)| id.0 + 1));
        let Some((id, field)) = found else {
            checked.unknown.push(key.clone());
            continue;
        };
        match read(field, json) {
            Ok(value) => {
                if matches!(json, Json::Float(_)) {
                    checked.notices.push(format!("`{key}` was read as the integer {value}"));
                }
                checked.values.push((id, value));
            }
            Err(misfit) => {
                let repair = repair::for_misfit(field, json, &misfit);
                checked.mismatches.push(Mismatch { field: key.clone(), misfit, repair });
            }
        }
    }
    checked
}

/// The typed value of a field.
pub(super) fn read(field: &Field, json: &Json) -> Result<Value, Misfit> {
    match json {
        Json::Map(entries)
            if let (2, Some(value), Some(Json::Text(unit))) = (entries.len(), json.get("value"), json.get("unit")) =>
        {
            if field.unit.as_deref() != Some(unit) {
                let wanted = field.unit.clone().unwrap_or_else(|| "no unit".to_owned());
                return Err(Misfit::Unit { found: unit.clone(), wanted });
            }
            plain(field, value)
        }
        _ => plain(field, json),
    }
}

fn plain(field: &Field, json: &Json) -> Result<Value, Misfit> {
    let kind = || Misfit::Kind { wanted: field.ty.words(), found: json.kind() };
    let spelling = |found: &str| Misfit::Spelling { wanted: field.ty.words(), found: found.chars().take(60).collect() };
    let text = || json.as_text().ok_or_else(kind);
    match &field.ty {
        FieldType::Bool => json.as_bool().map(Value::Bool).ok_or_else(kind),
        FieldType::Int { min, max } => {
            let value = match json {
                Json::Text(t) => wide(t)?,
                _ => whole(json).ok_or_else(kind)?,
            };
            in_range(&value, min.as_ref(), max.as_ref())?;
            Ok(Value::Int(value))
        }
        FieldType::Rational { min, max } => {
            let value = match json {
                Json::Text(t) => Rational::parse(t).ok().ok_or_else(|| spelling(t))?,
                Json::Float(f) if whole(json).is_none() => return Err(Misfit::Fraction(f.to_string())),
                _ => Rational::from_int(whole(json).ok_or_else(kind)?),
            };
            in_range(&value, min.as_ref(), max.as_ref())?;
            Ok(Value::Rational(value))
        }
        FieldType::Enum(values) => declared(values, text()?).map(Value::Text),
        FieldType::Set(values) => {
            let items = json.as_list().ok_or_else(kind)?;
            let mut set = Vec::with_capacity(items.len());
            for item in items {
                set.push(declared(values, item.as_text().ok_or_else(kind)?)?);
            }
            set.sort();
            if let Some(pair) = set.windows(2).find(|w| w[0] == w[1]) {
                return Err(Misfit::Twice(pair[0].to_string()));
            }
            Ok(Value::Set(set.into()))
        }
        FieldType::Date => text().and_then(|t| {
            let day = |why| Misfit::Day { found: t.to_owned(), why };
            parse_date(t).map(Value::Date).ok_or_else(|| no_such_day(t).map_or_else(|| spelling(t), day))
        }),
        FieldType::Duration => text().and_then(|t| parse_duration(t).map(Value::Duration).ok_or_else(|| spelling(t))),
        FieldType::Text => text().map(|t| Value::Text(Arc::from(t))),
    }
}

/// An integer beyond ±(2^53−1), which JSON numbers do not keep, from its one spelling in text.
pub(super) fn wide(text: &str) -> Result<i64, Misfit> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if !plain || (digits.starts_with('0') && text != "0") {
        let found = text.chars().take(60).collect();
        return Err(Misfit::Spelling { wanted: "an integer", found });
    }
    match text.parse::<i64>() {
        Ok(i) if i.unsigned_abs() <= LARGEST_INTEGER.unsigned_abs() => Err(Misfit::Quoted(i)),
        Ok(i) => Ok(i),
        Err(_) => Err(Misfit::Wide(text.chars().take(60).collect())),
    }
}

/// An integer, also in the spelling 1.0 or 1e0.
fn whole(json: &Json) -> Option<i64> {
    match json {
        Json::Int(i) => Some(*i),
        Json::Float(f) if f.fract() == 0.0 && f.abs() <= 9_007_199_254_740_991.0 => Some(*f as i64),
        _ => None,
    }
}

fn in_range<T: PartialOrd + std::fmt::Display>(value: &T, min: Option<&T>, max: Option<&T>) -> Result<(), Misfit> {
    let range = |side, bound: String| Err(Misfit::Range { found: value.to_string(), side, bound });
    match (min, max) {
        (Some(min), _) if value < min => range("below", format!("minimum {min}")),
        (_, Some(max)) if value > max => range("above", format!("maximum {max}")),
        _ => Ok(()),
    }
}

fn declared(values: &Arc<[Arc<str>]>, text: &str) -> Result<Arc<str>, Misfit> {
    match values.binary_search_by(|v| (**v).cmp(text)) {
        Ok(i) => Ok(Arc::clone(&values[i])),
        Err(_) => {
            let mut listed = values.iter().take(8).map(|v| &**v).collect::<Vec<_>>().join(", ");
            if values.len() > 8 {
                listed += ", …";
            }
            let meant = repair::few(values).map_or_else(String::new, |all| meant(text, all).replace('`', "'"));
            Err(Misfit::Value { found: text.to_owned(), declared: listed, meant })
        }
    }
}
