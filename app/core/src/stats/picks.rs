//! Picks of a block of draws by the recipe of [`super::plan`], made for vector units: each lane is a draw.
//!
//! The generator is written out here because no crate runs it for many nonces at once; tests compare it, through the picks, with a
//! slow twin written from RFC 8439. Everything is inlined into [`Picks`], because only what is inlined there is compiled for the
//! wider unit.

use pulp::Simd;

use super::plan::{MOST_PICKS, picks_per_word};
use super::row::{Row, STRIP, Weight};

/// 32-bit words of a ChaCha block.
const STATE: usize = 16;
/// "expand 32-byte k" in little-endian words: the constant of the standard.
const CONSTANT: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
/// The first lane is the first draw.
const LANE: [u32; STRIP] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// Rows that a byte can name.
pub(super) const BYTE: usize = 256;

/// The work, as a value that is compiled for each vector unit (a closure is not inlined and stays slow).
pub(super) struct Picks<'p, W, const L: usize> {
    pub seed: u64,
    /// Clusters of each stratum.
    pub strata: &'p [u32],
    /// Draw of the first lane, a multiple of `L`.
    pub first: u32,
    /// Receives how often each cluster is picked, by row: strata one after the other. The content on entry does not matter.
    /// Picking is fastest if there are [`BYTE`] rows more than clusters.
    pub rows: &'p mut [Row<W, L>],
}

impl<W: Weight, const L: usize> pulp::WithSimd for Picks<'_, W, L> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let words = [Row::default(); STATE];
        let mut words = Words { seed: self.seed, first: self.first, blocks: 0, at: STATE, words };
        let mut rows = self.rows;
        rows.fill(Row::default());
        for &n in self.strata {
            match (picks_per_word(n), rows.first_chunk_mut()) {
                _ if n == 1 => rows[0].0.iter_mut().for_each(W::add_one),
                (MOST_PICKS, Some(rows)) => few(simd, &mut words, n, rows),
                (MOST_PICKS, None) => many::<S, W, L, MOST_PICKS>(simd, &mut words, n, rows),
                (3, _) => many::<S, W, L, 3>(simd, &mut words, n, rows),
                (2, _) => many::<S, W, L, 2>(simd, &mut words, n, rows),
                _ => many::<S, W, L, 1>(simd, &mut words, n, rows),
            }
            (_, rows) = rows.split_at_mut(n as usize);
        }
    }
}

/// Picks from `n` clusters, [`BYTE`] at most: a byte needs no check, for it has a row whatever it is. The next word is made
/// and split while the picks of the last one are counted, because counting waits for memory and the rest for arithmetic.
#[inline(always)]
fn few<S: Simd, W: Weight, const L: usize>(simd: S, words: &mut Words<L>, n: u32, rows: &mut [Row<W, L>; BYTE]) {
    let mut picks = [[0; 8]; L];
    let (mut left, mut now) = (n as usize, 0);
    while left > 0 || now > 0 {
        if left > 0 {
            words.turn();
        }
        for (strip, picks) in picks.as_chunks_mut::<STRIP>().0.iter_mut().enumerate() {
            let next = split::<MOST_PICKS>(words.strip(simd, strip), n).map(u64::to_le_bytes);
            for k in 0..now {
                for (lane, pick) in picks.iter().enumerate() {
                    let row = &mut rows[usize::from(pick[k])].0;
                    row.as_chunks_mut::<STRIP>().0[strip][lane].add_one();
                }
            }
            *picks = next;
        }
        now = left.min(MOST_PICKS);
        left -= now;
    }
}

/// Picks from any number of clusters, `K` of each word.
#[inline(always)]
fn many<S: Simd, W: Weight, const L: usize, const K: usize>(
    simd: S,
    words: &mut Words<L>,
    n: u32,
    rows: &mut [Row<W, L>],
) {
    let mut left = n as usize;
    while left > 0 {
        let now = left.min(K);
        left -= now;
        words.turn();
        for strip in 0..L / STRIP {
            let picks = split::<K>(words.strip(simd, strip), n);
            for k in 0..now as u32 {
                for (lane, picks) in picks.iter().enumerate() {
                    let pick = picks >> (k * width(K)) & (u64::MAX >> (64 - width(K)));
                    rows[pick as usize].0.as_chunks_mut::<STRIP>().0[strip][lane].add_one();
                }
            }
        }
    }
}

/// The random words of all lanes, one ChaCha block at a time, and of that a strip of lanes at a time.
struct Words<const L: usize> {
    seed: u64,
    first: u32,
    /// The block after the present one.
    blocks: u64,
    /// 32-bit words used of the present one.
    at: usize,
    words: [Row<u32, L>; STATE],
}

