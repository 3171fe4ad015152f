//! Where a command speaks: data on standard output, messages on standard error. A reader that goes away early (`| head`)
//! is no fault: the rest is then left unsaid.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use decidendi_core::report::{plain, plain_json, plain_lines};

use decidendi_files::io::IoError;

use crate::exit::Exit;

/// Standard output, buffered. Whatever is printed passes here, and what could steer a terminal is escaped: text shows it,
/// JSON spells it as JSON does.
pub struct Out {
    writer: BufWriter<Stdout>,
    is_json: bool,
    watched: bool,
    closed: bool,
    failed: bool,
}

impl Out {
    /// For JSON or for text.
    #[must_use]
    pub fn new(is_json: bool) -> Self {
        let stdout = io::stdout();
        let watched = stdout.is_terminal();
        Self { writer: BufWriter::with_capacity(1 << 16, stdout), is_json, watched, closed: false, failed: false }
    }

    /// Prints lines that are whole: a line feed of a document in them would start a line that looks like ours.
    pub fn text(&mut self, text: &str) {
        if !self.closed {
            if self.watched {
                wipe();
            }
            let safe = if self.is_json { plain_json(text) } else { plain_lines(text) };
            let written = self.writer.write_all(safe.as_bytes());
            self.note(written);
        }
    }

    /// Prints words of our own as they are.
    pub fn own(&mut self, text: &str) {
        let written = self.writer.write_all(text.as_bytes());
        self.note(written);
    }

    /// Prints one line, whatever is in it.
    pub fn line(&mut self, line: &str) {
        if self.is_json {
            self.text(line);
        } else {
            self.text(&plain(line));
        }
        self.text("\n");
    }

    /// Whether the reader has gone, so that a stream may end early.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Hands what is buffered to the reader.
    pub fn flush(&mut self) {
        if !self.closed {
            let written = self.writer.flush();
            self.note(written);
        }
    }

    /// Flushes and answers how the command ends: output that was lost is never success.
    #[must_use]
    pub fn finish(mut self, exit: Exit) -> Exit {
        self.flush();
        if self.failed { exit.worst(Exit::BadInput) } else { exit }
    }

    fn note(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.closed = true;
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.failed = true;
                message(&format!("standard output cannot be written: {error}"));
            }
        }
    }
}

/// Says one line to the person at the terminal: progress, warnings, results of many. Text from documents and file names
/// is made safe first, line feeds included: they could put words into our mouth on a line of their own.
pub fn message(text: &str) {
    wipe();
    // Nobody is left to be told when this fails.
    let _ = writeln!(io::stderr(), "{}", plain(text));
}

/// Says what went wrong, on one line.
pub fn error(text: impl std::fmt::Display) {
    message(&format!("error: {text}"));
}

/// Says what went wrong with the disk, and where a file was not replaced, what replaces it.
pub fn disk_error(error: impl std::fmt::Display, cause: Option<&IoError>) {
    match cause {
        Some(IoError::NotOurs(_)) => self::error(format!("{error}. --force replaces it")),
        _ => self::error(error),
    }
}

/// Says several lines. Only for words of our own: a line feed of a document would start a line that looks like ours.
pub fn lines(text: &str) {
    text.lines().for_each(message);
}

/// Says what went wrong, on several lines. Only for words of our own, as [`lines`].
pub fn error_lines(text: impl std::fmt::Display) {
    lines(&format!("error: {text}"));
}

/// Whether the last line of the terminal says how far the work has come.
static DRAWN: AtomicBool = AtomicBool::new(false);

/// Draws the line of progress anew; whatever is said next takes its place.
pub fn draw(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "\r\x1b[K{text}");
    let _ = stderr.flush();
    DRAWN.store(true, Ordering::Relaxed);
}

/// Takes the line of progress away, if there is one.
pub fn wipe() {
    if DRAWN.load(Ordering::Relaxed) && DRAWN.swap(false, Ordering::Relaxed) {
        let mut stderr = io::stderr().lock();
        let _ = write!(stderr, "\r\x1b[K");
        let _ = stderr.flush();
    }
}

/// Whether a person watches standard error.
#[must_use]
pub fn is_watched() -> bool {
    io::stderr().is_terminal()
}
