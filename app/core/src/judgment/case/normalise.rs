//! Declared sets are sorted on reading, so that two spellings of one set have one digest (docs/formats/json.md J7). The
//! account says where that happened.

use crate::judgment::source::Role;
use crate::seal::canon::Notice;
use crate::seal::json::{Json, JsonPath};

/// Sorts every declared set of a case: set-typed grounds and parameters, and the value lists of grants.
pub(super) fn sort_sets(root: &mut Json, notices: &mut Vec<Notice>) {
    let grounds = set_fields(root, "grounds");
    let parameters = set_fields(root, "parameters");
    let Json::Map(fields) = root else { return };
    let Some((_, Json::List(sources))) = fields.iter_mut().find(|(key, _)| key == "sources") else { return };
    for (i, source) in sources.iter_mut().enumerate() {
        let role = source.get("role").or_else(|| source.get("name")).and_then(Json::as_text).and_then(Role::of_name);
        let at = JsonPath::default().key("sources").at(i);
        let Json::Map(entries) = source else { continue };
        for (key, body) in entries.iter_mut().filter(|(key, _)| key == "old" || key == "new") {
            let at = at.key(key);
            match role {
                Some(Role::Grounds) => sort_named(body, &grounds, &at, notices),
                Some(Role::Norms) => {
                    if let Some(inner) = entry(body, "parameters") {
                        sort_named(inner, &parameters, &at.key("parameters"), notices);
                    }
                }
                Some(Role::Authority) => sort_grants(body, &at.key("grants"), notices),
                None => {}
            }
        }
    }
}

/// Names of the fields of one section of the interface that are declared as sets.
fn set_fields(root: &Json, section: &str) -> Vec<String> {
    let fields = root.get("interface").and_then(|i| i.get(section)).and_then(Json::as_map).unwrap_or_default();
    fields
        .iter()
        .filter(|(_, field)| field.get("type").and_then(Json::as_text) == Some("set"))
        .map(|(name, _)| name.clone())
        .collect()
}

fn entry<'j>(object: &'j mut Json, key: &str) -> Option<&'j mut Json> {
    let Json::Map(fields) = object else { return None };
    fields.iter_mut().find(|(k, _)| k == key).map(|(_, v)| v)
}

fn sort_named(object: &mut Json, names: &[String], at: &JsonPath, notices: &mut Vec<Notice>) {
    for name in names {
        if let Some(value) = entry(object, name) {
            sort_list(value, &at.key(name), notices);
        }
    }
}

fn sort_grants(body: &mut Json, at: &JsonPath, notices: &mut Vec<Notice>) {
    let Some(Json::List(grants)) = entry(body, "grants") else { return };
    for (i, grant) in grants.iter_mut().enumerate() {
        let Json::Map(fields) = grant else { continue };
        for (key, value) in fields.iter_mut() {
            sort_list(value, &at.at(i).key(key), notices);
        }
    }
}

/// Sorts a list of texts; a list that holds anything else is left for the type check to refuse.
fn sort_list(value: &mut Json, at: &JsonPath, notices: &mut Vec<Notice>) {
    let Json::List(items) = value else { return };
    if items.iter().all(|i| i.as_text().is_some()) && !items.is_sorted_by_key(|i| i.as_text()) {
        items.sort_by(|a, b| a.as_text().cmp(&b.as_text()));
        notices.push(Notice { path: at.clone(), text: "the set was sorted".to_owned() });
    }
}
