//! Single figures: means with intervals and signs, AUCs, tests, counts.

use crate::seal::json::Json;
use crate::stats::Estimate;
use crate::step_value::contrast::{AucReport, SignCounts};
use crate::step_value::equivalence::Equivalence;
use crate::step_value::inference::{AucPair, Effect};
use crate::step_value::measure::{Measured, sign_word};
use crate::step_value::mixture::Mixture;

pub(super) fn with_signs(found: Option<Effect>, counts: &SignCounts) -> Json {
    Json::map([("effect", effect(found)), ("trajectories", signs(counts))])
}

pub(super) fn signs(counts: &SignCounts) -> Json {
    Json::map([
        ("positive", count(counts.positive)),
        ("negative", count(counts.negative)),
        ("abstained", count(counts.abstained)),
    ])
}

pub(super) fn effect(found: Option<Effect>) -> Json {
    let Some(found) = found else { return Json::Null };
    let Json::Map(mut fields) = estimate(Some(found.estimate)) else { return Json::Null };
    fields.push(("sign".to_owned(), Json::text(sign_word(found.sign))));
    Json::Map(fields)
}

pub(super) fn estimate(found: Option<Estimate>) -> Json {
    let Some(found) = found else { return Json::Null };
    let end = |value: f64| if found.is_bounded() { Json::Float(value) } else { Json::Null };
    let mut fields = vec![("mean", Json::Float(found.value)), ("lo", end(found.lo)), ("hi", end(found.hi))];
    if found.is_bounded() && found.defined < found.draws {
        fields.push(("defined_draws", count(found.defined as usize)));
    }
    Json::map(fields)
}

pub(crate) fn number(found: Option<Measured>) -> Json {
    found.map_or(Json::Null, |found| Json::Float(found.value))
}

pub(crate) fn count(n: usize) -> Json {
    Json::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

pub(crate) fn big(n: u64) -> Json {
    Json::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

pub(super) fn auc_json(auc: &AucPair) -> Json {
    Json::map([
        ("successes", big(auc.successes)),
        ("failures", big(auc.failures)),
        ("reference", estimate(Some(auc.reference))),
        ("alternative", estimate(Some(auc.alternative))),
        ("difference", estimate(Some(auc.difference))),
        ("equivalence", equivalence(&auc.equivalence)),
    ])
}

/// The means with equal weight to each target; `difference` is what the difference of the gains is called.
pub(super) fn mixture_json(mixture: Option<&Mixture>, difference: &'static str) -> Json {
    let Some(mixture) = mixture else { return Json::Null };
    Json::map([
        ("targets", targets(&mixture.targets)),
        ("gain_reference", estimate(mixture.gains[0])),
        ("gain_alternative", estimate(mixture.gains[1])),
        (difference, estimate(mixture.omega)),
    ])
}

pub(super) fn targets(targets: &[(String, usize)]) -> Json {
    Json::Map(targets.iter().map(|(name, n)| (name.clone(), count(*n))).collect())
}

/// A test with the ends of its 90 % interval.
pub(super) fn equivalence(test: &Equivalence) -> Json {
    let end = |end: fn(&Estimate) -> f64| {
        test.ninety.filter(Estimate::is_bounded).map_or(Json::Null, |estimate| Json::Float(end(&estimate)))
    };
    Json::map([
        ("verdict", Json::text(test.verdict.words())),
        ("lo90", end(|estimate| estimate.lo)),
        ("hi90", end(|estimate| estimate.hi)),
    ])
}

pub(super) fn auc_report(report: &AucReport) -> Json {
    Json::map([("gain", auc_json(&report.gain)), ("after", auc_json(&report.after))])
}
