//! From paths and lines to cases: what a command is given, one raw case after the other, and each of them read.

use std::collections::VecDeque;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use decidendi_core::judgment::case::{Artifacts, Case, CaseError, CaseFault, Place, place_of, references};
use decidendi_core::judgment::place;
use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::walk::{Compiler, WalkError, case_from_document, judge};
use decidendi_core::limits::DOCUMENT_BYTES;
use decidendi_core::seal::canon::{ReadError, locate, read_input};
use decidendi_core::watch::{Cancelled, Watch};

use crate::bundle::{self, Bundle, BundleError};
use crate::io::{self, Folder, IoError, Kind};
use crate::recognize::{Wanted, WrongFile};

/// Why a case could not be opened or judged. An uncertifiable case is not among them: that is a result.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The disk.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A file that a case refers to.
    #[error("{place}: {error}")]
    Reference {
        /// Where the reference stands.
        place: Place,
        /// Why its file was not read.
        error: IoError,
    },
    /// A case that its references make larger than a document may be; told before they are read.
    #[error(
        "{place}: with the file named here the case has more than {DOCUMENT_BYTES} bytes, the most that is read; \
         each reference counts, also of one file. Shorten the files, or split the case"
    )]
    Resolved {
        /// Where the reference stands.
        place: Place,
    },
    /// A line that is larger than a document may be; the lines after it are read.
    #[error(
        "{place}: the line is larger than the bound of {bound} bytes; split the case, or move bodies to files of their own"
    )]
    Line {
        /// Where the line starts.
        place: Place,
        /// The bound.
        bound: usize,
    },
    /// Lines or standard input without a single case: a run over nothing is no success.
    #[error("{}: holds no case; a case is one JSON document a line", .0.display())]
    NoCase(PathBuf),
    /// What the bytes say.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// The engine cannot read a body or a condition.
    #[error("{place}: {fault}")]
    Engine {
        /// Where, in the file that holds it.
        place: Place,
        /// What.
        fault: CaseFault,
    },
    /// The case takes more work than it may.
    #[error("{place}: {error}. If you trust whoever made the case, give it a larger budget: --budget N")]
    Budget {
        /// The case.
        place: Place,
        /// The figures.
        error: WalkError,
    },
    /// A bundle that cannot be used.
    #[error("{}: {error}{}", .path.display(), .error.advice().map(|a| format!(". {a}")).unwrap_or_default())]
    Bundle {
        /// The bundle.
        path: PathBuf,
        /// Why.
        error: BundleError,
    },
    /// Another kind of file.
    #[error(transparent)]
    Wrong(#[from] WrongFile),
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl LoadError {
    /// The place of the fault, where there is one.
    #[must_use]
    pub const fn place(&self) -> Option<&Place> {
        match self {
            Self::Reference { place, .. }
            | Self::Resolved { place }
            | Self::Line { place, .. }
            | Self::Engine { place, .. }
            | Self::Budget { place, .. } => Some(place),
            Self::Case(error) => Some(case_place(error)),
            _ => None,
        }
    }

    /// The file at fault, as messages call it, where there is one.
    #[must_use]
    pub fn file(&self) -> Option<String> {
        match self {
            Self::Io(error) => error.path().map(|path| path.display().to_string()),
            Self::Bundle { path, .. } | Self::Wrong(WrongFile { path, .. }) | Self::NoCase(path) => {
                Some(path.display().to_string())
            }
            other => other.place().map(|place| place.file.clone()),
        }
    }
}

const fn case_place(error: &CaseError) -> &Place {
    match error {
        CaseError::Read(ReadError { place, .. })
        | CaseError::Shape { place, .. }
        | CaseError::MissingReference { place, .. }
        | CaseError::Unsupported { place, .. } => place,
    }
}

/// The bytes of one case, and where they came from.
#[derive(Debug, Clone)]
pub struct Raw {
    /// The file as messages call it.
    pub name: String,
    /// Its line, for JSON Lines.
    pub line: Option<u32>,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Where its references are looked for.
    pub folder: Option<Folder>,
}

impl Raw {
    /// Reads one file.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn file(path: &Path) -> Result<Self, IoError> {
        let bytes = io::read(path, DOCUMENT_BYTES)?;
        Ok(Self { name: path.display().to_string(), line: None, bytes, folder: Some(Folder::of(path)) })
    }

    /// `file` or `file:line`.
    #[must_use]
    pub fn place(&self) -> String {
        self.line.map_or_else(|| self.name.clone(), |line| format!("{}:{line}", self.name))
    }

    /// Reads the case and the files it refers to.
    ///
    /// # Errors
    /// [`LoadError`] with file, line and column.
    pub fn load(self) -> Result<Loaded, LoadError> {
        let mut artifacts = Artifacts::new();
        match self.read(&mut artifacts) {
            Ok(case) => Ok(Loaded { case, raw: self, artifacts }),
            Err(LoadError::Case(mut error)) => {
                let wrong = || WrongFile::of(Path::new(&self.name), &self.bytes, Wanted::Case);
                if let Some(wrong) = self.line.is_none().then(wrong).flatten() {
                    return Err(wrong.into());
                }
                self.shift(match &mut error {
                    CaseError::Read(ReadError { place, .. })
                    | CaseError::Shape { place, .. }
                    | CaseError::MissingReference { place, .. }
                    | CaseError::Unsupported { place, .. } => place,
                });
                Err(LoadError::Case(error))
            }
            Err(other) => Err(other),
        }
    }

    fn read(&self, artifacts: &mut Artifacts) -> Result<Case, LoadError> {
        let document = read_input(&self.name, &self.bytes).map_err(CaseError::from)?;
        // What the references bring counts for each of them, so that nothing is read that could not be put in its place.
        let mut left = DOCUMENT_BYTES.saturating_sub(self.bytes.len());
        for reference in references(&document.root) {
            let place = || {
                let (line, column) = locate(&self.bytes, &reference.at).unwrap_or((1, 1));
                let mut place = Place { file: self.name.clone(), line, column };
                self.shift(&mut place);
                place
            };
            if let Some(known) = artifacts.get(&reference.path) {
                left = left.checked_sub(known.len()).ok_or_else(|| LoadError::Resolved { place: place() })?;
                continue;
            }
            let read = match &self.folder {
                Some(folder) => folder.read(&reference.path, left),
                None => Err(IoError::NoFolder(reference.path.clone())),
            };
            let bytes = read.map_err(|error| match error {
                IoError::TooLarge { .. } => LoadError::Resolved { place: place() },
                error => LoadError::Reference { place: place(), error },
            })?;
            left = left.saturating_sub(bytes.len());
            artifacts.insert(reference.path, bytes);
        }
        Ok(case_from_document(&self.name, &self.bytes, document, artifacts)?)
    }

    /// A case of a JSON Lines file is one line; the place is that of the whole file.
    fn shift(&self, place: &mut Place) {
        if let Some(line) = self.line
            && place.file == self.name
        {
            place.line = line;
        }
    }
}

