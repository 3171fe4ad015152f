//! Every vector unit gives the same bits.

use std::fmt::Debug;

use pulp::WithSimd as _;

use super::Ranking;
use super::areas::Ranks;
use super::lanes::{Block, GROUP, Group, SHEET};
use super::picks::{BYTE, Picks};
use super::row::{Row, STRIP, Weight};

/// More than are made into doubles at a time.
const CLUSTERS: usize = SHEET + 36;

#[test]
fn every_vector_unit_gives_the_same_bits() {
    let strata = [40, 1, CLUSTERS as u32 - 41];
    let ranking = Ranking::new(
        &(0..CLUSTERS as u32).map(|at| (at % 7 != 3).then_some(f64::from(at * at % 11))).collect::<Vec<_>>(),
        &(0..CLUSTERS).map(|at| at % 3 == 0).collect::<Vec<_>>(),
    );
    let ranking = ranking.unwrap();
    let ranks = [Ranks::new(&ranking, &[])];
    let groups: Vec<Group> = (1..=GROUP)
        .map(|series| Group { series, values: (0..CLUSTERS * series).map(|at| (at as f64).sqrt() - 7.1).collect() })
        .collect();
    // With the spare rows that picking is fastest with, and without.
    for spare in [BYTE, 0] {
        units_agree::<u8, 64>(&strata, spare, &groups, &ranks);
        units_agree::<u16, 32>(&strata, spare, &groups, &ranks);
        units_agree::<u32, 16>(&strata, spare, &groups, &ranks);
    }
}

/// Draws a block and sums it on every vector unit.
fn units_agree<W: Weight + PartialEq + Debug, const L: usize>(
    strata: &[u32],
    spare: usize,
    groups: &[Group],
    rankings: &[Ranks<'_>],
) {
    let run = |simd: &dyn Fn(Step<'_, W, L>)| {
        let mut rows = vec![Row::default(); CLUSTERS + spare];
        simd(Step::Picks(Picks { seed: 77, strata, first: 64, rows: &mut rows }));
        rows.truncate(CLUSTERS);
        let (mut sums, mut areas) = ([[0.0; L]; 10], [[0.0; L]; 1]);
        simd(Step::Block(Block {
            rows: &rows,
            row_of: &(0..CLUSTERS as u32).rev().collect::<Vec<_>>(),
            weights: &mut [Row::default(); CLUSTERS],
            groups,
            rankings,
            sums: &mut sums,
            areas: &mut areas,
        }));
        (rows, sums.map(|row| row.map(f64::to_bits)), areas.map(|row| row.map(f64::to_bits)))
    };
    let widest = run(&|step| step.on_arch(pulp::Arch::new()));
    assert_eq!(widest, run(&|step| step.on(pulp::Scalar)));
    assert_eq!(widest, run(&|step| step.on(pulp::Scalar128b)));
    assert_eq!(widest, run(&|step| step.on(pulp::Scalar256b)));
    assert_eq!(widest, run(&|step| step.on(pulp::Scalar512b)));
    #[cfg(target_arch = "x86_64")]
    if let Some(v3) = pulp::x86::V3::try_new() {
        assert_eq!(widest, run(&|step| step.on(v3)));
    }
}

enum Step<'s, W, const L: usize> {
    Picks(Picks<'s, W, L>),
    Block(Block<'s, W, L>),
}

impl<W: Weight, const L: usize> Step<'_, W, L> {
    fn on<S: pulp::Simd>(self, simd: S) {
        match self {
            Self::Picks(picks) => picks.with_simd(simd),
            Self::Block(block) => block.with_simd(simd),
        }
    }

    fn on_arch(self, arch: pulp::Arch) {
        match self {
            Self::Picks(picks) => arch.dispatch(picks),
            Self::Block(block) => arch.dispatch(block),
        }
    }
}

#[test]
fn rows_fill_lines() {
    assert_eq!([size_of::<Row<u8, 64>>(), size_of::<Row<u16, 32>>(), size_of::<Row<u32, 16>>()], [64; 3]);
    assert!(align_of::<Row<u8, 64>>() == 64 && 16_usize.is_multiple_of(STRIP));
}