impl<const L: usize> Words<L> {
    /// Goes on to the next 64-bit word. Each strip has to be asked for the first word of a block, which makes the block.
    #[inline(always)]
    fn turn(&mut self) {
        if self.at == STATE {
            self.blocks += 1;
            self.at = 0;
        }
        self.at += 2;
    }

    /// The word of each lane of a strip: lower halves, upper halves.
    #[inline(always)]
    fn strip<S: Simd>(&mut self, simd: S, strip: usize) -> [&[u32; STRIP]; 2] {
        if self.at == 2 {
            let first = self.first + (strip * STRIP) as u32;
            block(simd, self.seed, self.blocks - 1, first, strip, &mut self.words);
        }
        let (pairs, _) = self.words.as_chunks();
        pairs[self.at / 2 - 1].each_ref().map(|half: &Row<u32, L>| &half.0.as_chunks().0[strip])
    }
}

/// One block of ChaCha8 for the nonces of a strip, `first` and those after it.
#[inline(always)]
fn block<S: Simd, const L: usize>(
    simd: S,
    seed: u64,
    counter: u64,
    first: u32,
    strip: usize,
    out: &mut [Row<u32, L>; STATE],
) {
    let halves = |word: u64| [word as u32, (word >> 32) as u32];
    let ([seed_low, seed_high], [counter_low, counter_high]) = (halves(seed), halves(counter));
    let [c0, c1, c2, c3] = CONSTANT;
    let start = [c0, c1, c2, c3, seed_low, seed_high, 0, 0, 0, 0, 0, 0, counter_low, counter_high, first, 0];
    let (lanes, _) = S::as_simd_u32s(&LANE);
    for (at, &lane) in lanes.iter().enumerate() {
        let mut start = start.map(|word| simd.splat_u32s(word));
        start[14] = simd.add_u32s(start[14], lane);
        let mut state = start;
        for _ in 0..4 {
            for [a, b, c, d] in [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]] {
                quarter(simd, &mut state, a, b, c, d);
            }
            for [a, b, c, d] in [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]] {
                quarter(simd, &mut state, a, b, c, d);
            }
        }
        for ((out, state), start) in out.iter_mut().zip(state).zip(start) {
            let (out, _) = S::as_mut_simd_u32s(&mut out.0.as_chunks_mut::<STRIP>().0[strip]);
            out[at] = simd.add_u32s(state, start);
        }
    }
}

/// The quarter round of RFC 8439, section 2.1.
#[inline(always)]
fn quarter<S: Simd>(simd: S, x: &mut [S::u32s; STATE], a: usize, b: usize, c: usize, d: usize) {
    x[a] = simd.add_u32s(x[a], x[b]);
    x[d] = rotate::<S, 16>(simd, simd.xor_u32s(x[d], x[a]));
    x[c] = simd.add_u32s(x[c], x[d]);
    x[b] = rotate::<S, 12>(simd, simd.xor_u32s(x[b], x[c]));
    x[a] = simd.add_u32s(x[a], x[b]);
    x[d] = rotate::<S, 8>(simd, simd.xor_u32s(x[d], x[a]));
    x[c] = simd.add_u32s(x[c], x[d]);
    x[b] = rotate::<S, 7>(simd, simd.xor_u32s(x[b], x[c]));
}

#[inline(always)]
fn rotate<S: Simd, const BY: u32>(simd: S, word: S::u32s) -> S::u32s {
    let left = simd.wrapping_dyn_shl_u32s(word, simd.splat_u32s(BY));
    simd.or_u32s(left, simd.wrapping_dyn_shr_u32s(word, simd.splat_u32s(32 - BY)))
}

/// Bits that each of `picks` picks gets of 64; picks from as many clusters as give that many a word fit.
const fn width(picks: usize) -> u32 {
    64 / picks.next_power_of_two() as u32
}

/// Splits one word per lane into `K` picks below `n`, the first in the lowest bits: the upper half of the 128-bit product
/// with `n`, again and again of the lower half.
#[inline(always)]
fn split<const K: usize>([low, high]: [&[u32; STRIP]; 2], n: u32) -> [u64; STRIP] {
    let n = u64::from(n);
    let mut picks = [0; STRIP];
    for ((picks, &low), &high) in picks.iter_mut().zip(low).zip(high) {
        // 32 bits of the fraction each, so that no product has more than 64.
        let (mut low, mut high) = (u64::from(low), u64::from(high));
        for k in 0..K as u32 {
            low *= n;
            high = high * n + (low >> 32);
            *picks |= (high >> 32) << (k * width(K));
            (low, high) = (low & 0xffff_ffff, high & 0xffff_ffff);
        }
    }
    picks
}
