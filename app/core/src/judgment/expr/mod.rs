//! Conditions: a part of CEL, parsed, typed and evaluated exactly (docs/formats/case.md C30 to C38).
//!
//! A condition is read once per type environment and evaluated in two ways that must agree: by the plain tree
//! interpreter ([`evaluate`], which also accounts for itself in a [`trace`]), and lifted, every node once over all hybrids
//! ([`Program`]).

mod call;
mod env;
mod error;
mod interpret;
mod lexer;
mod lift;
mod literal;
mod node;
mod parser;
mod program;
mod read;
mod tree;
mod typing;

#[cfg(test)]
pub(crate) mod tests;

pub use env::{Env, Name, Origin};
pub(crate) use env::{Texts, is_writable, writable};
pub(crate) use error::rename;
pub use error::{ConditionError, ConditionFault, EvalError, EvalFault};
pub use interpret::{Scope, evaluate, holds, trace};
pub use lift::{Bits, FIXED, Inputs, Masks, Registers};
pub use node::{Arithmetic, Compare, Condition, Kind, NameId, Node, Span, Type};
pub use program::{Program, Slot};
pub use read::read;
