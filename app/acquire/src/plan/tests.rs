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

/// The example with other waves, channels and so on; each has a study that the core refuses.
#[test]
fn a_plan_whose_study_would_be_refused_is_refused_before_the_first_call() {
    let text = example_text();
    let waves: Vec<String> = (0..65).map(|n| format!("{{\"id\": {n}, \"weight\": \"1/65\"}}")).collect();
    let channels: Vec<String> = (0..255)
        .map(|n| {
            format!(
                "{{\"id\": \"c{n}\", \"readout\": \"joint\", \"view\": \"quote\", \"authority\": \"neutral\", \
                 \"logprob_basis\": \"raw\"}}, "
            )
        })
        .collect();
    let states: Vec<String> = (0..30_000).map(|n| format!("{{\"id\": \"s{n}\", \"evidence\": \"e\"}}, ")).collect();
    let contrast = "{\"id\": \"generated-quote\", \"alternative\": \"generated\", \"reference\": \"quote\"}";
    let bridge = |more: &str| {
        format!("\"bridge\": [{{\"vertex\": \"A\", \"alternative\": \"generated\", \"reference\": \"quote\"{more}}}]")
    };
    let contrasts = format!("\"contrasts\": [{contrast}]");
    let wide = |of: &str| of.replacen("\"states\": [", &format!("\"states\": [{}", states.concat()), 1);
    let many = wide(&text).replacen("\"channels\": [", &format!("\"channels\": [{}", channels[..100].concat()), 1);
    for (changed, told) in [
        (
            text.replacen("\"id\": \"swiss-capital\"", "\"id\": \".hidden\"", 1),
            "3:3: id: REFUSED: `.hidden` cannot be an id. An id names files",
        ),
        (
            text.replacen("\"alternative\": \"generated\"", "\"alternative\": \"quote\"", 1),
            "contrasts[0]: REFUSED: a channel is compared with itself. Name two different channels.",
        ),
        (
            text.replacen(contrast, &format!("{contrast}, {contrast}"), 1),
            "contrasts[1].id: REFUSED: two contrasts are called `generated-quote`. Give each an id of its own.",
        ),
        (
            text.replacen(&contrasts, &bridge(""), 1),
            "bridge[0].alternative: REFUSED: channels `generated` and `quote` differ in authority (`evidence-primary`, `neutral`): \
             a vertex crosses the state with the view alone.",
        ),
        (
            text.replacen("\"evidence-primary\"", "\"neutral\"", 1).replacen(
                &contrasts,
                &bridge(", \"equivalence_margin\": \"0\""),
                1,
            ),
            "bridge[0].equivalence_margin: REFUSED: an equivalence margin of 0. It is greater than zero.",
        ),
        (
            text.replacen("\"waves\"", "\"auc_equivalence_margin\": 2, \"waves\"", 1),
            "auc_equivalence_margin: REFUSED: a difference of AUCs is never beyond 1.",
        ),
        (
            text.replacen(
                "[{\"id\": 0, \"weight\": \"1/2\"}, {\"id\": 1, \"weight\": \"1/2\"}]",
                &format!("[{}]", waves.join(",")),
                1,
            ),
            "waves: REFUSED: 65 waves. At most 64 are read.",
        ),
        (
            text.replacen("\"channels\": [", &format!("\"channels\": [{}", channels.concat()), 1),
            "channels: REFUSED: 258 channels. Declare 1 to 256.",
        ),
        (many, "tasks: REFUSED: the study declares more than 67108864 scores"),
    ] {
        assert_ne!(changed, text, "{told}");
        let error = read("plan.json", changed.as_bytes()).unwrap_err().to_string();
        let told = told.replace("REFUSED", "the study that this plan leads to is refused");
        assert!(error.starts_with("plan.json:") && error.contains(&told), "{error}\n{told}");
    }
}

#[test]
fn margins_go_into_the_study() {
    let text = example_text().replacen(
        "\"waves\"",
        "\"equivalence_margin\": \"1/4\", \"auc_equivalence_margin\": \"0.1\", \"waves\"",
        1,
    );
    let plan = read("plan.json", text.as_bytes()).unwrap();
    let study = String::from_utf8(document::document(&plan)).unwrap();
    assert!(
        plan.notices.is_empty()
            && study.contains("\"equivalence_margin\": \"1/4\",\n  \"auc_equivalence_margin\": \"0.1\""),
        "{study}"
    );
}

#[test]
fn a_key_in_place_of_its_variable_s_name_is_refused_and_not_shown() {
    let text = example_text().replacen("\"timeout_s\"", "\"api_key_env\": \"sk-secret-123\", \"timeout_s\"", 1);
    let error = read("plan.json", text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("never the key itself") && !error.contains("secret"), "{error}");
}

