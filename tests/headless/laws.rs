//! Laws L1 to L7 of the theory, on random cases of 3 to 8 sources, against the slow oracle.

use decidendi_core::judgment::case::{Artifacts, Case};
use decidendi_core::judgment::result::{Judgment, Outcome};
use decidendi_core::judgment::source::Mask;
use decidendi_core::judgment::walk::{Compiler, judge, open_case};
use decidendi_core::watch::Unwatched;
use proptest::prelude::*;

use crate::oracle::{World, family, worlds};

fn open(text: &str) -> Case {
    open_case("random.json", text.as_bytes(), &Artifacts::new()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn run(case: &Case) -> Judgment {
    judge(case, &mut Compiler::default(), &Unwatched).unwrap_or_else(|e| panic!("{e}"))
}

fn declared(world: &World) -> Vec<usize> {
    (0..world.k()).collect()
}

fn cells(judgment: &Judgment) -> Vec<String> {
    (0..judgment.cube.cells().len() as u32)
        .map(|m| judgment.word(Mask(m)).unwrap_or_else(|| panic!("cell {m} did not run: {:?}", judgment.faults)))
        .map(str::to_owned)
        .collect()
}

fn members(judgment: &Judgment) -> Vec<u32> {
    judgment.family().map(|f| f.members().iter().map(|m| m.0).collect()).unwrap_or_default()
}

fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |c, i| c * (n - i) / (i + 1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn cells_and_family_equal_the_oracle(world in worlds()) {
        let judgment = run(&open(&world.case(&declared(&world))));
        let expected = world.cells();
        prop_assert_eq!(cells(&judgment), expected.clone());
        prop_assert_eq!(members(&judgment), family(&expected));
        prop_assert_eq!(judgment.executed, 1_u64 << world.k());
    }

    #[test]
    fn l1_an_unchanged_reason_state_keeps_its_verdict(mut world in worlds()) {
        for versions in &mut world.grounds { versions[1] = versions[0].clone(); }
        for versions in &mut world.norms { versions[1] = versions[0].clone(); }
        for versions in &mut world.authority { versions[1] = versions[0].clone(); }
        let judgment = run(&open(&world.case(&declared(&world))));
        prop_assert_eq!(&judgment.outcome, &Outcome::Stable);
        let all = cells(&judgment);
        prop_assert!(all.iter().all(|c| c == &all[0]));
    }

    #[test]
    fn l2_l3_l4_the_family_is_the_complete_antichain_of_minimal_sufficient_sets(world in worlds()) {
        let judgment = run(&open(&world.case(&declared(&world))));
        let (all, members) = (cells(&judgment), members(&judgment));
        let (old, new) = (&all[0], &all[all.len() - 1]);
        prop_assert_eq!(members.is_empty(), old == new, "L2");
        prop_assert!(members.len() <= choose(world.k(), world.k() / 2), "L3 bound");
        for &a in &members {
            prop_assert!(members.iter().all(|&b| a == b || a & b != a), "L3 antichain");
            prop_assert_eq!(&all[a as usize], new, "L4 sufficient");
            prop_assert!(Mask(a).strict_subsets().all(|s| &all[s.0 as usize] != new), "L4 minimal");
        }
        if old != new {
            for m in 0..all.len() as u32 {
                prop_assert!(&all[m as usize] != new || members.iter().any(|&r| r & !m == 0), "L4 complete");
            }
        }
    }

    #[test]
    fn l5_the_inverse_transition_mirrors_the_cube(world in worlds()) {
        let case = open(&world.case(&declared(&world)));
        let inverse = case.swapped().unwrap_or_else(|e| panic!("{e}"));
        let mut mirrored = cells(&run(&case));
        mirrored.reverse();
        prop_assert_eq!(cells(&run(&inverse)), mirrored);
        let twice = inverse.swapped().unwrap_or_else(|e| panic!("{e}"));
        prop_assert_eq!(twice.canonical(), case.canonical());
    }

    #[test]
    fn l6_reordering_sources_permutes_masks_and_nothing_else(
        (world, order) in worlds().prop_flat_map(|w| {
            let order = Just(declared(&w)).prop_shuffle();
            (Just(w), order)
        })
    ) {
        let plain = cells(&run(&open(&world.case(&declared(&world)))));
        let shuffled = run(&open(&world.case(&order)));
        let permuted = |m: u32| (0..order.len()).filter(|&i| m >> i & 1 == 1).fold(0, |to, i| to | 1 << order[i]);
        let there = cells(&shuffled);
        for m in 0..there.len() as u32 {
            prop_assert_eq!(&there[m as usize], &plain[permuted(m) as usize]);
        }
        let mut moved: Vec<u32> = members(&shuffled).into_iter().map(permuted).collect();
        moved.sort_by_key(|m| (m.count_ones(), *m));
        prop_assert_eq!(moved, family(&plain));
    }

    #[test]
    fn l7_an_irrelevant_record_moves_nothing(world in worlds()) {
        let text = world.case(&declared(&world));
        let wider = text
            .replacen(r#""grounds": {"#, r#""grounds": {"remark": {"type": "string"}, "#, 1)
            .replacen(r#"{"amount0""#, r#"{"remark": "seen", "amount0""#, 1)
            .replacen(r#""new": {"amount0""#, r#""new": {"remark": "seen again", "amount0""#, 1);
        let (plain, wide) = (run(&open(&text)), run(&open(&wider)));
        prop_assert_eq!(cells(&plain), cells(&wide));
        prop_assert_eq!(plain.outcome, wide.outcome);
    }
}
