//! What lies in a place already: nothing is written through a link, and a file that this program did not write there is
//! not replaced unasked.

use std::fs;
use std::path::Path;

use super::acquire_wire::{Peer, answer};
use super::cli::{code, command, err, example, folder, run};

const STUDY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_cases/90-step-value-simulated");

/// Puts somebody's notes into a place.
fn put(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "my own notes").unwrap();
}

fn is_kept(path: &Path) -> bool {
    fs::read(path).unwrap() == b"my own notes"
}

fn asv(out: &str) -> Vec<String> {
    ["asv", STUDY, "--draws", "1000", "--key", "k", "--out", out].map(str::to_owned).to_vec()
}

/// Each command that writes files of its own names, with those.
fn doors() -> Vec<(Vec<String>, Vec<&'static str>)> {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    vec![
        (words("certify a.case.json --key k --out o --bundle"), vec!["o/a.cert.json", "o/a.decidendi"]),
        (asv("o"), vec!["o/step-value-simulated.asv.cert.json"]),
        (
            words("demo --json --out o"),
            vec![
                "o/winter-fuel.case.json",
                "o/demo-key.pub",
                "o/winter-fuel-01-pensioner-starts-pension-credit.cert.json",
            ],
        ),
    ]
}

#[test]
fn a_file_that_somebody_else_wrote_is_kept_unless_force_is_given() {
    for (args, places) in doors() {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        // The names above are those that the command writes.
        let here = folder();
        fs::write(here.path().join("a.case.json"), example("a", 30)).unwrap();
        let first = run(here.path(), &args);
        assert_eq!(code(&first), 0, "{}", err(&first));
        for place in &places {
            let at = here.path().join(place);
            assert!(at.exists(), "{place} is not written");
            // Again, over what was written a moment ago.
            assert_eq!(code(&run(here.path(), &args)), 0, "{args:?}: {}", err(&run(here.path(), &args)));
            put(&at);
            let refused = run(here.path(), &args);
            assert!(code(&refused) == 2 && is_kept(&at), "{place}: {}", err(&refused));
            let said = err(&refused);
            assert!(said.contains("exists already") && said.contains("--force"), "{said}");
            let forced = run(here.path(), &[&args[..], &["--force"]].concat());
            assert!(code(&forced) == 0 && !is_kept(&at), "{place}: {}", err(&forced));
        }
    }
}

#[test]
fn one_file_in_the_way_stops_no_other_case() {
    let here = folder();
    let at = here.path();
    let lines: String = ["a", "b", "c"].map(|id| example(id, 30) + "\n").concat();
    fs::write(at.join("many.jsonl"), lines).unwrap();
    put(&at.join("o/b.cert.json"));
    let done = run(at, &["certify", "many.jsonl", "--key", "k", "--out", "o"]);
    assert_eq!((code(&done), is_kept(&at.join("o/b.cert.json"))), (2, true), "{}", err(&done));
    assert!(at.join("o/a.cert.json").exists() && at.join("o/c.cert.json").exists());
    assert!(err(&done).contains("2 of 3 certified") && err(&done).contains("many.jsonl:2"), "{}", err(&done));
}

