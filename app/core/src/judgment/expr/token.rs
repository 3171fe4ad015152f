//! Positions of a condition's tokens. The parser reports one offset a node; the extent of a node, the sign of a literal
//! and the bound on nesting come from here.

/// What a token is, as far as positions need to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A string or bytes literal.
    Quoted,
    /// An operator, bracket or separator.
    Mark,
}

/// A token: bytes `start..end` of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The tokens of a condition, and for every bracket the position of its partner.
#[derive(Debug)]
pub(crate) struct Tokens<'t> {
    text: &'t str,
    all: Vec<Token>,
    partner: Vec<Option<usize>>,
}

impl<'t> Tokens<'t> {
    /// Splits `text`. What is no token is skipped: the parser reports it.
    pub(crate) fn of(text: &'t str) -> Self {
        let mut all = Vec::new();
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            if rest.starts_with("//") {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            if let Some((kind, length)) = token_at(rest) {
                all.push(Token { kind, start: at, end: at + length });
                at += length;
            } else {
                at += c.len_utf8();
            }
        }
        let partner = partners(text, &all);
        Self { text, all, partner }
    }

    /// All tokens in order.
    pub(crate) fn all(&self) -> &[Token] {
        &self.all
    }

    /// A token's text.
    pub(crate) fn text(&self, index: usize) -> &'t str {
        self.all.get(index).map_or("", |t| &self.text[t.start..t.end])
    }

    /// The token that begins at byte `offset`.
    pub(crate) fn starting_at(&self, offset: usize) -> Option<usize> {
        self.all.binary_search_by_key(&offset, |t| t.start).ok()
    }

    /// The token that ends before byte `offset`.
    fn ending_at(&self, offset: usize) -> Option<usize> {
        self.all.binary_search_by_key(&offset, |t| t.end).ok()
    }

    /// The end of the bracket that opens at token `open`.
    pub(crate) fn closing_end(&self, open: usize) -> Option<usize> {
        let close = (*self.partner.get(open)?)?;
        self.all.get(close).map(|t| t.end)
    }

    /// Widens `start..end` over the parentheses that enclose just it.
    pub(crate) fn with_parentheses(&self, (mut start, mut end): (usize, usize)) -> (usize, usize) {
        while let (Some(first), Some(last)) = (self.starting_at(start), self.ending_at(end)) {
            let Some(open) = first.checked_sub(1) else { break };
            if self.text(open) != "(" || self.partner[open] != Some(last + 1) {
                break;
            }
            (start, end) = (self.all[open].start, self.all[last + 1].end);
        }
        (start, end)
    }

    /// A bound on the depth of the parse tree: chains of operators lean to one side, `&&` and `||` are balanced. A
    /// bracket counts threefold, since the parser's stack grows that much more with it.
    pub(crate) fn depth(&self) -> usize {
        const BRACKET: usize = 3;
        let mut levels = vec![0_usize];
        let (mut sum, mut deepest) = (0_usize, 0);
        for index in 0..self.all.len() {
            match self.text(index) {
                "(" | "[" | "{" => levels.push(0),
                ")" | "]" | "}" if levels.len() > 1 => sum -= levels.pop().unwrap_or(0),
                "&&" | "||" | "," | ":" => {
                    if let Some(top) = levels.last_mut() {
                        sum -= std::mem::take(top);
                    }
                }
                "+" | "-" | "*" | "/" | "%" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "!" | "." | "?" => {
                    if let Some(top) = levels.last_mut() {
                        *top += 1;
                        sum += 1;
                    }
                }
                _ => {}
            }
            deepest = deepest.max(sum + BRACKET * (levels.len() - 1));
        }
        deepest
    }
}

fn partners(text: &str, all: &[Token]) -> Vec<Option<usize>> {
    let mut partner = vec![None; all.len()];
    let mut open = Vec::new();
    for (index, token) in all.iter().enumerate() {
        match &text[token.start..token.end] {
            "(" | "[" | "{" => open.push(index),
            ")" | "]" | "}" => {
                if let Some(start) = open.pop() {
                    partner[start] = Some(index);
                    partner[index] = Some(start);
                }
            }
            _ => {}
        }
    }
    partner
}

