//! Acquisition without a network: logs that were killed, cut or changed, what the commands say of them, and the shipped
//! studies derived again from their logs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use decidendi_acquire::calls::{self, Call};
use decidendi_acquire::derive;
use decidendi_acquire::ledger::{Conflict, Ledger};
use decidendi_acquire::log::{self, Log, LogError};
use decidendi_acquire::plan::{self, Plan};
use decidendi_acquire::record::Record;
use decidendi_acquire::templates;
use decidendi_core::seal::digest::Digest;
use proptest::prelude::*;
use serde_json::Value;

use crate::cli::{code, err, out, run};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The plan on the format's page.
fn example() -> (String, Plan) {
    let page = fs::read_to_string(root().join("docs/formats/acquire.md")).unwrap();
    let text = page.split("```json\n").nth(1).unwrap().split("```").next().unwrap().to_owned();
    let plan = plan::read("plan.json", text.as_bytes()).unwrap();
    (text, plan)
}

/// A hand-written answer in which every label's value names it.
fn answer_for(call: Call) -> Vec<u8> {
    let entry = |(token, value): (&str, f64)| format!(r#"{{"token":"{token}","bytes":null,"logprob":{value}}}"#);
    let list = match call {
        Call::Score(cell) if cell.candidate.is_some() => vec![("Yes", -0.25), ("No", -1.75)],
        _ => vec![("A", -1.0), ("B", -2.0), ("C", -3.0), ("D", -4.0)],
    };
    let list: Vec<String> = list.into_iter().map(entry).collect();
    format!(
        r#"{{"model":"by-hand","choices":[{{"message":{{"content":"a note"}},"logprobs":{{"content":[{{"top_logprobs":[{}]}}]}}}}]}}"#,
        list.join(",")
    )
    .into_bytes()
}

/// Writes an answered record for each call into a log, as a run would.
fn write_log(path: &Path, plan: &Plan, calls: &[Call]) {
    let (mut log, entries, _) = Log::open(path, plan.digest).unwrap();
    let mut ledger = Ledger::new(plan, &entries).unwrap();
    for &call in calls {
        let request = ledger.request(plan, call).unwrap();
        let digest = Digest::of(&request);
        let record = Record {
            run: 1,
            cell: call.name(plan),
            attempt: ledger.attempts(&call.key(plan)) + 1,
            request_sha256: digest,
            request: (!ledger.has_request(&digest)).then(|| String::from_utf8(request).unwrap()),
            url: "by hand".to_owned(),
            model: plan.endpoint.model.clone(),
            returned_model: None,
            system_fingerprint: None,
            at: "2026-01-01T00:00:00.000Z".to_owned(),
            elapsed_ms: 0,
            status: Some(200),
            headers: Vec::new(),
            body: Some(answer_for(call)),
            error: None,
            is_redacted: false,
            prev: log.prev(),
        };
        let line = log.append(&record).unwrap();
        ledger.add(plan, line, call, &record).unwrap();
    }
}

fn whole_log(folder: &Path) -> (PathBuf, Plan, Vec<u8>) {
    let (_, plan) = example();
    let path = folder.join("log.jsonl");
    write_log(&path, &plan, &calls::all(&plan));
    let bytes = fs::read(&path).unwrap();
    (path, plan, bytes)
}

#[test]
fn scores_follow_the_candidate_through_the_layouts() {
    let folder = tempfile::tempdir().unwrap();
    let (_, plan, bytes) = whole_log(folder.path());
    let (entries, torn) = log::read(&bytes, plan.digest).unwrap();
    let study = derive::study(&plan, &Ledger::new(&plan, &entries).unwrap());
    assert_eq!((torn, study.counts.outstanding, study.counts.missing.len()), (0, 0, 0));
    let rows: Vec<Value> = study
        .scores
        .split(|&b| b == b'\n')
        .filter(|l| !l.is_empty())
        .map(|l| serde_json::from_slice(l).unwrap())
        .collect();
    // 1 transition × 2 sides × 2 waves × 4 layouts × (2 joint + 4 binary).
    assert_eq!(rows.len(), 2 * 2 * 4 * (2 + 4));
    let mut seen: BTreeMap<(String, String), Vec<i64>> = BTreeMap::new();
    for row in &rows {
        let layout = usize::try_from(row["layout"].as_u64().unwrap()).unwrap();
        if row["channel"] == "binary" {
            assert_eq!((row["yes"].as_f64(), row["no"].as_f64()), (Some(-0.25), Some(-1.75)));
            continue;
        }
        for (j, candidate) in plan.tasks[0].candidates.iter().enumerate() {
            let value = row["logprobs"][&candidate.id].as_f64().unwrap();
            // The body says −1 at A, −2 at B…, so the value names the position.
            #[expect(clippy::cast_precision_loss, reason = "four positions")]
            let at = -(templates::position(j, layout, 4) as f64) - 1.0;
            assert_eq!(value.to_bits(), at.to_bits());
            let key = (format!("{}{}{}", row["state"], row["channel"], row["wave"]), candidate.id.clone());
            seen.entry(key).or_default().push(-(value as i64));
        }
    }
    for (key, mut positions) in seen {
        positions.sort_unstable();
        assert_eq!(positions, [1, 2, 3, 4], "{key:?}");
    }
    let study: Value = serde_json::from_slice(&study.study).unwrap();
    assert_eq!(study["format"], "decidendi/asv-study@1");
    assert_eq!(study["transitions"][0]["id"], "t01-01");
    assert_eq!(study["contrasts"][0]["alternative"], "generated");
}

#[test]
fn a_log_belongs_to_one_plan_and_to_one_request_a_call() {
    let folder = tempfile::tempdir().unwrap();
    let (path, plan, bytes) = whole_log(folder.path());
    let (text, _) = example();
    // The same calls with another question: other requests. The first line already names the other plan.
    let other = plan::read("plan.json", text.replace("seat of", "centre of").as_bytes()).unwrap();
    assert!(matches!(Log::open(&path, other.digest), Err(LogError::Damaged { line: 1, .. })));
    let (entries, _) = log::read(&bytes, plan.digest).unwrap();
    assert!(matches!(Ledger::new(&other, &entries), Err(Conflict::Request { line: 1, .. })));
    let renamed = plan::read("plan.json", text.replace("t01-s1", "t01-s9").as_bytes()).unwrap();
    assert!(matches!(Ledger::new(&renamed, &entries), Err(Conflict::Unknown { .. })));
    let twice = [entries.as_slice(), &entries[1..2]].concat();
    assert!(matches!(Ledger::new(&plan, &twice), Err(Conflict::Twice { first: 2, .. })));
}

#[test]
fn a_log_begins_with_what_is_asked_or_as_the_first_logs_did_with_the_plan_s_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (_, plan, bytes) = whole_log(folder.path());
    let (entries, _) = log::read(&bytes, plan.digest).unwrap();
    assert_eq!(entries[0].record.prev, plan.digest.asked);
    let old = folder.path().join("old.jsonl");
    let (mut log, _, _) = Log::open(&old, plan.digest.bytes).unwrap();
    let mut record = entries[0].record.clone();
    record.prev = log.prev();
    log.append(&record).unwrap();
    drop(log);
    assert!(Log::open(&old, plan.digest).is_ok());
}

