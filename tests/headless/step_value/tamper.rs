//! Every single field of a step-value certificate is changed, one at a time; each change must end in the right state.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use decidendi_core::seal::canon::{canonical, read_foreign};
use decidendi_core::seal::certificate::Certificate as _;
use decidendi_core::seal::dsse::{Envelope, IN_TOTO};
use decidendi_core::seal::key::SecretKey;
use decidendi_core::seal::verification::{EndState, Standing, Status};
use decidendi_core::seal::verified::TrustStore;
use decidendi_core::step_value::certificate::{NotCertifiable, Scope, StepCertificate};
use decidendi_core::step_value::inference::Sampling;
use decidendi_core::step_value::verify::{Against, Verification, verify};
use decidendi_core::step_value::walk::analyse;
use decidendi_core::watch::Unwatched;
use serde_json::Value;

use super::{STUDY, plain_rows, report, scores, study, whole};
use crate::mutants;

pub fn key(seed: u8) -> SecretKey {
    SecretKey::generate([seed; 32])
}

pub struct Issued {
    pub study: decidendi_core::step_value::study::Study,
    pub scores: decidendi_core::step_value::scores::Scores,
    pub bytes: Vec<u8>,
}

fn issue(scope: Scope) -> Issued {
    of(STUDY, &plain_rows(), scope)
}

/// A study with every optional part.
pub fn whole() -> Issued {
    of(&whole::document(), &whole::rows(), Scope::Study)
}

fn of(document: &str, rows: &str, scope: Scope) -> Issued {
    let study = study(document);
    assert!(study.left_out.is_empty(), "{:?}", study.left_out);
    let scores = scores(&study, rows);
    let report = report(&study, &scores);
    let certificate = StepCertificate::bind(&study, &scores, &report, scope, None).unwrap_or_else(|e| panic!("{e}"));
    Issued { bytes: certificate.sign(&[&key(1)]), study, scores }
}

fn check(issued: &Issued, bytes: &[u8]) -> Verification {
    let trust = TrustStore::new([key(1).public()]).unwrap();
    let against = Against { trust: Some(&trust), study: Some((&issued.study, &issued.scores)) };
    verify("x.asv.cert.json", bytes, against, &Unwatched).unwrap_or_else(|e| panic!("{e}"))
}

pub fn payload(bytes: &[u8]) -> Value {
    let envelope: Value = serde_json::from_slice(bytes).unwrap();
    serde_json::from_slice(&BASE64_STANDARD.decode(envelope["payload"].as_str().unwrap()).unwrap()).unwrap()
}

pub fn spelled(value: &Value) -> Vec<u8> {
    canonical(&read_foreign("m", value.to_string().as_bytes()).unwrap())
}

#[test]
fn an_untouched_certificate_verifies_and_twice_gives_the_same_bytes() {
    for scope in [Scope::Study, Scope::Transition("a-1".to_owned())] {
        let issued = issue(scope.clone());
        let result = check(&issued, &issued.bytes);
        assert_eq!((result.state, result.verdict), (Some(EndState::Verified), Standing::Pass), "{:#?}", result.checks);
        assert!(result.verified.is_some_and(|v| v.get().scope == scope));
        assert_eq!(issue(scope).bytes, issued.bytes);
    }
}

#[test]
fn every_change_under_the_old_signature_is_altered() {
    let issued = issue(Scope::Transition("a-0".to_owned()));
    let envelope: Value = serde_json::from_slice(&issued.bytes).unwrap();
    let mutants = mutants::of(&payload(&issued.bytes));
    for m in &mutants {
        let mut changed = envelope.clone();
        changed["payload"] = Value::from(BASE64_STANDARD.encode(spelled(&m.document)));
        let result = check(&issued, &spelled(&changed));
        assert_eq!(result.state, Some(EndState::Altered), "{} {}: {:#?}", m.kind, m.path, result.checks);
        assert!(result.verified.is_none() && result.verdict == Standing::Invalid);
    }
    println!("step-value payload changed under the old signature: {0}/{0} altered", mutants.len());
    assert!(mutants.len() > 150);
}

#[test]
fn every_change_signed_again_is_found_by_recomputing() {
    signed_again(&issue(Scope::Study), 400);
}

#[test]
fn every_change_of_every_part_signed_again_is_found_by_recomputing() {
    let issued = whole();
    let predicate = payload(&issued.bytes);
    let parts = ["contrasts", "margins", "bridge", "matched_cube", "retrieval_face", "controls", "designs"].iter();
    assert!(parts.clone().all(|part| predicate["predicate"].get(part).is_some()));
    signed_again(&issued, 1_500);
}

