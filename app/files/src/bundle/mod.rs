//! A bundle: a certificate with everything that replay needs, as a zip file or a folder (docs/formats/bundle.md). Entries
//! in, entries out; [`folder`] alone asks the disk.

pub mod folder;
mod places;
pub mod zip;

use std::cmp::Ordering;

use decidendi_core::judgment::case::{Artifacts, Case, CaseError};
use decidendi_core::judgment::source::Version;
use decidendi_core::judgment::walk::open_case;
use decidendi_core::seal::canon::{ReadError, canonical, read_signed};
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::json::Json;
use decidendi_core::seal::line_ends::{CONVERTED, with_line_feeds};
use decidendi_core::seal::major;

use places::Places;
pub use zip::{ZipEntry, ZipError};

/// The list that binds every file by its digest.
pub const LIST: &str = "bundle.json";
/// The certificate.
pub const CERTIFICATE: &str = "certificate.json";
/// The resolved case.
pub const CASE: &str = "case.json";
/// Folder of the source versions.
pub const SOURCES: &str = "sources/";
/// Folder of files that nobody signed.
pub const UNSIGNED: &str = "unsigned/";
/// Extension of a zipped bundle.
pub const EXTENSION: &str = "decidendi";

/// What to do about a bundle whose content is not what was exported.
pub(crate) const AGAIN: &str = "Ask the issuer for the bundle again.";

const FORMAT: &str = "decidendi/bundle@1";

/// A signed artifact: the exact bytes whose SHA-256 is a subject of the certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// The subject's name: `case.json`, `grounds.old`.
    pub name: String,
    /// Its path in the bundle.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A bundle whose list was checked against its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    certificate: Vec<u8>,
    artifacts: Vec<Artifact>,
    unsigned: Vec<String>,
}

/// Why a bundle cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BundleError {
    /// The container.
    #[error(transparent)]
    Zip(#[from] ZipError),
    /// There is no list, so this is something else.
    #[error("not a bundle: it holds no `{LIST}`; export it again, or name the certificate itself")]
    NoList,
    /// The bundle was packed together with the folder that it lies in.
    #[error(
        "the bundle lies in the folder `{0}` inside this file; pack what is in that folder and not the folder itself, or unpack it and name the folder"
    )]
    InFolder(String),
    /// The list is not strict JSON.
    #[error(transparent)]
    List(ReadError),
    /// A newer format.
    #[error("`{0}` is a newer bundle than this version reads ({FORMAT}); use a newer decidendi")]
    Unsupported(String),
    /// The list is not what an exporter of ours writes.
    #[error("{LIST} was altered: {0}")]
    Altered(String),
    /// A file of no use, in a place where it could be taken for one that was signed.
    #[error("`{0}` is not among the files that {LIST} lists, nor under `{UNSIGNED}`: nobody signed it")]
    Stray(String),
    /// A listed file does not have the listed digest, or is missing.
    #[error("`{path}` was altered: {why}")]
    File {
        /// The file.
        path: String,
        /// Missing, or both digests.
        why: String,
    },
}

impl BundleError {
    /// Whether the bundle was changed after export (a check that failed) rather than unreadable (bad input).
    #[must_use]
    pub const fn is_altered(&self) -> bool {
        match self {
            Self::Zip(error) => error.is_altered(),
            Self::NoList | Self::InFolder(_) | Self::Unsupported(_) => false,
            Self::List(error) => error.fault.is_altered(),
            Self::Altered(_) | Self::Stray(_) | Self::File { .. } => true,
        }
    }

    /// What to do about it, as a sentence, where the error does not say so itself.
    #[must_use]
    pub const fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Zip(_) | Self::NoList | Self::InFolder(_) | Self::Unsupported(_) => None,
            Self::Stray(_) => Some("Take it out, or move it into a folder `unsigned`, where it is told as such."),
            Self::List(_) | Self::Altered(_) | Self::File { .. } => Some(AGAIN),
        }
    }
}

