//! Everything the window knows. Views read it; only `update` changes it.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::hand_out::Occupied;
use super::history::History;
use super::page::Page;
use super::settings::Settings;
use super::wings::{Route, WingCommand, Wings};
use crate::shared::job::{JobId, Progress};
use crate::shared::secret::Secret;
use crate::shared::signing::SigningKey;
use crate::theme::Theme;

/// A sheet over the window. At most one is open.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlay {
    /// Search and commands.
    Palette {
        /// What was typed.
        text: String,
        /// The marked line.
        mark: usize,
    },
    /// Every command with its key.
    Keys,
    /// About.
    About,
    /// What to write of the open thing, and where.
    Export {
        /// The format, by its id.
        format: &'static str,
        /// The folder, as typed.
        folder: String,
    },
    /// A file is in the way of an export: replace it, or take another name.
    Occupied(Occupied),
    /// Type a path, because no dialog came or none is wanted.
    Path {
        /// What the path is for.
        purpose: PathPurpose,
        /// What was typed.
        text: String,
        /// Why this box is here.
        why: Option<String>,
        /// Whether something lies there; `None` while that is looked for.
        found: Option<bool>,
    },
    /// The command line for what is on the screen.
    ShowCommand(String),
    /// Name a view to save.
    SaveView(String),
    /// The passphrase of a protected signing key, for one signature.
    Passphrase {
        /// The key file.
        key: PathBuf,
        /// What is being typed.
        typed: Secret,
        /// Why it is asked for again.
        why: Option<String>,
        /// What is asked once more, with the passphrase in it.
        then: WingCommand,
    },
}

/// What a chosen path will be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathPurpose {
    /// Open a file.
    OpenFile,
    /// Open a folder.
    OpenFolder,
    /// Sign with this key.
    Key,
    /// Trust this public key.
    Trust,
    /// Verify this file.
    Verify,
    /// Replay with this case.
    ReplayCase,
    /// Export into this folder.
    ExportFolder,
    /// Acquire by this plan.
    AcquirePlan,
    /// Keep the log of an acquisition in this folder.
    AcquireFolder,
    /// Write the example plan into this folder.
    ExampleFolder,
}

impl PathPurpose {
    /// Whether what is named need not be there yet: folders that are written into are made.
    #[must_use]
    pub const fn may_be_made(self) -> bool {
        matches!(self, Self::ExportFolder | Self::AcquireFolder | Self::ExampleFolder)
    }

    /// The box's title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::OpenFile => "Open a file",
            Self::OpenFolder => "Open a folder",
            Self::Key => "Sign with a key",
            Self::Trust => "Trust a public key",
            Self::Verify => "Verify a file",
            Self::ReplayCase => "Replay with a case",
            Self::ExportFolder => "Export into a folder",
            Self::AcquirePlan => "Choose a plan",
            Self::AcquireFolder => "Keep the log in a folder",
            Self::ExampleFolder => "Write the example plan into a folder",
        }
    }
}

/// Work in progress, as the status bar shows it.
#[derive(Debug, Clone)]
pub struct Job {
    /// Its number.
    pub id: JobId,
    /// What it does, in words.
    pub name: String,
    /// How far it is.
    pub progress: Progress,
    /// When it was started, in seconds of the window's clock: it is shown only after 300 ms.
    pub since: f64,
    /// Whether it can be stopped.
    pub cancellable: bool,
    /// Whether it was told to stop.
    pub cancelling: bool,
}

/// How a message is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// For information.
    Note,
    /// Something was done.
    Good,
    /// Something needs attention.
    Warn,
    /// Something failed.
    Bad,
}

/// A message that comes up in the corner.
#[derive(Debug, Clone, PartialEq)]
pub struct Toast {
    /// Its number.
    pub id: u64,
    /// How it is meant.
    pub tone: Tone,
    /// What happened.
    pub text: String,
    /// Where, why, and what to do next.
    pub detail: Option<String>,
    /// When it leaves, in seconds of the window's clock; errors stay until closed.
    pub until: Option<f64>,
}

/// All pages, in the order of the rail.
#[derive(Clone, Copy, Default)]
pub struct Pages(pub &'static [&'static dyn Page]);

impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|page| page.route())).finish()
    }
}

/// Everything the window knows.
#[derive(Debug, Default)]
pub struct State {
    /// The look, resolved.
    pub theme: Arc<Theme>,
    /// What is kept between runs.
    pub settings: Settings,
    /// Paths opened before where nothing is any more, as of when the window got the focus.
    pub gone: BTreeSet<PathBuf>,
    /// The pages.
    pub pages: Pages,
    /// Where the window is.
    pub route: Route,
    /// What each wing knows.
    pub wings: Wings,
    /// The sheet over the window.
    pub overlay: Option<Overlay>,
    /// Jobs at work.
    pub jobs: Vec<Job>,
    /// Messages.
    pub toasts: Vec<Toast>,
    /// The key that signs.
    pub key: Option<SigningKey>,
    /// Undo and redo of filters and layout.
    pub history: History,
    /// Waiting for the system's file dialog, and what for.
    pub dialog: Option<PathPurpose>,
    /// Whether settings are on disk as they are here.
    pub unsaved: bool,
    /// The window's clock, in seconds.
    pub now: f64,
    /// Files dragged over the window at the moment.
    pub hovering: bool,
}

impl State {
    /// The page on the screen; `None` only in a window without pages.
    #[must_use]
    pub fn page(&self) -> Option<&'static dyn Page> {
        self.pages.0.iter().copied().find(|page| page.route() == self.route)
    }

    /// The page that answers for what others leave to it.
    #[must_use]
    pub fn first_page(&self) -> Option<&'static dyn Page> {
        self.pages.0.first().copied()
    }
}
