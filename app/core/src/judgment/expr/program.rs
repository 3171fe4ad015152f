//! A condition compiled for the lifted evaluator: a straight list of operations, atoms over one-word slots.
//!
//! A slot holds a number as numerator and denominator, a truth value or an enum as a small integer, a set as a bit mask.
//! An atom that does not fit in slots (arithmetic, text order, long lists) falls back to the interpreter, still once per
//! combination of the sources that it reads.

use std::sync::Arc;

use super::env::{Env, Texts};
use super::node::{Compare, Condition, Kind, NameId, Node, Type};
use crate::judgment::value::Value;

/// A value in one place of 16 bytes. The denominator is positive for whatever the slot can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    pub(crate) number: i64,
    pub(crate) denominator: i64,
}

impl Slot {
    /// No value: an absent optional field.
    pub const ABSENT: Self = Self { number: 0, denominator: 0 };
    /// A value that the slot cannot hold: the atom is interpreted.
    pub const WIDE: Self = Self { number: 0, denominator: -1 };

    /// An integer, a truth value, a text's number, a point in time, a set's mask.
    #[must_use]
    pub const fn whole(number: i64) -> Self {
        Self { number, denominator: 1 }
    }

    /// The slot of a value; `number_of` numbers texts.
    pub(crate) fn of(value: &Value, mut number_of: impl FnMut(&Arc<str>) -> u32) -> Self {
        match value {
            Value::Bool(b) => Self::whole(i64::from(*b)),
            Value::Int(i) | Value::Date(i) | Value::Duration(i) => Self::whole(*i),
            Value::Rational(r) => match r.to_parts() {
                Some((number, denominator)) => Self { number, denominator },
                None => Self::WIDE,
            },
            Value::Text(t) => Self::whole(i64::from(number_of(t))),
            Value::Set(set) => {
                let bits = set.iter().try_fold(0_u64, |mask, t| bit(number_of(t)).map(|b| mask | b));
                bits.map_or(Self::WIDE, |mask| Self::whole(mask as i64))
            }
            Value::List(_) => Self::WIDE,
        }
    }

    /// Whether the slot holds a value.
    #[inline]
    pub(crate) const fn is_held(self) -> bool {
        self.denominator > 0
    }

    /// The order of two held numbers, by cross products that cannot overflow.
    #[inline]
    pub(crate) fn order(self, other: Self) -> std::cmp::Ordering {
        let left = i128::from(self.number) * i128::from(other.denominator);
        let right = i128::from(other.number) * i128::from(self.denominator);
        left.cmp(&right)
    }
}

/// The bit of a text in a set's mask; only the first 64 texts have one.
const fn bit(number: u32) -> Option<u64> {
    if number < 64 { Some(1 << number) } else { None }
}

/// Where an atom finds an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    /// A name's slot.
    Name(NameId),
    /// A literal.
    Literal(Slot),
}

/// One operation; its result goes to the register of its own position. `atom` names the node to interpret where a slot
/// does not hold its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Operation {
    /// The same truth everywhere.
    Always(bool),
    /// Whether a name is there.
    Has(NameId),
    /// A comparison of numbers, dates or durations.
    Order { op: Compare, a: Operand, b: Operand, atom: u16 },
    /// Equality of truth values, texts or sets.
    Same { equal: bool, a: Operand, b: Operand, atom: u16 },
    /// Membership of a text in a set or a list of texts.
    Member { item: Operand, set: Operand, atom: u16 },
    /// Any other atom.
    Interpret { atom: u16 },
    /// Negation of a register.
    Not(u16),
    /// Conjunction of two registers.
    And(u16, u16),
    /// Disjunction of two registers.
    Or(u16, u16),
}

/// A compiled condition.
#[derive(Debug, Clone)]
pub struct Program {
    pub(crate) operations: Vec<Operation>,
    pub(crate) atoms: Vec<Atom>,
}

/// An atom as a tree, with the names that it reads.
#[derive(Debug, Clone)]
pub(crate) struct Atom {
    pub(crate) node: Node,
    pub(crate) names: Vec<NameId>,
}

