//! The values of one statistic, one for each draw.

/// One value for each draw; a draw may have none, for example a ratio whose denominator is zero.
#[derive(Debug, Clone)]
pub struct Draws {
    /// NaN marks a draw without a value; it never leaves this module's functions.
    values: Vec<f64>,
    undefined: u32,
}

impl Draws {
    /// From computed values: whatever is no finite number is undefined.
    pub(super) fn new(mut values: Vec<f64>) -> Self {
        let mut undefined = 0;
        for value in &mut values {
            if !value.is_finite() {
                *value = f64::NAN;
                undefined += 1;
            }
        }
        Self { values, undefined }
    }

    /// How many draws there are, defined or not.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.values.len() as u32
    }

    /// Whether there are no draws.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// How many draws have a value.
    #[must_use]
    pub fn defined(&self) -> u32 {
        self.len() - self.undefined
    }

    /// How many draws have none.
    #[must_use]
    pub const fn undefined(&self) -> u32 {
        self.undefined
    }

    /// The value of a draw, if it has one.
    #[must_use]
    pub fn get(&self, draw: u32) -> Option<f64> {
        self.values.get(draw as usize).copied().filter(|value| !value.is_nan())
    }

    /// The values of the draws in order, `None` where there is none.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<f64>> + '_ {
        self.values.iter().map(|&value| (!value.is_nan()).then_some(value))
    }

    /// Draw by draw, this minus the other: the paired difference of statistics over the same draws. Undefined where
    /// either is, and in draws that one of them does not have.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        Self::combine([self, other], |[a, b]| Some(a - b))
    }

    /// Draw by draw a function of several statistics over the same draws. Undefined where any of them is, and where the
    /// function gives nothing or no finite number.
    #[must_use]
    pub fn combine<const N: usize>(parts: [&Self; N], value: impl Fn([f64; N]) -> Option<f64>) -> Self {
        let draws = parts.iter().map(|part| part.values.len()).max().unwrap_or(0);
        let at = |draw: usize| {
            let values = parts.map(|part| part.values.get(draw).copied().unwrap_or(f64::NAN));
            if values.iter().any(|value| value.is_nan()) { f64::NAN } else { value(values).unwrap_or(f64::NAN) }
        };
        Self::new((0..draws).map(at).collect())
    }

    /// [`Self::combine`] for a number of statistics that is known only at run time.
    #[must_use]
    pub fn combine_all(parts: &[&Self], value: impl Fn(&[f64]) -> Option<f64>) -> Self {
        let draws = parts.iter().map(|part| part.values.len()).max().unwrap_or(0);
        let mut values = Vec::with_capacity(parts.len());
        let at = |draw: usize| {
            values.clear();
            values.extend(parts.iter().map(|part| part.values.get(draw).copied().unwrap_or(f64::NAN)));
            if values.iter().any(|value| value.is_nan()) { f64::NAN } else { value(&values).unwrap_or(f64::NAN) }
        };
        Self::new((0..draws).map(at).collect())
    }

    /// The values as they are kept, NaN where there is none.
    pub(super) fn raw(&self) -> &[f64] {
        &self.values
    }
}
