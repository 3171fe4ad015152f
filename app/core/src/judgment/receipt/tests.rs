use proptest::prelude::*;

use super::*;
use crate::judgment::cube::Cube;
use crate::judgment::result::{Family, Judgment, Obtained, Outcome};
use crate::judgment::source::Mask;
use crate::judgment::verdict::{Labels, Verdict};
use crate::seal::digest::Digest;

/// By pairs: drop a sufficient set when another one is a strict subset of it.
fn by_pairs(f: &[bool]) -> Vec<Mask> {
    let on: Vec<u32> = (0..f.len() as u32).filter(|&s| f[s as usize]).collect();
    let minimal = on.iter().filter(|&&s| !on.iter().any(|&t| t != s && t & s == t));
    canonical(minimal.copied())
}

/// By size: smallest sets first, keep a sufficient set unless it contains one kept before.
fn by_size(f: &[bool]) -> Vec<Mask> {
    let mut all: Vec<u32> = (0..f.len() as u32).collect();
    all.sort_by_key(|s| (s.count_ones(), *s));
    let mut kept: Vec<u32> = Vec::new();
    for s in all {
        if f[s as usize] && kept.iter().all(|&t| t & s != t) {
            kept.push(s);
        }
    }
    kept.into_iter().map(Mask).collect()
}

/// By submasks: walk all strict subsets of every sufficient set, 3^k steps.
fn by_submasks(f: &[bool]) -> Vec<Mask> {
    canonical((0..f.len() as u32).filter(|&s| {
        let mut sub = s;
        let mut alone = f[s as usize];
        while alone && sub != 0 {
            sub = (sub - 1) & s;
            alone = !f[sub as usize];
        }
        alone
    }))
}

fn canonical(sets: impl Iterator<Item = u32>) -> Vec<Mask> {
    let mut sets: Vec<u32> = sets.collect();
    sets.sort_by_key(|s| (s.count_ones(), *s));
    sets.into_iter().map(Mask).collect()
}

fn words(f: &[bool]) -> Vec<u64> {
    f.chunks(64).map(|c| c.iter().rev().fold(0, |w, &b| w << 1 | u64::from(b))).collect()
}

fn check(f: &[bool], sources: usize, pairs: bool) {
    let ours = minimal_masks(&words(f), sources).expect("right length");
    assert_eq!(ours, by_submasks(f), "k = {sources}");
    assert_eq!(ours, by_size(f), "k = {sources}");
    if pairs {
        assert_eq!(ours, by_pairs(f), "k = {sources}");
    }
}

/// A small generator of our own, so that a failure names a seed and nothing else.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn every_table_up_to_four_sources_agrees_with_three_oracles() {
    for sources in 0..=4 {
        for table in 0..1_u64 << (1 << sources) {
            let f: Vec<bool> = (0..1 << sources).map(|s| table >> s & 1 == 1).collect();
            check(&f, sources, true);
        }
    }
}

#[test]
fn random_tables_up_to_fourteen_sources_agree_with_three_oracles() {
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    for sources in 5..=14 {
        for sparse in [1, 2, 16, 256] {
            let f: Vec<bool> = (0..1 << sources).map(|_| draw.next().is_multiple_of(sparse)).collect();
            check(&f, sources, sources <= 10);
        }
    }
}

#[test]
fn large_tables_agree_with_the_two_pass_textbook() {
    let mut draw = Draw(0x2545_f491_4f6c_dd1d);
    let mut reused = Minimal::new();
    for sources in [20, 15, 16, 17, 18, 19, 7, 8, 9] {
        let table: Vec<u64> =
            (0..table_words(sources).expect("few sources")).map(|_| draw.next() & draw.next() & draw.next()).collect();
        let bit = |t: &[u64], s: usize| t[s / 64] >> (s % 64) & 1 == 1;
        let mut closed: Vec<bool> = (0..1 << sources).map(|s| bit(&table, s)).collect();
        for d in 0..sources {
            for s in 0..closed.len() {
                closed[s] |= s >> d & 1 == 1 && closed[s ^ 1 << d];
            }
        }
        let mut ours = table.clone();
        reused.in_place(&mut ours, sources).expect("right length");
        for s in 0..1 << sources {
            let covers = (0..sources).any(|d| s >> d & 1 == 1 && closed[s ^ 1 << d]);
            assert_eq!(bit(&ours, s), bit(&table, s) && !covers, "k = {sources}, S = {s}");
        }
    }
}

