//! README and tutorials against the program: every command of ours that they show is run, in their order and in one
//! folder, and must print what they print. Keys are fresh, so that what shows a key is not compared.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::acquire_wire::{Peer, answer};
use crate::cli::BINARY;

/// The commands of a page with what they print.
fn commands(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    // Within a block: how many commands came before it, if it is one without a language.
    let mut block: Option<Option<usize>> = None;
    for line in page.lines() {
        let shown = block.flatten();
        if line.starts_with("```") {
            block = if block.is_some() { None } else { Some((line == "```").then_some(found.len())) };
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| shown.is_some()) {
            found.push((command.to_owned(), String::new()));
        } else if let Some((_, printed)) = shown.and_then(|before| found[before..].last_mut()) {
            printed.push_str(line);
            printed.push('\n');
        }
    }
    found
}

/// What does not depend on the key.
fn keyless(printed: &str) -> String {
    let lines = printed.trim_end().lines().map(|line| match line.split_once("1 of 1 needed: ") {
        Some((head, _)) => head,
        None if line.starts_with("fingerprint ") => "fingerprint",
        None => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

#[test]
fn readme_and_tutorials_show_what_the_program_prints() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for sample in [
        "sample_cases/00-winter-fuel/01-pensioner-starts-pension-credit.case.json",
        "sample_cases/90-step-value-simulated/study.json",
        "sample_cases/90-step-value-simulated/scores.jsonl",
        "sample_cases/93-step-value-smollm2/plan.json",
        "sample_cases/93-step-value-smollm2/log.jsonl",
        "sample_cases/93-step-value-smollm2/study.json",
        "sample_cases/93-step-value-smollm2/scores.jsonl",
    ] {
        fs::create_dir_all(at.join(sample).parent().unwrap()).unwrap();
        fs::write(at.join(sample), read(sample)).unwrap();
    }
    // The tutorial works in a folder beside the pages.
    fs::create_dir_all(at.join("docs/formats")).unwrap();
    fs::create_dir_all(at.join("tutorial")).unwrap();
    fs::write(at.join("docs/formats/case.md"), read("docs/formats/case.md")).unwrap();
    let programs = Path::new(BINARY).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let (mut ran, mut wrong) = (0, Vec::new());
    // The first two in one folder, as a reader may do.
    for (page, folder) in [
        ("README.md", "."),
        ("docs/tutorial.md", "tutorial"),
        ("docs/tutorial-step-value.md", "tutorial"),
        ("docs/tutorial.md", "."),
    ] {
        for (command, printed) in commands(&read(page)) {
            // Other people's tools may be missing here; building and moving about is done above.
            if !["decidendi ", "sed ", "ls ", "cp "].iter().any(|own| command.starts_with(own)) || command.contains('|')
            {
                continue;
            }
            let command = if folder == "." { command.replace("../docs", "docs") } else { command };
            let shell = format!("{{ {command}; }} 2>&1");
            let output =
                Command::new("sh").args(["-c", &shell]).current_dir(at.join(folder)).env("PATH", &path).output();
            let said = String::from_utf8(output.unwrap().stdout).unwrap();
            ran += 1;
            // In one folder `certificates` holds those of the README as well.
            let listing = folder == "." && command.starts_with("ls ");
            if keyless(&said) != keyless(&printed) && !listing {
                wrong.push(format!("{page}: {command}\n--- shown\n{printed}\n--- printed\n{said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(ran > 20, "only {ran} commands were found");
}

/// What the acquisition page shows, with the answers that the real evaluator gave: those of the shipped log, and those of a
/// probe. Only the time that a run takes is another one.
#[test]
fn the_acquisition_page_shows_what_the_program_prints() {
    let sample = "sample_cases/94-step-value-smollm2-waves";
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir_all(at.join(sample)).unwrap();
    fs::write(at.join(sample).join("plan.json"), read(&format!("{sample}/plan.json"))).unwrap();
    let lines = read(&format!("{sample}/log.jsonl")) + &read("tests/vectors/acquire/recorded/probe.jsonl");
    let exchanges = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let (mut bodies, mut requests) = (BTreeMap::new(), BTreeMap::new());
    for exchange in exchanges {
        let text = |key: &str| exchange[key].as_str().map(str::to_owned);
        // A request stands in the first record that has its digest.
        let (digest, request) = (text("request_sha256").or_else(|| text("request")), text("request"));
        let request = request.or_else(|| requests.get(&digest).cloned()).unwrap();
        requests.insert(digest, request.clone());
        bodies.entry(request).or_insert_with(Vec::new).push(text("body").unwrap());
    }
    let asked = RefCell::new(BTreeMap::<String, usize>::new());
    let peer = Peer::new(move |_, request| {
        let request = request.split_once("\r\n\r\n").unwrap().1;
        let bodies = bodies.get(request).unwrap_or_else(|| panic!("nobody asked the evaluator this: {request}"));
        let mut asked = asked.borrow_mut();
        let n = asked.entry(request.to_owned()).or_default();
        *n += 1;
        answer("200 OK", "content-type: application/json\r\n", bodies[(*n - 1).min(bodies.len() - 1)].as_bytes())
    });
    let mut ran = Vec::new();
    for (command, printed) in commands(&read("docs/formats/acquire.md")) {
        let Some(rest) = command.strip_prefix("decidendi acquire ") else { continue };
        let args: Vec<&str> = ["acquire"].into_iter().chain(rest.split(' ')).collect();
        let url = if args[1] == "replay" { vec![] } else { vec!["--url", peer.url.as_str()] };
        let done = Command::new(BINARY).args(args.iter().chain(&url)).current_dir(at).output().unwrap();
        let said = String::from_utf8(done.stdout).unwrap() + &String::from_utf8(done.stderr).unwrap();
        let timeless = |text: &str| {
            let lines = text.replace(&peer.url, "http://127.0.0.1:8651/v1");
            lines
                .lines()
                .map(|l| l.split_once(" answers in ").map_or(l, |(head, _)| head).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(timeless(&printed), timeless(&said), "{command}\n{said}");
        ran.push(args[1].to_owned());
    }
    assert_eq!(ran, ["probe", "run", "replay"]);
    // The answers of the log give the study of the log.
    for name in ["study.json", "scores.jsonl"] {
        assert_eq!(
            fs::read_to_string(at.join("swiss").join(name)).unwrap(),
            read(&format!("{sample}/{name}")),
            "{name}"
        );
    }
}

/// What the documented commands leave in the project's folder is never committed by accident, a private key least of all.
#[test]
fn what_the_pages_write_is_ignored() {
    let ignored = read(".gitignore");
    for name in ["decidendi-demo/", "tutorial/", "certificates/", "signing.pem", "signing.pem.pub"] {
        assert!(ignored.lines().any(|line| line.trim_start_matches('/') == name), "{name}");
    }
}

/// What a reader needs is said where it is needed.
#[test]
fn the_pages_say_what_a_reader_needs() {
    for (page, words) in [
        ("README.md", "export PATH="),
        ("docs/tutorial.md", "`jq`, `openssl` and Python 3"),
        ("docs/tutorial.md", "only what differs is shown, and `D` shows the rest"),
        ("docs/tutorial.md", "press `Ctrl+L` and type its path"),
        ("docs/tutorial.md", "~/.config/decidendi/keys"),
        ("docs/tutorial.md", "~/Documents/Decidendi"),
        ("docs/tutorial.md", "*Walk an edge*"),
        ("docs/tutorial.md", "`S` swaps old and new"),
        ("docs/tutorial.md", "saves filters and order as a view"),
        ("docs/tutorial.md", "That is the *key id*, not the fingerprint"),
        ("docs/formats/keys.md", "People compare the *fingerprint*"),
        ("docs/formats/command-line.md", "`diff` found a difference"),
        ("docs/formats/command-line.md", "decidendi:PLACE#CASE/TAB/MASK"),
    ] {
        assert!(read(page).contains(words), "{page}: {words}");
    }
}
