//! Exact values, CEL's errors and their absorption.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::random::environment;
use crate::exact::Rational;
use crate::judgment::expr::{EvalFault, NameId, Scope, holds, read, trace};
use crate::judgment::trace::Truth;
use crate::judgment::value::{Value, parse_date};

pub(super) struct Given(pub(super) BTreeMap<NameId, Value>);

impl Scope for Given {
    fn value(&self, name: NameId) -> Option<&Value> {
        self.0.get(&name)
    }
}

fn scope(values: &[(&str, Value)]) -> Given {
    let env = environment();
    Given(values.iter().map(|(name, value)| (env.find(None, name).expect("declared"), value.clone())).collect())
}

fn check(text: &str) -> Result<bool, String> {
    let number = |t: &str| Value::Rational(Rational::parse(t).expect("a number"));
    let given = scope(&[
        ("i", Value::Int(7)),
        ("j", Value::Int(-2)),
        ("r", number("1/3")),
        ("q", number("89.90")),
        ("s", Value::Text(Arc::from("größe"))),
        ("e", Value::Text(Arc::from("b"))),
        ("set", Value::Set(Arc::from([Arc::from("a"), Arc::from("b")]))),
        ("day", Value::Date(parse_date("2024-09-16").expect("a day"))),
        ("wait", Value::Duration(129_600_000_000)),
        ("b", Value::Bool(true)),
    ]);
    let condition = read(text, &environment()).unwrap_or_else(|e| panic!("{text}: {e}"));
    holds(&condition.root, &given).map_err(|e| e.words(text))
}

#[test]
fn what_holds() {
    for text in [
        "q == 89.9 && q == 89.90 && q == 8.99e1 && q * 10 == 899 && 899 == q * 10",
        "r * 3 == 1 && r + r + r == 1.0 && r != 0.3333333333333333",
        "0.1 + 0.2 == 0.3 && 1 / 3.0 == r && -0.5 < 0 && .5 == 0.5 && 007.50 == 7.5 && 0e5 == 0.0 && -0.0 == 0",
        "i / j == -3 && i % j == 1 && -7 / 2 == -3 && -7 % 2 == -1 && i / 2 * 2 == 6",
        "9223372036854775807 > 9223372036854775806.5 && 0x10 == 16 && -9223372036854775808 < 0",
        "i in [1, 7] && !(i in []) && 7.0 in [i] && e in ['a', 'b'] && 'b' in set && !('c' in set)",
        "s == 'größe' && s == \"gr\\u00f6\\u00dfe\" && 'Z' < 'a' && 'a' < 'ab' && r\"\\\" != ''",
        "day == date('2024-09-16') && day == timestamp('2024-09-16T00:00:00Z')",
        "day + wait > date('2024-09-17') && day + wait < date('2024-09-18') && day + duration('2d') == date('2024-09-18')",
        "day - date('2024-09-15') == duration('24h') && wait - duration('36h') == duration('0s') && day - wait < day",
        "[1, 2] == [1.0, 2] && [1, 2] != [2, 1] && true != false && false < true && b == has(grounds.b)",
        "has(grounds.i) && !has(parameters.c) && has(context.e)",
        "0e0 == 0.0 && -0e0 == 0 && 0.00e-9 == 0e64 && 001.50e1 == 15.0",
        "--i == 7 && !!b && -(-i) == 7 // remarks may follow",
    ] {
        assert_eq!(check(text), Ok(true), "{text}");
    }
}

