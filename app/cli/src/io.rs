//! The only file that touches the disk: bounded reads, atomic writes, and references that stay in their folder.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use tempfile::NamedTempFile;

/// Most bytes that all referenced files of one case may have together.
pub const REFERENCED_BYTES: usize = 4 * decidendi_core::limits::DOCUMENT_BYTES;
/// From this many files on, one flush of the whole file system is cheaper than one per file.
const BULK: usize = 16;

/// What went wrong between us and the disk; says what, where, why, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum IoError {
    /// Nothing there.
    #[error("{}: no such file or folder; check the spelling", .0.display())]
    Missing(PathBuf),
    /// Not allowed.
    #[error("{}: permission denied; check who owns it", .0.display())]
    Denied(PathBuf),
    /// A folder where a file is wanted.
    #[error("{}: is a folder; name a file in it", .0.display())]
    IsFolder(PathBuf),
    /// A folder without what was looked for.
    #[error("{}: holds no {wanted}; name another folder or a file", .path.display())]
    NothingIn {
        /// The folder.
        path: PathBuf,
        /// What was looked for.
        wanted: &'static str,
    },
    /// Too large to be honest.
    #[error("{}: larger than the bound of {bound} bytes; split it", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The bound.
        bound: usize,
    },
    /// Something is there already and must not be lost.
    #[error("{}: exists already and is not overwritten; name another file or move this one away", .0.display())]
    Exists(PathBuf),
    /// A file that leads out of its folder.
    #[error("`{path}` is refused: {why}; only ordinary files inside {} are read", .folder.display())]
    Outside {
        /// The path as written.
        path: String,
        /// Why it is refused.
        why: &'static str,
        /// The folder.
        folder: PathBuf,
    },
    /// A reference where there is no folder.
    #[error("$ref `{0}`: a case from standard input has no folder to look in; write the value inline or pass a file")]
    NoFolder(String),
    /// Reading failed otherwise.
    #[error("{}: cannot be read: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Writing failed; the old file, if any, is untouched.
    #[error("{}: cannot be written: {source}; what was there before is unchanged", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl IoError {
    fn reading(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing(path.to_owned()),
            io::ErrorKind::PermissionDenied => Self::Denied(path.to_owned()),
            io::ErrorKind::IsADirectory => Self::IsFolder(path.to_owned()),
            _ => Self::Read { path: path.to_owned(), source },
        }
    }

    fn writing(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::PermissionDenied => Self::Denied(path.to_owned()),
            io::ErrorKind::AlreadyExists => Self::Exists(path.to_owned()),
            _ => Self::Write { path: path.to_owned(), source },
        }
    }
}

/// What a path on the command line names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file (or a pipe that reads like one).
    File,
    /// A folder.
    Folder,
}

/// Looks what `path` names.
///
/// # Errors
/// [`IoError`] when nothing is there or it may not be looked at.
pub fn kind(path: &Path) -> Result<Kind, IoError> {
    let about = fs::metadata(path).map_err(|e| IoError::reading(path, e))?;
    Ok(if about.is_dir() { Kind::Folder } else { Kind::File })
}

/// Reads a whole file of at most `bound` bytes.
///
/// # Errors
/// [`IoError`].
pub fn read(path: &Path, bound: usize) -> Result<Vec<u8>, IoError> {
    let file = File::open(path).map_err(|e| IoError::reading(path, e))?;
    let about = file.metadata().map_err(|e| IoError::reading(path, e))?;
    if about.is_dir() {
        return Err(IoError::IsFolder(path.to_owned()));
    }
    let declared = usize::try_from(about.len()).unwrap_or(usize::MAX);
    if declared > bound {
        return Err(IoError::TooLarge { path: path.to_owned(), bound });
    }
    // Exactly the declared size, plus one byte so that the end is met without growing the buffer.
    let mut bytes = Vec::with_capacity(declared + 1);
    file.take(bound as u64 + 1).read_to_end(&mut bytes).map_err(|e| IoError::reading(path, e))?;
    if bytes.len() > bound {
        return Err(IoError::TooLarge { path: path.to_owned(), bound });
    }
    Ok(bytes)
}

