//! Acquisition without a network: answers that a real server sent, and answers that others reported. Each test names the
//! report.

use std::fs;
use std::path::PathBuf;

use decidendi_acquire::answer::{self, Answer, Flag, Missing};
use decidendi_acquire::plan::Readout;
use decidendi_acquire::request;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn body(name: &str) -> Vec<u8> {
    let path = root().join("tests/vectors/acquire").join(name);
    fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn read(name: &str, asked: usize) -> Answer {
    answer::read(&body(name), &request::labels(Readout::Joint, 4), asked)
}

/// What became of each label.
fn shape(answer: &Answer) -> Vec<Result<f64, Missing>> {
    answer.labels.clone()
}

fn all(missing: &Missing) -> Vec<Result<f64, Missing>> {
    vec![Err(missing.clone()); 4]
}

fn values(a: f64, b: f64, c: f64, d: f64) -> Vec<Result<f64, Missing>> {
    [a, b, c, d].map(Ok).to_vec()
}

#[test]
fn a_recorded_answer_gives_its_four_labels() {
    let answer = read("recorded/complete.json", 20);
    assert_eq!(
        shape(&answer),
        values(
            -1.404_723_882_675_171,
            -1.969_081_640_243_530_3,
            -1.037_536_382_675_171,
            answer.labels[3].clone().unwrap()
        )
    );
    assert_eq!(answer.ranks, [Some(1), Some(2), Some(0), Some(3)]);
    assert_eq!(
        (answer.model.as_deref(), answer.fingerprint.as_deref()),
        (Some("smollm2-135m-instruct-q4_1"), Some("b0-unknown"))
    );
    assert!(answer.flags.is_empty() && answer.is_complete());
}

#[test]
fn ggml_org_llama_cpp_28368_a_warm_cache_moves_values_and_is_flagged() {
    let (cold, warm) = (read("recorded/complete.json", 20), read("recorded/cached.json", 20));
    assert!(warm.flags.iter().any(|flag| matches!(flag, Flag::Cached(n) if *n > 0)), "{:?}", warm.flags);
    assert_ne!(cold.labels[2], warm.labels[2]);
}

#[test]
fn ggml_org_llama_cpp_10783_and_ollama_16117_dropped_logprobs_are_unsupported_not_missing_at_random() {
    for (name, missing) in [
        ("recorded/no-logprobs.json", Missing::NoLogprobs),
        ("recorded/top-0.json", Missing::NoLogprobs),
        ("recorded/post-sampling.json", Missing::NoList),
        ("written/null-logprobs.json", Missing::NoLogprobs),
        ("written/null-content.json", Missing::NoContent),
        ("written/empty-content.json", Missing::NoContent),
        ("written/empty-list.json", Missing::NoList),
        ("written/legacy-map.json", Missing::NoContent),
    ] {
        let answer = read(name, 20);
        assert_eq!((shape(&answer), answer.is_unsupported()), (all(&missing), true), "{name}");
    }
}

#[test]
fn a_label_outside_the_list_is_missing_and_the_others_stay() {
    let answer = read("recorded/top-3.json", 3);
    assert_eq!(answer.labels[3], Err(Missing::NotInTopK(3)));
    assert!(answer.labels[..3].iter().all(Result::is_ok) && !answer.is_complete() && !answer.is_unsupported());
}

#[test]
fn openai_and_vllm_11073_minus_9999_is_not_reported() {
    let answer = read("written/sentinel-9999.json", 4);
    assert_eq!(
        shape(&answer),
        [Ok(-0.1), Err(Missing::Sentinel(-9999.0)), Err(Missing::Sentinel(-9999.0)), Err(Missing::Sentinel(-12000.5))]
    );
}

#[test]
fn llama_cpp_the_smallest_float_is_not_reported_although_it_is_finite() {
    let answer = read("written/sentinel-f32.json", 4);
    assert_eq!(answer.labels[1], Err(Missing::Sentinel(f64::from(f32::MIN))));
    assert_eq!(answer.labels[0], Ok(0.0));
}

#[test]
fn deepseek_v3_2_exp_49_only_0_and_minus_9999_with_an_empty_list() {
    assert_eq!(shape(&read("written/only-zero-and-sentinel.json", 20)), all(&Missing::NoList));
}

#[test]
fn vllm_44319_and_sglang_32290_of_two_equal_tokens_the_first_counts() {
    let answer = read("written/duplicate.json", 5);
    assert_eq!(shape(&answer), values(-5.033, -1.5, -2.5, -3.5));
    assert_eq!(answer.flags, [Flag::Duplicate("A".to_owned())]);
}

#[test]
fn vllm_11073_what_is_no_json_is_missing_and_never_filled() {
    for name in ["written/not-a-number.body", "written/gateway.html"] {
        let answer = read(name, 4);
        assert!(answer.labels.iter().all(|label| matches!(label, Err(Missing::Unreadable(_)))), "{name}");
    }
    assert_eq!(shape(&read("written/no-choice.json", 4)), all(&Missing::NoChoice));
    assert_eq!(read("written/null-value.json", 4).labels[1], Err(Missing::Null));
}

#[test]
fn vllm_17876_a_row_of_zeros_is_no_distribution() {
    assert_eq!(shape(&read("written/all-zero.json", 4)), all(&Missing::AllZero));
    assert_eq!(read("written/probabilities.json", 4).labels[0], Err(Missing::Positive(0.5)));
    assert_eq!(read("written/rounded.json", 4).labels[0], Ok(1.2e-7));
}

#[test]
fn deepseek_and_litellm_18856_what_was_thought_first_is_no_answer_to_the_prompt() {
    assert_eq!(shape(&read("written/reasoning.json", 4)), all(&Missing::Reasoning));
}

#[test]
fn spelling_variants_are_other_tokens_and_are_never_added_up() {
    let answer = read("written/variants.json", 7);
    let missing = Err(Missing::NotInTopK(7));
    assert_eq!(shape(&answer), [missing.clone(), Ok(-1.5), missing.clone(), missing]);
    assert_eq!(answer.flags, [" A", "c", "▁D"].map(|token| Flag::Variant(token.to_owned())));
}

#[test]
fn a_token_counts_only_if_its_bytes_agree() {
    let answer = read("written/bytes-differ.json", 5);
    assert_eq!((answer.labels[0].clone(), answer.ranks[0]), (Ok(-0.5), Some(1)));
    assert_eq!(answer.flags, [Flag::Bytes("A".to_owned())]);
    assert_eq!(shape(&read("written/bytes-null.json", 4)), values(-0.5, -1.5, -2.5, -3.5));
}

#[test]
fn fewer_and_more_entries_than_asked_for_are_told() {
    let fewer = read("written/fewer.json", 20);
    assert!(fewer.is_complete() && fewer.flags == [Flag::Fewer(4)]);
    // The server put the sampled token in front: what lies beyond the count depends on the sample and is not read.
    let more = read("written/more.json", 5);
    assert!(more.is_complete() && more.flags == [Flag::More(6)]);
    assert_eq!(read("recorded/two-tokens.json", 20).flags, [Flag::LongContent(2)]);
}

#[test]
fn bodies_of_refusals_hold_no_labels_and_no_view() {
    for name in [
        "recorded/wrong-key.401.json",
        "recorded/lone-top.400.json",
        "recorded/too-long.400.json",
        "recorded/loading.503.json",
    ] {
        assert_eq!(shape(&read(name, 20)), all(&Missing::NoChoice), "{name}");
        assert!(answer::text(&body(name)).is_err(), "{name}");
    }
    assert_eq!(answer::text(&body("recorded/two-tokens.json")).unwrap(), "A,");
}
