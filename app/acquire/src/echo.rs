//! The spellings in which a key may come back: in other case, escaped for JSON, an address or a page, in pieces, as
//! hexadecimal digits, and in base64 of either alphabet behind any number of other bytes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use zeroize::Zeroizing;

/// Fewest characters of a key that are taken for a piece of it.
const PIECE: usize = 12;
/// Different characters that a piece must have: a row of zeros stands in many an answer.
const DIFFERENT: usize = 6;
/// Longest break between two characters of a key, in marks.
const BREAK: usize = 8;

/// How the characters of a needle are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    /// Letters and digits in any case; everything else is a break.
    Word,
    /// Both alphabets of base64; line ends are breaks.
    Base64,
}

/// One form of a key, reduced to the characters that have to be there.
struct Needle {
    characters: Zeroizing<Vec<u8>>,
    least: usize,
    alphabet: Alphabet,
}

/// All forms of a key that are looked for.
pub struct Echo(Vec<Needle>);

impl Echo {
    /// The forms of `key`.
    pub fn of(key: &str) -> Self {
        let cases =
            [Zeroizing::new(key.to_owned()), Zeroizing::new(key.to_lowercase()), Zeroizing::new(key.to_uppercase())];
        let letters = key.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_lowercase()).collect();
        let mut needles = vec![Needle::new(letters, PIECE, Alphabet::Word)];
        for case in &cases {
            let digits = hex_digits(case.as_bytes());
            needles.push(Needle::new(digits, 2 * PIECE, Alphabet::Word));
            needles.extend(
                (0..3).map(|shift| Needle::new(base64_core(case.as_bytes(), shift), 4 * PIECE / 3, Alphabet::Base64)),
            );
        }
        // A key of hardly any letter or digit is found as it stands, and not by these.
        needles.retain(|needle| needle.least >= PIECE - 2);
        Self(needles)
    }

    /// How many bytes at the start of `bytes` are an echo of the key; 0 if none.
    pub fn length(&self, bytes: &[u8]) -> usize {
        self.0.iter().map(|needle| needle.length(bytes)).max().unwrap_or_default()
    }
}

impl Needle {
    fn new(characters: Vec<u8>, least: usize, alphabet: Alphabet) -> Self {
        Self { least: least.min(characters.len()), characters: Zeroizing::new(characters), alphabet }
    }

    fn length(&self, bytes: &[u8]) -> usize {
        let Some((first, at)) = self.alphabet.read(bytes) else { return 0 };
        let starts = (0..self.characters.len()).filter(|&i| self.characters[i] == first);
        starts.map(|start| self.follow(bytes, start, at)).max().unwrap_or_default()
    }

    /// How far the characters from `start` on are found, the first of which ends at `at`.
    fn follow(&self, bytes: &[u8], start: usize, mut at: usize) -> usize {
        let mut found = 1;
        for wanted in &self.characters[start + 1..] {
            let Some(end) = self.next(bytes, at, *wanted) else { break };
            at = end;
            found += 1;
        }
        let piece = &self.characters[start..start + found];
        let is_all = found == self.characters.len();
        let different = (0..piece.len()).filter(|&i| !piece[..i].contains(&piece[i])).count();
        if found >= self.least && (is_all || different >= DIFFERENT) { at } else { 0 }
    }

    /// Where the character `wanted` ends, if it follows `at` behind a short break at most.
    fn next(&self, bytes: &[u8], mut at: usize, wanted: u8) -> Option<usize> {
        for _ in 0..=BREAK {
            let rest = bytes.get(at..)?;
            match self.alphabet.read(rest) {
                Some((found, length)) if found == wanted => return Some(at + length),
                _ => at += self.alphabet.mark(rest)?,
            }
        }
        None
    }
}

