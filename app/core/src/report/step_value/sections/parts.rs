//! The optional parts of a study in sentences: retrieval face, matched cube, bridge, controls, designs.

use super::super::words::agreement;
use super::{
    NO_AUC, Row, Section, and_tested, auc_line, margins, mixture_line, ranged, spread, tested, trajectories, weighed,
};
use crate::exact::Rational;
use crate::report::count;
use crate::step_value::bridge::BridgeReport;
use crate::step_value::cube::{CubeMixture, CubeReport};
use crate::step_value::design::{Combination, Design, Identification};
use crate::step_value::equivalence::Equivalent;
use crate::step_value::retrieval::{ControlsReport, RetrievalReport};
use crate::step_value::study::{Study, Vertex};

pub(super) fn retrieval(face: &RetrievalReport) -> Section {
    let names = ["C_x, to the state", "C_r, to the view", "G^ret, their sum"];
    let mut rows: Vec<Row> = names.into_iter().zip(face.effects).map(|(name, effect)| Row::of(name, effect)).collect();
    let mut lines = Vec::new();
    if let Some(direct) = &face.direct {
        rows.push(Row::of("G direct", direct.gain));
        rows.push(Row::of("Ω", direct.omega));
        lines.push(format!(
            "Direct gain and Ω over {} that have a direct path as well.",
            count(direct.cohort.members().len(), "step")
        ));
    }
    let clusters = face.cohort.trajectories().len();
    for (name, signs) in names.into_iter().zip(&face.signs) {
        lines.push(format!(
            "{name}: {} positive, {} negative, {} abstained, of {}.",
            signs.positive,
            signs.negative,
            signs.abstained,
            trajectories(clusters)
        ));
    }
    Section { title: "Retrieval face".to_owned(), cohort: who(face.cohort.members().len(), clusters), rows, lines }
}

pub(super) fn cube(study: &Study, cube: &CubeReport) -> Section {
    let mut rows = Vec::new();
    for (view, gains) in cube.views.iter().zip(&cube.gains) {
        for (authority, gain) in cube.authorities.iter().zip(gains) {
            rows.push(Row::of(format!("G {view}, {authority}"), *gain));
        }
    }
    for (view, effects) in cube.views.iter().zip(&cube.authority_effects) {
        for (authority, effect) in cube.authorities.iter().skip(1).zip(effects) {
            rows.push(Row::of(format!("{authority} − {}, {view}", cube.authorities[0]), *effect));
        }
    }
    let mut lines = Vec::new();
    for contrast in &cube.view_contrasts {
        let (from, to) = (&cube.views[contrast.from], &cube.views[contrast.to]);
        let authority = &cube.authorities[contrast.authority];
        rows.push(Row::of(format!("D {to} − {from}, {authority}"), contrast.interaction));
        for (state, shift) in ["x−", "x+"].into_iter().zip(contrast.shift) {
            rows.push(Row::of(format!("F({state}) {to} − {from}, {authority}"), shift));
        }
        if let Some(auc) = &contrast.auc {
            lines.push(format!("{authority}: {}", auc_line("F(x+)", from, to, auc)));
        }
        let [before, after, interaction] = &contrast.equivalence;
        let verdict = match contrast.departs() {
            Some(true) => "departs from",
            Some(false) => "does not reject",
            None => "says nothing about",
        };
        lines.push(format!(
            "{to} against {from}, {authority}: {verdict} the Blackwell null{}.",
            and_tested(&[("F(x−)", before), ("F(x+)", after), ("D", interaction)])
        ));
    }
    for interaction in &cube.interactions {
        let (from, to) = (&cube.views[interaction.from], &cube.views[interaction.to]);
        rows.push(Row::of(format!("authority × ({to} − {from})"), interaction.effect));
        let test = tested(&[("the interaction", &interaction.equivalence)]);
        lines.extend(test.map(|test| format!("authority × ({to} − {from}), equivalence: {test}.")));
    }
    if cube.view_contrasts.iter().all(|contrast| contrast.auc.is_none()) {
        lines.push(NO_AUC.to_owned());
    }
    lines.push(margins(study));
    if let Some(mixture) = &cube.mixture {
        lines.push(balanced(cube, mixture));
    }
    let cohort = who(cube.cohort.members().len(), cube.cohort.trajectories().len());
    Section { title: "Matched cube".to_owned(), cohort, rows, lines }
}

/// Every `D` of the cube with equal weight to each target.
fn balanced(cube: &CubeReport, mixture: &CubeMixture) -> String {
    let parts = cube.view_contrasts.iter().zip(&mixture.view_contrasts).filter_map(|(contrast, found)| {
        let (from, to) = (&cube.views[contrast.from], &cube.views[contrast.to]);
        let found = (*found)?;
        let authority = &cube.authorities[contrast.authority];
        Some(format!("D {to} − {from}, {authority} {}", ranged(&found)))
    });
    let parts: Vec<String> = parts.collect();
    format!(
        "{}: {}.",
        weighed(&mixture.targets),
        if parts.is_empty() { "no draw holds every target".to_owned() } else { parts.join("; ") }
    )
}

