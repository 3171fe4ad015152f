//! A figure with the envelope of its arithmetic, and the sign that the envelope certifies or abstains on.

use crate::exact::Rational;
use crate::exact::interval::{Interval, Sign};

/// A double, and an outward-rounded envelope of what it stands for: the exact value of the formula on the decimal scores
/// as returned. The envelope covers the arithmetic, not the evaluator's own noise, which waves and intervals speak of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The figure, computed in doubles: the same bits on every platform.
    pub value: f64,
    /// Its envelope.
    pub envelope: Interval,
}

impl Measured {
    /// Zero, exactly.
    #[must_use]
    pub fn zero() -> Self {
        Self { value: 0.0, envelope: Interval::point(0.0) }
    }

    /// The sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        Self { value: self.value + other.value, envelope: self.envelope.add(&other.envelope) }
    }

    /// The difference.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        Self { value: self.value - other.value, envelope: self.envelope.sub(&other.envelope) }
    }

    /// The product with an exact number.
    #[must_use]
    pub fn scale(&self, factor: &Rational) -> Self {
        Self { value: self.value * factor.to_f64(), envelope: self.envelope.mul(&Interval::from_rational(factor)) }
    }

    /// The quotient by a count; by zero it is the figure itself.
    #[must_use]
    pub fn over(&self, count: usize) -> Self {
        let Some(share) = i64::try_from(count).ok().and_then(|count| Rational::from_ratio(1, count)) else {
            return *self;
        };
        #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
        let value = self.value / count as f64;
        Self { value, envelope: self.envelope.mul(&Interval::from_rational(&share)) }
    }

    /// The mean; `None` of nothing.
    #[must_use]
    pub fn mean(items: &[Self]) -> Option<Self> {
        let sum = items.iter().fold(Self::zero(), |sum, item| sum.add(item));
        (!items.is_empty()).then(|| sum.over(items.len()))
    }

    /// The certified sign; `None` is an abstention: the envelope holds zero.
    #[must_use]
    pub fn sign(&self) -> Option<Sign> {
        self.envelope.sign()
    }
}

/// The word of a certified sign, and of an abstention.
#[must_use]
pub const fn sign_word(sign: Option<Sign>) -> &'static str {
    match sign {
        Some(Sign::Positive) => "positive",
        Some(Sign::Negative) => "negative",
        None => "abstained",
    }
}
