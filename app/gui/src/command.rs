//! What can be asked of the window. One table, [`TABLE`], names every command with its key, its place in the menu and
//! when it applies; handler, menu, tooltip, palette and cheat sheet read that table and nothing else.

use std::path::PathBuf;

use decidendi_core::judgment::source::{Mask, Version};
use decidendi_core::seal::json::{Json, JsonPath};
use egui::{Key, KeyboardShortcut, Modifiers};

use crate::jobs::{JobId, Outcome, Progress};
use crate::state::{CaseTab, Column, Filter, Format, Overlay, PathPurpose, Route, SortBy, State};
use crate::theme::Look;

mod table;

pub use table::TABLE;

/// Everything that changes the state: what a person asked for, and what came back from a job. One queue, one order.
#[derive(Debug)]
pub enum Command {
    /// A named command of the table.
    Do(Action),
    /// Go to a view.
    Go(Route),
    /// Open a file or a folder: a casebook, a case, or an exported certificate or bundle.
    Open(PathBuf),
    /// Take a path out of the recents.
    ForgetRecent(PathBuf),
    /// Open the case of a row.
    OpenRow(usize),
    /// The table of judgments.
    Table(TableCommand),
    /// The open case.
    Case(CaseCommand),
    /// The verify view.
    Verify(VerifyCommand),
    /// Show or close an overlay.
    Overlay(Option<Overlay>),
    /// Change the text of the overlay's field.
    OverlayText(String),
    /// Move the mark in the palette.
    OverlayMark(usize),
    /// Choose a look.
    SetLook(Look),
    /// Set the zoom, 1.0 = 100 %.
    SetZoom(f32),
    /// Set the width of the rail.
    SetRail(f32),
    /// Sign with another key.
    UseKey(PathBuf),
    /// Write the open case in a format.
    Export(Format, PathBuf),
    /// Remember what the export sheet says: format and folder.
    ExportDraft(Format, String),
    /// Put text on the clipboard; the second text names it in the toast.
    Copy(String, &'static str),
    /// Stop a job.
    Cancel(JobId),
    /// A job tells how far it is.
    Progress(JobId, Progress),
    /// A job hands part of its result out and goes on.
    Part(JobId, Outcome),
    /// A job is over.
    Done(JobId, Outcome),
    /// A file dialog is over: what it was for, the path if one was chosen, and why not if that is known.
    Picked(PathPurpose, Option<PathBuf>, Option<String>),
    /// Stop waiting for the file dialog and type the path instead.
    TypePath,
    /// Use what was typed into the path box.
    UsePath(PathPurpose, PathBuf),
    /// Close a toast.
    DismissToast(u64),
}

/// Commands of the table of judgments.
#[derive(Debug, Clone, PartialEq)]
pub enum TableCommand {
    /// Search text.
    Search(String),
    /// Switch one filter chip on or off.
    Toggle(Filter),
    /// Sort by a column; a second time turns the order.
    Sort(SortBy),
    /// Mark a row of the filtered list.
    Mark(usize),
    /// Save filters and order under a name.
    SaveView(String),
    /// Apply a saved view.
    ApplyView(usize),
    /// Forget a saved view.
    ForgetView(usize),
}

/// Commands of the case page.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseCommand {
    /// Select a hybrid: toggles, cube corner, lattice node and table row are one selection.
    Select(Mask),
    /// Take the other version of a source.
    Flip(usize),
    /// Cube, lattice or table.
    Tab(CaseTab),
    /// Which column is on top where the three are tabs.
    Column(Column),
    /// Show only what differs.
    OnlyDifferences(bool),
    /// Turn the cube to an angle: yaw and pitch, in radians.
    Turn(f32, f32),
    /// Open or close the minimality proof of a receipt.
    Expand(Mask),
    /// Walk an edge: replace one source in a hybrid; `None` steps off.
    Walk(Option<(Mask, usize)>),
    /// Show the full trace, or only its decisive part.
    FullTrace(bool),
    /// Open a long value or a subtree in place, by a key that the page chooses.
    Unfold(String),
    /// Edit a value in the sandbox (opens one if there is none).
    Edit {
        /// The source.
        source: usize,
        /// Which version.
        version: Version,
        /// Where in its body.
        path: JsonPath,
        /// The new value.
        value: Json,
    },
    /// What is being typed into a value of the sandbox, by the same key as [`CaseCommand::Unfold`].
    EditDraft(String, String),
}

