//! What a log already holds, call by call: which are answered, by what, and what was asked for it. Pure.

use std::collections::{BTreeMap, BTreeSet};

use decidendi_core::seal::digest::Digest;

use crate::answer::{self, Missing};
use crate::calls::{self, At, Call};
use crate::log::Entry;
use crate::plan::{Plan, View};
use crate::record::Record;
use crate::request;

/// A log that does not belong to its plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// A call that the plan does not make.
    #[error("line {line} answers {cell}, which the plan does not ask for; use the plan that the log was made with")]
    Unknown {
        /// The line.
        line: usize,
        /// The call.
        cell: String,
    },
    /// The same call with another request.
    #[error(
        "line {line} answers {cell} with another request than the plan makes; plan, templates or view differ from those \
         that the log was made with. Acquire into a new folder"
    )]
    Request {
        /// The line.
        line: usize,
        /// The call.
        cell: String,
    },
    /// A call answered twice.
    #[error("line {line} answers {cell}, which line {first} answered before; nothing is ever asked again")]
    Twice {
        /// The line.
        line: usize,
        /// The line before.
        first: usize,
        /// The call.
        cell: String,
    },
}

/// The answers of a log, by call.
#[derive(Debug, Default)]
pub struct Ledger {
    answers: BTreeMap<Call, Answered>,
    attempts: BTreeMap<String, u64>,
    requests: BTreeSet<Digest>,
    total: u64,
    run: u64,
}

#[derive(Debug)]
struct Answered {
    line: usize,
    body: Vec<u8>,
}

impl Ledger {
    /// Reads a log against its plan.
    ///
    /// # Errors
    /// [`Conflict`].
    pub fn new(plan: &Plan, entries: &[Entry]) -> Result<Self, Conflict> {
        let mut ledger = Self::default();
        let mut known: BTreeMap<String, Call> =
            calls::all(plan).into_iter().map(|call| (call.key(plan), call)).collect();
        known.insert(Call::Probe.key(plan), Call::Probe);
        for Entry { line, record } in entries {
            let key = record.key();
            let Some(call) = known.get(&key).copied() else {
                return Err(Conflict::Unknown { line: *line, cell: calls::words(&record.cell) });
            };
            ledger.add(plan, *line, call, record)?;
        }
        Ok(ledger)
    }

    /// Takes in one record.
    ///
    /// # Errors
    /// [`Conflict`].
    pub fn add(&mut self, plan: &Plan, line: usize, call: Call, record: &Record) -> Result<(), Conflict> {
        let cell = calls::words(&record.cell);
        let expected = self.request(plan, call).map(|request| Digest::of(&request));
        if expected != Some(record.request_sha256) {
            return Err(Conflict::Request { line, cell });
        }
        self.total += 1;
        self.run = self.run.max(record.run);
        self.requests.insert(record.request_sha256);
        *self.attempts.entry(record.key()).or_default() += 1;
        if let (true, Some(body)) = (record.is_answer() && call != Call::Probe, &record.body) {
            if let Some(Answered { line: first, .. }) = self.answers.get(&call) {
                return Err(Conflict::Twice { line, first: *first, cell });
            }
            self.answers.insert(call, Answered { line, body: body.clone() });
        }
        Ok(())
    }

    /// The exact body that answered a call.
    #[must_use]
    pub fn body(&self, call: Call) -> Option<&[u8]> {
        self.answers.get(&call).map(|answered| answered.body.as_slice())
    }

    /// The generated view of a state: `None` while it is not made, an error if the answer to it holds no text.
    #[must_use]
    pub fn view(&self, at: At) -> Option<Result<String, Missing>> {
        self.body(Call::View(at)).map(answer::text)
    }

    /// The bytes of a call's request; `None` for a score whose view is not there.
    #[must_use]
    pub fn request(&self, plan: &Plan, call: Call) -> Option<Vec<u8>> {
        let cell = match call {
            Call::View(at) => return Some(request::view(plan, at)),
            Call::Probe => calls::probe(plan),
            Call::Score(cell) => cell,
        };
        if plan.channels[cell.channel].view != View::Generated {
            return Some(request::score(plan, &cell, ""));
        }
        // A plan whose channels all wait for views is probed with an empty one.
        let view = if call == Call::Probe { Some(Ok(String::new())) } else { self.view(cell.at) };
        Some(request::score(plan, &cell, &view?.ok()?))
    }

    /// The calls of the plan that have no answer and can be made, or will be once a view is there. A score whose view
    /// came back without text can never be made: it stays missing.
    #[must_use]
    pub fn outstanding(&self, plan: &Plan) -> Vec<Call> {
        let open = |call: &Call| !self.answers.contains_key(call) && !self.is_barred(plan, *call);
        calls::all(plan).into_iter().filter(open).collect()
    }

    /// Whether a call waits for a view that has no text.
    #[must_use]
    pub fn is_barred(&self, plan: &Plan, call: Call) -> bool {
        let Call::Score(cell) = call else { return false };
        plan.channels[cell.channel].view == View::Generated && matches!(self.view(cell.at), Some(Err(_)))
    }

    /// How many attempts at a call the log holds.
    #[must_use]
    pub fn attempts(&self, key: &str) -> u64 {
        self.attempts.get(key).copied().unwrap_or_default()
    }

    /// How many attempts the log holds.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The number of the last run.
    #[must_use]
    pub const fn run(&self) -> u64 {
        self.run
    }

    /// Whether the log holds the bytes of a request.
    #[must_use]
    pub fn has_request(&self, digest: &Digest) -> bool {
        self.requests.contains(digest)
    }
}
