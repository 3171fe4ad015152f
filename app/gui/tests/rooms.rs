//! The rooms of the window and the arrows between them. A room is a folder of `src`; what a wing knows, can be asked and
//! gets back (`state`, `command`, `answer`) is a floor of its own, on which the desk stands; the wing's updates, jobs and
//! views stand on the desk. No arrow leads back.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Room by room: those that it names.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The room of a module, by its path from the crate's root.
fn room(module: &[&str]) -> Option<String> {
    match module {
        ["wings", wing, "state" | "command" | "answer", ..] => Some(format!("wings/{wing}/state")),
        ["wings", wing, ..] if wing.starts_with(char::is_lowercase) => Some(format!("wings/{wing}")),
        [first, ..] if first.starts_with(char::is_lowercase) => Some((*first).to_owned()),
        _ => None,
    }
}

/// Every `crate::` path of a text, from the root; a `use` of several names gives each.
fn named(text: &str) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let path = &text[at + "crate::".len()..];
        let end = path.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(path.len());
        let stem: Vec<&str> = path[..end].split("::").filter(|part| !part.is_empty()).collect();
        match path[end..].strip_prefix('{').and_then(|rest| rest.split_once(';')) {
            Some((names, _)) if path[..end].ends_with("::") || end == 0 => {
                for name in names.split([',', '{', '}']).map(str::trim).filter(|name| !name.is_empty()) {
                    found.push(stem.iter().copied().chain(name.split("::")).collect());
                }
            }
            _ => found.push(stem),
        }
    }
    found
}

/// Lines that are neither comment nor test.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn add(arrows: &mut Arrows, module: &[&str], text: &str) {
    let Some(own) = room(module) else { return };
    for path in named(&code(text)) {
        if let Some(other) = room(&path).filter(|other| *other != own) {
            arrows.entry(own.clone()).or_default().insert(other);
        }
    }
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push(path);
        }
    }
}

fn window() -> Arrows {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut arrows = Arrows::new();
    for file in files {
        let inside = file.strip_prefix(&root).unwrap_or(&file).with_extension("");
        let parts: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let module: Vec<&str> =
            parts.iter().map(String::as_str).filter(|part| *part != "mod" && *part != "lib").collect();
        add(&mut arrows, &module, &std::fs::read_to_string(&file).unwrap_or_default());
    }
    arrows
}

/// A way from a room back to itself.
fn circle(arrows: &Arrows) -> Option<Vec<String>> {
    fn back<'a>(arrows: &'a Arrows, at: &'a str, way: &mut Vec<&'a str>, done: &mut BTreeSet<&'a str>) -> bool {
        if let Some(start) = way.iter().position(|room| *room == at) {
            way.drain(..start);
            return true;
        }
        if !done.insert(at) {
            return false;
        }
        way.push(at);
        if arrows.get(at).into_iter().flatten().any(|next| back(arrows, next, way, done)) {
            return true;
        }
        way.pop();
        false
    }
    let mut done = BTreeSet::new();
    arrows.keys().find_map(|room| {
        let mut way = Vec::new();
        back(arrows, room, &mut way, &mut done).then(|| way.into_iter().map(str::to_owned).collect())
    })
}

#[test]
fn no_arrow_leads_back() {
    let arrows = window();
    for room in
        ["desk", "shell", "shared", "wings/judgment", "wings/judgment/state", "wings/verify", "widgets", "parts"]
    {
        assert!(arrows.contains_key(room), "{room} is not found: the check itself is broken");
    }
    assert_eq!(circle(&arrows), None, "rooms of the window name one another in a circle: {arrows:#?}");
}

#[test]
fn the_floors_stand_as_the_plan_says() {
    let arrows = window();
    let names = |room: &str, other: &str| arrows.get(room).is_some_and(|others| others.contains(other));
    for room in ["theme", "parts", "widgets", "shared"] {
        let above = ["desk", "shell", "wings", "app"];
        assert!(!above.iter().any(|other| names(room, other)), "{room} names a room above it: {arrows:#?}");
    }
    let known = |other: &String| !other.starts_with("wings/") || other.ends_with("/state");
    assert!(arrows["desk"].iter().all(known), "the desk knows more of a wing than its state: {:?}", arrows["desk"]);
    assert!(!names("desk", "wings") && !names("desk", "shell"));
}

#[test]
fn a_planted_circle_is_found() {
    let mut arrows = Arrows::new();
    add(&mut arrows, &["parts"], "use crate::theme::Theme;\n// use crate::shell::menu;\n");
    add(&mut arrows, &["shell", "menu"], "use crate::{desk::Desk, parts::{card, rule}};\n");
    add(&mut arrows, &["desk", "jobs"], "use crate::wings::verify::state::Checked;\nfn f() { crate::parts::rule() }\n");
    add(&mut arrows, &["wings", "verify", "views"], "use crate::desk::state::{Overlay, State};\n");
    assert_eq!(circle(&arrows), None, "{arrows:?}");
    assert!(arrows["shell"].contains("desk") && arrows["desk"].contains("parts"), "{arrows:?}");
    add(&mut arrows, &["wings", "verify", "state"], "pub use crate::desk::{\n    settings::Trusted,\n};\n");
    let found = circle(&arrows).unwrap();
    assert!(found.contains(&"desk".to_owned()) && found.contains(&"wings/verify/state".to_owned()), "{found:?}");
    add(&mut arrows, &["theme"], "const X: usize = crate::parts::FIRST;\n");
    assert!(circle(&arrows).is_some());
}

/// Only the desk and the updates of the wings change the state; views get a reference to it.
#[test]
fn only_updates_change_the_state() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut seen = 0;
    for file in files {
        let inside = file.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        let text = code(&std::fs::read_to_string(&file).unwrap());
        let touches = text.contains("desk.state.") || text.contains("self.state.wings") || text.contains("&mut State");
        let may = inside.starts_with("desk/")
            || inside.contains("/update")
            || ["/actions.rs", "/page.rs"].iter().any(|end| inside.starts_with("wings/") && inside.ends_with(end));
        assert!(may || !touches, "{inside} reaches into the state of the desk; ask for a command instead");
        seen += usize::from(touches);
    }
    assert!(seen > 3, "nothing touches the state: the check itself is broken");
}
