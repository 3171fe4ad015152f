//! Line ends that something converted on the way, as git does with `core.autocrlf`: every digest differs then, and nobody
//! altered anything.

use sha2::{Digest as _, Sha256};

use super::digest::Digest;

/// What to say of a file whose line ends are its only difference.
pub const CONVERTED: &str = "it differs in its line ends alone: something converted them to CR LF on the way, as git does with \
                             core.autocrlf. Get the files again without that (git -c core.autocrlf=false clone)";

/// A text without the carriage returns before its line feeds; `None` where it has none.
#[must_use]
pub fn with_line_feeds(text: &[u8]) -> Option<Vec<u8>> {
    let mut restored = Vec::with_capacity(text.len());
    for (i, &byte) in text.iter().enumerate() {
        if byte != b'\r' || text.get(i + 1) != Some(&b'\n') {
            restored.push(byte);
        }
    }
    (restored.len() < text.len()).then_some(restored)
}

/// The digest that a text had before its line ends were converted, taken piece by piece.
#[derive(Debug, Default)]
pub struct Restored {
    hash: Sha256,
    is_open: bool,
}

impl Restored {
    /// Takes the next piece.
    pub fn feed(&mut self, piece: &[u8]) {
        for part in piece.split_inclusive(|&byte| byte == b'\r') {
            if std::mem::take(&mut self.is_open) && part.first() != Some(&b'\n') {
                self.hash.update(b"\r");
            }
            let bare = part.strip_suffix(b"\r");
            self.is_open = bare.is_some();
            self.hash.update(bare.unwrap_or(part));
        }
    }

    /// The digest.
    #[must_use]
    pub fn digest(mut self) -> Digest {
        if self.is_open {
            self.hash.update(b"\r");
        }
        Digest(self.hash.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_feeds_come_back_and_nothing_else_changes() {
        for (text, restored) in
            [("a\r\nb\r\n", "a\nb\n"), ("a\r\r\n\rb\r", "a\r\n\rb\r"), ("\r\n", "\n"), ("a\nb\r", "a\nb\r"), ("", "")]
        {
            let found = with_line_feeds(text.as_bytes());
            assert_eq!(found.as_deref(), (text != restored).then_some(restored.as_bytes()), "{text:?}");
            for size in 1..=4 {
                let mut pieces = Restored::default();
                text.as_bytes().chunks(size).for_each(|piece| pieces.feed(piece));
                assert_eq!(pieces.digest(), Digest::of(restored.as_bytes()), "{text:?} by {size}");
            }
        }
    }
}
