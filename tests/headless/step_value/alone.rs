//! A certificate without its study: whatever follows from the statement alone is checked, in either version.

use std::cell::Cell;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use decidendi_core::seal::dsse::{Envelope, IN_TOTO};
use decidendi_core::seal::key::PublicKey;
use decidendi_core::seal::verification::{EndState, Standing, Status};
use decidendi_core::seal::verified::TrustStore;
use decidendi_core::step_value::certificate::{FIRST, PREDICATE};
use decidendi_core::step_value::inference::Sampling;
use decidendi_core::step_value::verify::{Against, Verification, verify};
use decidendi_core::step_value::walk::analyse;
use decidendi_core::watch::{Unwatched, Watch};
use decidendi_files::study::load_study;
use serde_json::{Value, json};

use super::tamper::{key, payload, spelled, whole};
use crate::mutants;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn first() -> Vec<u8> {
    fs::read(root().join("tests/vectors/step_value/first.asv.cert.json")).unwrap()
}

fn alone(statement: &Value) -> Verification {
    let bytes = Envelope::sign(IN_TOTO, spelled(statement), &[&key(1)]).to_bytes();
    let trust = TrustStore::new([key(1).public()]).unwrap();
    verify("x", &bytes, Against { trust: Some(&trust), study: None }, &Unwatched).unwrap()
}

/// Changes one place of a statement, signs it again and gives what the first failed check says.
fn lie(statement: &Value, pointer: &str, value: Value) -> String {
    let mut lie = statement.clone();
    let place = lie.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is not there"));
    assert_ne!(*place, value, "{pointer}");
    *place = value;
    let found = alone(&lie);
    assert_eq!((found.verdict, found.state), (Standing::Invalid, Some(EndState::ReplayDiffers)), "{pointer}");
    let failed = found.checks.iter().find(|check| check.status == Status::Fail).unwrap();
    assert!(failed.n == 4 || failed.n == 5, "{pointer}: {failed:?}");
    failed.detail.clone()
}

#[test]
fn version_1_is_read_and_replayed_by_its_own_rules() {
    let bytes = first();
    let public = fs::read_to_string(root().join("tests/vectors/step_value/first.pub")).unwrap();
    let trust = TrustStore::new([PublicKey::from_pem(&public).unwrap()]).unwrap();
    let loaded = load_study(&root().join("sample_cases/94-step-value-smollm2-waves"), &Unwatched).unwrap();
    let against = Against { trust: Some(&trust), study: Some((&loaded.study, &loaded.scores)) };
    let found = verify("first", &bytes, against, &Unwatched).unwrap();
    assert_eq!((found.verdict, found.state), (Standing::Pass, Some(EndState::Verified)), "{:#?}", found.checks);
    assert_eq!(payload(&bytes)["predicateType"], FIRST);
    // What it does not state cannot be slipped in, and a later version is not read by its rules.
    let mut more = payload(&bytes);
    more["predicate"]["bridge"] = json!({});
    assert_eq!(alone(&more).state, Some(EndState::Altered));
    let mut other = payload(&bytes);
    other["predicateType"] = PREDICATE.into();
    assert_eq!(alone(&other).state, Some(EndState::Altered));
    other["predicateType"] = "https://decidendi.dev/step-value/v3".into();
    assert_eq!(alone(&other).state, Some(EndState::UnsupportedVersion));
}

