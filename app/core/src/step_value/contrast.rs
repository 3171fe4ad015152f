//! A contrast over its whole cohort: means with intervals, flips, what survives recalibration and pooling, and how far
//! the result rests on single layouts, waves and targets (docs/theory.md §3.5).

use super::cohort::{Cohort, Weighting};
use super::equivalence::Equivalence;
use super::face::{Face, Side, Turn};
use super::inference::{AucPair, Effect, Inference, Sampling, concludes, estimated};
use super::measure::Measured;
use super::mixture::Mixture;
use super::reduce::{Part, Reducer};
use super::scalars::Scalars;
use super::scores::{Corner, Scores};
use super::study::{Contrast, Moment, Study};
use crate::exact::interval::Sign;
use crate::limits;
use crate::stats::{Draws, Estimate, Level};
use crate::watch::{Cancelled, Watch};

/// How many of a cohort's figures have which certified sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SignCounts {
    /// Certified above zero.
    pub positive: usize,
    /// Certified below zero.
    pub negative: usize,
    /// Not certified.
    pub abstained: usize,
}

impl SignCounts {
    /// Counts the signs.
    #[must_use]
    pub fn of(items: &[Measured]) -> Self {
        let mut counts = Self::default();
        for item in items {
            match item.sign() {
                Some(Sign::Positive) => counts.positive += 1,
                Some(Sign::Negative) => counts.negative += 1,
                None => counts.abstained += 1,
            }
        }
        counts
    }
}

/// AUC of stored success by a trajectory's mean gain and by its mean scalar after the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AucReport {
    /// By `G`.
    pub gain: AucPair,
    /// By `F(x+)`.
    pub after: AucPair,
}

/// Everything about one contrast.
#[derive(Debug, Clone)]
pub struct ContrastReport {
    /// The contrast's position in the study.
    pub contrast: usize,
    /// The transitions that are complete in both channels.
    pub cohort: Cohort,
    /// The faces of the cohort, in its order.
    pub faces: Vec<Face>,
    /// `G^ρ0` and `G^ρ1`; `None` for an empty cohort.
    pub gains: Option<[Effect; 2]>,
    /// The means of both in each draw, for pooling and recalibration; `None` where they would fill the memory.
    pub drawn: Option<[Draws; 2]>,
    /// Ω.
    pub omega: Option<Effect>,
    /// Ω against the Blackwell null; `None` unless the view, and nothing else, sets the two channels apart.
    pub equivalence: Option<Equivalence>,
    /// How many transitions turn which way, in the order of [`Turn::ALL`].
    pub flips: [usize; 4],
    /// Certified signs of `G^ρ0`, `G^ρ1` and Ω over the cohort.
    pub signs: [SignCounts; 3],
    /// Ω from one layout alone, layout by layout.
    pub layouts: Vec<Option<Effect>>,
    /// Ω from one wave alone, wave by wave; empty where there is one wave.
    pub waves: Vec<Option<Effect>>,
    /// AUCs, where outcomes of both kinds are stored.
    pub auc: Option<AucReport>,
    /// Equal weight to each target; `None` with fewer than two targets or more than sixteen.
    pub mixture: Option<Mixture>,
}

impl ContrastReport {
    /// A side's mean gain with its interval.
    #[must_use]
    pub fn gain(&self, side: Side) -> Option<Effect> {
        Some(self.gains?[side as usize])
    }

    /// Calibration: whether the mean gains of these very steps have opposite certified signs; then the sign of their mean Ω
    /// holds under every positive affine recalibration (L13). `None` where one has no certified sign.
    #[must_use]
    pub fn opposite_signs(&self) -> Option<bool> {
        let [reference, alternative] = self.gains?;
        Some(reference.sign? != alternative.sign?)
    }

    /// Sampling: whether both intervals lie clear of zero, so that the signs are no matter of which trajectories were drawn.
    /// `None` where nothing is concluded from the intervals.
    #[must_use]
    pub fn clear_of_zero(&self) -> Option<bool> {
        let gains = self.gains?;
        gains.iter().all(|gain| concludes(&gain.estimate)).then(|| gains.iter().all(Effect::is_clear))
    }

    /// A reversal of the means: opposite signs under every recalibration, and of other trajectories too.
    #[must_use]
    pub fn is_strict_mean_reversal(&self) -> bool {
        self.opposite_signs() == Some(true) && self.clear_of_zero() == Some(true)
    }

    /// The mean gain pooled with weight `lambda` for the alternative channel (L14).
    #[must_use]
    pub fn pooled(&self, lambda: f64) -> Option<Estimate> {
        self.combined(|a, b| (1.0 - lambda) * a + lambda * b)
    }

    /// The weight of the alternative channel at which the pooled mean is zero; `None` unless the means straddle zero.
    #[must_use]
    pub fn crossing(&self) -> Option<f64> {
        let [reference, alternative] = self.gains?.map(|gain| gain.estimate.value);
        (self.opposite_signs() == Some(true)).then(|| reference / (reference - alternative))
    }

    /// The mean interaction after recalibration by positive factors: `α_ρ1 G^ρ1 − α_ρ0 G^ρ0` (L13).
    #[must_use]
    pub fn recalibrated(&self, reference_factor: f64, alternative_factor: f64) -> Option<Estimate> {
        self.combined(|a, b| alternative_factor * b - reference_factor * a)
    }

    /// A function of both mean gains, with its interval over the draws.
    fn combined(&self, value: impl Fn(f64, f64) -> f64) -> Option<Estimate> {
        let [reference, alternative] = self.gains?.map(|gain| gain.estimate.value);
        let [a, b] = self.drawn.as_ref()?;
        let draws = Draws::combine([a, b], |[a, b]| Some(value(a, b)));
        estimated(value(reference, alternative), &draws, self.cohort.trajectories().len(), Level::P95)
    }

