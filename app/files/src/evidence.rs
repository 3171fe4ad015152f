//! What certificates are replayed with: the cases and studies that lie where somebody pointed. A certificate says by digest
//! what it is bound to; names only narrow the search.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use decidendi_core::judgment::case::Case;
use decidendi_core::kinds::{self, Wanted};
use decidendi_core::limits::DOCUMENT_BYTES;
use decidendi_core::seal::digest::Digest;
use decidendi_core::step_value::scores::Scores;
use decidendi_core::step_value::study::Study;
use decidendi_core::step_value::walk::open_study;
use decidendi_core::watch::Watch;

use crate::bundle::EXTENSION;
use crate::casebook::{Casebook, Rejected};
use crate::check::CheckError;
use crate::io::{self, IoError, Kind};
use crate::load::{is_bundle_name, is_lines_name, load_case};
use crate::study::{LoadedStudy, SCORES, STUDY, is_study, load_study};

/// The cases and studies at hand.
#[derive(Debug, Default)]
pub struct Evidence {
    /// The one case that was named, whatever its id.
    alone: Option<Box<Case>>,
    book: Option<Box<Casebook>>,
    bundles: Vec<Bundled>,
    studies: Vec<Shelved>,
    /// Whether a study was named itself, so that it is compared whatever its id.
    is_study: bool,
    rejected: Vec<Rejected>,
}

/// The case of a bundle that lies in a folder of cases.
#[derive(Debug)]
struct Bundled {
    path: PathBuf,
    id: String,
    digest: Digest,
}

/// A study of a folder, with its scores once they were asked for.
#[derive(Debug)]
struct Shelved {
    path: PathBuf,
    id: String,
    digest: Digest,
    loaded: OnceLock<Box<LoadedStudy>>,
}

impl Evidence {
    /// Opens what was named: a case, a bundle, JSON Lines, a study, or a folder with any of them.
    ///
    /// # Errors
    /// [`CheckError`]; what in a folder cannot be read is in [`Self::rejected`] instead.
    pub fn open(path: Option<&Path>, watch: &dyn Watch) -> Result<Self, CheckError> {
        let mut found = Self::default();
        let Some(path) = path else { return Ok(found) };
        if is_study(path) {
            let loaded = load_study(path, watch)?;
            found.is_study = true;
            found.studies.push(Shelved::read(loaded));
        }
        let is_folder = io::kind(path)? == Kind::Folder && !is_bundle_name(path);
        if is_folder || is_lines_name(path) {
            let book = Casebook::open(path, watch)?;
            if is_folder {
                found.look_for_bundles(path)?;
                found.look_for_studies(path)?;
            }
            if book.account().found == 0 && found.bundles.is_empty() && found.studies.is_empty() {
                let wanted = if is_folder { "case, bundle or study" } else { "case" };
                return Err(IoError::NothingIn { path: path.to_owned(), wanted }.into());
            }
            found.rejected.extend(book.account().rejected.iter().cloned());
            found.book = Some(Box::new(book));
        } else if !found.is_study {
            found.alone = Some(Box::new(load_case(path)?.case));
        }
        Ok(found)
    }

    /// What lies there and cannot be used, with the reason.
    #[must_use]
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    fn look_for_bundles(&mut self, folder: &Path) -> Result<(), IoError> {
        for path in io::files_below(folder, |name| name.ends_with(&format!(".{EXTENSION}")))? {
            match load_case(&path) {
                Ok(loaded) => {
                    let (id, digest) = (loaded.case.id().to_owned(), loaded.case.digest());
                    self.bundles.push(Bundled { path, id, digest });
                }
                Err(error) => self.reject(&path, &error),
            }
        }
        Ok(())
    }

    fn look_for_studies(&mut self, folder: &Path) -> Result<(), IoError> {
        for path in io::files_below(folder, |name| name == STUDY)? {
            if self.studies.iter().any(|known| known.path == path) {
                continue;
            }
            let name = path.display().to_string();
            let bytes = io::read(&path, DOCUMENT_BYTES)?;
            match open_study(&name, &bytes) {
                Ok(study) => {
                    let (id, digest, loaded) = (study.id, study.digest, OnceLock::new());
                    self.studies.push(Shelved { path, id, digest, loaded });
                }
                Err(error) => self.reject(&path, &error),
            }
        }
        Ok(())
    }

    fn reject(&mut self, path: &Path, why: &dyn std::fmt::Display) {
        self.rejected.push(Rejected { place: path.display().to_string(), reason: why.to_string() });
    }
}

impl Shelved {
    fn read(loaded: LoadedStudy) -> Self {
        let (path, id, digest) = (loaded.path.clone(), loaded.study.id.clone(), loaded.study.digest);
        Self { path, id, digest, loaded: OnceLock::from(Box::new(loaded)) }
    }

    fn load(&self, watch: &dyn Watch) -> Result<Option<&LoadedStudy>, CheckError> {
        if self.loaded.get().is_none() {
            let loaded = load_study(&self.path, watch)?;
            // Another thread may have been faster; then its copy is used.
            let _ = self.loaded.set(Box::new(loaded));
        }
        Ok(self.loaded.get().map(|loaded| &**loaded))
    }
}

impl kinds::Evidence for Evidence {
    type Error = CheckError;

    fn case(&self, wanted: &Wanted) -> Result<Option<Case>, CheckError> {
        if let Some(case) = &self.alone {
            return Ok(Some((**case).clone()));
        }
        let in_book = self.book.as_ref().and_then(|book| book.bound(&wanted.id, wanted.digest));
        if let Some(Ok(found)) = &in_book
            && found.case.digest() == wanted.digest
        {
            return Ok(Some(found.case.clone()));
        }
        let exact = self.bundles.iter().find(|bundle| bundle.digest == wanted.digest);
        let named = || self.bundles.iter().find(|bundle| bundle.id == wanted.id);
        match (exact, in_book) {
            (Some(bundle), _) => Ok(Some(load_case(&bundle.path)?.case)),
            (None, Some(found)) => Ok(Some(found?.case)),
            (None, None) => named().map(|bundle| Ok(load_case(&bundle.path)?.case)).transpose(),
        }
    }

    fn differ_in_line_ends(&self, scores: Digest) -> bool {
        let lie = self.studies.iter().filter(|shelved| shelved.loaded.get().is_some());
        lie.map(|shelved| io::restored_digest(&shelved.path.with_file_name(SCORES)))
            .any(|restored| restored.is_ok_and(|restored| restored == scores))
    }

    fn study(&self, wanted: &Wanted, watch: &dyn Watch) -> Result<Option<(&Study, &Scores)>, CheckError> {
        let mut second = None;
        for shelved in self.studies.iter().filter(|shelved| shelved.digest == wanted.digest) {
            if let Some(loaded) = shelved.load(watch)? {
                if Some(loaded.scores.digest()) == wanted.scores {
                    return Ok(Some((&loaded.study, &loaded.scores)));
                }
                second.get_or_insert((&loaded.study, &loaded.scores));
            }
        }
        if second.is_some() {
            return Ok(second);
        }
        let named = self.studies.iter().find(|shelved| self.is_study || shelved.id == wanted.id);
        let loaded = named.map(|shelved| shelved.load(watch)).transpose()?.flatten();
        Ok(loaded.map(|loaded| (&loaded.study, &loaded.scores)))
    }
}
