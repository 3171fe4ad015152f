//! Law L1 at every door: one state has one verdict. A record that says otherwise gets no certificate, an old certificate
//! of one does not hold, and no engine can bring one about.

use std::fs;

use decidendi_core::judgment::case::{Artifacts, Case};
use decidendi_core::judgment::certificate::{BoundSource, Certificate};
use decidendi_core::judgment::source::Mask;
use decidendi_core::judgment::verify::{Against, EndState, Standing, Verification, verify};
use decidendi_core::judgment::walk::{Compiler, judge, open_case};
use decidendi_core::report::{account, case_text};
use decidendi_core::seal::certificate::Certificate as _;
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::key::SecretKey;
use decidendi_core::seal::verified::TrustStore;
use decidendi_core::watch::Unwatched;
use proptest::prelude::*;

use crate::cli::{code, err, out, run};
use crate::oracle::worlds;

/// A recorded case whose prompt changes; the model does, unless `same`.
fn record(same: bool) -> String {
    let model = if same { "m-1" } else { "m-2" };
    format!(
        r#"{{"format": "decidendi/case@1", "id": "record",
 "adjudicator": {{"engine": "table", "cells": ["deny", "approve", "deny", "approve"]}},
 "sources": [{{"name": "model", "old": "m-1", "new": "{model}"}}, {{"name": "prompt", "old": "short", "new": "long"}}]}}"#
    )
}

fn open(text: &str) -> Case {
    open_case("record.case.json", text.as_bytes(), &Artifacts::new()).unwrap()
}

fn certificate(text: &str) -> Certificate {
    let case = open(text);
    Certificate::bind(&case, &judge(&case, &mut Compiler::default(), &Unwatched).unwrap(), None).unwrap()
}

/// What an older program bound: the family of the cells, whatever the sources.
fn old_certificate(case: &Case) -> Certificate {
    let sources = case.sources().iter();
    Certificate {
        case: case.digest(),
        sources: sources.map(|s| BoundSource { name: s.name.clone(), old: s.old.digest, new: s.new.digest }).collect(),
        ..certificate(&record(false))
    }
}

fn check(certificate: &Certificate, case: Option<&Case>) -> Verification {
    let key = SecretKey::generate([1; 32]);
    let trust = TrustStore::new([key.public()]).unwrap();
    let bytes = certificate.sign(&[&key]);
    let against = Against { trust: Some(&trust), case };
    verify("record.cert.json", &bytes, against, &mut Compiler::default(), &Unwatched).unwrap()
}

#[test]
fn a_record_that_contradicts_itself_gets_no_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("record.case.json"), record(true)).unwrap();
    assert_eq!(code(&run(folder, &["keygen", "--out", "k"])), 0);

    let shown = run(folder, &["inspect", "record.case.json"]);
    assert_eq!(code(&shown), 3);
    let text = out(&shown);
    assert!(text.contains("uncertifiable") && !text.contains("receipt is"), "{text}");
    for pair in ["∅ (deny) and M (approve)", "P (deny) and MP (approve)"] {
        assert!(text.contains(&format!("`model` is the same in both versions, so {pair} are one input")), "{text}");
    }
    assert!(text.contains("record.case.json:2:47"), "the place of the first cell: {text}");

    let line = out(&run(folder, &["inspect", "record.case.json", "--json"]));
    let json: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(json["status"], "uncertifiable");
    assert_eq!(json["cells"], serde_json::json!([null, null, null, null]));
    let cells: Vec<_> = json["faults"].as_array().unwrap().iter().map(|f| f["cell"].as_u64().unwrap()).collect();
    assert_eq!(cells, [0, 1, 2, 3]);
    let places: Vec<_> = json["faults"].as_array().unwrap().iter().map(|f| f["place"]["column"].clone()).collect();
    assert_eq!(places.len(), 4);
    assert!(places.windows(2).all(|w| w[0] != w[1]), "each fault stands at its own cell: {line}");

    let refused = run(folder, &["certify", "record.case.json", "--key", "k", "--out", "certs"]);
    assert_eq!(code(&refused), 3, "{}", err(&refused));
    assert!(err(&refused).contains("the record contradicts itself: 4 of 4 cells"), "{}", err(&refused));
    let written = fs::read_dir(folder.join("certs")).map_or(0, Iterator::count);
    assert_eq!(written, 0);
}

