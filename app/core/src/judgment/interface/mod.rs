//! The declared contract of a case: which fields its sources may give, with type, unit and range (docs/theory.md §1.2).
//! Bodies are checked against it before anything runs; what does not fit is data, not an error.

mod fit;
mod repair;
mod units;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::case::CaseFault;
use super::expr::{Env, Name, NameId, Origin, Type, is_writable, rename, writable};
use super::remark::Remark;
use crate::exact::Rational;
use crate::limits::FIELDS;
use crate::seal::json::{Json, JsonPath};

pub use fit::{Checked, Misfit, Mismatch, check};
pub(crate) use repair::{Missing, for_missing};
pub use units::known_conversion;

/// The type of a declared field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldType {
    /// `bool`
    Bool,
    /// `int` with an optional range.
    Int {
        /// Smallest allowed value.
        min: Option<i64>,
        /// Largest allowed value.
        max: Option<i64>,
    },
    /// `rational` with an optional range.
    Rational {
        /// Smallest allowed value.
        min: Option<Rational>,
        /// Largest allowed value.
        max: Option<Rational>,
    },
    /// `enum`: one of the values, which are kept ascending.
    Enum(Arc<[Arc<str>]>),
    /// `set`: any of the values, which are kept ascending.
    Set(Arc<[Arc<str>]>),
    /// `date`
    Date,
    /// `duration`
    Duration,
    /// `string`
    Text,
}

impl FieldType {
    /// What a value of the type is, in words for a message.
    #[must_use]
    pub const fn words(&self) -> &'static str {
        match self {
            Self::Bool => "a truth value",
            Self::Int { .. } => "an integer",
            Self::Rational { .. } => "an exact number (an integer, or text like \"89.90\" or \"3/8\")",
            Self::Enum(_) => "one of the declared values",
            Self::Set(_) => "a list of declared values",
            Self::Date => "a day like \"2024-09-16\"",
            Self::Duration => "a duration like \"36h\"",
            Self::Text => "text",
        }
    }

    fn expression(&self) -> Type {
        match self {
            Self::Bool => Type::Bool,
            Self::Int { .. } => Type::Int,
            Self::Rational { .. } => Type::Rational,
            Self::Enum(_) | Self::Text => Type::Text,
            Self::Set(_) => Type::Set,
            Self::Date => Type::Date,
            Self::Duration => Type::Duration,
        }
    }

    fn values(&self) -> Arc<[Arc<str>]> {
        match self {
            Self::Enum(values) | Self::Set(values) => Arc::clone(values),
            _ => Arc::from([]),
        }
    }
}

/// A declared field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name, unique among grounds, parameters and context.
    pub name: Arc<str>,
    /// Where it belongs.
    pub origin: Origin,
    /// Its type.
    pub ty: FieldType,
    /// Its unit, if declared.
    pub unit: Option<String>,
    /// Whether it may be absent.
    pub optional: bool,
}

/// The declared interface with the context fields that a case has. A field's position is its [`NameId`].
#[derive(Debug, Clone)]
pub struct Interface {
    fields: Vec<Field>,
    env: Env,
    notices: Vec<Remark>,
}

impl Interface {
    /// Reads `interface` of a case; context fields that it does not declare take the type of their value.
    ///
    /// # Errors
    /// [`CaseFault`] with the path into the case document.
    pub fn read(interface: &Json, context: &[(String, Json)]) -> Result<Self, CaseFault> {
        let top = JsonPath::default().key("interface");
        let mut reader = Reader { fields: Vec::new(), seen: BTreeSet::new(), notices: Vec::new() };
        reader.notices.extend(Remark::unused(interface, &["verdicts", "grounds", "parameters", "context"], &top));
        for (key, value) in interface.as_map().unwrap_or_default() {
            if key != "verdicts" && value.as_map().is_none() {
                return Err(CaseFault::kind(&top.key(key), "an object of fields", value));
            }
        }
        for origin in Origin::ALL {
            let at = top.key(origin.word());
            for (name, declaration) in interface.get(origin.word()).and_then(Json::as_map).unwrap_or_default() {
                reader.field(origin, name, declaration, &at.key(name))?;
            }
        }
        for (name, value) in context {
            reader.context(name, value)?;
        }
        reader.remark_unwritable(&top);
        let names = reader.fields.iter().map(|f| Name {
            text: Arc::clone(&f.name),
            origin: f.origin,
            ty: f.ty.expression(),
            values: f.ty.values(),
        });
        let env = Env::new(names.collect());
        Ok(Self { fields: reader.fields, env, notices: reader.notices })
    }

