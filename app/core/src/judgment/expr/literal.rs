//! Literals, read exactly: from their source text where the parser would have rounded.

use std::sync::Arc;

use cel::common::ast::{Expr, IdedExpr, LiteralValue};

use super::error::ConditionFault;
use super::node::{Kind, Node, Span, Type};
use super::typing::{Checked, Checker};
use crate::exact::Rational;
use crate::judgment::value::{Value, no_such_day, parse_date, parse_duration, parse_timestamp};

/// Largest decimal exponent of a literal: an exact rational of it still fits in a line.
const EXPONENT: u32 = 64;

impl Checker<'_> {
    pub(super) fn literal(&self, node: &IdedExpr, literal: &LiteralValue) -> Checked {
        let mut span = self.token_span(node);
        let signed = |negative: bool, span: Span| {
            let sign = negative.then(|| self.token(node)?.checked_sub(1)).flatten();
            match sign.filter(|i| self.tokens.text(*i) == "-").and_then(|i| self.tokens.all().get(i)) {
                Some(minus) => Span { start: minus.start as u32, ..span },
                None => span,
            }
        };
        let (ty, value) = match literal {
            LiteralValue::Boolean(b) => (Type::Bool, Value::Bool(*b.inner())),
            LiteralValue::Int(i) => {
                span = signed(*i.inner() < 0, span);
                (Type::Int, Value::Int(*i.inner()))
            }
            LiteralValue::Double(d) => {
                let digits = span.of(self.text);
                let negative = d.inner().is_sign_negative();
                span = signed(negative, span);
                let number = decimal(digits, negative).ok_or_else(|| {
                    self.error(span, ConditionFault::Literal("is too large or too fine to be read exactly"))
                })?;
                (Type::Rational, Value::Rational(number))
            }
            LiteralValue::String(s) => (Type::Text, Value::Text(Arc::from(s.inner()))),
            LiteralValue::UInt(_) => {
                return self.unsupported(span, "an unsigned literal", "Write the integer without `u`.");
            }
            LiteralValue::Bytes(_) => return self.unsupported(span, "a bytes literal", "Use text."),
            LiteralValue::Null => {
                return self.unsupported(span, "`null`", "Ask `has(…)` whether an optional field is there.");
            }
        };
        Ok(Node { span, ty, kind: Kind::Literal(value) })
    }

    /// `date('…')`, `timestamp('…')`, `duration('…')` of a literal.
    pub(super) fn function(&self, node: &IdedExpr, name: &str, arguments: &[IdedExpr]) -> Checked {
        let span = self.call_span(node);
        let text = match arguments {
            [IdedExpr { expr: Expr::Literal(LiteralValue::String(s)), .. }] => Some(s.inner()),
            _ => None,
        };
        let (ty, value, why) = match (name, text) {
            ("date", Some(t)) => (
                Type::Date,
                parse_date(t).map(Value::Date),
                match no_such_day(t) {
                    Some(_) => "is a day that the calendar does not have",
                    None => "is no day (write date('2024-09-16'))",
                },
            ),
            ("timestamp", Some(t)) => (
                Type::Date,
                parse_timestamp(t).map(Value::Date),
                "is no whole UTC day (write timestamp('2024-09-16T00:00:00Z'))",
            ),
            ("duration", Some(t)) => (
                Type::Duration,
                parse_duration(t).map(Value::Duration),
                "is no duration (write duration('36h') or duration('1h30m'))",
            ),
            ("date" | "timestamp" | "duration", None) => {
                return self.unsupported(
                    span,
                    "anything but one text literal in the brackets",
                    "Declare a field of type date or duration.",
                );
            }
            _ => {
                return self.unsupported(
                    span,
                    "this function",
                    "There are `has`, `date`, `timestamp` and `duration`; compute anything else into a field.",
                );
            }
        };
        let value = value.ok_or_else(|| self.error(span, ConditionFault::Literal(why)))?;
        Ok(Node { span, ty, kind: Kind::Literal(value) })
    }
}

/// A decimal literal from its source text, exactly: never through a float.
fn decimal(digits: &str, negative: bool) -> Option<Rational> {
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (digits, 0),
    };
    if exponent.unsigned_abs() > EXPONENT || mantissa.len() > 256 {
        return None;
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.bytes().chain(fraction.bytes()).all(|digit| digit == b'0') {
        return Some(Rational::ZERO);
    }
    let whole = whole.trim_start_matches('0');
    let point = whole.len() as i32 + exponent;
    let all = format!("{whole}{fraction}");
    let sign = if negative { "-" } else { "" };
    let text = if point <= 0 {
        format!("{sign}0.{}{all}", "0".repeat(point.unsigned_abs() as usize))
    } else if point as usize >= all.len() {
        let digits = format!("{all}{}", "0".repeat(point as usize - all.len()));
        format!("{sign}{}", digits.trim_start_matches('0'))
    } else {
        let whole = all[..point as usize].trim_start_matches('0');
        format!("{sign}{}.{}", if whole.is_empty() { "0" } else { whole }, &all[point as usize..])
    };
    Rational::parse(&text).ok()
}
