//! Certify, export, verify, keys.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Desk;
use super::command::VerifyCommand;
use super::jobs::JobId;
use super::settings::Trusted;
use super::state::{Overlay, Route, SigningKey, Tone};
use crate::shared::secret::Secret;
use crate::wings::judgment::state::{CertificateState, Format, Held, RowCertificate};
use crate::wings::verify::jobs;
use crate::wings::verify::jobs::{CheckInput, ExportInput, SignWith};
use decidendi_core::judgment::verify::Standing;

impl Desk {
    /// Certifies the open case. A protected key makes the window ask for its passphrase, which then comes back here.
    pub(crate) fn certify(&mut self, passphrase: Option<Secret>) {
        let key = self.state.key.as_ref().map(|k| k.path.clone());
        let with = SignWith { key, keys_in: self.store.keys(), passphrase };
        let Some(open) = &mut self.state.open else { return };
        open.certificate = CertificateState::Signing;
        let (case, judgment) = (Arc::clone(&open.case), Arc::clone(&open.judgment));
        let name = format!("Certifying {}", case.id());
        self.signing = Some(self.start(&name, move |handle| jobs::certify(&case, &judgment, with, handle)));
    }

    pub(crate) fn on_certified(&mut self, held: Held, key: SigningKey, made: bool) {
        self.signing = None;
        let made_note = made.then(|| {
            format!(
                "A signing key was made for you: “{}”, in {}. File ▸ Sign with another key… uses your own.",
                key.name,
                key.path.display()
            )
        });
        self.use_key(key);
        let claimed = held.verification.claimed.as_ref();
        let id = claimed.map(|c| c.case_id.clone()).unwrap_or_default();
        let good = held.verification.verdict == Standing::Pass;
        let recorded = claimed.is_some_and(|c| c.executed == 0);
        self.mended("Not certified");
        self.certificates.insert(id.clone(), held.clone());
        if let Some(row) = self.state.book.rows.iter_mut().find(|r| r.id == id) {
            row.certificate = RowCertificate::Verified;
        }
        if let Some(open) = self.state.open.as_mut().filter(|o| o.case.id() == id) {
            open.certificate = crate::wings::judgment::update::case::held_state(held, open);
        }
        if good {
            // What was never executed is not replayed: it is compared with what the case records.
            let (text, kind) = if recorded {
                ("Certified, signed and compared with the record", "Its cells are recorded, not executed. ")
            } else {
                ("Certified, signed and verified by replay", "")
            };
            let next = made_note.unwrap_or_else(|| "Export writes it to disk (Ctrl E).".to_owned());
            self.toast(Tone::Good, text, Some(format!("{kind}{next}")));
        } else {
            self.toast(
                Tone::Bad,
                "Signed, but the check right after failed",
                Some("Open the certificate's checks; do not hand it out.".to_owned()),
            );
        }
    }

    /// The signing key is protected: asks for its passphrase, once per signature.
    pub(crate) fn on_locked(&mut self, id: JobId, key: PathBuf, why: Option<String>) {
        if self.wanted.step_signing == Some(id) {
            self.wanted.step_signing = None;
            if let Some(open) = &mut self.state.step.open {
                self.locked_study = open.signing.take().flatten();
            }
            self.state.overlay = Some(Overlay::Passphrase { key, typed: Secret::default(), why });
            return;
        }
        let Some(open) = self.state.open.as_mut().filter(|_| self.signing == Some(id)) else { return };
        if !matches!(open.certificate, CertificateState::Signing) {
            return;
        }
        open.certificate = CertificateState::None;
        self.signing = None;
        self.state.overlay = Some(Overlay::Passphrase { key, typed: Secret::default(), why });
    }

    /// Signs with the passphrase that was typed; the sheet and its buffer go.
    pub(crate) fn unlock(&mut self) {
        if let Some(Overlay::Passphrase { typed, .. }) = self.state.overlay.take() {
            if self.state.route == Route::Step {
                self.certify_study(self.locked_study, Some(typed));
                return;
            }
            self.certify(Some(typed));
        }
    }

