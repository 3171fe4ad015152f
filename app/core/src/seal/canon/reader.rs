//! The strict reader: `serde_json` for the grammar, a visitor of our own for what the grammar leaves open.
//!
//! The visitor keeps no path while all goes well. On a fault each level adds its position while the error passes
//! through, and a second pass ([`super::place`]) turns the trail into line and column.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::fault::{Place, ReadError, ReadFault, Spelling};
use super::place::{self, Want};
use super::text::nfc;
use super::{Document, LARGEST_INTEGER, Notice, numbers};
use crate::limits::{DOCUMENT_BYTES, DOCUMENT_DEPTH};
use crate::seal::json::{Json, JsonPath, Step};

/// Most notices that a document keeps one by one; the rest is counted.
const NOTICES: usize = 64;
/// Up to this many entries, comparing every pair of keys is cheaper than sorting them.
const FEW_ENTRIES: usize = 12;

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

/// Reads one document.
pub(super) fn read(file: &str, bytes: &[u8], mode: Mode) -> Result<Document, ReadError> {
    let text = decode(file, bytes)?;
    let mut state = State::new(mode);
    let mut parser = serde_json::Deserializer::from_str(text);
    let read = Seed(&mut state).deserialize(&mut parser).and_then(|root| parser.end().map(|()| root));
    let root = match read {
        Ok(root) => root,
        Err(error) => return Err(state.error(file, bytes, &error)),
    };
    if state.suspicious
        && let Some((offset, fault)) = numbers::first_lost(bytes)
    {
        return Err(ReadError { place: place::of(file, bytes, offset), fault });
    }
    Ok(Document { root, notices: state.into_notices() })
}

/// Size, byte-order mark and encoding, before anything is allocated.
fn decode<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, ReadError> {
    let refuse = |offset, fault| ReadError { place: place::of(file, bytes, offset), fault };
    if bytes.len() > DOCUMENT_BYTES {
        return Err(refuse(0, ReadFault::TooLarge(bytes.len())));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(refuse(0, ReadFault::ByteOrderMark));
    }
    std::str::from_utf8(bytes).map_err(|e| refuse(e.valid_up_to(), ReadFault::NotUtf8))
}

/// What the visitor knows beside the value it builds.
struct State {
    mode: Mode,
    depth: usize,
    /// A number was read whose spelling may say something else.
    suspicious: bool,
    fault: Option<ReadFault>,
    /// Whether the fault is in an entry's key, not its value.
    in_key: bool,
    /// Positions from the fault up to the root.
    trail: Vec<usize>,
    /// Paths are kept leaf first until the end.
    notices: Vec<Notice>,
    uncounted: usize,
}

impl State {
    const fn new(mode: Mode) -> Self {
        Self {
            mode,
            depth: 0,
            suspicious: false,
            fault: None,
            in_key: false,
            trail: Vec::new(),
            notices: Vec::new(),
            uncounted: 0,
        }
    }

