//! An endpoint on this machine for tests and pictures: answers as a server with log-probabilities does, or refuses.

#![allow(dead_code, reason = "tests and the renderer of pictures each use a part")]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// With log-probabilities of every label.
    Scores,
    /// The same, and leaves the label `B` out.
    Lacking,
    /// With a text alone.
    TextOnly,
    /// 401.
    Refuses,
    /// 503, and asks for an hour's patience.
    Overloaded,
}

/// An endpoint that runs as long as the program.
pub struct Endpoint {
    /// The address for a plan.
    pub url: String,
    asked: Arc<AtomicUsize>,
}

impl Endpoint {
    /// Listens on a free port; takes `pause` for each answer.
    pub fn new(manner: Manner, pause: Duration) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}/v1", listener.local_addr()?);
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let Some(request) = request(&mut stream) else { continue };
                count.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(pause);
                // The client may be gone.
                let _ = stream.write_all(&answer(manner, &request));
            }
        });
        Ok(Self { url, asked })
    }

    /// How many requests came.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    /// An address where nobody listens.
    pub fn nobody() -> std::io::Result<String> {
        Ok(format!("http://{}/v1", TcpListener::bind("127.0.0.1:0")?.local_addr()?))
    }
}

fn request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let n = stream.read(&mut piece).ok().filter(|n| *n > 0)?;
        bytes.extend_from_slice(&piece[..n]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let head = head.to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:"))?.trim().parse().ok()?;
        if body.len() >= length {
            return Some(body.to_owned());
        }
    }
}

fn answer(manner: Manner, request: &str) -> Vec<u8> {
    let (status, head, body) = match manner {
        Manner::Refuses => ("401 Unauthorized", "", r#"{"error":{"message":"no such key"}}"#.to_owned()),
        Manner::Overloaded => ("503 Service Unavailable", "retry-after: 3600\r\n", r#"{"error":"busy"}"#.to_owned()),
        Manner::TextOnly => ("200 OK", "", said("null")),
        Manner::Scores | Manner::Lacking if !request.contains("\"logprobs\":true") => ("200 OK", "", said("null")),
        Manner::Scores => ("200 OK", "", said(&scores(request, &["A", "B", "C", "D", "Yes", "No"]))),
        Manner::Lacking => ("200 OK", "", said(&scores(request, &["A", "C", "D", "Yes", "No"]))),
    };
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{head}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
        .into_bytes()
}

fn said(logprobs: &str) -> String {
    format!(
        r#"{{"choices":[{{"message":{{"content":"Bern holds the government."}},"logprobs":{logprobs}}}],"model":"small","system_fingerprint":"b1"}}"#
    )
}

/// Twenty entries; values follow from the prompt alone, so that they are raw and repeat.
fn scores(request: &str, labels: &[&str]) -> String {
    let prompt = request.split("\"model\"").next().unwrap_or_default();
    let mut seed = prompt.bytes().fold(0x9e37_79b9_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619));
    let mut entries: Vec<String> = Vec::new();
    let others: Vec<String> = (0..20 - labels.len()).map(|i| format!("x{i}")).collect();
    for name in labels.iter().map(ToString::to_string).chain(others) {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        entries.push(format!(r#"{{"token":"{name}","logprob":-{}.{:03}}}"#, 1 + seed % 5, seed / 7 % 1000));
    }
    format!(r#"{{"content":[{{"token":"A","top_logprobs":[{}]}}]}}"#, entries.join(","))
}

/// A small plan: two states, a quoted and a generated view, two layouts: ten calls.
pub fn plan(url: &str, max_calls: u64, key: Option<&str>) -> String {
    let key = key.map(|name| format!(r#","api_key_env":"{name}""#)).unwrap_or_default();
    format!(
        r#"{{
  "format": "decidendi/acquire-plan@1",
  "id": "capital",
  "title": "One question, scored in two states",
  "endpoint": {{"url": "{url}", "model": "small", "timeout_s": 20{key}, "note": "a stand-in on this machine"}},
  "sampling": {{"temperature": "1", "top_logprobs": 20}},
  "limits": {{"max_calls": {max_calls}, "concurrency": 1}},
  "views": {{"quote_chars": 90, "generated_tokens": 32}},
  "channels": [
    {{"id": "quote", "readout": "joint", "view": "quote", "authority": "neutral", "logprob_basis": "raw"}},
    {{"id": "generated", "readout": "joint", "view": "generated", "authority": "neutral", "logprob_basis": "raw"}}
  ],
  "layouts": {{"kind": "cyclic", "count": 2}},
  "waves": [{{"id": 0, "weight": "1"}}],
  "contrasts": [{{"id": "generated-quote", "alternative": "generated", "reference": "quote"}}],
  "tasks": [
    {{
      "trajectory": "t01",
      "question": "Which city is the seat of the Swiss government?",
      "candidates": [
        {{"id": "zurich", "text": "Zurich"}},
        {{"id": "bern", "text": "Bern"}},
        {{"id": "geneva", "text": "Geneva"}},
        {{"id": "none", "text": "none of the others"}}
      ],
      "target": "bern",
      "success": true,
      "states": [
        {{"id": "t01-s0", "evidence": "Zurich is the largest city of Switzerland."}},
        {{"id": "t01-s1", "evidence": "Zurich is the largest city of Switzerland. Its government sits in Bern."}}
      ]
    }}
  ]
}}
"#
    )
}
