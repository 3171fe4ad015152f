//! What leaves the window, for every page: files, the clipboard, links, command lines.

use std::path::{Path, PathBuf};

use decidendi_files::look;

use super::Desk;
use super::command::Command;
use super::hand_out::{self, Export, Occupied};
use super::jobs::{Answer, Exported};
use super::page::{Offer, Shell, Written};
use super::state::{Overlay, Tone};

impl Desk {
    fn offers(&self) -> Vec<Offer> {
        self.state.page().map(|page| page.formats(&self.state)).unwrap_or_default()
    }

    /// The strongest format that can be written, else the first.
    pub(super) fn strongest(&self) -> &'static str {
        let offers = self.offers();
        let offer = offers.iter().find(|offer| offer.barred.is_none()).or_else(|| offers.first());
        offer.map_or("", |offer| offer.id)
    }

    /// The export sheet, with the folder of last time or the first sensible one. Without a format, the strongest that can be
    /// written.
    pub(crate) fn show_export(&mut self, wanted: Option<&'static str>) {
        let format = match (wanted, self.state.page()) {
            (Some(wanted), Some(page)) => page.format(&self.state, wanted),
            _ => self.strongest(),
        };
        let folder = self.export_folder().display().to_string();
        self.state.overlay = Some(Overlay::Export { format, folder });
    }

    pub(super) fn export(&mut self, format: &'static str, folder: &Path) {
        let folder = super::absolute(folder);
        let Some(page) = self.state.page() else { return };
        let Some(offer) = self.offers().into_iter().find(|offer| offer.id == format) else { return };
        if let Some(why) = offer.barred {
            self.toast(Tone::Warn, format!("{} not exported", offer.name), Some(why.to_owned()));
            return;
        }
        let writing = page.write(&self.state, format);
        self.state.overlay = None;
        if self.state.settings.export_folder.as_ref() != Some(&folder) {
            self.state.settings.export_folder = Some(folder.clone());
            self.keep();
        }
        let path = folder.join(&offer.file);
        let own = self.written.get(&path).copied();
        self.start(&format!("Writing {}", offer.name), move |_| match writing.and_then(|write| write()) {
            Ok(Written { bytes, certificate }) => {
                let (what, ending) = (offer.name, offer.ending);
                hand_out::put(Export { what, path, ending, bytes: bytes.into(), certificate }, own)
            }
            Err(why) => Answer::ExportFailed(why),
        });
    }

    /// Writes what another file is in the way of. The other name may be taken by now as well: then that is asked about.
    pub(super) fn settle_export(&mut self, occupied: Occupied, over: bool) {
        self.state.overlay = None;
        let Occupied { export, other } = occupied;
        let own = self.written.get(&other).copied();
        self.start(&format!("Writing {}", export.what), move |_| {
            if over { hand_out::replace(export) } else { hand_out::put(Export { path: other, ..export }, own) }
        });
    }

    pub(super) fn on_exported(&mut self, exported: &Exported) {
        self.mended("The export was not written");
        self.written.insert(exported.path.clone(), exported.digest);
        for page in self.given.pages {
            page.exported(self, exported);
        }
        let length = crate::parts::group(usize::try_from(exported.length).unwrap_or(usize::MAX));
        let text = format!("{} written, {length} bytes", exported.what);
        self.toast(Tone::Good, text, Some(exported.path.display().to_string()));
    }

    /// What is open, as Markdown on the clipboard.
    pub(super) fn copy_markdown(&mut self) {
        let Some(page) = self.state.page() else { return };
        match page.markdown(&self.state) {
            Ok((text, what)) => self.then(Command::Copy(text, what)),
            Err(why) => self.toast(Tone::Warn, "Nothing was copied", Some(why)),
        }
    }

    /// A link to what is on the page.
    pub(super) fn copy_link(&mut self) {
        if let Some(link) = self.state.page().and_then(|page| page.link(&self.state)) {
            self.then(Command::Copy(link, "Link"));
        }
    }

    /// The command line that writes the same bytes as the window would.
    pub(super) fn show_command(&mut self) {
        let key = self.state.key.as_ref().map_or_else(|| "KEY".to_owned(), |key| Shell::path(&key.path));
        let with = Shell { key, folder: self.export_folder() };
        let own = self.state.page().and_then(|page| page.command_line(&self.state, &with));
        let lines = own.or_else(|| self.state.first_page()?.command_line(&self.state, &with));
        self.state.overlay = Some(Overlay::ShowCommand(lines.unwrap_or_default()));
    }

    fn export_folder(&self) -> PathBuf {
        self.state.settings.export_folder.clone().unwrap_or_else(first_folder)
    }
}

/// Where a first export goes: Documents if there is one, else home, else here.
fn first_folder() -> PathBuf {
    let home = std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from);
    match home.filter(|home| look::is_folder(home)) {
        Some(home) if look::is_folder(&home.join("Documents")) => home.join("Documents").join("Decidendi"),
        Some(home) => home.join("Decidendi"),
        None => PathBuf::from("."),
    }
}
