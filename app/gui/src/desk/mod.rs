//! The desk: state, queue, jobs, dialogs and disk behind one door. Commands come in order; slow work goes out as jobs and comes back as commands.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::Context;

use self::command::Command;
use self::dialog::{Answer, Ask, Dialogs};
use self::history::Layout;
use self::jobs::{Handle, JobId, Jobs, Outcome, Progress};
use self::link::StepLink;
use self::persist::Store;
use self::state::{Job, Overlay, PathPurpose, State, Toast, Tone};
use crate::theme::Theme;
use crate::wings::judgment::state::Library;
use crate::wings::judgment::state::{CaseTab, Held};
use crate::wings::step_value::state::Certified;
use decidendi_core::judgment::source::Mask;

mod act;
pub mod command;
mod deliver;
pub mod dialog;
mod follow;
pub mod history;
pub mod jobs;
pub mod link;
pub mod persist;
pub mod seal;
pub mod settings;
pub mod state;

/// Jobs whose answer is still wanted. An answer with another number is late and is dropped.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) book: Option<JobId>,
    pub(crate) judging: Option<JobId>,
    pub(crate) case: Option<JobId>,
    pub(crate) trace: Option<JobId>,
    pub(crate) sandbox: Option<JobId>,
    pub(crate) verify: Option<JobId>,
    pub(crate) study: Option<JobId>,
    pub(crate) plan: Option<JobId>,
    pub(crate) shelf: Option<JobId>,
    pub(crate) step_signing: Option<JobId>,
    pub(crate) watch: Option<JobId>,
}

/// State, jobs, dialogs and disk behind one door.
pub struct Desk {
    /// What views read.
    pub state: State,
    pub(crate) jobs: Jobs,
    pub(crate) dialogs: Dialogs,
    pub(crate) store: Store,
    pub(crate) library: Arc<Library>,
    pub(crate) wanted: Wanted,
    /// The case to open once the casebook is read: by id, or the first.
    pub(crate) open_next: Option<OpenNext>,
    pub(crate) toasts: u64,
    /// Certificates made in this session, by case id.
    pub(crate) certificates: BTreeMap<String, Held>,
    pub(crate) signing: Option<JobId>,
    /// What of a study waits for the passphrase.
    pub(crate) locked_study: Certified,
    /// Tab and hybrid that a followed link asks for.
    pub(crate) arrive: Option<(CaseTab, Mask)>,
    /// Where a followed link leads in the study that is being read.
    pub(crate) arrive_step: Option<StepLink>,
    /// The study is being read because its files changed on disk.
    pub(crate) rereading: bool,
    /// The sandbox that was closed last, for undo.
    pub(crate) closed: Option<crate::wings::judgment::update::case::Closed>,
    /// The case being opened gets its sandbox back.
    pub(crate) restoring: bool,
}

/// What to open once a casebook was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenNext {
    /// The first case.
    First,
    /// The case of this id.
    Id(String),
}

impl Desk {
    /// A desk with nothing on it.
    #[must_use]
    pub fn new(state: State, jobs: Jobs, dialogs: Dialogs, store: Store) -> Self {
        Self {
            state,
            jobs,
            dialogs,
            store,
            library: Arc::new(Library::default()),
            wanted: Wanted::default(),
            open_next: None,
            toasts: 0,
            certificates: BTreeMap::new(),
            signing: None,
            locked_study: None,
            arrive: None,
            arrive_step: None,
            rereading: false,
            closed: None,
            restoring: false,
        }
    }

    /// Where settings and keys are kept.
    #[must_use]
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Takes what jobs and dialogs have sent. Tells whether anything came.
    pub fn collect(&mut self, ctx: &Context) -> bool {
        let sent = self.jobs.drain();
        let any = !sent.is_empty();
        for command in sent {
            self.apply(command, ctx);
        }
        if let Some(answer) = self.dialogs.poll() {
            let command = match answer {
                Answer::Path(purpose, path) => Command::Picked(purpose, Some(path), None),
                Answer::Fallback(purpose, why) => Command::Picked(purpose, None, Some(why)),
                Answer::Closed => Command::Picked(PathPurpose::OpenFile, None, None),
            };
            self.apply(command, ctx);
        }
        self.state.dialog = self.dialogs.pending();
        if let Some(wait) = self.dialogs.wake_in() {
            ctx.request_repaint_after(wait + std::time::Duration::from_millis(20));
        } else if self.state.dialog.is_some() && self.state.overlay.is_none() {
            self.offer_path_box();
        }
        any
    }

