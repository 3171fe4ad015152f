//! Engine `table`: the verdict of every hybrid was recorded elsewhere and is taken as given (docs/formats/case.md C50,
//! C51). Nothing is executed, and the certificate says so.

use super::adjudicator::{Adjudicator, Executed};
use super::case::{Case, CaseFault};
use super::compat::refuse_steps;
use super::cube::Cube;
use super::result::{Fault, Stage};
use super::same_state::contradictions;
use super::source::Mask;
use super::trace::{Trace, TraceBody};
use super::verdict::Labels;
use crate::limits::FAULTS;
use crate::seal::json::JsonPath;
use crate::watch::{Cancelled, Watch};

/// A recorded cube. Cells of one state that are recorded with different verdicts are empty: nobody knows which holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    cube: Cube,
    faults: Vec<Fault>,
}

/// Reads the recorded cells of a case of engine `table`.
///
/// # Errors
/// [`CaseFault`] unless there is exactly one known label for every hybrid.
pub fn prepare(case: &Case) -> Result<Table, CaseFault> {
    refuse_steps(case, "engine `table` does not read")?;
    let table = Table::read(case.k(), case.recorded(), case.labels())?;
    let same = case.sources().iter().enumerate().filter(|(_, source)| !source.is_changed());
    let unchanged = same.fold(Mask::EMPTY, |mask, (i, _)| Mask(mask.0 | Mask::single(i).0));
    Ok(table.without_contradictions(unchanged, &case.names(), case.labels()))
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
        Ok(Self { cube, faults: Vec::new() })
    }

    /// Empties the cells in which the record contradicts itself. `unchanged` are the sources with equal versions.
    fn without_contradictions(self, unchanged: Mask, names: &[String], labels: &Labels) -> Self {
        let recorded = self.cube.cells();
        let word = |cell: Mask| self.cube.cell(cell).map_or("?", |verdict| labels.word(verdict));
        let mut cells = None;
        let mut faults = Vec::new();
        for [cell, rival] in contradictions(unchanged, recorded) {
            cells.get_or_insert_with(|| recorded.to_vec())[cell.0 as usize] = None;
            if faults.len() == FAULTS {
                continue;
            }
            let (first, second) = (cell.min(rival), cell.max(rival));
            let sources: Vec<String> = Mask(cell.0 ^ rival.0).names(names).iter().map(|n| format!("`{n}`")).collect();
            let reason = format!(
                "the record contradicts itself: {} {} the same in both versions, so {} ({}) and {} ({}) are one input with two verdicts. \
                 Correct the cells, or record the versions that were run",
                sources.join(" and "),
                if sources.len() == 1 { "is" } else { "are" },
                first.label(names),
                word(first),
                second.label(names),
                word(second),
            );
            let stage = Stage::Execution;
            faults.push(Fault { cell, source: None, field: None, reason, stage, repair: Vec::new(), place: None });
        }
        match cells.and_then(|cells| Cube::new(names.len(), cells)) {
            Some(cube) => Self { cube, faults },
            None => self,
        }
    }
}

impl Adjudicator for Table {
    fn execute(&self, _: &dyn Watch) -> Result<Executed, Cancelled> {
        Ok(Executed { cube: self.cube.clone(), faults: self.faults.clone(), executed: 0 })
    }

    fn trace(&self, cell: Mask) -> Trace {
        // A mask beyond the cube names no hybrid: there is no verdict, and no fault of a source either.
        let faults = || self.faults.iter().filter(|fault| fault.cell == cell).cloned().collect();
        let outcome = self.cube.cell(cell).ok_or_else(faults);
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
    fn one_state_with_two_verdicts_has_none() {
        let labels = Labels::default();
        let names: Vec<String> = words("model prompt judge");
        let cells = "deny deny refer approve deny deny refer refer";
        let table = Table::read(3, &words(cells), &labels).expect("a table");
        let table = table.without_contradictions(Mask(0b101), &names, &labels);
        let shown: Vec<_> = table.cube.cells().iter().map(|c| c.map_or("-", |v| labels.word(v))).collect();
        assert_eq!(shown, ["deny", "deny", "-", "-", "deny", "deny", "-", "-"]);
        let told: Vec<_> = table.faults.iter().map(|fault| (fault.cell.0, fault.reason.as_str())).collect();
        let one = |sources: &str, pair: &str| {
            format!(
                "the record contradicts itself: {sources} the same in both versions, so {pair} are one input with two verdicts. \
                 Correct the cells, or record the versions that were run"
            )
        };
        assert_eq!(told.len(), 4);
        assert_eq!(told[0], (2, one("`model` is", "P (refer) and MP (approve)").as_str()));
        assert_eq!(told[1], (3, one("`model` is", "P (refer) and MP (approve)").as_str()));
        assert_eq!(told[2], (6, one("`model` and `judge` are", "MP (approve) and PJ (refer)").as_str()));
        assert_eq!(told[3], (7, one("`judge` is", "MP (approve) and MPJ (refer)").as_str()));
        assert_eq!(table.trace(Mask(3)).outcome.map_err(|faults| faults.len()), Err(1));
        assert!(table.trace(Mask(1)).outcome.is_ok());
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
