//! From a signed statement back to a [`StepCertificate`].

use super::write::FIGURES;
use super::{BoundContrast, BoundFace, Enclosed, KIND, Mean, Scope, StepCertificate};
use crate::seal::check::Spelled;
use crate::seal::json::Json;
use crate::seal::predicate::{CertificateFault, Field, same_spelling, subjects_follow};
use crate::seal::statement::Statement;
use crate::step_value::face::Turn;

impl StepCertificate {
    /// Reads the content of a statement.
    ///
    /// # Errors
    /// [`CertificateFault`] naming the first field at fault.
    pub fn read(statement: &Statement) -> Result<Self, CertificateFault> {
        KIND.check(statement)?;
        let predicate = Field::predicate(statement);
        let named = |field: &Field<'_>| Ok((field.get("name")?.text()?, field.get("version")?.text()?));
        let (study, sampling, cohort) = (predicate.get("study")?, predicate.get("sampling")?, predicate.get("cohort")?);
        let (tool, tool_version) = named(&predicate.get("tool")?)?;
        let certificate = Self {
            study_id: study.get("id")?.text()?,
            study: study.digest()?,
            scores: predicate.get("scores")?.digest()?,
            origin: predicate.get("origin")?.text()?,
            reducer: named(&predicate.get("reducer")?)?,
            generator: named(&sampling.get("generator")?)?,
            draws: sampling.get("draws")?.count()?,
            seed: sampling.get("seed")?.text()?,
            cohort: [
                cohort.get("transitions")?.count()?,
                cohort.get("trajectories")?.count()?,
                cohort.get("complete")?.count()?,
            ],
            contrasts: predicate.get("contrasts")?.list()?.map(|c| contrast(&c)).collect::<Result<_, _>>()?,
            scope: scope(&predicate.get("scope")?)?,
            faces: predicate.get("signs")?.list()?.map(|f| face(&f)).collect::<Result<_, _>>()?,
            tool,
            tool_version,
            time: predicate.time()?,
        };
        let owed = [
            ("study.json".to_owned(), certificate.study, "predicate.study"),
            ("scores.jsonl".to_owned(), certificate.scores, "predicate.scores"),
        ];
        subjects_follow(&owed, statement)?;
        same_spelling(&certificate.payload(), statement)?;
        Ok(certificate)
    }
}

fn scope(field: &Field<'_>) -> Result<Scope, CertificateFault> {
    match field.json.get("transition") {
        Some(_) => Ok(Scope::Transition(field.get("transition")?.text()?)),
        None => Ok(Scope::Study),
    }
}

fn contrast(field: &Field<'_>) -> Result<BoundContrast, CertificateFault> {
    let flips = field.get("flips")?;
    let mut counts = [0; 4];
    for (slot, turn) in counts.iter_mut().zip(Turn::ALL) {
        *slot = flips.get(turn.word())?.count()?;
    }
    let mean = |key: &str| {
        let field = field.get(key)?;
        Ok::<_, CertificateFault>(Mean {
            mean: field.get("mean")?.text()?,
            lo: field.get("lo")?.text()?,
            hi: field.get("hi")?.text()?,
            sign: field.get("sign")?.text()?,
        })
    };
    let means = match field.json.get(FIGURES[0]) {
        Some(_) => Some([mean(FIGURES[0])?, mean(FIGURES[1])?, mean(FIGURES[2])?]),
        None => None,
    };
    let reversal = field.get("strict_mean_reversal")?;
    Ok(BoundContrast {
        id: field.get("id")?.text()?,
        reference: field.get("reference")?.text()?,
        alternative: field.get("alternative")?.text()?,
        n: field.get("n")?.count()?,
        clusters: field.get("clusters")?.count()?,
        means,
        flips: counts,
        strict_mean_reversal: Json::as_bool(reversal.json).ok_or_else(|| reversal.fault())?,
    })
}

fn face(field: &Field<'_>) -> Result<BoundFace, CertificateFault> {
    let figure = |key: &str| {
        let field = field.get(key)?;
        Ok::<_, CertificateFault>(Enclosed {
            value: field.get("value")?.text()?,
            lo: field.get("lo")?.text()?,
            hi: field.get("hi")?.text()?,
            sign: field.get("sign")?.text()?,
        })
    };
    Ok(BoundFace {
        transition: field.get("transition")?.text()?,
        contrast: field.get("contrast")?.text()?,
        figures: [figure(FIGURES[0])?, figure(FIGURES[1])?, figure(FIGURES[2])?],
    })
}
