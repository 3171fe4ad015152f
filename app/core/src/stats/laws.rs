//! The fast paths against slow, obvious twins, and laws on random cases.

use std::ops::ControlFlow;

use proptest::prelude::*;

use super::icc::icc_a1;
use super::plan::picks_per_word;
use super::quantile::{percentile, quantile};
use super::{Column, Draws, Level, Plan, Ranking, Resampler};
use crate::watch::{Cancelled, Unwatched, Watch};

/// The block function of RFC 8439, section 2.3, for any number of rounds; the last four words of the state are given.
fn chacha(rounds: usize, key: [u8; 32], last: [u32; 4]) -> Vec<u32> {
    let mut start: Vec<u32> = b"expand 32-byte k"
        .chunks(4)
        .chain(key.chunks(4))
        .map(|word| word.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)))
        .collect();
    start.extend(last);
    let mut x = start.clone();
    let mut quarter = |a: usize, b: usize, c: usize, d: usize| {
        for (to, from, over, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
            x[to] = x[to].wrapping_add(x[from]);
            x[over] = (x[over] ^ x[to]).rotate_left(by);
        }
    };
    for _ in 0..rounds / 2 {
        for i in 0..4 {
            quarter(i, 4 + i, 8 + i, 12 + i);
        }
        for i in 0..4 {
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
        }
    }
    x.iter().zip(start).map(|(x, start)| x.wrapping_add(start)).collect()
}

#[test]
fn the_twin_of_the_generator_is_that_of_the_standard() {
    // RFC 8439, section 2.3.2.
    let key = std::array::from_fn(|at| at as u8);
    let words = chacha(20, key, [1, 0x0900_0000, 0x4a00_0000, 0]);
    assert_eq!(words[..4], [0xe4e7_f110, 0x1559_3bd1, 0x1fdd_0f50, 0xc471_20a3]);
    assert_eq!(words[12..], [0xd19c_12b5, 0xb94e_16de, 0xe883_d0cb, 0x4e3c_50a2]);
}

/// How often each cluster is picked in a draw: the recipe of `plan.rs`, word for word.
fn weights_of(stratum_of: &[u8], seed: u64, draw: u32) -> Vec<u32> {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut stream = (0_u64..).flat_map(|block| {
        let words = chacha(8, key, [block as u32, (block >> 32) as u32, draw, 0]);
        words.chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect::<Vec<_>>()
    });
    let mut weights = vec![0; stratum_of.len()];
    for stratum in 0..=u8::MAX {
        let members: Vec<usize> = (0..stratum_of.len()).filter(|&cluster| stratum_of[cluster] == stratum).collect();
        let mut left = members.len();
        if left == 1 {
            weights[members[0]] += 1;
            left = 0;
        }
        while left > 0 {
            let mut word = stream.next().unwrap();
            for _ in 0..left.min(picks_per_word(members.len() as u32)) {
                let product = u128::from(word) * members.len() as u128;
                weights[members[(product >> 64) as usize]] += 1;
                word = product as u64;
                left -= 1;
            }
        }
    }
    weights
}

/// Every weight of every draw, through the public door.
fn weights_by_sums(resampler: &Resampler) -> Vec<Vec<u32>> {
    let clusters = resampler.plan().clusters();
    let unit = |at: usize| (0..clusters).map(|cluster| f64::from(u8::from(cluster == at))).collect::<Vec<_>>();
    let units: Vec<Vec<f64>> = (0..clusters).map(unit).collect();
    let sums = resampler.sums(&units.iter().map(Vec::as_slice).collect::<Vec<_>>(), &Unwatched).unwrap();
    let draw = |draw: u32| sums.iter().map(|sums| sums.get(draw).unwrap() as u32).collect();
    (0..resampler.plan().draws()).map(draw).collect()
}

