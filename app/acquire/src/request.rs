//! From a call to the exact bytes of its request. Same plan, same call, same view: same bytes.

use decidendi_core::seal::canon::canonical;
use decidendi_core::seal::json::Json;

use crate::calls::{At, Cell};
use crate::plan::{Dialect, Plan, Readout, View};
use crate::templates::{self, Prompt, SYSTEM};

/// The request that makes the derived view of a state: greedy, bounded, label-free.
#[must_use]
pub fn view(plan: &Plan, at: At) -> Vec<u8> {
    let (task, state) = at.of(plan);
    body(plan, &templates::view(task, &state.evidence), 0.0, plan.generated_tokens, false)
}

/// The request that scores a cell. `generated` is the state's generated view, which only channels that show it use.
#[must_use]
pub fn score(plan: &Plan, cell: &Cell, generated: &str) -> Vec<u8> {
    score_at(plan, cell, generated, plan.temperature_value)
}

/// The request that scores a cell at another temperature, for the probe of the basis.
#[must_use]
pub fn score_at(plan: &Plan, cell: &Cell, generated: &str, temperature: f64) -> Vec<u8> {
    let (task, state) = cell.at.of(plan);
    let channel = &plan.channels[cell.channel];
    let quote = templates::quote(&state.evidence, plan.quote_chars);
    let view = match channel.view {
        View::None | View::Empty => "",
        View::Quote => &quote,
        View::Generated => generated,
    };
    let asked = cell.candidate.unwrap_or_default();
    let prompt = templates::scoring(task, channel, &state.evidence, view, cell.layout, asked);
    body(plan, &prompt, temperature, 1, true)
}

/// The labels whose log-probabilities a channel reads.
#[must_use]
pub fn labels(readout: Readout, k: usize) -> Vec<String> {
    match readout {
        Readout::Joint => (0..k).map(templates::label).collect(),
        Readout::Binary => vec!["Yes".to_owned(), "No".to_owned()],
    }
}

fn body(plan: &Plan, prompt: &Prompt, temperature: f64, max_tokens: i64, scored: bool) -> Vec<u8> {
    let message = |role: &str, text: String| Json::map([("role", Json::text(role)), ("content", Json::Text(text))]);
    let mut entries = vec![
        ("model", Json::text(&plan.endpoint.model)),
        ("messages", Json::List(vec![message("system", SYSTEM.to_owned()), message("user", prompt.user())])),
        ("max_tokens", Json::Int(max_tokens)),
        ("temperature", Json::Float(temperature)),
    ];
    if scored {
        // Some servers refuse the second without the first.
        entries.push(("logprobs", Json::Bool(true)));
        entries.push(("top_logprobs", Json::Int(plan.top_logprobs)));
    }
    match plan.endpoint.dialect {
        Dialect::OpenAi => {}
        Dialect::LlamaCpp => entries.push(("cache_prompt", Json::Bool(false))),
        Dialect::DeepSeek => entries.push(("thinking", Json::map([("type", Json::text("disabled"))]))),
    }
    canonical(&Json::map(entries))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::example;

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_request_is_spelled_as_the_page_shows_it() {
        let plan = example();
        let cell = crate::calls::probe(&plan);
        let request = text(score(&plan, &cell, ""));
        assert!(request.starts_with(
            r#"{"cache_prompt":false,"logprobs":true,"max_tokens":1,"messages":[{"content":"Judge evidence."#
        ));
        assert!(
            request.ends_with(r#""model":"smollm2-135m-instruct-q4_1","temperature":1,"top_logprobs":20}"#),
            "{request}"
        );
        let view = text(view(&plan, cell.at));
        assert!(view.ends_with(r#""temperature":0}"#) && !view.contains("logprobs"), "{view}");
    }

    // ggml-org/llama.cpp #28368: a warm cache moves log-probabilities; deepseek: thinking is on by default.
    #[test]
    fn a_dialect_adds_its_field_and_no_other() {
        let mut plan = example();
        let cell = crate::calls::probe(&plan);
        let fields = |plan: &Plan| {
            let value: serde_json::Value = serde_json::from_slice(&score(plan, &cell, "")).unwrap();
            value.as_object().unwrap().keys().cloned().collect::<Vec<_>>()
        };
        plan.endpoint.dialect = Dialect::OpenAi;
        let common = fields(&plan);
        assert_eq!(common, ["logprobs", "max_tokens", "messages", "model", "temperature", "top_logprobs"]);
        for (dialect, field) in [(Dialect::LlamaCpp, "cache_prompt"), (Dialect::DeepSeek, "thinking")] {
            plan.endpoint.dialect = dialect;
            let added: Vec<String> = fields(&plan).into_iter().filter(|f| !common.contains(f)).collect();
            assert_eq!(added, [field]);
        }
    }

    #[test]
    fn only_the_channel_with_the_view_shows_it() {
        let plan = example();
        for channel in 0..plan.channels.len() {
            let cell = Cell { channel, ..crate::calls::probe(&plan) };
            let shown = text(score(&plan, &cell, "a note of its own")).contains("a note of its own");
            assert_eq!(shown, plan.channels[channel].view == View::Generated);
        }
    }
}
