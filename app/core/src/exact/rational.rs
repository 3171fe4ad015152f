//! Rationals that never round and never wrap: machine words while they fit, big integers beyond.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

/// Longest spelling of a number in bytes: reading a long decimal takes time in the square of its length.
const SPELLING: usize = 1000;

/// An exact rational number, always reduced, so that equal numbers are equal values.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

/// Whatever fits is `Small`: the representation is unique.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// Numerator and denominator, reduced, the denominator positive.
    Small(i64, i64),
    /// Reduced, and one of both beyond 64 bits.
    Big(Box<BigRational>),
}

/// Text that is no exact number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an exact number; write an integer, a decimal like \"0.125\" or a fraction like \"3/8\"")]
pub struct NotANumber(pub String);

impl Rational {
    /// Zero.
    pub const ZERO: Self = Self(Repr::Small(0, 1));
    /// One.
    pub const ONE: Self = Self(Repr::Small(1, 1));

    /// An integer.
    #[must_use]
    pub const fn from_int(integer: i64) -> Self {
        Self(Repr::Small(integer, 1))
    }

    /// `numerator / denominator`; `None` if the denominator is zero.
    #[must_use]
    pub fn from_ratio(numerator: i64, denominator: i64) -> Option<Self> {
        (denominator != 0).then(|| Self::reduced(numerator.into(), denominator.into()))
    }

    /// Reads `-7`, `0.125` or `3/8`: ASCII digits without leading zeros, plus sign, exponent or space.
    ///
    /// # Errors
    /// Anything else, a zero denominator, or more than 1000 characters.
    pub fn parse(text: &str) -> Result<Self, NotANumber> {
        if let Some(short) = short_decimal(text) {
            return Ok(short);
        }
        let refuse = || NotANumber(text.chars().take(40).collect());
        if text.len() > SPELLING {
            return Err(refuse());
        }
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (numerator, denominator) = if let Some((above, below)) = rest.split_once('/') {
            (natural(above).ok_or_else(refuse)?, natural(below).ok_or_else(refuse)?)
        } else if let Some((whole, fraction)) = rest.split_once('.') {
            if natural(whole).is_none() || !is_digits(fraction) {
                return Err(refuse());
            }
            let digits: BigInt = format!("{whole}{fraction}").parse().map_err(|_| refuse())?;
            let places = u32::try_from(fraction.len()).map_err(|_| refuse())?;
            (digits, BigInt::from(10).pow(places))
        } else {
            (natural(rest).ok_or_else(refuse)?, BigInt::one())
        };
        if denominator.is_zero() {
            return Err(refuse());
        }
        let value = BigRational::new(numerator, denominator);
        Ok(Self::from_big(if negative { -value } else { value }))
    }

