//! From a signed statement back to a [`Certificate`].

use super::{BoundSource, Certificate, KIND, MinimalityProof};
use crate::judgment::result::Obtained;
use crate::judgment::source::{Mask, Version};
use crate::limits;
use crate::seal::certificate;
use crate::seal::predicate::{CertificateFault, Field, Kind, Owed, same_spelling, subjects_follow};
use crate::seal::statement::Statement;
use crate::seal::verification::Wing;

impl certificate::Certificate for Certificate {
    const KIND: Kind = KIND;
    const WING: Wing = Wing::Judgment;

    fn payload(&self) -> Vec<u8> {
        self.spelled()
    }

    fn id(&self) -> &str {
        &self.case_id
    }

    fn is_recorded(&self) -> bool {
        self.obtained == Obtained::Recorded.word()
    }

    fn read(statement: &Statement) -> Result<Self, CertificateFault> {
        KIND.check(statement)?;
        let predicate = Field::predicate(statement);
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
            time: predicate.time()?,
            sources,
        };
        subjects_follow(&certificate.subjects(), statement)?;
        same_spelling(&certificate.payload(), statement)?;
        Ok(certificate)
    }
}

impl Certificate {
    /// The artifacts that are bound, and the field that binds each.
    fn subjects(&self) -> Vec<Owed> {
        let versions = self.sources.iter().flat_map(|source| {
            let named = |version: Version| format!("{}.{}", source.name, version.word());
            Version::BOTH.map(|version| (named(version), source.version(version), "predicate.sources"))
        });
        std::iter::once(("case.json".to_owned(), self.case, "predicate.case")).chain(versions).collect()
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
