//! SHA-256 content identifiers.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

/// A SHA-256 digest. Written `sha256:<64 lower-case hex>`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

/// Text that is no digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a SHA-256 digest; write 64 lower-case hex digits, optionally after \"sha256:\"")]
pub struct NotADigest;

impl Digest {
    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// 64 lower-case hex digits.
    #[must_use]
    pub fn hex(&self) -> String {
        hex::encode(self.0)
    }

    /// A form for people to compare at a glance, `18d1…b81`; never for machines.
    #[must_use]
    pub fn short(&self) -> String {
        let hex = self.hex();
        format!("{}…{}", &hex[..4], &hex[61..])
    }

    /// Reads `sha256:<hex>` or `<hex>`: exactly 64 lower-case digits, nothing around them, so that one digest has one
    /// spelling and can be part of a file name.
    ///
    /// # Errors
    /// Anything else.
    pub fn parse(text: &str) -> Result<Self, NotADigest> {
        let digits = text.strip_prefix("sha256:").unwrap_or(text);
        if !digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(NotADigest);
        }
        let mut bytes = [0; 32];
        hex::decode_to_slice(digits, &mut bytes).map_err(|_| NotADigest)?;
        Ok(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_has_one_spelling() {
        let empty = Digest::of(b"");
        let hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(empty.hex(), hex);
        assert_eq!(empty.to_string(), format!("sha256:{hex}"));
        assert_eq!(empty.short(), "e3b0…855");
        assert_eq!(Digest::parse(hex), Ok(empty));
        assert_eq!(Digest::parse(&empty.to_string()), Ok(empty));
        let upper = hex.to_uppercase();
        let spaced = format!(" {hex}");
        let long = format!("{hex}00");
        let twice = format!("sha256:sha256:{hex}");
        for wrong in ["", "sha256:", &hex[1..], &upper, &spaced, &long, &twice, "../../../../etc/passwd", "é"] {
            assert_eq!(Digest::parse(wrong), Err(NotADigest), "{wrong}");
        }
    }
}
