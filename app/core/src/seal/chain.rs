//! The pure half of an append-only log of lines, each of which holds the digest of the line before: what is whole, what a
//! kill left unfinished, and where the chain breaks first. The lines are read by whoever keeps the log.

use super::digest::Digest;

/// A log whose lines follow one another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain<R> {
    /// What each whole line holds, from the first.
    pub lines: Vec<R>,
    /// The digest of the last whole line, which the next one has to carry.
    pub last: Option<Digest>,
    /// Bytes of an unfinished last line.
    pub torn: usize,
}

/// The first line that is not what was written, from 1, and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// The line.
    pub line: usize,
    /// What is wrong.
    pub what: Wrong,
}

/// What can be wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    /// It cannot be read, or does not fit those before it: in words.
    Content(String),
    /// It is the first, and does not begin as this log has to.
    Beginning,
    /// It follows an older line than the one before it.
    Moved,
    /// The next line follows another line than this one.
    Changed,
    /// It does not follow the line before.
    Strange,
}

/// How the lines of a log are read.
pub trait Lines {
    /// What a line holds.
    type Line;

    /// Whether the first line may carry this digest.
    fn begins(&self, prev: &Digest) -> bool;

    /// Reads a line by itself.
    ///
    /// # Errors
    /// In words what is wrong with it.
    fn read(&self, text: &[u8]) -> Result<Self::Line, String>;

    /// The digest of the line before that a line carries.
    fn prev(line: &Self::Line) -> Digest;

    /// Takes a line in after those before it.
    ///
    /// # Errors
    /// In words what does not fit.
    fn take(&mut self, line: &Self::Line) -> Result<(), String>;
}

/// Reads a log.
///
/// # Errors
/// [`Break`].
pub fn read<L: Lines>(bytes: &[u8], log: &mut L) -> Result<Chain<L::Line>, Break> {
    let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let texts: Vec<&[u8]> = bytes[..whole].split(|&b| b == b'\n').collect();
    let texts = &texts[..texts.len() - 1];
    let (mut lines, mut before) = (Vec::new(), Vec::new());
    for (number, text) in (1..).zip(texts) {
        let content = |what| Break { line: number, what: Wrong::Content(what) };
        let line = log.read(text).map_err(content)?;
        let prev = L::prev(&line);
        let follows = before.last().map_or_else(|| log.begins(&prev), |last| *last == prev);
        if !follows {
            let is_older = before.contains(&prev) || log.begins(&prev);
            let next = texts.get(number).and_then(|next| log.read(next).ok()).map(|next| L::prev(&next));
            return Err(broken(number, is_older, next.is_none_or(|next| next == Digest::of(text))));
        }
        log.take(&line).map_err(content)?;
        before.push(Digest::of(text));
        lines.push(line);
    }
    Ok(Chain { lines, last: before.last().copied(), torn: bytes.len() - whole })
}

/// Which line was changed where one does not follow those before it. A changed line is betrayed by the next one, which
/// holds its digest; but if the line after that one is not betrayed in turn, the next one itself is sound.
const fn broken(line: usize, is_older: bool, is_sound: bool) -> Break {
    match (line, is_older, is_sound) {
        (1, ..) => Break { line, what: Wrong::Beginning },
        (_, true, _) => Break { line, what: Wrong::Moved },
        (_, false, true) => Break { line: line - 1, what: Wrong::Changed },
        (_, false, false) => Break { line, what: Wrong::Strange },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of a digest and a word; a word may stand once.
    #[derive(Default)]
    struct Words(Vec<String>);

    impl Lines for Words {
        type Line = (Digest, String);

        fn begins(&self, prev: &Digest) -> bool {
            *prev == Digest::of(b"begin")
        }

        fn read(&self, text: &[u8]) -> Result<Self::Line, String> {
            let text = std::str::from_utf8(text).map_err(|e| e.to_string())?;
            let (prev, word) = text.split_once(' ').ok_or("no word")?;
            Ok((Digest::parse(prev).map_err(|e| e.to_string())?, word.to_owned()))
        }

        fn prev(line: &Self::Line) -> Digest {
            line.0
        }

        fn take(&mut self, line: &Self::Line) -> Result<(), String> {
            if self.0.contains(&line.1) {
                return Err("said before".to_owned());
            }
            self.0.push(line.1.clone());
            Ok(())
        }
    }

    fn log(words: &[&str]) -> Vec<String> {
        let mut prev = Digest::of(b"begin");
        let line = |word: &&str| {
            let line = format!("{prev} {word}");
            prev = Digest::of(line.as_bytes());
            line
        };
        words.iter().map(line).collect()
    }

    fn at(lines: &[String]) -> Result<usize, Break> {
        read((lines.join("\n") + "\n").as_bytes(), &mut Words::default()).map(|chain| chain.lines.len())
    }

    fn wrong(line: usize, what: Wrong) -> Result<usize, Break> {
        Err(Break { line, what })
    }

    #[test]
    fn whole_lines_are_read_and_the_rest_is_counted() {
        let lines = log(&["a", "b"]);
        let text = format!("{}\n{}\n{}", lines[0], lines[1], &lines[0][..9]);
        let chain = read(text.as_bytes(), &mut Words::default()).unwrap();
        assert_eq!((chain.lines.len(), chain.torn, chain.last), (2, 9, Some(Digest::of(lines[1].as_bytes()))));
        let empty = read(b"", &mut Words::default()).unwrap();
        assert_eq!((empty.lines.len(), empty.torn, empty.last), (0, 0, None));
    }

    #[test]
    fn the_first_break_is_named_where_it_is() {
        let sound = log(&["a", "b", "c", "d"]);
        assert_eq!(at(&sound), Ok(4));
        let changed = |i: usize| {
            let mut lines = sound.clone();
            lines[i].push('!');
            lines
        };
        assert_eq!(at(&changed(1)), wrong(2, Wrong::Changed));
        // Only the next line could betray the last one.
        assert_eq!(at(&changed(3)), Ok(4));
        let mut lines = sound.clone();
        lines.remove(1);
        assert_eq!(at(&lines), wrong(1, Wrong::Changed));
        lines = sound.clone();
        lines.remove(0);
        assert_eq!(at(&lines), wrong(1, Wrong::Beginning));
        lines = sound.clone();
        lines.insert(3, sound[1].clone());
        assert_eq!(at(&lines), wrong(4, Wrong::Moved));
        lines = sound.clone();
        lines[2] = "no line".to_owned();
        assert!(matches!(at(&lines), Err(Break { line: 3, what: Wrong::Content(_) })));
        lines = sound;
        lines[2] = format!("{} strange", Digest::of(b"elsewhere"));
        assert_eq!(at(&lines), wrong(3, Wrong::Strange));
        assert_eq!(at(&log(&["a", "a"])), wrong(2, Wrong::Content("said before".to_owned())));
    }
}
