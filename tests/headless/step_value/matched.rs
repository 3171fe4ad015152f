//! Parts that move one declared factor are left out where channels differ in more (study S28); contrasts take any two.

use decidendi_core::step_value::walk::open_study;

/// Channels `a`, `b`, `c`… of these fields, one part, and one transition: why the part is left out or the study refused.
fn opened(channels: &[&str], part: &str) -> Result<(), String> {
    let channels: Vec<String> = ('a'..)
        .zip(channels)
        .map(|(id, fields)| {
            let readout = if fields.contains("readout") { "" } else { r#", "readout": "joint""# };
            format!("  {{\"id\": \"{id}\"{readout}, {fields}}}")
        })
        .collect();
    let text = format!(
        "{{\"format\": \"decidendi/asv-study@1\", \"id\": \"m\", \"origin\": \"simulated\", \"channels\": [\n{}],\n\
         {part},\n\"layouts\": {{\"kind\": \"cyclic\", \"count\": 1}},\n\
         \"transitions\": [{{\"id\": \"t\", \"trajectory\": \"t\", \"target\": \"p\", \"candidates\": [\"p\", \"q\"]}}]}}",
        channels.join(",\n")
    );
    let study = open_study("study.json", text.as_bytes()).map_err(|error| error.to_string())?;
    study.left_out.first().map_or(Ok(()), |left| Err(left.why()))
}

const OTHERS: [(&str, &str); 6] = [
    (r#""stack": "two""#, "stack (``, `two`)"),
    (r#""readout": "binary""#, "readout (`joint`, `binary`)"),
    (r#""authority": "evidence-primary""#, "authority (`neutral`, `evidence-primary`)"),
    (r#""logprob_basis": "raw""#, "logprob_basis (`unknown`, `raw`)"),
    (
        r#""logprob_basis": "tempered", "temperature": "3/2""#,
        "temperature (`1`, `3/2`), logprob_basis (`unknown`, `tempered`)",
    ),
    (
        r#""stack": "two", "readout": "binary", "authority": "x""#,
        "readout (`joint`, `binary`), authority (`neutral`, `x`), stack (``, `two`)",
    ),
];

#[test]
fn a_vertex_moves_the_view_alone() {
    let bridge = r#""bridge": [{"vertex": "A", "alternative": "a", "reference": "b"}]"#;
    let contrast = r#""contrasts": [{"id": "c", "alternative": "a", "reference": "b"}]"#;
    let generated = r#""view": "generated""#;
    assert_eq!(opened(&[generated, r#""view": "quote""#], bridge), Ok(()));
    for (other, told) in OTHERS {
        let channels = [generated, &format!(r#""view": "quote", {other}"#)];
        let error = format!(
            "bridge[0].alternative: channels `a` and `b` differ in {told}: a vertex crosses the state with \
             the view alone. Name channels that are alike in everything else; a contrast may compare any two."
        );
        assert_eq!(opened(&channels, bridge), Err(error));
        assert_eq!(opened(&channels, contrast), Ok(()), "a contrast compares any two channels");
    }
    let error = opened(&[generated, generated], bridge).unwrap_err();
    let told = "bridge[0].alternative: channels `a` and `b` show the same view `generated`. A vertex crosses the state with \
                two views: name one channel for each.";
    assert!(error.ends_with(told), "{error}");
}

#[test]
fn all_vertices_set_the_same_views_against_each_other() {
    let channels = [
        r#""view": "generated""#,
        r#""view": "quote""#,
        r#""view": "generated", "stack": "two""#,
        r#""view": "quote", "stack": "two""#,
        r#""view": "empty", "stack": "two""#,
    ];
    let bridge = |alternative: &str, reference: &str| {
        format!(
            r#""bridge": [{{"vertex": "A", "alternative": "a", "reference": "b"}}, {{"vertex": "B", "alternative": "{alternative}", "reference": "{reference}"}}]"#
        )
    };
    assert_eq!(opened(&channels, &bridge("c", "d")), Ok(()), "stack and readout set vertices apart");
    for (alternative, reference, views) in
        [("d", "c", "`quote` against `generated`"), ("c", "e", "`generated` against `empty`")]
    {
        let error = opened(&channels, &bridge(alternative, reference)).unwrap_err();
        let told = format!(
            "bridge[1].alternative: vertex `B` sets view {views}, vertex `A` `generated` against `quote`. A bridge asks one \
             question at every vertex: set the same two views against each other."
        );
        assert!(error.ends_with(&told), "{error}");
    }
}

#[test]
fn a_cube_moves_view_and_authority_alone() {
    let cube = r#""matched_cube": ["a", "b"]"#;
    assert_eq!(opened(&[r#""view": "empty""#, r#""view": "quote""#], cube), Ok(()));
    for (other, told) in OTHERS.into_iter().filter(|(other, _)| !other.contains("authority")) {
        // Named from the cell: the values stand the other way round.
        let error = opened(&[&format!(r#""view": "quote", {other}"#), r#""view": "empty""#], cube).unwrap_err();
        let told = format!(
            "matched_cube[1]: channels `b` and `a` differ in {told}: a matched cube moves view and authority alone. Name \
             channels that are alike in everything else; a contrast may compare any two."
        );
        assert!(error.ends_with(&told), "{error}");
    }
}

#[test]
fn the_direct_path_leaves_the_view_out_and_moves_nothing_else() {
    let face = r#""retrieval_face": {"channel": "a", "direct": "b"}"#;
    let view = r#""view": "generated", "authority": "evidence-primary""#;
    assert_eq!(opened(&[view, r#""view": "none""#], face), Ok(()), "without a view there is no authority to weigh");
    for (channels, told) in [
        (
            [view, r#""view": "empty""#],
            "retrieval_face.direct: channel `b` shows the view `empty`. The direct path is a channel whose `view` is \"none\".",
        ),
        (
            [r#""stack": "m""#, r#""view": "none""#],
            "retrieval_face.channel: channel `a` shows no view that could be frozen at the other state. Name the channel with \
             the retrieved view.",
        ),
        (
            [view, r#""stack": "two""#],
            "retrieval_face.direct: channels `b` and `a` differ in stack (`two`, ``): the direct path leaves the view out and \
             moves nothing else. Name channels that are alike in everything else; a contrast may compare any two.",
        ),
    ] {
        let error = opened(&channels, face).unwrap_err();
        assert!(error.ends_with(told), "{error}");
    }
}

#[test]
fn a_control_moves_what_it_is_named_for() {
    let own = r#""view": "generated""#;
    let controls = |key: &str| format!(r#""controls": {{"own": "a", "{key}": "b"}}"#);
    for key in ["donor", "state_last"] {
        for sound in [own, r#""view": "generated-other""#] {
            assert_eq!(opened(&[own, sound], &controls(key)), Ok(()));
        }
        let error = opened(&[own, r#""view": "x", "stack": "two""#], &controls(key)).unwrap_err();
        let told = format!(
            "controls.{key}: channels `b` and `a` differ in stack (`two`, ``): the control `{key}` replays the own view with \
             that one thing changed. Name channels that are alike in everything else; a contrast may compare any two."
        );
        assert!(error.ends_with(&told), "{error}");
    }
    let primary = r#""view": "generated", "authority": "evidence-primary""#;
    assert_eq!(opened(&[own, primary], &controls("authority")), Ok(()));
    for (other, told) in [
        (
            r#""view": "quote", "authority": "evidence-primary""#,
            "controls.authority: channels `b` and `a` differ in view (`quote`, `generated`): the control `authority` moves the \
             authority alone. Name channels that are alike in everything else; a contrast may compare any two.",
        ),
        (
            own,
            "controls.authority: channels `b` and `a` have the same authority `neutral`. Name a channel under another authority.",
        ),
    ] {
        let error = opened(&[own, other], &controls("authority")).unwrap_err();
        assert!(error.ends_with(told), "{error}");
    }
}
