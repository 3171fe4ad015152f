//! Signing, of any wing: the key that signs, asking for its passphrase, and verifying right after with replay.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use decidendi_core::seal::check::VerifyError;
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::key::{KeyError, PublicKey, SecretKey};
use decidendi_core::seal::verification::{EndState, Standing};
use decidendi_core::seal::verified::TrustStore;
use decidendi_files::keys::{self, KeyFileError};
use decidendi_files::{io, look};

use super::certificates::Held;
use super::secret::Secret;

/// The key that signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningKey {
    /// Its short name: the file's stem.
    pub name: String,
    /// The private key file.
    pub path: PathBuf,
    /// The fingerprint of the public key, once it was read.
    pub fingerprint: Option<String>,
    /// Whether it is known to ask for a passphrase.
    pub protected: bool,
}

/// What signs.
#[derive(Debug, Default)]
pub struct SignWith {
    /// The key file; where there is none, a new key is made.
    pub key: Option<PathBuf>,
    /// Where new keys are made.
    pub keys_in: Option<PathBuf>,
    /// The passphrase of a protected key: used here and overwritten.
    pub passphrase: Option<Secret>,
}

/// What was signed, with which key, and whether that was made for this.
#[derive(Debug)]
pub struct Signed<C> {
    /// The certificate.
    pub held: Held<C>,
    /// The key.
    pub signer: SigningKey,
    /// Whether it was made for this.
    pub made: bool,
}

/// Why nothing was signed.
#[derive(Debug)]
pub enum NotSigned {
    /// The key asks for its passphrase; with the reason if one was given and does not fit.
    Locked(PathBuf, Option<String>),
    /// It could not be certified: why.
    Refused(String),
    /// It was told to stop.
    Cancelled,
}

/// What is to be signed: its bytes, its file's name, and the digests of what it speaks of.
#[derive(Debug)]
pub struct Sealed {
    /// The signed envelope.
    pub bytes: Vec<u8>,
    /// The file's name.
    pub file: String,
    /// Digests of what it speaks of.
    pub of: Vec<Digest>,
}

/// Signs with the key, or with a new one made for it, and verifies at once.
///
/// # Errors
/// [`NotSigned`].
pub fn sign<C>(
    with: SignWith,
    seal: impl FnOnce(&SecretKey) -> Result<Sealed, NotSigned>,
    check: impl FnOnce(&TrustStore, &[u8]) -> Result<(Standing, Option<EndState>, C), VerifyError>,
) -> Result<Signed<C>, NotSigned> {
    let (secret, signer, made) = signing_key(with)?;
    let Sealed { bytes, file, of } = seal(&secret)?;
    let trust = TrustStore::new([secret.public()]).map_err(|why| NotSigned::Refused(why.to_string()))?;
    let (verdict, state, claim) = check(&trust, &bytes).map_err(|why| match why {
        VerifyError::Cancelled(_) => NotSigned::Cancelled,
        why => NotSigned::Refused(why.to_string()),
    })?;
    let digest = Digest::of(&bytes).to_string();
    let signed_by = signer.name.clone();
    let held = Held { bytes: bytes.into(), digest, signer: signed_by, file, of, verdict, state, claim, saved: None };
    Ok(Signed { held, signer, made })
}

/// The key that signs, and whether it was made for this.
fn signing_key(with: SignWith) -> Result<(SecretKey, SigningKey, bool), NotSigned> {
    if let Some(path) = with.key.filter(|p| look::is_file(p)) {
        let typed = with.passphrase.as_ref().map(Secret::text);
        return match keys::read_secret(&path, typed.as_ref().map(|t| t.as_str())) {
            Ok(secret) => {
                let signer = SigningKey { protected: typed.is_some(), ..describe(&path, &secret.public()) };
                Ok((secret, signer, false))
            }
            Err(KeyFileError::NeedsPassphrase(_)) => Err(NotSigned::Locked(path, None)),
            Err(KeyFileError::Key { error: KeyError::WrongPassphrase, .. }) => {
                let why = "This passphrase does not open the key. Type it again.".to_owned();
                Err(NotSigned::Locked(path, Some(why)))
            }
            Err(why) => Err(NotSigned::Refused(why.to_string())),
        };
    }
    let Some(folder) = with.keys_in else {
        let why = "No configuration folder is known here, so no key can be kept. Choose a key with File ▸ Sign with another key…";
        return Err(NotSigned::Refused(why.to_owned()));
    };
    let (secret, signer) = make(&folder, false).map_err(NotSigned::Refused)?;
    Ok((secret, signer, true))
}