    /// All fields: grounds, then parameters, then context.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The field of a name.
    #[must_use]
    pub fn field(&self, id: NameId) -> Option<&Field> {
        self.fields.get(usize::from(id.0))
    }

    /// The first field of an origin, where it has any.
    pub(crate) fn first(&self, origin: Origin) -> NameId {
        NameId(self.fields.iter().position(|f| f.origin == origin).unwrap_or(0) as u16)
    }

    /// The names that conditions may read.
    #[must_use]
    pub const fn env(&self) -> &Env {
        &self.env
    }

    /// What is odd about the declaration, but no error.
    #[must_use]
    pub fn notices(&self) -> &[Remark] {
        &self.notices
    }
}

/// Keys that the declaration of any field may have.
const DECLARATION: [&str; 6] = ["type", "unit", "optional", "label", "note", "description"];

struct Reader {
    fields: Vec<Field>,
    seen: BTreeSet<Arc<str>>,
    notices: Vec<Remark>,
}

impl Reader {
    fn push(&mut self, field: Field, at: JsonPath) -> Result<(), CaseFault> {
        if field.name.trim().is_empty() {
            return Err(CaseFault::new(at, "a field has a blank name", "Give it a name."));
        }
        if !self.seen.insert(Arc::clone(&field.name)) {
            let what = format!("`{}` is declared twice among grounds, parameters and context", field.name);
            return Err(CaseFault::new(at, what, "Give one of them another name."));
        }
        if self.fields.len() >= FIELDS {
            return Err(CaseFault::new(
                at,
                "too many fields are declared",
                format!("Declare at most {FIELDS} fields."),
            ));
        }
        self.fields.push(field);
        Ok(())
    }

    fn field(&mut self, origin: Origin, name: &str, json: &Json, at: &JsonPath) -> Result<(), CaseFault> {
        if json.as_map().is_none() {
            return Err(CaseFault::kind(at, "an object with a `type`", json));
        }
        let word = json.get("type").ok_or_else(|| CaseFault::missing_in(json, at, "type", &DECLARATION))?;
        let word = word.as_text().ok_or_else(|| CaseFault::kind(&at.key("type"), "the name of a type", word))?;
        let ty = match word {
            "bool" => FieldType::Bool,
            "int" => FieldType::Int { min: bound(json, at, "min")?, max: bound(json, at, "max")? },
            "rational" => FieldType::Rational { min: number(json, at, "min")?, max: number(json, at, "max")? },
            "enum" => FieldType::Enum(values(json, at)?),
            "set" => FieldType::Set(values(json, at)?),
            "date" => FieldType::Date,
            "duration" => FieldType::Duration,
            "string" => FieldType::Text,
            other => {
                let known = ["bool", "int", "rational", "enum", "set", "date", "duration", "string"];
                return Err(CaseFault::word(at.key("type"), other, &known));
            }
        };
        let empty = match &ty {
            FieldType::Int { min: Some(min), max: Some(max) } => min > max,
            FieldType::Rational { min: Some(min), max: Some(max) } => min > max,
            _ => false,
        };
        if empty {
            return Err(CaseFault::new(
                at.clone(),
                "no value can be at least `min` and at most `max`",
                "Exchange them.",
            ));
        }
        let used: Vec<&str> = match &ty {
            FieldType::Int { .. } | FieldType::Rational { .. } => [&DECLARATION[..], &["min", "max"]].concat(),
            FieldType::Enum(_) | FieldType::Set(_) => [&DECLARATION[..], &["values"]].concat(),
            _ => DECLARATION.to_vec(),
        };
        self.notices.extend(Remark::unused(json, &used, at));
        let unit = match json.get("unit") {
            None => None,
            Some(Json::Text(unit)) => Some(unit.clone()),
            Some(other) => return Err(CaseFault::kind(&at.key("unit"), "the name of a unit", other)),
        };
        let optional = match json.get("optional") {
            None => false,
            Some(Json::Bool(optional)) => *optional,
            Some(other) => return Err(CaseFault::kind(&at.key("optional"), "`true` or `false`", other)),
        };
        self.push(Field { name: Arc::from(name), origin, ty, unit, optional }, at.clone())
    }

