//! Every single field of a certificate and of a case is changed, one at a time; each change must end in the right state.

use std::collections::BTreeMap;
use std::path::Path;

use decidendi_core::judgment::case::{Artifacts, Case};
use decidendi_core::judgment::certificate::Certificate;
use decidendi_core::judgment::verify::{Against, EndState, Standing, Verification, verify};
use decidendi_core::judgment::walk::{Compiler, judge, open_case};
use decidendi_core::seal::certificate::Certificate as _;
use decidendi_core::seal::dsse::{Envelope, IN_TOTO};
use decidendi_core::seal::key::SecretKey;
use decidendi_core::seal::verified::TrustStore;
use decidendi_core::watch::Unwatched;
use decidendi_files::bundle::Bundle;
use decidendi_files::check::verify_bundle;
use decidendi_files::evidence::Evidence;
use serde_json::Value;

use crate::mutants;

const CASE: &str = r#"{
  "format": "decidendi/case@1", "id": "return-window", "unit": "retail-07", "title": "Return window",
  "context": {"actor": "agent", "region": "EU"},
  "adjudicator": {"engine": "rules"},
  "interface": {
    "verdicts": ["approve", "deny", "refer"],
    "grounds": {"days": {"type": "int", "unit": "day", "min": 0}, "tier": {"type": "enum", "values": ["plain", "gold"]}},
    "parameters": {"window": {"type": "int", "unit": "day"}}
  },
  "sources": [
    {"name": "grounds", "old": {"days": 16, "level": "plain"}, "new": {"days": 13, "tier": "plain"}},
    {"name": "norms",
     "old": {"parameters": {"window": 14}, "rules": [{"id": "window", "when": "days <= window", "then": "approve"}], "default": "deny"},
     "new": {"parameters": {"window": 30}, "rules": [{"id": "window", "when": "days <= window", "then": "approve"}], "default": "deny"}},
    {"name": "authority", "old": {"grants": [{"norm": "*", "region": ["EU"]}]}, "new": {"grants": [{"norm": "*", "region": ["EU", "US"]}]}}
  ],
  "compatibility": [{"source": "grounds", "version": "old", "step": "rename", "from": "level", "to": "tier"}]
}"#;

fn open(text: &str) -> Case {
    open_case("case.json", text.as_bytes(), &Artifacts::new()).unwrap_or_else(|e| panic!("{e}"))
}

fn key(seed: u8) -> SecretKey {
    SecretKey::generate([seed; 32])
}

fn trust(seed: u8) -> TrustStore {
    TrustStore::new([key(seed).public()]).unwrap_or_else(|e| panic!("{e}"))
}

fn certify(case: &Case, signer: &SecretKey) -> Vec<u8> {
    let judgment = judge(case, &mut Compiler::default(), &Unwatched).unwrap_or_else(|e| panic!("{e}"));
    Certificate::bind(case, &judgment, None).unwrap_or_else(|e| panic!("{e}")).sign(&[signer])
}

fn check(bytes: &[u8], case: Option<&Case>, trust: Option<&TrustStore>) -> Verification {
    let against = Against { trust, case };
    verify("x.cert.json", bytes, against, &mut Compiler::default(), &Unwatched).unwrap_or_else(|e| panic!("{e}"))
}

/// The payload of a certificate as JSON.
fn payload(certificate: &[u8]) -> Value {
    let envelope = Envelope::read("x", certificate).unwrap_or_else(|e| panic!("{e}"));
    serde_json::from_slice(&envelope.payload).unwrap_or_else(|e| panic!("{e}"))
}

/// The same signatures over another payload.
fn with_payload(certificate: &[u8], payload: &Value) -> Vec<u8> {
    let mut envelope = Envelope::read("x", certificate).unwrap_or_else(|e| panic!("{e}"));
    envelope.payload = canonical(payload);
    envelope.to_bytes()
}

fn canonical(value: &Value) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(value).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn an_untouched_certificate_verifies_and_hands_on_a_verified_value() {
    let case = open(CASE);
    let result = check(&certify(&case, &key(1)), Some(&case), Some(&trust(1)));
    assert_eq!(result.state, Some(EndState::Verified), "{:#?}", result.checks);
    assert_eq!(result.verdict, Standing::Pass);
    assert!(result.verified.is_some_and(|v| v.get().case_id == "return-window"));
}