    /// Carries out one command.
    pub fn apply(&mut self, command: Command, ctx: &Context) {
        match command {
            Command::Do(action) => self.act(action, ctx),
            Command::Go(route) => self.go(route),
            Command::Open(path) => self.open_path_or_link(&path),
            Command::ForgetRecent(path) => {
                self.state.settings.recents.retain(|p| *p != path);
                self.keep();
            }
            Command::OpenRow(row) => self.open_row(row),
            Command::Table(command) => self.on_table(command),
            Command::Case(command) => self.on_case(command),
            Command::Step(command) => self.on_step(command),
            Command::Acquire(command) => self.on_acquire(command),
            Command::Verify(command) => self.on_verify(command),
            Command::Overlay(overlay) => self.state.overlay = overlay,
            Command::OverlayText(text) => self.overlay_text(text),
            Command::OverlayMark(to) => {
                if let Some(Overlay::Palette { mark, .. }) = &mut self.state.overlay {
                    *mark = to;
                }
            }
            Command::SetLook(look) => {
                self.note("look");
                self.state.settings.look = look;
                self.restyle(ctx);
                self.keep();
            }
            Command::SetZoom(zoom) => {
                self.note("zoom");
                self.zoom(zoom, ctx);
            }
            Command::SetRail(width) => {
                self.note("width of the rail");
                self.state.settings.rail = width.clamp(120.0, 320.0);
                self.state.unsaved = true;
            }
            Command::UseKey(path) => self.read_key(path),
            Command::Unlock => self.unlock(),
            Command::Export(format, folder) => self.export(format, folder),
            Command::ExportDraft(format, folder) => self.state.overlay = Some(Overlay::Export { format, folder }),
            Command::StepExport(format, folder) => self.export_study(format, folder),
            Command::StepExportDraft(format, folder) => {
                self.state.overlay = Some(Overlay::StepExport { format, folder });
            }
            Command::Copy(text, what) => {
                ctx.copy_text(text);
                self.toast(Tone::Note, format!("{what} copied"), None);
            }
            Command::Cancel(id) => {
                self.jobs.cancel(id);
                // Reading one large document cannot be broken off half way: nobody waits for its end.
                if self.wanted.study == Some(id) {
                    self.state.jobs.retain(|j| j.id != id);
                    self.forget_study();
                }
                if let Some(job) = self.state.jobs.iter_mut().find(|j| j.id == id) {
                    job.cancelling = true;
                }
            }
            Command::Progress(id, progress) => self.on_progress(id, progress),
            Command::Part(id, outcome) => self.deliver(id, outcome, ctx),
            Command::Done(id, outcome) => {
                self.state.jobs.retain(|j| j.id != id);
                self.deliver(id, outcome, ctx);
            }
            Command::Picked(purpose, path, why) => self.on_picked(purpose, path, why),
            Command::TypePath => self.offer_path_box(),
            Command::UsePath(purpose, path) => self.use_typed(purpose, path),
            Command::DismissToast(id) => self.state.toasts.retain(|t| t.id != id),
        }
    }

    pub(crate) fn on_progress(&mut self, id: JobId, progress: Progress) {
        self.on_acquire_progress(id, progress.done);
        if let Some(job) = self.state.jobs.iter_mut().find(|j| j.id == id) {
            job.progress = progress;
        }
    }

