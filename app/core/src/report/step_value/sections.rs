//! What a step-value report says, section by section: the text, the Markdown and the window's account are written from
//! these, so that all say the same.

use super::words::{interval, sign_word, signed};
use crate::report::count;
use crate::stats::Estimate;
use crate::step_value::bridge::BridgeReport;
use crate::step_value::contrast::ContrastReport;
use crate::step_value::cube::CubeReport;
use crate::step_value::design::{Combination, Design, Identification};
use crate::step_value::face::{Side, Turn};
use crate::step_value::inference::{AucPair, ENOUGH_DRAWS, Effect};
use crate::step_value::retrieval::{ControlsReport, RetrievalReport};
use crate::step_value::scalars::{Missing, Why};
use crate::step_value::scores::Scores;
use crate::step_value::study::Study;
use crate::step_value::walk::Report;

/// One question with its figures and sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is about.
    pub title: String,
    /// Who counts: the denominator.
    pub cohort: String,
    /// Name, estimate, interval, certified sign.
    pub rows: Vec<Row>,
    /// What follows from the figures.
    pub lines: Vec<String>,
}

/// One estimate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What is estimated.
    pub name: String,
    /// The estimate.
    pub estimate: String,
    /// Its interval over trajectories.
    pub interval: String,
    /// The sign that its arithmetic certifies, or that it abstains.
    pub sign: String,
}

impl Row {
    /// A row of an effect; one that has no value says so.
    #[must_use]
    pub fn of(name: impl Into<String>, effect: Option<Effect>) -> Self {
        let name = name.into();
        match effect {
            Some(Effect { estimate, sign }) => Self {
                name,
                estimate: signed(estimate.value),
                interval: interval(estimate.lo, estimate.hi),
                sign: sign_word(sign).to_owned(),
            },
            None => Self { name, estimate: "not identified".to_owned(), interval: String::new(), sign: String::new() },
        }
    }
}

/// All sections of a report, in order.
#[must_use]
pub fn sections(study: &Study, scores: &Scores, report: &Report) -> Vec<Section> {
    let mut all = vec![cohort(study, scores, report)];
    all.extend(report.contrasts.iter().map(|contrast| contrast_section(study, contrast)));
    all.extend(report.retrieval.as_ref().map(retrieval));
    all.extend(report.cube.as_ref().map(cube));
    all.extend(report.bridge.as_ref().map(bridge));
    all.extend(report.controls.as_ref().map(controls));
    all.extend(report.designs.iter().map(|(id, design, found)| design_section(id, design, found)));
    all
}

fn cohort(study: &Study, scores: &Scores, report: &Report) -> Section {
    let account = scores.account();
    let mut lines = vec![format!(
        "{} read: {} rows, {} blank; {} log-probabilities taken, {} returned as sentinels and counted as missing.",
        count(account.lines as usize, "line"),
        account.rows,
        account.blank,
        account.scores,
        account.sentinels
    )];
    if account.above_zero > 0 {
        let values = count(usize::try_from(account.above_zero).unwrap_or(usize::MAX), "value");
        lines.push(format!(
            "Above zero, where no logarithm of a probability lies: {values}. Used as returned, never certified."
        ));
    }
    let mut by_why = [(Why::NoRow, 0_usize), (Why::LeftOut, 0), (Why::Sentinel, 0)];
    let mut first: Option<Missing> = None;
    for missing in report.missing(study, scores) {
        first.get_or_insert(missing);
        if let Some((_, n)) = by_why.iter_mut().find(|(why, _)| *why == missing.why) {
            *n += 1;
        }
    }
    let total: usize = by_why.iter().map(|(_, n)| n).sum();
    if let Some(first) = first {
        let parts: Vec<String> =
            by_why.iter().filter(|(_, n)| *n > 0).map(|(why, n)| format!("{n} {}", why.word())).collect();
        let transition = &study.transitions[first.cell.transition];
        lines.push(format!(
            "{} missing ({}), the first in transition `{}`, state {}, channel `{}`, layout {}. Nothing is put in their place.",
            count(total, "score"),
            parts.join(", "),
            transition.id,
            first.cell.corner.state.word(),
            study.channels[first.cell.channel].id,
            first.cell.layout
        ));
    }
    Section {
        title: "Cohort".to_owned(),
        cohort: format!(
            "{} of {} transitions complete, {}",
            report.complete(),
            study.transitions.len(),
            trajectories(study.trajectories.len())
        ),
        rows: Vec::new(),
        lines,
    }
}