#[test]
fn what_a_certificate_says_against_itself_is_found_without_the_study() {
    let second = payload(&whole().bytes);
    let first = payload(&first());
    for statement in [&first, &second] {
        let honest = alone(statement);
        assert_eq!((honest.verdict, honest.state), (Standing::Inconclusive, None), "{:#?}", honest.checks);
        let at = |path: &str| format!("/predicate/{path}");
        let told = lie(statement, &at("origin"), "real".into());
        assert_eq!(told, "the origin `real` is neither `recorded` nor `simulated`");
        for draws in [0, 999, 1_000_001] {
            assert!(
                lie(statement, &at("sampling/draws"), draws.into()).starts_with(&format!("{draws} draws from seed"))
            );
        }
        for seed in ["007", "-1", "18446744073709551616", "x"] {
            lie(statement, &at("sampling/seed"), seed.into());
        }
        let transitions = statement.pointer("/predicate/cohort/transitions").unwrap().as_u64().unwrap();
        lie(statement, &at("cohort/transitions"), 1.into());
        lie(statement, &at("cohort/trajectories"), 0.into());
        lie(statement, &at("cohort/complete"), (transitions + 1).into());
        lie(statement, &at("contrasts/0/n"), (transitions + 1).into());
        lie(statement, &at("contrasts/0/clusters"), 99.into());
        lie(statement, &at("contrasts/0/clusters"), 0.into());
        lie(statement, &at("contrasts/0/flips/same_sign"), 99.into());
        lie(statement, &at("contrasts/0/id"), "another".into());
        let reversal = &statement["predicate"]["contrasts"][0]["strict_mean_reversal"];
        lie(statement, &at("contrasts/0/strict_mean_reversal"), (!reversal.as_bool().unwrap()).into());
        for figure in ["gain_reference", "gain_alternative", "omega"] {
            let of = |key: &str| at(&format!("contrasts/0/{figure}/{key}"));
            for number in ["inf", "-inf", "NaN", "1e400", "0.10", "7.25"] {
                lie(statement, &of("mean"), number.into());
            }
            lie(statement, &of("lo"), "1e9".into());
            for end in ["lo", "hi"] {
                lie(statement, &of(end), "inf".into());
            }
            let sign = statement.pointer(&of("sign")).unwrap().as_str().unwrap();
            for other in ["positive", "negative", "abstained", "sure"].into_iter().filter(|other| *other != sign) {
                lie(statement, &of("sign"), other.into());
            }
            lie(statement, &at(&format!("signs/0/{figure}/value")), "7.25".into());
            lie(statement, &at(&format!("signs/0/{figure}/sign")), "sure".into());
        }
        lie(statement, &at("signs/0/transition"), statement["predicate"]["signs"][1]["transition"].clone());
        lie(statement, &at("signs/0/contrast"), "another".into());
    }
}

#[test]
fn verdicts_follow_from_the_figures_that_are_stated() {
    let statement = payload(&whole().bytes);
    let at = |path: &str| format!("/predicate/{path}");
    let flags = [
        "contrasts/0/opposite_signs",
        "contrasts/0/clear_of_zero",
        "bridge/directional_support",
        "bridge/criterion_support",
        "matched_cube/view_contrasts/0/departs",
    ];
    for path in flags {
        let stated = statement.pointer(&at(path)).unwrap();
        for other in [json!(true), json!(false), Value::Null].iter().filter(|other| *other != stated) {
            let told = lie(&statement, &at(path), other.clone());
            assert!(told.contains("as follows from the figures beside it"), "{told}");
        }
    }
    let tests = [
        "contrasts/0/equivalence",
        "contrasts/0/auc/gain/equivalence",
        "bridge/vertices/1/equivalence",
        "bridge/vertices/0/auc/equivalence",
        "matched_cube/view_contrasts/1/equivalence/shift_before",
        "matched_cube/authority_interactions/0/equivalence",
    ];
    for path in tests {
        let stated = statement.pointer(&at(&format!("{path}/verdict"))).unwrap();
        for other in ["inside the margin", "not inside the margin", "no margin declared", "not known", "fine"] {
            if stated != other {
                lie(&statement, &at(&format!("{path}/verdict")), other.into());
            }
        }
    }
    for (path, value) in [
        ("contrasts/0/auc/after/successes", json!(0)),
        ("contrasts/0/auc/after/failures", json!(99)),
        ("contrasts/0/auc/after/reference/mean", json!("1.5")),
        ("contrasts/0/auc/after/difference/mean", json!("0.125")),
        ("contrasts/0/equal_targets/targets/a", json!(9)),
        ("contrasts/0/signs/omega/positive", json!(9)),
        ("contrasts/0/crossing", json!("0.5")),
        ("bridge/vertices/0/interaction/lo", Value::Null),
        ("bridge/vertices/0/icc_a1/lo", json!("9.5")),
        ("retrieval_face/state/trajectories/positive", json!(9)),
        ("retrieval_face/direct/clusters", json!(9)),
        ("retrieval_face/view/effect/sign", json!("sure")),
        ("controls/own/mean", json!("-0.0")),
        ("margins/scalars", json!("6/4")),
    ] {
        if statement.pointer(&at(path)) != Some(&value) {
            lie(&statement, &at(path), value);
        }
    }
}

