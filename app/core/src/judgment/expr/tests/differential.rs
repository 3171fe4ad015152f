//! On the shared subset a condition means what an independent implementation of CEL means by it: same truth, and an
//! error where that one errs. Decimals are dyadic there, so that its doubles are exact.

use std::collections::BTreeMap;

use cel::{Context, Program, Value as Theirs};

use super::random::{Dice, Subset, condition, environment, value};
use super::values::Given;
use crate::exact::Rational;
use crate::judgment::expr::{Type, holds, read};
use crate::judgment::value::Value;

/// Conditions compared.
const CONDITIONS: u64 = 10_000;

fn theirs(value: &Value) -> Theirs {
    match value {
        Value::Bool(b) => Theirs::from(*b),
        Value::Int(i) => Theirs::from(*i),
        Value::Rational(r) => Theirs::from(r.to_f64()),
        Value::Text(t) => Theirs::from(&**t),
        other => panic!("{other} is outside the shared subset"),
    }
}

#[test]
#[expect(clippy::disallowed_types, reason = "the other implementation takes its maps this way")]
fn agrees_with_an_independent_implementation() {
    let env = environment();
    let (mut truths, mut errors) = ([0_u64; 2], 0_u64);
    for seed in 0..CONDITIONS {
        let mut dice = Dice(seed);
        let text = condition(&mut dice, Subset::Shared, 1 + (seed % 4) as usize);
        let ours = read(&text, &env).unwrap_or_else(|e| panic!("{text}: {e}"));
        let program = Program::compile(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        for _ in 0..4 {
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
                context.add_variable_from_value(
                    space,
                    Theirs::from(fields.into_iter().collect::<std::collections::HashMap<_, _>>()),
                );
            }
            let expected = match program.execute(&context) {
                Ok(Theirs::Bool(b)) => Some(b),
                Ok(other) => panic!("{text} gave {other:?}"),
                Err(_) => None,
            };
            let found = holds(&ours.root, &Given(given));
            assert_eq!(found.as_ref().ok().copied(), expected, "{text}: {found:?}");
            match expected {
                Some(b) => truths[usize::from(b)] += 1,
                None => errors += 1,
            }
        }
    }
    // The comparison is worth something only if all three outcomes are common.
    assert!(truths[0] > 5_000 && truths[1] > 5_000 && errors > 500, "{truths:?} and {errors} errors");
}
