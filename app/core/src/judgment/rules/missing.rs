//! What a version may call by another name: for every field that it lacks, the steps that would give it, the undeclared
//! fields that may be it, or a default, which invents a value.

use std::collections::BTreeMap;

use super::inputs::{Collector, RENAMES};
use crate::judgment::case::{Action, CompatibilityStep, DefaultValue};
use crate::judgment::compat;
use crate::judgment::expr::{NameId, Origin};
use crate::judgment::interface::{Field, Missing, for_missing};
use crate::judgment::source::Version;
use crate::seal::json::Json;

/// Most candidates that a message names.
const NAMED: usize = 4;

/// What may be done about the fields that a version lacks, by their positions; `None` where it cannot be told.
pub(super) type Found = BTreeMap<(usize, Version, Origin), Option<BTreeMap<usize, Missing>>>;

impl Collector<'_> {
    /// The end of the sentence that says that a field is missing, and the steps that would repair it.
    pub(super) fn remedy(
        &self,
        known: &mut Found,
        at: usize,
        source: usize,
        version: Version,
    ) -> (String, Vec<Action>) {
        let origin = self.interface.fields()[at].origin;
        let found = known.entry((source, version, origin)).or_insert_with(|| self.look(source, version, origin));
        match found.as_ref().and_then(|fields| fields.get(&at)) {
            Some(Missing::Renamed(actions)) => (String::new(), actions.clone()),
            Some(Missing::Absent(action)) => {
                let more = ", and no undeclared field is left that could be it; a default would invent its value";
                (more.to_owned(), vec![action.clone()])
            }
            Some(Missing::Candidates(keys)) => {
                let mut shown: Vec<String> = keys.iter().take(NAMED).cloned().collect();
                if keys.len() > NAMED {
                    shown.push(format!("{} more", keys.len() - NAMED));
                }
                let (be, one) =
                    if keys.len() == 1 { ("it", "it if it is") } else { ("one of them", "the one that is") };
                let more = format!(
                    "; the interface does not declare {}, and {be} may be meant: rename {one}",
                    shown.join(" or ")
                );
                (more, Vec::new())
            }
            None => {
                let more =
                    "; one of the many fields that the interface does not declare may be meant: rename the one that is";
                (more.to_owned(), Vec::new())
            }
        }
    }

    fn look(&self, source: usize, version: Version, origin: Origin) -> Option<BTreeMap<usize, Missing>> {
        let declared = &self.case.sources()[source];
        let body = &declared.version(version).json;
        let body = if origin == Origin::Parameters { body.get("parameters") } else { Some(body) };
        let steps: Vec<&CompatibilityStep> =
            self.case.compatibility().iter().filter(|s| s.version == version && s.source == declared.name).collect();
        let (entries, _) = compat::apply(&steps, body.and_then(Json::as_map).unwrap_or_default());
        let unknown = entries.iter().filter(|(key, _)| self.interface.env().find(Some(origin), key).is_none());
        let unknown: Vec<(&str, &Json)> = unknown.map(|(key, json)| (key.as_str(), json)).take(RENAMES + 1).collect();
        let absent = self
            .interface
            .fields()
            .iter()
            .enumerate()
            .filter(|(at, field)| field.origin == origin && self.lacks(NameId(*at as u16), source, version));
        let (optional, missing): (Vec<_>, Vec<_>) = absent.partition(|(_, field)| field.optional);
        let invent = |field: &Field| {
            Missing::Absent(Action::Default { field: field.name.to_string(), value: DefaultValue(Json::Null) })
        };
        if unknown.is_empty() {
            return Some(missing.into_iter().map(|(at, field)| (at, invent(field))).collect());
        }
        // Among very many keys none stands out as the one that was meant.
        if unknown.len() > RENAMES || missing.len() > RENAMES {
            return None;
        }
        let required: Vec<&Field> = missing.iter().map(|(_, field)| *field).collect();
        let optional: Vec<&Field> = optional.iter().take(RENAMES).map(|(_, field)| *field).collect();
        let answers = for_missing(&required, &optional, &unknown);
        Some(missing.iter().map(|(at, _)| *at).zip(answers).collect())
    }

    /// Whether a version does not give a field, and no other source gives it in both versions.
    fn lacks(&self, id: NameId, source: usize, version: Version) -> bool {
        let givers = self.givers(id);
        let always = |other: usize| Version::BOTH.iter().all(|v| givers.contains(&(other, *v)));
        !givers.contains(&(source, version)) && !givers.iter().any(|giver| giver.0 != source && always(giver.0))
    }
}