#[test]
fn a_list_is_measured_before_it_is_read() {
    let statement = payload(&whole().bytes);
    for (path, most) in [
        ("/predicate/contrasts", 256),
        ("/predicate/bridge/vertices", 64),
        ("/predicate/contrasts/0/layouts", 64),
        ("/predicate/controls/controls", 3),
    ] {
        let mut long = statement.clone();
        let list = long.pointer_mut(path).unwrap().as_array_mut().unwrap();
        let one = list[0].clone();
        list.resize(most + 1, one);
        let found = alone(&long);
        assert_eq!(found.state, Some(EndState::Altered), "{path}");
        assert_eq!(found.checks[1].status, Status::Fail, "{path}: {:#?}", found.checks);
    }
}

#[test]
fn a_stranger_cannot_make_a_reader_draw_for_minutes() {
    let issued = whole();
    let mut statement = payload(&issued.bytes);
    statement["predicate"]["sampling"]["draws"] = 100_001.into();
    let bytes = Envelope::sign(IN_TOTO, spelled(&statement), &[&key(1)]).to_bytes();
    let trust = TrustStore::new([key(2).public()]).unwrap();
    for trust in [None, Some(&trust)] {
        let against = Against { trust, study: Some((&issued.study, &issued.scores)) };
        let found = verify("x", &bytes, against, &Unwatched).unwrap();
        assert_eq!((found.verdict, found.state), (Standing::Inconclusive, Some(EndState::UnknownSigner)));
        let last = found.checks.last().unwrap();
        let told = "nobody trusted signed it, and it states 100001 draws; 100000 at most are repeated for a stranger";
        assert_eq!((last.status, last.detail.as_str()), (Status::NotRun, told));
    }
}

/// Says stop at the step of a number.
struct Stops(Cell<u32>);

impl Watch for Stops {
    fn step(&self, _done: u64, _total: u64) -> ControlFlow<()> {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn whenever_it_is_asked_to_stop_the_work_stops() {
    let issued = whole();
    let sampling = Sampling { draws: 1_000, seed: 7 };
    let run = |stops: &Stops| analyse(&issued.study, &issued.scores, sampling, stops);
    let never = Stops(Cell::new(u32::MAX));
    assert!(run(&never).is_ok());
    let asked = u32::MAX - never.0.get();
    assert!(asked > 300, "asked {asked} times only");
    for step in (0..asked).step_by(asked as usize / 40) {
        assert!(run(&Stops(Cell::new(step))).is_err(), "stop at step {step} of {asked}");
    }
    // A replay is work too.
    let trust = TrustStore::new([key(1).public()]).unwrap();
    let against = Against { trust: Some(&trust), study: Some((&issued.study, &issued.scores)) };
    assert!(verify("x", &issued.bytes, against, &Stops(Cell::new(asked / 2))).is_err());
}

#[test]
fn certificates_fit_their_schema_and_what_lacks_a_field_does_not() {
    let document = fs::read(root().join("docs/schemas/step-value.schema.json")).unwrap();
    let document: Value = serde_json::from_slice(&document).unwrap();
    assert!(jsonschema::meta::is_valid(&document));
    let schema = jsonschema::draft202012::new(&document).unwrap();
    let statement = payload(&whole().bytes);
    let faults: Vec<String> = schema.iter_errors(&statement).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(!schema.is_valid(&payload(&first())), "version 1 is another format");
    let optional = ["bridge", "matched_cube", "retrieval_face", "controls", "designs", "time", "left_out", "waves"];
    let optional = [&optional[..], &["direct", "weights", "witness", "defined_draws"]].concat();
    // What names the entries of a list of counts is free.
    let free = |path: &str| path.contains(".targets.") || optional.contains(&path.rsplit('.').next().unwrap());
    for mutant in mutants::of(&statement).iter().filter(|m| m.kind == "removed" && !free(&m.path)) {
        let entry = mutant.path.rsplit('.').next().unwrap().parse::<usize>().is_ok();
        assert!(entry || !schema.is_valid(&mutant.document), "{}", mutant.path);
    }
}
