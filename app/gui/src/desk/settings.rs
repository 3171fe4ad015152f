//! What is kept between runs, in one small file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::theme::Look;
use crate::wings::judgment::state::SavedView;

/// Where the window stood.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowPlace {
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// Left edge, if the desktop tells.
    pub x: Option<f32>,
    /// Top edge, if the desktop tells.
    pub y: Option<f32>,
    /// Maximised.
    pub maximized: bool,
}

impl Default for WindowPlace {
    fn default() -> Self {
        Self { width: 1440.0, height: 900.0, x: None, y: None, maximized: false }
    }
}

/// A public key that a person trusts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// A name for it: the file's stem.
    pub name: String,
    /// The key, as SPKI PEM.
    pub pem: String,
    /// Its fingerprint, for reading.
    pub fingerprint: String,
}

/// What is kept between runs. Unknown and missing fields are no error: an older or newer window still opens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The look.
    pub look: Look,
    /// Zoom, 1.0 = 100 %.
    pub zoom: f32,
    /// Width of the rail.
    pub rail: f32,
    /// The switch of the source diff.
    pub only_differences: bool,
    /// The folder that the last export went to.
    pub export_folder: Option<PathBuf>,
    /// The private key that signs.
    pub key: Option<PathBuf>,
    /// Paths opened before, newest first.
    pub recents: Vec<PathBuf>,
    /// Plans of acquisitions opened before, newest first.
    pub plans: Vec<PathBuf>,
    /// Where the window stood.
    pub window: WindowPlace,
    /// Public keys that are trusted beside the own one.
    pub trusted: Vec<Trusted>,
    /// Saved views of the table.
    pub views: Vec<SavedView>,
}

impl Settings {
    /// How many paths opened before are kept.
    pub const RECENTS: usize = 12;
    /// How many plans among them.
    pub const PLANS: usize = 8;

    /// Every path that was opened before.
    pub fn opened_before(&self) -> impl Iterator<Item = &PathBuf> {
        self.recents.iter().chain(&self.plans)
    }

    /// Puts a path first among those opened before.
    pub fn remember(&mut self, path: &Path) {
        put_first(&mut self.recents, path, Self::RECENTS);
    }

    /// Puts a plan first among those opened before, and its path among all.
    pub fn remember_plan(&mut self, path: &Path) {
        put_first(&mut self.plans, path, Self::PLANS);
        self.remember(path);
    }
}

fn put_first(list: &mut Vec<PathBuf>, path: &Path, most: usize) {
    list.retain(|other| other != path);
    list.insert(0, path.to_owned());
    list.truncate(most);
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            look: Look::System,
            zoom: 1.0,
            rail: 176.0,
            only_differences: true,
            export_folder: None,
            key: None,
            recents: Vec::new(),
            plans: Vec::new(),
            window: WindowPlace::default(),
            trusted: Vec::new(),
            views: Vec::new(),
        }
    }
}
