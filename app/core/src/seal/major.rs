//! The major version behind the `@` or `/v` of a format's name.

use std::cmp::Ordering;

/// A declared major version against the one that is read: equal, older or newer. `None` for text that is no version in
/// its one spelling, so that `01` and `+1` are not `1`.
#[must_use]
pub fn compare(declared: &str, read: u32) -> Option<Ordering> {
    let digits = declared.bytes().all(|b| b.is_ascii_digit());
    if !digits || declared.is_empty() || (declared.starts_with('0') && declared.len() > 1) {
        return None;
    }
    // Digits that do not fit are a version that no reader of today knows.
    Some(declared.parse::<u32>().map_or(Ordering::Greater, |version| version.cmp(&read)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_has_one_spelling() {
        for (declared, order) in [
            ("1", Some(Ordering::Equal)),
            ("2", Some(Ordering::Greater)),
            ("99999999999999999999", Some(Ordering::Greater)),
            ("0", Some(Ordering::Less)),
        ] {
            assert_eq!(compare(declared, 1), order, "{declared}");
        }
        for text in ["", "01", "+1", "-1", " 1", "1.0", "1 ", "x", "١"] {
            assert_eq!(compare(text, 1), None, "{text:?}");
        }
    }
}
