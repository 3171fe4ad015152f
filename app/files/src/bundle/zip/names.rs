//! Names of entries: what may stand in a bundle, and which two a file system could take for one.

use unicode_normalization::UnicodeNormalization;

use super::ZipError;

/// Names met so far, compared as the most forgetful file system would: without regard to case or Unicode form.
#[derive(Default)]
pub(super) struct Names(std::collections::BTreeSet<String>);

impl Names {
    pub(super) fn add(&mut self, name: &str) -> Result<(), ZipError> {
        let same: String = name.strip_suffix('/').unwrap_or(name).nfkc().flat_map(char::to_lowercase).collect();
        if self.0.insert(same) { Ok(()) } else { Err(ZipError::Duplicate(shown(name))) }
    }
}

/// A name is a relative path of plain parts that means the same on every system.
///
/// # Errors
/// [`ZipError::Name`].
pub fn check_name(name: &str) -> Result<(), ZipError> {
    let refuse = |why| Err(ZipError::Name { name: shown(name), why });
    match name {
        "" => return refuse("it is empty"),
        _ if name.chars().any(char::is_control) => return refuse("it holds a control character"),
        _ if name.starts_with(['/', '\\']) => return refuse("it is an absolute path"),
        _ if name.split(['/', '\\']).any(|part| part == "..") => return refuse("it leads out of the bundle"),
        _ if name.contains('\\') => return refuse("it holds a backslash"),
        _ if name.contains(':') => return refuse("it names a drive or a stream"),
        _ if name.len() > 250 => return refuse("it is longer than 250 bytes"),
        _ => {}
    }
    let parts = name.strip_suffix('/').unwrap_or(name).split('/');
    if parts.into_iter().any(|part| matches!(part, "" | ".")) {
        return refuse("it has an empty part");
    }
    Ok(())
}

/// A name for a message, characters that steer a terminal escaped.
pub(super) fn shown(name: &str) -> String {
    name.chars().take(80).flat_map(char::escape_default).collect()
}