#[test]
fn two_runs_never_write_one_log() {
    let folder = tempfile::tempdir().unwrap();
    let (_, plan) = example();
    let path = folder.path().join("log.jsonl");
    let held = Log::open(&path, plan.digest).unwrap();
    assert!(matches!(Log::open(&path, plan.digest), Err(LogError::Locked(_))));
    drop(held);
    assert!(Log::open(&path, plan.digest).is_ok());
}

#[test]
fn every_changed_line_stops_with_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let (path, plan, bytes) = whole_log(folder.path());
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
    let open = |lines: &[&[u8]]| {
        fs::write(&path, lines.concat()).unwrap();
        match Log::open(&path, plan.digest) {
            Err(LogError::Damaged { line, .. }) => Some(line),
            Ok(_) => None,
            Err(error) => panic!("{error}"),
        }
    };
    let changed = String::from_utf8(lines[4].to_vec()).unwrap().replacen("-1", "-7", 1);
    let spaced = String::from_utf8(lines[4].to_vec()).unwrap().replacen(':', ": ", 1);
    assert_eq!(open(&lines), None);
    assert_eq!(open(&[&lines[..4], &[changed.as_bytes()], &lines[5..]].concat()), Some(5));
    assert_eq!(open(&[&lines[..4], &[spaced.as_bytes()], &lines[5..]].concat()), Some(5));
    // Changed outside its body a line is betrayed by the next one, and the changed one is told.
    let outside = String::from_utf8(lines[4].to_vec()).unwrap().replacen("2026-01-01", "2026-01-02", 1);
    assert_eq!(open(&[&lines[..4], &[outside.as_bytes()], &lines[5..]].concat()), Some(5));
    let prev = |line: &[u8]| line.windows(7).position(|w| w == b"\"prev\":").unwrap() + 20;
    let mut unchained = lines[4].to_vec();
    let at = prev(&unchained);
    unchained[at] = if unchained[at] == b'0' { b'1' } else { b'0' };
    assert_eq!(open(&[&lines[..4], &[unchained.as_slice()], &lines[5..]].concat()), Some(5));
    // Where one was taken out, the line before the gap is told.
    assert_eq!(open(&[&lines[..4], &lines[5..]].concat()), Some(4));
    assert_eq!(open(&[&lines[..1], &lines[..1], &lines[1..]].concat()), Some(2));
    assert_eq!(open(&[&lines[..4], &lines[3..]].concat()), Some(5));
    assert_eq!(open(&[&lines[..4], &[b"\n".as_slice()], &lines[4..]].concat()), Some(5));
    assert_eq!(open(&lines[1..]), Some(1));
    // What is cut off at the end as a whole is not seen by the chain: the calls are then outstanding again.
    assert_eq!(open(&lines[..4]), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A kill leaves any prefix of the log. Opened again, it holds the whole lines of that prefix, the rest is outstanding,
    /// and what is then written gives the same study as a log that was never cut.
    #[test]
    fn a_log_cut_anywhere_is_taken_up_without_loss_or_duplicate(share in 0.0_f64..1.0) {
        let folder = tempfile::tempdir().unwrap();
        let (path, plan, bytes) = whole_log(folder.path());
        let whole = derive::study(&plan, &Ledger::new(&plan, &log::read(&bytes, plan.digest).unwrap().0).unwrap());
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a small file")]
        let cut = (bytes.len() as f64 * share) as usize;
        fs::write(&path, &bytes[..cut]).unwrap();
        let (held, entries, torn) = Log::open(&path, plan.digest).unwrap();
        drop(held);
        prop_assert_eq!(entries.len(), bytes[..cut].iter().filter(|&&b| b == b'\n').count());
        prop_assert_eq!(fs::read(&path).unwrap(), &bytes[..cut - torn]);
        if torn > 0 {
            prop_assert_eq!(fs::read(folder.path().join("log.jsonl.torn")).unwrap(), [&bytes[cut - torn..cut], b"\n"].concat());
        }
        let ledger = Ledger::new(&plan, &entries).unwrap();
        let open = ledger.outstanding(&plan);
        prop_assert_eq!(open.len() + entries.len(), calls::all(&plan).len());
        write_log(&path, &plan, &open);
        let again = fs::read(&path).unwrap();
        let (entries, torn) = log::read(&again, plan.digest).unwrap();
        prop_assert_eq!((torn, entries.len()), (0, calls::all(&plan).len()));
        prop_assert_eq!(derive::study(&plan, &Ledger::new(&plan, &entries).unwrap()), whole);
    }
}

