//! Every advice of the judgment wing works when it is followed: each pair below is a case that is told something, and the
//! same case after doing what it was told.

use super::one_spelling::{PLAIN, Parts, inspect};

const TYPES: &str = r#"{"s": {"type": "string"}, "i": {"type": "int"}, "r": {"type": "rational"}, "b": {"type": "bool"},
"day": {"type": "date"}, "wait": {"type": "duration"}, "x": {"type": "int", "optional": true}, "if": {"type": "int"}}"#;
const BODY: &str = r#"{"s": "open", "i": 1, "r": "1/2", "b": true, "day": "2024-09-16", "wait": "36h", "if": 7}"#;

fn condition(when: &str) -> (i32, String) {
    let when = when.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let rule = format!(r#"{{"id": "r", "when": "{when}", "then": "approve"}}"#);
    let (exit, said) = inspect(&Parts { grounds: TYPES, body: BODY, rule: &rule, ..PLAIN }.case());
    (exit, said.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn advice_about_conditions() {
    for (wrong, advice, right) in [
        ("", "Write `true` for a rule that always holds.", "true"),
        ("b and i == 1", "Write `&&`.", "b && i == 1"),
        ("b or i == 1", "Write `||`.", "b || i == 1"),
        ("not b", "Write `!`.", "!b"),
        ("b & true", "Write `&&`.", "b && true"),
        ("b | true", "Write `||`.", "b || true"),
        ("i = 1", "Write `==` to compare.", "i == 1"),
        ("i => 1", "Write `>=`.", "i >= 1"),
        ("i =< 1", "Write `<=`.", "i <= 1"),
        ("i <> 1", "Write `!=`.", "i != 1"),
        ("i ≤ 1", "Write `<=`.", "i <= 1"),
        ("i ≥ 1", "Write `>=`.", "i >= 1"),
        ("i ≠ 1", "Write `!=`.", "i != 1"),
        ("i − 1 == 0", "Write `-`.", "i - 1 == 0"),
        ("i × 2 == 2", "Write `*`.", "i * 2 == 2"),
        ("r ÷ 2 == 0.25", "Write `/`.", "r / 2 == 0.25"),
        ("i ^ 2 == 1", "Multiply with `*`.", "i * i == 1"),
        ("s == ‘open’", "Write `'` or `\"` around a text.", "s == 'open'"),
        ("b;", "Write one condition", "b"),
        ("b\u{a0}&& b", "Write an ordinary space in its place, or nothing.", "b && b"),
        ("s == öffen", "Put text in quotes", "s == 'öffen'"),
        ("s == 'o\\pen'", "write `\\\\` for a backslash", "s == 'o\\\\pen'"),
        ("s == null", "Ask `has(…)` whether an optional field is there.", "has(grounds.x)"),
        ("has(x)", "Write `has(grounds.x)`.", "has(grounds.x)"),
        ("has(grounds.x == 1)", "Ask `has(grounds.x)` of an optional field `x`.", "has(grounds.x)"),
        ("x == 1", "ask `has(grounds.x)` first", "has(grounds.x) && x == 1"),
        ("grounds . x == 1", "ask `has(grounds.x)` first", "has(grounds.x) && grounds . x == 1"),
        ("if == 7", "Write `grounds.if`.", "grounds.if == 7"),
        ("parameters.i == 1", "Is `grounds.i` meant?", "grounds.i == 1"),
        ("dya == date('2024-09-16')", "Is `day` meant?", "day == date('2024-09-16')"),
        (".i == 1", "Write the name without it.", "i == 1"),
        ("i == 1u", "Write the integer without `u`.", "i == 1"),
        ("s == b'open'", "Use text.", "s == 'open'"),
        ("day < date('16.9.2024')", "write date('2024-09-16')", "day < date('2024-09-16')"),
        (
            "day < timestamp('2024-09-16')",
            "write timestamp('2024-09-16T00:00:00Z')",
            "day < timestamp('2024-09-16T00:00:00Z')",
        ),
        ("wait < duration('36 h')", "write duration('36h') or duration('1h30m')", "wait < duration('1h30m')"),
        ("[1, 2].exists(x, x == i)", "Use `in`", "i in [1, 2]"),
        ("i", "Compare it with something.", "i == 1"),
        ("i in [1, 'a']", "Give all elements one type.", "i in [1, 2]"),
        ("i == 'a'", "Compare values of one type", "i == 1"),
    ] {
        let (exit, said) = condition(wrong);
        assert!(exit != 0 && said.contains(advice), "`{wrong}`: {said}");
        let (exit, said) = condition(right);
        assert_eq!(exit, 0, "`{right}`: {said}");
    }
}

/// A name that no condition can spell: told where it is declared and where it is used; the step that is named mends it.
#[test]
fn advice_about_names() {
    for (name, plain, used) in [
        ("days-late", "days_late", "grounds.days-late > 2"),
        ("days-late", "days_late", "days-late > 2"),
        ("days late", "days_late", "days late > 2"),
        ("days late", "days_late", "days_late > 2"),
        ("in", "in_", "in == 3"),
        ("in", "in_", "grounds.in == 3"),
        ("null", "null_", "has(grounds.null)"),
        ("größe", "gro_e", "größe == 3"),
        ("naïve", "naive", "grounds.naïve == 3"),
        ("7th", "_7th", "grounds.7th == 3"),
        ("年", "field", "年 == 3"),
        ("a.b", "a_b", "grounds.a.b == 3"),
    ] {
        let told = format!(
            "Declare it as `{plain}`, and add for each version a compatibility step `rename` from `{name}` to `{plain}`."
        );
        let body = format!(r#"{{"{name}": 3}}"#);
        let grounds = |name: &str| format!(r#"{{"{name}": {{"type": "int"}}}}"#);
        let rule = |when: &str| format!(r#"{{"id": "r", "when": "{when}", "then": "approve"}}"#);
        let run = |grounds: &str, steps: &str, when: &str| {
            inspect(&Parts { grounds, body: &body, steps, rule: &rule(when), ..PLAIN }.case())
        };
        let (exit, said) = run(&grounds(name), "[]", "true");
        assert!(exit == 0 && said.contains(&format!("no condition can spell `{name}`. {told}")), "{said}");
        let (exit, said) = run(&grounds(name), "[]", used);
        assert!(exit == 2 && said.contains(&told), "`{used}`: {said}");
        let steps = ["old", "new"].map(|version| {
            format!(
                r#"{{"source": "grounds", "version": "{version}", "step": "rename", "from": "{name}", "to": "{plain}"}}"#
            )
        });
        let (exit, said) = run(&grounds(plain), &format!("[{}]", steps.join(", ")), &format!("{plain} == 3"));
        assert!(exit == 0 && said.contains("approve -> approve"), "{said}");
        assert!(!said.contains("no condition can spell"), "{said}");
    }
    // A context field may serve grants alone; it is told only where a condition means it.
    let context = r#"{"sales-desk": "a"}"#;
    let grant = r#"{"norm": "*", "sales-desk": "a"}"#;
    let used = r#"{"id": "r", "when": "context.sales-desk == 'a'", "then": "approve"}"#;
    let (exit, said) = inspect(&Parts { context, grant, ..PLAIN }.case());
    assert!(exit == 0 && !said.contains("spell"), "{said}");
    let (exit, said) = inspect(&Parts { context, grant, rule: used, ..PLAIN }.case());
    assert!(exit == 2 && said.contains("Call it `sales_desk` in the context, and in every grant"), "{said}");
    let [context, grant, used] = [context, grant, used].map(|part| part.replace("sales-desk", "sales_desk"));
    let (exit, said) = inspect(&Parts { context: &context, grant: &grant, rule: &used, ..PLAIN }.case());
    assert!(exit == 0 && said.contains("approve -> approve"), "{said}");
}

/// Values that do not fit, and what is said of them.
#[test]
fn advice_about_values() {
    let field = |ty: &str| format!(r#"{{"f": {{{ty}}}}}"#);
    for (ty, wrong, advice, right) in [
        (r#""type": "int""#, r#""5""#, "write the number 5 without quotation marks", "5"),
        (r#""type": "int""#, r#"9007199254740993"#, "write it as a string", r#""9007199254740993""#),
        (r#""type": "rational""#, "9007199254740993", "write it as a string", r#""9007199254740993""#),
        (r#""type": "rational""#, "0.5", "write it as text, \"0.5\"", r#""0.5""#),
        (r#""type": "rational""#, r#""1e3""#, "text like \"89.90\" or \"3/8\"", r#""3/8""#),
        (
            r#""type": "rational""#,
            "0.10000000000000001",
            "write that, or the whole number as a string",
            r#""0.10000000000000001""#,
        ),
        (r#""type": "rational""#, "1e400", "write it as a string", r#""1""#),
        (r#""type": "date""#, r#""16.9.2024""#, "a day like \"2024-09-16\"", r#""2024-09-16""#),
        (r#""type": "duration""#, r#""36 hours""#, "a duration like \"36h\"", r#""36h""#),
        (r#""type": "enum", "values": ["gold", "tin"]"#, r#""glod""#, "is 'gold' meant?", r#""gold""#),
    ] {
        let run = |value: &str| {
            let body = format!(r#"{{"f": {value}}}"#);
            let (exit, said) = inspect(&Parts { grounds: &field(ty), body: &body, ..PLAIN }.case());
            (exit, said.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        let (exit, said) = run(wrong);
        assert!(exit != 0 && said.contains(advice), "{ty} {wrong}: {said}");
        let (exit, said) = run(right);
        assert_eq!(exit, 0, "{ty} {right}: {said}");
    }
}
