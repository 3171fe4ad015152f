//! The step-value certificate: study, scores, reducer, cohort and draws by digest and by value; everything that the
//! report finds; and the certified signs of the whole study or of one transition (docs/theory.md §3,
//! docs/formats/study.md S24 to S35). Log-probabilities become figures only here, so a figure is the shortest decimal
//! that reads back as the same double.
//!
//! Version 1 states contrasts alone. It is read and replayed by its own rules; what is bound today is version 2.

mod first;
mod read;
mod shape;
mod write;

use super::face::{Face, Side};
use super::findings;
use super::inference::{ENOUGH_DRAWS, Sampling};
use super::measure::{Measured, sign_word};
use super::scores::Scores;
use super::study::{Origin, Study};
use super::walk::Report;
use crate::limits;
use crate::seal::certificate::Certificate as _;
use crate::seal::digest::Digest;
use crate::seal::json::Json;
pub use crate::seal::predicate::CertificateFault;
use crate::seal::predicate::Kind;
use crate::seal::time::Time;
pub use first::{BoundContrast, Mean};

/// Predicate type of a step-value certificate.
pub const PREDICATE: &str = "https://decidendi.dev/step-value/v2";
/// The same of version 1, which states contrasts alone.
pub const FIRST: &str = "https://decidendi.dev/step-value/v1";
/// How a step-value certificate is told.
pub const KIND: Kind =
    Kind { predicate: PREDICATE, family: "https://decidendi.dev/step-value/v", name: "step-value certificate" };
/// What turns log-probabilities into scalars, with the version of its arithmetic.
pub const REDUCER: (&str, &str) = ("centred-layout-mean-margin", "1");
/// What draws trajectories, with the version of its recipe.
pub const GENERATOR: (&str, &str) = ("chacha8-picks", "1");

/// A double as the shortest decimal that reads back as the same double.
fn decimal(value: f64) -> String {
    format!("{value:?}")
}

impl Findings {
    /// What is stated, each part by its key in the predicate.
    fn entries(&self) -> Vec<(String, Json)> {
        match self {
            Self::Contrasts(contrasts) => {
                vec![("contrasts".to_owned(), Json::List(contrasts.iter().map(first::written).collect()))]
            }
            Self::Whole(Json::Map(entries)) => entries.clone(),
            Self::Whole(_) => Vec::new(),
        }
    }

    /// Everything that a report finds.
    fn of(study: &Study, report: &Report) -> Self {
        let whole = [("contrasts", findings::contrasts(study, report)), ("margins", findings::margins(study))];
        let whole = whole.into_iter().chain(findings::parts(study, report));
        Self::Whole(Json::Map(whole.map(|(key, found)| (key.to_owned(), stated(found))).collect()))
    }
}

/// A finding with each figure as text: what is signed has no fractions, and no sign before a zero.
fn stated(found: Json) -> Json {
    match found {
        Json::Float(value) => Json::Text(decimal(if value == 0.0 { 0.0 } else { value })),
        Json::List(items) => Json::List(items.into_iter().map(stated).collect()),
        Json::Map(entries) => Json::Map(entries.into_iter().map(|(key, value)| (key, stated(value))).collect()),
        plain => plain,
    }
}

/// A figure with its outward-rounded envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enclosed {
    /// The figure.
    pub value: String,
    /// Lower end of the envelope.
    pub lo: String,
    /// Upper end.
    pub hi: String,
    /// The sign that the envelope certifies, or `abstained`.
    pub sign: String,
}

impl Enclosed {
    fn of(measured: &Measured) -> Self {
        Self {
            value: decimal(measured.value),
            lo: decimal(measured.envelope.lo()),
            hi: decimal(measured.envelope.hi()),
            sign: sign_word(measured.sign()).to_owned(),
        }
    }
}

/// The certified signs of one transition under one contrast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundFace {
    /// The transition's id.
    pub transition: String,
    /// The contrast's id.
    pub contrast: String,
    /// `G^ρ0`, `G^ρ1` and Ω.
    pub figures: [Enclosed; 3],
}