/// A case with what is needed to word the place of a later fault.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The case.
    pub case: Case,
    raw: Raw,
    artifacts: Artifacts,
}

impl Loaded {
    /// Executes every hybrid.
    ///
    /// # Errors
    /// [`LoadError::Engine`] with its place; [`LoadError::Cancelled`].
    pub fn judge(&self, compiler: &mut Compiler, watch: &dyn Watch) -> Result<Judgment, LoadError> {
        let mut judgment = judge(&self.case, compiler, watch).map_err(|error| match error {
            WalkError::Cancelled(cancelled) => LoadError::Cancelled(cancelled),
            error @ WalkError::Budget(_) => {
                let (file, line) = (self.raw.name.clone(), self.raw.line.unwrap_or(1));
                LoadError::Budget { place: Place { file, line, column: 1 }, error }
            }
            WalkError::Case(fault) => {
                let mut place = place_of(&self.raw.name, &self.raw.bytes, &self.artifacts, &fault.path);
                self.raw.shift(&mut place);
                LoadError::Engine { place, fault }
            }
        })?;
        place::tell(&mut judgment, &self.case, &self.raw.name, &self.raw.bytes, &self.artifacts);
        judgment.faults.iter_mut().filter_map(|fault| fault.place.as_mut()).for_each(|place| self.raw.shift(place));
        Ok(judgment)
    }

    /// The file that the case came from, as messages call it, with its line in JSON Lines.
    #[must_use]
    pub fn place(&self) -> String {
        self.raw.place()
    }

    /// The same, apart.
    #[must_use]
    pub fn file_and_line(&self) -> (&str, Option<u32>) {
        (&self.raw.name, self.raw.line)
    }
}

/// Opens one case: a case file, or the case inside a bundle.
///
/// # Errors
/// [`LoadError`].
pub fn load_case(path: &Path) -> Result<Loaded, LoadError> {
    if is_bundle_name(path) { bundled(path)?.load() } else { Raw::file(path)?.load() }
}

/// Opens a bundle: a zip file, or a folder with a list.
///
/// # Errors
/// [`LoadError`].
pub fn load_bundle(path: &Path) -> Result<Bundle, LoadError> {
    let bundle = match io::kind(path)? {
        Kind::Folder => Bundle::from_entries(bundle::folder::entries(path)?),
        Kind::File => Bundle::from_zip(&io::read(path, bundle::zip::TOTAL_BYTES)?),
    };
    bundle.map_err(|error| LoadError::Bundle { path: path.to_owned(), error })
}

