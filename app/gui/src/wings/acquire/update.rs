//! The acquire page: choosing a plan, probing, running, replaying, and going on to the study.

use std::path::{Path, PathBuf};

use decidendi_acquire::run::Again;

use crate::desk::jobs::Handle;
use crate::desk::state::{PathPurpose, Tone};
use crate::desk::wings::Route;
use crate::desk::{Desk, absolute};
use crate::shared::job::JobId;
use crate::wings::acquire::answer::AcquireAnswer;
use crate::wings::acquire::command::AcquireCommand;
use crate::wings::acquire::jobs::{self, Place};
use crate::wings::acquire::state::{Doing, EndKind, Ended, Failing, OpenPlan, Standing, Work};
use crate::wings::step_value::command::StepCommand;
use crate::wings::step_value::state::StudyPlace;

impl Desk {
    pub(crate) fn on_acquire(&mut self, command: AcquireCommand) {
        match command {
            AcquireCommand::Open(path) => self.open_plan(&path, None),
            AcquireCommand::Into(folder) => self.acquire_into(folder),
            AcquireCommand::Example(folder) => self.write_example(folder),
            AcquireCommand::Browse => match self.state.wings.acquire.idle() {
                Ok(_) => self.ask(PathPurpose::AcquireFolder),
                Err(why) => self.toast(Tone::Note, why, None),
            },
            AcquireCommand::Forget(path) => {
                self.state.settings.plans.retain(|plan| *plan != path);
                self.keep();
            }
        }
    }

    /// Goes to the page and asks for a plan.
    pub(crate) fn choose_plan(&mut self) {
        self.go(Route::Acquire);
        self.ask(PathPurpose::AcquirePlan);
    }

    /// Stops what is under way.
    pub(crate) fn stop_work(&mut self) {
        if let Some(doing) = self.state.wings.acquire.doing() {
            self.cancel(doing.job);
        }
    }

    /// Opens the study that was derived.
    pub(crate) fn open_acquired(&mut self) {
        if let Some(open) = &self.state.wings.acquire.open {
            self.then(StepCommand::Open(StudyPlace::Disk(open.folder.clone())));
        }
    }

    /// Reads a plan and goes to the page. What is under way goes on, and keeps the page.
    pub(crate) fn open_plan(&mut self, path: &Path, folder: Option<PathBuf>) {
        self.go(Route::Acquire);
        if let Some(doing) = self.state.wings.acquire.doing() {
            let what = if doing.what == Work::Run { "A run is under way" } else { "Work on a plan is under way" };
            let next = format!("Stop it first, then open {}.", path.display());
            self.toast(Tone::Warn, what, Some(next));
            return;
        }
        if let Some(stale) = self.state.wings.acquire.wanted.take() {
            self.jobs.cancel(stale);
        }
        self.read_plan(absolute(path), folder);
    }

    /// The plan or its log changed on disk: it is read again, wherever a person is.
    pub(crate) fn on_plan_changed(&mut self) {
        if self.state.wings.acquire.idle().is_err() {
            return;
        }
        self.toast(Tone::Note, "The plan or its log changed on disk", Some("It was read again.".to_owned()));
        let open = self.state.wings.acquire.open.as_ref().map(|open| (open.path.clone(), open.folder.clone()));
        if let Some((path, folder)) = open {
            self.read_plan(path, Some(folder));
        }
    }

    fn read_plan(&mut self, path: PathBuf, folder: Option<PathBuf>) {
        self.state.wings.acquire.fault = None;
        self.state.wings.acquire.opening = Some(path.clone());
        let name = format!("Reading the plan {}", path.display());
        self.state.wings.acquire.wanted = Some(self.start(&name, move |_| jobs::open(&path, folder)));
    }

    /// Writes the example plan into a folder, never over a file that is there, and opens it.
    pub(crate) fn write_example(&mut self, folder: PathBuf) {
        self.start("Writing the example plan", move |_| jobs::example(&folder));
    }

    /// Reads the open plan again, or the one that could not be read. `false` where there is none.
    pub(crate) fn reload_plan(&mut self) -> bool {
        let acquire = &self.state.wings.acquire;
        let open = acquire.open.as_ref().map(|open| (open.path.clone(), Some(open.folder.clone())));
        let Some((path, folder)) = open.or_else(|| Some((acquire.fault.as_ref()?.0.clone(), None))) else {
            return false;
        };
        self.open_plan(&path, folder);
        true
    }

    /// Keeps the log in another folder.
    pub(crate) fn acquire_into(&mut self, folder: PathBuf) {
        let Some(open) = &self.state.wings.acquire.open else { return };
        let path = open.path.clone();
        self.open_plan(&path, Some(absolute(&folder)));
    }