impl Bundle {
    /// Puts a certificate and the artifacts of its case together.
    #[must_use]
    pub fn new(case: &Case, certificate: Vec<u8>) -> Self {
        let whole = Artifact { name: CASE.to_owned(), path: CASE.to_owned(), bytes: case.canonical().to_vec() };
        let (mut artifacts, mut places) = (vec![whole], Places::default());
        for source in case.sources() {
            let paths = places.next(&source.name);
            for (version, path) in Version::BOTH.into_iter().zip(paths) {
                let name = format!("{}.{}", source.name, version.word());
                artifacts.push(Artifact { name, path, bytes: canonical(&source.version(version).json) });
            }
        }
        Self { certificate, artifacts, unsigned: Vec::new() }
    }

    /// The certificate's envelope bytes.
    #[must_use]
    pub fn certificate(&self) -> &[u8] {
        &self.certificate
    }

    /// The signed artifacts, the case first.
    #[must_use]
    pub fn artifacts(&self) -> &[Artifact] {
        &self.artifacts
    }

    /// Files under [`UNSIGNED`]: shown as unsigned, never used.
    #[must_use]
    pub fn unsigned(&self) -> &[String] {
        &self.unsigned
    }

    /// The case to replay. References do not exist in a bundle: its case is resolved.
    ///
    /// # Errors
    /// [`CaseError`] where the artifact is no case.
    pub fn case(&self) -> Result<Case, CaseError> {
        let bytes = self.artifacts.iter().find(|a| a.path == CASE).map_or(&[][..], |a| a.bytes.as_slice());
        open_case(CASE, bytes, &Artifacts::new())
    }

    /// All files in their fixed order: list, certificate, case, sources.
    #[must_use]
    pub fn entries(&self) -> Vec<ZipEntry> {
        let list = canonical(&self.list());
        let mut entries = vec![
            ZipEntry { name: LIST.to_owned(), bytes: list },
            ZipEntry { name: CERTIFICATE.to_owned(), bytes: self.certificate.clone() },
        ];
        entries.extend(self.artifacts.iter().map(|a| ZipEntry { name: a.path.clone(), bytes: a.bytes.clone() }));
        entries
    }

    /// The zip file: same case, same certificate, same bytes.
    ///
    /// # Errors
    /// [`ZipError::TooLarge`] for a case beyond the bounds of a bundle.
    pub fn to_zip(&self) -> Result<Vec<u8>, ZipError> {
        zip::write(&self.entries())
    }

    /// Reads a zip file and checks its list.
    ///
    /// # Errors
    /// [`BundleError`].
    pub fn from_zip(bytes: &[u8]) -> Result<Self, BundleError> {
        Self::from_entries(zip::read(bytes)?)
    }

    /// Checks the list of entries that were read from a zip file or a folder.
    ///
    /// # Errors
    /// [`BundleError`].
    pub fn from_entries(mut entries: Vec<ZipEntry>) -> Result<Self, BundleError> {
        let mut take = |path: &str| {
            let at = entries.iter().position(|e| e.name == path)?;
            Some(entries.swap_remove(at).bytes)
        };
        let Some(list) = take(LIST) else {
            return Err(places::common_folder(&entries).map_or(BundleError::NoList, BundleError::InFolder));
        };
        let root = read_signed(LIST, &list).map_err(BundleError::List)?;
        let lines = read_list(&root)?;
        let mut files = Vec::with_capacity(lines.len());
        for line in lines {
            let Some(bytes) = take(&line.path) else {
                return Err(BundleError::File { path: line.path, why: "it is listed, but missing".to_owned() });
            };
            let found = Digest::of(&bytes).hex();
            if found != line.sha256 {
                let restored = with_line_feeds(&bytes).map(|bytes| Digest::of(&bytes).hex());
                let more =
                    if restored.as_ref() == Some(&line.sha256) { format!("; {CONVERTED}") } else { String::new() };
                let why = format!("its SHA-256 is {found}, the list says {}{more}", line.sha256);
                return Err(BundleError::File { path: line.path, why });
            }
            files.push(Artifact { name: line.name, path: line.path, bytes });
        }
        let certificate = files.remove(0).bytes;
        let unsigned = places::unsigned(entries)?;
        let bundle = Self { certificate, artifacts: files, unsigned };
        // One spelling only: whatever else the list holds is caught by writing it again.
        if bundle.list() == root {
            Ok(bundle)
        } else {
            Err(BundleError::Altered("it has fields of its own".to_owned()))
        }
    }

