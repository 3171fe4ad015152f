//! A line of the table: its menu, its keys, where they act, and when the command applies.

use egui::{Key, Modifiers};

use super::Action;
use crate::desk::state::{Route, State};

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
    /// In the step-value view.
    Step,
    /// On the acquire page.
    Acquire,
    /// On the case page and in the step-value view: whatever is open.
    Page,
}

impl Scope {
    /// Whether a key of this scope acts on a route.
    #[must_use]
    pub fn covers(self, route: Route) -> bool {
        match self {
            Self::Everywhere => true,
            Self::List => route == Route::Judgments,
            Self::Case => route == Route::Case,
            Self::Step => route == Route::Step,
            Self::Acquire => route == Route::Acquire,
            Self::Page => matches!(route, Route::Case | Route::Step),
        }
    }

    const fn meets(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Everywhere, _)
                | (_, Self::Everywhere)
                | (Self::List, Self::List)
                | (Self::Acquire, Self::Acquire)
                | (Self::Case | Self::Page, Self::Case | Self::Page)
                | (Self::Step | Self::Page, Self::Step | Self::Page)
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

    /// Shift and the key.
    #[must_use]
    pub const fn shift(key: Key) -> Self {
        Self { modifiers: Modifiers::SHIFT, key }
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
