//! Law L1: the same state has the same verdict. Hybrids that differ only in sources whose two versions are equal are one
//! state, so a table that gives them different verdicts contradicts itself, whoever made it.

use super::source::Mask;

/// Hybrids that are one state and have different verdicts: `[cell, rival]` for every such cell, ascending. The rival is
/// the first hybrid of the same state whose verdict differs. `unchanged` are the sources with equal versions.
pub fn contradictions<T: PartialEq>(unchanged: Mask, cells: &[T]) -> impl Iterator<Item = [Mask; 2]> {
    let rivals = if agree(unchanged, cells) { Vec::new() } else { rivals(unchanged, cells) };
    (0..rivals.len() as u32).filter_map(move |cell| {
        let state = cell & !unchanged.0;
        let rival = *rivals.get(state as usize)?;
        let same = cells.get(cell as usize) == cells.get(state as usize);
        (rival != state).then_some([Mask(cell), Mask(if same { rival } else { state })])
    })
}

/// Whether revising an unchanged source never moves a verdict.
fn agree<T: PartialEq>(unchanged: Mask, cells: &[T]) -> bool {
    unchanged.members().all(|source| {
        cells.chunks_exact(2 << source).all(|pair| {
            let (old, new) = pair.split_at(1 << source);
            old == new
        })
    })
}

/// By the lowest hybrid of a state, the first hybrid of it whose verdict differs; itself where there is none.
fn rivals<T: PartialEq>(unchanged: Mask, cells: &[T]) -> Vec<u32> {
    let mut rivals: Vec<u32> = (0..cells.len() as u32).collect();
    for (cell, verdict) in (0_u32..).zip(cells) {
        let state = (cell & !unchanged.0) as usize;
        if rivals[state] as usize == state && *verdict != cells[state] {
            rivals[state] = cell;
        }
    }
    rivals
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairs(unchanged: u32, cells: &str) -> Vec<[u32; 2]> {
        contradictions(Mask(unchanged), cells.as_bytes()).map(|[a, b]| [a.0, b.0]).collect()
    }

    #[test]
    fn each_cell_at_odds_names_the_first_of_its_state_that_differs() {
        assert_eq!(pairs(1, "dada"), [[0, 1], [1, 0], [2, 3], [3, 2]]);
        assert_eq!(pairs(2, "dada"), [[0, 2]; 0], "revising the second source moves nothing");
        assert_eq!(pairs(0, "dada"), [[0, 1]; 0], "nothing is unchanged");
        assert_eq!(pairs(1, "ddda"), [[2, 3], [3, 2]], "the other state is sound");
        // One state of four: no pair of neighbours need hold the two that differ first.
        assert_eq!(pairs(3, "drra"), [[0, 1], [1, 0], [2, 0], [3, 0]]);
        assert_eq!(pairs(5, "ddddddad"), [[2, 6], [3, 6], [6, 2], [7, 6]]);
    }

    proptest! {
        /// The slow twin: every two hybrids are compared.
        #[test]
        fn agrees_with_comparing_every_two(k in 1_usize..6, unchanged in any::<u32>(), seed in any::<u64>(), noise in 1_u64..4) {
            let unchanged = unchanged & Mask::full(k).0;
            let cells: Vec<u64> = (0..1_u64 << k).map(|m| {
                let state = m & !u64::from(unchanged);
                let odd = seed.rotate_left(m as u32 * 7) % 16 < noise;
                seed.rotate_left(state as u32) % 3 + u64::from(odd)
            }).collect();
            let one_state = |a: u32, b: u32| (a ^ b) & !unchanged == 0;
            let rival = |a: u32| (0..1 << k).find(|&b| one_state(a, b) && cells[a as usize] != cells[b as usize]);
            let expected: Vec<[u32; 2]> = (0..1 << k).filter_map(|a| Some([a, rival(a)?])).collect();
            let found: Vec<[u32; 2]> = contradictions(Mask(unchanged), &cells).map(|[a, b]| [a.0, b.0]).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
