//! The tokens of a condition, read one at a time, each with its place in the text.

use super::error::ConditionFault;
use super::node::Span;
use crate::legible::is_hidden;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or a word of the language.
    Word,
    /// `7`, `0x1F`
    Integer,
    /// `1.5`, `.5`, `1e3`
    Decimal,
    /// `7u`
    Unsigned,
    /// `'a'`, `r"a"`, `'''a'''`
    Text,
    /// `b'a'`
    Bytes,
    /// An operator, a bracket or a separator.
    Mark,
    /// The end of the condition.
    End,
}

/// A token and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// A place where no token begins, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stray {
    pub(super) span: Span,
    pub(super) fault: ConditionFault,
}

/// Reads tokens from a place on. Copies are cheap: a copy looks ahead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The next token.
    ///
    /// # Errors
    /// Where no token begins, or a text is not closed.
    pub(super) fn next(&mut self) -> Result<Token, Stray> {
        self.skip_blanks();
        let rest = &self.text.as_bytes()[self.at..];
        let (kind, length) = match rest {
            [] => (TokenKind::End, 0),
            [b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] => match quote_after_prefix(rest) {
                Some(prefix) => self.quoted(prefix)?,
                None => (TokenKind::Word, rest.iter().take_while(|b| is_of_name(**b)).count()),
            },
            [b'"' | b'\'', ..] => self.quoted(0)?,
            [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => number(rest),
            [b'&', b'&', ..] | [b'|', b'|', ..] | [b'=' | b'!' | b'<' | b'>', b'=', ..] => (TokenKind::Mark, 2),
            [b'<', b'>', ..] => return Err(self.foreign()),
            [b, ..] if b"()[]{}.,-!?:+*/%<>".contains(b) => (TokenKind::Mark, 1),
            _ => return Err(self.foreign()),
        };
        let start = self.at;
        self.at += length;
        Ok(Token { kind, span: span(start, self.at) })
    }

    /// Blanks and remarks, which run from `//` to the end of their line.
    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            match &bytes[self.at..] {
                [b' ' | b'\t' | b'\r' | b'\n' | 0x0c, ..] => self.at += 1,
                [b'/', b'/', rest @ ..] => self.at += 2 + rest.iter().take_while(|b| **b != b'\n').count(),
                _ => return,
            }
        }
    }

    /// Kind and length of a quoted literal with `prefix` letters before its quote. What is between the quotes is read
    /// where the literal is.
    fn quoted(&self, prefix: usize) -> Result<(TokenKind, usize), Stray> {
        let all = &self.text.as_bytes()[self.at..];
        let (letters, rest) = all.split_at(prefix);
        let is = |upper| letters.iter().any(|b| b.eq_ignore_ascii_case(&upper));
        let kind = if is(b'B') { TokenKind::Bytes } else { TokenKind::Text };
        let quote = rest[0];
        let closed = |width: usize| {
            let mut at = width;
            while at < rest.len() {
                match rest[at] {
                    b'\\' if !is(b'R') => at += 2,
                    b'\n' | b'\r' if width == 1 => return None,
                    _ if rest[at..].len() >= width && rest[at..at + width].iter().all(|b| *b == quote) => {
                        return Some(at + width);
                    }
                    _ => at += 1,
                }
            }
            None
        };
        let triple = rest.len() >= 6 && rest[1] == quote && rest[2] == quote;
        match triple.then(|| closed(3)).flatten().or_else(|| closed(1)) {
            Some(length) => Ok((kind, prefix + length)),
            None => {
                let start = self.at + prefix;
                let fault = ConditionFault::Syntax("the text is not closed".to_owned());
                Err(Stray { span: span(start, start + 1), fault })
            }
        }
    }

    /// The error for a sign that CEL does not have, with what to write in its place.
    fn foreign(&self) -> Stray {
        let rest = &self.text[self.at..];
        let first = rest.chars().next().unwrap_or(' ');
        let (length, what, instead) = match first {
            '=' if rest.starts_with("=>") => (2, "an arrow", "Write `>=`."),
            '=' if rest.starts_with("=<") => (2, "an arrow", "Write `<=`."),
            '=' => (1, "a lone `=`", "Write `==` to compare."),
            '<' => (2, "`<>`", "Write `!=`."),
            '&' => (1, "a lone `&`", "Write `&&`."),
            '|' => (1, "a lone `|`", "Write `||`."),
            '^' => (1, "a power", "Multiply with `*`."),
            ';' => (1, "`;`", "Write one condition; join its parts with `&&` or `||`."),
            '≤' => (first.len_utf8(), "this sign", "Write `<=`."),
            '≥' => (first.len_utf8(), "this sign", "Write `>=`."),
            '≠' => (first.len_utf8(), "this sign", "Write `!=`."),
            '−' | '–' | '—' => (first.len_utf8(), "this sign", "Write `-`."),
            '×' | '·' => (first.len_utf8(), "this sign", "Write `*`."),
            '÷' => (first.len_utf8(), "this sign", "Write `/`."),
            '“' | '”' | '„' | '‘' | '’' | '‚' | '«' | '»' => {
                (first.len_utf8(), "this quotation mark", "Write `'` or `\"` around a text.")
            }
            '`' => (1, "a name in backticks", "Give the field a name of letters, digits and `_`."),
            _ if is_hidden(first) || first.is_whitespace() => {
                (first.len_utf8(), "this invisible character", "Write an ordinary space in its place, or nothing.")
            }
            _ if first.is_alphanumeric() => {
                let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                (word, "a letter outside A to Z", "Put text in quotes; give a field a name of letters, digits and `_`.")
            }
            _ => (first.len_utf8(), "this sign", "Conditions are CEL: `&&`, `||`, `!`, comparisons, `in`, arithmetic."),
        };
        Stray { span: span(self.at, self.at + length), fault: ConditionFault::Unsupported { what, instead } }
    }
}

