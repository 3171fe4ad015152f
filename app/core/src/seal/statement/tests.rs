//! Statements: one spelling, one shape.

use super::*;

fn statement() -> Statement {
    Statement {
        subjects: vec![("case.json".to_owned(), Digest::of(b"case")), ("norms.new".to_owned(), Digest::of(b"norms"))],
        predicate_type: "https://decidendi.dev/judgment-receipt/v1".to_owned(),
        predicate: Json::map([("status", Json::text("changed"))]),
    }
}

#[test]
fn a_statement_reads_back() {
    let bytes = statement().to_bytes();
    assert!(bytes.starts_with(b"{\"_type\":\"https://in-toto.io/Statement/v1\",\"predicate\":{"));
    let read = Statement::read(&bytes).unwrap();
    assert_eq!(read, statement());
    assert_eq!(read.subject("norms.new"), Some(Digest::of(b"norms")));
    assert_eq!(read.subject("norms.old"), None);
}

/// The statement with one piece of its text replaced, read.
fn with(from: &str, to: &str) -> String {
    let text = String::from_utf8(statement().to_bytes()).unwrap();
    assert!(text.contains(from), "{from}");
    Statement::read(text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
}

#[test]
fn other_shapes_are_refused() {
    let hex = Digest::of(b"case").hex();
    for (from, to, said) in [
        ("Statement/v1", "Statement/v2", "the statement type is \"https://in-toto.io/Statement/v2\""),
        ("{\"_type\"", "{\"_extra\":1,\"_type\"", "unknown field \"_extra\""),
        ("{\"status\":\"changed\"}", "[]", "\"predicate\" must be an object"),
        ("{\"status\":\"changed\"}", "{\"rate\":0.5}", "fraction not allowed"),
        (&hex, &hex.to_uppercase(), "not 64 lower-case hex digits"),
        (&hex, "../../../../etc/passwd", "not 64 lower-case hex digits"),
        (&hex, &format!("sha256:{hex}"), "not 64 lower-case hex digits"),
        ("{\"sha256\"", "{\"md5\":\"\",\"sha256\"", "unknown field \"md5\""),
        ("{\"sha256\"", "{\"sha512\"", "unknown field \"sha512\""),
        ("\"norms.new\"", "\"case.json\"", "two subjects are called \"case.json\""),
        ("\"norms.new\"", "\"\"", "a subject needs a name"),
        ("\"norms.new\"", "7", "\"name\" must be text"),
        (",\"subject\":", ",\"subjects\":", "unknown field \"subjects\""),
        ("{\"_type\"", "{ \"_type\"", "not the canonical spelling"),
    ] {
        let error = with(from, to);
        assert!(error.contains(said), "{error}");
    }
    let empty = Statement { subjects: Vec::new(), ..statement() };
    assert!(Statement::read(&empty.to_bytes()).unwrap_err().to_string().contains("at least one subject"));
    assert!(Statement::read(b"[]").unwrap_err().to_string().contains("expected an object"));
    assert!(matches!(Statement::read(b"{\"a\":1,\"a\":2}"), Err(StatementError::Read(e)) if !e.fault.is_altered()));
    assert!(Statement::read(b"{}").unwrap_err().to_string().starts_with("payload:1:1: \"_type\" is missing"));
}
