//! From the exact body of an answer to the log-probabilities of its labels: a pure function, run after the call and on
//! every replay.
//!
//! A label counts only when its token is there, letter for letter and byte for byte, with a finite value that no sentinel
//! stands for. Spelling variants (` A`, `a`) are other tokens and are never added up.

use serde::Deserialize;
use serde_json::Value;

/// Values at or below this stand for "not reported": −9999 (several servers), −3.4e38 (the smallest 32-bit float).
pub const SENTINEL: f64 = -9999.0;
/// A log-probability may lie above 0 by rounding, not by more.
const ROUNDING: f64 = 1e-3;

/// What one answer says about the labels that were asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// For each label its log-probability, or why there is none.
    pub labels: Vec<Result<f64, Missing>>,
    /// For each label its place in the returned list, from 0.
    pub ranks: Vec<Option<usize>>,
    /// What was odd without making a label missing.
    pub flags: Vec<Flag>,
    /// The model that answered, by its own word.
    pub model: Option<String>,
    /// The build that answered, by its own word.
    pub fingerprint: Option<String>,
}

impl Answer {
    /// Whether every label has its value.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.labels.iter().all(Result::is_ok)
    }

    /// Whether the server gave no log-probabilities at all: it does not support them, something between drops them, or
    /// what answered is no such server.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        let none = |missing: &Missing| {
            matches!(
                missing,
                Missing::Unreadable(_) | Missing::NoChoice | Missing::NoLogprobs | Missing::NoContent | Missing::NoList
            )
        };
        self.labels.iter().all(|label| label.as_ref().is_err_and(none))
    }
}

/// Why a label has no log-probability. Nothing is put in its place.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Missing {
    /// The body is not JSON of the wanted shape.
    #[error("the body cannot be read: {0}")]
    Unreadable(String),
    /// No choice in it.
    #[error("the answer holds no choice")]
    NoChoice,
    /// `logprobs` is absent or null.
    #[error("the answer holds no logprobs")]
    NoLogprobs,
    /// `logprobs.content` is absent, null or empty.
    #[error("logprobs.content is empty")]
    NoContent,
    /// `top_logprobs` is absent, null or empty.
    #[error("top_logprobs is empty")]
    NoList,
    /// The model thought first, so that the first token is no answer to the prompt.
    #[error("the model wrote reasoning before it answered")]
    Reasoning,
    /// Every value is 0.
    #[error("every log-probability is 0, which no distribution has")]
    AllZero,
    /// The label is none of the returned tokens.
    #[error("not among the {0} tokens returned")]
    NotInTopK(usize),
    /// Its value is null.
    #[error("its value is null")]
    Null,
    /// Its value stands for "not reported".
    #[error("its value {0} stands for \"not reported\"")]
    Sentinel(f64),
    /// Its value is above 0.
    #[error("its value {0} is above 0 and so no log-probability")]
    Positive(f64),
}

/// Something odd that is told and changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flag {
    /// A label was returned more than once; the first counts.
    Duplicate(String),
    /// Fewer entries than asked for.
    Fewer(usize),
    /// More entries than asked for; those beyond are not read.
    More(usize),
    /// Part of the prompt came from a cache.
    Cached(u64),
    /// More than one token was scored; the first counts.
    LongContent(usize),
    /// A spelling variant of a label was returned too; it is not added.
    Variant(String),
    /// The token and its bytes say different things.
    Bytes(String),
}

impl std::fmt::Display for Flag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Duplicate(_) => write!(f, "a label returned twice, the first counts"),
            Self::Fewer(_) => write!(f, "fewer entries than asked for"),
            Self::More(_) => write!(f, "more entries than asked for, the rest not read"),
            Self::Cached(_) => write!(f, "part of the prompt came from a cache"),
            Self::LongContent(_) => write!(f, "more than one token, the first counts"),
            Self::Variant(_) => write!(f, "a spelling variant of a label, not added"),
            Self::Bytes(_) => write!(f, "a token whose bytes say otherwise, passed over"),
        }
    }
}

#[derive(Deserialize)]
struct Body {
    choices: Option<Vec<Choice>>,
    model: Option<Value>,
    system_fingerprint: Option<Value>,
    usage: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    message: Option<Message>,
    logprobs: Option<Logprobs>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
    reasoning_content: Option<String>,
    reasoning: Option<String>,
}

#[derive(Deserialize)]
struct Logprobs {
    content: Option<Vec<Token>>,
}

#[derive(Deserialize)]
struct Token {
    top_logprobs: Option<Vec<Entry>>,
}

