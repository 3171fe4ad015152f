//! One row of a score file, read strictly and without a tree of values: a large study has millions of rows.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use crate::limits;
use crate::seal::canon::{ReadFault, first_lost, locate, read_input};
use crate::seal::document::{DocumentFault, Field};
use crate::seal::json::Json;

/// A row as written.
#[derive(Debug, Default)]
pub(super) struct Row<'l> {
    pub transition: Option<Name<'l>>,
    pub state: Option<Name<'l>>,
    pub view_at: Option<Name<'l>>,
    pub channel: Option<Name<'l>>,
    pub layout: Option<i64>,
    pub wave: Option<i64>,
    pub logprobs: Option<Logprobs<'l>>,
    pub candidate: Option<Name<'l>>,
    pub yes: Option<f64>,
    pub no: Option<f64>,
    /// Keys that are not used.
    pub unknown: Vec<String>,
}

/// NFC text, borrowed from the line where it needs no change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name<'l>(pub Cow<'l, str>);

impl<'de: 'l, 'l> Deserialize<'de> for Name<'l> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Name(if is_plain(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Owned(text.nfc().collect())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

fn is_plain(text: &str) -> bool {
    text.is_ascii() || is_nfc(text)
}

/// Candidates with their log-probabilities, in the line's order.
#[derive(Debug)]
pub(super) struct Logprobs<'l>(pub Vec<(Name<'l>, f64)>);

impl<'de: 'l, 'l> Deserialize<'de> for Logprobs<'l> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Logprobs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of log-probabilities")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs: Vec<(Name<'de>, f64)> = Vec::with_capacity(8);
                while let Some(name) = map.next_key::<Name<'de>>()? {
                    if pairs.len() > limits::CANDIDATES || pairs.iter().any(|(other, _)| *other == name) {
                        return Err(A::Error::custom("duplicate key, or too many"));
                    }
                    pairs.push((name, map.next_value()?));
                }
                Ok(Logprobs(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

impl<'de: 'l, 'l> Deserialize<'de> for Row<'l> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Row<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a score row")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                fn once<T, E: serde::de::Error>(slot: &mut Option<T>, value: T) -> Result<(), E> {
                    if slot.replace(value).is_some() { Err(E::custom("duplicate key")) } else { Ok(()) }
                }
                let mut row = Row::default();
                while let Some(key) = map.next_key::<Name<'de>>()? {
                    match key.0.as_ref() {
                        "transition" => once(&mut row.transition, map.next_value()?)?,
                        "state" => once(&mut row.state, map.next_value()?)?,
                        "view_at" => once(&mut row.view_at, map.next_value()?)?,
                        "channel" => once(&mut row.channel, map.next_value()?)?,
                        "layout" => once(&mut row.layout, map.next_value()?)?,
                        "wave" => once(&mut row.wave, map.next_value()?)?,
                        "logprobs" => once(&mut row.logprobs, map.next_value()?)?,
                        "candidate" => once(&mut row.candidate, map.next_value()?)?,
                        "yes" => once(&mut row.yes, map.next_value()?)?,
                        "no" => once(&mut row.no, map.next_value()?)?,
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                            let unknown = key.0.into_owned();
                            if row.unknown.len() > limits::UNKNOWN_FIELDS || row.unknown.contains(&unknown) {
                                return Err(A::Error::custom("duplicate key, or too many"));
                            }
                            row.unknown.push(unknown);
                        }
                    }
                }
                Ok(row)
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// Whether more digits follow one another, a point between them aside, than a double can need.
fn has_long_number(line: &[u8]) -> bool {
    let mut run = 0_u32;
    line.iter().any(|byte| {
        run = match byte {
            b'0'..=b'9' => run + 1,
            b'.' => run,
            _ => 0,
        };
        run > 17
    })
}

impl<'l> Row<'l> {
    /// Reads a line. What the fast reader cannot vouch for (an odd spelling, an unknown field, a number that a double may
    /// have lost) is read once more by the strict reader, whose word counts and who knows the place.
    pub fn read(file: &str, line: &'l [u8]) -> Result<Self, (u32, String)> {
        match serde_json::from_slice::<Self>(line) {
            Ok(row) if (row.is_plain() && !has_long_number(line)) || row.is_sound(line) => Ok(row),
            _ => Self::read_strictly(file, line),
        }
    }

