//! Reading the shape of a document that passed the strict reader: fields with the way to them, and faults that say
//! what, where, and what to do.

use super::canon::Notice;
use super::json::{Json, JsonPath};
use crate::limits::UNKNOWN;
use crate::nearest::{meant, nearest};

/// Most keys of one object that are compared with what was looked for.
const COMPARED: usize = 64;

/// One fault in a document's shape: where, what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFault {
    /// Where in the resolved document.
    pub path: JsonPath,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub help: String,
}

impl DocumentFault {
    /// A fault in words.
    pub fn new(path: JsonPath, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { path, what: shortened(what.into()), help: shortened(help.into()) }
    }

    /// A required key is missing.
    #[must_use]
    pub fn missing(path: &JsonPath, key: &str) -> Self {
        Self::new(path.clone(), format!("`{key}` is missing"), format!("Add `{key}`."))
    }

    /// A required key is missing from `object`, which may hold it misspelled: among `known` it is not looked for.
    #[must_use]
    pub fn missing_in(object: &Json, path: &JsonPath, key: &str, known: &[&str]) -> Self {
        let keys = object.as_map().unwrap_or_default().iter().map(|(k, _)| k.as_str());
        match nearest(key, keys.filter(|k| !known.contains(k)).take(COMPARED)) {
            Some(near) => {
                let help = format!("Is `{near}` a slip for it? Then correct that; else add `{key}`.");
                Self::new(path.clone(), format!("`{key}` is missing"), help)
            }
            None => Self::missing(path, key),
        }
    }

    /// A value of the wrong kind.
    #[must_use]
    pub fn kind(path: &JsonPath, wanted: &str, found: &Json) -> Self {
        Self::new(path.clone(), format!("{wanted} is wanted here, this is {}", found.kind()), "Correct the value.")
    }

    /// A word that is none of the allowed ones.
    #[must_use]
    pub fn word(path: JsonPath, found: &str, allowed: &[&str]) -> Self {
        let near = nearest(found, allowed.iter().copied().take(256));
        let near = near.map_or_else(String::new, |word| format!("Is `{word}` meant? "));
        Self::new(path, format!("`{found}` is not known here"), format!("{near}Use one of: {}.", allowed.join(", ")))
    }
}

/// A message quotes the document, which may hold a word of millions of letters.
pub(super) fn shortened(mut text: String) -> String {
    const LONGEST: usize = 1000;
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

impl std::fmt::Display for DocumentFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.path.0.is_empty() {
            write!(f, "{}. {}", self.what, self.help)
        } else {
            write!(f, "{}: {}. {}", self.path, self.what, self.help)
        }
    }
}

/// Unknown fields of an input document are told, never dropped in silence.
pub fn note_unknown(object: &Json, known: &[&str], path: &JsonPath, notices: &mut Vec<Notice>) {
    for (key, text) in unknown(object, known) {
        notices.push(Notice { path: path.key(key), text });
    }
}

/// The keys of an object that are not `known`, each with what to say of it: also which absent one may be meant. Of very many
/// the last one that is told counts the rest.
pub fn unknown<'j>(object: &'j Json, known: &[&str]) -> impl Iterator<Item = (&'j str, String)> {
    let entries = object.as_map().unwrap_or_default();
    let strange = |key: &&str| !known.contains(key);
    let keys = || entries.iter().map(|(key, _)| key.as_str()).filter(strange);
    let rest = keys().count().saturating_sub(UNKNOWN + 1);
    keys().take(UNKNOWN + 1).enumerate().map(move |(n, key)| {
        let absent = known.iter().copied().filter(|k| n < COMPARED && object.get(k).is_none());
        let text = format!("unknown field `{}` is not used{}", cut(key), meant(key, absent));
        (key, if n == UNKNOWN && rest > 0 { format!("{text}, nor are {rest} more") } else { text })
    })
}

