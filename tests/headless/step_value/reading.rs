//! What is refused, where, and in which words.

use decidendi_core::step_value::scores::{Cell, Corner, Score, ScoreReader};
use decidendi_core::step_value::study::{Moment, StudyError, position};
use decidendi_core::step_value::walk::open_study;
use proptest::prelude::*;

use super::{STUDY, plain_rows, read, report, rows, scores, study};

fn refused(from: &str, to: &str) -> String {
    assert!(STUDY.contains(from), "{from}");
    open_study("study.json", STUDY.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
}

#[test]
fn a_study_that_says_something_impossible_is_refused_at_its_place() {
    let said = [
        (
            r#""weight": "2/3""#,
            r#""weight": "1/3""#,
            "study.json:6:2: waves: the wave weights sum to 2/3. Wave weights sum to exactly 1.",
        ),
        (
            r#""weight": "1/3""#,
            r#""weight": 0.3"#,
            "study.json:6:22: waves[0].weight: an exact number is wanted here, this is a number with a fraction. Write an exact number in a string, such as \"1\", \"0.5\" or \"1/3\".",
        ),
        (
            r#""logprob_basis": "tempered""#,
            r#""logprob_basis": "unknown""#,
            "study.json:3:3: channels[0]: the basis of channel `direct` is unknown at temperature 3/2. Declare `logprob_basis` as \"raw\" or \"tempered\" (`decidendi acquire probe` finds out), or score at temperature 1, where both agree.",
        ),
        (
            r#""id": "view", "readout""#,
            r#""id": "direct", "readout""#,
            "study.json:4:4: channels[1].id: two channels are called `direct`. Give each channel an id of its own.",
        ),
        (
            r#""reference": "direct""#,
            r#""reference": "view""#,
            "study.json:7:16: contrasts[0]: a channel is compared with itself. Name two different channels.",
        ),
        (
            r#""reference": "direct""#,
            r#""reference": "dirct""#,
            "study.json:7:61: contrasts[0].reference: no channel is called `dirct`. Name a channel that `channels` declares.",
        ),
        (
            r#""target": "q""#,
            r#""target": "r""#,
            "study.json:11:47: transitions[2].target: the target `r` is none of the candidates. The reviewed target is one of `candidates`.",
        ),
        (
            r#""id": "a-1""#,
            r#""id": "a-0""#,
            "study.json:10:4: transitions[1].id: two transitions are called `a-0`. Give each an id of its own.",
        ),
        (
            r#"["p", "q"]"#,
            r#"["q"]"#,
            "study.json:11:80: transitions[2].candidates: 1 candidates. A margin compares a target with its rivals: declare 2 to 64.",
        ),
        (r#""cyclic""#, r#""latin""#, "study.json:5:14: layouts.kind: `latin` is not known here. Use one of: cyclic."),
        (
            "asv-study@1",
            "asv-study@2",
            "study.json:1:2: `decidendi/asv-study@2` is a newer format than this version reads (decidendi/asv-study@1). Use a newer decidendi.",
        ),
        (
            "asv-study@1",
            "case@1",
            "study.json:1:2: format: `decidendi/case@1` is another kind of document. A study is wanted: \"format\": \"decidendi/asv-study@1\".",
        ),
    ];
    for (from, to, text) in said {
        assert_eq!(refused(from, to), text);
    }
}

#[test]
fn what_is_not_used_or_not_known_is_told() {
    let text = STUDY.replace(r#""success": false"#, r#""colour": 1"#).replace(r#""origin": "recorded","#, "");
    let study = study(&text);
    let notes: Vec<String> = study.notices.iter().map(|n| format!("{}: {}", n.path, n.text)).collect();
    assert_eq!(
        notes,
        [
            ": `origin` is not declared, so nothing is certified; say \"recorded\" or \"simulated\"",
            "transitions[2].colour: unknown field `colour` is not used",
        ]
    );
    assert_eq!(study.success, [Some(true), None]);
    let both = STUDY.replacen(r#""success": true"#, r#""success": false"#, 1);
    let study = super::study(&both);
    assert_eq!(study.success, [None, Some(false)]);
    assert!(study.notices[0].text.contains("`a` both succeeds and fails"));
}

/// The faults of a score file whose `line`-th line is replaced.
fn fault(line: usize, with: &str) -> String {
    let study = study(STUDY);
    let text = plain_rows();
    let lines: Vec<&str> = text.lines().enumerate().map(|(i, l)| if i + 1 == line { with } else { l }).collect();
    read(&study, &lines.join("\n")).unwrap_err().to_string()
}

#[test]
fn a_row_that_cannot_be_used_is_named_with_line_and_column() {
    let joint = |logprobs: &str| {
        format!(
            r#"{{"transition": "a-0", "state": "before", "layout": 0, "wave": 0, "channel": "direct", "logprobs": {logprobs}}}"#
        )
    };
    let said = [
        (
            joint(r#"{"p": null, "q": -1, "r": -1}"#),
            "scores.jsonl:1:100: logprobs.p: null is no log-probability. Leave a missing candidate out.",
        ),
        (
            joint(r#"{"p": NaN, "q": -1}"#),
            "scores.jsonl:1:105: NaN and Infinity are no log-probabilities; leave the candidate out",
        ),
        (
            joint(r#"{"p": -1.5, "\u0070": -1}"#),
            "scores.jsonl:1:111: duplicate key \"p\"; readers disagree about which one counts, so remove one",
        ),
        (
            joint(r#"{"p": "-1"}"#),
            "scores.jsonl:1:100: logprobs.p: a log-probability is wanted here, this is text. Write the number that the endpoint returned.",
        ),
        (
            joint(r#"{"p": -1e-400}"#),
            "scores.jsonl:1:105: the number is none that an endpoint returns; write what it returned",
        ),
        (
            joint(r#"{"p": 9e15}"#),
            "scores.jsonl:1:1: 9000000000000000.0 is no log-probability, which lies at or below zero; write what the endpoint returned",
        ),
        (
            joint(r#"{"x": -1.5}"#),
            "scores.jsonl:1:1: `x` is no candidate of transition `a-0`; name one that study.json lists",
        ),
        (
            joint("{}").replace("a-0", "a-9"),
            "scores.jsonl:1:1: transition `a-9` is not declared; add it to study.json or remove the row",
        ),
        (
            joint("{}").replace("direct", "dirct"),
            "scores.jsonl:1:1: channel `dirct` is not declared; add it to study.json",
        ),
        (
            joint("{}").replace(r#""layout": 0"#, r#""layout": 2"#),
            "scores.jsonl:1:1: layout 2 is not among the 2 declared, which are numbered from 0",
        ),
        (
            joint("{}").replace(r#""wave": 0"#, r#""wave": 1"#),
            "scores.jsonl:1:1: wave 1 is not declared; add it to study.json with its weight",
        ),
        (
            joint("{}").replace(r#", "wave": 0"#, ""),
            "scores.jsonl:1:1: `wave` is missing; a row names transition, state, channel, layout and wave",
        ),
        (joint("{}").replace("before", "during"), "scores.jsonl:1:1: `state` is `during`; use \"before\" or \"after\""),
        (
            joint("{}").replace(r#""layout""#, r#""view_at": "after", "layout""#),
            "scores.jsonl:1:1: only the channel of `retrieval_face` may show a view of the other state; drop `view_at`",
        ),
        (
            joint("{}").replace(r#""direct""#, r#""view""#),
            "scores.jsonl:1:1: channel `view` has a binary readout; its rows have `candidate`, `yes` and `no`, and no `logprobs`",
        ),
        ("{]".to_owned(), "scores.jsonl:1:2: key must be a string; the text is not JSON here"),
    ];
    for (row, text) in said {
        assert_eq!(fault(1, &row), text, "{row}");
    }
}

#[test]
fn the_same_cell_twice_is_a_repeat_or_a_conflict_and_names_the_first_line() {
    let study = study(STUDY);
    let text = plain_rows();
    let lines: Vec<&str> = text.lines().collect();
    let again = |line: &str| read(&study, &format!("{text}{line}\n")).unwrap_err().to_string();
    let n = lines.len() + 1;
    assert_eq!(again(lines[4]), format!("scores.jsonl:{n}:1: this row repeats line 5; keep one of both"));
    assert_eq!(again(lines[1]), format!("scores.jsonl:{n}:1: this row repeats line 2; keep one of both"));
    let at = lines[4].rfind(": -").unwrap();
    let other = format!("{}: -7.25}}}}", &lines[4][..at]);
    assert_eq!(
        again(&other),
        format!(
            "scores.jsonl:{n}:1: this row scores the same cell as line 5 and says something else; find out which one counts"
        )
    );
}

#[test]
fn sentinels_and_left_out_labels_are_missing_and_cost_the_transition() {
    let study = study(STUDY);
    let text = rows(|t, s, c, l, w, k, p| match (t, s, c, l, w, k) {
        (0, 1, 0, 1, 0, 2) => -9999.0,
        (2, 0, 1, 0, 1, 1) => -3.402_823_5e38,
        _ => -0.1 - (t + s + c + l + w + k + p) as f64 / 7.0,
    });
    let text: String = text
        .lines()
        // One row leaves a candidate out; another is not there at all.
        .filter(|line| {
            !(line.contains("\"a-1\"") && line.contains("\"candidate\": \"q\"") && line.contains("\"wave\": 4"))
        })
        .map(|line| line.to_owned() + "\n")
        .collect();
    let scores = scores(&study, &text);
    assert_eq!((scores.account().sentinels, scores.account().lines), (3, text.lines().count() as u64));
    let cell = Cell { transition: 0, channel: 0, corner: Corner::own(Moment::After), wave: 0, layout: 1 };
    assert_eq!(scores.cell(&cell).nth(2), Some(Score::Sentinel));
    let report = report(&study, &scores);
    assert_eq!(report.complete, [false, false, false]);
    let missing: Vec<String> = report
        .missing(&study, &scores)
        .map(|m| format!("{} {} {} {}", m.cell.transition, m.cell.channel, m.candidate, m.why.word()))
        .collect();
    assert_eq!(missing[0], "0 0 2 sentinel");
    assert_eq!(missing.iter().filter(|m| m.ends_with("no row")).count(), 4, "{missing:?}");
    assert_eq!(missing.last().unwrap(), "2 1 1 sentinel");
    assert!(report.contrasts[0].omega.is_none() && report.contrasts[0].gains.is_none());
}

#[test]
fn the_least_single_is_a_sentinel_beside_whole_numbers_and_unknown_fields() {
    let study = study(STUDY);
    let row = r#"{"transition": "b-0", "state": "before", "layout": 0, "wave": 0, "channel": "direct", "ms": 12, "logprobs": {"p": 0, "q": -3.4028234663852886e38}}"#;
    let scores = scores(&study, row);
    let cell = Cell { transition: 2, channel: 0, corner: Corner::own(Moment::Before), wave: 0, layout: 0 };
    assert_eq!(scores.cell(&cell).collect::<Vec<_>>(), [Score::Value(0.0), Score::Sentinel]);
    assert_eq!(scores.account().unknown_fields["ms"], (1, 1));
}

#[test]
fn large_lists_are_refused_before_they_cost() {
    let pairs: Vec<String> = (0..70_000).map(|i| format!("\"c{i}\": -1")).collect();
    let row = format!(
        r#"{{"transition": "a-0", "state": "before", "layout": 0, "wave": 0, "channel": "direct", "logprobs": {{{}}}}}"#,
        pairs.join(",")
    );
    assert!(fault(1, &row).contains("more candidates than a transition has"), "{}", fault(1, &row));
    let waves: Vec<String> =
        (0..3000).map(|i| format!(r#"{{"id": {i}, "weight": "1/{}"}}"#, 10_u64.pow(18) + i)).collect();
    let said =
        refused(r#"[{"id": 0, "weight": "1/3"}, {"id": 4, "weight": "2/3"}]"#, &format!("[{}]", waves.join(",")));
    assert!(said.contains("3000 waves. At most 64 are read."), "{said}");
    let factors = r#""factors": [{"name": "s", "levels": ["0", "1"]}, {"name": "c", "levels": ["0", "1"]}]"#;
    let design =
        |part: &str| refused(r#""waves""#, &format!(r#""designs": [{{"id": "d", {factors}, {part}}}], "waves""#));
    let move_s = r#"{"factor": "s", "from": "0", "to": "1"}"#;
    for (part, text) in [
        (r#""observed": [["0", "0"], ["0", "0"]], "contrast": []"#.to_owned(), "the cell is listed twice"),
        (r#""observed": [], "contrast": []"#.to_owned(), "this is no contrast"),
        (
            r#""observed": [], "contrast": [{"factor": "s", "from": "0", "to": "0"}]"#.to_owned(),
            "a level is compared with itself",
        ),
        (format!(r#""observed": [], "contrast": [{move_s}, {move_s}]"#), "this is no contrast"),
        (
            r#""observed": [], "contrast": [{"cell": ["0", "1"], "weight": "1/2"}]"#.to_owned(),
            "weights that sum to 1/2 are no contrast. The weights of a contrast sum to 0, and not all of them are 0.",
        ),
        (
            r#""observed": [], "contrast": [{"cell": ["0", "1"], "weight": 0}]"#.to_owned(),
            "weights that sum to 0 are no contrast",
        ),
        (
            r#""observed": [], "contrast": [{"cell": ["0", "1"], "weight": 1}, {"cell": ["0", "1"], "weight": -1}]"#
                .to_owned(),
            "contrast[1]: the cell has a weight already. Weigh each cell once.",
        ),
        (
            format!(r#""observed": [], "contrast": [{{"cell": ["0", "1"], "weight": 1}}, {move_s}]"#),
            "contrast[1]: `cell` is missing",
        ),
        (
            format!(r#""observed": [], "terms": [["s", "c"]], "contrast": [{move_s}]"#),
            "an interaction without the terms that it contains",
        ),
    ] {
        assert!(design(&part).contains(text), "{}", design(&part));
    }
}

#[test]
fn every_candidate_stands_at_every_position_once() {
    for count in 2..8 {
        for candidate in 0..count {
            let mut positions: Vec<usize> = (0..count).map(|layout| position(candidate, layout, count)).collect();
            positions.sort_unstable();
            assert_eq!(positions, (0..count).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_hostile_study_cannot_ask_for_more_memory_than_is_held() {
    let text = STUDY.replace(r#""count": 2"#, r#""count": 64"#);
    let transitions: Vec<String> = (0..40_000)
        .map(|i| format!(r#"{{"id": "t{i}", "trajectory": "t", "target": "p", "candidates": ["p", "q", "r", "s", "t", "u", "v", "w"]}}"#))
        .collect();
    let at = text.find("\"transitions\"").unwrap();
    let text = format!("{}\"transitions\": [{}]}}", &text[..at], transitions.join(","));
    let study = study(&text);
    let error = ScoreReader::new(&study, "scores.jsonl").err().unwrap().to_string();
    assert!(error.contains("the study declares more than 67108864 scores"), "{error}");
}

proptest! {
    #[test]
    fn pieces_of_any_size_give_the_same_scores(size in 1_usize..400, crlf: bool) {
        let study = study(STUDY);
        let text = if crlf { plain_rows().replace('\n', "\r\n") } else { plain_rows() };
        let whole = scores(&study, &text);
        let mut reader = ScoreReader::new(&study, "scores.jsonl").unwrap();
        text.as_bytes().chunks(size).for_each(|piece| reader.feed(piece));
        prop_assert_eq!(reader.finish().unwrap(), whole);
    }

    #[test]
    fn no_bytes_bring_the_readers_down(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let study = study(STUDY);
        let mut reader = ScoreReader::new(&study, "scores.jsonl").unwrap();
        reader.feed(&bytes);
        let _ = reader.finish();
        let refused = matches!(open_study("s", &bytes), Err(StudyError::Read(_) | StudyError::Shape { .. }));
        prop_assert!(refused);
    }
}
