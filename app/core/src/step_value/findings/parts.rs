//! The optional parts: bridge, matched cube, retrieval face, controls, designs.

use super::figures::{auc_json, count, effect, equivalence, estimate, mixture_json, targets, with_signs};
use super::margin;
use crate::exact::Rational;
use crate::seal::json::Json;
use crate::stats::Estimate;
use crate::step_value::bridge::{BridgeReport, VertexReport};
use crate::step_value::crossing::Crossing;
use crate::step_value::cube::{CubeMixture, CubeReport};
use crate::step_value::design::{Combination, Design, Difference, Identification};
use crate::step_value::retrieval::{ControlsReport, RetrievalReport};
use crate::step_value::study::{Study, Vertex};
use crate::step_value::walk::Report;

/// The parts that the study declares, by their keys in its document.
pub(crate) fn parts(study: &Study, report: &Report) -> Vec<(&'static str, Json)> {
    let mut parts = Vec::new();
    if !study.left_out.is_empty() {
        let left = study.left_out.iter();
        let left = left.map(|left| Json::map([("part", Json::text(left.part)), ("why", Json::text(left.why()))]));
        parts.push(("left_out", Json::List(left.collect())));
    }
    parts.extend(report.bridge.as_ref().map(|bridge| ("bridge", bridge_json(study, bridge))));
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
                        fields.extend(design_fields(design));
                        fields.extend(found_fields(design, found));
                        Json::Map(fields)
                    })
                    .collect(),
            ),
        ));
    }
    parts
}

fn bridge_json(study: &Study, bridge: &BridgeReport) -> Json {
    let channel = |at: usize| study.channels.get(at).map_or(Json::Null, |channel| Json::text(&channel.id));
    let vertex = |(vertex, declared): (&VertexReport, &Vertex)| {
        Json::map([
            ("vertex", Json::text(&vertex.name)),
            ("alternative", channel(declared.alternative)),
            ("reference", channel(declared.reference)),
            ("gain_reference", effect(vertex.gains[0])),
            ("gain_alternative", effect(vertex.gains[1])),
            ("interaction", effect(vertex.interaction)),
            ("equivalence_margin", margin(vertex.margin.as_ref())),
            ("equivalence", equivalence(&vertex.equivalence)),
            ("equal_targets", mixture_json(vertex.mixture.as_ref(), "interaction")),
            ("auc", vertex.auc.as_ref().map_or(Json::Null, auc_json)),
            ("layouts", Json::List(vertex.layouts.iter().map(|part| effect(*part)).collect())),
            ("waves", Json::List(vertex.waves.iter().map(|part| effect(*part)).collect())),
            ("icc_a1", estimate(vertex.icc)),
        ])
    };
    Json::map([
        ("n", count(bridge.cohort.members().len())),
        ("clusters", count(bridge.cohort.trajectories().len())),
        ("vertices", Json::List(bridge.vertices.iter().zip(&study.bridge).map(vertex).collect())),
        ("directional_support", bridge.has_directional_support().map_or(Json::Null, Json::Bool)),
        ("criterion_support", bridge.has_criterion_support().map_or(Json::Null, Json::Bool)),
        ("readout_by_stack", bridge.crossing.as_ref().map_or(Json::Null, crossing_json)),
    ])
}

fn crossing_json(crossing: &Crossing) -> Json {
    let design = &crossing.design;
    let levels = |difference: &Difference| {
        let level = |at: usize| design.factors.get(difference.factor)?.levels.get(at).map(Json::text);
        Json::List([difference.from, difference.to].into_iter().filter_map(level).collect())
    };
    let interaction = |([readout, stack], found): &([Difference; 2], Identification)| {
        let mut fields = vec![("readout".to_owned(), levels(readout)), ("stack".to_owned(), levels(stack))];
        fields.extend(found_fields(design, found));
        Json::Map(fields)
    };
    let mut fields = design_fields(design);
    fields.push(("interactions".to_owned(), Json::List(crossing.interactions.iter().map(interaction).collect())));
    Json::Map(fields)
}