#[test]
fn draws_follow_the_recipe() {
    for (clusters, seed) in [(1, 3), (2, 0), (5, 7), (100, 1), (255, u64::MAX), (256, 2), (300, 1 << 40)] {
        let expected: Vec<Vec<u32>> = (0..37).map(|draw| weights_of(&vec![0; clusters], seed, draw)).collect();
        let plan = Plan::plain(clusters, 37, seed);
        assert_eq!(weights_by_sums(&Resampler::new(plan.clone())), expected, "{clusters} clusters");
        assert_eq!(weights_by_sums(&Resampler::new(plan).kept()), expected, "{clusters} clusters, kept");
    }
    let strata: Vec<u8> = (0..90).map(|cluster| [9, 0, 255, 9, 1][cluster % 5] + u8::from(cluster == 8)).collect();
    let expected: Vec<Vec<u32>> = (0..20).map(|draw| weights_of(&strata, 11, draw)).collect();
    assert_eq!(weights_by_sums(&Resampler::new(Plan::stratified(&strata, 20, 11))), expected);
}

#[test]
fn many_clusters_follow_the_recipe() {
    for clusters in [8_193, 65_535, 65_536] {
        let codes: Vec<f64> = (0..clusters).map(|cluster| (cluster * cluster % 10_007) as f64).collect();
        let sums = Resampler::new(Plan::plain(clusters, 2, 5)).sums(&[&codes], &Unwatched).unwrap();
        for draw in 0..2 {
            let weights = weights_of(&vec![0; clusters], 5, draw);
            let expected: f64 = weights.iter().zip(&codes).map(|(&weight, code)| f64::from(weight) * code).sum();
            assert_eq!(sums[0].get(draw), Some(expected), "{clusters} clusters");
        }
    }
}

/// Area of one draw by looking at every pair.
fn area_by_pairs(scores: &[Option<f64>], outcomes: &[bool], weights: &[u32]) -> Option<f64> {
    let (mut half_pairs, mut pairs) = (0_u64, 0_u64);
    for (a, success) in scores.iter().enumerate().filter(|(a, _)| outcomes[*a]) {
        for (b, failure) in scores.iter().enumerate().filter(|(b, _)| !outcomes[*b]) {
            let (Some(success), Some(failure)) = (success, failure) else { continue };
            let weight = u64::from(weights[a]) * u64::from(weights[b]);
            pairs += weight;
            half_pairs += weight * if success > failure { 2 } else { u64::from(success == failure) };
        }
    }
    (pairs > 0).then(|| half_pairs as f64 / (2 * pairs) as f64)
}

fn ratios(resampler: &Resampler, column: Column<'_>) -> Draws {
    resampler.run(&[column], &[], &Unwatched).unwrap().ratios.remove(0)
}

fn areas(resampler: &Resampler, ranking: &Ranking) -> Draws {
    resampler.run(&[], std::slice::from_ref(ranking), &Unwatched).unwrap().aucs.remove(0)
}

fn values(draws: &Draws) -> Vec<Option<u64>> {
    draws.iter().map(|value| value.map(f64::to_bits)).collect()
}

/// Outcome, score, sum and count of a cluster.
type Cluster = (bool, Option<f64>, f64, u32);

