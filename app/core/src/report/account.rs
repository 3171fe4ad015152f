//! The plain account: sentences that state executed facts and nothing else, each with the cells it rests on.

use super::{NOT_RUN, count, listed, plain};
use crate::judgment::case::Case;
use crate::judgment::result::{Family, Judgment, Obtained, Outcome};
use crate::judgment::sandbox::Sandbox;
use crate::judgment::source::Mask;
use crate::judgment::verdict::{Meaning, Verdict};

/// One sentence and the cells it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// The sentence.
    pub text: String,
    /// The cells that show it.
    pub cells: Vec<Mask>,
}

impl Sentence {
    fn new(text: String, cells: impl Into<Vec<Mask>>) -> Self {
        Self { text, cells: cells.into() }
    }

    /// The cells in brackets, as text cites them: `[∅, GN]`.
    #[must_use]
    pub fn citation(&self, names: &[String]) -> String {
        const SHOWN: usize = 8;
        let mut labels: Vec<String> = self.cells.iter().take(SHOWN).map(|c| c.label(names)).collect();
        if self.cells.len() > SHOWN {
            labels.push(format!("{} more", self.cells.len() - SHOWN));
        }
        if labels.is_empty() { String::new() } else { format!("[{}]", labels.join(", ")) }
    }
}

/// The account of a judged case.
#[must_use]
pub fn account(case: &Case, judgment: &Judgment) -> Vec<Sentence> {
    let teller = Teller { case, judgment };
    let mut sentences = vec![teller.endpoints()];
    match &judgment.outcome {
        Outcome::Changed(family) => {
            teller.receipts(family, &mut sentences);
            teller.failing(family, &mut sentences);
            teller.bystanders(family, &mut sentences);
        }
        Outcome::Stable => teller.stable(&mut sentences),
        Outcome::Uncertifiable => teller.uncertifiable(&mut sentences),
    }
    sentences.push(teller.origin());
    sentences
}

/// The account of a sandbox: the same sentences about its edited values.
#[must_use]
pub fn sandbox_account(sandbox: &Sandbox, judgment: &Judgment) -> Vec<Sentence> {
    account(sandbox.edited(), judgment)
}

struct Teller<'a> {
    case: &'a Case,
    judgment: &'a Judgment,
}

