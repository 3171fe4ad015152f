//! Text that others wrote reaches no terminal as it is: every field of every format, every file name and argument holds
//! what clears a screen, turns text around or starts a line of its own, and every command shows it as escapes.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::acquire_wire::{Peer, answer};
use super::cli::{command, example, folder, run};

/// Clears the screen, rings, starts a line, turns text around, is a control sequence of one byte, shows nothing.
const EVIL: &str = "\u{1b}[2J\u{7}\r\nFORGED\u{202e}\u{2066}\u{9b}31m\u{200b}\u{7f}\u{feff}";

/// Both streams hold nothing that a terminal obeys, and no line that others began.
fn assert_safe(what: &str, output: &std::process::Output) {
    for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        let text = std::str::from_utf8(bytes).unwrap_or_else(|e| panic!("{what}: {stream}: {e}"));
        let steers = |c: char| {
            (c.is_control() && c != '\n')
                || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
        };
        if let Some(at) = text.find(steers) {
            panic!("{what}: {stream} holds {:?}:\n{}", text[at..].chars().next(), text.escape_debug());
        }
        assert!(!text.lines().any(|line| line.starts_with("FORGED")), "{what}: {stream}:\n{text}");
    }
    assert!(output.status.code().is_some_and(|code| code != 70), "{what}: {output:?}");
}

/// The document with each of its texts, keys and values, spoiled in turn.
fn spoiled(document: &Value) -> Vec<Value> {
    fn places(value: &Value, at: &str, out: &mut Vec<(String, Option<String>)>) {
        match value {
            Value::String(_) => out.push((at.to_owned(), None)),
            Value::Array(items) => {
                items.iter().take(2).enumerate().for_each(|(i, v)| places(v, &format!("{at}/{i}"), out))
            }
            Value::Object(fields) => fields.iter().for_each(|(key, v)| {
                out.push((at.to_owned(), Some(key.clone())));
                places(v, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), out);
            }),
            _ => {}
        }
    }
    let mut all = Vec::new();
    places(document, "", &mut all);
    let spoil = |(at, key): &(String, Option<String>)| {
        let mut copy = document.clone();
        let place = copy.pointer_mut(at).unwrap();
        match (place, key) {
            (Value::String(text), _) => text.push_str(EVIL),
            (Value::Object(fields), Some(key)) => {
                // The field under another name, and one more that nobody knows.
                let value = fields.get(key).unwrap().clone();
                fields.insert(format!("{key}{EVIL}"), value);
            }
            _ => unreachable!(),
        }
        copy
    };
    all.iter().map(spoil).collect()
}

fn sample(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn a_case_is_shown_with_escapes_whatever_field_holds_them() {
    let here = folder();
    let at = here.path();
    let mut cases = Vec::new();
    for path in [
        "sample_cases/00-winter-fuel/01-pensioner-starts-pension-credit.case.json",
        "tests/cmd/inspect.in/uncertifiable.case.json",
    ] {
        let full = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        if full.exists() {
            cases.extend(spoiled(&serde_json::from_str(&sample(path)).unwrap()));
        }
    }
    cases.extend(spoiled(&serde_json::from_str(&example("plain", 30)).unwrap()));
    cases.extend(spoiled(&serde_json::from_str(&super::cli::uncertifiable("other")).unwrap()));
    let lines: String = cases.iter().map(|case| case.to_string() + "\n").collect();
    fs::write(at.join("many.jsonl"), lines).unwrap();
    for args in [
        &["inspect", "many.jsonl"][..],
        &["inspect", "many.jsonl", "--json"],
        &["certify", "many.jsonl", "--key", "k", "--out", "o", "--bundle"],
        &["certify", "many.jsonl", "--key", "k", "--out", "p", "--json"],
        &["verify", "o", "--trust", "k.pub", "--case", "many.jsonl"],
        &["verify", "o", "--trust", "k.pub", "--case", "many.jsonl", "--json"],
    ] {
        assert_safe(&args.join(" "), &run(at, args));
    }
    for (n, case) in cases.iter().step_by(5).enumerate() {
        let name = format!("{n}.case.json");
        fs::write(at.join(&name), case.to_string()).unwrap();
        assert_safe(&case.to_string(), &run(at, &["inspect", &name]));
    }
}

#[test]
fn a_certificate_and_a_bundle_are_shown_with_escapes() {
    let here = folder();
    let at = here.path();
    fs::write(at.join("a.case.json"), example("a", 30)).unwrap();
    assert_eq!(run(at, &["certify", "a.case.json", "--key", "k", "--out", "o"]).status.code(), Some(0));
    let envelope: Value = serde_json::from_slice(&fs::read(at.join("o/a.cert.json")).unwrap()).unwrap();
    let payload = STANDARD.decode(envelope["payload"].as_str().unwrap()).unwrap();
    let statement: Value = serde_json::from_slice(&payload).unwrap();
    let mut all = spoiled(&envelope);
    for statement in spoiled(&statement) {
        let mut copy = envelope.clone();
        copy["payload"] = STANDARD.encode(statement.to_string()).into();
        all.push(copy);
    }
    fs::create_dir(at.join("many")).unwrap();
    for (n, envelope) in all.iter().enumerate() {
        fs::write(at.join(format!("many/{n}.cert.json")), envelope.to_string()).unwrap();
    }
    for more in [&["--json"][..], &[]] {
        let args = [&["verify", "many", "--trust", "k.pub", "--case", "a.case.json"], more].concat();
        assert_safe(&args.join(" "), &run(at, &args));
        for n in (0..all.len()).step_by(4) {
            let other = format!("many/{n}.cert.json");
            let args = [&["diff", "o/a.cert.json", &other], more].concat();
            assert_safe(&args.join(" "), &run(at, &args));
        }
    }
    // A bundle as a folder with a file of such a name, and a list that names it.
    assert_eq!(run(at, &["certify", "a.case.json", "--key", "k", "--out", "b", "--bundle"]).status.code(), Some(0));
    let zip = fs::read(at.join("b/a.decidendi")).unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(zip)).unwrap();
    archive.extract(at.join("unpacked")).unwrap();
    fs::write(at.join(format!("unpacked/x{EVIL}.txt")), "more").unwrap();
    let list: Value = serde_json::from_slice(&fs::read(at.join("unpacked/bundle.json")).unwrap()).unwrap();
    assert_safe("bundle", &run(at, &["verify", "unpacked", "--trust", "k.pub"]));
    for list in spoiled(&list) {
        fs::write(at.join("unpacked/bundle.json"), list.to_string()).unwrap();
        assert_safe(&list.to_string(), &run(at, &["verify", "unpacked", "--trust", "k.pub"]));
    }
    let mut writer = zip::ZipWriter::new(fs::File::create(at.join("evil.decidendi")).unwrap());
    writer.start_file(format!("a{EVIL}"), zip::write::SimpleFileOptions::default()).unwrap();
    writer.finish().unwrap();
    for args in
        [&["verify", "evil.decidendi"][..], &["verify", "evil.decidendi", "--json"], &["inspect", "evil.decidendi"]]
    {
        assert_safe(&args.join(" "), &run(at, args));
    }
}

