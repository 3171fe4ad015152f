//! What the report says in words: places, agreement, and what is concluded.

use std::fmt::Write as _;

use decidendi_core::report::step_value::{step_value_json, step_value_markdown, step_value_text};

use super::{report, scores, study};

/// One quote and one generated channel, so many trajectories of one step, waves numbered 3, 4 and so on.
pub fn document(trajectories: usize, waves: usize, more: &str) -> String {
    let channel = |id: &str, view: &str| format!(r#"{{"id": "{id}", "readout": "joint", "view": "{view}"}}"#);
    let list = |n: usize, one: &dyn Fn(usize) -> String| (0..n).map(one).collect::<Vec<_>>().join(", ");
    let waves = list(waves, &|w| format!(r#"{{"id": {}, "weight": "1/{waves}"}}"#, w + 3));
    let transitions = list(trajectories, &|t| {
        format!(
            r#"{{"id": "s{t}", "trajectory": "r{t}", "target": "a", "success": {}, "candidates": ["a", "b"]}}"#,
            t % 2 == 0
        )
    });
    format!(
        r#"{{"format": "decidendi/asv-study@1", "id": "said", "origin": "recorded",
        "channels": [{}, {}], "layouts": {{"kind": "cyclic", "count": 2}}, "waves": [{waves}],
        "contrasts": [{{"id": "view", "alternative": "g", "reference": "q"}}]{more}, "transitions": [{transitions}]}}"#,
        channel("q", "quote"),
        channel("g", "generated")
    )
}

/// Rows of all cells; `margin` gives what the target is ahead by, of trajectory, state, channel and wave.
pub fn rows(trajectories: usize, waves: usize, margin: impl Fn(usize, usize, usize, usize) -> f64) -> String {
    let mut text = String::new();
    for t in 0..trajectories {
        for (s, state) in ["before", "after"].iter().enumerate() {
            for (c, channel) in ["q", "g"].iter().enumerate() {
                for (layout, wave) in (0..2 * waves).map(|i| (i % 2, i / 2)) {
                    writeln!(
                        text,
                        r#"{{"transition": "s{t}", "state": "{state}", "channel": "{channel}", "layout": {layout}, "wave": {}, "logprobs": {{"a": {:?}, "b": -9.0}}}}"#,
                        wave + 3,
                        margin(t, s, c, wave) - 9.0
                    )
                    .unwrap();
                }
            }
        }
    }
    text
}

pub fn said(document: &str, rows: &str) -> String {
    let study = study(document);
    let scores = scores(&study, rows);
    step_value_text(&study, &scores, &report(&study, &scores))
}

const BRIDGE: &str = r#", "bridge": [{"vertex": "A", "alternative": "g", "reference": "q"}]"#;

#[test]
fn a_missing_score_is_named_with_everything_that_tells_its_place() {
    let varied = |t: usize, s: usize, c: usize, w: usize| ((3 * t + 5 * s + 2 * c + w) % 7) as f64 / 3.0;
    let all = rows(4, 2, varied);
    let without = |gone: &str| all.lines().filter(|line| !line.contains(gone)).map(|l| l.to_owned() + "\n").collect();
    let repeated: String = without(r#""channel": "g", "layout": 1, "wave": 4"#);
    let text = said(&document(4, 2, ""), &repeated);
    let told = "16 scores missing (16 no row), the first in transition `s0`, state before, channel `g`, layout 1, wave 4. Nothing";
    assert!(text.contains(told), "{text}");
    // A row that leaves a candidate out names it; a study with one wave does not number it.
    let once = rows(4, 1, varied).replacen(r#""b": -9.0"#, r#""b": -9999"#, 1);
    let text = said(&document(4, 1, ""), &once);
    let told = "1 score missing (1 sentinel), the first in transition `s0`, state before, channel `q`, layout 0, candidate `b`. Nothing";
    assert!(text.contains(told), "{text}");
    // The retrieval face shows a view that was made at the other state.
    let text = said(&document(4, 1, r#", "retrieval_face": {"channel": "g"}"#), &rows(4, 1, varied));
    let told = "state before, view at after, channel `g`, layout 0. Nothing";
    assert!(text.contains(told), "{text}");
}

#[test]
fn an_agreement_that_is_not_defined_says_so_and_why() {
    let same = |_: usize, s: usize, c: usize, _: usize| (s * (c + 1)) as f64;
    let why = [
        (5, "A: ICC(A,1) over the waves not defined, since no trajectory differs from another."),
        (1, "A: ICC(A,1) over the waves not defined, since one trajectory has no other to differ from."),
    ];
    for (trajectories, why) in why {
        let text = said(&document(trajectories, 3, BRIDGE), &rows(trajectories, 3, same));
        assert!(text.contains(why), "{text}");
    }
    let text = said(&document(5, 3, BRIDGE), "");
    assert!(text.contains("A: ICC(A,1) over the waves not defined, since no step is complete."), "{text}");
    assert!(!said(&document(5, 1, BRIDGE), &rows(5, 1, same)).contains("ICC"));
    // One trajectory apart from the rest: a draw without it has nothing to agree about.
    let apart = |t: usize, s: usize, c: usize, w: usize| if t == 0 { (s * c * (w + 1)) as f64 } else { 0.0 };
    let text = said(&document(5, 3, BRIDGE), &rows(5, 3, apart));
    let line = text.lines().find(|line| line.contains("ICC")).unwrap();
    assert!(line.contains("] over ") && line.ends_with(" of 1000 draws."), "{line}");
}

#[test]
fn figures_near_zero_carry_no_sign_and_counts_their_number() {
    let tiny = |t: usize, s: usize, c: usize, _: usize| if t % 2 == s { 0.0 } else { 1e-5 * (c as f64 + 1.0) };
    let text = said(&document(6, 2, BRIDGE), &rows(6, 2, tiny));
    assert!(!text.contains("−0.000 ") && !text.contains("−0.000]") && !text.contains("−0.0000"), "{text}");
    let study = study(&document(2, 1, ""));
    let scores = scores(&study, "");
    let once = decidendi_core::step_value::inference::Sampling { draws: 1, seed: 0 };
    let report =
        decidendi_core::step_value::walk::analyse(&study, &scores, once, &decidendi_core::watch::Unwatched).unwrap();
    assert!(step_value_text(&study, &scores, &report).contains("|  1 draw over trajectories, seed 0\n"));
}

/// What the target is ahead by, of trajectory, state, channel and wave.
type Margin<'m> = &'m dyn Fn(usize, usize, usize, usize) -> f64;

#[test]
fn noise_around_zero_is_no_reversal_and_what_holds_of_it_is_said_apart() {
    // Means of ±0.1 whose steps lie between −1.9 and +2.1.
    let noise = |t: usize, s: usize, c: usize, _: usize| {
        let swing = [2.0, -2.0, 1.5, -1.5, 1.0, -1.0][t];
        s as f64 * (swing + if c == 0 { 0.1 } else { -0.1 })
    };
    let clear = |_: usize, s: usize, c: usize, _: usize| s as f64 * if c == 0 { 1.0 } else { -1.0 };
    let same = |t: usize, s: usize, c: usize, _: usize| s as f64 * (1.0 + (t + c) as f64);
    let opposite = "Calibration: the mean gains of these steps have opposite signs, so the sign of their mean Ω holds under any positive recalibration.";
    let cases: [(Margin<'_>, usize, [&str; 3], String); 4] = [
        (
            &noise,
            6,
            ["true", "false", "false"],
            format!("{opposite} Sampling: an interval spans zero, so that of other trajectories this is not supported."),
        ),
        (
            &clear,
            6,
            ["true", "true", "true"],
            "Strict reversal of means: it holds under any positive recalibration, and both intervals exclude zero.".into(),
        ),
        (
            &clear,
            3,
            ["true", "null", "false"],
            format!(
                "{opposite} Sampling: from fewer than 4 trajectories an interval is the range of what was seen, so that nothing is concluded of the means."
            ),
        ),
        (
            &same,
            6,
            ["false", "true", "false"],
            "Calibration: the mean gains of these steps have the same sign, so the sign of their mean Ω depends on how the two channels are scaled. Sampling: both intervals exclude zero.".into(),
        ),
    ];
    for (margin, trajectories, [signs, clear, reversal], line) in cases {
        let study = study(&document(trajectories, 1, ""));
        let scores = scores(&study, &rows(trajectories, 1, margin));
        let report = report(&study, &scores);
        let mut json = String::new();
        step_value_json(&study, &scores, &report, &[], &mut |piece| json.push_str(piece));
        let told =
            format!(r#""opposite_signs": {signs}, "clear_of_zero": {clear}, "strict_mean_reversal": {reversal}"#);
        assert!(json.contains(&told), "{told}: {json}");
        for text in [step_value_text(&study, &scores, &report), step_value_markdown(&study, &scores, &report)] {
            assert!(text.contains(&line), "{line}: {text}");
            assert_eq!(text.to_lowercase().contains("reversal"), reversal == "true", "{text}");
        }
    }
}

#[test]
fn a_bridge_is_tested_as_it_is_declared_and_tells_its_layouts_and_waves() {
    let falls = |t: usize, s: usize, c: usize, w: usize| s as f64 * (1.0 - 2.0 * c as f64 + (t + w) as f64 / 50.0);
    let other = r#", "bridge": [{"vertex": "A", "alternative": "q", "reference": "g"}]"#;
    for (declared, d, difference, holds) in [
        (BRIDGE, "D = generated − quote", "quote − generated", "holds"),
        (other, "D = quote − generated", "generated − quote", "does not hold"),
    ] {
        let text = said(&document(6, 2, declared), &rows(6, 2, falls));
        let support = format!("Directional support (the upper end of {d} below zero) at every vertex: {holds}.");
        assert!(text.contains(&support) && text.contains(&format!("  A {d} ")), "{text}");
        assert!(text.contains(&format!("the lower end of the AUC difference, {difference}, above zero")), "{text}");
        for part in ["layout", "wave"] {
            let told = format!("  A: From one {part} alone D lies between ");
            assert!(text.contains(&told) && text.contains("; 2 of 2 intervals exclude zero."), "{text}");
        }
    }
}

#[test]
fn what_was_kept_of_each_channel_has_its_denominator() {
    let all = rows(4, 1, |t, s, c, _| (t + s + c) as f64);
    let some: String = all
        .lines()
        .filter(|line| !line.contains(r#""s0", "state": "after", "channel": "g""#))
        .map(|l| l.to_owned() + "\n")
        .collect();
    let some = some.replacen(r#", "b": -9.0"#, "", 1);
    let text = said(&document(4, 1, ""), &some);
    let told = "Kept of what is expected, by channel: `q` 16 of 16 rows and 31 of 32 candidates' scores; `g` 14 of 16 rows and 28 of 32 candidates' scores.";
    assert!(text.contains(told), "{text}");
}
