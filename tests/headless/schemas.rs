//! The published JSON Schemas against everything that is shipped or written: samples, expected results, the examples of
//! the format pages, real results, certificates and bundles. And the other way round: what a schema must refuse.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use decidendi_core::judgment::case::{Artifacts, Case};
use decidendi_core::judgment::certificate::Certificate;
use decidendi_core::judgment::walk::{Compiler, judge, open_case};
use decidendi_core::report::inspect_line;
use decidendi_core::seal::canon::read_input;
use decidendi_core::seal::certificate::Certificate as _;
use decidendi_core::seal::key::SecretKey;
use decidendi_core::step_value::scores::ScoreReader;
use decidendi_core::step_value::study::Study;
use decidendi_core::step_value::walk::open_study;
use decidendi_core::watch::Unwatched;
use decidendi_files::bundle::{Bundle, LIST};
use jsonschema::Validator;
use serde_json::{Value, json};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document(name: &str) -> Value {
    let path = root().join(format!("docs/schemas/{name}.schema.json"));
    serde_json::from_slice(&fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))).unwrap()
}

fn schema(name: &str) -> Validator {
    jsonschema::draft202012::new(&document(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The schema of the statement, which lies inside the one of the envelope.
fn statement_schema() -> Validator {
    let defs = &document("certificate")["$defs"];
    jsonschema::draft202012::new(&json!({"$ref": "#/$defs/statement", "$defs": defs})).unwrap()
}

fn faults(schema: &Validator, value: &Value) -> Vec<String> {
    schema.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

fn holds(schema: &Validator, value: &Value, what: &str) {
    let faults = faults(schema, value);
    assert!(faults.is_empty(), "{what}: {faults:#?}");
}

/// Files below `folder` whose name ends with `end`, sorted.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, end));
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn sample_paths() -> Vec<PathBuf> {
    let found = files(&root().join("sample_cases"), "case.json");
    assert!(found.len() >= 80, "only {} samples", found.len());
    found
}

fn open(path: &Path) -> Case {
    let bytes = fs::read(path).unwrap();
    let name = path.display().to_string();
    let document = read_input(&name, &bytes).unwrap();
    let mut artifacts = Artifacts::new();
    for reference in decidendi_core::judgment::case::references(&document.root) {
        let body = fs::read(path.parent().unwrap().join(&reference.path)).unwrap();
        artifacts.insert(reference.path, body);
    }
    open_case(&name, &bytes, &artifacts).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn every_schema_is_valid_under_its_own_draft() {
    for name in ["case", "inspect", "certificate", "bundle", "study"] {
        let document = document(name);
        assert!(jsonschema::meta::is_valid(&document), "{name}");
        assert_eq!(document["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert!(document["$id"].as_str().unwrap().ends_with(&format!("/{name}@1.schema.json")));
    }
}

#[test]
fn samples_and_their_expected_results_fit() {
    let (case, inspect) = (schema("case"), schema("inspect"));
    for path in sample_paths() {
        holds(&case, &serde_json::from_slice(&fs::read(&path).unwrap()).unwrap(), &path.display().to_string());
    }
    for path in files(&root().join("sample_cases"), ".inspect.json") {
        holds(&inspect, &serde_json::from_slice(&fs::read(&path).unwrap()).unwrap(), &path.display().to_string());
    }
}

/// The schema of a score row, which lies inside the one of the study.
fn row_schema() -> Validator {
    jsonschema::draft202012::new(&json!({"$ref": "#/$defs/row", "$defs": document("study")["$defs"]})).unwrap()
}

#[test]
fn studies_and_their_rows_fit() {
    let (study, row) = (schema("study"), row_schema());
    for path in files(&root().join("sample_cases"), "study.json") {
        let name = path.display().to_string();
        holds(&study, &serde_json::from_slice(&fs::read(&path).unwrap()).unwrap(), &name);
        // Rows are many and alike: every hundredth will do.
        let rows = fs::read_to_string(path.with_file_name("scores.jsonl")).unwrap();
        for (line, text) in rows.lines().enumerate().step_by(100) {
            holds(&row, &serde_json::from_str(text).unwrap(), &format!("{name}, row {}", line + 1));
        }
    }
    let (studies, rows): (Vec<Value>, Vec<Value>) =
        examples("study").into_iter().partition(|example| example.get("format").is_some());
    assert_eq!((studies.len(), rows.len()), (2, 3));
    let read: Vec<Study> = studies
        .iter()
        .map(|example| {
            holds(&study, example, "the page's study");
            let read = open_study("study.md", example.to_string().as_bytes()).unwrap_or_else(|e| panic!("{e}"));
            assert!(read.notices.is_empty(), "{:?}", read.notices);
            read
        })
        .collect();
    let parts = &read[1];
    assert!(parts.matched_cube.is_some() && parts.retrieval_face.is_some() && parts.controls.is_some());
    assert_eq!((parts.bridge.len(), parts.designs.len()), (2, 2));
    for example in &rows {
        holds(&row, example, "the page's row");
        let mut reader = ScoreReader::new(parts, "study.md").unwrap();
        reader.feed(example.to_string().as_bytes());
        assert_eq!(reader.finish().unwrap_or_else(|e| panic!("{e}")).account().rows, 1);
    }
    for wrong in [
        json!({"transition": "t", "state": "during", "channel": "c", "layout": 0, "wave": 0, "logprobs": {}}),
        json!({"transition": "t", "state": "after", "channel": "c", "layout": 0, "wave": 0, "logprobs": {"a": null}}),
        json!({"transition": "t", "state": "after", "channel": "c", "layout": 0, "wave": 0, "candidate": "a", "logprobs": {}}),
        json!({"transition": "t", "state": "after", "channel": "c", "layout": 0, "wave": 0}),
    ] {
        assert!(!row.is_valid(&wrong), "{wrong} is accepted");
    }
}

/// The complete examples of a page: its `json` blocks that are documents. Shortened digests are filled up.
fn examples(page: &str) -> Vec<Value> {
    let text = fs::read_to_string(root().join(format!("docs/formats/{page}.md"))).unwrap();
    let blocks = text.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next());
    let whole = blocks.filter(|block| block.starts_with('{'));
    let filled = whole.map(|block| block.replace("\"sha256\": \"…\"", &format!("\"sha256\": \"{}\"", "a".repeat(64))));
    filled.map(|block| serde_json::from_str(&block).unwrap_or_else(|e| panic!("{page}: {e}\n{block}"))).collect()
}

#[test]
fn the_examples_of_the_pages_fit() {
    for (page, least) in [("case", 3), ("inspect", 2), ("bundle", 1)] {
        let examples = examples(page);
        assert!(examples.len() >= least, "{page}");
        for example in examples {
            holds(&schema(page), &example, page);
        }
    }
    let statement = examples("certificate").into_iter().find(|e| e.get("_type").is_some()).unwrap();
    holds(&statement_schema(), &statement, "certificate");
}

#[test]
fn the_pages_case_gives_the_pages_result_and_certificate() {
    let text = examples("case").remove(0).to_string();
    let case = open_case("case.json", text.as_bytes(), &Artifacts::new()).unwrap();
    let judgment = judge(&case, &mut Compiler::default(), &Unwatched).unwrap();
    let result: Value = serde_json::from_str(&inspect_line(&judgment)).unwrap();
    assert_eq!(result, examples("inspect")[0]);
    let certificate = Certificate::bind(&case, &judgment, None).unwrap();
    let written: Value = serde_json::from_slice(&certificate.payload()).unwrap();
    let shown = examples("certificate").into_iter().find(|e| e.get("_type").is_some()).unwrap();
    for field in ["cells", "receipts", "minimality", "counts", "status", "obtained"] {
        assert_eq!(written["predicate"][field], shown["predicate"][field], "{field}");
    }
    let names = |statement: &Value| {
        statement["subject"].as_array().unwrap().iter().map(|s| s["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&written), names(&shown));
}

#[test]
fn what_the_samples_give_fits() {
    let (inspect, envelope, list) = (schema("inspect"), schema("certificate"), schema("bundle"));
    let statement = statement_schema();
    let key = SecretKey::generate([7; 32]);
    let mut compiler = Compiler::default();
    let mut certified = 0;
    for path in sample_paths() {
        let case = open(&path);
        let judgment = judge(&case, &mut compiler, &Unwatched).unwrap();
        holds(&inspect, &serde_json::from_str(&inspect_line(&judgment)).unwrap(), case.id());
        let Ok(certificate) = Certificate::bind(&case, &judgment, None) else { continue };
        let bytes = certificate.sign(&[&key]);
        let signed: Value = serde_json::from_slice(&bytes).unwrap();
        holds(&envelope, &signed, case.id());
        let payload = base64::prelude::BASE64_STANDARD.decode(signed["payload"].as_str().unwrap()).unwrap();
        holds(&statement, &serde_json::from_slice(&payload).unwrap(), case.id());
        let bundle = Bundle::new(&case, bytes);
        let entry = bundle.entries().into_iter().find(|e| e.name == LIST).unwrap();
        holds(&list, &serde_json::from_slice(&entry.bytes).unwrap(), case.id());
        certified += 1;
    }
    assert!(certified >= 80, "only {certified} certificates");
}

/// The value at a JSON pointer, changed.
fn with(value: &Value, pointer: &str, change: impl FnOnce(&mut Value)) -> Value {
    let mut value = value.clone();
    change(value.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")));
    value
}

#[test]
fn what_a_schema_must_refuse() {
    let case = examples("case").remove(0);
    let set = |pointer: &str, to: Value| with(&case, pointer, |slot| *slot = to);
    let drop = |pointer: &str, key: &str| {
        with(&case, pointer, |slot| {
            slot.as_object_mut().unwrap().remove(key).unwrap();
        })
    };
    let refused = [
        ("no format", drop("", "format")),
        ("another major", set("/format", json!("decidendi/case@2"))),
        ("no id", drop("", "id")),
        ("an id that is a path", set("/id", json!("../x"))),
        ("a hidden id", set("/id", json!(".x"))),
        ("no sources", set("/sources", json!([]))),
        ("a source without a new version", drop("/sources/0", "new")),
        ("a source without a role", set("/sources/0/name", json!("evidence"))),
        ("an unknown role", with(&case, "/sources/0", |source| source["role"] = json!("facts"))),
        ("an unknown engine", set("/adjudicator/engine", json!("oracle"))),
        ("cells where they are executed", with(&case, "/adjudicator", |a| a["cells"] = json!(["deny", "deny"]))),
        ("a blank label", set("/interface/verdicts", json!(["approve", " "]))),
        ("a label twice", set("/interface/verdicts", json!(["approve", "approve"]))),
        ("an unknown type", set("/interface/grounds/amount/type", json!("float"))),
        ("an enum without values", set("/interface/grounds/condition", json!({"type": "enum"}))),
        ("a fraction as a number", set("/sources/0/old/amount", json!(89.9))),
        ("a rule without a condition", drop("/sources/1/old/rules/0", "when")),
        ("a rule called default", set("/sources/1/old/rules/0/id", json!("default"))),
        ("a priority with a fraction", set("/sources/1/old/rules/1/priority", json!(1.5))),
        ("a grant without a norm", drop("/sources/2/old/grants/0", "norm")),
        ("a reference that climbs", set("/sources/1/old", json!({"$ref": "../norms.json"}))),
        ("an absolute reference", set("/sources/1/old", json!({"$ref": "/norms.json"}))),
        (
            "a step of an unknown kind",
            with(&case, "", |c| c["compatibility"] = json!([{"source": "grounds", "version": "old", "step": "guess"}])),
        ),
        (
            "a conversion without a factor",
            with(&case, "", |c| {
                c["compatibility"] = json!([{"source": "grounds", "version": "old", "step": "convert", "field": "amount", "from": "cent", "to": "EUR"}]);
            }),
        ),
    ];
    let schema = schema("case");
    for (what, value) in refused {
        assert!(!schema.is_valid(&value), "{what} is accepted");
    }
    let referenced = set("/sources/1/old", json!({"$ref": "norms.json", "sha256": "a".repeat(64)}));
    holds(&schema, &referenced, "a reference");
}

#[test]
fn signed_documents_have_no_room_for_more() {
    let statement = examples("certificate").into_iter().find(|e| e.get("_type").is_some()).unwrap();
    let bundle = examples("bundle").remove(0);
    for (schema, example) in [(statement_schema(), statement), (schema("bundle"), bundle)] {
        let mut objects = Vec::new();
        visit(&example, String::new(), &mut objects);
        assert!(objects.len() > 5);
        for pointer in objects {
            let more = with(&example, &pointer, |slot| slot["extra"] = json!(1));
            assert!(!schema.is_valid(&more), "an unknown field at `{pointer}` is accepted");
            let keys: Vec<String> = example.pointer(&pointer).unwrap().as_object().unwrap().keys().cloned().collect();
            for key in keys {
                let less = with(&example, &pointer, |slot| {
                    slot.as_object_mut().unwrap().remove(&key);
                });
                assert!(!schema.is_valid(&less), "`{pointer}` without `{key}` is accepted");
            }
        }
    }
}

/// Pointers of all objects.
fn visit(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields {
                visit(inner, format!("{pointer}/{key}"), found);
            }
            found.push(pointer);
        }
        Value::Array(items) => {
            for (i, inner) in items.iter().enumerate() {
                visit(inner, format!("{pointer}/{i}"), found);
            }
        }
        _ => {}
    }
}
