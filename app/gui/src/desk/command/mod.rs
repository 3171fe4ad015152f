//! What can be asked of the window. Each page has its own slice of named commands ([`Entry`]), with key, place in the menu,
//! when it applies and what it does; keys, menu, tooltip, palette and cheat sheet read these entries and nothing else.

use std::path::PathBuf;

use super::hand_out::Occupied;
use super::state::{Overlay, PathPurpose};
use super::wings::{Route, WingCommand};
use crate::shared::job::JobId;
use crate::theme::Look;

mod entry;

pub(crate) use entry::actions;
pub use entry::{Action, Applies, Chord, Conflict, Entry, Menu, Scope, check};

/// Everything that a person can ask for. One queue, one order.
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
    /// Something of one wing.
    Wing(WingCommand),
    /// Trust a public key from a PEM file.
    Trust(PathBuf),
    /// Choose a file, a key or a folder in a dialog.
    Browse(PathPurpose),
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
    /// Sign with the passphrase that was typed.
    Unlock,
    /// Write what is open: in which format, by its id, and into which folder.
    Export(&'static str, PathBuf),
    /// Remember what the export sheet says: format and folder.
    ExportDraft(&'static str, String),
    /// Write what another file is in the way of: over that file, or else under the other name.
    Settle(Occupied, bool),
    /// Put text on the clipboard; the second text names it in the toast.
    Copy(String, &'static str),
    /// Stop a job.
    Cancel(JobId),
    /// A file dialog is over: what it was for, the path if one was chosen, and why not if that is known.
    Picked(PathPurpose, Option<PathBuf>, Option<String>),
    /// Stop waiting for the file dialog and type the path instead.
    TypePath,
    /// Use what was typed into the path box.
    UsePath(PathPurpose, PathBuf),
    /// Close a toast.
    DismissToast(u64),
}

impl Command {
    /// Something of one wing.
    pub fn wing(command: impl Into<WingCommand>) -> Self {
        Self::Wing(command.into())
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

    /// Asks something of one wing.
    pub fn wing(&mut self, command: impl Into<WingCommand>) {
        self.0.push(Command::Wing(command.into()));
    }

    /// Takes what was asked for, in order.
    #[must_use]
    pub fn take(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.0)
    }
}