#[test]
fn every_change_of_the_payload_under_the_old_signature_is_altered() {
    let case = open(CASE);
    let certificate = certify(&case, &key(1));
    let mutants = mutants::of(&payload(&certificate));
    let caught = mutants
        .iter()
        .filter(|m| {
            let result = check(&with_payload(&certificate, &m.document), Some(&case), Some(&trust(1)));
            assert_eq!(result.state, Some(EndState::Altered), "{} {}: {:#?}", m.kind, m.path, result.checks);
            assert!(result.verified.is_none() && result.verdict == Standing::Invalid);
            true
        })
        .count();
    println!("payload changed under the old signature: {caught}/{} altered", mutants.len());
    assert!(mutants.len() > 200);
}

/// What a change of a field must end in when the changed payload is signed again by a trusted key: a well-signed lie.
fn expected_of_a_lie(path: &str, kind: &str) -> &'static [EndState] {
    const ALTERED: &[EndState] = &[EndState::Altered];
    const DIFFERS: &[EndState] = &[EndState::ReplayDiffers];
    const EITHER: &[EndState] = &[EndState::ReplayDiffers, EndState::Altered];
    let scalar = kind == "scalar";
    match path {
        // Nothing to recompute: who bound it says so under their own signature.
        "predicate.tool.name" | "predicate.tool.version" if scalar => &[EndState::Verified],
        "predicateType" if scalar => &[EndState::UnsupportedVersion],
        "predicate.adjudicator.version" | "predicate.adjudicator.engine" if scalar => &[EndState::UnsupportedVersion],
        _ if !scalar => EITHER,
        p if p.starts_with("predicate.cells") || p.starts_with("predicate.receipts") => EITHER,
        p if p.starts_with("predicate.minimality") => EITHER,
        "predicate.status" | "predicate.counts.executed" | "predicate.obtained" => DIFFERS,
        _ => ALTERED,
    }
}

#[test]
fn every_change_of_the_payload_signed_again_is_found_by_recomputing() {
    let case = open(CASE);
    let certificate = certify(&case, &key(1));
    let mutants = mutants::of(&payload(&certificate));
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    for m in &mutants {
        let lie = Envelope::sign(IN_TOTO, canonical(&m.document), &[&key(1)]).to_bytes();
        let result = check(&lie, Some(&case), Some(&trust(1)));
        let allowed = expected_of_a_lie(&m.path, m.kind);
        let state = result.state.unwrap_or_else(|| panic!("{} {} ended in no state", m.kind, m.path));
        assert!(allowed.contains(&state), "{} {}: {state:?}\n{:#?}", m.kind, m.path, result.checks);
        *ends.entry(state.word().to_owned()).or_default() += 1;
    }
    println!("payload changed and signed again: {}/{} ended right, {ends:?}", mutants.len(), mutants.len());
}

#[test]
fn every_change_of_the_envelope_ends_in_the_right_state() {
    let case = open(CASE);
    let certificate = certify(&case, &key(1));
    let envelope: Value = serde_json::from_slice(&certificate).unwrap_or_else(|e| panic!("{e}"));
    let mutants = mutants::of(&envelope);
    for m in &mutants {
        let result = check(&canonical(&m.document), Some(&case), Some(&trust(1)));
        // Key ids and surplus fields are not signed: they decide nothing, in either direction.
        let unsigned = m.path.ends_with("keyid") || m.kind == "unknown key";
        // The same signature twice is one signer.
        let twice = m.kind == "repeat" && m.path == "signatures";
        let state = result.state.unwrap_or_else(|| panic!("{} {}", m.kind, m.path));
        if unsigned || twice {
            assert_eq!(state, EndState::Verified, "{} {}: {:#?}", m.kind, m.path, result.checks);
        } else {
            assert_eq!(state, EndState::Altered, "{} {}: {:#?}", m.kind, m.path, result.checks);
        }
    }
    println!("envelope changed: {}/{} ended right", mutants.len(), mutants.len());
}

#[test]
fn every_change_of_the_case_is_altered_or_no_case() {
    let case = open(CASE);
    let certificate = certify(&case, &key(1));
    let mutants = mutants::of(case_value());
    let (mut altered, mut refused) = (0, 0);
    for m in &mutants {
        let text = m.document.to_string();
        match open_case("case.json", text.as_bytes(), &Artifacts::new()) {
            Err(_) => refused += 1,
            Ok(other) => {
                let result = check(&certificate, Some(&other), Some(&trust(1)));
                assert_eq!(result.state, Some(EndState::Altered), "{} {}: {:#?}", m.kind, m.path, result.checks);
                altered += 1;
            }
        }
    }
    println!("case changed: {altered} altered + {refused} refused = {}/{}", altered + refused, mutants.len());
    assert_eq!(altered + refused, mutants.len());
    assert!(altered > refused);
}

