//! The bootstrap over trajectories: ours with new draws and with kept weights, and NumPy in the same run.
//!
//! `cargo bench -p decidendi-benches --bench bootstrap`. 10,000 draws of 100 clusters with 1,004 steps: three means as
//! ratios of sums from plain draws, and the difference of two areas under the curve (53 successes) from draws stratified by
//! outcome, each with its 95 % interval. The peer, `peers/bootstrap.py`, computes the same from the same data with draws of
//! its own (`bincount` and BLAS, one thread), once as one writes it, in double precision, and once in the best form of each
//! part that we found; `DECIDENDI_PYTHON` names an interpreter that has NumPy. CPU time, median of rounds.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::expect_used, reason = "a benchmark stops when it is wrong")]

use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, Stdio};

use decidendi_benches::Draw;
use decidendi_core::stats::{Column, Estimate, Level, Plan, Ranking, Resampler};
use decidendi_core::watch::Unwatched;

const DRAWS: u32 = 10_000;
const ROUNDS: usize = 31;
const SEED: u64 = 20_260_101;
/// Python, run in the peer's place.
const PEER: &str = include_str!("peers/bootstrap.py");

/// Sums by cluster of three gains, and two scores with the outcome.
struct Data {
    sums: [Vec<f64>; 3],
    counts: Vec<u32>,
    scores: [Vec<Option<f64>>; 2],
    outcomes: Vec<bool>,
}

impl Data {
    fn new(clusters: usize, steps: usize, successes: usize) -> Self {
        let mut draw = Draw(11);
        let mut unit = || draw.below(1 << 20) as f64 / f64::from(1 << 20) - 0.5;
        let mut data = Self {
            sums: [(); 3].map(|()| vec![0.0; clusters]),
            counts: vec![0; clusters],
            scores: [(); 2].map(|()| Vec::new()),
            outcomes: (0..clusters).map(|cluster| cluster * successes % clusters < successes).collect(),
        };
        for step in 0..steps {
            data.counts[step % clusters] += 1;
            for (at, sums) in data.sums.iter_mut().enumerate() {
                sums[step % clusters] += unit() + 0.1 * at as f64;
            }
        }
        for (scores, signal) in data.scores.iter_mut().zip([0.25, 0.1]) {
            // Two digits, so that scores tie.
            let score = |&outcome: &bool| ((unit() + if outcome { signal } else { 0.0 }) * 100.0).round() / 100.0;
            scores.extend(data.outcomes.iter().map(score).map(Some));
        }
        data
    }

    fn columns(&self) -> [Column<'_>; 3] {
        self.sums.each_ref().map(|sums| Column { sums, counts: &self.counts })
    }

    fn rankings(&self) -> [Ranking; 2] {
        self.scores.each_ref().map(|scores| Ranking::new(scores, &self.outcomes).expect("scores are numbers"))
    }

    fn resamplers(&self) -> [Resampler; 2] {
        let strata: Vec<u8> = self.outcomes.iter().copied().map(u8::from).collect();
        let plans = [Plan::plain(strata.len(), DRAWS, SEED), Plan::stratified(&strata, DRAWS, SEED)];
        plans.map(Resampler::new)
    }

    /// Three means and one difference of areas with their intervals.
    fn estimates(&self, [plain, stratified]: &[Resampler; 2]) -> [Estimate; 4] {
        let [first, second, third] = self.means(plain);
        [first, second, third, self.difference(stratified)]
    }

    fn means(&self, plain: &Resampler) -> [Estimate; 3] {
        let columns = self.columns();
        let drawn = plain.run(&columns, &[], &Unwatched).expect("nobody cancels").ratios;
        let count: f64 = self.counts.iter().copied().map(f64::from).sum();
        [0, 1, 2].map(|at| {
            let mean = self.sums[at].iter().fold(0.0, |sum, value| sum + value) / count;
            Estimate::new(mean, &drawn[at], self.clusters(), Level::P95).expect("draws are defined")
        })
    }

    fn clusters(&self) -> u32 {
        u32::try_from(self.counts.len()).expect("clusters are counted in 32 bits")
    }

    fn difference(&self, stratified: &Resampler) -> Estimate {
        let rankings = self.rankings();
        let drawn = stratified.run(&[], &rankings, &Unwatched).expect("nobody cancels").aucs;
        let [first, second] = rankings.each_ref().map(|ranking| ranking.auc().expect("both outcomes").to_f64());
        Estimate::new(first - second, &drawn[0].minus(&drawn[1]), self.clusters(), Level::P95)
            .expect("draws are defined")
    }

