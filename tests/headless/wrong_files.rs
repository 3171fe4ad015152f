//! What is no file, and what is another file than the one wanted: every command says what it is and what to name instead,
//! and none waits for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::cli::{code, command, err, folder, out, run};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A folder with one file of each kind.
fn kinds() -> tempfile::TempDir {
    let here = folder();
    let at = here.path();
    let sample = root().join("sample_cases/94-step-value-smollm2-waves");
    for name in ["study.json", "scores.jsonl", "plan.json", "log.jsonl"] {
        fs::copy(sample.join(name), at.join(name)).unwrap();
    }
    fs::copy(root().join("sample_cases/10-airline-01/case.json"), at.join("case.json")).unwrap();
    let done = run(at, &["certify", "case.json", "--key", "k", "--out", ".", "--bundle"]);
    assert_eq!(code(&done), 0, "{}", err(&done));
    fs::rename(at.join("airline-01-free-window.cert.json"), at.join("cert.json")).unwrap();
    fs::rename(at.join("airline-01-free-window.decidendi"), at.join("bundle.zip")).unwrap();
    here
}

const KINDS: [(&str, &str); 7] = [
    ("case.json", "this is a case, which `decidendi inspect` reads"),
    ("study.json", "this is a study, which `decidendi asv` reads"),
    ("scores.jsonl", "this is a score file, which `decidendi asv` reads with the study in its folder"),
    ("plan.json", "this is an acquisition plan, which `decidendi acquire run` reads"),
    ("log.jsonl", "this is the log of an acquisition, whose folder `decidendi acquire replay` reads"),
    ("cert.json", "this is a certificate, which `decidendi verify` reads"),
    ("k", "this is a key"),
];

#[test]
fn another_kind_of_file_is_named_with_what_is_wanted() {
    let here = kinds();
    let case = "a case is wanted: name a case.json, a folder of cases, JSON Lines of cases or a bundle";
    let certificate = "a certificate is wanted: name a *.cert.json, a bundle, or a folder of them";
    let study = "a study is wanted: name the folder that holds study.json and scores.jsonl";
    let plan = "an acquisition plan is wanted: name a plan.json, or the folder of an acquisition";
    for (before, after, sound, wanted) in [
        (&["inspect"][..], &[][..], "case.json", case),
        (&["certify"], &["--key", "k", "--out", "o"], "case.json", case),
        (&["verify"], &[], "cert.json", certificate),
        (&["diff"], &["cert.json"], "cert.json", certificate),
        (&["asv"], &[], "study.json", study),
        (&["acquire", "probe"], &[], "plan.json", plan),
        (&["acquire", "run"], &["--out", "o"], "plan.json", plan),
    ] {
        for (file, what) in KINDS.into_iter().filter(|(file, _)| *file != sound) {
            let done = run(here.path(), &[before, &[file], after].concat());
            let told = format!("error: {file}: {what}; {wanted}");
            assert_eq!((code(&done), err(&done).lines().next()), (2, Some(told.as_str())), "{before:?} {file}");
        }
    }
    let done = run(here.path(), &["asv", "bundle.zip"]);
    assert!(err(&done).starts_with("error: bundle.zip: this is a bundle or another zip file"), "{}", err(&done));
    // In place of the scores, too; and a file that is what it should be keeps its own faults.
    for (file, what) in KINDS.into_iter().filter(|(file, _)| *file != "scores.jsonl") {
        let at = here.path().join("s");
        fs::create_dir_all(&at).unwrap();
        fs::copy(here.path().join("study.json"), at.join("study.json")).unwrap();
        fs::copy(here.path().join(file), at.join("scores.jsonl")).unwrap();
        let done = run(here.path(), &["asv", "s"]);
        let told = format!(
            "error: s/scores.jsonl: {what}; the scores of the study are wanted: a row a line, as `decidendi acquire run` writes them\n"
        );
        assert_eq!((code(&done), err(&done)), (2, told), "{file}");
    }
    let json = run(here.path(), &["inspect", "log.jsonl", "--json"]);
    assert_eq!(out(&json).lines().count(), 1, "a log is told once, not line by line");
    let rejected: serde_json::Value = serde_json::from_str(&out(&json)).unwrap();
    assert_eq!((&rejected["status"], &rejected["error"]["file"]), (&"rejected".into(), &"log.jsonl".into()));
}