impl Teller<'_> {
    fn word(&self, cell: Mask) -> String {
        self.judgment.word(cell).map_or_else(|| NOT_RUN.to_owned(), |w| plain(w).into_owned())
    }

    fn names(&self, set: Mask) -> String {
        listed(&set.names(&self.judgment.sources))
    }

    fn full(&self) -> Mask {
        Mask::full(self.judgment.sources.len())
    }

    fn endpoints(&self) -> Sentence {
        let (old, new) = (self.word(Mask::EMPTY), self.word(self.full()));
        let text = match &self.judgment.outcome {
            Outcome::Changed(_) => {
                format!(
                    "With every source in its old version the verdict is {old}; with every source revised it is {new}."
                )
            }
            Outcome::Stable => format!("The verdict is {old} before and after the revision."),
            Outcome::Uncertifiable => {
                let said = |cell, word: &str| match self.judgment.word(cell) {
                    Some(_) => format!("the verdict is {word}"),
                    None => "there is no verdict".to_owned(),
                };
                let (old, new) = (said(Mask::EMPTY, &old), said(self.full(), &new));
                format!("With every source in its old version {old}; with every source revised {new}.")
            }
        };
        Sentence::new(text, [Mask::EMPTY, self.full()])
    }

    fn receipts(&self, family: &Family, out: &mut Vec<Sentence>) {
        const TOLD: usize = 6;
        for &member in family.members().iter().take(TOLD) {
            let (names, new, old) = (self.names(member), self.word(member), self.word(Mask::EMPTY));
            let text = if member.len() == 1 {
                format!("Replacing {names} alone gives {new}; without it the verdict is {old}.")
            } else {
                format!("Replacing {names} together gives {new}; replacing only a part of them does not.")
            };
            let mut cells = vec![member];
            cells.extend(member.strict_subsets());
            out.push(Sentence::new(text, cells));
        }
        let told = family.members().len().min(TOLD);
        if family.members().len() > told {
            let rest = family.members().len() - told;
            out.push(Sentence::new(format!("The family holds {}.", count(rest, "more minimal replacement")), []));
        }
        let text = if family.is_ambiguous() {
            format!(
                "Each of these {} minimal replacements is enough by itself, so no single one is the reason: the receipt is ambiguous.",
                family.multiplicity()
            )
        } else {
            "There is no other minimal replacement: this is the one receipt.".to_owned()
        };
        out.push(Sentence::new(text, family.members()));
    }

    fn failing(&self, family: &Family, out: &mut Vec<Sentence>) {
        const TOLD: usize = 4;
        let failing = self.judgment.non_monotone();
        for &cell in failing.iter().take(TOLD) {
            let Some(&inside) = family.members().iter().find(|r| r.is_subset_of(cell)) else { continue };
            let added = self.names(Mask(cell.0 & !inside.0));
            let text = format!(
                "More is not enough: with {added} replaced in addition to {} the verdict is {}, not {}.",
                self.names(inside),
                self.word(cell),
                self.word(self.full())
            );
            out.push(Sentence::new(text, [inside, cell]));
        }
        if failing.len() > TOLD {
            let rest = failing.len() - TOLD;
            let text = format!(
                "{} of a receipt {} too.",
                count(rest, "more superset"),
                if rest == 1 { "fails" } else { "fail" }
            );
            out.push(Sentence::new(text, &failing[TOLD..]));
        }
    }

    /// Sources that are in no receipt.
    fn bystanders(&self, family: &Family, out: &mut Vec<Sentence>) {
        let used = family.members().iter().fold(0, |all, m| all | m.0);
        for (i, source) in self.case.sources().iter().enumerate() {
            if used >> i & 1 == 1 {
                continue;
            }
            let text = if !source.is_changed() && !self.is_inert(i) {
                // The same state has the same verdict, so the state is not the same: a step was declared for one version.
                format!(
                    "Both versions of {} are the same; the compatibility steps for one of them make a difference, though in no receipt.",
                    source.name
                )
            } else if !source.is_changed() {
                format!("The revision left {} as it was.", source.name)
            } else if self.is_inert(i) {
                format!("The revision of {} moves no cell.", source.name)
            } else {
                format!("The revision of {} is in no receipt, though it moves a cell.", source.name)
            };
            out.push(Sentence::new(text, self.moved(i)));
        }
    }

    fn stable(&self, out: &mut Vec<Sentence>) {
        out.push(Sentence::new("No receipt is owed, and none is given.".to_owned(), []));
        let referred =
            |cell: &Option<Verdict>| cell.is_some_and(|v| Meaning::of(self.judgment.labels.word(v)) == Meaning::Refer);
        if self.judgment.obtained == Obtained::Executed && self.judgment.cube.cells().iter().all(referred) {
            let text = "Every hybrid is refer: nothing was decided, before or after.";
            out.push(Sentence::new(text.to_owned(), []));
            return;
        }
        let old = self.judgment.cube.cell(Mask::EMPTY);
        let cells = self.judgment.cube.cells().iter().zip(0..);
        let hidden: Vec<Mask> = cells.filter(|&(&c, _)| c != old).map(|(_, m)| Mask(m)).collect();
        let changed: Vec<&str> =
            self.case.sources().iter().filter(|s| s.is_changed()).map(|s| s.name.as_str()).collect();
        if hidden.is_empty() {
            let text = if changed.is_empty() {
                "No source was changed.".to_owned()
            } else {
                format!("The revision of {} moves no cell: it makes no difference to this case.", listed(&changed))
            };
            out.push(Sentence::new(text, []));
        } else {
            let text = format!(
                "The revisions cancel out: {} in between {} another verdict, first {} with {}.",
                count(hidden.len(), "hybrid"),
                if hidden.len() == 1 { "gives" } else { "give" },
                self.names(hidden[0]),
                self.word(hidden[0])
            );
            out.push(Sentence::new(text, hidden));
        }
    }

    fn uncertifiable(&self, out: &mut Vec<Sentence>) {
        let cells = self.judgment.cube.cells();
        let missing: Vec<Mask> = cells.iter().zip(0..).filter(|(c, _)| c.is_none()).map(|(_, m)| Mask(m)).collect();
        let text = match self.judgment.obtained {
            Obtained::Executed => format!(
                "{} of {} gave no verdict, so the case is uncertifiable under this interface: no receipt can be stated.",
                missing.len(),
                count(cells.len(), "hybrid")
            ),
            Obtained::Recorded => format!(
                "{} of {} are one input with another cell, yet recorded with another verdict: the record contradicts itself, and no receipt can be stated.",
                missing.len(),
                count(cells.len(), "cell")
            ),
        };
        out.push(Sentence::new(text, missing));
        if let Some(fault) = self.judgment.faults.iter().find(|f| !f.repair.is_empty()) {
            let text = "A declared compatibility step could repair it; the faults name the smallest one.".to_owned();
            out.push(Sentence::new(text, [fault.cell]));
        }
    }

    fn origin(&self) -> Sentence {
        let cells = self.judgment.cube.cells().len();
        let text = match self.judgment.obtained {
            Obtained::Executed => format!(
                "{} of {} executed by engine {}; nothing is predicted.",
                self.judgment.executed,
                if cells == 1 { "1 hybrid was".to_owned() } else { format!("{cells} hybrids were") },
                self.case.engine().word()
            ),
            Obtained::Recorded => {
                format!("The {cells} verdicts were recorded elsewhere and taken as given; they were not executed here.")
            }
        };
        Sentence::new(text, [])
    }

    fn is_inert(&self, source: usize) -> bool {
        self.moved(source).is_empty()
    }

    /// Cells whose verdict differs from the one with this source flipped; the first pair only, it is what a reader looks at.
    fn moved(&self, source: usize) -> Vec<Mask> {
        let cube = &self.judgment.cube;
        let lower = (0..cube.cells().len() as u32).map(Mask).filter(|m| !m.contains(source));
        let pair = lower.map(|m| [m, m.toggled(source)]).find(|[a, b]| cube.cell(*a) != cube.cell(*b));
        pair.map(Vec::from).unwrap_or_default()
    }
}