    /// The number of transitions that turn in a way.
    #[must_use]
    pub fn flips(&self, turn: Turn) -> usize {
        Turn::ALL.into_iter().zip(self.flips).find(|(t, _)| *t == turn).map_or(0, |(_, count)| count)
    }
}

/// Reports a contrast.
///
/// # Errors
/// The watch asked to stop.
pub fn contrast(
    study: &Study,
    scores: &Scores,
    scalars: &Scalars,
    index: usize,
    sampling: Sampling,
    watch: &dyn Watch,
) -> Result<Option<ContrastReport>, Cancelled> {
    let Some(contrast) = study.contrasts.get(index) else { return Ok(None) };
    let cohort = Cohort::of(study, |t| Face::of(scalars, t, contrast).omega().is_some());
    let faces: Vec<Face> = cohort.members().iter().map(|&t| Face::of(scalars, t, contrast)).collect();
    let gains = Side::BOTH.map(|side| faces.iter().filter_map(|face| face.gain(side)).collect::<Vec<_>>());
    let omegas: Vec<Measured> = faces.iter().filter_map(Face::omega).collect();
    let mut flips = [0; 4];
    for turn in faces.iter().filter_map(Face::turn) {
        let slot = Turn::ALL.into_iter().position(|t| t == turn);
        flips[slot.unwrap_or_default()] += 1;
    }
    let signs = [&gains[0], &gains[1], &omegas].map(|items| SignCounts::of(items));

    let reducer = Reducer::new(study, scores);
    let parts = (0..study.layouts).map(Part::Layout).chain((0..study.waves.len()).map(Part::Wave));
    let single = study.waves.len() == 1;
    let parts: Vec<Part> = parts.filter(|part| !(single && matches!(part, Part::Wave(_)))).collect();
    let mut partial: Vec<Vec<Measured>> = Vec::with_capacity(parts.len());
    for &part in &parts {
        partial.push(of_part(&cohort, watch, |t| omega_of(&reducer, t, contrast, part))?);
    }

    let inference = Inference::new(study, &cohort, sampling);
    let statistics: [&[Measured]; 3] = [&gains[0], &gains[1], &omegas];
    let further: Vec<&[Measured]> = partial.iter().map(Vec::as_slice).collect();
    let (drawn, mut layouts) = inference.means_and_effects(&statistics, &further, Weighting::Steps, watch)?;
    let mut drawn = drawn.into_iter();
    let mut next = || drawn.next().flatten();
    let means = next().zip(next());
    let omega = next();
    let [reference, alternative] = Side::BOTH.map(|side| &study.channels[side.channel(contrast)]);
    let equivalence = alternative.moves_only_view(reference).then(|| {
        let ninety = omega.as_ref().and_then(|drawn| drawn.effect(Level::P90)).map(|effect| effect.estimate);
        Equivalence::test(ninety, study.equivalence_margin.as_ref())
    });
    let omega = omega.and_then(|drawn| drawn.effect(Level::P95));
    let waves = layouts.split_off(study.layouts);
    let auc = aucs(&inference, &faces, &gains, watch)?;
    let mixture = Mixture::of(study, &inference, [&gains[0], &gains[1], &omegas], Weighting::Steps, watch)?;
    let effects = means.as_ref().map(|(a, b)| (a.effect(Level::P95), b.effect(Level::P95)));
    // All contrasts of a report keep theirs.
    let fits = 2 * study.contrasts.len() * sampling.draws as usize <= limits::DRAWN_VALUES;
    Ok(Some(ContrastReport {
        contrast: index,
        gains: effects.and_then(|(a, b)| Some([a?, b?])),
        drawn: means.filter(|_| fits).map(|(a, b)| [a.draws.detached(), b.draws.detached()]),
        omega,
        equivalence,
        flips,
        signs,
        layouts,
        waves,
        auc,
        mixture,
        faces,
        cohort,
    }))
}

/// A figure of every member, as far as it has one.
pub(super) fn of_part(
    cohort: &Cohort,
    watch: &dyn Watch,
    figure: impl Fn(usize) -> Option<Measured>,
) -> Result<Vec<Measured>, Cancelled> {
    let members = cohort.members();
    let mut figures = Vec::with_capacity(members.len());
    for (i, &member) in members.iter().enumerate() {
        if i % 16 == 0 && watch.step(i as u64, members.len() as u64).is_break() {
            return Err(Cancelled);
        }
        figures.extend(figure(member));
    }
    Ok(figures)
}

/// Ω of one transition from a part of the acquisitions.
fn omega_of(reducer: &Reducer<'_>, transition: usize, contrast: &Contrast, part: Part) -> Option<Measured> {
    let corner = |side: Side| {
        Moment::BOTH.map(|state| reducer.scalar(transition, side.channel(contrast), Corner::own(state), part))
    };
    Face::new(Side::BOTH.map(corner)).omega()
}

fn aucs(
    inference: &Inference<'_>,
    faces: &[Face],
    gains: &[Vec<Measured>; 2],
    watch: &dyn Watch,
) -> Result<Option<AucReport>, Cancelled> {
    let after = Side::BOTH
        .map(|side| faces.iter().filter_map(|face| face.corner(side, Moment::After)).collect::<Vec<Measured>>());
    let pairs = [[&gains[0][..], &gains[1][..]], [&after[0][..], &after[1][..]]];
    let mut found = inference.aucs(&pairs, watch)?.into_iter();
    let mut next = || found.next().flatten();
    Ok(next().zip(next()).map(|(gain, after)| AucReport { gain, after }))
}
