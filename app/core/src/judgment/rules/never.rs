//! Conditions that no value of the declared types, ranges and enums makes true. Only what can be proved is said: a bound
//! that is not known bounds nothing, so `None` means that nothing was found, not that the condition can hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::exact::Rational;
use crate::judgment::expr::{Arithmetic, Compare, Condition, Kind, NameId, Node};
use crate::judgment::interface::{FieldType, Interface};
use crate::judgment::value::Value;

/// Most letters of a condition that are quoted.
const SHOWN: usize = 80;

/// Why the condition can never hold, as the beginning of a sentence.
#[must_use]
pub(super) fn never(condition: &Condition, interface: &Interface) -> Option<String> {
    let reader = Reader { interface };
    if reader.may(&condition.root).yes {
        return None;
    }
    let mut part = &condition.root;
    // Of parts that must all hold, the first that cannot is the one to look at.
    while let Kind::And(all) = &part.kind
        && let Some(first) = all.iter().find(|node| !reader.may(node).yes)
    {
        part = first;
    }
    let text: String = part.span.of(&condition.text).chars().take(SHOWN).collect();
    let text = if text.is_empty() { condition.text.chars().take(SHOWN).collect() } else { text };
    Some(match part.kind {
        Kind::And(_) => format!("the parts of `{text}` exclude one another"),
        _ => format!("`{text}` is true of no declared value"),
    })
}

/// Which truth values a node may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct May {
    yes: bool,
    no: bool,
}

impl May {
    const EITHER: Self = Self { yes: true, no: true };
}

/// The values that a number, a date or a duration may take.
#[derive(Debug, Clone, Default)]
struct Range {
    min: Option<Rational>,
    max: Option<Rational>,
}

impl Range {
    fn of(value: Rational) -> Self {
        Self { min: Some(value.clone()), max: Some(value) }
    }

    fn is_empty(&self) -> bool {
        matches!((&self.min, &self.max), (Some(min), Some(max)) if min > max)
    }

    /// Whether some values of the two compare so.
    fn may(&self, op: Compare, other: &Self) -> bool {
        let below = |a: &Self, b: &Self, equal: bool| match (&a.min, &b.max) {
            (Some(min), Some(max)) => min < max || (equal && min == max),
            _ => true,
        };
        match op {
            Compare::Less => below(self, other, false),
            Compare::AtMost => below(self, other, true),
            Compare::Greater => below(other, self, false),
            Compare::AtLeast => below(other, self, true),
            Compare::Equal => below(self, other, true) && below(other, self, true),
            Compare::Differs => {
                let one = |r: &Self| r.min.is_some() && r.min == r.max;
                !(one(self) && one(other) && self.min == other.min)
            }
        }
    }

    /// What is left where the value must compare so with some value of the other.
    fn narrow(&mut self, op: Compare, other: &Self, whole: bool) {
        let one = Rational::from_int(1);
        // A whole number above a whole bound is at least one above it. Elsewhere the bound itself is kept: too wide, never
        // too narrow.
        let step = |bound: &Rational, up: bool| match (whole && bound.is_integer(), up) {
            (false, _) => bound.clone(),
            (true, true) => bound.add(&one),
            (true, false) => bound.sub(&one),
        };
        let (mut min, mut max) = (None, None);
        match op {
            Compare::Less => max = other.max.as_ref().map(|b| step(b, false)),
            Compare::AtMost => max.clone_from(&other.max),
            Compare::Greater => min = other.min.as_ref().map(|b| step(b, true)),
            Compare::AtLeast => min.clone_from(&other.min),
            Compare::Equal => (min, max) = (other.min.clone(), other.max.clone()),
            Compare::Differs => {}
        }
        if let Some(min) = min.filter(|min| self.min.as_ref().is_none_or(|own| own < min)) {
            self.min = Some(min);
        }
        if let Some(max) = max.filter(|max| self.max.as_ref().is_none_or(|own| own > max)) {
            self.max = Some(max);
        }
    }
}

/// What parts that must all hold leave of one name.
#[derive(Debug, Default)]
struct Left {
    range: Option<Range>,
    /// Bounds that the value must not touch, where the type is not whole.
    open: [Option<Rational>; 2],
    texts: Option<Vec<Arc<str>>>,
    truths: Option<May>,
}

