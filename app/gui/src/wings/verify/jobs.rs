//! Keys, certificates, exports, verification. Same functions as the command line, so the same bytes.

use std::cell::{Cell, OnceCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use decidendi_core::judgment::case::Case;
use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::verify::{Against, VerifyError, verify};
use decidendi_core::judgment::walk::Compiler;
use decidendi_core::kinds::{self, Wanted};
use decidendi_core::limits::DOCUMENT_BYTES;
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::key::{KeyError, PublicKey, SecretKey};
use decidendi_core::seal::verified::TrustStore;
use decidendi_core::step_value::scores::Scores;
use decidendi_core::step_value::study::Study;
use decidendi_core::watch::Watch;
use decidendi_files::bundle::Bundle;
use decidendi_files::check::{self, CheckError};
use decidendi_files::evidence::Evidence;
use decidendi_files::keys::{self, KeyFileError};
use decidendi_files::seal::{CertifyError, Seal};
use decidendi_files::study::LoadedStudy;
use decidendi_files::{io, load};

use super::state::Checked;
use crate::desk::jobs::{Handle, Outcome};
use crate::desk::settings::Trusted;
use crate::desk::state::SigningKey;
use crate::shared::secret::Secret;
use crate::wings::judgment::state::Library;
use crate::wings::judgment::state::{Format, Held};
use crate::wings::step_value::state::StudyEntry;

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

/// Certifies a case: signs with the key, or with a new one made for it, and verifies at once with replay.
pub fn certify(case: &Case, judgment: &Judgment, key: SignWith, handle: &Handle) -> Outcome {
    let (secret, signer, made) = match signing_key(key) {
        Ok(found) => found,
        Err(outcome) => return *outcome,
    };
    let sealed = match (Seal { keys: &[&secret], time: None, bundle: false }).seal(case, judgment) {
        Ok(sealed) => sealed,
        Err(CertifyError::NotCertifiable(why)) => return Outcome::NotCertified(why.to_string()),
        Err(why) => return Outcome::NotCertified(why.to_string()),
    };
    if handle.is_cancelled() {
        return Outcome::Cancelled;
    }
    let trust = match TrustStore::new([secret.public()]) {
        Ok(trust) => trust,
        Err(why) => return Outcome::NotCertified(why.to_string()),
    };
    let against = Against { trust: Some(&trust), case: Some(case) };
    match verify("certificate", &sealed.envelope, against, &mut Compiler::default(), handle) {
        Ok(verification) => Outcome::Certified(
            Held {
                digest: Digest::of(&sealed.envelope).to_string(),
                bytes: sealed.envelope.into(),
                signer: signer.name.clone(),
                verification: Arc::new(verification),
                saved: None,
            },
            signer,
            made,
        ),
        Err(VerifyError::Cancelled(_)) => Outcome::Cancelled,
        Err(why) => Outcome::NotCertified(why.to_string()),
    }
}

pub(crate) fn signing_key(with: SignWith) -> Result<(SecretKey, SigningKey, bool), Box<Outcome>> {
    if let Some(path) = with.key.filter(|p| p.is_file()) {
        let typed = with.passphrase.as_ref().map(Secret::text);
        return match keys::read_secret(&path, typed.as_ref().map(|t| t.as_str())) {
            Ok(secret) => {
                let signer = SigningKey { protected: typed.is_some(), ..describe(&path, &secret.public()) };
                Ok((secret, signer, false))
            }
            Err(KeyFileError::NeedsPassphrase(_)) => Err(Box::new(Outcome::Locked(path, None))),
            Err(KeyFileError::Key { error: KeyError::WrongPassphrase, .. }) => {
                let why = "This passphrase does not open the key. Type it again.".to_owned();
                Err(Box::new(Outcome::Locked(path, Some(why))))
            }
            Err(why) => Err(Box::new(Outcome::NotCertified(why.to_string()))),
        };
    }
    let Some(folder) = with.keys_in else {
        let why = "No configuration folder is known here, so no key can be kept. Choose a key with File ▸ Sign with another key…";
        return Err(Box::new(Outcome::NotCertified(why.to_owned())));
    };
    let (secret, signer) = make(&folder, false).map_err(|why| Box::new(Outcome::NotCertified(why)))?;
    Ok((secret, signer, true))
}

/// Makes a key pair in a folder. Without `fresh`, the key of this year is used if it is there.
fn make(folder: &Path, fresh: bool) -> Result<(SecretKey, SigningKey), String> {
    let first = folder.join(format!("auditor-{}", year()));
    if !fresh && first.is_file() {
        let secret = keys::read_secret(&first, None).map_err(|e| e.to_string())?;
        let signer = describe(&first, &secret.public());
        return Ok((secret, signer));
    }
    io::make_folder(folder).map_err(|e| e.to_string())?;
    let free = std::iter::once(first.clone())
        .chain((2..1000).map(|n| folder.join(format!("auditor-{}-{n}", year()))))
        .find(|p| !p.exists() && !keys::public_path(p).exists())
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
pub fn new_key(folder: Option<PathBuf>) -> Outcome {
    let Some(folder) = folder else {
        return Outcome::Failed("No configuration folder is known here; set DECIDENDI_CONFIG to one.".to_owned());
    };
    match make(&folder, true) {
        Ok((_, signer)) => Outcome::Key(signer, true),
        Err(why) => Outcome::Failed(why),
    }
}

/// Reads a private key to sign with.
pub fn read_key(path: &Path) -> Outcome {
    match keys::read_secret(path, None) {
        Ok(secret) => Outcome::Key(describe(path, &secret.public()), false),
        // Its passphrase is asked for when it signs; what it is called and its public half need none.
        Err(KeyFileError::NeedsPassphrase(_)) => {
            let fingerprint = fingerprint(path);
            Outcome::Key(SigningKey { name: stem(path), path: path.to_owned(), fingerprint, protected: true }, false)
        }
        Err(why) => Outcome::Failed(why.to_string()),
    }
}

/// Reads a public key to trust.
pub fn read_trust(path: &Path) -> Outcome {
    let key = match keys::read_public(path) {
        Ok(key) => key,
        Err(why) => return Outcome::Failed(why.to_string()),
    };
    match key.to_pem() {
        Ok(pem) => Outcome::Trust(Trusted { name: stem(path), pem, fingerprint: key.fingerprint().to_string() }),
        Err(why) => Outcome::Failed(format!("{}: {why}", path.display())),
    }
}

/// What an export is made of.
pub struct ExportInput {
    /// The format.
    pub format: Format,
    /// The folder.
    pub folder: PathBuf,
    /// The case.
    pub case: Arc<Case>,
    /// The certificate, where there is one.
    pub envelope: Option<Arc<[u8]>>,
    /// The finished bytes of a format that the window itself renders (account, pictures).
    pub rendered: Option<Result<Vec<u8>, String>>,
}

/// Writes an export.
pub fn export(input: ExportInput) -> Outcome {
    let path = input.folder.join(format!("{}.{}", io::file_stem(input.case.id()), input.format.ending()));
    let bytes = match input.format {
        Format::Certificate => input.envelope.map(|e| e.to_vec()).ok_or_else(|| "Certify the case first.".to_owned()),
        Format::Bundle => match input.envelope {
            Some(envelope) => Bundle::new(&input.case, envelope.to_vec()).to_zip().map_err(|e| e.to_string()),
            None => Err("Certify the case first.".to_owned()),
        },
        _ => input.rendered.unwrap_or_else(|| Err("There is nothing to draw.".to_owned())),
    };
    let written = bytes.and_then(|bytes| {
        io::make_folder(&input.folder).map_err(|e| e.to_string())?;
        io::write_atomic(&path, &bytes).map_err(|e| e.to_string())?;
        Ok(bytes.len() as u64)
    });
    match written {
        Ok(length) => Outcome::Exported(path, length),
        Err(why) => Outcome::ExportFailed(why),
    }
}

/// Who is trusted and what the replay may use.
pub struct CheckInput {
    /// The file.
    pub path: PathBuf,
    /// Trusted public keys as PEM.
    pub trusted: Vec<String>,
    /// Own key file, whose public half is trusted.
    pub own: Option<PathBuf>,
    /// A case or casebook chosen for the replay.
    pub case: Option<PathBuf>,
    /// The open casebook: its case of the certificate's id is used where none was chosen and no bundle brings one.
    pub library: Arc<Library>,
    /// The open study, for step-value certificates.
    pub study: Option<Arc<LoadedStudy>>,
    /// The studies of the casebook.
    pub shelf: Vec<StudyEntry>,
}

/// Checks a certificate of any kind or a bundle: every numbered check, with replay where case or study is at hand.
pub fn check(input: &CheckInput, handle: &Handle) -> Outcome {
    let path = &input.path;
    let done = |digest: String, result, replayed_with| {
        Outcome::Verified(Checked { path: path.clone(), digest, result, replayed_with })
    };
    let chosen = match input.case.as_ref().map(|chosen| Evidence::open(Some(chosen), handle)).transpose() {
        Ok(chosen) => chosen,
        Err(why) if why.is_cancelled() => return Outcome::Cancelled,
        Err(why) => {
            return done(String::new(), Err(format!("What was chosen for the replay cannot be read. {why}")), None);
        }
    };
    let at_hand = AtHand { input, chosen, study: OnceCell::new(), used: Cell::new(None) };
    let trust = TrustStore::new(trusted_keys(input)).ok();
    match check::verify_path(path, trust.as_ref(), &at_hand, &mut Compiler::default(), handle) {
        Ok(verification) => {
            let digest = io::read(path, DOCUMENT_BYTES).map(|b| Digest::of(&b).to_string()).unwrap_or_default();
            let own = load::is_bundle_name(path).then(|| "the case in the bundle".to_owned());
            done(digest, Ok(Arc::new(verification)), at_hand.used.take().or(own))
        }
        Err(why) if why.is_cancelled() => Outcome::Cancelled,
        Err(why) => done(String::new(), Err(why.to_string()), None),
    }
}

/// What the window replays with: what was chosen; else what is open, and the casebook's cases and studies.
struct AtHand<'a> {
    input: &'a CheckInput,
    chosen: Option<Evidence>,
    study: OnceCell<Arc<LoadedStudy>>,
    /// Where the case or study came from, in words.
    used: Cell<Option<String>>,
}

impl AtHand<'_> {
    fn use_chosen(&self) {
        self.used.set(self.input.case.as_ref().map(|path| path.display().to_string()));
    }
}

