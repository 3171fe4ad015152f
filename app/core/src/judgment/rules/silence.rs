//! Where nothing can decide, every hybrid is `refer` and the case looks stable: told, with the grants that come nearest
//! and what in them does not match. Only what holds for all versions is said; a version that has jurisdiction and one
//! that has not are what a case may be about.

use std::collections::BTreeSet;

use super::body::Grant;
use super::{Authority, NormsOf};
use crate::judgment::case::Case;
use crate::judgment::remark::Remark;
use crate::judgment::source::Version;
use crate::seal::json::{Json, JsonPath};

/// Nearest grants that are named.
const NEAREST: usize = 2;
/// Most rules without jurisdiction that are told one by one.
const TOLD: usize = 16;
/// Most grants among which the nearest are looked for.
const LOOKED: usize = 1024;
/// Most values or names of a list that are shown.
const SHOWN: usize = 4;

/// A grant with its place.
struct Placed<'g> {
    source: usize,
    /// Where it stands, in words: `old`, `new`, or both.
    versions: &'static str,
    version: Version,
    index: usize,
    grant: &'g Grant,
    /// What keeps it from matching.
    lacks: Vec<String>,
}

/// The remarks on a case.
pub(super) fn remarks(case: &Case, norms: &[NormsOf], authority: &[Authority], remarks: &mut Vec<Remark>) {
    missing_default(case, norms, remarks);
    let covers = |grant: &Grant| grant.matches && !grant.never();
    let bodies = || authority.iter().flat_map(|(_, versions)| versions);
    // The common case: some grant gives everything jurisdiction.
    if bodies().any(|body| body.iter().any(|g| g.reach.all && covers(g))) {
        return;
    }
    let speaker = Speaker { case, grants: placed(case, authority) };
    if !bodies().any(|body| body.iter().any(covers)) {
        remarks.push(speaker.nothing(authority));
        return;
    }
    let granted: BTreeSet<&str> = bodies()
        .flat_map(|body| body.iter())
        .filter(|g| covers(g))
        .flat_map(|g| &g.reach.ids)
        .map(String::as_str)
        .collect();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for (source, versions) in norms {
        for version in Version::BOTH {
            for (index, rule) in versions[version as usize].rules.iter().enumerate() {
                if granted.contains(&*rule.id) || !told.insert(&rule.id) || told.len() > TOLD {
                    continue;
                }
                let path = at(*source, version).key("rules").at(index).key("id");
                let nearest = speaker.nearest(Some(&rule.id));
                let text = format!(
                    "no grant that covers this context names the rule `{}`, so it decides nothing{nearest}",
                    rule.id
                );
                remarks.push(Remark { path, text });
            }
        }
    }
    if told.len() > TOLD {
        let path = JsonPath::default().key("sources");
        remarks.push(Remark {
            path,
            text: format!(
                "{} more rules decide nothing, for no grant that covers this context names them",
                told.len() - TOLD
            ),
        });
    }
    if bodies().any(|body| body.iter().any(|g| g.reach.default && covers(g))) {
        return;
    }
    let default = norms.iter().find_map(|(source, versions)| {
        let version = Version::BOTH.into_iter().find(|v| versions[*v as usize].default.is_some())?;
        Some(at(*source, version).key("default"))
    });
    if let Some(path) = default {
        let nearest = speaker.nearest(None);
        let text = format!(
            "no grant that covers this context names `default`, so the verdict is `refer` where no rule holds{nearest}"
        );
        remarks.push(Remark { path, text });
    }
}

/// Hybrids in which no norms source declares a default disposition.
fn missing_default(case: &Case, norms: &[NormsOf], remarks: &mut Vec<Remark>) {
    let lacking = norms.iter().map(|(source, versions): &NormsOf| {
        let lacks = |version: &Version| versions[*version as usize].default.is_none();
        Some((*source, Version::BOTH.into_iter().filter(lacks).collect::<Vec<_>>()))
    });
    let lacking: Option<Vec<(usize, Vec<Version>)>> =
        lacking.map(|one| one.filter(|(_, versions)| !versions.is_empty())).collect();
    let Some((source, versions)) = lacking.and_then(|all| all.into_iter().min_by_key(|(_, versions)| versions.len()))
    else {
        return;
    };
    let Some(&version) = versions.first() else { return };
    let which = if versions.len() == 2 { "both versions" } else { version_words(version) };
    let text = format!(
        "{which} of `{}` declare{} no `default`: where no rule holds, the verdict is `refer`. Add one, such as \"default\": \"{}\"",
        case.sources()[source].name,
        if versions.len() == 2 { "" } else { "s" },
        case.labels().words().get(1).or(case.labels().words().first()).map_or("deny", String::as_str),
    );
    remarks.push(Remark { path: at(source, version), text });
}

const fn version_words(version: Version) -> &'static str {
    match version {
        Version::Old => "the old version",
        Version::New => "the new version",
    }
}

fn at(source: usize, version: Version) -> JsonPath {
    JsonPath::default().key("sources").at(source).key(version.word())
}

