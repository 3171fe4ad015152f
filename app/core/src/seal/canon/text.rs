//! Unicode normalisation of text and keys.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The NFC form of `text`: the text itself in the ordinary case.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    // ASCII is always NFC, and nearly all text here is ASCII.
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        IsNormalized::No => Cow::Owned(text.nfc().collect()),
        IsNormalized::Maybe => {
            let normal: String = text.nfc().collect();
            if normal == text { Cow::Borrowed(text) } else { Cow::Owned(normal) }
        }
    }
}
