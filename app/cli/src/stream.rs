//! A stream of cases in chunks: memory is bounded by a chunk, never by the input.

use decidendi_core::report::json_line;
use decidendi_core::seal::json::Json;
use decidendi_files::io::IoError;
use decidendi_files::load::{Inputs, LoadError, Raw};

use crate::print;

/// Most cases of a chunk: enough for every core, little enough to show results soon.
const CASES: usize = 2048;
/// Most bytes of a chunk, unless one case is larger.
const BYTES: usize = 16 << 20;

/// Most bytes of results that wait to be told, about: a result can be a thousand times its case.
pub const HELD: usize = 32 << 20;

/// Most rejected cases that standard error tells one by one.
const TOLD: u64 = 20;
/// Most rejected cases of a run; then nothing more is read: it is some other kind of file.
pub const REJECTED: u64 = 10_000;

/// Counts what was rejected and tells the first of it.
#[derive(Debug, Default)]
pub struct Rejections(u64);

impl Rejections {
    /// One more.
    pub fn tell(&mut self, error: impl std::fmt::Display) {
        if self.0 < TOLD {
            print::error(error);
        }
        self.0 += 1;
    }

    /// One more, of a file that could not be written where the disk is the cause.
    pub fn tell_disk(&mut self, error: impl std::fmt::Display, cause: Option<&IoError>) {
        if self.0 < TOLD {
            print::disk_error(error, cause);
        }
        self.0 += 1;
    }

    /// Whether nothing more is to be read.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.0 >= REJECTED
    }

    /// Tells how many were not told, and that the rest was not read.
    pub fn finish(&self) {
        if self.0 > TOLD {
            print::error(format!("{} more cases were rejected; --json gives the reason of each", self.0 - TOLD));
        }
        if self.is_full() {
            print::error(format!(
                "reading stopped after {} rejected cases (bound {REJECTED}): is it the right file? If so, correct it first",
                self.0
            ));
        }
    }
}

/// What an input gave: the bytes of a case, or why there are none.
pub type Item = Result<Raw, LoadError>;

/// Cuts the inputs into chunks, in order.
pub fn chunks(mut inputs: Inputs) -> impl Iterator<Item = Vec<Item>> {
    std::iter::from_fn(move || {
        let (mut chunk, mut bytes) = (Vec::new(), 0);
        while chunk.len() < CASES && bytes < BYTES {
            let Some(item) = inputs.next() else { break };
            bytes += item.as_ref().map_or(0, |raw| raw.bytes.len());
            chunk.push(item);
        }
        (!chunk.is_empty()).then_some(chunk)
    })
}

/// A case that could not be read, as a line of JSON in its place, so that output lines stay aligned with input lines.
#[must_use]
pub fn rejected(error: &LoadError) -> Json {
    let place = error.place().map(|p| (p.line, Some(p.column)));
    failed(None, "rejected", error.file(), place, error.to_string())
}

/// A case without a result, as a line of JSON: its id where it is known, what became of it, where and why.
#[must_use]
pub fn failed(
    id: Option<&str>,
    status: &str,
    file: Option<String>,
    place: Option<(u32, Option<u32>)>,
    message: String,
) -> Json {
    let number = |n: Option<u32>| n.map_or(Json::Null, |n| Json::Int(i64::from(n)));
    Json::map([
        ("file", file.as_deref().map_or(Json::Null, |file| Json::text(as_given(file)))),
        ("case", id.map_or(Json::Null, Json::text)),
        ("status", Json::text(status)),
        (
            "error",
            Json::map([
                ("file", file.map_or(Json::Null, Json::text)),
                ("line", number(place.map(|(line, _)| line))),
                ("column", number(place.and_then(|(_, column)| column))),
                ("message", Json::text(message)),
            ]),
        ),
    ])
}

/// A file as the command line named it: messages call standard input by its name.
#[must_use]
pub fn as_given(file: &str) -> &str {
    if file == "<stdin>" { "-" } else { file }
}

/// The fields that say where a case came from: its file, and its line in JSON Lines.
pub fn source_fields(file: &str, line: Option<u32>) -> Vec<(&'static str, Json)> {
    let mut fields = vec![("file", Json::text(as_given(file)))];
    fields.extend(line.map(|line| ("line", Json::Int(line.into()))));
    fields
}

/// [`rejected`] as text, with its line feed.
#[must_use]
pub fn rejected_line(error: &LoadError) -> String {
    let mut line = json_line(&rejected(error));
    line.push('\n');
    line
}
