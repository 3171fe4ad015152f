//! What is on the disk after something went wrong: the old file or the whole new one, never a half one.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::cli::{BINARY, code, command, err, example, folder, run, send};

/// Certificates in a folder, each whole; temporary files are hidden and carry their own ending.
fn whole_certificates(folder: &Path) -> usize {
    let mut whole = 0;
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with(".decidendi-") && name.ends_with(".tmp") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.ends_with("}\n"), "{name} is half a file");
        let _: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        whole += 1;
    }
    whole
}

#[test]
fn a_kill_at_any_moment_leaves_whole_files() {
    let folder = folder();
    let input: String = (0..1000).map(|i| example(&format!("case-{i}"), 30) + "\n").collect();
    fs::write(folder.path().join("many.jsonl"), input).unwrap();
    let args = ["certify", "many.jsonl", "--key", "k", "--out"];
    let certify = |out: &str| {
        let mut command = command(folder.path(), &args);
        command.arg(out).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    // How long it takes here and now, so that the kills fall on every part of the work.
    let started = Instant::now();
    assert!(certify("whole").status().unwrap().success());
    let whole = started.elapsed();
    let (rounds, mut some) = (40_u32, 0);
    for round in 0..rounds {
        // Time-driven kills find out what is there after earlier ones; the others strike while files get their names.
        let out = if round % 2 == 0 { format!("o{}", round % 3) } else { format!("names-{round}") };
        let mut child = certify(&out).spawn().unwrap();
        if round % 2 == 0 {
            std::thread::sleep(whole * (1 + 7 * round % 24) / 24);
        } else {
            let named = || whole_certificates(&folder.path().join(&out)) > 0;
            while !named() && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        // It may have ended already.
        let _ = child.kill();
        child.wait().unwrap();
        some += usize::from(whole_certificates(&folder.path().join(out)) > 0);
    }
    println!("{rounds} kills, {some} with certificates on the disk, no half file");
    assert!(some >= rounds as usize / 2, "a kill after the first certificate left none");
}

#[cfg(unix)]
#[test]
fn what_a_killed_writer_left_is_taken_away_and_nothing_else() {
    let folder = folder();
    let at = folder.path();
    let input: String = (0..3000).map(|i| example(&format!("case-{i}"), 30) + "\n").collect();
    fs::write(at.join("many.jsonl"), input).unwrap();
    fs::write(at.join("a.case.json"), example("a", 30)).unwrap();
    let temporary = || {
        let names = fs::read_dir(at.join("o")).into_iter().flatten().map(|e| e.unwrap().path());
        names.filter(|p| p.extension().is_some_and(|e| e == "tmp")).collect::<Vec<_>>()
    };
    let mut child = command(at, &["certify", "many.jsonl", "--key", "k", "--out", "o"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while temporary().len() < 20 && started.elapsed().as_secs() < 60 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let age = |path: &Path| {
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(std::time::SystemTime::now() - Duration::from_secs(3600)).unwrap();
        file
    };
    // Stopped, not dead: its files are old, but it may go on.
    send("-STOP", child.id());
    let living = temporary();
    assert!(living.len() >= 20, "{}", living.len());
    living.iter().for_each(|path| drop(age(path)));
    let one = ["certify", "a.case.json", "--key", "k", "--out", "o"];
    assert_eq!(code(&run(at, &one)), 0);
    // The one that it was making when it was stopped may have no lock yet; only its false age gives that one away.
    assert!(temporary().len() + 1 >= living.len(), "files of a living writer were taken away");
    child.kill().unwrap();
    child.wait().unwrap();
    // Until the stop reached every thread, some more were made.
    temporary().iter().for_each(|path| drop(age(path)));
    // Others' files, a link, and one that was made just now stay.
    let (fresh, link) = (at.join("o/.decidendi-fresh.tmp"), at.join("o/.decidendi-link.tmp"));
    fs::write(&fresh, "").unwrap();
    std::os::unix::fs::symlink("../k", &link).unwrap();
    drop(age(&at.join("k")));
    let held = at.join("o/.decidendi-held.tmp");
    fs::write(&held, "").unwrap();
    let lock = age(&held);
    lock.lock().unwrap();
    assert_eq!(code(&run(at, &one)), 0);
    let mut left = temporary();
    left.sort();
    assert_eq!(left, [fresh, held, link]);
    assert!(at.join("k").exists());
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("a.case.json"), example("a", 30)).unwrap();
    let args = ["certify", "a.case.json", "--key", "k", "--out", "o"];
    assert_eq!(code(&run(at, &args)), 0);
    let before = fs::read(at.join("o/a.cert.json")).unwrap();
    fs::write(at.join("a.case.json"), example("a", 14)).unwrap();
    // A limit of one block stands for a full disk: the write ends in the middle.
    let script = format!("ulimit -f 1; exec {BINARY} {}", args.join(" "));
    let output = Command::new("bash").arg("-c").arg(script).current_dir(at).output().unwrap();
    assert!(!output.status.success(), "{}", err(&output));
    assert_eq!(fs::read(at.join("o/a.cert.json")).unwrap(), before);
    assert_eq!(code(&run(at, &args)), 0);
    assert_ne!(fs::read(at.join("o/a.cert.json")).unwrap(), before);
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("a.case.json"), example("a", 30)).unwrap();
    fs::write(at.join("file"), "").unwrap();
    for out in ["file", "file/below"] {
        let output = run(at, &["certify", "a.case.json", "--key", "k", "--out", out]);
        assert_eq!(code(&output), 2);
        assert!(err(&output).contains(&format!("{out}: a folder is wanted")), "{}", err(&output));
    }
    // A key's folder is not made: a typing error would scatter keys.
    let output = run(at, &["keygen", "--out", "nowhere/k2"]);
    assert_eq!(code(&output), 2);
    let said = err(&output);
    assert!(said.contains("there is no folder nowhere; make it first") && !said.contains(".tmp"), "{said}");
}

#[test]
fn keygen_never_overwrites_either_half() {
    let folder = folder();
    let at = folder.path();
    let (secret, public) = (fs::read(at.join("k")).unwrap(), fs::read(at.join("k.pub")).unwrap());
    assert_eq!(code(&run(at, &["keygen", "--out", "k"])), 2);
    fs::remove_file(at.join("k")).unwrap();
    assert_eq!(code(&run(at, &["keygen", "--out", "k"])), 2);
    assert!(!at.join("k").exists(), "a private half without its public one was left");
    fs::write(at.join("k"), &secret).unwrap();
    fs::remove_file(at.join("k.pub")).unwrap();
    assert_eq!(code(&run(at, &["keygen", "--out", "k"])), 2);
    assert_eq!(fs::read(at.join("k")).unwrap(), secret);
    assert!(!at.join("k.pub").exists());
    drop(public);
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_and_takes_temporary_files_away() {
    let folder = folder();
    let input: String = (0..20_000).map(|i| example(&format!("case-{i}"), 30) + "\n").collect();
    fs::write(folder.path().join("many.jsonl"), input).unwrap();
    let child = command(folder.path(), &["certify", "many.jsonl", "--key", "k", "--out", "o"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while fs::read_dir(folder.path().join("o")).map_or(0, Iterator::count) < 512 && started.elapsed().as_secs() < 60 {
        std::thread::sleep(Duration::from_millis(2));
    }
    send("-INT", child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{}", err(&output));
    assert!(err(&output).contains("of") && err(&output).contains("stopped"), "{}", err(&output));
    let names: Vec<String> = fs::read_dir(folder.path().join("o"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into())
        .collect();
    assert!(names.iter().all(|n| n.ends_with(".cert.json")), "a temporary file is left");
    assert_eq!(whole_certificates(&folder.path().join("o")), names.len());
}
