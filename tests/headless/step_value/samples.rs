//! The shipped studies: what they say is what was written down when they were made, on every platform.

use std::fs;
use std::path::{Path, PathBuf};

use decidendi_core::report::step_value::step_value_json;
use decidendi_core::seal::digest::Digest;
use decidendi_core::step_value::face::Turn;
use decidendi_core::step_value::inference::Sampling;
use decidendi_core::step_value::study::Origin;
use decidendi_core::step_value::walk::analyse;
use decidendi_core::watch::Unwatched;
use decidendi_files::study::{is_study, load_study};

fn folders() -> Vec<PathBuf> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_cases");
    let mut found: Vec<PathBuf> =
        fs::read_dir(samples).unwrap().map(|e| e.unwrap().path()).filter(|p| is_study(p)).collect();
    found.sort();
    found
}

#[test]
fn every_study_gives_the_same_bytes_as_when_it_was_shipped() {
    let folders = folders();
    assert!(folders.len() >= 3);
    for folder in folders {
        let loaded = load_study(&folder, &Unwatched).unwrap_or_else(|e| panic!("{e}"));
        assert!(loaded.study.notices.is_empty(), "{}: {:?}", folder.display(), loaded.study.notices);
        assert!(folder.join("README.md").is_file());
        let named = folder.to_string_lossy().contains("simulated");
        assert_eq!(loaded.study.origin == Origin::Simulated, named, "a simulated study says so in its name");
        let report = analyse(&loaded.study, &loaded.scores, Sampling::default(), &Unwatched).unwrap();
        let mut text = String::new();
        step_value_json(&loaded.study, &loaded.scores, &report, &[], &mut |piece| text.push_str(piece));
        let _: serde_json::Value = serde_json::from_str(&text).unwrap();
        let file = folder.join("expected").join("report.sha256");
        let expected = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(expected.trim(), Digest::of(text.as_bytes()).to_string(), "{}", file.display());
    }
}

#[test]
fn the_simulated_population_has_the_shape_it_teaches() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_cases/90-step-value-simulated");
    let loaded = load_study(&folder, &Unwatched).unwrap();
    let report = analyse(&loaded.study, &loaded.scores, Sampling::default(), &Unwatched).unwrap();
    assert_eq!((loaded.study.transitions.len(), loaded.study.trajectories.len(), report.complete()), (1100, 100, 1004));
    let contrast = &report.contrasts[0];
    assert_eq!(contrast.flips(Turn::PositiveToNegative), 240);
    assert_eq!(contrast.flips(Turn::NegativeToPositive), 267);
    assert!((contrast.omega.unwrap().estimate.value + 0.323).abs() < 1e-3);
    assert!(contrast.is_strict_mean_reversal());
    assert!((contrast.crossing().unwrap() - 0.505).abs() < 1e-3);
}
