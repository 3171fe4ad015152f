//! Ed25519 keys as files: PKCS#8 for the secret one, SPKI for the public one, both PEM, both openable by OpenSSL 3.0.

use std::fmt;

use ed25519_dalek::pkcs8::{ALGORITHM_ID, KeypairBytes, PublicKeyBytes};
use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey};
use pkcs8::der::asn1::OctetStringRef;
use pkcs8::der::{Decode as _, SecretDocument};
use pkcs8::pkcs5::pbes2::{Kdf, Parameters};
use pkcs8::{DecodePublicKey as _, EncodePublicKey as _, LineEnding};
use pkcs8::{EncryptedPrivateKeyInfoRef, PrivateKeyInfoRef};
use zeroize::{Zeroize as _, Zeroizing};

use super::canon;
use super::digest::Digest;
use super::json::Json;

/// PBKDF2-HMAC-SHA256 rounds of a protected key file. scrypt would be stronger, but OpenSSL 3.0 opens it only up to a
/// cost that is weaker than this.
const ROUNDS: u32 = 600_000;
/// Most PBKDF2 rounds that a file may ask for: seconds, not hours.
const ROUNDS_READ: u32 = 10_000_000;
/// Most memory that a file's scrypt parameters may ask for.
const SCRYPT_BYTES_READ: u64 = 256 << 20;
/// Most scrypt work beyond one pass over that memory.
const SCRYPT_PASSES_READ: u16 = 16;

const ENCRYPTED: &str = "ENCRYPTED PRIVATE KEY";
const PLAIN: &str = "PRIVATE KEY";

/// A key file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not PEM.
    #[error("this is not a PEM key file; export the key as PEM (PKCS#8 or SPKI)")]
    NotPem,
    /// PEM of another kind.
    #[error(
        "the PEM block is {found:?}, expected {expected:?}; name the other file of the key pair, or export the key as PEM"
    )]
    WrongKind {
        /// The block's label.
        found: String,
        /// The label that was expected.
        expected: &'static str,
    },
    /// Not an Ed25519 key, or a damaged one.
    #[error("this is not a sound Ed25519 key; other key types are not supported")]
    NotEd25519,
    /// A passphrase is needed.
    #[error("the key file is protected; give its passphrase")]
    NeedsPassphrase,
    /// The passphrase does not open the file.
    #[error("the passphrase does not open the key file")]
    WrongPassphrase,
    /// The file asks for too much work.
    #[error("the key file asks for more key derivation work than is allowed; protect it with PBKDF2 or scrypt 2^14")]
    TooCostly,
    /// Protected in a way that is not supported.
    #[error(
        "the key file is protected in an unsupported way; protect it with PBES2 (openssl pkcs8 -topk8 -v2 aes-256-cbc)"
    )]
    UnsupportedProtection,
    /// A public key for which signatures can be made without a secret.
    #[error("this public key is weak: anybody can sign for it; it cannot be trusted")]
    Weak,
    /// The key could not be written.
    #[error("the key could not be encoded")]
    Encoding,
}

/// A secret signing key; wiped from memory when dropped.
#[derive(Clone)]
pub struct SecretKey {
    key: SigningKey,
    public: PublicKey,
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey({})", self.public().key_id())
    }
}

impl SecretKey {
    /// The key of a seed, which the caller takes from the system's randomness.
    #[must_use]
    pub fn generate(seed: [u8; 32]) -> Self {
        let seed = Zeroizing::new(seed);
        Self::of(SigningKey::from_bytes(&seed))
    }

    fn of(key: SigningKey) -> Self {
        let public = PublicKey::of(key.verifying_key());
        Self { key, public }
    }

    /// Reads a PKCS#8 PEM file, protected or not.
    ///
    /// # Errors
    /// Not such a file, not Ed25519, or a missing or wrong passphrase.
    pub fn from_pem(pem: &str, passphrase: Option<&str>) -> Result<Self, KeyError> {
        let (label, document) = decode_pem(pem)?;
        let secret = match label.as_str() {
            PLAIN => document,
            ENCRYPTED => decrypt(&document, passphrase.ok_or(KeyError::NeedsPassphrase)?)?,
            _ => return Err(KeyError::WrongKind { found: label, expected: PLAIN }),
        };
        let info = PrivateKeyInfoRef::try_from(secret.as_bytes()).map_err(|_| KeyError::NotEd25519)?;
        let mut pair = KeypairBytes::try_from(info).map_err(|_| KeyError::NotEd25519)?;
        // This also compares a public key that the file carries with the secret one.
        let key = SigningKey::try_from(&pair).map(Self::of).map_err(|_| KeyError::NotEd25519);
        pair.secret_key.zeroize();
        key
    }

    /// Writes a PKCS#8 PEM file. With a passphrase it is protected by PBKDF2 and AES-256-CBC; the 32 random bytes
    /// beside it become salt and initialisation vector, and must be fresh for every file.
    ///
    /// # Errors
    /// None in practice; encoders report rather than panic.
    pub fn to_pem(&self, protection: Option<(&str, [u8; 32])>) -> Result<Zeroizing<String>, KeyError> {
        // RFC 8410: the seed is an octet string within the octet string.
        let mut octets = Zeroizing::new([0; 34]);
        octets[..2].copy_from_slice(&[0x04, 0x20]);
        octets[2..].copy_from_slice(self.key.as_bytes());
        let octets = OctetStringRef::new(&octets[..]).map_err(|_| KeyError::Encoding)?;
        // Version 1, without the public key: OpenSSL before 3.5 and others cannot read version 2.
        let info = PrivateKeyInfoRef::new(ALGORITHM_ID, octets);
        let pem = match protection {
            None => {
                let plain = SecretDocument::try_from(&info).map_err(|_| KeyError::Encoding)?;
                plain.to_pem(PLAIN, LineEnding::LF)
            }
            Some((passphrase, random)) => {
                let (salt, iv) = random.split_at(16);
                let iv = iv.try_into().map_err(|_| KeyError::Encoding)?;
                let parameters = Parameters::generate_pbkdf2_sha256_aes256cbc(ROUNDS, salt, iv);
                let parameters = parameters.map_err(|_| KeyError::Encoding)?;
                let sealed = info.encrypt_with_params(parameters, passphrase).map_err(|_| KeyError::Encoding)?;
                sealed.to_pem(ENCRYPTED, LineEnding::LF)
            }
        };
        pem.map_err(|_| KeyError::Encoding)
    }

