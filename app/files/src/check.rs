//! Verification of certificates and bundles on the disk: finds the case, runs the core's checks, adds those of the bundle.

use std::path::{Path, PathBuf};

use decidendi_core::judgment::case::{Case, CaseError};
use decidendi_core::judgment::verify::{Against, Check, EndState, Standing, Status, Verification, VerifyError, verify};
use decidendi_core::judgment::walk::Compiler;
use decidendi_core::limits::DOCUMENT_BYTES;
use decidendi_core::seal::check;
use decidendi_core::seal::dsse::Envelope;
use decidendi_core::seal::json::Json;
use decidendi_core::seal::line_ends::CONVERTED;
use decidendi_core::seal::statement::Statement;
use decidendi_core::seal::verified::TrustStore;
use decidendi_core::step_value;
use decidendi_core::watch::Watch;

use crate::bundle::zip::is_zip;
use crate::bundle::{self, AGAIN, Bundle, BundleError};
use crate::casebook::{Casebook, CasebookError};
use crate::io::{self, IoError, Kind};
use crate::load::{LoadError, is_bundle_name, is_lines_name, load_case};
use crate::recognize::{Wanted, WrongFile};
use crate::study::{LoadedStudy, SCORES, StudyLoadError, is_study, load_study};

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

/// The cases that certificates are replayed against.
#[derive(Debug, Default)]
pub enum Cases {
    /// None named: only a bundle can be replayed.
    #[default]
    None,
    /// This one, whatever its id.
    One(Box<Case>),
    /// The one with the certificate's id.
    Book(Box<Casebook>),
    /// A study, for step-value certificates.
    Study(Box<LoadedStudy>),
}

impl Cases {
    /// Opens what `--case` names: a case, a bundle, a folder or JSON Lines.
    ///
    /// # Errors
    /// [`CheckError`].
    pub fn open(path: Option<&Path>, watch: &dyn Watch) -> Result<Self, CheckError> {
        let Some(path) = path else { return Ok(Self::None) };
        if is_study(path) {
            return Ok(Self::Study(Box::new(load_study(path, watch)?)));
        }
        let many = is_lines_name(path) || (io::kind(path)? == Kind::Folder && !is_bundle_name(path));
        Ok(if many {
            Self::Book(Box::new(Casebook::open(path, watch)?))
        } else {
            Self::One(Box::new(load_case(path)?.case))
        })
    }

    /// The case for an envelope.
    fn find(&self, file: &str, envelope: &[u8]) -> Result<Option<Case>, LoadError> {
        match self {
            Self::None | Self::Study(_) => Ok(None),
            Self::One(case) => Ok(Some((**case).clone())),
            Self::Book(book) => {
                let found = claimed_id(file, envelope).and_then(|id| book.find(&id)).and_then(|i| book.case(i));
                found.transpose().map(|found| found.map(|loaded| loaded.case))
            }
        }
    }
}

/// The case id that an envelope claims; only used to pick the case that it is then checked against.
fn claimed_id(file: &str, bytes: &[u8]) -> Option<String> {
    let envelope = Envelope::read(file, bytes).ok()?;
    let statement = Statement::read(&envelope.payload).ok()?;
    statement.predicate.get("case")?.get("id").and_then(Json::as_text).map(str::to_owned)
}

/// Checks a certificate of any kind: what it claims is no longer told apart.
///
/// # Errors
/// [`CheckError`].
pub fn verify_any(
    path: &Path,
    trust: Option<&TrustStore>,
    cases: &Cases,
    compiler: &mut Compiler,
    watch: &dyn Watch,
) -> Result<check::Verification<()>, CheckError> {
    if io::kind(path)? == Kind::File && !is_bundle_name(path) {
        let bytes = io::read(path, bundle::zip::TOTAL_BYTES)?;
        let file = path.display().to_string();
        if is_step_value(&file, &bytes) {
            let study = match cases {
                Cases::Study(loaded) => Some((&loaded.study, &loaded.scores)),
                _ => None,
            };
            let against = step_value::verify::Against { trust, study };
            let mut outcome = step_value::verify::verify(&file, &bytes, against, watch)?;
            if let Cases::Study(loaded) = cases {
                name_converted(&mut outcome, loaded);
            }
            return Ok(outcome.without_claim());
        }
    }
    Ok(verify_path(path, trust, cases, compiler, watch)?.without_claim())
}

/// Says of scores that are not the bound ones whether their line ends are the only difference. The study is bound by its
/// canonical form, in which line ends do not count.
fn name_converted(outcome: &mut step_value::verify::Verification, loaded: &LoadedStudy) {
    let Some(claimed) = &outcome.claimed else { return };
    let failed = |check: &&mut Check| check.status == Status::Fail && check.name.starts_with("scores are");
    let Some(check) = outcome.checks.iter_mut().find(failed) else { return };
    if io::restored_digest(&loaded.path.with_file_name(SCORES)).is_ok_and(|restored| restored == claimed.scores) {
        check.detail.push_str(&format!("; {CONVERTED}"));
    }
}

