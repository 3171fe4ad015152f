//! The names that a condition may read: declared grounds, declared parameters and context fields, each with its type.

use std::collections::BTreeMap;
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization as _;

use super::error::ConditionFault;
use super::lexer::is_of_name;
use super::node::{NameId, Type};
use crate::nearest::distance;

/// Where a name comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// `grounds.x`
    Grounds,
    /// `parameters.x`
    Parameters,
    /// `context.x`
    Context,
}

impl Origin {
    /// All origins, in the order in which names are numbered.
    pub const ALL: [Self; 3] = [Self::Grounds, Self::Parameters, Self::Context];

    /// The namespace as conditions spell it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Grounds => "grounds",
            Self::Parameters => "parameters",
            Self::Context => "context",
        }
    }
}

/// A declared name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The bare name.
    pub text: Arc<str>,
    /// Its namespace.
    pub origin: Origin,
    /// Its type.
    pub ty: Type,
    /// The values of an enum or a set, ascending; empty for any other type.
    pub values: Arc<[Arc<str>]>,
}

/// The type environment of a case's conditions.
#[derive(Debug, Clone, Default)]
pub struct Env {
    names: Vec<Name>,
    index: BTreeMap<Arc<str>, NameId>,
}

impl Env {
    /// An environment of `names`. A bare name that occurs twice resolves to its first bearer; the interface refuses such
    /// names before.
    #[must_use]
    pub fn new(names: Vec<Name>) -> Self {
        let mut env = Self { names: Vec::with_capacity(names.len()), ..Self::default() };
        for name in names.into_iter().take(usize::from(u16::MAX)) {
            let id = NameId(env.names.len() as u16);
            env.index.entry(Arc::clone(&name.text)).or_insert(id);
            env.names.push(name);
        }
        env
    }

    /// All names; a [`NameId`] is the position.
    #[must_use]
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// A name by its id.
    #[must_use]
    pub fn name(&self, id: NameId) -> Option<&Name> {
        self.names.get(usize::from(id.0))
    }

    /// The id of a bare name, or of one in a namespace.
    #[must_use]
    pub fn find(&self, origin: Option<Origin>, text: &str) -> Option<NameId> {
        let id = *self.index.get(text)?;
        match origin {
            Some(origin) if self.name(id)?.origin != origin => None,
            _ => Some(id),
        }
    }

    /// How a condition names the declared `text` where the namespace is wanted.
    pub(super) fn qualified(&self, text: &str) -> Option<String> {
        self.find(None, text).and_then(|id| self.name(id)).map(|n| format!("{}.{}", n.origin.word(), n.text))
    }

    /// The longest declared name that conditions cannot spell and that stands at the beginning of `rest`.
    pub(super) fn unwritable_at(&self, rest: &str) -> Option<&str> {
        let names = self.names.iter().map(|n| &*n.text).filter(|n| !n.is_empty() && !is_writable(n));
        let here = names.filter(|n| {
            rest.strip_prefix(n).is_some_and(|after| !after.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        });
        here.max_by_key(|n| n.len())
    }

    /// The fault of a condition that means such a name.
    pub(super) fn unwritable(&self, name: &str) -> ConditionFault {
        let instead = writable(name, |n| self.find(None, n).is_some());
        let origin = self.find(None, name).and_then(|id| self.name(id)).map_or(Origin::Grounds, |n| n.origin);
        ConditionFault::Unwritable { name: name.to_owned(), origin, instead }
    }

    /// The declared name closest to `text`, if one is close: at most a third of its letters differ.
    #[must_use]
    pub fn near(&self, text: &str) -> Option<&str> {
        let bound = text.chars().count() / 3;
        let scored = self.names.iter().map(|n| (distance(&n.text, text), &*n.text));
        scored.filter(|(d, _)| *d <= bound).min_by_key(|(d, _)| *d).map(|(_, n)| n)
    }
}

/// Whether a condition can spell the name, at least after `grounds.`.
pub(crate) fn is_writable(name: &str) -> bool {
    let first = name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    first && name.bytes().all(is_of_name) && !matches!(name, "in" | "true" | "false" | "null")
}

/// A name near `name` that conditions can spell and that `taken` does not refuse.
pub(crate) fn writable(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut plain: String = name.nfd().filter(|c| !is_mark(*c)).take(64).map(letter).collect();
    if !plain.bytes().any(|b| b.is_ascii_alphanumeric()) {
        "field".clone_into(&mut plain);
    } else if !is_writable(&plain) {
        let keyword = plain.starts_with(|c: char| c.is_ascii_alphabetic());
        plain = if keyword { format!("{plain}_") } else { format!("_{plain}") };
    }
    let numbered = (2..).map(|n| format!("{plain}_{n}"));
    std::iter::once(plain.clone()).chain(numbered).find(|n| !taken(n)).unwrap_or(plain)
}

/// Accents that stand on the letter before them.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Small numbers for texts, equal for equal texts: text equality becomes integer equality, and a set of the first 64
/// becomes one word.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts(BTreeMap<Arc<str>, u32>);

impl Texts {
    /// The numbers of all declared values, then whatever conditions mention.
    pub(crate) fn of(env: &Env) -> Self {
        let mut texts = Self::default();
        for value in env.names().iter().flat_map(|n| &*n.values) {
            texts.intern(value);
        }
        texts
    }

    /// The number of a text, given now if it has none.
    pub(crate) fn intern(&mut self, text: &Arc<str>) -> u32 {
        if let Some(number) = self.0.get(text) {
            return *number;
        }
        let number = self.0.len() as u32;
        self.0.insert(Arc::clone(text), number);
        number
    }

    /// The number of a text that has one.
    pub(crate) fn number(&self, text: &str) -> Option<u32> {
        self.0.get(text).copied()
    }
}
