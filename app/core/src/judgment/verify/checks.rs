//! The order of the checks, and how their answers become one end state.

use super::replay::{self, Answer};
use super::{Against, Check, EndState, Standing, Status, Verification, VerifyError};
use crate::judgment::case::{Case, Engine};
use crate::judgment::certificate::{Certificate, CertificateFault};
use crate::judgment::walk::Compiler;
use crate::seal::canon;
use crate::seal::dsse::{Envelope, EnvelopeError, IN_TOTO};
use crate::seal::statement::{Statement, StatementError};
use crate::seal::verified::{Outcome, Payload, Signer, Verified, check};
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

/// Collects answers; remembers the end state of the first failure.
#[derive(Default)]
struct Ledger {
    checks: Vec<Check>,
    failed: Option<EndState>,
}

impl Ledger {
    fn push(&mut self, status: Status, detail: String, next: Option<&str>) {
        let n = self.checks.len();
        let name = NAMES.get(n).copied().unwrap_or_default();
        self.checks.push(Check { n: n as u32 + 1, name, status, detail, next: next.map(str::to_owned) });
    }

    fn answer(&mut self, answer: Answer, state: EndState, next: &str) {
        match answer {
            Ok(detail) => self.push(Status::Pass, detail, None),
            Err(detail) => {
                self.failed.get_or_insert(state);
                self.push(Status::Fail, detail, Some(next));
            }
        }
    }

    /// Marks every check that is left as not run.
    fn rest_not_run(&mut self, why: &str, next: Option<&str>) {
        while self.checks.len() < NAMES.len() {
            self.push(Status::NotRun, why.to_owned(), next);
        }
    }

    fn finish(mut self, state: Option<EndState>, claimed: Option<Certificate>, signing: Signing) -> Verification {
        self.rest_not_run("an earlier check ended the run", None);
        let failed = self.checks.iter().any(|c| c.status == Status::Fail);
        let verdict = match state {
            Some(EndState::Verified) if !failed => Standing::Pass,
            _ if failed => Standing::Invalid,
            _ => Standing::Inconclusive,
        };
        // What is handed on spells the very bytes that were verified; reading them a second time would cost more.
        let spells = |payload: &Payload| claimed.clone().filter(|c| c.payload() == payload.bytes).ok_or(());
        let verified = signing.payload.filter(|_| verdict == Standing::Pass).and_then(|p| p.read(spells).ok());
        Verification { verdict, state, checks: self.checks, claimed, verified, signers: signing.signers }
    }
}

/// What the signature check found.
#[derive(Default)]
struct Signing {
    signers: Vec<Signer>,
    /// Present only where enough trusted keys signed.
    payload: Option<Verified<Payload>>,
}

const AGAIN: &str = "Ask the issuer for the file again.";

pub(super) fn run(
    file: &str,
    bytes: &[u8],
    against: Against<'_>,
    compiler: &mut Compiler,
    watch: &dyn Watch,
) -> Result<Verification, VerifyError> {
    let mut ledger = Ledger::default();
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
        Err(fault) => return Ok(unreadable(ledger, &envelope, against, &fault)),
    };
    let newer = newer_engine(&certificate);
    match &newer {
        Some(newer) => ledger.push(Status::NotRun, newer.clone(), Some("Use a newer decidendi.")),
        None => ledger.push(Status::Pass, format!("certificate of case `{}`", certificate.case_id), None),
    }
    let signing = sign_check(&mut ledger, &envelope, against);
    if ledger.failed.is_some() {
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
    let state = match ledger.failed {
        Some(state) => Some(state),
        None if signing.payload.is_none() => Some(EndState::UnknownSigner),
        None if against.case.is_none() => None,
        None => Some(EndState::Verified),
    };
    Ok(ledger.finish(state, Some(certificate), signing))
}