fn cube_json(cube: &CubeReport) -> Json {
    let view = |index: usize| Json::text(&cube.views[index]);
    let authority = |index: usize| Json::text(&cube.authorities[index]);
    let balanced = |find: &dyn Fn(&CubeMixture) -> Option<Estimate>| estimate(cube.mixture.as_ref().and_then(find));
    let gains = cube.gains.iter().enumerate().flat_map(|(v, row)| {
        row.iter().enumerate().map(move |(a, gain)| {
            Json::map([
                ("view", view(v)),
                ("authority", authority(a)),
                ("gain", effect(*gain)),
                ("equal_targets", balanced(&|mixture| *mixture.gains.get(v)?.get(a)?)),
            ])
        })
    });
    let effects = cube.authority_effects.iter().enumerate().flat_map(|(v, row)| {
        row.iter().enumerate().map(move |(a, found)| {
            Json::map([("view", view(v)), ("from", authority(0)), ("to", authority(a + 1)), ("effect", effect(*found))])
        })
    });
    let contrasts = cube.view_contrasts.iter().enumerate().map(|(i, contrast)| {
        let [before, after, interaction] = &contrast.equivalence;
        Json::map([
            ("from", view(contrast.from)),
            ("to", view(contrast.to)),
            ("authority", authority(contrast.authority)),
            ("shift_before", effect(contrast.shift[0])),
            ("shift_after", effect(contrast.shift[1])),
            ("interaction", effect(contrast.interaction)),
            ("departs", contrast.departs().map_or(Json::Null, Json::Bool)),
            (
                "equivalence",
                Json::map([
                    ("shift_before", equivalence(before)),
                    ("shift_after", equivalence(after)),
                    ("interaction", equivalence(interaction)),
                ]),
            ),
            ("equal_targets", balanced(&|mixture| *mixture.view_contrasts.get(i)?)),
            ("auc", contrast.auc.as_ref().map_or(Json::Null, auc_json)),
        ])
    });
    let interactions = cube.interactions.iter().enumerate().map(|(i, interaction)| {
        Json::map([
            ("from", view(interaction.from)),
            ("to", view(interaction.to)),
            ("effect", effect(interaction.effect)),
            ("equivalence", equivalence(&interaction.equivalence)),
            ("equal_targets", balanced(&|mixture| *mixture.interactions.get(i)?)),
        ])
    });
    Json::map([
        ("n", count(cube.cohort.members().len())),
        ("clusters", count(cube.cohort.trajectories().len())),
        ("targets", cube.mixture.as_ref().map_or(Json::Null, |mixture| targets(&mixture.targets))),
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

fn cell_json(design: &Design, combination: &Combination) -> Json {
    let levels = combination.iter().zip(&design.factors);
    Json::List(levels.filter_map(|(&level, factor)| factor.levels.get(level)).map(Json::text).collect())
}

fn design_fields(design: &Design) -> Vec<(String, Json)> {
    let observed = design.observed.iter().map(|combination| cell_json(design, combination));
    vec![
        ("factors".to_owned(), Json::List(design.factors.iter().map(|f| Json::text(&f.name)).collect())),
        ("observed".to_owned(), Json::List(observed.collect())),
    ]
}

/// Whether a contrast is identified, and what shows it.
fn found_fields(design: &Design, found: &Identification) -> Vec<(String, Json)> {
    let pairs = |key: &str, pairs: &[(Combination, Rational)]| {
        let entry = |(combination, value): &(Combination, Rational)| {
            Json::map([("cell", cell_json(design, combination)), (key, Json::Text(value.to_string()))])
        };
        Json::List(pairs.iter().map(entry).collect())
    };
    vec![
        ("identified".to_owned(), Json::Bool(found.is_identified())),
        match found {
            Identification::Identified(weights) => ("weights".to_owned(), pairs("weight", weights)),
            Identification::NotIdentified(witness) => (
                "witness".to_owned(),
                Json::map([("shifts", pairs("by", &witness.shifts)), ("moves", Json::Text(witness.moves.to_string()))]),
            ),
        },
    ]
}
