//! A small study with every optional part.

use std::fmt::Write as _;

const TRANSITIONS: usize = 4;
/// Id, readout, view, authority, stack.
const CHANNELS: [[&str; 5]; 8] = [
    ["q-n", "joint", "quote", "neutral", "x"],
    ["q-e", "joint", "quote", "evidence-primary", "x"],
    ["g-n", "joint", "generated", "neutral", "x"],
    ["g-e", "joint", "generated", "evidence-primary", "x"],
    ["direct", "joint", "none", "neutral", "x"],
    ["donor", "joint", "generated-donor", "neutral", "x"],
    ["q-y", "binary", "quote", "neutral", "y"],
    ["g-y", "binary", "generated", "neutral", "y"],
];

pub fn document() -> String {
    let channels = CHANNELS.map(|[id, readout, view, authority, stack]| {
        format!(
            r#"{{"id": "{id}", "readout": "{readout}", "view": "{view}", "authority": "{authority}", "stack": "{stack}"}}"#
        )
    });
    let transitions: Vec<String> = (0..TRANSITIONS)
        .map(|t| {
            format!(
                r#"{{"id": "t{t}", "trajectory": "t{t}", "target": "{}", "success": {}, "candidates": ["a", "b"]}}"#,
                ["a", "b"][t % 2],
                t < 2
            )
        })
        .collect();
    format!(
        r#"{{"format": "decidendi/asv-study@1", "id": "whole", "origin": "recorded", "channels": [{}],
        "layouts": {{"kind": "cyclic", "count": 1}}, "waves": [{{"id": 0, "weight": "1/2"}}, {{"id": 1, "weight": "1/2"}}],
        "contrasts": [{{"id": "view", "alternative": "g-n", "reference": "q-n"}}],
        "bridge": [{{"vertex": "A", "alternative": "g-n", "reference": "q-n"}},
                   {{"vertex": "B", "alternative": "g-y", "reference": "q-y", "equivalence_margin": "2"}}],
        "matched_cube": ["q-n", "q-e", "g-n", "g-e"],
        "retrieval_face": {{"channel": "g-n", "direct": "direct"}},
        "controls": {{"own": "g-n", "donor": "donor", "authority": "g-e"}},
        "equivalence_margin": "3/2", "auc_equivalence_margin": "1/4",
        "designs": [{{"id": "d", "factors": [{{"name": "readout", "levels": ["joint", "binary"]}}, {{"name": "stack", "levels": ["x", "y"]}}],
                     "observed": [["joint", "x"], ["binary", "y"]],
                     "contrast": [{{"factor": "readout", "from": "joint", "to": "binary"}}]}}],
        "transitions": [{}]}}"#,
        channels.join(","),
        transitions.join(",")
    )
}

pub fn rows() -> String {
    let mut text = String::new();
    for t in 0..TRANSITIONS {
        for (c, [id, readout, ..]) in CHANNELS.iter().enumerate() {
            for (s, state) in ["before", "after"].iter().enumerate() {
                for wave in 0..2 {
                    let score = |k: usize| -0.25 - ((7 * t + 5 * s + 3 * c + 2 * wave + 11 * k) % 13) as f64 / 4.0;
                    let head = format!(
                        r#"{{"transition": "t{t}", "state": "{state}", "channel": "{id}", "layout": 0, "wave": {wave}"#
                    );
                    let joint =
                        |shift: f64| format!(r#""logprobs": {{"a": {:?}, "b": {:?}}}"#, score(0) - shift, score(1));
                    if *readout == "binary" {
                        for (k, candidate) in ["a", "b"].iter().enumerate() {
                            let (yes, no) = (score(k), score(k + 2));
                            writeln!(text, r#"{head}, "candidate": "{candidate}", "yes": {yes:?}, "no": {no:?}}}"#)
                                .unwrap();
                        }
                        continue;
                    }
                    writeln!(text, "{head}, {}}}", joint(0.0)).unwrap();
                    if *id == "g-n" {
                        let other = ["after", "before"][s];
                        writeln!(text, r#"{head}, "view_at": "{other}", {}}}"#, joint(0.5)).unwrap();
                    }
                }
            }
        }
    }
    text
}
