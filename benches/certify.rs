//! Certifying and verifying 20,000 cases in memory on two threads, beside the floor of the same run: reading the bytes
//! strictly, hashing them once, and signing once per case. No disk is involved.
//!
//! `cargo bench -p decidendi-benches --bench certify`

use std::hint::black_box;
use std::time::{Duration, Instant};

use decidendi_benches::case_lines;
use decidendi_core::judgment::case::Artifacts;
use decidendi_core::judgment::certificate::Certificate;
use decidendi_core::judgment::verify::{Against, Standing, verify};
use decidendi_core::judgment::walk::{Compiler, judge, open_case};
use decidendi_core::seal::canon::read_input;
use decidendi_core::seal::certificate::Certificate as _;
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::dsse::Envelope;
use decidendi_core::seal::key::SecretKey;
use decidendi_core::seal::verified::TrustStore;
use decidendi_core::watch::Unwatched;

const CASES: usize = 20_000;
const THREADS: usize = 2;
const ROUNDS: usize = 7;

/// Wall-clock time of `work` over all items on [`THREADS`] threads, each with its own state.
fn spread<T: Sync, S: Default>(items: &[T], work: impl Fn(&mut S, &T) + Sync) -> Duration {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for part in items.chunks(items.len().div_ceil(THREADS)) {
            let work = &work;
            scope.spawn(move || {
                let mut state = S::default();
                for item in part {
                    work(&mut state, item);
                }
            });
        }
    });
    start.elapsed()
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

    let open = |line: &[u8]| open_case("line", line, &Artifacts::new()).expect("a case");
    let mut compiler = Compiler::default();
    let pairs: Vec<(&[u8], Vec<u8>)> = lines.iter().map(|&line| (line, certify(&mut compiler, line))).collect();
    let message = Envelope::read("x", &pairs[0].1).expect("an envelope").pae();

    // Every round measures everything, so that a busy moment of the machine falls on all of it.
    let mut rounds: Vec<[Duration; 8]> = (0..ROUNDS)
        .map(|_| {
            [
                spread(&lines, |(): &mut (), line| drop(black_box(read_input("line", line)))),
                spread(&lines, |(): &mut (), line| drop(black_box(serde_json::from_slice::<serde_json::Value>(line)))),
                spread(&lines, |(): &mut (), line| {
                    black_box(Digest::of(line));
                }),
                spread(&lines, |(): &mut (), _| {
                    black_box(key.sign(black_box(&message)));
                }),
                spread(&lines, |(): &mut (), line| drop(black_box(open(line)))),
                spread(&lines, |compiler: &mut Compiler, line| {
                    drop(black_box(judge(&open(line), compiler, &Unwatched)));
                }),
                spread(&lines, |compiler: &mut Compiler, line| drop(black_box(certify(compiler, line)))),
                spread(&pairs, |compiler: &mut Compiler, (line, certificate)| {
                    let case = open(line);
                    let against = Against { trust: Some(&trust), case: Some(&case) };
                    let result = verify("x", certificate, against, compiler, &Unwatched).expect("a certificate");
                    assert_eq!(result.verdict, Standing::Pass);
                }),
            ]
        })
        .collect();
    let mut middle = |i: usize| {
        rounds.sort_by_key(|round| round[i]);
        rounds[ROUNDS / 2][i]
    };
    let [reading, value, hashing, signing, opening, judging, certifying, verifying] = std::array::from_fn(&mut middle);

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
