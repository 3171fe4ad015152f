//! Keys: known to the program by the name of an environment variable, never written, never shown.

use std::fmt;

use zeroize::Zeroizing;

/// What stands where a key would.
pub const REDACTED: &str = "[redacted]";

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
    #[error("the environment variable {0} is empty or holds a space or control character; set it to the bare key")]
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

    /// A key from its text, if a header can carry it.
    #[must_use]
    pub fn new(value: String) -> Option<Self> {
        let value = Zeroizing::new(value);
        (!value.is_empty() && value.bytes().all(|b| b.is_ascii_graphic())).then_some(Self(value))
    }

    /// The value of the header `Authorization`.
    pub(crate) fn bearer(&self) -> Zeroizing<String> {
        Zeroizing::new(format!("Bearer {}", self.0.as_str()))
    }

    /// Takes the key out of a text that came back, and says whether it was there.
    #[must_use]
    pub fn redact(&self, text: &mut String) -> bool {
        let found = text.contains(self.0.as_str());
        if found {
            *text = text.replace(self.0.as_str(), REDACTED);
        }
        found
    }

    /// Takes the key out of bytes that are not text.
    #[must_use]
    pub fn redact_bytes(&self, bytes: &mut Vec<u8>) -> bool {
        let key = self.0.as_bytes();
        let mut found = false;
        while let Some(at) = bytes.windows(key.len()).position(|window| window == key) {
            bytes.splice(at..at + key.len(), REDACTED.bytes());
            found = true;
        }
        found
    }
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
    fn a_key_that_no_header_can_carry_is_refused() {
        for wrong in ["", "a b", "a\r\nX-Evil: 1", "ключ"] {
            assert!(Secret::new(wrong.to_owned()).is_none(), "{wrong:?}");
        }
        let name = "DECIDENDI_NO_SUCH_VARIABLE";
        assert_eq!(Secret::from_env(name).unwrap_err(), SecretError::Missing(name.to_owned()));
    }
}
