//! What an answer came packed in. It is asked for as it is; some servers and proxies pack it all the same.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use ureq::http::HeaderMap;

use crate::failure::Failure;

/// How bytes begin that gzip packed.
const MAGIC: &[u8] = &[0x1f, 0x8b];

/// How the bytes of an answer are to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coding {
    /// As they are.
    Plain,
    /// Packed with gzip.
    Gzip,
    /// Packed in a way that is not understood here, as the header names it.
    Other(String),
}

impl Coding {
    /// What the headers say. Names count in any case; `identity` says nothing.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Self {
        let named = |header: &str| {
            let lines =
                headers.get_all(header).iter().map(|line| String::from_utf8_lossy(line.as_bytes()).into_owned());
            lines.collect::<Vec<_>>().join(",")
        };
        let names = |line: &str, passed_over: &[&str]| -> Vec<String> {
            let names = line.split(',').map(|name| name.trim().to_ascii_lowercase());
            names.filter(|name| !name.is_empty() && !passed_over.contains(&name.as_str())).collect()
        };
        let mut codings = names(&named("content-encoding"), &["identity"]);
        // Taking pieces together is the transport's; what else was done to the bytes on the way is not undone by it.
        codings.extend(names(&named("transfer-encoding"), &["identity", "chunked"]));
        match codings.as_slice() {
            [] => Self::Plain,
            [one] if one == "gzip" || one == "x-gzip" => Self::Gzip,
            more => Self::Other(more.join(", ").chars().take(80).collect()),
        }
    }

    /// The bytes as they were before they were packed, `most` at most.
    ///
    /// # Errors
    /// What is not understood, damaged, or too much.
    pub fn unpack(&self, bytes: Vec<u8>, most: u64) -> Result<Vec<u8>, Failure> {
        match self {
            // Something between dropped the header; no text begins so.
            Self::Plain if bytes.starts_with(MAGIC) => gunzip(&bytes, most),
            Self::Plain => Ok(bytes),
            Self::Gzip => gunzip(&bytes, most),
            Self::Other(name) => Err(Failure::foreign(format!(
                "the answer is compressed ({name}), although it was asked for as it is, and cannot be read"
            ))),
        }
    }
}

fn gunzip(bytes: &[u8], most: u64) -> Result<Vec<u8>, Failure> {
    let mut plain = Vec::new();
    match MultiGzDecoder::new(bytes).take(most + 1).read_to_end(&mut plain) {
        Err(_) => Err(Failure::foreign("the answer is compressed (gzip), and damaged or cut off")),
        Ok(_) if plain.len() as u64 > most => Err(Failure::too_large(most)),
        Ok(_) => Ok(plain),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn of(lines: &[(&'static str, &[u8])]) -> Coding {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, ureq::http::HeaderValue::from_bytes(value).unwrap());
        }
        Coding::of(&headers)
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn each_coding_is_read_in_any_spelling() {
        assert_eq!(of(&[]), Coding::Plain);
        assert_eq!(of(&[("content-encoding", b"Identity"), ("transfer-encoding", b"Chunked")]), Coding::Plain);
        assert_eq!(of(&[("content-encoding", b"")]), Coding::Plain);
        for gzip in [&b"gzip"[..], b"GZip", b" x-gzip ", b"identity, gzip"] {
            assert_eq!(of(&[("content-encoding", gzip)]), Coding::Gzip);
        }
        for (value, name) in [
            (&b"deflate"[..], "deflate"),
            (b"BR", "br"),
            (b"zstd", "zstd"),
            (b"gzip, br", "gzip, br"),
            (b"gzip,gzip", "gzip, gzip"),
            (b"\xff", "\u{fffd}"),
        ] {
            assert_eq!(of(&[("content-encoding", value)]), Coding::Other(name.to_owned()));
        }
        assert_eq!(
            of(&[("content-encoding", b"gzip"), ("content-encoding", b"br")]),
            Coding::Other("gzip, br".to_owned())
        );
        assert_eq!(of(&[("transfer-encoding", b"deflate, chunked")]), Coding::Other("deflate".to_owned()));
    }

    #[test]
    fn gzip_is_unpacked_within_bounds_and_the_rest_is_named() {
        let zeros = vec![0; 5000];
        assert_eq!(Coding::Gzip.unpack(packed(&zeros), 5000), Ok(zeros.clone()));
        let too_large = Coding::Gzip.unpack(packed(&zeros), 4999).unwrap_err();
        assert!(!too_large.is_temporary && too_large.text.contains("larger than 4999 bytes"), "{too_large:?}");
        let mut cut = packed(&zeros);
        cut.truncate(cut.len() - 3);
        for damaged in [cut, b"no gzip at all".to_vec(), Vec::new()] {
            let failure = Coding::Gzip.unpack(damaged, 5000).unwrap_err();
            assert!(failure.is_foreign && failure.text.contains("damaged"), "{failure:?}");
        }
        let named = Coding::Other("br".to_owned()).unpack(b"x".to_vec(), 5000).unwrap_err();
        assert!(named.is_foreign && named.text.starts_with("the answer is compressed (br)"), "{named:?}");
        assert_eq!(Coding::Plain.unpack(b"x".to_vec(), 5000), Ok(b"x".to_vec()));
        assert_eq!(Coding::Plain.unpack(packed(&zeros), 5000), Ok(zeros));
    }
}