fn cluster() -> impl Strategy<Value = Cluster> {
    let score = prop::option::weighted(0.9, (-4..5_i8).prop_map(|score| f64::from(score) / 4.0));
    (any::<bool>(), score, -3.0..3.0_f64, 0..4_u32)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ratios_and_areas_are_those_of_the_weights(
        clusters in prop::collection::vec(cluster(), 1..70), draws in 1..60_u32, seed in any::<u64>(), split in any::<bool>(),
    ) {
        let outcomes: Vec<bool> = clusters.iter().map(|cluster| cluster.0).collect();
        let scores: Vec<Option<f64>> = clusters.iter().map(|cluster| cluster.1).collect();
        let sums: Vec<f64> = clusters.iter().map(|cluster| cluster.2).collect();
        let counts: Vec<u32> = clusters.iter().map(|cluster| cluster.3).collect();
        let strata: Vec<u8> = outcomes.iter().map(|&outcome| u8::from(outcome && split)).collect();
        let columns = [Column { sums: &sums, counts: &counts }; 2];
        let ranking = Ranking::new(&scores, &outcomes).unwrap();
        let resampler = Resampler::new(Plan::stratified(&strata, draws, seed));
        let all = resampler.run(&columns, std::slice::from_ref(&ranking), &Unwatched).unwrap();

        for draw in 0..draws {
            let weights = weights_of(&strata, seed, draw);
            let sum = weights.iter().zip(&sums).fold(0.0, |sum, (&weight, value)| sum + f64::from(weight) * value);
            let count: u32 = weights.iter().zip(&counts).map(|(weight, count)| weight * count).sum();
            let ratio = (count > 0).then(|| sum / f64::from(count));
            prop_assert_eq!(all.ratios[0].get(draw).map(f64::to_bits), ratio.map(f64::to_bits));
            prop_assert_eq!(all.aucs[0].get(draw), area_by_pairs(&scores, &outcomes, &weights));
        }
        prop_assert_eq!(values(&all.ratios[0]), values(&all.ratios[1]));
        prop_assert_eq!(all.aucs[0].defined() + all.aucs[0].undefined(), draws);
        prop_assert_eq!(ranking.auc().map(|auc| auc.to_f64()), area_by_pairs(&scores, &outcomes, &vec![1; outcomes.len()]));

        let kept = resampler.clone().kept().run(&columns, &[ranking], &Unwatched).unwrap();
        prop_assert_eq!(values(&kept.ratios[0]), values(&all.ratios[0]));
        prop_assert_eq!(values(&kept.aucs[0]), values(&all.aucs[0]));
    }

    #[test]
    fn intervals_are_those_of_sorted_draws(
        values in prop::collection::vec(prop_oneof![3 => -1.0..1.0_f64, 1 => Just(0.25), 1 => Just(f64::NAN)], 1..4000),
        sorted in any::<bool>(), level in prop::sample::select(vec![Level::P95, Level::P90]),
    ) {
        let mut values = values;
        if sorted {
            values.sort_by(f64::total_cmp);
        }
        let draws = Draws::new(values.clone());
        let mut defined: Vec<f64> = values.into_iter().filter(|value| !value.is_nan()).collect();
        defined.sort_by(f64::total_cmp);
        let by_sorting = |fraction: f64| {
            let place = (defined.len() - 1) as f64 * fraction;
            let (below, part) = (place as usize, place.fract());
            let (a, b) = (defined[below], defined[defined.len().min(below + 2) - 1]);
            if part < 0.5 { a + (b - a) * part } else { b - (b - a) * (1.0 - part) }
        };
        let expected = (!defined.is_empty()).then(|| level.fractions()).map(|(lo, hi)| (by_sorting(lo), by_sorting(hi)));
        prop_assert_eq!(percentile(&draws, level), expected);
    }

    #[test]
    fn icc_ignores_shift_and_scale(
        rows in prop::collection::vec(prop::collection::vec(-1.0..1.0_f64, 3), 2..20), shift in -5.0..5.0_f64,
    ) {
        let moved: Vec<f64> = rows.concat().iter().map(|value| 4.0 * value + shift).collect();
        if let (Some(a), Some(b)) = (icc_a1(&rows.concat(), 3), icc_a1(&moved, 3)) {
            prop_assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }
}

#[test]
fn a_sample_that_misleads_costs_time_and_no_result() {
    // The regular sample sees only the largest values.
    let step = 4096 / 256;
    let values: Vec<f64> = (0..4096).map(|at| if at % step == 0 { 1e6 + at as f64 } else { at as f64 }).collect();
    let mut sorted = values.clone();
    let expected = (quantile(&mut sorted, 0.025).unwrap(), quantile(&mut sorted, 0.975).unwrap());
    assert_eq!(percentile(&Draws::new(values), Level::P95), Some(expected));
}

#[test]
fn a_draw_without_values_is_undefined_and_counted() {
    let column = Column { sums: &[1.0, 0.0, 0.0], counts: &[1, 0, 0] };
    let draws = &ratios(&Resampler::new(Plan::plain(3, 1000, 9)), column);
    let expected = 8.0 / 27.0 * 1000.0;
    assert!((f64::from(draws.undefined()) - expected).abs() < 100.0, "{}", draws.undefined());
    assert!(draws.iter().flatten().all(|value| value == 1.0));
    let areas = &areas(
        &Resampler::new(Plan::plain(2, 1000, 9)),
        &Ranking::new(&[Some(0.0), Some(1.0)], &[false, true]).unwrap(),
    );
    assert!(areas.undefined() > 400 && areas.undefined() < 600);
    let empty = Draws::new(vec![f64::NAN, f64::INFINITY]);
    assert_eq!((empty.undefined(), percentile(&empty, Level::P95)), (2, None));
}

#[test]
fn areas_hold_as_many_pairs_as_there_can_be() {
    // Counts of pairs are largest where every success is above every failure.
    for clusters in [254, 255, 256, 300, 65_535, 65_536] {
        let outcomes: Vec<bool> = (0..clusters).map(|at| at % 2 == 0).collect();
        for sign in [1.0, -1.0] {
            let score = |&outcome: &bool| Some(if outcome { sign } else { -sign });
            let ranking = Ranking::new(&outcomes.iter().map(score).collect::<Vec<_>>(), &outcomes).unwrap();
            let strata: Vec<u8> = outcomes.iter().copied().map(u8::from).collect();
            for plan in [Plan::plain(clusters, 2, 3), Plan::stratified(&strata, 2, 3)] {
                let areas = areas(&Resampler::new(plan), &ranking);
                assert!(areas.iter().all(|area| area == Some(f64::from(u8::from(sign > 0.0)))), "{clusters} clusters");
            }
        }
    }
}

#[test]
fn a_difference_needs_both_draws() {
    let (long, short) = (Draws::new(vec![5.0, 7.0, f64::NAN, 1.0]), Draws::new(vec![2.0, f64::NAN, 3.0]));
    let expected = [Some(3.0), None, None, None];
    assert_eq!(long.minus(&short).iter().collect::<Vec<_>>(), expected);
    assert_eq!(short.minus(&long).iter().collect::<Vec<_>>(), expected.map(|value| value.map(|v: f64| -v)));
    assert_eq!(long.minus(&short).undefined(), 3);
}

#[test]
fn strata_keep_their_sizes() {
    let strata = [0, 1, 1, 0, 1, 2, 1, 1];
    for weights in weights_by_sums(&Resampler::new(Plan::stratified(&strata, 50, 4))) {
        for (stratum, size) in [(0, 2), (1, 5), (2, 1)] {
            let picked: u32 = (0..8).filter(|&at| strata[at] == stratum).map(|at| weights[at]).sum();
            assert_eq!(picked, size);
        }
    }
}

#[test]
fn picks_are_even() {
    let weights = weights_by_sums(&Resampler::new(Plan::plain(10, 20_000, 1)));
    for cluster in 0..10 {
        let picked: u32 = weights.iter().map(|weights| weights[cluster]).sum();
        // Five standard deviations of 200,000 picks with chance 1/10.
        assert!((f64::from(picked) - 20_000.0).abs() < 5.0 * 134.2, "{picked}");
    }
}

#[test]
fn work_stops_when_told() {
    struct After(u64);
    impl Watch for After {
        fn step(&self, done: u64, total: u64) -> ControlFlow<()> {
            assert_eq!(total, 100);
            if done >= self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let resampler = Resampler::new(Plan::plain(4, 100, 1));
    assert_eq!(resampler.run(&[], &[], &After(50)).err(), Some(Cancelled));
    assert!(resampler.run(&[], &[], &After(101)).is_ok());
}

#[test]
fn empty_plans_and_short_columns_are_harmless() {
    let none = Resampler::new(Plan::plain(0, 5, 1)).kept();
    assert_eq!(ratios(&none, Column { sums: &[], counts: &[] }).undefined(), 5);
    assert!(Resampler::new(Plan::plain(3, 0, 1)).sums(&[&[1.0]], &Unwatched).unwrap()[0].is_empty());
    let short = Column { sums: &[2.0], counts: &[1] };
    assert!(ratios(&Resampler::new(Plan::plain(3, 50, 1)), short).iter().flatten().all(|value| value == 2.0));
}

#[test]
fn scores_that_are_not_numbers_are_refused() {
    let message = Ranking::new(&[Some(0.0), Some(f64::NAN)], &[true, false]).unwrap_err().to_string();
    assert_eq!(message, "the score of cluster 1 is not a number; leave the score out if there is none");
    assert!(Ranking::new(&[Some(0.0)], &[true, false]).is_err());
    assert_eq!(Ranking::new(&[Some(0.0), Some(1.0)], &[true, true]).unwrap().auc(), None);
}
