//! A casebook: a folder or a JSON Lines file of cases. Opening it makes an index (id, title, unit, place); a case is read
//! when somebody looks at it. What is not loaded is told with its reason: nothing is dropped in silence.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use decidendi_core::seal::digest::Digest;
use decidendi_core::watch::{Cancelled, Unwatched, Watch};
use serde::Deserialize;

use crate::io::{self, Folder, IoError, Kind};
use crate::load::{LoadError, Loaded, Raw, is_bundle_name, is_case_name, is_lines_name, load_case};
use crate::parallel;

/// Largest file that is opened as a casebook; larger ones are for `certify`, which streams.
pub const CASEBOOK_BYTES: usize = 2 << 30;
/// Lines per piece of work while indexing: a cancel is noticed after each.
const PIECE: usize = 1 << 20;

/// One case of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: Box<str>,
    /// Its title; the id where it has none.
    pub title: Box<str>,
    /// Its unit.
    pub unit: Option<Box<str>>,
    /// Its engine's word.
    pub engine: Box<str>,
    /// Where it is.
    pub at: At,
}

/// Where a case of a casebook is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// A file of its own.
    File(PathBuf),
    /// A line of the casebook's file.
    Line {
        /// Its number, from 1.
        line: u32,
        /// Where its bytes start.
        offset: usize,
        /// How many bytes it has.
        length: usize,
    },
}

/// Something that is not in the index, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// File, or file and line.
    pub place: String,
    /// Why.
    pub reason: String,
}

/// What became of everything that was found: `loaded + rejected + duplicates = found`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// Files or lines that hold something.
    pub found: usize,
    /// Cases in the index.
    pub loaded: usize,
    /// What is no case.
    pub rejected: Vec<Rejected>,
    /// Cases whose id another one has already; the first one that reads in full counts.
    pub duplicates: Vec<Rejected>,
}

