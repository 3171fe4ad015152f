//! Applying declared compatibility steps to one version of one source, exactly and in file order (docs/theory.md §1.2).
//! A step that does not apply is a fault of that version; nothing is coerced beyond what a step says.

use std::borrow::Cow;

use super::case::{Action, Case, CaseFault, CompatibilityStep, GAP};
use crate::exact::Rational;
use crate::seal::json::{Json, JsonPath};

/// Why a declared step does not apply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepFault {
    /// The field that the step reads is not there.
    #[error("the declared step `{step}` does not apply: this version has no field `{field}`")]
    NoField {
        /// The step's word.
        step: &'static str,
        /// The field.
        field: String,
    },
    /// The field that the step writes is there already.
    #[error("the declared step `{step}` does not apply: this version has a field `{field}` already")]
    Occupied {
        /// The step's word.
        step: &'static str,
        /// The field.
        field: String,
    },
    /// The value is in another unit than the step converts from.
    #[error("the declared step `convert` does not apply: `{field}` is in {found}, the step converts from {from}")]
    Unit {
        /// The field.
        field: String,
        /// The value's unit.
        found: String,
        /// The step's unit.
        from: String,
    },
    /// The value is no exact number, so that it cannot be converted.
    #[error("the declared step `convert` does not apply: `{field}` is {found}, not an exact number")]
    NotNumeric {
        /// The field.
        field: String,
        /// What it is.
        found: &'static str,
    },
    /// The value is no text, so that it cannot be mapped.
    #[error("the declared step `map` does not apply: `{field}` is {found}, not text")]
    NotText {
        /// The field.
        field: String,
        /// What it is.
        found: &'static str,
    },
    /// A proposed step whose gap nobody filled.
    #[error(
        "the step for `{field}` under `compatibility` is only a proposal: write the value that is true of your data in place of \"{GAP}\""
    )]
    Proposal {
        /// The field.
        field: String,
    },
}

impl StepFault {
    /// The field at fault.
    #[must_use]
    pub fn field(&self) -> &str {
        match self {
            Self::NoField { field, .. }
            | Self::Occupied { field, .. }
            | Self::Unit { field, .. }
            | Self::NotNumeric { field, .. }
            | Self::NotText { field, .. }
            | Self::Proposal { field } => field,
        }
    }
}

/// Refuses steps of a case whose engine has nothing that they could act on: a step that is bound, but never applied,
/// would claim a repair that nobody made. `lacks` ends the sentence.
///
/// # Errors
/// [`CaseFault`] where there is a step.
pub fn refuse_steps(case: &Case, lacks: &str) -> Result<(), CaseFault> {
    if case.compatibility().is_empty() {
        return Ok(());
    }
    let what = format!("compatibility steps address fields and parameters, which {lacks}");
    let path = JsonPath::default().key("compatibility");
    Err(CaseFault::new(path, what, "Remove the steps, or use engine `rules`."))
}

/// The fields of a version after the steps, and the steps that do not apply: each leaves the fields as they were.
#[must_use]
pub fn apply<'b>(
    steps: &[&CompatibilityStep],
    entries: &'b [(String, Json)],
) -> (Cow<'b, [(String, Json)]>, Vec<StepFault>) {
    if steps.is_empty() {
        return (Cow::Borrowed(entries), Vec::new());
    }
    let mut fields = entries.to_vec();
    let faults = steps.iter().filter_map(|step| apply_one(&step.action, &mut fields).err()).collect();
    (Cow::Owned(fields), faults)
}

fn apply_one(action: &Action, fields: &mut Vec<(String, Json)>) -> Result<(), StepFault> {
    match action {
        Action::Rename { from, to } => {
            let at = position(fields, "rename", from)?;
            vacant(fields, "rename", to)?;
            fields[at].0.clone_from(to);
        }
        Action::Convert { field, factor, offset, from, to } => {
            let at = position(fields, "convert", field)?;
            let factor = factor.as_ref().ok_or_else(|| StepFault::Proposal { field: field.clone() })?;
            let number = quantity(field, &fields[at].1, from)?;
            let value = exact_json(&number.mul(factor).add(offset));
            fields[at].1 = Json::map([("value", value), ("unit", Json::text(to))]);
        }
        Action::Map { field, values } => {
            let at = position(fields, "map", field)?;
            let found = fields[at].1.kind();
            let mapped = |text: &str| values.iter().find(|(from, _)| from == text).map(|(_, to)| to.clone());
            let not_text = || StepFault::NotText { field: field.clone(), found };
            let one = |json: &Json| {
                let Json::Text(text) = json else { return Err(not_text()) };
                match mapped(text) {
                    Some(to) if to.is_empty() => Err(StepFault::Proposal { field: field.clone() }),
                    Some(to) => Ok(Json::Text(to)),
                    None => Ok(json.clone()),
                }
            };
            fields[at].1 = match &fields[at].1 {
                Json::List(items) => Json::List(items.iter().map(one).collect::<Result<_, _>>()?),
                json => one(json)?,
            };
        }
        Action::Default { field, value } => {
            vacant(fields, "default", field)?;
            if value.0 == Json::Null {
                return Err(StepFault::Proposal { field: field.clone() });
            }
            fields.push((field.clone(), value.0.clone()));
        }
    }
    Ok(())
}

fn position(fields: &[(String, Json)], step: &'static str, field: &str) -> Result<usize, StepFault> {
    let at = fields.iter().position(|(name, _)| name == field);
    at.ok_or_else(|| StepFault::NoField { step, field: field.to_owned() })
}

fn vacant(fields: &[(String, Json)], step: &'static str, field: &str) -> Result<(), StepFault> {
    match fields.iter().any(|(name, _)| name == field) {
        true => Err(StepFault::Occupied { step, field: field.to_owned() }),
        false => Ok(()),
    }
}

/// The number of a plain value or of a quantity in the unit that the step converts from.
fn quantity(field: &str, json: &Json, from: &str) -> Result<Rational, StepFault> {
    let parts = json.as_map().map_or(0, <[_]>::len);
    let value = match (json.get("value"), json.get("unit")) {
        (Some(value), Some(Json::Text(unit))) if parts == 2 && unit == from => value,
        (Some(_), Some(Json::Text(unit))) if parts == 2 => {
            return Err(StepFault::Unit { field: field.to_owned(), found: unit.clone(), from: from.to_owned() });
        }
        _ => json,
    };
    let number = match value {
        Json::Int(i) => Some(Rational::from_int(*i)),
        Json::Text(t) => Rational::parse(t).ok(),
        _ => None,
    };
    number.ok_or_else(|| StepFault::NotNumeric { field: field.to_owned(), found: value.kind() })
}

/// The shortest exact spelling: an integer where it is one that JSON can hold, else a decimal or a fraction in text.
pub(crate) fn exact_json(number: &Rational) -> Json {
    match number.to_int() {
        Some(i) if i.unsigned_abs() < 1 << 53 => Json::Int(i),
        _ => Json::text(number.to_decimal().unwrap_or_else(|| number.to_string())),
    }
}
