//! Files whose line ends were converted on the way, as git does with `core.autocrlf`: told as that, wherever a digest
//! differs for it, and never when anything else differs too.

use std::fs;
use std::path::Path;

use super::cli::{code, command, err, example, folder, out, run};

const SAMPLE: &str = "sample_cases/94-step-value-smollm2-waves";
const NAMES: [&str; 4] = ["plan.json", "log.jsonl", "study.json", "scores.jsonl"];

fn converted(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|&b| if b == b'\n' { vec![b'\r', b'\n'] } else { vec![b] }).collect()
}

/// The sample, with the line ends of some of its files converted.
fn copy(to: &Path, names: &[&str]) {
    fs::create_dir_all(to).unwrap();
    for name in NAMES {
        let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(SAMPLE).join(name)).unwrap();
        fs::write(to.join(name), if names.contains(&name) { converted(&bytes) } else { bytes }).unwrap();
    }
}

#[test]
fn a_log_and_what_follows_from_it_are_named_as_converted() {
    let here = folder();
    let at = here.path();
    copy(&at.join("sound"), &[]);
    assert_eq!(code(&run(at, &["acquire", "replay", "sound"])), 0);
    for (names, named) in [
        (&NAMES[..], "log.jsonl"),
        (&["log.jsonl"], "log.jsonl"),
        (&["plan.json"], "plan.json"),
        (&["study.json"], "study.json"),
        (&["scores.jsonl"], "scores.jsonl"),
    ] {
        copy(&at.join("s"), names);
        let replay = run(at, &["acquire", "replay", "s"]);
        let said = out(&replay) + &err(&replay);
        assert_eq!(code(&replay), 1, "{names:?}: {said}");
        assert!(said.contains("line ends alone") && said.contains("core.autocrlf"), "{names:?}: {said}");
        assert!(said.lines().any(|line| line.contains(named) && line.contains("alone")), "{names:?}: {said}");
    }
    let replay = run(at, &["acquire", "replay", "s", "--json"]);
    assert!(out(&replay).contains("\"line_ends_alone\": true"), "{}", out(&replay));
    let mut again = command(at, &["acquire", "run", "s", "--out", "t", "--max-calls", "1"]);
    copy(&at.join("t"), &["log.jsonl"]);
    let again = again.output().unwrap();
    assert_eq!((code(&again), err(&again).contains("line ends alone")), (1, true), "{}", err(&again));
    // More than the line ends.
    copy(&at.join("s"), &NAMES);
    let log = fs::read_to_string(at.join("s/log.jsonl")).unwrap();
    fs::write(at.join("s/log.jsonl"), log.replacen("\"elapsed_ms\":", "\"elapsed_ms\":1", 1)).unwrap();
    let replay = run(at, &["acquire", "replay", "s"]);
    assert_eq!(
        (code(&replay), err(&replay).contains("was changed after it was written")),
        (1, true),
        "{}",
        err(&replay)
    );
}

#[test]
fn a_certificate_says_that_its_study_was_converted() {
    let here = folder();
    let at = here.path();
    copy(&at.join("s"), &[]);
    let certify = ["asv", "s", "--draws", "1000", "--key", "k", "--out", "o"];
    assert_eq!(code(&run(at, &certify)), 0);
    let certificate = fs::read_dir(at.join("o")).unwrap().next().unwrap().unwrap().path();
    let verify = || run(at, &["verify", certificate.to_str().unwrap(), "--trust", "k.pub", "--case", "s"]);
    assert_eq!(code(&verify()), 0);
    // The study is bound by its canonical form.
    copy(&at.join("s"), &["study.json"]);
    assert_eq!(code(&verify()), 0, "{}", out(&verify()));
    for names in [&["scores.jsonl"][..], &["study.json", "scores.jsonl"]] {
        copy(&at.join("s"), names);
        let said = out(&verify());
        assert_eq!((code(&verify()), said.matches("in its line ends alone").count()), (1, 1), "{said}");
    }
    copy(&at.join("s"), &["scores.jsonl"]);
    let scores = fs::read_to_string(at.join("s/scores.jsonl")).unwrap();
    fs::write(at.join("s/scores.jsonl"), scores.replacen("-1.", "-2.", 1)).unwrap();
    let said = out(&verify());
    assert_eq!((code(&verify()), said.contains("alone")), (1, false), "{said}");
    // A converted certificate still says what was signed.
    let bytes = fs::read(&certificate).unwrap();
    fs::write(&certificate, converted(&bytes)).unwrap();
    copy(&at.join("s"), &[]);
    assert_eq!(code(&verify()), 0, "{}", out(&verify()));
}

#[test]
fn an_unpacked_bundle_says_that_it_was_converted() {
    let here = folder();
    let at = here.path();
    fs::write(at.join("a.case.json"), example("a", 30)).unwrap();
    assert_eq!(code(&run(at, &["certify", "a.case.json", "--key", "k", "--out", "o", "--bundle"])), 0);
    let zip = fs::File::open(at.join("o/a.decidendi")).unwrap();
    zip::ZipArchive::new(zip).unwrap().extract(at.join("b")).unwrap();
    assert_eq!(code(&run(at, &["verify", "b", "--trust", "k.pub"])), 0);
    let certificate = fs::read(at.join("b/certificate.json")).unwrap();
    fs::write(at.join("b/certificate.json"), converted(&certificate)).unwrap();
    let verify = run(at, &["verify", "b", "--trust", "k.pub"]);
    let said = out(&verify);
    assert_eq!((code(&verify), said.contains("line ends alone")), (1, true), "{said}");
}

#[test]
fn the_repository_converts_nothing() {
    let attributes = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".gitattributes")).unwrap();
    assert!(attributes.lines().any(|line| line == "* -text"), "{attributes}");
}
