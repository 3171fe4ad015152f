//! The statement that a step-value certificate signs.

use super::first::FIGURES;
use super::{BoundFace, Enclosed, FIRST, Findings, PREDICATE, Scope, StepCertificate};
use crate::seal::digest::Digest;
use crate::seal::json::Json;
use crate::seal::statement::Statement;
use crate::step_value::findings::big;

impl StepCertificate {
    /// The in-toto statement.
    #[must_use]
    pub fn statement(&self) -> Statement {
        let subjects = vec![("study.json".to_owned(), self.study), ("scores.jsonl".to_owned(), self.scores)];
        let predicate_type = match self.findings {
            Findings::Contrasts(_) => FIRST,
            Findings::Whole(_) => PREDICATE,
        };
        Statement { subjects, predicate_type: predicate_type.to_owned(), predicate: self.predicate() }
    }

    fn predicate(&self) -> Json {
        let named = |(name, version): &(String, String)| {
            Json::map([("name", Json::text(name)), ("version", Json::text(version))])
        };
        let [transitions, trajectories, complete] = self.cohort.map(big);
        let mut fields = vec![
            ("study", Json::map([("id", Json::text(&self.study_id)), ("digest", sha256(self.study))])),
            ("scores", Json::map([("digest", sha256(self.scores))])),
            ("origin", Json::text(&self.origin)),
            ("reducer", named(&self.reducer)),
            (
                "sampling",
                Json::map([
                    ("draws", big(self.draws)),
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
        let mut fields: Vec<(String, Json)> = fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        fields.extend(self.findings.entries());
        Json::Map(fields)
    }
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