/// Takes the file apart. The inner error is a signed file that is not in its one spelling any more; the outer one is a
/// file that never was a signed file.
fn opened(file: &str, bytes: &[u8]) -> Result<Result<(Envelope, Statement), String>, EnvelopeError> {
    let envelope = match Envelope::read(file, bytes) {
        Ok(envelope) => envelope,
        Err(error @ EnvelopeError::Read(_)) => return Err(error),
        Err(error @ EnvelopeError::Shape { .. }) => {
            let meant = canon::read_foreign(file, bytes)
                .is_ok_and(|root| ["payload", "payloadType", "signatures"].iter().any(|key| root.get(key).is_some()));
            return if meant { Ok(Err(error.to_string())) } else { Err(error) };
        }
    };
    if envelope.payload_type != IN_TOTO {
        return Ok(Err(StatementError::PayloadType(envelope.payload_type).to_string()));
    }
    let statement = Statement::read(&envelope.payload).map_err(|error| error.to_string());
    Ok(statement.map(|statement| (envelope, statement)))
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

/// A statement that is no certificate this version reads: altered if its signature is broken, else by what it is.
fn unreadable(mut ledger: Ledger, envelope: &Envelope, against: Against<'_>, fault: &CertificateFault) -> Verification {
    let outcome = against.trust.map(|trust| check(envelope, trust));
    let broken = matches!(outcome, Some(Outcome::BadSignature { .. } | Outcome::NoSignature));
    let (detail, none) = (fault.to_string(), Signing::default());
    if broken {
        ledger.answer(Err(format!("{detail}; and the signature does not match")), EndState::Altered, AGAIN);
        return ledger.finish(Some(EndState::Altered), None, none);
    }
    match fault {
        CertificateFault::Newer(_) => {
            ledger.push(Status::NotRun, detail, Some(fault.advice()));
            ledger.finish(Some(EndState::UnsupportedVersion), None, none)
        }
        CertificateFault::OtherType(_) => {
            ledger.answer(Err(detail), EndState::UnsupportedVersion, fault.advice());
            ledger.finish(Some(EndState::UnsupportedVersion), None, none)
        }
        CertificateFault::Field(_) => {
            ledger.answer(Err(detail), EndState::Altered, fault.advice());
            ledger.finish(Some(EndState::Altered), None, none)
        }
    }
}

/// An engine whose semantics are newer than ours cannot be replayed here.
fn newer_engine(certificate: &Certificate) -> Option<String> {
    let engine = Engine::of(&certificate.engine);
    let known = engine.is_some_and(|e| e.version() == certificate.engine_version);
    (!known).then(|| {
        format!("engine `{}` version {} is not known to this version", certificate.engine, certificate.engine_version)
    })
}

/// The signature check: every trusted key on every signature, distinct keys counted.
fn sign_check(ledger: &mut Ledger, envelope: &Envelope, against: Against<'_>) -> Signing {
    const OBTAIN: &str = "Obtain the issuer's public key from a source you trust, and name it (--trust FILE.pub).";
    if envelope.signatures.is_empty() {
        ledger.answer(Err("the envelope holds no signature".to_owned()), EndState::Altered, AGAIN);
        return Signing::default();
    }
    let Some(trust) = against.trust else {
        let detail = match envelope.signatures.len() {
            1 => "no trusted key was named; 1 signature not checked".to_owned(),
            count => format!("no trusted key was named; {count} signatures not checked"),
        };
        ledger.push(Status::NotRun, detail, Some(OBTAIN));
        return Signing::default();
    };
    let who = |signers: &[Signer]| signers.iter().map(|s| s.key.fingerprint().short()).collect::<Vec<_>>().join(", ");
    match check(envelope, trust) {
        Outcome::Verified(payload) => {
            let signers = payload.signers().to_vec();
            let mut detail = format!("{} of {} needed: {}", signers.len(), trust.threshold(), who(&signers));
            if signers.iter().any(|s| !s.is_named_rightly()) {
                detail.push_str("; the file gives another key id, which is not signed and decides nothing");
            }
            ledger.push(Status::Pass, detail, None);
            Signing { signers, payload: Some(payload) }
        }
        Outcome::TooFew { signers, needed } => {
            let detail = format!("{} of {needed} needed signatures by trusted keys: {}", signers.len(), who(&signers));
            ledger.push(Status::NotRun, detail, Some(OBTAIN));
            Signing { signers, payload: None }
        }
        Outcome::NoSignature | Outcome::BadSignature { .. } => {
            let detail = "a trusted key is named, but its signature does not fit these bytes".to_owned();
            ledger.answer(Err(detail), EndState::Altered, AGAIN);
            Signing::default()
        }
        Outcome::UnknownSigner { .. } => {
            let detail = match trust.keys().len() {
                1 => "the one trusted key made no signature of this file".to_owned(),
                keys => format!("none of {keys} trusted keys made a signature of this file"),
            };
            ledger.push(Status::NotRun, detail, Some(OBTAIN));
            Signing::default()
        }
    }
}
