//! Where the files of a bundle lie. An artifact's place follows from its role, so that a person who unpacks a bundle finds
//! under a name what was signed under it; what nobody signed has a folder of its own.

use std::collections::{BTreeMap, BTreeSet};

use decidendi_core::judgment::source::Version;

use super::{BundleError, CASE, LIST, SOURCES, UNSIGNED, ZipEntry};

/// Gives the sources of a case their files, in declared order.
#[derive(Debug, Default)]
pub(super) struct Places {
    stems: BTreeSet<String>,
    given: usize,
}

impl Places {
    /// The paths of the next source's versions, old and new.
    pub(super) fn next(&mut self, source: &str) -> [String; 2] {
        self.given += 1;
        let mut stem = crate::names::file_stem(source);
        // Two names that a file system could take for one are told apart by their number.
        if !self.stems.insert(stem.to_lowercase()) {
            stem = format!("{stem}%-{}", self.given);
        }
        Version::BOTH.map(|version| format!("{SOURCES}{stem}.{}.json", version.word()))
    }
}

/// The first artifact of a list that stands twice, without its other version, or in another place than its role's.
pub(super) fn first_misplaced<'a>(artifacts: impl Iterator<Item = (&'a str, &'a str)>) -> Option<String> {
    let artifacts: Vec<(&str, &str)> = artifacts.collect();
    let mut paths = BTreeMap::new();
    for (name, path) in &artifacts {
        if let Some(other) = paths.insert(*name, *path) {
            return Some(format!("`{name}` is listed twice, as `{other}` and as `{path}`"));
        }
    }
    let (first, sources) = artifacts.split_first()?;
    if first.0 != CASE {
        return Some(format!("`{CASE}` is not the first artifact"));
    }
    let mut places = Places::default();
    for pair in sources.chunks(2) {
        let name = pair[0].0;
        let Some(source) = name.strip_suffix(".old") else {
            return Some(match name.strip_suffix(".new") {
                Some(source) => format!("`{source}.old` is not listed in front of `{name}`"),
                None => format!("`{name}` is listed where the old version of a source is owed"),
            });
        };
        let names = Version::BOTH.map(|version| format!("{source}.{}", version.word()));
        for ((owed, path), found) in names.iter().zip(places.next(source)).zip([Some(&pair[0]), pair.get(1)]) {
            match found {
                Some((name, at)) if name == owed => {
                    if *at != path {
                        return Some(format!("`{owed}` is at `{at}`; its place is `{path}`"));
                    }
                }
                Some((name, _)) => return Some(format!("`{name}` is listed where `{owed}` is owed")),
                None => return Some(format!("`{owed}` is not listed")),
            }
        }
    }
    None
}

/// The names of the files that nobody signed, sorted, from what is left when all that is listed is taken away.
///
/// # Errors
/// The first that lies elsewhere.
pub(super) fn unsigned(left: Vec<ZipEntry>) -> Result<Vec<String>, BundleError> {
    let mut names = Vec::new();
    for ZipEntry { name, bytes } in left {
        // Other tools note folders as entries of their own; they hold nothing.
        let is_folder = name.ends_with('/') && bytes.is_empty();
        if name.starts_with(UNSIGNED) {
            if !is_folder {
                names.push(name);
            }
        } else if !(is_folder && name == SOURCES) {
            return Err(BundleError::Stray(name));
        }
    }
    names.sort();
    Ok(names)
}

/// The one folder that all entries lie in, if a bundle lies in it.
pub(super) fn common_folder(entries: &[ZipEntry]) -> Option<String> {
    let list = entries.iter().find_map(|entry| entry.name.strip_suffix(LIST))?;
    let folder = list.strip_suffix('/').filter(|folder| !folder.is_empty())?;
    entries.iter().all(|entry| entry.name.starts_with(list)).then(|| folder.to_owned())
}
