//! Reading: the whole container is checked before any entry's bytes are used.

use std::io::Read;

use flate2::Crc;
use flate2::read::DeflateDecoder;

use super::names::{Names, check_name, shown};
use super::{CENTRAL, DEFLATE, END, ENTRIES, ENTRY_BYTES, LOCAL, RATIO, STORED, TOTAL_BYTES, ZipEntry, ZipError};

const END_BYTES: usize = 22;

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
