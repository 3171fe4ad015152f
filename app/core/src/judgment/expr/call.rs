//! What follows a name: the brackets of a call, the dot of a namespace.

use super::env::Origin;
use super::error::{ConditionError, ConditionFault};
use super::lexer::{Token, TokenKind};
use super::literal;
use super::node::Span;
use super::parser::{OPERAND, Parsed, Parser};
use super::tree::{Shape, Tree};
use crate::judgment::value::Value;

impl<'t> Parser<'_, 't> {
    /// A call of the function `name`. The current token is the opening bracket.
    pub(super) fn call(&mut self, name: Token) -> Parsed<'t> {
        let word = name.span.of(self.text);
        let at = self.to_closing(name.span);
        if !matches!(word, "has" | "date" | "timestamp" | "duration") {
            let instead = "There are `has`, `date`, `timestamp` and `duration`; compute anything else into a field.";
            return self.unsupported(at, "this function", instead);
        }
        let argument = self.bracketed(|p| {
            let argument = if p.is(")") { None } else { Some(p.joined(0)?) };
            if p.is(",") {
                return Ok(None);
            }
            p.expect(")", "an operator or `)`")?;
            Ok(argument)
        })?;
        let span = Span { start: name.span.start, end: self.before.span.end };
        let shape = if word == "has" {
            self.has(argument, at)?
        } else {
            let Some(Shape::Literal(Value::Text(text))) = argument.map(|a| a.shape) else {
                let instead = "Declare a field of type date or duration.";
                return self.unsupported(at, "anything but one text literal in the brackets", instead);
            };
            match literal::function(word, &text) {
                Some(Ok(value)) => Shape::Literal(value),
                Some(Err(why)) => return Err(self.error(span, ConditionFault::Literal(why))),
                None => return Err(self.unexpected(OPERAND)),
            }
        };
        Ok(Tree { span, outer: span, shape })
    }

    fn has(&self, argument: Option<Tree<'t>>, call: Span) -> Result<Shape<'t>, ConditionError> {
        match argument.map(|a| (a.shape, a.span)) {
            Some((Shape::Name(Some(origin), field), _)) => Ok(Shape::Has(origin, field)),
            Some((Shape::Name(None, bare), span)) => {
                Err(self.error(span, ConditionFault::BareHas(self.env.qualified(bare))))
            }
            other => {
                let span = other.map_or(call, |(_, span)| span);
                self.unsupported(
                    span,
                    "`has` of anything but one name",
                    "Ask `has(grounds.x)` of an optional field `x`.",
                )
            }
        }
    }

    /// `grounds.x`. The current token is the dot.
    pub(super) fn selected(&mut self, from: Tree<'t>) -> Parsed<'t> {
        self.deepen(1)?;
        let origin = match from.shape {
            Shape::Name(None, word) => Origin::ALL.into_iter().find(|o| o.word() == word),
            _ => None,
        };
        self.advance()?;
        let field = self.token;
        let word = self.word();
        if field.kind != TokenKind::Word || matches!(word, "in" | "true" | "false" | "null") {
            return Err(self.unexpected("a name"));
        }
        self.advance()?;
        if self.is("(") {
            let span = self.to_closing(field.span);
            return if matches!(word, "all" | "exists" | "exists_one" | "existsOne" | "filter" | "map") {
                self.unsupported(span, "a macro other than `has`", "Use `in`, or declare a field for it.")
            } else {
                self.unsupported(span, "a method call", "Use operators and declared fields.")
            };
        }
        let span = Span { start: from.outer.start, end: field.span.end };
        let Some(origin) = origin.filter(|_| !self.is(".")) else {
            if let Some(error) = self.unwritable(&[span.start, field.span.start]) {
                return Err(error);
            }
            let span = Span { start: span.start, end: self.end_of_path(span.end) };
            let what = "selection other than `grounds.x`, `parameters.x`, `context.x`";
            return self.unsupported(span, what, "Use a declared name.");
        };
        if self.is("[") {
            return self.unsupported(self.token.span, "an index", "Declare a field for the element.");
        }
        Ok(Tree { span, outer: span, shape: Shape::Name(Some(origin), word) })
    }

    /// The end of the path `a.b.c` whose part up to `end` was read.
    fn end_of_path(&self, mut end: u32) -> u32 {
        let mut ahead = self.lexer;
        let mut token = self.token;
        while token.kind == TokenKind::Mark && token.span.of(self.text) == "." {
            match ahead.next() {
                Ok(name) if name.kind == TokenKind::Word => end = name.span.end,
                _ => break,
            }
            match ahead.next() {
                Ok(next) => token = next,
                Err(_) => break,
            }
        }
        end
    }

    /// From `start` to the partner of the current bracket; where there is none, `start` itself.
    fn to_closing(&self, start: Span) -> Span {
        let mut ahead = self.lexer;
        let mut open = 1_usize;
        while let Ok(token) = ahead.next() {
            match (token.kind, token.span.of(self.text)) {
                (TokenKind::End, _) => break,
                (TokenKind::Mark, "(" | "[" | "{") => open += 1,
                (TokenKind::Mark, ")" | "]" | "}") => {
                    open -= 1;
                    if open == 0 {
                        return Span { start: start.start, end: token.span.end };
                    }
                }
                _ => {}
            }
        }
        start
    }
}
