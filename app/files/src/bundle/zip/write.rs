//! Writing: stored entries in the order given, the same bytes everywhere.

use flate2::Crc;

use super::names::{Names, check_name};
use super::{CENTRAL, END, ENTRIES, ENTRY_BYTES, LOCAL, STORED, TOTAL_BYTES, UTF8, ZipEntry, ZipError};

/// 1980-01-01 00:00, the zero of the format: a bundle has no time of its own.
const DOS_DATE: u16 = 0x0021;

/// Writes entries as stored files in the order given, without times: the same entries give the same bytes everywhere.
///
/// # Errors
/// [`ZipError::TooLarge`], [`ZipError::TooMany`], [`ZipError::Name`] or [`ZipError::Duplicate`] for entries that
/// [`super::read()`] would refuse.
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

fn narrow(size: usize) -> Result<u32, ZipError> {
    u32::try_from(size).map_err(|_| ZipError::TooLarge { what: "the bundle".to_owned(), bound: TOTAL_BYTES })
}

fn narrow16(size: usize) -> Result<u16, ZipError> {
    u16::try_from(size).map_err(|_| ZipError::TooMany { found: size })
}
