//! Laws L10 to L15 of the theory, over random studies and over random corners.

use decidendi_core::exact::Rational;
use decidendi_core::exact::interval::{Interval, Sign};
use decidendi_core::report::step_value::step_value_text;
use decidendi_core::step_value::design::{Design, Difference, Identification};
use decidendi_core::step_value::face::{Face, Side, Turn};
use decidendi_core::step_value::measure::Measured;
use decidendi_core::step_value::retrieval::RetrievalCorners;
use decidendi_core::step_value::study::Moment;
use decidendi_core::step_value::walk::open_study;
use proptest::prelude::*;

use super::{STUDY, report, rows, scores, study};

fn measured(value: f64) -> Measured {
    Measured { value, envelope: Interval::point(value) }
}

fn face(corners: [f64; 4]) -> Face {
    let [a, b, c, d] = corners.map(|value| Some(measured(value)));
    Face::new([[a, b], [c, d]])
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

fn corner() -> impl Strategy<Value = f64> {
    -20.0..20.0_f64
}

/// Scores of every cell of the small study from a seed.
fn score(seed: u64, parts: [usize; 7]) -> f64 {
    let mut state = seed;
    for part in parts {
        state = (state ^ part as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
    -0.01 - (state >> 40) as f64 / (1_u64 << 24) as f64 * 6.0
}

fn seeded(seed: u64) -> String {
    rows(|t, s, c, l, w, k, p| score(seed, [t, s, c, l, w, k, p]))
}

proptest! {
    #[test]
    fn l10_an_additive_channel_offset_cancels(h in [corner(), corner()], offset in corner()) {
        let face = face([h[0], h[1], h[0] + offset, h[1] + offset]);
        let omega = face.omega().unwrap();
        prop_assert!(close(omega.value, 0.0));
        prop_assert!(omega.envelope.contains(0.0) || close(omega.value, 0.0));
    }

    #[test]
    fn l11_the_diagonal_is_gain_plus_shift_plus_interaction(corners in [corner(), corner(), corner(), corner()]) {
        let d = face(corners).diagonal().unwrap();
        prop_assert!(close(d.whole.value, d.gain.value + d.shift.value + d.omega.value));
        prop_assert!(d.gain.envelope.add(&d.shift.envelope).add(&d.omega.envelope).contains(d.whole.value));
    }

    #[test]
    fn l12_three_corners_leave_the_interaction_unidentified(corners in [corner(), corner(), corner(), corner()], gone in 0_usize..4) {
        let mut seen = corners.map(|value| Some(measured(value)));
        seen[gone] = None;
        let face = Face::new([[seen[0], seen[1]], [seen[2], seen[3]]]);
        prop_assert!(face.omega().is_none() && face.diagonal().is_none() && face.turn().is_none());
        prop_assert_eq!(face.missing().count(), 1);
        // Corner `gone` is side gone/2 and state gone%2; in the design the state is the first factor.
        let all = [[0, 0], [1, 0], [0, 1], [1, 1]];
        let observed = (0..4).filter(|c| *c != gone).map(|c| all[c].to_vec()).collect();
        let design = Design::face(observed);
        let contrast = design.contrast(&[Difference { factor: 0, from: 0, to: 1 }, Difference { factor: 1, from: 0, to: 1 }]);
        let Some(Identification::NotIdentified(witness)) = design.identify(&contrast) else {
            return Err(TestCaseError::fail("identified"));
        };
        let (cell, by) = &witness.shifts[0];
        prop_assert_eq!(&cell[..], &all[gone][..]);
        let expected = if (cell[0] + cell[1]) % 2 == 0 { by.clone() } else { by.neg() };
        prop_assert_eq!(&witness.moves, &expected);
    }

    #[test]
    fn l13_gain_signs_and_strict_reversals_survive_any_positive_recalibration(
        corners in [corner(), corner(), corner(), corner()],
        scale in [0.05..20.0_f64, 0.05..20.0_f64],
        shift in [corner(), corner()],
    ) {
        let before = face(corners);
        let moved = face([
            corners[0] * scale[0] + shift[0],
            corners[1] * scale[0] + shift[0],
            corners[2] * scale[1] + shift[1],
            corners[3] * scale[1] + shift[1],
        ]);
        // Figures at the edge of rounding prove nothing either way.
        let safe = Side::BOTH.iter().all(|&side| before.gain(side).unwrap().value.abs() > 1e-6);
        prop_assume!(safe);
        for side in Side::BOTH {
            prop_assert_eq!(before.gain(side).unwrap().sign(), moved.gain(side).unwrap().sign());
        }
        prop_assert_eq!(before.turn(), moved.turn());
        match before.turn().unwrap() {
            Turn::PositiveToNegative => prop_assert_eq!(moved.omega().unwrap().sign(), Some(Sign::Negative)),
            Turn::NegativeToPositive => prop_assert_eq!(moved.omega().unwrap().sign(), Some(Sign::Positive)),
            Turn::SameSign | Turn::TouchingZero => {}
        }
    }

    #[test]
    fn l13_elsewhere_a_recalibration_turns_the_sign_of_the_interaction(gains in [0.1..5.0_f64, 0.1..5.0_f64]) {
        prop_assume!((gains[0] - gains[1]).abs() > 1e-3);
        let omega = |scale: f64| face([0.0, gains[0], 0.0, gains[1] * scale]).omega().unwrap().value;
        let turning = gains[0] / gains[1];
        prop_assert!(omega(turning * 0.5) < 0.0 && omega(turning * 2.0) > 0.0);
    }

    #[test]
    fn l14_the_pooled_sign_turns_exactly_at_the_crossing_weight(seed: u64) {
        let study = study(STUDY);
        let report = report(&study, &scores(&study, &seeded(seed)));
        let contrast = &report.contrasts[0];
        match contrast.crossing() {
            Some(crossing) => {
                prop_assert!((0.0..=1.0).contains(&crossing));
                prop_assert!(close(contrast.pooled(crossing).unwrap().value, 0.0));
                let (low, high) = (contrast.pooled(0.0).unwrap().value, contrast.pooled(1.0).unwrap().value);
                prop_assert!(low * high < 0.0);
            }
            None => {
                let signs: Vec<bool> = (0..=10).map(|i| contrast.pooled(f64::from(i) / 10.0).unwrap().value > 0.0).collect();
                prop_assert!(signs.iter().all(|s| *s == signs[0]));
            }
        }
    }

    #[test]
    fn l15_state_and_view_share_the_retrieval_gain(corners in [corner(), corner(), corner(), corner()]) {
        let [bb, ba, ab, aa] = corners;
        let some = |value| Some(measured(value));
        let allocation = RetrievalCorners([[some(bb), some(ba)], [some(ab), some(aa)]]).allocation().unwrap();
        prop_assert!(close(allocation.state.value + allocation.view.value, aa - bb));
        prop_assert!(close(allocation.gain.value, aa - bb));
        prop_assert!(close(allocation.state.value, ((ab - bb) + (aa - ba)) / 2.0));
    }

    #[test]
    fn the_reduction_is_the_formula_and_the_envelope_holds_it(seed: u64) {
        let study = study(STUDY);
        let scores = scores(&study, &seeded(seed));
        let report = report(&study, &scores);
        for (t, (candidates, target)) in [(3, 0), (3, 0), (2, 1)].into_iter().enumerate() {
            for (channel, tau) in [(0, 1.5), (1, 1.0)] {
                for state in Moment::BOTH {
                    let energy = |l: usize, w: usize, k: usize| {
                        let at = |p| score(seed, [t, state.index(), channel, l, w, k, p]);
                        if channel == 0 { at(0) } else { at(0) - at(1) }
                    };
                    let wave = |w: usize| {
                        let u: Vec<f64> = (0..candidates).map(|c| {
                            tau / 2.0 * (0..2).map(|l| {
                                energy(l, w, c) - (0..candidates).map(|k| energy(l, w, k)).sum::<f64>() / candidates as f64
                            }).sum::<f64>()
                        }).collect();
                        let rest: f64 = u.iter().enumerate().filter(|(c, _)| *c != target).map(|(_, u)| u.exp()).sum();
                        u[target] - rest.ln()
                    };
                    let expected = wave(0) / 3.0 + wave(1) * 2.0 / 3.0;
                    let corner = decidendi_core::step_value::scores::Corner::own(state);
                    let found = report.scalars.get(t, channel, corner).unwrap();
                    prop_assert!((found.value - expected).abs() < 1e-12, "{} {}", found.value, expected);
                    prop_assert!(found.envelope.hi() - found.envelope.lo() < 1e-12);
                    prop_assert!(found.envelope.lo() - 1e-13 <= expected && expected <= found.envelope.hi() + 1e-13);
                }
            }
        }
    }

    #[test]
    fn swapping_the_channels_turns_every_sign(seed: u64) {
        let text = seeded(seed);
        let study_a = study(STUDY);
        let study_b = study(&STUDY.replace(
            r#""alternative": "view", "reference": "direct""#, r#""alternative": "direct", "reference": "view""#));
        let (a, b) = (report(&study_a, &scores(&study_a, &text)), report(&study_b, &scores(&study_b, &text)));
        let (a, b) = (&a.contrasts[0], &b.contrasts[0]);
        prop_assert_eq!(a.omega.unwrap().estimate.value, -b.omega.unwrap().estimate.value);
        prop_assert_eq!(a.flips(Turn::PositiveToNegative), b.flips(Turn::NegativeToPositive));
        prop_assert_eq!(a.opposite_signs(), b.opposite_signs());
        prop_assert_eq!(a.clear_of_zero(), b.clear_of_zero());
    }

    #[test]
    fn a_contrast_of_any_design_is_identified_exactly_if_no_completion_moves_it(
        levels in proptest::collection::vec(2_usize..4, 1..4),
        seen in proptest::collection::vec(any::<bool>(), 27),
        additive: bool,
    ) {
        let factors = levels.iter().enumerate().map(|(i, n)| decidendi_core::step_value::design::Factor {
            name: format!("f{i}"), levels: (0..*n).map(|l| l.to_string()).collect(),
        }).collect();
        let mut design = Design { factors, observed: Vec::new(), terms: additive.then(|| (0..levels.len()).map(|f| vec![f]).collect()) };
        let cells = design.cells();
        design.observed = cells.iter().zip(&seen).filter(|(_, seen)| **seen).map(|(cell, _)| cell.clone()).collect();
        let differences: Vec<Difference> = (0..levels.len()).map(|factor| Difference { factor, from: 0, to: levels[factor] - 1 }).collect();
        let contrast = design.contrast(&differences);
        match design.identify(&contrast).unwrap() {
            Identification::Identified(weights) => {
                prop_assert!(weights.iter().all(|(cell, _)| design.observed.contains(cell)));
                if !additive {
                    // Without assumptions a contrast is identified exactly if all its cells are seen.
                    prop_assert!(contrast.iter().all(|(cell, _)| design.observed.contains(cell)));
                }
            }
            Identification::NotIdentified(witness) => {
                prop_assert!(!witness.moves.is_zero());
                prop_assert!(witness.shifts.iter().all(|(cell, _)| !design.observed.contains(cell)));
                let moved = contrast.iter().fold(Rational::ZERO, |sum, (cell, weight)| {
                    let by = witness.shifts.iter().find(|(c, _)| c == cell).map_or(Rational::ZERO, |(_, by)| by.clone());
                    sum.add(&by.mul(weight))
                });
                prop_assert_eq!(moved, witness.moves);
            }
        }
    }
}

#[test]
fn one_trajectory_and_few_draws_conclude_nothing() {
    let one = STUDY
        .replace(r#""trajectory": "b""#, r#""trajectory": "a""#)
        .replace(r#""success": false"#, r#""success": true"#);
    let alone = study(&one);
    let text = seeded(3);
    let found = report(&alone, &scores(&alone, &text));
    let contrast = &found.contrasts[0];
    for estimate in [contrast.omega.unwrap().estimate, contrast.gain(Side::Reference).unwrap().estimate] {
        assert!(!estimate.is_bounded() && !estimate.above_zero() && !estimate.below_zero());
    }
    assert!(contrast.clear_of_zero().is_none() && !contrast.is_strict_mean_reversal() && contrast.auc.is_none());
    let said = step_value_text(&alone, &scores(&alone, &text), &found);
    assert!(said.contains("not known") && said.contains("of 1 trajectory"), "{said}");
    // Two trajectories are resampled; one success against one failure still says nothing of an AUC.
    let two = study(STUDY);
    let found = report(&two, &scores(&two, &text));
    assert!(found.contrasts[0].omega.unwrap().estimate.is_bounded());
    assert!(!found.contrasts[0].auc.unwrap().gain.difference.is_bounded());
}

#[test]
fn a_tie_is_a_tie_whatever_the_order_of_the_rivals() {
    let text = r#"{"format": "decidendi/asv-study@1", "id": "tie", "origin": "simulated",
      "channels": [{"id": "m", "readout": "joint"}, {"id": "n", "readout": "joint"}],
      "layouts": {"kind": "cyclic", "count": 1}, "contrasts": [{"id": "c", "alternative": "n", "reference": "m"}], "transitions": [
      {"id": "t", "trajectory": "t", "target": "a", "success": true, "candidates": ["a", "b", "c", "d"]},
      {"id": "u", "trajectory": "u", "target": "a", "success": false, "candidates": ["a", "b", "c", "d"]}]}"#;
    let study = study(text);
    let row = |t: &str, state: &str, channel: &str, swapped: bool| {
        let (b, d) = if swapped { (-2.43, -2.19) } else { (-2.19, -2.43) };
        format!(
            "{{\"transition\": \"{t}\", \"state\": \"{state}\", \"channel\": \"{channel}\", \"layout\": 0, \"wave\": 0, \
             \"logprobs\": {{\"a\": -0.96, \"b\": {b}, \"c\": -1.49, \"d\": {d}}}}}\n"
        )
    };
    let mut text = String::new();
    for channel in ["m", "n"] {
        for state in ["before", "after"] {
            text += &row("t", state, channel, false);
            text += &row("u", state, channel, true);
        }
    }
    let report = report(&study, &scores(&study, &text));
    let auc = report.contrasts[0].auc.unwrap();
    assert!((auc.after.reference.value - 0.5).abs() < f64::EPSILON, "equal scores tie one half");
    assert!((auc.gain.alternative.value - 0.5).abs() < f64::EPSILON);
}

#[test]
fn controls_keep_their_direction_and_a_channel_of_their_own() {
    let text = |controls: &str| {
        let authority = if controls.contains("authority") && !controls.contains("donor") { "other" } else { "neutral" };
        format!(
            r#"{{"format": "decidendi/asv-study@1", "id": "c", "origin": "simulated",
            "channels": [{{"id": "own", "readout": "joint"}}, {{"id": "other", "readout": "joint", "authority": "{authority}"}}],
            "layouts": {{"kind": "cyclic", "count": 1}}, "controls": {controls},
            "transitions": [{{"id": "t", "trajectory": "t", "target": "a", "candidates": ["a", "b"]}}]}}"#
        )
    };
    let gain = |channel: &str, after: f64| {
        ["before", "after"].map(|state| {
            let a = if state == "after" { after } else { -5.0 };
            format!(
                "{{\"transition\": \"t\", \"state\": \"{state}\", \"channel\": \"{channel}\", \"layout\": 0, \"wave\": 0, \
                 \"logprobs\": {{\"a\": {a:?}, \"b\": -5.5}}}}\n"
            )
        })
    };
    let rows = gain("own", -4.0).concat() + &gain("other", -3.0).concat();
    for (controls, value) in
        [(r#"{"own": "own", "donor": "other"}"#, -1.0), (r#"{"own": "own", "authority": "other"}"#, 1.0)]
    {
        let study = study(&text(controls));
        let found = report(&study, &scores(&study, &rows)).controls.unwrap();
        assert!((found.controls[0].effect.unwrap().estimate.value - value).abs() < 1e-12, "{controls}");
    }
    let twice = text(r#"{"own": "own", "donor": "other", "authority": "other"}"#);
    let error = open_study("s", twice.as_bytes()).unwrap_err().to_string();
    let told = "controls: two controls are the same channel. Name a channel of its own for each.";
    assert!(error.ends_with(told), "{error}");
}

#[test]
fn margins_are_the_golden_ones() {
    // Golden numbers by log-sum-exp in another language (NumPy 2.4); non-finite ones are refused on reading.
    let golden: [(&[f64], usize, f64); 4] = [
        (&[-0.2, -1.9, -3.0, -4.5], 0, 1.358_437_411_294_788_6),
        (&[-1.0, -2.0, -0.5, -3.25], 3, -3.354_130_605_336_728_4),
        (&[-1000.0, -1001.0, -1002.0, -1003.0], 0, 0.592_394_035_555_571_5),
        (&[0.0, -745.0, -746.0], 0, 744.686_738_312_481_8),
    ];
    for (logits, target, margin) in golden {
        let names: Vec<String> = (0..logits.len()).map(|i| format!("\"c{i}\"")).collect();
        let text = format!(
            r#"{{"format": "decidendi/asv-study@1", "id": "g", "origin": "simulated", "channels": [{{"id": "m", "readout": "joint"}}],
            "layouts": {{"kind": "cyclic", "count": 1}}, "transitions": [{{"id": "t", "trajectory": "t", "target": "c{target}", "candidates": [{}]}}]}}"#,
            names.join(", ")
        );
        let study = study(&text);
        let pairs: Vec<String> = names.iter().zip(logits).map(|(name, value)| format!("{name}: {value:?}")).collect();
        let row = |state: &str| {
            format!(
                "{{\"transition\": \"t\", \"state\": \"{state}\", \"channel\": \"m\", \"layout\": 0, \"wave\": 0, \"logprobs\": {{{}}}}}\n",
                pairs.join(", ")
            )
        };
        let report = report(&study, &scores(&study, &(row("before") + &row("after"))));
        let [before, _] = report.scalars.pair(0, 0).unwrap();
        assert!((before.value - margin).abs() <= 1e-12 * margin.abs().max(1.0), "{} {margin}", before.value);
        assert!(report.scalars.gain(0, 0).unwrap().sign().is_none(), "equal scores have no certified sign");
    }
}
