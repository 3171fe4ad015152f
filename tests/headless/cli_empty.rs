//! A run over nothing is no success, and each line of JSON names its file.

use std::fs;

use serde_json::Value;

use super::cli::{code, err, example, feed, folder, out, run};

#[test]
fn nothing_is_no_case() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("blank.jsonl"), "\n  \n\n").unwrap();
    fs::create_dir(at.join("hollow")).unwrap();
    for input in ["blank.jsonl", "hollow"] {
        for args in
            [&["inspect", input][..], &["inspect", input, "--json"], &["certify", input, "--key", "k", "--out", "o"]]
        {
            let output = run(at, args);
            assert_eq!(code(&output), 2, "{args:?}: {}", out(&output));
            assert!(err(&output).contains(&format!("{input}: holds no case")), "{args:?}: {}", err(&output));
        }
    }
    for input in ["", "\n\n"] {
        let output = feed(at, &["inspect", "-", "--json"], input);
        assert_eq!(code(&output), 2);
        let line: Value = serde_json::from_str(&out(&output)).unwrap();
        assert_eq!((&line["file"], &line["status"]), (&"-".into(), &"rejected".into()), "{line}");
    }
}

#[test]
fn each_line_names_the_file_it_speaks_of() {
    let folder = folder();
    let at = folder.path();
    let lines = [example("a", 30), "{]".to_owned(), example("b", 14)].join("\n");
    fs::write(at.join("many.jsonl"), &lines).unwrap();
    for args in
        [&["inspect", "many.jsonl", "--json"][..], &["certify", "many.jsonl", "--key", "k", "--out", "o", "--json"]]
    {
        let said = out(&run(at, args));
        let lines: Vec<Value> = said.lines().take(3).map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(lines.iter().all(|line| line["file"] == "many.jsonl"), "{said}");
        assert_eq!(
            (&lines[0]["line"], &lines[1]["error"]["line"], &lines[2]["line"]),
            (&1.into(), &2.into(), &3.into())
        );
    }
    let line: Value = serde_json::from_str(&out(&feed(at, &["inspect", "-", "--json"], &example("a", 30)))).unwrap();
    assert_eq!((&line["file"], &line["line"]), (&"-".into(), &1.into()));
    let made: Value = serde_json::from_str(&out(&run(at, &["keygen", "--out", "new", "--json"]))).unwrap();
    assert_eq!(made["file"], "new");
}
