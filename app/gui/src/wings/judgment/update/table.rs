//! The table: search, chips, order, saved views, and walking through what passes.

use crate::desk::Desk;
use crate::desk::state::Tone;
use crate::desk::wings::Route;
use crate::wings::judgment::command::TableCommand;
use crate::wings::judgment::state::{SavedView, SortBy};

impl Desk {
    pub(crate) fn on_table(&mut self, command: TableCommand) {
        match command {
            TableCommand::Open(row) => self.open_row(row),
            TableCommand::Shipped => self.open_shipped(),
            TableCommand::Behind => self.back_other_pages(),
            TableCommand::Search(text) => {
                self.note("search");
                self.state.wings.judgment.table.query.search = text;
                self.state.wings.judgment.refilter();
                self.state.wings.judgment.mark_shown();
            }
            TableCommand::Toggle(filter) => {
                self.note(&format!("filter “{}”", filter.words()));
                let filters = &mut self.state.wings.judgment.table.query.filters;
                match filters.iter().position(|f| *f == filter) {
                    Some(at) => {
                        filters.remove(at);
                    }
                    None => filters.push(filter),
                }
                self.state.wings.judgment.refilter();
                self.state.wings.judgment.mark_shown();
            }
            TableCommand::Sort(by) => {
                self.note("order of the table");
                let query = &mut self.state.wings.judgment.table.query;
                if query.sort != by {
                    (query.sort, query.descending) = (by, false);
                } else if query.descending {
                    (query.sort, query.descending) = (SortBy::Order, false);
                } else {
                    query.descending = true;
                }
                self.state.wings.judgment.refilter();
                self.state.wings.judgment.mark_shown();
            }
            TableCommand::Mark(row) => {
                self.state.wings.judgment.table.marked = Some(row);
                self.state.wings.judgment.table.reveal = true;
            }
            TableCommand::SaveView(name) => self.save_view(name),
            TableCommand::ApplyView(at) => {
                if let Some(view) = self.state.settings.views.get(at).cloned() {
                    self.note(&format!("view “{}”", view.name));
                    self.state.wings.judgment.table.query = view.query;
                    self.state.wings.judgment.refilter();
                    self.state.wings.judgment.mark_shown();
                }
            }
            TableCommand::ForgetView(at) => {
                if let Some(name) = self.state.settings.views.get(at).map(|v| v.name.clone()) {
                    self.note(&format!("forget view “{name}”"));
                    let view = self.state.settings.views.remove(at);
                    self.toast(Tone::Note, format!("View “{}” forgotten", view.name), None);
                    self.keep();
                }
            }
        }
    }

    fn save_view(&mut self, name: String) {
        let name = name.trim().to_owned();
        if name.is_empty() {
            return;
        }
        self.note(&format!("save view “{name}”"));
        let view = SavedView { name: name.clone(), query: self.state.wings.judgment.table.query.clone() };
        let views = &mut self.state.settings.views;
        match views.iter_mut().find(|v| v.name == name) {
            Some(old) => *old = view,
            None => views.push(view),
        }
        self.state.overlay = None;
        self.toast(Tone::Good, format!("View “{name}” saved"), None);
        self.keep();
    }

    pub(crate) fn clear_filters(&mut self) {
        self.note("clear all filters");
        self.state.wings.judgment.table.query.filters.clear();
        self.state.wings.judgment.table.query.search.clear();
        self.state.wings.judgment.refilter();
        self.state.wings.judgment.mark_shown();
    }

    /// Puts the cursor into the search field.
    pub(crate) fn find_case(&mut self) {
        self.go(Route::Judgments);
        self.state.wings.judgment.focus_search = true;
    }

    /// Opens the case that is marked.
    pub(crate) fn open_marked(&mut self) {
        if let Some(row) = self.state.wings.judgment.table.marked {
            self.open_row(row);
        }
    }

    /// One case on or back: in the list the mark moves, on the case page the next case opens. At the ends it stays.
    pub(crate) fn move_by(&mut self, by: isize) {
        let judgment = &self.state.wings.judgment;
        let order = &judgment.table.order;
        if order.is_empty() {
            self.toast(Tone::Note, "No case passes the filters", Some("Clear them with X in the list.".to_owned()));
            return;
        }
        let on_page = self.state.route == Route::Case;
        let here = if on_page { judgment.open.as_ref().map(|o| o.row) } else { judgment.table.marked };
        let place = here.and_then(|row| order.iter().position(|&r| r as usize == row));
        let next = match place {
            None => Some(0),
            Some(p) => p.checked_add_signed(by).filter(|&n| n < order.len()),
        };
        let Some(next) = next else {
            let what = if by > 0 { "This is the last case" } else { "This is the first case" };
            self.toast(Tone::Note, what, None);
            return;
        };
        let row = order[next] as usize;
        match self.state.route {
            Route::Case => self.open_row(row),
            Route::Judgments => self.on_table(TableCommand::Mark(row)),
            _ => {
                self.on_table(TableCommand::Mark(row));
                self.go(Route::Judgments);
            }
        }
    }

    /// The open case is the marked one of the list.
    pub(crate) fn mark_open(&mut self) {
        if let Some(open) = &self.state.wings.judgment.open {
            self.state.wings.judgment.table.marked = Some(open.row);
            self.state.wings.judgment.mark_shown();
        }
    }
}