/// Reads text, for keys and passphrases.
///
/// # Errors
/// [`IoError`]; text that is not UTF-8 is [`IoError::Read`].
pub fn read_text(path: &Path, bound: usize) -> Result<String, IoError> {
    String::from_utf8(read(path, bound)?).map_err(|_| IoError::Read {
        path: path.to_owned(),
        source: io::Error::new(io::ErrorKind::InvalidData, "not UTF-8 text"),
    })
}

/// Opens a file for reading line by line.
///
/// # Errors
/// [`IoError`].
pub fn open(path: &Path) -> Result<io::BufReader<File>, IoError> {
    let file = File::open(path).map_err(|e| IoError::reading(path, e))?;
    Ok(io::BufReader::with_capacity(1 << 18, file))
}

/// The next line of `reader` without its line feed; `None` at the end. A line is at most as long as a document may be.
///
/// # Errors
/// [`IoError`]; `name` is what the message calls the input.
pub fn next_line(reader: &mut dyn io::BufRead, name: &Path) -> Result<Option<Vec<u8>>, IoError> {
    let bound = decidendi_core::limits::DOCUMENT_BYTES;
    let mut line = Vec::new();
    let mut limited = reader.take(bound as u64 + 1);
    io::BufRead::read_until(&mut limited, b'\n', &mut line).map_err(|e| IoError::reading(name, e))?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > bound {
        return Err(IoError::TooLarge { path: name.to_owned(), bound });
    }
    Ok(Some(line))
}