#[test]
fn the_command_says_what_is_wrong_and_asks_nobody_when_nothing_is_outstanding() {
    let folder = tempfile::tempdir().unwrap();
    let (text, _) = example();
    let here = folder.path();
    fs::write(here.join("plan.json"), &text).unwrap();
    whole_log(here);
    // No server listens: the log has every answer, so none is needed.
    let done = run(here, &["acquire", "run", "plan.json", "--out", ".", "--json"]);
    assert_eq!(code(&done), 0, "{}", err(&done));
    let summary: Value = serde_json::from_str(&out(&done)).unwrap();
    assert_eq!(
        (&summary["end"], &summary["attempts"], &summary["outstanding"]),
        (&"complete".into(), &0.into(), &0.into())
    );
    let replay = run(here, &["acquire", "replay", ".", "--json"]);
    assert_eq!(
        (code(&replay), serde_json::from_str::<Value>(&out(&replay)).unwrap()["verdict"].clone()),
        (0, "same".into())
    );

    let scores = fs::read_to_string(here.join("scores.jsonl")).unwrap();
    fs::write(here.join("scores.jsonl"), scores.replacen("-2", "-7", 1)).unwrap();
    let replay = run(here, &["acquire", "replay", "."]);
    assert_eq!(code(&replay), 1);
    assert!(
        out(&replay).contains("scores.jsonl: differs from what the log gives, first in line 1\n"),
        "{}",
        out(&replay)
    );
    fs::remove_file(here.join("scores.jsonl")).unwrap();
    assert_eq!(code(&run(here, &["acquire", "replay", "."])), 1);

    let log = fs::read(here.join("log.jsonl")).unwrap();
    fs::write(here.join("log.jsonl"), &log[..log.len() / 2]).unwrap();
    let replay = run(here, &["acquire", "replay", "."]);
    assert_eq!(code(&replay), 3, "{}", err(&replay));
    assert!(out(&replay).contains("calls are outstanding"));
    // A study that holds more than the log gives is no study of this log.
    fs::write(here.join("scores.jsonl"), &scores).unwrap();
    let replay = run(here, &["acquire", "replay", "."]);
    assert_eq!(code(&replay), 1, "{}", out(&replay));
    let said = out(&replay);
    assert!(said.contains("holds more than the log gives") && !said.contains("no study yet"), "{said}");
    // Nor is it written over by what the lost calls would give now.
    let refused = run(here, &["acquire", "run", "plan.json", "--out", "."]);
    assert_eq!((code(&refused), err(&refused).contains("--force")), (2, true), "{}", err(&refused));
    assert_eq!(fs::read_to_string(here.join("scores.jsonl")).unwrap(), scores);
    fs::remove_file(here.join("scores.jsonl")).unwrap();

    fs::write(here.join("other.json"), text.replace("swiss-capital", "another")).unwrap();
    let other = run(here, &["acquire", "run", "other.json", "--out", "."]);
    assert_eq!((code(&other), err(&other).contains("another plan")), (2, true));
    for (args, says) in [
        (vec!["acquire", "run", "nowhere.json", "--out", "."], "no such file or folder"),
        (
            vec!["acquire", "run", "plan.json", "--out", ".", "--url", "http://example.org/v1"],
            "plain http to example.org",
        ),
    ] {
        let refused = run(here, &args);
        assert_eq!((code(&refused), err(&refused).contains(says)), (2, true), "{}", err(&refused));
    }
}