/// At most sixty characters of a name, for a message that names it.
#[must_use]
pub fn cut(name: &str) -> String {
    match name.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// The way to a field, linked upwards; it becomes a [`JsonPath`] only when there is something to say, since a large
/// study has a million fields.
#[derive(Debug, Clone, Copy)]
enum Way<'p> {
    Root,
    Key(&'p Way<'p>, &'p str),
    At(&'p Way<'p>, usize),
}

impl Way<'_> {
    fn path(&self) -> JsonPath {
        match self {
            Self::Root => JsonPath::default(),
            Self::Key(up, key) => up.path().key(key),
            Self::At(up, index) => up.path().at(*index),
        }
    }
}

/// A value of a document together with the way to it.
#[derive(Debug, Clone, Copy)]
pub struct Field<'p, 'j> {
    json: &'j Json,
    way: Way<'p>,
}

impl<'j> Field<'_, 'j> {
    /// The root of a document.
    #[must_use]
    pub const fn root(json: &'j Json) -> Self {
        Self { json, way: Way::Root }
    }
}

impl<'p, 'j> Field<'p, 'j> {
    /// The value.
    #[must_use]
    pub const fn json(&self) -> &'j Json {
        self.json
    }

    /// The way to it.
    #[must_use]
    pub fn path(&self) -> JsonPath {
        self.way.path()
    }

    /// The value of `key`, if there is one.
    #[must_use]
    pub fn get<'s>(&'s self, key: &'s str) -> Option<Field<'s, 'j>>
    where
        'p: 's,
    {
        self.json.get(key).map(|json| Field { json, way: Way::Key(&self.way, key) })
    }

    /// The value of `key`.
    ///
    /// # Errors
    /// It is missing.
    pub fn need<'s>(&'s self, key: &'s str) -> Result<Field<'s, 'j>, DocumentFault>
    where
        'p: 's,
    {
        self.get(key).ok_or_else(|| DocumentFault::missing(&self.path(), key))
    }

    /// That this is an object, and what in it is unknown.
    ///
    /// # Errors
    /// It is something else.
    pub fn object(&self, known: &[&str], notices: &mut Vec<Notice>) -> Result<(), DocumentFault> {
        match self.json {
            Json::Map(entries) => {
                // The path is built only where there is something to note.
                if entries.iter().any(|(key, _)| !known.contains(&key.as_str())) {
                    note_unknown(self.json, known, &self.path(), notices);
                }
                Ok(())
            }
            other => Err(DocumentFault::kind(&self.path(), "an object", other)),
        }
    }

    /// The elements of a list.
    ///
    /// # Errors
    /// It is no list.
    pub fn items<'s>(&'s self) -> Result<impl ExactSizeIterator<Item = Field<'s, 'j>>, DocumentFault>
    where
        'p: 's,
    {
        let items = self.json.as_list().ok_or_else(|| DocumentFault::kind(&self.path(), "a list", self.json))?;
        Ok(items.iter().enumerate().map(|(i, json)| Field { json, way: Way::At(&self.way, i) }))
    }

    /// The text.
    ///
    /// # Errors
    /// It is no text.
    pub fn text(&self) -> Result<&'j str, DocumentFault> {
        self.json.as_text().ok_or_else(|| DocumentFault::kind(&self.path(), "text", self.json))
    }

    /// The integer.
    ///
    /// # Errors
    /// It is no integer.
    pub fn int(&self) -> Result<i64, DocumentFault> {
        self.json.as_int().ok_or_else(|| DocumentFault::kind(&self.path(), "an integer", self.json))
    }

    /// The truth value.
    ///
    /// # Errors
    /// It is none.
    pub fn bool(&self) -> Result<bool, DocumentFault> {
        self.json.as_bool().ok_or_else(|| DocumentFault::kind(&self.path(), "true or false", self.json))
    }

    /// A fault at this place.
    pub fn refuse(&self, what: impl Into<String>, help: impl Into<String>) -> DocumentFault {
        DocumentFault::new(self.path(), what, help)
    }

    /// The text is none of the allowed words.
    #[must_use]
    pub fn not_a_word(&self, found: &str, allowed: &[&str]) -> DocumentFault {
        DocumentFault::word(self.path(), found, allowed)
    }
}
