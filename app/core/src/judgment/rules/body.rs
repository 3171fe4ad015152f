//! Reading norms and authority bodies: rules with their conditions, the default disposition, grants.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::cache::{Compiled, Entry};
use crate::judgment::case::CaseFault;
use crate::judgment::expr::ConditionError;
use crate::judgment::interface::integer;
use crate::judgment::remark::Remark;
use crate::judgment::verdict::{Labels, Verdict};
use crate::limits::REMARKS;
use crate::nearest::meant;
use crate::seal::json::{Json, JsonPath};

/// Keys that a rule may have.
const RULE: [&str; 8] = ["id", "when", "then", "priority", "title", "note", "label", "source"];
/// Most context fields among which a misspelled one is looked for.
const CONTEXT: usize = 64;

/// Where the reader is. A path is made only when something is to be told; most bodies have nothing to tell.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    above: Option<&'a At<'a>>,
    last: Last<'a>,
}

#[derive(Clone, Copy)]
enum Last<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> At<'a> {
    pub(super) const fn top(key: &'a str) -> Self {
        Self { above: None, last: Last::Key(key) }
    }

    pub(super) const fn key<'b>(&'b self, key: &'b str) -> At<'b>
    where
        'a: 'b,
    {
        At { above: Some(self), last: Last::Key(key) }
    }

    pub(super) const fn index<'b>(&'b self, index: usize) -> At<'b>
    where
        'a: 'b,
    {
        At { above: Some(self), last: Last::Index(index) }
    }

    pub(super) fn path(&self) -> JsonPath {
        let above = self.above.map_or_else(JsonPath::default, At::path);
        match self.last {
            Last::Key(key) => above.key(key),
            Last::Index(index) => above.at(index),
        }
    }
}

/// A decision rule.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub(super) id: Arc<str>,
    pub(super) when: Arc<Compiled>,
    pub(super) then: Verdict,
    pub(super) priority: i64,
}

impl Rule {
    /// Whether the two decide alike: conditions of one text are one compiled condition.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.when, &other.when)
            && (self.then, self.priority) == (other.then, other.priority)
            && self.id == other.id
    }
}

/// One version of a norms source, parameters apart.
#[derive(Debug, Clone)]
pub(super) struct Norms {
    pub(super) rules: Arc<[Rule]>,
    pub(super) default: Option<Verdict>,
}

/// Which rules a grant gives jurisdiction.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reach {
    /// `*`: every rule, and the default disposition.
    pub(super) all: bool,
    /// The default disposition.
    pub(super) default: bool,
    /// Rules by id.
    pub(super) ids: BTreeSet<String>,
}

impl Reach {
    pub(super) const fn covers_default(&self) -> bool {
        self.all || self.default
    }
}

/// A grant of jurisdiction.
#[derive(Debug, Clone)]
pub(super) struct Grant {
    pub(super) reach: Reach,
    /// Context field and allowed values.
    pub(super) fields: Vec<(String, Vec<Json>)>,
    pub(super) when: Option<Arc<Compiled>>,
    /// Whether the case's context has an allowed value in every restricted field.
    pub(super) matches: bool,
}

impl Grant {
    /// Whether its condition is true of no declared value.
    pub(super) fn never(&self) -> bool {
        self.when.as_ref().is_some_and(|when| when.never.is_some())
    }
}

/// What reading a body needs.
pub(super) struct BodyReader<'r> {
    pub(super) entry: &'r mut Entry,
    pub(super) labels: &'r Labels,
    pub(super) context: &'r [(String, Json)],
    pub(super) remarks: &'r mut Vec<Remark>,
}

