//! Acquisition against a peer that misbehaves on purpose: what no sound server can be asked to do. The peer is written for
//! these tests and sends recorded bodies where it answers; what it returns is never taken for a measurement.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use decidendi_acquire::calls;
use decidendi_acquire::ledger::Ledger;
use decidendi_acquire::log;
use decidendi_acquire::plan;
use serde_json::Value;

use crate::cli::{code, command, err, out, send};

const KEY: &str = "sk-wire-0123456789abcdef";
const KEY_ENV: &str = "DECIDENDI_WIRE_KEY";

/// A peer on this machine: answers the n-th request, from 0, with the bytes that `reply` gives for it.
pub struct Peer {
    pub url: String,
    asked: Arc<AtomicUsize>,
}

impl Peer {
    pub fn new(reply: impl Fn(usize, &str) -> Vec<u8> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let Some(request) = request(&mut stream) else { continue };
                let answer = reply(count.fetch_add(1, Ordering::SeqCst), &request);
                // The client may be gone: it was killed, or it gave up.
                let _ = stream.write_all(&answer);
            }
        });
        Self { url, asked }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// Reads a whole request; `None` if the client went away.
fn request(stream: &mut TcpStream) -> Option<String> {
    let (mut text, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let n = stream.read(&mut piece).ok().filter(|n| *n > 0)?;
        text.extend_from_slice(&piece[..n]);
        let so_far = String::from_utf8_lossy(&text);
        let Some((head, body)) = so_far.split_once("\r\n\r\n") else { continue };
        let length = head
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
        if body.len() >= length.unwrap_or(0) {
            return Some(so_far.into_owned());
        }
    }
}

pub fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn recorded(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/acquire").join(name)).unwrap()
}

fn complete() -> Vec<u8> {
    answer("200 OK", "content-type: application/json\r\n", &recorded("recorded/complete.json"))
}

/// The page's plan with the key's variable, a timeout, and no bound on the pace.
fn write_plan(folder: &Path, timeout: u32) {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats/acquire.md")).unwrap();
    let text = page.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let text = text
        .replace("\"timeout_s\": 120", &format!("\"timeout_s\": {timeout}, \"api_key_env\": \"{KEY_ENV}\""))
        .replace("\"requests_per_minute\": 600, ", "");
    fs::write(folder.join("plan.json"), text).unwrap();
}

/// Runs an acquisition against a peer; answers exit code, both streams and the records.
fn acquire(folder: &Path, peer: &Peer, more: &[&str]) -> (i32, String, Vec<Value>) {
    let args = [&["acquire", "run", "plan.json", "--out", "out", "--url", &peer.url], more].concat();
    let done = command(folder, &args).env(KEY_ENV, KEY).output().unwrap();
    let log = fs::read(folder.join("out/log.jsonl")).unwrap_or_default();
    let records =
        log.split(|&b| b == b'\n').filter(|l| !l.is_empty()).map(|l| serde_json::from_slice(l).unwrap()).collect();
    (code(&done), out(&done) + &err(&done), records)
}

fn folder(timeout: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_plan(folder.path(), timeout);
    folder
}

/// No file below `folder` and no message holds the key.
fn assert_no_key(folder: &Path, said: &str) {
    assert!(!said.contains(KEY), "{said}");
    for entry in fs::read_dir(folder.join("out")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "{}", path.display());
    }
}

#[test]
fn claux_34_a_key_that_a_body_or_header_echoes_is_not_kept() {
    let here = folder(30);
    let peer = Peer::new(|_, request| {
        assert!(request.contains(&format!("Bearer {KEY}")), "the key was not sent");
        let body = format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}"}}}}"#);
        answer("401 Unauthorized", &format!("x-request-id: {KEY}\r\nset-cookie: session=1\r\n"), body.as_bytes())
    });
    let (code, said, records) = acquire(here.path(), &peer, &[]);
    assert_eq!((code, records.len(), peer.asked()), (2, 1, 1), "{said}");
    assert_eq!((&records[0]["redacted"], &records[0]["status"]), (&true.into(), &401.into()));
    assert_eq!(records[0]["headers"].as_object().unwrap().keys().collect::<Vec<_>>(), ["x-request-id"]);
    assert!(said.contains("[redacted]") && said.contains("refuses"), "{said}");
    assert_no_key(here.path(), &said);
}

