//! Acquisition against a real evaluator: SmolLM2 on llama.cpp's own server, started by `scripts/evaluator` on this machine.
//! Where it cannot be installed the test fails and says so; it never passes without having asked a model.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::{code, command, err, out};

const KEY_ENV: &str = "DECIDENDI_LIVE_KEY";
const STATES: usize = 2;
const VIEWS: usize = 2;
const LAYOUTS: usize = 4;

/// A running evaluator. It ends with this value, and with the test's process, which holds its standard input.
struct Evaluator {
    child: Child,
    url: String,
}

impl Evaluator {
    fn start(key: &str) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/evaluator");
        let mut child = Command::new(script)
            .args(["--threads", "2", "--key-env", KEY_ENV])
            .env(KEY_ENV, key)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("the evaluator could not be started: scripts/evaluator: {e}"));
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let mut log = child.stderr.take().unwrap();
        let Some(url) = line.trim().strip_prefix("ready ") else {
            let mut why = String::new();
            let _ = log.read_to_string(&mut why);
            let _ = child.wait();
            panic!("the evaluator could not be installed or started, so nothing was tested:\n{why}");
        };
        // Somebody has to read the server's messages, or it blocks.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Self { url: url.to_owned(), child }
    }
}

impl Drop for Evaluator {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A key that nobody has used before.
fn fresh_key() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    format!("sk-live-{:032x}", now.as_nanos() ^ u128::from(std::process::id()))
}

/// The first two states of the first shipped trajectory, with the channels that need no generated view.
fn write_plan(folder: &Path) {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_cases/93-step-value-smollm2/plan.json");
    let mut plan: Value = serde_json::from_slice(&fs::read(shipped).unwrap()).unwrap();
    plan["id"] = "live".into();
    plan["endpoint"]["api_key_env"] = KEY_ENV.into();
    plan["contrasts"].as_array_mut().unwrap().truncate(1);
    plan["channels"].as_array_mut().unwrap().truncate(VIEWS);
    plan["tasks"].as_array_mut().unwrap().truncate(1);
    plan["tasks"][0]["states"].as_array_mut().unwrap().truncate(STATES);
    fs::write(folder.join("plan.json"), serde_json::to_vec_pretty(&plan).unwrap()).unwrap();
}

fn records(folder: &Path) -> Vec<Value> {
    let log = fs::read(folder.join("log.jsonl")).unwrap_or_default();
    let whole = log.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    log[..whole].split(|&b| b == b'\n').filter(|l| !l.is_empty()).map(|l| serde_json::from_slice(l).unwrap()).collect()
}

