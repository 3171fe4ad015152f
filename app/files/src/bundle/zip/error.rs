//! Why a zip file is refused, in words that say what it holds and what to do.

use super::{ENTRIES, RATIO};

/// Why a zip file is refused. Every variant is met before any entry's bytes are used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ZipError {
    /// No end record, or one that contradicts the file.
    #[error("not a whole zip file ({0}); fetch or export the bundle again")]
    Broken(&'static str),
    /// Text behind the end record, which every reader skips and some take for a second end.
    #[error(
        "the zip file carries a comment of {0} bytes, which a bundle never does; zip the files again without one, or ask for the bundle again"
    )]
    Comment(usize),
    /// An entry that the directory does not name: programs that read from the front unpack it all the same.
    #[error(
        "entry `{name}` at byte {at} is named by no directory, yet some programs unpack it; do not unpack it, ask for the bundle again"
    )]
    Hidden {
        /// The entry, control characters escaped.
        name: String,
        /// Where its header starts.
        at: usize,
    },
    /// Bytes that belong to nothing.
    #[error("{bytes} bytes from byte {at} on belong to no entry; do not unpack it, ask for the bundle again")]
    Gap {
        /// Where they start.
        at: usize,
        /// How many they are.
        bytes: usize,
    },
    /// A feature that a bundle never needs.
    #[error("entry `{name}` uses {what}, which a bundle never needs; export the bundle again")]
    Unsupported {
        /// The entry.
        name: String,
        /// What it uses.
        what: &'static str,
    },
    /// A name that could lead outside, or that no bundle has.
    #[error("entry `{name}` has a name that a bundle may not hold: {why}; do not unpack it, ask for the bundle again")]
    Name {
        /// The entry, control characters escaped.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The same name twice; also when only upper and lower case differ, because many file systems then keep one.
    #[error(
        "two entries are named `{0}` (letter case and Unicode form do not count); which one counts would be a guess; ask for the bundle again"
    )]
    Duplicate(String),
    /// Two entries share bytes of the file.
    #[error(
        "entry `{0}` overlaps another entry: made by hand to mislead, or to inflate without end; do not unpack it, ask for the bundle again"
    )]
    Overlap(String),
    /// Larger than any bundle.
    #[error("{what} is larger than the bound of {bound} bytes; hand on certificate and case as files instead")]
    TooLarge {
        /// The entry, or the bundle.
        what: String,
        /// The bound.
        bound: usize,
    },
    /// Inflates beyond all proportion.
    #[error(
        "entry `{0}` inflates more than {RATIO} times: a zip bomb, not a bundle; do not unpack it, ask for the bundle again"
    )]
    Bomb(String),
    /// More entries than a bundle can have.
    #[error(
        "{found} entries, more than the {ENTRIES} that a bundle can have; ask for the bundle without the other files"
    )]
    TooMany {
        /// How many.
        found: usize,
    },
    /// Content that does not match its own header.
    #[error("entry `{name}` is damaged: {why}; fetch or export the bundle again")]
    Damaged {
        /// The entry.
        name: String,
        /// What does not match.
        why: &'static str,
    },
}

impl ZipError {
    /// Whether the file is whole, but holds something beside what it shows: a check that failed, not a file that cannot be
    /// read.
    #[must_use]
    pub const fn is_altered(&self) -> bool {
        matches!(self, Self::Hidden { .. } | Self::Gap { .. })
    }
}
