//! The acquire page: choosing a plan, probing, running, replaying, and going on to the study.

use std::path::{Path, PathBuf};

use decidendi_acquire::run::Again;

use super::jobs;
use super::jobs::{Place, Told};
use super::state::{Doing, EndKind, Ended, Failing, OpenPlan, Standing, Work};
use crate::desk::Desk;
use crate::desk::command::{AcquireCommand, Action, Command};
use crate::desk::jobs::{Handle, JobId};
use crate::desk::seal::shell;
use crate::desk::state::{PathPurpose, Route, Tone};
use crate::wings::step_value::state::StudyPlace;

impl Desk {
    pub(crate) fn on_acquire(&mut self, command: AcquireCommand) {
        match command {
            AcquireCommand::Open(path) => self.open_plan(&path, None),
            AcquireCommand::Into(folder) => self.acquire_into(folder),
            AcquireCommand::Browse => match self.state.acquire.idle() {
                Ok(_) => self.ask(PathPurpose::AcquireFolder),
                Err(why) => self.toast(Tone::Note, why, None),
            },
            AcquireCommand::Forget(path) => {
                self.state.settings.plans.retain(|plan| *plan != path);
                self.keep();
            }
        }
    }

    pub(crate) fn act_on_plan(&mut self, action: Action, ctx: &egui::Context) {
        match action {
            Action::GoAcquire => self.go(Route::Acquire),
            Action::AcquirePlan => {
                self.go(Route::Acquire);
                self.ask(PathPurpose::AcquirePlan);
            }
            Action::AcquireExample => self.ask(PathPurpose::ExampleFolder),
            Action::AcquireProbe => self.work(Work::Probe),
            Action::AcquireRun => self.work(Work::Run),
            Action::AcquireReplay => self.work(Work::Replay),
            Action::AcquireCancel => {
                if let Some(doing) = self.state.acquire.doing() {
                    self.apply(Command::Cancel(doing.job), ctx);
                }
            }
            Action::AcquireStudy => {
                if let Some(open) = &self.state.acquire.open {
                    let folder = open.folder.clone();
                    self.open_study(StudyPlace::Disk(folder));
                }
            }
            _ => self.go_step(),
        }
    }

    /// Reads a plan and goes to the page. What is under way goes on, and keeps the page.
    pub(crate) fn open_plan(&mut self, path: &Path, folder: Option<PathBuf>) {
        self.go(Route::Acquire);
        if let Some(doing) = self.state.acquire.doing() {
            let what = if doing.what == Work::Run { "A run is under way" } else { "Work on a plan is under way" };
            let next = format!("Stop it first, then open {}.", path.display());
            self.toast(Tone::Warn, what, Some(next));
            return;
        }
        if let Some(stale) = self.wanted.plan.take() {
            self.jobs.cancel(stale);
        }
        self.read_plan(crate::desk::absolute(path), folder);
    }

    /// Reads the open plan again because it or its log changed on disk, wherever a person is.
    pub(crate) fn reread_plan(&mut self) {
        let open = self.state.acquire.open.as_ref().map(|open| (open.path.clone(), open.folder.clone()));
        if let Some((path, folder)) = open {
            self.read_plan(path, Some(folder));
        }
    }

    fn read_plan(&mut self, path: PathBuf, folder: Option<PathBuf>) {
        self.state.acquire.fault = None;
        self.state.acquire.opening = Some(path.clone());
        let name = format!("Reading the plan {}", path.display());
        self.wanted.plan = Some(self.start(&name, move |_| jobs::open(&path, folder)));
    }

    /// Writes the example plan into a folder, never over a file that is there, and opens it.
    pub(crate) fn write_example(&mut self, folder: PathBuf) {
        self.start("Writing the example plan", move |_| jobs::example(&folder));
    }

    /// Reads the open plan again, or the one that could not be read. `false` where there is none.
    pub(crate) fn reload_plan(&mut self) -> bool {
        let acquire = &self.state.acquire;
        let open = acquire.open.as_ref().map(|open| (open.path.clone(), Some(open.folder.clone())));
        let Some((path, folder)) = open.or_else(|| Some((acquire.fault.as_ref()?.0.clone(), None))) else {
            return false;
        };
        self.open_plan(&path, folder);
        true
    }