    pub(crate) fn work(&mut self, what: Work) {
        let Ok(open) = self.state.wings.acquire.idle() else { return };
        let id = &open.plan.id;
        let name = match what {
            Work::Probe => format!("Probing {}", open.plan.endpoint.url),
            Work::Run => format!("Acquiring {id}"),
            Work::Replay => format!("Replaying {id}"),
        };
        let (plan, bytes) = (open.plan.clone(), open.bytes.clone());
        let place = Place { plan, bytes, path: open.path.clone(), folder: open.folder.clone() };
        let job = self.start(&name, move |handle: &Handle| match what {
            Work::Probe => jobs::ask(&place, handle),
            Work::Run => jobs::acquire(&place, handle),
            Work::Replay => jobs::replay(&place),
        });
        let since = self.state.now;
        let Some(open) = &mut self.state.wings.acquire.open else { return };
        open.doing = Some(Doing { job, what, since, first: None });
        match what {
            Work::Probe => open.probe = None,
            Work::Run => (open.end, open.replay) = (None, None),
            Work::Replay => open.replay = None,
        }
    }

    pub(crate) fn deliver_acquire(&mut self, id: JobId, told: AcquireAnswer) {
        match told {
            AcquireAnswer::Example(path) => self.open_plan(&path, None),
            AcquireAnswer::Opened(open) if self.state.wings.acquire.wanted == Some(id) => self.on_plan(*open),
            AcquireAnswer::NotOpened(path, why) if self.state.wings.acquire.wanted == Some(id) => {
                self.state.wings.acquire.wanted = None;
                self.state.wings.acquire.opening = None;
                // A plan that does not read any more is not to be run from memory.
                self.state.wings.acquire.open = None;
                self.state.wings.acquire.fault = Some((path, why));
            }
            AcquireAnswer::Opened(_) | AcquireAnswer::NotOpened(..) => {}
            told => {
                let now = self.state.now;
                let away = self.state.route != Route::Acquire;
                let Some(open) = self.state.wings.acquire.open.as_mut() else { return };
                let Some(doing) = open.doing.filter(|doing| doing.job == id) else { return };
                match told {
                    AcquireAnswer::Call(row) => {
                        open.add(row);
                        open.again = None;
                        return;
                    }
                    AcquireAnswer::Again(Again { attempt, what, wait, .. }) => {
                        open.again = Some(Failing { what, next: attempt + 1, at: now + wait.as_secs_f64() });
                        return;
                    }
                    _ => {}
                }
                (open.doing, open.again) = (None, None);
                match told {
                    AcquireAnswer::Probed(found) => open.probe = Some(*found),
                    AcquireAnswer::Replayed(found) => open.replay = Some(found),
                    AcquireAnswer::Ended(end, held) => {
                        let words = (end.kind, end.what.clone());
                        let (standing, stamp) = *held;
                        open.stamp = stamp;
                        on_end(open, end, standing);
                        if away || now - doing.since > 60.0 {
                            self.tell_end(words.0, words.1);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn on_plan(&mut self, open: OpenPlan) {
        self.state.wings.acquire.wanted = None;
        self.state.wings.acquire.opening = None;
        self.state.gone.remove(&open.path);
        self.state.settings.remember_plan(&open.path);
        self.keep();
        let notices = open.plan.notices.len();
        if notices > 0 {
            let words: Vec<String> =
                open.plan.notices.iter().map(|notice| format!("{}: {}", notice.path, notice.text)).collect();
            self.toast(Tone::Warn, "Parts of the plan were passed over", Some(words.join("\n")));
        }
        self.state.wings.acquire.open = Some(open);
    }

    /// Somebody who looks elsewhere hears how it ended.
    fn tell_end(&mut self, kind: EndKind, what: String) {
        let tone = match kind {
            kind if kind.is_good() => Tone::Good,
            EndKind::Stopped => Tone::Note,
            kind if kind.is_pause() => Tone::Warn,
            _ => Tone::Bad,
        };
        self.toast(tone, format!("Acquisition: {}", kind.title().to_lowercase()), Some(what));
    }

    /// Work on a plan that ended without a word: stopped, or an internal fault.
    pub(crate) fn settle_plan(&mut self, id: JobId) {
        if self.state.wings.acquire.wanted == Some(id) {
            self.state.wings.acquire.wanted = None;
            self.state.wings.acquire.opening = None;
        }
        if let Some(open) =
            self.state.wings.acquire.open.as_mut().filter(|open| open.doing.is_some_and(|d| d.job == id))
        {
            (open.doing, open.again) = (None, None);
        }
    }
}

fn on_end(open: &mut OpenPlan, end: Ended, standing: Result<Standing, Ended>) {
    // A log that another run holds is not this page's to judge.
    if end.kind != EndKind::Busy || standing.is_ok() {
        open.standing = standing;
    }
    open.end = Some(end);
}
