//! The matched cube: derived views under authority policies, one template (docs/theory.md §3.4). The Blackwell null
//! says that views which hold nothing new change no scalar; each view contrast is reported against it.

use super::cohort::{Cohort, Weighting};
use super::equivalence::Equivalence;
use super::inference::{AucPair, Drawn, Effect, Inference, Sampling, concludes};
use super::measure::Measured;
use super::mixture::Balanced;
use super::scalars::Scalars;
use super::study::{MatchedCube, Study};
use crate::stats::{Estimate, Level};
use crate::watch::{Cancelled, Watch};

/// A later view minus an earlier one, under one authority.
#[derive(Debug, Clone)]
pub struct ViewContrast {
    /// The view that is subtracted, by position.
    pub from: usize,
    /// The view that is added, by position.
    pub to: usize,
    /// The authority, by position.
    pub authority: usize,
    /// `F(x, to) − F(x, from)` before and after the step: zero under the Blackwell null.
    pub shift: [Option<Effect>; 2],
    /// `D(H) = Δ_x Δ_V F`.
    pub interaction: Option<Effect>,
    /// The two shifts and the interaction, each tested against the null.
    pub equivalence: [Equivalence; 3],
    /// AUC of stored success by `F(x+)` under either view: equal under the Blackwell null.
    pub auc: Option<AucPair>,
}

impl ViewContrast {
    /// Whether any of what the Blackwell null fixes lies clear of it: a shift, the interaction, or the AUC difference.
    /// `None` where nothing could be resampled.
    #[must_use]
    pub fn departs(&self) -> Option<bool> {
        let effects = [self.shift[0], self.shift[1], self.interaction];
        let estimates = effects.into_iter().flatten().map(|effect| effect.estimate);
        departs(estimates.chain(self.auc.map(|auc| auc.difference)))
    }
}

/// Whether any of these lies clear of zero; `None` where nothing is concluded from any.
pub(super) fn departs(estimates: impl Iterator<Item = Estimate>) -> Option<bool> {
    let all: Vec<Estimate> = estimates.filter(concludes).collect();
    (!all.is_empty()).then(|| all.iter().any(|estimate| estimate.below_zero() || estimate.above_zero()))
}

/// How a view contrast's interaction changes with the authority.
#[derive(Debug, Clone)]
pub struct AuthorityInteraction {
    /// The view that is subtracted.
    pub from: usize,
    /// The view that is added.
    pub to: usize,
    /// `D(H1) − D(H0)` with a 95 % interval.
    pub effect: Option<Effect>,
    /// The same against the null.
    pub equivalence: Equivalence,
}

/// The cube with equal weight to each reviewed target; `None` where no draw holds every target.
#[derive(Debug, Clone, PartialEq)]
pub struct CubeMixture {
    /// Each target with its number of transitions.
    pub targets: Vec<(String, usize)>,
    /// `G(V, H)`, view by view.
    pub gains: Vec<Vec<Option<Estimate>>>,
    /// `D(H)` of every view contrast, in their order.
    pub view_contrasts: Vec<Option<Estimate>>,
    /// `D(H1) − D(H0)` of every pair of views, in the order of the interactions.
    pub interactions: Vec<Option<Estimate>>,
}

/// The matched cube over its cohort.
#[derive(Debug, Clone)]
pub struct CubeReport {
    /// Transitions that are complete in every cell.
    pub cohort: Cohort,
    /// The views' words.
    pub views: Vec<String>,
    /// The authorities' words.
    pub authorities: Vec<String>,
    /// `G(V, H)`, view by view.
    pub gains: Vec<Vec<Option<Effect>>>,
    /// `G(V, H_j) − G(V, H_0)` for every authority after the first, view by view.
    pub authority_effects: Vec<Vec<Option<Effect>>>,
    /// All pairs of views under each authority.
    pub view_contrasts: Vec<ViewContrast>,
    /// All pairs of views, last authority against the first; empty with one authority.
    pub interactions: Vec<AuthorityInteraction>,
    /// The same with equal weight to each target; `None` with fewer than two targets or more than sixteen.
    pub mixture: Option<CubeMixture>,
}