    /// Starts a job that the status bar shows.
    pub(crate) fn start(&mut self, name: &str, work: impl FnOnce(&Handle) -> Outcome + Send + 'static) -> JobId {
        let id = self.jobs.start(name, work);
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
            query: self.state.table.query.clone(),
            look: s.look,
            zoom: s.zoom,
            rail: s.rail,
            only_differences: s.only_differences,
            views: s.views.clone(),
            chips: self.state.step.open.as_ref().map(|open| open.filters.clone()).unwrap_or_default(),
        }
    }

    /// Notes a named step before the layout changes.
    pub(crate) fn note(&mut self, name: &str) {
        let before = self.layout();
        self.state.history.note(name, before);
    }

    pub(crate) fn set_layout(&mut self, layout: Layout, ctx: &Context) {
        self.state.settings.look = layout.look;
        self.state.settings.rail = layout.rail;
        self.state.settings.only_differences = layout.only_differences;
        self.state.settings.views = layout.views;
        if let Some(open) = &mut self.state.open {
            open.only_differences = layout.only_differences;
        }
        if let Some(open) = &mut self.state.step.open {
            open.filters = layout.chips;
            open.sift();
        }
        self.zoom(layout.zoom, ctx);
        self.restyle(ctx);
        self.state.table.query = layout.query;
        self.refilter();
        self.mark_shown();
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
        let folder = match (&self.state.settings.export_folder, purpose) {
            (Some(folder), PathPurpose::ExportFolder | PathPurpose::Verify) => Some(folder.clone()),
            (_, PathPurpose::AcquirePlan | PathPurpose::AcquireFolder) if self.state.acquire.open.is_some() => {
                self.state.acquire.open.as_ref().and_then(|open| open.path.parent()).map(Path::to_owned)
            }
            _ => self.library.folder().map(Path::to_owned),
        };
        self.dialogs.ask(Ask { purpose, folder });
        self.state.dialog = self.dialogs.pending();
    }

    pub(crate) fn offer_path_box(&mut self) {
        let Some(purpose) = self.dialogs.forget() else { return };
        self.state.dialog = None;
        let why = "The desktop's file dialog does not answer. Type or paste the path instead.".to_owned();
        self.state.overlay = Some(Overlay::Path { purpose, text: String::new(), why: Some(why) });
    }

    pub(crate) fn on_picked(&mut self, purpose: PathPurpose, path: Option<PathBuf>, why: Option<String>) {
        match (path, why) {
            (Some(path), _) => self.use_path(purpose, path),
            (None, Some(why)) => {
                self.state.overlay = Some(Overlay::Path { purpose, text: String::new(), why: Some(why) });
            }
            (None, None) => {}
        }
    }

    /// Uses the path that was typed, or keeps the box and says that nothing is there.
    pub(crate) fn use_typed(&mut self, purpose: PathPurpose, path: PathBuf) {
        let text = path.to_string_lossy().into_owned();
        if !purpose.may_be_made() && !text.starts_with("decidendi:") && !path.exists() {
            let why = format!("Nothing is there under “{text}”. Mend the path, or close this box and choose a file.");
            self.state.overlay = Some(Overlay::Path { purpose, text, why: Some(why) });
            return;
        }
        self.state.overlay = None;
        self.use_path(purpose, path);
    }

    pub(crate) fn use_path(&mut self, purpose: PathPurpose, path: PathBuf) {
        let path = if path.to_string_lossy().starts_with("decidendi:") { path } else { absolute(&path) };
        match purpose {
            PathPurpose::OpenFile | PathPurpose::OpenFolder => self.open_path_or_link(&path),
            PathPurpose::Key => self.read_key(path),
            PathPurpose::Trust => self.read_trust(path),
            PathPurpose::Verify => self.check(path),
            PathPurpose::AcquirePlan => self.open_plan(&path, None),
            PathPurpose::AcquireFolder => self.acquire_into(path),
            PathPurpose::ExampleFolder => self.write_example(path),
            PathPurpose::ReplayCase => self.use_case(Some(path)),
            PathPurpose::ExportFolder => {
                let folder = path.display().to_string();
                if let Some(Overlay::StepExport { format, .. }) = self.state.overlay {
                    self.state.overlay = Some(Overlay::StepExport { format, folder });
                    return;
                }
                let format = match &self.state.overlay {
                    Some(Overlay::Export { format, .. }) => *format,
                    _ => crate::wings::judgment::state::Format::default(),
                };
                self.state.overlay = Some(Overlay::Export { format, folder });
            }
        }
    }

    pub(crate) fn overlay_text(&mut self, new: String) {
        match &mut self.state.overlay {
            Some(Overlay::Palette { text, mark }) => {
                *text = new;
                *mark = 0;
            }
            Some(Overlay::Path { text, .. }) => *text = new,
            Some(Overlay::Export { folder, .. } | Overlay::StepExport { folder, .. }) => *folder = new,
            Some(Overlay::SaveView(name)) => *name = new,
            _ => {}
        }
    }
}

/// A path that still leads there from another folder.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
