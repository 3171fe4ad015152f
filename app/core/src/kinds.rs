//! The roof over the wings: a certificate of any kind is checked by one function. The wings do not know it.

use crate::judgment;
use crate::judgment::case::Case;
use crate::judgment::certificate::Certificate;
use crate::judgment::walk::Compiler;
use crate::seal::canon::canonical;
use crate::seal::certificate::Certificate as _;
use crate::seal::check::{self, VerifyError};
use crate::seal::digest::Digest;
use crate::seal::json::Json;
use crate::seal::statement::Statement;
use crate::seal::verification::{Verification, Wing};
use crate::seal::verified::TrustStore;
use crate::step_value;
use crate::step_value::certificate::StepCertificate;
use crate::step_value::scores::Scores;
use crate::step_value::study::Study;
use crate::watch::Watch;

/// What a certificate of some kind claims.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// A judgment.
    Judgment(Certificate),
    /// Step values.
    StepValue(StepCertificate),
}

impl Claim {
    /// The judgment that is claimed, if it is one.
    #[must_use]
    pub const fn judgment(&self) -> Option<&Certificate> {
        if let Self::Judgment(certificate) = self { Some(certificate) } else { None }
    }

    /// The payload that is signed.
    #[must_use]
    pub fn payload(&self) -> Vec<u8> {
        match self {
            Self::Judgment(certificate) => certificate.payload(),
            Self::StepValue(certificate) => certificate.payload(),
        }
    }
}

/// What a certificate says it is bound to, before anybody has checked it: used only to look for the artifact that it is then
/// checked against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The id of the case or study.
    pub id: String,
    /// The digest of the case or study.
    pub digest: Digest,
    /// The digest of the scores, for a study.
    pub scores: Option<Digest>,
}

/// Where cases and studies are found. The digest decides; an artifact of the same id under another digest is handed on only
/// where there is none with the right one, so that the difference is told.
pub trait Evidence {
    /// Why one could not be read.
    type Error: From<VerifyError>;

    /// The case that is wanted, if there is one.
    ///
    /// # Errors
    /// It is there and cannot be read.
    fn case(&self, wanted: &Wanted) -> Result<Option<Case>, Self::Error>;

    /// The study that is wanted, if there is one.
    ///
    /// # Errors
    /// It is there and cannot be read.
    fn study(&self, wanted: &Wanted, watch: &dyn Watch) -> Result<Option<(&Study, &Scores)>, Self::Error>;

    /// Whether scores at hand have this digest once their line ends are restored. Who cannot look says no.
    fn differ_in_line_ends(&self, _scores: Digest) -> bool {
        false
    }
}

/// Checks a certificate of any kind.
///
/// # Errors
/// The file is no signed envelope, the evidence cannot be read, or the watch asked to stop.
pub fn verify<E: Evidence>(
    file: &str,
    bytes: &[u8],
    trust: Option<&TrustStore>,
    evidence: &E,
    compiler: &mut Compiler,
    watch: &dyn Watch,
) -> Result<Verification<Claim>, E::Error> {
    let opened = check::open(file, bytes).map_err(VerifyError::from)?;
    let wing = opened.statement().map_or(Wing::Judgment, wing);
    let wanted = opened.statement().and_then(|statement| wanted(statement, wing));
    match wing {
        Wing::Judgment => {
            let case = wanted.map_or(Ok(None), |wanted| evidence.case(&wanted))?;
            let against = judgment::verify::Against { trust, case: case.as_ref() };
            let found = judgment::verify::verify_opened(&opened, against, compiler, watch);
            Ok(found.map_err(VerifyError::from)?.map(Claim::Judgment))
        }
        Wing::StepValue => {
            let study = wanted.map_or(Ok(None), |wanted| evidence.study(&wanted, watch))?;
            let found = step_value::verify::verify_opened(&opened, step_value::verify::Against { trust, study }, watch);
            Ok(found.map_err(VerifyError::from)?.map(Claim::StepValue))
        }
    }
}

/// The wing that a statement is meant for. One of no known kind is told by the first wing as what it is not.
#[must_use]
pub fn wing(statement: &Statement) -> Wing {
    if step_value::certificate::KIND.is_meant(statement) { Wing::StepValue } else { Wing::Judgment }
}

fn wanted(statement: &Statement, wing: Wing) -> Option<Wanted> {
    let field = statement.predicate.get(wing.artifact())?;
    let digest = |field: &Json| Digest::parse(field.get("digest")?.get("sha256")?.as_text()?).ok();
    let scores = statement.predicate.get("scores").and_then(digest);
    Some(Wanted { id: field.get("id")?.as_text()?.to_owned(), digest: digest(field)?, scores })
}

/// A place in which two statements differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The place, as `predicate.cells[3].verdict`.
    pub place: String,
    /// What the first states there; `None` where it states nothing.
    pub old: Option<String>,
    /// What the second states.
    pub new: Option<String>,
}

/// Every place in which two statements differ, whatever their kinds; at most so many, and how many there are in all.
#[must_use]
pub fn differences(old: &Statement, new: &Statement, most: usize) -> (Vec<Difference>, usize) {
    let mut found = Found { most, all: 0, listed: Vec::new() };
    found.compare(Some(&old.to_json()), Some(&new.to_json()), "");
    (found.listed, found.all)
}

struct Found {
    most: usize,
    all: usize,
    listed: Vec<Difference>,
}

impl Found {
    fn compare(&mut self, old: Option<&Json>, new: Option<&Json>, place: &str) {
        match (old, new) {
            (Some(Json::Map(a)), Some(Json::Map(b))) => {
                let inside = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
                for (key, x) in a {
                    let y = new.and_then(|new| new.get(key));
                    if y != Some(x) {
                        self.compare(Some(x), y, &inside(key));
                    }
                }
                for (key, y) in b.iter().filter(|(key, _)| old.is_some_and(|old| old.get(key).is_none())) {
                    self.compare(None, Some(y), &inside(key));
                }
            }
            (Some(Json::List(a)), Some(Json::List(b))) => {
                for i in 0..a.len().max(b.len()) {
                    if a.get(i) != b.get(i) {
                        self.compare(a.get(i), b.get(i), &format!("{place}[{i}]"));
                    }
                }
            }
            (x, y) if x != y => {
                self.all += 1;
                if self.listed.len() < self.most {
                    let (old, new) = (x.map(spelled), y.map(spelled));
                    self.listed.push(Difference { place: place.to_owned(), old, new });
                }
            }
            _ => {}
        }
    }
}

fn spelled(value: &Json) -> String {
    match value {
        Json::Text(text) => text.clone(),
        other => String::from_utf8_lossy(&canonical(other)).into_owned(),
    }
}
