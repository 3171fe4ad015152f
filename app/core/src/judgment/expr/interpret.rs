//! The plain tree interpreter: the oracle of the lifted evaluator, and what traces and faults are made from.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::error::{EvalError, EvalFault};
use super::node::{Arithmetic, Kind, NameId, Node};
use crate::exact::Rational;
use crate::judgment::trace::{ExprTrace, Truth};
use crate::judgment::value::Value;
use crate::limits::RATIONAL_BITS;

/// The values that a hybrid gives to names.
pub trait Scope {
    /// The value of a name; `None` where an optional field is absent.
    fn value(&self, name: NameId) -> Option<&Value>;

    /// Told of the work that evaluation takes, in the steps of [`crate::watch::Watch::spend`].
    fn spend(&self, _steps: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Steps of one node, beside what its operands' lengths add.
const NODE: u64 = 32;
/// Steps of an operation on two long numbers for each pair of their words.
const LONG: u64 = 320;

/// The value of a node, or the error that it gives.
///
/// # Errors
/// [`EvalError`] with the node that erred.
pub fn evaluate<'v>(node: &'v Node, scope: &'v dyn Scope) -> Result<Cow<'v, Value>, EvalError> {
    let fail = |fault| Err(EvalError { span: node.span, fault });
    let truth = |b| Ok(Cow::Owned(Value::Bool(b)));
    if scope.spend(NODE).is_break() {
        return fail(EvalFault::Stopped);
    }
    match &node.kind {
        Kind::Literal(value) => Ok(Cow::Borrowed(value)),
        Kind::Name(id, origin) => match scope.value(*id) {
            Some(value) => Ok(Cow::Borrowed(value)),
            None => fail(EvalFault::Absent(*origin)),
        },
        Kind::Has(id) => truth(scope.value(*id).is_some()),
        Kind::Not(_) | Kind::And(_) | Kind::Or(_) => truth(holds(node, scope)?),
        Kind::Compare(op, a, b) => {
            let (a, b) = (evaluate(a, scope)?, evaluate(b, scope)?);
            if scope.spend(effort(&a, &b)).is_break() {
                return fail(EvalFault::Stopped);
            }
            match order(&a, &b) {
                Some(order) => truth(op.holds(order)),
                None => fail(EvalFault::Internal),
            }
        }
        Kind::In(a, b) => {
            let (a, b) = (evaluate(a, scope)?, evaluate(b, scope)?);
            if scope.spend(effort(&a, &b)).is_break() {
                return fail(EvalFault::Stopped);
            }
            match contains(&b, &a) {
                Some(found) => truth(found),
                None => fail(EvalFault::Internal),
            }
        }
        Kind::Arithmetic(op, a, b) => {
            let (a, b) = (evaluate(a, scope)?, evaluate(b, scope)?);
            if scope.spend(effort(&a, &b)).is_break() {
                return fail(EvalFault::Stopped);
            }
            arithmetic(*op, &a, &b).map(Cow::Owned).or_else(fail)
        }
        Kind::Negate(a) => negate(&*evaluate(a, scope)?).map(Cow::Owned).or_else(fail),
        Kind::List(items) => {
            let values = items.iter().map(|n| evaluate(n, scope).map(Cow::into_owned));
            Ok(Cow::Owned(Value::List(values.collect::<Result<_, _>>()?)))
        }
    }
}

/// The truth of a Boolean node. `&&` and `||` look at every operand: one that decides absorbs an error of another;
/// otherwise the leftmost error is reported.
///
/// # Errors
/// [`EvalError`] with the node that erred.
pub fn holds(node: &Node, scope: &dyn Scope) -> Result<bool, EvalError> {
    match &node.kind {
        Kind::Not(a) => holds(a, scope).map(|b| !b),
        Kind::And(all) => absorbing(all, scope, false),
        Kind::Or(all) => absorbing(all, scope, true),
        _ => match &*evaluate(node, scope)? {
            Value::Bool(b) => Ok(*b),
            _ => Err(EvalError { span: node.span, fault: EvalFault::Internal }),
        },
    }
}

fn absorbing(all: &[Node], scope: &dyn Scope, decisive: bool) -> Result<bool, EvalError> {
    let mut error = None;
    for node in all {
        match holds(node, scope) {
            Ok(b) if b == decisive => return Ok(decisive),
            Ok(_) => {}
            Err(e) => error = error.or(Some(e)),
        }
    }
    error.map_or(Ok(!decisive), Err)
}

/// Steps that an operation on two values takes beside [`NODE`]: numbers by the square of their length, for reducing a
/// fraction takes that; text, sets and lists by their length.
fn effort(a: &Value, b: &Value) -> u64 {
    match (a, b) {
        (Value::Rational(a), Value::Rational(b)) => {
            let words = (a.bits() + b.bits()) / 64;
            if words <= 2 { NODE } else { LONG * words.saturating_mul(words) }
        }
        _ => length(a) + length(b),
    }
}

fn length(value: &Value) -> u64 {
    let length = match value {
        Value::Bool(_) | Value::Int(_) | Value::Date(_) | Value::Duration(_) => 0,
        Value::Rational(r) => r.bits() as usize / 64,
        Value::Text(text) => text.len() / 16,
        // Members of a set are shared with the interface; those that are equal may have to be compared to their end.
        Value::Set(set) => set.iter().map(|text| 1 + text.len() / 16).sum(),
        Value::List(items) => return items.iter().map(|item| 1 + length(item)).sum(),
    };
    length as u64
}

/// The order of two values of types that fit; `None` where they do not. Sets and lists that differ give some order
/// that only `==` and `!=` look at.
pub(crate) fn order(a: &Value, b: &Value) -> Option<Ordering> {
    Some(match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b))
        | (Value::Date(a), Value::Date(b))
        | (Value::Duration(a), Value::Duration(b)) => a.cmp(b),
        (Value::Rational(a), Value::Rational(b)) => a.cmp(b),
        (Value::Int(a), Value::Rational(b)) => Rational::from_int(*a).cmp(b),
        (Value::Rational(a), Value::Int(b)) => a.cmp(&Rational::from_int(*b)),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Set(a), Value::Set(b)) => a.cmp(b),
        (Value::List(a), Value::List(b)) => {
            let mut all = a.len().cmp(&b.len());
            for (x, y) in a.iter().zip(b) {
                all = all.then(order(x, y)?);
            }
            all
        }
        _ => return None,
    })
}

