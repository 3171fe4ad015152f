//! Writing: at any moment, after a kill or on a full disk too, either the old or the whole new file is there.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tempfile::NamedTempFile;

use super::{Folder, IoError};

/// From this many files on, one flush of the whole file system is cheaper than one per file.
const BULK: usize = 16;

/// Most files that are staged before they get their names: each is held open, and a process may hold few (1,024 in many
/// places, 256 in some).
pub const PORTION: usize = 128;

/// The temporary files of this process that have not got their names yet.
static UNNAMED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unnamed() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNNAMED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes away every staged file that has no name yet, and lets no other be staged: for a process that is about to end.
pub fn abandon() {
    let unnamed = unnamed();
    unnamed.iter().for_each(|path| remove(path));
    // Held until the process ends: whoever wants to stage a file waits as long.
    std::mem::forget(unnamed);
}

/// A place among the files without a name, given up when dropped.
#[derive(Debug)]
struct Unnamed(PathBuf);

impl Drop for Unnamed {
    fn drop(&mut self) {
        unnamed().remove(&self.0);
    }
}

/// Who may read a written file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Whoever the user's mask allows.
    Shared,
    /// The owner alone.
    Private,
}

/// How a file is called that has not got its name yet.
const TEMPORARY: (&str, &str) = (".decidendi-", ".tmp");
/// A temporary file that nobody holds is left alone until it is this old: far longer than a writer takes from making one
/// to locking it.
const ABANDONED: Duration = Duration::from_secs(60);

/// Makes a folder and what is above it, and takes away temporary files that killed writers left in it.
///
/// # Errors
/// [`IoError`].
pub fn make_folder(path: &Path) -> Result<(), IoError> {
    fs::create_dir_all(path).map_err(|e| match e.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => IoError::NotAFolder(path.to_owned()),
        _ => IoError::writing(path, e),
    })?;
    sweep(path);
    Ok(())
}

/// Takes away temporary files whose writers are dead: the system frees a lock when its holder ends, however it ends.
/// Where locks are not supported nothing is taken away; what cannot be looked at or removed does no harm where it is.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|n| n.starts_with(TEMPORARY.0) && n.ends_with(TEMPORARY.1));
        // Links are not followed.
        let Some(about) = ours.then(|| entry.metadata().ok()).flatten().filter(fs::Metadata::is_file) else { continue };
        let age = about.modified().ok().and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > ABANDONED)
            && let Ok(file) = File::open(entry.path())
            && cfg!(unix)
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
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
    sweep(Folder::of(path).path());
    let staged = stage(path, bytes, access)?;
    staged.file.as_file().sync_all().map_err(|e| IoError::writing(path, e))?;
    staged.file.persist_noclobber(path).map_err(|e| IoError::writing(path, e.error))?;
    sync_folder(path)
}

/// Moves a file out of the way, to a name beside it that nothing has: `settings.toml.unreadable`, `….unreadable-2` and
/// so on.
///
/// # Errors
/// [`IoError`]; the file is then where it was.
pub fn set_aside(path: &Path) -> Result<PathBuf, IoError> {
    let name = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".unreadable".to_owned() } else { format!(".unreadable-{number}") });
        PathBuf::from(name)
    };
    let free = (1..=999).map(name).find(|name| fs::symlink_metadata(name).is_err());
    let aside = free.unwrap_or_else(|| name(1000));
    fs::rename(path, &aside).map_err(|e| IoError::writing(path, e))?;
    Ok(aside)
}

/// A file written beside its place, not yet under its name. Dropping it removes it.
#[derive(Debug)]
pub struct Staged {
    file: NamedTempFile,
    path: PathBuf,
    // Behind the file: it is given up once the file is gone or has its name.
    listed: Unnamed,
}

/// Writes `bytes` beside `path`; [`commit`] puts them in place.
///
/// # Errors
/// [`IoError`].
pub fn stage(path: &Path, bytes: &[u8], access: Access) -> Result<Staged, IoError> {
    let fail = |e| IoError::writing(path, e);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    // Private is what the builder does by itself.
    #[cfg(unix)]
    if access == Access::Shared {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let (mut file, listed) = {
        let mut unnamed = unnamed();
        let file = builder.tempfile_in(Folder::of(path).path()).map_err(bare).map_err(fail)?;
        unnamed.insert(file.path().to_owned());
        let listed = Unnamed(file.path().to_owned());
        (file, listed)
    };
    if cfg!(unix) {
        // Held until the file has its name: a later writer can tell a living one from a dead one.
        let _ = file.as_file().try_lock();
    }
    file.write_all(bytes).map_err(fail)?;
    Ok(Staged { file, path: path.to_owned(), listed })
}

/// The system's own error: the name of a temporary file says nothing to the one who reads it.
fn bare(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(std::error::Error::source).and_then(|e| e.downcast_ref::<io::Error>());
    inner.and_then(io::Error::raw_os_error).map_or(error, io::Error::from_raw_os_error)
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
        drop(one.listed);
        folders.insert(Folder::of(&one.path).path().to_owned(), one.path);
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
        let folder = File::open(Folder::of(path).path()).map_err(|e| IoError::writing(path, e))?;
        folder.sync_all().map_err(|e| IoError::writing(path, e))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Takes back a file that was written a moment ago, when its sibling could not be.
pub fn remove(path: &Path) {
    // Nothing better can be done when even this fails; the caller reports the first error.
    let _ = fs::remove_file(path);
}