#[test]
fn a_key_that_is_not_set_is_asked_for_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (text, _) = example();
    let text = text.replacen("\"timeout_s\"", "\"api_key_env\": \"DECIDENDI_NO_SUCH_KEY\", \"timeout_s\"", 1);
    fs::write(folder.path().join("plan.json"), text).unwrap();
    let done = run(folder.path(), &["acquire", "run", "plan.json", "--out", "out"]);
    assert_eq!((code(&done), err(&done).contains("DECIDENDI_NO_SUCH_KEY is not set")), (2, true), "{}", err(&done));
}

#[test]
fn the_schema_takes_the_plans_that_the_reader_takes() {
    let shown = run(&root(), &["schema", "acquire-plan"]);
    assert_eq!(code(&shown), 0, "{}", err(&shown));
    let schema = jsonschema::draft202012::new(&serde_json::from_str(&out(&shown)).unwrap()).unwrap();
    let mut plans = vec![example().0];
    for name in ["93-step-value-smollm2", "94-step-value-smollm2-waves"] {
        plans.push(fs::read_to_string(root().join("sample_cases").join(name).join("plan.json")).unwrap());
    }
    for text in &plans {
        let faults: Vec<String> =
            schema.iter_errors(&serde_json::from_str(text).unwrap()).map(|e| e.to_string()).collect();
        assert!(faults.is_empty() && plan::read("plan.json", text.as_bytes()).is_ok(), "{faults:#?}");
    }
    for (from, to) in [
        ("acquire-plan@1", "acquire-plan@2"),
        ("http://127.0.0.1", "http://example.org"),
        ("\"concurrency\": 1", "\"concurrency\": 2"),
        ("\"top_logprobs\": 20", "\"top_logprobs\": 21"),
        ("\"temperature\": \"1\"", "\"temperature\": \"1e0\""),
        ("\"view\": \"quote\"", "\"view\": \"cited\""),
        ("\"timeout_s\"", "\"api_key_env\": \"sk-1\", \"timeout_s\""),
        ("\"success\": true,", ""),
        ("\"timeout_s\"", "\"api_key\": \"x\", \"timeout_s\""),
        ("\"title\"", "\"Authorization\": \"x\", \"title\""),
    ] {
        let text = plans[0].replacen(from, to, 1);
        assert!(text != plans[0] && !schema.is_valid(&serde_json::from_str(&text).unwrap()), "{from}");
        assert!(plan::read("plan.json", text.as_bytes()).is_err(), "{from}");
    }
}

