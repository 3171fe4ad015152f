//! The machine's view of a step-value report (docs/formats/study.md S20 to S23), written piece by piece: a large study
//! has a hundred thousand transitions.

use super::words::sign_word;
use crate::report::inspect::json_line;
use crate::seal::json::Json;
use crate::step_value::face::{Face, Side};
use crate::step_value::findings::{big, contrasts, count, margins, number, parts};
use crate::step_value::scalars::Missing;
use crate::step_value::scores::{Corner, Scores};
use crate::step_value::study::{Moment, Study};
use crate::step_value::walk::Report;

/// Writes what `asv --json` says, on one line without its end; `more` stands at the end of the object.
pub fn step_value_json(
    study: &Study,
    scores: &Scores,
    report: &Report,
    more: &[(&str, Json)],
    out: &mut dyn FnMut(&str),
) {
    out("{");
    for (key, value) in head(study, scores, report) {
        out(&format!("{}: {}, ", json_line(&Json::text(key)), json_line(&value)));
    }
    let (transitions, trajectories) = (study.transitions.len(), study.trajectories.len());
    out(&format!(
        "\"cohort\": {{\"transitions\": {transitions}, \"trajectories\": {trajectories}, \"complete\": {}, \"missing\": [",
        report.complete()
    ));
    for (i, missing) in report.missing(study, scores).enumerate() {
        out(if i > 0 { ", " } else { "" });
        out(&json_line(&missing_json(study, &missing)));
    }
    out("]}, \"transitions\": [");
    for t in 0..transitions {
        out(if t > 0 { ", " } else { "" });
        out(&json_line(&transition_json(study, report, t)));
    }
    out("], \"contrasts\": ");
    out(&json_line(&contrasts(study, report)));
    let parts = parts(study, report);
    for (key, value) in parts.iter().chain(more) {
        out(&format!(", {}: {}", json_line(&Json::text(*key)), json_line(value)));
    }
    out("}");
}

fn head(study: &Study, scores: &Scores, report: &Report) -> Vec<(&'static str, Json)> {
    let account = scores.account();
    vec![
        ("study", Json::text(&study.id)),
        ("origin", Json::text(study.origin.word())),
        (
            "digests",
            Json::map([
                ("study", Json::Text(study.digest.to_string())),
                ("scores", Json::Text(scores.digest().to_string())),
            ]),
        ),
        (
            "sampling",
            Json::map([
                ("unit", Json::text("trajectory")),
                ("draws", count(report.sampling.draws as usize)),
                ("seed", Json::Text(report.sampling.seed.to_string())),
                ("level", Json::Int(95)),
            ]),
        ),
        ("margins", margins(study)),
        (
            "import",
            Json::map([
                ("lines", big(account.lines)),
                ("rows", big(account.rows)),
                ("blank", big(account.blank)),
                ("scores", big(account.scores)),
                ("sentinels", big(account.sentinels)),
                ("above_zero", big(account.above_zero)),
            ]),
        ),
    ]
}

fn missing_json(study: &Study, missing: &Missing) -> Json {
    let cell = &missing.cell;
    let transition = &study.transitions[cell.transition];
    let candidate = study.candidates(transition).get(missing.candidate).map_or("", String::as_str);
    let mut fields = vec![
        ("transition", Json::text(&transition.id)),
        ("state", Json::text(cell.corner.state.word())),
        ("channel", Json::text(&study.channels[cell.channel].id)),
        ("layout", count(cell.layout)),
        ("wave", Json::Int(study.waves[cell.wave].id)),
        ("candidate", Json::text(candidate)),
        ("why", Json::text(missing.why.word())),
    ];
    if cell.corner.view_at != cell.corner.state {
        fields.insert(2, ("view_at", Json::text(cell.corner.view_at.word())));
    }
    Json::map(fields)
}

fn transition_json(study: &Study, report: &Report, t: usize) -> Json {
    let transition = &study.transitions[t];
    let (mut scalars, mut gains) = (Vec::new(), Vec::new());
    for (c, channel) in study.channels.iter().enumerate() {
        let at = |state| report.scalars.get(t, c, Corner::own(state));
        let both = Moment::BOTH.map(|state| (state.word(), number(at(state))));
        scalars.push((channel.id.clone(), Json::map(both.into_iter().filter(|(_, v)| *v != Json::Null))));
        gains.extend(report.scalars.gain(t, c).map(|gain| (channel.id.clone(), Json::Float(gain.value))));
    }
    let (mut omegas, mut signs) = (Vec::new(), Vec::new());
    for contrast in &study.contrasts {
        let face = Face::of(&report.scalars, t, contrast);
        let Some(omega) = face.omega() else { continue };
        omegas.push((contrast.id.clone(), Json::Float(omega.value)));
        let side = |side| Json::text(sign_word(face.gain(side).and_then(|gain| gain.sign())));
        signs.push((
            contrast.id.clone(),
            Json::map([
                ("reference", side(Side::Reference)),
                ("alternative", side(Side::Alternative)),
                ("omega", Json::text(sign_word(omega.sign()))),
            ]),
        ));
    }
    Json::map([
        ("id", Json::text(&transition.id)),
        ("trajectory", Json::text(&study.trajectories[transition.trajectory])),
        ("complete", Json::Bool(report.complete[t])),
        ("F", Json::Map(scalars)),
        ("gain", Json::Map(gains)),
        ("omega", Json::Map(omegas)),
        ("signs", Json::Map(signs)),
    ])
}