/// Makes a key pair in a folder. Without `fresh`, the key of this year is used if it is there.
fn make(folder: &Path, fresh: bool) -> Result<(SecretKey, SigningKey), String> {
    let first = folder.join(format!("auditor-{}", year()));
    if !fresh && look::is_file(&first) {
        let secret = keys::read_secret(&first, None).map_err(|e| e.to_string())?;
        let signer = describe(&first, &secret.public());
        return Ok((secret, signer));
    }
    io::make_folder(folder).map_err(|e| e.to_string())?;
    let free = std::iter::once(first.clone())
        .chain((2..1000).map(|n| folder.join(format!("auditor-{}-{n}", year()))))
        .find(|p| !io::exists(p) && !io::exists(&keys::public_path(p)))
        .ok_or("The key folder is full; move old keys away.")?;
    let secret = keys::fresh().map_err(|e| e.to_string())?;
    keys::write_pair(&free, &secret, None).map_err(|e| e.to_string())?;
    let signer = describe(&free, &secret.public());
    Ok((secret, signer))
}

fn describe(path: &Path, public: &PublicKey) -> SigningKey {
    SigningKey {
        name: stem(path),
        path: path.to_owned(),
        fingerprint: Some(public.fingerprint().to_string()),
        protected: false,
    }
}

/// The fingerprint of a private key's public half, where that lies beside it.
#[must_use]
pub fn fingerprint(path: &Path) -> Option<String> {
    keys::read_public(&keys::public_path(path)).ok().map(|public| public.fingerprint().to_string())
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| path.display().to_string(), |s| s.to_string_lossy().into_owned())
}

/// This year, in UTC. A name for a key, nothing that is signed.
fn year() -> u64 {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() / 86_400);
    // 400 years have 146,097 days; days are counted from 1 March of year 0 (719,468 days before 1970).
    let day = days + 719_468;
    let of_era = day % 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year + year / 4 - year / 100);
    day / 146_097 * 400 + year + u64::from(day_of_year >= 306)
}

/// Makes a new key pair.
///
/// # Errors
/// What, where, why.
pub fn new_key(folder: Option<PathBuf>) -> Result<SigningKey, String> {
    let Some(folder) = folder else {
        return Err("No configuration folder is known here; set DECIDENDI_CONFIG to one.".to_owned());
    };
    make(&folder, true).map(|(_, signer)| signer)
}

/// Reads a private key to sign with.
///
/// # Errors
/// What, where, why.
pub fn read_key(path: &Path) -> Result<SigningKey, String> {
    match keys::read_secret(path, None) {
        Ok(secret) => Ok(describe(path, &secret.public())),
        // Its passphrase is asked for when it signs; what it is called and its public half need none.
        Err(KeyFileError::NeedsPassphrase(_)) => {
            let fingerprint = fingerprint(path);
            Ok(SigningKey { name: stem(path), path: path.to_owned(), fingerprint, protected: true })
        }
        Err(why) => Err(why.to_string()),
    }
}

/// A public key to trust: its name, its text, its fingerprint.
///
/// # Errors
/// What, where, why.
pub fn read_public(path: &Path) -> Result<(String, String, String), String> {
    let key = keys::read_public(path).map_err(|why| why.to_string())?;
    let pem = key.to_pem().map_err(|why| format!("{}: {why}", path.display()))?;
    Ok((stem(path), pem, key.fingerprint().to_string()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_year_is_a_year() {
        assert!((2024..2100).contains(&super::year()));
    }
}
