//! Checking exported files, and whose signatures count.

use std::path::PathBuf;
use std::sync::Arc;

use crate::desk::Desk;
use crate::desk::state::Tone;
use crate::desk::wings::Route;
use crate::shared::job::JobId;
use crate::wings::verify::answer::VerifyAnswer;
use crate::wings::verify::command::VerifyCommand;
use crate::wings::verify::jobs::{self, CheckInput};

impl Desk {
    pub(crate) fn on_verify(&mut self, command: VerifyCommand) {
        match command {
            VerifyCommand::Check(path) => self.check(path),
            VerifyCommand::Distrust(at) => {
                if at < self.state.settings.trusted.len() {
                    let gone = self.state.settings.trusted.remove(at);
                    self.keep();
                    self.toast(Tone::Note, format!("“{}” is not trusted any more", gone.name), None);
                    self.check_again();
                }
            }
            VerifyCommand::UseCase(path) => self.use_case(path),
            VerifyCommand::Again => self.check_again(),
        }
    }

    pub(crate) fn use_case(&mut self, path: Option<PathBuf>) {
        self.state.wings.verify.case = path;
        self.check_again();
    }

    /// Runs the checks again, for another trust list or another casebook.
    pub(crate) fn check_again(&mut self) {
        let checked = self.state.wings.verify.checked.as_ref().map(|c| c.path.clone());
        if let Some(path) = self.state.wings.verify.checking.clone().or(checked) {
            self.check(path);
        }
    }

    /// Checks an exported file.
    pub(crate) fn check(&mut self, path: PathBuf) {
        self.go(Route::Verify);
        if let Some(stale) = self.state.wings.verify.wanted.take() {
            self.jobs.cancel(stale);
        }
        if self.state.wings.verify.checked.as_ref().is_some_and(|c| c.path != path) {
            self.state.wings.verify.case = None;
        }
        self.state.wings.verify.checking = Some(path.clone());
        let input = CheckInput {
            path: path.clone(),
            trusted: self.state.settings.trusted.iter().map(|t| t.pem.clone()).collect(),
            own: self.state.key.as_ref().map(|k| k.path.clone()),
            case: self.state.wings.verify.case.clone(),
            library: Arc::clone(&self.state.wings.judgment.library),
            study: self.state.wings.step.open.as_ref().map(|open| Arc::clone(&open.data.loaded)),
            shelf: self.state.wings.step.shelf.clone(),
        };
        let name =
            format!("Verifying {}", path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default());
        self.state.wings.verify.wanted = Some(self.start(&name, move |handle| jobs::check(&input, handle)));
    }

    pub(crate) fn deliver_verify(&mut self, id: JobId, answer: VerifyAnswer) {
        let VerifyAnswer::Checked(checked) = answer;
        let verify = &mut self.state.wings.verify;
        if verify.wanted.take_if(|waiting| *waiting == id).is_some() {
            verify.checking = None;
            verify.checked = Some(checked);
        }
    }

    /// Nobody waits for this job any more.
    pub(crate) fn settle_verify(&mut self, id: JobId) {
        let verify = &mut self.state.wings.verify;
        if verify.wanted.take_if(|waiting| *waiting == id).is_some() {
            verify.checking = None;
        }
    }
}
