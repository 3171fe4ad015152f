//! Key files and passphrases: the cause that is named is the cause, by every route.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::cli::{BINARY, code, err, example, folder, out, run};

/// Runs with one environment variable.
fn run_with(at: &Path, variable: (&str, &str), args: &[&str]) -> Output {
    let mut command = Command::new(BINARY);
    command.current_dir(at).env(variable.0, variable.1).args(args).output().unwrap()
}

#[test]
fn a_passphrase_is_the_same_by_either_route() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("a.case.json"), example("a", 30)).unwrap();
    fs::write(at.join("word"), "open sesame\r\nnot this line\n").unwrap();
    let made = run_with(at, ("WORD", "open sesame\n"), &["keygen", "--out", "e.pem", "--passphrase-env", "WORD"]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    let certify = ["certify", "a.case.json", "--key", "e.pem", "--out", "o"];
    let by_file = run(at, &[&certify[..], &["--passphrase-file", "word"]].concat());
    assert_eq!(code(&by_file), 0, "{}", err(&by_file));
    let by_variable = run_with(at, ("WORD", "open sesame"), &[&certify[..], &["--passphrase-env", "WORD"]].concat());
    assert_eq!(code(&by_variable), 0, "{}", err(&by_variable));
    for (word, said) in [("a\nb", "holds more than one line"), ("\n", "the passphrase is empty")] {
        let refused = run_with(at, ("WORD", word), &["keygen", "--out", "x.pem", "--passphrase-env", "WORD"]);
        assert_eq!((code(&refused), at.join("x.pem").exists()), (2, false));
        assert!(err(&refused).contains(said), "{}", err(&refused));
    }
    fs::write(at.join("marked"), "\u{feff}open sesame\n").unwrap();
    let marked = run(at, &[&certify[..], &["--passphrase-file", "marked"]].concat());
    assert_eq!(code(&marked), 2);
    assert!(err(&marked).contains("marked: begins with a byte order mark"), "{}", err(&marked));
}

#[test]
fn a_key_file_is_told_as_what_it_is() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("a.case.json"), example("a", 30)).unwrap();
    assert_eq!(code(&run(at, &["certify", "a.case.json", "--key", "k", "--out", "o"])), 0);
    assert_eq!(code(&run(at, &["keygen", "--out", "other"])), 0);
    let pem = fs::read_to_string(at.join("k.pub")).unwrap();
    let body: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    let der = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, body).unwrap();
    let two = pem.clone() + &fs::read_to_string(at.join("other.pub")).unwrap();
    for (name, bytes, exit, word) in [
        ("words.pub", format!("note\n{pem}more words\n").into_bytes(), 0, ""),
        ("two.pub", two.into_bytes(), 2, "two.pub: the file holds two keys; give each its own file"),
        ("bom.pub", format!("\u{feff}{pem}").into_bytes(), 2, "bom.pub: the file begins with a byte order mark"),
        ("der.pub", der, 2, "openssl pkey -pubin -inform DER -in KEY.der -out KEY.pem"),
        ("empty.pub", Vec::new(), 2, "empty.pub: the file is empty"),
    ] {
        fs::write(at.join(name), bytes).unwrap();
        let output = run(at, &["verify", "o/a.cert.json", "--case", "a.case.json", "--trust", name]);
        assert_eq!(code(&output), exit, "{name}: {}{}", out(&output), err(&output));
        assert!(err(&output).contains(word), "{}", err(&output));
    }
}
