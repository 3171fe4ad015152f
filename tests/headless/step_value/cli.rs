//! `decidendi asv` as a user meets it.

use std::fs;

use decidendi_core::seal::digest::Digest;
use serde_json::Value;

use super::{STUDY, plain_rows};
use crate::cli::{code, err, folder, out, run};

fn with_study(rows: &str) -> tempfile::TempDir {
    let folder = folder();
    fs::create_dir(folder.path().join("s")).unwrap();
    fs::write(folder.path().join("s/study.json"), STUDY).unwrap();
    fs::write(folder.path().join("s/scores.jsonl"), rows).unwrap();
    folder
}

#[test]
fn the_report_has_the_fields_of_the_contract_and_the_same_bytes_each_time() {
    let folder = with_study(&plain_rows());
    let first = run(folder.path(), &["asv", "s", "--json", "--draws", "500", "--seed", "3"]);
    assert_eq!(code(&first), 0, "{}", err(&first));
    assert_eq!(
        out(&first),
        out(&run(folder.path(), &["asv", "s/study.json", "--json", "--draws", "500", "--seed", "3"]))
            .replace("s/study.json", "s")
    );
    let report: Value = serde_json::from_str(&out(&first)).unwrap();
    let cohort = &report["cohort"];
    assert_eq!(
        (&cohort["transitions"], &cohort["trajectories"], &cohort["complete"]),
        (&3.into(), &2.into(), &3.into())
    );
    assert_eq!(cohort["missing"], Value::Array(Vec::new()));
    let t = &report["transitions"][0];
    assert!(t["F"]["direct"]["before"].is_f64() && t["gain"]["view"].is_f64() && t["omega"]["view-direct"].is_f64());
    let contrast = &report["contrasts"][0];
    for key in ["gain_reference", "gain_alternative", "omega"] {
        let [mean, lo, hi] = ["mean", "lo", "hi"].map(|k| contrast[key][k].as_f64().unwrap());
        assert!(lo <= hi && mean.is_finite());
    }
    let flips = contrast["flips"].as_object().unwrap();
    assert_eq!(flips.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), contrast["n"].as_u64().unwrap());
    assert_ne!(out(&first), out(&run(folder.path(), &["asv", "s", "--json", "--draws", "500", "--seed", "4"])));
}

#[test]
fn an_incomplete_transition_has_no_number_in_place_of_one() {
    let rows: String = plain_rows()
        .lines()
        .filter(|l| !l.contains("\"a-0\", \"state\": \"after\""))
        .map(|l| l.to_owned() + "\n")
        .collect();
    let folder = with_study(&rows);
    let output = run(folder.path(), &["asv", "s", "--json"]);
    let report: Value = serde_json::from_str(&out(&output)).unwrap();
    let t = &report["transitions"][0];
    assert_eq!(t["complete"], false);
    assert!(t["F"]["direct"].get("after").is_none() && t["F"]["direct"]["before"].is_f64());
    assert_eq!(t["omega"], serde_json::json!({}));
    assert_eq!(report["cohort"]["complete"], 2);
    assert_eq!(report["cohort"]["missing"].as_array().unwrap().len(), 24);
    assert_eq!(report["cohort"]["missing"][0]["candidate"], "p");
    let nothing = with_study("");
    let output = run(nothing.path(), &["asv", "s"]);
    assert_eq!(code(&output), 3);
    assert!(
        out(&output).contains("0 of 3 transitions complete") && out(&output).contains("no complete step"),
        "{}",
        out(&output)
    );
}

#[test]
fn faults_name_file_line_and_remedy_and_exit_with_2() {
    let folder = with_study("{\"transition\": \"zzz\"}\n[]\n");
    let output = run(folder.path(), &["asv", "s", "--json"]);
    assert_eq!((code(&output), out(&output).as_str()), (2, ""));
    assert!(err(&output).contains("s/scores.jsonl:1:1: transition `zzz` is not declared"), "{}", err(&output));
    assert!(err(&output).contains("s/scores.jsonl:2:1: "), "{}", err(&output));
    fs::remove_file(folder.path().join("s/scores.jsonl")).unwrap();
    let output = run(folder.path(), &["asv", "s"]);
    assert!(code(&output) == 2 && err(&output).contains("s/scores.jsonl: no such file"), "{}", err(&output));
    for args in [["asv", "nowhere"], ["asv", "k"]] {
        let output = run(folder.path(), &args);
        assert_eq!(code(&output), 2, "{}", err(&output));
    }
    for args in [&["asv", "s", "--draws", "0"][..], &["asv", "s", "--key", "k"], &["asv", "s", "--transition", "a-0"]] {
        assert_eq!(code(&run(folder.path(), args)), 2, "{args:?}");
    }
}

#[test]
fn certify_and_verify_end_to_end() {
    let folder = with_study(&plain_rows());
    let at = folder.path();
    let output = run(at, &["asv", "s", "--key", "k", "--out", "o", "--draws", "1000"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(out(&output).ends_with("certified  o/small.asv.cert.json\n"));
    let single = run(at, &["asv", "s", "--key", "k", "--out", "o", "--draws", "1000", "--transition", "b-0", "--json"]);
    // One document, which is the report with two fields more.
    assert_eq!(out(&single).lines().count(), 1);
    let mut told: Value = serde_json::from_str(&out(&single)).unwrap();
    let told = told.as_object_mut().unwrap();
    let digest = Digest::of(&fs::read(at.join("o/small.b-0.asv.cert.json")).unwrap()).hex();
    assert_eq!(told.remove("certificate"), Some("o/small.b-0.asv.cert.json".into()));
    assert_eq!(told.remove("sha256"), Some(digest.into()));
    let plain = out(&run(at, &["asv", "s", "--draws", "1000", "--json"]));
    assert_eq!(serde_json::from_str::<Value>(&plain).unwrap().as_object(), Some(&*told));
    // What cannot be certified keeps its report; a folder that cannot be written leaves nothing on standard output.
    let few = run(at, &["asv", "s", "--key", "k", "--out", "o2", "--draws", "999", "--json"]);
    let told: Value = serde_json::from_str(&out(&few)).unwrap();
    assert_eq!((code(&few), &told["certificate"], &told["sha256"]), (3, &Value::Null, &Value::Null), "{}", err(&few));
    let output = run(at, &["asv", "s", "--key", "k", "--out", "s/study.json", "--draws", "1000", "--json"]);
    assert_eq!((code(&output), out(&output).as_str()), (2, ""), "{}", err(&output));
    for file in ["o/small.asv.cert.json", "o/small.b-0.asv.cert.json"] {
        let output = run(at, &["verify", file, "--case", "s", "--trust", "k.pub", "--json"]);
        assert_eq!(code(&output), 0, "{}", out(&output));
        let alone = run(at, &["verify", file, "--trust", "k.pub"]);
        assert!(code(&alone) == 3 && out(&alone).contains("Give the study's folder"), "{}", out(&alone));
    }
    let rows = plain_rows();
    fs::write(at.join("s/scores.jsonl"), rows.replacen("-0.", "-1.", 1)).unwrap();
    let output = run(at, &["verify", "o/small.asv.cert.json", "--case", "s", "--trust", "k.pub"]);
    assert!(code(&output) == 1 && out(&output).contains("scores in hand"), "{}", out(&output));
}
