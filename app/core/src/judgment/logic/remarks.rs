//! What is odd about a case of engine `logic` but no fault: keys that nothing reads, authority for rules that nobody has.

use std::collections::BTreeSet;

use crate::judgment::case::Case;
use crate::judgment::interface::Remark;
use crate::judgment::source::{Role, Version};
use crate::seal::json::{Json, JsonPath};

/// Keys for people, which any body and any rule may have.
const DISPLAY: [&str; 4] = ["title", "note", "label", "source"];

/// The remarks on a case, in file order.
pub(super) fn remarks(case: &Case) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let interface = JsonPath::default().key("interface");
    unused(case.interface(), &["verdicts", "predicates"], &interface, &mut remarks);
    let ids = rule_ids(case);
    for (i, source) in case.sources().iter().enumerate() {
        for version in Version::BOTH {
            let body = &source.version(version).json;
            let at = JsonPath::default().key("sources").at(i).key(version.word());
            let key = if source.role == Some(Role::Grounds) { "facts" } else { "rules" };
            unused(body, &[key], &at, &mut remarks);
            let listed = body.get("rules").and_then(Json::as_list).unwrap_or_default();
            for (n, entry) in listed.iter().enumerate() {
                match entry {
                    Json::Text(id) if source.role == Some(Role::Authority) && !ids.contains(id.as_str()) => {
                        let text = format!("no version of the norms has a rule `{id}`");
                        remarks.push(Remark { path: at.key("rules").at(n), text });
                    }
                    Json::Map(_) => unused(entry, &["id", "if", "then"], &at.key("rules").at(n), &mut remarks),
                    _ => {}
                }
            }
        }
    }
    remarks
}

fn rule_ids(case: &Case) -> BTreeSet<&str> {
    let norms = case.in_role(Role::Norms).filter_map(|i| case.sources().get(i));
    let bodies = norms.flat_map(|source| Version::BOTH.map(|version| &source.version(version).json));
    let rules = bodies.filter_map(|body| body.get("rules").and_then(Json::as_list)).flatten();
    rules.filter_map(|rule| rule.get("id").and_then(Json::as_text)).collect()
}

fn unused(object: &Json, known: &[&str], at: &JsonPath, remarks: &mut Vec<Remark>) {
    for (key, _) in object.as_map().unwrap_or_default() {
        if !known.contains(&key.as_str()) && !DISPLAY.contains(&key.as_str()) {
            remarks.push(Remark::unused(at.key(key), key));
        }
    }
}
