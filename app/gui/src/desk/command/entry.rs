//! A line of the table: its menu, its keys, where they act, and when the command applies.

use std::fmt;

use egui::{Context, Key, Modifiers};

use crate::desk::Desk;
use crate::desk::page::Page;
use crate::desk::state::State;
use crate::desk::wings::Route;

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
    /// On one page.
    On(Route),
    /// On every page that shows one open thing, a case or a study.
    Open,
}

impl Scope {
    /// Whether a key of this scope acts on a page.
    #[must_use]
    pub fn covers(self, page: &dyn Page) -> bool {
        match self {
            Self::Everywhere => true,
            Self::On(route) => route == page.route(),
            Self::Open => page.shows_one(),
        }
    }

    fn meets(self, other: Self, pages: &[&dyn Page]) -> bool {
        let open = |route: Route| pages.iter().any(|page| page.route() == route && page.shows_one());
        match (self, other) {
            (Self::Everywhere, _) | (_, Self::Everywhere) | (Self::Open, Self::Open) => true,
            (Self::On(one), Self::On(two)) => one == two,
            (Self::Open, Self::On(route)) | (Self::On(route), Self::Open) => open(route),
        }
    }
}

/// Whether a command applies; `Err` says why not and what to do.
pub type Applies = Result<(), &'static str>;

/// A named command.
pub type Action = &'static Entry;

/// A named command: everything that is known of it.
pub struct Entry {
    /// Its name for the palette and for tests, stable.
    pub id: &'static str,
    /// Its place among all: menus, palette and cheat sheet list by it.
    pub rank: u16,
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
    pub when: fn(&State) -> Applies,
    /// What it does.
    pub run: fn(&mut Desk, &Context),
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Entry {}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl Entry {
    /// The key shown for it, if it has one.
    #[must_use]
    pub fn key_words(&self) -> Option<String> {
        self.keys.first().map(|k| k.words())
    }

    /// Whether it applies now.
    #[must_use]
    pub fn applies(&self, state: &State) -> bool {
        (self.when)(state).is_ok()
    }

    /// Tooltip: what it does, its key, and, where it does not apply, why.
    #[must_use]
    pub fn tooltip(&self, state: &State) -> String {
        let key = self.key_words().map(|k| format!("  ({k})")).unwrap_or_default();
        match (self.when)(state) {
            Ok(()) => format!("{}{key}", self.about),
            Err(why) => format!("{}{key}\n{why}", self.about),
        }
    }
}

/// Named commands, each a constant of its own, and the slice of all of them.
macro_rules! actions {
    ($($action:ident = $rank:literal, $id:literal, $name:literal, $about:literal, $keys:expr, $menu:expr, $scope:expr, $when:path => $run:expr;)*) => {
        $(
            #[doc = $about]
            pub static $action: $crate::desk::command::Entry = $crate::desk::command::Entry {
                id: $id, rank: $rank, name: $name, about: $about, keys: $keys, menu: $menu, scope: $scope, when: $when, run: $run,
            };
        )*
        /// All of them.
        pub static ACTIONS: &[$crate::desk::command::Action] = &[$(&$action),*];
    };
}

pub(crate) use actions;

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
pub fn check(table: &[&Entry], pages: &[&dyn Page]) -> Result<(), Conflict> {
    for (i, a) in table.iter().enumerate() {
        for b in &table[..i] {
            let shared = a.keys.iter().find(|k| b.keys.contains(k));
            if let Some(chord) = shared.filter(|_| a.scope.meets(b.scope, pages)) {
                return Err(Conflict { chord: chord.words(), first: b.name, second: a.name });
            }
        }
    }
    Ok(())
}
