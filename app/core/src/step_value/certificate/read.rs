//! From a signed statement back to a [`StepCertificate`].

use super::first::{self, FIGURES};
use super::shape::FINDINGS;
use super::{BoundFace, Enclosed, FIRST, Findings, KIND, Scope, StepCertificate};
use crate::limits;
use crate::seal::canon::canonical;
use crate::seal::certificate::Certificate;
use crate::seal::json::Json;
use crate::seal::predicate::{CertificateFault, Field, Kind, same_spelling, subjects_follow};
use crate::seal::statement::Statement;
use crate::seal::verification::Wing;

impl Certificate for StepCertificate {
    const KIND: Kind = KIND;
    const WING: Wing = Wing::StepValue;

    fn payload(&self) -> Vec<u8> {
        canonical(&self.statement().to_json())
    }

    fn id(&self) -> &str {
        &self.study_id
    }

    fn read(statement: &Statement) -> Result<Self, CertificateFault> {
        if statement.predicate_type != FIRST {
            KIND.check(statement)?;
        }
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
            findings: findings(&predicate, statement.predicate_type == FIRST)?,
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

/// What is stated of the whole study, by the rules of its version.
fn findings(predicate: &Field<'_>, first: bool) -> Result<Findings, CertificateFault> {
    if first {
        let contrasts = predicate.get("contrasts")?;
        if contrasts.json.as_list().is_some_and(|list| list.len() > limits::CONTRASTS) {
            return Err(contrasts.fault());
        }
        return Ok(Findings::Contrasts(contrasts.list()?.map(|field| first::read(&field)).collect::<Result<_, _>>()?));
    }
    let mut whole = Vec::new();
    for (key, needed, shape) in &FINDINGS {
        if *needed || predicate.json.get(key).is_some() {
            let field = predicate.get(key)?;
            shape.check(&field)?;
            whole.push(((*key).to_owned(), field.json.clone()));
        }
    }
    Ok(Findings::Whole(Json::Map(whole)))
}

fn scope(field: &Field<'_>) -> Result<Scope, CertificateFault> {
    match field.json.get("transition") {
        Some(_) => Ok(Scope::Transition(field.get("transition")?.text()?)),
        None => Ok(Scope::Study),
    }
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
