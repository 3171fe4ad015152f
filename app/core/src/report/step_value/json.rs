//! The machine's view of a step-value report (formats §6), written piece by piece: a large study has a hundred thousand
//! transitions.

use super::words::sign_word;
use crate::report::inspect::json_line;
use crate::seal::json::Json;
use crate::stats::Estimate;
use crate::step_value::bridge::{BridgeReport, VertexReport};
use crate::step_value::contrast::{AucReport, ContrastReport, Mixture, SignCounts};
use crate::step_value::cube::CubeReport;
use crate::step_value::design::{Combination, Design, Identification};
use crate::step_value::face::{Face, Side, Turn};
use crate::step_value::inference::{AucPair, Effect};
use crate::step_value::measure::Measured;
use crate::step_value::retrieval::{ControlsReport, RetrievalReport};
use crate::step_value::scalars::Missing;
use crate::step_value::scores::{Corner, Scores};
use crate::step_value::study::{State, Study};
use crate::step_value::walk::Report;

/// Writes what `asv --json` says, on one line without its end.
pub fn step_value_json(study: &Study, scores: &Scores, report: &Report, out: &mut dyn FnMut(&str)) {
    out("{");
    for (key, value) in head(study, scores, report) {
        out(&format!("{}: {}, ", json_line(&Json::text(key)), json_line(&value)));
    }
    let (transitions, trajectories) = (study.transitions.len(), study.trajectories.len());
    out(&format!(
        "\"cohort\": {{\"transitions\": {transitions}, \"trajectories\": {trajectories}, \"complete\": {}, \"missing\": [",
        report.complete()
    ));
    for (i, missing) in report.missing(study, scores).enumerate() {
        out(if i > 0 { ", " } else { "" });
        out(&json_line(&missing_json(study, &missing)));
    }
    out("]}, \"transitions\": [");
    for t in 0..transitions {
        out(if t > 0 { ", " } else { "" });
        out(&json_line(&transition_json(study, report, t)));
    }
    out("], \"contrasts\": ");
    out(&json_line(&Json::List(report.contrasts.iter().map(|contrast| contrast_json(study, contrast)).collect())));
    for (key, value) in tail(report) {
        out(&format!(", {}: {}", json_line(&Json::text(key)), json_line(&value)));
    }
    out("}");
}

fn head(study: &Study, scores: &Scores, report: &Report) -> Vec<(&'static str, Json)> {
    let account = scores.account();
    vec![
        ("study", Json::text(&study.id)),
        ("origin", Json::text(study.origin.word())),
        (
            "digests",
            Json::map([
                ("study", Json::Text(study.digest.to_string())),
                ("scores", Json::Text(scores.digest().to_string())),
            ]),
        ),
        (
            "sampling",
            Json::map([
                ("unit", Json::text("trajectory")),
                ("draws", count(report.sampling.draws as usize)),
                ("seed", Json::Text(report.sampling.seed.to_string())),
                ("level", Json::Int(95)),
            ]),
        ),
        (
            "import",
            Json::map([
                ("lines", big(account.lines)),
                ("rows", big(account.rows)),
                ("blank", big(account.blank)),
                ("scores", big(account.scores)),
                ("sentinels", big(account.sentinels)),
                ("above_zero", big(account.above_zero)),
            ]),
        ),
    ]
}

fn tail(report: &Report) -> Vec<(&'static str, Json)> {
    let mut parts = Vec::new();
    parts.extend(report.bridge.as_ref().map(|bridge| ("bridge", bridge_json(bridge))));
    parts.extend(report.cube.as_ref().map(|cube| ("matched_cube", cube_json(cube))));
    parts.extend(report.retrieval.as_ref().map(|face| ("retrieval_face", retrieval_json(face))));
    parts.extend(report.controls.as_ref().map(|controls| ("controls", controls_json(controls))));
    if !report.designs.is_empty() {
        let designs = report.designs.iter();
        parts.push((
            "designs",
            Json::List(
                designs
                    .map(|(id, design, found)| {
                        let mut fields = vec![("id".to_owned(), Json::text(id))];
                        fields.extend(identification_fields(design, found));
                        Json::Map(fields)
                    })
                    .collect(),
            ),
        ));
    }
    parts
}

fn missing_json(study: &Study, missing: &Missing) -> Json {
    let cell = &missing.cell;
    let transition = &study.transitions[cell.transition];
    let candidate = study.candidates(transition).get(missing.candidate).map_or("", String::as_str);
    let mut fields = vec![
        ("transition", Json::text(&transition.id)),
        ("state", Json::text(cell.corner.state.word())),
        ("channel", Json::text(&study.channels[cell.channel].id)),
        ("layout", count(cell.layout)),
        ("wave", Json::Int(study.waves[cell.wave].id)),
        ("candidate", Json::text(candidate)),
        ("why", Json::text(missing.why.word())),
    ];
    if cell.corner.view_at != cell.corner.state {
        fields.insert(2, ("view_at", Json::text(cell.corner.view_at.word())));
    }
    Json::map(fields)
}

