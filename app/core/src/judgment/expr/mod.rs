//! Conditions: CEL parsed by crate `cel`, type check and exact evaluation ours (formats §1).
//!
//! A condition is read once per type environment ([`Cache`]) and evaluated in two ways that must agree: by the plain tree
//! interpreter ([`evaluate`], which also accounts for itself in a [`trace`]), and lifted, every node once over all hybrids
//! ([`Program`]).

mod cache;
mod env;
mod error;
mod interpret;
mod lift;
mod literal;
mod node;
mod program;
mod read;
mod token;
mod typing;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use cache::Entry;
pub use cache::{Cache, Compiled};
pub(crate) use env::Texts;
pub use env::{Env, Name, Origin};
pub use error::{ConditionError, ConditionFault, EvalError, EvalFault};
pub use interpret::{Scope, evaluate, holds, trace};
pub use lift::{Bits, FIXED, Inputs, Masks, Registers};
pub use node::{Arithmetic, Compare, Condition, Kind, NameId, Node, Span, Type};
pub use program::{Program, Slot};
pub use read::read;
