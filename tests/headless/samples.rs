//! Every sample case, from file to verified certificate: the result must be the one that an independent evaluator wrote
//! down in `expected/`, certifying twice must give the same bytes, swapping twice the same case.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use decidendi_core::judgment::case::{Artifacts, Case, references};
use decidendi_core::judgment::certificate::Certificate;
use decidendi_core::judgment::source::Mask;
use decidendi_core::judgment::verify::{Against, EndState, Standing, verify};
use decidendi_core::judgment::walk::{Compiler, judge, open_case};
use decidendi_core::report::{inspect_json, inspect_line, json_line};
use decidendi_core::seal::canon::read_input;
use decidendi_core::seal::certificate::Certificate as _;
use decidendi_core::seal::key::SecretKey;
use decidendi_core::seal::verified::TrustStore;
use decidendi_core::watch::Unwatched;
use serde_json::Value;

/// Case files below a folder, sorted.
pub fn case_files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(here) = open.pop() {
        for entry in fs::read_dir(&here).unwrap_or_else(|e| panic!("{}: {e}", here.display())) {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                open.push(path);
            } else if name == "case.json" || name.ends_with(".case.json") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Opens a case with the files it refers to.
pub fn open(path: &Path) -> Case {
    let name = path.display().to_string();
    let bytes = fs::read(path).unwrap();
    let document = read_input(&name, &bytes).unwrap_or_else(|e| panic!("{e}"));
    let folder = path.parent().unwrap();
    let files = references(&document.root).into_iter().map(|reference| {
        let bytes =
            fs::read(folder.join(&reference.path)).unwrap_or_else(|e| panic!("{name}: {}: {e}", reference.path));
        (reference.path, bytes)
    });
    open_case(&name, &bytes, &files.collect::<Artifacts>()).unwrap_or_else(|e| panic!("{e}"))
}

/// A result without what an independent evaluator may word in its own way.
fn comparable(text: &str) -> Value {
    let mut result: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    for fault in result["faults"].as_array_mut().unwrap() {
        let fault = fault.as_object_mut().unwrap();
        fault.remove("reason");
        fault.remove("repair");
    }
    result
}

/// Where two results differ.
fn difference(found: &Value, expected: &Value) -> Vec<String> {
    let keys: BTreeMap<&String, ()> =
        [found, expected].into_iter().flat_map(|v| v.as_object().unwrap().keys()).map(|k| (k, ())).collect();
    keys.into_keys()
        .filter(|key| found.get(key) != expected.get(key))
        .map(|key| format!("{key}: found {}, expected {}", found[key], expected[key]))
        .collect()
}

#[test]
fn every_sample_gives_the_expected_result_and_a_certificate_that_verifies() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_cases");
    let files = case_files(&folder);
    let key = SecretKey::generate([42; 32]);
    let trust = TrustStore::new([key.public().clone()]).unwrap();
    let (mut counts, mut wrong, mut ids) = (BTreeMap::<String, usize>::new(), Vec::new(), BTreeMap::new());
    let mut compiler = Compiler::default();
    let mut count = |what: &str| *counts.entry(what.to_owned()).or_default() += 1;
    for path in &files {
        let case = open(path);
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        if let Some(other) = ids.insert(case.id().to_owned(), name.clone()) {
            panic!("{name} and {other} are both called {}", case.id());
        }
        let judgment = judge(&case, &mut compiler, &Unwatched).unwrap_or_else(|e| panic!("{name}: {e}"));
        count(judgment.outcome.word());

        let expected = path.parent().unwrap().join(format!("expected/{}.inspect.json", case.id()));
        let expected = fs::read_to_string(&expected).unwrap_or_else(|e| panic!("{}: {e}", expected.display()));
        let line = inspect_line(&judgment);
        assert_eq!(line, json_line(&inspect_json(&judgment)), "{name}: two spellings of one result");
        let differences = difference(&comparable(&line), &comparable(&expected));
        if differences.is_empty() {
            count("as expected");
        } else {
            wrong.push(format!("{name}: {}", differences.join("; ")));
        }

        let swapped = case.swapped().unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(swapped.swapped().unwrap().canonical(), case.canonical(), "{name}: swapped twice");
        let inverse = judge(&swapped, &mut compiler, &Unwatched).unwrap_or_else(|e| panic!("{name} swapped: {e}"));
        let full = Mask::full(case.k()).0;
        for mask in 0..=full {
            assert_eq!(
                inverse.word(Mask(mask)),
                judgment.word(Mask(full & !mask)),
                "{name}: cell {mask} of the inverse"
            );
        }
        count("swapped");

        let Ok(certificate) = Certificate::bind(&case, &judgment, None) else {
            assert_eq!(judgment.outcome.word(), "uncertifiable", "{name}");
            continue;
        };
        let bytes = certificate.sign(&[&key]);
        let again = open(path);
        let judged = judge(&again, &mut Compiler::default(), &Unwatched).unwrap();
        assert_eq!(Certificate::bind(&again, &judged, None).unwrap().sign(&[&key]), bytes, "{name}: certified twice");
        let against = Against { trust: Some(&trust), case: Some(&case) };
        let result = verify(&name, &bytes, against, &mut compiler, &Unwatched).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(
            (result.verdict, result.state),
            (Standing::Pass, Some(EndState::Verified)),
            "{name}: {:#?}",
            result.checks
        );
        count("certified twice and verified");
    }
    println!("samples: {} cases, {counts:?}", files.len());
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), files.len(), wrong.join("\n"));
    assert!(files.len() >= 87, "only {} samples", files.len());
}

#[test]
fn every_expected_result_belongs_to_a_sample() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_cases");
    let mut named = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let here = entry.unwrap().path();
        if !here.is_dir() {
            continue;
        }
        let ids: Vec<String> = case_files(&here).iter().map(|path| open(path).id().to_owned()).collect();
        for expected in fs::read_dir(here.join("expected")).into_iter().flatten() {
            let name = expected.unwrap().file_name().to_string_lossy().into_owned();
            // A study's report is compared by the tests of step values.
            if name == "report.sha256" && here.join("study.json").is_file() {
                continue;
            }
            let id = name.strip_suffix(".inspect.json").unwrap_or_else(|| panic!("{}: {name}", here.display()));
            assert!(ids.iter().any(|i| i == id), "{}: no case {id}", here.display());
            named += 1;
        }
        assert!(here.join("README.md").is_file(), "{} has no README", here.display());
    }
    println!("samples: {named} expected results");
}
