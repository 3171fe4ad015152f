//! What every signing command needs before it starts: the keys, and the time to declare.

use std::path::PathBuf;

use decidendi_core::seal::key::SecretKey;
use decidendi_core::seal::time::Time;
use decidendi_files::io::IoError;
use decidendi_files::keys::{self, KeyFileError};

use crate::args::Passphrase;

/// Reads the signing keys and the declared time.
pub fn signing(
    files: &[PathBuf],
    passphrase: &Passphrase,
    time: Option<&str>,
) -> Result<(Vec<SecretKey>, Option<Time>), SetupError> {
    let time = match time {
        None => None,
        Some(text) => Some(Time::parse(text).ok_or_else(|| SetupError::Time(text.to_owned()))?),
    };
    let passphrase = passphrase.source().read()?;
    let mut keys: Vec<SecretKey> = Vec::new();
    for path in files {
        let key = keys::read_secret(path, passphrase.as_ref().map(|p| p.as_str()))?;
        if keys.iter().any(|k| k.public() == key.public()) {
            return Err(SetupError::Twice(path.display().to_string()));
        }
        keys.push(key);
    }
    Ok((keys, time))
}

/// What can be wrong with them.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("--time `{0}`: not a time of the form YYYY-MM-DDTHH:MM:SS.mmmZ, for example 2026-01-31T09:30:00.000Z")]
    Time(String),
    #[error("--key {0}: the same key is named twice; name each signer once")]
    Twice(String),
    #[error(transparent)]
    Key(#[from] KeyFileError),
    #[error(transparent)]
    Io(#[from] IoError),
}
