//! `decidendi/acquire-plan@1`: what is to be scored, on which endpoint, and within which bounds.

pub(crate) mod document;
mod node;
mod read;
mod study;
#[cfg(test)]
pub(crate) mod tests;

use decidendi_core::seal::canon::{Notice, Place, ReadError};
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::json::Json;

pub use read::read;

/// The format's name.
pub const FORMAT: &str = "decidendi/acquire-plan";
/// Most entries of the answer's list that an endpoint is asked for: what hosted endpoints allow.
pub const TOP_LOGPROBS: i64 = 20;
/// Most candidates: one letter each.
pub const CANDIDATES: usize = 26;
/// Most calls that a plan may allow.
pub const CALLS: i64 = 1_000_000;
/// Most bytes of a plan.
pub const PLAN_BYTES: usize = 16 << 20;

/// A plan that was read and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Its identifier, which becomes the study's.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What its log begins with.
    pub digest: PlanDigest,
    /// Whom to ask.
    pub endpoint: Endpoint,
    /// The sampling temperature, as an exact number in its spelling.
    pub temperature: String,
    /// The sampling temperature as the request carries it.
    pub temperature_value: f64,
    /// How many entries of the answer's list to ask for.
    pub top_logprobs: i64,
    /// Most attempts over all runs on one log.
    pub max_calls: u64,
    /// Most requests in a minute, if bounded.
    pub requests_per_minute: Option<u32>,
    /// Most characters of a quote.
    pub quote_chars: usize,
    /// Most tokens of a generated view.
    pub generated_tokens: i64,
    /// The channels.
    pub channels: Vec<Channel>,
    /// How many cyclic layouts.
    pub layouts: usize,
    /// The waves.
    pub waves: Vec<Wave>,
    /// The study's contrasts, as they stand.
    pub contrasts: Vec<Json>,
    /// The study's bridge, as it stands.
    pub bridge: Vec<Json>,
    /// The study's margins of equivalence by their names, as they stand.
    pub margins: Vec<(&'static str, Json)>,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// What reading normalised or passed over.
    pub notices: Vec<Notice>,
}

/// The two digests of a plan. A log begins with one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanDigest {
    /// Of what is asked: the plan as canonical JSON without `limits` and without the endpoint's `url`, `timeout_s` and
    /// `api_key_env`, on which no request's bytes and no score depend. A new log begins with it.
    pub asked: Digest,
    /// Of the plan's bytes: the first logs began with it.
    pub bytes: Digest,
}

impl PlanDigest {
    /// Whether a log may begin with this digest.
    #[must_use]
    pub fn begins(&self, prev: &Digest) -> bool {
        *prev == self.asked || *prev == self.bytes
    }
}

impl From<Digest> for PlanDigest {
    fn from(digest: Digest) -> Self {
        Self { asked: digest, bytes: digest }
    }
}

impl Plan {
    /// Whether another plan asks for the same: the two may then share a log.
    #[must_use]
    pub fn asks_as(&self, other: &Self) -> bool {
        self.digest.asked == other.digest.asked
    }

    /// How many candidates each task has.
    #[must_use]
    pub fn k(&self) -> usize {
        self.tasks.first().map_or(0, |task| task.candidates.len())
    }

    /// Whether some channel shows a generated view.
    #[must_use]
    pub fn is_generating(&self) -> bool {
        self.channels.iter().any(|channel| channel.view == View::Generated)
    }
}

/// An OpenAI-compatible endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The address up to and without `/chat/completions`.
    pub url: String,
    /// Which additions the server wants.
    pub dialect: Dialect,
    /// The model asked for.
    pub model: String,
    /// The environment variable that holds the key, if there is one.
    pub api_key_env: Option<String>,
    /// Seconds after which a call is given up.
    pub timeout_s: u64,
    /// What serves the model, in words: program, build, weights.
    pub note: String,
}

/// Which fields beyond the common ones a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// None.
    OpenAi,
    /// `cache_prompt: false`: a warm cache moves log-probabilities.
    LlamaCpp,
    /// `thinking: {type: disabled}`: thinking is on by default and ignores the temperature.
    DeepSeek,
}

/// How a cell is read off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readout {
    /// One call scores all candidates by their labels.
    Joint,
    /// One call a candidate scores `Yes` and `No`.
    Binary,
}

/// What stands beside the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// No note at all: the direct template.
    None,
    /// An empty note.
    Empty,
    /// A quote of the evidence.
    Quote,
    /// A note that the same endpoint wrote without knowing any label.
    Generated,
}

/// Which of evidence and note counts where they differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authority {
    /// Both alike.
    Neutral,
    /// The evidence.
    EvidencePrimary,
}

/// Whether returned log-probabilities are those before or after the temperature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// Before.
    Raw,
    /// After.
    Tempered,
    /// Nobody knows.
    Unknown,
}

/// A way of scoring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Its identifier.
    pub id: String,
    /// Its readout.
    pub readout: Readout,
    /// Its view.
    pub view: View,
    /// Its authority.
    pub authority: Authority,
    /// Its basis, as declared.
    pub basis: Basis,
}

/// A repeated acquisition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wave {
    /// Its identifier.
    pub id: i64,
    /// Its weight, an exact number in its spelling.
    pub weight: String,
}

/// One trajectory: a question, its answers, and the states in which it is put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The trajectory's identifier.
    pub trajectory: String,
    /// The question.
    pub question: String,
    /// The answers in canonical order.
    pub candidates: Vec<Candidate>,
    /// Which of them is right, as reviewed.
    pub target: usize,
    /// Whether the trajectory reached its end.
    pub success: bool,
    /// The states in their order; each pair of neighbours is a transition.
    pub states: Vec<State>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its stable identifier.
    pub id: String,
    /// Its text.
    pub text: String,
}

/// A frozen state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Its identifier, unique in the plan.
    pub id: String,
    /// All that is known in it.
    pub evidence: String,
}

/// Why a plan is not one.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The bytes are not strict JSON.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The JSON is not a plan.
    #[error("{place}: {what}. {help}")]
    Shape {
        /// Where.
        place: Place,
        /// What is wrong.
        what: String,
        /// What to do.
        help: String,
    },
    /// A newer format.
    #[error("{place}: `{format}` is a newer format than this version reads ({FORMAT}@1). Use a newer decidendi.")]
    Unsupported {
        /// Where.
        place: Place,
        /// The declared format.
        format: String,
    },
}

macro_rules! words {
    ($kind:ident: $($variant:ident = $word:literal),+) => {
        impl $kind {
            /// All words with their meanings.
            pub(crate) const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant)),+];

            /// The word in a document.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }
    };
}

words!(Dialect: OpenAi = "openai", LlamaCpp = "llama.cpp", DeepSeek = "deepseek");
words!(Readout: Joint = "joint", Binary = "binary");
words!(View: None = "none", Empty = "empty", Quote = "quote", Generated = "generated");
words!(Authority: Neutral = "neutral", EvidencePrimary = "evidence-primary");
words!(Basis: Raw = "raw", Tempered = "tempered", Unknown = "unknown");
