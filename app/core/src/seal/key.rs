//! Ed25519 keys as files: PKCS#8 for the secret one, SPKI for the public one, both PEM, both openable by OpenSSL 3.0.

use std::fmt;

use ed25519_dalek::pkcs8::{ALGORITHM_ID, KeypairBytes, PublicKeyBytes};
use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey};
use pkcs8::der::SecretDocument;
use pkcs8::der::asn1::OctetStringRef;
use pkcs8::pkcs5::pbes2::Parameters;
use pkcs8::{EncodePublicKey as _, LineEnding, PrivateKeyInfoRef};
use zeroize::{Zeroize as _, Zeroizing};

mod error;
mod file;

use super::canon;
use super::digest::Digest;
use super::json::Json;
pub use error::KeyError;

/// PBKDF2-HMAC-SHA256 rounds of a protected key file. scrypt would be stronger, but OpenSSL 3.0 opens it only up to a
/// cost that is weaker than this.
const ROUNDS: u32 = 600_000;

const ENCRYPTED: &str = "ENCRYPTED PRIVATE KEY";
const PLAIN: &str = "PRIVATE KEY";
const PUBLIC: &str = "PUBLIC KEY";

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
    pub fn from_pem(pem: impl AsRef<[u8]>, passphrase: Option<&str>) -> Result<Self, KeyError> {
        let (label, document) = file::block(pem.as_ref(), &[PLAIN, ENCRYPTED])?;
        let secret = match label {
            ENCRYPTED => file::decrypt(&document, passphrase.ok_or(KeyError::NeedsPassphrase)?)?,
            _ => document,
        };
        let info = PrivateKeyInfoRef::try_from(secret.as_bytes()).map_err(|_| KeyError::NotEd25519)?;
        let algorithm = info.algorithm.oid;
        let mut pair = KeypairBytes::try_from(info).map_err(|_| file::other_algorithm(&algorithm))?;
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
    pub fn from_pem(pem: impl AsRef<[u8]>) -> Result<Self, KeyError> {
        let (_, document) = file::block(pem.as_ref(), &[PUBLIC])?;
        Self::from_raw(&file::public(document.as_bytes())?)
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

#[cfg(test)]
mod tests;
