//! The log: append-only JSON Lines, one writer, every line on the disk before the next call, each bound to the one before.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use decidendi_core::seal::chain::{self, Break, Chain, Lines, Wrong};
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::line_ends::CONVERTED;

use crate::plan::PlanDigest;
use crate::record::Record;

/// Most bytes of a log that is opened.
pub const LOG_BYTES: u64 = 4 << 30;

/// A record and its line, from 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The line.
    pub line: usize,
    /// The record.
    pub record: Record,
}

/// Why a log cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// A line that is not what was written.
    #[error("{}:{line}: {what}. The log was changed after it was written; restore it, or acquire into a new folder", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Sound but for its line ends, or those of the plan that it is bound to.
    #[error("{}: {CONVERTED}", .0.display())]
    Converted(PathBuf),
    /// Somebody else writes it.
    #[error("{}: another run writes this log; wait for it to end, or use another folder", .0.display())]
    Locked(PathBuf),
    /// Too large.
    #[error("{}: larger than the {LOG_BYTES} bytes that are read; acquire into a new folder", .0.display())]
    TooLarge(PathBuf),
    /// A folder, a pipe or a device in its place.
    #[error("{}: is no ordinary file; move it away, or acquire into another folder", .0.display())]
    NoFile(PathBuf),
    /// A link in its place.
    #[error(
        "{}: is a link, and nothing is written through one: what it leads to would change. Put the file itself there, move the \
         link away, or acquire into another folder",
        .0.display()
    )]
    Link(PathBuf),
    /// The disk.
    #[error("{}: {source}; what was written before is unchanged, and the run can be taken up again", .path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// A log's records and the length of its unfinished last line. Pure. `plan` is [`crate::plan::Plan::digest`].
///
/// # Errors
/// The first line that is damaged, with its number, and what is wrong.
pub fn read(bytes: &[u8], plan: impl Into<PlanDigest>) -> Result<(Vec<Entry>, usize), (usize, String)> {
    let chain = follow(bytes, plan.into())?;
    Ok((entries(chain.lines), chain.torn))
}

fn entries(records: Vec<Record>) -> Vec<Entry> {
    (1..).zip(records).map(|(line, record)| Entry { line, record }).collect()
}

fn follow(bytes: &[u8], plan: PlanDigest) -> Result<Chain<Record>, (usize, String)> {
    chain::read(bytes, &mut Records { plan, seen: BTreeSet::new() }).map_err(|Break { line, what }| {
        let what = match what {
            Wrong::Content(what) => what,
            Wrong::Beginning => "it does not begin with the digest of this plan".to_owned(),
            Wrong::Moved => "it follows another line than the one before it: it was moved or put in".to_owned(),
            Wrong::Changed => {
                format!(
                    "line {} follows another line than this one: this was changed, or some were taken out",
                    line + 1
                )
            }
            Wrong::Strange => "it does not follow the line before".to_owned(),
        };
        (line, what)
    })
}

/// The lines of this log: records, the first of which is bound to its plan.
struct Records {
    plan: PlanDigest,
    seen: BTreeSet<Digest>,
}

impl Lines for Records {
    type Line = Record;

    fn begins(&self, prev: &Digest) -> bool {
        self.plan.begins(prev)
    }

    fn read(&self, text: &[u8]) -> Result<Record, String> {
        Record::read(text)
    }

    fn prev(record: &Record) -> Digest {
        record.prev
    }

    fn take(&mut self, record: &Record) -> Result<(), String> {
        if self.seen.insert(record.request_sha256) == record.request.is_some() {
            return Ok(());
        }
        Err("a request's bytes stand in the first record that has them, and only there".to_owned())
    }
}

/// A log that is open for writing, by this process alone.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    prev: Digest,
    lines: usize,
}

impl Log {
    /// Opens a log, or begins one. An unfinished last line, as a kill leaves it, goes to `<log>.torn`; the number of its
    /// bytes is returned.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn open(path: &Path, plan: impl Into<PlanDigest>) -> Result<(Self, Vec<Entry>, usize), LogError> {
        let plan = plan.into();
        let disk = |source| LogError::Disk { path: path.to_owned(), source };
        let mut file = append_to(path)?;
        file.try_lock().map_err(|e| match e {
            std::fs::TryLockError::WouldBlock => LogError::Locked(path.to_owned()),
            std::fs::TryLockError::Error(source) => disk(source),
        })?;
        if file.metadata().map_err(disk)?.len() > LOG_BYTES {
            return Err(LogError::TooLarge(path.to_owned()));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(disk)?;
        let damaged = |(line, what)| LogError::Damaged { path: path.to_owned(), line, what };
        let Chain { lines, last, torn } = follow(&bytes, plan).map_err(damaged)?;
        if torn > 0 {
            let whole = bytes.len() - torn;
            keep_torn(path, &bytes[whole..])?;
            file.set_len(whole as u64).map_err(disk)?;
            file.sync_all().map_err(disk)?;
            file.seek(SeekFrom::End(0)).map_err(disk)?;
        }
        let (prev, entries) = (last.unwrap_or(plan.asked), entries(lines));
        let log = Self { path: path.to_owned(), file, prev, lines: entries.len() };
        Ok((log, entries, torn))
    }

    /// The digest that the next record has to carry.
    #[must_use]
    pub const fn prev(&self) -> Digest {
        self.prev
    }

    /// Appends a record and waits until it is on the disk; answers its line.
    ///
    /// # Errors
    /// [`LogError::Disk`]; a half-written line is cut when the log is opened again.
    pub fn append(&mut self, record: &Record) -> Result<usize, LogError> {
        let disk = |source| LogError::Disk { path: self.path.clone(), source };
        let mut line = record.to_line();
        let prev = Digest::of(&line);
        line.push(b'\n');
        self.file.write_all(&line).map_err(disk)?;
        self.file.sync_data().map_err(disk)?;
        self.prev = prev;
        self.lines += 1;
        Ok(self.lines)
    }
}

/// The piece that is cut off is kept: it shows what a kill left.
fn keep_torn(path: &Path, piece: &[u8]) -> Result<(), LogError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".torn");
    let path = PathBuf::from(name);
    let mut file = append_to(&path)?;
    let disk = |source| LogError::Disk { path: path.clone(), source };
    file.write_all(piece).and_then(|()| file.write_all(b"\n")).and_then(|()| file.sync_all()).map_err(disk)
}

/// The one place that opens a file to write to: an ordinary file of that very name, made if it is not there.
fn append_to(path: &Path) -> Result<File, LogError> {
    // Opening a pipe waits for its other end, and reading a device may never end.
    match std::fs::symlink_metadata(path) {
        Ok(about) if about.is_symlink() => return Err(LogError::Link(path.to_owned())),
        Ok(about) if !about.is_file() => return Err(LogError::NoFile(path.to_owned())),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    // A link that takes the place in this very moment is not followed either.
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    }
    options.open(path).map_err(|source| match std::fs::symlink_metadata(path) {
        Ok(about) if about.is_symlink() => LogError::Link(path.to_owned()),
        _ => LogError::Disk { path: path.to_owned(), source },
    })
}
