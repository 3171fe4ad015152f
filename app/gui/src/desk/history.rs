//! Undo and redo of filters and layout: each step has a name, 100 are kept.

use crate::theme::Look;
use crate::wings::judgment::state::{Query, SavedView};
use crate::wings::step_value::state::StepFlag;

const STEPS: usize = 100;

/// What undo gives back.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Search, chips, order.
    pub query: Query,
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
    /// Chips of the step-value view.
    pub chips: Vec<StepFlag>,
}

/// Named steps back and forth.
#[derive(Debug, Default)]
pub struct History {
    /// Steps to take back: name, and the layout before it.
    pub undo: Vec<(String, Layout)>,
    /// Steps to do again: name, and the layout after it.
    pub redo: Vec<(String, Layout)>,
}

impl History {
    /// Notes a change. Steps of the same name in a row (typing, dragging) are one step.
    pub fn note(&mut self, name: &str, before: Layout) {
        self.redo.clear();
        if self.undo.last().is_some_and(|(last, _)| last == name) {
            return;
        }
        self.undo.push((name.to_owned(), before));
        if self.undo.len() > STEPS {
            self.undo.remove(0);
        }
    }

    /// Takes the last step back.
    pub fn undo(&mut self, now: Layout) -> Option<(String, Layout)> {
        let (name, before) = self.undo.pop()?;
        self.redo.push((name.clone(), now));
        Some((name, before))
    }

    /// Does it again.
    pub fn redo(&mut self, now: Layout) -> Option<(String, Layout)> {
        let (name, after) = self.redo.pop()?;
        self.undo.push((name.clone(), now));
        Some((name, after))
    }
}
