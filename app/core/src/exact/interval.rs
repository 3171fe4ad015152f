//! Outward-rounded envelopes: a sign is certified only when the envelope of its value excludes zero (docs/theory.md
//! §3.2).
//!
//! An envelope holds every real number that the exact computation could give. Each end is computed in doubles and then
//! moved outward by at least as much as the computation can have erred, so no rounding mode is needed and every
//! platform gets the same ends.

use num_rational::BigRational;
use num_traits::{FromPrimitive as _, ToPrimitive as _};

use super::Rational;

/// All real numbers between two ends. The ends may be infinite; they are never NaN, and the lower never exceeds the upper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    lo: f64,
    hi: f64,
}

/// A sign that is certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// Every number in the envelope is below zero.
    Negative,
    /// Every number in the envelope is above zero.
    Positive,
}

impl Interval {
    /// The whole line: nothing is known.
    pub const WHOLE: Self = Self { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
    /// Exactly zero.
    pub const ZERO: Self = Self { lo: 0.0, hi: 0.0 };

    /// The number that the double stands for, exactly. Infinities and NaN stand for no number: the whole line.
    #[must_use]
    pub fn point(value: f64) -> Self {
        if value.is_finite() { Self { lo: value, hi: value } } else { Self::WHOLE }
    }

    /// A number that was read from decimal text as this double: one unit in the last place either side. Reading errs by
    /// half of one; zero gets its neighbours too, because a tiny decimal reads as zero.
    #[must_use]
    pub fn around(value: f64) -> Self {
        if value.is_finite() { Self { lo: value.next_down(), hi: value.next_up() } } else { Self::WHOLE }
    }

    /// The tightest envelope of a rational: a point if a double equals it, otherwise two neighbouring doubles.
    #[must_use]
    pub fn from_rational(value: &Rational) -> Self {
        if let Some(whole) = value.to_int()
            && whole.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS
        {
            // Integers of up to 53 bits are doubles.
            return Self::point(whole as f64);
        }
        let exact = match value.to_parts() {
            Some((above, below)) => BigRational::new_raw(above.into(), below.into()),
            None => match value.to_string().parse() {
                Ok(exact) => exact,
                Err(_) => return Self::WHOLE,
            },
        };
        let Some(near) = exact.to_f64() else { return Self::WHOLE };
        // How the conversion rounds does not matter: the ends move until exact comparison says that they enclose.
        let (mut lo, mut hi) = (near.min(f64::MAX), near.max(f64::MIN));
        while BigRational::from_f64(lo).is_some_and(|lo| lo > exact) {
            lo = lo.next_down();
        }
        while BigRational::from_f64(hi).is_some_and(|hi| hi < exact) {
            hi = hi.next_up();
        }
        while BigRational::from_f64(lo.next_up()).is_some_and(|up| up <= exact) {
            lo = lo.next_up();
        }
        while BigRational::from_f64(hi.next_down()).is_some_and(|down| down >= exact) {
            hi = hi.next_down();
        }
        Self { lo, hi }
    }

    /// The lower end; minus infinity if there is none.
    #[must_use]
    pub const fn lo(&self) -> f64 {
        self.lo
    }

    /// The upper end; infinity if there is none.
    #[must_use]
    pub const fn hi(&self) -> f64 {
        self.hi
    }

    /// Whether the number lies in the envelope.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// The smallest envelope that holds a number as well; the whole line for NaN.
    #[must_use]
    pub fn hull(&self, value: f64) -> Self {
        if value.is_nan() { Self::WHOLE } else { Self { lo: self.lo.min(value), hi: self.hi.max(value) } }
    }

    /// The sign, if the envelope excludes zero; `None` is an abstention.
    #[must_use]
    pub fn sign(&self) -> Option<Sign> {
        if self.lo > 0.0 {
            Some(Sign::Positive)
        } else if self.hi < 0.0 {
            Some(Sign::Negative)
        } else {
            None
        }
    }

    /// Every sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        // Adding zero is exact.
        if *self == Self::ZERO {
            return *other;
        }
        if *other == Self::ZERO {
            return *self;
        }
        Self::outward(self.lo + other.lo, self.hi + other.hi)
    }

    /// Every difference.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }

    /// Every number with its sign turned: exact, because a double's sign is a bit of its own.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self { lo: -self.hi, hi: -self.lo }
    }

    /// Every product.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        let finite = |interval: &Self| interval.lo.is_finite() && interval.hi.is_finite();
        // Zero times a number is zero, exactly.
        if (*self == Self::ZERO && finite(other)) || (*other == Self::ZERO && finite(self)) {
            return Self::ZERO;
        }
        let corners = [self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi];
        if corners.iter().any(|corner| corner.is_nan()) {
            return Self::WHOLE;
        }
        let [first, rest @ ..] = corners;
        Self::outward(rest.iter().fold(first, |a, &b| a.min(b)), rest.iter().fold(first, |a, &b| a.max(b)))
    }

    /// Every exponential, never below zero.
    #[must_use]
    pub fn exp(&self) -> Self {
        // `libm` errs by less than one unit in the last place; two leave room.
        Self { lo: down_twice(libm::exp(self.lo)).max(0.0), hi: up_twice(libm::exp(self.hi)) }
    }

    /// Every natural logarithm of the positive numbers inside; the whole line if there are none.
    #[must_use]
    pub fn ln(&self) -> Self {
        if self.hi <= 0.0 {
            return Self::WHOLE;
        }
        let lo = if self.lo <= 0.0 { f64::NEG_INFINITY } else { down_twice(libm::log(self.lo)) };
        Self { lo, hi: up_twice(libm::log(self.hi)) }
    }

    /// The sum of all, added in their order.
    #[must_use]
    pub fn sum<'a>(terms: impl IntoIterator<Item = &'a Self>) -> Self {
        terms.into_iter().fold(Self::ZERO, |sum, term| sum.add(term))
    }

    /// Ends that were rounded to nearest, moved outward by one unit in the last place.
    fn outward(lo: f64, hi: f64) -> Self {
        if lo.is_nan() || hi.is_nan() { Self::WHOLE } else { Self { lo: lo.next_down(), hi: hi.next_up() } }
    }
}

fn down_twice(value: f64) -> f64 {
    value.next_down().next_down()
}

fn up_twice(value: f64) -> f64 {
    value.next_up().next_up()
}

#[cfg(test)]
mod tests;
