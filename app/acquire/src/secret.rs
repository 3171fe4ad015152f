//! Keys: known to the program by the name of an environment variable, never written, never shown.

use std::fmt;

use zeroize::Zeroizing;

use crate::echo::Echo;

/// What stands where a key would.
const REDACTED: &str = "[redacted]";

/// Shortest key: a shorter one could stand in an answer by chance, and taking it out would change the answer.
const SHORTEST: usize = 12;

/// An API key. It is wiped when dropped, has no way into a document, and its debug form does not show it.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

/// Why there is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// The variable is not set.
    #[error("the environment variable {0} is not set; the plan names it for the API key, so set it to the key")]
    Missing(String),
    /// The variable holds something that no header can carry.
    #[error(
        "the environment variable {0} holds no key: at least {SHORTEST} characters without space or control character are wanted; set it to the bare key"
    )]
    NotAKey(String),
}

impl Secret {
    /// Reads the key from an environment variable.
    ///
    /// # Errors
    /// [`SecretError`]; its text names the variable and never what it holds.
    pub fn from_env(name: &str) -> Result<Self, SecretError> {
        let value = std::env::var(name).map_err(|_| SecretError::Missing(name.to_owned()))?;
        Self::new(value).ok_or_else(|| SecretError::NotAKey(name.to_owned()))
    }

    /// A key from its text, if a header can carry it and it is long enough to be told from ordinary text: what comes back
    /// is searched for it.
    #[must_use]
    pub fn new(value: String) -> Option<Self> {
        let value = Zeroizing::new(value);
        (value.len() >= SHORTEST && value.bytes().all(|b| b.is_ascii_graphic())).then_some(Self(value))
    }

    /// The value of the header `Authorization`.
    pub(crate) fn bearer(&self) -> Zeroizing<String> {
        Zeroizing::new(format!("Bearer {}", self.0.as_str()))
    }

    /// Takes the key out of a text that came back, and says whether it was there.
    #[must_use]
    pub fn redact(&self, text: &mut String) -> bool {
        let mut bytes = std::mem::take(text).into_bytes();
        let found = self.redact_bytes(&mut bytes);
        // Whole characters are taken out and put in, so that what is left is text as before.
        *text = String::from_utf8_lossy(&bytes).into_owned();
        found
    }

    /// Takes the key out of bytes, in one pass, in every spelling that `Echo` knows. A body may spell it with escapes of
    /// JSON, such as `\/` for a slash.
    #[must_use]
    pub fn redact_bytes(&self, bytes: &mut Vec<u8>) -> bool {
        let (mut clean, mut at, mut found) = (Vec::with_capacity(bytes.len()), 0, false);
        let echo = Echo::of(&self.0);
        while at < bytes.len() {
            let length = spelled(&bytes[at..], self.0.as_bytes()).unwrap_or_else(|| echo.length(&bytes[at..]));
            if length > 0 {
                clean.extend_from_slice(REDACTED.as_bytes());
                at += length;
                found = true;
            } else {
                clean.push(bytes[at]);
                at += 1;
            }
        }
        if found {
            *bytes = clean;
        }
        found
    }
}

/// How many bytes at the start spell `key`, each of its characters as it is or escaped as JSON allows.
fn spelled(bytes: &[u8], key: &[u8]) -> Option<usize> {
    let mut at = 0;
    for &wanted in key {
        let rest = bytes.get(at..)?;
        at += match rest {
            [b'\\', b'u', hex @ ..] if code(hex) == Some(u32::from(wanted)) => 6,
            [b'\\', escaped, ..] if *escaped == wanted && matches!(wanted, b'/' | b'"' | b'\\') => 2,
            [byte, ..] if *byte == wanted => 1,
            _ => return None,
        };
    }
    Some(at)
}

/// The code of four hexadecimal digits.
fn code(hex: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(hex.get(..4)?).ok()?;
    u32::from_str_radix(digits, 16).ok()
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // openai/openai-python #1082, #1196 and ducks/claux #34: keys in debug logs, derived Debug, echoed error bodies.
    #[test]
    fn a_key_is_in_no_debug_form_and_is_taken_out_of_what_comes_back() {
        let key = Secret::new("sk-test-0123456789".to_owned()).unwrap();
        assert!(!format!("{key:?} {:#?}", Some(&key)).contains("sk-test"));
        let mut body = r#"{"error":"Incorrect API key provided: sk-test-0123456789 (sk-test-0123456789)"}"#.to_owned();
        assert!(key.redact(&mut body));
        assert_eq!(body, r#"{"error":"Incorrect API key provided: [redacted] ([redacted])"}"#);
        assert!(!key.redact(&mut body));
        let mut bytes = b"\xff sk-test-0123456789 \xfe".to_vec();
        assert!(key.redact_bytes(&mut bytes));
        assert_eq!(bytes, b"\xff [redacted] \xfe");
    }

    #[test]
    fn a_key_is_found_in_every_spelling_that_json_allows() {
        let key = Secret::new("sk-abc/def\"hi\\j".to_owned()).unwrap();
        for body in [
            r#"{"error": "sk-abc\/def\"hi\\j"}"#,
            r#"{"model": "sk\u002dabc/def\u0022hi\u005Cj"}"#,
            r#"{"model": "\u0073\u006b-abc\u002Fdef\"hi\\j"}"#,
        ] {
            let mut text = body.to_owned();
            assert!(key.redact(&mut text), "{body}");
            assert!(text.contains(REDACTED) && !text.contains("abc"), "{text}");
        }
        // One pass ends, whatever stands in for the key.
        let echo = Secret::new("[redacted]xx".to_owned()).unwrap();
        let mut text = "[redacted]xx[redacted]xx".to_owned();
        assert!(echo.redact(&mut text));
        assert_eq!(text, "[redacted][redacted]");
    }

    #[test]
    fn a_key_that_no_header_can_carry_is_refused() {
        for wrong in ["", "token", "elevenchars", "a b and more text", "a\r\nX-Evil: 1", "ключ"] {
            assert!(Secret::new(wrong.to_owned()).is_none(), "{wrong:?}");
        }
        let name = "DECIDENDI_NO_SUCH_VARIABLE";
        assert_eq!(Secret::from_env(name).unwrap_err(), SecretError::Missing(name.to_owned()));
    }
}
