//! The machine's view of a judgment, keys in the order of the contract (docs/formats/inspect.md R1 to R11).

use crate::judgment::case::CompatibilityStep;
use crate::judgment::result::{Fault, Judgment};
use crate::judgment::verdict::Verdict;
use crate::seal::canon::write_canonical;
use crate::seal::json::Json;

/// What `inspect --json` says, as a value.
#[must_use]
pub fn inspect_json(judgment: &Judgment) -> Json {
    let cells = judgment.cube.cells().iter().map(|&cell| label(judgment, cell)).collect();
    Json::map(fields(judgment, Json::List(cells)))
}

/// [`inspect_json`] on one line. The cells, which can be 2^24, are written without making a value for each.
#[must_use]
pub fn inspect_line(judgment: &Judgment) -> String {
    let words: Vec<String> = judgment.labels.words().iter().map(|w| json_line(&Json::text(w))).collect();
    let mut line = String::from("{");
    for (key, value) in fields(judgment, Json::Null) {
        if line.len() > 1 {
            line.push_str(", ");
        }
        line.push_str(&json_line(&Json::text(key)));
        line.push_str(": ");
        if key != "cells" {
            push(&value, &mut line);
            continue;
        }
        line.push('[');
        for (i, cell) in judgment.cube.cells().iter().enumerate() {
            if i > 0 {
                line.push_str(", ");
            }
            line.push_str(cell.and_then(|v| words.get(v.index())).map_or("null", String::as_str));
        }
        line.push(']');
    }
    line.push('}');
    line
}

fn label(judgment: &Judgment, cell: Option<Verdict>) -> Json {
    cell.map_or(Json::Null, |v| Json::text(judgment.labels.word(v)))
}

/// All fields in the order of the contract.
fn fields(judgment: &Judgment, cells: Json) -> Vec<(&'static str, Json)> {
    let (old, new) = judgment.endpoints();
    let family = judgment.family();
    let number = |n: usize| Json::Int(i64::try_from(n).unwrap_or(i64::MAX));
    let set = |names: Vec<&str>| Json::List(names.into_iter().map(Json::text).collect());
    let receipts = family.as_ref().map_or(Json::Null, |family| {
        Json::List(family.members().iter().map(|m| set(m.names(&judgment.sources))).collect())
    });
    let mut fields = vec![
        ("case", Json::text(&judgment.case)),
        ("status", Json::text(judgment.outcome.word())),
        ("obtained", Json::text(judgment.obtained.word())),
        ("sources", Json::List(judgment.sources.iter().map(Json::text).collect())),
        ("cells", cells),
        ("endpoints", Json::List(vec![label(judgment, old), label(judgment, new)])),
        ("receipts", receipts),
        ("complexity", family.as_ref().and_then(|f| f.complexity()).map_or(Json::Null, number)),
        ("multiplicity", family.as_ref().map_or(Json::Null, |f| number(f.multiplicity()))),
        ("ambiguous", family.as_ref().map_or(Json::Null, |f| Json::Bool(f.is_ambiguous()))),
        ("executed", Json::Int(i64::try_from(judgment.executed).unwrap_or(i64::MAX))),
    ];
    fields.extend(fault_fields(judgment));
    fields
}

/// The list of faults; where it is full, also of how many cells it says nothing.
#[must_use]
pub fn fault_fields(judgment: &Judgment) -> Vec<(&'static str, Json)> {
    let faults = judgment.faults.iter().map(|fault| fault_json(judgment, fault)).collect();
    let mut fields = vec![("faults", Json::List(faults))];
    if let Some(cells) = judgment.unlisted() {
        fields.push(("unlisted", Json::Int(i64::try_from(cells).unwrap_or(i64::MAX))));
    }
    fields
}

/// A value as JSON on one line, keys in their order, with a space after `:` and `,` for the eye.
#[must_use]
pub fn json_line(json: &Json) -> String {
    let mut line = String::new();
    push(json, &mut line);
    line
}

fn fault_json(judgment: &Judgment, fault: &Fault) -> Json {
    let source = fault.source.and_then(|(i, _)| judgment.sources.get(i));
    let mut fields = vec![
        ("cell", Json::Int(i64::from(fault.cell.0))),
        ("source", source.map_or(Json::Null, Json::text)),
        ("field", fault.field.as_ref().map_or(Json::Null, Json::text)),
        ("reason", Json::text(&fault.reason)),
    ];
    if let Some(place) = &fault.place {
        let number = |n: u32| Json::Int(i64::from(n));
        let place = [("file", Json::text(&place.file)), ("line", number(place.line)), ("column", number(place.column))];
        fields.push(("place", Json::map(place)));
    }
    if let Some(step) = fault.repair.first() {
        fields.push(("repair", step.to_json()));
    }
    if fault.repair.len() > 1 {
        fields.push(("repairs", Json::List(fault.repair.iter().map(CompatibilityStep::to_json).collect())));
    }
    Json::map(fields)
}

fn push(json: &Json, line: &mut String) {
    match json {
        Json::List(items) => {
            line.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    line.push_str(", ");
                }
                push(item, line);
            }
            line.push(']');
        }
        Json::Map(fields) => {
            line.push('{');
            for (i, (key, value)) in fields.iter().enumerate() {
                if i > 0 {
                    line.push_str(", ");
                }
                push(&Json::text(key), line);
                line.push_str(": ");
                push(value, line);
            }
            line.push('}');
        }
        leaf => {
            let mut bytes = Vec::new();
            write_canonical(leaf, &mut bytes);
            line.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
}
