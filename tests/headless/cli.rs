//! The command line as a user meets it: streams, exit codes, hostile paths. Scripts with all their text are in
//! `tests/cmd`; run with `TRYCMD=overwrite` after a wanted change of wording and read the difference.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub const BINARY: &str = env!("CARGO_BIN_EXE_decidendi");

/// The example of `docs/formats/case.md`, on one line.
pub fn example(id: &str, window: u32) -> String {
    format!(
        r#"{{"format":"decidendi/case@1","id":"{id}","context":{{"actor":"agent"}},"adjudicator":{{"engine":"rules"}},"interface":{{"grounds":{{"days":{{"type":"int","unit":"day"}}}},"parameters":{{"window":{{"type":"int","unit":"day"}}}}}},"sources":[{{"name":"grounds","old":{{"days":16}},"new":{{"days":13}}}},{{"name":"norms","old":{{"parameters":{{"window":14}},"rules":[{{"id":"r","when":"days <= window","then":"approve"}}],"default":"deny"}},"new":{{"parameters":{{"window":{window}}},"rules":[{{"id":"r","when":"days <= window","then":"approve"}}],"default":"deny"}}}},{{"name":"authority","old":{{"grants":[{{"norm":"*"}}]}},"new":{{"grants":[{{"norm":"*"}}]}}}}]}}"#
    )
}

/// The same case with amounts in another unit than the interface declares: uncertifiable.
pub fn uncertifiable(id: &str) -> String {
    example(id, 30).replace(r#""new":{"days":13}"#, r#""new":{"days":{"value":312,"unit":"hour"}}"#)
}

pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command
        .current_dir(folder)
        .args(args)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET");
    command
}

pub fn run(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).stdin(Stdio::null()).output().unwrap()
}

pub fn feed(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child =
        command(folder, args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // The program may end before it has read everything.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("ended by a signal: {output:?}"))
}

pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Sends a signal. The shell's own `kill` is asked, since the program of that name is missing on a bare system.
pub fn send(signal: &str, process: u32) {
    assert!(Command::new("bash").arg("-c").arg(format!("kill {signal} {process}")).status().unwrap().success());
}

/// A folder with a key pair `k`, `k.pub`.
pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(code(&run(folder.path(), &["keygen", "--out", "k"])), 0);
    folder
}

fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|p| (PathBuf::from(p.file_name().unwrap()), fs::read(&p).unwrap())).collect()
}

#[test]
fn scripts_say_what_they_said() {
    trycmd::TestCases::new()
        .register_bin("decidendi", Path::new(BINARY))
        .env("DISPLAY", "")
        .env("WAYLAND_DISPLAY", "")
        .case("tests/cmd/*.trycmd");
}

#[test]
fn lines_on_stdin_give_one_result_each_in_their_order() {
    let folder = folder();
    let input = format!(
        "{}\n\n{}\n{{\"format\": \"decidendi/case@1\", \"id\": \"x\", \"i\\u0064\": \"y\"}}\n{}",
        example("a", 30),
        uncertifiable("b"),
        example("c", 14)
    );
    let output = feed(folder.path(), &["inspect", "-", "--json"], &input);
    assert_eq!(code(&output), 2);
    let lines: Vec<serde_json::Value> = out(&output).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let said: Vec<_> = lines.iter().map(|l| (l["case"].as_str(), l["status"].as_str().unwrap())).collect();
    let wanted = [(Some("a"), "changed"), (Some("b"), "uncertifiable"), (None, "rejected"), (Some("c"), "changed")];
    assert_eq!(said, wanted);
    // Blank lines count for the place, not for the results.
    assert_eq!(lines[2]["error"]["line"], 4);
    // What has no text to point into still names its file.
    let missing = run(folder.path(), &["inspect", "missing.json", "--json"]);
    let line: serde_json::Value = serde_json::from_str(&out(&missing)).unwrap();
    let error = &line["error"];
    assert_eq!((&error["file"], &error["line"], &error["column"]), (&"missing.json".into(), &().into(), &().into()));
    assert!(err(&output).contains("<stdin>:4:") && err(&output).contains("duplicate key"), "{}", err(&output));
    assert_eq!(code(&feed(folder.path(), &["inspect", "-"], &uncertifiable("b"))), 3);
}

