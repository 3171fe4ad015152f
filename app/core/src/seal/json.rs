//! The JSON value that passed the strict reader: no duplicate keys, NFC text, exact integers.

/// A strictly read JSON value. Objects keep the file's order; [`super::canon::canonical`] sorts when it writes.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer within ±(2^53−1).
    Int(i64),
    /// Any other finite number.
    Float(f64),
    /// NFC text.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object: unique keys in file order.
    Map(Vec<(String, Json)>),
}

impl Json {
    /// The value of `key`, if this is an object that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_map()?.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// The text, if this is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(t) = self { Some(t) } else { None }
    }

    /// The integer, if this is one.
    #[must_use]
    pub const fn as_int(&self) -> Option<i64> {
        if let Self::Int(i) = self { Some(*i) } else { None }
    }

    /// The number as a double, if this is an integer or a fraction: for log-probabilities, which inputs may write `0.0`.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "integers that were read are exact as doubles")]
    pub const fn as_number(&self) -> Option<f64> {
        match self {
            Self::Int(i) => Some(*i as f64),
            Self::Float(x) => Some(*x),
            _ => None,
        }
    }

    /// The truth value, if this is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(b) = self { Some(*b) } else { None }
    }

    /// The elements, if this is an array.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(l) = self { Some(l) } else { None }
    }

    /// The entries in file order, if this is an object.
    #[must_use]
    pub fn as_map(&self) -> Option<&[(String, Self)]> {
        if let Self::Map(m) = self { Some(m) } else { None }
    }

    /// What kind of value this is, in words for a message.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a truth value",
            Self::Int(_) => "an integer",
            Self::Float(_) => "a number with a fraction",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Map(_) => "an object",
        }
    }

    /// How many lists and objects are open at the deepest place: 0 for a plain value.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::List(items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            Self::Map(entries) => 1 + entries.iter().map(|(_, value)| value.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// An object from pairs.
    pub fn map<K: Into<String>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::Map(entries.into_iter().map(|(k, v)| (k.into(), v)).collect())
    }

    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

/// One step of a path into a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// An object's key.
    Key(String),
    /// A list's position, from 0.
    At(usize),
}

/// Where in a document something stands: `sources[0].new.amount`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JsonPath(pub Vec<Step>);

impl JsonPath {
    /// The path one key deeper.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        let mut steps = self.0.clone();
        steps.push(Step::Key(key.to_owned()));
        Self(steps)
    }

    /// The path one position deeper.
    #[must_use]
    pub fn at(&self, index: usize) -> Self {
        let mut steps = self.0.clone();
        steps.push(Step::At(index));
        Self(steps)
    }
}

impl std::fmt::Display for JsonPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(k) if i == 0 => write!(f, "{k}")?,
                Step::Key(k) => write!(f, ".{k}")?,
                Step::At(n) => write!(f, "[{n}]")?,
            }
        }
        Ok(())
    }
}