fn contains(container: &Value, item: &Value) -> Option<bool> {
    match (container, item) {
        (Value::Set(set), Value::Text(text)) => Some(set.binary_search(text).is_ok()),
        (Value::List(list), item) => Some(list.iter().any(|v| order(v, item) == Some(Ordering::Equal))),
        _ => None,
    }
}

fn arithmetic(op: Arithmetic, a: &Value, b: &Value) -> Result<Value, EvalFault> {
    use Value::{Date, Duration, Int, Rational as Number};
    match (op, a, b) {
        (_, Int(a), Int(b)) => integers(op, *a, *b).map(Int),
        (_, Number(a), Number(b)) => rationals(op, a, b),
        (_, Int(a), Number(b)) => rationals(op, &Rational::from_int(*a), b),
        (_, Number(a), Int(b)) => rationals(op, a, &Rational::from_int(*b)),
        (Arithmetic::Subtract, Date(a), Date(b)) => in_bounds(a.checked_sub(*b)).map(Duration),
        (Arithmetic::Subtract, Date(a), Duration(b)) => date(a.checked_sub(*b)),
        (Arithmetic::Add, Date(a), Duration(b)) | (Arithmetic::Add, Duration(a), Date(b)) => date(a.checked_add(*b)),
        (Arithmetic::Add, Duration(a), Duration(b)) => in_bounds(a.checked_add(*b)).map(Duration),
        (Arithmetic::Subtract, Duration(a), Duration(b)) => in_bounds(a.checked_sub(*b)).map(Duration),
        _ => Err(EvalFault::Internal),
    }
}

