//! A study from its files to its report: 1,100 transitions, then a hundred times as many, with the peak memory of the
//! process beside the size of the score file.
//!
//! `cargo bench -p decidendi-benches --bench study`

use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use decidendi_core::step_value::inference::Sampling;
use decidendi_core::step_value::walk::analyse;
use decidendi_core::watch::Unwatched;
use decidendi_files::study::load_study;

const STEPS: usize = 11;
const LAYOUTS: usize = 4;
const CANDIDATES: [&str; 4] = ["answer-a", "answer-b", "answer-c", "answer-d"];

/// Writes a study of so many trajectories, row by row; answers the bytes of its score file.
#[expect(clippy::expect_used, reason = "a benchmark's input is its own")]
fn write(folder: &Path, trajectories: usize) -> u64 {
    let create = |name: &str| std::io::BufWriter::new(std::fs::File::create(folder.join(name)).expect("created"));
    let (mut study, mut scores) = (create("study.json"), create("scores.jsonl"));
    let head = r#"{"format": "decidendi/asv-study@1", "id": "bench", "origin": "simulated",
        "channels": [{"id": "direct", "readout": "joint", "logprob_basis": "raw"}, {"id": "view", "readout": "joint", "logprob_basis": "raw"}],
        "layouts": {"kind": "cyclic", "count": 4}, "contrasts": [{"id": "view-direct", "alternative": "view", "reference": "direct"}],
        "transitions": ["#;
    write!(study, "{head}").expect("written");
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        -((state >> 40) as f64) / f64::from(1 << 22) - 0.01
    };
    for t in 0..trajectories {
        for step in 0..STEPS {
            let comma = if t + step == 0 { "" } else { "," };
            let (target, success) = (CANDIDATES[t % 4], t % 2 == 0);
            write!(
                study,
                r#"{comma}{{"id": "t{t:05}-{step:02}", "trajectory": "t{t:05}", "step": {step}, "target": "{target}", "success": {success}, "candidates": ["answer-a", "answer-b", "answer-c", "answer-d"], "before": "s{step}", "after": "s{}"}}"#,
                step + 1
            )
            .expect("written");
            for channel in ["direct", "view"] {
                for place in ["before", "after"] {
                    for layout in 0..LAYOUTS {
                        let pairs = CANDIDATES.map(|name| format!("\"{name}\": {:.9}", draw())).join(", ");
                        writeln!(
                            scores,
                            r#"{{"transition": "t{t:05}-{step:02}", "state": "{place}", "channel": "{channel}", "layout": {layout}, "wave": 0, "logprobs": {{{pairs}}}}}"#
                        )
                        .expect("written");
                    }
                }
            }
        }
    }
    write!(study, "]}}").expect("written");
    study.flush().and_then(|()| scores.flush()).expect("written");
    std::fs::metadata(folder.join("scores.jsonl")).expect("written").len()
}

#[expect(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints, and its input is its own")]
fn main() {
    for (trajectories, rounds, bound) in [(100, 15, 0.150), (10_000, 3, 10.0)] {
        let folder = tempfile::tempdir().expect("a folder");
        let bytes = write(folder.path(), trajectories);
        let mut times: Vec<f64> = (0..rounds)
            .map(|_| {
                let start = Instant::now();
                let loaded = load_study(folder.path(), &Unwatched).expect("a study");
                let report = analyse(&loaded.study, &loaded.scores, Sampling::default(), &Unwatched).expect("a report");
                assert_eq!(report.complete(), trajectories * STEPS);
                start.elapsed().as_secs_f64()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let transitions = trajectories * STEPS;
        let (time, size) = (times[rounds / 2], bytes as f64 / 1e6);
        println!(
            "{transitions} transitions ({size:.1} MB of scores): {:.0} ms, bound {:.0} ms",
            time * 1e3,
            bound * 1e3
        );
        // Linux tells the peak of the process, which the larger study sets.
        if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
            let peak =
                status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
            if let Some(kilobytes) = peak.map(|kilobytes: f64| kilobytes * 1024.0) {
                println!(
                    "  peak memory {:.1} MB, {:.2} times the file (bound 1.2 for the larger)",
                    kilobytes / 1e6,
                    kilobytes / bytes as f64
                );
            }
        }
    }
}
