//! What cube, lattice and table show of a judgment: one corner per hybrid with its mark, receipt ring and warning.

use super::verdict::{Look, Mark};
use decidendi_core::judgment::result::{Judgment, Obtained};
use decidendi_core::judgment::source::Mask;

/// Most sources that are drawn as a lattice; beyond, the table and the family list tell more.
pub const DRAWN: usize = 6;

/// One hybrid as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corner {
    /// `∅`, `GN`, or `1·3`.
    pub label: String,
    /// Its verdict.
    pub mark: Mark,
    /// Whether it is a member of the receipt family: gold ring.
    pub receipt: bool,
    /// Whether it holds a receipt and yet fails to reproduce the new verdict.
    pub broken: bool,
}

/// All corners of a cube of at most [`DRAWN`] sources, by mask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// Source names as they are shown, in declared order.
    pub axes: Vec<String>,
    /// Corners by mask: 2^k of them.
    pub corners: Vec<Corner>,
}

/// An edge of the cube: `base` with and without `source` replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The hybrid that keeps the source's old version.
    pub base: Mask,
    /// The source that is replaced along the edge.
    pub source: usize,
}

impl Edge {
    /// The edge from `cell` along `source`, whichever end `cell` is.
    #[must_use]
    pub const fn at(cell: Mask, source: usize) -> Self {
        Self { base: if cell.contains(source) { cell.toggled(source) } else { cell }, source }
    }

    /// The end that takes the revised version.
    #[must_use]
    pub const fn top(self) -> Mask {
        self.base.toggled(self.source)
    }
}

/// The look of a judgment's cells.
#[must_use]
pub const fn look(obtained: Obtained) -> Look {
    match obtained {
        Obtained::Executed => Look::Executed,
        Obtained::Recorded => Look::Recorded,
    }
}

/// The mark of one cell.
#[must_use]
pub fn mark(judgment: &Judgment, cell: Mask) -> Mark {
    Mark::of(judgment.word(cell), look(judgment.obtained))
}

impl Board {
    /// The board of a judgment; `None` beyond [`DRAWN`] sources.
    #[must_use]
    pub fn of(judgment: &Judgment) -> Option<Self> {
        let k = judgment.sources.len();
        if k > DRAWN {
            return None;
        }
        let family = judgment.family().unwrap_or_default();
        let broken = judgment.non_monotone();
        let corners = (0..1_u32 << k)
            .map(Mask)
            .map(|cell| Corner {
                label: cell.label(&judgment.sources),
                mark: mark(judgment, cell),
                receipt: family.contains(cell),
                broken: broken.contains(&cell),
            })
            .collect();
        Some(Self { axes: judgment.sources.iter().map(|n| capital(n)).collect(), corners })
    }

    /// k.
    #[must_use]
    pub const fn k(&self) -> usize {
        self.axes.len()
    }

    /// The corner of a hybrid.
    #[must_use]
    pub fn corner(&self, cell: Mask) -> Option<&Corner> {
        self.corners.get(cell.0 as usize)
    }

    /// All edges, by source, then by base.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        (0..self.k()).flat_map(move |source| {
            (0..self.corners.len() as u32)
                .map(Mask)
                .filter(move |m| !m.contains(source))
                .map(move |base| Edge { base, source })
        })
    }

    /// Whether the verdict differs across an edge. An end that did not run flips nothing.
    #[must_use]
    pub fn flips(&self, edge: Edge) -> bool {
        let (Some(a), Some(b)) = (self.corner(edge.base), self.corner(edge.top())) else { return false };
        a.mark.look != Look::NotRun && b.mark.look != Look::NotRun && a.mark.word != b.mark.word
    }

    /// Whether some verdict of the board looks like this.
    #[must_use]
    pub fn has(&self, look: Look) -> bool {
        self.corners.iter().any(|c| c.mark.look == look)
    }

    /// The distinct marks, in order of first appearance; not-run cells left out.
    #[must_use]
    pub fn marks(&self) -> Vec<&Mark> {
        let mut seen: Vec<&Mark> = Vec::new();
        for corner in &self.corners {
            if corner.mark.look != Look::NotRun && !seen.contains(&&corner.mark) {
                seen.push(&corner.mark);
            }
        }
        seen.sort_by_key(|m| m.meaning);
        seen
    }

    /// Name of a corner for a screen reader.
    #[must_use]
    pub fn corner_name(&self, cell: Mask) -> String {
        let Some(corner) = self.corner(cell) else { return String::new() };
        let mut name = format!("Corner {}: {}", corner.label, corner.mark.name());
        if corner.receipt {
            name.push_str(", receipt");
        }
        if corner.broken {
            name.push_str(", holds a receipt yet fails");
        }
        name
    }

    /// Name of an edge for a screen reader.
    #[must_use]
    pub fn edge_name(&self, edge: Edge) -> String {
        let side = |cell| self.corner(cell).map(|c| (c.label.as_str(), c.mark.word.as_str())).unwrap_or_default();
        let ((a, before), (b, after)) = (side(edge.base), side(edge.top()));
        let axis = self.axes.get(edge.source).map_or("", String::as_str);
        format!("Edge {a} to {b}: replaces {axis}, {before} to {after}")
    }
}

/// A source's name with a capital: how heads and axes show it.
#[must_use]
pub fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
