//! The one pipeline of the step-value wing: bytes → study and scores → scalars → faces → gains and Ω → report. The command
//! line and the window both call it; neither has a pipeline of its own.

use super::bridge::{BridgeReport, bridge};
use super::contrast::{ContrastReport, contrast};
use super::cube::{CubeReport, cube};
use super::design::{Design, Identification};
use super::inference::Sampling;
use super::retrieval::{ControlsReport, RetrievalReport, controls, retrieval};
use super::scalars::{Missing, Scalars, missing_of};
use super::scores::Scores;
use super::study::{self, Study, StudyError};
use crate::watch::{Cancelled, Watch};

/// Everything that a study's scores say.
#[derive(Debug, Clone)]
pub struct Report {
    /// How intervals were drawn.
    pub sampling: Sampling,
    /// `F` of every transition, channel and corner.
    pub scalars: Scalars,
    /// Per transition, whether it is complete: in both channels of every contrast, or, where no contrast is declared, in
    /// every channel.
    pub complete: Vec<bool>,
    /// One report a contrast.
    pub contrasts: Vec<ContrastReport>,
    /// The bridge, if one is declared.
    pub bridge: Option<BridgeReport>,
    /// The matched cube, if one is declared.
    pub cube: Option<CubeReport>,
    /// The retrieval face, if one is declared.
    pub retrieval: Option<RetrievalReport>,
    /// The controls, if any are declared.
    pub controls: Option<ControlsReport>,
    /// Declared designs and what they identify.
    pub designs: Vec<(String, Design, Identification)>,
}

impl Report {
    /// Number of complete transitions.
    #[must_use]
    pub fn complete(&self) -> usize {
        self.complete.iter().filter(|complete| **complete).count()
    }

    /// Every missing score of the study, transition by transition.
    pub fn missing<'a>(&'a self, study: &'a Study, scores: &'a Scores) -> impl Iterator<Item = Missing> + 'a {
        let channels = study.channels.len();
        (0..study.transitions.len())
            .flat_map(move |t| (0..channels).flat_map(move |channel| missing_of(study, scores, t, channel)))
    }
}

/// Reads a study from the bytes of its `study.json`. Its scores are read by [`super::scores::ScoreReader`].
///
/// # Errors
/// [`StudyError`] with file, line and column.
pub fn open_study(file: &str, bytes: &[u8]) -> Result<Study, StudyError> {
    study::read(file, bytes)
}

/// Reduces the scores and reports on everything that the study declares.
///
/// # Errors
/// The watch asked to stop.
pub fn analyse(study: &Study, scores: &Scores, sampling: Sampling, watch: &dyn Watch) -> Result<Report, Cancelled> {
    let scalars = Scalars::of(study, scores, watch)?;
    let mut needed: Vec<usize> = study.contrasts.iter().flat_map(|c| [c.reference, c.alternative]).collect();
    if needed.is_empty() {
        needed = (0..study.channels.len()).collect();
    }
    let complete = (0..study.transitions.len())
        .map(|t| needed.iter().all(|&channel| scalars.pair(t, channel).is_some()))
        .collect();
    let mut contrasts = Vec::with_capacity(study.contrasts.len());
    for index in 0..study.contrasts.len() {
        contrasts.extend(contrast(study, scores, &scalars, index, sampling, watch)?);
    }
    let bridge = bridge(study, scores, &scalars, sampling, watch)?;
    let cube = cube(study, &scalars, sampling, watch)?;
    let retrieval = retrieval(study, &scalars, sampling, watch)?;
    let controls = controls(study, &scalars, sampling, watch)?;
    let designs = study
        .designs
        .iter()
        .filter_map(|declared| {
            Some((declared.id.clone(), declared.design.clone(), declared.design.identify(&declared.contrast)?))
        })
        .collect();
    Ok(Report { sampling, scalars, complete, contrasts, bridge, cube, retrieval, controls, designs })
}