#[derive(Deserialize)]
struct Entry {
    token: String,
    bytes: Option<Vec<u8>>,
    logprob: Option<f64>,
}

/// Reads the labels off a body. `asked` is how many entries the request asked for.
#[must_use]
pub fn read(body: &[u8], labels: &[String], asked: usize) -> Answer {
    let mut answer = Answer {
        labels: Vec::new(),
        ranks: vec![None; labels.len()],
        flags: Vec::new(),
        model: None,
        fingerprint: None,
    };
    match list(body, &mut answer) {
        Ok(entries) => find(&entries, labels, asked, &mut answer),
        Err(why) => answer.labels = vec![Err(why); labels.len()],
    }
    answer.flags.sort();
    answer.flags.dedup();
    answer
}

/// The list of the first token's alternatives.
fn list(body: &[u8], answer: &mut Answer) -> Result<Vec<Entry>, Missing> {
    let body: Body = serde_json::from_slice(body).map_err(|e| Missing::Unreadable(e.to_string()))?;
    let text = |value: Option<Value>| value.as_ref().and_then(Value::as_str).map(str::to_owned);
    answer.model = text(body.model);
    answer.fingerprint = text(body.system_fingerprint);
    let cached = body.usage.as_ref().and_then(|usage| usage.pointer("/prompt_tokens_details/cached_tokens")?.as_u64());
    answer.flags.extend(cached.filter(|&n| n > 0).map(Flag::Cached));
    let choice = body.choices.and_then(|choices| choices.into_iter().next()).ok_or(Missing::NoChoice)?;
    let thought = choice.message.and_then(|message| message.reasoning_content.or(message.reasoning));
    let content = choice.logprobs.ok_or(Missing::NoLogprobs)?.content.filter(|c| !c.is_empty());
    let content = content.ok_or(Missing::NoContent)?;
    if thought.is_some_and(|thought| !thought.is_empty()) {
        return Err(Missing::Reasoning);
    }
    if content.len() > 1 {
        answer.flags.push(Flag::LongContent(content.len()));
    }
    let list = content.into_iter().next().and_then(|token| token.top_logprobs).filter(|list| !list.is_empty());
    let list = list.ok_or(Missing::NoList)?;
    if list.len() > 1 && list.iter().all(|entry| entry.logprob == Some(0.0)) {
        return Err(Missing::AllZero);
    }
    Ok(list)
}

fn find(entries: &[Entry], labels: &[String], asked: usize, answer: &mut Answer) {
    match entries.len() {
        n if n < asked => answer.flags.push(Flag::Fewer(n)),
        n if n > asked => answer.flags.push(Flag::More(n)),
        _ => {}
    }
    let entries = entries.get(..asked).unwrap_or(entries);
    for (i, label) in labels.iter().enumerate() {
        let mut hit = None;
        for (rank, entry) in entries.iter().enumerate() {
            if entry.token != *label {
                // The mark that some vocabularies put for a space is a variant as well.
                let bare = entry.token.trim_matches(|c: char| c.is_whitespace() || matches!(c, '▁' | 'Ġ'));
                if bare.eq_ignore_ascii_case(label) {
                    answer.flags.push(Flag::Variant(entry.token.clone()));
                }
            } else if entry.bytes.as_ref().is_some_and(|bytes| bytes != label.as_bytes()) {
                answer.flags.push(Flag::Bytes(label.clone()));
            } else if hit.is_some() {
                answer.flags.push(Flag::Duplicate(label.clone()));
            } else {
                hit = Some((rank, entry));
            }
        }
        answer.ranks[i] = hit.map(|(rank, _)| rank);
        answer.labels.push(hit.map_or(Err(Missing::NotInTopK(entries.len())), |(_, entry)| value(entry.logprob)));
    }
}

fn value(logprob: Option<f64>) -> Result<f64, Missing> {
    match logprob {
        None => Err(Missing::Null),
        Some(x) if x <= SENTINEL => Err(Missing::Sentinel(x)),
        Some(x) if x > ROUNDING => Err(Missing::Positive(x)),
        Some(x) => Ok(x),
    }
}

/// The text that a body holds: the derived view, as it was returned.
///
/// # Errors
/// Why there is none.
pub fn text(body: &[u8]) -> Result<String, Missing> {
    let body: Body = serde_json::from_slice(body).map_err(|e| Missing::Unreadable(e.to_string()))?;
    let choice = body.choices.and_then(|choices| choices.into_iter().next()).ok_or(Missing::NoChoice)?;
    choice.message.and_then(|message| message.content).ok_or(Missing::NoContent)
}
