//! Looking at the disk: whether what is open stands there as it was read, and whether a typed path leads anywhere.

use std::path::{Path, PathBuf};

use decidendi_files::io;

use super::Desk;
use super::jobs::{Answer, Changed};
use super::page::Watched;
use super::state::{Overlay, PathPurpose};
use super::wings::Route;
use crate::shared::job::JobId;

impl Desk {
    /// Looks whether files of what is open changed on disk; called when the window gets the focus.
    pub fn look_at_disk(&mut self) {
        if self.watch.is_some() {
            return;
        }
        let pages = self.given.pages.iter();
        let watched: Vec<(Route, Watched)> =
            pages.filter_map(|page| Some((page.route(), page.watched(&self.state)?))).collect();
        let before: Vec<PathBuf> = self.state.settings.opened_before().cloned().collect();
        if watched.is_empty() && before.is_empty() {
            return;
        }
        self.watch = Some(self.jobs.start("Looking at the disk", move |_| look(watched, before)));
    }

    /// What changed is read again with a notice; what was certified of the old bytes turns stale.
    pub(super) fn on_changed(&mut self, changed: Changed) {
        self.state.gone = changed.gone;
        for page in self.given.pages.iter().filter(|page| changed.pages.contains(&page.route())) {
            page.changed(self);
        }
    }

    /// Looks whether the path in the box leads anywhere.
    pub(super) fn seek(&mut self) {
        let Some(Overlay::Path { text, .. }) = &self.state.overlay else { return };
        let typed = typed(text);
        if typed.is_empty() || typed.starts_with("decidendi:") {
            return;
        }
        let path = PathBuf::from(typed);
        self.seek = Some(self.jobs.start("Looking for the path", move |_| seek(path, None)));
    }

    /// Says in the box whether something lies there, if the same is still typed.
    pub(super) fn on_seen(&mut self, id: JobId, path: &Path, is_there: bool) {
        if self.seek.take_if(|seek| *seek == id).is_none() {
            return;
        }
        if let Some(Overlay::Path { text, found, .. }) = &mut self.state.overlay
            && Path::new(typed(text)) == path
        {
            *found = Some(is_there);
        }
    }
}

/// A path as it was typed or pasted, without what surrounds it.
#[must_use]
pub fn typed(text: &str) -> &str {
    text.trim().trim_matches('"')
}

/// Whether something lies at a path.
pub(super) fn seek(path: PathBuf, purpose: Option<PathPurpose>) -> Answer {
    let is_there = io::exists(&path);
    Answer::Sought { path, purpose, is_there }
}

fn look(watched: Vec<(Route, Watched)>, before: Vec<PathBuf>) -> Answer {
    let pages = watched.into_iter().filter_map(|(route, is_outdated)| is_outdated().then_some(route)).collect();
    Answer::Looked(Changed { pages, gone: before.into_iter().filter(|path| !io::exists(path)).collect() })
}
