//! On the shared subset a condition means what an independent implementation of CEL means by it: the same tree, the same
//! truth, and an error where that one errs. Decimals are dyadic there, so that its doubles are exact. What that one does
//! not read, or reads as something outside the subset, is refused.

use std::collections::BTreeMap;

use cel::common::ast::{Expr, IdedExpr, LiteralValue, operators};
use cel::parser::Parser;
use cel::{Context, Program, Value as Theirs};

use super::random::{Dice, Subset, condition, environment, value};
use super::values::Given;
use crate::exact::Rational;
use crate::judgment::expr::env::Origin;
use crate::judgment::expr::parser::parse;
use crate::judgment::expr::tree::{Operator, Shape, Sign, Tree};
use crate::judgment::expr::{Env, Type, holds, literal, read};
use crate::judgment::value::Value;
use crate::seal::canon::nfc;

/// Conditions of each of the four tests that compare trees and truths.
const CONDITIONS: u64 = 25_000;
/// Near-conditions.
const GARBAGE: u64 = 20_000;

/// Our tree in brackets, doubled signs and grouping of `&&` and `||` aside.
fn ours(tree: &Tree<'_>) -> String {
    match &tree.shape {
        Shape::Literal(value) => literal_word(value),
        Shape::Name(None, name) => (*name).to_owned(),
        Shape::Name(Some(origin), name) => format!("{}.{name}", origin.word()),
        Shape::Has(origin, name) => format!("has({}.{name})", origin.word()),
        Shape::Signed(_, count, inner) if count % 2 == 0 => ours(inner),
        Shape::Signed(sign, _, inner) => format!("({} {})", if *sign == Sign::Not { "!" } else { "-" }, ours(inner)),
        Shape::Joined(operator, operands) => {
            let word = word(*operator);
            let mut all = Vec::new();
            for operand in operands {
                flatten(word, operator.is_logic(), ours(operand), &mut all);
            }
            format!("({word} {})", all.join(" "))
        }
        Shape::List(items) => format!("[{}]", items.iter().map(ours).collect::<Vec<_>>().join(" ")),
    }
}

/// Adds an operand; one of the same logical operator adds its own operands.
fn flatten(word: &str, logic: bool, operand: String, all: &mut Vec<String>) {
    match operand.strip_prefix(&format!("({word} ")).and_then(|o| o.strip_suffix(')')) {
        Some(inner) if logic => all.push(inner.to_owned()),
        _ => all.push(operand),
    }
}

fn word(operator: Operator) -> &'static str {
    let all = ["||", "&&", "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "%"];
    all.into_iter().find(|w| Operator::of(w) == Some(operator)).expect("an operator")
}

fn literal_word(value: &Value) -> String {
    match value {
        Value::Rational(r) => format!("{:?}", r.to_f64()),
        Value::Text(t) => format!("{t:?}"),
        other => other.to_string(),
    }
}

