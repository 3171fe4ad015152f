//! Laws of the canonical writer and of the readers, over random documents, and the RFC's own samples.

use proptest::prelude::*;

use super::super::*;
use crate::seal::digest::Digest;
use crate::seal::foreign::{ES6_NUMBERS, RFC8785_SAMPLES, named, rows};
use crate::seal::json::Step;

#[test]
fn utf16_order_puts_the_emoji_first() {
    let json = Json::map([("\u{ff20}", Json::Int(1)), ("\u{1f600}", Json::Int(2)), ("a", Json::Int(3))]);
    assert_eq!(canonical(&json), "{\"a\":3,\"\u{1f600}\":2,\"\u{ff20}\":1}".as_bytes());
}

#[test]
fn float_roundtrip_is_on_and_arbitrary_precision_off() {
    let document = read_input("f", b"[-3.333333333333333e-10]").unwrap();
    assert_eq!(canonical(&document.root), b"[-3.333333333333333e-10]");
}

/// Our value of a library value, without the strict reader's rules.
fn of_library(value: &serde_json::Value) -> Json {
    match value {
        serde_json::Value::Null => Json::Null,
        serde_json::Value::Bool(b) => Json::Bool(*b),
        serde_json::Value::Number(n) => n.as_i64().map_or_else(|| Json::Float(n.as_f64().unwrap()), Json::Int),
        serde_json::Value::String(s) => Json::Text(s.clone()),
        serde_json::Value::Array(a) => Json::List(a.iter().map(of_library).collect()),
        serde_json::Value::Object(o) => Json::Map(o.iter().map(|(k, v)| (k.clone(), of_library(v))).collect()),
    }
}

fn to_library(value: &Json) -> serde_json::Value {
    match value {
        Json::Null => serde_json::Value::Null,
        Json::Bool(b) => (*b).into(),
        Json::Int(i) => (*i).into(),
        Json::Float(x) => (*x).into(),
        Json::Text(s) => s.as_str().into(),
        Json::List(a) => a.iter().map(to_library).collect(),
        Json::Map(o) => o.iter().map(|(k, v)| (k.clone(), to_library(v))).collect(),
    }
}

#[test]
fn the_samples_of_the_rfc_come_out_byte_for_byte() {
    let mut ran = 0;
    for row in rows(RFC8785_SAMPLES) {
        let [name, input, output] = row[..] else { panic!("{row:?}") };
        let value: serde_json::Value = serde_json::from_str(input).unwrap();
        assert_eq!(String::from_utf8(canonical(&of_library(&value))).unwrap(), output, "{name}");
        ran += 1;
    }
    assert_eq!(ran, 6);
}

/// The published sequence of doubles, worked out anew, against the published digests of their spellings.
#[test]
fn a_hundred_thousand_numbers_are_spelled_as_published() {
    let opening = named(ES6_NUMBERS, "bits").into_iter().map(|row| u64::from_str_radix(row[0], 16).unwrap());
    let serial = (0..2000).map(|n| 0x0010_0000_0000_0000 + n);
    let mut block = [0; 32];
    let drawn = std::iter::repeat_with(|| {
        block = Digest::of(&block).0;
        block
    });
    let drawn = drawn
        .flat_map(|block| {
            block.chunks_exact(8).map(|eight| u64::from_le_bytes(eight.try_into().unwrap())).collect::<Vec<_>>()
        })
        .filter(|&bits| f64::from_bits(bits).is_finite() && f64::from_bits(bits) != 0.0);
    let (mut lines, mut count) = (Vec::new(), 0);
    for bits in opening.chain(serial).chain(drawn).take(100_000) {
        lines.extend(format!("{bits:x},").into_bytes());
        lines.extend(canonical(&Json::Float(f64::from_bits(bits))));
        lines.push(b'\n');
        count += 1;
        if [1_000, 10_000, 100_000].contains(&count) {
            assert_eq!(Digest::of(&lines).hex(), named(ES6_NUMBERS, &count.to_string())[0][0], "{count}");
        }
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-e]{0,3}",
        "\\PC{0,6}",
        proptest::collection::vec(
            prop_oneof![
                Just('\u{ff20}'),
                Just('\u{1f600}'),
                Just('\u{e000}'),
                Just('\u{301}'),
                Just('e'),
                Just('"'),
                Just('\\'),
                Just('/'),
                proptest::char::range('\0', '\u{a0}'),
            ],
            0..6
        )
        .prop_map(|chars| chars.into_iter().collect::<String>()),
    ]
}

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        (-LARGEST_INTEGER..=LARGEST_INTEGER).prop_map(Json::Int),
        (-100_i64..100).prop_map(Json::Int),
        proptest::num::f64::NORMAL.prop_map(Json::Float),
        any::<i32>().prop_map(|n| Json::Float(f64::from(n) / 1024.0)),
        any_text().prop_map(Json::Text),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..8).prop_map(Json::List),
            proptest::collection::hash_map(any_text(), inner, 0..20).prop_map(|m| Json::Map(m.into_iter().collect())),
        ]
    })
}

/// Without fractions, NFC: what may be signed.
fn signable(value: Json) -> Json {
    match value {
        Json::Float(x) => Json::text(x.to_string()),
        Json::Text(text) => Json::Text(nfc(&text).into_owned()),
        Json::List(items) => Json::List(items.into_iter().map(signable).collect()),
        Json::Map(entries) => {
            let entries = entries.into_iter().map(|(k, v)| (nfc(&k).into_owned(), signable(v)));
            let unique: std::collections::BTreeMap<String, Json> = entries.collect();
            Json::Map(unique.into_iter().collect())
        }
        other => other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn our_writer_equals_the_library(json in any_json()) {
        let library = serde_json_canonicalizer::to_vec(&to_library(&json)).unwrap();
        prop_assert_eq!(String::from_utf8(canonical(&json)).unwrap(), String::from_utf8(library).unwrap());
    }

    #[test]
    fn canonical_bytes_read_back_as_signed(json in any_json()) {
        let bytes = canonical(&signable(json));
        let back = read_signed("f", &bytes).unwrap();
        prop_assert_eq!(canonical(&back), bytes.clone());
        let document = read_input("f", &bytes).unwrap();
        prop_assert_eq!(document.root, back);
        prop_assert!(document.notices.is_empty());
    }

    #[test]
    fn any_changed_byte_is_refused_or_says_something_else(json in any_json(), at in any::<prop::sample::Index>(), to: u8) {
        let bytes = canonical(&signable(json));
        let mut changed = bytes.clone();
        let at = at.index(bytes.len());
        changed[at] = to;
        if let Ok(read) = read_signed("f", &changed) {
            prop_assert_eq!(canonical(&read), changed);
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = read_input("f", &bytes);
        let _ = read_signed("f", &bytes);
        let _ = locate(&bytes, &JsonPath(vec![Step::At(1), Step::Key("a".to_owned())]));
        let _ = read_lines("f", &bytes).count();
    }

    #[test]
    fn no_json_like_text_makes_a_reader_panic(text in "[\\[\\]{}:,\"\\\\aeu0-9.+\\- \n]{0,40}") {
        let bytes = text.as_bytes();
        let _ = read_input("f", bytes);
        let _ = read_foreign("f", bytes);
        let _ = locate(bytes, &JsonPath(vec![Step::Key("a".to_owned()), Step::At(0), Step::Key("e".to_owned())]));
        let _ = first_lost(bytes, bytes.len() % 2 == 0);
    }
}