/// Files below `folder` whose name `wanted` accepts, sorted by path. Links and hidden entries are not followed, so a
/// link cannot lead out of the folder and a half-written temporary file is never picked up.
///
/// # Errors
/// [`IoError`].
pub fn files_below(folder: &Path, wanted: fn(&str) -> bool) -> Result<Vec<PathBuf>, IoError> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(here) = open.pop() {
        for entry in fs::read_dir(&here).map_err(|e| IoError::reading(&here, e))? {
            let entry = entry.map_err(|e| IoError::reading(&here, e))?;
            let name = entry.file_name();
            let (Some(name), Ok(kind)) = (name.to_str(), entry.file_type()) else { continue };
            if name.starts_with('.') {
                continue;
            }
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() && wanted(name) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The folder that a case's references stay in.
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder that holds `file`.
    #[must_use]
    pub fn of(file: &Path) -> Self {
        let parent = file.parent().filter(|p| !p.as_os_str().is_empty());
        Self(parent.map_or_else(|| PathBuf::from("."), Path::to_owned))
    }

    /// Reads the file that `$ref` names, if it lies inside this folder, links resolved.
    ///
    /// # Errors
    /// [`IoError::Outside`] before anything is opened when the path leads out; [`IoError`] otherwise.
    pub fn read(&self, reference: &str, bound: usize) -> Result<Vec<u8>, IoError> {
        let outside = |why| IoError::Outside { path: reference.to_owned(), why, folder: self.0.clone() };
        if reference.contains(['\\', '\0', ':']) {
            return Err(outside("it holds a backslash, a colon or a null character"));
        }
        let relative = Path::new(reference);
        for part in relative.components() {
            match part {
                Component::Normal(_) => {}
                Component::CurDir => {}
                Component::ParentDir => return Err(outside("it climbs with `..`")),
                Component::RootDir | Component::Prefix(_) => return Err(outside("it is an absolute path")),
            }
        }
        let path = self.0.join(relative);
        let root = fs::canonicalize(&self.0).map_err(|e| IoError::reading(&self.0, e))?;
        let real = fs::canonicalize(&path).map_err(|e| IoError::reading(&path, e))?;
        if !real.starts_with(&root) {
            return Err(outside("it is a link that leads out"));
        }
        // A pipe or a device in the folder would block or never end.
        if !fs::metadata(&real).map_err(|e| IoError::reading(&path, e))?.is_file() {
            return Err(outside("it is no ordinary file"));
        }
        read(&real, bound)
    }
}

/// The files of a bundle that is a folder. Only files in the places of a bundle are read; others are named, with empty
/// bytes, so that they can be told as unsigned.
///
/// # Errors
/// [`IoError`]; a link or a special file anywhere in the folder is refused before anything is read.
pub fn bundle_folder(folder: &Path) -> Result<Vec<crate::bundle::ZipEntry>, IoError> {
    use crate::bundle::{CASE, CERTIFICATE, LIST, SOURCES, ZipEntry, zip};
    let (mut names, mut open) = (Vec::new(), vec![(folder.to_owned(), String::new())]);
    while let Some((here, prefix)) = open.pop() {
        for entry in fs::read_dir(&here).map_err(|e| IoError::reading(&here, e))? {
            let entry = entry.map_err(|e| IoError::reading(&here, e))?;
            let kind = entry.file_type().map_err(|e| IoError::reading(&here, e))?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if kind.is_dir() {
                open.push((entry.path(), format!("{name}/")));
            } else if kind.is_file() {
                names.push((name, entry.path()));
            } else {
                let why = "it is a link or a special file, which a bundle never holds";
                return Err(IoError::Outside { path: name, why, folder: folder.to_owned() });
            }
            if names.len() + open.len() > zip::ENTRIES {
                return Err(IoError::TooLarge { path: folder.to_owned(), bound: zip::ENTRIES });
            }
        }
    }
    names.sort();
    let mut left = zip::TOTAL_BYTES;
    let mut entries = Vec::with_capacity(names.len());
    for (name, path) in names {
        let ours = [LIST, CERTIFICATE, CASE].contains(&name.as_str()) || name.starts_with(SOURCES);
        let bytes = if ours { read(&path, left.min(zip::ENTRY_BYTES))? } else { Vec::new() };
        left = left.saturating_sub(bytes.len());
        entries.push(ZipEntry { name, bytes });
    }
    Ok(entries)
}

/// Whether something is at `path`, a dangling link included.
#[must_use]
pub fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Takes back a file that was written a moment ago, when its sibling could not be.
pub fn remove(path: &Path) {
    // Nothing better can be done when even this fails; the caller reports the first error.
    let _ = fs::remove_file(path);
}

/// Who may read a written file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Whoever the user's mask allows.
    Shared,
    /// The owner alone.
    Private,
}

/// Makes a folder and what is above it.
///
/// # Errors
/// [`IoError`].
pub fn make_folder(path: &Path) -> Result<(), IoError> {
    fs::create_dir_all(path).map_err(|e| match e.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => IoError::Exists(path.to_owned()),
        _ => IoError::writing(path, e),
    })
}

/// Writes a file so that at any moment, after a kill or on a full disk too, either the old or the whole new one is
/// there: temporary file in the same folder, flush, rename, flush of the folder.
///
/// # Errors
/// [`IoError`]; the old file is then unchanged.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), IoError> {
    commit(vec![stage(path, bytes, Access::Shared)?])
}

/// As [`write_atomic`], but never over an existing file.
///
/// # Errors
/// [`IoError::Exists`], or as [`write_atomic`].
pub fn write_new(path: &Path, bytes: &[u8], access: Access) -> Result<(), IoError> {
    let staged = stage(path, bytes, access)?;
    staged.file.as_file().sync_all().map_err(|e| IoError::writing(path, e))?;
    staged.file.persist_noclobber(path).map_err(|e| IoError::writing(path, e.error))?;
    sync_folder(path)
}

/// A file written beside its place, not yet under its name. Dropping it removes it.
#[derive(Debug)]
pub struct Staged {
    file: NamedTempFile,
    path: PathBuf,
}