fn contrast_section(study: &Study, report: &ContrastReport) -> Section {
    let declared = &study.contrasts[report.contrast];
    let [reference, alternative] = Side::BOTH.map(|side| study.channels[side.channel(declared)].id.as_str());
    let n = report.cohort.members().len();
    let rows = vec![
        Row::of(format!("G {reference}"), report.gain(Side::Reference)),
        Row::of(format!("G {alternative}"), report.gain(Side::Alternative)),
        Row::of("Ω", report.omega),
    ];
    let flips = |turn| report.flips(turn);
    let mut lines = vec![format!(
        "Flips: + → − {}, − → + {}, touching zero {}, same sign {}, of {n}.",
        flips(Turn::PositiveToNegative),
        flips(Turn::NegativeToPositive),
        flips(Turn::TouchingZero),
        flips(Turn::SameSign)
    )];
    lines.push(reversal(report).to_owned());
    if let Some(crossing) = report.crossing() {
        lines.push(format!(
            "Pooled over both channels the mean turns sign at weight {crossing:.3} of `{alternative}`: pooling decides the sign, not the data."
        ));
    }
    lines.extend(spread("layout", &report.layouts));
    lines.extend(spread("wave", &report.waves));
    if let Some(auc) = &report.auc {
        lines.push(auc_line("G", reference, alternative, &auc.gain));
        lines.push(auc_line("F(x+)", reference, alternative, &auc.after));
    }
    if let Some(mixture) = &report.mixture
        && let Some(omega) = mixture.omega
    {
        let smallest = mixture.targets.iter().map(|(_, n)| *n).min().unwrap_or(0);
        lines.push(format!(
            "Equal weight to each of {} reviewed targets (the rarest has {}): Ω {} {}.",
            mixture.targets.len(),
            count(smallest, "transition"),
            signed(omega.value),
            interval(omega.lo, omega.hi)
        ));
    }
    Section {
        title: format!("Contrast {}: {alternative} against {reference}", declared.id),
        cohort: format!("{} of {}", count(n, "step"), trajectories(report.cohort.trajectories().len())),
        rows,
        lines,
    }
}

fn reversal(report: &ContrastReport) -> &'static str {
    let Some(gains) = &report.gains else {
        return "Nothing is known of the means: no transition is complete in both channels.";
    };
    if gains.iter().any(|gain| gain.mean.sign().is_none()) {
        "A mean gain has no certified sign, so nothing is said of a reversal."
    } else if report.cohort.trajectories().len() < 2 {
        "One trajectory says nothing about others: no interval, and nothing is concluded of the means."
    } else if report.omega.is_some_and(|omega| omega.estimate.draws < ENOUGH_DRAWS) {
        "Fewer than 1,000 draws leave the ends of an interval to chance: nothing is concluded of the means."
    } else if report.is_reversal_clear() {
        "Strict reversal of means: it holds under any positive recalibration, and both intervals exclude zero."
    } else if report.is_strict_mean_reversal() {
        "The means have opposite signs, yet an interval spans zero: the reversal is not supported at this sample."
    } else {
        "No strict reversal of means: the sign of Ω depends on how the two channels are scaled."
    }
}

/// Smallest and largest estimate of a family of diagnostics, and how many intervals exclude zero.
fn spread(what: &str, parts: &[Option<Effect>]) -> Option<String> {
    let known: Vec<_> = parts.iter().flatten().map(|effect| effect.estimate).filter(Estimate::is_bounded).collect();
    let least = known.iter().map(|e| e.value).reduce(f64::min)?;
    let most = known.iter().map(|e| e.value).reduce(f64::max)?;
    let clear = known.iter().filter(|e| e.below_zero() || e.above_zero()).count();
    Some(format!(
        "From one {what} alone Ω lies between {} and {}; {clear} of {} intervals exclude zero.",
        signed(least),
        signed(most),
        known.len()
    ))
}

fn auc_line(by: &str, reference: &str, alternative: &str, auc: &AucPair) -> String {
    format!(
        "AUC of stored success by {by} ({}, {}): {reference} {:.3}, {alternative} {:.3}, difference {} {}.",
        if auc.successes == 1 { "1 success".to_owned() } else { format!("{} successes", auc.successes) },
        count(usize::try_from(auc.failures).unwrap_or(usize::MAX), "failure"),
        auc.reference.value,
        auc.alternative.value,
        signed(auc.difference.value),
        interval(auc.difference.lo, auc.difference.hi)
    )
}