fn case_value() -> &'static Value {
    static VALUE: std::sync::OnceLock<Value> = std::sync::OnceLock::new();
    VALUE.get_or_init(|| serde_json::from_str(CASE).unwrap_or_else(|e| panic!("{e}")))
}

#[test]
fn another_signer_no_trust_and_no_case_are_told_apart() {
    let case = open(CASE);
    let certificate = certify(&case, &key(1));
    let stranger = check(&certificate, Some(&case), Some(&trust(2)));
    assert_eq!((stranger.state, stranger.verdict), (Some(EndState::UnknownSigner), Standing::Inconclusive));
    let nobody = check(&certificate, Some(&case), None);
    assert_eq!((nobody.state, nobody.verdict), (Some(EndState::UnknownSigner), Standing::Inconclusive));
    let alone = check(&certificate, None, Some(&trust(1)));
    assert_eq!((alone.state, alone.verdict), (None, Standing::Inconclusive));
    assert!(stranger.verified.is_none() && nobody.verified.is_none() && alone.verified.is_none());
}

#[test]
fn a_newer_certificate_is_unsupported_and_another_statement_is_refused() {
    let case = open(CASE);
    let mut newer = payload(&certify(&case, &key(1)));
    newer["predicateType"] = "https://decidendi.dev/judgment-receipt/v2".into();
    let bytes = Envelope::sign(IN_TOTO, canonical(&newer), &[&key(1)]).to_bytes();
    let result = check(&bytes, Some(&case), Some(&trust(1)));
    assert_eq!((result.state, result.verdict), (Some(EndState::UnsupportedVersion), Standing::Inconclusive));

    newer["predicateType"] = "https://in-toto.io/attestation/svr/v0.2".into();
    let bytes = Envelope::sign(IN_TOTO, canonical(&newer), &[&key(1)]).to_bytes();
    let result = check(&bytes, Some(&case), Some(&trust(1)));
    assert_eq!(result.verdict, Standing::Invalid);
    assert!(result.checks.iter().any(|c| c.detail.contains("not a judgment certificate")), "{:#?}", result.checks);
}

#[test]
fn one_key_twice_does_not_reach_a_threshold_of_two() {
    let case = open(CASE);
    let mut envelope = Envelope::read("x", &certify(&case, &key(1))).unwrap_or_else(|e| panic!("{e}"));
    let mut again = envelope.signatures[0].clone();
    "B".clone_into(&mut again.keyid);
    envelope.signatures.push(again);
    let store = TrustStore::new([key(1).public(), key(2).public()])
        .and_then(|store| store.with_threshold(2))
        .unwrap_or_else(|e| panic!("{e}"));
    let result = check(&envelope.to_bytes(), Some(&case), Some(&store));
    assert_eq!(result.verdict, Standing::Inconclusive);
    assert!(result.checks.iter().any(|c| c.detail.contains("1 of 2 needed")), "{:#?}", result.checks);
    assert!(TrustStore::new([key(1).public(), key(1).public()]).is_err());
}

#[test]
fn every_change_of_a_bundle_ends_in_the_right_state() {
    let case = open(CASE);
    let entries = Bundle::new(&case, certify(&case, &key(1))).entries();
    let store = trust(1);
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, entry) in entries.iter().enumerate() {
        let file: Value = serde_json::from_slice(&entry.bytes).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        for m in mutants::of(&file) {
            let mut changed = entries.clone();
            changed[i].bytes = canonical(&m.document);
            let result = verify_bundle(
                Path::new("x.decidendi"),
                Bundle::from_entries(changed),
                Some(&store),
                &Evidence::default(),
                &mut Compiler::default(),
                &Unwatched,
            );
            let place = format!("{} {} {}", entry.name, m.kind, m.path);
            let state = result.map_or("refused", |v| v.state.map_or("no state", EndState::word));
            // The list binds every file by digest, so even what no signature covers cannot change unseen.
            assert!(["altered", "unsupported-version"].contains(&state), "{place}: {state}");
            *ends.entry(state).or_default() += 1;
        }
    }
    println!("bundle changed: {} changes, {ends:?}", ends.values().sum::<usize>());
}