impl BodyReader<'_> {
    /// Reads rules and default of a norms body.
    /// `before` is another version that was read.
    pub(super) fn norms(
        &mut self,
        body: &Json,
        at: &At<'_>,
        before: Option<(&Json, &Norms)>,
    ) -> Result<Norms, CaseFault> {
        self.note_unused(body, &["parameters", "rules", "default", "title", "note", "label"], at);
        let default = match body.get("default") {
            Some(word) => Some(self.label(word, &at.key("default"))?),
            None => None,
        };
        let Some(list) = body.get("rules") else { return Ok(Norms { rules: Arc::from([]), default }) };
        // Most revisions leave the rules as they are.
        if let Some((other, read)) = before
            && other.get("rules") == Some(list)
        {
            return Ok(Norms { rules: Arc::clone(&read.rules), default });
        }
        let list_at = at.key("rules");
        let list = list.as_list().ok_or_else(|| CaseFault::kind(&list_at.path(), "a list of rules", list))?;
        let mut seen = BTreeSet::new();
        let mut rules = Vec::with_capacity(list.len());
        for (i, json) in list.iter().enumerate() {
            let rule = self.rule(json, &list_at, i)?;
            if !seen.insert(Arc::clone(&rule.id)) {
                let what = format!("two rules are called `{}`", rule.id);
                return Err(CaseFault::new(list_at.index(i).key("id").path(), what, "Give each rule its own id."));
            }
            rules.push(rule);
        }
        Ok(Norms { rules: rules.into(), default })
    }

    fn rule(&mut self, json: &Json, list: &At<'_>, index: usize) -> Result<Rule, CaseFault> {
        let at = list.index(index);
        if json.as_map().is_none() {
            return Err(CaseFault::kind(&at.path(), "an object with `id`, `when` and `then`", json));
        }
        let wanted = |key: &str| json.get(key).ok_or_else(|| CaseFault::missing_in(json, &at.path(), key, &RULE));
        let id = wanted("id")?;
        let id = id.as_text().ok_or_else(|| CaseFault::kind(&at.key("id").path(), "text", id))?;
        if id.trim().is_empty() || matches!(id, "*" | "default") {
            let help = "Use a word of its own: grants mean by `*` every rule and by `default` the default disposition.";
            return Err(CaseFault::new(at.key("id").path(), format!("`{id}` cannot be the id of a rule"), help));
        }
        let priority = match json.get("priority") {
            None => 0,
            Some(Json::Int(i)) => *i,
            Some(other) => integer(other, &at.key("priority").path())?,
        };
        self.note_unused(json, &RULE, &at);
        Ok(Rule {
            id: Arc::from(id),
            when: self.condition(wanted("when")?, &at.key("when"), "this rule never holds")?,
            then: self.label(wanted("then")?, &at.key("then"))?,
            priority,
        })
    }

    /// Reads the grants of an authority body.
    pub(super) fn grants(&mut self, body: &Json, at: &At<'_>) -> Result<Arc<[Grant]>, CaseFault> {
        self.note_unused(body, &["grants", "title", "note", "label"], at);
        let Some(list) = body.get("grants") else { return Ok(Arc::from([])) };
        let list_at = at.key("grants");
        let list = list.as_list().ok_or_else(|| CaseFault::kind(&list_at.path(), "a list of grants", list))?;
        list.iter().enumerate().map(|(i, json)| self.grant(json, &list_at, i)).collect()
    }

    fn grant(&mut self, json: &Json, list: &At<'_>, index: usize) -> Result<Grant, CaseFault> {
        let at = list.index(index);
        let entries = json.as_map().ok_or_else(|| CaseFault::kind(&at.path(), "an object with `norm`", json))?;
        let (mut reach, mut when, mut fields, mut matches) = (None, None, Vec::new(), true);
        for (key, value) in entries {
            match key.as_str() {
                "norm" => reach = Some(read_reach(value, &at.key("norm"))?),
                "when" => when = Some(self.condition(value, &at.key("when"), "this grant never matches")?),
                "title" | "note" | "label" | "id" if self.context_value(key).is_none() => {}
                _ => {
                    let allowed = allowed(value, &at.key(key))?;
                    match self.context_value(key) {
                        Some(found) => {
                            matches &= allowed.contains(found);
                            if let Some(odd) = allowed.iter().find(|v| v.kind() != found.kind()) {
                                let (is, lists) = (found.kind(), odd.kind());
                                let text = format!("`{key}` is {is} in the context; {lists} here never matches it");
                                self.remarks.push(Remark { path: at.key(key).path(), text });
                            }
                        }
                        None => {
                            matches = false;
                            let names = self.context.iter().map(|(name, _)| name.as_str()).take(CONTEXT);
                            let meant = meant(key, names.chain(["norm", "when"]));
                            let text = format!("the context has no `{key}`, so this grant never matches{meant}");
                            self.remarks.push(Remark { path: at.key(key).path(), text });
                        }
                    }
                    fields.push((key.clone(), allowed));
                }
            }
        }
        let reach = reach.ok_or_else(|| {
            let context: Vec<&str> = self.context.iter().map(|(name, _)| name.as_str()).take(CONTEXT).collect();
            CaseFault::missing_in(json, &at.path(), "norm", &context)
        })?;
        Ok(Grant { reach, fields, when, matches })
    }

    fn context_value(&self, key: &str) -> Option<&Json> {
        self.context.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// `never` says what follows where no declared value makes the condition true.
    fn condition(&mut self, json: &Json, at: &At<'_>, never: &str) -> Result<Arc<Compiled>, CaseFault> {
        let text = json.as_text().ok_or_else(|| CaseFault::kind(&at.path(), "a condition in text", json))?;
        let compiled = self.entry.condition(text).map_err(|e| condition_fault(at.path(), &e))?;
        for notice in &compiled.condition.notices {
            self.remarks.push(Remark { path: at.path(), text: notice.clone() });
        }
        if let Some(why) = &compiled.never {
            self.remarks.push(Remark { path: at.path(), text: format!("{why}, so {never}") });
        }
        Ok(compiled)
    }

    fn label(&self, json: &Json, at: &At<'_>) -> Result<Verdict, CaseFault> {
        let word = json.as_text().ok_or_else(|| CaseFault::kind(&at.path(), "a verdict", json))?;
        self.labels.verdict(word).ok_or_else(|| {
            let known: Vec<&str> = self.labels.words().iter().map(String::as_str).collect();
            CaseFault::word(at.path(), word, &known)
        })
    }

    fn note_unused(&mut self, json: &Json, known: &[&str], at: &At<'_>) {
        // The path is built only where there is something to note.
        if json.as_map().unwrap_or_default().iter().any(|(key, _)| !known.contains(&key.as_str())) {
            let left = REMARKS.saturating_sub(self.remarks.len());
            self.remarks.extend(Remark::unused(json, known, &at.path()).take(left));
            if left > 0 && self.remarks.len() >= REMARKS {
                let text = format!("{REMARKS} notes are told; further fields that are not used are not");
                self.remarks.push(Remark { path: at.path(), text });
            }
        }
    }
}

