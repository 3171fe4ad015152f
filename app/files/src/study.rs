//! Studies on the disk: a folder with `study.json` and `scores.jsonl`. The score file passes through in pieces.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use decidendi_core::limits::DOCUMENT_BYTES;
use decidendi_core::seal::certificate::Certificate as _;
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::key::{PublicKey, SecretKey};
use decidendi_core::seal::time::Time;
use decidendi_core::step_value::certificate::{NotCertifiable, Scope, StepCertificate};
use decidendi_core::step_value::scores::{ScoreFaults, ScoreReader, Scores};
use decidendi_core::step_value::study::{Study, StudyError};
use decidendi_core::step_value::walk::{Report, open_study};
use decidendi_core::watch::{Cancelled, Watch};

use crate::io::{self, IoError, Kind};
use crate::ours::is_of_same_subject;
use crate::recognize::{Wanted, WrongFile};

/// The study document of a study folder.
pub const STUDY: &str = "study.json";
/// The score file beside it.
pub const SCORES: &str = "scores.jsonl";
/// Bytes that are read at a time.
const PIECE: usize = 1 << 18;

/// A study with its scores.
#[derive(Debug)]
pub struct LoadedStudy {
    /// The study document's path.
    pub path: PathBuf,
    /// The study.
    pub study: Study,
    /// Its scores.
    pub scores: Scores,
}

/// Why a study could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum StudyLoadError {
    /// The disk.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A folder without one.
    #[error("{}: no study is in this folder; name the one that holds {STUDY} and {SCORES}", .0.display())]
    NoStudy(PathBuf),
    /// The study document.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The score file.
    #[error(transparent)]
    Scores(#[from] ScoreFaults),
    /// Another kind of file in place of either.
    #[error(transparent)]
    Wrong(#[from] WrongFile),
    /// The watch asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Whether a path names a study: a folder that holds one, or its document.
#[must_use]
pub fn is_study(path: &Path) -> bool {
    path.ends_with(STUDY) || io::exists(&path.join(STUDY))
}

/// Loads the study that `path` names: its folder, or its document.
///
/// # Errors
/// [`StudyLoadError`].
pub fn load_study(path: &Path, watch: &dyn Watch) -> Result<LoadedStudy, StudyLoadError> {
    let path = match io::kind(path)? {
        Kind::Folder if !io::exists(&path.join(STUDY)) => return Err(StudyLoadError::NoStudy(path.to_owned())),
        Kind::Folder => path.join(STUDY),
        Kind::File => path.to_owned(),
    };
    let bytes = io::read(&path, DOCUMENT_BYTES)?;
    let study = open_study(&path.display().to_string(), &bytes).map_err(|error| {
        WrongFile::of(&path, &bytes, Wanted::Study).map_or_else(|| StudyLoadError::from(error), Into::into)
    })?;
    drop(bytes);
    let file = path.parent().unwrap_or(Path::new("")).join(SCORES);
    let scores = read_scores(&study, &file, watch)?;
    Ok(LoadedStudy { path, study, scores })
}

fn read_scores(study: &Study, file: &Path, watch: &dyn Watch) -> Result<Scores, StudyLoadError> {
    let total = io::length(file)?;
    let mut input = io::open(file)?;
    let mut reader = ScoreReader::new(study, &file.display().to_string())?;
    let (mut piece, mut done, mut first) = (vec![0; PIECE], 0_u64, Vec::new());
    loop {
        let read = input.read(&mut piece).map_err(|source| IoError::Read { path: file.to_owned(), source })?;
        if read == 0 {
            break;
        }
        reader.feed(&piece[..read]);
        if first.is_empty() {
            first.extend_from_slice(&piece[..read]);
        }
        done += read as u64;
        if watch.step(done, total).is_break() {
            return Err(Cancelled.into());
        }
        // A file of another kind may be of any size.
        if reader.is_lost() {
            break;
        }
    }
    reader.finish().map_err(|faults| {
        WrongFile::of(file, &first, Wanted::Scores).map_or_else(|| StudyLoadError::from(faults), Into::into)
    })
}

/// Binds, signs and writes a step-value certificate into `folder`; its path and the digest of its bytes.
///
/// # Errors
/// [`StepCertifyError`].
pub fn certify_study(
    folder: &Path,
    loaded: &LoadedStudy,
    report: &Report,
    scope: Scope,
    keys: &[&SecretKey],
    time: Option<Time>,
    is_forced: bool,
) -> Result<(PathBuf, Digest), StepCertifyError> {
    let certificate = StepCertificate::bind(&loaded.study, &loaded.scores, report, scope, time)?;
    let path = folder.join(format!("{}.asv.cert.json", io::file_stem(&certificate.name())));
    io::make_folder(folder)?;
    let envelope = certificate.sign(keys);
    if !is_forced {
        let keys: Vec<PublicKey> = keys.iter().map(|key| key.public()).collect();
        io::see_free(&path, &envelope, |held| is_of_same_subject(held, &envelope, &keys))?;
    }
    io::write_atomic(&path, &envelope)?;
    Ok((path, Digest::of(&envelope)))
}

/// Why there is no step-value certificate on the disk.
#[derive(Debug, thiserror::Error)]
pub enum StepCertifyError {
    /// There is nothing to certify.
    #[error(transparent)]
    NotCertifiable(#[from] NotCertifiable),
    /// The disk.
    #[error(transparent)]
    Io(#[from] IoError),
}
