//! Rows of a block: one value for each draw, and what a count of picks is.

/// Draws whose doubles are summed side by side: two of the widest registers. Narrow units take two registers at a time, several
/// times.
pub(super) const STRIP: usize = 16;

/// One value for each draw of a block. It starts where a cache line does; a register that is read from two lines takes twice
/// as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Row<T, const L: usize>(pub [T; L]);

impl<T: Copy + Default, const L: usize> Default for Row<T, L> {
    fn default() -> Self {
        Self([T::default(); L])
    }
}

/// A count of picks, as narrow as the number of clusters allows: it holds all picks of a draw.
pub(super) trait Weight: Copy + Default + Into<f64> {
    fn add_one(&mut self);
    /// The rows themselves if they are bytes, which have a faster way to areas.
    fn bytes<const L: usize>(rows: &[Row<Self, L>]) -> Option<&[Row<u8, L>]>;
}

macro_rules! weight {
    ($($type:ty, $rows:ident => $bytes:expr;)*) => { $(
        impl Weight for $type {
            #[inline(always)]
            fn add_one(&mut self) {
                // It counts picks of one draw, and so fits.
                *self = self.wrapping_add(1);
            }

            #[inline(always)]
            fn bytes<const L: usize>($rows: &[Row<Self, L>]) -> Option<&[Row<u8, L>]> {
                $bytes
            }
        }
    )* };
}

weight! {
    u8, rows => Some(rows);
    u16, _rows => None;
    u32, _rows => None;
}

/// Some counts of a row as doubles.
#[inline(always)]
pub(super) fn doubles<W: Weight, const L: usize>(row: &Row<W, L>, strip: usize) -> Row<f64, STRIP> {
    let mut doubles = [0.0; STRIP];
    for (double, &weight) in doubles.iter_mut().zip(&row.0.as_chunks::<STRIP>().0[strip]) {
        *double = weight.into();
    }
    Row(doubles)
}
