//! Random typed conditions, the same for every test that needs them. A seed gives a condition.

use std::sync::Arc;

use crate::exact::Rational;
use crate::judgment::expr::{Env, Name, Origin, Type};
use crate::judgment::value::{DAY, Value};

/// A small generator whose stream is fixed by its seed (SplitMix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.roll() % n as u64) as usize
    }

    pub(crate) fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

pub(crate) const WORDS: [&str; 5] = ["a", "b", "c", "größe", ""];

/// An environment with names of every type; those of set type list all words.
pub(crate) fn environment() -> Env {
    let words: Arc<[Arc<str>]> = {
        let mut words: Vec<Arc<str>> = WORDS.iter().map(|w| Arc::from(*w)).collect();
        words.sort();
        words.into()
    };
    let none: Arc<[Arc<str>]> = Arc::from([]);
    let name = |text: &str, origin, ty, values: &Arc<[Arc<str>]>| Name {
        text: Arc::from(text),
        origin,
        ty,
        values: Arc::clone(values),
    };
    use Origin::{Context, Grounds, Parameters};
    Env::new(vec![
        name("i", Grounds, Type::Int, &none),
        name("j", Parameters, Type::Int, &none),
        name("r", Grounds, Type::Rational, &none),
        name("q", Parameters, Type::Rational, &none),
        name("s", Grounds, Type::Text, &none),
        name("e", Context, Type::Text, &words),
        name("b", Grounds, Type::Bool, &none),
        name("c", Parameters, Type::Bool, &none),
        name("set", Grounds, Type::Set, &words),
        name("others", Parameters, Type::Set, &words),
        name("day", Grounds, Type::Date, &none),
        name("wait", Parameters, Type::Duration, &none),
    ])
}

/// A random value of a type; small enough that comparisons are often equal, sometimes at the edge of 64 bits.
pub(crate) fn value(dice: &mut Dice, ty: &Type) -> Value {
    let small = dice.below(7) as i64 - 3;
    match ty {
        Type::Bool => Value::Bool(dice.below(2) == 0),
        Type::Int if dice.below(12) == 0 => Value::Int([i64::MAX, i64::MIN, i64::MAX - 1][dice.below(3)]),
        Type::Int => Value::Int(small),
        Type::Rational if dice.below(12) == 0 => {
            Value::Rational(Rational::parse("123456789012345678901234567890/7").expect("a number"))
        }
        Type::Rational => Value::Rational(Rational::from_ratio(small, 1 + dice.below(4) as i64).expect("not zero")),
        Type::Text => Value::Text(Arc::from(dice.one(&WORDS))),
        Type::Set => {
            let mut set: Vec<Arc<str>> = WORDS.iter().filter(|_| dice.below(2) == 0).map(|w| Arc::from(*w)).collect();
            set.sort();
            Value::Set(set.into())
        }
        Type::Date => Value::Date(small * DAY),
        Type::Duration => Value::Duration(small * DAY / 2),
        Type::List(_) => Value::List(Vec::new()),
    }
}

/// Which parts of the language a random condition may use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subset {
    /// Everything.
    All,
    /// What the other implementation means the same by: no sets, dates or rationals, decimals that are dyadic.
    Shared,
}

/// A random condition of at most `depth` levels.
pub(crate) fn condition(dice: &mut Dice, subset: Subset, depth: usize) -> String {
    let kinds = if subset == Subset::All { 12 } else { 9 };
    if depth == 0 {
        return dice.one(&["b", "c", "true", "false", "grounds.b", "has(grounds.b)", "i < j", "i == 0"]).to_owned();
    }
    let sub = |dice: &mut Dice| condition(dice, subset, depth - 1);
    match dice.below(kinds) {
        0 | 1 => format!("({} && {})", sub(dice), sub(dice)),
        2 | 3 => format!("({} || {})", sub(dice), sub(dice)),
        4 => format!("!({})", sub(dice)),
        5 => format!("{} {} {}", int(dice, depth), compare(dice), int(dice, depth)),
        6 => format!("{} {} {}", number(dice, subset, depth), compare(dice), number(dice, subset, depth)),
        7 => match dice.below(3) {
            0 => format!("{} {} {}", text(dice), compare(dice), text(dice)),
            1 => format!("{} in [{}, {}]", text(dice), text(dice), text(dice)),
            _ => format!("{} in [{}, {}, 2]", int(dice, depth - 1), int(dice, depth - 1), int(dice, 0)),
        },
        8 => format!("({}) {} ({})", sub(dice), dice.one(&["==", "!="]), sub(dice)),
        9 => match dice.below(3) {
            0 => format!("{} in {}", text(dice), dice.one(&["set", "others"])),
            1 => format!("set {} others", dice.one(&["==", "!="])),
            _ => format!("has({})", dice.one(&["grounds.set", "parameters.q", "context.e"])),
        },
        10 => {
            let dates = [
                "day",
                "day + wait",
                "wait + day",
                "day - wait",
                "date('1970-01-02')",
                "timestamp('1969-12-31T00:00:00Z') + duration('36h')",
            ];
            format!("{} {} {}", dice.one(&dates), compare(dice), dice.one(&dates))
        }
        _ => {
            let spans = ["wait", "wait + wait", "day - date('1970-01-01')", "duration('12h')", "duration('1d') - wait"];
            format!("{} {} {}", dice.one(&spans), compare(dice), dice.one(&spans))
        }
    }
}

fn compare(dice: &mut Dice) -> &'static str {
    dice.one(&["==", "!=", "<", "<=", ">", ">="])
}

fn text(dice: &mut Dice) -> String {
    dice.one(&["s", "e", "'a'", "'b'", "\"größe\"", "''", "grounds.s", "'\\u0061'"]).to_owned()
}

fn int(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 || dice.below(3) == 0 {
        return dice.one(&["i", "j", "0", "1", "-2", "3", "parameters.j", "9223372036854775807", "0x10"]).to_owned();
    }
    match dice.below(6) {
        0 => format!("-({})", int(dice, depth - 1)),
        n => format!("({} {} {})", int(dice, depth - 1), ["+", "-", "*", "/", "%"][n - 1], int(dice, depth - 1)),
    }
}

fn number(dice: &mut Dice, subset: Subset, depth: usize) -> String {
    let shared = ["r", "q", "0.5", "1.25", "-2.0", "3.0", "grounds.r", ".75", "2.5e1"];
    if depth == 0 || dice.below(3) == 0 {
        let all = ["0.1", "1e-3", "12345678901234567890.5"];
        let odd = subset == Subset::All && dice.below(4) == 0;
        return if odd { dice.one(&all) } else { dice.one(&shared) }.to_owned();
    }
    let sub = |dice: &mut Dice| {
        if subset == Subset::All && dice.below(3) == 0 { int(dice, depth - 1) } else { number(dice, subset, depth - 1) }
    };
    match dice.below(5) {
        0 => format!("-({})", number(dice, subset, depth - 1)),
        1 if subset == Subset::All => format!("({} / {})", number(dice, subset, depth - 1), sub(dice)),
        1 => format!("({} / 4.0)", sub(dice)),
        n => format!("({} {} {})", number(dice, subset, depth - 1), ["+", "-", "*"][n - 2], sub(dice)),
    }
}
