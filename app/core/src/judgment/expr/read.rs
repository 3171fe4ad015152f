//! Reading a condition: bounded, parsed, typed.

use std::sync::Arc;

use super::env::Env;
use super::error::{ConditionError, ConditionFault};
use super::node::{Condition, Span, Type};
use super::parser::parse;
use super::typing::Checker;
use crate::limits;

/// Parses and type-checks a condition.
///
/// # Errors
/// [`ConditionError`] with line and column inside the condition, what is wrong and what to do.
pub fn read(text: &str, env: &Env) -> Result<Condition, ConditionError> {
    if text.len() > limits::CONDITION_BYTES {
        return Err(ConditionError::at(text, Span { start: 0, end: 0 }, ConditionFault::TooLong));
    }
    let tree = parse(text, env)?;
    let mut checker = Checker { text, env, notices: Vec::new() };
    let root = checker.node(tree)?;
    if root.ty != Type::Bool {
        return Err(checker.error(root.span, ConditionFault::NotBoolean(root.ty)));
    }
    Ok(Condition { text: Arc::from(text), root, notices: checker.notices })
}
