//! Verification of a step-value certificate: numbered checks over the received bytes, ending in a full replay from the
//! returned log-probabilities. Figures are compared digit by digit: a replay gives the same bits on every platform.

mod counts;
mod figures;
mod stated;

use std::ops::ControlFlow;

use self::stated::{at, count, effect, items, number, sign, suits};
use super::certificate::{BoundContrast, Findings, GENERATOR, Mean, REDUCER, StepCertificate};
use super::face::Turn;
use super::inference::Sampling;
use super::scores::Scores;
use super::study::Study;
use super::walk::analyse;
use crate::exact::interval::Sign;
use crate::limits;
use crate::seal::certificate::Certificate as _;
use crate::seal::check::{self, Answer, Begun, Opened, VerifyError};
use crate::seal::predicate::{CertificateFault, Field, difference};
use crate::seal::verification::{self, EndState, Next, Wing};
use crate::seal::verified::TrustStore;
use crate::watch::{Cancelled, Watch};

/// Outcome of the verification of a step-value certificate.
pub type Verification = verification::Verification<StepCertificate>;

/// Names of all checks, in order; a check's number is its place here.
const NAMES: [&str; 8] = [
    "envelope is sound, payload in its one spelling",
    "statement is a step-value certificate",
    "signature by a trusted key",
    "counts agree with one another",
    "signs and verdicts follow from the figures",
    "study is the one that was bound",
    "scores are those that were bound",
    "replay agrees figure by figure",
];

/// What a certificate is checked against.
#[derive(Debug, Clone, Copy, Default)]
pub struct Against<'a> {
    /// Trusted keys and how many distinct ones must have signed.
    pub trust: Option<&'a TrustStore>,
    /// The study and its scores.
    pub study: Option<(&'a Study, &'a Scores)>,
}

/// Runs every check on the bytes of a certificate file.
///
/// # Errors
/// [`VerifyError::Envelope`] when the bytes are no signed envelope at all: bad input, not a failed check.
pub fn verify(file: &str, bytes: &[u8], against: Against<'_>, watch: &dyn Watch) -> Result<Verification, VerifyError> {
    Ok(verify_opened(&check::open(file, bytes)?, against, watch)?)
}

/// Runs every check on a file that was taken apart.
///
/// # Errors
/// [`Cancelled`].
pub fn verify_opened(opened: &Opened, against: Against<'_>, watch: &dyn Watch) -> Result<Verification, Cancelled> {
    const REFUSE: Next = Next::DoNotRely(Wing::StepValue);
    const OTHER: Next = Next::GiveOther(Wing::StepValue);
    let Begun { mut ledger, certificate, signing } = match check::begin(&NAMES, opened, against.trust, newer_method) {
        ControlFlow::Continue(begun) => begun,
        ControlFlow::Break(ended) => return Ok(ended),
    };
    ledger.answer(counts::counts(&certificate), EndState::ReplayDiffers, REFUSE);
    ledger.answer(figures::signs(&certificate), EndState::ReplayDiffers, REFUSE);
    match against.study {
        Some((study, scores)) => {
            let bindings = [
                bound(
                    "study",
                    study.digest == certificate.study && study.id == certificate.study_id,
                    &study.digest.to_string(),
                ),
                bound("scores", scores.digest() == certificate.scores, &scores.digest().to_string()),
            ];
            let hold = bindings.iter().all(Result::is_ok);
            for answer in bindings {
                ledger.answer(answer, EndState::Altered, OTHER);
            }
            match certificate.sampling() {
                _ if !hold => ledger.rest_not_run("the study in hand is not the one that was bound", None),
                _ if ledger.failed().is_some() => {
                    ledger.rest_not_run("the certificate contradicts itself, so there is nothing to compare", None);
                }
                None => ledger.rest_not_run("nothing can be drawn as it is stated", None),
                // Whoever is not trusted decides on no more of the reader's time than an honest study takes.
                Some(sampling) if !signing.is_trusted() && sampling.draws > limits::STRANGERS_DRAWS => {
                    let why = format!(
                        "nobody trusted signed it, and it states {} draws; {} at most are repeated for a stranger",
                        sampling.draws,
                        limits::STRANGERS_DRAWS
                    );
                    ledger.rest_not_run(&why, None);
                }
                Some(sampling) => {
                    let answer = replay(&certificate, sampling, study, scores, watch)?;
                    ledger.answer(answer, EndState::ReplayDiffers, REFUSE);
                }
            }
        }
        None => ledger.rest_not_run("the study is not at hand", Some(Next::Give(Wing::StepValue))),
    }
    Ok(Begun { ledger, certificate, signing }.finish(against.study.is_some()))
}

/// Arithmetic or draws of another version cannot be replayed here.
fn newer_method(certificate: &StepCertificate) -> Option<String> {
    let methods = [("reducer", &certificate.reducer, REDUCER), ("generator", &certificate.generator, GENERATOR)];
    methods
        .into_iter()
        .find(|(_, (name, version), known)| (name.as_str(), version.as_str()) != *known)
        .map(|(what, (name, version), _)| format!("{what} `{name}` version {version} is not known to this version"))
}

