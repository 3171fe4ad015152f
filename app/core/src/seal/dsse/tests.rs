//! Envelopes: the known answer of other implementations, and every shape that is none.

use proptest::prelude::*;

use super::*;
use crate::seal::digest::Digest;
use crate::seal::foreign::{DSSE, bytes, named};

fn envelope() -> Envelope {
    Envelope::sign(IN_TOTO, b"{\"a\":1}".to_vec(), &[&SecretKey::generate([1; 32]), &SecretKey::generate([2; 32])])
}

#[test]
fn the_known_answer_of_openssl_and_securesystemslib() {
    let one = |name| named(DSSE, name)[0][0];
    let payload = one("payload").as_bytes().to_vec();
    assert_eq!(Digest::of(&pae(one("payload-type"), &payload)).hex(), one("pae-sha256"));
    let signatures = named(DSSE, "signature");
    let keys: Vec<SecretKey> =
        signatures.iter().map(|row| SecretKey::generate(bytes(row[0]).try_into().unwrap())).collect();
    let envelope = Envelope::sign(one("payload-type"), payload, &keys.iter().collect::<Vec<_>>());
    assert_eq!((envelope.signatures.len(), signatures.len()), (2, 2));
    for ((ours, key), theirs) in envelope.signatures.iter().zip(&keys).zip(&signatures) {
        assert_eq!(ours.keyid, theirs[1]);
        assert_eq!(key.public().to_pem().unwrap().lines().nth(1), Some(theirs[2]));
        assert_eq!(STANDARD.encode(&ours.sig), theirs[3]);
    }
}

#[test]
fn pae_counts_bytes() {
    assert_eq!(pae("a/b", "é".as_bytes()), "DSSEv1 3 a/b 2 é".as_bytes());
    assert_eq!(pae("", b""), b"DSSEv1 0  0 ");
}

#[test]
fn an_envelope_reads_back() {
    let bytes = envelope().to_bytes();
    assert_eq!(Envelope::read("f", &bytes), Ok(envelope()));
    assert_eq!(canon::canonical(&canon::read_signed("f", &bytes).unwrap()), bytes);
}

#[test]
fn unknown_fields_are_passed_over_and_the_key_id_is_optional() {
    let text = br#"{"x":0.5,"payload":"","payloadType":"t","signatures":[{"sig":"AA==","cert":null}]}"#;
    let read = Envelope::read("f", text).unwrap();
    assert_eq!(read.signatures, [Signature { keyid: String::new(), sig: vec![0] }]);
}

#[test]
fn both_alphabets_are_read_one_of_them_throughout() {
    let read = |payload: &str| {
        let text = format!(r#"{{"payload":"{payload}","payloadType":"t","signatures":[]}}"#);
        Envelope::read("f", text.as_bytes()).map(|envelope| envelope.payload)
    };
    assert_eq!(read("-_-_"), read("+/+/"));
    assert_eq!(read("-_8="), Ok(vec![0xfb, 0xff]));
}

#[test]
fn surplus_fields_are_named() {
    let text = br#"{"payload":"","payloadType":"t","x":1,"signatures":[{"sig":"","cert":null}]}"#;
    let (_, surplus) = Envelope::read_with_surplus("f", text).unwrap();
    assert_eq!(surplus, ["x", "signatures.cert"]);
}

#[test]
fn the_payload_type_is_taken_as_spelled() {
    // A Kelvin sign is a K after NFC; the signature covers the bytes as they came.
    let text = "{\"payload\":\"\",\"payloadType\":\"\u{212a}\",\"signatures\":[]}";
    assert_eq!(Envelope::read("f", text.as_bytes()).unwrap().payload_type, "\u{212a}");
}

#[test]
fn other_shapes_are_refused_with_their_place() {
    for (text, said) in [
        ("[]", "f:1:1: expected an object, found a list"),
        ("{}", "f:1:1: \"payload\" is missing"),
        (r#"{"payload":1}"#, "f:1:2: \"payload\" must be text, found an integer"),
        (r#"{"payload":"AB=="}"#, "f:1:2: \"payload\" is not strict base64"),
        (r#"{"payload":"AA"}"#, "f:1:2: \"payload\" is not strict base64"),
        (r#"{"payload":"A A="}"#, "f:1:2: \"payload\" is not strict base64"),
        (r#"{"payload":"-_+/"}"#, "f:1:2: \"payload\" is not strict base64"),
        (r#"{"payload":"-_8"}"#, "f:1:2: \"payload\" is not strict base64"),
        (r#"{"payload":"-_9="}"#, "f:1:2: \"payload\" is not strict base64"),
        (r#"{"payload":""}"#, "f:1:1: \"payloadType\" is missing"),
        (r#"{"payload":"","payloadType":"t"}"#, "f:1:1: \"signatures\" is missing"),
        (
            "{\"payload\":\"\",\"payloadType\":\"t\",\n\"signatures\":{}}",
            "f:2:1: \"signatures\" must be a list, found an object",
        ),
        (
            "{\"payload\":\"\",\"payloadType\":\"t\",\n\"signatures\":[\n7]}",
            "f:3:1: a signature must be an object, found an integer",
        ),
        (
            "{\"payload\":\"\",\"payloadType\":\"t\",\n\"signatures\":[{\"keyid\":null,\"sig\":\"\"}]}",
            "f:2:16: \"keyid\" must be text, found null",
        ),
        ("{\"payload\":\"\",\"payload\":\"\"}", "f:1:15: duplicate key \"payload\""),
    ] {
        let error = Envelope::read("f", text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
    let mut many = envelope();
    many.signatures = vec![many.signatures[0].clone(); SIGNATURES + 1];
    let error = Envelope::read("f", &many.to_bytes()).unwrap_err().to_string();
    assert!(error.contains("more than 64 signatures"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_altered_envelope_never_panics(at in any::<prop::sample::Index>(), to: u8) {
        let mut bytes = envelope().to_bytes();
        let at = at.index(bytes.len());
        bytes[at] = to;
        let _ = Envelope::read("f", &bytes);
    }
}
