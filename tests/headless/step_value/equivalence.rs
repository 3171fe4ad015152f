//! Tests against the Blackwell null and equal weight to each target, in the words of the report.

use decidendi_core::report::step_value::{step_value_json, step_value_text};
use decidendi_core::step_value::inference::Sampling;
use decidendi_core::step_value::walk::{analyse, open_study};
use decidendi_core::watch::Unwatched;
use serde_json::Value;

use super::{report, scores, study};

/// Quote and generated view under two authorities, nine trajectories with three targets; `more` is declared as well.
fn document(more: &str) -> String {
    let mut channels = Vec::new();
    for view in ["quote", "generated"] {
        for authority in ["neutral", "evidence-primary"] {
            let id = format!("{}-{}", &view[..1], &authority[..1]);
            channels
                .push(format!(r#"{{"id": "{id}", "readout": "joint", "view": "{view}", "authority": "{authority}"}}"#));
        }
    }
    let transitions: Vec<String> = (0..9)
        .map(|t| {
            format!(
                r#"{{"id": "t{t}", "trajectory": "t{t}", "target": "{}", "success": {}, "candidates": ["a", "b", "c"]}}"#,
                ["a", "b", "c"][t % 3],
                t < 4
            )
        })
        .collect();
    format!(
        r#"{{"format": "decidendi/asv-study@1", "id": "e", "origin": "simulated", "channels": [{}],
        "layouts": {{"kind": "cyclic", "count": 1}}, "matched_cube": ["q-n", "q-e", "g-n", "g-e"],
        "contrasts": [{{"id": "view", "alternative": "g-n", "reference": "q-n"}}, {{"id": "both", "alternative": "g-e", "reference": "q-n"}}],
        "bridge": [{{"vertex": "A", "alternative": "g-n", "reference": "q-n"}}]{more},
        "transitions": [{}]}}"#,
        channels.join(","),
        transitions.join(",")
    )
}

/// Scores under which the views differ by at most a tenth.
fn rows() -> String {
    let mut rows = String::new();
    for t in 0..9 {
        for (s, state) in ["before", "after"].iter().enumerate() {
            for (c, channel) in ["q-n", "q-e", "g-n", "g-e"].iter().enumerate() {
                let value =
                    |k: usize| -0.5 - ((5 * t + 3 * k + 2 * s) % 7) as f64 / 3.0 - ((t + c + k) % 3) as f64 / 60.0;
                rows += &format!(
                    "{{\"transition\": \"t{t}\", \"state\": \"{state}\", \"channel\": \"{channel}\", \"layout\": 0, \"wave\": 0, \
                     \"logprobs\": {{\"a\": {:?}, \"b\": {:?}, \"c\": {:?}}}}}\n",
                    value(0),
                    value(1),
                    value(2)
                );
            }
        }
    }
    rows
}

fn said(more: &str) -> (Value, String) {
    let study = study(&document(more));
    let scores = scores(&study, &rows());
    let report = report(&study, &scores);
    let mut json = String::new();
    step_value_json(&study, &scores, &report, &[], &mut |piece| json.push_str(piece));
    (serde_json::from_str(&json).unwrap(), step_value_text(&study, &scores, &report))
}

#[test]
fn a_part_that_names_an_undeclared_channel_is_left_out_with_the_reason() {
    let whole = said("").0;
    let cases = [
        ("bridge", r#""alternative": "g-n", "reference": "q-n"}]"#, r#""alternative": "g-n", "reference": "q-x"}]"#),
        ("matched_cube", r#"["q-n", "q-e", "g-n", "g-e"]"#, r#"["q-x", "q-e", "g-n", "g-e"]"#),
    ];
    for (part, from, to) in cases {
        let document = document("");
        assert_eq!(document.matches(from).count(), 1);
        let study = study(&document.replace(from, to));
        let scores = scores(&study, &rows());
        let report = report(&study, &scores);
        let mut json = String::new();
        step_value_json(&study, &scores, &report, &[], &mut |piece| json.push_str(piece));
        let json: Value = serde_json::from_str(&json).unwrap();
        assert!(json.get(part).is_none() && whole.get(part).is_some());
        assert_eq!(json["left_out"][0]["part"], part);
        assert_eq!(json["contrasts"][0]["omega"], whole["contrasts"][0]["omega"]);
        let at = if part == "bridge" { "bridge[0].reference" } else { "matched_cube[0]" };
        let why = format!("{at}: no channel is called `q-x`. Name a channel that `channels` declares.");
        assert_eq!(study.left_out(part), Some(why.clone()));
        let told = format!(
            "no channel is called `q-x`. Name a channel that `channels` declares. Until then `{part}` is left out"
        );
        assert!(study.notices.iter().any(|notice| notice.text == told), "{:?}", study.notices);
        let text = step_value_text(&study, &scores, &report);
        assert!(text.contains(&format!("Left out: {part}\n  not computed\n  {why}\n")), "{text}");
    }
}

#[test]
fn too_few_draws_conclude_nothing() {
    let study = study(&document(""));
    let scores = scores(&study, &rows());
    for (draws, known) in [(999, false), (1_000, true)] {
        let report = analyse(&study, &scores, Sampling { draws, seed: 0 }, &Unwatched).unwrap();
        let (bridge, cube) = (report.bridge.unwrap(), report.cube.unwrap());
        assert_eq!(bridge.has_directional_support().is_some(), known);
        assert_eq!(bridge.has_criterion_support().is_some(), known);
        assert!(cube.view_contrasts.iter().all(|contrast| contrast.departs().is_some() == known));
    }
}

/// Every verdict of a report, with the way to it.
fn verdicts(at: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match value.as_str().filter(|_| key == "verdict") {
                    Some(verdict) => found.push((at.to_owned(), verdict.to_owned())),
                    None => verdicts(&format!("{at}.{key}"), value, found),
                }
            }
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(i, v)| verdicts(&format!("{at}[{i}]"), v, found)),
        _ => {}
    }
}

