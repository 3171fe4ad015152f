//! From log-probabilities to a channel's scalar, stop by stop (docs/theory.md §3.1): energies, centred within the
//! layout, mean over the layouts times the factor, margin of the target, mean over the waves. Waves are never pooled as
//! logits.

use super::measure::Measured;
use super::real::{Constant, Real, sum};
use super::scores::{Cell, Corner, Score, Scores};
use super::study::{Channel, Readout, Study};
use crate::exact::Rational;
use crate::exact::interval::Interval;

/// Every figure between the returned scores of one corner and its scalar.
#[derive(Debug, Clone, PartialEq)]
pub struct Stops {
    /// Wave by wave, layout by layout, in candidate order: the energy, where every score was returned.
    pub energies: Vec<Vec<Option<Vec<f64>>>>,
    /// The same, less the layout's mean over the candidates.
    pub centred: Vec<Vec<Option<Vec<f64>>>>,
    /// Per wave: the mean over the layouts, times the factor.
    pub layout_mean: Vec<Option<Vec<f64>>>,
    /// Per wave: the margin of the target.
    pub margins: Vec<Option<f64>>,
    /// The scalar F: the weighted mean over the waves.
    pub scalar: Option<Measured>,
}

/// Which part of the acquisitions a scalar is reduced from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All layouts and waves, as declared.
    Whole,
    /// One layout, all waves: a diagnostic of position.
    Layout(usize),
    /// One wave, all layouts: a diagnostic of repetition.
    Wave(usize),
}

/// Reduces the scores of a study.
#[derive(Debug, Clone)]
pub struct Reducer<'a> {
    study: &'a Study,
    scores: &'a Scores,
    constants: Constants,
}

/// The exact numbers that every reduction of a study multiplies with.
#[derive(Debug, Clone)]
struct Constants {
    /// `1/K`, by K.
    candidates: Vec<Constant>,
    /// Per channel `τ/S` over all layouts, and `τ` for one layout alone.
    layouts: Vec<[Constant; 2]>,
    /// Per wave its weight.
    waves: Vec<Constant>,
}

impl Constants {
    fn of(study: &Study) -> Self {
        let most = study.candidate_sets.iter().map(Vec::len).max().unwrap_or(0);
        let reciprocal =
            |n: usize| i64::try_from(n).ok().and_then(|n| Rational::from_ratio(1, n)).unwrap_or(Rational::ONE);
        let whole = reciprocal(study.layouts);
        let shares = |channel: &Channel| [channel.factor().mul(&whole), channel.factor().clone()];
        Self {
            candidates: (0..=most).map(|n| Constant::new(&reciprocal(n))).collect(),
            layouts: study.channels.iter().map(|c| shares(c).each_ref().map(Constant::new)).collect(),
            waves: study.waves.iter().map(|wave| Constant::new(&wave.weight)).collect(),
        }
    }
}

impl<'a> Reducer<'a> {
    /// A reducer for `scores`, which were read for `study`.
    #[must_use]
    pub fn new(study: &'a Study, scores: &'a Scores) -> Self {
        Self { study, scores, constants: Constants::of(study) }
    }

    /// The scalar of a corner, `F_ρ(x; g)`, with its envelope. `None` where any score it rests on is missing.
    #[must_use]
    pub fn scalar(&self, transition: usize, channel: usize, corner: Corner, part: Part) -> Option<Measured> {
        let value = self.reduced::<f64>(transition, channel, corner, part)?;
        let envelope = self.reduced::<Interval>(transition, channel, corner, part)?;
        // The envelope holds the exact value; holding the double beside it too makes every figure that follows hold its own.
        Some(Measured { value, envelope: envelope.hull(value) })
    }

