//! Verification of a step-value certificate: numbered checks over the received bytes, ending in a full replay from the
//! returned log-probabilities. Figures are compared digit by digit: a replay gives the same bits on every platform.

use std::ops::ControlFlow;

use super::certificate::{GENERATOR, REDUCER, Scope, StepCertificate};
use super::scores::Scores;
use super::study::Study;
use super::walk::analyse;
use crate::seal::check::{self, Answer, Begun, EndState, VerifyError};
use crate::seal::predicate::{CertificateFault, difference};
use crate::seal::verified::TrustStore;
use crate::watch::{Cancelled, Watch};

/// Outcome of the verification of a step-value certificate.
pub type Verification = check::Verification<StepCertificate>;

/// Names of all checks, in order; a check's number is its place here.
const NAMES: [&str; 8] = [
    "envelope is sound, payload in its one spelling",
    "statement is a step-value certificate",
    "signature by a trusted key",
    "counts agree with one another",
    "signs follow from the envelopes",
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
    const REFUSE: &str = "Do not rely on this certificate; ask the issuer to certify the study again.";
    const OTHER: &str = "Verify against the study that was certified, or certify this one anew.";
    let title = |c: &StepCertificate| format!("certificate of study `{}`", c.study_id);
    let begun = check::begin(&NAMES, file, bytes, against.trust, StepCertificate::read, newer_method, title)?;
    let Begun { mut ledger, certificate, signing } = match begun {
        ControlFlow::Continue(begun) => begun,
        ControlFlow::Break(ended) => return Ok(ended),
    };
    ledger.answer(counts(&certificate), EndState::ReplayDiffers, REFUSE);
    ledger.answer(signs(&certificate), EndState::ReplayDiffers, REFUSE);
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
            if hold {
                ledger.answer(replay(&certificate, study, scores, watch)?, EndState::ReplayDiffers, REFUSE);
            } else {
                ledger.rest_not_run("the study in hand is not the one that was bound", None);
            }
        }
        None => ledger.rest_not_run("the study is not at hand", Some("Give the study's folder (--case STUDY).")),
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

fn counts(certificate: &StepCertificate) -> Answer {
    let [transitions, trajectories, complete] = certificate.cohort;
    if complete > transitions || trajectories > transitions {
        return Err(format!("{complete} of {transitions} transitions, {trajectories} trajectories: impossible"));
    }
    for contrast in &certificate.contrasts {
        let turned: u64 = contrast.flips.iter().fold(0, |sum, n| sum.saturating_add(*n));
        if turned != contrast.n || contrast.n > transitions || contrast.clusters > contrast.n {
            return Err(format!("contrast `{}`: {turned} flips of {} transitions", contrast.id, contrast.n));
        }
        if contrast.means.is_some() != (contrast.n > 0) {
            return Err(format!("contrast `{}`: means without a cohort, or a cohort without means", contrast.id));
        }
    }
    if let Scope::Transition(id) = &certificate.scope
        && certificate.faces.iter().any(|face| face.transition != *id)
    {
        return Err(format!("the scope is transition `{id}`, yet another one is listed"));
    }
    Ok(format!("{complete} of {transitions} transitions complete; flips sum up in every contrast"))
}

/// Every stated sign is the one that its envelope certifies.
fn signs(certificate: &StepCertificate) -> Answer {
    let mut checked = 0_usize;
    for face in &certificate.faces {
        for figure in &face.figures {
            let number = |text: &str| {
                let value: Option<f64> = text.parse().ok();
                value.filter(|v| format!("{v:?}") == text)
            };
            let at = || format!("transition `{}`, contrast `{}`", face.transition, face.contrast);
            let (Some(lo), Some(hi), Some(value)) = (number(&figure.lo), number(&figure.hi), number(&figure.value))
            else {
                return Err(format!("{}: a figure is not in its one spelling", at()));
            };
            let follows = if lo > 0.0 {
                "positive"
            } else if hi < 0.0 {
                "negative"
            } else {
                "abstained"
            };
            if !(lo <= value && value <= hi) {
                return Err(format!("{}: {value:?} does not lie in its envelope [{lo:?}, {hi:?}]", at()));
            }
            if figure.sign != follows {
                return Err(format!(
                    "{}: the envelope [{lo:?}, {hi:?}] gives {follows}, the certificate states `{}`",
                    at(),
                    figure.sign
                ));
            }
            checked += 1;
        }
    }
    Ok(format!("{checked} of {checked} signs follow"))
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
    study: &Study,
    scores: &Scores,
    watch: &dyn Watch,
) -> Result<Answer, Cancelled> {
    let Some(sampling) = certificate.sampling().filter(|sampling| (1..=1_000_000).contains(&sampling.draws)) else {
        return Ok(Err(format!(
            "{} draws from seed `{}` are none that can be drawn",
            certificate.draws, certificate.seed
        )));
    };
    let report = analyse(study, scores, sampling, watch)?;
    let ours = StepCertificate::bind(study, scores, &report, certificate.scope.clone(), certificate.time.clone());
    let ours = match ours {
        Ok(ours) => {
            StepCertificate { tool: certificate.tool.clone(), tool_version: certificate.tool_version.clone(), ..ours }
        }
        Err(error) => return Ok(Err(error.to_string())),
    };
    if ours == *certificate {
        let figures = 3 * (certificate.faces.len() + certificate.contrasts.len());
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