/// Why there is no casebook.
#[derive(Debug, thiserror::Error)]
pub enum CasebookError {
    /// The disk.
    #[error(transparent)]
    Io(#[from] IoError),
    /// Asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// An opened casebook.
#[derive(Debug)]
pub struct Casebook {
    path: PathBuf,
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    by_id: BTreeMap<Box<str>, u32>,
    account: Account,
    /// Cases whose id came before, with their place: settled once everything is indexed.
    twins: Vec<(Entry, String)>,
    /// Where those are that share their id with another: what a certificate is bound to may be any of them.
    same_id: BTreeMap<Box<str>, Vec<At>>,
}

impl Casebook {
    /// Opens a folder, a JSON Lines file, a bundle or a single case file and makes the index.
    ///
    /// # Errors
    /// [`CasebookError`]; cases that cannot be indexed are in the [`Account`] instead.
    pub fn open(path: &Path, watch: &dyn Watch) -> Result<Self, CasebookError> {
        let mut book = Self {
            path: path.to_owned(),
            bytes: Vec::new(),
            entries: Vec::new(),
            by_id: BTreeMap::new(),
            account: Account::default(),
            twins: Vec::new(),
            same_id: BTreeMap::new(),
        };
        if is_bundle_name(path) {
            book.add_file(path.to_owned(), |path| load_case(path).map(|l| Head::of(&l)).map_err(|e| e.to_string()));
        } else if io::kind(path)? == Kind::Folder {
            let files = io::files_below(path, is_case_name)?;
            let total = files.len() as u64;
            for (file, done) in files.into_iter().zip(0_u64..) {
                if watch.step(done, total).is_break() {
                    return Err(Cancelled.into());
                }
                book.add_file(file, |path| {
                    let bytes = io::read(path, decidendi_core::limits::DOCUMENT_BYTES).map_err(|e| e.to_string())?;
                    Head::read(&bytes)
                });
            }
        } else if is_lines_name(path) {
            book.bytes = io::read(path, CASEBOOK_BYTES)?;
            book.index_lines(watch)?;
        } else {
            let bytes = io::read(path, decidendi_core::limits::DOCUMENT_BYTES)?;
            book.add_file(path.to_owned(), |_| Head::read(&bytes));
        }
        book.settle(watch)?;
        Ok(book)
    }

    /// The folder or file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The index, in file order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What was loaded and what was not.
    #[must_use]
    pub const fn account(&self) -> &Account {
        &self.account
    }

    /// The position of the case with this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).map(|&i| i as usize)
    }

    /// The case of this id whose digest is the one wanted; where there is none, the first that reads, or why it does not.
    #[must_use]
    pub fn bound(&self, id: &str, digest: Digest) -> Option<Result<Loaded, LoadError>> {
        let mut first = self.find(id).and_then(|index| self.case(index));
        let is_wanted = |found: &Result<Loaded, LoadError>| found.as_ref().is_ok_and(|l| l.case.digest() == digest);
        if first.as_ref().is_some_and(is_wanted) {
            return first;
        }
        for at in self.same_id.get(id).into_iter().flatten() {
            let found = self.read(at);
            if is_wanted(&found) {
                return Some(found);
            }
            if !matches!(first, Some(Ok(_))) {
                first = Some(found);
            }
        }
        first
    }

    /// Where the case at `index` is, for messages.
    #[must_use]
    pub fn place(&self, index: usize) -> Option<String> {
        self.entries.get(index).map(|entry| self.place_of(&entry.at))
    }

    fn place_of(&self, at: &At) -> String {
        match at {
            At::File(path) => path.display().to_string(),
            At::Line { line, .. } => format!("{}:{line}", self.path.display()),
        }
    }

    /// Reads the case at `index` in full; `None` beyond the end.
    ///
    /// # Errors
    /// [`LoadError`].
    #[must_use]
    pub fn case(&self, index: usize) -> Option<Result<Loaded, LoadError>> {
        self.entries.get(index).map(|entry| self.read(&entry.at))
    }

    fn read(&self, at: &At) -> Result<Loaded, LoadError> {
        match at {
            At::File(path) => load_case(path),
            At::Line { line, offset, length } => Raw {
                name: self.path.display().to_string(),
                line: Some(*line),
                bytes: self.bytes.get(*offset..offset + length).unwrap_or_default().to_vec(),
                folder: Some(Folder::of(&self.path)),
            }
            .load(),
        }
    }

    /// An id that came more than once belongs to the first case that reads in full: a broken case hides no sound one.
    fn settle(&mut self, watch: &dyn Watch) -> Result<(), Cancelled> {
        let twins = std::mem::take(&mut self.twins);
        let total = twins.len() as u64;
        let mut sound = BTreeSet::new();
        for ((twin, place), done) in twins.into_iter().zip(0_u64..) {
            if watch.step(done, total).is_break() {
                return Err(Cancelled);
            }
            let Some(first) = self.find(&twin.id) else { continue };
            self.same_id.entry(twin.id.clone()).or_default().push(twin.at.clone());
            let Some(at) = self.entries.get(first).map(|e| e.at.clone()) else { continue };
            let fault = if sound.contains(&first) { None } else { self.read(&at).err() };
            let Some(fault) = fault else {
                sound.insert(first);
                let reason = format!(
                    "another case has the id `{}` already: {}; give each case its own id",
                    twin.id,
                    self.place_of(&at)
                );
                self.account.duplicates.push(Rejected { place, reason });
                continue;
            };
            if let Err(own) = self.read(&twin.at) {
                self.account.rejected.push(Rejected { place, reason: own.to_string() });
                continue;
            }
            self.account.rejected.push(Rejected { place: self.place_of(&at), reason: fault.to_string() });
            if let Some(entry) = self.entries.get_mut(first) {
                self.same_id.entry(twin.id.clone()).or_default().push(std::mem::replace(entry, twin).at);
            }
            sound.insert(first);
        }
        Ok(())
    }

    /// Indexes pieces of whole lines on all cores.
    fn index_lines(&mut self, watch: &dyn Watch) -> Result<(), Cancelled> {
        let bytes = std::mem::take(&mut self.bytes);
        let pieces = pieces(&bytes);
        let mut workers = vec![(); parallel::threads(None)];
        let (total, mut done, mut line) = (bytes.len() as u64, 0, 0);
        for group in pieces.chunks(4 * workers.len()) {
            if watch.step(done, total).is_break() {
                return Err(Cancelled);
            }
            let indexed = parallel::map(group.to_vec(), &mut workers, |(), piece| index_piece(&bytes, piece));
            for (piece, found) in group.iter().zip(indexed) {
                for (within, head, range) in found.heads {
                    let line = line + within;
                    let at = At::Line { line, offset: range.start, length: range.len() };
                    let place = format!("{}:{line}", self.path.display());
                    self.add(head, at, place);
                }
                line += found.lines;
                done += piece.len() as u64;
            }
        }
        self.bytes = bytes;
        Ok(())
    }

    fn add_file(&mut self, path: PathBuf, head: impl FnOnce(&Path) -> Result<Head, String>) {
        let (place, head) = (path.display().to_string(), head(&path));
        self.add(head, At::File(path), place);
    }

    fn add(&mut self, head: Result<Head, String>, at: At, place: String) {
        self.account.found += 1;
        let head = match head {
            Ok(head) => head,
            Err(reason) => return self.account.rejected.push(Rejected { place, reason }),
        };
        let title = head.title.unwrap_or_else(|| head.id.clone());
        let entry = Entry { id: head.id, title, unit: head.unit, engine: head.adjudicator.engine, at };
        if self.by_id.contains_key(&entry.id) {
            return self.twins.push((entry, place));
        }
        let Ok(index) = u32::try_from(self.entries.len()) else { return };
        self.by_id.insert(entry.id.clone(), index);
        self.entries.push(entry);
        self.account.loaded += 1;
    }
}

/// What an index needs of a case. Everything else is skipped over, but must be JSON.
#[derive(Deserialize)]
struct Head {
    format: Box<str>,
    id: Box<str>,
    title: Option<Box<str>>,
    unit: Option<Box<str>>,
    adjudicator: Adjudicator,
}

#[derive(Deserialize)]
struct Adjudicator {
    engine: Box<str>,
}

impl Head {
    fn read(bytes: &[u8]) -> Result<Self, String> {
        let head: Self = serde_json::from_slice(bytes)
            .map_err(|e| format!("not a case: {e}; `decidendi inspect` names the place"))?;
        if head.format.starts_with("decidendi/case@") {
            Ok(head)
        } else {
            Err(format!("not a case, but `{}`", head.format.escape_debug()))
        }
    }

