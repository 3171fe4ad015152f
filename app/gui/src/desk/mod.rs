//! The desk: state, queue, jobs, dialogs and disk behind one door. Commands come in order; slow work goes out as jobs and
//! comes back as messages. It knows the wings by name, and calls them by what it is given of them.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use decidendi_core::seal::digest::Digest;
use egui::Context;

use self::command::Command;
use self::dialog::{Ask, Dialogs};
use self::history::{Change, Layout};
use self::jobs::{Answer, Handle, Jobs};
use self::page::Page;
use self::persist::Store;
use self::settings::WindowPlace;
use self::state::{Job, Overlay, Pages, PathPurpose, State, Toast, Tone};
use self::wings::{Route, WingAnswer, WingCommand};
use crate::shared::job::{JobId, Progress};
use crate::theme::Theme;

pub mod actions;
mod apply;
mod certificates;
pub mod command;
mod deliver;
pub mod dialog;
pub mod disk;
mod exports;
pub mod hand_out;
pub mod history;
pub mod jobs;
pub mod link;
pub mod page;
pub mod parts;
pub mod persist;
pub mod settings;
pub mod state;
pub mod wings;

/// What the desk is given of the wings.
#[derive(Clone, Copy)]
pub struct Given {
    /// All pages, in the order of the rail.
    pub pages: &'static [&'static dyn Page],
    /// Carries out a command of a wing.
    pub apply: fn(&mut Desk, WingCommand, &Context),
    /// Takes what a job of a wing sent.
    pub deliver: fn(&mut Desk, JobId, WingAnswer),
    /// Nobody waits for this job any more.
    pub settle: fn(&mut Desk, JobId),
    /// Opens a path or a link.
    pub open: fn(&mut Desk, &Path),
}

/// State, jobs, dialogs and disk behind one door.
pub struct Desk {
    /// What views read. Changed here and by the updates of the wings, and nowhere else.
    pub(crate) state: State,
    pub(crate) jobs: Jobs,
    dialogs: Dialogs,
    store: Store,
    given: Given,
    /// What is carried out right after the command at hand.
    next: VecDeque<Command>,
    toasts: u64,
    /// What this window wrote where: it is replaced without a question as long as nobody changed it.
    written: BTreeMap<PathBuf, Digest>,
    /// Looking at the disk.
    watch: Option<JobId>,
    /// Looking whether a typed path leads anywhere.
    seek: Option<JobId>,
}

impl Desk {
    /// A desk with nothing on it.
    #[must_use]
    pub fn new(state: State, jobs: Jobs, dialogs: Dialogs, store: Store, given: Given) -> Self {
        let state = State { pages: Pages(given.pages), ..state };
        let (next, written) = (VecDeque::new(), BTreeMap::new());
        Self { state, jobs, dialogs, store, given, next, toasts: 0, written, watch: None, seek: None }
    }

    /// What views read.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Files are dragged over the window, or are not any more.
    pub fn hover(&mut self, hovering: bool) {
        self.state.hovering = hovering;
    }

    /// The window's clock goes on: messages whose time is over leave.
    pub fn tick(&mut self, now: f64) {
        self.state.now = now;
        self.state.toasts.retain(|t| t.until.is_none_or(|u| u > now));
    }

    /// Remembers where the window stands.
    pub fn remember_window(&mut self, place: WindowPlace) {
        self.state.settings.window = place;
        self.state.unsaved = true;
    }

    /// The page was drawn: what was asked of the toolkit for one frame is done.
    pub fn drawn(&mut self) {
        self.state.wings.drawn(self.state.route);
    }

    /// Where settings and keys are kept.
    #[must_use]
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Asks for something of another wing: it is carried out right after the command at hand.
    pub(crate) fn then(&mut self, command: impl Into<Command>) {
        self.next.push_back(command.into());
    }

    /// Starts a job that the status bar shows.
    pub(crate) fn start<A: Into<Answer>>(
        &mut self,
        name: &str,
        work: impl FnOnce(&Handle) -> A + Send + 'static,
    ) -> JobId {
        let id = self.jobs.start(name, move |handle| work(handle).into());
        self.state.jobs.push(Job {
            id,
            name: name.to_owned(),
            progress: Progress::default(),
            since: self.state.now,
            cancellable: true,
            cancelling: false,
        });
        id
    }

    /// A message in the corner. Errors stay until they are closed.
    pub fn toast(&mut self, tone: Tone, text: impl Into<String>, detail: Option<String>) {
        self.toasts += 1;
        let stay = match tone {
            Tone::Note => Some(3.0),
            Tone::Good => Some(5.0),
            Tone::Warn => Some(10.0),
            Tone::Bad => None,
        };
        let until = stay.map(|s| self.state.now + s);
        let text = text.into();
        // The same message again takes the place of the one before.
        self.state.toasts.retain(|t| (t.tone, &t.text, &t.detail) != (tone, &text, &detail));
        self.state.toasts.push(Toast { id: self.toasts, tone, text, detail, until });
        if self.state.toasts.len() > 4 {
            self.state.toasts.remove(0);
        }
    }

    /// An error is over once the same thing succeeds.
    pub(crate) fn mended(&mut self, text: &str) {
        self.state.toasts.retain(|t| t.tone != Tone::Bad || t.text != text);
    }

    /// Marks the settings as not yet on disk; they are written when the hand rests.
    pub(crate) fn keep(&mut self) {
        self.state.unsaved = true;
    }

