//! Certificates made by a recipe: one of three cases is certified with a known key, then changed step by step, signed again
//! or not, and verified. The steps are listed in `tests/vectors/README.md`.

use std::fs;

use decidendi_core::judgment::case::{Artifacts, Case};
use decidendi_core::judgment::certificate::Certificate;
use decidendi_core::judgment::verify::{Against, Status, Verification, verify};
use decidendi_core::judgment::walk::{Compiler, judge, open_case};
use decidendi_core::seal::certificate::Certificate as _;
use decidendi_core::seal::dsse::Envelope;
use decidendi_core::seal::key::SecretKey;
use decidendi_core::seal::verified::TrustStore;
use decidendi_core::watch::Unwatched;
use serde_json::Value;

use super::file::{Found, Vector, unhex};

/// The group order of the curve, little-endian: S and S + L are two spellings of one signature.
const ORDER: &str = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";

/// A certificate under work.
pub struct Made {
    /// The case in hand, if any.
    pub case: Option<Case>,
    trust: Option<TrustStore>,
    envelope: Envelope,
    /// The file, once a step changed its text.
    text: Option<Vec<u8>>,
}

/// The secret key of a seed.
pub fn key(seed: u8) -> SecretKey {
    SecretKey::generate([seed; 32])
}

/// One of the cases in `tests/vectors/certificate/`.
pub fn case(name: &str) -> Case {
    let path = super::folder().join(format!("certificate/{name}.case.json"));
    let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    open_case(name, &bytes, &Artifacts::new()).unwrap_or_else(|e| panic!("{e}"))
}

/// The certificate of a case, signed with key 1.
pub fn certify(case: &Case) -> Vec<u8> {
    let judgment = judge(case, &mut Compiler::default(), &Unwatched).unwrap_or_else(|e| panic!("{e}"));
    Certificate::bind(case, &judgment, None).unwrap_or_else(|e| panic!("{e}")).sign(&[&key(1)])
}

fn canonical(value: &Value) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(value).unwrap()
}

/// One step on a JSON document: `set`, `remove`, `append`, `swap`.
pub fn edit(root: &mut Value, step: &str) {
    let (verb, rest) = step.split_once(' ').unwrap();
    let (pointer, argument) = rest.split_once(' ').unwrap_or((rest, ""));
    let parsed = || serde_json::from_str::<Value>(argument).unwrap_or_else(|e| panic!("{step}: {e}"));
    match verb {
        "set" => match root.pointer_mut(pointer) {
            Some(here) => *here = parsed(),
            None => {
                let (parent, last) = pointer.rsplit_once('/').unwrap();
                root.pointer_mut(parent).unwrap()[last] = parsed();
            }
        },
        "remove" => {
            let (parent, last) = pointer.rsplit_once('/').unwrap();
            match root.pointer_mut(parent).unwrap_or_else(|| panic!("{step}")) {
                Value::Array(items) => drop(items.remove(last.parse().unwrap())),
                Value::Object(fields) => assert!(fields.remove(last).is_some(), "{step}"),
                _ => panic!("{step}"),
            }
        }
        "append" => root.pointer_mut(pointer).unwrap().as_array_mut().unwrap().push(parsed()),
        "swap" => {
            let (a, b) = argument.split_once(' ').unwrap();
            root.pointer_mut(pointer).unwrap().as_array_mut().unwrap().swap(a.parse().unwrap(), b.parse().unwrap());
        }
        _ => panic!("no step `{step}`"),
    }
}

/// `FROM => TO` on text that holds `FROM`.
pub fn respell(bytes: &[u8], change: &str) -> Vec<u8> {
    let (from, to) = change.split_once(" => ").unwrap_or_else(|| panic!("{change}"));
    let text = std::str::from_utf8(bytes).unwrap();
    assert!(text.contains(from), "`{from}` does not occur in {text}");
    text.replacen(from, &to.replace("\\n", "\n").replace("\\s", " "), 1).into_bytes()
}

fn seeds(list: &str) -> Vec<SecretKey> {
    list.split_whitespace().map(|seed| key(seed.parse().unwrap())).collect()
}

impl Made {
    /// The certificate after every step of the recipe.
    pub fn new(vector: &Vector) -> Self {
        let mut steps = vector.steps().peekable();
        let base = steps.next_if(|s| s.starts_with("case ")).map_or("changed", |s| &s[5..]);
        let case = case(base);
        let envelope = Envelope::read("made", &certify(&case)).unwrap();
        let trust = TrustStore::new([key(1).public().clone()]).ok();
        let mut made = Self { case: Some(case), trust, envelope, text: None };
        for step in steps {
            made.step(step);
        }
        made
    }

