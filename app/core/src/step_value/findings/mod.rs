//! What a report finds beyond single transitions, as one tree: the machine's view of the report writes it, and a certificate
//! binds it, so that neither says what the other does not.

mod figures;
mod parts;

use super::contrast::ContrastReport;
use super::face::{Side, Turn};
use super::study::Study;
use super::walk::Report;
use crate::exact::Rational;
use crate::seal::json::Json;
use figures::{auc_report, effect, equivalence, mixture_json, signs};
pub(crate) use figures::{big, count, number};
pub(crate) use parts::parts;

/// The margins that equivalence is tested against, as declared.
pub(crate) fn margins(study: &Study) -> Json {
    Json::map([
        ("scalars", margin(study.equivalence_margin.as_ref())),
        ("auc", margin(study.auc_equivalence_margin.as_ref())),
    ])
}

/// Every contrast, in declared order.
pub(crate) fn contrasts(study: &Study, report: &Report) -> Json {
    Json::List(report.contrasts.iter().map(|contrast| contrast_json(study, contrast)).collect())
}

/// A declared margin in its exact spelling.
fn margin(margin: Option<&Rational>) -> Json {
    margin.map_or(Json::Null, |margin| Json::Text(margin.to_string()))
}

fn contrast_json(study: &Study, report: &ContrastReport) -> Json {
    let declared = &study.contrasts[report.contrast];
    let channel = |index: usize| Json::text(&study.channels[index].id);
    let flips = Turn::ALL.into_iter().zip(report.flips).map(|(turn, n)| (turn.word(), count(n)));
    let [reference, alternative, omega] = &report.signs;
    let mut fields = vec![
        ("id", Json::text(&declared.id)),
        ("reference", channel(declared.reference)),
        ("alternative", channel(declared.alternative)),
        ("n", count(report.cohort.members().len())),
        ("clusters", count(report.cohort.trajectories().len())),
        ("gain_reference", effect(report.gain(Side::Reference))),
        ("gain_alternative", effect(report.gain(Side::Alternative))),
        ("omega", effect(report.omega)),
        ("equivalence", report.equivalence.as_ref().map_or(Json::Null, equivalence)),
        ("flips", Json::map(flips)),
        ("opposite_signs", report.opposite_signs().map_or(Json::Null, Json::Bool)),
        ("clear_of_zero", report.clear_of_zero().map_or(Json::Null, Json::Bool)),
        ("strict_mean_reversal", Json::Bool(report.is_strict_mean_reversal())),
        (
            "signs",
            Json::map([
                ("gain_reference", signs(reference)),
                ("gain_alternative", signs(alternative)),
                ("omega", signs(omega)),
            ]),
        ),
        ("crossing", report.crossing().map_or(Json::Null, Json::Float)),
        ("layouts", Json::List(report.layouts.iter().map(|part| effect(*part)).collect())),
    ];
    if !report.waves.is_empty() {
        fields.push(("waves", Json::List(report.waves.iter().map(|part| effect(*part)).collect())));
    }
    fields.push(("auc", report.auc.as_ref().map_or(Json::Null, auc_report)));
    fields.push(("equal_targets", mixture_json(report.mixture.as_ref(), "omega")));
    Json::map(fields)
}