impl kinds::Evidence for AtHand<'_> {
    type Error = CheckError;

    fn case(&self, wanted: &Wanted) -> Result<Option<Case>, CheckError> {
        if let Some(chosen) = &self.chosen {
            let found = chosen.case(wanted)?;
            if found.is_some() {
                self.use_chosen();
            }
            return Ok(found);
        }
        // A bundle brings its own.
        if load::is_bundle_name(&self.input.path) {
            return Ok(None);
        }
        let found = self.input.library.bound(&wanted.id, wanted.digest);
        if found.is_some() {
            self.used.set(Some("the case of this id in the open casebook".to_owned()));
        }
        Ok(found)
    }

    fn study(&self, wanted: &Wanted, watch: &dyn Watch) -> Result<Option<(&Study, &Scores)>, CheckError> {
        if let Some(chosen) = &self.chosen {
            let found = chosen.study(wanted, watch)?;
            if found.is_some() {
                self.use_chosen();
            }
            return Ok(found);
        }
        let open = self.input.study.as_ref().filter(|open| open.study.id == wanted.id);
        let is_bound = |loaded: &LoadedStudy| {
            loaded.study.digest == wanted.digest && Some(loaded.scores.digest()) == wanted.scores
        };
        let mut found = open.cloned();
        let mut words = "the open study";
        for entry in self.input.shelf.iter().filter(|entry| entry.id == wanted.id) {
            if found.as_ref().is_some_and(|found| is_bound(found)) {
                break;
            }
            let loaded = crate::wings::step_value::jobs::load(&entry.place, watch)?;
            if found.is_none() || is_bound(&loaded) {
                found = Some(Arc::new(loaded));
                words = "the study of this id in the open casebook";
            }
        }
        let Some(found) = found else { return Ok(None) };
        self.used.set(Some(words.to_owned()));
        let held = self.study.get_or_init(|| found);
        Ok(Some((&held.study, &held.scores)))
    }
}

fn trusted_keys(input: &CheckInput) -> Vec<PublicKey> {
    let own = input.own.as_ref().and_then(|p| io::read_text(&keys::public_path(p), 64 << 10).ok());
    let mut found: Vec<PublicKey> = Vec::new();
    for key in input.trusted.iter().chain(own.as_ref()).filter_map(|pem| PublicKey::from_pem(pem).ok()) {
        if !found.contains(&key) {
            found.push(key);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_year_is_a_year() {
        assert!((2024..2100).contains(&super::year()));
    }
}