#[test]
fn a_certificate_is_replaced_by_one_of_the_same_case_and_key_alone() {
    let here = folder();
    let at = here.path();
    assert_eq!(code(&run(at, &["keygen", "--out", "other"])), 0);
    let certify = |case: &str, key: &str| {
        fs::write(at.join("a.case.json"), case).unwrap();
        code(&run(at, &["certify", "a.case.json", "--key", key, "--out", "o", "--bundle"]))
    };
    assert_eq!(certify(&example("a", 30), "k"), 0);
    // The case was edited: the same id, the same key.
    assert_eq!(certify(&example("a", 20), "k"), 0);
    assert_eq!(certify(&example("a", 20), "other"), 2);
    assert_eq!(certify(&example("a", 20), "k"), 0);
    // The certificate of another case under this name.
    assert_eq!(certify(&example("b", 20), "k"), 0);
    fs::copy(at.join("o/b.cert.json"), at.join("o/a.cert.json")).unwrap();
    assert_eq!(certify(&example("a", 20), "k"), 2);
    // One that was altered is nobody's.
    fs::remove_file(at.join("o/a.cert.json")).unwrap();
    assert_eq!(certify(&example("a", 20), "k"), 0);
    let text = fs::read_to_string(at.join("o/a.cert.json")).unwrap();
    let place = text.find("\"payload\":\"").unwrap() + 40;
    let altered =
        format!("{}{}{}", &text[..place], if &text[place..=place] == "A" { "B" } else { "A" }, &text[place + 1..]);
    fs::write(at.join("o/a.cert.json"), altered).unwrap();
    assert_eq!(certify(&example("a", 30), "k"), 2);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    use std::os::unix::fs::symlink;
    for (args, places) in doors() {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        for place in places {
            let here = folder();
            let at = here.path();
            fs::write(at.join("a.case.json"), example("a", 30)).unwrap();
            let target = at.join("elsewhere/notes");
            put(&target);
            fs::create_dir_all(at.join("o")).unwrap();
            symlink(&target, at.join(place)).unwrap();
            assert_eq!(code(&run(at, &args)), 2, "{place}");
            assert_eq!(code(&run(at, &[&args[..], &["--force"]].concat())), 0, "{place}");
            assert!(is_kept(&target), "{place}");
            // A link to nothing makes nothing there.
            let nothing = at.join("elsewhere/nothing");
            fs::remove_file(at.join(place)).unwrap();
            symlink(&nothing, at.join(place)).unwrap();
            run(at, &[&args[..], &["--force"]].concat());
            assert!(!nothing.exists(), "{place}");
        }
    }
    for name in ["new", "new.pub"] {
        let here = folder();
        let at = here.path();
        for target in ["elsewhere/notes", "elsewhere/nothing"].map(|name| at.join(name)) {
            put(&at.join("elsewhere/notes"));
            symlink(&target, at.join(name)).unwrap();
            assert_eq!(code(&run(at, &["keygen", "--out", "new"])), 2, "{name}");
            assert!(is_kept(&at.join("elsewhere/notes")) && !at.join("elsewhere/nothing").exists(), "{name}");
            fs::remove_file(at.join(name)).unwrap();
            assert!(!at.join("new").exists() && !at.join("new.pub").exists(), "{name}");
        }
    }
}

/// The page's plan and a run that is cut after some attempts.
fn acquire(at: &Path, more: &[&str]) -> std::process::Output {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats/acquire.md")).unwrap();
    fs::write(at.join("plan.json"), page.split("```json\n").nth(1).unwrap().split("```").next().unwrap()).unwrap();
    let body =
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/acquire/recorded/complete.json")).unwrap();
    let peer = Peer::new(move |_, _| answer("200 OK", "content-type: application/json\r\n", &body));
    let args = [&["acquire", "run", "plan.json", "--out", "o", "--url", &peer.url], more].concat();
    command(at, &args).output().unwrap()
}

#[test]
fn a_study_of_another_log_is_kept_and_nothing_is_asked() {
    for name in ["study.json", "scores.jsonl"] {
        let here = folder();
        let at = here.path();
        put(&at.join("o").join(name));
        let refused = acquire(at, &["--max-calls", "2"]);
        assert!(code(&refused) == 2 && is_kept(&at.join("o").join(name)), "{name}: {}", err(&refused));
        assert!(err(&refused).contains("--force") && !at.join("o/log.jsonl").exists(), "{}", err(&refused));
        assert_eq!(code(&acquire(at, &["--max-calls", "2", "--force"])), 3);
        assert!(is_kept(&at.join("o").join(name)), "nothing was written yet");
    }
}

#[cfg(unix)]
#[test]
fn a_log_is_appended_to_through_no_link() {
    use std::os::unix::fs::symlink;
    for name in ["log.jsonl", "log.jsonl.torn", "study.json", "scores.jsonl", "plan.json"] {
        let here = folder();
        let at = here.path();
        assert_eq!(code(&acquire(at, &["--max-calls", "2"])), 3);
        // An unfinished line, so that a piece has to be moved aside.
        let log = fs::read(at.join("o/log.jsonl")).unwrap();
        fs::write(at.join("o/log.jsonl"), [&log[..], b"{\"at\":"].concat()).unwrap();
        for target in ["elsewhere/notes", "elsewhere/nothing"].map(|name| at.join(name)) {
            put(&at.join("elsewhere/notes"));
            let place = at.join("o").join(name);
            let held = fs::read(&place).ok();
            let _ = fs::remove_file(&place);
            symlink(&target, &place).unwrap();
            let refused = acquire(at, &["--max-calls", "2"]);
            assert!(matches!(code(&refused), 1 | 2), "{name}: {}", err(&refused));
            if name.starts_with("log") {
                assert!(err(&refused).contains("is a link"), "{name}: {}", err(&refused));
            }
            assert!(is_kept(&at.join("elsewhere/notes")) && !at.join("elsewhere/nothing").exists(), "{name}");
            fs::remove_file(&place).unwrap();
            if let Some(held) = held {
                fs::write(&place, held).unwrap();
            }
        }
        assert_eq!(code(&acquire(at, &["--max-calls", "2"])), 3, "{name}");
    }
}
