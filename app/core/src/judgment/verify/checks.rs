//! The order of the checks, and how their answers become one end state.

use super::replay;
use super::{Against, EndState, Status, Verification, VerifyError};
use crate::judgment::case::{Case, Engine};
use crate::judgment::certificate::Certificate;
use crate::judgment::walk::Compiler;
use crate::seal::check::{AGAIN, Ledger, Signing, opened, sign_check, unreadable};
use crate::watch::Watch;

/// Names of all checks, in order; a check's number is its place here.
const NAMES: [&str; 10] = [
    "envelope and payload are in their one spelling",
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
    let mut ledger = Ledger::new(&NAMES);
    let (envelope, statement) = match opened(file, bytes)? {
        Ok(opened) => opened,
        Err(detail) => {
            ledger.answer(Err(detail), EndState::Altered, AGAIN);
            return Ok(ledger.finish(Some(EndState::Altered), None, Signing::default()));
        }
    };
    ledger.push(Status::Pass, format!("{} bytes, RFC 8785", envelope.payload.len()), None);

    let certificate = match Certificate::read(&statement) {
        Ok(certificate) => certificate,
        Err(fault) => return Ok(unreadable(ledger, &envelope, against.trust, &fault)),
    };
    let newer = newer_engine(&certificate);
    match &newer {
        Some(newer) => ledger.push(Status::NotRun, newer.clone(), Some("Use a newer decidendi.")),
        None => ledger.push(Status::Pass, format!("certificate of case `{}`", certificate.case_id), None),
    }
    let signing = sign_check(&mut ledger, &envelope, against.trust);
    if ledger.failed().is_some() {
        // What was not signed is not looked at further: nothing in it is worth a statement.
        return Ok(ledger.finish(Some(EndState::Altered), Some(certificate), signing));
    }
    if newer.is_some() {
        return Ok(ledger.finish(Some(EndState::UnsupportedVersion), Some(certificate), signing));
    }

    const REFUSE: &str = "Do not rely on this certificate; ask the issuer to certify the case again.";
    ledger.answer(replay::family(&certificate), EndState::ReplayDiffers, REFUSE);
    ledger.answer(replay::minimality(&certificate), EndState::ReplayDiffers, REFUSE);
    ledger.answer(replay::counts(&certificate), EndState::ReplayDiffers, REFUSE);

    if let Some(case) = against.case {
        if bindings(&mut ledger, &certificate, case) {
            let answer = replay::replay(&certificate, case, compiler, watch)?;
            ledger.answer(answer, EndState::ReplayDiffers, REFUSE);
        } else {
            ledger.rest_not_run("the case in hand is not the one that was bound", None);
        }
    } else {
        let next = "Give the case (--case FILE), or verify the bundle that carries it.";
        ledger.rest_not_run("the case is not at hand", Some(next));
    }
    let state = match ledger.failed() {
        Some(state) => Some(state),
        None if !signing.is_trusted() => Some(EndState::UnknownSigner),
        None if against.case.is_none() => None,
        None => Some(EndState::Verified),
    };
    Ok(ledger.finish(state, Some(certificate), signing))
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
