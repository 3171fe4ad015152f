//! Which contrasts a factorial design with missing cells identifies: decided by exact rational rank, with a witness
//! where the answer is no (docs/theory.md §3.3, L12).

mod solve;

pub use solve::Solved;

use crate::exact::Rational;

/// A factor and its levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    /// Its name.
    pub name: String,
    /// Its levels; the first is the base level of the coding, which decides nothing.
    pub levels: Vec<String>,
}

/// A cell: one level of each factor, by position.
pub type Combination = Vec<usize>;

/// One difference of a contrast: a factor taken from one level to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The factor, by position.
    pub factor: usize,
    /// The level that is subtracted.
    pub from: usize,
    /// The level that is added.
    pub to: usize,
}

/// A factorial design: factors, the cells that were observed, and what is assumed about the cell means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Design {
    /// The factors.
    pub factors: Vec<Factor>,
    /// The cells that were observed.
    pub observed: Vec<Combination>,
    /// Interactions that may be nonzero, each a set of factors by position; the mean is always free. `None` assumes
    /// nothing: every interaction is free.
    pub terms: Option<Vec<Vec<usize>>>,
}

/// Whether a contrast is identified, and what shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identification {
    /// It is this combination of observed cells.
    Identified(Vec<(Combination, Rational)>),
    /// Two completions agree on every observed cell and differ in the contrast.
    NotIdentified(Witness),
}

impl Identification {
    /// Whether it is identified.
    #[must_use]
    pub const fn is_identified(&self) -> bool {
        matches!(self, Self::Identified(_))
    }
}

/// The difference of two completions: what is added to each cell, zero on the observed ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// Cells that move, and by how much.
    pub shifts: Vec<(Combination, Rational)>,
    /// By how much the contrast moves.
    pub moves: Rational,
}

/// Most parameters of a design: elimination takes the cube of their number.
pub const PARAMETERS: usize = 128;

impl Design {
    /// The state-by-channel face with some of its corners missing. Factor 0 is the state, factor 1 the channel.
    #[must_use]
    pub fn face(observed: Vec<Combination>) -> Self {
        let factor = |name: &str, levels: [&str; 2]| Factor {
            name: name.to_owned(),
            levels: levels.map(str::to_owned).to_vec(),
        };
        let factors = vec![factor("state", ["before", "after"]), factor("channel", ["reference", "alternative"])];
        Self { factors, observed, terms: None }
    }

    /// Every cell, the last factor running fastest.
    #[must_use]
    pub fn cells(&self) -> Vec<Combination> {
        self.factors.iter().fold(vec![Vec::new()], |cells, factor| {
            let longer = |cell: &Combination, level| cell.iter().copied().chain([level]).collect();
            cells.iter().flat_map(|cell| (0..factor.levels.len()).map(move |level| longer(cell, level))).collect()
        })
    }

    /// Number of parameters; `None` beyond [`PARAMETERS`].
    #[must_use]
    pub fn parameters(&self) -> Option<usize> {
        let count = |term: &Vec<usize>| {
            term.iter().try_fold(1_usize, |n, &f| n.checked_mul(self.factors.get(f)?.levels.len().saturating_sub(1)))
        };
        self.factors
            .iter()
            .try_fold(1_usize, |n, f| n.checked_mul(f.levels.len()).filter(|n| *n <= 64 * PARAMETERS))?;
        let total = self.terms().iter().try_fold(0_usize, |sum, term| sum.checked_add(count(term)?))?;
        (total <= PARAMETERS).then_some(total)
    }

    /// Coefficients of a contrast: the product of its differences, at the base level of every other factor.
    #[must_use]
    pub fn contrast(&self, differences: &[Difference]) -> Vec<(Combination, Rational)> {
        let base = vec![0; self.factors.len()];
        differences.iter().fold(vec![(base, Rational::ONE)], |cells, difference| {
            let at = |cell: &Combination, level| {
                let mut cell = cell.clone();
                if let Some(slot) = cell.get_mut(difference.factor) {
                    *slot = level;
                }
                cell
            };
            let both = cells.iter().flat_map(|(cell, weight)| {
                [(at(cell, difference.to), weight.clone()), (at(cell, difference.from), weight.neg())]
            });
            both.collect()
        })
    }

    /// Decides whether a contrast, given by its coefficients on cells, is identified. `None` if the design is too large.
    #[must_use]
    pub fn identify(&self, contrast: &[(Combination, Rational)]) -> Option<Identification> {
        Some(Solved::of(self)?.identify(contrast))
    }

    fn terms(&self) -> Vec<Vec<usize>> {
        match &self.terms {
            Some(terms) => {
                let mut all = vec![Vec::new()];
                all.extend(terms.iter().filter(|term| !term.is_empty()).cloned());
                all
            }
            None => (0..self.factors.len()).fold(vec![Vec::new()], |mut terms, factor| {
                let with: Vec<Vec<usize>> =
                    terms.iter().map(|term| term.iter().copied().chain([factor]).collect()).collect();
                terms.extend(with);
                terms
            }),
        }
    }

    /// A cell's row of the model: for each term the product of indicators of its levels above the base.
    fn row(&self, cell: &Combination) -> Vec<Rational> {
        let mut row = Vec::new();
        for term in self.terms() {
            let products = term.iter().fold(vec![true], |products, &factor| {
                let levels = self.factors.get(factor).map_or(0, |f| f.levels.len());
                let at = cell.get(factor).copied().unwrap_or(0);
                products.iter().flat_map(|&on| (1..levels).map(move |level| on && level == at)).collect()
            });
            row.extend(products.into_iter().map(|on| if on { Rational::ONE } else { Rational::ZERO }));
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn omega(observed: &[[usize; 2]]) -> Identification {
        let design = Design::face(observed.iter().map(|cell| cell.to_vec()).collect());
        let contrast =
            design.contrast(&[Difference { factor: 0, from: 0, to: 1 }, Difference { factor: 1, from: 0, to: 1 }]);
        design.identify(&contrast).unwrap()
    }

    #[test]
    fn four_corners_identify_the_interaction_and_three_never_do() {
        let all = [[0, 0], [0, 1], [1, 0], [1, 1]];
        let Identification::Identified(mut weights) = omega(&all) else { panic!("identified") };
        weights.sort();
        let signs: Vec<String> = weights.iter().map(|(_, w)| w.to_string()).collect();
        assert_eq!(signs, ["1", "-1", "-1", "1"]);
        for left_out in all {
            let three: Vec<[usize; 2]> = all.into_iter().filter(|cell| *cell != left_out).collect();
            let Identification::NotIdentified(witness) = omega(&three) else { panic!("three corners") };
            assert_eq!(witness.shifts.len(), 1);
            let (cell, by) = &witness.shifts[0];
            assert_eq!(cell[..], left_out);
            let sign = if (left_out[0] + left_out[1]) % 2 == 0 { by.clone() } else { by.neg() };
            assert_eq!(witness.moves, sign, "Ω moves by (−1)^(a+b) t");
        }
    }

    #[test]
    fn assuming_additivity_identifies_what_three_corners_alone_do_not() {
        let mut design = Design::face(vec![vec![0, 0], vec![0, 1], vec![1, 0]]);
        design.terms = Some(vec![vec![0], vec![1]]);
        let gain = design.contrast(&[Difference { factor: 0, from: 0, to: 1 }]);
        assert!(design.identify(&gain).unwrap().is_identified());
        let missing = vec![(vec![1, 1], Rational::ONE)];
        assert!(design.identify(&missing).unwrap().is_identified());
    }
}
