//! Declared compatibility steps: the only way in which a version is brought under the interface (docs/theory.md §1.2).
//! They are part of what the certificate binds.

use super::error::CaseFault;
use crate::exact::Rational;
use crate::judgment::source::Version;
use crate::seal::json::{Json, JsonPath};

/// What stands in a proposed step where only the auditor knows the value. A step that still has it does not apply.
pub const GAP: &str = "give VALUE";

/// One explicit step, applied to one version of one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompatibilityStep {
    /// The source's name.
    pub source: String,
    /// The version it applies to.
    pub version: Version,
    /// What it does.
    pub action: Action,
}

/// What a compatibility step does to a version's fields (for a norms source: to its parameters).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Field `from` is called `to` in the interface.
    Rename {
        /// Its name in the version.
        from: String,
        /// Its name in the interface.
        to: String,
    },
    /// Value × factor + offset, exactly.
    Convert {
        /// The field.
        field: String,
        /// The factor; `None` only in a proposed repair whose factor the auditor must supply.
        factor: Option<Rational>,
        /// The offset, added after multiplying.
        offset: Rational,
        /// Unit of the version.
        from: String,
        /// Unit of the interface.
        to: String,
    },
    /// Enum values are spelled otherwise in the version.
    Map {
        /// The field.
        field: String,
        /// Spelling in the version → spelling in the interface; an empty target only in a proposed repair.
        values: Vec<(String, String)>,
    },
    /// The field is missing in the version and takes a declared value.
    Default {
        /// The field.
        field: String,
        /// The declared value; `null` only in a proposed repair.
        value: DefaultValue,
    },
}

impl Action {
    /// The fields of a step in a case file.
    pub(super) const fn fields(&self) -> &'static [&'static str] {
        match self {
            Self::Rename { .. } => &["source", "version", "step", "from", "to"],
            Self::Convert { .. } => &["source", "version", "step", "field", "factor", "offset", "from", "to"],
            Self::Map { .. } => &["source", "version", "step", "field", "values"],
            Self::Default { .. } => &["source", "version", "step", "field", "value"],
        }
    }
}

/// A declared default: any JSON value that fits the field's type.
#[derive(Debug, Clone, PartialEq)]
pub struct DefaultValue(pub Json);

// Floats never pass the interface check of a field, so equality is total where it matters.
impl Eq for DefaultValue {}

impl CompatibilityStep {
    /// The step as it is written in a case file.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut fields = vec![
            ("source".to_owned(), Json::text(&self.source)),
            ("version".to_owned(), Json::text(self.version.word())),
        ];
        let mut put = |key: &str, value: Json| fields.push((key.to_owned(), value));
        match &self.action {
            Action::Rename { from, to } => {
                put("step", Json::text("rename"));
                put("from", Json::text(from));
                put("to", Json::text(to));
            }
            Action::Convert { field, factor, offset, from, to } => {
                put("step", Json::text("convert"));
                put("field", Json::text(field));
                put("factor", factor.as_ref().map_or_else(|| Json::text(GAP), |f| Json::text(f.to_string())));
                put("offset", Json::text(offset.to_string()));
                put("from", Json::text(from));
                put("to", Json::text(to));
            }
            Action::Map { field, values } => {
                put("step", Json::text("map"));
                put("field", Json::text(field));
                put(
                    "values",
                    Json::map(values.iter().map(|(a, b)| (a.clone(), Json::text(if b.is_empty() { GAP } else { b })))),
                );
            }
            Action::Default { field, value } => {
                put("step", Json::text("default"));
                put("field", Json::text(field));
                put("value", if value.0 == Json::Null { Json::text(GAP) } else { value.0.clone() });
            }
        }
        Json::Map(fields)
    }

    /// Whether a value is still to be given by the auditor.
    #[must_use]
    pub fn has_gap(&self) -> bool {
        match &self.action {
            Action::Rename { .. } => false,
            Action::Convert { factor, .. } => factor.is_none(),
            Action::Map { values, .. } => values.iter().any(|(_, to)| to.is_empty()),
            Action::Default { value, .. } => value.0 == Json::Null,
        }
    }

    /// The field that it writes.
    #[must_use]
    pub fn target(&self) -> &str {
        match &self.action {
            Action::Rename { to: field, .. }
            | Action::Convert { field, .. }
            | Action::Map { field, .. }
            | Action::Default { field, .. } => field,
        }
    }

    /// Reads one step.
    pub(super) fn read(json: &Json, path: &JsonPath) -> Result<Self, CaseFault> {
        let text = |key: &'static str| text_at(json, path, key);
        let source = text("source")?;
        let version = match text("version")?.as_str() {
            "old" => Version::Old,
            "new" => Version::New,
            other => return Err(CaseFault::word(path.key("version"), other, &["old", "new"])),
        };
        let action = match text("step")?.as_str() {
            "rename" => Action::Rename { from: text("from")?, to: text("to")? },
            "convert" => Action::Convert {
                field: text("field")?,
                factor: match json.get("factor") {
                    Some(Json::Text(text)) if text == GAP => None,
                    _ => Some(rational_at(json, path, "factor")?.ok_or_else(|| lacks(json, path, "factor"))?),
                },
                offset: rational_at(json, path, "offset")?.unwrap_or_else(|| Rational::from_int(0)),
                from: text("from")?,
                to: text("to")?,
            },
            "map" => {
                let values = json.get("values").ok_or_else(|| lacks(json, path, "values"))?;
                let at = path.key("values");
                let entries = values.as_map().ok_or_else(|| CaseFault::kind(&at, "an object of texts", values))?;
                let mut pairs = Vec::with_capacity(entries.len());
                for (from, to) in entries {
                    let to = to.as_text().ok_or_else(|| CaseFault::kind(&at.key(from), "text", to))?;
                    pairs.push((from.clone(), if to == GAP { String::new() } else { to.to_owned() }));
                }
                Action::Map { field: text("field")?, values: pairs }
            }
            "default" => {
                let value = json.get("value").ok_or_else(|| lacks(json, path, "value"))?;
                let value = if value.as_text() == Some(GAP) { Json::Null } else { value.clone() };
                Action::Default { field: text("field")?, value: DefaultValue(value) }
            }
            other => return Err(CaseFault::word(path.key("step"), other, &["rename", "convert", "map", "default"])),
        };
        Ok(Self { source, version, action })
    }
}

/// A key of a step is missing.
fn lacks(json: &Json, path: &JsonPath, key: &str) -> CaseFault {
    const KEYS: [&str; 10] =
        ["source", "version", "step", "field", "from", "to", "factor", "offset", "values", "value"];
    CaseFault::missing_in(json, path, key, &KEYS)
}

fn text_at(json: &Json, path: &JsonPath, key: &str) -> Result<String, CaseFault> {
    let value = json.get(key).ok_or_else(|| lacks(json, path, key))?;
    value.as_text().map(str::to_owned).ok_or_else(|| CaseFault::kind(&path.key(key), "text", value))
}

fn rational_at(json: &Json, path: &JsonPath, key: &str) -> Result<Option<Rational>, CaseFault> {
    let Some(value) = json.get(key) else { return Ok(None) };
    let number = match value {
        Json::Int(i) => Some(Rational::from_int(*i)),
        Json::Text(t) => Rational::parse(t).ok(),
        _ => None,
    };
    number
        .map(Some)
        .ok_or_else(|| CaseFault::kind(&path.key(key), "an exact number (an integer, or text like \"1/100\")", value))
}
