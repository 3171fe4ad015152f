//! Minimal families from a truth table, beside a copy of the same table, the two-pass textbook and the 3^k search.
//!
//! `cargo bench -p decidendi-benches --bench family`. Every figure is the median of interleaved rounds, per table: copy
//! the tables, time that; find the minimal sets of the copies in place, time that; so both see the same caches. Sets are
//! found, not collected into a list. Results are compared with the peers' before anything is timed.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::expect_used, reason = "a benchmark stops when it is wrong")]

use std::hint::black_box;
use std::time::Instant;

use decidendi_benches::Draw;
use decidendi_core::judgment::receipt::{Minimal, TruthTable, minimal_word, table_words};

/// The in-word sets that lack a dimension.
const WITHOUT: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// The textbook: close the table upward, dimension by dimension; then drop every set above a closed one.
fn two_pass(table: &[u64], sources: usize) -> Vec<u64> {
    let mut closed = table.to_vec();
    for (d, without) in WITHOUT.iter().enumerate().take(sources) {
        for word in &mut closed {
            *word |= (*word & without) << (1 << d);
        }
    }
    for d in 6..sources {
        for at in (0..closed.len()).filter(|at| at >> (d - 6) & 1 == 1) {
            closed[at] |= closed[at ^ 1 << (d - 6)];
        }
    }
    let mut minimal = table.to_vec();
    for (at, word) in minimal.iter_mut().enumerate() {
        for (d, without) in WITHOUT.iter().enumerate().take(sources) {
            *word &= !((closed[at] & without) << (1 << d));
        }
        for d in (6..sources).filter(|d| at >> (d - 6) & 1 == 1) {
            *word &= !closed[at ^ 1 << (d - 6)];
        }
    }
    minimal
}

/// The definition: a sufficient set none of whose strict subsets is sufficient.
fn by_submasks(table: &[u64], sources: usize) -> Vec<u64> {
    let sufficient = |s: usize| table[s / 64] >> (s % 64) & 1 == 1;
    let mut minimal = vec![0; table.len()];
    for s in (0..1_usize << sources).filter(|&s| sufficient(s)) {
        let mut sub = s;
        let mut alone = true;
        while alone && sub != 0 {
            sub = (sub - 1) & s;
            alone = !sufficient(sub);
        }
        minimal[s / 64] |= u64::from(alone) << (s % 64);
    }
    minimal
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn nanoseconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e9
}

fn words(ns: f64) -> String {
    match ns {
        _ if ns < 1e3 => format!("{ns:.1} ns"),
        _ if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        _ => format!("{:.2} ms", ns / 1e6),
    }
}

/// Copy, ours, two-pass, submasks: nanoseconds per table.
fn measure(sources: usize, minimal: &mut Minimal) -> (f64, f64, f64, Option<f64>) {
    let length = table_words(sources).expect("few sources");
    let used = if sources < 6 { (1 << (1 << sources)) - 1 } else { u64::MAX };
    // Enough tables to be timed together, few enough to stay in the second-level cache.
    let count = (4096 / length).max(1);
    let mut draw = Draw(sources as u64);
    // About one set in 64 is sufficient; the sweep takes the same time for any table.
    let mut word = || (0..6).fold(used, |w, _| w & draw.below(u64::MAX));
    let tables: Vec<u64> = (0..length * count).map(|_| word()).collect();
    // As many words as `count` tables take are one larger table, so that they start on a cache line, as in the product.
    let mut room = TruthTable::empty(sources.max(18)).expect("few sources");
    let work = &mut room.words_mut()[..tables.len()];
    work.copy_from_slice(&tables);
    let mut ours = |work: &mut [u64]| {
        if length == 1 {
            work.iter_mut().for_each(|w| *w = minimal_word(*w, sources));
        } else {
            work.chunks_exact_mut(length).for_each(|t| minimal.in_place(t, sources).expect("right length"));
        }
    };
    ours(work);
    for (table, found) in tables.chunks_exact(length).zip(work.chunks_exact(length)) {
        assert_eq!(found, two_pass(table, sources), "k = {sources}");
        assert!(sources > 12 || found == by_submasks(table, sources), "k = {sources}");
    }
    let rounds = (1 << 27 >> sources.max(18)).clamp(41, 401);
    let (mut copy, mut one_pass) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        copy.push(nanoseconds(|| black_box(&mut *work).copy_from_slice(black_box(&tables))));
        one_pass.push(nanoseconds(|| ours(black_box(&mut *work))));
    }
    let peers = 5;
    let two: Vec<f64> = (0..peers)
        .map(|_| {
            nanoseconds(|| tables.chunks_exact(length).for_each(|t| drop(black_box(two_pass(black_box(t), sources)))))
        })
        .collect();
    let sub = (sources <= 12).then(|| {
        let all = (0..peers).map(|_| {
            nanoseconds(|| {
                tables.chunks_exact(length).for_each(|t| drop(black_box(by_submasks(black_box(t), sources))))
            })
        });
        median(all.collect()) / count as f64
    });
    let each = |times: Vec<f64>| median(times) / count as f64;
    (each(copy), each(one_pass), each(two), sub)
}

fn main() {
    println!(" k        ours  copy of table  ours/copy   two passes       3^k   target");
    let mut minimal = Minimal::new();
    for sources in [3, 6, 8, 10, 12, 14, 16, 18, 20, 22, 23, 24] {
        let (copy, ours, two, sub) = measure(sources, &mut minimal);
        let within = |met: bool, text: &str| format!("{text}: {}", if met { "met" } else { "MISSED" });
        let target = match sources {
            12 => within(ours <= 300.0, "0.3 µs"),
            20 => within(ours <= 150e3, "0.15 ms"),
            23 => within(ours <= 6.0 * copy, "6 copies"),
            24 => within(ours <= 6e6 && ours <= 6.0 * copy, "6 ms and 6 copies"),
            _ => String::new(),
        };
        println!(
            "{sources:2} {:>11} {:>14} {:>10.1} {:>12} {:>9}   {target}",
            words(ours),
            words(copy),
            ours / copy,
            words(two),
            sub.map_or_else(|| "-".to_owned(), words),
        );
    }
}
