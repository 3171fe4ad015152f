//! Reading: everything is bounded, nothing is followed out of its folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::line_ends::Restored;

use super::IoError;

/// What a path on the command line names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file (or a pipe that reads like one).
    File,
    /// A folder.
    Folder,
}

/// What is at `path`, unless reading it may never end. A pipe that the shell hands over by number, as for `<(command)`, is
/// read like standard input.
fn look(path: &Path) -> Result<fs::Metadata, IoError> {
    let about = fs::metadata(path).map_err(|e| IoError::reading(path, e))?;
    match special(&about) {
        Some(Special::Pipe) if is_handed_over(path) => Ok(about),
        Some(special) => Err(IoError::Special { path: path.to_owned(), what: special.words() }),
        None => Ok(about),
    }
}

/// What is neither a file nor a folder.
#[cfg_attr(not(unix), expect(dead_code, reason = "only a Unix file system holds them"))]
enum Special {
    Pipe,
    Socket,
    Device,
}

impl Special {
    const fn words(&self) -> &'static str {
        match self {
            Self::Pipe => "a pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
        }
    }
}

#[cfg(unix)]
fn special(about: &fs::Metadata) -> Option<Special> {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = about.file_type();
    if kind.is_fifo() {
        Some(Special::Pipe)
    } else if kind.is_socket() {
        Some(Special::Socket)
    } else if kind.is_char_device() || kind.is_block_device() {
        Some(Special::Device)
    } else {
        None
    }
}

#[cfg(not(unix))]
const fn special(_: &fs::Metadata) -> Option<Special> {
    None
}

/// A pipe without a name in any folder: its path leads to a number of this process.
fn is_handed_over(path: &Path) -> bool {
    fs::canonicalize(path).map_or(true, |real| real.starts_with("/dev/fd") || real.starts_with("/proc"))
}

/// Looks what `path` names.
///
/// # Errors
/// [`IoError`] when nothing is there or it may not be looked at.
pub fn kind(path: &Path) -> Result<Kind, IoError> {
    Ok(if look(path)?.is_dir() { Kind::Folder } else { Kind::File })
}

/// Reads a whole file of at most `bound` bytes.
///
/// # Errors
/// [`IoError`].
pub fn read(path: &Path, bound: usize) -> Result<Vec<u8>, IoError> {
    let file = opened(path)?;
    let about = file.metadata().map_err(|e| IoError::reading(path, e))?;
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

/// The digest that a file had before its line ends were converted, if they were.
///
/// # Errors
/// [`IoError`].
pub fn restored_digest(path: &Path) -> Result<Digest, IoError> {
    let (mut file, mut piece, mut restored) = (opened(path)?, vec![0; 1 << 16], Restored::default());
    loop {
        match file.read(&mut piece).map_err(|e| IoError::reading(path, e))? {
            0 => return Ok(restored.digest()),
            read => restored.feed(&piece[..read]),
        }
    }
}

/// Reads the first bytes of a file, at most so many: what comes after them is not looked at.
///
/// # Errors
/// [`IoError`].
pub fn read_start(path: &Path, most: usize) -> Result<Vec<u8>, IoError> {
    let mut bytes = Vec::new();
    opened(path)?.take(most as u64).read_to_end(&mut bytes).map_err(|e| IoError::reading(path, e))?;
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

/// The length of a file in bytes.
///
/// # Errors
/// [`IoError`].
pub fn length(path: &Path) -> Result<u64, IoError> {
    Ok(look(path)?.len())
}

/// Opens a file for reading line by line.
///
/// # Errors
/// [`IoError`].
pub fn open(path: &Path) -> Result<io::BufReader<File>, IoError> {
    Ok(io::BufReader::with_capacity(1 << 18, opened(path)?))
}

/// Opens what is no folder; looks before, since opening a pipe waits for its other end.
fn opened(path: &Path) -> Result<File, IoError> {
    if look(path)?.is_dir() {
        return Err(IoError::IsFolder(path.to_owned()));
    }
    File::open(path).map_err(|e| IoError::reading(path, e))
}

/// The next line of `reader` without its line feed; `None` at the end. A line is at most `bound` bytes long; a longer one
/// is passed over as a whole, so that the lines after it can still be read.
///
/// # Errors
/// [`IoError`]; `name` is what the message calls the input.
pub fn next_line(reader: &mut dyn io::BufRead, name: &Path, bound: usize) -> Result<Option<Vec<u8>>, IoError> {
    let mut line = Vec::new();
    let mut limited = Read::take(&mut *reader, bound as u64 + 1);
    io::BufRead::read_until(&mut limited, b'\n', &mut line).map_err(|e| IoError::reading(name, e))?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > bound {
        reader.skip_until(b'\n').map_err(|e| IoError::reading(name, e))?;
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
            let kind = entry.file_type().map_err(|e| IoError::reading(&here, e))?;
            // A name that is no text counts too: what is passed over would be missing without a word.
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') {
                continue;
            }
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() && wanted(&name) {
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

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
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

/// Every file below `folder` by its path in it, sorted, parts joined by `/`.
///
/// # Errors
/// [`IoError`]; a link or a special file anywhere, or more than `most` files and folders.
pub fn tree(folder: &Path, most: usize) -> Result<Vec<(String, PathBuf)>, IoError> {
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
            if names.len() + open.len() > most {
                return Err(IoError::TooMany { path: folder.to_owned(), bound: most });
            }
        }
    }
    names.sort();
    Ok(names)
}

/// Whether something is at `path`, a dangling link included.
#[must_use]
pub fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Whether something listens at a socket in the file system, or (on Linux) under that name apart from it.
#[must_use]
pub fn listens(path: &Path) -> bool {
    #[cfg(unix)]
    let answers = std::os::unix::net::UnixStream::connect(path).is_ok() || listens_apart(path);
    #[cfg(not(unix))]
    let answers = path.exists();
    answers
}

#[cfg(target_os = "linux")]
fn listens_apart(name: &Path) -> bool {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::net::{SocketAddr, UnixStream};
    SocketAddr::from_abstract_name(name.as_os_str().as_bytes())
        .is_ok_and(|address| UnixStream::connect_addr(&address).is_ok())
}

#[cfg(all(unix, not(target_os = "linux")))]
const fn listens_apart(_name: &Path) -> bool {
    false
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
    if read(Path::new("/etc/ld.so.cache"), 64 << 20).is_ok_and(|cache| memchr::memmem::find(&cache, &wanted).is_some())
    {
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

#[cfg(test)]
mod tests {
    use super::{IoError, next_line};
    use std::path::Path;

    #[test]
    fn a_line_beyond_the_bound_is_passed_over_and_the_next_one_is_read() {
        let mut text: &[u8] = b"1234\n12345\nab\n\n123456789";
        let mut next = || next_line(&mut text, Path::new("x:1"), 4);
        assert_eq!(next().unwrap().unwrap(), b"1234");
        assert!(matches!(next(), Err(IoError::TooLarge { bound: 4, .. })));
        assert_eq!(next().unwrap().unwrap(), b"ab");
        assert_eq!(next().unwrap().unwrap(), b"");
        assert!(matches!(next(), Err(IoError::TooLarge { .. })));
        assert!(next().unwrap().is_none());
    }
}
