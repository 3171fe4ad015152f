//! The matched bridge: every vertex is a full state-by-view face on its own scale, so signs are compared across
//! vertices and magnitudes within one only (docs/theory.md §3.4). Trajectories weigh the same.

use super::cohort::{Cohort, Weighting};
use super::crossing::Crossing;
use super::equivalence::Equivalence;
use super::face::{Face, Side};
use super::inference::{AucPair, Effect, Inference, Sampling, concludes, estimated};
use super::measure::Measured;
use super::mixture::Mixture;
use super::reduce::{Part, Reducer};
use super::scalars::Scalars;
use super::scores::{Corner, Scores};
use super::study::{Contrast, Moment, Study, Vertex};
use crate::exact::Rational;
use crate::stats::icc::{Sums, from_sums, icc_a1};
use crate::stats::{Draws, Estimate, Level};
use crate::watch::{Cancelled, Watch};

/// One vertex over the joint cohort.
#[derive(Debug, Clone)]
pub struct VertexReport {
    /// Its name.
    pub name: String,
    /// Mean gains with the quote and with the generated view.
    pub gains: [Option<Effect>; 2],
    /// `D_v`: generated minus quote.
    pub interaction: Option<Effect>,
    /// The margin for `D_v`: the vertex's own, or else the study's.
    pub margin: Option<Rational>,
    /// `D_v` against the Blackwell null.
    pub equivalence: Equivalence,
    /// The gains and `D_v` with equal weight to each target; `None` with fewer than two targets or more than sixteen.
    pub mixture: Option<Mixture>,
    /// AUC of stored success by `F(x+)`: quote, generated, difference.
    pub auc: Option<AucPair>,
    /// `D_v` from one wave alone; empty where there is one wave.
    pub waves: Vec<Option<Effect>>,
    /// `D_v` from one layout alone.
    pub layouts: Vec<Option<Effect>>,
    /// ICC(A,1) of the trajectories' `D_v` over the waves.
    pub icc: Option<Estimate>,
}

/// The bridge.
#[derive(Debug, Clone)]
pub struct BridgeReport {
    /// Transitions that are complete at every vertex.
    pub cohort: Cohort,
    /// The vertices in declared order.
    pub vertices: Vec<VertexReport>,
    /// Whether the vertices identify the readout-by-stack interactions; `None` where fewer than two readouts or stacks are
    /// crossed.
    pub crossing: Option<Crossing>,
}

impl BridgeReport {
    /// Whether the upper end of `D_v` lies below zero at every vertex (intersection-union); `None` where an interval that
    /// could decide it is not known.
    #[must_use]
    pub fn has_directional_support(&self) -> Option<bool> {
        at_every_vertex(self.vertices.iter().map(|v| v.interaction.map(|d| d.estimate)), Estimate::below_zero)
    }

    /// Whether the lower end of the AUC difference lies above zero at every vertex; `None` as above.
    #[must_use]
    pub fn has_criterion_support(&self) -> Option<bool> {
        at_every_vertex(self.vertices.iter().map(|v| v.auc.map(|auc| auc.difference)), Estimate::above_zero)
    }
}

/// One vertex where it does not hold is enough for no; yes takes an interval to conclude from at every vertex.
pub(super) fn at_every_vertex(
    vertices: impl Iterator<Item = Option<Estimate>>,
    holds: fn(&Estimate) -> bool,
) -> Option<bool> {
    let each: Vec<Option<bool>> =
        vertices.map(|estimate| estimate.filter(concludes).map(|estimate| holds(&estimate))).collect();
    if each.contains(&Some(false)) {
        return Some(false);
    }
    let all: Option<Vec<bool>> = each.into_iter().collect();
    all.filter(|all| !all.is_empty()).map(|_| true)
}

/// Reports the bridge; `None` where none is declared.
///
/// # Errors
/// The watch asked to stop.
pub fn bridge(
    study: &Study,
    scores: &Scores,
    scalars: &Scalars,
    sampling: Sampling,
    watch: &dyn Watch,
) -> Result<Option<BridgeReport>, Cancelled> {
    if study.bridge.is_empty() {
        return Ok(None);
    }
    let contrasts: Vec<Contrast> = study.bridge.iter().map(as_contrast).collect();
    let margins = study.bridge.iter().map(|vertex| study.margin_at(vertex));
    let complete = |t| contrasts.iter().all(|contrast| Face::of(scalars, t, contrast).omega().is_some());
    let cohort = Cohort::of(study, complete);
    let inference = Inference::new(study, &cohort, sampling);
    let reducer = Reducer::new(study, scores);
    let mut vertices = Vec::with_capacity(contrasts.len());
    for (contrast, margin) in contrasts.iter().zip(margins) {
        vertices.push(vertex(study, scalars, &reducer, &inference, contrast, margin, watch)?);
    }
    drop(inference);
    Ok(Some(BridgeReport { cohort, vertices, crossing: Crossing::of(study) }))
}

fn as_contrast(vertex: &Vertex) -> Contrast {
    Contrast { id: vertex.name.clone(), alternative: vertex.alternative, reference: vertex.reference }
}

