//! Who signed what: thresholds, key ids, altered and stripped envelopes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;

use super::*;
use crate::seal::digest::Digest;
use crate::seal::dsse::{SIGNATURES, Signature};
use crate::seal::foreign::{DSSE, named};
use crate::seal::json::Json;
use crate::seal::key::SecretKey;

fn key(seed: u8) -> SecretKey {
    SecretKey::generate([seed; 32])
}

fn trust(seeds: &[u8], threshold: usize) -> TrustStore {
    TrustStore::new(seeds.iter().map(|&s| key(s).public())).unwrap().with_threshold(threshold).unwrap()
}

fn statement() -> Statement {
    Statement {
        subjects: vec![("case.json".to_owned(), Digest::of(b"case"))],
        predicate_type: "https://decidendi.dev/judgment-receipt/v1".to_owned(),
        predicate: Json::map([("n", Json::Int(1))]),
    }
}

fn signed(seeds: &[u8]) -> Envelope {
    let keys: Vec<SecretKey> = seeds.iter().map(|&s| key(s)).collect();
    Envelope::sign(IN_TOTO, statement().to_bytes(), &keys.iter().collect::<Vec<_>>())
}

fn verified(outcome: Outcome) -> Verified<Payload> {
    match outcome {
        Outcome::Verified(verified) => verified,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_was_verified_is_handed_on() {
    let payload = verified(check(&signed(&[1, 2]), &trust(&[2, 3, 1], 2)));
    let signers: Vec<_> = payload.signers().iter().map(|s| s.key.clone()).collect();
    assert_eq!(signers, [key(2).public(), key(1).public()]);
    assert!(payload.signers().iter().all(Signer::is_named_rightly));
    let read = payload.statement().unwrap();
    assert_eq!(read.get(), &statement());
    assert_eq!(read.signers(), payload.signers());
}

#[test]
fn the_threshold_counts_distinct_keys() {
    let mut twice = signed(&[1]);
    let mut copy = twice.signatures[0].clone();
    copy.keyid = "B".to_owned();
    twice.signatures.push(copy);
    let Outcome::TooFew { signers, needed } = check(&twice, &trust(&[1, 2], 2)) else { panic!() };
    assert_eq!((signers.len(), needed), (1, 2));
}

#[test]
fn a_trust_store_is_sound_or_none() {
    let store = |seeds: &[u8]| TrustStore::new(seeds.iter().map(|&s| key(s).public()));
    assert_eq!(store(&[1, 2, 1]), Err(TrustError::Twice(key(1).public().key_id())));
    assert_eq!(store(&[]), Err(TrustError::Threshold { threshold: 1, keys: 0 }));
    for threshold in [0, 3] {
        let error = store(&[1, 2]).unwrap().with_threshold(threshold);
        assert_eq!(error, Err(TrustError::Threshold { threshold, keys: 2 }));
    }
}

#[test]
fn a_stripped_envelope_is_unsigned() {
    assert_eq!(check(&signed(&[]), &trust(&[1], 1)), Outcome::NoSignature);
}

#[test]
fn the_key_id_words_a_failure_but_decides_nothing() {
    // A signer whom nobody trusts, then one who claims to be somebody else.
    let mut envelope = signed(&[9]);
    let keyids = vec![key(9).public().key_id()];
    assert_eq!(check(&envelope, &trust(&[1], 1)), Outcome::UnknownSigner { keyids });
    envelope.signatures[0].keyid = key(1).public().key_id();
    assert_eq!(check(&envelope, &trust(&[1], 1)), Outcome::BadSignature { named: vec![key(1).public()] });
    // A changed key id on a good signature changes nothing but a note.
    for keyid in ["", "x", &key(2).public().key_id()] {
        let mut envelope = signed(&[1]);
        envelope.signatures[0].keyid = keyid.to_owned();
        let payload = verified(check(&envelope, &trust(&[1, 2], 1)));
        assert_eq!(payload.signers().len(), 1);
        assert_eq!(payload.signers()[0].key, key(1).public());
        assert!(!payload.signers()[0].is_named_rightly());
    }
}

#[test]
fn payload_and_type_are_both_signed() {
    let bad = Outcome::BadSignature { named: vec![key(1).public()] };
    let mut other = signed(&[1]);
    other.payload_type = "application/vnd.in-toto+jsom".to_owned();
    assert_eq!(check(&other, &trust(&[1], 1)), bad);
    let mut other = signed(&[1]);
    other.payload.push(b' ');
    assert_eq!(check(&other, &trust(&[1], 1)), bad);
    // Well signed, but of another kind.
    let other = Envelope::sign("text/plain", b"hello".to_vec(), &[&key(1)]);
    let payload = verified(check(&other, &trust(&[1], 1)));
    assert_eq!(payload.statement(), Err(StatementError::PayloadType("text/plain".to_owned())));
}

#[test]
fn a_shifted_scalar_is_no_second_signature() {
    // S + L for the group order L: the equation still holds, the strict rule does not.
    let order = hex::decode("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010").unwrap();
    let mut envelope = signed(&[1]);
    let sig = &mut envelope.signatures[0].sig;
    let mut carry = 0_u16;
    for (byte, add) in sig[32..].iter_mut().zip(order) {
        carry += u16::from(*byte) + u16::from(add);
        *byte = carry.to_le_bytes()[0];
        carry >>= 8;
    }
    assert_eq!(check(&envelope, &trust(&[1], 1)), Outcome::BadSignature { named: vec![key(1).public()] });
}

#[test]
fn signatures_of_any_length_are_tried_without_harm() {
    let mut envelope = signed(&[1]);
    let good = envelope.signatures[0].clone();
    envelope.signatures =
        (0..SIGNATURES - 1).map(|n| Signature { keyid: good.keyid.clone(), sig: vec![0; n] }).collect();
    assert_eq!(check(&envelope, &trust(&[1], 1)), Outcome::BadSignature { named: vec![key(1).public()] });
    envelope.signatures.push(good);
    assert!(matches!(check(&envelope, &trust(&[1], 1)), Outcome::Verified(_)));
}

/// As another program would write it: pretty-printed, key ids and signatures of others.
#[test]
fn the_known_answer_verifies() {
    let one = |name| named(DSSE, name)[0][0];
    let signers = named(DSSE, "signature");
    let key = |row: &[&str]| {
        PublicKey::from_pem(format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", row[2])).unwrap()
    };
    let file = serde_json::to_string_pretty(&serde_json::json!({
        "payload": STANDARD.encode(one("payload")),
        "payloadType": one("payload-type"),
        "signatures": signers.iter().map(|row| serde_json::json!({"keyid": row[1], "sig": row[3]})).collect::<Vec<_>>(),
    }));
    let envelope = Envelope::read("kat.dsse.json", file.unwrap().as_bytes()).unwrap();
    assert_eq!(Digest::of(&envelope.pae()).hex(), one("pae-sha256"));
    let store = TrustStore::new(signers.iter().map(|row| key(row))).unwrap().with_threshold(2).unwrap();
    let statement = verified(check(&envelope, &store)).statement().unwrap();
    assert_eq!(statement.get().predicate.get("note").and_then(Json::as_text), Some("café"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Of a whole file: whatever byte is changed, either it no longer reads, or it does not verify, or what is handed
    /// on is what was signed (the change was in a key id or in free text).
    #[test]
    fn no_changed_byte_changes_what_is_verified(at in any::<prop::sample::Index>(), to: u8) {
        let mut bytes = signed(&[1]).to_bytes();
        let at = at.index(bytes.len());
        bytes[at] = to;
        if let Ok(envelope) = Envelope::read("f", &bytes)
            && let Outcome::Verified(payload) = check(&envelope, &trust(&[1], 1))
        {
            let read = payload.statement().unwrap();
            prop_assert_eq!(read.get(), &statement());
        }
    }
}