#[test]
fn a_truth_table_holds_the_cells_that_give_the_target() {
    let cells = (0..1 << 9).map(|s: u32| Verdict::from_index(s.count_ones() as usize % 3)).collect();
    let cube = Cube::new(9, cells).expect("2^k cells");
    let table = sufficient(&cube, Verdict::from_index(2).expect("a label")).expect("few sources");
    assert_eq!((table.sources(), table.words().len()), (9, 8));
    assert_eq!(table.words().as_ptr() as usize % 64, 0);
    for s in 0..1_u32 << 9 {
        assert_eq!(table.words()[s as usize / 64] >> (s % 64) & 1 == 1, s.count_ones() % 3 == 2);
    }
    let pairs: Vec<Mask> = canonical((0..1 << 9).filter(|s: &u32| s.count_ones() == 2));
    assert_eq!(minimal_family(&cube, Verdict::from_index(2).expect("a label")).members(), pairs);
    assert!(TruthTable::empty(25).is_none());
}

#[test]
fn a_table_of_the_wrong_length_is_refused() {
    let wrong = |sources: usize, given: usize| {
        assert_eq!(minimal_in_place(&mut vec![0; given], sources), Err(TableLength { sources, given }));
    };
    wrong(3, 0);
    wrong(3, 2);
    wrong(7, 1);
    wrong(25, 1 << 19);
    wrong(usize::MAX, 1);
    assert_eq!(
        TableLength { sources: 7, given: 3 }.to_string(),
        "a truth table over 7 sources does not have 3 words of 64 sets"
    );
}

fn verdict(label: &str) -> Verdict {
    Labels::default().verdict(label).expect("a standard label")
}

fn cube(cells: &str) -> Cube {
    let cells = cells.split(' ').map(|c| Some(verdict(if c == "a" { "approve" } else { "deny" }))).collect::<Vec<_>>();
    Cube::new(cells.len().trailing_zeros() as usize, cells).expect("2^k cells")
}

fn judged(cube: Cube) -> Judgment {
    let (old, new) = cube.endpoints();
    let family = minimal_family(&cube, new.expect("complete"));
    Judgment {
        case: String::new(),
        digest: Digest::of(b""),
        sources: ["grounds", "norms", "authority"].map(str::to_owned).to_vec(),
        labels: Labels::default(),
        obtained: Obtained::Executed,
        executed: cube.cells().len() as u64,
        outcome: if old == new { Outcome::Stable } else { Outcome::Changed(family) },
        faults: Vec::new(),
        remarks: Vec::new(),
        cube,
    }
}

/// clingo-explaid #30. The report's cells stand in the order ∅ G N A GN GA NA GNA.
#[test]
fn bug_1_equal_endpoints_give_the_empty_family_although_inner_cells_differ() {
    let cube = cube("a a d a a a d a");
    assert_eq!(minimal_family(&cube, verdict("approve")), Family::default());
    let judgment = judged(cube);
    assert_eq!(judgment.family(), Some(Family::default()));
    assert_eq!(judgment.outcome.word(), "stable");
}

/// liquid-fixpoint #228. In mask order ∅ G N GN A GA NA GNA the report's `d d d a d d d a` reads `d d d d a d d a`.
#[test]
fn bug_2_a_deletion_search_would_miss_the_only_receipt() {
    let judgment = judged(cube("d d d d a d d a"));
    let family = judgment.family().expect("complete");
    assert_eq!(family.members(), [Mask(4)]);
    assert_eq!(judgment.non_monotone(), [Mask(5), Mask(6)]);
    let proof: Vec<_> = minimality(&judgment.cube, &family).collect();
    assert!(proof[0].holds(verdict("approve")));
    assert!(!Minimality::new(&judgment.cube, Mask(7)).holds(verdict("approve")));
}