/// Commands of the verify view.
#[derive(Debug, Clone, PartialEq)]
pub enum VerifyCommand {
    /// Check a file.
    Check(PathBuf),
    /// Trust a public key from a PEM file.
    Trust(PathBuf),
    /// Stop trusting the key at a position.
    Distrust(usize),
    /// Use a case file for the replay, or none.
    UseCase(Option<PathBuf>),
    /// Choose a file, a key or a case in a dialog.
    Browse(PathPurpose),
}

/// The commands a person can name. [`TABLE`] says everything else about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is named and described in the table")]
pub enum Action {
    OpenFile,
    OpenFolder,
    OpenPath,
    OpenShipped,
    Reload,
    Certify,
    Export,
    ExportCertificate,
    ExportBundle,
    ExportMarkdown,
    ExportSvg,
    ExportPng,
    ShowCommand,
    ChooseKey,
    NewKey,
    Quit,
    Undo,
    Redo,
    CopyMarkdown,
    CopyLink,
    Find,
    ClearFilters,
    SaveView,
    Cube,
    Lattice,
    Table,
    OnlyDifferences,
    Swap,
    FlipGrounds,
    FlipNorms,
    FlipAuthority,
    NextCell,
    PreviousCell,
    WhatIf,
    ResetCube,
    ZoomIn,
    ZoomOut,
    ZoomReset,
    ResetLayout,
    FullScreen,
    LookSystem,
    LookLight,
    LookDark,
    LookContrast,
    GoCasebook,
    GoJudgments,
    GoVerify,
    Next,
    Previous,
    OpenMarked,
    Back,
    Palette,
    Keys,
    About,
}

/// The menus, left to right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the menus' titles")]
pub enum Menu {
    File,
    Edit,
    View,
    Go,
    Help,
}

impl Menu {
    /// All menus, left to right.
    pub const ALL: [Self; 5] = [Self::File, Self::Edit, Self::View, Self::Go, Self::Help];

    /// The menu's title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Go => "Go",
            Self::Help => "Help",
        }
    }
}

/// Where a key acts. Two commands may share a key only in scopes that never meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Everywhere.
    Everywhere,
    /// In the table of judgments.
    List,
    /// On the case page.
    Case,
}

impl Scope {
    /// Whether a key of this scope acts on a route.
    #[must_use]
    pub fn covers(self, route: Route) -> bool {
        match self {
            Self::Everywhere => true,
            Self::List => route == Route::Judgments,
            Self::Case => route == Route::Case,
        }
    }

    const fn meets(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Everywhere, _) | (_, Self::Everywhere) | (Self::List, Self::List) | (Self::Case, Self::Case)
        )
    }
}

/// One command of the table.
pub struct Entry {
    /// The command.
    pub action: Action,
    /// Its name for the settings file, stable.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// One sentence for the tooltip and the palette.
    pub about: &'static str,
    /// Its keys; the first is the one shown.
    pub keys: &'static [Chord],
    /// Its menu and the group in it.
    pub menu: Option<(Menu, u8)>,
    /// Where its keys act.
    pub scope: Scope,
    /// Whether it applies now; `Err` says why not and what to do.
    pub when: fn(&State) -> Result<(), &'static str>,
}

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chord {
    /// Modifiers; `command` is Ctrl, or Cmd on a Mac.
    pub modifiers: Modifiers,
    /// The key.
    pub key: Key,
}

impl Chord {
    /// The key alone.
    #[must_use]
    pub const fn bare(key: Key) -> Self {
        Self { modifiers: Modifiers::NONE, key }
    }

    /// Ctrl and the key.
    #[must_use]
    pub const fn ctrl(key: Key) -> Self {
        Self { modifiers: Modifiers::COMMAND, key }
    }

    /// Ctrl, Shift and the key.
    #[must_use]
    pub const fn ctrl_shift(key: Key) -> Self {
        Self { modifiers: Modifiers { shift: true, ..Modifiers::COMMAND }, key }
    }

