//! The symmetric retrieval face: state crossed with the view frozen at either state, allocated to both by averaging the two
//! orders (L15), and the controls of the generated view.

use super::cohort::{Cohort, Weighting};
use super::contrast::SignCounts;
use super::inference::{Drawn, Effect, Inference, Sampling};
use super::measure::Measured;
use super::scalars::Scalars;
use super::scores::Corner;
use super::study::{Moment, Study};
use crate::exact::Rational;
use crate::stats::Level;
use crate::watch::{Cancelled, Watch};

/// The four corners of one transition's retrieval face, by state, then by the state whose view is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetrievalCorners(pub [[Option<Measured>; 2]; 2]);

impl RetrievalCorners {
    /// The corners of a transition; `None` where the study has no retrieval face.
    #[must_use]
    pub fn of(study: &Study, scalars: &Scalars, transition: usize) -> Option<Self> {
        let channel = study.retrieval_face.as_ref()?.channel;
        let at = |state, view_at| scalars.get(transition, channel, Corner { state, view_at });
        Some(Self(Moment::BOTH.map(|state| Moment::BOTH.map(|view_at| at(state, view_at)))))
    }

    /// The allocation; `None` where a corner is missing.
    #[must_use]
    pub fn allocation(&self) -> Option<Allocation> {
        let [[bb, ba], [ab, aa]] = self.0;
        let (bb, ba, ab, aa) = (bb?, ba?, ab?, aa?);
        let half = Rational::from_ratio(1, 2)?;
        let state = ab.sub(&bb).add(&aa.sub(&ba)).scale(&half);
        let view = ba.sub(&bb).add(&aa.sub(&ab)).scale(&half);
        Some(Allocation { state, view, gain: aa.sub(&bb) })
    }
}

/// `C_x`, `C_r` and their sum `G^ret`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allocation {
    /// `C_x`: what the state brings, averaged over both views.
    pub state: Measured,
    /// `C_r`: what the view brings, averaged over both states.
    pub view: Measured,
    /// `G^ret = F(x+, r+) − F(x−, r−)`.
    pub gain: Measured,
}

/// The allocation over its cohort.
#[derive(Debug, Clone)]
pub struct RetrievalReport {
    /// Transitions whose four corners are complete.
    pub cohort: Cohort,
    /// `C_x`, `C_r` and `G^ret`.
    pub effects: [Option<Effect>; 3],
    /// Certified signs of the trajectories' means of the same.
    pub signs: [SignCounts; 3],
    /// Direct gain and `Ω = G^ret − G^direct`, over the transitions that have a direct path as well.
    pub direct: Option<DirectPath>,
}

/// The direct path beside the retrieval face.
#[derive(Debug, Clone)]
pub struct DirectPath {
    /// Transitions that are complete in both.
    pub cohort: Cohort,
    /// The direct gain.
    pub gain: Option<Effect>,
    /// `Ω`.
    pub omega: Option<Effect>,
    /// Certified signs of the trajectories' means of both.
    pub signs: [SignCounts; 2],
}

