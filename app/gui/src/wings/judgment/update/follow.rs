//! Links to a case: following one.

use std::path::PathBuf;

use crate::desk::Desk;
use crate::desk::link::{CaseLink, SHIPPED};
use crate::desk::wings::Route;
use crate::wings::judgment::state::OpenNext;

impl Desk {
    /// Follows a link to a case: its casebook, its case, its tab and hybrid.
    pub(crate) fn follow_case(&mut self, link: CaseLink) {
        let here = self.state.wings.judgment.link_place();
        self.state.overlay = None;
        self.state.wings.judgment.arrive = Some((link.tab, link.cell));
        if link.place == here
            && let Some(row) = self.state.wings.judgment.library.find(&link.case)
        {
            self.open_row(row);
            return;
        }
        self.state.route = Route::Judgments;
        self.state.wings.judgment.open_next = Some(OpenNext::Id(link.case));
        self.read_book(if link.place == SHIPPED { None } else { Some(PathBuf::from(link.place)) });
    }
}
