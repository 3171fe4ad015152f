//! Identifiability against a slow oracle: the null space of what was observed, by plain elimination of a table with a
//! column for every level, so that no level is a base. A contrast is identified exactly if it vanishes on that space.

use std::collections::BTreeSet;

use decidendi_core::exact::Rational;
use decidendi_core::step_value::crossing::Crossing;
use decidendi_core::step_value::design::{Combination, Design, Difference, Factor, Identification};
use decidendi_core::step_value::walk::open_study;
use proptest::prelude::*;

type Table = Vec<Vec<Rational>>;

/// One column for each term and each combination of its factors' levels.
fn indicators(design: &Design, cell: &Combination) -> Vec<Rational> {
    let all: Vec<Vec<usize>> = (0..1_usize << design.factors.len())
        .map(|mask| (0..design.factors.len()).filter(|f| mask >> f & 1 == 1).collect())
        .collect();
    let terms = design.terms.clone().map_or(all, |terms| terms.into_iter().chain([Vec::new()]).collect());
    let mut row = Vec::new();
    for term in terms {
        let mut levels = vec![Vec::new()];
        for &factor in &term {
            levels = levels
                .iter()
                .flat_map(|l: &Vec<usize>| {
                    (0..design.factors[factor].levels.len()).map(move |n| [l.clone(), vec![n]].concat())
                })
                .collect();
        }
        for level in levels {
            let is_on = term.iter().zip(&level).all(|(&factor, &n)| cell[factor] == n);
            row.push(Rational::from_int(i64::from(is_on)));
        }
    }
    row
}

/// Vectors that span the null space of a table.
fn null_space(mut table: Table, columns: usize) -> Table {
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for column in 0..columns {
        let Some(row) = (pivots.len()..table.len()).find(|&r| !table[r][column].is_zero()) else { continue };
        let at = pivots.len();
        table.swap(at, row);
        let lead = table[at][column].clone();
        for other in 0..table.len() {
            if other == at || table[other][column].is_zero() {
                continue;
            }
            let factor = table[other][column].div(&lead).unwrap();
            let row = table[at].clone();
            for (value, less) in table[other].iter_mut().zip(&row) {
                *value = value.sub(&less.mul(&factor));
            }
        }
        pivots.push((at, column));
    }
    let bound: Vec<usize> = pivots.iter().map(|(_, column)| *column).collect();
    (0..columns)
        .filter(|column| !bound.contains(column))
        .map(|free| {
            let mut vector = vec![Rational::ZERO; columns];
            vector[free] = Rational::ONE;
            for &(row, column) in &pivots {
                vector[column] = table[row][free].div(&table[row][column]).unwrap().neg();
            }
            vector
        })
        .collect()
}

fn dot(a: &[Rational], b: &[Rational]) -> Rational {
    a.iter().zip(b).fold(Rational::ZERO, |sum, (a, b)| sum.add(&a.mul(b)))
}

/// A weighted sum of the cells' columns.
fn of_cells(design: &Design, weights: &[(Combination, Rational)]) -> Vec<Rational> {
    let mut sum = vec![Rational::ZERO; indicators(design, &vec![0; design.factors.len()]).len()];
    for (cell, weight) in weights {
        for (value, on) in sum.iter_mut().zip(indicators(design, cell)) {
            *value = value.add(&on.mul(weight));
        }
    }
    sum
}

fn check(design: &Design, contrast: &[(Combination, Rational)]) -> Result<(), TestCaseError> {
    let wanted = of_cells(design, contrast);
    let seen: Table = design.observed.iter().map(|cell| indicators(design, cell)).collect();
    let free = null_space(seen, wanted.len());
    let is_identified = free.iter().all(|vector| dot(vector, &wanted).is_zero());
    match design.identify(contrast).unwrap() {
        Identification::Identified(weights) => {
            prop_assert!(is_identified);
            prop_assert!(weights.iter().all(|(cell, _)| design.observed.contains(cell)));
            prop_assert_eq!(of_cells(design, &weights), wanted);
        }
        Identification::NotIdentified(witness) => {
            prop_assert!(!is_identified);
            // The shifts are a completion's: they lie in the model, which has nothing outside what cells can be.
            let cells = design.cells();
            let by = |cell: &Combination| {
                witness.shifts.iter().find(|(c, _)| c == cell).map_or(Rational::ZERO, |(_, by)| by.clone())
            };
            let shifts: Vec<Rational> = cells.iter().map(by).collect();
            let transposed: Table = (0..wanted.len())
                .map(|column| cells.iter().map(|cell| indicators(design, cell)[column].clone()).collect())
                .collect();
            for outside in null_space(transposed, cells.len()) {
                prop_assert!(dot(&outside, &shifts).is_zero(), "no completion of the model");
            }
            prop_assert!(design.observed.iter().all(|cell| by(cell).is_zero()));
            let moved = contrast.iter().fold(Rational::ZERO, |sum, (cell, weight)| sum.add(&by(cell).mul(weight)));
            prop_assert!(!moved.is_zero());
            prop_assert_eq!(moved, witness.moves);
        }
    }
    Ok(())
}

