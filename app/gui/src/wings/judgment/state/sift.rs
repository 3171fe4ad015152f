//! The table: filter, count, sort. Runs when something changes, never while drawing.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::{CaseRow, Filter, Judged, Query, SortBy, Summary};

/// The chips that a row answers to.
#[must_use]
pub fn filters_of(row: &CaseRow) -> Vec<Filter> {
    let mut out = Vec::with_capacity(7);
    match &row.judged {
        Judged::NotRun => out.push(Filter::Status("not run".to_owned())),
        Judged::Failed(_) => out.push(Filter::Status("failed".to_owned())),
        Judged::Done(summary) => {
            out.push(Filter::Status(summary.status.to_owned()));
            if let (Some(old), Some(new)) = (&summary.old, &summary.new) {
                out.push(Filter::Endpoints(old.to_string(), new.to_string()));
            }
            if summary.family.as_ref().is_some_and(|f| !f.is_empty()) {
                out.push(Filter::Family(summary.family_words.to_string()));
                out.push(Filter::Ambiguous(summary.is_ambiguous()));
            }
            if let Some(size) = summary.size() {
                out.push(Filter::Size(size));
            }
        }
    }
    out.push(Filter::Engine(row.engine.to_string()));
    if !row.unit.is_empty() {
        out.push(Filter::Unit(row.unit.to_string()));
    }
    out
}

/// Rows that pass, in order, and for each chip how many rows it would leave, given the chips of the other kinds.
#[must_use]
pub fn sift(rows: &[CaseRow], query: &Query) -> (Vec<u32>, BTreeMap<Filter, usize>) {
    let words: Vec<String> = query.search.split_whitespace().map(str::to_lowercase).collect();
    let kinds = {
        let mut kinds: Vec<&'static str> = query.filters.iter().map(Filter::kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    };
    let mut order = Vec::with_capacity(rows.len());
    let mut counts: BTreeMap<Filter, usize> = BTreeMap::new();
    for (place, row) in (0_u32..).zip(rows) {
        if !matches(row, &words) {
            continue;
        }
        let own = filters_of(row);
        let missed: Vec<&'static str> = kinds
            .iter()
            .copied()
            .filter(|kind| !own.iter().any(|f| f.kind() == *kind && query.filters.contains(f)))
            .collect();
        if missed.is_empty() {
            order.push(place);
        }
        if missed.len() <= 1 {
            for filter in own {
                if missed.first().is_none_or(|kind| *kind == filter.kind()) {
                    *counts.entry(filter).or_default() += 1;
                }
            }
        }
    }
    for filter in &query.filters {
        counts.entry(filter.clone()).or_default();
    }
    if query.sort != SortBy::Order {
        order.sort_by(|&a, &b| compare(&rows[a as usize], &rows[b as usize], query.sort).then(a.cmp(&b)));
    }
    if query.descending {
        order.reverse();
    }
    (order, counts)
}

fn matches(row: &CaseRow, words: &[String]) -> bool {
    words.iter().all(|word| {
        [row.title.as_str(), row.id.as_str(), &row.group, &row.unit]
            .iter()
            .any(|text| text.to_lowercase().contains(word))
    })
}

fn compare(a: &CaseRow, b: &CaseRow, by: SortBy) -> Ordering {
    const fn done(row: &CaseRow) -> Option<&Summary> {
        if let Judged::Done(summary) = &row.judged { Some(summary) } else { None }
    }
    let (one, two) = (done(a), done(b));
    match by {
        SortBy::Order => Ordering::Equal,
        SortBy::Title => a.title.cmp(&b.title),
        SortBy::Engine => a.engine.cmp(&b.engine),
        SortBy::Id => a.id.cmp(&b.id),
        SortBy::Unit => a.unit.cmp(&b.unit),
        SortBy::Certificate => (a.certificate as u8).cmp(&(b.certificate as u8)),
        SortBy::Verdicts => one.map(|s| (&s.old, &s.new)).cmp(&two.map(|s| (&s.old, &s.new))),
        SortBy::Family => one.map(|s| &s.family_words).cmp(&two.map(|s| &s.family_words)),
        SortBy::Size => one.and_then(Summary::size).cmp(&two.and_then(Summary::size)),
        SortBy::Multiplicity => one.and_then(Summary::multiplicity).cmp(&two.and_then(Summary::multiplicity)),
        SortBy::Status => one.map(|s| s.status).cmp(&two.map(|s| s.status)),
    }
}
