//! What the page works out once per judgment and not in every frame.

use super::notes;
use super::notes::Note;
use crate::widgets::cells::Special;
use crate::widgets::diff;
use crate::widgets::diff::Rows;
use crate::widgets::model::Board;
use crate::wings::judgment::state::OpenCase;
use decidendi_core::judgment::case::Case;
use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::source::Version;
use decidendi_core::report::{self, Sentence};
use egui::{Context, Id};
use std::sync::Arc;

/// Everything that follows from the case and its shown judgment.
pub(super) struct Prepared {
    case: Arc<Case>,
    /// The judgment on the screen: the sandbox's while one is open.
    pub judgment: Arc<Judgment>,
    /// What cube and lattice draw; `None` beyond six sources.
    pub board: Option<Board>,
    /// Receipts and failing supersets.
    pub special: Special,
    /// The account's sentences.
    pub sentences: Vec<Sentence>,
    /// What reading and executing found odd.
    pub notes: Vec<Note>,
    /// Per source: the rows that differ, and all rows.
    pub rows: Vec<[Rows; 2]>,
    edits: Option<usize>,
}

impl Prepared {
    /// The page of the last frame, or a new one when case, judgment or edits changed.
    pub(super) fn of(ctx: &Context, open: &OpenCase) -> Arc<Self> {
        let id = Id::unique("case page, prepared");
        let shown = open.shown();
        // The sandbox itself is replaced at each edit, so its address tells edits apart.
        let edits = open.sandbox.as_ref().map(|s| Arc::as_ptr(&s.sandbox) as usize);
        let last: Option<Arc<Self>> = ctx.data(|d| d.get_temp(id));
        if let Some(last) =
            last.filter(|l| Arc::ptr_eq(&l.case, &open.case) && Arc::ptr_eq(&l.judgment, shown) && l.edits == edits)
        {
            return last;
        }
        let new = Arc::new(Self::new(open, Arc::clone(shown), edits));
        ctx.data_mut(|d| d.insert_temp(id, Arc::clone(&new)));
        new
    }

    fn new(open: &OpenCase, judgment: Arc<Judgment>, edits: Option<usize>) -> Self {
        let rows = (0..open.case.k())
            .map(|i| {
                let body = |version| {
                    let edited = open.sandbox.as_ref().and_then(|s| s.sandbox.body(i, version));
                    edited.or_else(|| open.case.body(i, version).map(|b| &b.json))
                };
                match (body(Version::Old), body(Version::New)) {
                    (Some(old), Some(new)) => {
                        let tree = diff::diff(old, new);
                        [diff::rows(&tree, true), diff::rows(&tree, false)]
                    }
                    _ => [Rows::default(), Rows::default()],
                }
            })
            .collect();
        // Of the edited values while a sandbox is judged, else of the case.
        let sentences = match open.sandbox.as_ref().filter(|s| s.judgment.is_some()) {
            Some(sandboxed) => report::sandbox_account(&sandboxed.sandbox, &judgment),
            None => report::account(&open.case, &judgment),
        };
        Self {
            case: Arc::clone(&open.case),
            board: Board::of(&judgment),
            special: Special::of(&judgment),
            notes: notes::of(open, &judgment),
            judgment,
            sentences,
            rows,
            edits,
        }
    }

    /// Rows of one source.
    pub(super) fn rows(&self, source: usize, only_differences: bool) -> Option<&Rows> {
        self.rows.get(source).map(|pair| &pair[usize::from(!only_differences)])
    }

    /// Names of what differs in the sources of a set, for one line.
    pub(super) fn changed_names(&self, set: decidendi_core::judgment::source::Mask) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for rows in set.members().filter_map(|i| self.rows.get(i)) {
            for name in &rows[0].names {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
        names
    }
}