    fn of(loaded: &Loaded) -> Self {
        let case = &loaded.case;
        let text = |field| case.text(field).map(Into::into);
        let adjudicator = Adjudicator { engine: case.engine().word().into() };
        Self { format: "".into(), id: case.id().into(), title: text("title"), unit: text("unit"), adjudicator }
    }
}

/// What one piece of the file holds.
struct Piece {
    lines: u32,
    heads: Vec<(u32, Result<Head, String>, std::ops::Range<usize>)>,
}

fn index_piece(bytes: &[u8], range: std::ops::Range<usize>) -> Piece {
    let (mut lines, mut heads, mut at) = (0, Vec::new(), range.start);
    while at < range.end {
        let end = memchr::memchr(b'\n', &bytes[at..range.end]).map_or(range.end, |n| at + n);
        lines += 1;
        let line = &bytes[at..end];
        if !line.iter().all(u8::is_ascii_whitespace) {
            heads.push((lines, Head::read(line), at..end));
        }
        at = end + 1;
    }
    Piece { lines, heads }
}

/// Cuts the file into pieces of about [`PIECE`] bytes that end with a line.
fn pieces(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let (mut pieces, mut start) = (Vec::new(), 0);
    while start < bytes.len() {
        let target = (start + PIECE).min(bytes.len());
        let end = memchr::memchr(b'\n', &bytes[target..]).map_or(bytes.len(), |n| target + n + 1);
        pieces.push(start..end);
        start = end;
    }
    pieces
}

/// Opens a casebook without watching.
///
/// # Errors
/// [`CasebookError`].
pub fn load_casebook(path: &Path) -> Result<Casebook, CasebookError> {
    Casebook::open(path, &Unwatched)
}

#[cfg(test)]
mod tests {
    use super::{At, Casebook, load_casebook};
    use decidendi_core::watch::Watch;
    use std::fs;
    use std::ops::ControlFlow;

