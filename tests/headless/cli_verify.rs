//! `verify` over many files: every file keeps its line, and nothing verified never looks like everything verified.

use std::fs;
use std::path::Path;

use decidendi_files::bundle::zip;
use serde_json::Value;

use super::cli::{code, err, example, folder, out, run};

/// A folder with a key, a certificate and a bundle `o/a.*`.
fn certified() -> tempfile::TempDir {
    let folder = folder();
    fs::write(folder.path().join("a.case.json"), example("a", 30)).unwrap();
    let args = ["certify", "a.case.json", "--key", "k", "--out", "o", "--bundle"];
    assert_eq!(code(&run(folder.path(), &args)), 0);
    folder
}

fn unpack(bundle: &Path, to: &Path) {
    for entry in zip::read(&fs::read(bundle).unwrap()).unwrap() {
        let path = to.join(&entry.name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &entry.bytes).unwrap();
    }
}

#[test]
fn verifying_no_file_is_no_success() {
    let folder = folder();
    for args in [&["verify", "--trust", "k.pub"][..], &["verify", "--trust", "k.pub", "--json"], &["verify"]] {
        let output = run(folder.path(), args);
        assert_eq!((code(&output), out(&output).as_str()), (2, ""), "{args:?}");
        assert!(err(&output).contains("FILE"), "{}", err(&output));
    }
}

#[test]
fn a_file_that_cannot_be_read_keeps_its_line_in_its_place() {
    let folder = certified();
    fs::create_dir(folder.path().join("empty")).unwrap();
    let args = ["verify", "missing.cert.json", "o/a.decidendi", "empty", "k", "--trust", "k.pub", "--json"];
    let output = run(folder.path(), &args);
    assert_eq!(code(&output), 2);
    let lines: Vec<Value> = out(&output).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let said: Vec<_> = lines.iter().map(|l| (l["verdict"].as_str().unwrap(), l["state"].as_str())).collect();
    assert_eq!(said, [("Invalid", None), ("Pass", Some("verified")), ("Invalid", None), ("Invalid", None)]);
    for (line, word) in [
        (0, "missing.cert.json: no such file"),
        (2, "empty: holds no certificate"),
        (3, "k: this is a key; a certificate is wanted"),
    ] {
        let check = &lines[line]["checks"][0];
        assert_eq!((&check["n"], &check["name"]), (&0.into(), &"file can be read".into()));
        assert!(check["detail"].as_str().unwrap().contains(word), "{check}");
        assert!(err(&output).contains(word), "{}", err(&output));
    }
}

