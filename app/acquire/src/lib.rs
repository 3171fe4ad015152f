//! Acquisition for Agent Step Value: a plan becomes requests to an OpenAI-compatible chat endpoint, every attempt becomes
//! one line of an append-only log, and the scores of a study are a pure function of that log.
//!
//! ```text
//! plan.json ─▶ calls ─▶ prompts ─▶ request bytes ─client─▶ log.jsonl ─derive─▶ study.json, scores.jsonl
//! ```
//!
//! The network is met in [`client`], the disk in [`log`]; everything else is a function of its arguments. What was not
//! returned is missing: nothing is guessed, clipped or asked again because it looks odd.

pub mod address;
pub mod answer;
pub mod calls;
pub mod client;
mod coding;
pub mod derive;
mod echo;
mod failure;
pub mod ledger;
pub mod log;
pub mod plan;
pub mod probe;
pub mod record;
mod refusal;
pub mod request;
pub mod retry;
pub mod run;
pub mod secret;
pub mod templates;
pub mod time;