/// What a contrast states, whatever the version.
struct Contrast {
    id: String,
    n: u64,
    clusters: u64,
    flips: [u64; 4],
    /// Gains and Ω with their certified signs.
    means: Option<[(f64, Option<Sign>); 3]>,
    /// Counts of the signs of the same; version 1 states none.
    signs: Option<[[u64; 3]; 3]>,
    reversal: bool,
}

/// The contrasts of a certificate.
fn contrasts(certificate: &StepCertificate) -> Result<Vec<Contrast>, String> {
    match &certificate.findings {
        Findings::Contrasts(contrasts) => contrasts.iter().map(Contrast::first).collect(),
        Findings::Whole(whole) => {
            let whole = Field { json: whole, name: "predicate".to_owned() };
            let draws = certificate.sampling().map_or(0, |sampling| sampling.draws);
            items(&at(&whole, "contrasts")).iter().map(|contrast| Contrast::of(contrast, draws)).collect()
        }
    }
}

impl Contrast {
    fn of(field: &Field<'_>, draws: u32) -> Result<Self, String> {
        const FIGURES: [&str; 3] = ["gain_reference", "gain_alternative", "omega"];
        let clusters = count(field, "clusters");
        let (flips, signs) = (at(field, "flips"), at(field, "signs"));
        let mut means = [None; 3];
        for (mean, key) in means.iter_mut().zip(FIGURES) {
            *mean = effect(&at(field, key), draws, clusters)?.map(|found| (found.estimate.value, found.sign));
        }
        let [reference, alternative, omega] = means;
        let signs = FIGURES.map(|key| {
            let counts = at(&signs, key);
            ["positive", "negative", "abstained"].map(|word| count(&counts, word))
        });
        Ok(Self {
            id: at(field, "id").json.as_text().unwrap_or_default().to_owned(),
            n: count(field, "n"),
            clusters,
            flips: Turn::ALL.map(|turn| count(&flips, turn.word())),
            means: reference.zip(alternative).zip(omega).map(|((a, b), omega)| [a, b, omega]),
            signs: Some(signs),
            reversal: at(field, "strict_mean_reversal").json.as_bool() == Some(true),
        })
    }

    /// Version 1 spells an interval without ends out.
    fn first(bound: &BoundContrast) -> Result<Self, String> {
        let mean = |mean: &Mean| {
            let ends = match (mean.lo.as_str(), mean.hi.as_str()) {
                ("-inf", "inf") => bound.clusters == 1,
                (lo, hi) => number(lo).zip(number(hi)).is_some_and(|(lo, hi)| lo <= hi && bound.clusters > 1),
            };
            let found = number(&mean.mean).zip(sign(&mean.sign)).filter(|(value, sign)| ends && suits(*value, *sign));
            found.ok_or_else(|| format!("contrast `{}`: a mean, its interval and its sign contradict", bound.id))
        };
        let means = match &bound.means {
            Some([reference, alternative, omega]) => Some([mean(reference)?, mean(alternative)?, mean(omega)?]),
            None => None,
        };
        Ok(Self {
            id: bound.id.clone(),
            n: bound.n,
            clusters: bound.clusters,
            flips: bound.flips,
            means,
            signs: None,
            reversal: bound.strict_mean_reversal,
        })
    }
}

fn bound(what: &str, same: bool, digest: &str) -> Answer {
    if same {
        Ok(format!("{what}: {digest}"))
    } else {
        Err(format!("{what} in hand: {digest}; another digest was bound"))
    }
}

fn replay(
    certificate: &StepCertificate,
    sampling: Sampling,
    study: &Study,
    scores: &Scores,
    watch: &dyn Watch,
) -> Result<Answer, Cancelled> {
    let report = analyse(study, scores, sampling, watch)?;
    let (scope, time) = (certificate.scope.clone(), certificate.time.clone());
    let ours = match certificate.findings {
        Findings::Contrasts(_) => {
            StepCertificate::bind_as(study, scores, &report, scope, time, Findings::first(study, &report))
        }
        Findings::Whole(_) => StepCertificate::bind(study, scores, &report, scope, time),
    };
    let ours = match ours {
        Ok(ours) => {
            StepCertificate { tool: certificate.tool.clone(), tool_version: certificate.tool_version.clone(), ..ours }
        }
        Err(error) => return Ok(Err(error.to_string())),
    };
    if ours.payload() == certificate.payload() {
        let figures = certificate.figures();
        return Ok(Ok(format!("replay agrees ({figures} of {figures} figures, digit by digit)")));
    }
    let first = difference(&ours.statement().to_json(), &certificate.statement().to_json(), "statement");
    Ok(Err(match first {
        Some(CertificateFault::Differs { field, stated, owed }) => {
            format!("replay differs first in `{field}`: certified {stated}, replayed {owed}")
        }
        Some(fault) => format!("replay differs: {fault}"),
        None => "replay differs in the statement".to_owned(),
    }))
}