    /// Whether the list names exactly the certificate's subjects, in order; the first difference in words otherwise.
    #[must_use]
    pub fn differs_from(&self, subjects: &[(String, Digest)]) -> Option<String> {
        for at in 0..subjects.len().max(self.artifacts.len()) {
            match (subjects.get(at), self.artifacts.get(at)) {
                (Some((name, digest)), Some(a)) if a.name == *name => {
                    let found = Digest::of(&a.bytes);
                    if found != *digest {
                        let (found, signed) = (found.hex(), digest.hex());
                        return Some(format!("`{}` has SHA-256 {found}, the certificate says {signed}", a.path));
                    }
                }
                (Some((name, _)), _) if self.artifacts.iter().all(|a| a.name != *name) => {
                    return Some(format!("the certificate covers `{name}`, the bundle does not hold it"));
                }
                (_, Some(a)) if subjects.iter().all(|(name, _)| *name != a.name) => {
                    return Some(format!("the list names `{}`, the certificate does not cover it", a.name));
                }
                _ => return Some("the list names the artifacts in another order than the certificate".to_owned()),
            }
        }
        None
    }

    fn list(&self) -> Json {
        let sha256 = |bytes: &[u8]| Json::text(Digest::of(bytes).hex());
        let artifacts = self.artifacts.iter().map(|a| {
            Json::map([("name", Json::text(&a.name)), ("path", Json::text(&a.path)), ("sha256", sha256(&a.bytes))])
        });
        let certificate = [("path", Json::text(CERTIFICATE)), ("sha256", sha256(&self.certificate))];
        // Key order as a canonical document is read back.
        Json::map([
            ("artifacts", Json::List(artifacts.collect())),
            ("certificate", Json::map(certificate)),
            ("format", Json::text(FORMAT)),
        ])
    }
}

/// One line of the list.
struct Line {
    name: String,
    path: String,
    sha256: String,
}

/// The certificate's line, then the artifacts'.
fn read_list(root: &Json) -> Result<Vec<Line>, BundleError> {
    let altered = |what: &str| BundleError::Altered(what.to_owned());
    let format = root.get("format").and_then(Json::as_text).ok_or_else(|| altered("it has no format"))?;
    if format != FORMAT {
        let version = format.strip_prefix("decidendi/bundle@").and_then(|v| major::compare(v, 1));
        let newer = version == Some(Ordering::Greater);
        let format = format.to_owned();
        return Err(if newer { BundleError::Unsupported(format) } else { altered("it has another format") });
    }
    let text = |json: &Json, key: &str| {
        let found = json.get(key).and_then(Json::as_text).map(str::to_owned);
        found.ok_or_else(|| altered(&format!("an entry has no `{key}`")))
    };
    let certificate = root.get("certificate").ok_or_else(|| altered("it names no certificate"))?;
    let artifacts = root.get("artifacts").and_then(Json::as_list).ok_or_else(|| altered("it lists no artifacts"))?;
    let mut lines =
        vec![Line { name: String::new(), path: text(certificate, "path")?, sha256: text(certificate, "sha256")? }];
    if lines[0].path != CERTIFICATE {
        return Err(altered(&format!("its certificate is not `{CERTIFICATE}`")));
    }
    for artifact in artifacts {
        let line =
            Line { name: text(artifact, "name")?, path: text(artifact, "path")?, sha256: text(artifact, "sha256")? };
        // Before any file is looked for: only the case and the folder of sources can be named.
        let inside = line.path.strip_prefix(SOURCES).is_some_and(|rest| !rest.is_empty() && !rest.contains('/'));
        zip::check_name(&line.path)?;
        if !(inside || line.path == CASE) || (line.path == CASE) != (line.name == CASE) {
            return Err(altered(&format!("`{}` is no place for an artifact", line.path.escape_debug())));
        }
        lines.push(line);
    }
    if !lines.iter().any(|line| line.path == CASE) {
        return Err(altered(&format!("it lists no `{CASE}`")));
    }
    match places::first_misplaced(lines.iter().skip(1).map(|line| (line.name.as_str(), line.path.as_str()))) {
        Some(fault) => Err(altered(&fault)),
        None => Ok(lines),
    }
}
