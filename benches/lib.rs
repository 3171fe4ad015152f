//! Shared pieces of the benchmarks: a clock of CPU time, medians, and a stream of varied cases.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Median of `rounds` timings of `work`, wall clock.
pub fn median(rounds: usize, mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..rounds.max(1))
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}

/// A small fixed generator (splitmix64), so that every run measures the same input.
#[derive(Debug, Clone)]
pub struct Draw(pub u64);

impl Draw {
    /// The next number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

/// `n` cases as JSON Lines, about 2,700 bytes each: returns-desk decisions that differ in every value.
pub fn case_lines(n: usize) -> Vec<u8> {
    let mut draw = Draw(7);
    let mut out = String::with_capacity(n * 2_760);
    for i in 0..n {
        case_line(&mut out, i, &mut draw);
        out.push('\n');
    }
    out.into_bytes()
}

fn case_line(out: &mut String, i: usize, draw: &mut Draw) {
    let grounds = |draw: &mut Draw| {
        format!(
            r#"{{"days_since_delivery":{},"condition":"{}","category":"{}","amount":"{}.{:02}","final_sale":{},"defective":{},"loyalty_tier":"{}","receipt_shown":{}}}"#,
            draw.below(60),
            ["unused", "used"][draw.below(2) as usize],
            ["footwear", "apparel", "electronics", "furniture"][draw.below(4) as usize],
            draw.below(900),
            draw.below(100),
            draw.below(8) == 0,
            draw.below(6) == 0,
            ["plain", "silver", "gold"][draw.below(3) as usize],
            draw.below(10) != 0,
        )
    };
    let norms = |window: u64, long: u64, cap: u64| {
        format!(
            r#"{{"parameters":{{"window_days":{window},"tier_window_days":{long},"refund_cap":"{cap}.50","excluded_categories":["furniture"]}},"rules":[{{"id":"window","when":"condition == 'unused' && receipt_shown && amount <= refund_cap && !(category in excluded_categories && !defective) && (days_since_delivery <= window_days || (loyalty_tier == 'gold' && days_since_delivery <= tier_window_days))","then":"approve"}},{{"id":"defect","when":"defective && days_since_delivery <= 2 * window_days","then":"approve","priority":5}},{{"id":"final-sale","when":"final_sale && !defective","then":"deny","priority":10}}],"default":"deny"}}"#
        )
    };
    let authority = |regions: &str, ceiling: u64| {
        format!(
            r#"{{"grants":[{{"norm":"*","actor":["agent","supervisor"],"region":[{regions}],"channel":["chat","phone"],"when":"amount <= {ceiling}.5"}},{{"norm":"default","region":[{regions}]}}]}}"#
        )
    };
    let (old, new) = (grounds(draw), grounds(draw));
    let window = 10 + draw.below(10);
    let _ = write!(
        out,
        r#"{{"format":"decidendi/case@1","id":"returns-{i:06}","unit":"retail-{:02}","title":"Return request {i}: window, category and desk limit","context":{{"actor":"agent","region":"{}","channel":"{}"}},"adjudicator":{{"engine":"rules"}},"interface":{{"verdicts":["approve","deny","refer"],"grounds":{{"days_since_delivery":{{"type":"int","unit":"day","min":0}},"condition":{{"type":"enum","values":["unused","used"]}},"category":{{"type":"enum","values":["footwear","apparel","electronics","furniture"]}},"amount":{{"type":"rational","unit":"EUR"}},"final_sale":{{"type":"bool"}},"defective":{{"type":"bool"}},"loyalty_tier":{{"type":"enum","values":["plain","silver","gold"]}},"receipt_shown":{{"type":"bool"}}}},"parameters":{{"window_days":{{"type":"int","unit":"day"}},"tier_window_days":{{"type":"int","unit":"day"}},"refund_cap":{{"type":"rational","unit":"EUR"}},"excluded_categories":{{"type":"set","values":["apparel","electronics","footwear","furniture"]}}}}}},"sources":[{{"name":"grounds","old":{old},"new":{new}}},{{"name":"norms","old":{},"new":{}}},{{"name":"authority","old":{},"new":{}}}]}}"#,
        i % 15,
        ["EU", "US"][draw.below(2) as usize],
        ["chat", "phone", "mail"][draw.below(3) as usize],
        norms(window, window + 15, 400 + draw.below(300)),
        norms(window + draw.below(20), window + 30, 400 + draw.below(500)),
        authority(["\"EU\"", "\"EU\",\"US\""][draw.below(2) as usize], 300 + draw.below(500)),
        authority(["\"EU\"", "\"EU\",\"US\""][draw.below(2) as usize], 300 + draw.below(500)),
    );
}