    /// What the peer reads: one JSON object.
    fn to_json(&self) -> String {
        let outcomes: Vec<u8> = self.outcomes.iter().copied().map(u8::from).collect();
        serde_json::json!({
            "draws": DRAWS, "rounds": ROUNDS, "seed": SEED,
            "sums": self.sums, "counts": self.counts, "scores": self.scores, "outcomes": outcomes,
        })
        .to_string()
    }
}

/// CPU time of this process so far, in nanoseconds. One thread: it is the thread's, too.
fn cpu() -> u64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux tells CPU time");
    text.split(' ').next().and_then(|word| word.parse().ok()).expect("the first word is a number")
}

/// Median and least CPU time of a piece of work in milliseconds; repeated in each round, because the system's account of CPU
/// time moves in steps.
fn time_of(rounds: usize, work: impl Fn() -> [Estimate; 4]) -> [f64; 2] {
    const REPEAT: usize = 64;
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = cpu();
            for _ in 0..REPEAT {
                black_box(work());
            }
            (cpu() - start) as f64 / 1e6 / REPEAT as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    [times[rounds / 2], times[0]]
}

/// The peer's report, if Python and NumPy are there.
fn peer(data: &Data) -> Option<serde_json::Value> {
    let python = std::env::var("DECIDENDI_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut child = Command::new(python)
        .args(["-c", PEER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // One thread, as ours.
        .env("OPENBLAS_NUM_THREADS", "1")
        .env("OMP_NUM_THREADS", "1")
        .env("MKL_NUM_THREADS", "1")
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(data.to_json().as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    serde_json::from_slice(&output.stdout).ok()
}

fn main() {
    let data = Data::new(100, 1_004, 53);
    let anew = data.resamplers();
    let kept = data.resamplers().map(Resampler::kept);
    let estimates = data.estimates(&anew);
    assert_eq!(estimates, data.estimates(&kept), "kept weights change nothing");
    let new = time_of(ROUNDS, || data.estimates(&anew));
    let kept = time_of(ROUNDS, || data.estimates(&kept));
    let within = |met: bool, text: &str| format!("{text}: {}", if met { "met" } else { "MISSED" });

    println!(
        "bootstrap: {DRAWS} draws, 100 clusters, 1,004 steps, 3 means and 1 difference of areas, CPU ms, median (least)"
    );
    let line =
        |what: &str, [median, least]: [f64; 2], note: &str| println!("{what:35} {median:8.3} ({least:7.3})   {note}");
    line("ours, new draws", new, &within(new[0] < 3.0, "3 ms"));
    line("ours, kept weights", kept, &within(kept[0] < 1.0, "1 ms"));
    match peer(&data) {
        None => println!("NumPy: not found, not measured (set DECIDENDI_PYTHON to a Python that has it)"),
        Some(report) => {
            let time = |key: &str| [0, 1].map(|at| report[key][at].as_f64().expect("the peer reports its times"));
            println!("NumPy {}, and how many times ours it takes", report["version"].as_str().unwrap_or_default());
            let best = report["new_form"].as_str().unwrap_or_default();
            for (what, key, form, ours, target) in [
                ("new draws", "new_doubles", "bincount, double precision", new, 12.0),
                ("new draws", "new", best, new, 12.0),
                ("kept weights", "kept_doubles", "double precision", kept, 25.0),
                ("kept weights", "kept", "single precision, one difference", kept, 25.0),
            ] {
                let theirs = time(key);
                let times = theirs[0] / ours[0];
                let note = format!("{times:5.1} times   {}", within(times >= target, &format!("{target}")));
                line(&format!("{what}, {form}"), theirs, &note);
            }
            for (ours, theirs) in estimates.iter().zip(report["estimates"].as_array().expect("the peer reports ends")) {
                let theirs: Vec<f64> = theirs.as_array().into_iter().flatten().filter_map(|end| end.as_f64()).collect();
                // Other draws, so other ends; they differ by the noise of 10,000 draws.
                let noise = 0.1 * (ours.hi - ours.lo);
                let near = (ours.lo - theirs[1]).abs() < noise && (ours.hi - theirs[2]).abs() < noise;
                assert!(near && (ours.value - theirs[0]).abs() < 1e-12, "{ours:?} and {theirs:?}");
                println!(
                    "  {:9.5} [{:9.5}, {:9.5}]   NumPy [{:9.5}, {:9.5}]",
                    ours.value, ours.lo, ours.hi, theirs[1], theirs[2]
                );
            }
        }
    }

    let large = Data::new(10_000, 110_000, 5_300);
    let anew = large.resamplers();
    let start = cpu();
    black_box(large.estimates(&anew));
    let seconds = (cpu() - start) as f64 / 1e9;
    println!("ours, new draws, 10,000 clusters, 110,000 steps: {seconds:.3} s CPU   {}", within(seconds < 1.0, "1 s"));
}
