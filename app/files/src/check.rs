//! Verification of certificates and bundles on the disk: finds the case, runs the core's checks, adds those of the bundle.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use decidendi_core::judgment::case::{Case, CaseError};
use decidendi_core::judgment::walk::Compiler;
use decidendi_core::kinds::{self, Claim, Evidence};
use decidendi_core::limits::DOCUMENT_BYTES;
use decidendi_core::seal::check::VerifyError;
use decidendi_core::seal::line_ends::CONVERTED;
use decidendi_core::seal::statement::Statement;
use decidendi_core::seal::verification::{Check, EndState, Next, Standing, Status, Verification};
use decidendi_core::seal::verified::TrustStore;
use decidendi_core::step_value::scores::Scores;
use decidendi_core::step_value::study::Study;
use decidendi_core::watch::Watch;

use crate::bundle::{Bundle, BundleError, folder, zip};
use crate::casebook::CasebookError;
use crate::io::{self, IoError, Kind};
use crate::load::{LoadError, is_bundle_name};
use crate::recognize::{Wanted, WrongFile};
use crate::study::StudyLoadError;

/// Why a file could not even be checked: bad input, not a failed check.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The disk.
    #[error(transparent)]
    Io(#[from] IoError),
    /// Another kind of file.
    #[error(transparent)]
    Wrong(#[from] WrongFile),
    /// No envelope, or stopped.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// No bundle.
    #[error("{}: {error}", .path.display())]
    Bundle {
        /// The file.
        path: PathBuf,
        /// Why.
        error: BundleError,
    },
    /// The case named beside the certificate.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The casebook named beside the certificates.
    #[error(transparent)]
    Casebook(#[from] CasebookError),
    /// The study named beside the certificate.
    #[error(transparent)]
    Study(#[from] StudyLoadError),
}

impl CheckError {
    /// Whether this is a stop that was asked for, and says nothing about the file.
    #[must_use]
    pub const fn is_cancelled(&self) -> bool {
        matches!(
            self,
            Self::Verify(VerifyError::Cancelled(_))
                | Self::Load(LoadError::Cancelled(_))
                | Self::Casebook(CasebookError::Cancelled(_))
                | Self::Study(StudyLoadError::Cancelled(_))
        )
    }
}

/// Checks a certificate of any kind, a zipped bundle, or a folder that is a bundle.
///
/// # Errors
/// [`CheckError`].
pub fn verify_path<E: Evidence<Error = CheckError>>(
    path: &Path,
    trust: Option<&TrustStore>,
    evidence: &E,
    compiler: &mut Compiler,
    watch: &dyn Watch,
) -> Result<Verification<Claim>, CheckError> {
    if io::kind(path)? == Kind::Folder {
        let bundle = Bundle::from_entries(folder::entries(path)?);
        return verify_bundle(path, bundle, trust, evidence, compiler, watch);
    }
    let bytes = io::read(path, zip::TOTAL_BYTES)?;
    if is_bundle_name(path) || zip::is_zip(&bytes) {
        return verify_bundle(path, Bundle::from_zip(&bytes), trust, evidence, compiler, watch);
    }
    if bytes.len() > DOCUMENT_BYTES {
        return Err(IoError::TooLarge { path: path.to_owned(), bound: DOCUMENT_BYTES }.into());
    }
    let file = path.display().to_string();
    let mut outcome = kinds::verify(&file, &bytes, trust, evidence, compiler, watch).map_err(|error| match error {
        CheckError::Verify(VerifyError::Envelope(_)) => {
            WrongFile::of(path, &bytes, Wanted::Certificate).map_or(error, Into::into)
        }
        other => other,
    })?;
    name_converted(&mut outcome, evidence);
    Ok(outcome)
}

/// Says of scores that are not the bound ones whether their line ends are the only difference. The study is bound by its
/// canonical form, in which line ends do not count.
fn name_converted<E: Evidence>(outcome: &mut Verification<Claim>, evidence: &E) {
    let Some(Claim::StepValue(claimed)) = &outcome.claimed else { return };
    let failed = |check: &&mut Check| check.status == Status::Fail && check.name.starts_with("scores are");
    let Some(check) = outcome.checks.iter_mut().find(failed) else { return };
    if evidence.differ_in_line_ends(claimed.scores) {
        check.detail.push_str(&format!("; {CONVERTED}"));
    }
}

/// What is named outranks what a bundle brings along.
struct WithBundle<'a, E> {
    named: &'a E,
    own: Result<Case, CaseError>,
    /// Whether the bundle's own case was wanted.
    asked: Cell<bool>,
}

impl<E: Evidence<Error = CheckError>> Evidence for WithBundle<'_, E> {
    type Error = CheckError;

    fn case(&self, wanted: &kinds::Wanted) -> Result<Option<Case>, CheckError> {
        if let Some(case) = self.named.case(wanted)? {
            return Ok(Some(case));
        }
        self.asked.set(true);
        Ok(self.own.as_ref().ok().cloned())
    }

    fn study(&self, wanted: &kinds::Wanted, watch: &dyn Watch) -> Result<Option<(&Study, &Scores)>, CheckError> {
        self.named.study(wanted, watch)
    }
}

/// Checks a bundle that was read: its list against its files and the certificate, then the certificate itself.
///
/// # Errors
/// [`CheckError`].
pub fn verify_bundle<E: Evidence<Error = CheckError>>(
    path: &Path,
    bundle: Result<Bundle, BundleError>,
    trust: Option<&TrustStore>,
    evidence: &E,
    compiler: &mut Compiler,
    watch: &dyn Watch,
) -> Result<Verification<Claim>, CheckError> {
    let bundle = match bundle {
        Ok(bundle) => bundle,
        Err(error) if error.is_altered() => return Ok(refused(EndState::Altered, &error)),
        Err(error @ BundleError::Unsupported(_)) => return Ok(refused(EndState::UnsupportedVersion, &error)),
        Err(error) => return Err(CheckError::Bundle { path: path.to_owned(), error }),
    };
    let with = WithBundle { named: evidence, own: bundle.case(), asked: Cell::new(false) };
    let certificate = format!("{}/{}", path.display(), crate::bundle::CERTIFICATE);
    let mut outcome = kinds::verify(&certificate, bundle.certificate(), trust, &with, compiler, watch)?;
    let unread = with.own.as_ref().err().filter(|_| with.asked.get());
    add_list_check(&mut outcome, &bundle, unread);
    Ok(outcome)
}

const LIST_CHECK: &str = "bundle holds exactly what was signed";
/// Its number, after the ten of the core: the same check always has the same one.
const LIST_NUMBER: u32 = 11;

/// The check of the list, after the core's own.
fn add_list_check(outcome: &mut Verification<Claim>, bundle: &Bundle, unread: Option<&CaseError>) {
    let statement = outcome.claimed.as_ref().and_then(|c| Statement::read(&c.payload()).ok());
    let subjects = statement.map(|s| s.subjects);
    let (status, mut detail, next) = match (&subjects, unread) {
        (None, _) => (Status::NotRun, "the certificate could not be read".to_owned(), None),
        (Some(subjects), unread) => match (bundle.differs_from(subjects), unread) {
            (Some(difference), _) => (Status::Fail, difference, Some(Next::AskForBundle)),
            (None, Some(error)) => {
                let why = match error {
                    CaseError::Unsupported { format, .. } => format!("it is a newer one, `{format}`"),
                    other => other.to_string(),
                };
                (Status::NotRun, format!("its case cannot be replayed here: {why}"), Some(Next::Upgrade))
            }
            (None, None) => (Status::Pass, format!("{} files", bundle.artifacts().len() + 1), None),
        },
    };
    if !bundle.unsigned().is_empty() {
        let names: Vec<&str> = bundle.unsigned().iter().take(8).map(String::as_str).collect();
        let more = if bundle.unsigned().len() > names.len() { ", …" } else { "" };
        detail.push_str(&format!("; unsigned and not used ({}): {}{more}", bundle.unsigned().len(), names.join(", ")));
    }
    if status == Status::Fail {
        outcome.verdict = Standing::Invalid;
        outcome.state = Some(EndState::Altered);
        outcome.verified = None;
    }
    outcome.checks.push(Check { n: LIST_NUMBER, name: LIST_CHECK, status, detail, next });
}

/// A bundle whose certificate is not even looked at, because its list says that the files are not those exported.
fn refused(state: EndState, error: &BundleError) -> Verification<Claim> {
    let (verdict, status, detail, next) = match error {
        // What to do is the next step's to say, not the detail's too.
        BundleError::Unsupported(format) => {
            let detail = format!("`{format}` is a newer bundle than this version reads");
            (Standing::Inconclusive, Status::NotRun, detail, Next::Upgrade)
        }
        BundleError::Stray(_) => (Standing::Invalid, Status::Fail, error.to_string(), Next::TakeOut),
        error => (Standing::Invalid, Status::Fail, error.to_string(), Next::AskForBundle),
    };
    let check = Check { n: LIST_NUMBER, name: LIST_CHECK, status, detail, next: Some(next) };
    Verification::refused(verdict, state, check)
}
