//! The loop: ask what is outstanding, one call at a time, and write down every attempt before the next.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use decidendi_core::seal::digest::Digest;
use decidendi_core::watch::Watch;

use crate::answer::{self, Answer, Missing};
use crate::calls::{self, Call};
use crate::client::{Client, Reply};
use crate::ledger::{Conflict, Ledger};
use crate::log::{Log, LogError};
use crate::plan::Plan;
use crate::record::Record;
use crate::refusal;
use crate::request::labels;
use crate::retry::{self, Next, PATIENCE, Wish};
use crate::time;

/// After so many cells in a row without one label the run stops: going on would only cost.
pub const SILENT: u32 = 10;
/// How often a pause looks whether it should end.
const BEAT: Duration = Duration::from_millis(50);

/// How a run ended that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Every call of the plan has its answer.
    Complete,
    /// A cap on calls was reached.
    Capped,
    /// It was asked to stop.
    Interrupted,
}

/// What a run did.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// How it ended.
    pub end: End,
    /// Attempts made.
    pub attempts: u64,
    /// Calls answered.
    pub answered: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// What the probe at its start saw.
    pub probe: Option<Answer>,
}

/// Why a run could not go on. What was answered until then is in the log.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The log does not belong to the plan.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// No log-probabilities.
    #[error(
        "{url} answers without log-probabilities ({why}), so nothing can be scored there. It does not support them, or \
         something between drops them: ask it directly, or take another model or a newer server"
    )]
    Unsupported {
        /// The address.
        url: String,
        /// What exactly is missing.
        why: String,
    },
    /// Refused for good.
    #[error(
        "{url} refuses {cell}: {what}. Asking again cannot help: correct the key or the address and run again; another model \
         or another plan needs a folder of its own"
    )]
    Refused {
        /// The address.
        url: String,
        /// The call.
        cell: String,
        /// What it said.
        what: String,
    },
    /// Not reachable, for now.
    #[error(
        "{url} did not answer {cell} after {}: {what}. {}, then run the same command; what was answered is kept",
        counted(u64::from(*.attempts), "attempt"),
        advice(*.is_there)
    )]
    GaveUp {
        /// The address.
        url: String,
        /// The call.
        cell: String,
        /// How often it was asked.
        attempts: u32,
        /// What happened last.
        what: String,
        /// Whether a server said something.
        is_there: bool,
    },
    /// The server asks for more time than a run has.
    #[error(
        "{url} asks to wait {wish} before it answers {cell} ({what}), longer than the {} s that a run waits. Run the same \
         command then; what was answered is kept",
        PATIENCE.as_secs()
    )]
    Later {
        /// The address.
        url: String,
        /// The call.
        cell: String,
        /// How long.
        wish: Wish,
        /// What it said.
        what: String,
    },
    /// Answers without labels, again and again.
    #[error(
        "{SILENT} cells in a row came back without one label ({why}); the log keeps them as missing. Look at the last bodies in the log before you spend more"
    )]
    Silent {
        /// The last reason.
        why: String,
    },
}

/// What to do where no answer came.
pub(crate) const fn advice(is_there: bool) -> &'static str {
    if is_there {
        "The server is there and says why: see to that, or give it time"
    } else {
        "See that the server runs and the address is right"
    }
}

/// A number and its word, in the plural where it is not one.
#[must_use]
pub fn counted(n: u64, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

/// A call that failed and is asked again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Again {
    /// The call, in words.
    pub call: String,
    /// Which attempt failed, from 1.
    pub attempt: u32,
    /// What happened.
    pub what: String,
    /// How long the next one waits.
    pub wait: Duration,
}

/// Who hears of a run while it works.
#[derive(Clone, Copy)]
pub struct Ears<'e> {
    /// Of every record with its line, as soon as it is on the disk.
    pub recorded: &'e dyn Fn(usize, &Record),
    /// Of every call that failed and is asked again.
    pub again: &'e dyn Fn(&Again),
}

