//! Which part of the old version answers to which part of the new one.

use std::collections::{BTreeMap, VecDeque};

use super::{Node, Side, is_quantity, node};
use decidendi_core::seal::canon::canonical;
use decidendi_core::seal::json::Json;

pub(super) fn children(name: &str, old: Option<&Side>, new: Option<&Side>) -> Vec<Node> {
    let some = |side: Option<&Side>, test: fn(&Json) -> bool| side.is_some_and(|s| test(&s.json));
    let all = |test: fn(&Json) -> bool| [old, new].iter().flatten().all(|s| test(&s.json));
    if all(|j| matches!(j, Json::Map(_)) && !is_quantity(j)) && (old.is_some() || new.is_some()) {
        return by_key(old, new);
    }
    let is_list = |j: &Json| matches!(j, Json::List(_));
    if !all(is_list) || !(some(old, is_list) || some(new, is_list)) {
        return Vec::new();
    }
    let objects = |j: &Json| j.as_list().is_some_and(|l| l.iter().any(|e| matches!(e, Json::Map(_))));
    if some(old, objects) || some(new, objects) {
        return by_identity(name, old, new);
    }
    // Facts are a set that may be long: one row each, so that equal ones can be hidden.
    if name == "facts" { by_element(old, new) } else { Vec::new() }
}

fn by_key(old: Option<&Side>, new: Option<&Side>) -> Vec<Node> {
    let at = |side: Option<&Side>, key: &str| {
        side.and_then(|s| Some(Side { path: s.path.key(key), json: s.json.get(key)?.clone() }))
    };
    let mut keys: Vec<&str> = Vec::new();
    for side in [old, new].into_iter().flatten() {
        for (key, _) in side.json.as_map().unwrap_or_default() {
            if !keys.contains(&key.as_str()) {
                keys.push(key);
            }
        }
    }
    keys.into_iter().map(|key| node(key.to_owned(), at(old, key), at(new, key))).collect()
}

fn elements(side: Option<&Side>) -> Vec<Side> {
    side.map_or_else(Vec::new, |s| {
        let list = s.json.as_list().unwrap_or_default();
        list.iter().enumerate().map(|(i, json)| Side { path: s.path.at(i), json: json.clone() }).collect()
    })
}

/// Objects with an id are matched by it; others by equality, then in order.
fn by_identity(list: &str, old: Option<&Side>, new: Option<&Side>) -> Vec<Node> {
    let (olds, mut news) = (elements(old), elements(new).into_iter().map(Some).collect::<Vec<_>>());
    let id = |s: &Side| s.json.get("id").and_then(Json::as_text).map(str::to_owned);
    // By id, or by the whole value where there is none; the first of a kind comes first.
    let kind = |s: &Side| (id(s).is_some(), id(s).map_or_else(|| canonical(&s.json), String::into_bytes));
    let mut places: BTreeMap<_, VecDeque<usize>> = BTreeMap::new();
    for (at, side) in news.iter().flatten().enumerate() {
        places.entry(kind(side)).or_default().push_back(at);
    }
    let mut pairs: Vec<(Option<Side>, Option<Side>)> = Vec::new();
    let mut waiting = Vec::new();
    for side in olds {
        match places.get_mut(&kind(&side)).and_then(VecDeque::pop_front) {
            Some(at) => pairs.push((Some(side), news[at].take())),
            None => {
                waiting.push(pairs.len());
                pairs.push((Some(side), None));
            }
        }
    }
    for at in waiting {
        let anonymous = pairs[at].0.as_ref().is_some_and(|s| id(s).is_none());
        if let Some(free) = news.iter_mut().find(|n| n.as_ref().is_some_and(|n| id(n).is_none())).filter(|_| anonymous)
        {
            pairs[at].1 = free.take();
        }
    }
    pairs.extend(news.into_iter().flatten().map(|n| (None, Some(n))));
    let many = pairs.len() > 1;
    let word = list.strip_suffix('s').unwrap_or(list).to_owned();
    pairs
        .into_iter()
        .enumerate()
        .map(|(i, (old, new))| {
            let named = old.as_ref().or(new.as_ref()).and_then(id);
            let name = named.unwrap_or_else(|| if many { format!("{word} {}", i + 1) } else { word.clone() });
            let mut n = node(name, old, new);
            // The id is the row's name already.
            n.children.retain(|c| c.name != "id");
            n
        })
        .collect()
}

fn by_element(old: Option<&Side>, new: Option<&Side>) -> Vec<Node> {
    let (olds, mut news) = (elements(old), elements(new).into_iter().map(Some).collect::<Vec<_>>());
    let mut places: BTreeMap<Vec<u8>, VecDeque<usize>> = BTreeMap::new();
    for (at, side) in news.iter().flatten().enumerate() {
        places.entry(canonical(&side.json)).or_default().push_back(at);
    }
    let mut out = Vec::with_capacity(olds.len());
    for side in olds {
        let twin = places.get_mut(&canonical(&side.json)).and_then(VecDeque::pop_front);
        out.push(node("fact".to_owned(), Some(side), twin.and_then(|at| news[at].take())));
    }
    out.extend(news.into_iter().flatten().map(|n| node("fact".to_owned(), None, Some(n))));
    out
}