/// Whether the bytes are a step-value certificate, sound or not.
#[must_use]
pub fn is_step_value(file: &str, bytes: &[u8]) -> bool {
    let statement = Envelope::read(file, bytes).ok().and_then(|envelope| Statement::read(&envelope.payload).ok());
    statement.is_some_and(|statement| step_value::certificate::KIND.is_meant(&statement))
}

/// Checks a judgment certificate, a zipped bundle, or a folder that is a bundle.
///
/// # Errors
/// [`CheckError`].
pub fn verify_path(
    path: &Path,
    trust: Option<&TrustStore>,
    cases: &Cases,
    compiler: &mut Compiler,
    watch: &dyn Watch,
) -> Result<Verification, CheckError> {
    if io::kind(path)? == Kind::Folder {
        let bundle = Bundle::from_entries(bundle::folder::entries(path)?);
        return verify_bundle(path, bundle, trust, cases, compiler, watch);
    }
    let bytes = io::read(path, bundle::zip::TOTAL_BYTES)?;
    if is_bundle_name(path) || is_zip(&bytes) {
        return verify_bundle(path, Bundle::from_zip(&bytes), trust, cases, compiler, watch);
    }
    if bytes.len() > DOCUMENT_BYTES {
        return Err(IoError::TooLarge { path: path.to_owned(), bound: DOCUMENT_BYTES }.into());
    }
    let file = path.display().to_string();
    let case = cases.find(&file, &bytes)?;
    verify(&file, &bytes, Against { trust, case: case.as_ref() }, compiler, watch).map_err(|error| {
        WrongFile::of(path, &bytes, Wanted::Certificate).map_or_else(|| CheckError::from(error), Into::into)
    })
}

/// Checks a bundle that was read: its list against its files and the certificate, then the certificate itself.
///
/// # Errors
/// [`CheckError`].
pub fn verify_bundle(
    path: &Path,
    bundle: Result<Bundle, BundleError>,
    trust: Option<&TrustStore>,
    cases: &Cases,
    compiler: &mut Compiler,
    watch: &dyn Watch,
) -> Result<Verification, CheckError> {
    let file = path.display().to_string();
    let bundle = match bundle {
        Ok(bundle) => bundle,
        Err(error) if error.is_altered() => return Ok(refused(EndState::Altered, &error)),
        Err(error @ BundleError::Unsupported(_)) => return Ok(refused(EndState::UnsupportedVersion, &error)),
        Err(error) => return Err(CheckError::Bundle { path: path.to_owned(), error }),
    };
    // A case named by the auditor outranks the one that the bundle brings along.
    let named = cases.find(&file, bundle.certificate())?;
    let (case, unread) = match named {
        Some(case) => (Some(case), None),
        None => match bundle.case() {
            Ok(case) => (Some(case), None),
            Err(error) => (None, Some(error)),
        },
    };
    let against = Against { trust, case: case.as_ref() };
    let certificate = format!("{file}/{}", bundle::CERTIFICATE);
    let mut outcome = verify(&certificate, bundle.certificate(), against, compiler, watch)?;
    add_list_check(&mut outcome, &bundle, unread.as_ref());
    Ok(outcome)
}

const LIST_CHECK: &str = "bundle holds exactly what was signed";
/// Its number, after the ten of the core: the same check always has the same one.
const LIST_NUMBER: u32 = 11;

/// The check of the list, after the core's own.
fn add_list_check(outcome: &mut Verification, bundle: &Bundle, unread: Option<&CaseError>) {
    let statement = outcome.claimed.as_ref().and_then(|c| Statement::read(&c.payload()).ok());
    let subjects = statement.map(|s| s.subjects);
    let (status, mut detail, next) = match (&subjects, unread) {
        (None, _) => (Status::NotRun, "the certificate could not be read".to_owned(), None),
        (Some(subjects), unread) => match (bundle.differs_from(subjects), unread) {
            (Some(difference), _) => (Status::Fail, difference, Some(AGAIN)),
            (None, Some(error)) => {
                let why = match error {
                    CaseError::Unsupported { format, .. } => format!("it is a newer one, `{format}`"),
                    other => other.to_string(),
                };
                (Status::NotRun, format!("its case cannot be replayed here: {why}"), Some("Use a newer decidendi."))
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
    outcome.checks.push(Check { n: LIST_NUMBER, name: LIST_CHECK, status, detail, next: next.map(str::to_owned) });
}

/// A bundle whose certificate is not even looked at, because its list says that the files are not those exported.
fn refused(state: EndState, error: &BundleError) -> Verification {
    let (verdict, status, detail, next) = match error {
        // What to do is the next step's to say, not the detail's too.
        BundleError::Unsupported(format) => {
            let detail = format!("`{format}` is a newer bundle than this version reads");
            (Standing::Inconclusive, Status::NotRun, detail, "Use a newer decidendi.")
        }
        error => (Standing::Invalid, Status::Fail, error.to_string(), error.advice().unwrap_or(AGAIN)),
    };
    let check = Check { n: LIST_NUMBER, name: LIST_CHECK, status, detail, next: Some(next.to_owned()) };
    Verification {
        verdict,
        state: Some(state),
        checks: vec![check],
        claimed: None,
        verified: None,
        signers: Vec::new(),
        recorded: false,
    }
}