#[test]
fn a_redirect_is_refused_and_the_key_goes_nowhere_else() {
    let here = folder(30);
    let other = Peer::new(|_, _| complete());
    let target = other.url.clone();
    let peer = Peer::new(move |_, _| {
        answer("307 Temporary Redirect", &format!("location: {target}/chat/completions\r\n"), b"")
    });
    let (code, said, records) = acquire(here.path(), &peer, &[]);
    assert_eq!((code, peer.asked(), other.asked()), (2, 1, 0), "{said}");
    assert_eq!(records[0]["status"], 307);
}

#[test]
fn each_attempt_is_a_record_and_retry_after_is_honoured() {
    let here = folder(30);
    let peer = Peer::new(|n, _| match n {
        0 => answer("503 Service Unavailable", "", &recorded("recorded/loading.503.json")),
        1 => answer("429 Too Many Requests", "retry-after: 2\r\n", b"{}"),
        2 => answer("502 Bad Gateway", "content-type: text/html\r\n", &recorded("written/gateway.html")),
        // Cut off: fewer bytes than announced.
        3 => b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"choices\":".to_vec(),
        _ => complete(),
    });
    let started = Instant::now();
    let (code, said, records) = acquire(here.path(), &peer, &["--max-calls", "6"]);
    assert_eq!((code, records.len()), (3, 6), "{said}");
    assert!(started.elapsed() > Duration::from_secs(2));
    let statuses: Vec<&Value> = records.iter().map(|r| &r["status"]).collect();
    assert_eq!(statuses, [503, 429, 502, 200, 200, 200]);
    assert_eq!(records.iter().map(|r| r["attempt"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 1]);
    assert!(records[3]["error"].is_string() && records[3].get("body").is_none(), "{}", records[3]);
    // The bytes of a request stand once.
    assert_eq!(records.iter().filter(|r| r.get("request").is_some()).count(), 2);
}

#[test]
fn a_429_without_quota_and_a_bad_request_end_the_run_at_once() {
    for (status, body) in [
        ("429 Too Many Requests", br#"{"error":{"code":"insufficient_quota"}}"#.to_vec()),
        ("400 Bad Request", recorded("recorded/too-long.400.json")),
    ] {
        let here = folder(30);
        let peer = Peer::new(move |_, _| answer(status, "", &body));
        let (code, said, records) = acquire(here.path(), &peer, &[]);
        assert_eq!((code, records.len()), (2, 1), "{said}");
    }
}

#[test]
fn a_timeout_is_recorded_without_a_status() {
    let here = folder(1);
    let peer = Peer::new(|_, _| {
        sleep(Duration::from_secs(2));
        complete()
    });
    let (code, said, records) = acquire(here.path(), &peer, &["--max-calls", "1"]);
    assert_eq!((code, records.len()), (3, 1), "{said}");
    assert!(
        records[0]["status"].is_null()
            && records[0]["error"].is_string()
            && records[0]["elapsed_ms"].as_u64() >= Some(900)
    );
}

#[test]
fn nobody_there_is_recorded_and_can_be_taken_up() {
    let here = folder(5);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nobody = Peer { url: format!("http://127.0.0.1:{port}/v1"), asked: Arc::default() };
    let (code, said, records) = acquire(here.path(), &nobody, &["--max-calls", "2"]);
    assert_eq!((code, records.len()), (3, 2), "{said}");
    assert!(records.iter().all(|r| r["status"].is_null() && r["error"].is_string()));
    let peer = Peer::new(|_, _| complete());
    let (code, said, records) = acquire(here.path(), &peer, &["--max-calls", "2"]);
    assert_eq!((code, records.len(), records[2]["run"].as_u64()), (3, 4, Some(2)), "{said}");
}

#[test]
fn bifrost_6529_a_server_without_logprobs_costs_one_call() {
    let here = folder(30);
    let peer = Peer::new(|_, _| answer("200 OK", "", &recorded("recorded/no-logprobs.json")));
    let (code, said, records) = acquire(here.path(), &peer, &[]);
    assert_eq!((code, records.len()), (1, 1), "{said}");
    assert!(said.contains("without log-probabilities") && records[0]["cell"]["kind"] == "probe", "{said}");
}

#[test]
fn a_page_in_place_of_an_answer_ends_the_run_before_any_cell() {
    for body in [b"<!doctype html><title>Welcome</title>".as_slice(), b"", b"{\"status\": \"ok\"}"] {
        let here = folder(30);
        let peer = Peer::new(move |_, _| answer("200 OK", "content-type: text/html\r\n", body));
        let (exit, said, records) = acquire(here.path(), &peer, &[]);
        assert_eq!((exit, records.len()), (1, 1), "{said}");
        assert!(said.contains("without log-probabilities") && said.contains("/v1"), "{said}");
        let done =
            command(here.path(), &["acquire", "probe", "plan.json", "--url", &peer.url]).env(KEY_ENV, KEY).output();
        assert_eq!(code(&done.unwrap()), 1);
    }
}

#[test]
fn a_study_without_one_complete_cell_is_no_success() {
    let here = folder(30);
    let text = fs::read_to_string(here.path().join("plan.json")).unwrap();
    // Eight cells only, fewer than end a run by their silence.
    let (head, tail) = text.split_once("\"channels\"").unwrap();
    let tail = tail.split_once("\"tasks\"").unwrap().1;
    let channel =
        r#"{"id": "quote", "readout": "joint", "view": "quote", "authority": "neutral", "logprob_basis": "raw"}"#;
    let middle = format!(
        r#""channels": [{channel}], "layouts": {{"kind": "cyclic", "count": 4}}, "waves": [{{"id": 0, "weight": "1"}}], "tasks""#
    );
    fs::write(here.path().join("plan.json"), format!("{head}{middle}{tail}")).unwrap();
    let peer = Peer::new(|_, _| answer("200 OK", "", &recorded("recorded/top-3.json")));
    let (exit, said, records) = acquire(here.path(), &peer, &[]);
    assert_eq!((exit, records.len()), (3, 9), "{said}");
    assert!(said.contains("no cell is complete"), "{said}");
    let replay = command(here.path(), &["acquire", "replay", "out"]).output().unwrap();
    assert_eq!((code(&replay), out(&replay).contains("no cell is complete")), (3, true), "{}", out(&replay));
    let replay = command(here.path(), &["acquire", "replay", "out", "--json"]).output().unwrap();
    assert!(code(&replay) == 3 && out(&replay).contains("\"verdict\": \"empty\""), "{}", out(&replay));
}

#[test]
fn a_raised_cap_and_another_address_go_on_where_the_log_stopped() {
    let here = folder(30);
    let text = fs::read_to_string(here.path().join("plan.json")).unwrap();
    let capped = text.replace("\"max_calls\": 200", "\"max_calls\": 3");
    fs::write(here.path().join("plan.json"), &capped).unwrap();
    let peer = Peer::new(|n, _| if n == 1 { answer("503 Busy", "", b"{\"error\": \"full\"}") } else { complete() });
    let (exit, said, records) = acquire(here.path(), &peer, &[]);
    assert_eq!((exit, records.len()), (3, 3), "{said}");
    assert!(said.contains("limits.max_calls allows 3 attempts") && said.contains("1 attempt without"), "{said}");
    assert!(said.contains("status 503, full") && said.contains("1 answer in") && !said.contains('{'), "{said}");
    // The address in the plan itself, another timeout, a higher cap.
    let peer = Peer::new(|_, _| complete());
    let raised = text.replace("\"timeout_s\": 30", "\"timeout_s\": 31").replace("http://127.0.0.1:8651/v1", &peer.url);
    fs::write(here.path().join("plan.json"), &raised).unwrap();
    let go =
        || command(here.path(), &["acquire", "run", "plan.json", "--out", "out"]).env(KEY_ENV, KEY).output().unwrap();
    let done = go();
    assert_eq!(code(&done), 0, "{}{}", out(&done), err(&done));
    assert!(err(&done).contains("plan-2.json"), "{}", err(&done));
    let read = |name: &str| fs::read_to_string(here.path().join("out").join(name)).unwrap();
    assert_eq!((read("plan.json"), read("plan-2.json")), (capped, raised));
    assert_eq!(code(&go()), 0);
    assert!(!here.path().join("out/plan-3.json").exists());
    let replay = command(here.path(), &["acquire", "replay", "out"]).output().unwrap();
    assert_eq!(code(&replay), 0, "{}", out(&replay));
}

#[test]
fn https_on_a_port_without_it_and_a_dead_server_are_told_with_advice() {
    let here = folder(5);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let plain = format!("https://{}/v1", listener.local_addr().unwrap());
    spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
        }
    });
    let told = Peer { url: plain, asked: Arc::default() };
    let (exit, said, _) = acquire(here.path(), &told, &[]);
    assert_eq!((exit, said.contains("the port does not speak https")), (2, true), "{said}");

    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nobody = Peer { url: format!("http://127.0.0.1:{port}/v1"), asked: Arc::default() };
    let (exit, said, _) = acquire(here.path(), &nobody, &["--max-calls", "2"]);
    assert_eq!(exit, 3, "{said}");
    for words in ["the probe: connection refused", "attempt 2 of 8 follows in", "--max-calls allows 2 attempts a run"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains('{') && !said.contains("attempt 3 of 8"), "{said}");
    let probe =
        command(here.path(), &["acquire", "probe", "plan.json", "--url", &nobody.url]).env(KEY_ENV, KEY).output();
    let probe = probe.unwrap();
    assert_eq!(code(&probe), 3);
    assert!(err(&probe).contains("See that the server runs"), "{}", err(&probe));
}

