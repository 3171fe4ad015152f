//! What a step-value report says, section by section: the text, the Markdown and the window's account are written from
//! these, so that all say the same.

mod parts;

use std::collections::BTreeSet;

use super::words::{effect_words, interval, missing_at, over_draws, signed};
use crate::exact::Rational;
use crate::report::count;
use crate::stats::Estimate;
use crate::step_value::contrast::ContrastReport;
use crate::step_value::equivalence::{Equivalence, Equivalent};
use crate::step_value::face::{Side, Turn};
use crate::step_value::inference::{AucPair, ENOUGH_CLUSTERS, ENOUGH_DRAWS, Effect};
use crate::step_value::mixture::Mixture;
use crate::step_value::scalars::{Missing, Why};
use crate::step_value::scores::Scores;
use crate::step_value::study::{Readout, Study};
use crate::step_value::walk::Report;
pub use parts::identification;
use parts::{bridge, controls, cube, design_section, retrieval};

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
    /// The sign that its arithmetic certifies, or that it abstains; and whether the interval agrees.
    pub sign: String,
}

impl Row {
    /// A row of an effect; one that has no value says so.
    #[must_use]
    pub fn of(name: impl Into<String>, effect: Option<Effect>) -> Self {
        let name = name.into();
        match effect {
            Some(effect @ Effect { estimate, .. }) => Self {
                name,
                estimate: signed(estimate.value),
                interval: interval(estimate.lo, estimate.hi),
                sign: effect_words(&effect),
            },
            None => {
                Self { name, estimate: "no complete step".to_owned(), interval: String::new(), sign: String::new() }
            }
        }
    }
}

