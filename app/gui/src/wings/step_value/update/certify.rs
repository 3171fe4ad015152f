//! Certifying signs.

use crate::desk::Desk;
use crate::shared::job::JobId;
use crate::shared::secret::Secret;
use crate::shared::signing::{NotSigned, Signed};
use crate::wings::step_value::command::StepCommand;
use crate::wings::step_value::jobs;
use crate::wings::step_value::state::Certified;

impl Desk {
    /// Certifies the signs of the selected transition.
    pub(crate) fn certify_step(&mut self) {
        let at = self.state.wings.step.open.as_ref().map(|open| open.at);
        self.certify_study(at, None);
    }

    /// Certifies the signs of a transition, or of every complete one.
    pub(crate) fn certify_study(&mut self, what: Certified, passphrase: Option<Secret>) {
        let with = self.sign_with(passphrase);
        let Ok(open) = self.state.wings.step.shown() else { return };
        if open.certifiable(what).is_err() {
            return;
        }
        let data = open.data.clone();
        let step = what.and_then(|at| data.loaded.study.transitions.get(at)).map(|step| step.id.clone());
        let name = format!("Certifying {}", step.unwrap_or_else(|| data.loaded.study.id.clone()));
        let job = self.start(&name, move |handle| jobs::certify(&data, what, with, handle));
        if let Some(open) = &mut self.state.wings.step.open {
            open.certificates.begin(job, what);
        }
    }

    pub(crate) fn on_step_certified(&mut self, job: JobId, done: Result<Signed<()>, NotSigned>) {
        let Some(open) = &mut self.state.wings.step.open else { return };
        let Some(what) = open.certificates.settle(job) else { return };
        match done {
            Ok(Signed { held, signer, made }) => {
                let good = held.is_good();
                open.certificates.hold(what, held);
                self.tell_signed(signer, made, good, "Signs certified, signed and verified by replay", "");
            }
            Err(NotSigned::Locked(key, why)) => {
                self.ask_passphrase(key, why, |typed| StepCommand::Certify(what, Some(typed)).into());
            }
            Err(NotSigned::Refused(why)) => self.tell_refused(why),
            Err(NotSigned::Cancelled) => {}
        }
    }
}