#[test]
fn a_field_that_is_named_like_a_secret_is_refused_and_its_value_not_shown() {
    let text = example_text();
    for name in ["api_key", "apiKey", "API-Key", "key", "token", "access_token", "Authorization", "secret", "password"]
    {
        let nested = format!("\"headers\": {{\"{name}\": \"sk-0123\"}}, \"timeout_s\"");
        for (from, to) in [
            ("\"timeout_s\"", format!("\"{name}\": \"sk-0123\", \"timeout_s\"")),
            ("\"timeout_s\"", nested),
            ("\"title\"", format!("\"{name}\": [\"sk-0123\"], \"title\"")),
        ] {
            let error = read("plan.json", text.replacen(from, &to, 1).as_bytes()).unwrap_err().to_string();
            assert!(error.contains("api_key_env") && error.contains(name) && !error.contains("sk-0123"), "{error}");
            assert!(error.starts_with("plan.json:"), "{error}");
        }
    }
    for name in ["keyboard", "tokens", "api_key_environment", "monkey"] {
        let text = text.replacen("\"title\"", &format!("\"{name}\": 1, \"title\""), 1);
        assert_eq!(read("plan.json", text.as_bytes()).unwrap().notices.len(), 1, "{name}");
    }
}

/// The example with so many candidates.
fn with_candidates(n: usize, channels: &str) -> String {
    let text = example_text();
    let list: Vec<String> = (0..n).map(|i| format!(r#"{{"id": "c{i}", "text": "answer {i}"}}"#)).collect();
    let cut = |text: &str, from: &str, to: &str, with: &str| {
        let start = text.find(from).unwrap();
        let end = start + text[start..].find(to).unwrap();
        format!("{}{with}{}", &text[..start], &text[end..])
    };
    let text = cut(&text, "\"candidates\"", "\"target\"", &format!("\"candidates\": [{}],\n", list.join(", ")));
    let text = cut(&text, "\"contrasts\"", "\"tasks\"", "");
    let text = cut(&text, "\"channels\"", "\"layouts\"", &format!("\"channels\": [{channels}],\n"));
    text.replace("\"target\": \"bern\"", "\"target\": \"c0\"")
}

#[test]
fn a_joint_channel_takes_as_many_candidates_as_an_answer_holds_entries() {
    let joint = r#"{"id": "j", "readout": "joint", "view": "none", "authority": "neutral", "logprob_basis": "raw"}"#;
    let binary = joint.replace("\"j\"", "\"b\"").replace("\"joint\"", "\"binary\"");
    let try_read = |n: usize, channels: &str| read("plan.json", with_candidates(n, channels).as_bytes());
    assert_eq!(try_read(20, joint).unwrap().k(), 20);
    assert_eq!(try_read(26, &binary).unwrap().k(), 26);
    let error = try_read(21, &format!("{binary}, {joint}")).unwrap_err().to_string();
    assert!(error.contains("channels[1].readout: a joint channel reads 21 labels off one answer"), "{error}");
    assert!(error.contains("Name 20 candidates or fewer"), "{error}");
    // Two labels are all that a binary channel reads.
    let few = with_candidates(26, &binary).replace("\"top_logprobs\": 20", "\"top_logprobs\": 2");
    assert!(read("plan.json", few.as_bytes()).is_ok());
}

#[test]
fn what_no_answer_depends_on_leaves_the_plan_the_same() {
    let (text, plan) = (example_text(), example());
    for (from, to, same) in [
        ("\"max_calls\": 200", "\"max_calls\": 900", true),
        ("\"requests_per_minute\": 600", "\"requests_per_minute\": 6", true),
        ("\"timeout_s\": 120", "\"timeout_s\": 7", true),
        ("\"timeout_s\"", "\"api_key_env\": \"KEY\", \"timeout_s\"", true),
        ("127.0.0.1:8651", "127.0.0.1:9", true),
        ("\n  \"title\"", "\n\n  \"title\"", true),
        ("smollm2-135m-instruct-q4_1", "another", false),
        ("llama.cpp\", \"model", "openai\", \"model", false),
        ("seat of", "centre of", false),
        ("\"quote_chars\": 90", "\"quote_chars\": 91", false),
    ] {
        assert!(text.contains(from), "{from}");
        let other = read("plan.json", text.replacen(from, to, 1).as_bytes()).unwrap();
        assert_eq!(plan.asks_as(&other), same, "{from}");
        assert_ne!(plan.digest.bytes, other.digest.bytes, "{from}");
    }
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
