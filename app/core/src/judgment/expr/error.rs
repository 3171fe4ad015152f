//! What can be wrong with a condition, where, and what to do about it.

use std::fmt;

use super::env::Origin;
use super::node::{Span, Type};
use crate::legible::is_hidden;

/// Why a condition was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionError {
    /// Line in the condition, from 1.
    pub line: u32,
    /// Column in the condition in characters, from 1.
    pub column: u32,
    /// The offending text.
    pub text: String,
    /// What is wrong.
    pub fault: ConditionFault,
}

/// What is wrong with a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionFault {
    /// Longer than [`crate::limits::CONDITION_BYTES`].
    TooLong,
    /// Brackets or operator chains too deep.
    TooDeep,
    /// Nothing but blanks.
    Empty,
    /// Not CEL: what would have been expected.
    Syntax(String),
    /// CEL, but outside the supported subset.
    Unsupported {
        /// What.
        what: &'static str,
        /// What to write instead.
        instead: &'static str,
    },
    /// A name that nothing declares; the closest declared one.
    UnknownName(Option<String>),
    /// A declared name that conditions cannot spell.
    Unwritable {
        /// The name.
        name: String,
        /// Where it is declared.
        origin: Origin,
        /// A name that they can spell.
        instead: String,
    },
    /// A word that CEL reserves; how a declared name of that spelling is written.
    Reserved(Option<String>),
    /// `has` of a name without its namespace; how it is written.
    BareHas(Option<String>),
    /// A literal that cannot be read exactly.
    Literal(&'static str),
    /// An operator between types that it does not join.
    Operands {
        /// The operator.
        operator: &'static str,
        /// Type on the left.
        left: Type,
        /// Type on the right.
        right: Type,
    },
    /// An operator on a type that it does not take.
    Operand {
        /// The operator.
        operator: &'static str,
        /// The type.
        found: Type,
    },
    /// The elements of a list have several types.
    MixedList(Type, Type),
    /// The whole is not Boolean.
    NotBoolean(Type),
}

impl ConditionError {
    /// An error at a span of `source`.
    pub(crate) fn at(source: &str, span: Span, fault: ConditionFault) -> Self {
        let before = source.get(..span.start as usize).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Self { line: line as u32, column: column as u32, text: shortened(span.of(source)), fault }
    }

