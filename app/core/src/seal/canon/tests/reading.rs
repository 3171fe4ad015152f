//! What the strict readers take, refuse, normalise and point at.

use super::super::*;
use crate::limits::{DOCUMENT_BYTES, DOCUMENT_DEPTH};
use crate::seal::json::Step;

/// The error of each reader for bytes that all of them refuse alike.
fn refused(bytes: &[u8]) -> ReadError {
    let error = read_input("f", bytes).unwrap_err();
    assert_eq!(read_signed("f", bytes).as_ref(), Err(&error), "{bytes:?}");
    assert_eq!(read_foreign("f", bytes).as_ref(), Err(&error), "{bytes:?}");
    error
}

fn at(bytes: &[u8], line: u32, column: u32, fault: &ReadFault) {
    let error = refused(bytes);
    assert_eq!((error.place.line, error.place.column, &error.fault), (line, column, fault), "{error}");
}

#[test]
fn what_two_readers_could_understand_differently_is_refused() {
    let double = |key: &str| ReadFault::DuplicateKey(key.to_owned());
    at(b"{\"a\":1,\n \"a\":2}", 2, 2, &double("a"));
    at(br#"{"status":"rejected","stat\u0075s":"accepted"}"#, 1, 22, &double("status"));
    at(br#"{"x":[{"y":1},{"k":1,"l":2,"k":3}]}"#, 1, 28, &double("k"));
    at(b"[\"\xff\"]", 1, 3, &ReadFault::NotUtf8);
    at(b"\xff\xfe[\x00]\x00", 1, 1, &ReadFault::NotUtf8);
    at(b"[\"\xc0\xaf\"]", 1, 3, &ReadFault::NotUtf8);
    at(b"[\"\xed\xa0\x80\"]", 1, 3, &ReadFault::NotUtf8);
    at(b"\xef\xbb\xbf[]", 1, 1, &ReadFault::ByteOrderMark);
    at(b"[1,9007199254740993]", 1, 4, &ReadFault::IntegerTooLarge);
    at(b"[-9007199254740992]", 1, 2, &ReadFault::IntegerTooLarge);
    at(b"[18446744073709551615]", 1, 2, &ReadFault::IntegerTooLarge);
    at(b"[18446744073709551616]", 1, 2, &ReadFault::IntegerTooLarge);
    at(b"[1e300]", 1, 2, &ReadFault::IntegerTooLarge);
    at(b"{\"a\":{\"$serde_json::private::Number\":\"1e400\"}}", 1, 7, &reserved("Number"));
    at(b"{\"$serde_json::private::RawValue\":\"1\"}", 1, 2, &reserved("RawValue"));
    for (bytes, fault) in [
        (&b"[\"\\ude00\\ud83d\"]"[..], ReadFault::Surrogate),
        (b"[\"\\ud83d\"]", ReadFault::Surrogate),
        (b"{\"\\ud83d\":1}", ReadFault::Surrogate),
        (b"[1e400]", ReadFault::OutOfRange),
        (b"[NaN]", ReadFault::NotFinite),
        (b"{\"a\":Infinity}", ReadFault::NotFinite),
        (b"[-Infinity]", ReadFault::NotFinite),
        (b"{} x", ReadFault::Trailing),
        (b"{}{}", ReadFault::Trailing),
        (b"", ReadFault::Empty),
        (b" \n ", ReadFault::Empty),
        (b"{\"a\":[1,", ReadFault::Cut),
        (b"\"abc", ReadFault::Cut),
    ] {
        assert_eq!(refused(bytes).fault, fault, "{}", String::from_utf8_lossy(bytes));
    }
    for bytes in
        [&b"[01]"[..], b"[1,]", b"{'a':1}", b"[+1]", b"[.5]", b"[1.]", b"{\"a\" 1}", b"[\"\x01\"]", b"[\"\\x\"]"]
    {
        assert!(matches!(refused(bytes).fault, ReadFault::Syntax(_)), "{}", String::from_utf8_lossy(bytes));
    }
}

fn reserved(name: &str) -> ReadFault {
    ReadFault::ReservedKey(format!("$serde_json::private::{name}"))
}

#[test]
fn grammar_errors_point_at_the_spot() {
    let error = refused("{\n  \"é\": tru,\n}".as_bytes());
    assert_eq!((error.place.line, error.place.column), (2, 11), "{error}");
    let error = refused(b"{\"a\": NaN}");
    assert_eq!((error.place.line, error.place.column), (1, 7), "{error}");
    let error = refused(b"{\"a\": 1} 2");
    assert_eq!((error.place.line, error.place.column), (1, 10), "{error}");
    assert_eq!(error.to_string(), "f:1:10: text after the end of the document; a file holds one JSON value");
}

#[test]
fn lost_numbers_are_refused_where_doubles_are_allowed() {
    for (bytes, fault) in [
        (&b"{\"p\":[-0.5,1e-400]}"[..], ReadFault::Underflow),
        (b"{\"p\":[-0.5,1.00000000000000000001]}", ReadFault::TooPrecise),
    ] {
        for error in [read_input("f", bytes).unwrap_err(), read_foreign("f", bytes).unwrap_err()] {
            assert_eq!((error.place.column, &error.fault), (12, &fault));
        }
    }
}

#[test]
fn depth_and_size_are_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read_signed("f", nested(DOCUMENT_DEPTH).as_bytes()).is_ok());
    assert_eq!(refused(nested(DOCUMENT_DEPTH + 1).as_bytes()).fault, ReadFault::TooDeep);
    assert_eq!(refused("[".repeat(1_000_000).as_bytes()).fault, ReadFault::TooDeep);
    assert_eq!(refused("{\"a\":".repeat(100_000).as_bytes()).fault, ReadFault::TooDeep);
    let large = vec![b' '; DOCUMENT_BYTES + 1];
    assert_eq!(read_input("f", &large).unwrap_err().fault, ReadFault::TooLarge(DOCUMENT_BYTES + 1));
}

