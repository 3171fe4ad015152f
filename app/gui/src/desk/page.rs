//! A page of the window, as the shell needs it. Each wing defines its own; the shell and the desk go through all of them.

use std::path::{Path, PathBuf};

use egui::{Color32, Ui};

use super::Desk;
use super::command::{Action, Applies, Command, Commands};
use super::jobs::Exported;
use super::state::State;
use super::wings::Route;
use crate::theme::icons::Icon;

/// One page. What it does not say is as on every page.
pub trait Page: Sync {
    /// Where it is.
    fn route(&self) -> Route;

    /// Its named commands.
    fn actions(&self) -> &'static [Action] {
        &[]
    }

    /// What the cheat sheet calls it.
    fn keys_title(&self) -> &'static str {
        ""
    }

    /// Its sign in the rail, and the command that leads to it.
    fn rail(&self) -> Option<(Icon, Action)> {
        None
    }

    /// The page whose sign in the rail is lit.
    fn under(&self) -> Route {
        self.route()
    }

    /// The number beside its sign in the rail.
    fn count(&self, _state: &State) -> Option<Count> {
        None
    }

    /// Where it stands, from the outside in.
    fn crumbs(&self, state: &State) -> Vec<String>;

    /// Where the first crumb leads.
    fn back(&self) -> Option<Action> {
        None
    }

    /// Its title.
    fn title(&self, state: &State) -> String;

    /// What is said beside the title.
    fn chips(&self, _state: &State) -> Vec<String> {
        Vec::new()
    }

    /// Draws crumbs, title and chips, where they are more than words.
    fn heading(&self) -> Option<fn(&mut Ui, &State, &mut Commands)> {
        None
    }

    /// Draws the buttons of the context bar, from the right: the primary one first.
    fn buttons(&self, _ui: &mut Ui, _state: &State, _commands: &mut Commands) {}

    /// A person came to it.
    fn entered(&self, _desk: &mut Desk) {}

    /// Draws the page.
    fn show(&self, ui: &mut Ui, state: &State, commands: &mut Commands);

    /// What the window's title says; the casebook where it is nothing.
    fn window_title(&self, _state: &State) -> Option<String> {
        None
    }

    /// What the status bar says at the left; `None` says what the first page says.
    fn standing(&self, _state: &State) -> Option<Standing> {
        None
    }

    /// What the status bar says at the right before the keys: the place in a list. `None` where there is none.
    fn position(&self, _state: &State) -> Option<String> {
        None
    }

    /// Whether it shows one open thing, which can be exported, copied and linked to.
    fn shows_one(&self) -> bool {
        false
    }

    /// Whether that thing is there.
    ///
    /// # Errors
    /// Why not, and what to do.
    fn is_open(&self, _state: &State) -> Applies {
        Err("Open a case first.")
    }

    /// Whether arrows walk; where they do not, they scroll.
    fn walks_by_arrows(&self) -> bool {
        false
    }

    /// Whether there is a next and a previous one.
    ///
    /// # Errors
    /// Why not.
    fn walkable(&self, _state: &State) -> Option<Applies> {
        None
    }

    /// Goes one on or back. `false` leaves it to the first page.
    fn walk(&self, _desk: &mut Desk, _by: isize) -> bool {
        false
    }

    /// What Esc leaves before the page itself.
    fn leave(&self, _state: &State) -> Option<Command> {
        None
    }

    /// What Esc leaves even before error messages.
    fn leave_first(&self, _state: &State) -> Option<Command> {
        None
    }

    /// What the open thing can be written as.
    fn formats(&self, _state: &State) -> Vec<Offer> {
        Vec::new()
    }

    /// The format that is meant by a common one: by `picture-svg` the picture that is on the screen.
    fn format(&self, _state: &State, wanted: &'static str) -> &'static str {
        wanted
    }

    /// Prepares writing a format; the work itself runs as a job.
    ///
    /// # Errors
    /// Why it cannot be written.
    fn write(&self, _state: &State, _format: &str) -> Result<Writing, String> {
        Err("There is nothing to write.".to_owned())
    }

    /// A file was written.
    fn exported(&self, _desk: &mut Desk, _exported: &Exported) {}

    /// The open thing as Markdown for the clipboard, and what the message calls it.
    ///
    /// # Errors
    /// Why nothing is copied.
    fn markdown(&self, _state: &State) -> Result<(String, &'static str), String> {
        Err("There is nothing to copy.".to_owned())
    }

    /// A link to what is on the page.
    fn link(&self, _state: &State) -> Option<String> {
        None
    }

    /// The command lines that do the same; `None` says those of the first page.
    fn command_line(&self, _state: &State, _with: &Shell) -> Option<String> {
        None
    }

    /// What the palette finds by these words, besides commands.
    fn find(&self, _state: &State, _words: &[&str]) -> Vec<Hit> {
        Vec::new()
    }

    /// Opens a path if it is one of this page's.
    fn opens(&self, _desk: &mut Desk, _path: &Path) -> bool {
        false
    }

    /// Reads what is open again. `false` where there is nothing.
    fn reload(&self, _desk: &mut Desk) -> bool {
        false
    }

    /// How to tell whether its files stand otherwise on the disk: asked in a job.
    fn watched(&self, _state: &State) -> Option<Watched> {
        None
    }

    /// Its files stand otherwise.
    fn changed(&self, _desk: &mut Desk) {}

    /// What a file dragged over the window would become.
    fn drop_hint(&self) -> Option<&'static str> {
        None
    }

    /// Where messages stand, if not at the left above the foot of the window.
    fn messages(&self) -> Messages {
        Messages::Left(12.0)
    }
}