#[test]
fn the_proof_lists_every_strict_subset_in_mask_order() {
    let cube = cube("d d d a d d d a");
    let family = minimal_family(&cube, verdict("approve"));
    assert_eq!(family.members(), [Mask(3)]);
    let subsets: Vec<_> = minimality(&cube, &family).flat_map(|m| m.subsets()).collect();
    assert_eq!(subsets, [0, 1, 2].map(|s| (Mask(s), Some(verdict("deny")))));
}

fn any_cube() -> impl Strategy<Value = Cube> {
    (1_usize..=8, 2_usize..=4).prop_flat_map(|(sources, labels)| {
        prop::collection::vec(0..labels, 1 << sources).prop_map(move |cells| {
            Cube::new(sources, cells.into_iter().map(Verdict::from_index).collect()).expect("2^k cells")
        })
    })
}

/// C(n, ⌊n/2⌋).
fn widest(n: usize) -> usize {
    (1..=n / 2).fold(1, |c, i| c * (n + 1 - i) / i)
}

proptest! {
    #[test]
    fn laws_l2_to_l4(cube in any_cube()) {
        let (old, new) = cube.endpoints();
        let target = new.expect("complete");
        let family = minimal_family(&cube, target);
        let members = family.members();
        prop_assert_eq!(members.is_empty(), old == new, "L2");
        prop_assert!(members.len() <= widest(cube.sources()), "L3 width");
        for a in members {
            prop_assert!(!a.is_empty());
            prop_assert!(members.iter().all(|b| a == b || !a.is_subset_of(*b)), "L3 antichain");
            prop_assert!(Minimality::new(&cube, *a).holds(target), "L4 minimal");
        }
        if old != new {
            for s in (0..1 << cube.sources()).map(Mask) {
                let covered = members.iter().any(|m| m.is_subset_of(s));
                prop_assert!(cube.cell(s) != Some(target) || covered, "L4 complete");
            }
        }
        prop_assert!(members.is_sorted_by_key(|m| (m.len(), m.0)), "canonical order");
    }

    #[test]
    fn law_l5_the_inverse_has_the_complementary_cube(cube in any_cube()) {
        let cells: Vec<_> = cube.cells().iter().rev().copied().collect();
        let inverse = Cube::new(cube.sources(), cells).expect("2^k cells");
        let full = Mask::full(cube.sources());
        for s in (0..=full.0).map(Mask) {
            prop_assert_eq!(inverse.cell(s), cube.cell(Mask(full.0 ^ s.0)));
        }
        let (old, new) = cube.endpoints();
        prop_assert_eq!(inverse.endpoints(), (new, old));
        // The inverse family: the minimal sets whose removal from the revision restores the old verdict.
        let restoring: Vec<bool> = (0..=full.0).map(|s| old != new && cube.cell(Mask(full.0 ^ s)) == old).collect();
        let family = minimal_family(&inverse, old.expect("complete"));
        prop_assert_eq!(family.members(), by_submasks(&restoring));
    }

    #[test]
    fn law_l6_reordering_the_sources_permutes_masks_and_nothing_else(
        (cube, order) in any_cube().prop_flat_map(|c| {
            let order: Vec<usize> = (0..c.sources()).collect();
            (Just(c), Just(order).prop_shuffle())
        })
    ) {
        let moved = |s: Mask| Mask(s.members().fold(0, |m, i| m | 1 << order[i]));
        let mut cells = cube.cells().to_vec();
        for s in 0..cells.len() as u32 {
            cells[moved(Mask(s)).0 as usize] = cube.cell(Mask(s));
        }
        let reordered = Cube::new(cube.sources(), cells).expect("2^k cells");
        let target = cube.endpoints().1.expect("complete");
        let family = minimal_family(&cube, target);
        let expected = canonical(family.members().iter().map(|&m| moved(m).0));
        let family = minimal_family(&reordered, target);
        prop_assert_eq!(family.members(), expected);
    }
}