fn retrieval(face: &RetrievalReport) -> Section {
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

fn cube(cube: &CubeReport) -> Section {
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
            lines.push(auc_line("F(x+)", from, to, auc));
        }
        let verdict = match contrast.departs() {
            Some(true) => "departs from",
            Some(false) => "does not reject",
            None => "says nothing about",
        };
        lines.push(format!(
            "{to} against {from}, {}: {verdict} the Blackwell null.",
            cube.authorities[contrast.authority]
        ));
    }
    for interaction in &cube.interactions {
        let (from, to) = (&cube.views[interaction.from], &cube.views[interaction.to]);
        rows.push(Row::of(format!("authority × ({to} − {from})"), interaction.effect));
        if let (Some(equivalent), Some(effect)) = (interaction.equivalent, interaction.effect90) {
            let word = if equivalent { "lies inside" } else { "does not lie inside" };
            let at = interval(effect.estimate.lo, effect.estimate.hi);
            lines.push(format!("authority × ({to} − {from}): the 90 % interval {at} {word} the equivalence margin."));
        }
    }
    let cohort = who(cube.cohort.members().len(), cube.cohort.trajectories().len());
    Section { title: "Matched cube".to_owned(), cohort, rows, lines }
}

fn bridge(bridge: &BridgeReport) -> Section {
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for vertex in &bridge.vertices {
        rows.push(Row::of(format!("{} G reference", vertex.name), vertex.gains[0]));
        rows.push(Row::of(format!("{} G alternative", vertex.name), vertex.gains[1]));
        rows.push(Row::of(format!("{} D", vertex.name), vertex.interaction));
        if let Some(auc) = &vertex.auc {
            lines.push(format!("{}: {}", vertex.name, auc_line("F(x+)", "reference", "alternative", auc)));
        }
        if let Some(icc) = &vertex.icc {
            let figure = |value: f64| format!("{value:.4}").replace('-', "−");
            let range = if icc.is_bounded() {
                format!("[{}, {}]", figure(icc.lo), figure(icc.hi))
            } else {
                "not known".to_owned()
            };
            lines.push(format!("{}: ICC(A,1) over the waves {} {range}.", vertex.name, figure(icc.value)));
        }
    }
    let holds = |holds: bool| if holds { "holds" } else { "does not hold" };
    if bridge.cohort.members().is_empty() {
        lines.push("Directional support: not known, since no transition is complete at every vertex.".to_owned());
    } else {
        let support = holds(bridge.has_directional_support());
        lines.push(format!("Directional support (the upper end of D below zero) at every vertex: {support}."));
    }
    lines.push(match bridge.has_criterion_support() {
        Some(support) => {
            format!(
                "Criterion support (the lower end of the AUC difference above zero) at every vertex: {}.",
                holds(support)
            )
        }
        None => "Criterion support: not known, since outcomes of both kinds are needed at every vertex.".to_owned(),
    });
    lines.push("Vertices keep scales of their own: compare signs across them, magnitudes within one only.".to_owned());
    if let Some((design, found)) = &bridge.identification {
        lines.push(format!("Readout by stack: {}", identification(design, found)));
    }
    let cohort = who(bridge.cohort.members().len(), bridge.cohort.trajectories().len());
    Section { title: "Bridge".to_owned(), cohort, rows, lines }
}

fn controls(report: &ControlsReport) -> Section {
    let mut rows = vec![Row::of("G own view", report.own)];
    rows.extend(report.controls.iter().map(|control| Row::of(control.name, control.effect)));
    let cohort = who(report.cohort.members().len(), report.cohort.trajectories().len());
    Section { title: "Controls".to_owned(), cohort, rows, lines: Vec::new() }
}

fn design_section(id: &str, design: &Design, found: &Identification) -> Section {
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
            let parts: Vec<String> = witness.shifts.iter().map(|(c, by)| format!("{} by {by}", cell(c))).collect();
            format!(
                "not identified: moving {} changes no observed cell and moves the contrast by {}. Until one of these is observed, it stays open.",
                parts.join(", "),
                witness.moves
            )
        }
    }
}

fn who(steps: usize, clusters: usize) -> String {
    format!("{} of {}, each trajectory with the same weight", count(steps, "step"), trajectories(clusters))
}

fn trajectories(n: usize) -> String {
    if n == 1 { "1 trajectory".to_owned() } else { format!("{n} trajectories") }
}
