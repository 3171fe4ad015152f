//! Reading a condition: bounded, then parsed as CEL by crate `cel`, then typed.

use std::sync::Arc;

use cel::parser::Parser;

use super::env::Env;
use super::error::{ConditionError, ConditionFault};
use super::node::{Condition, Span, Type};
use super::token::{TokenKind, Tokens};
use super::typing::Checker;
use crate::limits;

/// Deepest parse tree that is accepted: far above any honest condition, and every walk over a tree is recursive.
const DEPTH: usize = 160;

/// Parses and type-checks a condition.
///
/// # Errors
/// [`ConditionError`] with line and column inside the condition, what is wrong and what to do.
pub fn read(text: &str, env: &Env) -> Result<Condition, ConditionError> {
    let whole = Span { start: 0, end: text.len() as u32 };
    let start = Span { start: 0, end: 0 };
    if text.len() > limits::CONDITION_BYTES {
        return Err(ConditionError::at(text, start, ConditionFault::TooLong));
    }
    let tokens = Tokens::of(text);
    if tokens.all().is_empty() && text.trim().is_empty() {
        return Err(ConditionError::at(text, start, ConditionFault::Empty));
    }
    if tokens.depth() > DEPTH {
        return Err(ConditionError::at(text, whole, ConditionFault::TooDeep));
    }
    if let Some(error) = foreign(text, &tokens, env) {
        return Err(error);
    }
    let (tree, info) = Parser::new().parse_with_source_info(text).map_err(|e| syntax(text, &tokens, &e))?;
    let mut checker = Checker { text, tokens: &tokens, info: &info, env, notices: Vec::new() };
    let root = checker.node(&tree)?;
    if root.ty != Type::Bool {
        return Err(checker.error(root.span, ConditionFault::NotBoolean(root.ty)));
    }
    Ok(Condition { text: Arc::from(text), root, notices: checker.notices })
}

/// Spellings of other languages that the parser's own message would not explain.
fn foreign(text: &str, tokens: &Tokens<'_>, env: &Env) -> Option<ConditionError> {
    let at = |start: usize, end: usize, what, instead| {
        let span = Span { start: start as u32, end: end as u32 };
        Some(ConditionError::at(text, span, ConditionFault::Unsupported { what, instead }))
    };
    for (index, token) in tokens.all().iter().enumerate() {
        let found = match (token.kind, tokens.text(index)) {
            (TokenKind::Word, "and" | "AND") => at(token.start, token.end, "`and`", "Write `&&`."),
            (TokenKind::Word, "or" | "OR") => at(token.start, token.end, "`or`", "Write `||`."),
            (TokenKind::Word, "not" | "NOT") => at(token.start, token.end, "`not`", "Write `!`."),
            (TokenKind::Mark, "?") => {
                at(token.start, token.end, "the choice `a ? b : c`", "Write one rule for each branch.")
            }
            (TokenKind::Mark, "{") => at(token.start, token.end, "a map", "Declare a field for each entry."),
            _ => None,
        };
        // A declared name may be one of these words; then it is meant.
        let declared = token.kind == TokenKind::Word && env.find(None, tokens.text(index)).is_some();
        if found.is_some() && !declared {
            return found;
        }
    }
    let mut previous = 0;
    for token in tokens.all().iter().map(|t| (t.start, t.end)).chain([(text.len(), text.len())]) {
        let between = &text[previous..token.0];
        previous = token.1;
        if let Some(i) = between.find('=')
            && !between[..i].contains("//")
        {
            let start = token.0 - between.len() + i;
            return at(start, start + 1, "a lone `=`", "Write `==` to compare.");
        }
    }
    None
}

/// The parser's first error in our words.
fn syntax(text: &str, tokens: &Tokens<'_>, errors: &cel::parser::ParseErrors) -> ConditionError {
    let Some(first) = errors.errors.first() else {
        let whole = Span { start: 0, end: text.len() as u32 };
        return ConditionError::at(text, whole, ConditionFault::Syntax("this cannot be read".to_owned()));
    };
    let (line, column) = (first.pos.0.max(1) as usize, first.pos.1.max(1) as usize);
    let line_start = text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
    let rest = text.get(line_start..).unwrap_or("");
    let start = line_start + rest.char_indices().nth(column - 1).map_or(rest.len(), |(i, _)| i);
    let token = tokens.all().iter().find(|t| t.start <= start && start < t.end);
    let end = token.map_or_else(|| start + text[start..].chars().next().map_or(0, char::len_utf8), |t| t.end);
    let span = Span { start: start as u32, end: end as u32 };
    let here = span.of(text);
    let fault = if first.msg.contains("has() macro") {
        ConditionFault::Unsupported {
            what: "`has` of a bare name",
            instead: "Name the namespace: `has(grounds.x)`, `has(parameters.x)` or `has(context.x)`.",
        }
    } else if first.msg.contains("int literal") {
        ConditionFault::Literal("does not fit in 64 bits")
    } else if first.msg.contains("literal") {
        ConditionFault::Literal("is no readable literal")
    } else if let Some(word) = first.msg.strip_prefix("reserved identifier: ") {
        ConditionFault::Syntax(format!("the word `{word}` is reserved in CEL"))
    } else if here.is_empty() {
        ConditionFault::Syntax("the condition ends too early".to_owned())
    } else if here.starts_with(['\'', '"']) && token.is_none() {
        ConditionFault::Syntax("the text is not closed".to_owned())
    } else {
        ConditionFault::Syntax("this is not expected here".to_owned())
    };
    ConditionError::at(text, span, fault)
}