fn placed<'g>(case: &Case, authority: &'g [Authority]) -> Vec<Placed<'g>> {
    let mut all = Vec::new();
    for (source, versions) in authority {
        let same = std::sync::Arc::ptr_eq(&versions[0], &versions[1]);
        for version in Version::BOTH.into_iter().take(if same { 1 } else { 2 }) {
            let words = if same { "old and new" } else { version.word() };
            for (index, grant) in versions[version as usize].iter().enumerate().take(LOOKED) {
                let lacks = lacks(case, grant);
                all.push(Placed { source: *source, versions: words, version, index, grant, lacks });
            }
        }
    }
    all
}

/// What keeps a grant from matching, one clause each.
fn lacks(case: &Case, grant: &Grant) -> Vec<String> {
    let given = |key: &str| case.context().iter().find(|(name, _)| name == key).map(|(_, value)| value);
    let mut lacks = Vec::new();
    for (key, allowed) in &grant.fields {
        let wanted = || format!("wants `{key}` to be {}", some(allowed.iter().map(shown), " or "));
        match given(key) {
            Some(value) if allowed.contains(value) => {}
            Some(value) => lacks.push(format!("{}, the context has {}", wanted(), shown(value))),
            None => lacks.push(format!("{}, the context has no `{key}`", wanted())),
        }
    }
    lacks.extend(grant.never().then(|| "has a condition that never holds".to_owned()));
    lacks
}

fn shown(json: &Json) -> String {
    match json {
        Json::Text(text) => format!("'{}'", text.chars().take(60).collect::<String>().escape_debug()),
        Json::Int(i) => i.to_string(),
        Json::Bool(b) => b.to_string(),
        other => other.kind().to_owned(),
    }
}

/// The first few of a list.
fn some(items: impl ExactSizeIterator<Item = String>, joint: &str) -> String {
    let all = items.len();
    let mut list: Vec<String> = items.take(SHOWN).collect();
    if all == 0 {
        return "nothing".to_owned();
    }
    if all > SHOWN {
        list.push(format!("{} more", all - SHOWN));
    }
    list.join(joint)
}

struct Speaker<'c> {
    case: &'c Case,
    grants: Vec<Placed<'c>>,
}

impl Speaker<'_> {
    /// No grant of any version covers the context.
    fn nothing(&self, authority: &[Authority]) -> Remark {
        let Some(first) = self.near(None).into_iter().next() else {
            let sources: Vec<String> = authority
                .iter()
                .filter_map(|(i, _)| self.case.sources().get(*i))
                .map(|s| format!("`{}`", s.name))
                .collect();
            let source = authority.first().map_or(0, |(source, _)| *source);
            let text = format!(
                "no version of {} holds a grant, so nothing has jurisdiction and every hybrid is `refer`. \
                 Add one to its \"grants\", such as {{\"norm\": \"*\"}}",
                some(sources.into_iter(), " or ")
            );
            return Remark { path: at(source, Version::Old), text };
        };
        let text = format!(
            "no grant covers this context, so nothing has jurisdiction and every hybrid is `refer`{}. \
             Widen a grant, or correct the context",
            self.nearest(None)
        );
        Remark { path: at(first.source, first.version).key("grants").at(first.index), text }
    }

    /// Those that come nearest to covering a rule in this context, or where none is meant, anything.
    fn near(&self, rule: Option<&str>) -> Vec<&Placed<'_>> {
        let names = |g: &Grant| rule.is_none_or(|id| g.reach.all || g.reach.ids.contains(id));
        let mut all: Vec<&Placed<'_>> =
            self.grants.iter().filter(|p| rule.is_none() || names(p.grant) || p.lacks.is_empty()).collect();
        all.sort_by_key(|p| (!names(p.grant), p.lacks.len()));
        let mut near: Vec<&Placed<'_>> = Vec::new();
        for one in all {
            // The same grant in both versions of a source is one.
            let same =
                |p: &&Placed<'_>| p.source == one.source && p.lacks == one.lacks && p.grant.reach == one.grant.reach;
            if near.len() < NEAREST && !near.iter().any(same) {
                near.push(one);
            }
        }
        near
    }

    /// `; nearest: …; …`, or nothing where there is no grant.
    fn nearest(&self, rule: Option<&str>) -> String {
        let told = self.near(rule).into_iter().map(|placed| {
            let name = self.case.sources().get(placed.source).map_or("", |s| s.name.as_str());
            let reach = &placed.grant.reach;
            let names = rule.is_none_or(|id| reach.all || reach.ids.contains(id));
            let what = if !placed.lacks.is_empty() {
                some(placed.lacks.iter().cloned(), " and ")
            } else if names && rule.is_some() {
                "names it".to_owned()
            } else {
                let default = reach.default.then(|| "default".to_owned());
                let ids: Vec<String> = reach.ids.iter().cloned().chain(default).map(|id| format!("`{id}`")).collect();
                format!("names {} only", some(ids.into_iter(), ", "))
            };
            format!("grants[{}] of `{name}` ({}) {what}", placed.index, placed.versions)
        });
        let told: Vec<String> = told.collect();
        if told.is_empty() { String::new() } else { format!("; nearest: {}", told.join("; ")) }
    }
}