#[test]
fn the_shipped_studies_are_what_their_logs_give() {
    for (name, answered) in [("93-step-value-smollm2", 1152), ("94-step-value-smollm2-waves", 384)] {
        let folder = root().join("sample_cases").join(name);
        let replay = run(&root(), &["acquire", "replay", folder.to_str().unwrap(), "--json"]);
        assert_eq!(code(&replay), 0, "{name}: {} {}", out(&replay), err(&replay));
        let told: Value = serde_json::from_str(&out(&replay)).unwrap();
        assert_eq!((&told["cells"]["all"], &told["outstanding"]), (&answered.into(), &0.into()), "{name}");
        println!("{name}: {told}");
        agree_on_margins(&folder, &told);
    }
}

/// The statistics read what acquisition writes, and compute the margins by a code of their own.
fn agree_on_margins(folder: &Path, told: &Value) {
    let asv = run(&root(), &["asv", folder.to_str().unwrap(), "--draws", "100", "--json"]);
    assert_eq!(code(&asv), 0, "{}", err(&asv));
    assert!(!err(&asv).contains("note"), "{}", err(&asv));
    let report: Value = serde_json::from_str(&out(&asv)).unwrap();
    let study: Value = serde_json::from_slice(&fs::read(folder.join("study.json")).unwrap()).unwrap();
    let steps = study["transitions"].as_array().unwrap();
    assert_eq!(report["cohort"]["complete"], steps.len());
    for (channel, margin) in told["margins"].as_object().unwrap() {
        let mut states = BTreeMap::new();
        for (step, result) in steps.iter().zip(report["transitions"].as_array().unwrap()) {
            assert_eq!(step["id"], result["id"]);
            for side in ["before", "after"] {
                states.insert(step[side].as_str().unwrap(), result["F"][channel][side].as_f64().unwrap());
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "some hundred states")]
        let mean = states.values().sum::<f64>() / states.len() as f64;
        assert!((mean - margin["mean"].as_f64().unwrap()).abs() < 1e-12, "{channel}: {mean} {margin}");
    }
}
