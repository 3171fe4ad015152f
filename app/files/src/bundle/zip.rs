//! The zip container of a bundle, as strict as a bundle needs: our own reader, because a general one hides what an
//! attack looks like (duplicate names collapse into one, overlapping entries are legal). Writing is deterministic.
//!
//! Supported: one disk, no zip64, no encryption, methods 0 (stored) and 8 (deflate). Everything else is refused.

use std::io::Read;

use flate2::Crc;
use flate2::read::DeflateDecoder;
use unicode_normalization::UnicodeNormalization;

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
const END_BYTES: usize = 22;
/// 1980-01-01 00:00, the zero of the format: a bundle has no time of its own.
const DOS_DATE: u16 = 0x0021;
const STORED: u16 = 0;
const DEFLATE: u16 = 8;
/// General purpose bit 11: names are UTF-8.
const UTF8: u16 = 1 << 11;

/// Why a zip file is refused. Every variant is met before any entry's bytes are used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ZipError {
    /// No end record, or one that contradicts the file.
    #[error("not a whole zip file ({0}); fetch or export the bundle again")]
    Broken(&'static str),
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

/// One file of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZipEntry {
    /// Its path in the bundle, parts joined by `/`.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Writes entries as stored files in the order given, without times: the same entries give the same bytes everywhere.
///
/// # Errors
/// [`ZipError::TooLarge`], [`ZipError::TooMany`], [`ZipError::Name`] or [`ZipError::Duplicate`] for entries that [`read`] would refuse.
pub fn write(entries: &[ZipEntry]) -> Result<Vec<u8>, ZipError> {
    if entries.len() > ENTRIES {
        return Err(ZipError::TooMany { found: entries.len() });
    }
    let mut seen = Names::default();
    let (mut out, mut directory, mut total) = (Vec::new(), Vec::new(), 0_usize);
    for entry in entries {
        check_name(&entry.name)?;
        seen.add(&entry.name)?;
        total = total.saturating_add(entry.bytes.len());
        if entry.bytes.len() > ENTRY_BYTES || total > TOTAL_BYTES {
            return Err(ZipError::TooLarge { what: format!("entry `{}`", entry.name), bound: ENTRY_BYTES });
        }
        let offset = narrow(out.len())?;
        let (size, name_len) = (narrow(entry.bytes.len())?, narrow16(entry.name.len())?);
        let mut crc = Crc::new();
        crc.update(&entry.bytes);
        let mut common = Vec::with_capacity(26);
        for half in [20, UTF8, STORED, 0, DOS_DATE] {
            common.extend_from_slice(&half.to_le_bytes());
        }
        for word in [crc.sum(), size, size] {
            common.extend_from_slice(&word.to_le_bytes());
        }
        common.extend_from_slice(&name_len.to_le_bytes());
        common.extend_from_slice(&0_u16.to_le_bytes());

        out.extend_from_slice(&LOCAL.to_le_bytes());
        out.extend_from_slice(&common);
        out.extend_from_slice(entry.name.as_bytes());
        out.extend_from_slice(&entry.bytes);

        directory.extend_from_slice(&CENTRAL.to_le_bytes());
        // Made by version 2.0 on Unix, so that the mode below says "ordinary file, readable by all".
        directory.extend_from_slice(&(3_u16 << 8 | 20).to_le_bytes());
        directory.extend_from_slice(&common);
        for half in [0_u16, 0, 0] {
            directory.extend_from_slice(&half.to_le_bytes());
        }
        directory.extend_from_slice(&(0o100_644_u32 << 16).to_le_bytes());
        directory.extend_from_slice(&offset.to_le_bytes());
        directory.extend_from_slice(entry.name.as_bytes());
    }
    let (start, length, count) = (narrow(out.len())?, narrow(directory.len())?, narrow16(entries.len())?);
    out.extend_from_slice(&directory);
    out.extend_from_slice(&END.to_le_bytes());
    for half in [0, 0, count, count] {
        out.extend_from_slice(&half.to_le_bytes());
    }
    for word in [length, start] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    out.extend_from_slice(&0_u16.to_le_bytes());
    Ok(out)
}

/// Reads every entry, or refuses the file as a whole.
///
/// # Errors
/// [`ZipError`], naming the entry and what is wrong with it.
pub fn read(bytes: &[u8]) -> Result<Vec<ZipEntry>, ZipError> {
    let end = find_end(bytes)?;
    let (count, directory) = (usize::from(half(bytes, end + 10)?), word(bytes, end + 16)? as usize);
    if half(bytes, end + 4)? != 0 || half(bytes, end + 6)? != 0 || usize::from(half(bytes, end + 8)?) != count {
        return Err(ZipError::Broken("it is split over several disks"));
    }
    if count > ENTRIES {
        return Err(ZipError::TooMany { found: count });
    }
    if directory.checked_add(word(bytes, end + 12)? as usize) != Some(end) {
        return Err(ZipError::Broken("the directory does not end where the end record says"));
    }
    let (mut at, mut seen, mut total) = (directory, Names::default(), 0_usize);
    let (mut entries, mut spans) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for _ in 0..count {
        let header = Header::read(bytes, at, end)?;
        at = header.next;
        seen.add(&header.name)?;
        total = total.saturating_add(header.size);
        if total > TOTAL_BYTES {
            return Err(ZipError::TooLarge { what: "the bundle".to_owned(), bound: TOTAL_BYTES });
        }
        let (start, data) = header.data(bytes, directory)?;
        spans.push((start, data.start + data.len(), header.name.clone()));
        entries.push((header, data));
    }
    if at != end {
        return Err(ZipError::Broken("the directory holds more than its entries"));
    }
    spans.sort();
    if let Some(pair) = spans.windows(2).find(|pair| pair[1].0 < pair[0].1) {
        return Err(ZipError::Overlap(pair[1].2.clone()));
    }
    entries.into_iter().map(|(header, data)| header.inflate(&bytes[data])).collect()
}

/// One line of the central directory, checked against the local header.
struct Header {
    name: String,
    method: u16,
    crc: u32,
    packed: usize,
    size: usize,
    offset: usize,
    next: usize,
}

impl Header {
    fn read(bytes: &[u8], at: usize, end: usize) -> Result<Self, ZipError> {
        if word(bytes, at)? != CENTRAL {
            return Err(ZipError::Broken("the directory is damaged"));
        }
        let lengths = [at + 28, at + 30, at + 32].map(|p| half(bytes, p));
        let [name_len, extra, comment] = lengths;
        let (name_len, extra, comment) = (usize::from(name_len?), usize::from(extra?), usize::from(comment?));
        let next = at + 46 + name_len + extra + comment;
        if next > end {
            return Err(ZipError::Broken("the directory runs past its end"));
        }
        let raw = bytes.get(at + 46..at + 46 + name_len).unwrap_or_default();
        let name = std::str::from_utf8(raw)
            .map_err(|_| ZipError::Name { name: shown(&String::from_utf8_lossy(raw)), why: "it is not UTF-8" })?;
        check_name(name)?;
        let header = Self {
            name: name.to_owned(),
            method: half(bytes, at + 10)?,
            crc: word(bytes, at + 16)?,
            packed: word(bytes, at + 20)? as usize,
            size: word(bytes, at + 24)? as usize,
            offset: word(bytes, at + 42)? as usize,
            next,
        };
        let unsupported = |what| Err(ZipError::Unsupported { name: header.name.clone(), what });
        // The upper half holds a Unix mode when the entry was made there; a mode of 0 says nothing.
        let kind = word(bytes, at + 38)? >> 16 & 0o170_000;
        match (half(bytes, at + 8)?, header.method) {
            (flags, _) if flags & (1 | 1 << 6 | 1 << 13) != 0 => return unsupported("encryption"),
            (_, STORED | DEFLATE) => {}
            _ => return unsupported("an unknown compression"),
        }
        if kind == 0o120_000 {
            return unsupported("a symbolic link");
        }
        // Other tools note folders; they hold nothing.
        let folder = kind == 0o040_000 && header.name.ends_with('/') && header.size == 0;
        if kind != 0 && kind != 0o100_000 && !folder {
            return unsupported("a special file");
        }
        if header.packed == u32::MAX as usize || header.size == u32::MAX as usize || header.offset == u32::MAX as usize
        {
            return unsupported("zip64");
        }
        if header.size > ENTRY_BYTES {
            return Err(ZipError::TooLarge { what: format!("entry `{}`", header.name), bound: ENTRY_BYTES });
        }
        if header.size > (1 << 20) + header.packed.saturating_mul(RATIO) {
            return Err(ZipError::Bomb(header.name));
        }
        if header.method == STORED && header.size != header.packed {
            return Err(ZipError::Damaged { name: header.name, why: "it is stored, but has two sizes" });
        }
        Ok(header)
    }

    /// Where the local header starts, and the range of the entry's packed bytes.
    fn data(&self, bytes: &[u8], directory: usize) -> Result<(usize, std::ops::Range<usize>), ZipError> {
        let damaged = |why| ZipError::Damaged { name: self.name.clone(), why };
        if word(bytes, self.offset)? != LOCAL {
            return Err(damaged("its header is not where the directory says"));
        }
        let name_len = usize::from(half(bytes, self.offset + 26)?);
        let start = self.offset + 30 + name_len + usize::from(half(bytes, self.offset + 28)?);
        if bytes.get(self.offset + 30..self.offset + 30 + name_len) != Some(self.name.as_bytes()) {
            return Err(damaged("its header gives another name than the directory"));
        }
        if half(bytes, self.offset + 8)? != self.method {
            return Err(damaged("its header gives another compression than the directory"));
        }
        match start.checked_add(self.packed) {
            Some(end) if end <= directory => Ok((self.offset, start..end)),
            _ => Err(damaged("it runs into the directory")),
        }
    }

    fn inflate(self, packed: &[u8]) -> Result<ZipEntry, ZipError> {
        let damaged = |why| ZipError::Damaged { name: self.name.clone(), why };
        let bytes = if self.method == STORED {
            packed.to_vec()
        } else {
            // One byte more than declared: an entry that inflates past its declared size is caught there, not in memory.
            let mut bytes = Vec::new();
            DeflateDecoder::new(packed)
                .take(self.size as u64 + 1)
                .read_to_end(&mut bytes)
                .map_err(|_| damaged("it cannot be inflated"))?;
            bytes
        };
        if bytes.len() != self.size {
            return Err(damaged("its size is not the one declared"));
        }
        let mut crc = Crc::new();
        crc.update(&bytes);
        if crc.sum() != self.crc {
            return Err(damaged("its checksum does not match"));
        }
        Ok(ZipEntry { name: self.name, bytes })
    }
}

/// Names met so far, compared as the most forgetful file system would: without regard to case or Unicode form.
#[derive(Default)]
struct Names(std::collections::BTreeSet<String>);

impl Names {
    fn add(&mut self, name: &str) -> Result<(), ZipError> {
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

fn find_end(bytes: &[u8]) -> Result<usize, ZipError> {
    // The end record may be followed by a comment; a bundle has none, so the record is at one fixed place. A comment
    // could hide a second directory from readers that search in the other direction.
    let Some(end) = bytes.len().checked_sub(END_BYTES) else { return Err(ZipError::Broken("it is too short")) };
    if word(bytes, end)? != END || half(bytes, end + 20)? != 0 {
        return Err(ZipError::Broken("no end record at its end"));
    }
    Ok(end)
}

fn half(bytes: &[u8], at: usize) -> Result<u16, ZipError> {
    let raw = bytes.get(at..).and_then(<[u8]>::first_chunk::<2>);
    raw.map(|raw| u16::from_le_bytes(*raw)).ok_or(ZipError::Broken("it is cut short"))
}

fn word(bytes: &[u8], at: usize) -> Result<u32, ZipError> {
    let raw = bytes.get(at..).and_then(<[u8]>::first_chunk::<4>);
    raw.map(|raw| u32::from_le_bytes(*raw)).ok_or(ZipError::Broken("it is cut short"))
}

fn narrow(size: usize) -> Result<u32, ZipError> {
    u32::try_from(size).map_err(|_| ZipError::TooLarge { what: "the bundle".to_owned(), bound: TOTAL_BYTES })
}

fn narrow16(size: usize) -> Result<u16, ZipError> {
    u16::try_from(size).map_err(|_| ZipError::TooMany { found: size })
}

fn shown(name: &str) -> String {
    name.chars().take(80).flat_map(char::escape_default).collect()
}