    pub(crate) fn on_key(&mut self, key: SigningKey, made: bool) {
        let what = if made { "made" } else { "chosen" };
        let asks =
            if key.protected { "\nIt asks for its passphrase at each signature; that is kept nowhere." } else { "" };
        let detail = format!("{}{asks}", key.path.display());
        self.toast(Tone::Good, format!("Signing key “{}” {what}", key.name), Some(detail));
        self.use_key(key);
    }

    pub(crate) fn use_key(&mut self, key: SigningKey) {
        if self.state.settings.key.as_ref() != Some(&key.path) {
            self.state.settings.key = Some(key.path.clone());
            self.keep();
        }
        self.state.key = Some(key);
    }

    pub(crate) fn make_key(&mut self) {
        let folder = self.store.keys();
        self.start("Making a signing key", move |_| jobs::new_key(folder));
    }

    pub(crate) fn read_key(&mut self, path: PathBuf) {
        self.start("Reading the signing key", move |_| jobs::read_key(&path));
    }

    pub(crate) fn read_trust(&mut self, path: PathBuf) {
        self.start("Reading the public key", move |_| jobs::read_trust(&path));
    }

    pub(crate) fn on_trust(&mut self, trusted: Trusted) {
        let list = &mut self.state.settings.trusted;
        if list.iter().any(|t| t.fingerprint == trusted.fingerprint) {
            self.toast(Tone::Note, format!("“{}” is trusted already", trusted.name), None);
            return;
        }
        let name = trusted.name.clone();
        list.push(trusted);
        self.keep();
        self.toast(Tone::Good, format!("“{name}” is trusted now"), None);
        self.check_again();
    }

    /// The export sheet, with the folder of last time or the first sensible one. Without a format, the strongest that
    /// can be written.
    pub(crate) fn show_export(&mut self, format: Option<Format>) {
        let open = self.state.open.as_ref();
        let strongest = || Format::ALL.into_iter().find(|f| open.is_some_and(|o| o.exportable(*f).is_ok()));
        let format = format.or_else(strongest).unwrap_or_default();
        let folder = self.state.settings.export_folder.clone().unwrap_or_else(first_folder);
        self.state.overlay = Some(Overlay::Export { format, folder: folder.display().to_string() });
    }

    pub(crate) fn export(&mut self, format: Format, folder: PathBuf) {
        let folder = super::absolute(&folder);
        let Some(open) = &self.state.open else { return };
        if let Err(why) = open.exportable(format) {
            self.toast(Tone::Warn, format!("{} not exported", format.name()), Some(why.to_owned()));
            return;
        }
        let envelope = match &open.certificate {
            CertificateState::Held(held) => Some(Arc::clone(&held.bytes)),
            _ => None,
        };
        let rendered = crate::wings::judgment::export::render(format, &self.state);
        let input = ExportInput { format, folder: folder.clone(), case: Arc::clone(&open.case), envelope, rendered };
        self.state.overlay = None;
        if self.state.settings.export_folder.as_ref() != Some(&folder) {
            self.state.settings.export_folder = Some(folder);
            self.keep();
        }
        self.start(&format!("Writing {}", format.name()), move |_| jobs::export(input));
    }

    pub(crate) fn on_exported(&mut self, path: PathBuf, length: u64) {
        self.mended("The export was not written");
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(open) = &mut self.state.open
            && [Format::Certificate, Format::Bundle]
                .iter()
                .any(|f| name == format!("{}.{}", decidendi_files::io::file_stem(open.case.id()), f.ending()))
            && let CertificateState::Held(held) = &mut open.certificate
        {
            held.saved = Some(path.clone());
            self.certificates.insert(open.case.id().to_owned(), held.clone());
        }
        let of_study = crate::wings::step_value::state::StepFormat::ALL
            .into_iter()
            .find(|f| name.ends_with(&format!(".{}", f.ending())));
        let what = Format::ALL.into_iter().find(|f| name.ends_with(f.ending())).map(Format::name);
        let what = match of_study.filter(|_| self.state.route == Route::Step) {
            Some(format) => format.name(),
            None => what.unwrap_or("File"),
        };
        let length = crate::parts::group(usize::try_from(length).unwrap_or(usize::MAX));
        self.toast(Tone::Good, format!("{what} written, {length} bytes"), Some(path.display().to_string()));
    }

