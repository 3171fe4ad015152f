//! Minimal elements of an arbitrary truth table, word-parallel, in one sweep over its dimensions (docs/theory.md §1.3).
//!
//! Two tables go through the sweep: `u`, the up-closure so far, and `m`, the sets that are minimal so far. When a
//! dimension is opened, every set that has it meets its twin without it: `m_hi &= !u_lo`, `u_hi |= u_lo`. Afterwards
//! `m` holds exactly the sufficient sets without a sufficient strict subset. Nothing here assumes that sufficiency is
//! monotone, and nothing searches: a deletion search misses members of a cube that is not monotone.

use super::lanes;

/// Dimensions inside a word.
pub(super) const WORD_DIMENSIONS: usize = 6;

/// The bits of a word whose set lacks the given in-word dimension.
pub(super) const WITHOUT: [u64; WORD_DIMENSIONS] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// The minimal sets of every table over three sources, the standard case: byte in, byte out.
const BYTES: [u8; 256] = {
    let mut bytes = [0; 256];
    let mut table = 0;
    while table < 256 {
        bytes[table] = open_word(table as u64, 3).1 as u8;
        table += 1;
    }
    bytes
};

/// A table whose length does not fit its number of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a truth table over {sources} sources does not have {given} words of 64 sets")]
pub struct TableLength {
    /// Number of sources.
    pub sources: usize,
    /// Words that were given.
    pub given: usize,
}

/// Words that a table over `sources` sources takes: one bit for each set, at least one word. `None` above
/// [`crate::limits::SOURCES`].
#[must_use]
pub const fn table_words(sources: usize) -> Option<usize> {
    if sources > crate::limits::SOURCES {
        None
    } else if sources <= WORD_DIMENSIONS {
        Some(1)
    } else {
        Some(1 << (sources - WORD_DIMENSIONS))
    }
}

/// The minimal sets of a table over at most six sources, which is one word; bits beyond 2^`sources` are dropped.
#[must_use]
pub const fn minimal_word(table: u64, sources: usize) -> u64 {
    if sources == 3 { BYTES[(table & 0xff) as usize] as u64 } else { open_word(table, sources).1 }
}

/// Up-closure and minimal sets of one word, its first `sources` dimensions opened.
const fn open_word(table: u64, sources: usize) -> (u64, u64) {
    let inside = if sources < WORD_DIMENSIONS { (1 << (1 << sources)) - 1 } else { u64::MAX };
    let (mut u, mut m) = (table & inside, table & inside);
    let mut dimension = 0;
    while dimension < sources && dimension < WORD_DIMENSIONS {
        let below = (u & WITHOUT[dimension]) << (1 << dimension);
        m &= !below;
        u |= below;
        dimension += 1;
    }
    (u, m)
}

/// Replaces a truth table over `sources` sources, bit *S* = "set *S* is sufficient", by its inclusion-minimal sets.
///
/// # Errors
/// [`TableLength`] unless the table has [`table_words`] words.
pub fn minimal_in_place(table: &mut [u64], sources: usize) -> Result<(), TableLength> {
    Minimal::new().in_place(table, sources)
}

/// [`minimal_in_place`] with working memory that is kept between tables: for many tables, or large ones.
#[derive(Debug, Clone, Default)]
pub struct Minimal {
    scratch: Vec<u64>,
}

/// Words of a memory page.
const PAGE: usize = 512;

impl Minimal {
    /// No working memory yet: it grows to the size of the largest table.
    #[must_use]
    pub const fn new() -> Self {
        Self { scratch: Vec::new() }
    }

    /// Replaces a truth table by its inclusion-minimal sets.
    ///
    /// # Errors
    /// [`TableLength`] unless the table has [`table_words`] words.
    pub fn in_place(&mut self, table: &mut [u64], sources: usize) -> Result<(), TableLength> {
        if table_words(sources) != Some(table.len()) {
            return Err(TableLength { sources, given: table.len() });
        }
        match table {
            [word] => *word = minimal_word(*word, sources),
            [low, high] => {
                let (closed, minimal) = open_word(*low, WORD_DIMENSIONS);
                *low = minimal;
                *high = open_word(*high, WORD_DIMENSIONS).1 & !closed;
            }
            _ => lanes::open(self.beside(table), table),
        }
        Ok(())
    }

    /// Working memory as long as `table` and half a page off it. Rows of both tables are open at the same time, a
    /// power of two apart; on equal page offsets they would compete for the same few places of the first-level cache
    /// (measured: up to twice the time at 22 sources). Addresses steer speed only, never a result.
    fn beside(&mut self, table: &[u64]) -> &mut [u64] {
        let needed = table.len() + PAGE;
        if self.scratch.len() < needed {
            self.scratch.resize(needed, 0);
        }
        let word = |words: &[u64]| words.as_ptr() as usize / size_of::<u64>() % PAGE;
        let skip = (word(table) + PAGE / 2 + PAGE - word(&self.scratch)) % PAGE;
        &mut self.scratch[skip..skip + table.len()]
    }
}
