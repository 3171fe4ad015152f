use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{FromPrimitive as _, One as _, Signed as _, Zero as _};
use proptest::prelude::*;

use super::*;

/// Fractional bits of the fixed-point numbers that stand for exact exponentials.
const BITS: usize = 320;

fn exact(value: f64) -> BigRational {
    BigRational::from_f64(value).unwrap()
}

fn holds(interval: &Interval, value: &BigRational) -> bool {
    let above = interval.lo() == f64::NEG_INFINITY || (interval.lo().is_finite() && exact(interval.lo()) <= *value);
    let below = interval.hi() == f64::INFINITY || (interval.hi().is_finite() && exact(interval.hi()) >= *value);
    above && below
}

/// Rationals just below and just above e^value, by the series of a small argument and squaring, 30 digits and more.
fn exp_between(value: f64) -> (BigRational, BigRational) {
    let halvings = 20;
    let x = exact(value);
    let scaled = ((x.numer() << BITS) / x.denom()) >> halvings;
    let (mut term, mut sum) = (BigInt::one() << BITS, BigInt::zero());
    for n in 1_u32.. {
        sum += &term;
        term = ((&term * &scaled) >> BITS) / n;
        if term.abs() <= BigInt::one() {
            break;
        }
    }
    for _ in 0..halvings {
        sum = (&sum * &sum) >> BITS;
    }
    // Truncation errs by a few units of the last place of a number that is 2^20 times squared up: far below 2^-120.
    let one = BigInt::one() << BITS;
    let slack = BigRational::new(BigInt::one(), BigInt::one() << 120);
    let middle = BigRational::new(sum, one);
    (&middle * (BigRational::one() - &slack), middle * (BigRational::one() + slack))
}

/// Doubles of every size, zeros and neighbours of each other.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -10.0..10.0_f64,
        2 => any::<f64>().prop_filter("finite", |value| value.is_finite()),
        1 => (-20..20_i32).prop_map(f64::from),
        1 => prop::sample::select(vec![0.0, -0.0, f64::MIN_POSITIVE, f64::MAX, f64::MIN, 5e-324, 1.0, -1.0]),
    ]
}

fn interval() -> impl Strategy<Value = Interval> {
    (number(), number()).prop_map(|(a, b)| Interval { lo: a.min(b), hi: a.max(b) })
}

/// An interval and numbers inside it.
fn inhabited() -> impl Strategy<Value = (Interval, Vec<f64>)> {
    (interval(), 0.0..1.0_f64).prop_map(|(interval, part)| {
        let inner = interval.lo / 2.0 + (interval.hi / 2.0 - interval.lo / 2.0) * part + interval.lo / 2.0;
        (interval, vec![interval.lo, interval.hi, inner.clamp(interval.lo, interval.hi)])
    })
}

proptest! {
    #[test]
    fn sums_differences_and_products_are_enclosed((a, xs) in inhabited(), (b, ys) in inhabited()) {
        let (sum, difference, product) = (a.add(&b), a.sub(&b), a.mul(&b));
        for &x in &xs {
            prop_assert!(holds(&a.neg(), &-exact(x)));
            for &y in &ys {
                prop_assert!(holds(&sum, &(exact(x) + exact(y))), "{x} + {y} in {sum:?}");
                prop_assert!(holds(&difference, &(exact(x) - exact(y))), "{x} - {y} in {difference:?}");
                prop_assert!(holds(&product, &(exact(x) * exact(y))), "{x} * {y} in {product:?}");
                // And so is what doubles make of it.
                for (interval, rounded) in [(sum, x + y), (difference, x - y), (product, x * y)] {
                    prop_assert!(!rounded.is_finite() || interval.contains(rounded));
                }
            }
        }
    }

    #[test]
    fn a_wider_input_gives_a_wider_output(a in interval(), b in interval(), c in number(), d in number()) {
        let wider = |inner: &Interval, by: f64| Interval { lo: inner.lo.min(by), hi: inner.hi.max(by) };
        let (a2, b2) = (wider(&a, c), wider(&b, d));
        let within = |inner: Interval, outer: Interval| outer.lo <= inner.lo && inner.hi <= outer.hi;
        prop_assert!(within(a.add(&b), a2.add(&b2)));
        prop_assert!(within(a.sub(&b), a2.sub(&b2)));
        prop_assert!(within(a.mul(&b), a2.mul(&b2)));
    }

    #[test]
    fn exponentials_are_enclosed(x in -40.0..40.0_f64) {
        let (below, above) = exp_between(x);
        let envelope = Interval::point(x).exp();
        prop_assert!(exact(envelope.lo()) <= below && above <= exact(envelope.hi()), "e^{x} in {envelope:?}");
        prop_assert!(envelope.hi() - envelope.lo() <= 5.0 * f64::EPSILON * envelope.hi(), "tight");
        prop_assert!(envelope.contains(libm::exp(x)));
    }

    #[test]
    fn logarithms_are_enclosed(x in prop_oneof![1e-15..2.0_f64, 0.5..1e15_f64]) {
        let envelope = Interval::point(x).ln();
        prop_assert!(exp_between(envelope.lo()).1 <= exact(x), "ln {x} in {envelope:?}");
        prop_assert!(exp_between(envelope.hi()).0 >= exact(x), "ln {x} in {envelope:?}");
        prop_assert!(envelope.contains(libm::log(x)));
    }

    #[test]
    fn rationals_are_enclosed_by_neighbours(above in any::<i64>(), below in 1..i64::MAX, short in 1..2000_i64) {
        for below in [below, short, 1, 1 << 40] {
            let value = Rational::from_ratio(above, below).unwrap();
            let envelope = Interval::from_rational(&value);
            let exact_value = BigRational::new(above.into(), below.into());
            prop_assert!(holds(&envelope, &exact_value));
            let point = envelope.lo() == envelope.hi();
            prop_assert!(point || envelope.lo().next_up() == envelope.hi());
            prop_assert_eq!(point, exact(envelope.lo()) == exact_value || exact(envelope.hi()) == exact_value);
        }
    }

    #[test]
    fn decimal_text_is_enclosed(digits in any::<i64>(), places in 0..18_usize) {
        let negative = if digits < 0 { "-" } else { "" };
        let spelt = format!("{:0>width$}", digits.unsigned_abs(), width = places + 1);
        let (whole, fraction) = spelt.split_at(spelt.len() - places);
        let text = if places == 0 { format!("{negative}{whole}") } else { format!("{negative}{whole}.{fraction}") };
        let value = BigRational::new(digits.into(), BigInt::from(10).pow(places as u32));
        prop_assert!(holds(&Interval::around(text.parse().unwrap()), &value));
    }
}

