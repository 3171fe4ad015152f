//! What is worth keeping from case to case: interfaces, and conditions parsed, typed and compiled once per text and type
//! environment. Parsing one condition costs more than judging a whole case.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::env::Texts;
use super::error::ConditionError;
use super::node::Condition;
use super::program::Program;
use super::read::read;
use crate::judgment::case::CaseFault;
use crate::judgment::interface::Interface;
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
}

/// An interface and the conditions read in it.
#[derive(Debug)]
pub(crate) struct Entry {
    json: Json,
    context: Vec<(String, u8)>,
    /// The interface.
    pub(crate) interface: Arc<Interface>,
    /// Numbers of texts.
    pub(crate) texts: Texts,
    conditions: BTreeMap<Arc<str>, Arc<Compiled>>,
}

impl Entry {
    fn is_of(&self, json: &Json, context: &[(String, Json)]) -> bool {
        let same = |((a, k), (b, v)): (&(String, u8), &(String, Json))| *k == kind(v) && a == b;
        self.context.len() == context.len() && self.context.iter().zip(context).all(same) && self.json == *json
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
        let compiled = Arc::new(Compiled { condition, program });
        self.conditions.insert(Arc::from(text), Arc::clone(&compiled));
        Ok(compiled)
    }
}

/// Interfaces and conditions of the cases so far. One per thread.
#[derive(Debug, Default)]
pub struct Cache {
    entries: BTreeMap<u64, Vec<Entry>>,
    /// Fingerprint and position of the entry used last: neighbours in a batch mostly share their interface.
    recent: Option<(u64, usize)>,
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

    /// The interface of a case with what was read in it.
    ///
    /// # Errors
    /// [`CaseFault`] where the interface cannot be read.
    pub(crate) fn entry(&mut self, json: &Json, context: &[(String, Json)]) -> Result<&mut Entry, CaseFault> {
        let recent = self.recent.filter(|(print, at)| {
            self.entries.get(print).and_then(|list| list.get(*at)).is_some_and(|e| e.is_of(json, context))
        });
        let (print, at) = match recent {
            Some((print, at)) => (print, Some(at)),
            None => {
                let print = context.iter().fold(fingerprint(json, SEED), |hash, (name, value)| {
                    mix(bytes_print(name.as_bytes(), hash), u64::from(kind(value)))
                });
                let list = self.entries.get(&print);
                (print, list.and_then(|list| list.iter().position(|e| e.is_of(json, context))))
            }
        };
        let full = || self.entries.len() >= INTERFACES || self.len() >= CONDITIONS;
        if at.is_none() && full() {
            self.entries.clear();
        }
        let list = self.entries.entry(print).or_default();
        let at = match at {
            Some(at) => at,
            None => {
                let interface = Arc::new(Interface::read(json, context)?);
                let texts = Texts::of(interface.env());
                let context = context.iter().map(|(name, value)| (name.clone(), kind(value))).collect();
                list.push(Entry { json: json.clone(), context, interface, texts, conditions: BTreeMap::new() });
                list.len() - 1
            }
        };
        self.recent = Some((print, at));
        let entry = &mut list[at];
        if entry.conditions.len() > CONDITIONS {
            entry.conditions.clear();
        }
        Ok(entry)
    }
}

const SEED: u64 = 0xCBF2_9CE4_8422_2325;

const fn kind(value: &Json) -> u8 {
    match value {
        Json::Text(_) => 1,
        Json::Bool(_) => 2,
        Json::Int(_) => 3,
        _ => 0,
    }
}

const fn mix(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

fn bytes_print(bytes: &[u8], mut hash: u64) -> u64 {
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        hash = mix(hash, chunk.iter().fold(0, |word, b| word << 8 | u64::from(*b)));
    }
    mix(chunks.remainder().iter().fold(hash, |h, b| h.rotate_left(8) ^ u64::from(*b)), bytes.len() as u64)
}

/// A fingerprint that equal values share; entries with one fingerprint are compared in full.
fn fingerprint(json: &Json, hash: u64) -> u64 {
    match json {
        Json::Null => mix(hash, 1),
        Json::Bool(b) => mix(hash, 2 + u64::from(*b)),
        Json::Int(i) => mix(hash, *i as u64),
        Json::Float(f) => mix(hash, f.to_bits()),
        Json::Text(t) => bytes_print(t.as_bytes(), hash),
        Json::List(items) => items.iter().fold(mix(hash, 5), |h, item| fingerprint(item, h)),
        Json::Map(entries) => {
            entries.iter().fold(mix(hash, 6), |h, (key, value)| fingerprint(value, bytes_print(key.as_bytes(), h)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgment::expr::{ConditionFault, Type};
    use crate::seal::canon::read_input;

    fn interface(ty: &str) -> Json {
        let text = format!(r#"{{"grounds": {{"x": {{"type": "{ty}"}}}}}}"#);
        read_input("interface", text.as_bytes()).expect("JSON").root
    }

    #[test]
    fn a_condition_is_read_once_per_text_and_environment() {
        let mut cache = Cache::default();
        assert!(cache.is_empty());
        let first = cache.entry(&interface("int"), &[]).expect("reads").condition("x > 0").expect("reads");
        let other = cache.entry(&interface("rational"), &[]).expect("reads").condition("x > 0").expect("reads");
        let again = cache.entry(&interface("int"), &[]).expect("reads").condition("x > 0").expect("reads");
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
            cache.entry(&interface("int"), &context).expect("reads").condition("y == 'a'").map(|_| ())
        };
        assert_eq!(read(Json::text("b")), Ok(()));
        assert_eq!(read(Json::text("c")), Ok(()));
        let error = read(Json::Int(1)).expect_err("an integer is no text");
        assert!(matches!(error.fault, ConditionFault::Operands { .. }));
        assert_eq!(cache.len(), 1);
    }
}
