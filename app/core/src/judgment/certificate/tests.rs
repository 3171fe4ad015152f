use proptest::prelude::*;

use super::{BoundSource, Certificate, NotCertifiable, Time, prove};
use crate::judgment::case::{Artifacts, Case};
use crate::judgment::result::Judgment;
use crate::judgment::sandbox::Sandbox;
use crate::judgment::source::{Mask, Version};
use crate::judgment::walk::{Compiler, judge, open_case};
use crate::limits::DOCUMENT_BYTES;
use crate::seal::canon::{canonical, read_signed};
use crate::seal::certificate::Certificate as _;
use crate::seal::digest::Digest;
use crate::seal::json::{Json, JsonPath};
use crate::seal::statement::Statement;
use crate::watch::Unwatched;

#[test]
fn a_time_has_one_spelling() {
    assert!(Time::parse("2026-11-29T10:00:00.000Z").is_some());
    assert!(Time::parse("2024-02-29T23:59:59.999Z").is_some());
    for bad in [
        "2026-11-29T23:59:60Z",
        "2026-11-29T23:59:60.000Z",
        "2026-11-29t10:00:00z",
        "2026-11-29t10:00:00.000z",
        "2026-11-29T10:00:00+24:00",
        "2026-11-29T10:00:00.1234567890Z",
        "2026-11-29T10:00:00Z",
        "2026-02-29T10:00:00.000Z",
        "2026-13-01T10:00:00.000Z",
        "2026-00-01T10:00:00.000Z",
        "2026-01-00T10:00:00.000Z",
        "2026-11-29T24:00:00.000Z",
        "2026-11-29T10:60:00.000Z",
        "２026-11-29T10:00:00.000Z",
        "",
    ] {
        assert!(Time::parse(bad).is_none(), "{bad}");
    }
}

fn table(id: &str, cells: usize, name: &str, label: &str) -> Case {
    let cell = |i| if i + 1 == cells { format!("{label:?}") } else { "\"deny\"".to_owned() };
    let cells: Vec<String> = (0..cells).map(cell).collect();
    let sources: Vec<String> = (0..cells.len().trailing_zeros())
        .map(|i| format!(r#"{{"name": "{name}{i:02}", "old": {{"x": 0}}, "new": {{"x": 1}}}}"#))
        .collect();
    let text = format!(
        r#"{{"format": "decidendi/case@1", "id": "{id}", "adjudicator": {{"engine": "table", "cells": [{}]}},
            "interface": {{"verdicts": ["deny", {label:?}]}}, "sources": [{}]}}"#,
        cells.join(", "),
        sources.join(", ")
    );
    open_case("t.json", text.as_bytes(), &Artifacts::default()).expect("a case")
}

fn judged(case: &Case) -> Judgment {
    judge(case, &mut Compiler::default(), &Unwatched).expect("judges")
}

/// An edited copy has the id and the sources of its case; what it gives is bound to neither.
#[test]
fn what_was_judged_in_a_sandbox_is_never_bound() {
    let case = table("t", 4, "s", "approve");
    let mut sandbox = Sandbox::of(&case);
    let judge = |sandbox: &Sandbox| sandbox.judge(&mut Compiler::default(), &Unwatched).expect("judges");
    assert!(Certificate::bind(&case, &judge(&sandbox), None).is_ok(), "nothing was edited yet");
    sandbox.edit(0, Version::New, &JsonPath::default().key("x"), Json::Int(2)).expect("edits");
    let refused = Certificate::bind(&case, &judge(&sandbox), None).expect_err("an edited copy");
    assert_eq!(refused, NotCertifiable::OtherCase("t".to_owned()));
    let other = judged(&table("other", 4, "s", "approve"));
    assert_eq!(Certificate::bind(&case, &other, None), Err(NotCertifiable::OtherCase("other".to_owned())));
}

#[test]
fn a_certificate_that_no_reader_accepts_is_not_made() {
    let long = table("t", 1 << 16, &"n".repeat(60), "approve");
    let refused = Certificate::bind(&long, &judged(&long), None).expect_err("too long");
    assert!(matches!(refused, NotCertifiable::TooLong { bytes } if bytes > DOCUMENT_BYTES), "{refused}");
    let wordy = table("t", 1 << 10, "s", &"\"".repeat(40_000));
    let refused = Certificate::bind(&wordy, &judged(&wordy), None).map(|c| c.payload().len());
    assert_eq!(refused.map(|n| n < DOCUMENT_BYTES), Ok(true), "one long label is listed once");
    let short = table("t", 1 << 16, "s", "approve");
    let payload = Certificate::bind(&short, &judged(&short), None).expect("fits").payload();
    assert!(Statement::read(&payload).is_ok());
}

/// A certificate of any content, true or not: writing and reading do not judge.
fn certificates() -> impl Strategy<Value = Certificate> {
    let name = "[a-zA-Zéß \"\\\\.-]{1,12}";
    (1_usize..4, any::<[u8; 32]>(), prop::collection::vec(name, 8), any::<u64>()).prop_map(|(k, seed, words, n)| {
        let digest = |i: usize| Digest::of(&[&seed[..], &[i as u8]].concat());
        let cells: Vec<String> = (0..1 << k).map(|i| words[(n >> i) as usize % 8].clone()).collect();
        let receipts = vec![Mask(1), Mask::full(k)];
        Certificate {
            case_id: words[0].clone(),
            case: digest(0),
            interface: digest(1),
            engine: words[1].clone(),
            engine_version: "1".to_owned(),
            adjudicator: digest(2),
            compatibility: digest(3),
            sources: (0..k)
                .map(|i| BoundSource { name: format!("{i}{}", words[i]), old: digest(4 + i), new: digest(9 + i) })
                .collect(),
            obtained: words[2].clone(),
            minimality: prove(&receipts, &cells),
            cells,
            status: words[3].clone(),
            receipts,
            executed: n >> 12,
            tool: words[4].clone(),
            tool_version: words[5].clone(),
            time: Time::parse("2026-11-29T10:00:00.000Z").filter(|_| n % 2 == 0),
        }
    })
}

proptest! {
    #[test]
    fn a_payload_is_canonical_and_reads_back(certificate in certificates()) {
        let payload = certificate.payload();
        let json = read_signed("payload", &payload).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(canonical(&json), payload.clone());
        let statement = Statement::read(&payload).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(Certificate::read(&statement), Ok(certificate));
    }
}