    /// Every stop on the way to the scalar.
    #[must_use]
    pub fn stops(&self, transition: usize, channel: usize, corner: Corner) -> Option<Stops> {
        let declared = self.study.channels.get(channel)?;
        let step = self.study.transitions.get(transition)?;
        let cell = |wave, layout| Cell { transition, channel, corner, wave, layout };
        let mut stops = Stops {
            energies: Vec::new(),
            centred: Vec::new(),
            layout_mean: Vec::new(),
            margins: Vec::new(),
            scalar: self.scalar(transition, channel, corner, Part::Whole),
        };
        for wave in 0..self.study.waves.len() {
            let energies: Vec<Option<Vec<f64>>> =
                (0..self.study.layouts).map(|layout| self.energies(declared, &cell(wave, layout))).collect();
            let centred_layouts: Vec<Option<Vec<f64>>> =
                energies.iter().map(|energies| energies.as_deref().map(|energies| self.centred(energies))).collect();
            let whole: Option<Vec<Vec<f64>>> = centred_layouts.iter().cloned().collect();
            let mean = whole.map(|layouts| self.layout_mean(channel, &layouts));
            stops.margins.push(mean.as_ref().and_then(|mean| margin(mean, step.target)));
            stops.layout_mean.push(mean);
            stops.energies.push(energies);
            stops.centred.push(centred_layouts);
        }
        Some(stops)
    }

    fn reduced<R: Real>(&self, transition: usize, channel: usize, corner: Corner, part: Part) -> Option<R> {
        let declared = self.study.channels.get(channel)?;
        let target = self.study.transitions.get(transition)?.target;
        let layouts = match part {
            Part::Layout(layout) => layout..layout + 1,
            Part::Whole | Part::Wave(_) => 0..self.study.layouts,
        };
        let in_wave = |wave: usize| -> Option<R> {
            let mut reduced: Vec<Vec<R>> = Vec::with_capacity(layouts.len());
            for layout in layouts.clone() {
                let cell = Cell { transition, channel, corner, wave, layout };
                reduced.push(self.centred(&self.energies(declared, &cell)?));
            }
            margin(&self.layout_mean(channel, &reduced), target)
        };
        if let Part::Wave(wave) = part {
            return in_wave(wave);
        }
        let mut terms = Vec::with_capacity(self.study.waves.len());
        for (wave, weight) in self.constants.waves.iter().enumerate() {
            let margin = in_wave(wave)?;
            terms.push(if weight.is_one() { margin } else { R::constant(weight).mul(margin) });
        }
        match terms[..] {
            [only] => Some(only),
            _ => Some(sum(terms)),
        }
    }

    /// The candidates' energies; `None` if any score is missing.
    fn energies<R: Real>(&self, channel: &Channel, cell: &Cell) -> Option<Vec<R>> {
        let scores: Option<Vec<f64>> = self.scores.cell(cell).map(Score::value).collect();
        let scores = scores.filter(|scores| !scores.is_empty())?;
        Some(match channel.readout {
            Readout::Joint => scores.into_iter().map(R::returned).collect(),
            Readout::Binary => {
                scores.chunks_exact(2).map(|pair| R::returned(pair[0]).sub(R::returned(pair[1]))).collect()
            }
        })
    }

    /// `ℓ(c) − mean ℓ`.
    fn centred<R: Real>(&self, energies: &[R]) -> Vec<R> {
        let share = self.constants.candidates.get(energies.len()).map_or(R::exactly(1.0), R::constant);
        let mean = sum(energies.iter().copied()).mul(share);
        energies.iter().map(|&energy| energy.sub(mean)).collect()
    }

    /// `(τ/S) Σ_s`, candidate by candidate.
    fn layout_mean<R: Real>(&self, channel: usize, layouts: &[Vec<R>]) -> Vec<R> {
        let alone = usize::from(layouts.len() != self.study.layouts);
        let share = self.constants.layouts.get(channel).map_or(R::exactly(1.0), |shares| R::constant(&shares[alone]));
        let candidates = layouts.first().map_or(0, Vec::len);
        (0..candidates).map(|c| sum(layouts.iter().map(|layout| layout[c])).mul(share)).collect()
    }
}

/// `m(L; g) = L_g − log Σ_{c≠g} exp(L_c)`, shifted by the largest rival so that nothing overflows. `None` without a rival.
fn margin<R: Real>(energies: &[R], target: usize) -> Option<R> {
    let rivals = || energies.iter().enumerate().filter(|(c, _)| *c != target).map(|(_, &energy)| energy);
    let largest = rivals().map(R::near).reduce(f64::max)?;
    let shift = R::exactly(largest);
    let log_sum = sum(rivals().map(|energy| energy.sub(shift).exp())).ln().add(shift);
    Some(energies.get(target)?.sub(log_sum))
}
