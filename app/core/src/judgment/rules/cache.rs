//! What is worth keeping from case to case: interfaces, and conditions parsed, typed and compiled once per text and type
//! environment. Parsing one condition costs more than judging a whole case.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::never::never;
use crate::judgment::case::CaseFault;
use crate::judgment::expr::{Condition, ConditionError, Program, Texts, read};
use crate::judgment::interface::Interface;
use crate::seal::digest::Digest;
use crate::seal::json::Json;

/// Most conditions that are kept; beyond it everything is forgotten and read anew. Keeps a hostile batch bounded.
const CONDITIONS: usize = 50_000;
/// Most interfaces that are kept.
const INTERFACES: usize = 4_096;

/// A condition in both forms.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The tree.
    pub condition: Condition,
    /// The lifted form.
    pub program: Program,
    /// Why no declared value makes it true, where that can be proved.
    pub never: Option<String>,
}

/// An interface and the conditions read in it.
#[derive(Debug)]
pub(crate) struct Entry {
    context: Vec<(String, u8)>,
    /// The interface.
    pub(crate) interface: Arc<Interface>,
    /// Numbers of texts.
    pub(crate) texts: Texts,
    conditions: BTreeMap<Arc<str>, Arc<Compiled>>,
}

impl Entry {
    fn is_of(&self, context: &[(String, Json)]) -> bool {
        let same = |((a, k), (b, v)): (&(String, u8), &(String, Json))| *k == kind(v) && a == b;
        self.context.len() == context.len() && self.context.iter().zip(context).all(same)
    }

    /// A condition, read now or before.
    ///
    /// # Errors
    /// [`ConditionError`]
    pub(crate) fn condition(&mut self, text: &str) -> Result<Arc<Compiled>, ConditionError> {
        if let Some(known) = self.conditions.get(text) {
            return Ok(Arc::clone(known));
        }
        let condition = read(text, self.interface.env())?;
        let program = Program::compile(&condition, self.interface.env(), &mut self.texts);
        let never = never(&condition, &self.interface);
        let compiled = Arc::new(Compiled { condition, program, never });
        self.conditions.insert(Arc::from(text), Arc::clone(&compiled));
        Ok(compiled)
    }
}

/// Interfaces and conditions of the cases so far, by the interface's digest. One per thread.
#[derive(Debug, Default)]
pub struct Cache {
    entries: BTreeMap<Digest, Vec<Entry>>,
}

impl Cache {
    /// How many conditions are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.values().flatten().map(|e| e.conditions.len()).sum()
    }

    /// Whether no condition is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The interface of a case, whose digest is `digest`, with what was read in it.
    ///
    /// # Errors
    /// [`CaseFault`] where the interface cannot be read.
    pub(crate) fn entry(
        &mut self,
        json: &Json,
        digest: Digest,
        context: &[(String, Json)],
    ) -> Result<&mut Entry, CaseFault> {
        let known = self.entries.get(&digest).and_then(|list| list.iter().position(|e| e.is_of(context)));
        // One interface counts once for every context that it was met with.
        let interfaces = || self.entries.values().map(Vec::len).sum::<usize>();
        let full = || interfaces() >= INTERFACES || self.len() >= CONDITIONS;
        if known.is_none() && full() {
            self.entries.clear();
        }
        let list = self.entries.entry(digest).or_default();
        let at = match known {
            Some(at) => at,
            None => {
                let interface = Arc::new(Interface::read(json, context)?);
                let texts = Texts::of(interface.env());
                let context = context.iter().map(|(name, value)| (name.clone(), kind(value))).collect();
                list.push(Entry { context, interface, texts, conditions: BTreeMap::new() });
                list.len() - 1
            }
        };
        let entry = &mut list[at];
        if entry.conditions.len() > CONDITIONS {
            entry.conditions.clear();
            entry.texts = Texts::of(entry.interface.env());
        }
        Ok(entry)
    }
}

const fn kind(value: &Json) -> u8 {
    match value {
        Json::Text(_) => 1,
        Json::Bool(_) => 2,
        Json::Int(_) => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgment::expr::{ConditionFault, Type};
    use crate::seal::canon::{canonical, read_input};

    fn entry<'c>(cache: &'c mut Cache, json: &Json, context: &[(String, Json)]) -> &'c mut Entry {
        cache.entry(json, Digest::of(&canonical(json)), context).expect("reads")
    }

    fn interface(ty: &str) -> Json {
        let text = format!(r#"{{"grounds": {{"x": {{"type": "{ty}"}}}}}}"#);
        read_input("interface", text.as_bytes()).expect("JSON").root
    }

    #[test]
    fn a_condition_is_read_once_per_text_and_environment() {
        let mut cache = Cache::default();
        assert!(cache.is_empty());
        let first = entry(&mut cache, &interface("int"), &[]).condition("x > 0").expect("reads");
        let other = entry(&mut cache, &interface("rational"), &[]).condition("x > 0").expect("reads");
        let again = entry(&mut cache, &interface("int"), &[]).condition("x > 0").expect("reads");
        assert!(Arc::ptr_eq(&first, &again));
        assert!(!Arc::ptr_eq(&first, &other));
        let types = [&first, &other].map(|c| c.condition.root.operands().next().map(|n| n.ty.clone()));
        assert_eq!(types, [Some(Type::Int), Some(Type::Rational)]);
        assert_eq!(cache.len(), 2);
    }

    /// The type of a context field is part of the environment, its value is not.
    #[test]
    fn context_types_tell_environments_apart() {
        let mut cache = Cache::default();
        let mut read = |value: Json| {
            let context = [("y".to_owned(), value)];
            entry(&mut cache, &interface("int"), &context).condition("y == 'a'").map(|_| ())
        };
        assert_eq!(read(Json::text("b")), Ok(()));
        assert_eq!(read(Json::text("c")), Ok(()));
        let error = read(Json::Int(1)).expect_err("an integer is no text");
        assert!(matches!(error.fault, ConditionFault::Operands { .. }));
        assert_eq!(cache.len(), 1);
    }
}
