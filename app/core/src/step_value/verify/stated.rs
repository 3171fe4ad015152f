//! What a certificate states, read as figures again. Without a study nobody can say whether a figure is right; whether it is a
//! figure, and whether its sign and its interval can be its own, follows from the statement alone.

use crate::exact::Rational;
use crate::exact::interval::{Interval, Sign};
use crate::seal::json::Json;
use crate::seal::predicate::Field;
use crate::stats::Estimate;
use crate::step_value::equivalence::Equivalence;
use crate::step_value::inference::Effect;
use crate::step_value::measure::{Measured, sign_word};

/// Whether something holds, or why it does not.
pub(super) type Held = Result<(), String>;

static NULL: Json = Json::Null;

/// The value of a key; `null` where there is none.
pub(super) fn at<'j>(field: &Field<'j>, key: &str) -> Field<'j> {
    Field { json: field.json.get(key).unwrap_or(&NULL), name: format!("{}.{key}", field.name) }
}

/// The values of a list; none where it is no list.
pub(super) fn items<'j>(field: &Field<'j>) -> Vec<Field<'j>> {
    let items = field.json.as_list().unwrap_or_default();
    items.iter().enumerate().map(|(i, json)| Field { json, name: format!("{}[{i}]", field.name) }).collect()
}

/// A count; 0 where it is none, which reading has refused.
pub(super) fn count(field: &Field<'_>, key: &str) -> u64 {
    field.json.get(key).and_then(Json::as_int).and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
}

/// A number in its one spelling.
pub(super) fn number(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    (value.is_finite() && format!("{value:?}") == text).then_some(value)
}

/// A figure, or `null`.
pub(super) fn figure(field: &Field<'_>) -> Result<Option<f64>, String> {
    match field.json {
        Json::Null => Ok(None),
        json => match json.as_text().and_then(number) {
            // A zero has no sign.
            Some(value) if value != 0.0 || value.is_sign_positive() => Ok(Some(value)),
            _ => Err(format!("`{}` is no figure in its one spelling", field.name)),
        },
    }
}

/// The sign that a word names; an abstention is none.
pub(super) fn sign(word: &str) -> Option<Option<Sign>> {
    [Some(Sign::Positive), Some(Sign::Negative), None].into_iter().find(|sign| sign_word(*sign) == word)
}

/// That a mean can have a sign: one on its own side of zero, or an abstention.
pub(super) fn suits(value: f64, sign: Option<Sign>) -> bool {
    match sign {
        Some(Sign::Positive) => value > 0.0,
        Some(Sign::Negative) => value < 0.0,
        None => true,
    }
}

/// An estimate over so many clusters, or `null`; of draws, of which there are so many.
pub(super) fn estimate(field: &Field<'_>, draws: u32, clusters: u64) -> Result<Option<Estimate>, String> {
    let Some(value) = figure(&at(field, "mean"))? else { return Ok(None) };
    let clusters = u32::try_from(clusters).unwrap_or(u32::MAX);
    let defined = at(field, "defined_draws");
    let (lo, hi) = match (figure(&at(field, "lo"))?, figure(&at(field, "hi"))?) {
        (Some(lo), Some(hi)) if lo <= hi => (lo, hi),
        (Some(lo), Some(hi)) => return Err(format!("`{}` states an interval from {lo:?} to {hi:?}", field.name)),
        (None, None) if *defined.json == Json::Null => return Ok(Some(Estimate::unbounded(value, draws))),
        _ => return Err(format!("`{}` states half an interval", field.name)),
    };
    let defined = match defined.json {
        Json::Null => draws,
        _ => {
            let defined = count(field, "defined_draws");
            let some = u32::try_from(defined).ok().filter(|defined| (1..draws).contains(defined));
            some.ok_or_else(|| format!("`{}` states {defined} defined draws of {draws}", field.name))?
        }
    };
    Ok(Some(Estimate { value, lo, hi, defined, draws, clusters }))
}

/// An estimate with its sign, or `null`.
pub(super) fn effect(field: &Field<'_>, draws: u32, clusters: u64) -> Result<Option<Effect>, String> {
    let Some(estimate) = estimate(field, draws, clusters)? else { return Ok(None) };
    let word = at(field, "sign");
    let word = word.json.as_text().unwrap_or_default();
    match sign(word) {
        Some(sign) if suits(estimate.value, sign) => Ok(Some(Effect { estimate, sign })),
        _ => Err(format!("`{}` states the sign `{word}` of a mean of {:?}", field.name, estimate.value)),
    }
}

/// A figure with its envelope, from which its sign follows.
pub(super) fn measured(value: &str, ends: [&str; 2], word: &str) -> Result<Measured, String> {
    let [Some(value), Some(lo), Some(hi)] = [value, ends[0], ends[1]].map(number) else {
        return Err("a figure is not in its one spelling".to_owned());
    };
    if !(lo <= value && value <= hi) {
        return Err(format!("{value:?} does not lie in its envelope [{lo:?}, {hi:?}]"));
    }
    let measured = Measured { value, envelope: Interval::point(lo).hull(hi) };
    let follows = sign_word(measured.sign());
    if word != follows {
        return Err(format!("the envelope [{lo:?}, {hi:?}] gives {follows}, the certificate states `{word}`"));
    }
    Ok(measured)
}

/// A declared margin, or `null`.
pub(super) fn margin(field: &Field<'_>) -> Result<Option<Rational>, String> {
    match field.json.as_text() {
        None => Ok(None),
        Some(text) => match Rational::parse(text) {
            Ok(margin) if margin.to_string() == text => Ok(Some(margin)),
            _ => Err(format!("`{}` is no exact number in its one spelling", field.name)),
        },
    }
}

/// That a test says what its 90 % interval and its margin come to.
pub(super) fn test(field: &Field<'_>, draws: u32, clusters: u64, margin: Option<&Rational>) -> Held {
    if *field.json == Json::Null {
        return Ok(());
    }
    let ninety = match (figure(&at(field, "lo90"))?, figure(&at(field, "hi90"))?) {
        (None, None) => None,
        (Some(lo), Some(hi)) if lo <= hi => {
            let clusters = u32::try_from(clusters).unwrap_or(u32::MAX);
            Some(Estimate { value: lo, lo, hi, defined: draws, draws, clusters })
        }
        _ => return Err(format!("`{}` states no interval", field.name)),
    };
    let owed = Equivalence::test(ninety, margin).verdict.words();
    let verdict = at(field, "verdict");
    same(&verdict, verdict.json.as_text() == Some(owed), owed)
}

/// That a flag says what follows.
pub(super) fn flag(field: &Field<'_>, owed: Option<bool>) -> Held {
    let word = match owed {
        Some(true) => "true",
        Some(false) => "false",
        None => "null",
    };
    same(field, field.json.as_bool() == owed, word)
}

fn same(field: &Field<'_>, is: bool, owed: &str) -> Held {
    if is { Ok(()) } else { Err(format!("`{}` should be {owed}, as follows from the figures beside it", field.name)) }
}

/// That a condition holds.
pub(super) fn hold(is: bool, why: impl FnOnce() -> String) -> Held {
    if is { Ok(()) } else { Err(why()) }
}