/// Waits a little for a command; whoever still runs then hangs.
fn ended(mut child: Child, what: &str) -> std::process::Output {
    let until = Instant::now() + Duration::from_secs(20);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            child.kill().unwrap();
            panic!("{what} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

fn started(at: &Path, args: &[&str]) -> Child {
    command(at, args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_sockets_are_refused_at_once_wherever_a_file_is_named() {
    let here = kinds();
    let at = here.path();
    assert!(Command::new("mkfifo").arg(at.join("pipe")).status().unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(at.join("socket")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", at.join("zero")).unwrap();
    let link = |folder: &str, name: &str, to: &str| {
        fs::create_dir_all(at.join(folder)).unwrap();
        let _ = fs::remove_file(at.join(folder).join(name));
        std::os::unix::fs::symlink(at.join(to), at.join(folder).join(name)).unwrap();
    };
    for (special, what) in [("pipe", "a pipe"), ("zero", "a device"), ("socket", "a socket")] {
        for folder in ["scores", "log", "replayed"] {
            for name in ["study.json", "scores.jsonl", "plan.json", "log.jsonl"] {
                link(folder, name, name);
            }
        }
        link("scores", "scores.jsonl", special);
        link("log", "log.jsonl", special);
        link("replayed", "log.jsonl", special);
        for (args, file) in [
            (&["asv", special][..], special),
            (&["asv", "scores"], "scores/scores.jsonl"),
            (&["inspect", special], special),
            (&["certify", special, "--key", "k", "--out", "o"], special),
            (&["certify", "case.json", "--key", special, "--out", "o"], special),
            (&["verify", special], special),
            (&["verify", "cert.json", "--case", special], special),
            (&["verify", "cert.json", "--trust", special], special),
            (&["diff", "cert.json", special], special),
            (&["acquire", "probe", special], special),
            (&["acquire", "replay", "replayed"], "replayed/log.jsonl"),
        ] {
            let done = ended(started(at, args), &format!("{args:?}"));
            let told = format!(
                "{file}: is {what}, which may never end; name an ordinary file, or write what it gives into one first"
            );
            assert!(code(&done) == 2 && err(&done).contains(&told), "{args:?}: {}", err(&done));
        }
        let done = ended(started(at, &["acquire", "run", "plan.json", "--out", "log"]), special);
        let told = format!("log/log.jsonl: is {what}, which may never end");
        assert!(code(&done) == 2 && err(&done).contains(&told), "{}", err(&done));
    }
    for (args, told) in [
        (["asv", "scores"], "scores/scores.jsonl: is a folder; name a file in it"),
        (["asv", "case.json/x"], "case.json/x: cannot be read"),
    ] {
        fs::remove_file(at.join("scores/scores.jsonl")).unwrap_or_default();
        fs::create_dir_all(at.join("scores/scores.jsonl")).unwrap();
        let done = run(at, &args);
        assert!(code(&done) == 2 && err(&done).contains(told), "{}", err(&done));
    }
}

/// What a shell hands over by number, as for `<(command)`, reads like standard input.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_without_a_name_is_read() {
    let here = kinds();
    let case = fs::File::open(here.path().join("case.json")).unwrap();
    let mut cat = Command::new("cat").stdin(case).stdout(Stdio::piped()).spawn().unwrap();
    let pipe = cat.stdout.take().unwrap();
    let done = command(here.path(), &["inspect", "/dev/stdin"]).stdin(pipe).output().unwrap();
    cat.wait().unwrap();
    assert_eq!(code(&done), 0, "{}", err(&done));
}
