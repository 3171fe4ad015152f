//! Reading: the whole container is checked before any entry's bytes are used.

use std::io::Read;

use flate2::Crc;
use flate2::read::DeflateDecoder;

use super::names::{Names, check_name, shown};
use super::{CENTRAL, DEFLATE, END, ENTRIES, ENTRY_BYTES, LOCAL, RATIO, STORED, TOTAL_BYTES, ZipEntry, ZipError};

const END_BYTES: usize = 22;
const ZIP64_LOCATOR: u32 = 0x0706_4b50;
const DESCRIPTOR: u32 = 0x0807_4b50;
/// General purpose bit 3: sizes and checksum follow the data.
const SIZES_BEHIND: u16 = 1 << 3;
/// General purpose bits 1 and 2 tell how hard the packer tried, and nothing else.
const EFFORT: u16 = 0b110;
/// Extra fields that hold times and owners. Any other may give an entry another name or another content.
const HARMLESS: [u16; 6] = [0x000a, 0x5455, 0x5855, 0x7855, 0x7875, 0xcafe];

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
    if end >= 20 && word(bytes, end - 20)? == ZIP64_LOCATOR {
        return Err(ZipError::Broken("it is a zip64 file, which a bundle never needs"));
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
        let (data, behind) = header.data(bytes, directory)?;
        spans.push((header.offset, behind, header.name.clone()));
        entries.push((header, data));
    }
    if at != end {
        return Err(ZipError::Broken("the directory holds more than its entries"));
    }
    spans.sort();
    let mut taken = 0;
    for (start, behind, name) in spans {
        if start < taken {
            return Err(ZipError::Overlap(name));
        }
        nothing_between(bytes, taken, start)?;
        taken = behind;
    }
    nothing_between(bytes, taken, directory)?;
    entries.into_iter().map(|(header, data)| header.inflate(&bytes[data])).collect()
}

/// That two parts of the file follow one another. Readers that go from the front would unpack what stands between.
fn nothing_between(bytes: &[u8], from: usize, to: usize) -> Result<(), ZipError> {
    let gap = bytes.get(from..to).unwrap_or_default();
    if gap.is_empty() {
        return Ok(());
    }
    let Some(within) = memchr::memmem::find(gap, &LOCAL.to_le_bytes()) else {
        return Err(ZipError::Gap { at: from, bytes: gap.len() });
    };
    let at = from + within;
    let name_len = usize::from(half(bytes, at + 26).unwrap_or_default());
    let name = bytes.get(at + 30..at + 30 + name_len).unwrap_or_default();
    Err(ZipError::Hidden { name: shown(&String::from_utf8_lossy(name)), at })
}

/// Whether all extra fields are of the kinds that say nothing about name or content.
fn is_harmless(mut extra: &[u8]) -> bool {
    while !extra.is_empty() {
        let (Ok(id), Ok(length)) = (half(extra, 0), half(extra, 2)) else { return false };
        let Some(rest) = extra.get(4 + usize::from(length)..) else { return false };
        if !HARMLESS.contains(&id) {
            return false;
        }
        extra = rest;
    }
    true
}

