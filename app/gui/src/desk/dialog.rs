//! The system's file dialogs, in a thread of their own: they may never come, come late, or fail without a word. Then a
//! box to type the path appears, with the reason.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use super::jobs::Waker;
use super::state::PathPurpose;

/// A dialog that ends this fast was never seen by anybody.
const NEVER_SEEN: Duration = Duration::from_millis(250);
/// After this long without an answer the window offers the path box beside the dialog.
const PATIENCE: Duration = Duration::from_millis(1500);

/// What a dialog is asked for.
#[derive(Debug, Clone)]
pub struct Ask {
    /// What the path is for.
    pub purpose: PathPurpose,
    /// Where to start.
    pub folder: Option<PathBuf>,
}

/// Shows a dialog and blocks until it is answered.
pub trait FilePicker: Send + Sync {
    /// The chosen path, or nothing: cancelled, or no dialog could be shown.
    fn pick(&self, ask: &Ask) -> Option<PathBuf>;
}

/// The desktop's own dialogs.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemPicker;

impl FilePicker for SystemPicker {
    fn pick(&self, ask: &Ask) -> Option<PathBuf> {
        let mut dialog = rfd::FileDialog::new().set_title(ask.purpose.title());
        if let Some(folder) = &ask.folder {
            dialog = dialog.set_directory(folder);
        }
        match ask.purpose {
            PathPurpose::OpenFolder
            | PathPurpose::ExportFolder
            | PathPurpose::AcquireFolder
            | PathPurpose::ExampleFolder => dialog.pick_folder(),
            PathPurpose::Key => dialog.pick_file(),
            PathPurpose::Trust => {
                dialog.add_filter("Public key", &["pub", "pem"]).add_filter("Any file", &["*"]).pick_file()
            }
            PathPurpose::AcquirePlan => dialog.add_filter("Plan", &["json"]).add_filter("Any file", &["*"]).pick_file(),
            PathPurpose::Verify => dialog
                .add_filter("Certificate or bundle", &["json", "decidendi"])
                .add_filter("Any file", &["*"])
                .pick_file(),
            PathPurpose::OpenFile | PathPurpose::ReplayCase => dialog
                .add_filter("Case, casebook, certificate, bundle", &["json", "jsonl", "decidendi"])
                .add_filter("Any file", &["*"])
                .pick_file(),
        }
    }
}

/// A picker for tests: answers at once.
#[derive(Debug, Clone, Default)]
pub struct FakePicker(pub Option<PathBuf>);

impl FilePicker for FakePicker {
    fn pick(&self, _ask: &Ask) -> Option<PathBuf> {
        self.0.clone()
    }
}

struct Pending {
    purpose: PathPurpose,
    since: Instant,
    answer: Receiver<(Duration, Option<PathBuf>)>,
    offered: bool,
}

/// What became of a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A path was chosen.
    Path(PathPurpose, PathBuf),
    /// A person closed the dialog.
    Closed,
    /// No dialog was ever seen: type the path. Says why.
    Fallback(PathPurpose, String),
}

/// At most one dialog at a time.
pub struct Dialogs {
    picker: Arc<dyn FilePicker>,
    waker: Waker,
    pending: Option<Pending>,
}

impl Dialogs {
    /// No dialog yet.
    #[must_use]
    pub fn new(picker: Arc<dyn FilePicker>, waker: Waker) -> Self {
        Self { picker, waker, pending: None }
    }

    /// Asks for a path. A second ask while one is pending is passed over.
    pub fn ask(&mut self, ask: Ask) {
        if self.pending.is_some() {
            return;
        }
        let (out, answer) = channel();
        let (picker, waker, purpose) = (Arc::clone(&self.picker), Arc::clone(&self.waker), ask.purpose);
        let spawned = std::thread::Builder::new().name("file dialog".to_owned()).spawn(move || {
            // Timed here: a slow frame must not make an instant failure look like a person's choice.
            let start = Instant::now();
            let path = picker.pick(&ask);
            let _ = out.send((start.elapsed(), path));
            waker();
        });
        // Where no thread could be started the channel is closed, and the next poll falls back.
        let _ = spawned;
        self.pending = Some(Pending { purpose, since: Instant::now(), answer, offered: false });
    }

    /// Stops waiting; the dialog's answer, if it ever comes, is dropped. Tells what it was for.
    pub fn forget(&mut self) -> Option<PathPurpose> {
        self.pending.take().map(|p| p.purpose)
    }

    /// What the pending dialog is for.
    #[must_use]
    pub fn pending(&self) -> Option<PathPurpose> {
        self.pending.as_ref().map(|p| p.purpose)
    }

    /// How long until the window should look again, while a dialog is pending and the box was not offered yet.
    #[must_use]
    pub fn wake_in(&self) -> Option<Duration> {
        let pending = self.pending.as_ref().filter(|p| !p.offered)?;
        Some(PATIENCE.saturating_sub(pending.since.elapsed()))
    }

    /// Looks whether the dialog was answered.
    pub fn poll(&mut self) -> Option<Answer> {
        let pending = self.pending.as_mut()?;
        let purpose = pending.purpose;
        match pending.answer.try_recv() {
            Ok((_, Some(path))) => {
                self.pending = None;
                Some(Answer::Path(purpose, path))
            }
            Ok((after, None)) => {
                self.pending = None;
                if after < NEVER_SEEN {
                    let why = "The desktop showed no file dialog (no portal and no zenity answered). Type or paste the path instead.";
                    Some(Answer::Fallback(purpose, why.to_owned()))
                } else {
                    Some(Answer::Closed)
                }
            }
            Err(TryRecvError::Disconnected) => {
                self.pending = None;
                Some(Answer::Fallback(
                    purpose,
                    "The file dialog could not be started. Type or paste the path instead.".to_owned(),
                ))
            }
            Err(TryRecvError::Empty) if !pending.offered && pending.since.elapsed() >= PATIENCE => {
                pending.offered = true;
                None
            }
            Err(TryRecvError::Empty) => None,
        }
    }
}