#[test]
fn a_folder_stands_for_the_unpacked_bundles_in_it_too() {
    let folder = certified();
    let many = folder.path().join("many");
    unpack(&folder.path().join("o/a.decidendi"), &many.join("b"));
    let output = run(folder.path(), &["verify", "many", "--trust", "k.pub"]);
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    assert!(out(&output).starts_with("many/b\n"), "{}", out(&output));
    (0..4096).for_each(|i| fs::write(many.join(format!("b/extra-{i}")), "").unwrap());
    let output = run(folder.path(), &["verify", "many", "--trust", "k.pub"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("many/b: holds more than the 4096 files"), "{}", err(&output));
    (0..4096).for_each(|i| fs::remove_file(many.join(format!("b/extra-{i}"))).unwrap());
    fs::copy(folder.path().join("o/a.decidendi"), many.join("a.decidendi")).unwrap();
    fs::write(many.join("b/sources/norms.new.json"), "{}").unwrap();
    let output = run(folder.path(), &["verify", "many", "--trust", "k.pub"]);
    assert_eq!(code(&output), 1, "{}", out(&output));
    assert!(err(&output).contains("1 of 2 verified"), "{}", err(&output));
}

#[test]
fn what_a_casebook_leaves_out_is_told() {
    let folder = certified();
    // The one that is bound comes second; the digest finds it.
    let book = format!("{{]\n{}\n{}\n", example("a", 14), example("a", 30));
    fs::write(folder.path().join("book.jsonl"), book).unwrap();
    let args = ["verify", "o/a.cert.json", "--case", "book.jsonl", "--trust", "k.pub", "--json"];
    let output = run(folder.path(), &args);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert_eq!(out(&output).lines().count(), 1);
    let said = err(&output);
    assert!(said.contains("note: --case: book.jsonl:1: not used: not a case"), "{said}");
}

#[test]
fn a_bundle_under_another_name_is_a_bundle() {
    let folder = certified();
    fs::copy(folder.path().join("o/a.decidendi"), folder.path().join("renamed.zip")).unwrap();
    for args in [&["verify", "renamed.zip", "--trust", "k.pub"][..], &["diff", "renamed.zip", "o/a.cert.json"]] {
        let output = run(folder.path(), args);
        assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    }
    fs::write(folder.path().join("huge.json"), vec![b' '; (64 << 20) + 1]).unwrap();
    let output = run(folder.path(), &["diff", "huge.json", "o/a.cert.json"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("huge.json: larger than the bound"), "{}", err(&output));
}

/// What was recorded is never said to have been executed again.
#[test]
fn a_recorded_case_is_compared_not_replayed() {
    let folder = folder();
    let at = folder.path();
    let case = r#"{"format": "decidendi/case@1", "id": "r", "adjudicator": {"engine": "table", "cells": ["deny", "approve"]},
        "sources": [{"name": "model", "old": 1, "new": 2}]}"#;
    fs::write(at.join("r.case.json"), case).unwrap();
    assert_eq!(code(&run(at, &["certify", "r.case.json", "--key", "k", "--out", "o"])), 0);
    let verify = ["verify", "o/r.cert.json", "--trust", "k.pub"];
    let said = out(&run(at, &[&verify[..], &["--case", "r.case.json"]].concat()));
    let last = said.lines().last().unwrap();
    assert_eq!(
        last,
        "  Pass: verified. Signed by a trusted key, bound to these artifacts, and the recorded cells agree; nothing was executed."
    );
    assert!(!said.contains("the replay agrees"), "{said}");
    let alone = out(&run(at, &verify));
    assert!(
        alone.contains("Inconclusive: not compared. Nothing failed, but the case with the recorded cells"),
        "{alone}"
    );
}

#[test]
fn the_bound_case_is_found_by_its_digest() {
    let folder = certified();
    let at = folder.path();
    fs::create_dir_all(at.join("many/deep")).unwrap();
    fs::write(at.join("many/a.case.json"), example("a", 14)).unwrap();
    fs::write(at.join("many/b.case.json"), example("a", 15)).unwrap();
    let verify = ["verify", "o/a.cert.json", "--trust", "k.pub", "--case", "many"];
    let missing = run(at, &verify);
    assert_eq!(code(&missing), 1, "{}", out(&missing));
    assert!(out(&missing).contains("fail     case is the one that was bound"), "{}", out(&missing));
    // In a file of its own, then in a bundle that lies there.
    fs::write(at.join("many/deep/c.case.json"), example("a", 30)).unwrap();
    assert_eq!(code(&run(at, &verify)), 0);
    fs::remove_file(at.join("many/deep/c.case.json")).unwrap();
    fs::copy(at.join("o/a.decidendi"), at.join("many/deep/z.decidendi")).unwrap();
    let found = run(at, &verify);
    assert_eq!(code(&found), 0, "{}{}", out(&found), err(&found));
}

#[test]
fn one_folder_holds_cases_and_studies_and_certificates_of_both() {
    let folder = certified();
    let at = folder.path();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_cases/90-step-value-simulated");
    fs::create_dir_all(at.join("hand/study")).unwrap();
    for name in ["study.json", "scores.jsonl"] {
        fs::copy(sample.join(name), at.join("hand/study").join(name)).unwrap();
    }
    fs::copy(at.join("a.case.json"), at.join("hand/a.case.json")).unwrap();
    let asv = ["asv", "hand/study", "--draws", "1000", "--key", "k", "--out", "o", "--transition", "t017-05"];
    let made = run(at, &asv);
    assert_eq!(code(&made), 0, "{}", err(&made));
    fs::write(at.join("o/readme.txt"), "hello").unwrap();
    let output = run(at, &["verify", "o", "--case", "hand", "--trust", "k.pub", "--json"]);
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    let lines: Vec<Value> = out(&output).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line["state"] == "verified" && line["file"].as_str().unwrap().starts_with("o/")));
    assert!(err(&output).contains("note: o/readme.txt: passed over"), "{}", err(&output));
    // Two of one kind differ in some places, two of different kinds in that first.
    let step = fs::read_dir(at.join("o")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let step = format!("o/{}", step.into_iter().find(|name| name.ends_with(".asv.cert.json")).unwrap());
    assert_eq!(code(&run(at, &["diff", &step, &step])), 0);
    let across = run(at, &["diff", "o/a.cert.json", &step]);
    assert_eq!(code(&across), 1, "{}", err(&across));
    let said = out(&across);
    assert!(said.starts_with("kind of certificate\n  - judgment certificate\n  + step-value certificate\n"), "{said}");
}