fn in_bounds(result: Option<i64>) -> Result<i64, EvalFault> {
    result.ok_or(EvalFault::Overflow)
}

/// Years 0001 to 9999, as CEL bounds its timestamps.
fn date(micros: Option<i64>) -> Result<Value, EvalFault> {
    const FIRST: i64 = -62_135_596_800_000_000;
    const LAST: i64 = 253_402_300_799_999_999;
    micros.filter(|m| (FIRST..=LAST).contains(m)).map(Value::Date).ok_or(EvalFault::DateOutOfRange)
}

fn integers(op: Arithmetic, a: i64, b: i64) -> Result<i64, EvalFault> {
    if b == 0 && matches!(op, Arithmetic::Divide | Arithmetic::Remainder) {
        return Err(EvalFault::DivisionByZero);
    }
    in_bounds(match op {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        Arithmetic::Divide => a.checked_div(b),
        Arithmetic::Remainder => a.checked_rem(b),
    })
}

fn rationals(op: Arithmetic, a: &Rational, b: &Rational) -> Result<Value, EvalFault> {
    let result = match op {
        Arithmetic::Add => a.add(b),
        Arithmetic::Subtract => a.sub(b),
        Arithmetic::Multiply => a.mul(b),
        Arithmetic::Divide => a.div(b).ok_or(EvalFault::DivisionByZero)?,
        Arithmetic::Remainder => return Err(EvalFault::Internal),
    };
    if result.bits() > RATIONAL_BITS {
        return Err(EvalFault::TooLong);
    }
    Ok(Value::Rational(result))
}

fn negate(a: &Value) -> Result<Value, EvalFault> {
    match a {
        Value::Int(a) => in_bounds(a.checked_neg()).map(Value::Int),
        Value::Rational(a) => Ok(Value::Rational(Rational::from_int(0).sub(a))),
        _ => Err(EvalFault::Internal),
    }
}

/// The account of a condition, node by node. A node is decisive when the root's value hangs on it: of a conjunction that
/// fails the operands that fail, of one that holds all operands, and so on down.
#[must_use]
pub fn trace(text: &str, root: &Node, scope: &dyn Scope) -> ExprTrace {
    traced(text, root, scope, true)
}

fn traced(text: &str, node: &Node, scope: &dyn Scope, decisive: bool) -> ExprTrace {
    let result = evaluate(node, scope);
    let truth = match &result {
        Ok(value) => match &**value {
            Value::Bool(b) => Some(if *b { Truth::True } else { Truth::False }),
            _ => None,
        },
        Err(_) => Some(Truth::Error),
    };
    let value = match &result {
        Ok(value) => value.to_string(),
        Err(error) => error.words(text),
    };
    let children = node
        .operands()
        .filter(|child| !matches!(child.kind, Kind::Literal(_)))
        .map(|child| traced(text, child, scope, decisive && hangs_on(node, result.as_deref().ok(), child, scope)))
        .collect();
    let truth = truth.filter(|_| node.ty == super::node::Type::Bool);
    ExprTrace { text: node.span.of(text).to_owned(), value, truth, decisive, children }
}

/// Whether the value of `node` hangs on its operand `child`.
fn hangs_on(node: &Node, value: Option<&Value>, child: &Node, scope: &dyn Scope) -> bool {
    match &node.kind {
        Kind::And(_) | Kind::Or(_) => match value {
            Some(Value::Bool(b)) => holds(child, scope) == Ok(*b),
            _ => holds(child, scope).is_err(),
        },
        _ => value.is_some() || evaluate(child, scope).is_err() || node.operands().all(|n| evaluate(n, scope).is_ok()),
    }
}
