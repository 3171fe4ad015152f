//! Step-value reports for people and scripts.

mod csv;
mod json;
mod sections;
mod text;
mod words;

pub use csv::step_value_csv;
pub use json::step_value_json;
pub use sections::{Row, Section, identification, sections};
pub use text::{step_value_markdown, step_value_text};
pub use words::{agreement, effect_words, figure, interval, missing_at, over_draws, sign_word, signed};