/// Reports the matched cube; `None` where none is declared.
///
/// # Errors
/// The watch asked to stop.
pub fn cube(
    study: &Study,
    scalars: &Scalars,
    sampling: Sampling,
    watch: &dyn Watch,
) -> Result<Option<CubeReport>, Cancelled> {
    let Some(declared) = &study.matched_cube else { return Ok(None) };
    let cohort = Cohort::of(study, |t| declared.cells.iter().all(|cell| scalars.pair(t, cell.channel).is_some()));
    let inference = Inference::new(study, &cohort, sampling);
    let cells = Cells { declared, scalars, members: cohort.members() };
    let (views, authorities) = (declared.views.len(), declared.authorities.len());
    let pairs: Vec<(usize, usize)> = (0..views).flat_map(|to| (0..to).map(move |from| (from, to))).collect();

    let gains: Vec<Vec<Measured>> =
        (0..views).flat_map(|v| (0..authorities).map(move |a| (v, a))).map(|(v, a)| cells.gains(v, a)).collect();
    let slices: Vec<&[Measured]> = gains.iter().map(Vec::as_slice).collect();
    let drawn = inference.means(&slices, Weighting::Trajectories, watch)?;
    let at = |view: usize, authority: usize| drawn.get(view * authorities + authority)?.as_ref();
    let effect = |drawn: Option<Drawn>| drawn.and_then(|drawn| drawn.effect(Level::P95));
    let difference = |a: Option<&Drawn>, b: Option<&Drawn>| Some(a?.minus(b?));
    let interaction = |from, to, authority| difference(at(to, authority), at(from, authority));

    let margin = study.equivalence_margin.as_ref();
    let test = |drawn: Option<&Drawn>| {
        let ninety = drawn.and_then(|drawn| drawn.effect(Level::P90));
        Equivalence::test(ninety.map(|effect| effect.estimate), margin)
    };
    let mut view_contrasts = Vec::new();
    for authority in 0..authorities {
        for &(from, to) in &pairs {
            let shifts = [0, 1].map(|state| cells.shift(from, to, authority, state));
            let drawn = inference.means(&[&shifts[0], &shifts[1]], Weighting::Trajectories, watch)?;
            let shift = [0, 1].map(|state| drawn.get(state).and_then(Option::as_ref));
            let after = [from, to].map(|view| cells.after(view, authority));
            let auc = inference.aucs(&[[&after[0], &after[1]]], watch)?.into_iter().next().flatten();
            let interaction = interaction(from, to, authority);
            let equivalence = [test(shift[0]), test(shift[1]), test(interaction.as_ref())];
            let shift = shift.map(|drawn| effect(drawn.cloned()));
            view_contrasts.push(ViewContrast {
                from,
                to,
                authority,
                shift,
                interaction: effect(interaction),
                equivalence,
                auc,
            });
        }
    }
    let crossed = if authorities > 1 { &pairs[..] } else { &[] };
    let interactions = crossed
        .iter()
        .map(|&(from, to)| {
            let drawn = difference(interaction(from, to, authorities - 1).as_ref(), interaction(from, to, 0).as_ref());
            AuthorityInteraction { from, to, equivalence: test(drawn.as_ref()), effect: effect(drawn) }
        })
        .collect();
    let authority_effects = (0..views)
        .map(|view| (1..authorities).map(|a| effect(difference(at(view, a), at(view, 0)))).collect())
        .collect();
    let effects = (0..views).map(|view| (0..authorities).map(|a| effect(at(view, a).cloned())).collect()).collect();
    // Before as many are drawn again.
    drop(drawn);
    let balanced = Balanced::of(study, &inference, &slices, Weighting::Trajectories, watch)?;
    let mixture = balanced.map(|found| {
        let at = |view: usize, authority: usize| view * authorities + authority;
        let between = |from, to, authority, sign: f64| [(at(to, authority), sign), (at(from, authority), -sign)];
        let last = authorities - 1;
        CubeMixture {
            gains: (0..views)
                .map(|view| (0..authorities).map(|a| found.estimate(&[(at(view, a), 1.0)])).collect())
                .collect(),
            view_contrasts: view_contrasts
                .iter()
                .map(|contrast| found.estimate(&between(contrast.from, contrast.to, contrast.authority, 1.0)))
                .collect(),
            interactions: crossed
                .iter()
                .map(|&(from, to)| found.estimate(&[between(from, to, last, 1.0), between(from, to, 0, -1.0)].concat()))
                .collect(),
            targets: found.targets,
        }
    });
    Ok(Some(CubeReport {
        views: declared.views.clone(),
        authorities: declared.authorities.clone(),
        gains: effects,
        authority_effects,
        view_contrasts,
        interactions,
        mixture,
        cohort,
    }))
}

/// Scalars of the cohort, cell by cell of the cube.
struct Cells<'a> {
    declared: &'a MatchedCube,
    scalars: &'a Scalars,
    members: &'a [usize],
}

impl Cells<'_> {
    fn pairs(&self, view: usize, authority: usize) -> impl Iterator<Item = [Measured; 2]> + '_ {
        let channel = self.declared.channel(view, authority);
        self.members.iter().filter_map(move |&t| self.scalars.pair(t, channel?))
    }

    fn gains(&self, view: usize, authority: usize) -> Vec<Measured> {
        self.pairs(view, authority).map(|[before, after]| after.sub(&before)).collect()
    }

    /// `F(x, to) − F(x, from)` at a state.
    fn shift(&self, from: usize, to: usize, authority: usize, state: usize) -> Vec<Measured> {
        let both = self.pairs(from, authority).zip(self.pairs(to, authority));
        both.map(|(from, to)| to[state].sub(&from[state])).collect()
    }

    fn after(&self, view: usize, authority: usize) -> Vec<Measured> {
        self.pairs(view, authority).map(|[_, after]| after).collect()
    }
}