impl Program {
    /// How many operations a run takes.
    pub(crate) const fn len(&self) -> usize {
        self.operations.len()
    }

    /// Compiles a condition of `env`.
    pub(crate) fn compile(condition: &Condition, env: &Env, texts: &mut Texts) -> Self {
        let mut compiler = Compiler { env, texts, program: Self { operations: Vec::new(), atoms: Vec::new() } };
        compiler.emit(&condition.root);
        compiler.program
    }
}

struct Compiler<'c> {
    env: &'c Env,
    texts: &'c mut Texts,
    program: Program,
}

impl Compiler<'_> {
    /// Emits a Boolean node; its register. A condition has at most 16 KiB of text, so that registers fit in 16 bits.
    fn emit(&mut self, node: &Node) -> u16 {
        let operation = match &node.kind {
            Kind::Literal(Value::Bool(b)) => Operation::Always(*b),
            Kind::Has(id) => Operation::Has(*id),
            Kind::Not(a) => Operation::Not(self.emit(a)),
            Kind::And(all) => return self.fold(all, Operation::And),
            Kind::Or(all) => return self.fold(all, Operation::Or),
            _ => self.atom(node),
        };
        self.push(operation)
    }

    fn push(&mut self, operation: Operation) -> u16 {
        self.program.operations.push(operation);
        (self.program.operations.len() - 1) as u16
    }

    fn fold(&mut self, all: &[Node], join: fn(u16, u16) -> Operation) -> u16 {
        let mut joined = None;
        for node in all {
            let register = self.emit(node);
            joined = Some(match joined {
                None => register,
                Some(before) => self.push(join(before, register)),
            });
        }
        joined.unwrap_or_default()
    }

    fn atom(&mut self, node: &Node) -> Operation {
        let atom = self.program.atoms.len() as u16;
        self.program.atoms.push(Atom { node: node.clone(), names: node.names() });
        let fast = match &node.kind {
            Kind::Name(id, _) => {
                let (a, b) = (Operand::Name(*id), Operand::Literal(Slot::whole(1)));
                Some(Operation::Same { equal: true, a, b, atom })
            }
            Kind::Compare(op, a, b) => self.compare(*op, a, b, atom),
            Kind::In(item, set) => self.member(item, set, atom),
            _ => None,
        };
        fast.unwrap_or(Operation::Interpret { atom })
    }

    fn compare(&mut self, op: Compare, a: &Node, b: &Node, atom: u16) -> Option<Operation> {
        let (left, right) = (self.operand(a)?, self.operand(b)?);
        match a.ty {
            Type::Int | Type::Rational | Type::Date | Type::Duration => {
                Some(Operation::Order { op, a: left, b: right, atom })
            }
            Type::Bool | Type::Text | Type::Set if op.is_equality() => {
                Some(Operation::Same { equal: op == Compare::Equal, a: left, b: right, atom })
            }
            _ => None,
        }
    }

    fn member(&mut self, item: &Node, set: &Node, atom: u16) -> Option<Operation> {
        if item.ty != Type::Text {
            return None;
        }
        let set = match &set.kind {
            Kind::Literal(Value::List(items)) => {
                let mut mask = 0_u64;
                for item in items {
                    let Value::Text(text) = item else { return None };
                    mask |= bit(self.texts.intern(text))?;
                }
                Operand::Literal(Slot::whole(mask as i64))
            }
            _ => self.operand(set)?,
        };
        Some(Operation::Member { item: self.operand(item)?, set, atom })
    }

    /// The operand of a name or a literal, if its values fit in slots.
    fn operand(&mut self, node: &Node) -> Option<Operand> {
        match &node.kind {
            Kind::Name(id, _) => {
                let name = self.env.name(*id)?;
                let fits = name.ty != Type::Set
                    || name.values.iter().all(|v| self.texts.number(v).is_some_and(|n| bit(n).is_some()));
                fits.then_some(Operand::Name(*id))
            }
            Kind::Literal(value) => {
                let slot = Slot::of(value, |text| self.texts.intern(text));
                slot.is_held().then_some(Operand::Literal(slot))
            }
            _ => None,
        }
    }
}
