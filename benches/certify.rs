//! Certifying and verifying 20,000 cases in memory on two threads, beside the floor of the same run: reading the bytes
//! strictly, hashing them once, and signing once per case. No disk is involved.
//!
//! `cargo bench -p decidendi-benches --bench certify`

use std::hint::black_box;
use std::time::Duration;

use decidendi_benches::{case_lines, median};
use decidendi_core::judgment::case::Artifacts;
use decidendi_core::judgment::certificate::Certificate;
use decidendi_core::judgment::verify::{Against, Standing, verify};
use decidendi_core::judgment::walk::{Compiler, judge, open_case};
use decidendi_core::seal::canon::read_input;
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::key::SecretKey;
use decidendi_core::seal::verified::TrustStore;
use decidendi_core::watch::Unwatched;

const CASES: usize = 20_000;
const THREADS: usize = 2;
const ROUNDS: usize = 5;

/// Runs `work` over all lines on [`THREADS`] threads, each with its own state.
fn spread<S: Default>(lines: &[&[u8]], work: impl Fn(&mut S, &[u8]) + Sync) -> Duration {
    median(ROUNDS, || {
        std::thread::scope(|scope| {
            for part in lines.chunks(lines.len().div_ceil(THREADS)) {
                let work = &work;
                scope.spawn(move || {
                    let mut state = S::default();
                    for line in part {
                        work(&mut state, line);
                    }
                });
            }
        });
    })
}

#[expect(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints, and its input is its own")]
fn main() {
    let bytes = case_lines(CASES);
    let lines: Vec<&[u8]> = bytes.split(|&b| b == b'\n').filter(|l| !l.is_empty()).collect();
    let key = SecretKey::generate([7; 32]);
    let trust = TrustStore::new([key.public()]).expect("one key");
    let certify = |compiler: &mut Compiler, line: &[u8]| {
        let case = open_case("line", line, &Artifacts::new()).expect("a case");
        let judgment = judge(&case, compiler, &Unwatched).expect("a judgment");
        Certificate::bind(&case, &judgment, None).expect("certifiable").sign(&[&key])
    };

    let reading = spread::<()>(&lines, |(), line| drop(black_box(read_input("line", line))));
    let value = spread::<()>(&lines, |(), line| drop(black_box(serde_json::from_slice::<serde_json::Value>(line))));
    let hashing = spread::<()>(&lines, |(), line| drop(black_box(Digest::of(line))));
    let message = vec![b'x'; 1_900];
    let signing = spread::<()>(&lines, |(), _| drop(black_box(key.sign(black_box(&message)))));
    let opening = spread::<()>(&lines, |(), line| drop(black_box(open_case("line", line, &Artifacts::new()))));
    let judging = spread::<Compiler>(&lines, |compiler, line| {
        let case = open_case("line", line, &Artifacts::new()).expect("a case");
        drop(black_box(judge(&case, compiler, &Unwatched)));
    });
    let certifying = spread::<Compiler>(&lines, |compiler, line| drop(black_box(certify(compiler, line))));
    let mut compiler = Compiler::default();
    let pairs: Vec<(&[u8], Vec<u8>)> = lines.iter().map(|&line| (line, certify(&mut compiler, line))).collect();
    let verifying = median(ROUNDS, || {
        std::thread::scope(|scope| {
            for part in pairs.chunks(pairs.len().div_ceil(THREADS)) {
                let trust = &trust;
                scope.spawn(move || {
                    let mut compiler = Compiler::default();
                    for (line, certificate) in part {
                        let case = open_case("line", line, &Artifacts::new()).expect("a case");
                        let against = Against { trust: Some(trust), case: Some(&case) };
                        let result = verify("x", certificate, against, &mut compiler, &Unwatched).expect("a certificate");
                        assert_eq!(result.verdict, Standing::Pass);
                    }
                });
            }
        });
    });

    let per = |d: Duration| d.as_secs_f64() * 1e6 / CASES as f64;
    println!("{CASES} cases, {:.1} MB, {THREADS} threads; µs of wall clock per case", bytes.len() as f64 / 1e6);
    for (name, time) in [
        ("strict reading", reading),
        ("  serde_json::Value, to compare", value),
        ("SHA-256 of the bytes", hashing),
        ("Ed25519 signature", signing),
        ("open (read, shape, digests)", opening),
        ("  and judge (type check, execute, family)", judging),
        ("certify (all, signed)", certifying),
        ("verify with replay", verifying),
    ] {
        println!("{name:<44} {:>8.2}  {:>9.0} per second", per(time), 1e6 / per(time));
    }
    let floor = reading + hashing + signing;
    println!("certify over reading + SHA-256 + signing: {:.2}x", certifying.as_secs_f64() / floor.as_secs_f64());
}