#[test]
fn deepseek_v3_2_exp_49_ten_cells_without_a_label_stop_the_run_and_are_not_asked_again() {
    let here = folder(30);
    let entries: Vec<String> =
        ["A", "B", "C", "D", "Yes", "No"].map(|t| format!(r#"{{"token":"{t}","logprob":-9999.0}}"#)).into();
    let body = format!(
        r#"{{"choices":[{{"message":{{"content":"a note"}},"logprobs":{{"content":[{{"top_logprobs":[{}]}}]}}}}]}}"#,
        entries.join(",")
    );
    let peer = Peer::new(move |_, _| answer("200 OK", "", body.as_bytes()));
    let (code, said, records) = acquire(here.path(), &peer, &[]);
    // A probe, two views, ten cells.
    assert_eq!((code, records.len()), (3, 13), "{said}");
    assert!(said.contains("10 cells in a row"), "{said}");
    assert!(records.iter().all(|r| r["attempt"] == 1));
}

#[test]
fn a_body_that_is_no_text_is_kept_as_it_came() {
    let here = folder(30);
    let peer = Peer::new(|_, _| answer("400 Bad Request", "", b"\xff\xfe\x00 no text"));
    let (code, said, records) = acquire(here.path(), &peer, &[]);
    assert_eq!(code, 2, "{said}");
    assert_eq!((records[0]["body_base64"].as_str(), records[0].get("body")), (Some("//4AIG5vIHRleHQ="), None));
}

#[test]
fn a_probe_tells_a_wrong_declaration_and_records_nothing() {
    let here = folder(30);
    let text = fs::read_to_string(here.path().join("plan.json")).unwrap();
    let probe = |peer: &Peer| {
        let args = ["acquire", "probe", "plan.json", "--url", &peer.url, "--json"];
        let done = command(here.path(), &args).env(KEY_ENV, KEY).output().unwrap();
        (code(&done), serde_json::from_str::<Value>(&out(&done)).unwrap_or_default(), err(&done))
    };
    // The same answer at every temperature: raw, as the plan declares.
    let peer = Peer::new(|_, _| complete());
    let (code, told, said) = probe(&peer);
    assert_eq!((code, &told["measured"]["basis"], peer.asked()), (0, &"raw".into(), 5), "{said}");
    fs::write(
        here.path().join("plan.json"),
        text.replacen("\"logprob_basis\": \"raw\"", "\"logprob_basis\": \"tempered\"", 1),
    )
    .unwrap();
    let (code, told, said) = probe(&peer);
    assert_eq!((code, &told["declared_otherwise"]), (1, &serde_json::json!(["quote"])), "{said}");
    // Who declares `unknown` declares what can be known: nothing is wrong, whatever is measured.
    let honest = |n: usize| text.replacen("\"logprob_basis\": \"raw\"", "\"logprob_basis\": \"unknown\"", n);
    for (n, open) in [(1, &["quote"][..]), (3, &["quote", "generated", "binary"])] {
        fs::write(here.path().join("plan.json"), honest(n)).unwrap();
        let (code, told, said) = probe(&peer);
        assert_eq!((code, &told["declared_unknown"]), (0, &serde_json::json!(open)), "{said}");
        assert_eq!((&told["declared_otherwise"], &told["measured"]["basis"]), (&serde_json::json!([]), &"raw".into()));
    }
    let args = ["acquire", "probe", "plan.json", "--url", &peer.url];
    let said = out(&command(here.path(), &args).env(KEY_ENV, KEY).output().unwrap());
    let told = "the plan declares no basis, which holds at temperature 1, for: quote, generated, binary; `raw` could be declared\n";
    assert!(said.ends_with(told), "{said}");
    // Scores that jump between temperatures show no basis: nothing confirms a declared one, and nothing has to be.
    let jumping = || {
        Peer::new(|n, _| {
            let body = String::from_utf8(recorded("recorded/complete.json")).unwrap();
            let body = if n % 2 == 0 { body } else { body.replace("-1.037536382675171", "-4.037536382675171") };
            answer("200 OK", "content-type: application/json\r\n", body.as_bytes())
        })
    };
    for (n, expected) in [(0, 3), (1, 3), (3, 0)] {
        fs::write(here.path().join("plan.json"), honest(n)).unwrap();
        let (code, told, said) = probe(&jumping());
        assert_eq!((code, &told["measured"]["basis"]), (expected, &"unknown".into()), "{n} {said}");
    }
    let (code, told, _) = probe(&Peer::new(|_, _| answer("200 OK", "", &recorded("recorded/top-3.json"))));
    assert_eq!((code, &told["measured"], &told["logprobs"]), (3, &Value::Null, &true.into()));
    let (code, told, _) = probe(&Peer::new(|_, _| answer("200 OK", "", &recorded("recorded/no-logprobs.json"))));
    assert_eq!((code, &told["logprobs"]), (1, &false.into()));
    let (code, _, said) =
        probe(&Peer::new(|_, _| answer("401 Unauthorized", "", &recorded("recorded/wrong-key.401.json"))));
    assert_eq!((code, said.contains("Invalid API Key")), (2, true), "{said}");
    let (code, _, said) =
        probe(&Peer::new(|_, _| answer("503 Service Unavailable", "", &recorded("recorded/loading.503.json"))));
    assert_eq!((code, said.contains("Loading model")), (3, true), "{said}");
    assert!(!here.path().join("out").exists());
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

#[test]
fn an_answer_packed_with_gzip_is_read_and_recorded_as_it_was_before() {
    let here = folder(30);
    let peer = Peer::new(|n, request| {
        assert!(request.to_ascii_lowercase().contains("accept-encoding: identity\r\n"), "{request}");
        let body = packed(&recorded("recorded/complete.json"));
        // Every third one with the header lost on the way.
        let coding = ["content-encoding: gzip\r\n", "Content-Encoding: X-GZip\r\n", ""][n % 3];
        answer("200 OK", coding, &body)
    });
    let (exit, said, records) = acquire(here.path(), &peer, &["--max-calls", "6"]);
    assert_eq!((exit, records.len()), (3, 6), "{said}");
    let plain = String::from_utf8(recorded("recorded/complete.json")).unwrap();
    assert!(records.iter().all(|r| r["body"] == plain.as_str() && r["error"].is_null()), "{records:?}");
    assert_eq!(records[0]["headers"]["content-encoding"], "gzip");
    // What is packed in an echo is searched for the key as well.
    let here = folder(30);
    let peer = Peer::new(|_, _| {
        let body = packed(format!(r#"{{"error":"bad key {KEY}"}}"#).as_bytes());
        answer("401 Unauthorized", "content-encoding: gzip\r\n", &body)
    });
    let (exit, said, records) = acquire(here.path(), &peer, &[]);
    assert_eq!((exit, &records[0]["body"]), (2, &r#"{"error":"bad key [redacted]"}"#.into()), "{said}");
    assert_no_key(here.path(), &said);
}

#[test]
fn what_is_no_answer_under_status_200_is_told_and_asked_again() {
    let error = |body: &'static str, told: &'static str| ("", body.as_bytes().to_vec(), told);
    let cases = [
        ("content-encoding: br\r\n", b"\x0b\x02\x80".to_vec(), "the answer is compressed (br)"),
        ("content-encoding: gzip, Deflate\r\n", b"??".to_vec(), "the answer is compressed (gzip, deflate)"),
        ("content-encoding: gzip\r\n", b"no gzip".to_vec(), "compressed (gzip), and damaged"),
        ("content-type: text/html\r\n", b"<html>busy</html>".to_vec(), "a page in place of an answer, <html>busy"),
        ("", b"data: {\"choices\":[]}\n\ndata: [DONE]\n\n".to_vec(), "a stream of events"),
        ("", Vec::new(), "the answer is empty"),
        error(
            r#"{"error":{"message":"Slow down, please","code":429}}"#,
            "an error in place of an answer, Slow down, please",
        ),
        error(r#"{"error":"no worker is free"}"#, "no worker is free"),
        error(r#"[{"error":{"message":"quota of this minute"}}]"#, "quota of this minute"),
        error(r#"{"detail":"model is loading"}"#, "model is loading"),
    ];
    for (headers, body, told) in cases {
        let here = folder(30);
        let peer = Peer::new(move |n, _| if n == 2 { answer("200 OK", headers, &body) } else { complete() });
        let (exit, said, records) = acquire(here.path(), &peer, &["--max-calls", "5"]);
        assert_eq!((exit, records.len()), (3, 5), "{said}");
        assert!(said.contains("attempt 2 of 8") && said.contains(told), "{told}: {said}");
        assert!(records[2]["error"].is_string() && records[3]["attempt"] == 2, "{}", records[2]);
        assert_eq!(records[2]["cell"], records[3]["cell"]);
        let replay = command(here.path(), &["acquire", "replay", "out"]).output().unwrap();
        assert!(out(&replay).starts_with("5 records"), "{}{}", out(&replay), err(&replay));
    }
    // An error that names a status which time does not change is not asked again.
    let here = folder(30);
    let body = br#"{"error":{"message":"no such key","code":"401"}}"#;
    let peer = Peer::new(move |n, _| if n == 2 { answer("200 OK", "", body) } else { complete() });
    let (exit, said, records) = acquire(here.path(), &peer, &[]);
    assert_eq!((exit, records.len(), said.contains("refuses") && said.contains("no such key")), (2, 3, true), "{said}");
}

#[test]
fn an_endpoint_that_always_packs_what_nobody_reads_costs_one_call() {
    let here = folder(30);
    let peer = Peer::new(|_, _| answer("200 OK", "content-encoding: zstd\r\n", b"\x28\xb5\x2f\xfd"));
    let (exit, said, records) = acquire(here.path(), &peer, &[]);
    assert_eq!((exit, records.len(), said.contains("compressed (zstd)")), (1, 1, true), "{said}");
    assert!(records[0].get("body").is_none() && records[0].get("body_base64").is_none(), "{}", records[0]);
    let probe = command(here.path(), &["acquire", "probe", "plan.json", "--url", &peer.url]).env(KEY_ENV, KEY).output();
    let probe = probe.unwrap();
    assert_eq!((code(&probe), err(&probe).contains("compressed (zstd)")), (1, true), "{}", err(&probe));
}

#[test]
fn a_server_that_asks_for_more_time_than_a_run_has_is_told_with_its_time() {
    for (wish, told) in [
        ("7200", "asks to wait 7200 s, until 20"),
        ("123456789012345678901234", "asks to wait 123456789012345678901234 s, until after the year 9999"),
        ("Friday, 31-Dec-49 23:59:59 GMT", "s, until 2049-12-31T23:59:59Z"),
        ("Fri Dec 31 23:59:59 2049", "s, until 2049-12-31T23:59:59Z"),
        ("Fri, 31 Dec 2049 23:59:59 GMT", "s, until 2049-12-31T23:59:59Z"),
    ] {
        for (status, body) in [
            ("429 Too Many Requests", "{\"error\":\"later\"}"),
            ("503 Busy", "later"),
            ("200 OK", "{\"error\":\"later\"}"),
        ] {
            let here = folder(30);
            let busy = move || answer(status, &format!("retry-after: {wish}\r\n"), body.as_bytes());
            let peer = Peer::new(move |n, _| if n == 1 { busy() } else { complete() });
            let (exit, said, records) = acquire(here.path(), &peer, &[]);
            assert_eq!((exit, records.len()), (3, 2), "{said}");
            assert!(said.contains(told) && said.contains("later") && !said.contains("See that"), "{said}");
            let peer = Peer::new(move |_, _| busy());
            let args = ["acquire", "probe", "plan.json", "--url", &peer.url];
            let probe = command(here.path(), &args).env(KEY_ENV, KEY).output().unwrap();
            assert!(code(&probe) == 3 && err(&probe).contains("probe again then"), "{}", err(&probe));
        }
    }
}

#[test]
fn a_port_that_none_is_ends_where_the_plan_is_read() {
    let here = folder(30);
    let text = fs::read_to_string(here.path().join("plan.json")).unwrap();
    fs::write(here.path().join("plan.json"), text.replace(":8651/", ":65536/")).unwrap();
    for args in [&["acquire", "run", "plan.json", "--out", "out"][..], &["acquire", "probe", "plan.json"]] {
        let done = command(here.path(), args).env(KEY_ENV, KEY).output().unwrap();
        assert!(code(&done) == 2 && err(&done).contains("the port 65536"), "{}", err(&done));
    }
    assert!(!here.path().join("out").exists());
    fs::write(here.path().join("plan.json"), text).unwrap();
    let args = ["acquire", "probe", "plan.json", "--url", "http://127.0.0.1:99999/v1"];
    let done = command(here.path(), &args).env(KEY_ENV, KEY).output().unwrap();
    assert!(code(&done) == 2 && err(&done).contains("the port 99999"), "{}", err(&done));
}

#[test]
fn a_key_that_comes_back_in_disguise_is_not_kept() {
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};
    let disguises = [
        STANDARD.encode(format!("Bearer {KEY}")),
        URL_SAFE.encode(format!("a:{KEY}")),
        KEY.bytes().map(|b| format!("%{b:02x}")).collect(),
        KEY.bytes().map(|b| format!("{b:02X}")).collect(),
        KEY.to_uppercase(),
        KEY.chars().flat_map(|c| [c, ' ']).collect(),
    ];
    for disguise in disguises {
        let (here, shown) = (folder(30), disguise.clone());
        let peer = Peer::new(move |_, _| {
            let body = format!(r#"{{"error":{{"message":"your header was {shown}"}}}}"#);
            answer("401 Unauthorized", &format!("x-request-id: {shown}\r\n"), body.as_bytes())
        });
        let (exit, said, records) = acquire(here.path(), &peer, &[]);
        assert_eq!((exit, &records[0]["redacted"]), (2, &true.into()), "{disguise}: {said}");
        let log = fs::read_to_string(here.path().join("out/log.jsonl")).unwrap();
        let body = records[0]["body"].as_str().unwrap();
        assert!(!log.contains(&disguise) && !said.contains(&disguise) && body.len() < 75, "{disguise}: {body}");
    }
}

/// SIGKILL at random moments: no answered call is lost, none is asked twice, and the study is that of an undisturbed run.
#[cfg(unix)]
#[test]
fn a_run_killed_again_and_again_is_taken_up_without_loss_or_duplicate() {
    let slow = || {
        Peer::new(|_, _| {
            sleep(Duration::from_millis(4));
            complete()
        })
    };
    let (calm, hard) = (folder(30), folder(30));
    let started = Instant::now();
    let (code, said, _) = acquire(calm.path(), &slow(), &[]);
    assert_eq!(code, 0, "{said}");
    // As long as a sixth of a whole run on this machine, whatever it is built with.
    let longest = started.elapsed() / 6;

    let peer = slow();
    let args = ["acquire", "run", "plan.json", "--out", "out", "--url", &peer.url];
    let mut kills = 0;
    for n in 0..30_u32 {
        let mut child = command(hard.path(), &args)
            .env(KEY_ENV, KEY)
            .stderr(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // Moments spread over start, reading, waiting and writing, another one each time.
        sleep(longest.mul_f64(f64::from(n * n * 7_919 % 1000) / 1000.0));
        kills += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (code, said, _) = acquire(hard.path(), &peer, &[]);
    assert_eq!(code, 0, "{said}");
    let read = |folder: &Path, name: &str| fs::read(folder.join("out").join(name)).unwrap();
    let plan = plan::read("plan.json", &fs::read(hard.path().join("plan.json")).unwrap()).unwrap();
    let (entries, torn) = log::read(&read(hard.path(), "log.jsonl"), plan.digest).unwrap();
    // Building the ledger refuses a call that is answered twice.
    let ledger = Ledger::new(&plan, &entries).unwrap();
    let runs = ledger.run();
    assert!(
        torn == 0 && ledger.outstanding(&plan).is_empty() && kills > 5 && runs > 2,
        "{kills} kills, {runs} runs with a record"
    );
    let answers =
        entries.iter().filter(|e| e.record.cell.get("kind").and_then(|k| k.as_text()) != Some("probe")).count();
    assert_eq!(answers, calls::all(&plan).len());
    for name in ["study.json", "scores.jsonl", "plan.json"] {
        assert_eq!(read(hard.path(), name), read(calm.path(), name), "{name}");
    }
    println!("{kills} kills over {runs} runs, {} records", entries.len());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_probe_too() {
    let here = folder(30);
    let peer = Peer::new(|_, _| {
        sleep(Duration::from_millis(300));
        complete()
    });
    let args = ["acquire", "probe", "plan.json", "--url", &peer.url];
    let child = command(here.path(), &args).env(KEY_ENV, KEY).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while peer.asked() < 1 {
        sleep(Duration::from_millis(5));
    }
    send("-INT", child.id());
    let done = child.wait_with_output().unwrap();
    assert_eq!((code(&done), peer.asked() < 5), (130, true), "{}", err(&done));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_after_the_call_and_leaves_a_whole_log() {
    let here = folder(30);
    let peer = Peer::new(|_, _| {
        sleep(Duration::from_millis(100));
        complete()
    });
    let args = ["acquire", "run", "plan.json", "--out", "out", "--url", &peer.url];
    let child = command(here.path(), &args).env(KEY_ENV, KEY).stdout(std::process::Stdio::piped()).spawn().unwrap();
    while peer.asked() < 3 {
        sleep(Duration::from_millis(5));
    }
    send("-INT", child.id());
    let done = child.wait_with_output().unwrap();
    assert_eq!(code(&done), 130);
    let log = fs::read(here.path().join("out/log.jsonl")).unwrap();
    assert!(log.ends_with(b"\n") && log.iter().filter(|&&b| b == b'\n').count() >= 3);
    assert!(!here.path().join("out/study.json").exists());
}
