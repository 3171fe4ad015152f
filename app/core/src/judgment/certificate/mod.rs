//! The certificate: the executed table, the minimality computation, and digests that bind everything the verdict
//! depends on (docs/theory.md §1.4, docs/formats/certificate.md). A prediction is another type with another predicate
//! and never becomes one.

use super::case::Case;
use super::result::{Judgment, Obtained, Outcome};
use super::source::{Mask, Version};
use crate::limits;
use crate::seal::digest::Digest;
use crate::seal::dsse::SIGNATURES;
use crate::seal::predicate::Kind;
pub use crate::seal::time::Time;

mod read;
#[cfg(test)]
mod tests;
mod write;

pub use crate::seal::predicate::CertificateFault;

/// Predicate type of a judgment certificate.
pub const PREDICATE: &str = "https://decidendi.dev/judgment-receipt/v1";
/// How a judgment certificate is told.
pub const KIND: Kind =
    Kind { predicate: PREDICATE, family: "https://decidendi.dev/judgment-receipt/v", name: "judgment certificate" };

/// Bytes of a listed cell beside its names and its label.
const ENTRY: usize = 32;
/// Bytes that a byte of a label takes at most when it is escaped.
const ESCAPED: usize = 6;
/// Bytes of an envelope beside its payload: as many signatures as a reader accepts.
const ENVELOPE: usize = 256 * (SIGNATURES + 1);

/// Digests of the two versions of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundSource {
    /// The source's name.
    pub name: String,
    /// Digest of the old body.
    pub old: Digest,
    /// Digest of the new body.
    pub new: Digest,
}

impl BoundSource {
    /// Digest of one version.
    #[must_use]
    pub const fn version(&self, version: Version) -> Digest {
        match version {
            Version::Old => self.old,
            Version::New => self.new,
        }
    }
}

/// Proof that a receipt is minimal: the verdict of each of its strict subsets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinimalityProof {
    /// The receipt.
    pub member: Mask,
    /// Its strict subsets with their labels, ascending by mask.
    pub subsets: Vec<(Mask, String)>,
}

/// Content of a judgment certificate. As a value it claims; [`super::verify`] decides whether the claims hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The case's id.
    pub case_id: String,
    /// Digest of the whole resolved case.
    pub case: Digest,
    /// Digest of the interface.
    pub interface: Digest,
    /// The engine's word.
    pub engine: String,
    /// Version of the engine's semantics.
    pub engine_version: String,
    /// Digest of the adjudicator's declaration.
    pub adjudicator: Digest,
    /// Digest of the compatibility map.
    pub compatibility: Digest,
    /// Digests of every source version, in declared order.
    pub sources: Vec<BoundSource>,
    /// `executed` or `recorded`.
    pub obtained: String,
    /// Labels of all 2^k cells in mask order.
    pub cells: Vec<String>,
    /// `changed` or `stable`.
    pub status: String,
    /// The receipt family in canonical order.
    pub receipts: Vec<Mask>,
    /// One proof per receipt, in the same order.
    pub minimality: Vec<MinimalityProof>,
    /// Hybrids executed.
    pub executed: u64,
    /// Name of the tool that bound it.
    pub tool: String,
    /// Its version.
    pub tool_version: String,
    /// A declared time, `YYYY-MM-DDTHH:MM:SS.mmmZ`, if one was wanted.
    pub time: Option<Time>,
}