    fn is_plain(&self) -> bool {
        let logprobs = self.logprobs.iter().flat_map(|l| &l.0).map(|(_, value)| *value);
        // A fraction is read as it is spelled; an integer may be what a double made of a fraction.
        self.unknown.is_empty() && logprobs.chain(self.yes).chain(self.no).all(|value| value.fract() != 0.0)
    }

    /// The slower look at what is not plain: no number was lost, and what is passed over is JSON too. The strict reader
    /// is not asked, because it refuses the large integers that some endpoints return as sentinels.
    fn is_sound(&self, line: &[u8]) -> bool {
        first_lost(line, true).is_none()
            && (self.unknown.is_empty() || serde_json::from_slice::<serde_json::Value>(line).is_ok())
    }

    fn read_strictly(file: &str, line: &[u8]) -> Result<Self, (u32, String)> {
        let document = read_input(file, line).map_err(|error| {
            // The general advice, to write null or a string, is wrong for a score.
            let what = match error.fault {
                ReadFault::NotFinite => "NaN and Infinity are no log-probabilities; leave the candidate out".to_owned(),
                ReadFault::IntegerTooLarge
                | ReadFault::OutOfRange
                | ReadFault::Underflow
                | ReadFault::TooPrecise
                | ReadFault::Rounded(_) => {
                    "the number is none that an endpoint returns; write what it returned".to_owned()
                }
                fault => fault.to_string(),
            };
            (error.place.column, what)
        })?;
        let top = Field::root(&document.root);
        Self::from_document(&top).map_err(|fault| {
            let column = locate(line, &fault.path).map_or(1, |(_, column)| column);
            (column, fault.to_string())
        })
    }

    fn from_document(top: &Field<'_, '_>) -> Result<Self, DocumentFault> {
        let mut notices = Vec::new();
        top.object(&FIELDS, &mut notices)?;
        let entries = |json: &Json| json.as_map().map_or(0, <[_]>::len);
        if entries(top.json()) > FIELDS.len() + limits::UNKNOWN_FIELDS {
            return Err(top.refuse("more fields than a row has", "Keep the fields of a score row."));
        }
        let name = |key: &str| {
            let text = top.get(key).map(|field| field.text().map(str::to_owned)).transpose();
            text.map(|text| text.map(|text| Name(Cow::Owned(text))))
        };
        let int = |key: &str| top.get(key).map(|field| field.int()).transpose();
        let number = |key: &str| top.get(key).map(|field| logprob(&field)).transpose();
        let logprobs = match top.get("logprobs") {
            None => None,
            Some(field) => {
                field.object(&[], &mut Vec::new())?;
                if entries(field.json()) > limits::CANDIDATES {
                    let help = format!("A transition has at most {}.", limits::CANDIDATES);
                    return Err(field.refuse("more candidates than a transition has", help));
                }
                let mut pairs = Vec::new();
                for (key, _) in field.json().as_map().unwrap_or_default() {
                    pairs.push((Name(Cow::Owned(key.clone())), logprob(&field.need(key)?)?));
                }
                Some(Logprobs(pairs))
            }
        };
        let unknown = top.json().as_map().unwrap_or_default().iter().map(|(key, _)| key);
        Ok(Self {
            transition: name("transition")?,
            state: name("state")?,
            view_at: name("view_at")?,
            channel: name("channel")?,
            layout: int("layout")?,
            wave: int("wave")?,
            logprobs,
            candidate: name("candidate")?,
            yes: number("yes")?,
            no: number("no")?,
            unknown: unknown.filter(|key| !FIELDS.contains(&key.as_str())).cloned().collect(),
        })
    }
}

const FIELDS: [&str; 10] =
    ["transition", "state", "view_at", "channel", "layout", "wave", "logprobs", "candidate", "yes", "no"];

fn logprob(field: &Field<'_, '_>) -> Result<f64, DocumentFault> {
    field.json().as_number().ok_or_else(|| match field.json() {
        Json::Null => field.refuse("null is no log-probability", "Leave a missing candidate out."),
        other => field.refuse(
            format!("a log-probability is wanted here, this is {}", other.kind()),
            "Write the number that the endpoint returned.",
        ),
    })
}