/// Tells whether files stand otherwise than they were read.
pub type Watched = Box<dyn FnOnce() -> bool + Send>;

/// A number beside a sign of the rail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The number.
    pub number: usize,
    /// What it counts, for screen readers.
    pub spoken: String,
    /// Whether it counts trouble.
    pub is_trouble: bool,
}

/// What the status bar says at the left.
#[derive(Debug)]
pub struct Standing {
    /// The colour of the dot.
    pub dot: Color32,
    /// The words.
    pub words: String,
    /// Their colour, if not the quiet one.
    pub ink: Option<Color32>,
    /// More, that can be clicked: words, the same for screen readers, and what it asks for.
    pub more: Option<(String, String, Command)>,
    /// What is said while no job runs; nothing where the room is needed.
    pub idle: Option<String>,
}

/// Where messages stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Messages {
    /// At the left, so far above the status bar.
    Left(f32),
    /// At the right where the window is wide.
    Right,
}

/// What a thing can be written as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Its id among the page's formats.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What it is for, in one sentence.
    pub about: &'static str,
    /// The file's name.
    pub file: String,
    /// The part of that name that says the format, without the dot before it.
    pub ending: &'static str,
    /// Why it cannot be written now, and what to do.
    pub barred: Option<&'static str>,
}

/// Writes the bytes of a file, in a job.
pub type Writing = Box<dyn FnOnce() -> Result<Written, String> + Send>;

/// The bytes of a file.
#[derive(Debug)]
pub struct Written {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The digest of the certificate in them, if there is one.
    pub certificate: Option<String>,
}

/// What command lines are written with.
#[derive(Debug)]
pub struct Shell {
    /// The signing key, as a shell takes it.
    pub key: String,
    /// The folder of exports.
    pub folder: PathBuf,
}

impl Shell {
    /// A word as a shell takes it.
    #[must_use]
    pub fn word(word: &str) -> String {
        let plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "/._-+:@%".contains(c));
        if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
    }

    /// A path as a shell takes it.
    #[must_use]
    pub fn path(path: &Path) -> String {
        Self::word(&path.display().to_string())
    }
}

/// Something that the palette finds.
#[derive(Debug)]
pub struct Hit {
    /// Its place among what is found: what is on the page, what was opened before, what can be opened.
    pub rank: u8,
    /// Its sign.
    pub icon: Icon,
    /// Its name.
    pub name: String,
    /// More of it.
    pub about: String,
    /// What it asks for.
    pub ask: Vec<Command>,
}
