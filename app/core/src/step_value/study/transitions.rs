//! The transitions of a study document: targets among their candidates, trajectories with their outcomes.

use std::collections::BTreeMap;

use super::read::{Building, Read};
use super::{Study, Transition};
use crate::limits;
use crate::seal::document::Field;

const TRANSITION: [&str; 8] = ["id", "trajectory", "step", "target", "success", "candidates", "before", "after"];

impl Building {
    pub(super) fn transitions(&mut self, list: &Field<'_, '_>, study: &mut Study) -> Read<()> {
        let mut ids: BTreeMap<&str, usize> = BTreeMap::new();
        let mut trajectories: BTreeMap<&str, usize> = BTreeMap::new();
        let mut sets: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        let mut outcomes: Vec<[bool; 2]> = Vec::new();
        for (n, field) in list.items()?.enumerate() {
            field.object(&TRANSITION, &mut self.notices)?;
            let id = field.need("id")?;
            let name = id.text()?;
            if name.is_empty() {
                return Err(id.refuse("a transition's id is empty", "Give it an id of its own."));
            }
            if ids.insert(name, n).is_some() {
                return Err(id.refuse(format!("two transitions are called `{name}`"), "Give each an id of its own."));
            }
            let candidates = field.need("candidates")?;
            let words: Vec<&str> = candidates.items()?.map(|c| c.text()).collect::<Read<_>>()?;
            let target = field.need("target")?;
            let Some(target) = words.iter().position(|word| target.text() == Ok(word)) else {
                let what = format!("the target `{}` is none of the candidates", target.text()?);
                return Err(target.refuse(what, "The reviewed target is one of `candidates`."));
            };
            let set = match sets.get(&words) {
                Some(&set) => set,
                None => {
                    check_candidates(&candidates, &words)?;
                    study.candidate_sets.push(words.iter().map(|&word| word.to_owned()).collect());
                    sets.insert(words, study.candidate_sets.len() - 1);
                    study.candidate_sets.len() - 1
                }
            };
            let trajectory = field.need("trajectory")?.text()?;
            let trajectory = *trajectories.entry(trajectory).or_insert_with(|| {
                study.trajectories.push(trajectory.to_owned());
                outcomes.push([false; 2]);
                study.trajectories.len() - 1
            });
            if let Some(success) = field.get("success") {
                outcomes[trajectory][usize::from(success.bool()?)] = true;
            }
            let state = |key: &str| field.get(key).map_or(Ok(String::new()), |f| f.text().map(str::to_owned));
            study.transitions.push(Transition {
                id: name.to_owned(),
                trajectory,
                step: field.get("step").map_or(Ok(0), |step| step.int())?,
                target,
                set,
                before: state("before")?,
                after: state("after")?,
            });
        }
        for (trajectory, seen) in study.trajectories.iter().zip(outcomes) {
            study.success.push(match seen {
                [false, true] => Some(true),
                [true, false] => Some(false),
                [false, false] => None,
                [true, true] => {
                    self.note(
                        list,
                        &format!("trajectory `{trajectory}` both succeeds and fails: its outcome is unknown"),
                    );
                    None
                }
            });
        }
        if study.transitions.is_empty() {
            return Err(list.refuse("no transition is declared", "Declare at least one."));
        }
        Ok(())
    }
}

fn check_candidates(field: &Field<'_, '_>, words: &[&str]) -> Read<()> {
    if words.len() < 2 || words.len() > limits::CANDIDATES {
        let help = format!("A margin compares a target with its rivals: declare 2 to {}.", limits::CANDIDATES);
        return Err(field.refuse(format!("{} candidates", words.len()), help));
    }
    for (i, word) in words.iter().enumerate() {
        if words[..i].contains(word) {
            return Err(field.refuse(format!("candidate `{word}` is listed twice"), "List each candidate once."));
        }
    }
    Ok(())
}
