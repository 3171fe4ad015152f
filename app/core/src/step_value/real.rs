//! Arithmetic that the reduction needs, over doubles and over outward-rounded envelopes: one program, two readings, so
//! that the envelope always speaks of the figure beside it.

use crate::exact::Rational;
use crate::exact::interval::Interval;

/// A number of the reduction.
pub(super) trait Real: Copy {
    /// A log-probability as it was returned in decimal digits.
    fn returned(value: f64) -> Self;
    /// An exact constant.
    fn constant(value: &Rational) -> Self;
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

    fn constant(value: &Rational) -> Self {
        value.to_f64()
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

    fn constant(value: &Rational) -> Self {
        Self::from_rational(value)
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
