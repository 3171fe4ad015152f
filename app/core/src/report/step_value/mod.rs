//! Step-value reports for people and scripts.

mod json;
mod words;

pub use json::step_value_json;
pub use words::{interval, sign_word, signed};
