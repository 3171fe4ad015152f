//! Opening one case, tracing a hybrid, judging the sandbox, exchanging old and new.

use std::sync::Arc;

use decidendi_core::judgment::case::Case;
use decidendi_core::judgment::result::{Judgment, Outcome as Result_};
use decidendi_core::judgment::sandbox::Sandbox;
use decidendi_core::judgment::source::{Mask, Version};
use decidendi_core::judgment::walk::{self, Compiler, WalkError};
use decidendi_core::seal::json::{Json, JsonPath};

use crate::desk::jobs::{Answer, Handle};
use crate::wings::judgment::answer::{CaseReady, JudgmentAnswer};
use crate::wings::judgment::state::Library;

/// Reads, executes and traces a case.
pub fn open(library: &Library, row: usize, cell: Option<Mask>, handle: &Handle) -> Answer {
    let mut compiler = Compiler::default();
    let loaded = match library.case(row) {
        Ok(loaded) => loaded,
        Err(why) => return JudgmentAnswer::CaseFailed(row, why).into(),
    };
    let judgment = match loaded.judge(&mut compiler, handle) {
        Ok(judgment) => judgment,
        Err(why) => return JudgmentAnswer::CaseFailed(row, why).into(),
    };
    if handle.is_cancelled() {
        return Answer::Cancelled;
    }
    let case = loaded.into_case();
    let cell = cell.filter(|c| c.is_subset_of(Mask::full(case.k()))).unwrap_or_else(|| first_cell(&judgment));
    match walk::trace(&case, &mut compiler, cell) {
        Ok(trace) => JudgmentAnswer::Case(CaseReady {
            row,
            case: Arc::new(case),
            judgment: Arc::new(judgment),
            trace: Arc::new(trace),
        })
        .into(),
        Err(why) => JudgmentAnswer::CaseFailed(row, why.to_string()).into(),
    }
}

/// The hybrid worth looking at first: the first receipt; else the revised endpoint; where a hybrid could not run, that.
#[must_use]
pub fn first_cell(judgment: &Judgment) -> Mask {
    match &judgment.outcome {
        Result_::Changed(family) => family.members().first().copied().unwrap_or(Mask::EMPTY),
        Result_::Stable => Mask::full(judgment.sources.len()),
        Result_::Uncertifiable => judgment.faults.first().map_or(Mask::EMPTY, |f| f.cell),
    }
}

/// Traces one hybrid.
pub fn trace(case: &Case, cell: Mask) -> Answer {
    match walk::trace(case, &mut Compiler::default(), cell) {
        Ok(trace) => JudgmentAnswer::Trace(Arc::new(trace), false).into(),
        Err(why) => Answer::Failed(why.to_string()),
    }
}

/// Traces one hybrid of the sandbox.
pub fn trace_sandbox(sandbox: &Sandbox, cell: Mask) -> Answer {
    match sandbox.trace(&mut Compiler::default(), cell) {
        Ok(trace) => JudgmentAnswer::Trace(Arc::new(trace), true).into(),
        Err(why) => Answer::Failed(why.to_string()),
    }
}

/// Edits a value of the sandbox, executes it and traces the selected hybrid.
pub fn edit(sandbox: &Sandbox, edit: Option<(usize, Version, JsonPath, Json)>, cell: Mask, handle: &Handle) -> Answer {
    let mut edited = sandbox.clone();
    if let Some((source, version, path, value)) = edit
        && let Err(why) = edited.edit(source, version, &path, value)
    {
        return JudgmentAnswer::Sandbox(Err(why.to_string())).into();
    }
    let mut compiler = Compiler::default();
    let judgment = match edited.judge(&mut compiler, handle) {
        Ok(judgment) => judgment,
        Err(WalkError::Cancelled(_)) => return Answer::Cancelled,
        Err(why) => return JudgmentAnswer::Sandbox(Err(why.to_string())).into(),
    };
    match edited.trace(&mut compiler, cell) {
        Ok(trace) => JudgmentAnswer::Sandbox(Ok((Arc::new(edited), Arc::new(judgment), Arc::new(trace)))).into(),
        Err(why) => JudgmentAnswer::Sandbox(Err(why.to_string())).into(),
    }
}

/// Exchanges old and new for looking.
pub fn swap(case: &Case, handle: &Handle) -> Answer {
    let mut compiler = Compiler::default();
    let swapped = match case.swapped() {
        Ok(swapped) => swapped,
        Err(why) => return Answer::Failed(why.to_string()),
    };
    let judgment = match walk::judge(&swapped, &mut compiler, handle) {
        Ok(judgment) => judgment,
        Err(WalkError::Cancelled(_)) => return Answer::Cancelled,
        Err(why) => return Answer::Failed(why.to_string()),
    };
    match walk::trace(&swapped, &mut compiler, first_cell(&judgment)) {
        Ok(trace) => JudgmentAnswer::Swapped(Arc::new(swapped), Arc::new(judgment), Arc::new(trace)).into(),
        Err(why) => Answer::Failed(why.to_string()),
    }
}
