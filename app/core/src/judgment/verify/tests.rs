//! What a certificate claims is bounded by what follows from its cells, and the reason given for a fault is the fault.

use super::{Against, EndState, Status, Verification, verify};
use crate::judgment::case::Artifacts;
use crate::judgment::certificate::{Certificate, MinimalityProof};
use crate::judgment::source::Mask;
use crate::judgment::walk::{Compiler, judge, open_case};
use crate::seal::canon::canonical;
use crate::seal::certificate::Certificate as _;
use crate::seal::digest::Digest;
use crate::seal::dsse::{Envelope, IN_TOTO};
use crate::seal::json::Json;
use crate::seal::key::SecretKey;
use crate::seal::statement::Statement;
use crate::seal::verified::TrustStore;
use crate::watch::Unwatched;

fn key() -> SecretKey {
    SecretKey::generate([7; 32])
}

/// The certificate of a recorded case of `k` sources whose last cell alone approves.
fn certificate(k: usize) -> Certificate {
    let cells: Vec<&str> = (0..1 << k).map(|m| if m + 1 == 1 << k { "\"approve\"" } else { "\"deny\"" }).collect();
    let sources: Vec<String> = (0..k).map(|i| format!(r#"{{"name": "s{i}", "old": 0, "new": 1}}"#)).collect();
    let text = format!(
        r#"{{"format": "decidendi/case@1", "id": "c", "adjudicator": {{"engine": "table", "cells": [{}]}}, "sources": [{}]}}"#,
        cells.join(","),
        sources.join(",")
    );
    let case = open_case("c.json", text.as_bytes(), &Artifacts::default()).expect("a case");
    let judgment = judge(&case, &mut Compiler::default(), &Unwatched).expect("judges");
    Certificate::bind(&case, &judgment, None).expect("binds")
}

fn verified(bytes: &[u8]) -> Verification {
    let trust = TrustStore::new([key().public()]).expect("one key");
    let against = Against { trust: Some(&trust), case: None };
    verify("c.cert.json", bytes, against, &mut Compiler::default(), &Unwatched).expect("an envelope")
}

#[test]
fn nothing_is_derived_from_receipts_that_do_not_follow() {
    let honest = certificate(12);
    assert_eq!(verified(&honest.sign(&[&key()])).checks[4].status, Status::Pass);
    let many: Vec<Mask> = (0..20_000).map(|_| Mask::full(12)).collect();
    let liar = Certificate { receipts: many, minimality: Vec::new(), ..honest.clone() };
    let found = verified(&liar.sign(&[&key()]));
    assert_eq!((found.checks[3].status, found.checks[4].status), (Status::Fail, Status::NotRun));
    assert!(found.checks[3].detail.len() < 2_000, "{}", found.checks[3].detail);
    assert_eq!(found.state, Some(EndState::ReplayDiffers));
    // The right family with a proof that is short, long, out of place, or of another cell.
    let proof = &honest.minimality[0];
    let swapped = {
        let mut proof = proof.clone();
        proof.subsets.swap(1, 2);
        proof
    };
    let relabelled = {
        let mut proof = proof.clone();
        proof.subsets[3].1 = "approve".to_owned();
        proof
    };
    let other = MinimalityProof { member: Mask(1), ..proof.clone() };
    for minimality in [vec![], vec![proof.clone(); 2], vec![swapped], vec![relabelled], vec![other]] {
        let found = verified(&Certificate { minimality, ..honest.clone() }.sign(&[&key()]));
        assert_eq!((found.checks[3].status, found.checks[4].status), (Status::Pass, Status::Fail), "{found:#?}");
    }
}

/// A certificate whose statement was changed and signed again: what check 2 says of it.
fn told(change: impl FnOnce(&mut Statement)) -> String {
    let mut statement = Statement::read(&certificate(2).payload()).expect("a statement");
    change(&mut statement);
    let bytes = Envelope::sign(IN_TOTO, canonical(&statement.to_json()), &[&key()]).to_bytes();
    let found = verified(&bytes);
    assert_eq!((found.state, found.checks[1].status), (Some(EndState::Altered), Status::Fail), "{found:#?}");
    found.checks[1].detail.clone()
}

fn set(json: &mut Json, key: &str, value: Json) {
    let Json::Map(entries) = json else { panic!("no object") };
    entries.retain(|(k, _)| k != key);
    entries.push((key.to_owned(), value));
}

#[test]
fn the_reason_given_is_the_reason() {
    assert_eq!(
        told(|s| s.subjects[2].1 = Digest::of(b"else")),
        "the digest of subject `s0.new` differs from the one in `predicate.sources`"
    );
    assert_eq!(
        told(|s| s.subjects[0].1 = Digest::of(b"else")),
        "the digest of subject `case.json` differs from the one in `predicate.case`"
    );
    assert_eq!(told(|s| s.subjects.swap(3, 4)), "subject 4 is `s1.new`; `s1.old` is owed there");
    assert_eq!(
        told(|s| {
            s.subjects.pop();
        }),
        "subject 5 is none; `s1.new` is owed there"
    );
    assert_eq!(
        told(|s| set(&mut s.predicate, "counts", Json::map([("executed", Json::Int(0)), ("sources", Json::Int(9))]))),
        "`statement.predicate.counts.sources` states 9, which differs from 2, which follows from the rest of the statement"
    );
    assert_eq!(
        told(|s| set(&mut s.predicate, "remark", Json::text("x"))),
        "`statement.predicate.remark` is unknown; a certificate of this kind has no such field"
    );
    assert_eq!(
        told(|s| set(&mut s.predicate, "status", Json::Int(1))),
        "`predicate.status` is of the wrong kind, or in another spelling than its one"
    );
}

#[test]
fn the_form_of_the_envelope_is_free_and_told() {
    let signed = certificate(2).sign(&[&key()]);
    let plain = String::from_utf8(signed).expect("text");
    let (lead, sig) = plain.split_once("\"sig\":\"").expect("a signature");
    let (sig, tail) = sig.split_once('"').expect("its end");
    let url = format!("{lead}\"sig\":\"{}\"{tail}", sig.replace('+', "-").replace('/', "_"));
    let spaced = plain.replace(",\"signatures\"", ", \"signatures\"");
    let surplus = plain.replace(",\"signatures\"", ",\"seen\":true,\"signatures\"");
    for (bytes, word) in [
        (plain.as_str(), "RFC 8785"),
        (plain.trim_end(), "RFC 8785"),
        (&spaced, "another way that DSSE allows"),
        (&surplus, "also holds `seen`, which nobody signed and nothing uses"),
        (&url, ""),
    ] {
        let found = verified(bytes.as_bytes());
        assert_eq!((found.checks[0].status, found.checks[2].status), (Status::Pass, Status::Pass), "{bytes}");
        assert!(found.checks[0].detail.ends_with(word) || word.is_empty(), "{}", found.checks[0].detail);
    }
}
