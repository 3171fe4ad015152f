//! Atoms as text: `kind(anne)`, `chases(X,'bald eagle')`, `raining` (docs/formats/case.md C47).
//!
//! A name that starts with a capital is a variable. A constant starts with a small letter or a digit and goes on with
//! letters, digits, `_` and `-`; any other constant stands in single quotes, a quote inside doubled. `'cat'` and `cat`
//! are the same constant.

use std::fmt;

use crate::limits::ATOM_BYTES;

/// A term of an atom.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// A thing, by name.
    Constant(String),
    /// A place for a thing; the same name is the same thing throughout one rule.
    Variable(String),
}

/// A predicate with its terms.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Atom {
    /// The predicate's name; together with the number of terms it says which predicate is meant.
    pub predicate: String,
    /// The terms; none for a plain proposition.
    pub terms: Vec<Term>,
}

/// Why a text is no atom, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {fault}")]
pub struct AtomError {
    /// Position inside the atom's text, in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: AtomFault,
}

/// What is wrong with an atom's text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AtomFault {
    /// Rules are positive.
    #[error("negation is not supported; rules are positive")]
    Negation,
    /// A capital where a predicate is wanted.
    #[error("`{0}` starts with a capital, which makes it a variable; a predicate starts with a small letter")]
    PredicateIsVariable(String),
    /// No name where one is wanted.
    #[error("a name is wanted, not {0}")]
    NameWanted(Found),
    /// A list of terms goes wrong.
    #[error("`,` or `)` is wanted, not {0}")]
    TermsGoOn(Found),
    /// `p()`.
    #[error("empty parentheses; a proposition is written without them")]
    NoTerms,
    /// A quoted constant does not end.
    #[error("this quote is not closed")]
    OpenQuote,
    /// `''`.
    #[error("a constant is empty")]
    EmptyConstant,
    /// Longer than [`ATOM_BYTES`].
    #[error("an atom has at most {ATOM_BYTES} bytes")]
    TooLong,
    /// Text after the atom.
    #[error("the atom ends before {0}")]
    Trailing(Found),
}

/// What stands where something else is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found(Option<char>);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(c) => write!(f, "`{}`", c.escape_debug()),
            None => f.write_str("the end"),
        }
    }
}

impl Atom {
    /// Reads an atom.
    ///
    /// # Errors
    /// [`AtomError`] with the position inside `text`.
    pub fn parse(text: &str) -> Result<Self, AtomError> {
        if text.len() > ATOM_BYTES {
            return Err(AtomError { column: 1, fault: AtomFault::TooLong });
        }
        let mut reader = Reader { rest: text.chars().peekable(), column: 1 };
        let atom = reader.atom()?;
        reader.blanks();
        match reader.peek() {
            None => Ok(atom),
            found => Err(reader.error(AtomFault::Trailing(Found(found)))),
        }
    }

    /// The first variable, if the atom is not ground.
    #[must_use]
    pub fn variable(&self) -> Option<&str> {
        self.terms.iter().find_map(|t| if let Term::Variable(name) = t { Some(name.as_str()) } else { None })
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.predicate)?;
        for (i, term) in self.terms.iter().enumerate() {
            write!(f, "{}{term}", if i == 0 { '(' } else { ',' })?;
        }
        f.write_str(if self.terms.is_empty() { "" } else { ")" })
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::Constant(name) => {
                let bare = name.chars().next().is_some_and(|c| starts_name(c) && !c.is_uppercase());
                if bare && name.chars().all(goes_on) {
                    f.write_str(name)
                } else {
                    write!(f, "'{}'", name.replace('\'', "''"))
                }
            }
        }
    }
}

fn starts_name(c: char) -> bool {
    c.is_alphanumeric()
}

fn goes_on(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

struct Reader<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    column: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    fn take(&mut self) -> Option<char> {
        let taken = self.rest.next();
        self.column += usize::from(taken.is_some());
        taken
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.take();
        }
    }

    const fn error(&self, fault: AtomFault) -> AtomError {
        AtomError { column: self.column, fault }
    }

    fn atom(&mut self) -> Result<Atom, AtomError> {
        self.blanks();
        let start = self.column;
        if self.peek().is_some_and(|c| "\\-!~¬".contains(c)) {
            return Err(self.error(AtomFault::Negation));
        }
        let predicate = self.name()?;
        let at_start = |fault| AtomError { column: start, fault };
        if predicate == "not" {
            return Err(at_start(AtomFault::Negation));
        }
        if predicate.starts_with(char::is_uppercase) {
            return Err(at_start(AtomFault::PredicateIsVariable(predicate)));
        }
        self.blanks();
        let mut terms = Vec::new();
        if self.peek() == Some('(') {
            self.take();
            self.blanks();
            if self.peek() == Some(')') {
                return Err(self.error(AtomFault::NoTerms));
            }
            self.terms(&mut terms)?;
        }
        Ok(Atom { predicate, terms })
    }

    fn terms(&mut self, terms: &mut Vec<Term>) -> Result<(), AtomError> {
        loop {
            self.blanks();
            terms.push(self.term()?);
            self.blanks();
            match self.peek() {
                Some(',') => self.take(),
                Some(')') => {
                    self.take();
                    return Ok(());
                }
                found => return Err(self.error(AtomFault::TermsGoOn(Found(found)))),
            };
        }
    }

    fn term(&mut self) -> Result<Term, AtomError> {
        if self.peek() == Some('\'') {
            return self.quoted().map(Term::Constant);
        }
        let name = self.name()?;
        Ok(if name.starts_with(char::is_uppercase) { Term::Variable(name) } else { Term::Constant(name) })
    }

    fn name(&mut self) -> Result<String, AtomError> {
        match self.peek() {
            Some(c) if starts_name(c) => {}
            found => return Err(self.error(AtomFault::NameWanted(Found(found)))),
        }
        let mut name = String::new();
        while let Some(c) = self.peek().filter(|&c| goes_on(c)) {
            name.push(c);
            self.take();
        }
        Ok(name)
    }

    fn quoted(&mut self) -> Result<String, AtomError> {
        let start = self.column;
        self.take();
        let mut name = String::new();
        loop {
            match self.take() {
                None => return Err(AtomError { column: start, fault: AtomFault::OpenQuote }),
                Some('\'') if self.peek() == Some('\'') => {
                    self.take();
                    name.push('\'');
                }
                Some('\'') if name.is_empty() => {
                    return Err(AtomError { column: start, fault: AtomFault::EmptyConstant });
                }
                Some('\'') => return Ok(name),
                Some(c) => name.push(c),
            }
        }
    }
}
