//! The parser of conditions: precedence climbing over the tokens, for the part of CEL that conditions support. What lies
//! outside is refused where it stands, with what to write in its place.

use super::env::Env;
use super::error::{ConditionError, ConditionFault};
use super::lexer::{Lexer, Token, TokenKind};
use super::literal;
use super::node::Span;
use super::tree::{Operator, Shape, Sign, Tree};
use crate::judgment::value::Value;

/// Deepest condition that is accepted, counting three for a bracket and one for an operator other than `&&` and `||`: far
/// above any honest condition, and every walk over a condition is recursive.
const DEPTH: usize = 160;
/// What a bracket counts.
const BRACKET: usize = 3;
/// What an operand that is missing would have been.
pub(super) const OPERAND: &str = "a value or a name";

pub(super) type Parsed<'t> = Result<Tree<'t>, ConditionError>;

/// Reads a condition's tokens into a tree.
///
/// # Errors
/// At the first place where the text is no condition.
pub(super) fn parse<'t>(text: &'t str, env: &Env) -> Parsed<'t> {
    let start = Token { kind: TokenKind::End, span: Span { start: 0, end: 0 } };
    let mut parser = Parser { text, env, lexer: Lexer::new(text), token: start, before: start, floor: 0, depth: 0 };
    parser.advance()?;
    if parser.token.kind == TokenKind::End {
        return Err(ConditionError::at(text, Span { start: 0, end: 0 }, ConditionFault::Empty));
    }
    let tree = parser.joined(0)?;
    if parser.token.kind != TokenKind::End {
        return Err(parser.unexpected("an operator or the end"));
    }
    Ok(tree)
}

pub(super) struct Parser<'p, 't> {
    pub(super) text: &'t str,
    pub(super) env: &'p Env,
    pub(super) lexer: Lexer<'t>,
    pub(super) token: Token,
    pub(super) before: Token,
    /// Depth of the innermost open bracket.
    floor: usize,
    depth: usize,
}

