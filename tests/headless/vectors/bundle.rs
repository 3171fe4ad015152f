//! Bundles made by a recipe: the certified case of `certificate/changed.case.json` as a zip file, then changed step by step.
//! The steps are listed in `tests/vectors/README.md`.

use decidendi_core::judgment::case::Case;
use decidendi_core::seal::dsse::Envelope;
use decidendi_core::seal::statement::Statement;
use decidendi_files::bundle::{Bundle, BundleError, LIST};
use serde_json::Value;

use super::certificate::{case, certify, edit, respell};
use super::file::{Found, Vector, unhex, variant};
use super::zip::{Entry, crc, write};

/// The sound bundle's entries.
fn sound(case: &Case) -> Vec<Entry> {
    let entries = Bundle::new(case, certify(case)).entries();
    entries.iter().map(|e| Entry::stored(&e.name, &e.bytes)).collect()
}

/// The entry of that name.
fn find<'e>(entries: &'e mut [Entry], name: &str) -> &'e mut Entry {
    entries.iter_mut().find(|e| e.name == name.as_bytes()).unwrap_or_else(|| panic!("no entry `{name}`"))
}

fn replace(entry: &mut Entry, bytes: &[u8]) {
    let name = String::from_utf8(entry.name.clone()).unwrap();
    *entry = Entry::stored(&name, bytes);
}

/// A name of a recipe: `\x5c` stands for a byte.
fn name(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.extend(unhex(&part[..2]));
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    bytes
}

fn step(entries: &mut Vec<Entry>, step: &str) {
    let words: Vec<&str> = step.splitn(3, ' ').collect();
    let (one, two) = (words.get(1).copied().unwrap_or_default(), words.get(2).copied().unwrap_or_default());
    match words[0] {
        "entry" => {
            let mut entry = Entry::stored("", two.as_bytes());
            entry.rename(&name(one));
            entries.push(entry);
        }
        "deflate" => {
            let entry = find(entries, one);
            *entry = Entry::deflated(one, &entry.packed);
        }
        "zeros" => entries.push(Entry::deflated(one, &vec![0; two.parse::<usize>().unwrap() << 20])),
        "many" => entries.extend((0..two.parse().unwrap()).map(|i| Entry::stored(&format!("{one}{i}"), b""))),
        "replace" => replace(find(entries, one), two.as_bytes()),
        "remove" => entries.retain(|e| e.name != one.as_bytes()),
        "rename" => find(entries, one).rename(&name(two)),
        "again" => {
            let copy = find(entries, one).clone();
            entries.push(copy);
        }
        "first" => {
            let at = entries.iter().position(|e| e.name == one.as_bytes()).unwrap();
            entries[..=at].rotate_right(1);
        }
        "link" => entries.push(Entry { mode: 0o120_777, ..Entry::stored(one, two.as_bytes()) }),
        "mode" => find(entries, one).mode = u32::from_str_radix(two, 8).unwrap(),
        "method" => find(entries, one).method = two.parse().unwrap(),
        "flags" => find(entries, one).flags = u16::from_str_radix(two, 16).unwrap(),
        "size" => find(entries, one).size = two.parse().unwrap(),
        "crc" => find(entries, one).crc ^= 1,
        "local-size" => find(entries, one).local_size = Some(two.parse().unwrap()),
        "behind" => find(entries, one).behind = true,
        "pad" => find(entries, one).packed.extend_from_slice(two.as_bytes()),
        "field" => {
            let (id, content) = two.split_once(' ').unwrap();
            let (id, content) = (u16::from_str_radix(id, 16).unwrap(), unhex(content));
            let length = u16::try_from(content.len()).unwrap();
            find(entries, one).field = [&id.to_le_bytes()[..], &length.to_le_bytes(), &content].concat();
        }
        "folder" => {
            for entry in entries {
                let inside = [one.as_bytes(), b"/", &entry.name].concat();
                entry.rename(&inside);
            }
        }
        "gap" => find(entries, one).before = two.as_bytes().to_vec(),
        "hide" => {
            let (inner, text) = two.split_once(' ').unwrap();
            find(entries, one).before = Entry::stored(inner, text.as_bytes()).local();
        }
        "local-name" => find(entries, one).local_name = name(two),
        // The directory lists what lies inside the data of another entry.
        "inside" => {
            let (inner, mut outer) = (Entry::stored(two, b"{}"), Entry::stored(one, b""));
            outer.packed = inner.local();
            (outer.size, outer.crc) = (outer.packed.len() as u32, crc(&outer.packed));
            let start: usize = entries.iter().map(|e| e.local().len()).sum();
            let offset = u32::try_from(start + 30 + one.len()).unwrap();
            entries.extend([outer, Entry { offset: Some(offset), ..inner }]);
        }
        // Two names for the same bytes.
        "share" => {
            let start: usize = entries.iter().map(|e| e.local().len()).sum();
            let entry = Entry::stored(one, b"{}");
            entries.extend([entry.clone(), Entry { offset: Some(u32::try_from(start).unwrap()), ..entry }]);
            entries.last_mut().unwrap().name = name(two);
        }
        "list-respell" => {
            let list = find(entries, LIST);
            let bytes = respell(&list.packed, &step["list-respell ".len()..]);
            replace(list, &bytes);
        }
        verb if verb.starts_with("list-") => {
            let list = find(entries, LIST);
            let mut root: Value = serde_json::from_slice(&list.packed).unwrap();
            edit(&mut root, &step["list-".len()..]);
            replace(list, &serde_json_canonicalizer::to_vec(&root).unwrap());
        }
        _ => panic!("no step `{step}`"),
    }
}