/// Kind and length of the token at the beginning of `rest`, if there is one.
fn token_at(rest: &str) -> Option<(TokenKind, usize)> {
    let bytes = rest.as_bytes();
    let first = *bytes.first()?;
    let prefix = bytes.iter().take(2).take_while(|b| b"bBrR".contains(b)).count();
    if matches!(bytes.get(prefix), Some(b'"' | b'\'')) {
        let raw = bytes[..prefix].iter().any(|b| b"rR".contains(b));
        return quoted_length(&bytes[prefix..], raw).map(|n| (TokenKind::Quoted, prefix + n));
    }
    if first.is_ascii_alphabetic() || first == b'_' {
        let length = bytes.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        return Some((TokenKind::Word, length));
    }
    if first.is_ascii_digit() || (first == b'.' && bytes.get(1).is_some_and(u8::is_ascii_digit)) {
        return Some((TokenKind::Number, number_length(bytes)));
    }
    let two = rest.get(..2).unwrap_or("");
    if matches!(two, "&&" | "||" | "==" | "!=" | "<=" | ">=") {
        return Some((TokenKind::Mark, 2));
    }
    b"()[]{}.,-!?:+*/%<>".contains(&first).then_some((TokenKind::Mark, 1))
}

fn quoted_length(bytes: &[u8], raw: bool) -> Option<usize> {
    let quote = *bytes.first()?;
    let triple = bytes.len() >= 6 && bytes[1] == quote && bytes[2] == quote;
    let width = if triple { 3 } else { 1 };
    let mut at = width;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if !raw => at += 2,
            b'\n' | b'\r' if !triple => return None,
            b if b == quote && bytes[at..].len() >= width && bytes[at..at + width].iter().all(|b| *b == quote) => {
                return Some(at + width);
            }
            _ => at += 1,
        }
    }
    None
}

fn number_length(bytes: &[u8]) -> usize {
    let run = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    if bytes.starts_with(b"0x") && bytes.get(2).is_some_and(u8::is_ascii_hexdigit) {
        let length = 2 + bytes[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
        return length + usize::from(matches!(bytes.get(length), Some(b'u' | b'U')));
    }
    let mut length = run(0);
    if bytes.get(length) == Some(&b'.') && bytes.get(length + 1).is_some_and(u8::is_ascii_digit) {
        length += 1 + run(length + 1);
    } else if matches!(bytes.get(length), Some(b'u' | b'U')) {
        return length + 1;
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = bytes.get(length + 1 + sign..).map_or(0, |_| run(length + 1 + sign));
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_a_condition() {
        let text = "a.b>=-1.5e3 && 'x\\'y' in [r\"\\\", \"\"\"q\"\"\"] // end";
        let tokens = Tokens::of(text);
        let words: Vec<&str> = (0..tokens.all().len()).map(|i| tokens.text(i)).collect();
        assert_eq!(
            words,
            ["a", ".", "b", ">=", "-", "1.5e3", "&&", "'x\\'y'", "in", "[", "r\"\\\"", ",", "\"\"\"q\"\"\"", "]"]
        );
    }

    #[test]
    fn depth_counts_chains_and_brackets_but_not_logic() {
        assert_eq!(Tokens::of("a + b + c").depth(), 2);
        assert_eq!(Tokens::of(&format!("a{}", " && b".repeat(500))).depth(), 0);
        assert_eq!(Tokens::of("((a + b) * c) < d").depth(), 7);
        assert_eq!(Tokens::of(")))((").depth(), 6);
    }

    #[test]
    fn parentheses_widen_only_around_the_whole() {
        let tokens = Tokens::of("((a + b)) * c");
        assert_eq!(tokens.with_parentheses((2, 7)), (0, 9));
        assert_eq!(tokens.with_parentheses((2, 3)), (2, 3));
    }
}