    /// What is wrong, in words.
    #[must_use]
    pub fn what(&self) -> String {
        let here = &self.text;
        match &self.fault {
            ConditionFault::TooLong => {
                format!("the condition is longer than {} bytes", crate::limits::CONDITION_BYTES)
            }
            ConditionFault::TooDeep => "the condition is nested too deeply".to_owned(),
            ConditionFault::Empty => "the condition is empty".to_owned(),
            ConditionFault::Syntax(words) if here.is_empty() => words.clone(),
            ConditionFault::Syntax(words) => format!("`{here}`: {words}"),
            ConditionFault::Unsupported { what, .. } => format!("`{here}`: {what} is not supported"),
            ConditionFault::UnknownName(_) => format!("`{here}` is not declared"),
            ConditionFault::Unwritable { name, .. } => {
                format!("`{}` is declared, but a condition cannot spell it", shortened(name))
            }
            ConditionFault::Reserved(_) => format!("the word `{here}` is reserved in CEL"),
            ConditionFault::BareHas(_) => format!("`{here}`: `has` of a bare name is not supported"),
            ConditionFault::Literal(why) => format!("`{here}` {why}"),
            ConditionFault::Operands { operator, left, right } => {
                format!("`{here}`: `{operator}` does not join {left} and {right}")
            }
            ConditionFault::Operand { operator, found } => format!("`{here}`: `{operator}` does not take {found}"),
            ConditionFault::MixedList(a, b) => format!("`{here}` holds {a} and {b}"),
            ConditionFault::NotBoolean(found) => format!("`{here}` is {found}, not a condition"),
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> String {
        match &self.fault {
            ConditionFault::TooLong | ConditionFault::TooDeep => "Split it into several rules.".to_owned(),
            ConditionFault::Empty => "Write `true` for a rule that always holds.".to_owned(),
            ConditionFault::Syntax(_) => {
                "Conditions are CEL: `&&`, `||`, `!`, comparisons, `in`, arithmetic.".to_owned()
            }
            ConditionFault::Unsupported { instead, .. } => (*instead).to_owned(),
            ConditionFault::UnknownName(Some(near)) => {
                format!("Is `{near}` meant? Else declare it under `interface` or in the context.")
            }
            ConditionFault::UnknownName(None) => "Declare it under `interface` or in the context.".to_owned(),
            ConditionFault::Unwritable { name, origin: Origin::Context, instead } => {
                format!("Call it `{instead}` in the context, and in every grant that names `{}`.", shortened(name))
            }
            ConditionFault::Unwritable { name, instead, .. } => rename(name, instead),
            ConditionFault::Reserved(Some(name)) => format!("Write `{name}`."),
            ConditionFault::Reserved(None) => "Use another word.".to_owned(),
            ConditionFault::BareHas(Some(name)) => format!("Write `has({name})`."),
            ConditionFault::BareHas(None) => {
                "Name the namespace: `has(grounds.x)`, `has(parameters.x)` or `has(context.x)`.".to_owned()
            }
            ConditionFault::Literal(_) => "Correct the literal.".to_owned(),
            ConditionFault::Operands { .. } | ConditionFault::Operand { .. } => {
                "Compare values of one type; the interface declares the type of each field.".to_owned()
            }
            ConditionFault::MixedList(..) => "Give all elements one type.".to_owned(),
            ConditionFault::NotBoolean(_) => "Compare it with something.".to_owned(),
        }
    }
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 1 {
            write!(f, "column {}: {}. {}", self.column, self.what(), self.help())
        } else {
            write!(f, "line {}, column {}: {}. {}", self.line, self.column, self.what(), self.help())
        }
    }
}

impl std::error::Error for ConditionError {}

/// Why an evaluation erred. `&&` and `||` absorb it where the other side decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvalError {
    /// The node that erred.
    pub span: Span,
    /// Why.
    pub fault: EvalFault,
}

/// Why a node erred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvalFault {
    /// An integer or a duration outside 64 bits.
    Overflow,
    /// A date outside the years 0001 to 9999.
    DateOutOfRange,
    /// A rational longer than [`crate::limits::RATIONAL_BITS`].
    TooLong,
    /// Division by zero.
    DivisionByZero,
    /// An optional field that is not there, and where it would be given.
    Absent(Origin),
    /// The watch asked to stop; whoever evaluates asks it, too, and throws the result away.
    Stopped,
    /// Operands of types that the type check excludes: a fault of this program, reported instead of hidden.
    Internal,
}

impl EvalError {
    /// The error in words: node and reason.
    #[must_use]
    pub fn words(&self, text: &str) -> String {
        let here = shortened(self.span.of(text));
        match self.fault {
            EvalFault::Overflow => format!("`{here}` does not fit in 64 bits"),
            EvalFault::DateOutOfRange => format!("`{here}` is outside the years 0001 to 9999"),
            EvalFault::TooLong => {
                format!("`{here}` has a numerator or denominator of more than {} bits", crate::limits::RATIONAL_BITS)
            }
            EvalFault::DivisionByZero => format!("`{here}` divides by zero"),
            EvalFault::Absent(origin) => {
                let start = here.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
                format!("`{here}` is absent; ask `has({}.{})` first", origin.word(), &here[start..])
            }
            EvalFault::Stopped => format!("`{here}` was not evaluated to its end"),
            EvalFault::Internal => format!("`{here}` could not be evaluated"),
        }
    }
}

/// How a field is brought under a name that conditions can spell.
pub(crate) fn rename(name: &str, instead: &str) -> String {
    format!(
        "Declare it as `{instead}`, and add for each version a compatibility step `rename` from `{}` to `{instead}`.",
        shortened(name)
    )
}

/// At most 60 characters of a text, so that a message stays readable; what shows nothing of its own as its number.
fn shortened(text: &str) -> String {
    let mut shown = String::new();
    for (at, c) in text.chars().enumerate() {
        if at == 60 {
            shown.push('…');
            break;
        }
        if (is_hidden(c) || c.is_whitespace()) && !matches!(c, ' ' | '\n' | '\t') {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}