/// The bytes from `start` to `end` of a condition, which is far shorter than 4 GiB.
pub(super) const fn span(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}

/// Whether a name may go on with `b`.
pub(super) const fn is_of_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// How many letters stand before the quote of `b'…'`, `r'…'` and `br'…'`; nothing where no quote follows.
fn quote_after_prefix(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'b' | b'B' | b'r' | b'R', b'"' | b'\'', ..] => Some(1),
        [b'b' | b'B', b'r' | b'R', b'"' | b'\'', ..] => Some(2),
        _ => None,
    }
}

/// Kind and length of the number at the beginning of `rest`.
fn number(rest: &[u8]) -> (TokenKind, usize) {
    let digits = |from: usize| rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let unsigned_at = |at: usize| matches!(rest.get(at), Some(b'u' | b'U'));
    let integer = |length: usize| match unsigned_at(length) {
        true => (TokenKind::Unsigned, length + 1),
        false => (TokenKind::Integer, length),
    };
    if let [b'0', b'x', first, ..] = rest
        && first.is_ascii_hexdigit()
    {
        return integer(2 + rest[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count());
    }
    let whole = digits(0);
    let mut length = whole;
    if rest.get(length) == Some(&b'.') && rest.get(length + 1).is_some_and(u8::is_ascii_digit) {
        length += 1 + digits(length + 1);
    }
    if let Some(b'e' | b'E') = rest.get(length) {
        let sign = usize::from(matches!(rest.get(length + 1), Some(b'+' | b'-')));
        let exponent = if length + 1 + sign < rest.len() { digits(length + 1 + sign) } else { 0 };
        if exponent > 0 {
            return (TokenKind::Decimal, length + 1 + sign + exponent);
        }
    }
    if length == whole { integer(length) } else { (TokenKind::Decimal, length) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut lexer = Lexer::new(text);
        let tokens = std::iter::from_fn(|| lexer.next().ok().filter(|t| t.kind != TokenKind::End));
        tokens.map(|t| t.span.of(text)).collect()
    }

    #[test]
    fn tokens_of_a_condition() {
        assert_eq!(
            words("a.b>=-1.5e3 && 'x\\'y' in [r\"\\\", \"\"\"q\"\"\"] // end"),
            ["a", ".", "b", ">=", "-", "1.5e3", "&&", "'x\\'y'", "in", "[", "r\"\\\"", ",", "\"\"\"q\"\"\"", "]"]
        );
        assert_eq!(
            words("1.x 1e 0x 0xFu .5 7U 1..2"),
            ["1", ".", "x", "1", "e", "0", "x", "0xFu", ".5", "7U", "1", ".", ".2"]
        );
        assert_eq!(words("a//b\n c\u{c}d"), ["a", "c", "d"]);
        assert_eq!(words("'''a'b''' '' ''''"), ["'''a'b'''", "''", "''", "''"]);
        assert_eq!(words("rb'a'"), ["rb", "'a'"]);
    }
}