    /// Fields of sources that no condition can read under their name. Context fields may serve grants alone.
    fn remark_unwritable(&mut self, top: &JsonPath) {
        for field in self.fields.iter().filter(|f| f.origin != Origin::Context && !is_writable(&f.name)) {
            let instead = writable(&field.name, |name| self.seen.contains(name));
            let text = format!("no condition can spell `{}`. {}", field.name, rename(&field.name, &instead));
            self.notices.push(Remark { path: top.key(field.origin.word()).key(&field.name), text });
        }
    }

    /// A context field of the case: declared already, or typed by its value.
    fn context(&mut self, name: &str, value: &Json) -> Result<(), CaseFault> {
        if self.fields.iter().any(|f| f.origin == Origin::Context && &*f.name == name) {
            return Ok(());
        }
        let ty = match value {
            Json::Text(_) => FieldType::Text,
            Json::Bool(_) => FieldType::Bool,
            Json::Int(_) => FieldType::Int { min: None, max: None },
            // Nothing that a condition or a grant could compare; it stays what it is, a remark.
            _ => return Ok(()),
        };
        let at = JsonPath::default().key("context").key(name);
        self.push(Field { name: Arc::from(name), origin: Origin::Context, ty, unit: None, optional: false }, at)
    }
}

/// An integer of a case: a number or, beyond what JSON numbers keep, text.
///
/// # Errors
/// [`CaseFault`] with the spelling that is wanted.
pub(crate) fn integer(json: &Json, at: &JsonPath) -> Result<i64, CaseFault> {
    let text = match json {
        Json::Int(i) => return Ok(*i),
        Json::Text(text) => text,
        _ => return Err(CaseFault::kind(at, "an integer", json)),
    };
    fit::wide(text).map_err(|misfit| match misfit {
        Misfit::Quoted(i) => {
            let help = format!("Write the number {i} without quotation marks.");
            CaseFault::new(at.clone(), format!("\"{i}\" is text"), help)
        }
        Misfit::Wide(text) => {
            CaseFault::new(at.clone(), format!("{text} does not fit in 64 bits"), "Write a smaller number.")
        }
        _ => CaseFault::kind(at, "an integer", json),
    })
}

fn bound(json: &Json, at: &JsonPath, key: &str) -> Result<Option<i64>, CaseFault> {
    match json.get(key) {
        None => Ok(None),
        Some(value) => integer(value, &at.key(key)).map(Some),
    }
}

fn number(json: &Json, at: &JsonPath, key: &str) -> Result<Option<Rational>, CaseFault> {
    let Some(value) = json.get(key) else { return Ok(None) };
    let number = match value {
        Json::Int(i) => Some(Rational::from_int(*i)),
        Json::Text(t) => Rational::parse(t).ok(),
        _ => None,
    };
    let wanted = "an exact number (an integer, or text like \"3/8\")";
    number.map(Some).ok_or_else(|| CaseFault::kind(&at.key(key), wanted, value))
}

fn values(json: &Json, at: &JsonPath) -> Result<Arc<[Arc<str>]>, CaseFault> {
    let list = json.get("values").ok_or_else(|| CaseFault::missing(at, "values"))?;
    let at = at.key("values");
    let items = list.as_list().ok_or_else(|| CaseFault::kind(&at, "a list of texts", list))?;
    let mut values: Vec<Arc<str>> = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        let text = item.as_text().ok_or_else(|| CaseFault::kind(&at.at(i), "text", item))?;
        values.push(Arc::from(text));
    }
    values.sort();
    if values.is_empty() {
        return Err(CaseFault::new(at, "no value is declared", "List at least one value."));
    }
    if let Some(pair) = values.windows(2).find(|w| w[0] == w[1]) {
        return Err(CaseFault::new(at, format!("`{}` is listed twice", pair[0]), "List each value once."));
    }
    Ok(values.into())
}
