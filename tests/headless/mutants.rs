//! All documents that differ from a given one in exactly one place.

use serde_json::Value;

/// One single-place change: where, what kind, and the document that results.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// Path of the change, `a.b[2]`.
    pub path: String,
    /// What was done there.
    pub kind: &'static str,
    /// The changed document.
    pub document: Value,
}

/// Every single-place change of `document`: each scalar replaced, each key removed, renamed or joined by an unknown one,
/// each list element removed, each list extended by a repeat.
pub fn of(document: &Value) -> Vec<Mutant> {
    let mut paths = Vec::new();
    walk(document, "", &mut paths);
    let mut mutants = Vec::new();
    for (pointer, path) in &paths {
        let mut change = |kind: &'static str, edit: &dyn Fn(&mut Value) -> bool| {
            let mut copy = document.clone();
            if let Some(here) = copy.pointer_mut(pointer)
                && edit(here)
                && copy != *document
            {
                mutants.push(Mutant { path: path.clone(), kind, document: copy });
            }
        };
        change("scalar", &|v| match v {
            Value::Bool(b) => {
                *b = !*b;
                true
            }
            Value::Number(n) => {
                *v = Value::from(n.as_i64().unwrap_or_default() + 1);
                true
            }
            Value::String(s) => {
                *s = bend(s);
                true
            }
            Value::Null => {
                *v = Value::Bool(true);
                true
            }
            _ => false,
        });
        change("unknown key", &|v| v.as_object_mut().map(|o| o.insert("surplus".into(), Value::from(1))).is_some());
        change("repeat", &|v| {
            v.as_array_mut().is_some_and(|a| {
                let last = a.last().cloned();
                a.extend(last.clone());
                last.is_some()
            })
        });
        if let Some((parent, key)) = pointer.rsplit_once('/') {
            let key = key.replace("~1", "/").replace("~0", "~");
            let mut copy = document.clone();
            let removed = match copy.pointer_mut(parent) {
                Some(Value::Object(o)) => o.remove(&key).is_some(),
                Some(Value::Array(a)) => key.parse::<usize>().is_ok_and(|i| {
                    a.remove(i);
                    true
                }),
                _ => false,
            };
            if removed {
                mutants.push(Mutant { path: path.clone(), kind: "removed", document: copy });
            }
        }
    }
    mutants
}

/// Changes a text by one character, keeping hex hex, so that the change is never caught by its shape alone.
fn bend(text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    match chars.last_mut() {
        Some(last) => *last = if *last == '1' { '2' } else { '1' },
        None => chars.push('1'),
    }
    chars.into_iter().collect()
}

fn walk(value: &Value, pointer: &str, paths: &mut Vec<(String, String)>) {
    paths.push((pointer.to_owned(), pointer.trim_start_matches('/').replace('/', ".")));
    match value {
        Value::Object(o) => {
            for (key, inner) in o {
                walk(inner, &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), paths);
            }
        }
        Value::Array(a) => {
            for (i, inner) in a.iter().enumerate() {
                walk(inner, &format!("{pointer}/{i}"), paths);
            }
        }
        _ => {}
    }
}
