//! A passphrase while it is typed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use zeroize::Zeroizing;

/// A passphrase while it is typed: one buffer that every holder shares and that is overwritten when the last one goes. It
/// is never shown, compared, copied or written. (What the toolkit passes on of single keystrokes is beyond our reach.)
#[derive(Clone)]
pub struct Secret(Arc<Mutex<Zeroizing<String>>>);

impl Secret {
    /// The most bytes it takes; the buffer never grows, so that no part of it is left behind.
    pub const BYTES: usize = 1024;

    /// Its buffer, to type into or to use.
    pub fn text(&self) -> MutexGuard<'_, Zeroizing<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Secret {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Zeroizing::new(String::with_capacity(Self::BYTES)))))
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::shared::secret::Secret;

    #[test]
    fn a_secret_never_prints_itself() {
        let secret = Secret::default();
        secret.text().push_str("correct horse");
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        assert_eq!(secret.text().as_str(), "correct horse");
    }
}
