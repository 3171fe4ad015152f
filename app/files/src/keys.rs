//! Key files: reading, with or without a passphrase, and making new ones.

use std::path::{Path, PathBuf};

use decidendi_core::seal::key::{KeyError, PublicKey, SecretKey};
use decidendi_core::seal::verified::{TrustError, TrustStore};
use zeroize::Zeroizing;

use crate::io::{self, Access, IoError};

/// No key file is larger.
const KEY_BYTES: usize = 64 << 10;

/// Why a key cannot be used or made.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The disk.
    #[error(transparent)]
    Io(#[from] IoError),
    /// The file's content.
    #[error("{}: {error}", .path.display())]
    Key {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: KeyError,
    },
    /// A passphrase is needed and none was given.
    #[error("{}: the key is protected; give its passphrase with --passphrase-file FILE or --passphrase-env NAME", .0.display())]
    NeedsPassphrase(PathBuf),
    /// The named variable is not there.
    #[error("the environment variable `{0}` is not set, or is no UTF-8 text; set it, or use --passphrase-file")]
    NoVariable(String),
    /// A file whose first character nobody sees.
    #[error("{}: begins with a byte order mark, which would be part of the passphrase; save the file without it", .0.display())]
    MarkedPassphrase(PathBuf),
    /// A variable with more than a line.
    #[error("the environment variable `{0}` holds more than one line; a passphrase is one line")]
    LongPassphrase(String),
    /// Nothing protects nothing.
    #[error("the passphrase is empty; leave the option out for a key without protection")]
    EmptyPassphrase,
    /// The trusted keys do not make a set.
    #[error("trusted keys: {0}")]
    Trust(#[from] TrustError),
    /// The system gave no random bytes.
    #[error("the system gives no random bytes ({0}); no key was made")]
    NoRandomness(String),
}

/// Where a passphrase comes from: a file's first line, or an environment variable of one line.
#[derive(Debug, Clone, Default)]
pub struct PassphraseSource {
    /// The file.
    pub file: Option<PathBuf>,
    /// The variable.
    pub env: Option<String>,
}

impl PassphraseSource {
    /// Reads the passphrase, if a source is named.
    ///
    /// # Errors
    /// [`KeyFileError`].
    pub fn read(&self) -> Result<Option<Zeroizing<String>>, KeyFileError> {
        let text = if let Some(path) = &self.file {
            let text = Zeroizing::new(io::read_text(path, KEY_BYTES)?);
            if text.starts_with('\u{feff}') {
                return Err(KeyFileError::MarkedPassphrase(path.clone()));
            }
            text
        } else if let Some(name) = &self.env {
            let text = Zeroizing::new(std::env::var(name).map_err(|_| KeyFileError::NoVariable(name.clone()))?);
            if text.lines().count() > 1 {
                return Err(KeyFileError::LongPassphrase(name.clone()));
            }
            text
        } else {
            return Ok(None);
        };
        // One rule for both routes, so that a key protected by one opens by the other: the line end is not part of it.
        let text = Zeroizing::new(text.lines().next().unwrap_or_default().to_owned());
        if text.is_empty() { Err(KeyFileError::EmptyPassphrase) } else { Ok(Some(text)) }
    }
}

/// Reads a signing key.
///
/// # Errors
/// [`KeyFileError`].
pub fn read_secret(path: &Path, passphrase: Option<&str>) -> Result<SecretKey, KeyFileError> {
    let file = Zeroizing::new(io::read(path, KEY_BYTES)?);
    SecretKey::from_pem(&*file, passphrase).map_err(|error| match error {
        KeyError::NeedsPassphrase => KeyFileError::NeedsPassphrase(path.to_owned()),
        error => KeyFileError::Key { path: path.to_owned(), error },
    })
}

/// Reads trusted public keys; `None` when no file is named.
///
/// # Errors
/// [`KeyFileError`]; the same raw key twice is refused.
pub fn read_trust(paths: &[PathBuf], threshold: Option<usize>) -> Result<Option<TrustStore>, KeyFileError> {
    if paths.is_empty() {
        // A threshold without keys can never be met: say so instead of passing it over.
        return match threshold {
            None => Ok(None),
            Some(threshold) => Err(TrustError::Threshold { threshold, keys: 0 }.into()),
        };
    }
    let keys = paths.iter().map(|path| read_public(path)).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(TrustStore::new(keys)?.with_threshold(threshold.unwrap_or(1))?))
}

/// Reads a public key.
///
/// # Errors
/// [`KeyFileError`].
pub fn read_public(path: &Path) -> Result<PublicKey, KeyFileError> {
    let file = io::read(path, KEY_BYTES)?;
    PublicKey::from_pem(file).map_err(|error| KeyFileError::Key { path: path.to_owned(), error })
}

/// A fresh key from the system's randomness.
///
/// # Errors
/// [`KeyFileError::NoRandomness`].
pub fn fresh() -> Result<SecretKey, KeyFileError> {
    Ok(SecretKey::generate(random()?))
}

/// Where the public half of a key file lies: `FILE.pub`.
#[must_use]
pub fn public_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".pub");
    PathBuf::from(name)
}

/// Writes a key pair; the private file is the owner's alone. Neither file is ever overwritten.
///
/// # Errors
/// [`KeyFileError`]; nothing is left behind when the second file cannot be written.
pub fn write_pair(path: &Path, key: &SecretKey, passphrase: Option<&str>) -> Result<PathBuf, KeyFileError> {
    let public = public_path(path);
    let keyed = |error| KeyFileError::Key { path: path.to_owned(), error };
    let protection = match passphrase {
        None => None,
        Some(passphrase) => Some((passphrase, random()?)),
    };
    let (secret_pem, public_pem) = (key.to_pem(protection).map_err(keyed)?, key.public().to_pem().map_err(keyed)?);
    if io::exists(&public) {
        return Err(IoError::Exists(public).into());
    }
    io::write_new(path, secret_pem.as_bytes(), Access::Private)?;
    if let Err(error) = io::write_new(&public, public_pem.as_bytes(), Access::Shared) {
        io::remove(path);
        return Err(error.into());
    }
    Ok(public)
}

/// Takes a key pair back that was written a moment ago.
pub fn take_back(path: &Path) {
    io::remove(path);
    io::remove(&public_path(path));
}

fn random() -> Result<[u8; 32], KeyFileError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|e| KeyFileError::NoRandomness(e.to_string()))?;
    Ok(bytes)
}