    /// Whether it acts while a text field has the keyboard: only with Ctrl, or a function key.
    #[must_use]
    pub fn acts_in_text(self) -> bool {
        self.modifiers.command || matches!(self.key, Key::F1 | Key::F5 | Key::F11 | Key::Escape)
    }

    /// As the toolkit wants it.
    #[must_use]
    pub const fn shortcut(self) -> KeyboardShortcut {
        KeyboardShortcut::new(self.modifiers, self.key)
    }

    /// As people read it: `Ctrl Shift E`, `J`, `?`.
    #[must_use]
    pub fn words(self) -> String {
        let mut parts = Vec::new();
        if self.modifiers.command {
            parts.push(if cfg!(target_os = "macos") { "Cmd" } else { "Ctrl" });
        }
        if self.modifiers.alt {
            parts.push("Alt");
        }
        if self.modifiers.shift {
            parts.push("Shift");
        }
        let key = match self.key {
            Key::Enter => "⏎",
            Key::Escape => "Esc",
            Key::ArrowDown => "↓",
            Key::ArrowUp => "↑",
            Key::ArrowLeft => "←",
            Key::ArrowRight => "→",
            Key::Backspace => "Backspace",
            Key::Plus => "+",
            Key::Minus => "−",
            Key::Equals => "=",
            Key::Questionmark => "?",
            Key::Slash => "/",
            other => other.name(),
        };
        parts.push(key);
        parts.join(" ")
    }
}

/// Two commands that would answer to the same key in the same place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{chord} is asked for by both “{first}” and “{second}”; give one of them another key")]
pub struct Conflict {
    /// The key.
    pub chord: String,
    /// One command.
    pub first: &'static str,
    /// The other.
    pub second: &'static str,
}

/// Refuses a table in which two commands answer to the same key in the same place.
///
/// # Errors
/// The first [`Conflict`].
pub fn check(table: &[Entry]) -> Result<(), Conflict> {
    for (i, a) in table.iter().enumerate() {
        for b in &table[..i] {
            let shared = a.keys.iter().find(|k| b.keys.contains(k));
            if let Some(chord) = shared.filter(|_| a.scope.meets(b.scope)) {
                return Err(Conflict { chord: chord.words(), first: b.name, second: a.name });
            }
        }
    }
    Ok(())
}

/// The table's line of a command.
#[must_use]
pub fn entry(action: Action) -> &'static Entry {
    let place = TABLE.iter().position(|e| e.action == action).unwrap_or(0);
    &TABLE[place]
}

impl Action {
    /// The table's line.
    #[must_use]
    pub fn entry(self) -> &'static Entry {
        entry(self)
    }

    /// The key shown for it, if it has one.
    #[must_use]
    pub fn key_words(self) -> Option<String> {
        self.entry().keys.first().map(|k| k.words())
    }

    /// Whether it applies now.
    #[must_use]
    pub fn applies(self, state: &State) -> bool {
        (self.entry().when)(state).is_ok()
    }

    /// Tooltip: what it does, its key, and, where it does not apply, why.
    #[must_use]
    pub fn tooltip(self, state: &State) -> String {
        let e = self.entry();
        let key = self.key_words().map(|k| format!("  ({k})")).unwrap_or_default();
        match (e.when)(state) {
            Ok(()) => format!("{}{key}", e.about),
            Err(why) => format!("{}{key}\n{why}", e.about),
        }
    }
}

/// The queue that views write to.
#[derive(Debug, Default)]
pub struct Commands(Vec<Command>);

impl Commands {
    /// Asks for something.
    pub fn push(&mut self, command: Command) {
        self.0.push(command);
    }

    /// Asks for a named command.
    pub fn act(&mut self, action: Action) {
        self.0.push(Command::Do(action));
    }

    /// Asks something of the case page.
    pub fn case(&mut self, command: CaseCommand) {
        self.0.push(Command::Case(command));
    }

    /// Asks something of the table.
    pub fn table(&mut self, command: TableCommand) {
        self.0.push(Command::Table(command));
    }

    /// Takes what was asked for, in order.
    #[must_use]
    pub fn take(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.0)
    }
}