/// A condition's error as a fault of the case: the place in the file, then line and column inside the condition.
fn condition_fault(at: JsonPath, error: &ConditionError) -> CaseFault {
    let line = if error.line > 1 { format!("line {}, ", error.line) } else { String::new() };
    CaseFault::new(at, format!("{line}column {}: {}", error.column, error.what()), error.help())
}

fn read_reach(json: &Json, at: &At<'_>) -> Result<Reach, CaseFault> {
    let mut reach = Reach { all: false, default: false, ids: BTreeSet::new() };
    for norm in std::slice::from_ref(json).iter().flat_map(|j| j.as_list().unwrap_or(std::slice::from_ref(j))) {
        match norm.as_text() {
            Some("*") => reach.all = true,
            Some("default") => reach.default = true,
            Some(id) => {
                reach.ids.insert(id.to_owned());
            }
            None => return Err(CaseFault::kind(&at.path(), "a rule's id, a list of ids, `default` or `*`", norm)),
        }
    }
    Ok(reach)
}

/// The values that a grant allows in a context field: one, or a list.
fn allowed(json: &Json, at: &At<'_>) -> Result<Vec<Json>, CaseFault> {
    let values = json.as_list().unwrap_or(std::slice::from_ref(json));
    match values.iter().find(|v| !matches!(v, Json::Text(_) | Json::Bool(_) | Json::Int(_))) {
        Some(other) => Err(CaseFault::kind(&at.path(), "a value or a list of values", other)),
        None => Ok(values.to_vec()),
    }
}