    /// Keeps the log in another folder.
    pub(crate) fn acquire_into(&mut self, folder: PathBuf) {
        let Some(open) = &self.state.acquire.open else { return };
        let path = open.path.clone();
        self.open_plan(&path, Some(crate::desk::absolute(&folder)));
    }

    fn work(&mut self, what: Work) {
        let Ok(open) = self.state.acquire.idle() else { return };
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
        let Some(open) = &mut self.state.acquire.open else { return };
        open.doing = Some(Doing { job, what, since, first: None });
        match what {
            Work::Probe => open.probe = None,
            Work::Run => (open.end, open.replay) = (None, None),
            Work::Replay => open.replay = None,
        }
    }

    /// How many calls were answered when the run began: the rate counts from there.
    pub(crate) fn on_acquire_progress(&mut self, id: JobId, done: u64) {
        let doing = self.state.acquire.open.as_mut().and_then(|open| open.doing.as_mut());
        if let Some(doing) = doing.filter(|doing| doing.job == id) {
            doing.first.get_or_insert(done);
        }
    }

    pub(crate) fn on_told(&mut self, id: JobId, told: Told) {
        match told {
            Told::Example(path) => self.open_plan(&path, None),
            Told::Opened(open) if self.wanted.plan == Some(id) => self.on_plan(*open),
            Told::NotOpened(path, why) if self.wanted.plan == Some(id) => {
                self.wanted.plan = None;
                self.state.acquire.opening = None;
                // A plan that does not read any more is not to be run from memory.
                self.state.acquire.open = None;
                self.state.acquire.fault = Some((path, why));
            }
            Told::Opened(_) | Told::NotOpened(..) => {}
            told => {
                let now = self.state.now;
                let away = self.state.route != Route::Acquire;
                let Some(open) = self.state.acquire.open.as_mut() else { return };
                let Some(doing) = open.doing.filter(|doing| doing.job == id) else { return };
                match told {
                    Told::Call(row) => {
                        open.add(row);
                        open.again = None;
                        return;
                    }
                    Told::Again(Again { attempt, what, wait, .. }) => {
                        open.again = Some(Failing { what, next: attempt + 1, at: now + wait.as_secs_f64() });
                        return;
                    }
                    _ => {}
                }
                (open.doing, open.again) = (None, None);
                match told {
                    Told::Probed(found) => open.probe = Some(*found),
                    Told::Replayed(found) => open.replay = Some(found),
                    Told::Ended(end, held) => {
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
        self.wanted.plan = None;
        self.state.acquire.opening = None;
        self.state.gone.remove(&open.path);
        self.state.settings.remember_plan(&open.path);
        self.keep();
        let notices = open.plan.notices.len();
        if notices > 0 {
            let words: Vec<String> =
                open.plan.notices.iter().map(|notice| format!("{}: {}", notice.path, notice.text)).collect();
            self.toast(Tone::Warn, "Parts of the plan were passed over", Some(words.join("\n")));
        }
        self.state.acquire.open = Some(open);
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
        if self.wanted.plan == Some(id) {
            self.wanted.plan = None;
            self.state.acquire.opening = None;
        }
        if let Some(open) = self.state.acquire.open.as_mut().filter(|open| open.doing.is_some_and(|d| d.job == id)) {
            (open.doing, open.again) = (None, None);
        }
    }

    /// The command lines that do the same.
    pub(crate) fn acquire_command(&self) -> String {
        let Some(open) = &self.state.acquire.open else {
            return "decidendi acquire run PLAN --out DIR".to_owned();
        };
        let quote = |path: &Path| shell(&path.display().to_string());
        let (plan, folder) = (quote(&open.path), quote(&open.folder));
        format!(
            "decidendi acquire probe {plan}\ndecidendi acquire run {plan} --out {folder}\ndecidendi acquire replay {folder}\ndecidendi asv {folder}"
        )
    }
}

fn on_end(open: &mut OpenPlan, end: Ended, standing: Result<Standing, Ended>) {
    // A log that another run holds is not this page's to judge.
    if end.kind != EndKind::Busy || standing.is_ok() {
        open.standing = standing;
    }
    open.end = Some(end);
}
