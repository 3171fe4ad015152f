//! The sweep of [`super::kernel`] over tables of four words and more, made for vector units.
//!
//! The six lowest dimensions lie inside a word, the next two inside a [`Lane`], the rest between lanes. Those between
//! lanes are opened up to three at a time, depth first, so that a block is finished while it is still in cache. The
//! code is plain array code; [`pulp`] compiles it once more for wider vector units and picks the version at run time.
//! Everything is inlined into [`Open`], because only what is inlined there is compiled for the wider unit.

use super::kernel::{WITHOUT, WORD_DIMENSIONS};

/// Words of a lane: one 256-bit register.
const LANE: usize = 4;
/// Dimensions between the lanes of a leaf block: `u` and `m` of 2^8 lanes take 16 KiB, half a first-level cache.
const LEAF_DIMENSIONS: usize = 8;
/// Most dimensions opened at once: the eight rows of `u` and their sums just fit sixteen registers (16 rows: twice as slow).
const RADIX: usize = 3;

/// Words that are worked on as one value.
type Lane = [u64; LANE];

/// Opens every dimension of `table`, a power of two of at least four words; `scratch` is as long, its content on entry
/// does not matter.
pub(super) fn open(scratch: &mut [u64], table: &mut [u64]) {
    let (above, _) = pulp::as_arrays_mut::<LANE, _>(scratch);
    let (minimal, _) = pulp::as_arrays_mut::<LANE, _>(table);
    pulp::Arch::new().dispatch(Open { above, minimal });
}

/// The work, as a value that is compiled for each vector unit (a closure is not inlined and stays slow).
struct Open<'t> {
    above: &'t mut [Lane],
    minimal: &'t mut [Lane],
}

impl pulp::WithSimd for Open<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        open_blocks(self.above, self.minimal);
    }
}

/// Depth first without recursion, which could not be inlined: after each leaf block, every larger block that this leaf
/// completes is opened.
#[inline(always)]
fn open_blocks(u: &mut [Lane], m: &mut [Lane]) {
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
fn open_leaf(u: &mut [Lane], m: &mut [Lane]) {
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

/// Up-closure and minimal sets of one lane: the six dimensions of its words, then the two between them.
#[inline(always)]
fn open_lane(table: Lane) -> (Lane, Lane) {
    let (mut u, mut m) = (table, table);
    let mut dimension = 0;
    while dimension < WORD_DIMENSIONS {
        let below = each(|i| (u[i] & WITHOUT[dimension]) << (1 << dimension));
        m = without(m, below);
        u = or(u, below);
        dimension += 1;
    }
    let below = [0, u[0], 0, u[2]];
    m = without(m, below);
    u = or(u, below);
    let below = [0, 0, u[0], u[1]];
    (or(u, below), without(m, below))
}

/// Opens the `radix` dimensions between the 2^`radix` rows of a block, `n` lanes each.
#[inline(always)]
fn open_block(u: &mut [Lane], m: &mut [Lane], n: usize, radix: usize, last: bool) {
    match (radix, last) {
        (1, false) => open_rows::<2, false>(two(u, n), two(m, n), n),
        (1, true) => open_rows::<2, true>(two(u, n), two(m, n), n),
        (2, false) => open_rows::<4, false>(four(u, n), four(m, n), n),
        (2, true) => open_rows::<4, true>(four(u, n), four(m, n), n),
        (_, false) => open_rows::<8, false>(eight(u, n), eight(m, n), n),
        (_, true) => open_rows::<8, true>(eight(u, n), eight(m, n), n),
    }
}

/// Opens the dimensions between `N` rows, lane by lane. A set loses minimality to, and inherits from, the closed
/// up-closures of the sets with one source less, so each row is read and written once for all dimensions together.
#[inline(always)]
fn open_rows<const N: usize, const LAST: bool>(u: [&mut [Lane]; N], m: [&mut [Lane]; N], n: usize) {
    for i in 0..n {
        // All rows are read before any is written: a read soon after a write a page away would wait for it.
        let mut above: [Lane; N] = std::array::from_fn(
            #[inline(always)]
            |row| u[row][i],
        );
        let mut minimal: [Lane; N] = std::array::from_fn(
            #[inline(always)]
            |row| m[row][i],
        );
        for row in 1..N {
            let mut below = [0; LANE];
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
fn two(block: &mut [Lane], n: usize) -> [&mut [Lane]; 2] {
    let (a, b) = block.split_at_mut(n);
    [&mut a[..n], &mut b[..n]]
}

#[inline(always)]
fn four(block: &mut [Lane], n: usize) -> [&mut [Lane]; 4] {
    let (low, high) = block.split_at_mut(2 * n);
    let ([a, b], [c, d]) = (two(low, n), two(high, n));
    [a, b, c, d]
}

#[inline(always)]
fn eight(block: &mut [Lane], n: usize) -> [&mut [Lane]; 8] {
    let (low, high) = block.split_at_mut(4 * n);
    let ([a, b, c, d], [e, f, g, h]) = (four(low, n), four(high, n));
    [a, b, c, d, e, f, g, h]
}

#[inline(always)]
fn each(word: impl Fn(usize) -> u64) -> Lane {
    std::array::from_fn(word)
}

#[inline(always)]
fn or(a: Lane, b: Lane) -> Lane {
    each(|i| a[i] | b[i])
}

#[inline(always)]
fn without(a: Lane, b: Lane) -> Lane {
    each(|i| a[i] & !b[i])
}