/// Their tree in brackets; nothing for what is outside the subset.
fn their_tree(node: &IdedExpr) -> Option<String> {
    let origin = |node: &IdedExpr| match &node.expr {
        Expr::Ident(name) => Origin::ALL.into_iter().find(|o| o.word() == name),
        _ => None,
    };
    Some(match &node.expr {
        Expr::Ident(name) if name.starts_with('.') => return None,
        Expr::Ident(name) if ["and", "or", "not"].contains(&name.to_lowercase().as_str()) => return None,
        Expr::Ident(name) => name.clone(),
        Expr::Select(select) => {
            let path = format!("{}.{}", origin(&select.operand)?.word(), select.field);
            if select.test { format!("has({path})") } else { path }
        }
        Expr::Literal(LiteralValue::Boolean(b)) => b.inner().to_string(),
        Expr::Literal(LiteralValue::Int(i)) => i.inner().to_string(),
        Expr::Literal(LiteralValue::Double(d)) => {
            let d = *d.inner();
            if d != 0.0 && !(1e-64..1e64).contains(&d.abs()) {
                return None;
            }
            format!("{:?}", if d == 0.0 { 0.0 } else { d })
        }
        Expr::Literal(LiteralValue::String(s)) => format!("{:?}", nfc(s.inner())),
        Expr::Literal(_) => return None,
        Expr::List(list) => {
            let items: Option<Vec<String>> = list.elements.iter().map(their_tree).collect();
            format!("[{}]", items?.join(" "))
        }
        Expr::Call(call) if call.target.is_some() => return None,
        Expr::Call(call) => match (call.func_name.as_str(), call.args.as_slice()) {
            (operators::LOGICAL_NOT, [a]) => format!("(! {})", their_tree(a)?),
            (operators::NEGATE, [a]) => format!("(- {})", their_tree(a)?),
            (name, [IdedExpr { expr: Expr::Literal(LiteralValue::String(s)), .. }]) => {
                literal_word(&literal::function(name, s.inner())?.ok()?)
            }
            (name, [a, b]) => {
                let word = match name {
                    operators::LOGICAL_OR => "||",
                    operators::LOGICAL_AND => "&&",
                    operators::EQUALS => "==",
                    operators::NOT_EQUALS => "!=",
                    operators::LESS => "<",
                    operators::LESS_EQUALS => "<=",
                    operators::GREATER => ">",
                    operators::GREATER_EQUALS => ">=",
                    operators::IN => "in",
                    operators::ADD => "+",
                    operators::SUBSTRACT => "-",
                    operators::MULTIPLY => "*",
                    operators::DIVIDE => "/",
                    operators::MODULO => "%",
                    _ => return None,
                };
                let mut all = Vec::new();
                for operand in [a, b] {
                    flatten(word, matches!(word, "&&" | "||"), their_tree(operand)?, &mut all);
                }
                format!("({word} {})", all.join(" "))
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// Compares how both read a text. Whether it is a condition of the subset.
pub(super) fn same_reading(text: &str, env: &Env) -> bool {
    let theirs = Parser::new().parse(text).ok().and_then(|tree| their_tree(&tree));
    match (parse(text, env), theirs) {
        (Ok(tree), theirs) => {
            assert_eq!(Some(ours(&tree)), theirs, "{text:?}");
            true
        }
        (Err(error), Some(tree)) => panic!("{text:?} is {tree} for the other, for us {error}"),
        (Err(_), None) => false,
    }
}

fn theirs(value: &Value) -> Theirs {
    match value {
        Value::Bool(b) => Theirs::from(*b),
        Value::Int(i) => Theirs::from(*i),
        Value::Rational(r) => Theirs::from(r.to_f64()),
        Value::Text(t) => Theirs::from(&**t),
        other => panic!("{other} is outside the shared subset"),
    }
}

#[expect(clippy::disallowed_types, reason = "the other implementation takes its maps this way")]
fn agree(quarter: u64) {
    let env = environment();
    let (mut truths, mut errors) = ([0_u64; 2], 0_u64);
    for seed in quarter * CONDITIONS..(quarter + 1) * CONDITIONS {
        let mut dice = Dice(seed);
        let text = condition(&mut dice, Subset::Shared, 1 + (seed % 4) as usize);
        let condition = read(&text, &env).unwrap_or_else(|e| panic!("{text}: {e}"));
        let tree = parse(&text, &env).unwrap_or_else(|e| panic!("{text}: {e}"));
        let program = Program::compile(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(Some(ours(&tree)), their_tree(program.expression()), "{text}");
        let mut context = Context::default();
        let mut spaces: BTreeMap<&str, BTreeMap<String, Theirs>> = BTreeMap::new();
        let mut given = BTreeMap::new();
        for name in env.names() {
            let value = match name.ty {
                Type::Rational => {
                    let eighths = dice.below(33) as i64 - 16;
                    Value::Rational(Rational::from_ratio(eighths, 8).expect("not zero"))
                }
                Type::Bool | Type::Int | Type::Text => value(&mut dice, &name.ty),
                _ => continue,
            };
            context.add_variable_from_value(name.text.to_string(), theirs(&value));
            spaces.entry(name.origin.word()).or_default().insert(name.text.to_string(), theirs(&value));
            given.insert(env.find(None, &name.text).expect("declared"), value);
        }
        for (space, fields) in spaces {
            let fields = fields.into_iter().collect::<std::collections::HashMap<_, _>>();
            context.add_variable_from_value(space, Theirs::from(fields));
        }
        let expected = match program.execute(&context) {
            Ok(Theirs::Bool(b)) => Some(b),
            Ok(other) => panic!("{text} gave {other:?}"),
            Err(_) => None,
        };
        let found = holds(&condition.root, &Given(given));
        assert_eq!(found.as_ref().ok().copied(), expected, "{text}: {found:?}");
        match expected {
            Some(b) => truths[usize::from(b)] += 1,
            None => errors += 1,
        }
    }
    // The comparison is worth something only if all three outcomes are common.
    assert!(truths[0] > 3_000 && truths[1] > 3_000 && errors > 300, "{truths:?} and {errors} errors");
}

#[test]
fn agrees_with_an_independent_implementation() {
    agree(0);
}

#[test]
fn agrees_with_an_independent_implementation_2() {
    agree(1);
}

#[test]
fn agrees_with_an_independent_implementation_3() {
    agree(2);
}

#[test]
fn agrees_with_an_independent_implementation_4() {
    agree(3);
}

/// Pieces that make near-conditions, which go deeper than random letters.
const PIECES: &[&str] = &[
    "i",
    "r",
    "s",
    "b",
    "set",
    "grounds",
    ".",
    "(",
    ")",
    "[",
    "]",
    ",",
    "&&",
    "||",
    "!",
    "==",
    "<",
    "in",
    "+",
    "-",
    "*",
    "/",
    "%",
    "1",
    "2.5",
    "1e9",
    "'a'",
    "\"",
    "'",
    "\\",
    "has(",
    "date('",
    "0x",
    "u",
    "?",
    ":",
    "{",
    "//",
    "\n",
    "ü",
    "grounds.b",
    "grounds.i",
    "c",
    "true",
    "null",
    "has(grounds.b)",
    "'b'",
    r"r'\'",
    r"'\n'",
    "0x1F",
    "5u",
    ".5",
    "1.",
    "while",
    "grounds.while",
    "and",
    "=",
    "&",
    "<=",
    "!=",
    "[1, 2]",
    "\"\"\"x\"\"\"",
    "'''y'''",
    "b'z'",
    "i == j",
    "s.size()",
    "\r",
    r"'\u0041'",
    "}",
    "e",
];

#[test]
fn near_conditions_are_read_alike() {
    let env = environment();
    let mut conditions = 0;
    for seed in 0..GARBAGE {
        let mut dice = Dice(seed ^ 0x5EED);
        let length = 1 + dice.below(8);
        let pieces: Vec<&str> = (0..length).map(|_| dice.one(PIECES)).collect();
        let text = pieces.join(if seed % 3 == 0 { "" } else { " " });
        // The other one takes what `has` gives for a selection.
        if !text.replace(' ', "").contains("has(has(") {
            conditions += u64::from(same_reading(&text, &env));
        }
    }
    assert!(conditions > GARBAGE / 50, "{conditions} conditions among them");
}
