//! Puts the shipped casebook into the program: every JSON file below `sample_cases` except what tests expect of it, and
//! the score files of its studies.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::DeflateEncoder;

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../sample_cases");
    println!("cargo::rerun-if-changed={}", root.display());
    let root = fs::canonicalize(root)?;
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let (scores, files): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.ends_with("scores.jsonl"));
    let mut code = String::from("/// Path inside the casebook, and text.\npub const FILES: &[(&str, &str)] = &[\n");
    for file in files {
        let name = file
            .strip_prefix(&root)
            .map_or_else(|_| file.display().to_string(), |p| p.to_string_lossy().replace('\\', "/"));
        writeln!(code, "    ({name:?}, include_str!({:?})),", file.display().to_string()).map_err(io::Error::other)?;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    // Scores are ten times as long as what they hold.
    code.push_str("];\n\n/// Folder of a study inside the casebook, and its score file, deflated.\npub const SCORES: &[(&str, &[u8])] = &[\n");
    for (number, file) in scores.into_iter().enumerate() {
        let folder =
            file.parent().and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let packed = out.join(format!("scores-{number}.deflate"));
        let mut encoder = DeflateEncoder::new(fs::File::create(&packed)?, Compression::best());
        encoder.write_all(&fs::read(&file)?)?;
        encoder.finish()?;
        writeln!(code, "    ({folder:?}, include_bytes!({:?})),", packed.display().to_string())
            .map_err(io::Error::other)?;
    }
    code.push_str("];\n");
    fs::write(out.join("shipped.rs"), code)
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            if name != "expected" {
                collect(&path, into)?;
            }
        } else if name.ends_with(".json") || name == "scores.jsonl" {
            into.push(path);
        }
    }
    Ok(())
}
