//! What a server says in place of an answer. Some servers and gateways send an error under status 200, a page, a stream
//! that nobody asked for, or nothing: none of these is an answer of a model, so asking again selects on no outcome.

use serde_json::Value;

use crate::failure::Failure;

/// Where servers put a message, in the order in which they are looked at.
const WORDS: [&str; 9] =
    ["error", "errors", "message", "detail", "msg", "error_message", "error_msg", "description", "reason"];
/// Fields that only an error has where there is no choice.
const SIGNS: [&str; 8] = ["error", "errors", "message", "detail", "msg", "error_message", "error_msg", "error_code"];
/// Where servers put the status that they mean.
const CODES: [&str; 6] = ["code", "status", "status_code", "statusCode", "http_status", "error_code"];

/// What stands under status 200 in place of an answer; `None` for an answer, however odd.
#[must_use]
pub fn failure(body: &[u8]) -> Option<Failure> {
    let body = body.trim_ascii();
    if body.is_empty() {
        return Some(Failure::foreign("the answer is empty"));
    }
    if body.starts_with(b"<") {
        return Some(Failure::foreign("a page in place of an answer"));
    }
    if event(body).is_some() {
        return Some(Failure::foreign("a stream of events, although none was asked for"));
    }
    let value: Value = serde_json::from_slice(body).ok()?;
    let error = error(&value)?;
    let is_temporary = code(error).is_none_or(passes);
    Some(Failure { text: "an error in place of an answer".to_owned(), is_temporary, is_foreign: false })
}

/// Whether a status may be another next time.
#[must_use]
pub const fn passes(status: u16) -> bool {
    matches!(status, 408 | 409 | 425 | 429 | 500..=599)
}

/// The words in a body: a server's own message where it is one, else the body as it is.
#[must_use]
pub fn words(body: &[u8]) -> String {
    let inner = event(body.trim_ascii()).unwrap_or(body);
    let message = serde_json::from_slice(inner).ok().and_then(|value: Value| message(&value));
    message.unwrap_or_else(|| String::from_utf8_lossy(body).into_owned())
}

/// The first event's data, if a body begins as a stream of events does.
fn event(body: &[u8]) -> Option<&[u8]> {
    let is_field =
        |line: &[u8]| [&b"data:"[..], b"event:", b"id:", b"retry:", b":"].iter().any(|f| line.starts_with(f));
    let mut lines = body.split(|&b| b == b'\n' || b == b'\r').filter(|line| !line.is_empty());
    if !lines.clone().next().is_some_and(is_field) {
        return None;
    }
    Some(lines.find_map(|line| line.strip_prefix(b"data:")).unwrap_or_default().trim_ascii())
}

/// The part of a document that is an error, if there is no choice beside it that answers.
fn error(value: &Value) -> Option<&Value> {
    if let Value::Array(items) = value {
        return items.first().and_then(error);
    }
    let object = value.as_object()?;
    let stated = |object: &serde_json::Map<String, Value>, name: &str| {
        object.get(name).is_some_and(|v| !v.is_null() && *v != Value::Bool(false))
    };
    match object.get("choices").and_then(Value::as_array).and_then(|choices| choices.first()) {
        // A generation that broke off under way is told within the choice.
        Some(choice) => choice.as_object().filter(|choice| stated(choice, "error")).map(|_| choice),
        None => SIGNS.iter().any(|name| stated(object, name)).then_some(value),
    }
}

fn message(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Array(items) => items.iter().find_map(message),
        Value::Object(object) => {
            let choice =
                object.get("choices").and_then(|choices| choices.get(0)).and_then(|choice| choice.get("error"));
            WORDS.iter().filter_map(|name| object.get(*name)).chain(choice).find_map(message)
        }
        _ => None,
    }
}

/// The status that an error means, where it names one.
fn code(error: &Value) -> Option<u16> {
    let number = |value: &Value| {
        let code = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())?;
        u16::try_from(code).ok().filter(|code| (400..600).contains(code))
    };
    match error {
        Value::Array(items) => items.iter().find_map(code),
        Value::Object(object) => {
            let own = CODES.iter().filter_map(|name| object.get(*name)).find_map(number);
            own.or_else(|| ["error", "errors", "detail"].iter().filter_map(|name| object.get(*name)).find_map(code))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_under_status_200_is_no_answer_and_is_told_in_its_own_words() {
        for (body, told, is_temporary) in [
            (r#"{"error":{"message":"Rate limit reached","code":429}}"#, "Rate limit reached", true),
            (r#"{"error":{"message":"Overloaded","type":"overloaded_error"},"type":"error"}"#, "Overloaded", true),
            (r#"{"error":"the queue is full"}"#, "the queue is full", true),
            (r#"{"error":["first reason","second reason"]}"#, "first reason", true),
            (r#"{"error":[{"message":"in a list","code":"503"}]}"#, "in a list", true),
            (r#"[{"error":{"code":401,"message":"no such key","status":"UNAUTHENTICATED"}}]"#, "no such key", false),
            (r#"{"success":false,"errors":[{"code":7003,"message":"no route"}],"result":null}"#, "no route", true),
            (r#"{"object":"error","message":"the model is not loaded","code":404}"#, "the model is not loaded", false),
            (r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#, "field required", true),
            (r#"{"detail":"Not Found","status":404}"#, "Not Found", false),
            (r#"{"choices":[],"error":{"message":"nobody is free"}}"#, "nobody is free", true),
            (
                r#"{"choices":[{"error":{"code":502,"message":"the provider broke off"}}]}"#,
                "the provider broke off",
                true,
            ),
            (r#"{"error_code":336100,"error_msg":"try again later"}"#, "try again later", true),
        ] {
            let failure = failure(body.as_bytes()).unwrap();
            assert_eq!((failure.is_temporary, failure.is_foreign), (is_temporary, false), "{body}");
            assert_eq!(words(body.as_bytes()), told, "{body}");
        }
        assert_eq!(words(br#"{"error":{"code":5}}"#), r#"{"error":{"code":5}}"#);
        assert_eq!(words(b"data: {\"error\":{\"message\":\"broken off\"}}\n\ndata: [DONE]\n"), "broken off");
    }

    #[test]
    fn what_is_no_answer_of_a_model_is_named() {
        for (body, named) in [
            (&b""[..], "empty"),
            (b" \r\n", "empty"),
            (b"\n<!doctype html><p>", "a page"),
            (b"data: {\"choices\":[]}\n\n", "a stream of events"),
            (b": keep-alive\n\ndata: {}\n", "a stream of events"),
            (b"event: error\r\ndata: {\"error\":\"x\"}\r\n", "a stream of events"),
        ] {
            let failure = failure(body).unwrap();
            assert!(failure.is_foreign && failure.is_temporary && failure.text.contains(named), "{failure:?}");
        }
    }

    // Asking until an answer pleases would select on the outcome.
    #[test]
    fn an_odd_answer_stays_an_answer() {
        for body in [
            r#"{"choices":[{"logprobs":null}],"error":null}"#,
            r#"{"choices":[{"message":{"content":"an error"}}],"error":{"message":"a warning"}}"#,
            r#"{"choices":[],"usage":{}}"#,
            r#"{"choices":[{"error":null,"logprobs":{"content":[]}}]}"#,
            r#"{"status":"ok"}"#,
            "{}",
            r#"{"choices":[{"logprobs":{"content":[{"top_logprobs":[{"token":"A","logprob":NaN}]}]}}]}"#,
            "A",
        ] {
            assert_eq!(failure(body.as_bytes()), None, "{body}");
        }
    }
}
