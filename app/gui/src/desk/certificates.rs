//! Keys and certificates, for every wing: what signs, its passphrase, and what is said afterwards.

use std::path::PathBuf;

use super::Desk;
use super::jobs::Answer;
use super::settings::Trusted;
use super::state::{Overlay, Tone};
use super::wings::WingCommand;
use crate::shared::secret::Secret;
use crate::shared::signing::{self, SignWith, SigningKey};
use crate::wings::verify::command::VerifyCommand;

impl Desk {
    /// What signs.
    pub(crate) fn sign_with(&self, passphrase: Option<Secret>) -> SignWith {
        let key = self.state.key.as_ref().map(|key| key.path.clone());
        SignWith { key, keys_in: self.store.keys(), passphrase }
    }

    /// Something was signed with this key, and checked: says so, and what is next.
    pub(crate) fn tell_signed(&mut self, key: SigningKey, made: bool, good: bool, words: &str, kind: &str) {
        let next = if made {
            let place = key.path.display();
            format!(
                "A signing key was made for you: “{}”, in {place}. File ▸ Sign with another key… uses your own.",
                key.name
            )
        } else {
            "Export writes it to disk (Ctrl E).".to_owned()
        };
        self.use_key(key);
        self.mended(NOT_CERTIFIED);
        if good {
            self.toast(Tone::Good, words, Some(format!("{kind}{next}")));
        } else {
            let next = "Open the certificate's checks; do not hand it out.".to_owned();
            self.toast(Tone::Bad, "Signed, but the check right after failed", Some(next));
        }
    }

    /// It could not be certified.
    pub(crate) fn tell_refused(&mut self, why: String) {
        self.toast(Tone::Bad, NOT_CERTIFIED, Some(why));
    }

    /// The signing key is protected: asks for its passphrase, once per signature. `again` is asked with it.
    pub(crate) fn ask_passphrase(
        &mut self,
        key: PathBuf,
        why: Option<String>,
        again: impl FnOnce(Secret) -> WingCommand,
    ) {
        let typed = Secret::default();
        let then = again(typed.clone());
        self.state.overlay = Some(Overlay::Passphrase { key, typed, why, then });
    }

    /// Signs with the passphrase that was typed; the sheet and its buffer go.
    pub(super) fn unlock(&mut self) {
        if let Some(Overlay::Passphrase { then, .. }) = self.state.overlay.take() {
            self.then(super::command::Command::Wing(then));
        }
    }

    pub(super) fn on_key(&mut self, key: SigningKey, made: bool) {
        let what = if made { "made" } else { "chosen" };
        let asks =
            if key.protected { "\nIt asks for its passphrase at each signature; that is kept nowhere." } else { "" };
        let detail = format!("{}{asks}", key.path.display());
        self.toast(Tone::Good, format!("Signing key “{}” {what}", key.name), Some(detail));
        self.use_key(key);
    }

    fn use_key(&mut self, key: SigningKey) {
        if self.state.settings.key.as_ref() != Some(&key.path) {
            self.state.settings.key = Some(key.path.clone());
            self.keep();
        }
        self.state.key = Some(key);
    }

    pub(super) fn make_key(&mut self) {
        let folder = self.store.keys();
        self.start("Making a signing key", move |_| match signing::new_key(folder) {
            Ok(key) => Answer::Key(key, true),
            Err(why) => Answer::Failed(why),
        });
    }

    pub(super) fn read_key(&mut self, path: PathBuf) {
        self.start("Reading the signing key", move |_| match signing::read_key(&path) {
            Ok(key) => Answer::Key(key, false),
            Err(why) => Answer::Failed(why),
        });
    }

    pub(super) fn read_trust(&mut self, path: PathBuf) {
        self.start("Reading the public key", move |_| match signing::read_public(&path) {
            Ok((name, pem, fingerprint)) => Answer::Trust(Trusted { name, pem, fingerprint }),
            Err(why) => Answer::Failed(why),
        });
    }

    pub(super) fn on_trust(&mut self, trusted: Trusted) {
        let list = &mut self.state.settings.trusted;
        if list.iter().any(|t| t.fingerprint == trusted.fingerprint) {
            self.toast(Tone::Note, format!("“{}” is trusted already", trusted.name), None);
            return;
        }
        let name = trusted.name.clone();
        list.push(trusted);
        self.keep();
        self.toast(Tone::Good, format!("“{name}” is trusted now"), None);
        self.then(VerifyCommand::Again);
    }
}

const NOT_CERTIFIED: &str = "Not certified";
