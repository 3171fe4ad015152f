//! From a judged case to certificate and bundle, and onto the disk. Command line and window both come through here, so
//! both write the same bytes.

use std::path::{Path, PathBuf};

use decidendi_core::judgment::case::Case;
use decidendi_core::judgment::certificate::{Certificate, NotCertifiable, Time};
use decidendi_core::judgment::result::Judgment;
use decidendi_core::seal::certificate::Certificate as _;
use decidendi_core::seal::key::{PublicKey, SecretKey};

use crate::bundle::{self, Bundle, ZipError};
use crate::io::{self, Access, IoError, Staged};
use crate::ours::is_of_same_subject;

/// Why there is no certificate on the disk.
#[derive(Debug, thiserror::Error)]
pub enum CertifyError {
    /// The judgment does not allow one.
    #[error(transparent)]
    NotCertifiable(#[from] NotCertifiable),
    /// The bundle would be larger than a reader accepts.
    #[error("no bundle can hold this case: {0}")]
    Bundle(#[from] ZipError),
    /// The disk.
    #[error(transparent)]
    Io(#[from] IoError),
}

/// Who signs, and what is written beside the certificate.
#[derive(Debug, Clone, Copy)]
pub struct Seal<'a> {
    /// The signing keys.
    pub keys: &'a [&'a SecretKey],
    /// A declared time, if one is wanted.
    pub time: Option<&'a Time>,
    /// Whether a bundle is wanted too.
    pub bundle: bool,
}

/// A signed certificate, and its bundle if one is wanted, ready to be written.
#[derive(Debug, Clone)]
pub struct Sealed {
    /// What was bound.
    pub certificate: Certificate,
    /// The envelope's bytes.
    pub envelope: Vec<u8>,
    /// The bundle's bytes.
    pub bundle: Option<Vec<u8>>,
}

/// Where a certificate lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The certificate.
    pub certificate: PathBuf,
    /// The bundle.
    pub bundle: Option<PathBuf>,
}

impl Seal<'_> {
    /// Binds and signs; touches no disk.
    ///
    /// # Errors
    /// [`CertifyError`].
    pub fn seal(&self, case: &Case, judgment: &Judgment) -> Result<Sealed, CertifyError> {
        let certificate = Certificate::bind(case, judgment, self.time.cloned())?;
        let envelope = certificate.sign(self.keys);
        let bundle = if self.bundle { Some(Bundle::new(case, envelope.clone()).to_zip()?) } else { None };
        Ok(Sealed { certificate, envelope, bundle })
    }
}

impl Sealed {
    /// The paths in `folder` that the files take.
    #[must_use]
    pub fn paths(&self, folder: &Path) -> Written {
        let stem = io::file_stem(&self.certificate.case_id);
        Written {
            certificate: folder.join(format!("{stem}.cert.json")),
            bundle: self.bundle.as_ref().map(|_| folder.join(format!("{stem}.{}", bundle::EXTENSION))),
        }
    }

    /// Sees that the places in `folder` are free, or hold certificates of the same case that one of `keys` signed.
    ///
    /// # Errors
    /// [`IoError::NotOurs`].
    pub fn see_free(&self, folder: &Path, keys: &[PublicKey]) -> Result<(), IoError> {
        let paths = self.paths(folder);
        let is_ours = |held: &[u8]| is_of_same_subject(held, &self.envelope, keys);
        io::see_free(&paths.certificate, &self.envelope, is_ours)?;
        match (&paths.bundle, &self.bundle) {
            (Some(path), Some(bytes)) => io::see_free(path, bytes, is_ours),
            _ => Ok(()),
        }
    }

    /// Writes the files beside their places; [`io::commit`] puts them there.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn stage(&self, folder: &Path) -> Result<Vec<Staged>, IoError> {
        let paths = self.paths(folder);
        let mut staged = vec![io::stage(&paths.certificate, &self.envelope, Access::Shared)?];
        if let (Some(path), Some(bytes)) = (&paths.bundle, &self.bundle) {
            staged.push(io::stage(path, bytes, Access::Shared)?);
        }
        Ok(staged)
    }
}

/// Binds, signs and writes one case into `folder`: at any moment the old files or the new ones are there.
///
/// # Errors
/// [`CertifyError`].
pub fn certify_to(folder: &Path, case: &Case, judgment: &Judgment, seal: Seal<'_>) -> Result<Written, CertifyError> {
    let sealed = seal.seal(case, judgment)?;
    io::make_folder(folder)?;
    io::commit(sealed.stage(folder)?)?;
    Ok(sealed.paths(folder))
}