/// Why no certificate can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotCertifiable {
    /// At least one hybrid could not run.
    #[error(
        "uncertifiable under this interface: {missing} of {cells} hybrids could not run. Repair the faults listed, or declare a compatibility step."
    )]
    Incomplete {
        /// Hybrids without a verdict.
        missing: usize,
        /// All hybrids.
        cells: usize,
    },
    /// One state is recorded with two verdicts.
    #[error(
        "the record contradicts itself: {at_odds} of {cells} cells are one input with two verdicts. Correct the record; the faults name each pair of cells."
    )]
    Contradictory {
        /// Cells at odds with another.
        at_odds: usize,
        /// All cells.
        cells: usize,
    },
    /// The listed table or its proof would be larger than a reader accepts.
    #[error(
        "a certificate lists every cell and every minimality proof; this one would hold {entries} entries (limit {limit}, and at most 16 sources)"
    )]
    TooLarge {
        /// Cells and proof entries.
        entries: u64,
        /// The limit.
        limit: u64,
    },
    /// The signed file would be longer than a reader accepts.
    #[error(
        "the certificate would be a file of {bytes} bytes, more than the {max} that are read. Shorten the names of sources and verdicts, or declare fewer sources.",
        max = limits::DOCUMENT_BYTES
    )]
    TooLong {
        /// Bytes of the file, about.
        bytes: usize,
    },
    /// The judgment is of another case, or of an edited copy.
    #[error("the judgment is of another case, or of an edited copy of `{0}`; judge the case itself first")]
    OtherCase(String),
}

impl Certificate {
    /// Binds a judgment to its case.
    ///
    /// # Errors
    /// [`NotCertifiable`] where a hybrid could not run or the table is too large to list.
    pub fn bind(case: &Case, judgment: &Judgment, time: Option<Time>) -> Result<Self, NotCertifiable> {
        if judgment.digest != case.digest() {
            return Err(NotCertifiable::OtherCase(judgment.case.clone()));
        }
        let cells = judgment.cube.cells();
        let family = match &judgment.outcome {
            Outcome::Changed(family) => family.members().to_vec(),
            Outcome::Stable => Vec::new(),
            Outcome::Uncertifiable => {
                let missing = cells.iter().filter(|c| c.is_none()).count();
                return Err(match judgment.obtained {
                    Obtained::Executed => NotCertifiable::Incomplete { missing, cells: cells.len() },
                    Obtained::Recorded => NotCertifiable::Contradictory { at_odds: missing, cells: cells.len() },
                });
            }
        };
        let entries = family.iter().fold(cells.len() as u64, |sum, m| sum.saturating_add(1 << m.len()));
        let limit = 1 << (limits::CERTIFIED_SOURCES + 2);
        if entries > limit || case.k() > limits::CERTIFIED_SOURCES {
            return Err(NotCertifiable::TooLarge { entries, limit });
        }
        let most = case.sources().iter().map(|s| s.name.len() + 3).sum::<usize>() + ENTRY;
        let label = judgment.labels.words().iter().map(String::len).max().unwrap_or(0);
        let labels: Vec<String> = cells.iter().flatten().map(|&v| judgment.labels.word(v).to_owned()).collect();
        let certificate = Self {
            case_id: case.id().to_owned(),
            case: case.digest(),
            interface: case.interface_digest(),
            engine: case.engine().word().to_owned(),
            engine_version: case.engine().version().to_owned(),
            adjudicator: case.adjudicator_digest(),
            compatibility: case.compatibility_digest(),
            sources: case
                .sources()
                .iter()
                .map(|s| BoundSource { name: s.name.clone(), old: s.old.digest, new: s.new.digest })
                .collect(),
            obtained: judgment.obtained.word().to_owned(),
            minimality: prove(&family, &labels),
            cells: labels,
            status: judgment.outcome.word().to_owned(),
            receipts: family,
            executed: judgment.executed,
            tool: "decidendi".to_owned(),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            time,
        };
        // Nearly every certificate is so small that its length need not be known.
        if (most + ESCAPED * label).saturating_mul(entries as usize) > limits::DOCUMENT_BYTES / 2 {
            let bytes = certificate.spelled().len() / 3 * 4 + ENVELOPE;
            if bytes > limits::DOCUMENT_BYTES {
                return Err(NotCertifiable::TooLong { bytes });
            }
        }
        Ok(certificate)
    }

    /// The sources' names in declared order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.sources.iter().map(|s| s.name.clone()).collect()
    }
}

/// Lists the verdict of every strict subset of every member.
pub(super) fn prove(family: &[Mask], cells: &[String]) -> Vec<MinimalityProof> {
    family
        .iter()
        .map(|&member| MinimalityProof {
            member,
            subsets: member
                .strict_subsets()
                .filter_map(|m| cells.get(m.0 as usize).map(|label| (m, label.clone())))
                .collect(),
        })
        .collect()
}
