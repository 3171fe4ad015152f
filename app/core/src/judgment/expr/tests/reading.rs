//! What is refused, and in which words; what no text can make happen.

use proptest::prelude::*;

use super::random::{Dice, environment};
use crate::judgment::expr::read;

fn error(text: &str) -> String {
    match read(text, &environment()) {
        Ok(_) => panic!("`{text}` was read"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_say_where_what_and_what_to_do() {
    let mut wrong = Vec::new();
    for (text, words) in [
        ("", "column 1: the condition is empty. Write `true` for a rule that always holds."),
        ("  ", "column 1: the condition is empty. Write `true` for a rule that always holds."),
        (
            "b &&",
            "column 5: the condition ends too early: a value or a name is expected. Conditions are CEL: `&&`, `||`, `!`, comparisons, `in`, arithmetic.",
        ),
        (
            "b c",
            "column 3: `c`: an operator or the end is expected here. Conditions are CEL: `&&`, `||`, `!`, comparisons, `in`, arithmetic.",
        ),
        ("b and c", "column 3: `and`: `and` is not supported. Write `&&`."),
        ("not b", "column 1: `not`: `not` is not supported. Write `!`."),
        ("i = 1", "column 3: `=`: a lone `=` is not supported. Write `==` to compare."),
        ("b ? c : b", "column 3: `?`: the choice `a ? b : c` is not supported. Write one rule for each branch."),
        (
            "b &&\n  s == 'open",
            "line 2, column 8: `'`: the text is not closed. Conditions are CEL: `&&`, `||`, `!`, comparisons, `in`, arithmetic.",
        ),
        ("s == 'größe' && t == 1", "column 17: `t` is not declared. Declare it under `interface` or in the context."),
        (
            "dya == day",
            "column 1: `dya` is not declared. Is `day` meant? Else declare it under `interface` or in the context.",
        ),
        (
            "parameters.i > 0",
            "column 1: `parameters.i` is not declared. Is `grounds.i` meant? Else declare it under `interface` or in the context.",
        ),
        ("has(i)", "column 5: `i`: `has` of a bare name is not supported. Write `has(grounds.i)`."),
        (
            "actor.role == 'a'",
            "column 1: `actor.role`: selection other than `grounds.x`, `parameters.x`, `context.x` is not supported. Use a declared name.",
        ),
        ("i", "column 1: `i` is an integer, not a condition. Compare it with something."),
        (
            "i + s > 2",
            "column 1: `i + s`: `+` does not join an integer and text. Compare values of one type; the interface declares the type of each field.",
        ),
        (
            "i == 'a'",
            "column 1: `i == 'a'`: `==` does not join an integer and text. Compare values of one type; the interface declares the type of each field.",
        ),
        (
            "(i + 1) * 2 < s",
            "column 1: `(i + 1) * 2 < s`: `<` does not join an integer and text. Compare values of one type; the interface declares the type of each field.",
        ),
        (
            "set < others",
            "column 1: `set < others`: `<` does not join a set and a set. Compare values of one type; the interface declares the type of each field.",
        ),
        (
            "r % q == r",
            "column 1: `r % q`: `%` does not join a rational and a rational. Compare values of one type; the interface declares the type of each field.",
        ),
        (
            "i in set",
            "column 1: `i in set`: `in` does not join an integer and a set. Compare values of one type; the interface declares the type of each field.",
        ),
        ("i in [1, 'a']", "column 6: `[1, 'a']` holds an integer and text. Give all elements one type."),
        (
            "!i",
            "column 2: `i`: `!` does not take an integer. Compare values of one type; the interface declares the type of each field.",
        ),
        (
            "b && i",
            "column 6: `i`: `&&` does not take an integer. Compare values of one type; the interface declares the type of each field.",
        ),
        (
            "-s == s",
            "column 1: `-s`: `-` does not take text. Compare values of one type; the interface declares the type of each field.",
        ),
        (
            "size(s) > 2",
            "column 1: `size(s)`: this function is not supported. There are `has`, `date`, `timestamp` and `duration`; compute anything else into a field.",
        ),
        (
            "s.startsWith('a')",
            "column 3: `startsWith('a')`: a method call is not supported. Use operators and declared fields.",
        ),
        (
            "set.exists(x, x == 'a')",
            "column 5: `exists(x, x == 'a')`: a macro other than `has` is not supported. Use `in`, or declare a field for it.",
        ),
        ("[1, 2][0] == 1", "column 7: `[`: an index is not supported. Declare a field for the element."),
        ("i == 1u", "column 6: `1u`: an unsigned literal is not supported. Write the integer without `u`."),
        ("s == b'a'", "column 6: `b'a'`: a bytes literal is not supported. Use text."),
        ("s == null", "column 6: `null`: `null` is not supported. Ask `has(…)` whether an optional field is there."),
        ("i < 9223372036854775808", "column 5: `9223372036854775808` does not fit in 64 bits. Correct the literal."),
        (
            "r < 1e-2147483648",
            "column 5: `1e-2147483648` is too large or too fine to be read exactly. Correct the literal.",
        ),
        ("r < 1e99", "column 5: `1e99` is too large or too fine to be read exactly. Correct the literal."),
        (
            "day < date('2024-02-30')",
            "column 7: `date('2024-02-30')` is a day that the calendar does not have. Correct the literal.",
        ),
        (
            "day < date(s)",
            "column 7: `date(s)`: anything but one text literal in the brackets is not supported. Declare a field of type date or duration.",
        ),
        (
            "wait < duration('36 h')",
            "column 8: `duration('36 h')` is no duration (write duration('36h') or duration('1h30m')). Correct the literal.",
        ),
        (
            "day < timestamp('2024-02-03T10:00:00Z')",
            "column 7: `timestamp('2024-02-03T10:00:00Z')` is no whole UTC day (write timestamp('2024-09-16T00:00:00Z')). Correct the literal.",
        ),
        ("while == 1", "column 1: the word `while` is reserved in CEL. Use another word."),
        (
            "i > 0 $",
            "column 7: `$`: this sign is not supported. Conditions are CEL: `&&`, `||`, `!`, comparisons, `in`, arithmetic.",
        ),
        (
            "s == a.b.c",
            "column 6: `a.b.c`: selection other than `grounds.x`, `parameters.x`, `context.x` is not supported. Use a declared name.",
        ),
        (
            "(i > 0",
            "column 7: the condition ends too early: an operator or `)` is expected. Conditions are CEL: `&&`, `||`, `!`, comparisons, `in`, arithmetic.",
        ),
        (
            "i in [1 2]",
            "column 9: `2`: an operator, `,` or `]` is expected here. Conditions are CEL: `&&`, `||`, `!`, comparisons, `in`, arithmetic.",
        ),
        ("i => 1", "column 3: `=>`: an arrow is not supported. Write `>=`."),
        ("i ≤ 1", "column 3: `≤`: this sign is not supported. Write `<=`."),
        ("s == 'ü\\q'", "column 8: `\\q` is no escape of CEL (write `\\\\` for a backslash). Correct the literal."),
        ("i == 1_000", "column 6: `1_000` is no number. Correct the literal."),
        ("i == 1.", "column 6: `1.` is no number. Correct the literal."),
        (
            "i ==\u{a0}1",
            "column 5: `\\u{a0}`: this invisible character is not supported. Write an ordinary space in its place, or nothing.",
        ),
        (
            "!!i",
            "column 3: `i`: `!` does not take an integer. Compare values of one type; the interface declares the type of each field.",
        ),
        (
            "has(zzz)",
            "column 5: `zzz`: `has` of a bare name is not supported. Name the namespace: `has(grounds.x)`, `has(parameters.x)` or `has(context.x)`.",
        ),
        (
            "strüb == 'a'",
            "column 4: `üb`: a letter outside A to Z is not supported. Put text in quotes; give a field a name of letters, digits and `_`.",
        ),
    ] {
        let found = error(text);
        if found != words {
            wrong.push(format!("{text}\n  {found}\n  {words}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn length_and_depth_are_bounded() {
    let long = format!("b{}", " && b".repeat(4000));
    assert_eq!(error(&long), "column 1: the condition is longer than 16384 bytes. Split it into several rules.");
    for text in [
        format!("{}b{}", "(".repeat(60), ")".repeat(60)),
        format!("i{} == 0", " + i".repeat(200)),
        format!("{}b", "!(".repeat(50)),
        format!("i == {}1", "-".repeat(3000)),
        "[".repeat(3000),
    ] {
        assert!(error(&text).ends_with("the condition is nested too deeply. Split it into several rules."));
    }
    let wide = format!("b{}", " && (i + 1 > 0 || c)".repeat(600));
    assert!(read(&wide, &environment()).is_ok(), "width is no depth");
}

/// A thread of the default stack walks the deepest accepted condition.
#[test]
#[expect(clippy::disallowed_types, reason = "the size of a thread's stack is what is tested")]
fn the_deepest_condition_fits_on_a_small_stack() {
    let deepest = format!("{}i{}{} == 0", "(".repeat(40), " + 1".repeat(38), ")".repeat(40));
    let nested = format!("{}b{}", "!(".repeat(39), ")".repeat(39));
    let walk = move || [deepest, nested].map(|text| read(&text, &environment()).map(drop).map_err(|e| e.to_string()));
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(walk).expect("starts");
    assert_eq!(thread.join().expect("no overflow"), [Ok(()), Ok(())]);
}

#[test]
fn odd_comparisons_are_told() {
    let read = read("e == 'z' || 'y' in set || e in ['a', 'x']", &environment()).expect("read");
    assert_eq!(
        read.notices,
        ["`e` never takes the value 'z'", "`set` never takes the value 'y'", "`e` never takes the value 'x'"]
    );
}

#[test]
fn nodes_know_their_text() {
    let read =
        read(" (i + 1) * -2 < 3 && !(has( grounds.b )) || day < date('2024-01-01') ", &environment()).expect("read");
    let mut texts = Vec::new();
    let mut queue = vec![&read.root];
    while let Some(node) = queue.pop() {
        texts.push(node.span.of(&read.text).to_owned());
        let mut operands: Vec<_> = node.operands().collect();
        operands.reverse();
        queue.extend(operands);
    }
    assert_eq!(
        texts,
        [
            "(i + 1) * -2 < 3 && !(has( grounds.b )) || day < date('2024-01-01')",
            "(i + 1) * -2 < 3 && !(has( grounds.b ))",
            "(i + 1) * -2 < 3",
            "(i + 1) * -2",
            "i + 1",
            "i",
            "1",
            "-2",
            "3",
            "!(has( grounds.b ))",
            "has( grounds.b )",
            "day < date('2024-01-01')",
            "day",
            "date('2024-01-01')",
        ]
    );
}

/// Pieces that make near-conditions, which go deeper than random letters.
const PIECES: [&str; 40] = [
    "i", "r", "s", "b", "set", "grounds", ".", "(", ")", "[", "]", ",", "&&", "||", "!", "==", "<", "in", "+", "-",
    "*", "/", "%", "1", "2.5", "1e9", "'a'", "\"", "'", "\\", "has(", "date('", "0x", "u", "?", ":", "{", "//", "\n",
    "ü",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_text_panics(text in "\\PC{0,60}") {
        let _ = read(&text, &environment());
    }

    #[test]
    fn no_near_condition_panics(seed in any::<u64>(), length in 0_usize..30) {
        let mut dice = Dice(seed);
        let text: Vec<&str> = (0..length).map(|_| dice.one(&PIECES)).collect();
        let joined = text.join(if seed % 2 == 0 { " " } else { "" });
        if let Err(error) = read(&joined, &environment()) {
            prop_assert!(error.line >= 1 && error.column >= 1);
            prop_assert!(!error.what().is_empty() && !error.help().is_empty());
        }
    }
}
