//! The keys that flip a source. The command table binds G, N and A; a case with other sources gets its own initials, or
//! its numbers, as far as the table leaves them free.

use crate::desk::actions;
use crate::desk::command::{Chord, Commands};
use crate::wings::judgment::actions::ACTIONS;
use crate::wings::judgment::command::CaseCommand;
use egui::{Key, Ui};

/// Keys of the standard three: the table acts on these.
const STANDARD: [Key; 3] = [Key::G, Key::N, Key::A];
const NUMBERS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];

/// The key of every source; `None` where no key is free: its initial, its number, another letter of its name, any number.
pub(super) fn of(names: &[String]) -> Vec<Option<Key>> {
    let mut taken: Vec<Key> = Vec::new();
    let letter = |c: char| Key::from_name(&c.to_uppercase().to_string());
    names
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let free = |key: &Key| (STANDARD.contains(key) || !is_bound(*key)) && !taken.contains(key);
            let initial = name.chars().next().and_then(letter);
            let others = name.chars().skip(1).filter(|c| c.is_alphabetic()).filter_map(letter);
            let mut wishes = initial
                .into_iter()
                .chain(NUMBERS.get(i).copied())
                .chain(others.filter(|key| !STANDARD.contains(key)))
                .chain(NUMBERS);
            let key = wishes.find(free);
            taken.extend(key);
            key
        })
        .collect()
}

fn is_bound(key: Key) -> bool {
    actions::ACTIONS.iter().chain(ACTIONS).any(|action| action.keys.contains(&Chord::bare(key)))
}

/// Flips the source whose key was pressed, unless a text field has the keyboard.
pub(super) fn act(ui: &Ui, names: &[String], commands: &mut Commands) {
    if ui.ctx().text_edit_focused() {
        return;
    }
    for (source, key) in of(names).into_iter().enumerate() {
        let Some(key) = key.filter(|k| !STANDARD.contains(k)) else { continue };
        if ui.input_mut(|i| i.consume_key(egui::Modifiers::NONE, key)) {
            commands.wing(CaseCommand::Flip(source));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_gets_a_key_of_its_own_that_the_table_leaves_free() {
        let names = |n: &[&str]| n.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        assert_eq!(of(&names(&["grounds", "norms", "authority"])), STANDARD.map(Some));
        let keys = of(&names(&["grounds", "norms", "authority", "season", "fees", "fines"]));
        assert_eq!(keys[3..], [Some(Key::Num4), Some(Key::F), Some(Key::Num6)]);
        let alike = of(&names(&["grounds-income", "grounds-age", "norms", "authority"]));
        assert_eq!(alike, [Some(Key::G), Some(Key::R), Some(Key::N), Some(Key::A)]);
    }
}
