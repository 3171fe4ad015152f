//! What leaves the step-value view: certificates, files, the clipboard, the command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::Context;

use crate::desk::Desk;
use crate::desk::command::{Action, Command};
use crate::desk::jobs::{JobId, Outcome};
use crate::desk::seal::{first_folder, shell};
use crate::desk::state::{Overlay, SigningKey, Tone};
use crate::shared::secret::Secret;
use crate::wings::step_value::export;
use crate::wings::step_value::jobs;
use crate::wings::step_value::state::{CHANGED, Certified, StepFormat, StepHeld, StepTab};
use crate::wings::verify::jobs::SignWith;

impl Desk {
    /// Certifies the signs of a transition, or of every complete one.
    pub(crate) fn certify_study(&mut self, what: Certified, passphrase: Option<Secret>) {
        let key = self.state.key.as_ref().map(|k| k.path.clone());
        let with = SignWith { key, keys_in: self.store.keys(), passphrase };
        if self.state.step.fault.is_some() {
            return;
        }
        let Some(open) = &mut self.state.step.open else { return };
        if open.certifiable(what).is_err() {
            return;
        }
        open.signing = Some(what);
        let data = open.data.clone();
        let step = what.and_then(|at| data.loaded.study.transitions.get(at)).map(|step| step.id.clone());
        let name = format!("Certifying {}", step.unwrap_or_else(|| data.loaded.study.id.clone()));
        self.wanted.step_signing = Some(self.start(&name, move |handle| jobs::certify(&data, what, with, handle)));
    }

    pub(crate) fn on_step_certified(
        &mut self,
        id: JobId,
        what: Certified,
        held: StepHeld,
        key: SigningKey,
        made: bool,
    ) {
        if self.wanted.step_signing != Some(id) {
            return;
        }
        self.wanted.step_signing = None;
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
        self.mended("Not certified");
        let good = held.good;
        if let Some(open) = &mut self.state.step.open {
            open.signing = None;
            open.certificates.insert(what, held);
        }
        if good {
            self.toast(Tone::Good, "Signs certified, signed and verified by replay", Some(next));
        } else {
            let why = "Open the certificate's checks; do not hand it out.".to_owned();
            self.toast(Tone::Bad, "Signed, but the check right after failed", Some(why));
        }
    }

    /// The command lines that do the same.
    pub(crate) fn study_command(&self, key: &str, folder: &Path) -> String {
        let Ok(open) = self.state.step.shown() else { return "decidendi asv STUDY".to_owned() };
        let study = shell(&open.data.place.words());
        let out = shell(&folder.display().to_string());
        let whole = open.certificates.contains_key(&None) && !open.certificates.contains_key(&Some(open.at));
        let step = open.transition().filter(|_| !whole);
        let scope = step.map(|step| format!(" --transition {}", shell(&step.id))).unwrap_or_default();
        let name = step.map_or_else(|| open.study().id.clone(), |step| format!("{}.{}", open.study().id, step.id));
        let file = folder.join(format!("{}.asv.cert.json", decidendi_files::io::file_stem(&name)));
        let file = shell(&file.display().to_string());
        format!(
            "decidendi asv {study}\ndecidendi asv {study} --json\ndecidendi asv {study} --key {key} --out {out}{scope}\ndecidendi verify {file} --case {study} --trust {key}.pub"
        )
    }

    /// The export sheet, at the format that the command names.
    pub(crate) fn show_study_export(&mut self, action: Action) {
        let Some(open) = &self.state.step.open else { return };
        let scatter = open.tab == StepTab::Scatter && action != Action::Export;
        let format = match action {
            Action::StepCsv => StepFormat::Csv,
            Action::ExportSvg if scatter => StepFormat::ScatterSvg,
            Action::ExportSvg => StepFormat::FaceSvg,
            Action::ExportPng if scatter => StepFormat::ScatterPng,
            Action::ExportPng => StepFormat::FacePng,
            Action::Export if open.exportable(StepFormat::Certificate).is_ok() => StepFormat::Certificate,
            _ => StepFormat::Markdown,
        };
        let folder = self.state.settings.export_folder.clone().unwrap_or_else(first_folder);
        self.state.overlay = Some(Overlay::StepExport { format, folder: folder.display().to_string() });
    }

    pub(crate) fn export_study(&mut self, format: StepFormat, folder: PathBuf) {
        let folder = crate::desk::absolute(&folder);
        let Ok(open) = self.state.step.shown().cloned() else { return };
        if let Err(why) = open.exportable(format) {
            self.toast(Tone::Warn, format!("{} not exported", format.name()), Some(why.to_owned()));
            return;
        }
        let theme = Arc::clone(&self.state.theme);
        self.state.overlay = None;
        if self.state.settings.export_folder.as_ref() != Some(&folder) {
            self.state.settings.export_folder = Some(folder.clone());
            self.keep();
        }
        self.start(&format!("Writing {}", format.name()), move |_| {
            if open.data.is_outdated() {
                return Outcome::ExportFailed(CHANGED.to_owned());
            }
            let written = export::render(&open, format, &theme.color).and_then(|bytes| {
                let path = folder.join(export::file_name(&open, format));
                decidendi_files::io::make_folder(&folder).map_err(|e| e.to_string())?;
                decidendi_files::io::write_atomic(&path, &bytes).map_err(|e| e.to_string())?;
                Ok((path, bytes.len() as u64))
            });
            match written {
                Ok((path, length)) => Outcome::Exported(path, length),
                Err(why) => Outcome::ExportFailed(why),
            }
        });
    }

    /// Face and means as Markdown.
    pub(crate) fn copy_study(&mut self, ctx: &Context) {
        let Ok(open) = self.state.step.shown() else { return };
        if open.data.is_outdated() {
            self.toast(Tone::Warn, "Nothing was copied", Some(CHANGED.to_owned()));
            return;
        }
        let text = export::face_markdown(open);
        self.apply(Command::Copy(text, "Face and means with digests"), ctx);
    }
}