fn rows(folder: &Path) -> Vec<Value> {
    let scores = fs::read_to_string(folder.join("scores.jsonl")).unwrap();
    scores.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Scores of a row minus their mean, in the order of the candidates' names.
fn centred(row: &Value) -> Vec<f64> {
    let values: Vec<f64> = row["logprobs"].as_object().unwrap().values().map(|v| v.as_f64().unwrap()).collect();
    #[expect(clippy::cast_precision_loss, reason = "four candidates")]
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.into_iter().map(|value| value - mean).collect()
}

#[test]
fn a_real_evaluator_is_asked_recorded_replayed_and_survives_its_server_s_death() {
    let (key, folder) = (fresh_key(), tempfile::tempdir().unwrap());
    let here = folder.path();
    write_plan(here);
    let first = Evaluator::start(&key);
    let run = |args: &[&str], url: &str, key: &str| {
        command(here, &[args, &["--url", url]].concat()).env(KEY_ENV, key).output().unwrap()
    };

    // Raw log-probabilities do not move with the temperature.
    let probe = run(&["acquire", "probe", "plan.json", "--json"], &first.url, &key);
    assert_eq!(code(&probe), 0, "{}{}", out(&probe), err(&probe));
    let probe: Value = serde_json::from_str(&out(&probe)).unwrap();
    let slope = probe["measured"]["slope"].as_f64().unwrap();
    assert!(probe["measured"]["basis"] == "raw" && (slope - 1.0).abs() < 1e-3, "{probe}");

    // Every cell has its four labels, and the study is what the log gives.
    let done = run(&["acquire", "run", "plan.json", "--out", "one", "--json"], &first.url, &key);
    assert_eq!(code(&done), 0, "{}{}", out(&done), err(&done));
    let told: Value = serde_json::from_str(&out(&done)).unwrap();
    let cells = STATES * VIEWS * LAYOUTS;
    assert_eq!(told["cells"]["complete"], cells, "{told}");
    let rows_one = rows(&here.join("one"));
    assert!(rows_one.len() == cells && rows_one.iter().all(|row| row["logprobs"].as_object().unwrap().len() == 4));
    let replay = command(here, &["acquire", "replay", "one"]).output().unwrap();
    assert_eq!(code(&replay), 0, "{}", out(&replay));

    // Each candidate stood behind each label once.
    for state in ["t01-s0", "t01-s1"] {
        for channel in ["empty", "quote"] {
            let mut seen = BTreeSet::new();
            for record in records(&here.join("one")) {
                if record["cell"]["state"] != state || record["cell"]["channel"] != channel {
                    continue;
                }
                // The probe has asked one of the cells before, so that cell's request stands there.
                let request = record
                    .get("request")
                    .map_or_else(|| records(&here.join("one"))[0]["request"].clone(), Clone::clone);
                let request: Value = serde_json::from_str(request.as_str().unwrap()).unwrap();
                for line in request["messages"][1]["content"].as_str().unwrap().lines() {
                    if let Some((label, rest)) = line.split_once(": [CANDIDATE_") {
                        assert!(seen.insert((label.to_owned(), rest[..2].to_owned())), "{state} {channel} {line}");
                    }
                }
            }
            assert_eq!(seen.len(), 16, "{state} {channel}");
        }
    }

    // A wrong key is refused at once, and neither key is anywhere.
    let wrong = fresh_key();
    let refused = run(&["acquire", "run", "plan.json", "--out", "wrong"], &first.url, &wrong);
    assert_eq!(code(&refused), 2, "{}{}", out(&refused), err(&refused));
    let refusals = records(&here.join("wrong"));
    assert!(refusals.len() == 1 && refusals[0]["status"] == 401, "{refusals:?}");

    // The server dies in the middle of a run; the client is interrupted; another server on another port goes on.
    let url = first.url.clone();
    let args = ["acquire", "run", "plan.json", "--out", "two", "--url", &url];
    let mut client =
        command(here, &args).env(KEY_ENV, &key).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    while records(&here.join("two")).len() < 4 && started.elapsed() < Duration::from_secs(120) {
        sleep(Duration::from_millis(20));
    }
    drop(first);
    while records(&here.join("two")).iter().all(|record| record["error"].is_null())
        && started.elapsed() < Duration::from_secs(180)
    {
        sleep(Duration::from_millis(20));
    }
    client.kill().unwrap();
    client.wait().unwrap();
    assert!(
        records(&here.join("two")).iter().any(|record| record["error"].is_string()),
        "the death of the server was not recorded"
    );
    let second = Evaluator::start(&key);
    let done = run(&["acquire", "run", "plan.json", "--out", "two"], &second.url, &key);
    assert_eq!(code(&done), 0, "{}{}", out(&done), err(&done));

    // Asked again, with a server's life in between: the same numbers to the last bit.
    let read = |name: &str, file: &str| fs::read(here.join(name).join(file)).unwrap();
    assert_eq!(read("one", "scores.jsonl"), read("two", "scores.jsonl"));
    assert_eq!(read("one", "study.json"), read("two", "study.json"));
    for name in ["one", "two", "wrong"] {
        for file in ["plan.json", "log.jsonl"] {
            let text = String::from_utf8(read(name, file)).unwrap();
            assert!(!text.contains(&key) && !text.contains(&wrong), "{name}/{file} holds a key");
        }
    }
    println!(
        "live: {cells} cells twice, slope {slope:.9}, largest distance from the shipped study {:.2e}",
        distance(&rows_one)
    );
}

/// How far centred scores lie from the shipped ones. Told and not asserted: another processor rounds in another way.
fn distance(rows: &[Value]) -> f64 {
    let shipped = self::rows(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_cases/93-step-value-smollm2"));
    let mut largest = 0.0_f64;
    for row in rows {
        let key = ["transition", "state", "channel", "layout", "wave"];
        let other = shipped.iter().find(|other| key.iter().all(|k| other[*k] == row[*k])).unwrap();
        for (a, b) in centred(row).into_iter().zip(centred(other)) {
            largest = largest.max((a - b).abs());
        }
    }
    largest
}
