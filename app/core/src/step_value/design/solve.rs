//! Exact elimination of a design's observed cells, once for all contrasts that are asked of it.

use super::{Combination, Design, Identification, Witness};
use crate::exact::Rational;

/// A design whose observed cells were brought to reduced echelon form.
#[derive(Debug, Clone)]
pub struct Solved<'d> {
    design: &'d Design,
    parameters: usize,
    /// Independent rows of the observed cells, each with the weights of the cells that it is made of.
    rows: Vec<(Vec<Rational>, Vec<Rational>)>,
    /// Their pivot columns.
    pivots: Vec<usize>,
    /// Every cell with its row of the model.
    cells: Vec<(Combination, Vec<Rational>)>,
}

impl<'d> Solved<'d> {
    /// Eliminates; `None` if the design is too large.
    #[must_use]
    pub fn of(design: &'d Design) -> Option<Self> {
        let parameters = design.parameters()?;
        let observed = design.observed.len();
        let mut rows: Vec<(Vec<Rational>, Vec<Rational>)> = Vec::with_capacity(observed);
        for (i, cell) in design.observed.iter().enumerate() {
            let mut mark = vec![Rational::ZERO; observed];
            mark[i] = Rational::ONE;
            rows.push((design.row(cell), mark));
        }
        let pivots = eliminate(&mut rows, parameters);
        let cells = design.cells().into_iter().map(|cell| (cell.clone(), design.row(&cell))).collect();
        Some(Self { design, parameters, rows, pivots, cells })
    }

    /// Decides whether a contrast, given by its coefficients on cells, is identified.
    #[must_use]
    pub fn identify(&self, contrast: &[(Combination, Rational)]) -> Identification {
        let mut wanted = vec![Rational::ZERO; self.parameters];
        for (cell, weight) in contrast {
            add_scaled(&mut wanted, &self.design.row(cell), weight);
        }
        let observed = &self.design.observed;
        let mut combination = vec![Rational::ZERO; observed.len()];
        for (row, &column) in self.rows.iter().zip(&self.pivots) {
            let factor = wanted[column].clone();
            if !factor.is_zero() {
                add_scaled(&mut wanted, &row.0, &factor.neg());
                add_scaled(&mut combination, &row.1, &factor);
            }
        }
        let Some(free) = wanted.iter().position(|value| !value.is_zero()) else {
            let weights = observed.iter().cloned().zip(combination).filter(|(_, weight)| !weight.is_zero());
            return Identification::Identified(weights.collect());
        };
        // A direction that no observed cell sees: the free parameter moves, the pivots make up for it.
        let mut direction = vec![Rational::ZERO; self.parameters];
        direction[free] = Rational::ONE;
        for (row, &column) in self.rows.iter().zip(&self.pivots) {
            direction[column] = row.0[free].neg();
        }
        let shifts = self.cells.iter().map(|(cell, row)| (cell.clone(), dot(row, &direction)));
        Identification::NotIdentified(Witness {
            shifts: shifts.filter(|(_, by)| !by.is_zero()).collect(),
            moves: wanted[free].clone(),
        })
    }
}

/// Brings rows to reduced echelon form; the rows that are left are independent. Returns their pivot columns.
fn eliminate(rows: &mut Vec<(Vec<Rational>, Vec<Rational>)>, columns: usize) -> Vec<usize> {
    let mut pivots = Vec::new();
    for column in 0..columns {
        let done = pivots.len();
        let Some(found) = (done..rows.len()).find(|&r| !rows[r].0[column].is_zero()) else { continue };
        rows.swap(done, found);
        let Some(inverse) = Rational::ONE.div(&rows[done].0[column]) else { continue };
        let (row, mark) = &mut rows[done];
        row.iter_mut().chain(mark).for_each(|value| *value = value.mul(&inverse));
        let pivot = rows[done].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(r, _)| *r != done) {
            let factor = row.0[column].neg();
            if !factor.is_zero() {
                add_scaled(&mut row.0, &pivot.0, &factor);
                add_scaled(&mut row.1, &pivot.1, &factor);
            }
        }
        pivots.push(column);
    }
    rows.truncate(pivots.len());
    pivots
}

fn add_scaled(into: &mut [Rational], row: &[Rational], factor: &Rational) {
    for (value, other) in into.iter_mut().zip(row) {
        if !other.is_zero() {
            *value = value.add(&other.mul(factor));
        }
    }
}

fn dot(a: &[Rational], b: &[Rational]) -> Rational {
    let both = a.iter().zip(b).filter(|(a, b)| !a.is_zero() && !b.is_zero());
    both.fold(Rational::ZERO, |sum, (a, b)| sum.add(&a.mul(b)))
}
