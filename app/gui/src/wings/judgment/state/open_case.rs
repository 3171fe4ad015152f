//! The open case: one selection that toggles, cube, lattice, table and trace share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Format;
use crate::widgets::model::DRAWN;
use decidendi_core::judgment::case::Case;
use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::sandbox::Sandbox;
use decidendi_core::judgment::source::Mask;
use decidendi_core::judgment::trace::Trace;
use decidendi_core::seal::digest::Digest;

/// The middle column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum CaseTab {
    /// The judgment cube.
    #[default]
    Cube,
    /// The lattice of replacements.
    Lattice,
    /// Every hybrid as a row.
    Table,
}

/// The three columns, where only one at a time fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Column {
    /// What changed.
    Sources,
    /// What happens.
    #[default]
    Picture,
    /// Why.
    Account,
}

/// The angle of the cube, in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// Around the upright axis.
    pub yaw: f32,
    /// Up and down.
    pub pitch: f32,
}

impl Default for Turn {
    fn default() -> Self {
        Self { yaw: 0.42, pitch: 0.26 }
    }
}

/// The sandbox: edited values, judged apart, never certified.
#[derive(Debug, Clone)]
pub struct Sandboxed {
    /// The edited copy.
    pub sandbox: Arc<Sandbox>,
    /// Its judgment; `None` while it is being executed.
    pub judgment: Option<Arc<Judgment>>,
    /// Trace of the selected hybrid in the sandbox.
    pub trace: Option<Arc<Trace>>,
    /// Why the last edit was refused.
    pub refused: Option<String>,
    /// What is being typed, by the key that the page chose for the value.
    pub drafts: BTreeMap<String, String>,
}

/// The open case.
#[derive(Debug, Clone)]
pub struct OpenCase {
    /// Its row in the casebook.
    pub row: usize,
    /// The case.
    pub case: Arc<Case>,
    /// Its digest as it was loaded; an exchange of old and new leaves it.
    pub digest: Digest,
    /// Its judgment.
    pub judgment: Arc<Judgment>,
    /// The selected hybrid.
    pub selected: Mask,
    /// Trace of the selected hybrid; `None` while it runs.
    pub trace: Option<Arc<Trace>>,
    /// Cube, lattice or table.
    pub tab: CaseTab,
    /// Which column is on top where the three are tabs.
    pub column: Column,
    /// Only what differs.
    pub only_differences: bool,
    /// Receipts whose minimality proof is open.
    pub expanded: BTreeSet<Mask>,
    /// Long values and subtrees that are open in place, by the page's own keys.
    pub unfolded: BTreeSet<String>,
    /// The edge that is walked: from this hybrid, by replacing this source.
    pub edge: Option<(Mask, usize)>,
    /// The cube's angle.
    pub turn: Turn,
    /// The whole trace instead of its decisive part.
    pub full_trace: bool,
    /// Old and new were exchanged for looking.
    pub swapped: bool,
    /// The sandbox, while it is open.
    pub sandbox: Option<Sandboxed>,
}

impl OpenCase {
    /// A case just opened.
    #[must_use]
    pub fn new(row: usize, case: Arc<Case>, judgment: Arc<Judgment>, trace: Option<Arc<Trace>>) -> Self {
        let selected = trace.as_ref().map_or(Mask::EMPTY, |t| t.cell);
        let tab = match case.k() {
            1..=3 => CaseTab::Cube,
            4..=6 => CaseTab::Lattice,
            _ => CaseTab::Table,
        };
        Self {
            row,
            digest: case.digest(),
            case,
            judgment,
            selected,
            trace,
            tab,
            column: Column::default(),
            only_differences: true,
            expanded: BTreeSet::new(),
            unfolded: BTreeSet::new(),
            edge: None,
            turn: Turn::default(),
            full_trace: false,
            swapped: false,
            sandbox: None,
        }
    }

    /// Whether the page can be written in a format; `Err` says why not and what to do.
    ///
    /// # Errors
    /// The reason, in words.
    pub fn exportable(&self, format: Format) -> Result<(), &'static str> {
        match format {
            Format::Markdown if self.sandbox.is_some() => Err("The sandbox is open. Close it first."),
            Format::Svg | Format::Png if self.case.k() > DRAWN => {
                Err("Beyond six sources there is no picture; export the account.")
            }
            _ => Ok(()),
        }
    }

    /// What is on the screen: the sandbox's judgment while one is open and judged, else the case's.
    #[must_use]
    pub fn shown(&self) -> &Arc<Judgment> {
        self.sandbox.as_ref().and_then(|s| s.judgment.as_ref()).unwrap_or(&self.judgment)
    }

    /// The trace on the screen: the sandbox's while one is open.
    #[must_use]
    pub fn shown_trace(&self) -> Option<&Arc<Trace>> {
        match &self.sandbox {
            Some(sandbox) => sandbox.trace.as_ref(),
            None => self.trace.as_ref(),
        }
    }
}
