//! Undo and redo of filters and layout: each step has a name, 100 are kept.

use super::wings::Filters;
use crate::theme::Look;
use crate::wings::judgment::state::SavedView;

const STEPS: usize = 100;

/// What undo gives back.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Search, chips and order of the wings.
    pub filters: Filters,
    /// The look.
    pub look: Look,
    /// Zoom.
    pub zoom: f32,
    /// Width of the rail.
    pub rail: f32,
    /// The switch of the source diff.
    pub only_differences: bool,
    /// Saved views.
    pub views: Vec<SavedView>,
}

/// What a step changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Filters, order or layout.
    Layout,
    /// A sandbox with edits was closed.
    SandboxClosed,
}

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its name for people.
    pub name: String,
    /// What it changed.
    pub change: Change,
    /// The layout on its other side.
    pub layout: Layout,
}

/// Named steps back and forth.
#[derive(Debug, Default)]
pub struct History {
    /// Steps to take back, each with the layout before it.
    pub undo: Vec<Step>,
    /// Steps to do again, each with the layout after it.
    pub redo: Vec<Step>,
}

impl History {
    /// Notes a change. Steps of the same name in a row (typing, dragging) are one step.
    pub fn note(&mut self, name: &str, change: Change, before: Layout) {
        self.redo.clear();
        if self.undo.last().is_some_and(|last| last.name == name) {
            return;
        }
        self.undo.push(Step { name: name.to_owned(), change, layout: before });
        if self.undo.len() > STEPS {
            self.undo.remove(0);
        }
    }

    /// Takes the last step back.
    pub fn undo(&mut self, now: Layout) -> Option<Step> {
        let step = self.undo.pop()?;
        self.redo.push(Step { layout: now, ..step.clone() });
        Some(step)
    }

    /// Does it again.
    pub fn redo(&mut self, now: Layout) -> Option<Step> {
        let step = self.redo.pop()?;
        self.undo.push(Step { layout: now, ..step.clone() });
        Some(step)
    }
}
