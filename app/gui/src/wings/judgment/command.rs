//! What casebook, table and case page can be asked.

use decidendi_core::judgment::source::{Mask, Version};
use decidendi_core::seal::json::{Json, JsonPath};

use crate::shared::secret::Secret;

use super::state::{CaseTab, Column, Filter, SortBy};

/// Commands of the table of judgments.
#[derive(Debug, Clone, PartialEq)]
pub enum TableCommand {
    /// Open the case of a row.
    Open(usize),
    /// Open the casebook that ships with the program, and its first case.
    Shipped,
    /// Read the shipped casebook behind what was opened first on another page, so that its cases are at hand.
    Behind,
    /// Search text.
    Search(String),
    /// Switch one filter chip on or off.
    Toggle(Filter),
    /// Sort by a column; a second time turns the order.
    Sort(SortBy),
    /// Mark a row of the filtered list.
    Mark(usize),
    /// Save filters and order under a name.
    SaveView(String),
    /// Apply a saved view.
    ApplyView(usize),
    /// Forget a saved view.
    ForgetView(usize),
}

/// Commands of the case page.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseCommand {
    /// Select a hybrid: toggles, cube corner, lattice node and table row are one selection.
    Select(Mask),
    /// Take the other version of a source.
    Flip(usize),
    /// Cube, lattice or table.
    Tab(CaseTab),
    /// Which column is on top where the three are tabs.
    Column(Column),
    /// Show only what differs.
    OnlyDifferences(bool),
    /// Turn the cube to an angle: yaw and pitch, in radians.
    Turn(f32, f32),
    /// Open or close the minimality proof of a receipt.
    Expand(Mask),
    /// Walk an edge: replace one source in a hybrid; `None` steps off.
    Walk(Option<(Mask, usize)>),
    /// Show the full trace, or only its decisive part.
    FullTrace(bool),
    /// Open a long value or a subtree in place, by a key that the page chooses.
    Unfold(String),
    /// Edit a value in the sandbox (opens one if there is none).
    Edit {
        /// The source.
        source: usize,
        /// Which version.
        version: Version,
        /// Where in its body.
        path: JsonPath,
        /// The new value.
        value: Json,
    },
    /// Certify the case, with the passphrase of the key if it was asked for.
    Certify(Option<Secret>),
    /// Bring back the sandbox that was closed last.
    ReopenSandbox,
    /// Close the sandbox.
    CloseSandbox,
    /// What is being typed into a value of the sandbox, by the same key as [`CaseCommand::Unfold`].
    EditDraft(String, String),
}
