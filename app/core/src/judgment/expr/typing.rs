//! Typing a parsed condition: every node is checked against the supported subset and against the types of its operands.

use cel::common::ast::{Expr, IdedExpr, SourceInfo, operators};

use super::env::{Env, Origin};
use super::error::{ConditionError, ConditionFault};
use super::node::{Arithmetic, Compare, Kind, Node, Span, Type};
use super::token::Tokens;
use crate::judgment::value::Value;
use crate::nearest::meant;

/// Most notices of one condition: they are told again for every rule that has it.
const NOTICES: usize = 16;
/// Most declared values among which the one that was meant is looked for.
const VALUES: usize = 256;

pub(super) struct Checker<'c> {
    pub(super) text: &'c str,
    pub(super) tokens: &'c Tokens<'c>,
    pub(super) info: &'c SourceInfo,
    pub(super) env: &'c Env,
    pub(super) notices: Vec<String>,
}

pub(super) type Checked = Result<Node, ConditionError>;

impl Checker<'_> {
    pub(super) fn error(&self, span: Span, fault: ConditionFault) -> ConditionError {
        ConditionError::at(self.text, span, fault)
    }

    pub(super) fn unsupported<T>(
        &self,
        span: Span,
        what: &'static str,
        instead: &'static str,
    ) -> Result<T, ConditionError> {
        Err(self.error(span, ConditionFault::Unsupported { what, instead }))
    }

    /// The token at which the parser placed a node.
    pub(super) fn token(&self, node: &IdedExpr) -> Option<usize> {
        let (start, _) = self.info.offset_for(node.id)?;
        self.tokens.starting_at(start as usize)
    }

    pub(super) fn token_span(&self, node: &IdedExpr) -> Span {
        match self.token(node).and_then(|i| self.tokens.all().get(i)) {
            Some(t) => Span { start: t.start as u32, end: t.end as u32 },
            None => Span { start: 0, end: self.text.len() as u32 },
        }
    }

    /// From the token before the bracket at which a call was placed to the bracket's partner.
    pub(super) fn call_span(&self, node: &IdedExpr) -> Span {
        let whole = self.token_span(node);
        let Some(open) = self.token(node) else { return whole };
        let start = open.checked_sub(1).and_then(|i| self.tokens.all().get(i)).map_or(whole.start, |t| t.start as u32);
        Span { start, end: self.tokens.closing_end(open).map_or(whole.end, |e| e as u32) }
    }

    fn widened(&self, span: Span) -> Span {
        let (start, end) = self.tokens.with_parentheses((span.start as usize, span.end as usize));
        Span { start: start as u32, end: end as u32 }
    }

    fn joined(&self, left: &Node, right: &Node) -> Span {
        Span { start: self.widened(left.span).start, end: self.widened(right.span).end }
    }

    pub(super) fn node(&mut self, node: &IdedExpr) -> Checked {
        let here = self.token_span(node);
        match &node.expr {
            Expr::Ident(name) => self.name(here, None, name),
            Expr::Select(select) => {
                let (namespace, span) = self.selected(node, &select.operand, select.test)?;
                let Some(namespace) = namespace else {
                    return self.unsupported(
                        span,
                        "selection other than `grounds.x`, `parameters.x`, `context.x`",
                        "Use a declared name.",
                    );
                };
                let named = self.name(span, Some(namespace), &select.field)?;
                match (select.test, named.kind) {
                    (true, Kind::Name(id)) => Ok(Node { span, ty: Type::Bool, kind: Kind::Has(id) }),
                    (_, kind) => Ok(Node { kind, ..named }),
                }
            }
            Expr::Literal(literal) => self.literal(node, literal),
            Expr::List(list) => self.list(node, &list.elements),
            Expr::Call(call) => match (&call.target, call.args.as_slice()) {
                (Some(_), _) => {
                    self.unsupported(self.call_span(node), "a method call", "Use operators and declared fields.")
                }
                (None, [a]) if call.func_name == operators::LOGICAL_NOT => self.not(here, a),
                (None, [a]) if call.func_name == operators::NEGATE => self.negate(here, a),
                (None, [a, b]) => match call.func_name.as_str() {
                    operators::LOGICAL_AND | operators::LOGICAL_OR => self.logic(&call.func_name, a, b),
                    name => self.binary(node, name, a, b),
                },
                (None, arguments) => self.function(node, &call.func_name, arguments),
            },
            Expr::Comprehension(_) => self.unsupported(
                self.call_span(node),
                "a macro other than `has`",
                "Use `in`, or declare a field for it.",
            ),
            Expr::Map(_) | Expr::Struct(_) => self.unsupported(here, "a map", "Declare a field for each entry."),
            Expr::Unspecified => Err(self.error(here, ConditionFault::Syntax("this cannot be read".to_owned()))),
        }
    }

    /// Namespace and extent of `a.b` or `has(a.b)`.
    fn selected(
        &self,
        node: &IdedExpr,
        operand: &IdedExpr,
        test: bool,
    ) -> Result<(Option<Origin>, Span), ConditionError> {
        let span = if test {
            self.call_span(node)
        } else {
            let start = self.token_span(operand).start;
            let field = self.token(node).and_then(|dot| self.tokens.all().get(dot + 1));
            Span { start, end: field.map_or(self.token_span(node).end, |t| t.end as u32) }
        };
        let origin = match &operand.expr {
            Expr::Ident(name) => Origin::ALL.into_iter().find(|o| o.word() == name),
            _ => None,
        };
        Ok((origin, span))
    }

    fn name(&self, span: Span, origin: Option<Origin>, text: &str) -> Checked {
        let Some(id) = self.env.find(origin, text) else {
            let near = self.env.near(text).filter(|n| *n != text);
            let elsewhere = self.env.find(None, text).and_then(|id| self.env.name(id));
            let near = elsewhere.map(|n| format!("{}.{}", n.origin.word(), n.text)).or(near.map(str::to_owned));
            return Err(self.error(span, ConditionFault::UnknownName(near)));
        };
        let ty = self.env.name(id).map_or(Type::Bool, |n| n.ty.clone());
        Ok(Node { span, ty, kind: Kind::Name(id) })
    }

    fn list(&mut self, node: &IdedExpr, elements: &[IdedExpr]) -> Checked {
        let open = self.token_span(node);
        let end = self.token(node).and_then(|i| self.tokens.closing_end(i));
        let span = Span { start: open.start, end: end.map_or(open.end, |e| e as u32) };
        let mut ty: Option<Type> = None;
        let mut nodes = Vec::with_capacity(elements.len());
        for element in elements {
            let node = self.node(element)?;
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

    fn boolean(&self, operator: &'static str, node: Node) -> Checked {
        if node.ty == Type::Bool {
            Ok(node)
        } else {
            Err(self.error(node.span, ConditionFault::Operand { operator, found: node.ty }))
        }
    }

    fn not(&mut self, here: Span, operand: &IdedExpr) -> Checked {
        let inner = self.node(operand)?;
        let inner = self.boolean("!", inner)?;
        let span = Span { start: here.start, end: self.widened(inner.span).end };
        Ok(Node { span, ty: Type::Bool, kind: Kind::Not(Box::new(inner)) })
    }

    fn negate(&mut self, here: Span, operand: &IdedExpr) -> Checked {
        let inner = self.node(operand)?;
        let span = Span { start: here.start, end: self.widened(inner.span).end };
        if !inner.ty.is_number() {
            return Err(self.error(span, ConditionFault::Operand { operator: "-", found: inner.ty }));
        }
        Ok(Node { span, ty: inner.ty.clone(), kind: Kind::Negate(Box::new(inner)) })
    }

    fn logic(&mut self, operator: &str, a: &IdedExpr, b: &IdedExpr) -> Checked {
        let and = operator == operators::LOGICAL_AND;
        let word = if and { "&&" } else { "||" };
        let a = self.node(a)?;
        let a = self.boolean(word, a)?;
        let b = self.node(b)?;
        let b = self.boolean(word, b)?;
        let span = self.joined(&a, &b);
        let mut all = Vec::new();
        for node in [a, b] {
            match node.kind {
                Kind::And(inner) if and => all.extend(inner),
                Kind::Or(inner) if !and => all.extend(inner),
                kind => all.push(Node { kind, ..node }),
            }
        }
        Ok(Node { span, ty: Type::Bool, kind: if and { Kind::And(all) } else { Kind::Or(all) } })
    }

    fn binary(&mut self, node: &IdedExpr, name: &str, a: &IdedExpr, b: &IdedExpr) -> Checked {
        let compare = |op| (Some(op), None);
        let arithmetic = |op| (None, Some(op));
        let (compare, arithmetic) = match name {
            operators::EQUALS => compare(Compare::Equal),
            operators::NOT_EQUALS => compare(Compare::Differs),
            operators::LESS => compare(Compare::Less),
            operators::LESS_EQUALS => compare(Compare::AtMost),
            operators::GREATER => compare(Compare::Greater),
            operators::GREATER_EQUALS => compare(Compare::AtLeast),
            operators::ADD => arithmetic(Arithmetic::Add),
            operators::SUBSTRACT => arithmetic(Arithmetic::Subtract),
            operators::MULTIPLY => arithmetic(Arithmetic::Multiply),
            operators::DIVIDE => arithmetic(Arithmetic::Divide),
            operators::MODULO => arithmetic(Arithmetic::Remainder),
            operators::IN => (None, None),
            operators::INDEX => {
                return self.unsupported(self.token_span(node), "an index", "Declare a field for the element.");
            }
            _ => return self.function(node, name, &[]),
        };
        let (a, b) = (self.node(a)?, self.node(b)?);
        let span = self.joined(&a, &b);
        if let Some(op) = compare {
            self.compare(span, op, a, b)
        } else if let Some(op) = arithmetic {
            self.arithmetic(span, op, a, b)
        } else {
            self.membership(span, a, b)
        }
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
        let (Kind::Name(id), Kind::Literal(value)) = (&name.kind, &literal.kind) else { return };
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