fn vertex(
    study: &Study,
    scalars: &Scalars,
    reducer: &Reducer<'_>,
    inference: &Inference<'_>,
    contrast: &Contrast,
    margin: Option<&Rational>,
    watch: &dyn Watch,
) -> Result<VertexReport, Cancelled> {
    let members = inference.cohort().members();
    let faces: Vec<Face> = members.iter().map(|&t| Face::of(scalars, t, contrast)).collect();
    let gains = Side::BOTH.map(|side| faces.iter().filter_map(|face| face.gain(side)).collect::<Vec<_>>());
    let omegas: Vec<Measured> = faces.iter().filter_map(Face::omega).collect();
    let of_part = |part: Part| {
        let corner = |t: usize, side: Side| {
            Moment::BOTH.map(|state| reducer.scalar(t, side.channel(contrast), Corner::own(state), part))
        };
        let omega = |t| Face::new(Side::BOTH.map(|side| corner(t, side))).omega();
        super::contrast::of_part(inference.cohort(), watch, omega)
    };
    let layouts: Vec<Vec<Measured>> =
        (0..study.layouts).map(|layout| of_part(Part::Layout(layout))).collect::<Result<_, _>>()?;
    let repeated = study.waves.len() > 1;
    let waves: Vec<Vec<Measured>> =
        (0..study.waves.len()).filter(|_| repeated).map(|wave| of_part(Part::Wave(wave))).collect::<Result<_, _>>()?;

    let statistics: [&[Measured]; 3] = [&gains[0], &gains[1], &omegas];
    let further: Vec<&[Measured]> = layouts.iter().chain(&waves).map(Vec::as_slice).collect();
    let (drawn, mut layout_effects) =
        inference.means_and_effects(&statistics, &further, Weighting::Trajectories, watch)?;
    let ninety = drawn.get(2).and_then(Option::as_ref).and_then(|drawn| drawn.effect(Level::P90));
    let equivalence = Equivalence::test(ninety.map(|effect| effect.estimate), margin);
    let mut effects = drawn.into_iter().map(|drawn| drawn.and_then(|drawn| drawn.effect(Level::P95)));
    let mut next = || effects.next().flatten();
    let (reference, alternative, interaction) = (next(), next(), next());
    let wave_effects = layout_effects.split_off(layouts.len());

    let after = Side::BOTH
        .map(|side| faces.iter().filter_map(|face| face.corner(side, Moment::After)).collect::<Vec<Measured>>());
    let auc = inference.aucs(&[[&after[0], &after[1]]], watch)?.into_iter().next().flatten();
    Ok(VertexReport {
        name: contrast.id.clone(),
        gains: [reference, alternative],
        interaction,
        margin: margin.cloned(),
        equivalence,
        mixture: Mixture::of(study, inference, [&gains[0], &gains[1], &omegas], Weighting::Trajectories, watch)?,
        auc,
        waves: wave_effects,
        layouts: layout_effects,
        icc: icc(inference, &waves, watch)?,
    })
}

/// ICC(A,1) of the trajectories' interactions over the waves, with its interval from the shared draws.
fn icc(inference: &Inference<'_>, waves: &[Vec<Measured>], watch: &dyn Watch) -> Result<Option<Estimate>, Cancelled> {
    if waves.len() < 2 {
        return Ok(None);
    }
    let by_wave: Vec<Vec<f64>> = waves
        .iter()
        .map(|wave| inference.by_trajectory(wave).iter().map(|measured| measured.value).collect())
        .collect();
    let rows = by_wave.first().map_or(0, Vec::len);
    let table: Vec<f64> = (0..rows).flat_map(|row| by_wave.iter().map(move |wave| wave[row])).collect();
    let Some(value) = icc_a1(&table, waves.len()) else { return Ok(None) };
    // A common shift changes no ICC and saves digits.
    let mean = table.iter().fold(0.0, |sum, value| sum + value) / table.len() as f64;
    let shifted: Vec<Vec<f64>> = by_wave.iter().map(|wave| wave.iter().map(|value| value - mean).collect()).collect();
    let row = |row: usize| shifted.iter().map(move |wave| wave[row]);
    let squares: Vec<f64> = (0..rows).map(|r| row(r).fold(0.0, |sum, value| sum + value * value)).collect();
    let squared_rows: Vec<f64> = (0..rows)
        .map(|r| {
            let sum = row(r).fold(0.0, |sum, value| sum + value);
            sum * sum
        })
        .collect();
    let mut linear: Vec<&[f64]> = shifted.iter().map(Vec::as_slice).collect();
    linear.extend([&squares[..], &squared_rows[..]]);
    let drawn = inference.sums(&linear, watch)?;
    let parts: Vec<&Draws> = drawn.iter().collect();
    let draws = Draws::combine_all(&parts, |sums| {
        let (columns, rest) = sums.split_at(waves.len());
        from_sums(&Sums { rows: rows as f64, columns, squares: *rest.first()?, squared_rows: *rest.get(1)? })
    });
    // Where no draw defines it the value of the data stands all the same.
    let found = estimated(value, &draws, rows, Level::P95);
    Ok(Some(found.unwrap_or_else(|| Estimate::unbounded(value, draws.len()))))
}
