//! The lattice of hybrids in plain characters: a Hasse drawing up to three sources, levels for four.

use super::signed_word;
use crate::judgment::result::Judgment;
use crate::judgment::source::Mask;

/// Draws the lattice, new endpoint on top, one line per row; `None` for more sources than stay readable. Receipts carry
/// a star, supersets of a receipt that fail carry an exclamation mark.
#[must_use]
pub fn lattice(judgment: &Judgment) -> Option<Vec<String>> {
    match judgment.sources.len() {
        k @ 1..=3 => Some(hasse(judgment, k)),
        4 => Some(levels(judgment, 4)),
        _ => None,
    }
}

/// `GN + approve *`.
fn node(judgment: &Judgment, failing: &[Mask], cell: Mask) -> String {
    let receipt = judgment.family().is_some_and(|f| f.contains(cell));
    let mark = if receipt {
        " *"
    } else if failing.contains(&cell) {
        " !"
    } else {
        ""
    };
    format!("{} {}{mark}", cell.label(&judgment.sources), signed_word(judgment, cell))
}

fn hasse(judgment: &Judgment, k: usize) -> Vec<String> {
    let failing = judgment.non_monotone();
    // Levels from the top. In a cube the middle levels are ordered so that straight lines and two crossings are enough:
    // GN GA NA above G N A.
    let rows: &[&[u32]] = match k {
        1 => &[&[1], &[0]],
        2 => &[&[3], &[1, 2], &[0]],
        _ => &[&[7], &[3, 5, 6], &[1, 2, 4], &[0]],
    };
    let texts: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|&m| node(judgment, &failing, Mask(m))).collect()).collect();
    let widest = texts.iter().flatten().map(|t| t.chars().count()).max().unwrap_or(0);
    let pitch = (widest + 3).max(12);
    // Columns of k = 2 lie left and right of the middle, those of k = 3 left of, on and right of it.
    let middle = widest / 2 + if k == 1 { 0 } else { pitch * (k - 1) / 2 };
    let column = |row: &[u32], i: usize| match row.len() {
        1 => middle,
        2 => middle + i * pitch - pitch / 2,
        _ => middle + i * pitch - pitch,
    };
    let mut lines = Vec::new();
    for (level, row) in rows.iter().enumerate() {
        if level > 0 {
            let above = rows[level - 1];
            let mut edges = Vec::new();
            for (i, &upper) in above.iter().enumerate() {
                for (j, &lower) in row.iter().enumerate() {
                    if Mask(lower).is_subset_of(Mask(upper)) {
                        edges.push((column(above, i), column(row, j)));
                    }
                }
            }
            lines.extend(draw(&edges));
        }
        let mut line = Line::default();
        for (i, text) in texts[level].iter().enumerate() {
            line.centre(column(row, i), text);
        }
        lines.push(line.text());
    }
    lines
}

/// Rows of characters that join upper to lower columns: a bracket where one node fans out, slanted lines between two
/// full levels.
fn draw(edges: &[(usize, usize)]) -> Vec<String> {
    let single = |ends: Vec<usize>| ends.windows(2).all(|w| w[0] == w[1]);
    if edges.len() > 1 && single(edges.iter().map(|e| e.0).collect()) {
        let outer = edges.iter().map(|e| e.1);
        return vec![bracket(edges[0].0, outer.clone().collect(), '.'), uprights(outer)];
    }
    if edges.len() > 1 && single(edges.iter().map(|e| e.1).collect()) {
        let outer = edges.iter().map(|e| e.0);
        return vec![uprights(outer.clone()), bracket(edges[0].1, outer.collect(), '\'')];
    }
    // Odd, so that crossing lines meet in the middle of a row.
    let height = if edges.len() == 1 { 1 } else { 5 };
    (0..height)
        .map(|y| {
            let mut line = Line::default();
            for &(from, to) in edges {
                // Rounded alike in both directions, so that the drawing is symmetric.
                let along = ((2 * y + 1) * from.abs_diff(to) + height) / (2 * height);
                let x = if to < from { from - along } else { from + along };
                let stroke = match to.cmp(&from) {
                    std::cmp::Ordering::Less => '/',
                    std::cmp::Ordering::Equal => '|',
                    std::cmp::Ordering::Greater => '\\',
                };
                line.stroke(x, stroke);
            }
            line.text()
        })
        .collect()
}

/// `.------+------.` with its middle under or over the one node.
fn bracket(middle: usize, outer: Vec<usize>, corner: char) -> String {
    let mut line = Line::default();
    let (first, last) = (outer.iter().min().copied().unwrap_or(middle), outer.iter().max().copied().unwrap_or(middle));
    for x in first..=last {
        line.put(x, '-');
    }
    line.put(middle, '+');
    line.put(first, corner);
    line.put(last, corner);
    line.text()
}

fn uprights(columns: impl Iterator<Item = usize>) -> String {
    let mut line = Line::default();
    columns.for_each(|x| line.put(x, '|'));
    line.text()
}

fn levels(judgment: &Judgment, k: usize) -> Vec<String> {
    let failing = judgment.non_monotone();
    let mut lines = Vec::new();
    for size in (0..=k).rev() {
        let row = (0..1_u32 << k).map(Mask).filter(|m| m.len() == size);
        let row: Vec<String> = row.map(|m| node(judgment, &failing, m)).collect();
        lines.push(format!("{size}  {}", row.join("   ")));
    }
    lines.push("An edge joins two sets that differ in one source.".to_owned());
    lines
}

/// One row of characters.
#[derive(Default)]
struct Line(Vec<char>);

impl Line {
    fn put(&mut self, x: usize, c: char) {
        if self.0.len() <= x {
            self.0.resize(x + 1, ' ');
        }
        self.0[x] = c;
    }

    /// Two strokes on one place make a crossing.
    fn stroke(&mut self, x: usize, c: char) {
        let there = self.0.get(x).copied().unwrap_or(' ');
        self.put(x, if there == ' ' || there == c { c } else { 'X' });
    }

    fn centre(&mut self, x: usize, text: &str) {
        let start = x.saturating_sub(text.chars().count() / 2);
        for (i, c) in text.chars().enumerate() {
            self.put(start + i, c);
        }
    }

    fn text(&self) -> String {
        self.0.iter().collect::<String>().trim_end().to_owned()
    }
}
