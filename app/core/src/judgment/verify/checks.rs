//! The order of the checks, and how their answers become one end state.

use std::ops::ControlFlow;

use super::replay::{self, Replay};
use super::{Against, EndState, Next, Status, Verification};
use crate::judgment::case::{Case, Engine};
use crate::judgment::certificate::Certificate;
use crate::judgment::walk::Compiler;
use crate::seal::check::{self, Begun, Ledger, Opened};
use crate::seal::verification::Wing;
use crate::watch::{Cancelled, Watch};

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
    opened: &Opened,
    against: Against<'_>,
    compiler: &mut Compiler,
    watch: &dyn Watch,
) -> Result<Verification, Cancelled> {
    let Begun { mut ledger, certificate, signing } = match check::begin(&NAMES, opened, against.trust, newer_engine) {
        ControlFlow::Continue(begun) => begun,
        ControlFlow::Break(ended) => return Ok(ended),
    };

    const REFUSE: Next = Next::DoNotRely(Wing::Judgment);
    let family = replay::family(&certificate);
    let follows = family.is_ok();
    ledger.answer(family, EndState::ReplayDiffers, REFUSE);
    if follows {
        ledger.answer(replay::minimality(&certificate), EndState::ReplayDiffers, REFUSE);
    } else {
        ledger.push(Status::NotRun, "there is no proof of receipts that do not follow".to_owned(), None);
    }
    ledger.answer(replay::counts(&certificate), EndState::ReplayDiffers, REFUSE);

    let mut replayed = against.case.is_some();
    if let Some(case) = against.case {
        if bindings(&mut ledger, &certificate, case) {
            match replay::replay(&certificate, case, compiler, watch)? {
                Replay::Done(answer) => ledger.answer(answer, EndState::ReplayDiffers, REFUSE),
                Replay::Budget(spent) => {
                    replayed = false;
                    ledger.push(Status::NotRun, spent, Some(Next::RaiseBudget));
                }
            }
        } else {
            ledger.rest_not_run("the case in hand is not the one that was bound", None);
        }
    } else {
        ledger.rest_not_run("the case is not at hand", Some(Next::Give(Wing::Judgment)));
    }
    Ok(Begun { ledger, certificate, signing }.finish(replayed))
}

/// The case and its parts are those that were bound; whether all of them are.
fn bindings(ledger: &mut Ledger, certificate: &Certificate, case: &Case) -> bool {
    let answers = [
        replay::case_binding(certificate, case),
        replay::source_binding(certificate, case),
        replay::contract_binding(certificate, case),
    ];
    let hold = answers.iter().all(Result::is_ok);
    for answer in answers {
        ledger.answer(answer, EndState::Altered, Next::GiveOther(Wing::Judgment));
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
