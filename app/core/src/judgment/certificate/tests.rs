use proptest::prelude::*;

use super::{BoundSource, Certificate, Time, prove};
use crate::judgment::source::Mask;
use crate::seal::canon::{canonical, read_signed};
use crate::seal::digest::Digest;
use crate::seal::statement::Statement;

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
