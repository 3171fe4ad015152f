//! Names of files that follow from ids.

use decidendi_core::seal::digest::Digest;

/// A file name for `id` that is safe on every system and different for different ids: bytes other than letters,
/// digits, `.`, `_`, `-` become `%XX`; a leading dot too.
#[must_use]
pub fn file_stem(id: &str) -> String {
    let mut stem = String::with_capacity(id.len());
    for (i, byte) in id.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || (byte == b'.' && i > 0);
        if plain { stem.push(char::from(byte)) } else { stem.push_str(&format!("%{byte:02X}")) }
    }
    // Names beyond what file systems take are cut, and told apart by their digest.
    if stem.len() > 150 {
        let digest = Digest::of(id.as_bytes()).hex();
        stem.truncate(120);
        stem.push_str("%-");
        stem.push_str(digest.get(..24).unwrap_or_default());
    }
    stem
}