    /// Writes the settings if they changed. Called when nothing is pressed or typed, and on leaving.
    pub fn save(&mut self) {
        if !self.state.unsaved {
            return;
        }
        self.state.unsaved = false;
        match self.store.save(&self.state.settings) {
            Ok(None) => {}
            Ok(Some(aside)) => {
                let what = format!("The settings that could not be read are kept as {}", aside.display());
                let next = "Mend them there; close the window before you move them back.".to_owned();
                self.toast(Tone::Bad, what, Some(next));
            }
            Err(why) => self.toast(Tone::Warn, "Settings could not be saved", Some(why)),
        }
    }

    /// The layout as undo would give it back.
    pub(crate) fn layout(&self) -> Layout {
        let s = &self.state.settings;
        Layout {
            filters: self.state.wings.filters(),
            look: s.look,
            zoom: s.zoom,
            rail: s.rail,
            only_differences: s.only_differences,
            views: s.views.clone(),
        }
    }

    /// Notes a named step before the layout changes.
    pub(crate) fn note(&mut self, name: &str) {
        self.note_change(name, Change::Layout);
    }

    /// Notes a named step before it is done.
    pub(crate) fn note_change(&mut self, name: &str, change: Change) {
        let before = self.layout();
        self.state.history.note(name, change, before);
    }

    fn set_layout(&mut self, layout: Layout, ctx: &Context) {
        self.state.settings.look = layout.look;
        self.state.settings.rail = layout.rail;
        self.state.settings.only_differences = layout.only_differences;
        self.state.settings.views = layout.views;
        self.zoom(layout.zoom, ctx);
        self.restyle(ctx);
        self.state.wings.set_filters(layout.filters, layout.only_differences);
        self.keep();
    }

    /// Resolves the look and lays it over the toolkit.
    pub fn restyle(&mut self, ctx: &Context) {
        let dark = ctx.system_theme() == Some(egui::Theme::Dark);
        if let Ok(theme) = Theme::new(self.state.settings.look, dark) {
            let theme = Arc::new(theme);
            theme.apply(ctx);
            self.state.theme = theme;
        }
    }

    pub(crate) fn zoom(&mut self, zoom: f32, ctx: &Context) {
        let zoom = (zoom.clamp(0.8, 2.0) * 100.0).round() / 100.0;
        self.state.settings.zoom = zoom;
        ctx.set_zoom_factor(zoom);
        self.keep();
    }

    /// Asks for a path in the system's dialog.
    pub(crate) fn ask(&mut self, purpose: PathPurpose) {
        let exports = self.state.settings.export_folder.clone();
        let folder = match purpose {
            PathPurpose::ExportFolder | PathPurpose::Verify => exports,
            _ => None,
        };
        let folder = folder.or_else(|| self.state.wings.folder(purpose));
        self.dialogs.ask(Ask { purpose, folder });
        self.state.dialog = self.dialogs.pending();
    }

    pub(crate) fn offer_path_box(&mut self) {
        let Some(purpose) = self.dialogs.forget() else { return };
        self.state.dialog = None;
        let why = "The desktop's file dialog does not answer. Type or paste the path instead.".to_owned();
        self.state.overlay = Some(Overlay::Path { purpose, text: String::new(), why: Some(why), found: None });
    }

    pub(crate) fn on_picked(&mut self, purpose: PathPurpose, path: Option<PathBuf>, why: Option<String>) {
        match (path, why) {
            (Some(path), _) => self.use_path(purpose, path),
            (None, Some(why)) => {
                self.state.overlay = Some(Overlay::Path { purpose, text: String::new(), why: Some(why), found: None });
            }
            (None, None) => {}
        }
    }

    /// Uses the path that was typed: whether anything is there is looked for in a job.
    fn use_typed(&mut self, purpose: PathPurpose, path: PathBuf) {
        let text = path.to_string_lossy().into_owned();
        if purpose.may_be_made() || text.starts_with("decidendi:") {
            self.state.overlay = None;
            self.use_path(purpose, path);
            return;
        }
        self.jobs.start("Looking for the path", move |_| disk::seek(path, Some(purpose)));
    }

    /// What is used lies there; or the box stays and says that nothing does.
    fn on_sought(&mut self, purpose: PathPurpose, path: PathBuf, is_there: bool) {
        if !is_there {
            let text = path.to_string_lossy().into_owned();
            let why = format!("Nothing is there under “{text}”. Mend the path, or close this box and choose a file.");
            self.state.overlay = Some(Overlay::Path { purpose, text, why: Some(why), found: Some(false) });
            return;
        }
        self.state.overlay = None;
        self.use_path(purpose, path);
    }

    fn use_path(&mut self, purpose: PathPurpose, path: PathBuf) {
        let path = if path.to_string_lossy().starts_with("decidendi:") { path } else { absolute(&path) };
        if purpose == PathPurpose::ExportFolder {
            let format = match self.state.overlay {
                Some(Overlay::Export { format, .. }) => format,
                _ => self.strongest(),
            };
            self.state.overlay = Some(Overlay::Export { format, folder: path.display().to_string() });
            return;
        }
        self.then(purpose.command(path));
    }

    /// Goes to a view. What is open stays open behind it.
    pub(crate) fn go(&mut self, route: Route) {
        self.state.overlay = None;
        self.state.route = route;
        if let Some(page) = self.state.page() {
            page.entered(self);
        }
    }
}

/// A path that still leads there from another folder.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
