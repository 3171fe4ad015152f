//! The zip container of a bundle, as strict as a bundle needs: our own reader, because a general one hides what an
//! attack looks like (duplicate names collapse into one, overlapping entries are legal). Writing is deterministic.
//!
//! Supported: one disk, no zip64, no encryption, methods 0 (stored) and 8 (deflate). Everything else is refused. Every byte
//! belongs to an entry that the directory names, to the directory, or to the end record, so that all programs unpack the
//! same files.

mod error;
mod names;
mod read;
mod write;

pub use error::ZipError;
pub use names::check_name;
pub use read::read;
pub use write::write;

/// Most entries of a bundle: two per source, the certificate, the list, and room for unsigned extras.
pub const ENTRIES: usize = 4096;
/// Most bytes of one entry after inflation: the largest document that is read.
pub const ENTRY_BYTES: usize = decidendi_core::limits::DOCUMENT_BYTES;
/// Most bytes of all entries together after inflation.
pub const TOTAL_BYTES: usize = 4 * ENTRY_BYTES;
/// Largest inflation beyond the first MiB of an entry: honest JSON shrinks by 10 to 40 times, bombs by 1000.
pub const RATIO: usize = 200;

/// Whether bytes are those of a zip file, whatever the file is called.
#[must_use]
pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK")
}

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const STORED: u16 = 0;
const DEFLATE: u16 = 8;
/// General purpose bit 11: names are UTF-8.
const UTF8: u16 = 1 << 11;

/// One file of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZipEntry {
    /// Its path in the bundle, parts joined by `/`.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}
