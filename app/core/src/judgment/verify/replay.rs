//! The checks that recompute: family, minimality and counts from the cells, digests and cells from the case.

use super::super::case::{Case, Engine};
use super::super::certificate::Certificate;
use super::super::cube::Cube;
use super::super::receipt::minimal_family;
use super::super::result::{Family, Judgment, Obtained};
use super::super::same_state::contradictions;
use super::super::source::{Mask, Version};
use super::super::verdict::Labels;
use super::super::walk::{self, Compiler, WalkError};
use crate::seal::check::Answer;
use crate::seal::digest::Digest;
use crate::watch::{Cancelled, Watch};

/// The family that the stated cells imply; empty when the endpoints agree.
fn implied_family(certificate: &Certificate) -> Result<Family, String> {
    let mut words = certificate.cells.clone();
    words.sort();
    words.dedup();
    let labels = Labels::new(words).map_err(|_| "the cells hold an illegible label, or too many labels")?;
    let cells = certificate.cells.iter().map(|word| labels.verdict(word)).collect();
    let cube = Cube::new(certificate.sources.len(), cells).ok_or("the cells are no cube")?;
    Ok(match cube.endpoints() {
        (old, Some(new)) if old != Some(new) => minimal_family(&cube, new),
        _ => Family::default(),
    })
}

/// Most receipts that an answer names.
const NAMED: usize = 16;

/// The stated family is the one that follows from the stated cells.
pub(super) fn family(certificate: &Certificate) -> Answer {
    let names = certificate.names();
    let show = |masks: &[Mask]| {
        let sets: Vec<String> = masks.iter().take(NAMED).map(|m| m.braces(&names)).collect();
        let more = masks.len() - sets.len();
        match (sets.len(), more) {
            (0, _) => "no receipt".to_owned(),
            (_, 0) => sets.join(" | "),
            (_, more) => format!("{} | and {more} more", sets.join(" | ")),
        }
    };
    consistent(certificate)?;
    let implied = implied_family(certificate)?;
    if implied.members() == certificate.receipts {
        return Ok(match implied.multiplicity() {
            0 => "stable endpoints, no receipt owed".to_owned(),
            n => format!("{n} of {n} receipts follow from the cells: {}", show(implied.members())),
        });
    }
    Err(format!("the cells imply {}, the certificate states {}", show(implied.members()), show(&certificate.receipts)))
}

/// The cells do not contradict the bound sources: hybrids that differ only in sources with equal versions are one state.
/// A declared step may bring one version under the interface and leave the other; then equal bytes are no equal state.
fn consistent(certificate: &Certificate) -> Result<(), String> {
    if certificate.engine != Engine::Table.word() && certificate.compatibility != Digest::of(b"[]") {
        return Ok(());
    }
    let same = certificate.sources.iter().enumerate().filter(|(_, source)| source.old == source.new);
    let unchanged = same.fold(Mask::EMPTY, |mask, (i, _)| Mask(mask.0 | Mask::single(i).0));
    let Some([first, second]) = contradictions(unchanged, &certificate.cells).next() else { return Ok(()) };
    let names = certificate.names();
    let word = |cell: Mask| certificate.cells.get(cell.0 as usize).map_or("?", String::as_str);
    Err(format!(
        "the cells contradict the sources: {} has equal versions, so {} ({}) and {} ({}) are one input with two verdicts",
        Mask(first.0 ^ second.0).braces(&names),
        first.label(&names),
        word(first),
        second.label(&names),
        word(second),
    ))
}

/// Every strict subset of every receipt is listed with its verdict, and none reproduces the new verdict. Only for a family
/// that follows from the cells: what follows from a claimed one has no bound. Nothing is listed a second time here.
pub(super) fn minimality(certificate: &Certificate) -> Answer {
    let (receipts, proofs, cells) = (&certificate.receipts, &certificate.minimality, &certificate.cells);
    let subsets: u64 = receipts.iter().map(|m| (1 << m.len()) - 1).sum();
    let listed: u64 = proofs.iter().map(|p| p.subsets.len() as u64).sum();
    if (receipts.len(), subsets) != (proofs.len(), listed) {
        return Err(format!(
            "the minimality proof of {} receipts has {subsets} strict subsets; that of {} with {listed} is stated",
            receipts.len(),
            proofs.len()
        ));
    }
    let new = cells.last();
    for (&receipt, proof) in receipts.iter().zip(proofs) {
        let at = || receipt.braces(&certificate.names());
        if proof.member != receipt {
            return Err(format!("the proof of receipt {} is not in its place", at()));
        }
        let mut owed = receipt.strict_subsets();
        let follows = |(mask, label): &(Mask, String)| {
            owed.next() == Some(*mask) && cells.get(mask.0 as usize) == Some(label) && Some(label) != new
        };
        if !proof.subsets.iter().all(follows) {
            return Err(format!("the minimality proof of receipt {} does not follow from the cells", at()));
        }
    }
    Ok(format!("{subsets} of {subsets} strict subsets fail to reproduce the new verdict"))
}