#[test]
fn a_certificate_of_such_a_record_does_not_hold() {
    let case = open(&record(true));
    let old = old_certificate(&case);
    for at_hand in [None, Some(&case)] {
        let verification = check(&old, at_hand);
        assert_eq!(verification.verdict, Standing::Invalid);
        assert_eq!(verification.state, Some(EndState::ReplayDiffers));
        let text = format!("{:?}", verification.checks);
        assert!(
            text.contains("the cells contradict the sources: {model} has equal versions, so ∅ (deny) and M (approve)"),
            "{text}"
        );
        assert_eq!(text.contains("recorded nothing (the record contradicts itself)"), at_hand.is_some(), "{text}");
    }
    // Claiming steps that no table can have changes nothing.
    let stepped = Certificate { compatibility: Digest::of(b"[1]"), ..old };
    assert_eq!(check(&stepped, None).verdict, Standing::Invalid);
    let sound = open(&record(false));
    assert_eq!(check(&certificate(&record(false)), Some(&sound)).verdict, Standing::Pass);
}

/// Equal bytes are another state where steps are declared for one version only: nothing contradicts itself there.
#[test]
fn a_step_for_one_version_makes_a_difference() {
    let norms = r#"{"rules": [{"id": "w", "when": "days <= 14", "then": "approve"}], "default": "deny"}"#;
    let grants = r#"{"grants": [{"norm": "*"}]}"#;
    let text = format!(
        r#"{{"format": "decidendi/case@1", "id": "stepped", "adjudicator": {{"engine": "rules"}},
 "interface": {{"grounds": {{"days": {{"type": "int"}}}}}},
 "sources": [{{"name": "grounds", "old": {{"days": 2}}, "new": {{"days": 2}}}},
  {{"name": "norms", "old": {norms}, "new": {norms}}}, {{"name": "authority", "old": {grants}, "new": {grants}}}],
 "compatibility": [{{"source": "grounds", "version": "new", "step": "convert", "field": "days", "factor": "7", "from": "week", "to": "day"}}]}}"#
    )
    .replace(r#"{"type": "int"}"#, r#"{"type": "int", "unit": "day"}"#);
    let widened = text.replace(r#""factor": "7""#, r#""factor": "14""#);
    for (text, word) in [(&text, "approve"), (&widened, "deny")] {
        let case = open(text);
        let judgment = judge(&case, &mut Compiler::default(), &Unwatched).unwrap();
        assert_eq!(judgment.word(Mask(1)), Some(word), "{}", case_text(&case, &judgment));
        let said: Vec<String> = account(&case, &judgment).into_iter().map(|s| s.text).collect();
        assert!(said.iter().all(|s| !s.contains("contradicts")), "{said:?}");
        let certificate = Certificate::bind(&case, &judgment, None).unwrap();
        assert_eq!(check(&certificate, Some(&case)).verdict, Standing::Pass);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// For an engine the law is a theorem: leaving any sources as they were, no cell moves with them.
    #[test]
    fn no_engine_contradicts_itself(mut world in worlds(), same in any::<u32>()) {
        let (grounds, norms) = (world.grounds.len(), world.norms.len());
        let kept = |at: usize| same >> (at % 32) & 1 == 1;
        for (_, v) in world.grounds.iter_mut().enumerate().filter(|(i, _)| kept(*i)) { v[1] = v[0].clone(); }
        for (_, v) in world.norms.iter_mut().enumerate().filter(|(i, _)| kept(grounds + i)) { v[1] = v[0].clone(); }
        for (_, v) in world.authority.iter_mut().enumerate().filter(|(i, _)| kept(grounds + norms + i)) { v[1] = v[0].clone(); }
        let order: Vec<usize> = (0..world.k()).collect();
        let case = open(&world.case(&order));
        let judgment = judge(&case, &mut Compiler::default(), &Unwatched).unwrap();
        let cells = judgment.cube.cells();
        for at in 0..world.k() {
            if kept(at) || !case.sources()[at].is_changed() {
                for m in (0..cells.len() as u32).map(Mask) {
                    prop_assert_eq!(cells[m.0 as usize], cells[m.toggled(at).0 as usize]);
                }
            }
        }
        // So its certificate passes the check that a record's may fail.
        if let Ok(certificate) = Certificate::bind(&case, &judgment, None) {
            prop_assert_eq!(check(&certificate, Some(&case)).verdict, Standing::Pass);
        }
    }
}
