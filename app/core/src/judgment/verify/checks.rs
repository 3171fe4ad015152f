//! The order of the checks, and how their answers become one end state.

use std::ops::ControlFlow;

use super::replay::{self, Replay};
use super::{Against, EndState, Status, Verification, VerifyError};
use crate::judgment::case::{Case, Engine};
use crate::judgment::certificate::Certificate;
use crate::judgment::walk::Compiler;
use crate::seal::check::{self, Begun, Ledger};
use crate::watch::Watch;

/// Names of all checks, in order; a check's number is its place here.
const NAMES: [&str; 10] = [
    "envelope is sound, payload in its one spelling",
    "statement is a judgment certificate",
    "signature by a trusted key",
    "receipt family follows from the cells",
    "minimality proof is complete",
    "status and counts agree",
    "case is the one that was bound",
    "sources are those that were bound",
    "interface, adjudicator and compatibility map are those that were bound",
    "replay agrees cell by cell",
];

pub(super) fn run(
    file: &str,
    bytes: &[u8],
    against: Against<'_>,
    compiler: &mut Compiler,
    watch: &dyn Watch,
) -> Result<Verification, VerifyError> {
    let title = |c: &Certificate| format!("certificate of case `{}`", c.case_id);
    let begun = check::begin(&NAMES, file, bytes, against.trust, Certificate::read, newer_engine, title)?;
    let Begun { mut ledger, certificate, signing } = match begun {
        ControlFlow::Continue(begun) => begun,
        ControlFlow::Break(ended) => return Ok(ended),
    };

    const REFUSE: &str = "Do not rely on this certificate; ask the issuer to certify the case again.";
    let family = replay::family(&certificate);
    let follows = family.is_ok();
    ledger.answer(family, EndState::ReplayDiffers, REFUSE);
    if follows {
        ledger.answer(replay::minimality(&certificate), EndState::ReplayDiffers, REFUSE);
    } else {
        ledger.push(Status::NotRun, "there is no proof of receipts that do not follow".to_owned(), None);
    }
    ledger.answer(replay::counts(&certificate), EndState::ReplayDiffers, REFUSE);

    const DEARER: &str = "Replay it with a larger budget (--budget N) if you trust whoever made the case.";
    let mut replayed = against.case.is_some();
    if let Some(case) = against.case {
        if bindings(&mut ledger, &certificate, case) {
            match replay::replay(&certificate, case, compiler, watch)? {
                Replay::Done(answer) => ledger.answer(answer, EndState::ReplayDiffers, REFUSE),
                Replay::Budget(spent) => {
                    replayed = false;
                    ledger.push(Status::NotRun, spent, Some(DEARER));
                }
            }
        } else {
            ledger.rest_not_run("the case in hand is not the one that was bound", None);
        }
    } else {
        let next = "Give the case (--case FILE), or verify the bundle that carries it.";
        ledger.rest_not_run("the case is not at hand", Some(next));
    }
    Ok(Begun { ledger, certificate, signing }.finish(replayed))
}

/// The case and its parts are those that were bound; whether all of them are.
fn bindings(ledger: &mut Ledger, certificate: &Certificate, case: &Case) -> bool {
    const OTHER: &str = "Verify against the case that was certified, or certify this one anew.";
    let answers = [
        replay::case_binding(certificate, case),
        replay::source_binding(certificate, case),
        replay::contract_binding(certificate, case),
    ];
    let hold = answers.iter().all(Result::is_ok);
    for answer in answers {
        ledger.answer(answer, EndState::Altered, OTHER);
    }
    hold
}

/// An engine whose semantics are newer than ours cannot be replayed here.
fn newer_engine(certificate: &Certificate) -> Option<String> {
    let engine = Engine::of(&certificate.engine);
    let known = engine.is_some_and(|e| e.version() == certificate.engine_version);
    (!known).then(|| {
        format!("engine `{}` version {} is not known to this version", certificate.engine, certificate.engine_version)
    })
}