fn transition_json(study: &Study, report: &Report, t: usize) -> Json {
    let transition = &study.transitions[t];
    let (mut scalars, mut gains) = (Vec::new(), Vec::new());
    for (c, channel) in study.channels.iter().enumerate() {
        let at = |state| report.scalars.get(t, c, Corner::own(state));
        let both = State::BOTH.map(|state| (state.word(), number(at(state))));
        scalars.push((channel.id.clone(), Json::map(both.into_iter().filter(|(_, v)| *v != Json::Null))));
        gains.extend(report.scalars.gain(t, c).map(|gain| (channel.id.clone(), Json::Float(gain.value))));
    }
    let (mut omegas, mut signs) = (Vec::new(), Vec::new());
    for contrast in &study.contrasts {
        let face = Face::of(&report.scalars, t, contrast);
        let Some(omega) = face.omega() else { continue };
        omegas.push((contrast.id.clone(), Json::Float(omega.value)));
        let side = |side| Json::text(sign_word(face.gain(side).and_then(|gain| gain.sign())));
        signs.push((
            contrast.id.clone(),
            Json::map([
                ("reference", side(Side::Reference)),
                ("alternative", side(Side::Alternative)),
                ("omega", Json::text(sign_word(omega.sign()))),
            ]),
        ));
    }
    Json::map([
        ("id", Json::text(&transition.id)),
        ("trajectory", Json::text(&study.trajectories[transition.trajectory])),
        ("complete", Json::Bool(report.complete[t])),
        ("F", Json::Map(scalars)),
        ("gain", Json::Map(gains)),
        ("omega", Json::Map(omegas)),
        ("signs", Json::Map(signs)),
    ])
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
        ("flips", Json::map(flips)),
        ("strict_mean_reversal", Json::Bool(report.is_strict_mean_reversal())),
        ("reversal_clear", Json::Bool(report.is_reversal_clear())),
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
    fields.push(("equal_targets", report.mixture.as_ref().map_or(Json::Null, mixture_json)));
    Json::map(fields)
}

fn mixture_json(mixture: &Mixture) -> Json {
    Json::map([
        ("targets", Json::Map(mixture.targets.iter().map(|(name, n)| (name.clone(), count(*n))).collect())),
        ("gain_reference", estimate(mixture.gains[0])),
        ("gain_alternative", estimate(mixture.gains[1])),
        ("omega", estimate(mixture.omega)),
    ])
}

fn auc_report(report: &AucReport) -> Json {
    Json::map([("gain", auc_json(&report.gain)), ("after", auc_json(&report.after))])
}

fn auc_json(auc: &AucPair) -> Json {
    Json::map([
        ("successes", big(auc.successes)),
        ("failures", big(auc.failures)),
        ("reference", estimate(Some(auc.reference))),
        ("alternative", estimate(Some(auc.alternative))),
        ("difference", estimate(Some(auc.difference))),
    ])
}

fn bridge_json(bridge: &BridgeReport) -> Json {
    let vertex = |vertex: &VertexReport| {
        Json::map([
            ("vertex", Json::text(&vertex.name)),
            ("gain_reference", effect(vertex.gains[0])),
            ("gain_alternative", effect(vertex.gains[1])),
            ("interaction", effect(vertex.interaction)),
            ("auc", vertex.auc.as_ref().map_or(Json::Null, auc_json)),
            ("layouts", Json::List(vertex.layouts.iter().map(|part| effect(*part)).collect())),
            ("waves", Json::List(vertex.waves.iter().map(|part| effect(*part)).collect())),
            ("icc_a1", estimate(vertex.icc)),
        ])
    };
    let identification = bridge.identification.as_ref();
    Json::map([
        ("n", count(bridge.cohort.members().len())),
        ("clusters", count(bridge.cohort.trajectories().len())),
        ("vertices", Json::List(bridge.vertices.iter().map(vertex).collect())),
        (
            "directional_support",
            if bridge.cohort.members().is_empty() { Json::Null } else { Json::Bool(bridge.has_directional_support()) },
        ),
        ("criterion_support", bridge.has_criterion_support().map_or(Json::Null, Json::Bool)),
        (
            "readout_by_stack",
            identification.map_or(Json::Null, |(design, found)| Json::Map(identification_fields(design, found))),
        ),
    ])
}