/// Acquires what is outstanding, with at most `max_calls` attempts in this run, and hands out every record with its line as
/// soon as it is on the disk.
///
/// # Errors
/// [`RunError`].
pub fn run_told(
    plan: &Plan,
    log: &mut Log,
    ledger: &mut Ledger,
    client: &Client,
    max_calls: u64,
    watch: &dyn Watch,
    told: &dyn Fn(usize, &Record),
) -> Result<Summary, RunError> {
    run_heard(plan, log, ledger, client, max_calls, watch, Ears { recorded: told, again: &|_| () })
}

/// The same, and tells also of what is asked again.
///
/// # Errors
/// [`RunError`].
pub fn run_heard(
    plan: &Plan,
    log: &mut Log,
    ledger: &mut Ledger,
    client: &Client,
    max_calls: u64,
    watch: &dyn Watch,
    ears: Ears<'_>,
) -> Result<Summary, RunError> {
    let open = ledger.outstanding(plan);
    let total = calls::all(plan).len() as u64;
    let mut runner = Runner {
        plan,
        log,
        client,
        watch,
        ears,
        total,
        done: total - open.len() as u64,
        left: max_calls.min(plan.max_calls.saturating_sub(ledger.total())),
        run: ledger.run() + 1,
        ledger,
        pace: Pace::new(plan.requests_per_minute),
        attempts: 0,
    };
    let (started, before) = (Instant::now(), runner.done);
    let mut probe = None;
    let end = runner.all(open, &mut probe)?;
    let answered = runner.done - before;
    Ok(Summary { end, attempts: runner.attempts, answered, elapsed: started.elapsed(), probe })
}

struct Runner<'r> {
    plan: &'r Plan,
    log: &'r mut Log,
    ledger: &'r mut Ledger,
    client: &'r Client,
    watch: &'r dyn Watch,
    ears: Ears<'r>,
    pace: Pace,
    total: u64,
    done: u64,
    left: u64,
    run: u64,
    attempts: u64,
}

/// A call was answered, or the run ends before that.
type Asked = ControlFlow<End, Vec<u8>>;

