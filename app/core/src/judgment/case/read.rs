//! From a strictly read document to a [`Case`]: references resolved, sets sorted, shape checked (docs/formats/case.md
//! C1 to C11).

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::compatibility::CompatibilityStep;
use super::error::{CaseError, CaseFault, Place};
use super::reference::{Artifacts, Origin, references, resolve};
use super::source::{Body, Engine, Source};
use super::{Case, Contract, normalise};
use crate::judgment::source::Role;
use crate::judgment::verdict::Labels;
use crate::legible::is_legible;
use crate::limits;
use crate::seal::canon::{Document, Notice, canonical_with_parts};
use crate::seal::digest::Digest;
use crate::seal::document::note_unknown;
use crate::seal::json::{Json, JsonPath, Step};
use crate::seal::major;

/// Reads a case from a strictly read document. `bytes` are the document's own, to tell line and column of a fault.
///
/// # Errors
/// Every fault of shape, with its place, what is wrong and what to do.
pub fn read(file: &str, bytes: &[u8], document: Document, artifacts: &Artifacts) -> Result<Case, CaseError> {
    let Document { mut root, mut notices } = document;
    let origin = Origin { file, bytes, artifacts, references: references(&root) };
    check_format(&root, &origin)?;
    within_bounds(&origin)?;
    for reference in &origin.references {
        resolve(&mut root, reference, &origin, &mut notices)?;
    }
    normalise::sort_sets(&mut root, &mut notices);
    build(root, notices).map_err(|fault| CaseError::Shape { place: origin.place(&fault.path), fault })
}

/// The document and what it refers to, each reference counted, before any of it is read.
fn within_bounds(origin: &Origin<'_>) -> Result<(), CaseError> {
    let mut bytes = origin.bytes.len();
    for reference in &origin.references {
        bytes = bytes.saturating_add(origin.artifacts.get(&reference.path).map_or(0, Vec::len));
        if bytes > limits::DOCUMENT_BYTES {
            let what = "with this reference followed the case is too large";
            let help = format!(
                "At most {} bytes are read, each reference counted, also of one file: shorten the files, or split the case.",
                limits::DOCUMENT_BYTES
            );
            let fault = CaseFault::new(reference.at.clone(), what, help);
            return Err(CaseError::Shape { place: origin.stands(reference), fault });
        }
    }
    Ok(())
}

/// Builds a case from a document that is already resolved.
pub(in crate::judgment) fn rebuild(file: &str, document: Json) -> Result<Case, CaseError> {
    let place = |_: &JsonPath| Place { file: file.to_owned(), line: 1, column: 1 };
    build(document, Vec::new()).map_err(|fault| CaseError::Shape { place: place(&fault.path), fault })
}

fn check_format(root: &Json, origin: &Origin<'_>) -> Result<(), CaseError> {
    let shape = |path: JsonPath, what: String, help: &str| CaseError::Shape {
        place: origin.place(&path),
        fault: CaseFault::new(path, what, help),
    };
    let top = JsonPath::default();
    let Some(format) = root.get("format").and_then(Json::as_text) else {
        let help = "A case starts with \"format\": \"decidendi/case@1\".";
        return Err(shape(top, "This is not a case: `format` is missing".to_owned(), help));
    };
    match format.strip_prefix("decidendi/case@").and_then(|version| major::compare(version, 1)) {
        Some(Ordering::Equal) => Ok(()),
        Some(Ordering::Greater) => {
            Err(CaseError::Unsupported { place: origin.place(&top.key("format")), format: format.to_owned() })
        }
        _ => {
            let help = "A case is wanted: \"format\": \"decidendi/case@1\".";
            Err(shape(top.key("format"), format!("`{format}` is another kind of document"), help))
        }
    }
}

/// The value at a path.
pub(in crate::judgment) fn slot<'d>(root: &'d mut Json, path: &JsonPath) -> Option<&'d mut Json> {
    path.0.iter().try_fold(root, |here, step| match (here, step) {
        (Json::Map(fields), Step::Key(key)) => fields.iter_mut().find(|(k, _)| k == key).map(|(_, v)| v),
        (Json::List(items), Step::At(index)) => items.get_mut(*index),
        _ => None,
    })
}

const TOP: [&str; 13] = [
    "format",
    "id",
    "unit",
    "title",
    "summary",
    "question",
    "tags",
    "provenance",
    "context",
    "adjudicator",
    "interface",
    "sources",
    "compatibility",
];
const SOURCE: [&str; 7] = ["name", "role", "old", "new", "label_old", "label_new", "note"];

