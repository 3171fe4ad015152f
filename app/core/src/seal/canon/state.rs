//! What the strict reader keeps while it reads: the rules of a mode, the fault and the way to it, the notices.

use std::borrow::Cow;

use super::fault::{Place, ReadError, ReadFault, Spelling};
use super::place::{self, Want};
use super::text::nfc;
use super::{LARGEST_INTEGER, Notice, numbers};
use crate::limits::{DOCUMENT_DEPTH, DOCUMENT_VALUES};
use crate::seal::json::{Json, JsonPath, Step};

/// Most notices that a document keeps one by one; the rest is counted.
const NOTICES: usize = 64;
/// Up to this many bytes, objects get room in advance, which saves growing most of them; in a large hostile document it
/// would multiply memory.
const SMALL_DOCUMENT: usize = 1 << 20;

/// What a list or an object, a number or another short value, a key and a text count as.
const CONTAINER: usize = 16;
pub(super) const SCALAR: usize = 4;
pub(super) const KEY: usize = 2;
pub(super) const TEXT: usize = 1;

/// What a document may look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Written by people: normalised, with notices.
    Input,
    /// Written by our signer: nothing is normalised, a deviation is a fault.
    Signed,
    /// Written by another tool: any spelling, nothing changed.
    Foreign,
}

/// What the visitor knows beside the value it builds.
pub(super) struct State {
    mode: Mode,
    /// How many containers are open.
    pub(super) depth: usize,
    /// What was built so far, as [`DOCUMENT_VALUES`] counts.
    values: usize,
    /// How many entries to make room for in an object that has any.
    pub(super) room: usize,
    /// A number was read whose spelling may say something else.
    pub(super) suspicious: bool,
    /// Why the visitor refused, if it did.
    pub(super) fault: Option<ReadFault>,
    /// Whether the fault is in an entry's key, not its value.
    pub(super) in_key: bool,
    /// Positions from the fault up to the root.
    pub(super) trail: Vec<usize>,
    /// Paths are kept leaf first until the end.
    pub(super) notices: Vec<Notice>,
    uncounted: usize,
}

impl State {
    pub(super) const fn new(mode: Mode, bytes: usize) -> Self {
        Self {
            mode,
            depth: 0,
            values: 0,
            room: if bytes <= SMALL_DOCUMENT { 8 } else { 0 },
            suspicious: false,
            fault: None,
            in_key: false,
            trail: Vec::new(),
            notices: Vec::new(),
            uncounted: 0,
        }
    }

    /// Records a fault; the returned error only carries the parser out.
    pub(super) fn refuse<E: serde::de::Error>(&mut self, fault: ReadFault) -> E {
        self.fault = Some(fault);
        E::custom("refused")
    }

    fn notice(&mut self, text: impl FnOnce() -> String) {
        if self.notices.len() < NOTICES {
            self.notices.push(Notice { path: JsonPath::default(), text: text() });
        } else {
            self.uncounted += 1;
        }
    }

    /// Adds a step to the notices that came from below it.
    pub(super) fn climb(&mut self, from: usize, step: impl Fn() -> Step) {
        for notice in &mut self.notices[from..] {
            notice.path.0.push(step());
        }
    }

    pub(super) fn into_notices(self) -> Vec<Notice> {
        let mut notices = self.notices;
        for notice in &mut notices {
            notice.path.0.reverse();
        }
        if self.uncounted > 0 {
            let text = format!("{} more places were normalised in the same ways", self.uncounted);
            notices.push(Notice { path: JsonPath::default(), text });
        }
        notices
    }

    /// Counts what is about to be built.
    pub(super) fn count<E: serde::de::Error>(&mut self, weight: usize) -> Result<(), E> {
        self.values += weight;
        if self.values > DOCUMENT_VALUES { Err(self.refuse(ReadFault::TooMany)) } else { Ok(()) }
    }

    /// Whether the document is so large that no room is left beyond what is there.
    pub(super) const fn is_large(&self) -> bool {
        self.room == 0
    }