/// One line of the central directory, checked against the local header.
struct Header {
    name: String,
    flags: u16,
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
            flags: half(bytes, at + 8)?,
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
        match (header.flags, header.method) {
            (flags, _) if flags & (1 | 1 << 6 | 1 << 13) != 0 => return unsupported("encryption"),
            (_, STORED | DEFLATE) => {}
            _ => return unsupported("an unknown compression"),
        }
        if comment > 0 {
            return unsupported("a comment");
        }
        if !is_harmless(bytes.get(at + 46 + name_len..next).unwrap_or_default()) {
            return unsupported("an extra field that may change its name or content");
        }
        // Without its size in front, only the directory says where a stored entry ends.
        if header.flags & SIZES_BEHIND != 0 && header.method == STORED {
            return unsupported("a size behind its data");
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

    /// The range of the entry's packed bytes, and where the entry ends. The local header says the same as the directory, so
    /// that readers of either unpack the same file.
    fn data(&self, bytes: &[u8], directory: usize) -> Result<(std::ops::Range<usize>, usize), ZipError> {
        let damaged = |why| ZipError::Damaged { name: self.name.clone(), why };
        if word(bytes, self.offset)? != LOCAL {
            return Err(damaged("its header is not where the directory says"));
        }
        let (name_len, extra) = (half(bytes, self.offset + 26)?, half(bytes, self.offset + 28)?);
        let names = self.offset + 30 + usize::from(name_len);
        let start = names + usize::from(extra);
        if bytes.get(self.offset + 30..names) != Some(self.name.as_bytes()) {
            return Err(damaged("its header gives another name than the directory"));
        }
        if half(bytes, self.offset + 8)? != self.method {
            return Err(damaged("its header gives another compression than the directory"));
        }
        if (half(bytes, self.offset + 6)? ^ self.flags) & !EFFORT != 0 {
            return Err(damaged("its header has other flags than the directory"));
        }
        if !is_harmless(bytes.get(names..start).unwrap_or_default()) {
            let what = "an extra field that may change its name or content";
            return Err(ZipError::Unsupported { name: self.name.clone(), what });
        }
        let end = match start.checked_add(self.packed) {
            Some(end) if end <= directory => end,
            _ => return Err(damaged("it runs into the directory")),
        };
        let said = [14, 18, 22].map(|at| word(bytes, self.offset + at).ok());
        let behind = self.flags & SIZES_BEHIND != 0;
        if said != self.sizes() && !(behind && said == [Some(0); 3]) {
            return Err(damaged("its header gives another size or checksum than the directory"));
        }
        let end_of_entry = if behind {
            self.descriptor(bytes, end).ok_or_else(|| damaged("what follows its data is not its size and checksum"))?
        } else {
            end
        };
        if end_of_entry > directory {
            return Err(damaged("it runs into the directory"));
        }
        Ok((start..end, end_of_entry))
    }

    fn sizes(&self) -> [Option<u32>; 3] {
        [Some(self.crc), u32::try_from(self.packed).ok(), u32::try_from(self.size).ok()]
    }

    /// Where the descriptor that starts at `at` ends; it may or may not begin with a mark.
    fn descriptor(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let says = |at: usize| [0, 4, 8].map(|n| word(bytes, at + n).ok()) == self.sizes();
        if word(bytes, at).ok() == Some(DESCRIPTOR) && says(at + 4) {
            Some(at + 16)
        } else {
            says(at).then_some(at + 12)
        }
    }

    fn inflate(self, packed: &[u8]) -> Result<ZipEntry, ZipError> {
        let damaged = |why| ZipError::Damaged { name: self.name.clone(), why };
        let bytes = if self.method == STORED {
            packed.to_vec()
        } else {
            // One byte more than declared: an entry that inflates past its declared size is caught there, not in memory.
            let (mut bytes, mut decoder) = (Vec::new(), DeflateDecoder::new(packed));
            (&mut decoder)
                .take(self.size as u64 + 1)
                .read_to_end(&mut bytes)
                .map_err(|_| damaged("it cannot be inflated"))?;
            if bytes.len() == self.size && decoder.total_in() != packed.len() as u64 {
                return Err(damaged("bytes follow its packed content"));
            }
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
    if word(bytes, end)? == END && half(bytes, end + 20)? == 0 {
        return Ok(end);
    }
    let earliest = end.saturating_sub(usize::from(u16::MAX));
    let sign = END.to_le_bytes();
    let marks = memchr::memmem::rfind_iter(bytes.get(earliest..).unwrap_or_default(), &sign);
    let after = |at: usize| bytes.len().checked_sub(at + END_BYTES);
    let found: Vec<usize> = marks.map(|mark| earliest + mark).filter(|&at| after(at).is_some()).collect();
    let is_comment = |at: &&usize| half(bytes, **at + 20).is_ok_and(|length| after(**at) == Some(usize::from(length)));
    match (found.iter().find(is_comment).and_then(|&at| after(at)), found.is_empty()) {
        (Some(length), _) => Err(ZipError::Comment(length)),
        (None, false) => Err(ZipError::Broken("bytes follow its end record")),
        (None, true) => Err(ZipError::Broken("no end record at its end")),
    }
}

fn half(bytes: &[u8], at: usize) -> Result<u16, ZipError> {
    let raw = bytes.get(at..).and_then(<[u8]>::first_chunk::<2>);
    raw.map(|raw| u16::from_le_bytes(*raw)).ok_or(ZipError::Broken("it is cut short"))
}

fn word(bytes: &[u8], at: usize) -> Result<u32, ZipError> {
    let raw = bytes.get(at..).and_then(<[u8]>::first_chunk::<4>);
    raw.map(|raw| u32::from_le_bytes(*raw)).ok_or(ZipError::Broken("it is cut short"))
}
