//! A zip writer that writes what an honest one never would.

use std::io::Write as _;

/// One entry; every field goes into the file as it is.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Name in the directory.
    pub name: Vec<u8>,
    /// Name in the local header.
    pub local_name: Vec<u8>,
    /// Bytes as packed.
    pub packed: Vec<u8>,
    /// Size as declared.
    pub size: u32,
    /// Checksum as declared.
    pub crc: u32,
    /// 0 stored, 8 deflated.
    pub method: u16,
    /// General purpose bits.
    pub flags: u16,
    /// Unix mode.
    pub mode: u32,
    /// Offset of the local header, if not the true one.
    pub offset: Option<u32>,
    /// Bytes that stand before the local header and that no directory names.
    pub before: Vec<u8>,
    /// Extra field.
    pub field: Vec<u8>,
    /// Whether sizes and checksum follow the data.
    pub behind: bool,
    /// Size in the local header, if another one.
    pub local_size: Option<u32>,
}

impl Entry {
    /// An honest stored file.
    pub fn stored(name: &str, bytes: &[u8]) -> Self {
        Self {
            name: name.as_bytes().to_vec(),
            local_name: name.as_bytes().to_vec(),
            packed: bytes.to_vec(),
            size: u32::try_from(bytes.len()).unwrap(),
            crc: crc(bytes),
            method: 0,
            flags: 1 << 11,
            mode: 0o100_644,
            offset: None,
            before: Vec::new(),
            field: Vec::new(),
            behind: false,
            local_size: None,
        }
    }

    /// An honest deflated file.
    pub fn deflated(name: &str, bytes: &[u8]) -> Self {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        let packed = encoder.finish().unwrap();
        Self { packed, method: 8, ..Self::stored(name, bytes) }
    }

    /// Another name in both places.
    pub fn rename(&mut self, name: &[u8]) {
        self.name = name.to_vec();
        self.local_name = name.to_vec();
    }

    /// Local header and data.
    pub fn local(&self) -> Vec<u8> {
        let mut out = self.before.clone();
        out.extend_from_slice(b"PK\x03\x04");
        let size = self.local_size.unwrap_or(self.size);
        let sizes = if self.behind { [0; 3] } else { [self.crc, self.packed_len(), size] };
        self.common(&mut out, sizes, self.local_name.len());
        out.extend_from_slice(&self.local_name);
        out.extend_from_slice(&self.field);
        out.extend_from_slice(&self.packed);
        if self.behind {
            out.extend_from_slice(b"PK\x07\x08");
            for word in [self.crc, self.packed_len(), self.size] {
                out.extend_from_slice(&word.to_le_bytes());
            }
        }
        out
    }

    fn packed_len(&self) -> u32 {
        u32::try_from(self.packed.len()).unwrap()
    }

    fn common(&self, out: &mut Vec<u8>, sizes: [u32; 3], name_len: usize) {
        let flags = self.flags | u16::from(self.behind) << 3;
        for half in [20, flags, self.method, 0, 0x21] {
            out.extend_from_slice(&half.to_le_bytes());
        }
        for word in sizes {
            out.extend_from_slice(&word.to_le_bytes());
        }
        for length in [name_len, self.field.len()] {
            out.extend_from_slice(&u16::try_from(length).unwrap().to_le_bytes());
        }
    }

    fn central(&self, offset: u32) -> Vec<u8> {
        let mut out = b"PK\x01\x02".to_vec();
        out.extend_from_slice(&(3_u16 << 8 | 20).to_le_bytes());
        self.common(&mut out, [self.crc, self.packed_len(), self.size], self.name.len());
        out.extend_from_slice(&[0; 6]);
        out.extend_from_slice(&(self.mode << 16).to_le_bytes());
        let offset = self.offset.unwrap_or(offset + u32::try_from(self.before.len()).unwrap());
        out.extend_from_slice(&offset.to_le_bytes());
        out.extend_from_slice(&self.name);
        out.extend_from_slice(&self.field);
        out
    }
}

/// The zip file, with `last` between the last entry and the directory.
pub fn write(entries: &[Entry], last: &[u8]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        directory.extend_from_slice(&entry.central(u32::try_from(out.len()).unwrap()));
        if entry.offset.is_none() {
            out.extend_from_slice(&entry.local());
        }
    }
    out.extend_from_slice(last);
    let (start, count) = (u32::try_from(out.len()).unwrap(), u16::try_from(entries.len()).unwrap());
    out.extend_from_slice(&directory);
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    for half in [count, count] {
        out.extend_from_slice(&half.to_le_bytes());
    }
    for word in [u32::try_from(directory.len()).unwrap(), start] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    out.extend_from_slice(&[0, 0]);
    out
}

/// CRC-32 bit by bit.
pub fn crc(bytes: &[u8]) -> u32 {
    let mut crc = !0_u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}