    /// Records a fault; the returned error only carries the parser out.
    fn refuse<E: serde::de::Error>(&mut self, fault: ReadFault) -> E {
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
    fn climb(&mut self, from: usize, step: impl Fn() -> Step) {
        for notice in &mut self.notices[from..] {
            notice.path.0.push(step());
        }
    }

    fn into_notices(self) -> Vec<Notice> {
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

    fn enter<E: serde::de::Error>(&mut self) -> Result<(), E> {
        self.depth += 1;
        if self.depth > DOCUMENT_DEPTH { Err(self.refuse(ReadFault::TooDeep)) } else { Ok(()) }
    }

    fn text<E: serde::de::Error>(&mut self, text: &str, what: &str) -> Result<String, E> {
        if self.mode == Mode::Foreign {
            return Ok(text.to_owned());
        }
        let normal = nfc(text);
        if let std::borrow::Cow::Owned(normal) = normal {
            if self.mode == Mode::Signed {
                return Err(self.refuse(ReadFault::NotCanonical(Spelling::NotNfc)));
            }
            self.notice(|| format!("{what} was not in Unicode NFC and was normalised"));
            return Ok(normal);
        }
        Ok(text.to_owned())
    }

    fn float<E: serde::de::Error>(&mut self, number: f64) -> Result<Json, E> {
        #[expect(clippy::cast_precision_loss, reason = "2^53 − 1 is exact as a double")]
        let largest = LARGEST_INTEGER as f64;
        if number.abs() > largest {
            return Err(self.refuse(ReadFault::IntegerTooLarge));
        }
        if number.fract() != 0.0 {
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
    fn error(mut self, file: &str, bytes: &[u8], error: &serde_json::Error) -> ReadError {
        if let Some(fault) = self.fault.take() {
            return ReadError { place: self.place(file, bytes), fault };
        }
        let offset = place::offset(bytes, error.line(), error.column());
        ReadError { place: place::of(file, bytes, offset), fault: grammar(bytes, offset, error) }
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

/// Reads one value.
struct Seed<'s>(&'s mut State);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Json, E> {
        if value.unsigned_abs() > LARGEST_INTEGER.unsigned_abs() {
            return Err(self.0.refuse(ReadFault::IntegerTooLarge));
        }
        Ok(Json::Int(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Json, E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) => Err(self.0.refuse(ReadFault::IntegerTooLarge)),
        }
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Json, E> {
        self.0.float(value)
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Json, E> {
        self.0.text(value, "text").map(Json::Text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let state = self.0;
        state.enter()?;
        let mut items = Vec::new();
        loop {
            let notices = state.notices.len();
            match seq.next_element_seed(Seed(state)) {
                Ok(Some(item)) => {
                    state.climb(notices, || Step::At(items.len()));
                    items.push(item);
                }
                Ok(None) => break,
                Err(error) => {
                    state.trail.push(items.len());
                    return Err(error);
                }
            }
        }
        state.depth -= 1;
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let state = self.0;
        state.enter()?;
        let mut entries = Vec::new();
        let mut renamed = false;
        loop {
            let notices = state.notices.len();
            let entry = match map.next_key_seed(Key { state, renamed: &mut renamed }) {
                Ok(None) => break,
                Ok(Some(key)) => map.next_value_seed(Seed(state)).map(|value| (key, value)),
                Err(error) => {
                    state.in_key = state.fault.is_some();
                    Err(error)
                }
            };
            match entry {
                Ok((key, value)) => {
                    state.climb(notices, || Step::Key(key.clone()));
                    entries.push((key, value));
                }
                Err(error) => {
                    state.trail.push(entries.len());
                    return Err(error);
                }
            }
        }
        if let Some(second) = duplicate(&entries) {
            let key = entries[second].0.clone();
            state.trail.push(second);
            state.in_key = true;
            let nfc = renamed;
            let fault = if nfc { ReadFault::DuplicateKeyNfc(key) } else { ReadFault::DuplicateKey(key) };
            return Err(state.refuse(fault));
        }
        state.depth -= 1;
        Ok(Json::Map(entries))
    }
}

/// Reads one key.
struct Key<'s> {
    state: &'s mut State,
    renamed: &'s mut bool,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<String, E> {
        // If any crate of the build switches on `arbitrary_precision`, this key stands for a number in the library:
        // refusing it keeps such a build from reading fractions as maps, and a file from exploiting it.
        if text.starts_with("$serde_json::private::") {
            return Err(self.state.refuse(ReadFault::ReservedKey(text.to_owned())));
        }
        let key = self.state.text(text, "the key")?;
        *self.renamed |= key != text;
        Ok(key)
    }
}

/// The position of the first entry whose key an earlier entry has.
fn duplicate(entries: &[(String, Json)]) -> Option<usize> {
    if entries.len() <= FEW_ENTRIES {
        return (1..entries.len()).find(|&i| entries[..i].iter().any(|(key, _)| *key == entries[i].0));
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    // The sort is stable, so of equal keys the later entry comes second.
    order.sort_by(|&a, &b| entries[a].0.cmp(&entries[b].0));
    order.windows(2).filter(|w| entries[w[0]].0 == entries[w[1]].0).map(|w| w[1]).min()
}
