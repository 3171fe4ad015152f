//! What every kind of certificate is checked by: numbered checks, five end states, three verdicts, and the two steps
//! that all kinds share, taking the envelope apart and trying the signatures (docs/formats/certificate.md T14 to T20).

use std::ops::ControlFlow;

use super::canon;
use super::certificate::Certificate;
use super::document::shortened;
use super::dsse::{Envelope, EnvelopeError, IN_TOTO};
use super::predicate::CertificateFault;
use super::statement::{Statement, StatementError};
use super::verification::{Check, EndState, Next, Signature, Standing, Status, Verification};
use super::verified::{Outcome, Payload, Signer, TrustStore, Verified, check};
use crate::watch::Cancelled;

/// Why a file could not even be checked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VerifyError {
    /// The file is no DSSE envelope.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// The watch asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A check's answer: what was compared, or why it fails.
pub type Answer = Result<String, String>;

/// Collects answers; remembers the end state of the first failure.
pub(crate) struct Ledger {
    names: &'static [&'static str],
    checks: Vec<Check>,
    failed: Option<EndState>,
}

impl Ledger {
    /// For checks of these names, in order; a check's number is its place.
    pub(crate) const fn new(names: &'static [&'static str]) -> Self {
        Self { names, checks: Vec::new(), failed: None }
    }

    /// The end state of the first failure.
    pub(crate) const fn failed(&self) -> Option<EndState> {
        self.failed
    }

    pub(crate) fn push(&mut self, status: Status, detail: String, next: Option<Next>) {
        let n = self.checks.len();
        let name = self.names.get(n).copied().unwrap_or_default();
        // A detail quotes the certificate, where a name may be as long as a file.
        let detail = shortened(detail);
        self.checks.push(Check { n: n as u32 + 1, name, status, detail, next });
    }

    pub(crate) fn answer(&mut self, answer: Answer, state: EndState, next: Next) {
        match answer {
            Ok(detail) => self.push(Status::Pass, detail, None),
            Err(detail) => {
                self.failed.get_or_insert(state);
                self.push(Status::Fail, detail, Some(next));
            }
        }
    }

    /// Marks every check that is left as not run.
    pub(crate) fn rest_not_run(&mut self, why: &str, next: Option<Next>) {
        while self.checks.len() < self.names.len() {
            self.push(Status::NotRun, why.to_owned(), next);
        }
    }

    fn finish<C: Certificate>(
        mut self,
        state: Option<EndState>,
        claimed: Option<C>,
        signing: Signing,
    ) -> Verification<C> {
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
        let recorded = claimed.as_ref().is_some_and(Certificate::is_recorded);
        let (wing, signature, signers) = (Some(C::WING), signing.signature, signing.signers);
        Verification { wing, verdict, state, signature, checks: self.checks, claimed, verified, signers, recorded }
    }
}

/// What the signature check found.
pub(crate) struct Signing {
    signature: Signature,
    signers: Vec<Signer>,
    /// Present only where enough trusted keys signed.
    payload: Option<Verified<Payload>>,
}

impl Signing {
    /// No trusted key's signature, for this reason.
    const fn none(signature: Signature) -> Self {
        Self { signature, signers: Vec::new(), payload: None }
    }

    /// Whether enough trusted keys signed.
    pub(crate) const fn is_trusted(&self) -> bool {
        self.payload.is_some()
    }
}

/// A certificate that could be read and whose signature is not broken: its own kind's checks follow.
pub(crate) struct Begun<C> {
    pub(crate) ledger: Ledger,
    pub(crate) certificate: C,
    pub(crate) signing: Signing,
}

impl<C: Certificate> Begun<C> {
    /// The end state of the first failure; else what signature and artifacts in hand allow to say.
    pub(crate) fn finish(self, has_artifacts: bool) -> Verification<C> {
        let Self { ledger, certificate, signing } = self;
        let state = match ledger.failed() {
            Some(state) => Some(state),
            None if !signing.is_trusted() => Some(EndState::UnknownSigner),
            None if !has_artifacts => None,
            None => Some(EndState::Verified),
        };
        ledger.finish(state, Some(certificate), signing)
    }
}

/// The first three checks of every kind: one spelling, readable and known, signed. `newer` says what of a certificate this
/// version cannot replay. What breaks off here is finished.
pub(crate) fn begin<C: Certificate>(
    names: &'static [&'static str],
    opened: &Opened,
    trust: Option<&TrustStore>,
    newer: impl FnOnce(&C) -> Option<String>,
) -> ControlFlow<Verification<C>, Begun<C>> {
    let mut ledger = Ledger::new(names);
    let Contents { envelope, statement, liberties } = match &opened.0 {
        Ok(contents) => contents,
        Err(detail) => {
            ledger.answer(Err(detail.clone()), EndState::Altered, Next::AskAgain);
            let none = Signing::none(Signature::NotChecked);
            return ControlFlow::Break(ledger.finish(Some(EndState::Altered), None, none));
        }
    };
    ledger.push(Status::Pass, format!("{} bytes, RFC 8785{liberties}", envelope.payload.len()), None);
    let certificate = match C::read(statement) {
        Ok(certificate) => certificate,
        Err(fault) => return ControlFlow::Break(unreadable(ledger, envelope, trust, &fault)),
    };
    let newer = newer(&certificate);
    match &newer {
        Some(newer) => ledger.push(Status::NotRun, newer.clone(), Some(Next::Upgrade)),
        None => {
            let title = format!("certificate of {} `{}`", C::WING.artifact(), certificate.id());
            ledger.push(Status::Pass, title, None);
        }
    }
    let signing = sign_check(&mut ledger, envelope, trust);
    let broken_off = if ledger.failed().is_some() {
        // What was not signed is not looked at further: nothing in it is worth a statement.
        Some(EndState::Altered)
    } else {
        newer.map(|_| EndState::UnsupportedVersion)
    };
    match broken_off {
        Some(state) => ControlFlow::Break(ledger.finish(Some(state), Some(certificate), signing)),
        None => ControlFlow::Continue(Begun { ledger, certificate, signing }),
    }
}