    fn line(id: &str) -> String {
        format!(
            r#"{{"format":"decidendi/case@1","id":"{id}","title":"Title \u00e9 {id}","adjudicator":{{"engine":"table","cells":["deny","approve"]}},"sources":[{{"name":"a","old":1,"new":2}}]}}"#
        )
    }

    #[test]
    fn a_broken_case_hides_no_sound_one_of_its_id() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("twins.jsonl");
        let broken = line("a").replace(r#""sources":["#, r#""sources":[1,"#);
        fs::write(&path, [broken.clone(), line("a"), broken, line("a")].join("\n")).unwrap();
        let book = load_casebook(&path).unwrap();
        let account = book.account();
        assert_eq!((account.found, account.loaded, account.rejected.len(), account.duplicates.len()), (4, 1, 1, 2));
        assert_eq!(book.place(0), Some(format!("{}:2", path.display())));
        assert!(book.case(0).unwrap().is_ok());
        assert!(account.rejected[0].place.ends_with(":1"), "{:?}", account.rejected);
    }

    #[test]
    fn the_account_sums_to_what_was_found_and_names_every_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("many.jsonl");
        let text = format!(
            "{}\n\n{{]\n{}\r\n{}\n{{\"format\":\"other@1\",\"id\":\"x\",\"adjudicator\":{{\"engine\":\"rules\"}}}}\n{}",
            line("a"),
            line("b"),
            line("a"),
            line("c")
        );
        fs::write(&path, text).unwrap();
        let book = load_casebook(&path).unwrap();
        let ids: Vec<&str> = book.entries().iter().map(|e| &*e.id).collect();
        assert_eq!(ids, ["a", "b", "c"]);
        assert_eq!(&*book.entries()[1].title, "Title é b");
        let account = book.account();
        assert_eq!(account.found, account.loaded + account.rejected.len() + account.duplicates.len());
        let places: Vec<&str> =
            account.rejected.iter().chain(&account.duplicates).map(|r| &r.place[r.place.len() - 2..]).collect();
        assert_eq!(places, [":3", ":6", ":5"]);
        assert!(account.duplicates[0].reason.contains("many.jsonl:1"), "{:?}", account.duplicates);
        for (i, id) in ids.iter().enumerate() {
            assert_eq!(book.case(i).unwrap().unwrap().case.id(), *id);
            assert_eq!(book.find(id), Some(i));
        }
        assert!(matches!(book.entries()[2].at, At::Line { line: 7, .. }));
        assert!(book.case(3).is_none());
    }

    #[test]
    fn a_folder_works_like_a_file_and_hides_what_is_half_written() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        for (name, id) in
            [("sub/case.json", "b"), ("a.case.json", "a"), (".decidendi-x.case.json", "half"), ("notes.json", "n")]
        {
            fs::write(folder.path().join(name), line(id)).unwrap();
        }
        let book = load_casebook(folder.path()).unwrap();
        let ids: Vec<&str> = book.entries().iter().map(|e| &*e.id).collect();
        assert_eq!(ids, ["a", "b"]);
        assert_eq!(book.case(1).unwrap().unwrap().case.id(), "b");
    }

    #[test]
    fn pieces_never_cut_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("many.jsonl");
        let text: String = (0..20_000).map(|i| line(&format!("case-{i}")) + "\n").collect();
        assert!(text.len() > 3 * super::PIECE);
        fs::write(&path, text).unwrap();
        let book = load_casebook(&path).unwrap();
        assert_eq!((book.entries().len(), book.account().rejected.len()), (20_000, 0));
        assert_eq!(&*book.entries()[12_345].id, "case-12345");
        assert!(matches!(book.entries()[12_345].at, At::Line { line: 12_346, .. }));
    }

    #[test]
    fn a_watch_can_stop_it() {
        struct Never;
        impl Watch for Never {
            fn step(&self, _done: u64, _total: u64) -> ControlFlow<()> {
                ControlFlow::Break(())
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("many.jsonl");
        fs::write(&path, line("a")).unwrap();
        assert!(Casebook::open(&path, &Never).is_err());
    }
}
