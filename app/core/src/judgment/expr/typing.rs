//! Typing a parsed condition: every operator is checked against the types of its operands.

use super::env::{Env, Origin, is_writable};
use super::error::{ConditionError, ConditionFault};
use super::node::{Arithmetic, Compare, Kind, Node, Span, Type};
use super::parser::is_reserved;
use super::tree::{Operator, Shape, Sign, Tree};
use crate::judgment::value::Value;
use crate::nearest::meant;

/// Most notices of one condition: they are told again for every rule that has it.
const NOTICES: usize = 16;
/// Most declared values among which the one that was meant is looked for.
const VALUES: usize = 256;

pub(super) struct Checker<'c> {
    pub(super) text: &'c str,
    pub(super) env: &'c Env,
    pub(super) notices: Vec<String>,
}

type Checked = Result<Node, ConditionError>;

impl Checker<'_> {
    pub(super) fn error(&self, span: Span, fault: ConditionFault) -> ConditionError {
        ConditionError::at(self.text, span, fault)
    }

    pub(super) fn node(&mut self, tree: Tree<'_>) -> Checked {
        let span = tree.span;
        match tree.shape {
            Shape::Literal(value) => Ok(Node { span, ty: type_of(&value), kind: Kind::Literal(value) }),
            Shape::Name(origin, name) => self.name(span, origin, name),
            Shape::Has(origin, name) => match self.name(span, Some(origin), name)?.kind {
                Kind::Name(id, _) => Ok(Node { span, ty: Type::Bool, kind: Kind::Has(id) }),
                kind => Ok(Node { span, ty: Type::Bool, kind }),
            },
            Shape::Signed(sign, count, operand) => self.signed(span, sign, count, *operand),
            Shape::List(items) => self.list(span, items),
            Shape::Joined(operator, operands) if operator.is_logic() => self.logic(span, operator, operands),
            Shape::Joined(operator, operands) => {
                let mut nodes = Vec::with_capacity(2);
                for operand in operands {
                    nodes.push(self.node(operand)?);
                }
                let Ok([a, b]) = <[Node; 2]>::try_from(nodes) else {
                    return Err(self.error(span, ConditionFault::Syntax("this cannot be read".to_owned())));
                };
                match operator {
                    Operator::Compare(op) => self.compare(span, op, a, b),
                    Operator::Arithmetic(op) => self.arithmetic(span, op, a, b),
                    _ => self.membership(span, a, b),
                }
            }
        }
    }

    fn name(&self, span: Span, origin: Option<Origin>, text: &str) -> Checked {
        let Some(id) = self.env.find(origin, text) else {
            return Err(self.error(span, self.unknown(span, text)));
        };
        let (ty, origin) = self.env.name(id).map_or((Type::Bool, Origin::Grounds), |n| (n.ty.clone(), n.origin));
        Ok(Node { span, ty, kind: Kind::Name(id, origin) })
    }

    /// What is wrong with a name that nothing declares.
    fn unknown(&self, span: Span, text: &str) -> ConditionFault {
        // `grounds.days-late` was read as a difference.
        let start = span.of(self.text).rfind(text).unwrap_or(0) + span.start as usize;
        if let Some(name) = self.env.unwritable_at(self.text.get(start..).unwrap_or("")) {
            return self.env.unwritable(name);
        }
        if let Some(elsewhere) = self.env.qualified(text) {
            return ConditionFault::UnknownName(Some(elsewhere));
        }
        match self.env.near(text) {
            Some(near) if !is_writable(near) => self.env.unwritable(near),
            Some(near) if is_reserved(near) => ConditionFault::UnknownName(self.env.qualified(near)),
            near => ConditionFault::UnknownName(near.map(str::to_owned)),
        }
    }

    fn list(&mut self, span: Span, items: Vec<Tree<'_>>) -> Checked {
        let mut ty: Option<Type> = None;
        let mut nodes = Vec::with_capacity(items.len());
        for item in items {
            let node = self.node(item)?;
            match &ty {
                None => ty = Some(node.ty.clone()),
                Some(first) if first.fits(&node.ty) => {}
                Some(first) => return Err(self.error(span, ConditionFault::MixedList(first.clone(), node.ty))),
            }
            nodes.push(node);
        }
        let ty = Type::List(ty.map(Box::new));
        // A list of literals is a literal: it is built once, not once per evaluation.
        let literals: Option<Vec<Value>> =
            nodes.iter().map(|n| if let Kind::Literal(v) = &n.kind { Some(v.clone()) } else { None }).collect();
        Ok(Node { span, ty, kind: literals.map_or(Kind::List(nodes), |l| Kind::Literal(Value::List(l))) })
    }

    /// A sign that stands there an even number of times says nothing, as in CEL.
    fn signed(&mut self, span: Span, sign: Sign, count: usize, operand: Tree<'_>) -> Checked {
        let inner = self.node(operand)?;
        if sign == Sign::Minus && !inner.ty.is_number() {
            return Err(self.error(span, ConditionFault::Operand { operator: "-", found: inner.ty }));
        }
        let inner = if sign == Sign::Not { self.boolean("!", inner)? } else { inner };
        if count.is_multiple_of(2) {
            return Ok(inner);
        }
        let ty = inner.ty.clone();
        let inner = Box::new(inner);
        Ok(Node { span, ty, kind: if sign == Sign::Not { Kind::Not(inner) } else { Kind::Negate(inner) } })
    }

    fn boolean(&self, operator: &'static str, node: Node) -> Checked {
        if node.ty == Type::Bool {
            Ok(node)
        } else {
            Err(self.error(node.span, ConditionFault::Operand { operator, found: node.ty }))
        }
    }

    fn logic(&mut self, span: Span, operator: Operator, operands: Vec<Tree<'_>>) -> Checked {
        let and = operator == Operator::And;
        let mut all = Vec::with_capacity(operands.len());
        for operand in operands {
            let node = self.node(operand)?;
            let node = self.boolean(if and { "&&" } else { "||" }, node)?;
            match node.kind {
                Kind::And(inner) if and => all.extend(inner),
                Kind::Or(inner) if !and => all.extend(inner),
                kind => all.push(Node { kind, ..node }),
            }
        }
        Ok(Node { span, ty: Type::Bool, kind: if and { Kind::And(all) } else { Kind::Or(all) } })
    }

    fn compare(&mut self, span: Span, op: Compare, a: Node, b: Node) -> Checked {
        if !a.ty.fits(&b.ty) || !(op.is_equality() || (a.ty.is_ordered() && b.ty.is_ordered())) {
            let (operator, left, right) = (op.word(), a.ty, b.ty);
            return Err(self.error(span, ConditionFault::Operands { operator, left, right }));
        }
        self.notice_foreign(&a, &b);
        self.notice_foreign(&b, &a);
        Ok(Node { span, ty: Type::Bool, kind: Kind::Compare(op, Box::new(a), Box::new(b)) })
    }

    fn membership(&mut self, span: Span, a: Node, b: Node) -> Checked {
        let fits = match &b.ty {
            Type::Set => a.ty == Type::Text,
            Type::List(Some(element)) => a.ty.fits(element),
            Type::List(None) => true,
            _ => false,
        };
        if !fits {
            let (left, right) = (a.ty, b.ty);
            return Err(self.error(span, ConditionFault::Operands { operator: "in", left, right }));
        }
        self.notice_foreign(&a, &b);
        self.notice_foreign(&b, &a);
        Ok(Node { span, ty: Type::Bool, kind: Kind::In(Box::new(a), Box::new(b)) })
    }

    /// An enum or a set compared with text that it never takes: odd, and told, but no error.
    fn notice_foreign(&mut self, name: &Node, literal: &Node) {
        let (Kind::Name(id, _), Kind::Literal(value)) = (&name.kind, &literal.kind) else { return };
        let Some(name) = self.env.name(*id).filter(|n| !n.values.is_empty()) else { return };
        let texts = match value {
            Value::List(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        for text in texts {
            if let Value::Text(text) = text
                && name.values.binary_search(text).is_err()
                && self.notices.len() < NOTICES
            {
                let meant = meant(text, name.values.iter().map(|v| &**v).take(VALUES)).replace('`', "'");
                self.notices.push(format!("`{}` never takes the value '{text}'{meant}", name.text));
            }
        }
    }

    fn arithmetic(&self, span: Span, op: Arithmetic, a: Node, b: Node) -> Checked {
        let ty = match (op, &a.ty, &b.ty) {
            (_, Type::Int, Type::Int) => Some(Type::Int),
            (Arithmetic::Remainder, _, _) => None,
            (_, l, r) if l.is_number() && r.is_number() => Some(Type::Rational),
            (Arithmetic::Subtract, Type::Date, Type::Date) => Some(Type::Duration),
            (Arithmetic::Add | Arithmetic::Subtract, Type::Date, Type::Duration)
            | (Arithmetic::Add, Type::Duration, Type::Date) => Some(Type::Date),
            (Arithmetic::Add | Arithmetic::Subtract, Type::Duration, Type::Duration) => Some(Type::Duration),
            _ => None,
        };
        match ty {
            Some(ty) => Ok(Node { span, ty, kind: Kind::Arithmetic(op, Box::new(a), Box::new(b)) }),
            None => {
                let (operator, left, right) = (op.word(), a.ty, b.ty);
                Err(self.error(span, ConditionFault::Operands { operator, left, right }))
            }
        }
    }
}

/// The type of a literal.
fn type_of(value: &Value) -> Type {
    match value {
        Value::Bool(_) => Type::Bool,
        Value::Int(_) => Type::Int,
        Value::Rational(_) => Type::Rational,
        Value::Text(_) => Type::Text,
        Value::Set(_) => Type::Set,
        Value::Date(_) => Type::Date,
        Value::Duration(_) => Type::Duration,
        Value::List(_) => Type::List(None),
    }
}
