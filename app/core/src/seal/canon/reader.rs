//! The strict reader: `serde_json` for the grammar, a visitor of our own for what the grammar leaves open.
//!
//! The visitor keeps no path while all goes well. On a fault each level adds its position while the error passes
//! through, and a second pass ([`super::place`]) turns the trail into line and column.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::fault::{ReadError, ReadFault};
use super::state::{KEY, Mode, SCALAR, State, TEXT};
use super::{Document, LARGEST_INTEGER, numbers, place};
use crate::limits::DOCUMENT_BYTES;
use crate::seal::json::{Json, Step};

/// Up to this many entries, comparing every pair of keys is cheaper than sorting them.
const FEW_ENTRIES: usize = 12;

/// Reads one document.
pub(super) fn read(file: &str, bytes: &[u8], mode: Mode) -> Result<Document, ReadError> {
    let text = decode(file, bytes)?;
    let mut state = State::new(mode, bytes.len());
    let mut parser = serde_json::Deserializer::from_str(text);
    let read = Seed(&mut state).deserialize(&mut parser).and_then(|root| parser.end().map(|()| root));
    let root = match read {
        Ok(root) => root,
        Err(error) => return Err(state.error(file, bytes, &error)),
    };
    if state.suspicious
        && let Some((offset, fault)) = numbers::first_lost(bytes, false)
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
        self.0.count(SCALAR)?;
        Ok(Json::Null)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Json, E> {
        self.0.count(SCALAR)?;
        Ok(Json::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Json, E> {
        self.0.count(SCALAR)?;
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
        self.0.count(TEXT)?;
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
        if state.is_large() {
            items.shrink_to_fit();
        }
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
                    if entries.is_empty() {
                        entries.reserve(state.room);
                    }
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
            let fault = if renamed { ReadFault::DuplicateKeyNfc(key) } else { ReadFault::DuplicateKey(key) };
            return Err(state.refuse(fault));
        }
        state.depth -= 1;
        if state.is_large() {
            entries.shrink_to_fit();
        }
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
        self.state.count(KEY)?;
        let key = self.state.text(text, "the key")?;
        *self.renamed |= key != text;
        Ok(key)
    }
}

/// The position of the first entry whose key an earlier entry has.
fn duplicate(entries: &[(String, Json)]) -> Option<usize> {
    if entries.len() <= FEW_ENTRIES {
        return (1..entries.len()).find(|&i| {
            let key = entries[i].0.as_bytes();
            // Keys of one object often share length and beginning, so the last byte is looked at first.
            entries[..i]
                .iter()
                .map(|(k, _)| k.as_bytes())
                .any(|k| k.len() == key.len() && k.last() == key.last() && k == key)
        });
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    // The sort is stable, so of equal keys the later entry comes second.
    order.sort_by(|&a, &b| entries[a].0.cmp(&entries[b].0));
    order.windows(2).filter(|w| entries[w[0]].0 == entries[w[1]].0).map(|w| w[1]).min()
}
