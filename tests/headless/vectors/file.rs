//! A vector file, and what came of it.

use std::fs;
use std::path::Path;

/// A vector: header lines `key: value`, a line `---`, then the bytes.
#[derive(Debug, Clone)]
pub struct Vector {
    /// Folder and file name.
    pub name: String,
    headers: Vec<(String, String)>,
    /// The bytes behind `---`, decoded where the header says `bytes: hex`.
    pub body: Vec<u8>,
}

/// What reading a vector came to.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The outcome in one word.
    pub word: String,
    /// The message as a user sees it.
    pub text: String,
    /// The file that the message names, where the fault has a place.
    pub file: Option<String>,
    /// Line and column.
    pub place: Option<(u32, u32)>,
    /// The canonical spelling of what was read.
    pub value: Option<String>,
    /// Everything that was told beside the message.
    pub notices: Vec<String>,
    /// The exit code that the contract gives the outcome.
    pub exit: u8,
    /// The first check that failed.
    pub check: Option<u32>,
    /// Whether the message must say what to do: true of everything that is refused.
    pub refused: bool,
}

impl Vector {
    /// Reads a vector file.
    pub fn read(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let parts: Vec<_> = path.iter().rev().take(2).map(|p| p.to_string_lossy()).collect();
        let name = format!("{}/{}", parts[1], parts[0]);
        let at = bytes.windows(5).position(|w| w == b"\n---\n").unwrap_or_else(|| panic!("{name}: no line ---"));
        let head = std::str::from_utf8(&bytes[..at]).unwrap_or_else(|e| panic!("{name}: {e}"));
        let headers: Vec<(String, String)> = head
            .lines()
            .map(|line| line.split_once(": ").unwrap_or_else(|| panic!("{name}: `{line}` is no header")))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        let known = ["read", "expect", "where", "says", "reads", "notices", "exit", "check", "why", "bytes"];
        for (key, _) in &headers {
            assert!(known.contains(&key.as_str()), "{name}: no header `{key}`");
        }
        let mut vector = Self { name, headers, body: bytes[at + 5..].to_vec() };
        if vector.optional("bytes") == Some("hex") {
            let digits: String = vector.text().split_whitespace().collect();
            vector.body = unhex(&digits);
        }
        assert!(!vector.header("why").is_empty());
        vector
    }

    /// The value of a header that every vector has.
    pub fn header(&self, key: &str) -> &str {
        self.optional(key).unwrap_or_else(|| panic!("{}: header `{key}` is missing", self.name))
    }

    /// The value of a header, if the vector has it.
    pub fn optional(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// All values of a header.
    pub fn all<'v>(&'v self, key: &'v str) -> impl Iterator<Item = &'v str> {
        self.headers.iter().filter(move |(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }

    /// The steps of a recipe: words of each line that holds anything and is no remark.
    pub fn steps(&self) -> impl Iterator<Item = &str> {
        self.text().lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
    }

    /// The body taken apart at its lines `--- name`; the first file is called `first`.
    pub fn files<'v>(&'v self, first: &'v str) -> Vec<(&'v str, Vec<u8>)> {
        let mut files = vec![(first, Vec::new())];
        for line in self.body.split_inclusive(|&b| b == b'\n') {
            match std::str::from_utf8(line).ok().and_then(|l| l.trim_end().strip_prefix("--- ")) {
                Some(name) => files.push((name, Vec::new())),
                None => files.last_mut().unwrap().1.extend_from_slice(line),
            }
        }
        files
    }
}

impl Found {
    /// Something that was read.
    pub fn accepted(value: &[u8]) -> Self {
        let value = Some(String::from_utf8_lossy(value).into_owned());
        Self { word: "accepted".to_owned(), value, ..Self::default() }
    }

    /// Something that was refused, with its message.
    pub fn refused(word: impl Into<String>, text: String, exit: u8) -> Self {
        Self { word: word.into(), text, exit, refused: true, ..Self::default() }
    }

    /// The same with a place.
    #[must_use]
    pub fn at(mut self, file: &str, line: u32, column: u32) -> Self {
        self.file = Some(file.to_owned());
        self.place = Some((line, column));
        self
    }

    /// The message and everything told beside it.
    pub fn said(&self) -> impl Iterator<Item = &str> {
        [self.text.as_str()].into_iter().chain(self.notices.iter().map(String::as_str))
    }

    /// Where the message does not say where, what and what to do.
    pub fn badly_worded(&self) -> Option<String> {
        // What failed as a check says what to do in the check itself.
        if !self.refused || self.exit == 1 {
            return None;
        }
        let mut rest = self.text.as_str();
        if let (Some(file), Some((line, column))) = (&self.file, self.place) {
            let front = format!("{file}:{line}:{column}: ");
            let Some(behind) = rest.strip_prefix(&front) else { return Some(format!("does not start with `{front}`")) };
            rest = behind;
        }
        let told = |end: &str| rest.split(end).filter(|part| part.split_whitespace().count() >= 2).count() >= 2;
        let two = told(". ") || told("; ") || told("? ");
        (!two).then(|| "does not say both what is wrong and what to do".to_owned())
    }
}

/// Bytes of hexadecimal digits.
pub fn unhex(digits: &str) -> Vec<u8> {
    let pair = |i: usize| u8::from_str_radix(&digits[i..i + 2], 16).unwrap_or_else(|e| panic!("{digits}: {e}"));
    (0..digits.len()).step_by(2).map(pair).collect()
}

/// `DuplicateKey("a")` as `duplicate-key`: the variant's name is the word of a vector.
pub fn variant(debug: &impl std::fmt::Debug) -> String {
    let debug = format!("{debug:?}");
    let name = debug.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let mut word = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            word.push('-');
        }
        word.extend(c.to_lowercase());
    }
    word
}
