//! The casebook inside the program: the same files as `sample_cases`, so that a first start works anywhere.

use std::io::Read as _;

use decidendi_core::judgment::case::{Artifacts, Case, references};
use decidendi_core::judgment::walk::case_from_document;
use decidendi_core::seal::canon::read_input;
use decidendi_files::load::is_case_name;
use flate2::read::DeflateDecoder;

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// Paths of the shipped cases, the story first.
pub fn cases() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(path, _)| *path).filter(|path| is_case_name(path.rsplit('/').next().unwrap_or(path)))
}

/// Reads a shipped case with the files it refers to.
///
/// # Errors
/// What, where, why; a test keeps that from shipping.
pub fn read(path: &str) -> Result<Case, String> {
    let text = file(path).ok_or_else(|| format!("{path}: not shipped"))?;
    let document = read_input(path, text.as_bytes()).map_err(|e| e.to_string())?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut artifacts = Artifacts::new();
    for reference in references(&document.root) {
        if let Some(text) = file(&format!("{folder}/{}", reference.path)) {
            artifacts.insert(reference.path, text.as_bytes().to_vec());
        }
    }
    case_from_document(path, text.as_bytes(), document, &artifacts).map_err(|e| e.to_string())
}

/// Folders of the shipped studies.
pub fn studies() -> impl Iterator<Item = &'static str> {
    SCORES.iter().map(|(folder, _)| *folder)
}

/// The document of a shipped study.
#[must_use]
pub fn study(folder: &str) -> Option<&'static str> {
    file(&format!("{folder}/study.json"))
}

/// The score file of a shipped study.
///
/// # Errors
/// The bytes in the program are not those that were put there.
pub fn scores(folder: &str) -> std::io::Result<Vec<u8>> {
    let packed = SCORES.iter().find(|(name, _)| *name == folder).map_or(&[][..], |(_, packed)| *packed);
    let mut rows = Vec::new();
    DeflateDecoder::new(packed).read_to_end(&mut rows)?;
    Ok(rows)
}

fn file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use decidendi_core::judgment::walk::{Compiler, judge};
    use decidendi_core::watch::Unwatched;

    #[test]
    fn every_shipped_case_reads_and_judges() {
        let mut compiler = Compiler::default();
        assert!(super::cases().count() >= 57);
        for path in super::cases() {
            let case = super::read(path).unwrap();
            judge(&case, &mut compiler, &Unwatched).unwrap();
        }
    }
    #[test]
    fn every_shipped_study_holds_the_scores_of_its_sample() {
        let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample_cases");
        assert_eq!(super::studies().count(), 5);
        for folder in super::studies() {
            let rows = std::fs::read(samples.join(folder).join("scores.jsonl")).unwrap();
            assert!(super::scores(folder).unwrap() == rows, "{folder}");
            assert!(super::study(folder).is_some_and(|document| document.contains("asv-study@1")), "{folder}");
        }
    }
}