#[test]
fn certificates_do_not_depend_on_threads_or_repetition() {
    let folder = folder();
    let input: String = (0..700).map(|i| example(&format!("case-{i}"), 10 + i % 10) + "\n").collect();
    let certify = |out: &str, threads: &str| {
        let args = ["certify", "-", "--key", "k", "--out", out, "--bundle", "--threads", threads];
        let output = feed(folder.path(), &args, &input);
        assert_eq!(code(&output), 0, "{}", err(&output));
        (super::cli::out(&output).replace(out, "DIR"), contents(&folder.path().join(out)))
    };
    let one = certify("one", "1");
    assert_eq!(one.1.len(), 1400);
    assert!(one == certify("two", "2") && one == certify("two", "7"), "bytes or order depend on threads");
    let lines: Vec<_> = one.0.lines().collect();
    assert!(lines[699].contains("  case-699  "), "{}", lines[699]);
}

#[test]
fn a_second_case_of_one_id_never_overwrites_the_first() {
    let folder = folder();
    let input = format!("{}\n{}\n{}\n", example("a", 30), example("a", 14), example("b", 30));
    let output = feed(folder.path(), &["certify", "-", "--key", "k", "--out", "o", "--json"], &input);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("<stdin>:2: the id `a` was used by <stdin>:1 already"), "{}", err(&output));
    let lines: Vec<serde_json::Value> = out(&output).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines[0]["receipts"], serde_json::json!([["grounds"], ["norms"]]));
    assert_eq!(lines[1]["status"], "duplicate");
    assert_eq!((&lines[1]["error"]["file"], &lines[1]["error"]["line"]), (&"<stdin>".into(), &2.into()));
    assert_eq!((&lines[3]["summary"]["certified"], &lines[3]["summary"]["cases"]), (&2.into(), &3.into()));
    fs::write(folder.path().join("a.case.json"), example("a", 30)).unwrap();
    let first = ["verify", "o/a.cert.json", "--case", "a.case.json", "--trust", "k.pub"];
    assert_eq!(code(&run(folder.path(), &first)), 0);
}