/// Which transitions a certificate speaks of one by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All that are complete.
    Study,
    /// One, by its id.
    Transition(String),
}

/// What a certificate states of the whole study.
#[derive(Debug, Clone, PartialEq)]
pub enum Findings {
    /// Version 1: one entry a contrast, in declared order.
    Contrasts(Vec<BoundContrast>),
    /// Version 2: an object of everything that the report finds, each figure in its decimal spelling. Only made from a
    /// report, or by reading, which checks its shape.
    Whole(Json),
}

/// Content of a step-value certificate. As a value it claims; [`super::verify`] decides whether the claims hold.
#[derive(Debug, Clone, PartialEq)]
pub struct StepCertificate {
    /// The study's id.
    pub study_id: String,
    /// Digest of the study document.
    pub study: Digest,
    /// Digest of the bytes of the score file.
    pub scores: Digest,
    /// `recorded` or `simulated`.
    pub origin: String,
    /// Name and version of the reducer.
    pub reducer: (String, String),
    /// Name and version of the generator.
    pub generator: (String, String),
    /// Number of draws.
    pub draws: u64,
    /// The seed, in decimal digits.
    pub seed: String,
    /// Transitions, trajectories and complete transitions.
    pub cohort: [u64; 3],
    /// What is stated of the whole study.
    pub findings: Findings,
    /// Which transitions are listed.
    pub scope: Scope,
    /// Their certified signs, in declared order, contrast by contrast.
    pub faces: Vec<BoundFace>,
    /// Name of the tool that bound it.
    pub tool: String,
    /// Its version.
    pub tool_version: String,
    /// A declared time, if one was wanted.
    pub time: Option<Time>,
}

/// Why no certificate can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotCertifiable {
    /// Nothing to certify: no transition is complete.
    #[error(
        "no transition is complete in both channels of a contrast, so there is no sign to certify. Acquire the missing scores; `decidendi asv` lists them."
    )]
    Nothing,
    /// The transition that is asked for is not in the study.
    #[error("the study has no transition called `{0}`; choose one that study.json declares")]
    NoTransition(String),
    /// The transition that is asked for is not complete.
    #[error("transition `{0}` is incomplete: Ω is not identified. Acquire its missing scores, or choose another.")]
    Incomplete(String),
    /// The study does not say where its scores come from.
    #[error("the study does not say whether its scores were recorded or simulated; declare `origin`")]
    Undeclared,
    /// Some scores are no log-probabilities.
    #[error(
        "{0} of the scores lie above zero, where no logarithm of a probability lies; find out what the endpoint returned"
    )]
    AboveZero(u64),
    /// Too few draws for an interval.
    #[error("{0} draws leave the ends of an interval to chance; a certificate takes {least} or more", least = ENOUGH_DRAWS)]
    FewDraws(u32),
    /// More draws than a reader repeats.
    #[error("{0} draws are more than the {max} that a reader repeats; use fewer", max = limits::DRAWS)]
    ManyDraws(u32),
    /// The signed file would be longer than a reader accepts.
    #[error("the certificate would be a file of {bytes} bytes, more than the {max} that are read. Certify single transitions instead.", max = limits::DOCUMENT_BYTES)]
    TooLong {
        /// Bytes of the file, about.
        bytes: usize,
    },
}

impl StepCertificate {
    /// Binds a report to its study and scores.
    ///
    /// # Errors
    /// [`NotCertifiable`].
    pub fn bind(
        study: &Study,
        scores: &Scores,
        report: &Report,
        scope: Scope,
        time: Option<Time>,
    ) -> Result<Self, NotCertifiable> {
        Self::bind_as(study, scores, report, scope, time, Findings::of(study, report))
    }