impl Runner<'_> {
    fn all(&mut self, open: Vec<Call>, probe: &mut Option<Answer>) -> Result<End, RunError> {
        if open.is_empty() {
            return Ok(End::Complete);
        }
        let request = self.ledger.request(self.plan, Call::Probe).unwrap_or_default();
        let body = match self.ask(Call::Probe, &request)? {
            ControlFlow::Continue(body) => body,
            ControlFlow::Break(end) => return Ok(end),
        };
        let seen = self.read(&calls::probe(self.plan), &body);
        if let (true, Some(Err(why))) = (seen.is_unsupported(), seen.labels.first()) {
            let why = unsupported(why, &body);
            return Err(RunError::Unsupported { url: self.client.url().to_owned(), why });
        }
        *probe = Some(seen);
        let mut silent = 0;
        for call in open {
            // Views come first, so a score without a request is one whose view came back without text.
            let Some(request) = self.ledger.request(self.plan, call) else { continue };
            let body = match self.ask(call, &request)? {
                ControlFlow::Continue(body) => body,
                ControlFlow::Break(end) => return Ok(end),
            };
            self.done += 1;
            if let Call::Score(cell) = call {
                let answer = self.read(&cell, &body);
                silent = if answer.labels.iter().all(Result::is_err) { silent + 1 } else { 0 };
                if let (SILENT, Some(Err(why))) = (silent, answer.labels.first()) {
                    return Err(RunError::Silent { why: why.to_string() });
                }
            }
        }
        // Draw the full count once.
        let _ = self.watch.step(self.total, self.total);
        Ok(End::Complete)
    }

    fn read(&self, cell: &calls::Cell, body: &[u8]) -> Answer {
        let asked = usize::try_from(self.plan.top_logprobs).unwrap_or_default();
        answer::read(body, &labels(self.plan.channels[cell.channel].readout, self.plan.k()), asked)
    }

    /// Asks until there is an answer, a refusal, or no patience left.
    fn ask(&mut self, call: Call, request: &[u8]) -> Result<Asked, RunError> {
        let digest = Digest::of(request);
        for attempt in 1.. {
            let wait = self.pace.wait();
            if self.pause(wait).is_break() {
                return Ok(ControlFlow::Break(End::Interrupted));
            }
            if self.left == 0 {
                return Ok(ControlFlow::Break(End::Capped));
            }
            self.left -= 1;
            self.attempts += 1;
            let at = time::now();
            let reply = self.client.post(request);
            let record = self.record(call, request, digest, at, &reply);
            let line = self.log.append(&record)?;
            (self.ears.recorded)(line, &record);
            self.ledger.add(self.plan, line, call, &record)?;
            self.pace.told(&reply);
            let failed = || (self.client.url().to_owned(), calls::words(&record.cell), told(&reply));
            if call == Call::Probe
                && let (Some(200), Some(failure)) =
                    (reply.status, reply.error.as_ref().filter(|error| error.is_foreign))
            {
                let why =
                    reply.body.as_deref().map_or_else(|| failure.text.clone(), |body| foreign(&failure.text, body));
                return Err(RunError::Unsupported { url: self.client.url().to_owned(), why });
            }
            match retry::next(&reply, attempt, &digest, time::since_epoch()) {
                Next::Keep => return Ok(ControlFlow::Continue(reply.body.unwrap_or_default())),
                Next::Refused => {
                    let (url, cell, what) = failed();
                    return Err(RunError::Refused { url, cell, what });
                }
                Next::GiveUp => {
                    let (url, cell, what) = failed();
                    return Err(RunError::GaveUp {
                        url,
                        cell,
                        attempts: attempt,
                        what,
                        is_there: reply.status.is_some(),
                    });
                }
                Next::Later(wish) => {
                    let (url, cell, what) = failed();
                    return Err(RunError::Later { url, cell, wish, what });
                }
                Next::Again(_) if self.left == 0 => return Ok(ControlFlow::Break(End::Capped)),
                Next::Again(wait) => {
                    let (_, call, what) = failed();
                    (self.ears.again)(&Again { call, attempt, what, wait });
                    if self.pause(wait).is_break() {
                        return Ok(ControlFlow::Break(End::Interrupted));
                    }
                }
            }
        }
        Ok(ControlFlow::Break(End::Interrupted))
    }

    fn record(&self, call: Call, request: &[u8], digest: Digest, at: String, reply: &Reply) -> Record {
        let answer = reply.body.as_deref().map(|body| answer::read(body, &[], 0));
        let (returned_model, system_fingerprint) = answer.map_or((None, None), |a| (a.model, a.fingerprint));
        let cell = call.name(self.plan);
        Record {
            run: self.run,
            attempt: self.ledger.attempts(&call.key(self.plan)) + 1,
            cell,
            request_sha256: digest,
            request: (!self.ledger.has_request(&digest)).then(|| String::from_utf8_lossy(request).into_owned()),
            url: self.client.url().to_owned(),
            model: self.plan.endpoint.model.clone(),
            returned_model,
            system_fingerprint,
            at,
            elapsed_ms: u64::try_from(reply.elapsed.as_millis()).unwrap_or(u64::MAX),
            status: reply.status,
            headers: reply.headers.clone(),
            body: reply.body.clone(),
            error: reply.error.as_ref().map(|failure| failure.text.clone()),
            is_redacted: reply.is_redacted,
            prev: self.log.prev(),
        }
    }

    /// Waits, and looks now and then whether to stop.
    fn pause(&self, wait: Duration) -> ControlFlow<()> {
        let until = Instant::now() + wait;
        loop {
            self.watch.step(self.done, self.total)?;
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return ControlFlow::Continue(());
            }
            std::thread::sleep(left.min(BEAT));
        }
    }
}

/// What a refusal said, short enough for a message; the log has all of it.
pub(crate) fn told(reply: &Reply) -> String {
    happened(reply.status, reply.error.as_ref().map(|failure| failure.text.as_str()), reply.body.as_deref())
}