    /// The sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (&Repr::Small(a, 1), &Repr::Small(b, 1)) if let Some(sum) = a.checked_add(b) => Self::from_int(sum),
            // Products of 64-bit factors and their sum fit in 128 bits.
            (&Repr::Small(a, b), &Repr::Small(c, d)) => {
                let [a, b, c, d] = [a, b, c, d].map(i128::from);
                Self::reduced(a * d + c * b, b * d)
            }
            _ => Self::from_big(self.to_big() + other.to_big()),
        }
    }

    /// The difference.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (&Repr::Small(a, 1), &Repr::Small(b, 1)) if let Some(sum) = a.checked_sub(b) => Self::from_int(sum),
            (&Repr::Small(a, b), &Repr::Small(c, d)) => {
                let [a, b, c, d] = [a, b, c, d].map(i128::from);
                Self::reduced(a * d - c * b, b * d)
            }
            _ => Self::from_big(self.to_big() - other.to_big()),
        }
    }

    /// The product.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (&Repr::Small(a, 1), &Repr::Small(b, 1)) if let Some(product) = a.checked_mul(b) => Self::from_int(product),
            (&Repr::Small(a, b), &Repr::Small(c, d)) => {
                let [a, b, c, d] = [a, b, c, d].map(i128::from);
                Self::reduced(a * c, b * d)
            }
            _ => Self::from_big(self.to_big() * other.to_big()),
        }
    }

    /// The quotient; `None` when dividing by zero.
    #[must_use]
    pub fn div(&self, other: &Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        Some(match (&self.0, &other.0) {
            (&Repr::Small(a, b), &Repr::Small(c, d)) => {
                let [a, b, c, d] = [a, b, c, d].map(i128::from);
                Self::reduced(a * d, b * c)
            }
            _ => Self::from_big(self.to_big() / other.to_big()),
        })
    }

    /// The number with its sign turned.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self::ZERO.sub(self)
    }

    /// The largest integer not above.
    #[must_use]
    pub fn floor(&self) -> Self {
        match &self.0 {
            Repr::Small(a, b) => Self::from_int(a.div_floor(b)),
            Repr::Big(value) => Self::from_big(value.floor()),
        }
    }

    /// The integer part, towards zero.
    #[must_use]
    pub fn trunc(&self) -> Self {
        match &self.0 {
            Repr::Small(a, b) => Self::from_int(a / b),
            Repr::Big(value) => Self::from_big(value.trunc()),
        }
    }

    /// Whether the number is zero.
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }

    /// Whether the number is an integer.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_, denominator) => *denominator == 1,
            Repr::Big(value) => value.is_integer(),
        }
    }

    /// The number as an integer, if it is one that fits.
    #[must_use]
    pub const fn to_int(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(integer, 1) => Some(integer),
            _ => None,
        }
    }

    /// Numerator and denominator (positive), where both fit in 64 bits.
    #[must_use]
    pub const fn to_parts(&self) -> Option<(i64, i64)> {
        match self.0 {
            Repr::Small(numerator, denominator) => Some((numerator, denominator)),
            Repr::Big(_) => None,
        }
    }

    /// Bits of the longer of numerator and denominator: what further arithmetic with the number costs.
    #[must_use]
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Repr::Small(..) => 64,
            Repr::Big(value) => value.numer().bits().max(value.denom().bits()),
        }
    }

    /// The nearest double, for drawing only.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.to_big().to_f64().unwrap_or(f64::NAN)
    }

    /// The number as a decimal, if it has a finite one: `0.125`, `-7`. Exact, never rounded.
    #[must_use]
    pub fn to_decimal(&self) -> Option<String> {
        let value = self.to_big();
        let mut rest = value.denom().clone();
        // A decimal ends exactly if the denominator has no prime factor but two and five.
        let mut factors = |prime: u32| {
            let mut count = 0_u32;
            while rest.is_multiple_of(&prime.into()) {
                rest /= prime;
                count += 1;
            }
            count
        };
        let places = factors(2).max(factors(5));
        if !rest.is_one() {
            return None;
        }
        let scaled = (value.numer().abs() * BigInt::from(10).pow(places) / value.denom()).to_string();
        let places = usize::try_from(places).ok()?;
        let padded = format!("{scaled:0>width$}", width = places + 1);
        let (whole, fraction) = padded.split_at(padded.len() - places);
        let sign = if value.is_negative() { "-" } else { "" };
        Some(if places == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") })
    }

    /// Reduces a fraction of 128-bit parts whose denominator is not zero.
    fn reduced(numerator: i128, denominator: i128) -> Self {
        let shared = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let parts = |n: i128| i64::try_from(n.unsigned_abs() / shared).ok();
        let negative = (numerator < 0) != (denominator < 0);
        if let (Some(above), Some(below)) = (parts(numerator), parts(denominator)) {
            return Self(Repr::Small(if negative { -above } else { above }, below));
        }
        Self::from_big(BigRational::new(numerator.into(), denominator.into()))
    }

    fn from_big(value: BigRational) -> Self {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(numerator), Some(denominator)) => Self(Repr::Small(numerator, denominator)),
            _ => Self(Repr::Big(Box::new(value))),
        }
    }

    fn to_big(&self) -> BigRational {
        match &self.0 {
            Repr::Small(a, b) => BigRational::new_raw((*a).into(), (*b).into()),
            Repr::Big(value) => (**value).clone(),
        }
    }
}

/// Euclid on machine words as soon as they fit: 128-bit division is several times slower.
fn gcd(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => a.gcd(&b).max(1).into(),
        _ => a.gcd(&b).max(1),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// A natural number without leading zeros.
fn natural(text: &str) -> Option<BigInt> {
    let plain = is_digits(text) && (text.len() == 1 || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (&Repr::Small(a, b), &Repr::Small(c, d)) if b == d => a.cmp(&c),
            (&Repr::Small(a, b), &Repr::Small(c, d)) => {
                (i128::from(a) * i128::from(d)).cmp(&(i128::from(c) * i128::from(b)))
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for Rational {
    fn from(integer: i64) -> Self {
        Self::from_int(integer)
    }
}

impl FromStr for Rational {
    type Err = NotANumber;

    fn from_str(text: &str) -> Result<Self, NotANumber> {
        Self::parse(text)
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(a, 1) => write!(f, "{a}"),
            Repr::Small(a, b) => write!(f, "{a}/{b}"),
            Repr::Big(value) => write!(f, "{value}"),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A short decimal, the common case, without big integers.
fn short_decimal(text: &str) -> Option<Rational> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, fraction) = digits.split_once('.')?;
    let plain = whole.len() + fraction.len() <= 17 && !fraction.is_empty() && !whole.is_empty();
    if !plain || whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let digits = whole.bytes().chain(fraction.bytes());
    let number =
        digits.map(|b| b.is_ascii_digit().then(|| i64::from(b - b'0'))).try_fold(0, |n, d| Some(n * 10 + d?))?;
    Rational::from_ratio(if negative { -number } else { number }, 10_i64.pow(u32::try_from(fraction.len()).ok()?))
}

#[cfg(test)]
mod tests;