    fn step(&mut self, step: &str) {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        assert!(self.text.is_none() || verb.starts_with("file-") || matches!(verb, "hand" | "trust" | "threshold"));
        match verb {
            "hand" => self.case = (rest != "none").then(|| case(rest)),
            "trust" if rest == "none" => self.trust = None,
            "trust" => self.trust = TrustStore::new(seeds(rest).iter().map(|key| key.public().clone())).ok(),
            "threshold" => self.trust = self.trust.take().unwrap().with_threshold(rest.parse().unwrap()).ok(),
            "payload-type" => rest.clone_into(&mut self.envelope.payload_type),
            "payload" => self.envelope.payload = rest.as_bytes().to_vec(),
            "payload-respell" => self.envelope.payload = respell(&self.envelope.payload, rest),
            "sign" => {
                let keys = seeds(rest);
                let payload = std::mem::take(&mut self.envelope.payload);
                self.envelope = Envelope::sign(&self.envelope.payload_type, payload, &keys.iter().collect::<Vec<_>>());
            }
            "keyid" => rest.clone_into(&mut self.envelope.signatures[0].keyid),
            "again" => {
                let mut copy = self.envelope.signatures[0].clone();
                rest.clone_into(&mut copy.keyid);
                self.envelope.signatures.push(copy);
            }
            "add-order" => add(&mut self.envelope.signatures[0].sig[32..], &unhex(ORDER)),
            "signature" => self.envelope.signatures[0].sig = unhex(rest),
            "file" => self.text = Some(format!("{rest}\n").into_bytes()),
            "file-respell" => self.text = Some(respell(&self.bytes(), rest)),
            _ if verb.starts_with("file-") => {
                let mut root = serde_json::from_slice(&self.bytes()).unwrap();
                edit(&mut root, &step["file-".len()..]);
                self.text = Some(canonical(&root));
            }
            _ => {
                let mut root = serde_json::from_slice(&self.envelope.payload).unwrap();
                edit(&mut root, step);
                self.envelope.payload = canonical(&root);
            }
        }
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        self.text.clone().unwrap_or_else(|| self.envelope.to_bytes())
    }

    /// The file's verification.
    pub fn verify(&self) -> Result<Verification, decidendi_core::judgment::verify::VerifyError> {
        let against = Against { trust: self.trust.as_ref(), case: self.case.as_ref() };
        verify("made.cert.json", &self.bytes(), against, &mut Compiler::default(), &Unwatched)
    }
}

/// Little-endian addition.
fn add(number: &mut [u8], other: &[u8]) {
    let mut carry = 0_u16;
    for (digit, more) in number.iter_mut().zip(other) {
        let sum = u16::from(*digit) + u16::from(*more) + carry;
        *digit = (sum & 0xff) as u8;
        carry = sum >> 8;
    }
    assert_eq!(carry, 0);
}

/// Makes and verifies a certificate.
pub fn run(vector: &Vector) -> Found {
    match Made::new(vector).verify() {
        Err(error) => {
            let mut found = Found::refused("unreadable", error.to_string(), 2);
            if let Some((line, column)) = place(&found.text) {
                found = found.at("made.cert.json", line, column);
            }
            found
        }
        Ok(result) => outcome(&result),
    }
}

fn place(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.strip_prefix("made.cert.json:")?.split(':');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// State, exit code and first failed check of a verification.
fn outcome(result: &Verification) -> Found {
    assert_eq!(result.checks.len(), 10, "every check is listed, whatever came of it");
    let standing = result.verdict.word();
    let exit = match standing {
        "Pass" => 0,
        "Invalid" => 1,
        _ => 3,
    };
    assert_eq!(result.verified.is_some(), exit == 0, "only what holds is handed on as verified");
    for check in &result.checks {
        assert!(!check.detail.is_empty() && !check.name.is_empty());
        // What failed, and what to do next, are told in every failed check.
        assert!(check.status != Status::Fail || check.next.is_some(), "{check:?} does not say what to do");
    }
    let failed = result.checks.iter().find(|c| c.status == Status::Fail);
    Found {
        word: result.state.map_or(standing.to_lowercase(), |s| s.word().to_owned()),
        text: failed.map_or_else(String::new, |c| c.detail.clone()),
        notices: result.checks.iter().map(|c| c.detail.clone()).collect(),
        exit,
        check: failed.map(|c| c.n),
        ..Found::default()
    }
}