/// Writes `bytes` beside `path`; [`commit`] puts them in place.
///
/// # Errors
/// [`IoError`].
pub fn stage(path: &Path, bytes: &[u8], access: Access) -> Result<Staged, IoError> {
    let fail = |e| IoError::writing(path, e);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".decidendi-").suffix(".tmp");
    // Private is what the builder does by itself.
    #[cfg(unix)]
    if access == Access::Shared {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(&Folder::of(path).0).map_err(fail)?;
    file.write_all(bytes).map_err(fail)?;
    Ok(Staged { file, path: path.to_owned() })
}

/// Flushes staged files, then renames each into place, then flushes their folders. Flushing comes first for all, so
/// no name ever points to bytes that are not on the disk.
///
/// # Errors
/// [`IoError`]; files not yet renamed keep their old content.
pub fn commit(staged: Vec<Staged>) -> Result<(), IoError> {
    let bulk = staged.len() >= BULK && staged.first().is_some_and(|s| sync_file_system(s.file.as_file()));
    if !bulk {
        for one in &staged {
            one.file.as_file().sync_all().map_err(|e| IoError::writing(&one.path, e))?;
        }
    }
    let mut folders = std::collections::BTreeMap::new();
    for one in staged {
        one.file.persist(&one.path).map_err(|e| IoError::writing(&one.path, e.error))?;
        folders.insert(Folder::of(&one.path).0, one.path);
    }
    folders.values().try_for_each(|path| sync_folder(path))
}

#[cfg(target_os = "linux")]
fn sync_file_system(file: &File) -> bool {
    rustix::fs::syncfs(file).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(_file: &File) -> bool {
    false
}

/// Flushes the folder that holds `path`, so that a rename survives a power cut. Windows has no such call.
fn sync_folder(path: &Path) -> Result<(), IoError> {
    #[cfg(unix)]
    {
        let folder = File::open(&Folder::of(path).0).map_err(|e| IoError::writing(path, e))?;
        folder.sync_all().map_err(|e| IoError::writing(path, e))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// A file name for `id` that is safe on every system and different for different ids: bytes other than letters,
/// digits, `.`, `_`, `-` become `%XX`; a leading dot too.
#[must_use]
pub fn file_stem(id: &str) -> String {
    let mut stem = String::with_capacity(id.len());
    for (i, byte) in id.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || (byte == b'.' && i > 0);
        if plain { stem.push(char::from(byte)) } else { stem.push_str(&format!("%{byte:02X}")) }
    }
    // Names beyond what file systems take are cut, and told apart by their digest.
    if stem.len() > 150 {
        let digest = decidendi_core::seal::digest::Digest::of(id.as_bytes()).hex();
        stem.truncate(120);
        stem.push_str("%-");
        stem.push_str(digest.get(..24).unwrap_or_default());
    }
    stem
}

/// Whether the system's loader would find a shared library: in the folders it is told of, in its cache, or in the usual
/// folders. Nothing is loaded.
#[must_use]
pub fn has_library(name: &str) -> bool {
    let told = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    if std::env::split_paths(&told).any(|folder| !folder.as_os_str().is_empty() && folder.join(name).exists()) {
        return true;
    }
    // The cache is a binary table, but names in it are plain, each ended by a null byte.
    let mut wanted = vec![b'/'];
    wanted.extend_from_slice(name.as_bytes());
    wanted.push(0);
    if read(Path::new("/etc/ld.so.cache"), 64 << 20).is_ok_and(|cache| memchr::memmem::find(&cache, &wanted).is_some()) {
        return true;
    }
    let arch = std::env::consts::ARCH;
    let usual = [
        format!("/lib/{arch}-linux-gnu"),
        format!("/usr/lib/{arch}-linux-gnu"),
        "/lib64".to_owned(),
        "/usr/lib64".to_owned(),
        "/lib".to_owned(),
        "/usr/lib".to_owned(),
        "/usr/local/lib".to_owned(),
    ];
    usual.iter().any(|folder| Path::new(folder).join(name).exists())
}