impl Alphabet {
    /// The character at the start, in whatever spelling, and the length of that.
    fn read(self, bytes: &[u8]) -> Option<(u8, usize)> {
        let (c, length) = escaped(bytes).or_else(|| Some((u32::from(*bytes.first()?), 1)))?;
        let c = u8::try_from(c).ok()?;
        match (self, c) {
            (Self::Word, c) if c.is_ascii_alphanumeric() => Some((c.to_ascii_lowercase(), length)),
            (Self::Base64, c) if c.is_ascii_alphanumeric() => Some((c, length)),
            (Self::Base64, b'+' | b'-') => Some((b'+', length)),
            (Self::Base64, b'/' | b'_') => Some((b'/', length)),
            _ => None,
        }
    }

    /// The length of one mark that may stand between two characters.
    fn mark(self, bytes: &[u8]) -> Option<usize> {
        if let Some((c, length)) = escaped(bytes) {
            let is_mark = char::from_u32(c).is_none_or(|c| !c.is_alphanumeric());
            return is_mark.then_some(length);
        }
        match (self, bytes) {
            (Self::Word, [b'0', b'x' | b'X', ..]) => Some(2),
            (Self::Word, [b'&', ..]) => Some(entity(bytes).unwrap_or(1)),
            (Self::Word, [b, ..]) if b.is_ascii() && !b.is_ascii_alphanumeric() => Some(1),
            (Self::Base64, [b, ..]) if b.is_ascii_whitespace() => Some(1),
            // What shows nothing: the soft hyphen, spaces without width, the mark of byte order.
            (_, [0xc2, 0xad, ..]) => Some(2),
            (_, [0xe2, 0x80, 0x8b..=0x8f, ..] | [0xe2, 0x81, 0xa0..=0xa4, ..] | [0xef, 0xbb, 0xbf, ..]) => Some(3),
            _ => None,
        }
    }
}

/// A character that is spelled with an escape of JSON, an address or a page, and the length of that.
fn escaped(bytes: &[u8]) -> Option<(u32, usize)> {
    let value = |digits: &[u8], radix| u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok();
    let hex = |at: usize, n: usize| Some((value(bytes.get(at..at + n)?, 16)?, at + n));
    match bytes {
        // A document within a document escapes the escape.
        [b'\\', b'\\', b'u', ..] => hex(3, 4),
        [b'\\', b'u', ..] => hex(2, 4),
        [b'\\', b'x', ..] => hex(2, 2),
        [b'\\', b'n' | b'r' | b't', ..] => Some((u32::from(b' '), 2)),
        [b'\\', c @ (b'/' | b'"' | b'\\'), ..] => Some((u32::from(*c), 2)),
        [b'%', b'2', b'5', ..] => hex(3, 2).or_else(|| hex(1, 2)),
        [b'%', ..] => hex(1, 2),
        [b'&', b'#', rest @ ..] => {
            let end = rest.iter().take(8).position(|&b| b == b';')?;
            let code = match &rest[..end] {
                [b'x' | b'X', digits @ ..] => value(digits, 16),
                digits => value(digits, 10),
            };
            Some((code?, end + 3))
        }
        _ => None,
    }
}

/// The length of a named character of a page, such as `&quot;`.
fn entity(bytes: &[u8]) -> Option<usize> {
    let end = bytes.iter().take(8).position(|&b| b == b';')?;
    bytes[1..end].iter().all(u8::is_ascii_alphabetic).then_some(end + 1)
}

fn hex_digits(bytes: &[u8]) -> Vec<u8> {
    let digit = |n: u8| if n < 10 { b'0' + n } else { b'a' + n - 10 };
    bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect()
}

