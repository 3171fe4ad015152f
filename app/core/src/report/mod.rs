//! Text, Markdown and JSON for people and scripts: the command line prints it, the window exports it. Every sentence is
//! built from executed facts of one judgment and cites the cells it rests on; nothing of another case can be in it.

mod account;
mod inspect;
mod lattice;
mod markdown;
mod plain;
pub mod step_value;
mod text;
pub mod verification;

#[cfg(test)]
mod tests;

pub use account::{Sentence, account, sandbox_account};
pub use inspect::{fault_fields, inspect_json, inspect_line, json_line};
pub use lattice::lattice;
pub use markdown::markdown;
pub use plain::{plain, plain_json, plain_lines};
pub use text::case_text;

use std::collections::BTreeMap;

use crate::judgment::result::{Fault, Judgment};
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

/// One fault with all hybrids that have it.
struct Group<'j> {
    fault: &'j Fault,
    cells: Vec<Mask>,
}

/// The faults of a judgment, each once, in the order in which they come first.
fn grouped(judgment: &Judgment) -> Vec<Group<'_>> {
    let mut places: BTreeMap<_, usize> = BTreeMap::new();
    let mut groups: Vec<Group<'_>> = Vec::new();
    for fault in &judgment.faults {
        let at = *places.entry((fault.source, &fault.field, &fault.reason)).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.cells.push(fault.cell),
            None => groups.push(Group { fault, cells: vec![fault.cell] }),
        }
    }
    groups
}

/// `cell G`, `cells G, GN and GA`, `all 8 cells`.
fn cells_in_words(cells: &[Mask], judgment: &Judgment) -> String {
    const SHOWN: usize = 8;
    if let [one] = cells {
        return format!("cell {}", one.label(&judgment.sources));
    }
    if cells.len() == judgment.cube.cells().len() {
        return format!("all {} cells", cells.len());
    }
    let mut labels: Vec<String> = cells.iter().take(SHOWN).map(|c| c.label(&judgment.sources)).collect();
    if cells.len() > SHOWN {
        labels.push(format!("{} more", cells.len() - SHOWN));
    }
    format!("cells {}", listed(&labels))
}

/// That a list of faults is full, and what it says nothing of.
fn full(judgment: &Judgment) -> Option<String> {
    let cells = count(judgment.unlisted()?, "more hybrid");
    Some(format!("The list ends at {} faults: {cells} without a verdict have none in it.", judgment.faults.len()))
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