#[test]
fn a_study_and_its_scores_are_shown_with_escapes() {
    let here = folder();
    let at = here.path();
    let study: Value = serde_json::from_str(&sample("sample_cases/94-step-value-smollm2-waves/study.json")).unwrap();
    let scores = sample("sample_cases/94-step-value-smollm2-waves/scores.jsonl");
    fs::create_dir(at.join("s")).unwrap();
    let asv = |what: &str, more: &[&str]| {
        assert_safe(what, &run(at, &[&["asv", "s", "--draws", "1000"], more].concat()));
    };
    fs::write(at.join("s/scores.jsonl"), &scores).unwrap();
    for (n, study) in spoiled(&study).into_iter().enumerate() {
        fs::write(at.join("s/study.json"), study.to_string()).unwrap();
        asv(&study.to_string(), if n % 2 == 0 { &[] } else { &["--json"] });
    }
    fs::write(at.join("s/study.json"), study.to_string()).unwrap();
    let (first, rest) = scores.split_once('\n').unwrap();
    for row in spoiled(&serde_json::from_str(first).unwrap()) {
        fs::write(at.join("s/scores.jsonl"), format!("{row}\n{rest}")).unwrap();
        asv(&row.to_string(), &[]);
    }
    fs::write(at.join("s/scores.jsonl"), format!("{EVIL}\n{rest}")).unwrap();
    asv("a row that is none", &[]);
    let args = ["asv", "s", "--transition", EVIL, "--key", "k", "--out", "o"];
    assert_safe("asv --transition", &run(at, &args));
}

