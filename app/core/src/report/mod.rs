//! Text, Markdown and JSON for people and scripts: the command line prints it, the window exports it. Every sentence is
//! built from executed facts of one judgment and cites the cells it rests on; nothing of another case can be in it.

mod account;
mod inspect;
mod lattice;
mod markdown;
mod text;

#[cfg(test)]
mod tests;

pub use account::{Sentence, account};
pub use inspect::{inspect_json, inspect_line, json_line};
pub use lattice::lattice;
pub use markdown::markdown;
pub use text::case_text;

use std::borrow::Cow;

use crate::judgment::result::Judgment;
use crate::judgment::source::Mask;
use crate::judgment::verdict::Meaning;

/// What a cell without a verdict is called.
pub const NOT_RUN: &str = "not run";

/// The sign beside a verdict's word, so that nothing depends on colour.
#[must_use]
pub const fn sign(meaning: Meaning) -> char {
    match meaning {
        Meaning::Approve => '+',
        Meaning::Deny => '-',
        Meaning::Refer => '?',
        Meaning::Other => '#',
    }
}

/// Sign and word of a cell.
#[must_use]
pub fn signed_word(judgment: &Judgment, cell: Mask) -> String {
    judgment
        .word(cell)
        .map_or_else(|| format!(". {NOT_RUN}"), |word| format!("{} {}", sign(Meaning::of(word)), plain(word)))
}

/// Text from a document, made safe for a terminal: control characters and characters that reorder text are shown as
/// escapes, so that a title can neither move the cursor nor make a verdict read backwards.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if steers(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Supersets of a receipt that fail to reproduce the new verdict, ascending. Closing the family upwards source by
/// source takes k·2^k steps; asking every cell for every receipt would take hours for twenty sources.
fn failing_supersets(judgment: &Judgment) -> Vec<Mask> {
    let Some(family) = judgment.family().filter(|f| f.multiplicity() > 0) else { return Vec::new() };
    let cells = judgment.cube.cells();
    let mut holds = vec![false; cells.len()];
    for member in family.members() {
        if let Some(slot) = holds.get_mut(member.0 as usize) {
            *slot = true;
        }
    }
    for source in 0..judgment.sources.len() {
        for pair in holds.chunks_exact_mut(2 << source) {
            let (without, with) = pair.split_at_mut(1 << source);
            with.iter_mut().zip(without).for_each(|(upper, lower)| *upper |= *lower);
        }
    }
    let (_, new) = judgment.endpoints();
    let failing = holds.into_iter().zip(cells).zip(0..).filter(|&((held, &cell), _)| held && cell != new);
    failing.map(|(_, mask)| Mask(mask)).collect()
}

/// `1 receipt`, `2 receipts`.
fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// `a`, `a and b`, `a, b and c`.
fn listed<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [head @ .., last] => {
            format!("{} and {}", head.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", "), last.as_ref())
        }
    }
}
