//! The one pipeline of the judgment wing: bytes → case → cube → receipt family → certificate. The command line and the
//! window both call it; neither has a pipeline of its own.

use super::adjudicator::{Adjudicator, Executed};
use super::case::{self, Artifacts, Case, CaseError, CaseFault, Engine};
use super::result::{Judgment, Obtained, Outcome};
use super::source::Mask;
use super::trace::Trace;
use super::{logic, receipt, rules, table};
use crate::limits::WORK;
use crate::seal::canon::{Document, read_input};
use crate::watch::{Budget, Cancelled, Spent, Watch};

/// What is worth keeping from case to case: conditions that were parsed and type-checked once; with the budget of each case.
/// One per thread.
#[derive(Debug)]
pub struct Compiler {
    conditions: rules::Cache,
    budget: u64,
}

impl Default for Compiler {
    fn default() -> Self {
        Self::with_budget(WORK)
    }
}

impl Compiler {
    /// Another budget than [`WORK`]. It decides whether there is a result, never which one.
    #[must_use]
    pub fn with_budget(steps: u64) -> Self {
        Self { conditions: rules::Cache::default(), budget: steps }
    }
}

/// Why a case could not be judged.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WalkError {
    /// A body or a condition is not what the engine reads; [`case::place_of`] tells line and column.
    #[error("{0}")]
    Case(CaseFault),
    /// The case takes more work than it may.
    #[error(
        "the case takes more than its budget of {} steps of work: {} were spent with {} of {} hybrids done",
        .0.budget, .0.steps, .0.done, .0.total
    )]
    Budget(Spent),
    /// The watch asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<CaseFault> for WalkError {
    fn from(fault: CaseFault) -> Self {
        Self::Case(fault)
    }
}

/// Reads a case from the bytes of a file and the files it refers to (see [`case::references`]).
///
/// # Errors
/// [`CaseError`] with file, line and column.
pub fn open_case(file: &str, bytes: &[u8], artifacts: &Artifacts) -> Result<Case, CaseError> {
    case_from_document(file, bytes, read_input(file, bytes)?, artifacts)
}

/// Reads a case from a document that the strict reader already passed.
///
/// # Errors
/// [`CaseError`] with file, line and column.
pub fn case_from_document(
    file: &str,
    bytes: &[u8],
    document: Document,
    artifacts: &Artifacts,
) -> Result<Case, CaseError> {
    case::read(file, bytes, document, artifacts)
}

/// Executes every hybrid of a case and derives the complete receipt family.
///
/// # Errors
/// [`WalkError`]; an uncertifiable case is a result, not an error.
pub fn judge(case: &Case, compiler: &mut Compiler, watch: &dyn Watch) -> Result<Judgment, WalkError> {
    let budget = Budget::new(compiler.budget, watch);
    let engine = prepare(case, compiler)?;
    let executed = engine.execute(&budget);
    let Executed { cube, faults, executed } = executed.map_err(|cancelled| match budget.exceeded() {
        Some(spent) => WalkError::Budget(spent),
        None => WalkError::Cancelled(cancelled),
    })?;
    let (old, new) = cube.endpoints();
    let outcome = match new {
        Some(target) if cube.is_complete() => {
            if old == new {
                Outcome::Stable
            } else {
                Outcome::Changed(receipt::minimal_family(&cube, target))
            }
        }
        _ => Outcome::Uncertifiable,
    };
    let obtained = if case.engine() == Engine::Table { Obtained::Recorded } else { Obtained::Executed };
    Ok(Judgment {
        case: case.id().to_owned(),
        digest: case.digest(),
        sources: case.names(),
        labels: case.labels().clone(),
        obtained,
        cube,
        outcome,
        faults,
        executed,
        remarks: engine.remarks().to_vec(),
    })
}

/// Executes one hybrid by plain interpretation and accounts for every step.
///
/// # Errors
/// [`WalkError::Case`] where the case cannot be judged at all.
pub fn trace(case: &Case, compiler: &mut Compiler, cell: Mask) -> Result<Trace, WalkError> {
    Ok(prepare(case, compiler)?.trace(cell))
}

fn prepare<'c>(case: &'c Case, compiler: &mut Compiler) -> Result<Box<dyn Adjudicator + 'c>, CaseFault> {
    Ok(match case.engine() {
        Engine::Rules => Box::new(rules::prepare(case, &mut compiler.conditions)?),
        Engine::Logic => Box::new(logic::prepare(case)?),
        Engine::Table => Box::new(table::prepare(case)?),
    })
}
