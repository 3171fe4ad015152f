//! The only part that touches the disk: bounded reads, atomic writes, and references that stay in their folder.

mod free;
mod read;
mod write;

pub use free::see_free;
pub use read::{
    Folder, Kind, exists, files_below, has_library, kind, length, listens, next_line, open, read, read_start,
    read_text, restored_digest, tree,
};
pub use write::{
    Access, PORTION, Staged, abandon, commit, make_folder, remove, set_aside, stage, write_atomic, write_new,
};

use std::io;
use std::path::{Path, PathBuf};

pub use crate::names::file_stem;

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
    /// A pipe, a socket or a device where a file is wanted: reading it may never end.
    #[error("{}: is {what}, which may never end; name an ordinary file, or write what it gives into one first", .path.display())]
    Special {
        /// Where it is.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// A folder without what was looked for.
    #[error("{}: holds no {wanted}; name another folder or a file", .path.display())]
    NothingIn {
        /// The folder.
        path: PathBuf,
        /// What was looked for.
        wanted: &'static str,
    },
    /// Too large to be honest.
    #[error("{}: larger than the bound of {bound} bytes; is it the right file? If so, split it", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The bound.
        bound: usize,
    },
    /// A bundle's folder with more in it than a bundle can have.
    #[error("{}: holds more than the {bound} files that a bundle can have; take the other files out", .path.display())]
    TooMany {
        /// The folder.
        path: PathBuf,
        /// The bound.
        bound: usize,
    },
    /// Something is there already and must not be lost.
    #[error("{}: exists already and is not overwritten; name another file or move this one away", .0.display())]
    Exists(PathBuf),
    /// Something is there already that is not ours to replace.
    #[error(
        "{}: exists already and is something else than what is written here, so it is not replaced; move it away, or name \
         another place",
        .0.display()
    )]
    NotOurs(PathBuf),
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
    #[error(
        "$ref `{0}`: a case from standard input or in a bundle has no folder to look in; write the value inline or pass a file"
    )]
    NoFolder(String),
    /// Reading failed otherwise.
    #[error("{}: cannot be read: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file where a folder is wanted.
    #[error("{}: a folder is wanted, but this, or a part of its path, is a file; name another folder", .0.display())]
    NotAFolder(PathBuf),
    /// A file's place is in a folder that is not there.
    #[error("{}: cannot be written: there is no folder {}; make it first", .path.display(), .folder.display())]
    NoPlace {
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// Writing failed; the old file, if any, is untouched.
    #[error(
        "{}: cannot be written: {source}; what was there before is unchanged. Make room, or name another place",
        .path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl IoError {
    /// The file or folder that this is about; none for a reference, which has a place of its own.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Missing(path)
            | Self::Denied(path)
            | Self::IsFolder(path)
            | Self::NotAFolder(path)
            | Self::NotOurs(path)
            | Self::Exists(path) => Some(path),
            Self::NothingIn { path, .. }
            | Self::TooLarge { path, .. }
            | Self::NoPlace { path, .. }
            | Self::Special { path, .. }
            | Self::TooMany { path, .. } => Some(path),
            Self::Read { path, .. } | Self::Write { path, .. } => Some(path),
            Self::Outside { .. } | Self::NoFolder(_) => None,
        }
    }

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
            io::ErrorKind::NotFound if !Folder::of(path).path().is_dir() => {
                Self::NoPlace { path: path.to_owned(), folder: Folder::of(path).path().to_owned() }
            }
            _ => Self::Write { path: path.to_owned(), source },
        }
    }
}