#[test]
fn ends_beyond_the_largest_double_are_infinite_and_never_nan() {
    let huge = Interval::point(f64::MAX);
    let sum = huge.add(&huge);
    assert_eq!((sum.lo(), sum.hi()), (f64::MAX, f64::INFINITY));
    assert_eq!(sum.sub(&sum), Interval::WHOLE);
    assert_eq!(Interval::WHOLE.mul(&Interval::ZERO), Interval::WHOLE);
    assert_eq!(Interval::WHOLE.exp(), Interval { lo: 0.0, hi: f64::INFINITY });
    assert_eq!(Interval::point(f64::NAN), Interval::WHOLE);
    assert_eq!(Interval::around(f64::INFINITY), Interval::WHOLE);
    let power = Interval::point(1e3).exp();
    assert!(power.lo() <= f64::MAX && power.lo() > 1e308 && power.hi() == f64::INFINITY);
    let tiny = Interval::point(-1e3).exp();
    assert!(tiny.lo() == 0.0 && tiny.hi() > 0.0);
    let product = Interval::point(1e-300).mul(&Interval::point(1e-300));
    assert!(product.lo() < 0.0 && product.hi() > 0.0);
}

#[test]
fn logarithms_know_their_domain() {
    assert_eq!(Interval::point(-1.0).ln(), Interval::WHOLE);
    assert_eq!(Interval::ZERO.ln(), Interval::WHOLE);
    let from_zero = Interval { lo: 0.0, hi: 1.0 }.ln();
    assert!(from_zero.lo() == f64::NEG_INFINITY && from_zero.hi() > 0.0 && from_zero.hi() < 1e-300);
}

#[test]
fn a_sign_is_told_only_when_zero_is_excluded() {
    assert_eq!(Interval::point(1e-300).sign(), Some(Sign::Positive));
    assert_eq!(Interval::point(-5e-324).sign(), Some(Sign::Negative));
    assert_eq!(Interval::ZERO.sign(), None);
    assert_eq!(Interval::around(5e-324).sign(), None);
    assert_eq!(Interval::around(0.0).sign(), None);
    // 0.1 + 0.2 - 0.3 is not zero in doubles; as decimals it is, and so the sign is open.
    let [a, b, c] = [0.1, 0.2, 0.3].map(Interval::around);
    assert_eq!(Interval::sum([&a, &b, &c.neg()]).sign(), None);
}

#[test]
fn rationals_beyond_doubles_are_enclosed() {
    let long = Rational::parse(&format!("1{}", "0".repeat(400))).unwrap();
    let envelope = Interval::from_rational(&long);
    assert_eq!((envelope.lo(), envelope.hi()), (f64::MAX, f64::INFINITY));
    let small = Interval::from_rational(&Rational::parse(&format!("-0.{}1", "0".repeat(400))).unwrap());
    assert_eq!((small.lo(), small.hi()), (-5e-324, 0.0));
    let third = Interval::from_rational(&Rational::from_ratio(1, 3).unwrap());
    assert_eq!(third.lo().next_up(), third.hi());
    let quarter = Interval::from_rational(&Rational::from_ratio(1, 4).unwrap());
    assert_eq!(quarter, Interval::point(0.25));
}