impl Left {
    fn is_empty(&self) -> bool {
        let touches = |r: &Range| r.min.is_some() && r.min == r.max && (self.open[0] == r.min || self.open[1] == r.max);
        self.range.as_ref().is_some_and(|r| r.is_empty() || touches(r))
            || self.texts.as_ref().is_some_and(Vec::is_empty)
            || self.truths.is_some_and(|t| !t.yes && !t.no)
    }
}

struct Reader<'i> {
    interface: &'i Interface,
}

impl Reader<'_> {
    fn may(&self, node: &Node) -> May {
        match &node.kind {
            Kind::Literal(Value::Bool(truth)) => May { yes: *truth, no: !truth },
            Kind::Not(a) => {
                let May { yes, no } = self.may(a);
                May { yes: no, no: yes }
            }
            Kind::And(all) => {
                let parts: Vec<May> = all.iter().map(|n| self.may(n)).collect();
                let yes = parts.iter().all(|m| m.yes) && self.agree(all);
                May { yes, no: !yes || parts.iter().any(|m| m.no) }
            }
            Kind::Or(all) => {
                let parts: Vec<May> = all.iter().map(|n| self.may(n)).collect();
                May { yes: parts.iter().any(|m| m.yes), no: parts.iter().all(|m| m.no) }
            }
            Kind::Compare(op, a, b) => May { yes: self.compares(*op, a, b), no: self.compares(opposite(*op), a, b) },
            Kind::In(a, b) => May { yes: self.is_in(a, b), no: true },
            _ => May::EITHER,
        }
    }

    fn compares(&self, op: Compare, a: &Node, b: &Node) -> bool {
        if let (Some(a), Some(b)) = (self.texts(a), self.texts(b)) {
            return match op {
                Compare::Equal => a.iter().any(|text| b.contains(text)),
                Compare::Differs => !(a.len() == 1 && a == b),
                _ => true,
            };
        }
        self.range(a).may(op, &self.range(b))
    }

    fn is_in(&self, a: &Node, b: &Node) -> bool {
        match &b.kind {
            Kind::List(items) => items.iter().any(|item| self.compares(Compare::Equal, a, item)),
            Kind::Literal(Value::List(items)) => {
                let (texts, range) = (self.texts(a), self.range(a));
                items.iter().any(|item| match (item, &texts) {
                    (Value::Text(text), Some(texts)) => texts.contains(text),
                    _ => range.may(Compare::Equal, &range_of(item)),
                })
            }
            Kind::Name(id, _) => match (self.texts(a), self.interface.field(*id).map(|f| &f.ty)) {
                (Some(texts), Some(FieldType::Set(values))) => texts.iter().any(|t| values.contains(t)),
                _ => true,
            },
            _ => true,
        }
    }

    /// The texts that a node may be, where these are known.
    fn texts(&self, node: &Node) -> Option<Vec<Arc<str>>> {
        match &node.kind {
            Kind::Literal(value) => text_of(value),
            Kind::Name(id, _) => match &self.interface.field(*id)?.ty {
                FieldType::Enum(values) => Some(values.to_vec()),
                _ => None,
            },
            _ => None,
        }
    }

    fn range(&self, node: &Node) -> Range {
        match &node.kind {
            Kind::Literal(value) => range_of(value),
            Kind::Name(id, _) => self.declared(*id),
            Kind::Negate(a) => {
                let Range { min, max } = self.range(a);
                Range { min: max.map(|m| m.neg()), max: min.map(|m| m.neg()) }
            }
            Kind::Arithmetic(op, a, b) => arithmetic(*op, &self.range(a), &self.range(b)),
            _ => Range::default(),
        }
    }

    fn declared(&self, id: NameId) -> Range {
        match self.interface.field(id).map(|f| &f.ty) {
            Some(FieldType::Int { min, max }) => {
                Range { min: min.map(Rational::from_int), max: max.map(Rational::from_int) }
            }
            Some(FieldType::Rational { min, max }) => Range { min: min.clone(), max: max.clone() },
            _ => Range::default(),
        }
    }

    /// Whether parts that must all hold leave some value to every name.
    fn agree(&self, parts: &[Node]) -> bool {
        let mut names: BTreeMap<NameId, Left> = BTreeMap::new();
        for part in parts {
            match &part.kind {
                Kind::Compare(op, a, b) => {
                    self.narrow(&mut names, *op, a, b);
                    self.narrow(&mut names, mirrored(*op), b, a);
                }
                Kind::In(a, b) => self.keep(&mut names, a, b, true),
                Kind::Name(id, _) => truth(&mut names, *id, true),
                Kind::Not(inner) => match &inner.kind {
                    Kind::Name(id, _) => truth(&mut names, *id, false),
                    Kind::In(a, b) => self.keep(&mut names, a, b, false),
                    Kind::Compare(op, a, b) => {
                        self.narrow(&mut names, opposite(*op), a, b);
                        self.narrow(&mut names, mirrored(opposite(*op)), b, a);
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        !names.values().any(Left::is_empty)
    }

    /// `a` compares so with `b`: what that leaves of a name `a`.
    fn narrow(&self, names: &mut BTreeMap<NameId, Left>, op: Compare, a: &Node, b: &Node) {
        let Kind::Name(id, _) = a.kind else { return };
        let left = names.entry(id).or_default();
        if let Some(own) = self.texts(a) {
            let Some(others) = self.texts(b) else { return };
            let texts = left.texts.get_or_insert(own);
            match op {
                Compare::Equal => texts.retain(|t| others.contains(t)),
                Compare::Differs if others.len() == 1 => texts.retain(|t| !others.contains(t)),
                _ => {}
            }
            return;
        }
        let other = self.range(b);
        let whole = matches!(self.interface.field(id).map(|f| &f.ty), Some(FieldType::Int { .. }));
        match op {
            Compare::Less => tighten(&mut left.open[1], &other.max, |own, new| new < own),
            Compare::Greater => tighten(&mut left.open[0], &other.min, |own, new| new > own),
            _ => {}
        }
        left.range.get_or_insert_with(|| self.declared(id)).narrow(op, &other, whole);
    }

    /// `a` is in `b`, or is not: what that leaves of a name `a`.
    fn keep(&self, names: &mut BTreeMap<NameId, Left>, a: &Node, b: &Node, inside: bool) {
        let Kind::Name(id, _) = &a.kind else { return };
        let Some(own) = self.texts(a) else { return };
        let listed: Option<Vec<Vec<Arc<str>>>> = match &b.kind {
            Kind::List(items) => items.iter().map(|item| self.texts(item)).collect(),
            Kind::Literal(Value::List(items)) => items.iter().map(text_of).collect(),
            _ => return,
        };
        // Only single texts rule something out.
        let Some(listed) = listed.filter(|all| inside || all.iter().all(|texts| texts.len() == 1)) else { return };
        let listed: Vec<Arc<str>> = listed.into_iter().flatten().collect();
        names.entry(*id).or_default().texts.get_or_insert(own).retain(|t| listed.contains(t) == inside);
    }
}

fn text_of(value: &Value) -> Option<Vec<Arc<str>>> {
    match value {
        Value::Text(text) => Some(vec![Arc::clone(text)]),
        _ => None,
    }
}

fn range_of(value: &Value) -> Range {
    match value {
        Value::Int(i) | Value::Date(i) | Value::Duration(i) => Range::of(Rational::from_int(*i)),
        Value::Rational(r) => Range::of(r.clone()),
        _ => Range::default(),
    }
}

fn tighten(own: &mut Option<Rational>, new: &Option<Rational>, closer: impl Fn(&Rational, &Rational) -> bool) {
    if let Some(new) = new
        && own.as_ref().is_none_or(|own| closer(own, new))
    {
        *own = Some(new.clone());
    }
}

fn truth(names: &mut BTreeMap<NameId, Left>, id: NameId, truth: bool) {
    let truths = names.entry(id).or_default().truths.get_or_insert(May::EITHER);
    if truth { truths.no = false } else { truths.yes = false }
}

const fn opposite(op: Compare) -> Compare {
    match op {
        Compare::Equal => Compare::Differs,
        Compare::Differs => Compare::Equal,
        Compare::Less => Compare::AtLeast,
        Compare::AtMost => Compare::Greater,
        Compare::Greater => Compare::AtMost,
        Compare::AtLeast => Compare::Less,
    }
}

const fn mirrored(op: Compare) -> Compare {
    match op {
        Compare::Less => Compare::Greater,
        Compare::AtMost => Compare::AtLeast,
        Compare::Greater => Compare::Less,
        Compare::AtLeast => Compare::AtMost,
        same => same,
    }
}

fn arithmetic(op: Arithmetic, a: &Range, b: &Range) -> Range {
    let both = |x: &Option<Rational>, y: &Option<Rational>, f: fn(&Rational, &Rational) -> Rational| {
        Some(f(x.as_ref()?, y.as_ref()?))
    };
    match op {
        Arithmetic::Add => Range { min: both(&a.min, &b.min, Rational::add), max: both(&a.max, &b.max, Rational::add) },
        Arithmetic::Subtract => {
            Range { min: both(&a.min, &b.max, Rational::sub), max: both(&a.max, &b.min, Rational::sub) }
        }
        Arithmetic::Multiply => {
            let ends = [(&a.min, &b.min), (&a.min, &b.max), (&a.max, &b.min), (&a.max, &b.max)];
            let products: Option<Vec<Rational>> = ends.into_iter().map(|(x, y)| both(x, y, Rational::mul)).collect();
            let products = products.unwrap_or_default();
            Range { min: products.iter().min().cloned(), max: products.iter().max().cloned() }
        }
        Arithmetic::Divide | Arithmetic::Remainder => Range::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgment::expr::read;
    use crate::seal::canon::read_input;

    fn interface() -> Interface {
        let text = r#"{"grounds": {"days": {"type": "int", "min": 0, "max": 30}, "free": {"type": "int"},
            "price": {"type": "rational", "min": "0.5"}, "tier": {"type": "enum", "values": ["gold", "plain"]},
            "extras": {"type": "set", "values": ["bag", "seat"]}, "late": {"type": "bool"}, "name": {"type": "string"},
            "day": {"type": "date"}}}"#;
        Interface::read(&read_input("interface", text.as_bytes()).unwrap().root, &[]).unwrap()
    }

    fn why(text: &str) -> Option<String> {
        let interface = interface();
        let condition = read(text, interface.env()).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        never(&condition, &interface)
    }

    #[test]
    fn what_no_declared_value_makes_true_is_found() {
        for text in [
            "false",
            "!true",
            "1 > 2",
            "days < 0",
            "days > 30",
            "30 < days",
            "days == 31",
            "days + 1 > 31",
            "-days > 0",
            "2 * days > 60",
            "days - price > 30",
            "price == 0",
            "tier == 'silver'",
            "tier in ['silver', 'bronze']",
            "tier in []",
            "'boat' in extras",
            "!(days >= 0)",
            "date('2024-01-02') < date('2024-01-01')",
            "late && days < 0",
            "days < 0 || tier == 'silver'",
            "days > 10 && days < 5",
            "days > 4 && days < 5",
            "free > 10 && free <= 10",
            "price > 1 && price < 1",
            "price > 1 && price <= 1",
            "day > date('2024-01-02') && day < date('2024-01-01')",
            "late && !late",
            "tier == 'gold' && tier == 'plain'",
            "tier != 'gold' && tier != 'plain'",
            "tier in ['gold'] && !(tier in ['gold'])",
        ] {
            assert!(why(text).is_some(), "{text}");
        }
    }

    #[test]
    fn what_may_hold_is_left_alone() {
        for text in [
            "true",
            "days == 0",
            "days >= 30",
            "free < -9000000000000000000",
            "price == 0.5",
            "price > 1 && price < 2",
            "price > 1 && price < 1.0000001",
            "days > 4 && days < 6",
            "days / 2 == 31",
            "days % 2 == 5",
            "tier != 'gold'",
            "tier == 'gold' || tier == 'plain'",
            "name == 'x' && name != 'y'",
            "'bag' in extras && 'seat' in extras",
            "late || !late",
            "day > date('2024-01-01') && day < date('2024-01-02')",
            "!(days > 30)",
            "free * days < 0",
        ] {
            assert_eq!(why(text), None, "{text}");
        }
    }

    #[test]
    fn the_part_at_fault_is_quoted() {
        assert_eq!(why("late && days < 0").as_deref(), Some("`days < 0` is true of no declared value"));
        let parts = why("days > 10 && late && days < 5").unwrap();
        assert_eq!(parts, "the parts of `days > 10 && late && days < 5` exclude one another");
    }
}
