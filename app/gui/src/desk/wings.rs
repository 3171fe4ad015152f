//! The wings by name: where the window can be, what each wing knows, what it can be asked, and what its jobs send back. A
//! new wing adds a line to each list; nothing else of the desk changes.

use std::path::{Path, PathBuf};

use super::command::Command;
use super::jobs::Answer;
use super::state::PathPurpose;
use crate::shared::job::{JobId, Progress};
use crate::wings::acquire::answer::AcquireAnswer;
use crate::wings::acquire::command::AcquireCommand;
use crate::wings::acquire::state::AcquireState;
use crate::wings::judgment::answer::JudgmentAnswer;
use crate::wings::judgment::command::{CaseCommand, TableCommand};
use crate::wings::judgment::state::{JudgmentState, Query};
use crate::wings::step_value::answer::StepAnswer;
use crate::wings::step_value::command::StepCommand;
use crate::wings::step_value::state::{StepFlag, StepState};
use crate::wings::verify::answer::VerifyAnswer;
use crate::wings::verify::command::VerifyCommand;
use crate::wings::verify::state::VerifyState;

/// Where the window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
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

/// What each wing knows.
#[derive(Debug, Default)]
pub struct Wings {
    /// Casebook, table and open case.
    pub judgment: JudgmentState,
    /// The step-value view.
    pub step: StepState,
    /// The acquire page.
    pub acquire: AcquireState,
    /// The verify view.
    pub verify: VerifyState,
}

/// What undo gives back of the wings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filters {
    /// Search, chips and order of the table of judgments.
    pub query: Query,
    /// Chips of the step-value view.
    pub chips: Vec<StepFlag>,
}

impl Wings {
    /// What is filtered.
    #[must_use]
    pub fn filters(&self) -> Filters {
        Filters { query: self.judgment.table.query.clone(), chips: self.step.chips() }
    }

    /// Filters as undo gives it back.
    pub fn set_filters(&mut self, filters: Filters, only_differences: bool) {
        self.judgment.only_differences(only_differences);
        self.step.set_chips(filters.chips);
        self.judgment.table.query = filters.query;
        self.judgment.refilter();
        self.judgment.mark_shown();
    }

    /// A page was drawn: what was asked of the toolkit for one frame is done.
    pub fn drawn(&mut self, route: Route) {
        let judgment = &mut self.judgment;
        match route {
            Route::Judgments => (judgment.focus_search, judgment.table.reveal) = (false, false),
            Route::Case => judgment.focus_edit = false,
            _ => {}
        }
    }

    /// A job tells how far it is.
    pub fn on_progress(&mut self, id: JobId, progress: Progress) {
        self.acquire.on_progress(id, progress.done);
    }

    /// Stops waiting for a job that cannot be broken off, and says so.
    pub fn give_up(&mut self, id: JobId) -> Option<&'static str> {
        self.step.give_up(id)
    }

    /// Where a dialog begins.
    #[must_use]
    pub fn folder(&self, purpose: PathPurpose) -> Option<PathBuf> {
        let plan = match purpose {
            PathPurpose::AcquirePlan | PathPurpose::AcquireFolder => self.acquire.folder(),
            _ => None,
        };
        plan.or_else(|| self.judgment.library.folder()).map(Path::to_owned)
    }
}

impl PathPurpose {
    /// What a chosen path is used for.
    #[must_use]
    pub fn command(self, path: PathBuf) -> Command {
        match self {
            Self::OpenFile | Self::OpenFolder | Self::ExportFolder => Command::Open(path),
            Self::Key => Command::UseKey(path),
            Self::Trust => Command::Trust(path),
            Self::Verify => VerifyCommand::Check(path).into(),
            Self::ReplayCase => VerifyCommand::UseCase(Some(path)).into(),
            Self::AcquirePlan => AcquireCommand::Open(path).into(),
            Self::AcquireFolder => AcquireCommand::Into(path).into(),
            Self::ExampleFolder => AcquireCommand::Example(path).into(),
        }
    }
}

/// An enumeration of what belongs to one wing each, made of any of them, and wrapped as what the desk passes on.
macro_rules! of_wings {
    ($(#[$doc:meta])* [$($derive:ident),*] $name:ident in $outer:ident { $($variant:ident($inner:ty),)* }) => {
        $(#[$doc])*
        #[derive($($derive),*)]
        #[expect(missing_docs, reason = "each is described where it is defined")]
        pub enum $name { $($variant($inner),)* }
        $(impl From<$inner> for $name {
            fn from(inner: $inner) -> Self {
                Self::$variant(inner)
            }
        }
        impl From<$inner> for $outer {
            fn from(inner: $inner) -> Self {
                Self::Wing(inner.into())
            }
        })*
    };
}

of_wings! {
    /// What the wings can be asked.
    [Debug, Clone, PartialEq] WingCommand in Command {
        Table(TableCommand),
        Case(CaseCommand),
        Step(StepCommand),
        Acquire(AcquireCommand),
        Verify(VerifyCommand),
    }
}

of_wings! {
    /// What the jobs of the wings send back.
    [Debug] WingAnswer in Answer {
        Judgment(JudgmentAnswer),
        Step(StepAnswer),
        Acquire(AcquireAnswer),
        Verify(VerifyAnswer),
    }
}
