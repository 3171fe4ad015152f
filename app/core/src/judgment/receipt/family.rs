//! From a cube to its receipt family, in canonical order (docs/theory.md §1.3, L2 to L4).

use super::kernel::{Minimal, TableLength, WORD_DIMENSIONS, minimal_word};
use super::truth::TruthTable;
use crate::judgment::cube::Cube;
use crate::judgment::result::Family;
use crate::judgment::source::Mask;
use crate::judgment::verdict::Verdict;

/// The complete receipt family: every inclusion-minimal set whose hybrid gives `target`, by size, then by mask.
///
/// `target` is the new endpoint's verdict. A transition whose old endpoint has it already is stable and owes no receipt
/// (docs/theory.md §1.3): its family is empty. A cell that did not run is not `target`, but a family over such a cube
/// is not certified; it is for the caller to see that the cube is complete.
#[must_use]
pub fn minimal_family(cube: &Cube, target: Verdict) -> Family {
    if cube.cell(Mask::EMPTY) == Some(target) {
        return Family::default();
    }
    let sources = cube.sources();
    if sources <= WORD_DIMENSIONS {
        return Family(collect(&[minimal_word(word(cube.cells(), target), sources)]));
    }
    // A cube has at most `limits::SOURCES` sources, so it has a table; were it otherwise, no family is better than a
    // wrong one.
    let Some(mut table) = sufficient(cube, target) else { return Family::default() };
    match Minimal::new().in_place(table.words_mut(), sources) {
        Ok(()) => Family(collect(table.words())),
        Err(TableLength { .. }) => Family::default(),
    }
}

/// The inclusion-minimal sets of a truth table over `sources` sources, by size, then by mask.
///
/// # Errors
/// [`TableLength`] unless the table has [`super::table_words`] words.
pub fn minimal_masks(table: &[u64], sources: usize) -> Result<Vec<Mask>, TableLength> {
    let mut minimal = table.to_vec();
    Minimal::new().in_place(&mut minimal, sources)?;
    Ok(collect(&minimal))
}

/// The truth table "this hybrid gives `target`": bit *S* of the table is hybrid *S*. `None` above
/// [`crate::limits::SOURCES`] sources, which no cube has.
#[must_use]
pub fn sufficient(cube: &Cube, target: Verdict) -> Option<TruthTable> {
    let mut table = TruthTable::empty(cube.sources())?;
    for (word, cells) in table.words_mut().iter_mut().zip(cube.cells().chunks(u64::BITS as usize)) {
        *word = self::word(cells, target);
    }
    Some(table)
}

/// Up to 64 cells as one word of a truth table.
fn word(cells: &[Option<Verdict>], target: Verdict) -> u64 {
    cells.iter().rev().fold(0, |word, &cell| word << 1 | u64::from(cell == Some(target)))
}

/// The sets of a bit table by size, then by mask. Counting the sizes first puts each set into its place at once, so
/// that millions of members need no sorting.
fn collect(table: &[u64]) -> Vec<Mask> {
    let mut next = [0_usize; u32::BITS as usize + 2];
    for mask in bits(table) {
        next[mask.len() + 1] += 1;
    }
    for size in 1..next.len() {
        next[size] += next[size - 1];
    }
    let mut sorted = vec![Mask::EMPTY; next[next.len() - 1]];
    for mask in bits(table) {
        let place = &mut next[mask.len()];
        sorted[*place] = mask;
        *place += 1;
    }
    sorted
}

/// The sets of a bit table, ascending.
fn bits(table: &[u64]) -> impl Iterator<Item = Mask> {
    table.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            u32::try_from(at << WORD_DIMENSIONS).ok().map(|high| Mask(high | bit))
        })
    })
}
