//! Picks of a block of draws by the recipe of [`super::plan`], made for vector units: each lane is a draw.
//!
//! The generator is written out here because no crate runs it for many nonces at once; tests compare it, through the picks, with a
//! slow twin written from RFC 8439. Everything is inlined into [`Picks`], because only what is inlined there is compiled for the
//! wider unit.

use pulp::Simd;

use super::lanes::{LANES, Row, Weight};
use super::plan::{MOST_PICKS, picks_per_word};

/// 32-bit words of a ChaCha block.
const STATE: usize = 16;
/// "expand 32-byte k" in little-endian words: the constant of the standard.
const CONSTANT: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
/// The first lane is the first draw.
const LANE: Row<u32> = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The work, as a value that is compiled for each vector unit (a closure is not inlined and stays slow).
pub(super) struct Picks<'p, W> {
    pub seed: u64,
    /// Clusters of each stratum.
    pub strata: &'p [u32],
    /// Draw of the first lane, a multiple of [`LANES`].
    pub first: u32,
    /// Receives the picks on top of what it holds, by row: strata one after the other.
    pub rows: &'p mut [Row<W>],
}

impl<W: Weight> pulp::WithSimd for Picks<'_, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let mut words = Words { seed: self.seed, first: self.first, blocks: 0, at: STATE, words: [[0; LANES]; STATE] };
        let mut rows = self.rows;
        for &n in self.strata {
            let (here, later) = rows.split_at_mut(n as usize);
            rows = later;
            if let [one] = here {
                one.iter_mut().for_each(W::add_one);
                continue;
            }
            let most = picks_per_word(n);
            let mut left = n as usize;
            while left > 0 {
                let now = left.min(most);
                let mut picks = [[0; LANES]; MOST_PICKS];
                split(simd, words.next(simd), n, &mut picks[..now]);
                for picks in &picks[..now] {
                    for (lane, &pick) in picks.iter().enumerate() {
                        here[pick as usize][lane].add_one();
                    }
                }
                left -= now;
            }
        }
    }
}

/// The random words of all lanes, one ChaCha block at a time.
struct Words {
    seed: u64,
    first: u32,
    /// Blocks made so far.
    blocks: u64,
    /// Words used of the last one.
    at: usize,
    words: [Row<u32>; STATE],
}

impl Words {
    /// The next 64-bit word of every lane: lower halves, upper halves.
    #[inline(always)]
    fn next<S: Simd>(&mut self, simd: S) -> &[Row<u32>; 2] {
        if self.at == STATE {
            block(simd, self.seed, self.blocks, self.first, &mut self.words);
            self.blocks += 1;
            self.at = 0;
        }
        let at = self.at;
        self.at += 2;
        let (pairs, _) = self.words.as_chunks();
        &pairs[at / 2]
    }
}

/// One block of ChaCha8 for [`LANES`] nonces in a row.
#[inline(always)]
fn block<S: Simd>(simd: S, seed: u64, counter: u64, first: u32, out: &mut [Row<u32>; STATE]) {
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
            let (out, _) = S::as_mut_simd_u32s(out);
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

/// Splits one word per lane into picks below `n`: the upper half of the 128-bit product with `n`, again and again of the
/// lower half.
#[inline(always)]
fn split<S: Simd>(simd: S, [low, high]: &[Row<u32>; 2], n: u32, picks: &mut [Row<u32>]) {
    let (n, one, none) = (simd.splat_u32s(n), simd.splat_u32s(1), simd.splat_u32s(0));
    let ((low, _), (high, _)) = (S::as_simd_u32s(low), S::as_simd_u32s(high));
    for (at, (&low, &high)) in low.iter().zip(high).enumerate() {
        let (mut low, mut high) = (low, high);
        for picks in picks.iter_mut() {
            let (low_product, carried) = simd.widening_mul_u32s(low, n);
            let (product, pick) = simd.widening_mul_u32s(high, n);
            low = low_product;
            high = simd.add_u32s(product, carried);
            let carry = simd.select_u32s(simd.less_than_u32s(high, carried), one, none);
            let (picks, _) = S::as_mut_simd_u32s(picks);
            picks[at] = simd.add_u32s(pick, carry);
        }
    }
}