#[test]
fn exit_codes_are_those_of_the_contract() {
    let folder = folder();
    let at = folder.path();
    for (name, text) in [("a.case.json", example("a", 30)), ("u.case.json", uncertifiable("u")), ("x.json", "{".into())]
    {
        fs::write(at.join(name), text).unwrap();
    }
    assert_eq!(code(&run(at, &["keygen", "--out", "other"])), 0);
    assert_eq!(code(&run(at, &["certify", "a.case.json", "--key", "k", "--out", "o", "--bundle"])), 0);
    let altered = fs::read_to_string(at.join("o/a.cert.json")).unwrap().replacen("eyJ", "eyK", 1);
    fs::write(at.join("altered.cert.json"), altered).unwrap();
    let cert = "o/a.cert.json";
    for (wanted, args) in [
        (0, vec!["inspect", "a.case.json"]),
        (3, vec!["inspect", "u.case.json", "--json"]),
        (2, vec!["inspect", "x.json"]),
        (2, vec!["inspect", "missing.json"]),
        (2, vec!["inspect"]),
        (2, vec!["inspect", "a.case.json", "--threads", "0"]),
        (3, vec!["certify", "u.case.json", "--key", "k", "--out", "o"]),
        (2, vec!["certify", "a.case.json", "--key", "k.pub", "--out", "o"]),
        (2, vec!["certify", "a.case.json", "--key", "k", "--out", "o", "--time", "2026-11-29T23:59:60.000Z"]),
        (2, vec!["certify", "a.case.json", "--key", "k", "--key", "k", "--out", "o"]),
        (0, vec!["verify", cert, "--case", "a.case.json", "--trust", "k.pub"]),
        (0, vec!["verify", "--trust", "k.pub", "--case", "a.case.json", "--", cert]),
        (0, vec!["verify", "--case", "a.case.json", "--trust", "k.pub", cert]),
        (0, vec!["verify", "o/a.decidendi", "--trust", "other.pub", "k.pub"]),
        (0, vec!["verify", "o", "--case", "a.case.json", "--trust", "k.pub"]),
        (3, vec!["verify", cert, "--trust", "k.pub"]),
        (3, vec!["verify", "o/a.decidendi"]),
        (3, vec!["verify", "o/a.decidendi", "--trust", "other.pub"]),
        (3, vec!["verify", "o/a.decidendi", "--trust", "other.pub", "k.pub", "--threshold", "2"]),
        (2, vec!["verify", "o/a.decidendi", "--trust", "k.pub", "--threshold", "2"]),
        (2, vec!["verify", "o/a.decidendi", "--trust", "k.pub", "k.pub"]),
        (1, vec!["verify", "altered.cert.json", "--trust", "k.pub", "--case", "a.case.json"]),
        (1, vec!["verify", cert, "--trust", "k.pub", "--case", "u.case.json"]),
        (2, vec!["verify", "a.case.json", "--trust", "k.pub"]),
        (0, vec!["diff", cert, "o/a.decidendi"]),
        (2, vec!["diff", cert, "x.json"]),
        (2, vec!["keygen", "--out", "k"]),
        (0, vec!["schema", "case"]),
        (2, vec!["schema", "nothing"]),
        (0, vec!["completions", "bash"]),
        (0, vec!["--version"]),
        (0, vec!["demo", "--out", "d"]),
        (2, vec!["open", "a.case.json"]),
        (2, vec![]),
    ] {
        let output = run(at, &args);
        assert_eq!(code(&output), wanted, "{args:?}\n{}{}", out(&output), err(&output));
        assert!(!err(&output).contains("panicked"), "{}", err(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_a_message_takes_the_place_of_the_progress_line() {
    let folder = folder();
    let input: String = (0..8000).map(|i| example(&format!("case-{i}"), 30) + "\n").collect();
    fs::write(folder.path().join("many.jsonl"), input + "{]\n").unwrap();
    // `script` gives the command a terminal and prints what is seen there.
    let line = format!("{BINARY} inspect many.jsonl --json --threads 1 > lines.jsonl");
    let output = Command::new("script").args(["-qec", &line, "/dev/null"]).current_dir(folder.path()).output().unwrap();
    let seen = out(&output);
    assert!(seen.contains("\r\u{1b}[Kinspected ") && seen.contains("  (Ctrl-C stops)"), "{seen:?}");
    assert!(seen.contains("\r\u{1b}[Kerror: many.jsonl:8001:2:"), "{seen:?}");
    let lines = fs::read_to_string(folder.path().join("lines.jsonl")).unwrap();
    assert!(lines.lines().count() == 8001 && !lines.contains('\u{1b}'));
}

#[test]
fn faults_that_are_left_out_are_counted() {
    let folder = folder();
    // 2^18 hybrids; half of them have the wrong unit.
    let more: String =
        (0..15).map(|i| format!(r#",{{"name":"more-{i}","role":"grounds","old":{{}},"new":{{}}}}"#)).collect();
    let case = uncertifiable("a");
    let case = format!("{}{more}]}}", case.strip_suffix("]}").unwrap());
    fs::write(folder.path().join("a.case.json"), case).unwrap();
    for args in [&["inspect", "a.case.json"][..], &["certify", "a.case.json", "--key", "k", "--out", "o"]] {
        let output = run(folder.path(), &[args, &["--json"]].concat());
        assert_eq!(code(&output), 3, "{}", err(&output));
        let said: serde_json::Value = serde_json::from_str(out(&output).lines().next().unwrap()).unwrap();
        assert_eq!(said["faults"].as_array().unwrap().len(), 65_536);
        assert_eq!(said["unlisted"], 65_536, "{args:?}");
        assert!(said["faults"][0].get("repair").is_some(), "{args:?}");
    }
    let said = out(&run(folder.path(), &["inspect", "a.case.json"]));
    assert!(said.contains("The list ends at 65536 faults: 65536 more hybrids without a verdict"), "{said}");
}

#[test]
fn a_line_too_long_is_named_and_the_next_one_is_read() {
    let folder = folder();
    let long = " ".repeat((64 << 20) + 1);
    let output = feed(folder.path(), &["inspect", "-", "--json"], &format!("{long}\n{}\n", example("a", 30)));
    assert_eq!(code(&output), 2);
    let lines: Vec<serde_json::Value> = out(&output).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((&lines[0]["error"]["line"], &lines[1]["case"]), (&1.into(), &"a".into()));
    assert!(err(&output).contains("<stdin>:1:1: the line is larger than the bound of 67108864"), "{}", err(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_name_that_is_no_text_is_not_passed_over() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let book = folder.path().join("book");
    fs::create_dir(&book).unwrap();
    fs::write(book.join(std::ffi::OsStr::from_bytes(b"\xff.case.json")), example("a", 30)).unwrap();
    let output = run(folder.path(), &["inspect", "book", "--json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(out(&output).contains(r#""case": "a""#), "{}", out(&output));
}

#[test]
fn without_a_display_the_window_says_what_it_needs() {
    let folder = folder();
    for args in [vec![], vec!["open"], vec!["x.case.json"]] {
        let said = err(&run(folder.path(), &args));
        for command in
            ["demo", "inspect", "certify", "verify", "diff", "asv", "acquire", "keygen", "schema", "completions"]
        {
            assert!(said.contains(command), "{command}: {said}");
        }
        if cfg!(feature = "window") {
            assert!(said.contains("DISPLAY") && said.contains("libxkbcommon-x11-0"), "{said}");
        }
    }
}

#[test]
fn the_demo_does_the_main_job_and_leaves_no_private_key() {
    let folder = folder();
    let output = run(folder.path(), &["demo", "--out", "d"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let said = out(&output);
    for word in ["Lattice", "Receipts (complete family, 2)", "Account", "Pass: verified", "d/winter-fuel-01"] {
        assert!(said.contains(word), "{word}\n{said}");
    }
    let again = said.lines().rfind(|l| l.contains("decidendi verify")).unwrap();
    let args: Vec<&str> = again.split_whitespace().skip(1).collect();
    assert_eq!(code(&run(folder.path(), &args)), 0);
    for (name, bytes) in contents(&folder.path().join("d")) {
        assert!(!String::from_utf8_lossy(&bytes).contains("PRIVATE KEY"), "{}", name.display());
    }
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let folder = folder();
    let input: String = (0..2000).map(|i| example(&format!("case-{i}"), 30) + "\n").collect();
    fs::write(folder.path().join("many.jsonl"), input).unwrap();
    let mut child = command(folder.path(), &["inspect", "many.jsonl", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), err(&output).as_str()), (0, ""));
}

#[test]
fn references_never_leave_the_folder_of_their_case() {
    let folder = folder();
    let at = folder.path().join("book");
    fs::create_dir_all(at.join("inside")).unwrap();
    fs::write(folder.path().join("secret.json"), r#"{"days": 13}"#).unwrap();
    fs::write(at.join("inside/new.json"), r#"{"days": 13}"#).unwrap();
    std::os::unix::fs::symlink("../secret.json", at.join("link.json")).unwrap();
    std::os::unix::fs::symlink("..", at.join("up")).unwrap();
    std::os::unix::fs::symlink("inside/new.json", at.join("good-link.json")).unwrap();
    let secret = folder.path().join("secret.json").display().to_string();
    for (reference, wanted, word) in [
        ("inside/new.json", 0, ""),
        ("./inside/new.json", 0, ""),
        ("good-link.json", 0, ""),
        ("../secret.json", 2, "climbs with `..`"),
        ("inside/../../secret.json", 2, "climbs with `..`"),
        (secret.as_str(), 2, "absolute path"),
        ("link.json", 2, "link that leads out"),
        ("up/secret.json", 2, "link that leads out"),
        ("inside", 2, "no ordinary file"),
        ("..\\\\secret.json", 2, "backslash"),
        ("nowhere.json", 2, "no such file"),
    ] {
        let case = example("a", 30).replace(r#""new":{"days":13}"#, &format!(r#""new":{{"$ref":"{reference}"}}"#));
        fs::write(at.join("a.case.json"), &case).unwrap();
        let output = run(folder.path(), &["inspect", "book/a.case.json"]);
        assert_eq!(code(&output), wanted, "{reference}: {}", err(&output));
        assert!(err(&output).contains(word), "{reference}: {}", err(&output));
        // The place of the reference, so that it can be found.
        assert!(wanted == 0 || err(&output).contains("a.case.json:1:"), "{reference}: {}", err(&output));
    }
    let case = example("a", 30).replace(r#""new":{"days":13}"#, r#""new":{"$ref":"inside/new.json"}"#);
    let output = feed(&at, &["inspect", "-"], &case);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("standard input or in a bundle has no folder"), "{}", err(&output));
}

#[test]
fn text_from_a_case_cannot_steer_the_terminal() {
    let folder = folder();
    let case = example("a", 30).replace(r#""context""#, r#""title":"\u001b[2Jgone\u202edrawkcab","context""#);
    fs::write(folder.path().join("a.case.json"), case).unwrap();
    let output = run(folder.path(), &["inspect", "a.case.json"]);
    let said = out(&output) + &err(&output);
    assert!(!said.contains('\u{1b}') && !said.contains('\u{202e}'), "{said:?}");
    assert!(said.contains(r"\u{1b}[2Jgone"), "{said}");
    // A line feed would put words into our mouth: in a field's name, in a file's name, in a value.
    let forged = r"x\nerror: forged\r1 of 1 verified";
    let noted = example("a", 30).replace(r#"{"days":16}"#, &format!(r#"{{"days":16,"{forged}":1}}"#));
    let refused = example("a", 30).replace(r#""then":"approve""#, &format!(r#""then":"{forged}""#));
    let name = "f\nerror: forged.case.json";
    for (wanted, case) in [(0, noted), (2, refused)] {
        assert_ne!(case, example("a", 30));
        fs::write(folder.path().join(name), case).unwrap();
        for args in [&["inspect", name][..], &["certify", name, "--key", "k", "--out", "o"]] {
            let output = run(folder.path(), args);
            assert_eq!(code(&output), wanted, "{}", err(&output));
            let said = out(&output) + &err(&output);
            assert!(said.contains("forged") && !said.lines().any(|l| l.starts_with("error: forged")), "{said}");
            assert!(!said.contains('\r'), "{said:?}");
        }
    }
}

#[test]
fn protected_keys_work_from_file_and_environment() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("pass"), "correct horse\n").unwrap();
    fs::write(at.join("a.case.json"), example("a", 30)).unwrap();
    assert_eq!(code(&run(at, &["keygen", "--out", "p", "--passphrase-file", "pass"])), 0);
    assert!(fs::read_to_string(at.join("p")).unwrap().contains("BEGIN ENCRYPTED PRIVATE KEY"));
    let certify = ["certify", "a.case.json", "--key", "p", "--out", "o"];
    let output = run(at, &certify);
    assert!(code(&output) == 2 && err(&output).contains("--passphrase-file"), "{}", err(&output));
    let output = command(at, &certify).args(["--passphrase-env", "SECRET"]).env("SECRET", "wrong").output().unwrap();
    assert!(code(&output) == 2 && err(&output).contains("does not open"), "{}", err(&output));
    let output =
        command(at, &certify).args(["--passphrase-env", "SECRET"]).env("SECRET", "correct horse").output().unwrap();
    assert_eq!(code(&output), 0, "{}", err(&output));
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(fs::metadata(at.join("p")).unwrap().permissions().mode() & 0o777, 0o600);
}
