//! What can be asked of the window. One table, [`TABLE`], names every command with its key, its place in the menu and
//! when it applies; handler, menu, tooltip, palette and cheat sheet read that table and nothing else.

use std::path::PathBuf;

use decidendi_core::judgment::source::{Mask, Version};
use decidendi_core::seal::json::{Json, JsonPath};
use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::study::Moment;

use super::jobs::{JobId, Outcome, Progress};
use super::state::{Overlay, PathPurpose, Route, State};
use crate::theme::Look;
use crate::wings::judgment::state::{CaseTab, Column, Filter, Format, SortBy};
use crate::wings::step_value::state::cloud::Camera;
use crate::wings::step_value::state::{Spot, StepColumn, StepFlag, StepFormat, StepTab, Stop, StudyPlace};

mod entry;
mod table;

pub use entry::{Chord, Conflict, Entry, Menu, Scope, check};
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
    /// The step-value view.
    Step(StepCommand),
    /// The acquire page.
    Acquire(AcquireCommand),
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
    /// Sign with the passphrase that was typed.
    Unlock,
    /// Write the open case in a format.
    Export(Format, PathBuf),
    /// Remember what the export sheet says: format and folder.
    ExportDraft(Format, String),
    /// Write the open study in a format.
    StepExport(StepFormat, PathBuf),
    /// Remember what the export sheet of a study says: format and folder.
    StepExportDraft(StepFormat, String),
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

/// Commands of the step-value view.
#[derive(Debug, Clone, PartialEq)]
pub enum StepCommand {
    /// Open a study.
    Open(StudyPlace),
    /// From the page of faults back to the study that was open.
    Return,
    /// Take another contrast.
    Contrast(usize),
    /// Select a transition.
    Select(usize),
    /// Switch one chip on or off.
    Toggle(StepFlag),
    /// The right card's tab.
    Tab(StepTab),
    /// Which part is on top where only one fits.
    Column(StepColumn),
    /// The stop between log-probabilities and gain.
    Stop(Stop),
    /// The corner of the face whose stops are shown.
    Corner(Side, Moment),
    /// The scalar whose stops are shown, on the face or beside it.
    Follow(Spot),
    /// The wave whose stops are shown.
    Wave(usize),
    /// Weight of the alternative channel in the pooled mean.
    Lambda(f64),
    /// A side's factor, as its binary logarithm.
    Scale(Side, f64),
    /// What the scatter shows; `None` is everything.
    Camera(Option<Camera>),
}

/// Commands of the acquire page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AcquireCommand {
    /// Read a plan, or the plan in a folder.
    Open(PathBuf),
    /// Keep the log in this folder.
    Into(PathBuf),
    /// Choose the folder of the log in a dialog.
    Browse,
    /// Take a plan out of those opened before.
    Forget(PathBuf),
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
    GoStep,
    StepScatter,
    StepRetrieval,
    StepCube,
    StepBridge,
    StepDiagnostics,
    StepRecalibration,
    StepCohort,
    StepContrast,
    StepCorner,
    StepAcross,
    StepStop,
    StepWave,
    StepFit,
    StepClear,
    StepCsv,
    StepCertify,
    StepCertifyStudy,
    GoAcquire,
    AcquirePlan,
    AcquireExample,
    AcquireProbe,
    AcquireRun,
    AcquireCancel,
    AcquireReplay,
    AcquireStudy,
    AcquireBack,
    Next,
    Previous,
    OpenMarked,
    Back,
    Palette,
    Keys,
    About,
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

    /// Asks something of the step-value view.
    pub fn step(&mut self, command: StepCommand) {
        self.0.push(Command::Step(command));
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