/// The zip file of a recipe.
fn made(vector: &Vector) -> Vec<u8> {
    let case = case("changed");
    let mut entries = sound(&case);
    let (file, parts): (Vec<&str>, Vec<&str>) = vector.steps().partition(|s| s.starts_with("zip-"));
    let mut last = Vec::new();
    for part in parts {
        match part.strip_prefix("hide end ").and_then(|rest| rest.split_once(' ')) {
            Some((name, text)) => last = Entry::stored(name, text.as_bytes()).local(),
            None => step(&mut entries, part),
        }
    }
    let mut bytes = write(&entries, &last);
    for step in file {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        match verb {
            "zip-cut" => bytes.truncate(bytes.len() - rest.parse::<usize>().unwrap()),
            "zip-comment" => {
                let at = bytes.len() - 2;
                bytes[at] = u8::try_from(rest.len()).unwrap();
                bytes.extend_from_slice(rest.as_bytes());
            }
            "zip-behind" => bytes.extend_from_slice(rest.as_bytes()),
            "zip-bytes" => bytes = unhex(rest),
            "zip-count" => {
                let at = bytes.len() - 12;
                bytes[at] = rest.parse().unwrap();
            }
            "zip-disk" => {
                let at = bytes.len() - 18;
                bytes[at] = rest.parse().unwrap();
            }
            _ => panic!("no step `{step}`"),
        }
    }
    bytes
}

/// Makes and opens a bundle.
pub fn run(vector: &Vector) -> Found {
    match Bundle::from_zip(&made(vector)) {
        Err(error) => {
            let word = match &error {
                BundleError::Zip(error) => variant(error),
                BundleError::List(error) => variant(&error.fault),
                other => variant(other),
            };
            Found::refused(word, error.to_string(), if error.is_altered() { 1 } else { 2 })
        }
        Ok(bundle) => {
            let envelope = Envelope::read("bundle", bundle.certificate()).unwrap();
            let subjects = Statement::read(&envelope.payload).unwrap().subjects;
            let mut found = Found { word: "accepted".to_owned(), ..Found::default() };
            if let Some(difference) = bundle.differs_from(&subjects) {
                found = Found { word: "differs".to_owned(), text: difference, exit: 1, ..found };
            }
            assert!(bundle.case().is_ok() || found.exit == 1, "{:?}", bundle.case());
            found.notices = bundle.unsigned().to_vec();
            found
        }
    }
}