    /// The public key.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        self.public.clone()
    }

    /// Signs `message`; deterministic.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.key.sign(message).to_bytes()
    }
}

/// A public key that is not weak. Two are equal if their raw bytes are.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    key: VerifyingKey,
    /// Kept because every signature carries it.
    id: String,
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({})", hex::encode(self.raw()))
    }
}

impl PublicKey {
    fn of(key: VerifyingKey) -> Self {
        let described = Json::map([
            ("keytype", Json::text("ed25519")),
            ("keyval", Json::map([("public", Json::Text(hex::encode(key.as_bytes())))])),
            ("scheme", Json::text("ed25519")),
        ]);
        let id = Digest::of(&canon::canonical(&described)).hex();
        Self { key, id }
    }

    /// The key of 32 raw bytes.
    ///
    /// # Errors
    /// Not a point in its one encoding, or a weak one.
    pub fn from_raw(raw: &[u8; 32]) -> Result<Self, KeyError> {
        let key = VerifyingKey::from_bytes(raw).map_err(|_| KeyError::NotEd25519)?;
        if key.is_weak() {
            return Err(KeyError::Weak);
        }
        // A second encoding of one point would count as a second key.
        if key.to_edwards().compress().as_bytes() != raw {
            return Err(KeyError::NotEd25519);
        }
        Ok(Self::of(key))
    }

    /// Reads an SPKI PEM file.
    ///
    /// # Errors
    /// Not such a file, not Ed25519, or a weak key.
    pub fn from_pem(pem: &str) -> Result<Self, KeyError> {
        let (label, document) = decode_pem(pem)?;
        if label != "PUBLIC KEY" {
            return Err(KeyError::WrongKind { found: label, expected: "PUBLIC KEY" });
        }
        let key = PublicKeyBytes::from_public_key_der(document.as_bytes()).map_err(|_| KeyError::NotEd25519)?;
        Self::from_raw(&key.0)
    }

    /// The key as an SPKI PEM file.
    ///
    /// # Errors
    /// None in practice; encoders report rather than panic.
    pub fn to_pem(&self) -> Result<String, KeyError> {
        PublicKeyBytes(*self.raw()).to_public_key_pem(LineEnding::LF).map_err(|_| KeyError::Encoding)
    }

    /// The 32 raw bytes.
    #[must_use]
    pub fn raw(&self) -> &[u8; 32] {
        self.key.as_bytes()
    }

    /// The key id that securesystemslib computes, which other in-toto tools expect in an envelope.
    #[must_use]
    pub fn key_id(&self) -> String {
        self.id.clone()
    }

    /// The digest of the key's SPKI encoding, for people to compare:
    /// `openssl pkey -pubin -in key.pub.pem -outform DER | sha256sum` prints the same.
    #[must_use]
    pub fn fingerprint(&self) -> Digest {
        // The encoding of an Ed25519 key is this fixed head and the raw bytes (RFC 8410).
        let mut spki = [0; 44];
        spki[..12].copy_from_slice(&[0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]);
        spki[12..].copy_from_slice(self.raw());
        Digest::of(&spki)
    }

    /// Whether `signature` is this key's over `message`, by the strict rule: one signature has one byte string, and
    /// neither key nor nonce may be of small order.
    #[must_use]
    pub fn verify_strict(&self, message: &[u8], signature: &[u8]) -> bool {
        ed25519_dalek::Signature::from_slice(signature)
            .is_ok_and(|signature| self.key.verify_strict(message, &signature).is_ok())
    }
}

/// Label and content of a PEM file, whatever its line ends and the space around it.
fn decode_pem(pem: &str) -> Result<(String, SecretDocument), KeyError> {
    let mut clean = Zeroizing::new(String::with_capacity(pem.len()));
    for line in pem.trim().lines() {
        clean.push_str(line.trim_end());
        clean.push('\n');
    }
    let (label, document) = SecretDocument::from_pem(&clean).map_err(|_| KeyError::NotPem)?;
    Ok((label.to_owned(), document))
}

fn decrypt(document: &SecretDocument, passphrase: &str) -> Result<SecretDocument, KeyError> {
    let info =
        EncryptedPrivateKeyInfoRef::from_der(document.as_bytes()).map_err(|_| KeyError::UnsupportedProtection)?;
    let parameters = info.encryption_algorithm.pbes2().ok_or(KeyError::UnsupportedProtection)?;
    let affordable = match &parameters.kdf {
        Kdf::Pbkdf2(kdf) => kdf.iteration_count <= ROUNDS_READ,
        Kdf::Scrypt(kdf) => {
            let memory = kdf.cost_parameter.saturating_mul(u64::from(kdf.block_size)).saturating_mul(128);
            memory <= SCRYPT_BYTES_READ && kdf.parallelization <= SCRYPT_PASSES_READ
        }
        _ => return Err(KeyError::UnsupportedProtection),
    };
    if !affordable {
        return Err(KeyError::TooCostly);
    }
    info.decrypt(passphrase).map_err(|_| KeyError::WrongPassphrase)
}

#[cfg(test)]
mod tests;