#[test]
fn without_a_declared_margin_every_test_says_so() {
    let (json, text) = said("");
    let mut found = Vec::new();
    verdicts("", &json, &mut found);
    // Two contrasts with two AUCs each, one of them a view contrast; a vertex with its AUC; two view contrasts of the cube
    // with three differences and an AUC each; one interaction of authority.
    assert_eq!(found.len(), (2 * 2 + 1) + 2 + 2 * (3 + 1) + 1, "{found:?}");
    assert!(found.iter().all(|(_, verdict)| verdict == "no margin declared"), "{found:?}");
    assert_eq!(json["margins"], serde_json::json!({"scalars": null, "auc": null}));
    // Said once of each contrast, of the cube and of the bridge, and not again behind every difference.
    assert_eq!(text.matches("Equivalence to the Blackwell null: no margin declared.").count(), 4, "{text}");
    assert_eq!(text.matches("no margin").count(), 4, "{text}");
}

#[test]
fn each_margin_is_used_for_its_own_unit_and_a_vertex_may_have_its_own() {
    let (json, text) = said(r#", "equivalence_margin": "1/2""#);
    let mut found = Vec::new();
    verdicts("", &json, &mut found);
    for (at, verdict) in &found {
        let expected = if at.contains("auc") { "no margin declared" } else { "inside the margin" };
        assert_eq!(verdict, expected, "{at}");
    }
    assert_eq!(json["margins"], serde_json::json!({"scalars": "1/2", "auc": null}));
    assert!(text.contains("A, equivalence within ±1/2: D inside the margin, 90 % ["), "{text}");
    assert_eq!(json["bridge"]["vertices"][0]["equivalence_margin"], "1/2");
    let line = "Equivalence to the Blackwell null: for scalars margin ±1/2, for AUCs no margin declared.";
    assert_eq!(text.matches(line).count(), 4, "{text}");

    let (json, _) = said(r#", "auc_equivalence_margin": 1"#);
    assert_eq!(json["bridge"]["vertices"][0]["equivalence"]["verdict"], "no margin declared");
    assert_eq!(json["bridge"]["vertices"][0]["auc"]["equivalence"]["verdict"], "inside the margin");

    let vertex = r#""alternative": "g-n", "reference": "q-n"}]"#;
    let own = document(r#", "equivalence_margin": "1/2""#);
    assert_eq!(own.matches(vertex).count(), 1);
    let own = own.replace(vertex, r#""alternative": "g-n", "reference": "q-n", "equivalence_margin": "1/100000"}]"#);
    let study = study(&own);
    let scores = scores(&study, &rows());
    let report = report(&study, &scores);
    let text = step_value_text(&study, &scores, &report);
    assert!(text.contains("A, equivalence within ±1/100000: D not inside the margin, 90 % ["), "{text}");
    assert_eq!(report.bridge.unwrap().vertices[0].equivalence.verdict.words(), "not inside the margin");
    assert_eq!(report.contrasts[0].equivalence.unwrap().verdict.words(), "inside the margin");
    assert!(report.contrasts[1].equivalence.is_none(), "view and authority differ");
}

#[test]
fn a_margin_of_aucs_is_at_most_1_and_any_margin_is_above_0() {
    for (more, told) in [
        (
            r#", "auc_equivalence_margin": "3/2""#,
            "auc_equivalence_margin: a difference of AUCs is never beyond 1. Declare a margin of at most 1.",
        ),
        (
            r#", "auc_equivalence_margin": 0"#,
            "auc_equivalence_margin: an equivalence margin of 0. It is greater than zero.",
        ),
        (
            r#", "equivalence_margin": "-1""#,
            "equivalence_margin: an equivalence margin of -1. It is greater than zero.",
        ),
    ] {
        let error = open_study("study.json", document(more).as_bytes()).unwrap_err().to_string();
        assert!(error.ends_with(told), "{error}");
    }
}

#[test]
fn vertices_and_cube_are_weighed_anew_too() {
    let (json, text) = said("");
    let vertex = &json["bridge"]["vertices"][0]["equal_targets"];
    assert_eq!(vertex["targets"], serde_json::json!({"a": 3, "b": 3, "c": 3}));
    // Every target is as frequent as the others: weighing them anew changes no mean.
    let near = |a: &Value, b: &Value| (a["mean"].as_f64().unwrap() - b["mean"].as_f64().unwrap()).abs() < 1e-12;
    assert!(near(&vertex["interaction"], &json["bridge"]["vertices"][0]["interaction"]));
    let cube = &json["matched_cube"];
    for (list, figure) in [("gains", "gain"), ("view_contrasts", "interaction"), ("authority_interactions", "effect")] {
        for entry in cube[list].as_array().unwrap() {
            assert!(near(&entry["equal_targets"], &entry[figure]), "{entry}");
        }
    }
    for authority in ["neutral", "evidence-primary"] {
        assert!(text.contains(&format!("  {authority}: AUC of stored success by F(x+) ")), "{text}");
    }
    assert!(
        text.contains("A: Equal weight to each of 3 reviewed targets (the rarest has 3 transitions): G quote "),
        "{text}"
    );
    assert!(text.contains("(the rarest has 3 transitions): D generated − quote, neutral "), "{text}");
}