#[test]
fn an_answer_a_plan_and_a_log_are_shown_with_escapes() {
    let here = folder();
    let at = here.path();
    let page = sample("docs/formats/acquire.md");
    let plan: Value =
        serde_json::from_str(page.split("```json\n").nth(1).unwrap().split("```").next().unwrap()).unwrap();
    // A model with such a name, in sound answers and in errors.
    let mut body: Value = serde_json::from_str(&sample("tests/vectors/acquire/recorded/complete.json")).unwrap();
    body["model"] = format!("m{EVIL}").into();
    body["system_fingerprint"] = EVIL.into();
    let sound = body.to_string();
    let peer = Peer::new(move |n, _| match n % 3 {
        1 => answer("503 Busy", "", serde_json::json!({"error": {"message": EVIL}}).to_string().as_bytes()),
        _ => answer("200 OK", "content-type: application/json\r\n", sound.as_bytes()),
    });
    fs::write(at.join("plan.json"), plan.to_string()).unwrap();
    for args in [
        &["acquire", "run", "plan.json", "--out", "o", "--max-calls", "6", "--url", &peer.url][..],
        &["acquire", "run", "plan.json", "--out", "o", "--max-calls", "6", "--url", &peer.url, "--json"],
        &["acquire", "replay", "o"],
        &["acquire", "replay", "o", "--json"],
        &["acquire", "probe", "plan.json", "--url", &peer.url],
        &["acquire", "probe", "plan.json", "--url", &peer.url, "--json"],
    ] {
        assert_safe(&args.join(" "), &run(at, args));
    }
    assert!(
        String::from_utf8_lossy(&run(at, &["acquire", "replay", "o"]).stdout).contains("another model than asked for")
    );
    // Every field of the log, in a line of its own and with the chain broken.
    let log = fs::read_to_string(at.join("o/log.jsonl")).unwrap();
    let (first, rest) = log.split_once('\n').unwrap();
    for record in spoiled(&serde_json::from_str(first).unwrap()) {
        fs::write(at.join("o/log.jsonl"), format!("{record}\n{rest}")).unwrap();
        assert_safe(&record.to_string(), &run(at, &["acquire", "replay", "o"]));
    }
    for (n, plan) in spoiled(&plan).into_iter().enumerate() {
        fs::write(at.join("plan.json"), plan.to_string()).unwrap();
        let out = format!("p{n}");
        let args = ["acquire", "run", "plan.json", "--out", &out, "--max-calls", "1", "--url", &peer.url];
        assert_safe(&plan.to_string(), &run(at, &args));
    }
    for body in
        [EVIL.to_owned(), format!("<html>{EVIL}"), format!("data: {EVIL}"), format!("{{\"a\": \"{}\"}}", "\\u001b[2J")]
    {
        let peer = Peer::new(move |_, _| answer("200 OK", "", body.as_bytes()));
        fs::write(at.join("plan.json"), plan.to_string()).unwrap();
        for args in [
            &["acquire", "run", "plan.json", "--out", "q", "--url", &peer.url][..],
            &["acquire", "probe", "plan.json", "--url", &peer.url],
        ] {
            assert_safe(&args.join(" "), &run(at, args));
        }
    }
}

#[cfg(unix)]
#[test]
fn file_names_arguments_and_key_files_are_shown_with_escapes() {
    let here = folder();
    let at = here.path();
    let evil = |end: &str| format!("x{EVIL}{end}");
    fs::write(at.join("a.case.json"), example("a", 30)).unwrap();
    fs::write(at.join(evil(".case.json")), example("b", 30)).unwrap();
    fs::write(at.join(evil(".jsonl")), "no case\n").unwrap();
    fs::write(at.join("bad.pub"), format!("-----BEGIN {EVIL}-----\n{EVIL}")).unwrap();
    fs::write(at.join(evil(".pub")), EVIL).unwrap();
    fs::create_dir(at.join(evil("d"))).unwrap();
    let (case, lines, public, directory) = (evil(".case.json"), evil(".jsonl"), evil(".pub"), evil("d"));
    let (key, nowhere, option) = (evil("k"), evil("/k"), format!("--{EVIL}"));
    for args in [
        &["inspect", &case][..],
        &["inspect", &case, "--json"],
        &["inspect", &lines, &public, &directory],
        &["inspect", &lines, "--json"],
        &["certify", &case, "--key", "k", "--out", &directory],
        &["certify", &case, "--key", "k", "--out", &directory, "--bundle", "--json"],
        &["verify", &directory, "--trust", "k.pub"],
        &["verify", &directory, "--trust", "k.pub", "--json"],
        &["verify", &directory, "--trust", &public],
        &["verify", &directory, "--trust", "bad.pub"],
        &["certify", &case, "--key", &public, "--out", "o"],
        &["certify", &case, "--key", "k", "--out", &case],
        &["certify", &case, "--key", "k", "--out", "o", "--time", EVIL],
        &["certify", &case, "--key", "k", "--out", "o", "--passphrase-env", EVIL],
        &["certify", &case, "--key", "k", "--out", "o", "--passphrase-file", &public],
        &["diff", &case, &public],
        &["diff", "k", EVIL],
        &["asv", &directory],
        &["asv", &case, "--draws", EVIL],
        &["acquire", "run", &case, "--out", &directory],
        &["acquire", "run", &directory, "--out", EVIL],
        &["acquire", "probe", &case, "--url", EVIL],
        &["acquire", "replay", &directory],
        &["acquire", EVIL],
        &["keygen", "--out", &key],
        &["keygen", "--out", &key, "--json"],
        &["keygen", "--out", &nowhere],
        &["demo", "--out", &directory],
        &["demo", "--out", &directory, "--json"],
        &["schema", EVIL],
        &["completions", EVIL],
        &["open", EVIL],
        &[EVIL],
        &[EVIL, EVIL],
        &["no-such-command", EVIL],
        &["inspect", &option],
        &[&option],
        &["inspect", "a.case.json", "--threads", EVIL],
        &["verify", "--threshold", EVIL],
        &["help", EVIL],
    ] {
        assert_safe(&format!("{args:?}"), &run(at, args));
    }
    // Arguments that are no text at all.
    use std::os::unix::ffi::OsStringExt as _;
    for word in [&b"\xff\x1b[2J\nFORGED"[..], b"--json=\xff\x1b[2J", b"\xc2\x9b31m"] {
        for first in ["inspect", "schema", "acquire", "keygen"] {
            let mut command = command(at, &[first]);
            let output = command.arg(OsString::from_vec(word.to_vec())).output().unwrap();
            assert_safe(first, &output);
        }
    }
}
