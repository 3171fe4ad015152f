//! The 45 service clauses as published, as syntax trees over sampled inputs (`tests/vectors/clauses.json`), against the
//! side of each sample that is named after the published policy: with every norm granted, the two agree on every input,
//! so that side is the clause and nothing else. What is invented stands on the other side.

use std::cmp::Ordering;
use std::fs;
use std::path::Path;

use decidendi_core::exact::Rational;
use decidendi_core::judgment::case::Artifacts;
use decidendi_core::judgment::source::Mask;
use decidendi_core::judgment::walk::{Compiler, judge, open_case};
use decidendi_core::watch::Unwatched;
use serde_json::{Map, Value, json};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))).unwrap()
}

/// A value of a clause: numbers are exact, days compare as text.
#[derive(Debug, Clone, PartialEq)]
enum Datum {
    Truth(bool),
    Number(Rational),
    Text(String),
}

impl Datum {
    fn of(json: &Value) -> Self {
        match json {
            Value::Bool(truth) => Self::Truth(*truth),
            Value::Number(n) => Self::Number(Rational::from_int(n.as_i64().unwrap())),
            Value::String(text) => Rational::parse(text).map_or_else(|_| Self::Text(text.clone()), Self::Number),
            other => panic!("no datum: {other}"),
        }
    }

    fn number(&self) -> &Rational {
        match self {
            Self::Number(number) => number,
            other => panic!("no number: {other:?}"),
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            pair => panic!("no order: {pair:?}"),
        }
    }
}

fn value(tree: &Value, input: &Map<String, Value>) -> Datum {
    let Value::Array(parts) = tree else {
        return match tree.as_str().and_then(|text| text.strip_prefix('$')) {
            Some(name) => Datum::of(&input[name]),
            None => Datum::of(tree),
        };
    };
    let (op, operands) = (parts[0].as_str().unwrap(), &parts[1..]);
    let datum = |i: usize| value(&operands[i], input);
    let is = |i: usize| match datum(i) {
        Datum::Truth(truth) => truth,
        other => panic!("no truth value: {other:?}"),
    };
    let numbers = |f: fn(&Rational, &Rational) -> Rational| Datum::Number(f(datum(0).number(), datum(1).number()));
    let order = || datum(0).order(&datum(1));
    Datum::Truth(match op {
        "and" => (0..operands.len()).all(is),
        "or" => (0..operands.len()).any(is),
        "not" => !is(0),
        "implies" => !is(0) || is(1),
        "unless" => is(0) && !is(1),
        "eq" => datum(0) == datum(1),
        "ne" => datum(0) != datum(1),
        "lt" => order().is_lt(),
        "le" => order().is_le(),
        "gt" => order().is_gt(),
        "ge" => order().is_ge(),
        "in" => operands[1]["set"].as_array().unwrap().iter().any(|one| Datum::of(one) == datum(0)),
        "add" => return numbers(Rational::add),
        "sub" => return numbers(Rational::sub),
        "mul" => return numbers(Rational::mul),
        "max" => return if order().is_lt() { datum(1) } else { datum(0) },
        "lookup" => {
            let Datum::Text(key) = datum(0) else { panic!("no key: {:?}", datum(0)) };
            return Datum::of(&operands[1]["table"][key.as_str()]);
        }
        other => panic!("no operator `{other}`"),
    })
}

/// Every combination of the fields' values.
fn inputs(fields: &Map<String, Value>) -> Vec<Map<String, Value>> {
    fields.iter().fold(vec![Map::new()], |all, (name, values)| {
        let values = values.as_array().unwrap();
        let with = |input: &Map<String, Value>, one: &Value| {
            let mut input = input.clone();
            input.insert(name.clone(), one.clone());
            input
        };
        all.iter().flat_map(|input| values.iter().map(move |one| with(input, one))).collect()
    })
}

/// The sample with its published norms on both sides, every norm granted, and without steps.
fn published(folder: &Path, side: &str) -> Value {
    let mut case = read(&folder.join("case.json"));
    case.as_object_mut().unwrap().remove("compatibility");
    for source in case["sources"].as_array_mut().unwrap() {
        let role = source.get("role").unwrap_or(&source["name"]).as_str().unwrap().to_owned();
        let body = match role.split('-').next().unwrap() {
            "norms" => match source[side].get("$ref") {
                Some(path) => read(&folder.join(path.as_str().unwrap())),
                None => source[side].clone(),
            },
            "authority" => json!({"grants": [{"norm": "*"}]}),
            _ => json!({}),
        };
        source["old"] = body.clone();
        source["new"] = body;
    }
    case
}

/// Puts an input into the first grounds source. A clause counts hours where a sample has a duration.
fn ground(case: &mut Value, input: &Map<String, Value>) {
    let mut body = Map::new();
    for (name, one) in input {
        let duration = case["interface"]["grounds"][name]["type"] == "duration";
        body.insert(name.clone(), if duration { json!(format!("{}h", one.as_str().unwrap())) } else { one.clone() });
    }
    let sources = case["sources"].as_array_mut().unwrap();
    let grounds = sources.iter_mut().find(|s| s["name"].as_str().unwrap().starts_with("grounds")).unwrap();
    grounds["old"] = Value::Object(body.clone());
    grounds["new"] = Value::Object(body);
}

#[test]
fn the_published_side_of_every_sample_is_the_clause_and_nothing_else() {
    let clauses = read(&root().join("tests/vectors/clauses.json"));
    let clauses = clauses.as_array().unwrap();
    let (mut compiler, mut counted, mut wrong) = (Compiler::default(), 0, Vec::new());
    for clause in clauses {
        let (name, side) = (clause["clause"].as_str().unwrap(), clause["published"].as_str().unwrap());
        let folder = root().join("sample_cases").join(clause["sample"].as_str().unwrap());
        let mut case = published(&folder, side);
        assert_eq!(case["unit"], name);
        let mut verdicts = [0; 2];
        for input in inputs(clause["fields"].as_object().unwrap()) {
            ground(&mut case, &input);
            let bytes = serde_json::to_vec(&case).unwrap();
            let opened = open_case("case.json", &bytes, &Artifacts::new()).unwrap_or_else(|e| panic!("{name}: {e}"));
            let judgment = judge(&opened, &mut compiler, &Unwatched).unwrap_or_else(|e| panic!("{name}: {e}"));
            let approves = value(&clause["approve"], &input) == Datum::Truth(true);
            let wanted = if approves { "approve" } else { "deny" };
            verdicts[usize::from(approves)] += 1;
            counted += 1;
            if judgment.word(Mask::EMPTY) != Some(wanted) {
                wrong.push(format!("{name}: {input:?} is {:?}, the clause says {wanted}", judgment.word(Mask::EMPTY)));
            }
        }
        assert!(verdicts.iter().all(|n| *n > 0), "{name} has both verdicts: {verdicts:?}");
    }
    println!("{} clauses, {counted} inputs", clauses.len());
    assert_eq!((clauses.len(), counted > 8_000), (45, true));
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
}