/// The same of a record.
#[must_use]
pub fn told_of(record: &Record) -> String {
    happened(record.status, record.error.as_deref(), record.body.as_deref())
}

fn happened(status: Option<u16>, error: Option<&str>, body: Option<&[u8]>) -> String {
    let status = status.map(|status| format!("status {status}"));
    let said = body.map(|body| short(&refusal::words(body))).filter(|said| !said.is_empty());
    let parts: Vec<String> = [status, error.map(str::to_owned), said].into_iter().flatten().collect();
    parts.join(", ")
}

/// The beginning of a text, on one line.
fn short(text: &str) -> String {
    const LONGEST: usize = 400;
    let text: String = text.chars().take(LONGEST).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why nothing can be scored, with what came instead of an answer.
fn unsupported(why: &Missing, body: &[u8]) -> String {
    match why {
        Missing::Unreadable(_) | Missing::NoChoice => foreign("its answer is none of a model", body),
        _ => why.to_string(),
    }
}

/// What came instead of an answer, and how it begins.
fn foreign(what: &str, body: &[u8]) -> String {
    let begins: String = short(&refusal::words(body)).chars().take(80).collect();
    let begins = if begins.is_empty() { String::new() } else { format!(" and begins `{begins}`") };
    format!("{what}{begins}; see that the address is that of the API, which often ends in /v1")
}

/// Keeps calls apart: as the plan bounds them, and further when the server says that nothing is left.
struct Pace {
    planned: Duration,
    apart: Duration,
    last: Option<Instant>,
}

impl Pace {
    fn new(per_minute: Option<u32>) -> Self {
        let planned = per_minute.map_or(Duration::ZERO, |n| Duration::from_secs(60) / n.max(1));
        Self { planned, apart: planned, last: None }
    }

    fn wait(&mut self) -> Duration {
        let now = Instant::now();
        let wait = self.last.map_or(Duration::ZERO, |last| (last + self.apart).saturating_duration_since(now));
        self.last = Some(now + wait);
        wait
    }

    fn told(&mut self, reply: &Reply) {
        let spent = ["x-ratelimit-remaining-requests", "x-ratelimit-remaining-tokens"];
        self.apart = if spent.iter().any(|name| reply.header(name).is_some_and(|left| left.trim() == "0")) {
            (self.apart * 2).clamp(Duration::from_secs(1), retry::CAP)
        } else {
            self.planned
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_kept_apart_as_planned_and_further_when_nothing_is_left() {
        let mut pace = Pace::new(Some(600));
        assert_eq!(pace.wait(), Duration::ZERO);
        assert!(pace.wait() > Duration::from_millis(80));
        let left = |n: &str| Reply {
            headers: vec![("x-ratelimit-remaining-tokens".to_owned(), n.to_owned())],
            ..Reply::default()
        };
        pace.told(&left("0"));
        assert_eq!(pace.apart, Duration::from_secs(1));
        pace.told(&left("0"));
        assert_eq!(pace.apart, Duration::from_secs(2));
        pace.told(&left("7"));
        assert_eq!(pace.apart, Duration::from_millis(100));
    }

    #[test]
    fn a_refusal_is_told_with_its_body_and_need_not_be_json() {
        let body = "<html>\n<h1>502 Bad Gateway</h1>\n</html>";
        let reply = Reply { status: Some(502), body: Some(body.into()), ..Reply::default() };
        assert_eq!(told(&reply), "status 502, <html> <h1>502 Bad Gateway</h1> </html>");
        let json = r#"{"error": {"message": "Invalid API Key", "code": 401}}"#;
        let reply = Reply { status: Some(401), body: Some(json.into()), ..Reply::default() };
        assert_eq!(told(&reply), "status 401, Invalid API Key");
        assert_eq!((counted(1, "call"), counted(2, "call")), ("1 call".to_owned(), "2 calls".to_owned()));
        let long = Reply { status: Some(400), body: Some(vec![b'x'; 10_000]), ..Reply::default() };
        assert!(told(&long).len() < 500);
    }
}
