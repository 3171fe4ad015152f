//! Engine `table`: the verdict of every hybrid was recorded elsewhere and is taken as given (docs/formats/case.md C50,
//! C51). Nothing is executed, and the certificate says so.

use super::adjudicator::{Adjudicator, Executed};
use super::case::{Case, CaseFault};
use super::compat::refuse_steps;
use super::cube::Cube;
use super::source::Mask;
use super::trace::{Trace, TraceBody};
use super::verdict::Labels;
use crate::seal::json::JsonPath;
use crate::watch::{Cancelled, Watch};

/// A recorded cube.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    cube: Cube,
}

/// Reads the recorded cells of a case of engine `table`.
///
/// # Errors
/// [`CaseFault`] unless there is exactly one known label for every hybrid.
pub fn prepare(case: &Case) -> Result<Table, CaseFault> {
    refuse_steps(case, "engine `table` does not read")?;
    Table::read(case.k(), case.recorded(), case.labels())
}

impl Table {
    fn read(sources: usize, recorded: &[String], labels: &Labels) -> Result<Self, CaseFault> {
        let at = JsonPath::default().key("adjudicator").key("cells");
        let mut cells = Vec::with_capacity(recorded.len());
        for (i, word) in recorded.iter().enumerate() {
            let verdict = labels.verdict(word).ok_or_else(|| {
                let allowed: Vec<&str> = labels.words().iter().map(String::as_str).collect();
                CaseFault::word(at.at(i), word, &allowed)
            })?;
            cells.push(Some(verdict));
        }
        let given = cells.len();
        let cube = Cube::new(sources, cells).ok_or_else(|| {
            let wanted = u32::try_from(sources).ok().and_then(|k| 1_u64.checked_shl(k)).unwrap_or(u64::MAX);
            let what = format!("{given} cells are recorded, {sources} sources have {wanted} hybrids");
            CaseFault::new(at, what, "Give one label for every hybrid, in mask order.")
        })?;
        Ok(Self { cube })
    }
}

impl Adjudicator for Table {
    fn execute(&self, _: &dyn Watch) -> Result<Executed, Cancelled> {
        Ok(Executed { cube: self.cube.clone(), faults: Vec::new(), executed: 0 })
    }

    fn trace(&self, cell: Mask) -> Trace {
        // A mask beyond the cube names no hybrid: there is no verdict, and no fault of a source either.
        let outcome = self.cube.cell(cell).ok_or_else(Vec::new);
        Trace { cell, outcome, body: TraceBody::Recorded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgment::verdict::Verdict;
    use crate::watch::Unwatched;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn recorded_cells_are_taken_in_mask_order_and_nothing_is_executed() {
        let labels = Labels::default();
        let table = Table::read(2, &words("deny approve refer approve"), &labels).expect("a table");
        let Executed { cube, faults, executed } = table.execute(&Unwatched).expect("not cancelled");
        let cells: Vec<_> = cube.cells().iter().flatten().map(|&v| labels.word(v)).collect();
        assert_eq!(cells, ["deny", "approve", "refer", "approve"]);
        assert_eq!((faults.len(), executed), (0, 0));
        let trace = table.trace(Mask(2));
        assert_eq!(trace.outcome, Ok(Verdict::from_index(2).expect("refer")));
        assert_eq!(trace.body, TraceBody::Recorded);
        assert_eq!(table.trace(Mask(77)).outcome, Err(Vec::new()));
    }

    #[test]
    fn the_number_of_cells_must_fit_the_sources() {
        let fault = Table::read(3, &words("deny approve"), &Labels::default()).expect_err("two cells");
        assert_eq!(
            fault.to_string(),
            "adjudicator.cells: 2 cells are recorded, 3 sources have 8 hybrids. \
             Give one label for every hybrid, in mask order."
        );
        assert!(Table::read(1, &[], &Labels::default()).is_err());
        assert!(Table::read(usize::MAX, &words("deny"), &Labels::default()).is_err());
    }

    #[test]
    fn an_unknown_label_is_named_with_its_place() {
        let fault = Table::read(1, &words("deny perhaps"), &Labels::default()).expect_err("an unknown label");
        assert_eq!(
            fault.to_string(),
            "adjudicator.cells[1]: `perhaps` is not known here. Use one of: approve, deny, refer."
        );
    }
}
