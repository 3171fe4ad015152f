//! Opening a casebook of 20,000 cases from the page cache: the index that the list is shown from, beside reading the
//! file alone, and the peak memory of the process.
//!
//! `cargo bench -p decidendi-benches --bench open`

use std::time::Instant;

use decidendi_benches::case_lines;
use decidendi_files::casebook::load_casebook;

const CASES: usize = 20_000;
const ROUNDS: usize = 7;

#[expect(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints, and its input is its own")]
fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cases.jsonl");
    let size = {
        let bytes = case_lines(CASES);
        std::fs::write(&path, &bytes).expect("written");
        bytes.len()
    };
    let mut rounds: Vec<(f64, f64)> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            let book = load_casebook(&path).expect("a casebook");
            let index = start.elapsed().as_secs_f64() * 1e3;
            assert_eq!(book.entries().len(), CASES);
            drop(book);
            let start = Instant::now();
            let read = std::fs::read(&path).expect("read").len();
            assert_eq!(read, size);
            (index, start.elapsed().as_secs_f64() * 1e3)
        })
        .collect();
    rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (index, reading) = rounds[ROUNDS / 2];
    println!("{CASES} cases, {:.1} MB: index {index:.0} ms, reading the file alone {reading:.0} ms", size as f64 / 1e6);
    // The generated text itself is gone by now, but it set the peak on the way; Linux tells it per process.
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        for line in status.lines().filter(|l| l.starts_with("VmHWM")) {
            println!("{line}");
        }
    }
}
