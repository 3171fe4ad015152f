//! Step values: reading, laws, certificates, the command line.

mod alone;
mod cli;
mod equivalence;
mod identify;
mod laws;
mod matched;
mod reading;
mod samples;
mod sentences;
mod tamper;
mod whole;

use std::fmt::Write as _;

use decidendi_core::step_value::inference::Sampling;
use decidendi_core::step_value::scores::{ScoreFaults, ScoreReader, Scores};
use decidendi_core::step_value::study::Study;
use decidendi_core::step_value::walk::{Report, analyse, open_study};
use decidendi_core::watch::Unwatched;

/// A small study with a joint and a binary channel, one of them tempered, and two waves.
pub const STUDY: &str = r#"{"format": "decidendi/asv-study@1", "id": "small", "title": "Small", "origin": "recorded",
 "channels": [
  {"id": "direct", "readout": "joint", "view": "none", "authority": "neutral", "stack": "m", "temperature": "1.5", "logprob_basis": "tempered"},
  {"id": "view", "readout": "binary", "view": "generated", "authority": "neutral", "stack": "m", "temperature": "1", "logprob_basis": "raw"}],
 "layouts": {"kind": "cyclic", "count": 2},
 "waves": [{"id": 0, "weight": "1/3"}, {"id": 4, "weight": "2/3"}],
 "contrasts": [{"id": "view-direct", "alternative": "view", "reference": "direct"}],
 "transitions": [
  {"id": "a-0", "trajectory": "a", "step": 0, "target": "p", "success": true, "candidates": ["p", "q", "r"], "before": "a0", "after": "a1"},
  {"id": "a-1", "trajectory": "a", "step": 1, "target": "p", "success": true, "candidates": ["p", "q", "r"], "before": "a1", "after": "a2"},
  {"id": "b-0", "trajectory": "b", "step": 0, "target": "q", "success": false, "candidates": ["p", "q"], "before": "b0", "after": "b1"}]}"#;

/// Rows for every cell of [`STUDY`]; `score` gives the log-probability of transition, state, channel, layout, wave,
/// candidate and part (0, or Yes and No).
pub fn rows(score: impl Fn(usize, usize, usize, usize, usize, usize, usize) -> f64) -> String {
    let sets = [["p", "q", "r"].as_slice(), ["p", "q", "r"].as_slice(), ["p", "q"].as_slice()];
    let mut text = String::new();
    for (t, (id, candidates)) in ["a-0", "a-1", "b-0"].iter().zip(sets).enumerate() {
        for (s, state) in ["before", "after"].iter().enumerate() {
            for layout in 0..2 {
                for (w, wave) in [0, 4].iter().enumerate() {
                    let head = format!(
                        r#"{{"transition": "{id}", "state": "{state}", "layout": {layout}, "wave": {wave}, "channel": "#
                    );
                    let pairs: Vec<String> = candidates
                        .iter()
                        .enumerate()
                        .map(|(c, name)| format!(r#""{name}": {:?}"#, score(t, s, 0, layout, w, c, 0)))
                        .collect();
                    writeln!(text, r#"{head}"direct", "logprobs": {{{}}}}}"#, pairs.join(", ")).unwrap();
                    for (c, name) in candidates.iter().enumerate() {
                        let (yes, no) = (score(t, s, 1, layout, w, c, 0), score(t, s, 1, layout, w, c, 1));
                        writeln!(text, r#"{head}"view", "candidate": "{name}", "yes": {yes:?}, "no": {no:?}}}"#)
                            .unwrap();
                    }
                }
            }
        }
    }
    text
}

/// Scores that differ everywhere.
pub fn plain_rows() -> String {
    rows(|t, s, c, l, w, k, p| -0.1 - ((7 * t + 5 * s + 3 * c + 11 * l + 2 * w + 13 * k + 17 * p) % 23) as f64 / 7.0)
}

pub fn study(text: &str) -> Study {
    open_study("study.json", text.as_bytes()).unwrap_or_else(|e| panic!("{e}"))
}

pub fn read(study: &Study, rows: &str) -> Result<Scores, ScoreFaults> {
    let mut reader = ScoreReader::new(study, "scores.jsonl")?;
    reader.feed(rows.as_bytes());
    reader.finish()
}

pub fn scores(study: &Study, rows: &str) -> Scores {
    read(study, rows).unwrap_or_else(|e| panic!("{e}"))
}

pub fn report(study: &Study, scores: &Scores) -> Report {
    analyse(study, scores, Sampling { draws: 1_000, seed: 7 }, &Unwatched).unwrap_or_else(|e| panic!("{e}"))
}