fn cube_json(cube: &CubeReport) -> Json {
    let view = |index: usize| Json::text(&cube.views[index]);
    let authority = |index: usize| Json::text(&cube.authorities[index]);
    let gains = cube.gains.iter().enumerate().flat_map(|(v, row)| {
        row.iter()
            .enumerate()
            .map(move |(a, gain)| Json::map([("view", view(v)), ("authority", authority(a)), ("gain", effect(*gain))]))
    });
    let effects = cube.authority_effects.iter().enumerate().flat_map(|(v, row)| {
        row.iter().enumerate().map(move |(a, found)| {
            Json::map([("view", view(v)), ("from", authority(0)), ("to", authority(a + 1)), ("effect", effect(*found))])
        })
    });
    let contrasts = cube.view_contrasts.iter().map(|contrast| {
        Json::map([
            ("from", view(contrast.from)),
            ("to", view(contrast.to)),
            ("authority", authority(contrast.authority)),
            ("shift_before", effect(contrast.shift[0])),
            ("shift_after", effect(contrast.shift[1])),
            ("interaction", effect(contrast.interaction)),
            ("auc", contrast.auc.as_ref().map_or(Json::Null, auc_json)),
        ])
    });
    let interactions = cube.interactions.iter().map(|interaction| {
        Json::map([
            ("from", view(interaction.from)),
            ("to", view(interaction.to)),
            ("effect", effect(interaction.effect)),
            ("interval90", effect(interaction.effect90)),
            ("equivalent", interaction.equivalent.map_or(Json::Null, Json::Bool)),
        ])
    });
    Json::map([
        ("n", count(cube.cohort.members().len())),
        ("clusters", count(cube.cohort.trajectories().len())),
        ("gains", Json::List(gains.collect())),
        ("authority_effects", Json::List(effects.collect())),
        ("view_contrasts", Json::List(contrasts.collect())),
        ("authority_interactions", Json::List(interactions.collect())),
    ])
}

fn retrieval_json(face: &RetrievalReport) -> Json {
    let names = ["state", "view", "gain"];
    let parts = names.into_iter().zip(face.effects).zip(&face.signs);
    let mut fields =
        vec![("n", count(face.cohort.members().len())), ("clusters", count(face.cohort.trajectories().len()))];
    fields.extend(parts.map(|((name, found), counts)| (name, with_signs(found, counts))));
    if let Some(direct) = &face.direct {
        fields.push((
            "direct",
            Json::map([
                ("n", count(direct.cohort.members().len())),
                ("clusters", count(direct.cohort.trajectories().len())),
                ("gain", with_signs(direct.gain, &direct.signs[0])),
                ("omega", with_signs(direct.omega, &direct.signs[1])),
            ]),
        ));
    }
    Json::map(fields)
}

fn controls_json(report: &ControlsReport) -> Json {
    let controls = report
        .controls
        .iter()
        .map(|control| Json::map([("name", Json::text(control.name)), ("effect", effect(control.effect))]));
    Json::map([
        ("n", count(report.cohort.members().len())),
        ("clusters", count(report.cohort.trajectories().len())),
        ("own", effect(report.own)),
        ("controls", Json::List(controls.collect())),
    ])
}

fn identification_fields(design: &Design, found: &Identification) -> Vec<(String, Json)> {
    let cell = |combination: &Combination| {
        let levels = combination.iter().zip(&design.factors);
        Json::List(levels.filter_map(|(&level, factor)| factor.levels.get(level)).map(Json::text).collect())
    };
    let pairs = |key: &str, pairs: &[(Combination, crate::exact::Rational)]| {
        let entry = |(combination, value): &(Combination, crate::exact::Rational)| {
            Json::map([("cell", cell(combination)), (key, Json::Text(value.to_string()))])
        };
        Json::List(pairs.iter().map(entry).collect())
    };
    let mut fields = vec![
        ("factors".to_owned(), Json::List(design.factors.iter().map(|f| Json::text(&f.name)).collect())),
        ("observed".to_owned(), Json::List(design.observed.iter().map(cell).collect())),
        ("identified".to_owned(), Json::Bool(found.is_identified())),
    ];
    fields.push(match found {
        Identification::Identified(weights) => ("weights".to_owned(), pairs("weight", weights)),
        Identification::NotIdentified(witness) => (
            "witness".to_owned(),
            Json::map([("shifts", pairs("by", &witness.shifts)), ("moves", Json::Text(witness.moves.to_string()))]),
        ),
    });
    fields
}

fn with_signs(found: Option<Effect>, counts: &SignCounts) -> Json {
    Json::map([("effect", effect(found)), ("trajectories", signs(counts))])
}

fn signs(counts: &SignCounts) -> Json {
    Json::map([
        ("positive", count(counts.positive)),
        ("negative", count(counts.negative)),
        ("abstained", count(counts.abstained)),
    ])
}

fn effect(found: Option<Effect>) -> Json {
    let Some(found) = found else { return Json::Null };
    let Json::Map(mut fields) = estimate(Some(found.estimate)) else { return Json::Null };
    fields.push(("sign".to_owned(), Json::text(sign_word(found.sign))));
    Json::Map(fields)
}

fn estimate(found: Option<Estimate>) -> Json {
    let Some(found) = found else { return Json::Null };
    let end = |value: f64| if found.is_bounded() { Json::Float(value) } else { Json::Null };
    let mut fields = vec![("mean", Json::Float(found.value)), ("lo", end(found.lo)), ("hi", end(found.hi))];
    if found.is_bounded() && found.defined < found.draws {
        fields.push(("defined_draws", count(found.defined as usize)));
    }
    Json::map(fields)
}

fn number(found: Option<Measured>) -> Json {
    found.map_or(Json::Null, |found| Json::Float(found.value))
}

fn count(n: usize) -> Json {
    Json::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

fn big(n: u64) -> Json {
    Json::Int(i64::try_from(n).unwrap_or(i64::MAX))
}
