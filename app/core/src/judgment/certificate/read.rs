//! From a signed statement back to a [`Certificate`]. Strict: unknown fields, other spellings and inconsistent shapes are
//! refused, so that what is shown is what was signed.

use std::cmp::Ordering;

use super::{BoundSource, Certificate, MinimalityProof, PREDICATE, PREDICATE_FAMILY, Time};
use crate::judgment::source::Mask;
use crate::limits;
use crate::seal::digest::Digest;
use crate::seal::json::Json;
use crate::seal::major;
use crate::seal::statement::Statement;

/// Why a statement is not a certificate that can be checked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CertificateFault {
    /// Another kind of statement.
    #[error("not a judgment certificate: the statement's type is `{0}`")]
    OtherType(String),
    /// A newer certificate format.
    #[error("`{0}` is a newer certificate than this version checks")]
    Newer(String),
    /// A field is missing, unknown or of the wrong kind.
    #[error("`{0}` is missing, unknown or of the wrong kind")]
    Field(String),
}

impl CertificateFault {
    /// What to do about it, as a sentence.
    #[must_use]
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::Newer(_) => "Use a newer decidendi.",
            Self::OtherType(_) => "Give a judgment certificate; no other statement is accepted in its place.",
            Self::Field(_) => "Ask the issuer for the file again.",
        }
    }
}

impl Certificate {
    /// Reads the content of a statement.
    ///
    /// # Errors
    /// [`CertificateFault`] naming the first field at fault.
    pub fn read(statement: &Statement) -> Result<Self, CertificateFault> {
        let kind = &statement.predicate_type;
        if kind != PREDICATE {
            let newer =
                kind.strip_prefix(PREDICATE_FAMILY).and_then(|v| major::compare(v, 1)) == Some(Ordering::Greater);
            let fault = if newer { CertificateFault::Newer } else { CertificateFault::OtherType };
            return Err(fault(kind.clone()));
        }
        let predicate = Field { json: &statement.predicate, name: "predicate".to_owned() };
        let case = predicate.get("case")?;
        let adjudicator = predicate.get("adjudicator")?;
        let counts = predicate.get("counts")?;
        let tool = predicate.get("tool")?;
        let sources = read_sources(&predicate.get("sources")?)?;
        let names: Vec<String> = sources.iter().map(|s| s.name.clone()).collect();
        let certificate = Self {
            case_id: case.get("id")?.text()?,
            case: case.digest()?,
            interface: predicate.get("interface")?.digest()?,
            engine: adjudicator.get("engine")?.text()?,
            engine_version: adjudicator.get("version")?.text()?,
            adjudicator: adjudicator.digest()?,
            compatibility: predicate.get("compatibility")?.digest()?,
            obtained: predicate.get("obtained")?.text()?,
            cells: read_cells(&predicate.get("cells")?, &names)?,
            status: predicate.get("status")?.text()?,
            receipts: read_masks(&predicate.get("receipts")?, &names)?,
            minimality: read_proofs(&predicate.get("minimality")?, &names)?,
            executed: counts.get("executed")?.count()?,
            tool: tool.get("name")?.text()?,
            tool_version: tool.get("version")?.text()?,
            time: read_time(&predicate)?,
            sources,
        };
        if certificate.payload() == statement.to_bytes() {
            return Ok(certificate);
        }
        Err(CertificateFault::Field(first_difference(&certificate, statement)))
    }
}

/// The first field in which a statement differs from what was read of it: an unknown or repeated field at any depth.
fn first_difference(certificate: &Certificate, statement: &Statement) -> String {
    let ours = Statement::read(&certificate.payload()).map(|ours| ours.to_json());
    ours.ok()
        .and_then(|ours| difference(&ours, &statement.to_json(), "statement"))
        .unwrap_or_else(|| "statement".to_owned())
}

fn difference(ours: &Json, theirs: &Json, name: &str) -> Option<String> {
    match (ours, theirs) {
        (Json::Map(a), Json::Map(b)) => {
            let unknown = b.iter().find(|(key, _)| ours.get(key).is_none()).map(|(key, _)| format!("{name}.{key}"));
            unknown.or_else(|| {
                a.iter().find_map(|(key, value)| match theirs.get(key) {
                    None => Some(format!("{name}.{key}")),
                    Some(other) => difference(value, other, &format!("{name}.{key}")),
                })
            })
        }
        (Json::List(a), Json::List(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(i, (x, y))| difference(x, y, &format!("{name}[{i}]")))
        }
        _ => (ours != theirs).then(|| name.to_owned()),
    }
}