#[test]
fn input_is_normalised_and_says_so() {
    let text = "{\"cafe\u{301}\":[1.0,-0,1e0,-0.0,\"n\u{303}\",0.5],\"b\":{\"c\":12e1}}";
    let document = read_input("f", text.as_bytes()).unwrap();
    let expected = Json::map([
        (
            "café",
            Json::List(vec![Json::Int(1), Json::Int(0), Json::Int(1), Json::Int(0), Json::text("ñ"), Json::Float(0.5)]),
        ),
        ("b", Json::map([("c", Json::Int(120))])),
    ]);
    assert_eq!(document.root, expected);
    let said: Vec<String> = document.notices.iter().map(|n| format!("{}: {}", n.path, n.text)).collect();
    assert_eq!(said[0], "café: the key was not in Unicode NFC and was normalised");
    assert_eq!(said[1], "café[0]: spelled with fraction, exponent or minus zero; read as the integer 1");
    assert_eq!(said[5], "café[4]: text was not in Unicode NFC and was normalised");
    assert_eq!(said[6], "b.c: spelled with fraction, exponent or minus zero; read as the integer 120");
    assert_eq!(said.len(), 7);
    // A foreign document keeps its text; its integers have one value however they are spelled.
    let foreign = read_foreign("f", text.as_bytes()).unwrap();
    assert!(foreign.get("cafe\u{301}").is_some());
}

#[test]
fn keys_that_normalise_to_one_are_duplicates() {
    let error = read_input("f", "{\"é\":1,\n\"e\u{301}\":2}".as_bytes()).unwrap_err();
    assert_eq!(error.fault, ReadFault::DuplicateKeyNfc("é".to_owned()));
    assert_eq!((error.place.line, error.place.column), (2, 1));
    assert!(read_foreign("f", "{\"é\":1,\"e\u{301}\":2}".as_bytes()).is_ok());
}

#[test]
fn many_notices_are_counted() {
    let text = format!("[{}]", vec!["1.0"; 1000].join(","));
    let document = read_input("f", text.as_bytes()).unwrap();
    assert_eq!(document.notices.len(), 65);
    assert_eq!(document.notices[64].text, "936 more places were normalised in the same ways");
}

#[test]
fn duplicates_are_found_in_large_objects() {
    let mut text = String::from("{");
    for i in 0..500 {
        text.push_str(&format!("\"k{i}\":{i},\n"));
    }
    text.push_str("\"k7\":0,\"k3\":0}");
    let error = refused(text.as_bytes());
    assert_eq!((error.place.line, error.place.column), (501, 1));
    assert_eq!(error.fault, ReadFault::DuplicateKey("k7".to_owned()));
}

