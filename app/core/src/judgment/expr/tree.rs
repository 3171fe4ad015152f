//! A condition as written: parsed, not yet typed.

use super::env::Origin;
use super::node::{Arithmetic, Compare, Span};
use crate::judgment::value::Value;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree<'t> {
    /// Where it stands, without brackets around the whole.
    pub(super) span: Span,
    /// The same with the brackets around it: what an operator beside it joins.
    pub(super) outer: Span,
    pub(super) shape: Shape<'t>,
}

/// What an expression is. Only what conditions support has a shape.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape<'t> {
    /// A truth value, a number, a text, a date or a duration.
    Literal(Value),
    /// `x` or `grounds.x`
    Name(Option<Origin>, &'t str),
    /// `has(grounds.x)`
    Has(Origin, &'t str),
    /// `!a`, `--a`: a sign and how often it stands there.
    Signed(Sign, usize, Box<Tree<'t>>),
    /// `a + b`; of `&&` and `||` any number of operands, since both are associative, errors included.
    Joined(Operator, Vec<Tree<'t>>),
    /// `[a, b]`
    List(Vec<Tree<'t>>),
}

/// An operator in front of its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// `!`
    Not,
    /// `-`
    Minus,
}

/// An operator between its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`, `<`, …
    Compare(Compare),
    /// `in`
    In,
    /// `+`, `*`, …
    Arithmetic(Arithmetic),
}

impl Operator {
    /// The operator that is spelled `word`.
    pub(super) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "||" => Self::Or,
            "&&" => Self::And,
            "==" => Self::Compare(Compare::Equal),
            "!=" => Self::Compare(Compare::Differs),
            "<" => Self::Compare(Compare::Less),
            "<=" => Self::Compare(Compare::AtMost),
            ">" => Self::Compare(Compare::Greater),
            ">=" => Self::Compare(Compare::AtLeast),
            "in" => Self::In,
            "+" => Self::Arithmetic(Arithmetic::Add),
            "-" => Self::Arithmetic(Arithmetic::Subtract),
            "*" => Self::Arithmetic(Arithmetic::Multiply),
            "/" => Self::Arithmetic(Arithmetic::Divide),
            "%" => Self::Arithmetic(Arithmetic::Remainder),
            _ => return None,
        })
    }

    /// How tightly it binds. Operators of one power group from the left.
    pub(super) const fn power(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Compare(_) | Self::In => 3,
            Self::Arithmetic(Arithmetic::Add | Arithmetic::Subtract) => 4,
            Self::Arithmetic(_) => 5,
        }
    }

    /// Whether it joins any number of operands at once.
    pub(super) const fn is_logic(self) -> bool {
        matches!(self, Self::And | Self::Or)
    }
}
