//! A stream of cases in chunks: memory is bounded by a chunk, never by the input.

use decidendi_core::report::json_line;
use decidendi_core::seal::json::Json;

use crate::load::{Inputs, LoadError, Raw};

/// Most cases of a chunk: enough for every core, little enough to show results soon.
const CASES: usize = 2048;
/// Most bytes of a chunk, unless one case is larger.
const BYTES: usize = 16 << 20;

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
    let place = error.place();
    let number = |n: u32| Json::Int(i64::from(n));
    Json::map([
        ("case", Json::Null),
        ("status", Json::text("rejected")),
        (
            "error",
            Json::map([
                ("file", place.map_or(Json::Null, |p| Json::text(&p.file))),
                ("line", place.map_or(Json::Null, |p| number(p.line))),
                ("column", place.map_or(Json::Null, |p| number(p.column))),
                ("message", Json::text(error.to_string())),
            ]),
        ),
    ])
}

/// [`rejected`] as text, with its line feed.
#[must_use]
pub fn rejected_line(error: &LoadError) -> String {
    let mut line = json_line(&rejected(error));
    line.push('\n');
    line
}
