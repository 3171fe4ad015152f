//! What can be wrong with a JSON text, and where: each fault says what, why and what to do.

use std::fmt;

use crate::limits;

/// A position in a file, counted from 1; columns count characters, as editors do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file's name as the caller gave it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A JSON text that was refused, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct ReadError {
    /// Where the fault is.
    pub place: Place,
    /// What the fault is.
    pub fault: ReadFault,
}

/// Why a JSON text was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadFault {
    /// More bytes than [`limits::DOCUMENT_BYTES`].
    #[error("the document has {0} bytes, more than the {max} that are read; split it", max = limits::DOCUMENT_BYTES)]
    TooLarge(usize),
    /// Deeper than [`limits::DOCUMENT_DEPTH`].
    #[error("nested deeper than {max} levels; flatten the document", max = limits::DOCUMENT_DEPTH)]
    TooDeep,
    /// More than [`limits::DOCUMENT_VALUES`].
    #[error(
        "more lists, objects and values than are read ({max}, a list or an object counted as sixteen); split the document",
        max = limits::DOCUMENT_VALUES
    )]
    TooMany,
    /// Starts with a byte-order mark.
    #[error("the file starts with a byte-order mark; save it as UTF-8 without BOM")]
    ByteOrderMark,
    /// Not UTF-8.
    #[error("this is not UTF-8; save the file as UTF-8")]
    NotUtf8,
    /// Nothing but white space.
    #[error("the document is empty; write one JSON value")]
    Empty,
    /// The text ends within a value.
    #[error("the text ends before the value does; is the file cut off, or is a closing bracket missing?")]
    Cut,
    /// More text after the value.
    #[error("text after the end of the document; a file holds one JSON value")]
    Trailing,
    /// `NaN` or an infinity.
    #[error("NaN and Infinity are not JSON; leave the field out or write null")]
    NotFinite,
    /// Half a surrogate pair.
    #[error("an escape of half a surrogate pair is no character; write the character itself")]
    Surrogate,
    /// Any other violation of the grammar, in the parser's words.
    #[error("{0}; the text is not JSON here")]
    Syntax(String),
    /// An object has the same key twice.
    #[error("duplicate key {0:?}; readers disagree about which one counts, so remove one")]
    DuplicateKey(String),
    /// Two keys became the same by NFC normalisation.
    #[error("duplicate key {0:?} once both spellings are NFC-normalised; remove one")]
    DuplicateKeyNfc(String),
    /// A key that a JSON library reserves for itself.
    #[error("the key {0:?} is reserved by a JSON library and can change what is read; rename it")]
    ReservedKey(String),
    /// An integer beyond ±(2^53−1).
    #[error("the number is beyond ±9007199254740991 and would not survive every reader; write it as a string")]
    IntegerTooLarge,
    /// A number too large for any reader.
    #[error("the number is out of range; write it as a string")]
    OutOfRange,
    /// A number so small that it reads as zero.
    #[error("the number is too small and would read as zero; write it as a string")]
    Underflow,
    /// A fraction so close to an integer that it reads as one.
    #[error("the number has more digits than a reader keeps and would read as an integer; write it as a string")]
    TooPrecise,
    /// A fraction of which a double keeps only the given part.
    #[error("a reader keeps only {0} of this number; write that, or the whole number as a string")]
    Rounded(String),
    /// A fraction in a signed document.
    #[error("fraction not allowed in a signed document; write it as a string")]
    Fraction,
    /// A signed document that is not spelled canonically.
    #[error("not the canonical spelling: {0}; the file was changed after signing, or its signer is not ours")]
    NotCanonical(Spelling),
}

impl ReadFault {
    /// Whether the text is sound JSON but not what a signer of ours writes: a matter of *altered*, not of bad input.
    #[must_use]
    pub const fn is_altered(&self) -> bool {
        matches!(self, Self::Fraction | Self::NotCanonical(_))
    }
}

/// In which way a spelling is not canonical.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// Text that is not NFC.
    NotNfc,
    /// An integer with a fraction, an exponent or a minus before zero.
    Integer,
    /// Key order, white space or escapes.
    Form,
}

impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotNfc => "text that is not NFC",
            Self::Integer => "an integer spelled with fraction, exponent or minus zero",
            Self::Form => "key order, white space or escapes differ from RFC 8785",
        })
    }
}