fn design(levels: &[usize], seen: &[bool], terms: Option<&[Vec<bool>]>) -> Design {
    let factor = |(i, n): (usize, &usize)| Factor {
        name: format!("f{i}"),
        levels: (0..*n).map(|level| level.to_string()).collect(),
    };
    let mut design =
        Design { factors: levels.iter().enumerate().map(factor).collect(), observed: Vec::new(), terms: None };
    design.observed = design.cells().into_iter().zip(seen).filter(|(_, seen)| **seen).map(|(cell, _)| cell).collect();
    // With each term all terms that it contains, as the reader demands.
    design.terms = terms.map(|terms| {
        let mut all: BTreeSet<Vec<usize>> = BTreeSet::new();
        for term in terms {
            let term: Vec<usize> = (0..levels.len()).filter(|f| term[*f]).collect();
            all.extend((1..1_usize << term.len()).map(|mask| {
                term.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, f)| *f).collect::<Vec<_>>()
            }));
        }
        all.into_iter().collect()
    });
    design
}

fn designs() -> impl Strategy<Value = Design> {
    let terms = proptest::option::of(proptest::collection::vec(proptest::collection::vec(any::<bool>(), 3), 1..4));
    (proptest::collection::vec(2_usize..5, 1..4), proptest::collection::vec(proptest::bool::weighted(0.6), 64), terms)
        .prop_map(|(levels, seen, terms)| design(&levels, &seen, terms.as_deref()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn any_product_of_differences_between_any_levels_is_decided_as_the_null_space_says(
        design in designs(),
        picks in proptest::collection::vec((any::<bool>(), 0_usize..64, 1_usize..64), 3),
    ) {
        let mut differences = Vec::new();
        for (factor, (moves, from, step)) in picks.into_iter().enumerate().take(design.factors.len()) {
            let n = design.factors[factor].levels.len();
            let from = from % n;
            let to = (from + 1 + step % (n - 1)) % n;
            if moves || factor == 0 {
                differences.push(Difference { factor, from, to });
            }
        }
        check(&design, &design.contrast(&differences))?;
    }

    #[test]
    fn any_weights_of_cells_are_decided_as_the_null_space_says(
        design in designs(),
        weights in proptest::collection::vec(-2_i64..3, 64),
    ) {
        let weights = design.cells().into_iter().zip(weights).filter(|(_, w)| *w != 0);
        let weights: Vec<_> = weights.map(|(cell, w)| (cell, Rational::from_int(w))).collect();
        check(&design, &weights)?;
    }
}

/// A study whose bridge has these vertices, by readout and stack.
fn crossed(vertices: &[(&str, &str)]) -> Option<Crossing> {
    let (mut channels, mut bridge) = (Vec::new(), Vec::new());
    for (i, (readout, stack)) in vertices.iter().enumerate() {
        for view in ["quote", "generated"] {
            channels.push(format!(
                r#"{{"id": "{view}-{i}", "readout": "{readout}", "view": "{view}", "stack": "{stack}"}}"#
            ));
        }
        bridge.push(format!(r#"{{"vertex": "{i}", "alternative": "generated-{i}", "reference": "quote-{i}"}}"#));
    }
    let text = format!(
        r#"{{"format": "decidendi/asv-study@1", "id": "x", "origin": "simulated", "channels": [{}], "bridge": [{}],
        "layouts": {{"kind": "cyclic", "count": 1}},
        "transitions": [{{"id": "t", "trajectory": "t", "target": "a", "candidates": ["a", "b"]}}]}}"#,
        channels.join(","),
        bridge.join(",")
    );
    Crossing::of(&open_study("study.json", text.as_bytes()).unwrap_or_else(|e| panic!("{e}")))
}

#[test]
fn every_pair_of_stacks_has_an_answer_of_its_own() {
    let three = crossed(&[("joint", "one"), ("binary", "one"), ("joint", "two")]).unwrap();
    assert_eq!(three.interactions.len(), 1);
    assert!(!three.interactions[0].1.is_identified(), "three corners");
    // The first stack is seen with one readout only; the second and the third with both.
    let many =
        crossed(&[("joint", "one"), ("joint", "two"), ("binary", "two"), ("joint", "three"), ("binary", "three")])
            .unwrap();
    let answers: Vec<(String, bool)> =
        many.interactions.iter().map(|(d, found)| (many.name(d), found.is_identified())).collect();
    let expected = [
        ("joint → binary × one → two", false),
        ("joint → binary × one → three", false),
        ("joint → binary × two → three", true),
    ];
    assert_eq!(answers, expected.map(|(name, answer)| (name.to_owned(), answer)));
    assert!(crossed(&[("joint", "one"), ("joint", "two")]).is_none(), "one readout crosses nothing");
    let wide: Vec<String> = (0..31).map(|n| format!("s{n}")).collect();
    let wide: Vec<(&str, &str)> = wide.iter().flat_map(|s| ["joint", "binary"].map(|r| (r, s.as_str()))).collect();
    let wide = crossed(&wide).unwrap();
    assert!(wide.interactions.len() == 31 * 30 / 2 && wide.interactions.iter().all(|(_, f)| f.is_identified()));
}
