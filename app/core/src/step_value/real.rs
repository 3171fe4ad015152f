//! Arithmetic that the reduction needs, over doubles and over outward-rounded envelopes: one program, two readings, so
//! that the envelope always speaks of the figure beside it.

use crate::exact::Rational;
use crate::exact::interval::Interval;

/// An exact number, ready to be used a million times: enclosing it takes longer than a whole reduction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Constant {
    value: f64,
    envelope: Interval,
    is_one: bool,
}

impl Constant {
    pub(super) fn new(exact: &Rational) -> Self {
        Self { value: exact.to_f64(), envelope: Interval::from_rational(exact), is_one: *exact == Rational::ONE }
    }

    /// Multiplying by one would only widen an envelope.
    pub(super) const fn is_one(&self) -> bool {
        self.is_one
    }
}

/// A number of the reduction.
pub(super) trait Real: Copy {
    /// A log-probability as it was returned in decimal digits.
    fn returned(value: f64) -> Self;
    /// An exact constant.
    fn constant(exact: &Constant) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn exp(self) -> Self;
    fn ln(self) -> Self;
    /// A double near the number, for a shift that cancels.
    fn near(self) -> f64;
    /// The double itself, exactly.
    fn exactly(value: f64) -> Self;
}

impl Real for f64 {
    fn returned(value: f64) -> Self {
        value
    }

    fn constant(exact: &Constant) -> Self {
        exact.value
    }

    fn add(self, other: Self) -> Self {
        self + other
    }

    fn sub(self, other: Self) -> Self {
        self - other
    }

    fn mul(self, other: Self) -> Self {
        self * other
    }

    // The system's own functions differ in the last digit from platform to platform.
    fn exp(self) -> Self {
        libm::exp(self)
    }

    fn ln(self) -> Self {
        libm::log(self)
    }

    fn near(self) -> f64 {
        self
    }

    fn exactly(value: f64) -> Self {
        value
    }
}

impl Real for Interval {
    fn returned(value: f64) -> Self {
        Self::around(value)
    }

    fn constant(exact: &Constant) -> Self {
        exact.envelope
    }

    fn add(self, other: Self) -> Self {
        Self::add(&self, &other)
    }

    fn sub(self, other: Self) -> Self {
        Self::sub(&self, &other)
    }

    fn mul(self, other: Self) -> Self {
        Self::mul(&self, &other)
    }

    fn exp(self) -> Self {
        Self::exp(&self)
    }

    fn ln(self) -> Self {
        Self::ln(&self)
    }

    fn near(self) -> f64 {
        self.hi()
    }

    fn exactly(value: f64) -> Self {
        Self::point(value)
    }
}

/// The sum, in order.
pub(super) fn sum<R: Real>(terms: impl IntoIterator<Item = R>) -> R {
    terms.into_iter().fold(R::exactly(0.0), R::add)
}
