//! Case files, written to a folder and opened as the command line opens them.

use std::fs;

use decidendi_core::judgment::case::{CaseError, Place};
use decidendi_core::judgment::walk::Compiler;
use decidendi_core::report::inspect_json;
use decidendi_core::seal::canon::canonical;
use decidendi_core::watch::Unwatched;
use decidendi_files::io::IoError;
use decidendi_files::load::{LoadError, Loaded, load_case};

use super::file::{Found, Vector, variant};
use super::json;

/// Opens and judges the body.
pub fn run(vector: &Vector) -> Found {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("case");
    fs::create_dir(&folder).unwrap();
    // A reference that leads out would find this one.
    fs::write(outer.path().join("old.json"), "{\"days\": 16}\n").unwrap();
    for (name, bytes) in vector.files("case.json") {
        fs::write(folder.join(name), bytes).unwrap();
    }
    let path = folder.join("case.json");
    let shown = path.display().to_string();
    let mut found = match load_case(&path) {
        Ok(loaded) => judged(&loaded),
        Err(error) => refused(&error),
    };
    // Messages name the file as it was given; a vector knows only its last part.
    found.text = found.text.replace(&shown, "case.json").replace(&folder.display().to_string(), "FOLDER");
    if let Some(file) = &mut found.file
        && *file == shown
    {
        "case.json".clone_into(file);
    }
    found
}

fn judged(loaded: &Loaded) -> Found {
    let mut notices: Vec<String> = loaded.case.notices().iter().map(|n| format!("{}: {}", n.path, n.text)).collect();
    match loaded.judge(&mut Compiler::default(), &Unwatched) {
        Err(error) => refused(&error),
        Ok(judgment) => {
            let result = inspect_json(&judgment);
            let uncertifiable = judgment.family().is_none();
            notices.extend(judgment.remarks.iter().map(|r| format!("{}: {}", r.path, r.text)));
            notices
                .extend(judgment.faults.iter().map(|f| format!("{}: {}", f.field.as_deref().unwrap_or(""), f.reason)));
            Found {
                word: judgment.outcome.word().to_owned(),
                value: Some(String::from_utf8(canonical(&result)).unwrap()),
                exit: if uncertifiable { 3 } else { 0 },
                notices,
                ..Found::default()
            }
        }
    }
}

/// A case that was not opened, or that its engine does not read.
pub fn refused(error: &LoadError) -> Found {
    let word = match error {
        LoadError::Case(CaseError::Read(error)) => return json::refused(error),
        LoadError::Case(CaseError::Shape { .. }) => "shape".to_owned(),
        LoadError::Case(CaseError::Unsupported { .. }) => "unsupported".to_owned(),
        LoadError::Case(CaseError::MissingReference { .. }) => "missing-file".to_owned(),
        LoadError::Reference { error, .. } | LoadError::Io(error) => match error {
            IoError::Missing(_) => "missing-file".to_owned(),
            other => variant(other),
        },
        other => variant(other),
    };
    let found = Found::refused(word, error.to_string(), 2);
    match error.place() {
        Some(Place { file, line, column }) => found.at(file, *line, *column),
        None => found,
    }
}