impl<'t> Parser<'_, 't> {
    pub(super) fn word(&self) -> &'t str {
        self.token.span.of(self.text)
    }

    pub(super) fn is(&self, mark: &str) -> bool {
        self.token.kind == TokenKind::Mark && self.word() == mark
    }

    /// Goes to the next token and returns the one that was passed.
    pub(super) fn advance(&mut self) -> Result<Token, ConditionError> {
        let passed = self.token;
        let next = self.lexer.next();
        self.token = next.map_err(|stray| {
            // A letter that names lack may go on, or begin, a name that is declared.
            let unwritable = self.unwritable(&[passed.span.start, stray.span.start]);
            unwritable.unwrap_or_else(|| self.error(stray.span, stray.fault))
        })?;
        self.before = passed;
        Ok(passed)
    }

    pub(super) fn expect(&mut self, mark: &str, expected: &'static str) -> Result<Token, ConditionError> {
        if self.is(mark) { self.advance() } else { Err(self.unexpected(expected)) }
    }

    pub(super) fn error(&self, span: Span, fault: ConditionFault) -> ConditionError {
        ConditionError::at(self.text, span, fault)
    }

    pub(super) fn unsupported<T>(
        &self,
        span: Span,
        what: &'static str,
        instead: &'static str,
    ) -> Result<T, ConditionError> {
        Err(self.error(span, ConditionFault::Unsupported { what, instead }))
    }

    /// Counts one more level at the current token.
    pub(super) fn deepen(&mut self, by: usize) -> Result<(), ConditionError> {
        self.depth += by;
        if self.depth > DEPTH { Err(self.error(self.token.span, ConditionFault::TooDeep)) } else { Ok(()) }
    }

    /// Reads what is inside a bracket, and its end. The current token is the opening bracket.
    pub(super) fn bracketed<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, ConditionError>,
    ) -> Result<T, ConditionError> {
        let outside = (self.floor, self.depth);
        self.deepen(BRACKET)?;
        self.floor = self.depth;
        self.advance()?;
        let read = inner(self)?;
        (self.floor, self.depth) = outside;
        Ok(read)
    }

    /// Operands joined by operators that bind at least as tightly as `least`.
    pub(super) fn joined(&mut self, least: u8) -> Parsed<'t> {
        let mut left = self.signed()?;
        while let Some(operator) = self.operator().filter(|o| o.power() >= least) {
            if operator.is_logic() {
                self.depth = self.floor;
            } else {
                self.deepen(1)?;
            }
            self.advance()?;
            let right = self.joined(operator.power() + 1)?;
            left = join(operator, left, right);
        }
        Ok(left)
    }

    fn operator(&self) -> Option<Operator> {
        matches!(self.token.kind, TokenKind::Mark | TokenKind::Word).then(|| Operator::of(self.word())).flatten()
    }

    /// An operand with the signs in front of it. One minus in front of a number belongs to the number.
    fn signed(&mut self) -> Parsed<'t> {
        let sign = match self.word() {
            "!" => Sign::Not,
            "-" => Sign::Minus,
            _ => return self.operand(),
        };
        let first = self.token;
        let mut count = 0;
        while self.token.kind == TokenKind::Mark && self.word() == first.span.of(self.text) {
            self.deepen(1)?;
            self.advance()?;
            count += 1;
        }
        if sign == Sign::Minus && count == 1 && self.is_number() {
            return self.number(Some(first));
        }
        let inner = self.operand()?;
        let span = Span { start: first.span.start, end: inner.outer.end };
        Ok(Tree { span, outer: span, shape: Shape::Signed(sign, count, Box::new(inner)) })
    }

    const fn is_number(&self) -> bool {
        matches!(self.token.kind, TokenKind::Integer | TokenKind::Decimal)
    }

    /// An operand, and that nothing is selected from it.
    fn operand(&mut self) -> Parsed<'t> {
        let tree = self.primary()?;
        if self.is(".") {
            return self.selected(tree);
        }
        if self.is("[") {
            return self.unsupported(self.token.span, "an index", "Declare a field for the element.");
        }
        Ok(tree)
    }

    fn primary(&mut self) -> Parsed<'t> {
        let whole = |span, shape| Ok(Tree { span, outer: span, shape });
        match self.token.kind {
            TokenKind::Word => self.named(),
            TokenKind::Integer | TokenKind::Decimal => self.number(None),
            TokenKind::Unsigned => {
                self.unsupported(self.token.span, "an unsigned literal", "Write the integer without `u`.")
            }
            TokenKind::Bytes => self.unsupported(self.token.span, "a bytes literal", "Use text."),
            TokenKind::Text => {
                let value = literal::text(self.text, self.token.span)?;
                whole(self.advance()?.span, Shape::Literal(value))
            }
            TokenKind::Mark if self.is("(") => {
                let open = self.token;
                let (inner, close) = self.bracketed(|p| {
                    let inner = p.joined(0)?;
                    Ok((inner, p.expect(")", "an operator or `)`")?))
                })?;
                Ok(Tree { outer: Span { start: open.span.start, end: close.span.end }, ..inner })
            }
            TokenKind::Mark if self.is("[") => {
                let open = self.token;
                let (items, close) = self.bracketed(Self::list)?;
                whole(Span { start: open.span.start, end: close.span.end }, Shape::List(items))
            }
            // A minus may follow `!` where a number follows it.
            TokenKind::Mark if self.is("-") => {
                let minus = self.token;
                let ahead = self.lexer;
                self.advance()?;
                if self.is_number() {
                    return self.number(Some(minus));
                }
                (self.lexer, self.token) = (ahead, minus);
                Err(self.unexpected(OPERAND))
            }
            TokenKind::Mark if self.is(".") => {
                self.unsupported(self.token.span, "a dot in front of a name", "Write the name without it.")
            }
            _ => Err(self.unexpected(OPERAND)),
        }
    }

    /// The elements of a list, and its end. A comma may follow the last element.
    fn list(&mut self) -> Result<(Vec<Tree<'t>>, Token), ConditionError> {
        let mut items = Vec::new();
        while !self.is("]") && !self.is(",") {
            items.push(self.joined(0)?);
            self.depth = self.floor;
            if !self.is(",") {
                break;
            }
            self.advance()?;
            if self.is(",") {
                return Err(self.unexpected("a value or `]`"));
            }
        }
        if items.is_empty() && self.is(",") {
            self.advance()?;
        }
        let expected = if items.is_empty() { "a value or `]`" } else { "an operator, `,` or `]`" };
        let close = self.expect("]", expected)?;
        Ok((items, close))
    }

    fn number(&mut self, minus: Option<Token>) -> Parsed<'t> {
        let (token, digits) = (self.token, self.word());
        let span = Span { start: minus.unwrap_or(token).span.start, end: token.span.end };
        let (value, why) = if token.kind == TokenKind::Integer {
            (literal::integer(digits, minus.is_some()), "does not fit in 64 bits")
        } else {
            (literal::decimal(digits, minus.is_some()), "is too large or too fine to be read exactly")
        };
        let value = value.ok_or_else(|| self.error(span, ConditionFault::Literal(why)))?;
        self.advance()?;
        if self.is(".") {
            let span = Span { start: span.start, end: self.token.span.end };
            return Err(self.error(span, ConditionFault::Literal("is no number")));
        }
        Ok(Tree { span, outer: span, shape: Shape::Literal(value) })
    }

    /// What begins with a word: a name, a truth value, a call.
    fn named(&mut self) -> Parsed<'t> {
        let (token, word) = (self.token, self.word());
        let span = token.span;
        let whole = |shape| Ok(Tree { span, outer: span, shape });
        match word {
            "true" | "false" => {
                self.advance()?;
                return whole(Shape::Literal(Value::Bool(word == "true")));
            }
            "null" => {
                return self.unsupported(span, "`null`", "Ask `has(…)` whether an optional field is there.");
            }
            "in" => return Err(self.unexpected(OPERAND)),
            _ if is_reserved(word) => {
                let qualified = self.env.qualified(word);
                return Err(self.error(span, ConditionFault::Reserved(qualified)));
            }
            _ if self.env.find(None, word).is_none() => {
                if let Some((what, instead)) = spelled_out(word) {
                    return self.unsupported(span, what, instead);
                }
            }
            _ => {}
        }
        self.advance()?;
        if self.is("(") {
            return self.call(token);
        }
        if self.is("{") {
            return Err(self.unexpected(OPERAND));
        }
        whole(Shape::Name(None, word))
    }

    /// The error for the current token, which is not what was expected.
    pub(super) fn unexpected(&self, expected: &'static str) -> ConditionError {
        let (span, word) = (self.token.span, self.word());
        let unsupported = |what, instead| self.error(span, ConditionFault::Unsupported { what, instead });
        // `.7th` begins like a number.
        let after_dot = span.start + u32::from(word.starts_with('.'));
        if let Some(error) = self.unwritable(&[self.before.span.start, span.start, after_dot]) {
            return error;
        }
        match self.token.kind {
            TokenKind::End => {
                let words = format!("the condition ends too early: {expected} is expected");
                self.error(span, ConditionFault::Syntax(words))
            }
            TokenKind::Mark if word == "?" => unsupported("the choice `a ? b : c`", "Write one rule for each branch."),
            TokenKind::Mark if word == "{" => unsupported("a map", "Declare a field for each entry."),
            TokenKind::Word if self.is_glued() => {
                let span = Span { start: self.before.span.start, ..span };
                self.error(span, ConditionFault::Literal("is no number"))
            }
            TokenKind::Word if let Some((what, instead)) = spelled_out(word) => unsupported(what, instead),
            _ => self.error(span, ConditionFault::Syntax(format!("{expected} is expected here"))),
        }
    }

    /// The error where a declared name stands that conditions cannot spell. It falls apart into several tokens.
    pub(super) fn unwritable(&self, places: &[u32]) -> Option<ConditionError> {
        places.iter().find_map(|&start| {
            let name = self.env.unwritable_at(self.text.get(start as usize..)?)?;
            let span = Span { start, end: start + name.len() as u32 };
            Some(self.error(span, self.env.unwritable(name)))
        })
    }

    /// Whether the current word begins right where a number ended.
    fn is_glued(&self) -> bool {
        use TokenKind::{Decimal, Integer, Unsigned};
        matches!(self.before.kind, Integer | Decimal | Unsigned) && self.before.span.end == self.token.span.start
    }
}

fn join<'t>(operator: Operator, left: Tree<'t>, right: Tree<'t>) -> Tree<'t> {
    let span = Span { start: left.outer.start, end: right.outer.end };
    let mut operands = Vec::with_capacity(2);
    for tree in [left, right] {
        match tree.shape {
            Shape::Joined(inner, all) if inner == operator && operator.is_logic() => operands.extend(all),
            _ => operands.push(tree),
        }
    }
    Tree { span, outer: span, shape: Shape::Joined(operator, operands) }
}

/// Operators that other languages spell out.
fn spelled_out(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word {
        "and" | "AND" => ("`and`", "Write `&&`."),
        "or" | "OR" => ("`or`", "Write `||`."),
        "not" | "NOT" => ("`not`", "Write `!`."),
        _ => return None,
    })
}

/// Words that CEL keeps for other languages: no bare names, but names after `grounds.`.
pub(super) fn is_reserved(word: &str) -> bool {
    #[rustfmt::skip]
    const RESERVED: [&str; 17] = [
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "namespace",
        "package", "return", "var", "void", "while",
    ];
    RESERVED.contains(&word)
}
