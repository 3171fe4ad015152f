//! The sweep of [`super::kernel`] over tables of four words and more, made for vector units.
//!
//! The six lowest dimensions lie inside a word, the next two or three inside a [`Lane`], the rest between lanes. Those between
//! lanes are opened up to three at a time, depth first, so that a block is finished while it is still in cache. The
//! code is plain array code; [`pulp`] compiles it once more for wider vector units and picks the version at run time.
//! Everything is inlined into [`Open`], because only what is inlined there is compiled for the wider unit.

use super::kernel::{WITHOUT, WORD_DIMENSIONS};

/// Dimensions between the lanes of a leaf block: `u` and `m` of 2^8 lanes take 16 or 32 KiB, a first-level cache.
const LEAF_DIMENSIONS: usize = 8;
/// Most dimensions opened at once: the eight rows of `u` and their sums just fit sixteen registers (16 rows: twice as slow).
const RADIX: usize = 3;

/// Words that are worked on as one value: four fill a 256-bit register, eight a 512-bit one.
type Lane<const W: usize> = [u64; W];

/// Opens every dimension of `table`, a power of two of at least four words; `scratch` is as long, its content on entry
/// does not matter.
pub(super) fn open(scratch: &mut [u64], table: &mut [u64]) {
    pulp::Arch::new().dispatch(Open { scratch, table });
}

/// The work, as a value that is compiled for each vector unit (a closure is not inlined and stays slow).
struct Open<'t> {
    scratch: &'t mut [u64],
    table: &'t mut [u64],
}

impl pulp::WithSimd for Open<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        if S::U64_LANES >= 8 && self.table.len() >= 8 {
            self.in_lanes_of::<8>();
        } else {
            self.in_lanes_of::<4>();
        }
    }
}

impl Open<'_> {
    #[inline(always)]
    fn in_lanes_of<const W: usize>(self) {
        let (above, _) = pulp::as_arrays_mut::<W, _>(self.scratch);
        let (minimal, _) = pulp::as_arrays_mut::<W, _>(self.table);
        open_blocks(above, minimal);
    }
}

/// Depth first without recursion, which could not be inlined: after each leaf block, every larger block that this leaf
/// completes is opened.
#[inline(always)]
fn open_blocks<const W: usize>(u: &mut [Lane<W>], m: &mut [Lane<W>]) {
    let dimensions = m.len().trailing_zeros() as usize;
    let leaf = dimensions.min(LEAF_DIMENSIONS);
    let mut done = 0;
    while done < m.len() {
        let end = done + (1 << leaf);
        open_leaf(&mut u[done..end], &mut m[done..end]);
        done = end;
        let mut opened = leaf;
        while opened < dimensions {
            let radix = radix(dimensions - opened);
            let size = 1 << (opened + radix);
            if !done.is_multiple_of(size) {
                break;
            }
            // Nobody reads the up-closure after the last dimension.
            let last = opened + radix == dimensions;
            open_block(&mut u[done - size..done], &mut m[done - size..done], 1 << opened, radix, last);
            opened += radix;
        }
    }
}

/// How many dimensions to open next when `left` are left.
const fn radix(left: usize) -> usize {
    match left {
        4 => 2,
        _ if left < RADIX => left,
        _ => RADIX,
    }
}

#[inline(always)]
fn open_leaf<const W: usize>(u: &mut [Lane<W>], m: &mut [Lane<W>]) {
    let dimensions = m.len().trailing_zeros() as usize;
    for (u, m) in u.iter_mut().zip(m.iter_mut()) {
        (*u, *m) = open_lane(*m);
    }
    let mut opened = 0;
    while opened < dimensions {
        let radix = radix(dimensions - opened);
        let size = 1 << (opened + radix);
        for (u, m) in u.chunks_exact_mut(size).zip(m.chunks_exact_mut(size)) {
            open_block(u, m, 1 << opened, radix, false);
        }
        opened += radix;
    }
}

/// Up-closure and minimal sets of one lane: the six dimensions of its words, then those between them.
#[inline(always)]
fn open_lane<const W: usize>(table: Lane<W>) -> (Lane<W>, Lane<W>) {
    let (mut u, mut m) = (table, table);
    let mut dimension = 0;
    while dimension < WORD_DIMENSIONS {
        let below = each(|i| (u[i] & WITHOUT[dimension]) << (1 << dimension));
        m = without(m, below);
        u = or(u, below);
        dimension += 1;
    }
    let mut bit = 1;
    while bit < W {
        let below = each(|i| if i & bit == 0 { 0 } else { u[i ^ bit] });
        m = without(m, below);
        u = or(u, below);
        bit <<= 1;
    }
    (u, m)
}