#[test]
fn a_signed_document_has_one_spelling() {
    assert!(read_signed("f", br#"{"a":[1,"x",null,true],"b":{}}"#).is_ok());
    for (bytes, column, spelling) in [
        (&br#"{"b":1,"a":2}"#[..], 3, Spelling::Form),
        (br#"{"a": 1}"#, 6, Spelling::Form),
        (b"{\"a\":1}\n", 8, Spelling::Form),
        (br#"["\u0061"]"#, 3, Spelling::Form),
        (br#"["\/"]"#, 3, Spelling::Form),
        (br#"["\u000A"]"#, 4, Spelling::Form),
        (b"[1.0]", 2, Spelling::Integer),
        (b"[1e2]", 2, Spelling::Integer),
        (b"[-0]", 2, Spelling::Integer),
        ("[\"e\u{301}\"]".as_bytes(), 2, Spelling::NotNfc),
        ("{\"e\u{301}\":1}".as_bytes(), 2, Spelling::NotNfc),
    ] {
        let error = read_signed("f", bytes).unwrap_err();
        assert_eq!(error.fault, ReadFault::NotCanonical(spelling), "{error}");
        assert_eq!(error.place.column, column, "{error}");
        assert!(error.fault.is_altered());
    }
    let error = read_signed("f", br#"{"rate":0.00001}"#).unwrap_err();
    assert_eq!(error.to_string(), "f:1:9: fraction not allowed in a signed document; write it as a string");
    assert!(error.fault.is_altered());
    assert!(!refused(b"{\"a\":1,\"a\":2}").fault.is_altered());
}

#[test]
fn locate_finds_keys_and_elements() {
    let text = "{\n  \"sources\": [\n    {\"name\": \"a,]}\\\"\", \"new\": {\"caf\\u00e9\": 1}},\n    7\n  ]\n}";
    let path = |steps: &[Step]| locate(text.as_bytes(), &JsonPath(steps.to_vec()));
    let key = |k: &str| Step::Key(k.to_owned());
    assert_eq!(path(&[]), Some((1, 1)));
    assert_eq!(path(&[key("sources")]), Some((2, 3)));
    assert_eq!(path(&[key("sources"), Step::At(0)]), Some((3, 5)));
    assert_eq!(path(&[key("sources"), Step::At(0), key("new")]), Some((3, 24)));
    assert_eq!(path(&[key("sources"), Step::At(0), key("new"), key("café")]), Some((3, 32)));
    assert_eq!(path(&[key("sources"), Step::At(1)]), Some((4, 5)));
    // What is missing is looked for in vain; the place is that of the object that lacks it.
    assert_eq!(path(&[key("sources"), Step::At(0), key("old")]), Some((3, 5)));
    assert_eq!(path(&[key("sources"), Step::At(9), key("old")]), Some((2, 3)));
    assert_eq!(locate(b"  ", &JsonPath::default()), None);
}

#[test]
fn json_lines_count_in_the_whole_file() {
    let text = b"{\"a\":1}\r\n\n{\"a\":\n[1.0]\n{\"b\":1,\"b\":2}";
    let read: Vec<_> = read_lines("s.jsonl", text).collect();
    let lines: Vec<u32> = read.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 3, 4, 5]);
    assert_eq!(read[0].1.as_ref().unwrap().root, Json::map([("a", Json::Int(1))]));
    assert_eq!(read[1].1.as_ref().unwrap_err().fault, ReadFault::Cut);
    assert_eq!(read[2].1.as_ref().unwrap().notices.len(), 1);
    let error = read[3].1.as_ref().unwrap_err();
    assert!(error.to_string().starts_with("s.jsonl:5:8: duplicate key \"b\""), "{error}");
}

#[test]
fn a_cut_document_never_reads() {
    let text = br#"{"a":[1,{"b":"\u00e9\n"}],"c":null,"d":-12}"#;
    for end in 0..text.len() {
        assert!(read_input("f", &text[..end]).is_err(), "{end}");
    }
    let Err(error) = read_signed("f", text) else { panic!("escapes are not canonical") };
    assert!(error.fault.is_altered());
}