fn build(mut document: Json, mut notices: Vec<Notice>) -> Result<Case, CaseFault> {
    let top = JsonPath::default();
    note_unknown(&document, &TOP, &top, &mut notices);
    let id = read_id(&document)?;
    let (engine, recorded) = read_adjudicator(&document, &mut notices)?;
    for key in ["interface", "context"] {
        if let Some(other) = document.get(key).filter(|value| value.as_map().is_none()) {
            return Err(CaseFault::kind(&top.key(key), "an object", other));
        }
    }
    for key in ["unit", "title", "summary", "question"] {
        if let Some(other) = document.get(key).filter(|value| value.as_text().is_none()) {
            return Err(CaseFault::kind(&top.key(key), "text", other));
        }
    }
    let labels = read_labels(document.get("interface"))?;
    let declared = read_sources(&document, engine, &mut notices)?;
    let compatibility = read_compatibility(&document, &declared, &mut notices)?;
    let (canonical, digests) = digest_parts(&document);
    if canonical.len() > limits::DOCUMENT_BYTES {
        let what = format!("the case with its referenced files has {} bytes", canonical.len());
        return Err(CaseFault::new(top, what, format!("At most {} are read: split the case.", limits::DOCUMENT_BYTES)));
    }
    let contract = Contract {
        interface: digests.interface.unwrap_or_else(|| Digest::of(b"{}")),
        adjudicator: digests.adjudicator.unwrap_or_else(|| Digest::of(b"{}")),
        compatibility: digests.compatibility.unwrap_or_else(|| Digest::of(b"[]")),
    };
    // The parts are moved out, not copied: most of a case's cost is its allocations.
    let mut take = |path: &JsonPath| slot(&mut document, path).map(|part| std::mem::replace(part, Json::Null));
    let interface = take(&top.key("interface")).unwrap_or_else(|| Json::Map(Vec::new()));
    let context = match take(&top.key("context")) {
        Some(Json::Map(fields)) => fields,
        _ => Vec::new(),
    };
    let mut sources = Vec::with_capacity(declared.len());
    for (i, (source, [old, new])) in declared.into_iter().zip(digests.bodies).enumerate() {
        let at = top.key("sources").at(i);
        let mut body = |key: &str, digest| Body { json: take(&at.key(key)).unwrap_or(Json::Null), digest };
        sources.push(Source { old: body("old", old), new: body("new", new), ..source });
    }
    Ok(Case {
        frame: document,
        digest: Digest::of(&canonical),
        canonical,
        contract,
        id,
        context,
        engine,
        recorded,
        interface,
        labels,
        sources,
        compatibility,
        notices,
    })
}

/// Digests of the parts of a document that a certificate binds one by one.
struct PartDigests {
    interface: Option<Digest>,
    adjudicator: Option<Digest>,
    compatibility: Option<Digest>,
    bodies: Vec<[Digest; 2]>,
}

/// Canonical bytes of the document, and the digests of its parts taken from slices of them.
fn digest_parts(document: &Json) -> (Vec<u8>, PartDigests) {
    let named = ["interface", "adjudicator", "compatibility"].map(|key| document.get(key));
    let sources = document.get("sources").and_then(Json::as_list).unwrap_or_default();
    let bodies = sources.iter().flat_map(|source| [source.get("old"), source.get("new")]);
    let parts: Vec<&Json> = named.into_iter().chain(bodies).flatten().collect();
    let (bytes, ranges) = canonical_with_parts(document, &parts);
    let mut digests = ranges.into_iter().map(|range| Digest::of(&bytes[range]));
    let mut named = named.map(|part| part.and_then(|_| digests.next()));
    let digests: Vec<Digest> = digests.collect();
    let parts = PartDigests {
        interface: named[0].take(),
        adjudicator: named[1].take(),
        compatibility: named[2].take(),
        bodies: digests.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
    };
    (bytes, parts)
}

/// A key of the document is missing.
fn lacks(document: &Json, key: &str) -> CaseFault {
    CaseFault::missing_in(document, &JsonPath::default(), key, &TOP)
}

fn read_id(document: &Json) -> Result<String, CaseFault> {
    let top = JsonPath::default();
    let value = document.get("id").ok_or_else(|| lacks(document, "id"))?;
    let id = value.as_text().ok_or_else(|| CaseFault::kind(&top.key("id"), "text", value))?;
    let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if id.is_empty() || id.len() > 128 || id.starts_with('.') || !plain {
        let help = "An id names files: use 1 to 128 letters, digits, `.`, `_` or `-`, not starting with a dot.";
        return Err(CaseFault::new(top.key("id"), format!("`{}` cannot be an id", id.escape_debug()), help));
    }
    Ok(id.to_owned())
}

