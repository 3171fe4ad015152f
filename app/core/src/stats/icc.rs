//! Agreement of repeated measurements: the intraclass correlation ICC(A,1), two-way, absolute agreement, single
//! measurement (McGraw and Wong 1996). Rows are what is measured, columns are the repetitions (docs/theory.md §3.5:
//! waves).

/// Sums over the rows of a table that suffice for ICC(A,1). All are linear in the rows, so a draw's sums are the weighted
/// sums of its clusters'. Cancellation costs digits when the values lie far from zero: take a common shift off first,
/// which changes no ICC.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sums<'a> {
    /// Number of rows.
    pub rows: f64,
    /// Sum of each column.
    pub columns: &'a [f64],
    /// Sum of the squares of all values.
    pub squares: f64,
    /// Sum over the rows of the square of the row's sum.
    pub squared_rows: f64,
}

/// ICC(A,1) of a table given row by row, `k` values each; any unit, no unit out. `None` if it is undefined (0/0, or a
/// denominator of zero), if there are fewer than two rows or columns, or if the rows are not all `k` long or not finite.
#[must_use]
pub fn icc_a1(values: &[f64], k: usize) -> Option<f64> {
    if k < 2 || !values.len().is_multiple_of(k) || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let rows = values.len() / k;
    // First by a value, so that equal values become exact zeros; then by the mean, so that little cancels.
    let first = *values.first()?;
    let mean = values.iter().map(|value| value - first).sum::<f64>() / values.len() as f64;
    let centred: Vec<f64> = values.iter().map(|value| value - first - mean).collect();
    let mut columns = vec![0.0; k];
    let (mut squares, mut squared_rows) = (0.0, 0.0);
    for row in centred.chunks_exact(k) {
        let sum: f64 = row.iter().sum();
        squared_rows += sum * sum;
        for (column, value) in columns.iter_mut().zip(row) {
            *column += value;
            squares += value * value;
        }
    }
    from_sums(&Sums { rows: rows as f64, columns: &columns, squares, squared_rows })
}

/// ICC(A,1) from sums; `None` as for [`icc_a1`], and where the denominator is not above the rounding of its own terms.
#[must_use]
pub fn from_sums(sums: &Sums<'_>) -> Option<f64> {
    let (n, k) = (sums.rows, sums.columns.len() as f64);
    if n < 2.0 || k < 2.0 {
        return None;
    }
    let total: f64 = sums.columns.iter().sum();
    let squared_columns: f64 = sums.columns.iter().map(|column| column * column).sum();
    let mean_part = total * total / (n * k);
    let between_rows = sums.squared_rows / k - mean_part;
    let between_columns = squared_columns / n - mean_part;
    let residual = sums.squares - sums.squared_rows / k - squared_columns / n + mean_part;
    let msr = between_rows / (n - 1.0);
    let msc = between_columns / (k - 1.0);
    let mse = residual / ((n - 1.0) * (k - 1.0));
    let denominator = msr + (k - 1.0) * mse + k / n * (msc - mse);
    // Every sum of squares above is a difference of terms no larger than `squares`.
    let terms = 2.0 / (n - 1.0) + k / n * (1.0 + 1.0 / (n - 1.0)) / (k - 1.0);
    let icc = (msr - mse) / denominator;
    (denominator > 4.0 * f64::EPSILON * sums.squares * terms && icc.is_finite()).then_some(icc)
}