fn signed_again(issued: &Issued, least: usize) {
    let mutants = mutants::of(&payload(&issued.bytes));
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for m in &mutants {
        let lie = Envelope::sign(IN_TOTO, spelled(&m.document), &[&key(1)]).to_bytes();
        let result = check(issued, &lie);
        let state = result.state.unwrap_or_else(|| panic!("{} {} ended in no state", m.kind, m.path));
        let allowed: &[EndState] = match (m.path.as_str(), m.kind) {
            // Who bound it says so under their own signature; nothing is recomputed from it.
            ("predicate.tool.name" | "predicate.tool.version", "scalar") => &[EndState::Verified],
            // Few trajectories resample to so few means that other draws can give the same intervals: then it is no lie.
            ("predicate.sampling.draws" | "predicate.sampling.seed", "scalar") => {
                &[EndState::Verified, EndState::ReplayDiffers]
            }
            // The rules of version 1 know nothing of what version 2 states.
            ("predicateType", "scalar") => &[EndState::Altered],
            (p, "scalar") if p.starts_with("predicate.reducer") || p.starts_with("predicate.sampling.generator") => {
                &[EndState::UnsupportedVersion]
            }
            _ => &[EndState::ReplayDiffers, EndState::Altered],
        };
        assert!(allowed.contains(&state), "{} {}: {state:?}\n{:#?}", m.kind, m.path, result.checks);
        if state == EndState::ReplayDiffers && m.kind == "scalar" {
            // The check that fails names what differs, by the last key of its path at least.
            let failed = result.checks.iter().find(|check| check.status == Status::Fail).unwrap();
            assert!(failed.n >= 4 && !failed.detail.is_empty());
        }
        *ends.entry(state.word()).or_default() += 1;
    }
    println!("step-value payload signed again: {0}/{0} ended right, {ends:?}", mutants.len());
    assert!(mutants.len() > least, "{}", mutants.len());
}

/// The line with the first digit of its first score that is not zero exchanged: the number keeps its length, so that it is one
/// that a double keeps apart.
fn other_digit(line: &str) -> String {
    let score = line.find(": -").map_or(line.len(), |at| at + 3);
    let Some(at) = line[score..].find(|c: char| ('1'..='9').contains(&c)).map(|n| score + n) else {
        return line.to_owned();
    };
    let digit = line.as_bytes()[at];
    let other = if digit == b'9' { '8' } else { char::from(digit + 1) };
    format!("{}{other}{}", &line[..at], &line[at + 1..])
}

#[test]
fn every_changed_digit_of_the_scores_is_another_study() {
    let issued = issue(Scope::Study);
    let text = plain_rows();
    for (line, _) in text.lines().enumerate().step_by(5) {
        let changed: Vec<String> =
            text.lines().enumerate().map(|(i, l)| if i == line { other_digit(l) } else { l.to_owned() }).collect();
        let changed = changed.join("\n") + "\n";
        if changed == text {
            continue;
        }
        let trust = TrustStore::new([key(1).public()]).unwrap();
        let other = scores(&issued.study, &changed);
        let against = Against { trust: Some(&trust), study: Some((&issued.study, &other)) };
        let result = verify("x", &issued.bytes, against, &Unwatched).unwrap();
        assert_eq!(result.state, Some(EndState::Altered));
    }
}

#[test]
fn what_is_incomplete_or_unknown_is_not_certified() {
    let study = study(STUDY);
    let text: String = plain_rows().lines().filter(|l| !l.contains("\"b-0\"")).map(|l| l.to_owned() + "\n").collect();
    let scores = scores(&study, &text);
    let report = report(&study, &scores);
    let bind = |scope| StepCertificate::bind(&study, &scores, &report, scope, None);
    assert_eq!(bind(Scope::Transition("b-0".into())), Err(NotCertifiable::Incomplete("b-0".into())));
    assert_eq!(bind(Scope::Transition("c".into())), Err(NotCertifiable::NoTransition("c".into())));
    assert!(bind(Scope::Study).is_ok_and(|c| c.faces.len() == 2 && c.cohort == [3, 2, 2]));
    let few = analyse(&study, &scores, Sampling { draws: 999, seed: 7 }, &Unwatched).unwrap();
    let refused = StepCertificate::bind(&study, &scores, &few, Scope::Study, None).unwrap_err().to_string();
    assert_eq!(refused, "999 draws leave the ends of an interval to chance; a certificate takes 1000 or more");
    let silent = super::study(&STUDY.replace(r#""origin": "recorded","#, ""));
    let other = super::scores(&silent, &text);
    let refused = StepCertificate::bind(&silent, &other, &super::report(&silent, &other), Scope::Study, None);
    assert_eq!(refused, Err(NotCertifiable::Undeclared));
    let above = super::scores(&study, &text.replacen(": -0.", ": 0.", 1));
    let refused = StepCertificate::bind(&study, &above, &super::report(&study, &above), Scope::Study, None);
    assert_eq!(refused, Err(NotCertifiable::AboveZero(1)));
}