fn read_adjudicator(document: &Json, notices: &mut Vec<Notice>) -> Result<(Engine, Vec<String>), CaseFault> {
    let at = JsonPath::default().key("adjudicator");
    let value = document.get("adjudicator").ok_or_else(|| lacks(document, "adjudicator"))?;
    let word = value.get("engine").ok_or_else(|| CaseFault::missing_in(value, &at, "engine", &["cells"]))?;
    let word = word.as_text().ok_or_else(|| CaseFault::kind(&at.key("engine"), "text", word))?;
    let engine =
        Engine::of(word).ok_or_else(|| CaseFault::word(at.key("engine"), word, &["rules", "logic", "table"]))?;
    let known: &[&str] = if engine == Engine::Table { &["engine", "cells"] } else { &["engine"] };
    note_unknown(value, known, &at, notices);
    if engine != Engine::Table {
        return Ok((engine, Vec::new()));
    }
    let at = at.key("cells");
    let cells = value.get("cells").ok_or_else(|| {
        let help = "Give the recorded verdict of every hybrid in mask order.";
        CaseFault::new(at.clone(), "engine `table` needs its `cells`", help)
    })?;
    let cells = cells.as_list().ok_or_else(|| CaseFault::kind(&at, "a list of labels", cells))?;
    let recorded = cells
        .iter()
        .enumerate()
        .map(|(i, cell)| cell.as_text().map(str::to_owned).ok_or_else(|| CaseFault::kind(&at.at(i), "a label", cell)));
    Ok((engine, recorded.collect::<Result<_, _>>()?))
}

fn read_labels(interface: Option<&Json>) -> Result<Labels, CaseFault> {
    let at = JsonPath::default().key("interface").key("verdicts");
    let Some(value) = interface.and_then(|i| i.get("verdicts")) else { return Ok(Labels::default()) };
    let list = value.as_list().ok_or_else(|| CaseFault::kind(&at, "a list of labels", value))?;
    let words = list
        .iter()
        .enumerate()
        .map(|(i, word)| word.as_text().map(str::to_owned).ok_or_else(|| CaseFault::kind(&at.at(i), "a label", word)));
    let words = words.collect::<Result<Vec<_>, _>>()?;
    Labels::new(words).map_err(|fault| {
        let at = fault.at().map_or_else(|| at.clone(), |index| at.at(index));
        CaseFault::new(at, fault.to_string(), fault.help())
    })
}

/// Reads what is declared of each source; the bodies follow when they are moved out of the document.
fn read_sources(document: &Json, engine: Engine, notices: &mut Vec<Notice>) -> Result<Vec<Source>, CaseFault> {
    let at = JsonPath::default().key("sources");
    let value = document.get("sources").ok_or_else(|| lacks(document, "sources"))?;
    let list = value.as_list().ok_or_else(|| CaseFault::kind(&at, "a list of sources", value))?;
    if list.is_empty() || list.len() > limits::SOURCES {
        let what = format!("{} sources are declared", list.len());
        return Err(CaseFault::new(at, what, format!("Declare 1 to {} sources.", limits::SOURCES)));
    }
    let mut seen = BTreeSet::new();
    let mut sources = Vec::with_capacity(list.len());
    for (i, entry) in list.iter().enumerate() {
        let here = at.at(i);
        note_unknown(entry, &SOURCE, &here, notices);
        let source = read_source(entry, engine, &here)?;
        if !seen.insert(source.name.clone()) {
            let what = format!("two sources are called `{}`", source.name);
            return Err(CaseFault::new(here.key("name"), what, "Give each source its own name."));
        }
        sources.push(source);
    }
    if engine != Engine::Table {
        for role in [Role::Grounds, Role::Norms, Role::Authority] {
            if !sources.iter().any(|s| s.role == Some(role)) {
                let what = format!("engine `{}` needs a source in the role `{}`", engine.word(), role.word());
                return Err(CaseFault::new(at, what, "Declare it, with equal versions if it did not change."));
            }
        }
    }
    Ok(sources)
}

