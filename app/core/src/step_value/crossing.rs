//! Readout by stack, as far as the vertices of a bridge observe it: three of four corners never identify an interaction
//! (L12), and with more readouts or stacks each pair of levels has an answer of its own.

use super::design::{Combination, Design, Difference, Factor, Identification, Solved};
use super::study::{Study, Vertex};

/// The interactions of readout and stack, one for each pair of readouts and each pair of stacks.
#[derive(Debug, Clone)]
pub struct Crossing {
    /// Readout and stack with the cells that vertices observe.
    pub design: Design,
    /// Each interaction with the answer: which readouts and which stacks it compares.
    pub interactions: Vec<([Difference; 2], Identification)>,
}

impl Crossing {
    /// What the vertices of a study cross; `None` where fewer than two readouts or stacks are.
    #[must_use]
    pub fn of(study: &Study) -> Option<Self> {
        let words = |vertex: &Vertex| {
            let channel = study.channels.get(vertex.alternative)?;
            Some([channel.readout.word().to_owned(), channel.stack.clone()])
        };
        let mut factors = ["readout", "stack"].map(|name| Factor { name: name.to_owned(), levels: Vec::new() });
        let mut observed: Vec<Combination> = Vec::new();
        for vertex in &study.bridge {
            let mut cell = Vec::new();
            for (factor, word) in factors.iter_mut().zip(words(vertex)?) {
                let level = factor.levels.iter().position(|level| *level == word).unwrap_or_else(|| {
                    factor.levels.push(word);
                    factor.levels.len() - 1
                });
                cell.push(level);
            }
            if !observed.contains(&cell) {
                observed.push(cell);
            }
        }
        let [readouts, stacks] = [&factors[0], &factors[1]].map(|factor| factor.levels.len());
        if readouts < 2 || stacks < 2 {
            return None;
        }
        let design = Design { factors: factors.to_vec(), observed, terms: None };
        let solved = Solved::of(&design)?;
        let mut interactions = Vec::new();
        for readout in pairs(0, readouts) {
            for stack in pairs(1, stacks) {
                let differences = [readout.clone(), stack];
                let found = solved.identify(&design.contrast(&differences));
                interactions.push((differences, found));
            }
        }
        Some(Self { design, interactions })
    }

    /// What an interaction compares: `joint → binary × one → two`.
    #[must_use]
    pub fn name(&self, differences: &[Difference]) -> String {
        let level = |difference: &Difference, at: usize| {
            let factor = self.design.factors.get(difference.factor);
            factor.and_then(|factor| factor.levels.get(at)).cloned().unwrap_or_default()
        };
        let parts = differences.iter().map(|d| format!("{} → {}", level(d, d.from), level(d, d.to)));
        parts.collect::<Vec<_>>().join(" × ")
    }
}

/// Every pair of a factor's levels, the later minus the earlier.
fn pairs(factor: usize, levels: usize) -> impl Iterator<Item = Difference> {
    (0..levels).flat_map(move |to| (0..to).map(move |from| Difference { factor, from, to }))
}
