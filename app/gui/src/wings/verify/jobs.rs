//! Checking an exported file. Same functions as the command line, so the same findings.

use std::cell::{Cell, OnceCell};
use std::path::PathBuf;
use std::sync::Arc;

use decidendi_core::judgment::case::Case;
use decidendi_core::judgment::walk::Compiler;
use decidendi_core::kinds::{self, Wanted};
use decidendi_core::limits::DOCUMENT_BYTES;
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::key::PublicKey;
use decidendi_core::seal::verified::TrustStore;
use decidendi_core::step_value::scores::Scores;
use decidendi_core::step_value::study::Study;
use decidendi_core::watch::Watch;
use decidendi_files::check::{self, CheckError};
use decidendi_files::evidence::Evidence;
use decidendi_files::study::LoadedStudy;
use decidendi_files::{io, keys, load};

use super::state::Checked;
use crate::desk::jobs::{Answer, Handle};
use crate::wings::judgment::state::Library;
use crate::wings::step_value::state::StudyEntry;
use crate::wings::verify::answer::VerifyAnswer;

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
pub fn check(input: &CheckInput, handle: &Handle) -> Answer {
    let path = &input.path;
    let done = |digest: String, result, replayed_with| {
        Answer::from(VerifyAnswer::Checked(Checked { path: path.clone(), digest, result, replayed_with }))
    };
    let chosen = match input.case.as_ref().map(|chosen| Evidence::open(Some(chosen), handle)).transpose() {
        Ok(chosen) => chosen,
        Err(why) if why.is_cancelled() => return Answer::Cancelled,
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
        Err(why) if why.is_cancelled() => Answer::Cancelled,
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