fn read_source(entry: &Json, engine: Engine, at: &JsonPath) -> Result<Source, CaseFault> {
    let name = entry.get("name").ok_or_else(|| CaseFault::missing_in(entry, at, "name", &SOURCE))?;
    let name = name.as_text().ok_or_else(|| CaseFault::kind(&at.key("name"), "text", name))?;
    let plain = name.chars().all(|c| c.is_alphanumeric() || "._- ".contains(c));
    if !is_legible(name) || name.len() > 64 || !plain {
        let help = "Use at most 64 bytes of letters, digits, single spaces between them, `.`, `_` or `-`.";
        return Err(CaseFault::new(at.key("name"), format!("`{}` cannot name a source", name.escape_debug()), help));
    }
    let role = match entry.get("role") {
        None => Role::of_name(name),
        Some(word) => {
            let found = word.as_text().ok_or_else(|| CaseFault::kind(&at.key("role"), "text", word))?;
            let roles = [Role::Grounds, Role::Norms, Role::Authority];
            let role = roles.into_iter().find(|r| r.word() == found);
            Some(role.ok_or_else(|| CaseFault::word(at.key("role"), found, &["grounds", "norms", "authority"]))?)
        }
    };
    if engine != Engine::Table && role.is_none() {
        let what = format!("the role of source `{name}` is not declared");
        let help = "Add \"role\": \"grounds\", \"norms\" or \"authority\".";
        return Err(CaseFault::new(at.clone(), what, help));
    }
    for key in ["old", "new"] {
        let value = entry.get(key).ok_or_else(|| CaseFault::missing_in(entry, at, key, &SOURCE))?;
        if engine != Engine::Table && value.as_map().is_none() {
            return Err(CaseFault::kind(&at.key(key), "an object", value));
        }
        // References were followed before; one that is left names no file, or stands in a referenced file itself.
        if value.get("$ref").is_some() {
            let what = "this reference was not followed";
            let help = "Write \"$ref\": \"relative/path\" in the case itself, or the value inline.";
            return Err(CaseFault::new(at.key(key).key("$ref"), what, help));
        }
    }
    let empty = Body { json: Json::Null, digest: Digest([0; 32]) };
    let display = |key: &str| match entry.get(key) {
        None => Ok(None),
        Some(Json::Text(text)) => Ok(Some(text.clone())),
        Some(other) => Err(CaseFault::kind(&at.key(key), "text", other)),
    };
    Ok(Source {
        name: name.to_owned(),
        role: role.filter(|_| engine != Engine::Table),
        old: empty.clone(),
        new: empty,
        label_old: display("label_old")?,
        label_new: display("label_new")?,
        note: display("note")?,
    })
}

fn read_compatibility(
    document: &Json,
    sources: &[Source],
    notices: &mut Vec<Notice>,
) -> Result<Vec<CompatibilityStep>, CaseFault> {
    let at = JsonPath::default().key("compatibility");
    let Some(value) = document.get("compatibility") else { return Ok(Vec::new()) };
    let list = value.as_list().ok_or_else(|| CaseFault::kind(&at, "a list of steps", value))?;
    if list.len() > limits::STEPS {
        let what = format!("{} compatibility steps are declared", list.len());
        return Err(CaseFault::new(at, what, format!("Declare at most {}.", limits::STEPS)));
    }
    let mut steps = Vec::with_capacity(list.len());
    for (i, entry) in list.iter().enumerate() {
        let step = CompatibilityStep::read(entry, &at.at(i))?;
        note_unknown(entry, step.action.fields(), &at.at(i), notices);
        if !sources.iter().any(|s| s.name == step.source) {
            let names: Vec<&str> = sources.iter().map(|s| s.name.as_str()).collect();
            return Err(CaseFault::word(at.at(i).key("source"), &step.source, &names));
        }
        steps.push(step);
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use crate::judgment::walk::open_case;

    fn refused(from: &str, to: &str) -> String {
        let sound = r#"{"format": "decidendi/case@1", "id": "a", "adjudicator": {"engine": "table", "cells": ["deny", "deny"]},
 "interface": {"verdicts": ["approve", "deny"]}, "sources": [{"name": "x", "old": 1, "new": 2}]}"#;
        let text = sound.replace(from, to);
        assert_ne!(text, sound, "{from}");
        open_case("a.json", text.as_bytes(), &Default::default()).expect_err("no case").to_string()
    }

    #[test]
    fn label_lists_say_what_is_wrong_with_them() {
        let labels = |list: &str| refused(r#"["approve", "deny"]}"#, &format!("{list}}}"));
        assert_eq!(
            labels(r#"["pass", "pass"]"#),
            "a.json:2:37: interface.verdicts[1]: the label `pass` is listed twice. List each label once."
        );
        assert_eq!(labels("[]"), "a.json:2:16: interface.verdicts: no label is listed. List 1 to 255 labels.");
        let many: Vec<String> = (0..256).map(|n| format!("\"l{n}\"")).collect();
        assert!(labels(&format!("[{}]", many.join(","))).ends_with("256 labels are listed. List 1 to 255 labels."));
        assert!(labels(r#"["deny "]"#).ends_with(
            "interface.verdicts[0]: the label \"deny \" is blank, or has blanks at its ends, a doubled blank or a hidden character. \
             Write words with single blanks between them."
        ));
    }

    #[test]
    fn a_missing_key_names_its_misspelling() {
        assert_eq!(
            refused("adjudicator", "adjudikator"),
            "a.json:1:1: `adjudicator` is missing. Is `adjudikator` a slip for it? Then correct that; else add `adjudicator`."
        );
        assert!(refused("\"name\"", "\"nmae\"").contains("`name` is missing. Is `nmae` a slip for it?"));
        assert!(
            refused("\"table\"", "\"tabel\"").contains("`tabel` is not known here. Is `table` meant? Use one of: ")
        );
        assert!(refused("\"id\": \"a\", ", "").ends_with("`id` is missing. Add `id`."));
    }
}