/// The characters of base64 that `key` alone decides when it stands behind `shift` other bytes, of three.
fn base64_core(key: &[u8], shift: usize) -> Vec<u8> {
    let mut bytes = Zeroizing::new(vec![0; shift]);
    bytes.extend_from_slice(key);
    let coded = Zeroizing::new(STANDARD_NO_PAD.encode(bytes.as_slice()).into_bytes());
    let (first, end) = ((8 * shift).div_ceil(6), 8 * bytes.len() / 6);
    coded[first..end].to_vec()
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

    use super::*;
    use crate::secret::Secret;

    const KEY: &str = "sk-echo_7Qz/91bX+kLm4";

    fn assert_taken(body: &str) {
        let mut text = body.to_owned();
        assert!(Secret::new(KEY.to_owned()).unwrap().redact(&mut text), "{body}");
        assert!(text.contains("[redacted]"), "{text}");
        for piece in ["echo", "7Qz", "91b", "kLm4", "7qz", "KLM4", "ZWNoby"] {
            assert!(!text.contains(piece), "{piece} of {body} stands in {text}");
        }
    }

    #[test]
    fn base64_of_either_alphabet_is_found_behind_any_bytes() {
        for front in ["", "B", "Be", "user:", "Bearer ", "a longer text in front of it "] {
            for behind in ["", "!", "\",", " and a text behind it"] {
                for case in [KEY.to_owned(), KEY.to_uppercase(), KEY.to_lowercase()] {
                    let whole = format!("{front}{case}{behind}");
                    let coded = STANDARD.encode(&whole);
                    for text in [
                        coded.clone(),
                        URL_SAFE_NO_PAD.encode(&whole),
                        coded.replace('/', "\\/"),
                        coded.replace('+', "%2B").replace('/', "%2F"),
                        coded
                            .as_bytes()
                            .chunks(9)
                            .map(|c| std::str::from_utf8(c).unwrap())
                            .collect::<Vec<_>>()
                            .join("\\r\\n"),
                    ] {
                        let mut body = format!(r#"{{"echo": "{text}"}}"#);
                        assert!(Secret::new(KEY.to_owned()).unwrap().redact(&mut body), "{whole}: {text}");
                        let left: usize = body.split("[redacted]").map(str::len).sum();
                        assert!(left < r#"{"echo": ""}"#.len() + text.len() - 26, "{whole}: {body}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_key_is_found_escaped_in_other_case_and_in_pieces() {
        let each = |f: fn(char) -> String| KEY.chars().map(f).collect::<String>();
        for body in [
            KEY.to_uppercase(),
            KEY.to_lowercase(),
            each(|c| format!("%{:02X}", u32::from(c))),
            each(|c| format!("%25{:02x}", u32::from(c))),
            each(|c| if c.is_alphanumeric() { c.to_string() } else { format!("%{:02x}", u32::from(c)) }),
            each(|c| format!("\\u{:04X}", u32::from(c))),
            each(|c| format!("\\\\u{:04x}", u32::from(c))),
            each(|c| format!("\\x{:02x}", u32::from(c))),
            each(|c| format!("&#{};", u32::from(c))),
            each(|c| format!("&#x{:x};", u32::from(c))),
            each(|c| format!("{:02x}", u32::from(c))),
            each(|c| format!("{:02X}:", u32::from(c))),
            each(|c| format!("0x{:02x}, ", u32::from(c))),
            KEY.to_uppercase().chars().map(|c| format!("{:02x}", u32::from(c))).collect(),
            each(|c| format!("{c} ")),
            each(|c| format!("{c}\u{200b}")),
            each(|c| format!("{c}\\u200b")),
            KEY.replace('_', "_\\n"),
            "sk-echo_7Q\", \"z/91bX\", \"+kLm4".to_owned(),
            "{\"a\": \"sk-echo_7Qz/91bX\", \"b\": 1}".replace("91bX", "91bX+k"),
            "sk, echo, 7Qz, 91bX, kLm4".to_owned(),
        ] {
            assert_taken(&format!("front \"{body}\" end"));
        }
    }

    #[test]
    fn ordinary_answers_stay_as_they_are() {
        let zeros = Secret::new("sk-000000000000000000001".to_owned()).unwrap();
        let key = Secret::new(KEY.to_owned()).unwrap();
        for body in [
            r#"{"choices":[{"logprobs":{"content":[{"top_logprobs":[{"token":"A","logprob":-0.00000000000000012}]}]}}]}"#,
            "an echo of sk- and 7Qz and nothing more",
            "sk-echo_7Qz…",
            "%",
            "\\u",
            "&#",
            "&#x;",
            "\\",
            "%2",
            "",
        ] {
            for secret in [&zeros, &key] {
                let mut text = body.to_owned();
                assert!(!secret.redact(&mut text), "{body}");
                assert_eq!(text, body);
            }
        }
    }
}
