//! Everything the window knows. Views read it; only `update` changes it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::history::History;
use super::jobs::{JobId, Progress};
use super::settings::Settings;
use crate::shared::secret::Secret;
use crate::theme::Theme;
use crate::wings::acquire::state::AcquireState;
use crate::wings::judgment::state::{Book, Format, OpenCase, Table};
use crate::wings::step_value::state::{StepFormat, StepState};
use crate::wings::verify::state::VerifyState;

/// Where the window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Route {
    /// What is loaded.
    Casebook,
    /// The table of cases.
    #[default]
    Judgments,
    /// The case page.
    Case,
    /// Step value: a study and its transitions.
    Step,
    /// Acquiring the scores of a study.
    Acquire,
    /// Checking an exported file.
    Verify,
}

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
    /// What to write and where.
    Export {
        /// The format.
        format: Format,
        /// The folder, as typed.
        folder: String,
    },
    /// What to write of a study, and where.
    StepExport {
        /// The format.
        format: StepFormat,
        /// The folder, as typed.
        folder: String,
    },
    /// Type a path, because no dialog came or none is wanted.
    Path {
        /// What the path is for.
        purpose: PathPurpose,
        /// What was typed.
        text: String,
        /// Why this box is here.
        why: Option<String>,
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

/// The key that signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningKey {
    /// Its short name: the file's stem.
    pub name: String,
    /// The private key file.
    pub path: PathBuf,
    /// The fingerprint of the public key, once it was read.
    pub fingerprint: Option<String>,
    /// Whether it is known to ask for a passphrase.
    pub protected: bool,
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
    /// Where the window is.
    pub route: Route,
    /// The casebook.
    pub book: Book,
    /// The table of judgments.
    pub table: Table,
    /// The open case.
    pub open: Option<OpenCase>,
    /// The row that is being opened.
    pub opening: Option<usize>,
    /// The step-value view.
    pub step: StepState,
    /// The acquire page.
    pub acquire: AcquireState,
    /// The verify view.
    pub verify: VerifyState,
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
    /// Ask the toolkit to focus the search field in the next frame.
    pub focus_search: bool,
    /// Ask the toolkit to focus the first value of the sandbox in the next frame.
    pub focus_edit: bool,
    /// Files dragged over the window at the moment.
    pub hovering: bool,
}

impl State {
    /// Position of the open or marked case in the filtered list, from 1, and its length.
    #[must_use]
    pub fn position(&self) -> (Option<usize>, usize) {
        let row = match (&self.open, self.route) {
            (Some(open), Route::Case) => Some(open.row),
            _ => self.table.marked,
        };
        let at = row.and_then(|r| self.table.order.iter().position(|&o| o as usize == r));
        (at.map(|p| p + 1), self.table.order.len())
    }
}