/// Reports the retrieval face; `None` where none is declared.
///
/// # Errors
/// The watch asked to stop.
pub fn retrieval(
    study: &Study,
    scalars: &Scalars,
    sampling: Sampling,
    watch: &dyn Watch,
) -> Result<Option<RetrievalReport>, Cancelled> {
    let Some(declared) = &study.retrieval_face else { return Ok(None) };
    let allocation = |t| RetrievalCorners::of(study, scalars, t).and_then(|corners| corners.allocation());
    let cohort = Cohort::of(study, |t| allocation(t).is_some());
    let all: Vec<Allocation> = cohort.members().iter().filter_map(|&t| allocation(t)).collect();
    let parts = [|a: &Allocation| a.state, |a: &Allocation| a.view, |a: &Allocation| a.gain];
    let values = parts.map(|part| all.iter().map(part).collect::<Vec<_>>());
    let inference = Inference::new(study, &cohort, sampling);
    let statistics: Vec<&[Measured]> = values.iter().map(Vec::as_slice).collect();
    let [state, view, gain] = effects(inference.means(&statistics, Weighting::Trajectories, watch)?);
    let signs = values.each_ref().map(|values| SignCounts::of(&inference.by_trajectory(values)));
    drop(inference);

    let direct = match declared.direct {
        None => None,
        Some(channel) => {
            let cohort = Cohort::of(study, |t| allocation(t).is_some() && scalars.gain(t, channel).is_some());
            let gains: Vec<Measured> = cohort.members().iter().filter_map(|&t| scalars.gain(t, channel)).collect();
            let both = cohort.members().iter().filter_map(|&t| allocation(t)).zip(&gains);
            let omegas: Vec<Measured> = both.map(|(allocation, direct)| allocation.gain.sub(direct)).collect();
            let inference = Inference::new(study, &cohort, sampling);
            let [gain, omega] = effects(inference.means(&[&gains, &omegas], Weighting::Trajectories, watch)?);
            let signs = [&gains, &omegas].map(|values| SignCounts::of(&inference.by_trajectory(values)));
            drop(inference);
            Some(DirectPath { cohort, gain, omega, signs })
        }
    };
    Ok(Some(RetrievalReport { cohort, effects: [state, view, gain], signs, direct }))
}

fn effects<const N: usize>(drawn: Vec<Option<Drawn>>) -> [Option<Effect>; N] {
    let mut drawn = drawn.into_iter();
    std::array::from_fn(|_| drawn.next().flatten().and_then(|drawn| drawn.effect(Level::P95)))
}

/// One control of the generated view.
#[derive(Debug, Clone)]
pub struct Control {
    /// What it compares: `own minus donor`, `state last minus own`, `other authority minus own`.
    pub name: &'static str,
    /// The mean difference of gains.
    pub effect: Option<Effect>,
}

/// The controls over their joint cohort.
#[derive(Debug, Clone)]
pub struct ControlsReport {
    /// Transitions that are complete in every control channel.
    pub cohort: Cohort,
    /// The own view's gain.
    pub own: Option<Effect>,
    /// The controls that are declared.
    pub controls: Vec<Control>,
}

/// Reports the controls; `None` where none is declared.
///
/// # Errors
/// The watch asked to stop.
pub fn controls(
    study: &Study,
    scalars: &Scalars,
    sampling: Sampling,
    watch: &dyn Watch,
) -> Result<Option<ControlsReport>, Cancelled> {
    let Some(declared) = &study.controls else { return Ok(None) };
    let others = [
        ("own minus donor", declared.donor, true),
        ("state last minus own", declared.state_last, false),
        ("other authority minus own", declared.authority, false),
    ];
    let others: Vec<(&'static str, usize, bool)> =
        others.into_iter().filter_map(|(name, channel, from_own)| Some((name, channel?, from_own))).collect();
    let channels = || others.iter().map(|(_, channel, _)| *channel).chain([declared.own]);
    let cohort = Cohort::of(study, |t| channels().all(|channel| scalars.pair(t, channel).is_some()));
    let gains = |channel| cohort.members().iter().filter_map(|&t| scalars.gain(t, channel)).collect::<Vec<_>>();
    let own = gains(declared.own);
    let differences: Vec<Vec<Measured>> = others
        .iter()
        .map(|&(_, channel, from_own)| {
            let pairs = own.iter().zip(gains(channel));
            pairs.map(|(own, other)| if from_own { own.sub(&other) } else { other.sub(own) }).collect()
        })
        .collect();
    let inference = Inference::new(study, &cohort, sampling);
    let mut statistics: Vec<&[Measured]> = vec![&own];
    statistics.extend(differences.iter().map(Vec::as_slice));
    let drawn = inference.means(&statistics, Weighting::Trajectories, watch)?;
    drop(inference);
    let mut effects = drawn.into_iter().map(|drawn| drawn.and_then(|drawn| drawn.effect(Level::P95)));
    let own = effects.next().flatten();
    let controls = others.iter().zip(effects).map(|(&(name, ..), effect)| Control { name, effect }).collect();
    Ok(Some(ControlsReport { cohort, own, controls }))
}
