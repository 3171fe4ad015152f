//! What a key file holds: one PEM block, whatever stands around it, or something else that is told as what it is.

use ed25519_dalek::pkcs8::PublicKeyBytes;
use pkcs8::der::{Decode as _, SecretDocument};
use pkcs8::pkcs5::pbes2::{Kdf, Pbkdf2Prf};
use pkcs8::spki::SubjectPublicKeyInfoRef;
use pkcs8::{DecodePublicKey as _, EncryptedPrivateKeyInfoRef, ObjectIdentifier, PrivateKeyInfoRef, pkcs5};
use zeroize::Zeroizing;

use super::KeyError;

/// Most PBKDF2 rounds that a file may ask for: seconds, not hours.
const ROUNDS_READ: u32 = 10_000_000;
/// Most memory that a file's scrypt parameters may ask for.
const SCRYPT_BYTES_READ: u64 = 256 << 20;
/// Most scrypt work beyond one pass over that memory.
const SCRYPT_PASSES_READ: u16 = 16;

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// Algorithms whose keys look alike in a file, with their names.
const OTHERS: [(&str, &str); 6] = [
    ("1.2.840.113549.1.1.1", "RSA"),
    ("1.2.840.113549.1.1.10", "RSA"),
    ("1.2.840.10045.2.1", "elliptic curves other than Ed25519"),
    ("1.3.101.113", "Ed448"),
    ("1.3.101.110", "X25519, which encrypts and does not sign"),
    ("1.2.840.10040.4.1", "DSA"),
];

/// The one PEM block of a file under one of the labels that are expected, the first of which is named where it is another.
/// Text around the block is skipped, as other tools write some there; line ends and blanks do not count.
pub(super) fn block(bytes: &[u8], expected: &[&'static str]) -> Result<(&'static str, SecretDocument), KeyError> {
    if bytes.trim_ascii().is_empty() {
        return Err(KeyError::Empty);
    }
    if bytes.starts_with(b"\xef\xbb\xbf") || bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(KeyError::Mark);
    }
    let lines = || bytes.split(|&b| b == b'\n' || b == b'\r').map(<[u8]>::trim_ascii);
    match lines().filter(|line| line.starts_with(BEGIN)).count() {
        0 => return Err(not_pem(bytes)),
        1 => {}
        blocks => return Err(KeyError::Several(blocks)),
    }
    let (mut text, mut found) = (Zeroizing::new(String::with_capacity(bytes.len())), String::new());
    for line in lines().skip_while(|line| !line.starts_with(BEGIN)).filter(|line| !line.is_empty()) {
        let line = std::str::from_utf8(line).map_err(|_| KeyError::NotPem)?;
        if let Some(label) = line.as_bytes().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(DASHES)) {
            found = String::from_utf8_lossy(label).into_owned();
        }
        text.push_str(line);
        text.push('\n');
        if line.as_bytes().starts_with(END) {
            break;
        }
    }
    if found.starts_with("OPENSSH") {
        return Err(KeyError::OpenSsh);
    }
    let first = expected.first().copied().unwrap_or_default();
    let label = expected.iter().find(|label| **label == found);
    let label = label.ok_or_else(|| KeyError::WrongKind { found: found.clone(), expected: first })?;
    let (_, document) = SecretDocument::from_pem(&text).map_err(|_| KeyError::NotPem)?;
    Ok((label, document))
}

/// What a file without a PEM block is.
fn not_pem(bytes: &[u8]) -> KeyError {
    if bytes.trim_ascii_start().starts_with(b"ssh-") {
        KeyError::OpenSsh
    } else if SubjectPublicKeyInfoRef::from_der(bytes).is_ok() {
        KeyError::PublicDer
    } else if PrivateKeyInfoRef::from_der(bytes).is_ok() {
        KeyError::SecretDer
    } else if EncryptedPrivateKeyInfoRef::from_der(bytes).is_ok() {
        KeyError::ProtectedDer
    } else {
        KeyError::NotPem
    }
}

/// The raw bytes of a public key.
pub(super) fn public(der: &[u8]) -> Result<[u8; 32], KeyError> {
    let key = PublicKeyBytes::from_public_key_der(der);
    let algorithm = || SubjectPublicKeyInfoRef::from_der(der).ok().map(|info| info.algorithm.oid);
    key.map(|key| key.0).map_err(|_| algorithm().map_or(KeyError::NotEd25519, |oid| other_algorithm(&oid)))
}

/// Why a key of this algorithm could not be read.
pub(super) fn other_algorithm(oid: &ObjectIdentifier) -> KeyError {
    let oid = oid.to_string();
    let known = OTHERS.into_iter().find(|(id, _)| *id == oid);
    known.map_or(KeyError::NotEd25519, |(_, name)| KeyError::OtherAlgorithm(name))
}

/// Opens a protected private key.
pub(super) fn decrypt(document: &SecretDocument, passphrase: &str) -> Result<SecretDocument, KeyError> {
    let unsupported = KeyError::UnsupportedProtection;
    let info = EncryptedPrivateKeyInfoRef::from_der(document.as_bytes())
        .map_err(|_| unsupported("a scheme or cipher unknown here"))?;
    let parameters = info.encryption_algorithm.pbes2().ok_or(unsupported("PBES1, an old scheme"))?;
    let affordable = match &parameters.kdf {
        Kdf::Pbkdf2(kdf) if kdf.prf == Pbkdf2Prf::HmacWithSha1 => {
            return Err(unsupported("PBKDF2 with SHA-1"));
        }
        Kdf::Pbkdf2(kdf) => kdf.iteration_count <= ROUNDS_READ,
        Kdf::Scrypt(kdf) => {
            let memory = kdf.cost_parameter.saturating_mul(u64::from(kdf.block_size)).saturating_mul(128);
            memory <= SCRYPT_BYTES_READ && kdf.parallelization <= SCRYPT_PASSES_READ
        }
        _ => return Err(unsupported("an unknown key derivation")),
    };
    if !affordable {
        return Err(KeyError::TooCostly);
    }
    info.decrypt(passphrase).map_err(|error| match error {
        pkcs8::Error::EncryptedPrivateKey(
            pkcs5::Error::UnsupportedAlgorithm { .. } | pkcs5::Error::AlgorithmParametersInvalid { .. },
        ) => unsupported("a scheme or cipher unknown here"),
        _ => KeyError::WrongPassphrase,
    })
}
