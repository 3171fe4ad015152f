//! Every file under `tests/vectors/`: what it holds is read as its header says, and must end as its header says, at the
//! place it says, in words that say what, where and what to do. The format of the files is in `tests/vectors/README.md`.

mod bundle;
mod case;
mod certificate;
mod file;
mod json;
mod key;
mod zip;

pub use certificate::Made;
pub use file::{Found, Vector};

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of all vectors.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

/// The vectors of one family, by name.
fn family(name: &str) -> Vec<Vector> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder().join(name))
        .unwrap_or_else(|e| panic!("{name}: {e}"))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .collect();
    paths.sort();
    paths.iter().map(|path| Vector::read(path)).collect()
}

/// Reads what a vector holds, as its header says.
pub fn run(vector: &Vector) -> Found {
    match vector.header("read") {
        "input" | "signed" | "foreign" | "lines" => json::run(vector),
        "case" => case::run(vector),
        "certificate" => certificate::run(vector),
        "bundle" => bundle::run(vector),
        "public-key" | "secret-key" | "trust" => key::run(vector),
        "time" => key::time(vector),
        other => panic!("{}: no reader `{other}`", vector.name),
    }
}

/// Every way in which the outcome is not what the header says.
pub fn faults(vector: &Vector, found: &Found) -> Vec<String> {
    let mut faults = Vec::new();
    let mut differs = |what: &str, wanted: &str, got: &str| {
        if wanted != got {
            faults.push(format!("{what} `{wanted}` is expected, found `{got}`"));
        }
    };
    differs("outcome", vector.header("expect"), &found.word);
    if let Some(wanted) = vector.optional("where") {
        differs("place", wanted, &found.place.map_or("none".to_owned(), |(line, column)| format!("{line}:{column}")));
    }
    if let Some(wanted) = vector.optional("reads") {
        differs("value", wanted, found.value.as_deref().unwrap_or("none"));
    }
    if let Some(wanted) = vector.optional("notices") {
        differs("number of notices", wanted, &found.notices.len().to_string());
    }
    if let Some(wanted) = vector.optional("exit") {
        differs("exit code", wanted, &found.exit.to_string());
    }
    if let Some(wanted) = vector.optional("check") {
        differs("first failed check", wanted, &found.check.map_or("none".to_owned(), |n| n.to_string()));
    }
    for wanted in vector.all("says") {
        if !found.said().any(|said| said.contains(wanted)) {
            faults.push(format!("nothing says `{wanted}`"));
        }
    }
    faults.extend(found.badly_worded());
    faults
}

/// Runs one vector and asserts its outcome.
pub fn holds(path: &str) -> Found {
    let vector = Vector::read(&folder().join(path));
    let found = run(&vector);
    let faults = faults(&vector, &found);
    assert!(faults.is_empty(), "{path}: {faults:#?}\n{found:#?}");
    found
}

/// Runs a whole family and tells how many ended right.
fn all_hold(name: &str, least: usize) {
    let vectors = family(name);
    let (mut failed, mut words) = (Vec::new(), BTreeMap::<String, usize>::new());
    for vector in &vectors {
        let found = run(vector);
        let faults = faults(vector, &found);
        if faults.is_empty() {
            *words.entry(found.word).or_default() += 1;
        } else {
            failed.push(format!("{}: {}\n    said: {}", vector.name, faults.join("; "), found.text));
        }
    }
    println!("{name}: {}/{} vectors ended right, {words:?}", vectors.len() - failed.len(), vectors.len());
    assert!(failed.is_empty(), "{} of {} failed\n{}", failed.len(), vectors.len(), failed.join("\n"));
    assert!(vectors.len() >= least, "only {} vectors in {name}", vectors.len());
}

#[test]
fn json_texts_are_refused_or_read_exactly() {
    all_hold("json", 100);
}

#[test]
fn cases_are_refused_at_the_place_of_the_fault() {
    all_hold("case", 140);
}

#[test]
fn certificates_end_in_the_right_state() {
    all_hold("certificate", 60);
}

#[test]
fn bundles_are_refused_before_anything_of_them_is_used() {
    all_hold("bundle", 35);
}

#[test]
fn keys_are_refused_or_read() {
    all_hold("key", 20);
}

#[test]
fn times_have_one_spelling() {
    all_hold("time", 10);
}

#[test]
fn public_reports_end_right() {
    all_hold("bugs", 25);
}

#[test]
fn every_folder_of_vectors_is_run() {
    let known =
        ["acquire", "bugs", "bundle", "case", "certificate", "foreign", "json", "key", "step_value", "time", "tls"];
    for entry in fs::read_dir(folder()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(!entry.path().is_dir() || known.contains(&name.as_str()), "nothing runs tests/vectors/{name}");
    }
}
