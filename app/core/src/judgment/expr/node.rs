//! A condition after parsing and type check: a small tree that both evaluators read.

use std::fmt;
use std::sync::Arc;

use super::env::Origin;
use crate::judgment::value::Value;

/// Position of a name in its [`super::Env`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameId(pub u16);

/// The type of an expression.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// Truth.
    Bool,
    /// 64-bit integer.
    Int,
    /// Exact rational.
    Rational,
    /// Text, or an enum's value.
    Text,
    /// A declared set of texts.
    Set,
    /// A point in time.
    Date,
    /// A span of time.
    Duration,
    /// A list of elements of one type; `None` for the empty list.
    List(Option<Box<Self>>),
}

impl Type {
    /// Whether values of the two types can be compared at all. Integers widen to rationals.
    #[must_use]
    pub fn fits(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(a), Self::List(b)) => match (a, b) {
                (Some(a), Some(b)) => a.fits(b),
                _ => true,
            },
            _ => self == other || (self.is_number() && other.is_number()),
        }
    }

    /// Int or rational.
    #[must_use]
    pub const fn is_number(&self) -> bool {
        matches!(self, Self::Int | Self::Rational)
    }

    /// Whether `<` is defined.
    #[must_use]
    pub const fn is_ordered(&self) -> bool {
        !matches!(self, Self::Set | Self::List(_))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "a truth value",
            Self::Int => "an integer",
            Self::Rational => "a rational",
            Self::Text => "text",
            Self::Set => "a set",
            Self::Date => "a date",
            Self::Duration => "a duration",
            Self::List(_) => "a list",
        })
    }
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// `==`
    Equal,
    /// `!=`
    Differs,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Compare {
    /// The operator as written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::Differs => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }

    /// Whether only equality is asked, not order.
    #[must_use]
    pub const fn is_equality(self) -> bool {
        matches!(self, Self::Equal | Self::Differs)
    }

    /// What the comparison says of two values in that order.
    #[must_use]
    #[inline]
    pub const fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Differs => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }
}

/// An arithmetic operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

impl Arithmetic {
    /// The operator as written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }
}

/// Bytes `start..end` of the condition's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The text that the span covers.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A typed node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// Its type.
    pub ty: Type,
    /// What it is.
    pub kind: Kind,
}

/// What a node is. `&&` and `||` are flat: both are associative, errors included.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A literal, a date or a duration.
    Literal(Value),
    /// A ground, a parameter or a context field.
    Name(NameId, Origin),
    /// `has(…)`: whether an optional field is there.
    Has(NameId),
    /// `!a`
    Not(Box<Node>),
    /// `a && b && …`
    And(Vec<Node>),
    /// `a || b || …`
    Or(Vec<Node>),
    /// A comparison.
    Compare(Compare, Box<Node>, Box<Node>),
    /// `a in b`
    In(Box<Node>, Box<Node>),
    /// Arithmetic.
    Arithmetic(Arithmetic, Box<Node>, Box<Node>),
    /// `-a`
    Negate(Box<Node>),
    /// `[a, b]`
    List(Vec<Node>),
}

impl Node {
    /// The operands, left to right.
    pub fn operands(&self) -> impl Iterator<Item = &Self> {
        let (many, two): (&[Self], [Option<&Self>; 2]) = match &self.kind {
            Kind::Literal(_) | Kind::Name(..) | Kind::Has(_) => (&[], [None, None]),
            Kind::Not(a) | Kind::Negate(a) => (&[], [Some(a), None]),
            Kind::Compare(_, a, b) | Kind::In(a, b) | Kind::Arithmetic(_, a, b) => (&[], [Some(a), Some(b)]),
            Kind::And(all) | Kind::Or(all) | Kind::List(all) => (all, [None, None]),
        };
        many.iter().chain(two.into_iter().flatten())
    }

    /// Every name that the node reads, in order of appearance, each once.
    #[must_use]
    pub fn names(&self) -> Vec<NameId> {
        let mut names = Vec::new();
        self.collect_names(&mut names);
        names
    }

    fn collect_names(&self, names: &mut Vec<NameId>) {
        if let Kind::Name(id, _) | Kind::Has(id) = self.kind
            && !names.contains(&id)
        {
            names.push(id);
        }
        self.operands().for_each(|n| n.collect_names(names));
    }
}

/// A parsed and type-checked condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The text as written.
    pub text: Arc<str>,
    /// The root; Boolean.
    pub root: Node,
    /// What is odd but no error: an enum compared with a value it never takes.
    pub notices: Vec<String>,
}