/// A value with the name to report it under.
struct Field<'j> {
    json: &'j Json,
    name: String,
}

impl Field<'_> {
    fn fault(&self) -> CertificateFault {
        CertificateFault::Field(self.name.clone())
    }

    fn get(&self, key: &str) -> Result<Field<'_>, CertificateFault> {
        let name = format!("{}.{key}", self.name);
        self.json.get(key).map(|json| Field { json, name: name.clone() }).ok_or(CertificateFault::Field(name))
    }

    fn list(&self) -> Result<impl Iterator<Item = Field<'_>>, CertificateFault> {
        let items = self.json.as_list().ok_or_else(|| self.fault())?;
        Ok(items.iter().enumerate().map(|(i, json)| Field { json, name: format!("{}[{i}]", self.name) }))
    }

    fn text(&self) -> Result<String, CertificateFault> {
        self.json.as_text().map(str::to_owned).ok_or_else(|| self.fault())
    }

    fn count(&self) -> Result<u64, CertificateFault> {
        self.json.as_int().and_then(|i| u64::try_from(i).ok()).ok_or_else(|| self.fault())
    }

    /// `{"sha256": "…"}`.
    fn sha256(&self) -> Result<Digest, CertificateFault> {
        let field = self.get("sha256")?;
        Digest::parse(&field.text()?).map_err(|_| field.fault())
    }

    /// `{"digest": {"sha256": "…"}}`.
    fn digest(&self) -> Result<Digest, CertificateFault> {
        self.get("digest")?.sha256()
    }
}

fn read_sources(field: &Field<'_>) -> Result<Vec<BoundSource>, CertificateFault> {
    let read = |source: Field<'_>| {
        Ok(BoundSource {
            name: source.get("name")?.text()?,
            old: source.get("old")?.sha256()?,
            new: source.get("new")?.sha256()?,
        })
    };
    let sources = field.list()?.map(read).collect::<Result<Vec<_>, _>>()?;
    let repeated = (1..sources.len()).any(|i| sources[..i].iter().any(|s| s.name == sources[i].name));
    if sources.is_empty() || sources.len() > limits::CERTIFIED_SOURCES || repeated {
        return Err(field.fault());
    }
    Ok(sources)
}

/// All 2^k cells, each in its place.
fn read_cells(field: &Field<'_>, names: &[String]) -> Result<Vec<String>, CertificateFault> {
    let mut cells = Vec::new();
    for (m, cell) in (0..).zip(field.list()?) {
        let replaced = cell.get("replaced")?;
        if read_mask(&replaced, names)? != Mask(m) {
            return Err(replaced.fault());
        }
        cells.push(cell.get("verdict")?.text()?);
    }
    if cells.len() != 1 << names.len() {
        return Err(field.fault());
    }
    Ok(cells)
}

fn read_mask(field: &Field<'_>, names: &[String]) -> Result<Mask, CertificateFault> {
    let mut mask = Mask::EMPTY;
    for item in field.list()? {
        let name = item.text()?;
        let index = names.iter().position(|n| *n == name).ok_or_else(|| item.fault())?;
        mask = Mask(mask.0 | Mask::single(index).0);
    }
    Ok(mask)
}

fn read_masks(field: &Field<'_>, names: &[String]) -> Result<Vec<Mask>, CertificateFault> {
    field.list()?.map(|item| read_mask(&item, names)).collect()
}

fn read_proofs(field: &Field<'_>, names: &[String]) -> Result<Vec<MinimalityProof>, CertificateFault> {
    let read = |proof: Field<'_>| {
        let member = read_mask(&proof.get("member")?, names)?;
        let subsets = proof.get("subsets")?;
        let subsets = subsets
            .list()?
            .map(|cell| Ok((read_mask(&cell.get("replaced")?, names)?, cell.get("verdict")?.text()?)))
            .collect::<Result<Vec<_>, CertificateFault>>()?;
        Ok(MinimalityProof { member, subsets })
    };
    field.list()?.map(read).collect()
}

fn read_time(predicate: &Field<'_>) -> Result<Option<Time>, CertificateFault> {
    if predicate.json.get("time").is_none() {
        return Ok(None);
    }
    let field = predicate.get("time")?;
    Time::parse(&field.text()?).map(Some).ok_or_else(|| field.fault())
}