    pub(crate) fn on_verify(&mut self, command: VerifyCommand) {
        match command {
            VerifyCommand::Check(path) => self.check(path),
            VerifyCommand::Trust(path) => self.read_trust(path),
            VerifyCommand::Distrust(at) => {
                if at < self.state.settings.trusted.len() {
                    let gone = self.state.settings.trusted.remove(at);
                    self.keep();
                    self.toast(Tone::Note, format!("“{}” is not trusted any more", gone.name), None);
                    self.check_again();
                }
            }
            VerifyCommand::UseCase(path) => self.use_case(path),
            VerifyCommand::Browse(purpose) => self.ask(purpose),
        }
    }

    pub(crate) fn use_case(&mut self, path: Option<PathBuf>) {
        self.state.verify.case = path;
        self.check_again();
    }

    /// Runs the checks again, for another trust list or another casebook.
    pub(crate) fn check_again(&mut self) {
        let checked = self.state.verify.checked.as_ref().map(|c| c.path.clone());
        if let Some(path) = self.state.verify.checking.clone().or(checked) {
            self.check(path);
        }
    }

    /// Checks an exported file.
    pub(crate) fn check(&mut self, path: PathBuf) {
        self.go(Route::Verify);
        if let Some(stale) = self.wanted.verify.take() {
            self.jobs.cancel(stale);
        }
        if self.state.verify.checked.as_ref().is_some_and(|c| c.path != path) {
            self.state.verify.case = None;
        }
        self.state.verify.checking = Some(path.clone());
        let input = CheckInput {
            path: path.clone(),
            trusted: self.state.settings.trusted.iter().map(|t| t.pem.clone()).collect(),
            own: self.state.key.as_ref().map(|k| k.path.clone()),
            case: self.state.verify.case.clone(),
            library: Arc::clone(&self.library),
            study: self.state.step.open.as_ref().map(|open| Arc::clone(&open.data.loaded)),
            shelf: self.state.step.shelf.clone(),
        };
        let name =
            format!("Verifying {}", path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default());
        self.wanted.verify = Some(self.start(&name, move |handle| jobs::check(&input, handle)));
    }

    /// The command line that writes the same bytes as the window would.
    pub(crate) fn show_command(&mut self) {
        let quote = |p: &Path| shell(&p.display().to_string());
        let key = self.state.key.as_ref().map_or_else(|| "KEY".to_owned(), |k| quote(&k.path));
        let folder = self.state.settings.export_folder.clone().unwrap_or_else(first_folder);
        let book = self.library.path().map_or_else(|| "sample_cases".to_owned(), quote);
        let lines = match (&self.state.route, &self.state.open) {
            (Route::Case, Some(open)) => {
                let case = self.library.place(open.row).map_or_else(|| book.clone(), |p| shell(&p));
                format!(
                    "decidendi inspect {case}\ndecidendi certify {case} --key {key} --out {out}\ndecidendi verify {cert} --case {case} --trust {key}.pub",
                    out = quote(&folder),
                    cert = quote(&folder.join(format!("{}.cert.json", decidendi_files::io::file_stem(open.case.id())))),
                )
            }
            (Route::Step, _) => self.study_command(&key, &folder),
            (Route::Acquire, _) => self.acquire_command(),
            (Route::Verify, _) => {
                let file = self.state.verify.checked.as_ref().map_or_else(|| "FILE".to_owned(), |c| quote(&c.path));
                let case = self.state.verify.case.as_ref().map(|c| format!(" --case {}", quote(c))).unwrap_or_default();
                format!("decidendi verify {file}{case} --trust {key}.pub")
            }
            _ => format!(
                "decidendi inspect {book} --json\ndecidendi certify {book} --key {key} --out {}",
                quote(&folder)
            ),
        };
        self.state.overlay = Some(Overlay::ShowCommand(lines));
    }
}

/// A word as a shell takes it.
pub(crate) fn shell(word: &str) -> String {
    let plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "/._-+:@%".contains(c));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Where a first export goes: Documents if there is one, else home, else here.
pub(crate) fn first_folder() -> PathBuf {
    let home = std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from);
    let home = home.filter(|h| h.is_dir());
    match home {
        Some(home) if home.join("Documents").is_dir() => home.join("Documents").join("Decidendi"),
        Some(home) => home.join("Decidendi"),
        None => PathBuf::from("."),
    }
}