pub(super) fn bridge(study: &Study, bridge: &BridgeReport) -> Section {
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    let has_margin = bridge.vertices.iter().any(|vertex| vertex.margin.is_some());
    // The reader holds all vertices to the same two views, in the same direction.
    let view = |at: fn(&Vertex) -> usize| {
        let channel = study.bridge.first().and_then(|vertex| study.channels.get(at(vertex)));
        channel.map_or("", |channel| channel.view.as_str())
    };
    let (reference, alternative) = (view(|vertex| vertex.reference), view(|vertex| vertex.alternative));
    for vertex in &bridge.vertices {
        rows.push(Row::of(format!("{} G {reference}", vertex.name), vertex.gains[0]));
        rows.push(Row::of(format!("{} G {alternative}", vertex.name), vertex.gains[1]));
        rows.push(Row::of(format!("{} D = {alternative} − {reference}", vertex.name), vertex.interaction));
        let spreads = [spread("D", "layout", &vertex.layouts), spread("D", "wave", &vertex.waves)];
        lines.extend(spreads.into_iter().flatten().map(|said| format!("{}: {said}", vertex.name)));
        if let Some(margin) = &vertex.margin {
            let test = tested(&[("D", &vertex.equivalence)]).unwrap_or_default();
            lines.push(format!("{}, equivalence within ±{margin}: {test}.", vertex.name));
        } else if has_margin {
            lines.push(format!("{}, equivalence: {}.", vertex.name, Equivalent::NoMargin.words()));
        }
        if let Some(mixture) = &vertex.mixture {
            lines.push(format!(
                "{}: {}",
                vertex.name,
                mixture_line([&format!("G {reference}"), &format!("G {alternative}"), "D"], mixture)
            ));
        }
        if let Some(auc) = &vertex.auc {
            lines.push(format!("{}: {}", vertex.name, auc_line("F(x+)", reference, alternative, auc)));
        }
        let said = agreement(vertex, bridge.cohort.trajectories().len());
        lines.extend(said.map(|said| format!("{}: {said}.", vertex.name)));
    }
    if bridge.vertices.iter().all(|vertex| vertex.auc.is_none()) {
        lines.push(NO_AUC.to_owned());
    }
    lines.push(margins(study));
    let said = |support: Option<bool>, otherwise: &str| match support {
        Some(true) => "holds".to_owned(),
        Some(false) => "does not hold".to_owned(),
        None => format!("not known, {otherwise}"),
    };
    let support = said(bridge.has_directional_support(), "since no interval at some vertex says enough");
    lines.push(format!(
        "Directional support (the upper end of D = {alternative} − {reference} below zero) at every vertex: {support}."
    ));
    let support = said(
        bridge.has_criterion_support(),
        "since outcomes of both kinds, and intervals that say enough, are needed at every vertex",
    );
    lines.push(format!(
        "Criterion support (the lower end of the AUC difference, {reference} − {alternative}, above zero) at every vertex: {support}."
    ));
    lines.push("Vertices keep scales of their own: compare signs across them, magnitudes within one only.".to_owned());
    if let Some(crossing) = &bridge.crossing {
        lines.extend(crossing.interactions.iter().map(|(differences, found)| {
            let answer = identification(&crossing.design, found);
            format!("Readout by stack, {}: {answer}", crossing.name(differences))
        }));
    }
    let cohort = who(bridge.cohort.members().len(), bridge.cohort.trajectories().len());
    Section { title: "Bridge".to_owned(), cohort, rows, lines }
}

pub(super) fn controls(report: &ControlsReport) -> Section {
    let mut rows = vec![Row::of("G own view", report.own)];
    rows.extend(report.controls.iter().map(|control| Row::of(control.name, control.effect)));
    let cohort = who(report.cohort.members().len(), report.cohort.trajectories().len());
    Section { title: "Controls".to_owned(), cohort, rows, lines: Vec::new() }
}

pub(super) fn design_section(id: &str, design: &Design, found: &Identification) -> Section {
    let cohort = format!("{} of {} cells observed", design.observed.len(), design.cells().len());
    Section { title: format!("Design {id}"), cohort, rows: Vec::new(), lines: vec![identification(design, found)] }
}

/// Whether a contrast is identified, and what shows it, in one sentence.
#[must_use]
pub fn identification(design: &Design, found: &Identification) -> String {
    let cell = |combination: &Combination| {
        let words = combination.iter().zip(&design.factors).filter_map(|(&level, f)| f.levels.get(level));
        words.map(String::as_str).collect::<Vec<_>>().join(" × ")
    };
    match found {
        Identification::Identified(weights) => {
            let parts: Vec<String> = weights.iter().map(|(c, weight)| format!("{weight} at {}", cell(c))).collect();
            format!("identified: {}.", parts.join(", "))
        }
        Identification::NotIdentified(witness) => {
            let minus = |value: &Rational| value.to_string().replace('-', "−");
            let parts: Vec<String> =
                witness.shifts.iter().map(|(c, by)| format!("{} by {}", cell(c), minus(by))).collect();
            format!(
                "not identified: moving {} changes no observed cell and moves the contrast by {}. Until one of these is observed, it stays open.",
                parts.join(", "),
                minus(&witness.moves)
            )
        }
    }
}

fn who(steps: usize, clusters: usize) -> String {
    format!("{} of {}, each trajectory with the same weight", count(steps, "step"), trajectories(clusters))
}