/// Opens the `radix` dimensions between the 2^`radix` rows of a block, `n` lanes each.
#[inline(always)]
fn open_block<const W: usize>(u: &mut [Lane<W>], m: &mut [Lane<W>], n: usize, radix: usize, last: bool) {
    match (radix, last) {
        (1, false) => open_rows::<W, 2, false>(two(u, n), two(m, n), n),
        (1, true) => open_rows::<W, 2, true>(two(u, n), two(m, n), n),
        (2, false) => open_rows::<W, 4, false>(four(u, n), four(m, n), n),
        (2, true) => open_rows::<W, 4, true>(four(u, n), four(m, n), n),
        (_, false) => open_rows::<W, 8, false>(eight(u, n), eight(m, n), n),
        (_, true) => open_rows::<W, 8, true>(eight(u, n), eight(m, n), n),
    }
}

/// Opens the dimensions between `N` rows, lane by lane. A set loses minimality to, and inherits from, the closed
/// up-closures of the sets with one source less, so each row is read and written once for all dimensions together.
#[inline(always)]
fn open_rows<const W: usize, const N: usize, const LAST: bool>(
    u: [&mut [Lane<W>]; N],
    m: [&mut [Lane<W>]; N],
    n: usize,
) {
    for i in 0..n {
        // All rows are read before any is written: a read soon after a write a page away would wait for it.
        let mut above: [Lane<W>; N] = std::array::from_fn(
            #[inline(always)]
            |row| u[row][i],
        );
        let mut minimal: [Lane<W>; N] = std::array::from_fn(
            #[inline(always)]
            |row| m[row][i],
        );
        for row in 1..N {
            let mut below = [0; W];
            let mut bit = 1;
            while bit < N {
                if row & bit != 0 {
                    below = or(below, above[row ^ bit]);
                }
                bit <<= 1;
            }
            minimal[row] = without(minimal[row], below);
            above[row] = or(above[row], below);
        }
        for row in 1..N {
            m[row][i] = minimal[row];
            if !LAST {
                u[row][i] = above[row];
            }
        }
    }
}

/// Two rows of `n` lanes, their length known to the compiler.
#[inline(always)]
fn two<const W: usize>(block: &mut [Lane<W>], n: usize) -> [&mut [Lane<W>]; 2] {
    let (a, b) = block.split_at_mut(n);
    [&mut a[..n], &mut b[..n]]
}

#[inline(always)]
fn four<const W: usize>(block: &mut [Lane<W>], n: usize) -> [&mut [Lane<W>]; 4] {
    let (low, high) = block.split_at_mut(2 * n);
    let ([a, b], [c, d]) = (two(low, n), two(high, n));
    [a, b, c, d]
}

#[inline(always)]
fn eight<const W: usize>(block: &mut [Lane<W>], n: usize) -> [&mut [Lane<W>]; 8] {
    let (low, high) = block.split_at_mut(4 * n);
    let ([a, b, c, d], [e, f, g, h]) = (four(low, n), four(high, n));
    [a, b, c, d, e, f, g, h]
}

#[inline(always)]
fn each<const W: usize>(word: impl Fn(usize) -> u64) -> Lane<W> {
    std::array::from_fn(word)
}

#[inline(always)]
fn or<const W: usize>(a: Lane<W>, b: Lane<W>) -> Lane<W> {
    each(|i| a[i] | b[i])
}

#[inline(always)]
fn without<const W: usize>(a: Lane<W>, b: Lane<W>) -> Lane<W> {
    each(|i| a[i] & !b[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_and_wide_lanes_agree_whatever_this_machine_has() {
        let mut seed = 1_u64;
        for dimensions in 9..=18 {
            let word = |_| {
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                seed & seed >> 21 & seed << 17
            };
            let table: Vec<u64> = (0..1_usize << (dimensions - WORD_DIMENSIONS)).map(word).collect();
            let (mut four, mut eight, mut chosen) = (table.clone(), table.clone(), table.clone());
            Open { scratch: &mut vec![7; table.len()], table: &mut four }.in_lanes_of::<4>();
            Open { scratch: &mut vec![7; table.len()], table: &mut eight }.in_lanes_of::<8>();
            open(&mut vec![7; table.len()], &mut chosen);
            assert_eq!(four, eight, "k = {dimensions}");
            assert_eq!(four, chosen, "k = {dimensions}");
        }
    }
}
