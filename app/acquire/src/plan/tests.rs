//! The example of `docs/formats/acquire.md`, and what a plan may not be.

use super::*;

/// The example's text.
pub(crate) fn example_text() -> String {
    let page = include_str!("../../../../docs/formats/acquire.md");
    let start = page.find("```json\n").unwrap() + "```json\n".len();
    page[start..start + page[start..].find("```").unwrap()].to_owned()
}

/// The example, read.
pub(crate) fn example() -> Plan {
    read("plan.json", example_text().as_bytes()).unwrap()
}

#[test]
fn the_page_s_example_is_a_plan() {
    let plan = example();
    assert_eq!((plan.k(), plan.layouts, plan.channels.len(), plan.waves.len()), (4, 4, 3, 2));
    assert!(plan.notices.is_empty() && plan.is_generating());
}

#[test]
fn faults_name_file_line_and_column() {
    let text = example_text();
    for (from, to, message) in [
        ("acquire-plan@1", "acquire-plan@2", "is a newer format than this version reads"),
        ("acquire-plan@1", "case@1", "this is no acquisition plan"),
        ("\"top_logprobs\": 20", "\"top_logprobs\": 3", "fewer entries than there are labels"),
        ("\"top_logprobs\": 20", "\"top_logprobs\": 21", "21 is out of range"),
        ("\"1/2\"", "\"1/3\"", "the weights do not sum to 1"),
        ("\"target\": \"bern\"", "\"target\": \"basel\"", "no candidate is called so"),
        ("\"id\": \"bern\"", "\"id\": \"zurich\"", "`zurich` is there already"),
        ("http://127.0.0.1", "http://example.org", "plain http"),
        ("\"reference\": \"quote\"", "\"reference\": \"qoute\"", "no channel is called so"),
        ("\"max_calls\": 200", "\"max_calls\": 0", "0 is out of range"),
        ("\"concurrency\": 1", "\"concurrency\": 4", "4 is out of range"),
        ("\"temperature\": \"1\"", "\"temperature\": \"0\"", "above 0"),
        ("\"temperature\": \"1\"", "\"temperature\": 1", "an exact number in a string"),
        ("\"view\": \"quote\"", "\"view\": \"quota\"", "`quota` is not known here"),
        ("\"count\": 4", "\"count\": 5", "5 is out of range"),
        ("\"title\":", "\"titel\":", "`title` is missing"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = read("plan.json", text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
        assert!(error.contains(message) && error.starts_with("plan.json:"), "{error}");
    }
}

#[test]
fn a_key_in_place_of_its_variable_s_name_is_refused_and_not_shown() {
    let text = example_text().replacen("\"timeout_s\"", "\"api_key_env\": \"sk-secret-123\", \"timeout_s\"", 1);
    let error = read("plan.json", text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("never the key itself") && !error.contains("secret"), "{error}");
}

#[test]
fn an_unknown_basis_asks_for_temperature_one() {
    let text = example_text().replacen("\"logprob_basis\": \"raw\"", "\"logprob_basis\": \"unknown\"", 1);
    assert!(read("plan.json", text.as_bytes()).is_ok());
    let text = text.replacen("\"temperature\": \"1\"", "\"temperature\": \"1.5\"", 1);
    assert!(read("plan.json", text.as_bytes()).unwrap_err().to_string().contains("acquire probe"));
}

#[test]
fn fields_that_nobody_reads_are_told() {
    let text = example_text().replacen("\"timeout_s\"", "\"colour\": \"red\", \"timeout_s\"", 1);
    let plan = read("plan.json", text.as_bytes()).unwrap();
    assert_eq!(plan.notices.len(), 1);
    assert_eq!(plan.notices[0].path.to_string(), "endpoint.colour");
}