/// All sections of a report, in order.
#[must_use]
pub fn sections(study: &Study, scores: &Scores, report: &Report) -> Vec<Section> {
    let mut all = vec![cohort(study, scores, report)];
    all.extend(report.contrasts.iter().map(|contrast| contrast_section(study, contrast)));
    all.extend(report.retrieval.as_ref().map(retrieval));
    all.extend(report.cube.as_ref().map(|found| cube(study, found)));
    all.extend(report.bridge.as_ref().map(|found| bridge(study, found)));
    all.extend(report.controls.as_ref().map(controls));
    all.extend(study.left_out.iter().map(|left| Section {
        title: format!("Left out: {}", left.part),
        cohort: "not computed".to_owned(),
        rows: Vec::new(),
        lines: vec![left.why()],
    }));
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
    let sizes: BTreeSet<usize> = study.candidate_sets.iter().map(Vec::len).collect();
    if let Some(k) = sizes.into_iter().find(|k| !study.layouts.is_multiple_of(*k)) {
        lines.push(format!(
            "{} for {k} candidates: not every candidate stands at every position equally often, so position bias does not cancel.",
            count(study.layouts, "layout")
        ));
    }
    let mut by_why = [(Why::NoRow, 0_usize), (Why::LeftOut, 0), (Why::Sentinel, 0)];
    let mut first: Option<Missing> = None;
    let mut coverage = Coverage::of(study);
    for missing in report.missing(study, scores) {
        first.get_or_insert(missing);
        coverage.lacks(study, &missing);
        if let Some((_, n)) = by_why.iter_mut().find(|(why, _)| *why == missing.why) {
            *n += 1;
        }
    }
    lines.push(coverage.said(study));
    let total: usize = by_why.iter().map(|(_, n)| n).sum();
    if let Some(first) = first {
        let parts: Vec<String> =
            by_why.iter().filter(|(_, n)| *n > 0).map(|(why, n)| format!("{n} {}", why.word())).collect();
        lines.push(format!(
            "{} missing ({}), the first in {}. Nothing is put in their place.",
            count(total, "score"),
            parts.join(", "),
            missing_at(study, &first)
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

/// What is said where no AUC is known.
const NO_AUC: &str = "AUC of stored success: not known, since trajectories with a stored success and with a stored failure are both needed.";

/// By channel, rows and candidates' scores that the study expects, and how many of them are not there.
struct Coverage {
    rows: Vec<[usize; 2]>,
    scores: Vec<[usize; 2]>,
}

impl Coverage {
    fn of(study: &Study) -> Self {
        let candidates: usize = study.transitions.iter().map(|step| study.candidates(step).len()).sum();
        let crossed = study.retrieval_face.as_ref().map(|face| face.channel);
        let expected = study.channels.iter().enumerate().map(|(at, channel)| {
            let corners = if crossed == Some(at) { 4 } else { 2 };
            let cells = corners * study.waves.len() * study.layouts;
            let rows = if channel.readout == Readout::Joint { study.transitions.len() } else { candidates };
            ([cells * rows, 0], [cells * candidates, 0])
        });
        let (rows, scores) = expected.unzip();
        Self { rows, scores }
    }

    fn lacks(&mut self, study: &Study, missing: &Missing) {
        let at = missing.cell.channel;
        self.scores[at][1] += 1;
        // A row of a joint channel has all candidates.
        let one = missing.candidate == 0 || study.channels[at].readout != Readout::Joint;
        self.rows[at][1] += usize::from(missing.why == Why::NoRow && one);
    }

    fn said(&self, study: &Study) -> String {
        let kept = |[expected, lacking]: [usize; 2]| format!("{} of {expected}", expected - lacking);
        let parts = study.channels.iter().zip(&self.rows).zip(&self.scores);
        let parts = parts.map(|((channel, rows), scores)| {
            format!("`{}` {} rows and {} candidates' scores", channel.id, kept(*rows), kept(*scores))
        });
        format!("Kept of what is expected, by channel: {}.", parts.collect::<Vec<_>>().join("; "))
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
    lines.push(reversal(report));
    if let Some(crossing) = report.crossing() {
        lines.push(format!(
            "Pooled over both channels the mean turns sign at weight {crossing:.3} of `{alternative}`: pooling decides the sign, not the data."
        ));
    }
    lines.extend(spread("Ω", "layout", &report.layouts));
    lines.extend(spread("Ω", "wave", &report.waves));
    if let Some(auc) = &report.auc {
        lines.push(auc_line("G", reference, alternative, &auc.gain));
        lines.push(auc_line("F(x+)", reference, alternative, &auc.after));
    } else {
        lines.push(NO_AUC.to_owned());
    }
    let gains = [reference, alternative].map(|channel| format!("G {channel}"));
    let names = [gains[0].as_str(), gains[1].as_str(), "Ω"];
    lines.extend(report.mixture.as_ref().map(|mixture| mixture_line(names, mixture)));
    if let Some(test) = &report.equivalence {
        lines.extend(tested(&[("Ω", test)]).map(|said| format!("Against the Blackwell null: {said}.")));
    }
    if report.equivalence.is_some() || report.auc.is_some() {
        lines.push(margins(study));
    }
    Section {
        title: format!("Contrast {}: {alternative} against {reference}", declared.id),
        cohort: format!("{} of {}", count(n, "step"), trajectories(report.cohort.trajectories().len())),
        rows,
        lines,
    }
}

/// What holds for these steps under any calibration, and what the sample says beyond them; where both hold, a reversal.
fn reversal(report: &ContrastReport) -> String {
    if report.gains.is_none() {
        return "Nothing is known of the means: no transition is complete in both channels.".to_owned();
    }
    if report.is_strict_mean_reversal() {
        return "Strict reversal of means: it holds under any positive recalibration, and both intervals exclude zero."
            .to_owned();
    }
    let calibration = match report.opposite_signs() {
        Some(true) => {
            "the mean gains of these steps have opposite signs, so the sign of their mean Ω holds under any positive recalibration"
        }
        Some(false) => {
            "the mean gains of these steps have the same sign, so the sign of their mean Ω depends on how the two channels are scaled"
        }
        None => "a mean gain of these steps has no certified sign, so nothing holds under every recalibration",
    };
    let sampling = match report.clear_of_zero() {
        Some(true) => "both intervals exclude zero".to_owned(),
        Some(false) if report.opposite_signs() == Some(true) => {
            "an interval spans zero, so that of other trajectories this is not supported".to_owned()
        }
        Some(false) => "an interval spans zero".to_owned(),
        None => format!("{}, so that nothing is concluded of the means", unconcluded(report)),
    };
    format!("Calibration: {calibration}. Sampling: {sampling}.")
}

/// Why nothing is concluded from the intervals of the means.
fn unconcluded(report: &ContrastReport) -> &'static str {
    match report.cohort.trajectories().len() {
        0 | 1 => "one trajectory says nothing about others",
        n if n < ENOUGH_CLUSTERS as usize => "from fewer than 4 trajectories an interval is the range of what was seen",
        _ => "fewer than 1,000 draws leave the ends of an interval to chance",
    }
}

/// Smallest and largest estimate of a family of diagnostics, and how many intervals exclude zero.
fn spread(figure: &str, what: &str, parts: &[Option<Effect>]) -> Option<String> {
    let known: Vec<_> = parts.iter().flatten().map(|effect| effect.estimate).filter(Estimate::is_bounded).collect();
    let least = known.iter().map(|e| e.value).reduce(f64::min)?;
    let most = known.iter().map(|e| e.value).reduce(f64::max)?;
    let said = format!("From one {what} alone {figure} lies between {} and {}", signed(least), signed(most));
    if known.iter().any(|e| e.draws < ENOUGH_DRAWS || e.clusters < ENOUGH_CLUSTERS) {
        return Some(format!("{said}."));
    }
    let clear = known.iter().filter(|e| e.below_zero() || e.above_zero()).count();
    Some(format!("{said}; {clear} of {} intervals exclude zero.", known.len()))
}

/// A figure with its interval in a sentence.
fn ranged(estimate: &Estimate) -> String {
    if estimate.is_bounded() {
        format!("{} {}{}", signed(estimate.value), interval(estimate.lo, estimate.hi), over_draws(estimate))
    } else {
        format!("{}, interval not known", signed(estimate.value))
    }
}

/// The gains of two sides and their difference with equal weight to each target.
fn mixture_line(names: [&str; 3], mixture: &Mixture) -> String {
    let figures = [mixture.gains[0], mixture.gains[1], mixture.omega];
    let parts = names.into_iter().zip(figures).filter_map(|(name, found)| Some(format!("{name} {}", ranged(&found?))));
    let parts: Vec<String> = parts.collect();
    let found = if parts.is_empty() { "no draw holds every target".to_owned() } else { parts.join(", ") };
    format!("{}: {found}.", weighed(&mixture.targets))
}

fn weighed(targets: &[(String, usize)]) -> String {
    let smallest = targets.iter().map(|(_, n)| *n).min().unwrap_or(0);
    let rarest = count(smallest, "transition");
    format!("Equal weight to each of {} reviewed targets (the rarest has {rarest})", targets.len())
}

/// What tests say, each by the name of its difference; nothing where no margin is declared.
fn tested(tests: &[(&str, &Equivalence)]) -> Option<String> {
    if tests.iter().all(|(_, test)| test.verdict == Equivalent::NoMargin) {
        return None;
    }
    let parts = tests.iter().map(|(name, test)| match test.ninety {
        Some(ninety) if ninety.is_bounded() => {
            format!("{name} {}, 90 % {}", test.verdict.words(), interval(ninety.lo, ninety.hi))
        }
        _ => format!("{name} {}", test.verdict.words()),
    });
    Some(parts.collect::<Vec<_>>().join("; "))
}

/// Within which margins the tests of a study look, said once behind them all.
fn margins(study: &Study) -> String {
    let said = |margin: Option<&Rational>| {
        margin.map_or_else(|| Equivalent::NoMargin.words().to_owned(), |margin| format!("margin ±{margin}"))
    };
    let (scalars, aucs) = (study.equivalence_margin.as_ref(), study.auc_equivalence_margin.as_ref());
    if scalars.or(aucs).is_none() {
        return format!("Equivalence to the Blackwell null: {}.", said(None));
    }
    format!("Equivalence to the Blackwell null: for scalars {}, for AUCs {}.", said(scalars), said(aucs))
}

/// The same behind something else that is said.
fn and_tested(tests: &[(&str, &Equivalence)]) -> String {
    tested(tests).map_or_else(String::new, |said| format!("; equivalence: {said}"))
}

fn auc_line(by: &str, reference: &str, alternative: &str, auc: &AucPair) -> String {
    format!(
        "AUC of stored success by {by} ({}, {}): {reference} {:.3}, {alternative} {:.3}, difference {}{}.",
        if auc.successes == 1 { "1 success".to_owned() } else { format!("{} successes", auc.successes) },
        count(usize::try_from(auc.failures).unwrap_or(usize::MAX), "failure"),
        auc.reference.value,
        auc.alternative.value,
        ranged(&auc.difference),
        and_tested(&[("difference", &auc.equivalence)])
    )
}

fn trajectories(n: usize) -> String {
    if n == 1 { "1 trajectory".to_owned() } else { format!("{n} trajectories") }
}
