//! A value in a plan together with its place, so that every fault names file, line and column.

use std::cell::RefCell;

use decidendi_core::exact::Rational;
use decidendi_core::seal::canon::{Notice, Place, locate};
use decidendi_core::seal::json::{Json, JsonPath, Step};

use super::PlanError;

/// The document that is being read.
pub(super) struct Source<'d> {
    pub file: &'d str,
    pub bytes: &'d [u8],
    pub notices: RefCell<Vec<Notice>>,
}

/// One value of it.
#[derive(Clone)]
pub(super) struct Node<'d> {
    source: &'d Source<'d>,
    path: JsonPath,
    value: &'d Json,
}

type Read<T> = Result<T, PlanError>;

impl<'d> Node<'d> {
    pub fn root(source: &'d Source<'d>, value: &'d Json) -> Self {
        Self { source, path: JsonPath::default(), value }
    }

    pub const fn json(&self) -> &'d Json {
        self.value
    }

    pub fn place(&self) -> Place {
        let (line, column) = locate(self.source.bytes, &self.path).unwrap_or((1, 1));
        Place { file: self.source.file.to_owned(), line, column }
    }

    /// A fault here.
    pub fn fault(&self, what: &str, help: &str) -> PlanError {
        let path = self.path.to_string();
        let what = if path.is_empty() { what.to_owned() } else { format!("{path}: {what}") };
        PlanError::Shape { place: self.place(), what, help: help.to_owned() }
    }

    fn kind(&self, wanted: &str) -> PlanError {
        self.fault(&format!("{wanted} is wanted here, this is {}", self.value.kind()), "Correct the value.")
    }

    /// An entry that may be absent.
    pub fn find(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key)?;
        Some(Self { source: self.source, path: self.path.key(key), value })
    }

    /// The value at the end of a way that begins here, or where the way leaves the document.
    pub fn along(&self, way: &[Step]) -> Self {
        let Some((step, rest)) = way.split_first() else { return self.clone() };
        let next = match step {
            Step::Key(key) => self.find(key),
            Step::At(i) => self.value.as_list().and_then(|list| list.get(*i)).map(|value| Self {
                source: self.source,
                path: self.path.at(*i),
                value,
            }),
        };
        next.map_or_else(|| self.clone(), |next| next.along(rest))
    }

    /// An entry that must be there.
    pub fn get(&self, key: &str) -> Read<Self> {
        self.find(key).ok_or_else(|| self.fault(&format!("`{key}` is missing"), &format!("Add `{key}`.")))
    }

    /// Refuses anything but an object and whatever is named like a secret, and notes the keys that nobody reads.
    pub fn expect_keys(&self, known: &[&str]) -> Read<()> {
        let entries = self.value.as_map().ok_or_else(|| self.kind("an object"))?;
        for (key, _) in entries.iter().filter(|(key, _)| !known.contains(&key.as_str())) {
            let unread = self.get(key)?;
            if let Some(secret) = unread.secret() {
                return Err(secret.fault(
                    "this is named like a secret, and a plan is copied and shown",
                    "Take it out, put the key into an environment variable, and name that in `endpoint.api_key_env`.",
                ));
            }
            let text = "is not known here and is passed over".to_owned();
            self.source.notices.borrow_mut().push(Notice { path: self.path.key(key), text });
        }
        Ok(())
    }

    /// This entry or the first one below it whose name looks like that of a secret.
    fn secret(&self) -> Option<Self> {
        if self.path.0.last().is_some_and(|step| matches!(step, Step::Key(key) if is_secret(key))) {
            return Some(self.clone());
        }
        match self.value {
            Json::Map(entries) => entries.iter().find_map(|(key, _)| self.find(key)?.secret()),
            Json::List(items) => {
                let node = |(i, value)| Self { source: self.source, path: self.path.at(i), value };
                items.iter().enumerate().map(node).find_map(|item| item.secret())
            }
            _ => None,
        }
    }

    /// The elements of a list that may not be empty.
    pub fn items(&self) -> Read<Vec<Self>> {
        let list = self.value.as_list().ok_or_else(|| self.kind("a list"))?;
        if list.is_empty() {
            return Err(self.fault("the list is empty", "Name at least one."));
        }
        let node = |(i, value)| Self { source: self.source, path: self.path.at(i), value };
        Ok(list.iter().enumerate().map(node).collect())
    }

    pub fn text(&self) -> Read<&'d str> {
        let text = self.value.as_text().ok_or_else(|| self.kind("text"))?;
        if text.trim().is_empty() {
            return Err(self.fault("the text is empty", "Write something."));
        }
        Ok(text)
    }

    /// An identifier: letters, digits, `.`, `_`, `-`.
    pub fn id(&self) -> Read<String> {
        let text = self.text()?;
        let sound = text.len() <= 100 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
        if sound {
            Ok(text.to_owned())
        } else {
            Err(self.fault("this is no identifier", "Use letters, digits, `.`, `_` and `-`, at most 100."))
        }
    }

    pub fn int(&self, from: i64, to: i64) -> Read<i64> {
        let value = self.value.as_int().ok_or_else(|| self.kind("an integer"))?;
        if (from..=to).contains(&value) {
            return Ok(value);
        }
        Err(self.fault(&format!("{value} is out of range"), &format!("Use {from} to {to}.")))
    }

    pub fn boolean(&self) -> Read<bool> {
        self.value.as_bool().ok_or_else(|| self.kind("true or false"))
    }

    /// An exact number in its spelling, and its value.
    pub fn exact(&self) -> Read<(String, Rational)> {
        let text = self.value.as_text().ok_or_else(|| self.kind("an exact number in a string"))?;
        let value = Rational::parse(text).map_err(|e| self.fault(&e.to_string(), "Correct the number."))?;
        Ok((text.to_owned(), value))
    }

    pub fn word<T: Copy>(&self, words: &[(&'static str, T)]) -> Read<T> {
        let text = self.text()?;
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        found.ok_or_else(|| {
            self.fault(&format!("`{text}` is not known here"), &format!("Use one of: {}.", known.join(", ")))
        })
    }
}

/// Whether a name, in whatever spelling, is that of a secret.
fn is_secret(name: &str) -> bool {
    const ENDINGS: [&str; 8] =
        ["apikey", "secretkey", "accesskey", "privatekey", "token", "authorization", "secret", "password"];
    let bare: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect();
    bare == "key" || ENDINGS.iter().any(|ending| bare.ends_with(ending))
}

/// Refuses the second of two equal identifiers.
pub(super) fn unique<'a>(ids: impl IntoIterator<Item = (Node<'a>, String)>) -> Read<()> {
    let mut seen = std::collections::BTreeSet::new();
    for (node, id) in ids {
        if !seen.insert(id.clone()) {
            return Err(node.fault(&format!("`{id}` is there already"), "Give each its own."));
        }
    }
    Ok(())
}
