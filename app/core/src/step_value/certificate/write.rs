//! The statement that a step-value certificate signs.

use super::{BoundContrast, BoundFace, Enclosed, Mean, PREDICATE, Scope, StepCertificate};
use crate::seal::digest::Digest;
use crate::seal::json::Json;
use crate::seal::statement::Statement;
use crate::step_value::face::Turn;

/// Names of the three figures of a contrast or a face, in order.
pub(super) const FIGURES: [&str; 3] = ["gain_reference", "gain_alternative", "omega"];

impl StepCertificate {
    /// The in-toto statement.
    #[must_use]
    pub fn statement(&self) -> Statement {
        let subjects = vec![("study.json".to_owned(), self.study), ("scores.jsonl".to_owned(), self.scores)];
        Statement { subjects, predicate_type: PREDICATE.to_owned(), predicate: self.predicate() }
    }

    fn predicate(&self) -> Json {
        let named = |(name, version): &(String, String)| {
            Json::map([("name", Json::text(name)), ("version", Json::text(version))])
        };
        let [transitions, trajectories, complete] = self.cohort.map(count);
        let mut fields = vec![
            ("study", Json::map([("id", Json::text(&self.study_id)), ("digest", sha256(self.study))])),
            ("scores", Json::map([("digest", sha256(self.scores))])),
            ("origin", Json::text(&self.origin)),
            ("reducer", named(&self.reducer)),
            (
                "sampling",
                Json::map([
                    ("draws", count(self.draws)),
                    ("generator", named(&self.generator)),
                    ("level", Json::Int(95)),
                    ("seed", Json::text(&self.seed)),
                    ("unit", Json::text("trajectory")),
                ]),
            ),
            (
                "cohort",
                Json::map([("transitions", transitions), ("trajectories", trajectories), ("complete", complete)]),
            ),
            ("contrasts", Json::List(self.contrasts.iter().map(contrast).collect())),
            (
                "scope",
                match &self.scope {
                    Scope::Study => Json::map([("study", Json::Bool(true))]),
                    Scope::Transition(id) => Json::map([("transition", Json::text(id))]),
                },
            ),
            ("signs", Json::List(self.faces.iter().map(face).collect())),
            ("tool", named(&(self.tool.clone(), self.tool_version.clone()))),
        ];
        fields.extend(self.time.as_ref().map(|time| ("time", Json::text(time.as_str()))));
        Json::map(fields)
    }
}

fn contrast(bound: &BoundContrast) -> Json {
    let flips = Turn::ALL.into_iter().zip(bound.flips).map(|(turn, n)| (turn.word(), count(n)));
    let mut fields = vec![
        ("id", Json::text(&bound.id)),
        ("reference", Json::text(&bound.reference)),
        ("alternative", Json::text(&bound.alternative)),
        ("n", count(bound.n)),
        ("clusters", count(bound.clusters)),
        ("flips", Json::map(flips)),
        ("strict_mean_reversal", Json::Bool(bound.strict_mean_reversal)),
    ];
    if let Some(means) = &bound.means {
        fields.extend(FIGURES.into_iter().zip(means.each_ref().map(|mean: &Mean| {
            Json::map([
                ("mean", Json::text(&mean.mean)),
                ("lo", Json::text(&mean.lo)),
                ("hi", Json::text(&mean.hi)),
                ("sign", Json::text(&mean.sign)),
            ])
        })));
    }
    Json::map(fields)
}

fn face(bound: &BoundFace) -> Json {
    let mut fields = vec![("transition", Json::text(&bound.transition)), ("contrast", Json::text(&bound.contrast))];
    fields.extend(FIGURES.into_iter().zip(bound.figures.each_ref().map(|figure: &Enclosed| {
        Json::map([
            ("value", Json::text(&figure.value)),
            ("lo", Json::text(&figure.lo)),
            ("hi", Json::text(&figure.hi)),
            ("sign", Json::text(&figure.sign)),
        ])
    })));
    Json::map(fields)
}

fn sha256(digest: Digest) -> Json {
    Json::map([("sha256", Json::Text(digest.hex()))])
}

fn count(n: u64) -> Json {
    Json::Int(i64::try_from(n).unwrap_or(i64::MAX))
}