    /// The same with what is stated of the whole study, so that a certificate of either version can be compared.
    ///
    /// # Errors
    /// [`NotCertifiable`].
    pub(super) fn bind_as(
        study: &Study,
        scores: &Scores,
        report: &Report,
        scope: Scope,
        time: Option<Time>,
        findings: Findings,
    ) -> Result<Self, NotCertifiable> {
        if study.origin == Origin::Undeclared {
            return Err(NotCertifiable::Undeclared);
        }
        if scores.account().above_zero > 0 {
            return Err(NotCertifiable::AboveZero(scores.account().above_zero));
        }
        if report.sampling.draws < ENOUGH_DRAWS {
            return Err(NotCertifiable::FewDraws(report.sampling.draws));
        }
        if report.sampling.draws > limits::DRAWS {
            return Err(NotCertifiable::ManyDraws(report.sampling.draws));
        }
        let wanted: Vec<usize> = match &scope {
            Scope::Study => (0..study.transitions.len()).collect(),
            Scope::Transition(id) => {
                let found = study.transitions.iter().position(|t| t.id == *id);
                vec![found.ok_or_else(|| NotCertifiable::NoTransition(id.clone()))?]
            }
        };
        let faces: Vec<BoundFace> = wanted.iter().flat_map(|&t| bound_faces(study, report, t)).collect();
        if faces.is_empty() {
            return Err(match scope {
                Scope::Study => NotCertifiable::Nothing,
                Scope::Transition(id) => NotCertifiable::Incomplete(id),
            });
        }
        let certificate = Self {
            study_id: study.id.clone(),
            study: study.digest,
            scores: scores.digest(),
            origin: study.origin.word().to_owned(),
            reducer: (REDUCER.0.to_owned(), REDUCER.1.to_owned()),
            generator: (GENERATOR.0.to_owned(), GENERATOR.1.to_owned()),
            draws: report.sampling.draws.into(),
            seed: report.sampling.seed.to_string(),
            cohort: [study.transitions.len(), study.trajectories.len(), report.complete()].map(|n| n as u64),
            findings,
            scope,
            faces,
            tool: "decidendi".to_owned(),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            time,
        };
        let bytes = certificate.payload().len() / 3 * 4 + 4096;
        if bytes > limits::DOCUMENT_BYTES {
            return Err(NotCertifiable::TooLong { bytes });
        }
        Ok(certificate)
    }

    /// The sampling that a replay uses; `None` if the numbers are none that a certificate may state.
    #[must_use]
    pub fn sampling(&self) -> Option<Sampling> {
        let draws = u32::try_from(self.draws).ok().filter(|draws| (ENOUGH_DRAWS..=limits::DRAWS).contains(draws))?;
        let seed: u64 = self.seed.parse().ok()?;
        (seed.to_string() == self.seed).then_some(Sampling { draws, seed })
    }

    /// How many figures it states: each mean, end of an interval and value of a transition.
    #[must_use]
    pub fn figures(&self) -> usize {
        fn stated(json: &Json) -> usize {
            match json {
                Json::List(items) => items.iter().map(stated).sum(),
                Json::Map(entries) => {
                    let own = |key: &str| ["mean", "lo", "hi", "lo90", "hi90", "crossing"].contains(&key);
                    let one = |(key, value): &(String, Json)| match value {
                        Json::Text(_) => usize::from(own(key)),
                        other => stated(other),
                    };
                    entries.iter().map(one).sum()
                }
                _ => 0,
            }
        }
        let whole = match &self.findings {
            Findings::Contrasts(contrasts) => 3 * contrasts.len(),
            Findings::Whole(whole) => stated(whole),
        };
        3 * self.faces.len() + whole
    }

    /// The stem of its file name: the study's id, and the transition's if it speaks of one.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.scope {
            Scope::Study => self.study_id.clone(),
            Scope::Transition(id) => format!("{}.{id}", self.study_id),
        }
    }
}

fn bound_faces(study: &Study, report: &Report, transition: usize) -> Vec<BoundFace> {
    let of = |contrast: &super::study::Contrast| {
        let face = Face::of(&report.scalars, transition, contrast);
        let [reference, alternative] = Side::BOTH.map(|side| face.gain(side));
        Some(BoundFace {
            transition: study.transitions[transition].id.clone(),
            contrast: contrast.id.clone(),
            figures: [reference?, alternative?, face.omega()?].map(|figure| Enclosed::of(&figure)),
        })
    };
    study.contrasts.iter().filter_map(of).collect()
}