/// A signed file, taken apart once, whatever kind of certificate it holds; or why it is not in its one spelling any more.
#[derive(Debug, Clone)]
pub struct Opened(Result<Contents, String>);

#[derive(Debug, Clone)]
struct Contents {
    envelope: Envelope,
    statement: Statement,
    /// What is to be said of the envelope's own spelling.
    liberties: String,
}

impl Opened {
    /// The statement, where there is one. It claims; nothing is verified yet.
    #[must_use]
    pub fn statement(&self) -> Option<&Statement> {
        self.0.as_ref().ok().map(|contents| &contents.statement)
    }
}

/// Takes a file apart.
///
/// # Errors
/// It never was a signed file.
pub fn open(file: &str, bytes: &[u8]) -> Result<Opened, EnvelopeError> {
    opened(file, bytes).map(Opened)
}

fn opened(file: &str, bytes: &[u8]) -> Result<Result<Contents, String>, EnvelopeError> {
    let (envelope, surplus) = match Envelope::read_with_surplus(file, bytes) {
        Ok(read) => read,
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
    Ok(statement.map(|statement| {
        let liberties = liberties(&envelope, &surplus, bytes);
        Contents { envelope, statement, liberties }
    }))
}

/// DSSE signs payload and type alone and leaves the form of the envelope free. What somebody made of that freedom is told.
fn liberties(envelope: &Envelope, surplus: &[String], bytes: &[u8]) -> String {
    if !surplus.is_empty() {
        return format!("; the envelope also holds {}, which nobody signed and nothing uses", listed(surplus));
    }
    let ours = bytes.strip_suffix(b"\n").unwrap_or(bytes) == envelope.to_bytes();
    if ours { String::new() } else { "; the envelope is spelled in another way that DSSE allows".to_owned() }
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// A statement that is no certificate this version reads: altered if its signature is broken, else by what it is.
fn unreadable<C: Certificate>(
    mut ledger: Ledger,
    envelope: &Envelope,
    trust: Option<&TrustStore>,
    fault: &CertificateFault,
) -> Verification<C> {
    let outcome = trust.map(|trust| check(envelope, trust));
    let broken = matches!(outcome, Some(Outcome::BadSignature { .. } | Outcome::NoSignature));
    let (detail, next) = (fault.to_string(), fault.next());
    let none = Signing::none(if broken { Signature::Broken } else { Signature::NotChecked });
    if broken {
        ledger.answer(Err(format!("{detail}; and the signature does not match")), EndState::Altered, Next::AskAgain);
        return ledger.finish(Some(EndState::Altered), None, none);
    }
    match fault {
        CertificateFault::Newer(_) => {
            ledger.push(Status::NotRun, detail, Some(next));
            ledger.finish(Some(EndState::UnsupportedVersion), None, none)
        }
        CertificateFault::OtherType { .. } => {
            ledger.answer(Err(detail), EndState::UnsupportedVersion, next);
            ledger.finish(Some(EndState::UnsupportedVersion), None, none)
        }
        _ => {
            ledger.answer(Err(detail), EndState::Altered, next);
            ledger.finish(Some(EndState::Altered), None, none)
        }
    }
}

/// The signature check: every trusted key on every signature, distinct keys counted.
fn sign_check(ledger: &mut Ledger, envelope: &Envelope, trust: Option<&TrustStore>) -> Signing {
    if envelope.signatures.is_empty() {
        ledger.answer(Err("the envelope holds no signature".to_owned()), EndState::Altered, Next::AskAgain);
        return Signing::none(Signature::Broken);
    }
    let Some(trust) = trust else {
        let detail = match envelope.signatures.len() {
            1 => "no trusted key was named; 1 signature not checked".to_owned(),
            count => format!("no trusted key was named; {count} signatures not checked"),
        };
        ledger.push(Status::NotRun, detail, Some(Next::TrustSigner));
        return Signing::none(Signature::NotChecked);
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
            Signing { signature: Signature::Trusted, signers, payload: Some(payload) }
        }
        Outcome::TooFew { signers, needed } => {
            let detail = format!("{} of {needed} needed signatures by trusted keys: {}", signers.len(), who(&signers));
            ledger.push(Status::NotRun, detail, Some(Next::TrustSigner));
            Signing { signature: Signature::Unknown, signers, payload: None }
        }
        Outcome::NoSignature | Outcome::BadSignature { .. } => {
            let detail = "a trusted key is named, but its signature does not fit these bytes".to_owned();
            ledger.answer(Err(detail), EndState::Altered, Next::AskAgain);
            Signing::none(Signature::Broken)
        }
        Outcome::UnknownSigner { .. } => {
            let detail = match trust.keys().len() {
                1 => "the one trusted key made no signature of this file".to_owned(),
                keys => format!("none of {keys} trusted keys made a signature of this file"),
            };
            ledger.push(Status::NotRun, detail, Some(Next::TrustSigner));
            Signing::none(Signature::Unknown)
        }
    }
}
