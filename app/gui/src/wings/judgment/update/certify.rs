//! Certifying the open case.

use std::sync::Arc;

use crate::desk::Desk;
use crate::shared::job::JobId;
use crate::shared::secret::Secret;
use crate::shared::signing::{NotSigned, Signed};
use crate::wings::judgment::command::CaseCommand;
use crate::wings::judgment::jobs::certify;
use crate::wings::judgment::state::RowCertificate;
use decidendi_core::judgment::verify::Verification;

impl Desk {
    /// Certifies the open case. A protected key makes the window ask for its passphrase, which then comes back here.
    pub(crate) fn certify(&mut self, passphrase: Option<Secret>) {
        let with = self.sign_with(passphrase);
        let Some(open) = &self.state.wings.judgment.open else { return };
        let (case, judgment) = (Arc::clone(&open.case), Arc::clone(&open.judgment));
        let (id, name) = (case.id().to_owned(), format!("Certifying {}", case.id()));
        let job = self.start(&name, move |handle| certify::certify(&case, &judgment, with, handle));
        self.state.wings.judgment.certificates.begin(job, id);
    }

    pub(crate) fn on_certified(&mut self, job: JobId, done: Result<Signed<Arc<Verification>>, NotSigned>) {
        let waited = self.state.wings.judgment.certificates.settle(job);
        match done {
            Ok(Signed { held, signer, made }) => {
                let claimed = held.claim.claimed.as_ref();
                let id = claimed.map(|c| c.case_id.clone()).unwrap_or_default();
                // What was never executed is not replayed: it is compared with what the case records.
                let recorded = claimed.is_some_and(|c| c.executed == 0);
                let (words, kind) = if recorded {
                    ("Certified, signed and compared with the record", "Its cells are recorded, not executed. ")
                } else {
                    ("Certified, signed and verified by replay", "")
                };
                let good = held.is_good();
                let judgment = &mut self.state.wings.judgment;
                if let Some(row) = judgment.book.rows.iter_mut().find(|r| r.id == id) {
                    row.certificate = RowCertificate::Verified;
                }
                judgment.certificates.hold(id, held);
                self.tell_signed(signer, made, good, words, kind);
            }
            Err(NotSigned::Locked(key, why)) if waited.is_some() => {
                self.ask_passphrase(key, why, |typed| CaseCommand::Certify(Some(typed)).into());
            }
            Err(NotSigned::Refused(why)) => {
                if let Some(id) = waited {
                    self.state.wings.judgment.certificates.refuse(id, why.clone());
                }
                self.tell_refused(why);
            }
            Err(NotSigned::Locked(..) | NotSigned::Cancelled) => {}
        }
    }
}