#[test]
fn an_empty_place_holds_nothing_to_replay_with() {
    let folder = certified();
    let at = folder.path();
    fs::create_dir(at.join("hollow")).unwrap();
    fs::write(at.join("blank.jsonl"), "\n").unwrap();
    for (place, word) in
        [("hollow", "hollow: holds no case, bundle or study"), ("blank.jsonl", "blank.jsonl: holds no case")]
    {
        let output = run(at, &["verify", "o/a.cert.json", "--trust", "k.pub", "--case", place]);
        assert_eq!((code(&output), out(&output).as_str()), (2, ""));
        assert!(err(&output).contains(word), "{}", err(&output));
    }
}

/// A certificate without its proof states less, and that is a difference.
#[test]
fn diff_sees_every_place() {
    use decidendi_core::seal::dsse::{Envelope, IN_TOTO};
    use decidendi_core::seal::key::SecretKey;
    let folder = certified();
    let at = folder.path();
    let whole = Envelope::read("x", &fs::read(at.join("o/a.cert.json")).unwrap()).unwrap();
    let statement: Value = serde_json::from_slice(&whole.payload).unwrap();
    for (pointer, value, said) in [
        ("/predicate/minimality", serde_json::json!([]), "predicate.minimality[0]"),
        ("/predicate/cells/1/verdict", "refer".into(), "cell {grounds}"),
        ("/predicate/tool/version", "9".into(), "predicate.tool.version"),
        ("/subject/2/digest/sha256", "a".repeat(64).into(), "subject[2].digest.sha256"),
    ] {
        let mut other = statement.clone();
        *other.pointer_mut(pointer).unwrap() = value;
        let payload = serde_json_canonicalizer::to_vec(&other).unwrap();
        let signed = Envelope::sign(IN_TOTO, payload, &[&SecretKey::generate([3; 32])]).to_bytes();
        fs::write(at.join("other.cert.json"), signed).unwrap();
        let output = run(at, &["diff", "o/a.cert.json", "other.cert.json"]);
        assert_eq!(code(&output), 1, "{pointer}");
        assert!(out(&output).contains(&format!("{said}\n")), "{}", out(&output));
        assert!(out(&output).contains("not compared: the signatures, which differ"), "{}", out(&output));
        let line = out(&run(at, &["diff", "o/a.cert.json", "other.cert.json", "--json"]));
        let line: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&line["file"], &line["with"]), (&"o/a.cert.json".into(), &"other.cert.json".into()));
        assert_eq!(line["same"], false);
    }
}
