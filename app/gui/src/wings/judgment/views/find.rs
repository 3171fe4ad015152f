//! What the palette finds of the casebook: saved views, edges and columns of the open case, cases.

use crate::desk::command::Command;
use crate::desk::page::Hit;
use crate::desk::state::State;
use crate::desk::wings::Route;
use crate::theme::icons::Icon;
use crate::widgets::model::Edge;
use crate::wings::judgment::command::{CaseCommand, TableCommand};
use crate::wings::judgment::state::Column;

/// So many cases are listed.
const CASES: usize = 40;

/// Views, edges, columns and cases that answer to all these words.
pub fn found(state: &State, words: &[&str]) -> Vec<Hit> {
    let fits = |hit: &Hit| {
        let name = hit.name.to_lowercase();
        words.iter().all(|w| name.contains(w))
    };
    let mut hits: Vec<Hit> = named(state).into_iter().filter(fits).collect();
    let cases = state.wings.judgment.book.rows.iter().enumerate().filter(|(_, row)| {
        let (title, id) = (row.title.to_lowercase(), row.id.to_lowercase());
        words.iter().all(|w| title.contains(w) || id.contains(w))
    });
    hits.extend(cases.take(CASES).map(|(at, row)| Hit {
        rank: 4,
        icon: Icon::Rows,
        name: row.title.clone(),
        about: row.id.clone(),
        ask: vec![TableCommand::Open(at).into()],
    }));
    hits
}

/// What can be asked for and is no row of the table, since it depends on what is open.
fn named(state: &State) -> Vec<Hit> {
    let hit = |icon, name: String, about: &str, ask| Hit { rank: 0, icon, name, about: about.to_owned(), ask };
    let views = state.settings.views.iter().enumerate();
    let mut hits: Vec<Hit> = views
        .map(|(at, view)| {
            let ask = vec![Command::Go(Route::Judgments), TableCommand::ApplyView(at).into()];
            hit(Icon::Search, format!("View: {}", view.name), "Filters and order kept under this name", ask)
        })
        .collect();
    if let Some(open) = state.wings.judgment.open.as_ref().filter(|_| state.route == Route::Case) {
        hits.extend(open.case.sources().iter().enumerate().map(|(source, named)| {
            let edge = Edge::at(open.selected, source);
            let ask = vec![CaseCommand::Walk(Some((edge.base, edge.source))).into()];
            let name = format!("Walk the edge of {}", named.name);
            hit(Icon::Right, name, "Replace this one source in the selected hybrid", ask)
        }));
        let columns = [
            (Column::Sources, "Column: sources"),
            (Column::Picture, "Column: cube, lattice, table"),
            (Column::Account, "Column: account"),
        ];
        hits.extend(columns.map(|(column, name)| {
            let ask = vec![CaseCommand::Column(column).into()];
            hit(Icon::Right, name.to_owned(), "Where the columns are tabs", ask)
        }));
    }
    hits
}