/// Status, provenance word and counts agree with the cells.
pub(super) fn counts(certificate: &Certificate) -> Answer {
    let status = if certificate.cells.first() == certificate.cells.last() { "stable" } else { "changed" };
    if certificate.status != status {
        return Err(format!("the endpoints are {status}, the certificate states `{}`", certificate.status));
    }
    let recorded = certificate.engine == Engine::Table.word();
    let obtained = if recorded { "recorded" } else { "executed" };
    if certificate.obtained != obtained {
        let engine = &certificate.engine;
        return Err(format!(
            "engine `{engine}` gives {obtained} cells, the certificate states `{}`",
            certificate.obtained
        ));
    }
    let executed = if recorded { 0 } else { certificate.cells.len() as u64 };
    if certificate.executed != executed {
        return Err(format!("{executed} hybrids are owed, the certificate counts {}", certificate.executed));
    }
    Ok(format!("{status}; {} cells {obtained}", certificate.cells.len()))
}

/// The case in hand is the one that was bound.
pub(super) fn case_binding(certificate: &Certificate, case: &Case) -> Answer {
    if certificate.case_id != case.id() {
        return Err(format!(
            "the certificate is for case `{}`, the case in hand is `{}`",
            certificate.case_id,
            case.id()
        ));
    }
    if certificate.case == case.digest() {
        return Ok(format!("case `{}` is {}", case.id(), case.digest()));
    }
    Err(format!("case `{}` is {}, the certificate binds {}", case.id(), case.digest(), certificate.case))
}

/// Both versions of every source are those that were bound.
pub(super) fn source_binding(certificate: &Certificate, case: &Case) -> Answer {
    if certificate.names() != case.names() {
        return Err(format!(
            "the certificate binds sources {}, the case declares {}",
            certificate.names().join(", "),
            case.names().join(", ")
        ));
    }
    for (bound, source) in certificate.sources.iter().zip(case.sources()) {
        for version in Version::BOTH {
            let (stated, found) = (bound.version(version), source.version(version).digest);
            if stated != found {
                return Err(format!("{}.{} is {found}, the certificate binds {stated}", bound.name, version.word()));
            }
        }
    }
    let n = 2 * certificate.sources.len();
    Ok(format!("{n} of {n} source versions are those that were bound"))
}

/// Interface, adjudicator and compatibility map are those that were bound.
pub(super) fn contract_binding(certificate: &Certificate, case: &Case) -> Answer {
    let pairs = [
        ("interface", certificate.interface, case.interface_digest()),
        ("adjudicator", certificate.adjudicator, case.adjudicator_digest()),
        ("compatibility map", certificate.compatibility, case.compatibility_digest()),
    ];
    for (name, stated, found) in pairs {
        if stated != found {
            return Err(format!("the {name} is {found}, the certificate binds {stated}"));
        }
    }
    if certificate.engine != case.engine().word() {
        return Err(format!(
            "the case names engine `{}`, the certificate `{}`",
            case.engine().word(),
            certificate.engine
        ));
    }
    Ok("interface, adjudicator and compatibility map are those that were bound".to_owned())
}

/// What became of a replay.
pub(super) enum Replay {
    /// It ran.
    Done(Answer),
    /// It takes more work than it may.
    Budget(String),
}

/// Executes every hybrid again and compares cell by cell.
pub(super) fn replay(
    certificate: &Certificate,
    case: &Case,
    compiler: &mut Compiler,
    watch: &dyn Watch,
) -> Result<Replay, Cancelled> {
    let judgment = match walk::judge(case, compiler, watch) {
        Ok(judgment) => judgment,
        Err(WalkError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error @ WalkError::Budget(_)) => return Ok(Replay::Budget(error.to_string())),
        Err(WalkError::Case(fault)) => return Ok(Replay::Done(Err(format!("the case cannot be executed: {fault}")))),
    };
    Ok(Replay::Done(compare(certificate, &judgment)))
}

fn compare(certificate: &Certificate, judgment: &Judgment) -> Answer {
    let total = certificate.cells.len();
    let masks = (0..total as u32).map(Mask);
    let differing: Vec<Mask> =
        masks.filter(|&m| judgment.word(m) != certificate.cells.get(m.0 as usize).map(String::as_str)).collect();
    let Some(&first) = differing.first() else {
        let how = if certificate.executed == 0 { "recorded, not executed; the record agrees" } else { "replay agrees" };
        return Ok(format!("{how} ({total}/{total} cells)"));
    };
    Err(format!(
        "{} of {total} cells differ; first at {}: {} {}, certified {}",
        differing.len(),
        first.label(&judgment.sources),
        judgment.obtained.word(),
        judgment.word(first).unwrap_or(match judgment.obtained {
            Obtained::Executed => "nothing (the hybrid cannot run)",
            Obtained::Recorded => "nothing (the record contradicts itself)",
        }),
        certificate.cells.get(first.0 as usize).map_or("nothing", String::as_str),
    ))
}