fn bundled(path: &Path) -> Result<Raw, LoadError> {
    let bundle = load_bundle(path)?;
    let bytes = bundle.artifacts().iter().find(|a| a.path == bundle::CASE).map(|a| a.bytes.clone()).unwrap_or_default();
    Ok(Raw { name: format!("{}/{}", path.display(), bundle::CASE), line: None, bytes, folder: None })
}

/// Whether a file name is that of a case in a casebook folder.
#[must_use]
pub fn is_case_name(name: &str) -> bool {
    name == "case.json" || name.ends_with(".case.json")
}

/// Whether a path names a JSON Lines file.
#[must_use]
pub fn is_lines_name(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("jsonl") || e.eq_ignore_ascii_case("ndjson"))
}

/// Whether a path names a bundle.
#[must_use]
pub fn is_bundle_name(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(bundle::EXTENSION)) || io::exists(&path.join(bundle::LIST))
}

/// All cases that a command was given, one after the other, in the order given; a fault in one does not stop the rest.
/// Only one line or file is in memory at a time.
pub struct Inputs {
    queue: VecDeque<PathBuf>,
    lines: Option<Lines>,
}

struct Lines {
    reader: Box<dyn BufRead>,
    path: PathBuf,
    number: u32,
    folder: Option<Folder>,
    /// Whether a line held something.
    any: bool,
}

impl Inputs {
    /// `-` is JSON Lines on standard input, a folder all cases below it, `.jsonl` JSON Lines, `.decidendi` a bundle,
    /// anything else one case file.
    #[must_use]
    pub fn new(paths: &[PathBuf]) -> Self {
        Self { queue: paths.iter().cloned().collect(), lines: None }
    }

    fn open(&mut self, path: PathBuf) -> Option<Result<Raw, LoadError>> {
        if path.as_os_str() == "-" {
            let reader = Box::new(std::io::BufReader::with_capacity(1 << 18, std::io::stdin()));
            self.lines = Some(Lines { reader, path: PathBuf::from("<stdin>"), number: 0, folder: None, any: false });
            return None;
        }
        match io::kind(&path) {
            Err(error) => Some(Err(error.into())),
            Ok(_) if is_bundle_name(&path) => Some(bundled(&path)),
            Ok(Kind::Folder) => match io::files_below(&path, is_case_name) {
                Err(error) => Some(Err(error.into())),
                Ok(found) if found.is_empty() => {
                    Some(Err(IoError::NothingIn { path, wanted: "case (case.json or *.case.json)" }.into()))
                }
                Ok(found) => {
                    for file in found.into_iter().rev() {
                        self.queue.push_front(file);
                    }
                    None
                }
            },
            Ok(Kind::File) if is_lines_name(&path) => match io::open(&path) {
                Err(error) => Some(Err(error.into())),
                Ok(mut reader) => {
                    // A log or a score file has thousands of lines, none of which is a case.
                    let first = reader.fill_buf().unwrap_or_default();
                    if let Some(wrong) = WrongFile::of(&path, first, Wanted::Case) {
                        return Some(Err(wrong.into()));
                    }
                    let folder = Some(Folder::of(&path));
                    self.lines = Some(Lines { reader: Box::new(reader), path, number: 0, folder, any: false });
                    None
                }
            },
            Ok(Kind::File) => Some(Raw::file(&path).map_err(LoadError::from)),
        }
    }
}

impl Iterator for Inputs {
    type Item = Result<Raw, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(lines) = &mut self.lines {
                lines.number += 1;
                match io::next_line(&mut *lines.reader, &lines.path, DOCUMENT_BYTES) {
                    Ok(Some(bytes)) => {
                        if bytes.iter().all(u8::is_ascii_whitespace) {
                            continue;
                        }
                        lines.any = true;
                        let (name, line) = (lines.path.display().to_string(), Some(lines.number));
                        return Some(Ok(Raw { name, line, bytes, folder: lines.folder.clone() }));
                    }
                    Ok(None) => {
                        let ended = self.lines.take().filter(|lines| !lines.any);
                        if let Some(empty) = ended {
                            return Some(Err(LoadError::NoCase(empty.path)));
                        }
                    }
                    Err(IoError::TooLarge { bound, .. }) => {
                        lines.any = true;
                        let (file, line) = (lines.path.display().to_string(), lines.number);
                        return Some(Err(LoadError::Line { place: Place { file, line, column: 1 }, bound }));
                    }
                    Err(error) => {
                        self.lines = None;
                        return Some(Err(error.into()));
                    }
                }
                continue;
            }
            let path = self.queue.pop_front()?;
            if let Some(item) = self.open(path) {
                return Some(item);
            }
        }
    }
}