    pub(super) fn enter<E: serde::de::Error>(&mut self) -> Result<(), E> {
        self.count(CONTAINER)?;
        self.depth += 1;
        if self.depth > DOCUMENT_DEPTH { Err(self.refuse(ReadFault::TooDeep)) } else { Ok(()) }
    }

    pub(super) fn text<E: serde::de::Error>(&mut self, text: &str, what: &str) -> Result<String, E> {
        if self.mode == Mode::Foreign {
            return Ok(text.to_owned());
        }
        if let Cow::Owned(normal) = nfc(text) {
            if self.mode == Mode::Signed {
                return Err(self.refuse(ReadFault::NotCanonical(Spelling::NotNfc)));
            }
            self.notice(|| format!("{what} was not in Unicode NFC and was normalised"));
            return Ok(normal);
        }
        Ok(text.to_owned())
    }

    pub(super) fn float<E: serde::de::Error>(&mut self, number: f64) -> Result<Json, E> {
        self.count(SCALAR)?;
        #[expect(clippy::cast_precision_loss, reason = "2^53 − 1 is exact as a double")]
        let largest = LARGEST_INTEGER as f64;
        if number.abs() > largest {
            return Err(self.refuse(ReadFault::IntegerTooLarge));
        }
        if number.fract() != 0.0 {
            self.suspicious = true;
            return if self.mode == Mode::Signed {
                Err(self.refuse(ReadFault::Fraction))
            } else {
                Ok(Json::Float(number))
            };
        }
        if self.mode == Mode::Signed {
            return Err(self.refuse(ReadFault::NotCanonical(Spelling::Integer)));
        }
        self.suspicious = true;
        #[expect(clippy::cast_possible_truncation, reason = "integral and within ±(2^53−1)")]
        let integer = number as i64;
        if self.mode == Mode::Input {
            self.notice(|| format!("spelled with fraction, exponent or minus zero; read as the integer {integer}"));
        }
        Ok(Json::Int(integer))
    }

    /// The error of a failed reading: ours if the visitor refused, else the grammar's.
    pub(super) fn error(mut self, file: &str, bytes: &[u8], error: &serde_json::Error) -> ReadError {
        if let Some(fault) = self.fault.take() {
            return ReadError { place: self.place(file, bytes), fault };
        }
        let mut offset = place::offset(bytes, error.line(), error.column());
        let fault = grammar(bytes, offset, error);
        if fault == ReadFault::OutOfRange {
            // The library stops at the end of the number.
            let number = bytes[..offset.min(bytes.len())].iter().rev().take_while(|b| numbers::is_number_byte(**b));
            offset -= number.count();
        }
        ReadError { place: place::of(file, bytes, offset), fault }
    }

    fn place(&self, file: &str, bytes: &[u8]) -> Place {
        let wants: Vec<Want<'_>> = self.trail.iter().rev().map(|&i| Want::Nth(i)).collect();
        let offset = place::descend(bytes, &wants).map_or(0, |found| match found.key {
            Some(key) if self.in_key => key,
            _ => found.value,
        });
        place::of(file, bytes, offset)
    }
}

/// The grammar's error in our words. The library's kinds are too coarse, so its messages are read; a message that it
/// rewords one day falls back to being quoted.
fn grammar(bytes: &[u8], offset: usize, error: &serde_json::Error) -> ReadFault {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return ReadFault::Empty;
    }
    if error.is_eof() {
        return ReadFault::Cut;
    }
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    if message.contains("trailing characters") {
        return ReadFault::Trailing;
    }
    if message.contains("out of range") {
        return ReadFault::OutOfRange;
    }
    // The second message is the one for a leading half that nothing follows.
    if message.contains("surrogate") || message.contains("end of hex escape") {
        return ReadFault::Surrogate;
    }
    if message.contains("recursion limit") {
        return ReadFault::TooDeep;
    }
    // The library stops at the first byte that does not fit: the N, the I, or the I behind a minus.
    let rest = &bytes[offset.min(bytes.len())..];
    if [&b"NaN"[..], b"Infinity", b"-Infinity", b"aN", b"nfinity"].iter().any(|w| rest.starts_with(w)) {
        return ReadFault::NotFinite;
    }
    ReadFault::Syntax(message.to_owned())
}