#[test]
fn what_errs() {
    for (text, words) in [
        ("i / 0 == 1", "`i / 0` divides by zero"),
        ("i % (j + 2) == 1", "`i % (j + 2)` divides by zero"),
        ("r / (q - q) > 1", "`r / (q - q)` divides by zero"),
        ("9223372036854775807 + i > 0", "`9223372036854775807 + i` does not fit in 64 bits"),
        ("-9223372036854775808 / -1 > 0", "`-9223372036854775808 / -1` does not fit in 64 bits"),
        ("-(-9223372036854775807 - 1) > 0", "`-(-9223372036854775807 - 1)` does not fit in 64 bits"),
        ("i * 9223372036854775807 > 0", "`i * 9223372036854775807` does not fit in 64 bits"),
        (
            "date('9999-12-31') + duration('24h') > day",
            "`date('9999-12-31') + duration('24h')` is outside the years 0001 to 9999",
        ),
        (
            "date('0001-01-01') - duration('1us') < day",
            "`date('0001-01-01') - duration('1us')` is outside the years 0001 to 9999",
        ),
        ("c", "`c` is absent; ask `has(parameters.c)` first"),
        ("!c || parameters.c", "`c` is absent; ask `has(parameters.c)` first"),
        ("parameters . c", "`parameters . c` is absent; ask `has(parameters.c)` first"),
        ("i in [1, i / 0]", "`i / 0` divides by zero"),
    ] {
        assert_eq!(check(text), Err(words.to_owned()), "{text}");
    }
}

/// A short condition can ask for a number of millions of digits; it errs before that costs anything.
#[test]
fn rationals_grow_no_further_than_their_bound() {
    fn power(leaves: usize) -> String {
        if leaves == 1 { "q".to_owned() } else { format!("({} * {})", power(leaves / 2), power(leaves - leaves / 2)) }
    }
    let text = format!("{} > 0", power(1024));
    let error = check(&text).expect_err("a number of 3000 digits");
    assert!(error.ends_with("…` has a numerator or denominator of more than 8192 bits"), "{error}");
    assert_eq!(check(&format!("{} > 0", power(512))), Ok(true));
    assert_eq!(check(&format!("{text} || b")), Ok(true), "absorbed like any error");
}

/// CEL's table: a side that decides absorbs an error of the other, whichever comes first.
#[test]
fn absorption() {
    let err = "1 / 0 == 1";
    for (left, right, and, or) in [
        ("false", err, Some(false), None),
        ("true", err, None, Some(true)),
        ("false", "false", Some(false), Some(false)),
        ("false", "true", Some(false), Some(true)),
        ("true", "true", Some(true), Some(true)),
        (err, err, None, None),
    ] {
        for (a, b) in [(left, right), (right, left)] {
            assert_eq!(check(&format!("{a} && {b}")).ok(), and, "{a} && {b}");
            assert_eq!(check(&format!("{a} || {b}")).ok(), or, "{a} || {b}");
            assert_eq!(check(&format!("!({a} && {b})")).ok(), and.map(|x| !x));
            assert_eq!(check(&format!("({a}) == ({b}) || true")).ok(), Some(true));
        }
    }
    assert_eq!(check(&format!("{err} || 1 % 0 == 2")), Err("`1 / 0` divides by zero".to_owned()), "the leftmost error");
}

#[test]
fn the_trace_marks_what_decided() {
    let text = "i > 10 && b || (q > 100 || e == 'b') && 1 / 0 == 0";
    let condition = read(text, &environment()).expect("read");
    let given = scope(&[
        ("i", Value::Int(7)),
        ("b", Value::Bool(true)),
        ("q", Value::Rational(Rational::from_int(90))),
        ("e", Value::Text(Arc::from("b"))),
    ]);
    let all = trace(text, &condition.root, &given);
    assert_eq!((all.truth, all.decisive), (Some(Truth::Error), true));
    assert_eq!(all.value, "`1 / 0` divides by zero");
    let [left, right] = all.children.as_slice() else { panic!("two operands") };
    assert_eq!((left.text.as_str(), left.truth, left.decisive), ("i > 10 && b", Some(Truth::False), false));
    assert_eq!((right.truth, right.decisive), (Some(Truth::Error), true));
    assert_eq!(right.children[0].text, "(q > 100 || e == 'b')".trim_matches(['(', ')']));
    assert_eq!(right.children[0].children[1].children[0].value, "'b'");
    assert_eq!(
        read("1 / 0 == 0", &environment()).map(|c| holds(&c.root, &given)).map(|r| r.map_err(|e| e.fault)),
        Ok(Err(EvalFault::DivisionByZero))
    );
}
