//! Laws of exact arithmetic, against the big-integer library.

use proptest::prelude::*;

use super::*;

fn number(text: &str) -> Rational {
    Rational::parse(text).unwrap()
}

#[test]
fn spellings() {
    for (text, shown, decimal) in [
        ("3/8", "3/8", Some("0.375")),
        ("0.125", "1/8", Some("0.125")),
        ("-7", "-7", Some("-7")),
        ("-0", "0", Some("0")),
        ("-0.050", "-1/20", Some("-0.05")),
        ("6/4", "3/2", Some("1.5")),
        ("-6/3", "-2", Some("-2")),
        ("1/3", "1/3", None),
        ("100", "100", Some("100")),
        ("12345678901234567890123", "12345678901234567890123", Some("12345678901234567890123")),
        ("-9223372036854775808", "-9223372036854775808", Some("-9223372036854775808")),
        (
            "1/18446744073709551616",
            "1/18446744073709551616",
            Some("0.0000000000000000000542101086242752217003726400434970855712890625"),
        ),
    ] {
        let value = number(text);
        assert_eq!(value.to_string(), shown, "{text}");
        assert_eq!(value.to_decimal().as_deref(), decimal, "{text}");
    }
}

#[test]
fn what_is_no_exact_number() {
    let long = "1".repeat(SPELLING + 1);
    for text in [
        "", "-", "+1", "--1", "1/0", "0/0", "1/-2", "01", "00", "1/02", ".5", "1.", "-.5", "1e3", " 1", "1 ", "1/2/3",
        "1.2/3", "٣", "0x1", "NaN", "1,5", &long,
    ] {
        assert!(Rational::parse(text).is_err(), "{text}");
    }
    let error = Rational::parse("1e3").unwrap_err().to_string();
    assert_eq!(
        error,
        "\"1e3\" is not an exact number; write an integer, a decimal like \"0.125\" or a fraction like \"3/8\""
    );
}

#[test]
fn the_edges_of_64_bits_widen() {
    let least = Rational::from_int(i64::MIN);
    let most = Rational::from_int(i64::MAX);
    assert_eq!(least.neg().to_string(), "9223372036854775808");
    assert_eq!(least.neg().neg(), least);
    assert_eq!(most.add(&Rational::ONE).sub(&Rational::ONE), most);
    assert_eq!(least.mul(&least).div(&least), Some(least.clone()));
    assert_eq!(Rational::from_ratio(i64::MIN, i64::MIN), Some(Rational::ONE));
    assert_eq!(Rational::from_ratio(1, i64::MIN).unwrap().to_string(), "-1/9223372036854775808");
    assert_eq!(Rational::from_ratio(1, 0), None);
    assert_eq!(Rational::ONE.div(&Rational::ZERO), None);
    assert_eq!(number("-7/2").floor(), Rational::from_int(-4));
    assert_eq!(number("-7/2").trunc(), Rational::from_int(-3));
    assert_eq!(number("7/2").to_int(), None);
    assert_eq!(number("8/2").to_int(), Some(4));
}

/// Numbers around the edges of 64 bits, small ones, and large ones.
fn any_number() -> impl Strategy<Value = BigRational> {
    let part = prop_oneof![
        any::<i64>().prop_map(BigInt::from),
        (-9_i64..=9).prop_map(BigInt::from),
        any::<i128>().prop_map(BigInt::from),
        prop_oneof![Just(i64::MIN), Just(i64::MAX), Just(i64::MIN + 1)].prop_map(BigInt::from),
    ];
    (part.clone(), part).prop_map(|(a, b)| BigRational::new(a, if b.is_zero() { BigInt::one() } else { b }))
}

/// The one representation: small if and only if it fits.
fn is_sound(value: &Rational) -> bool {
    match &value.0 {
        Repr::Small(a, b) => *b > 0 && i128::from(*a).gcd(&i128::from(*b)) == 1,
        Repr::Big(big) => big.numer().to_i64().is_none() || big.denom().to_i64().is_none(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arithmetic_equals_the_library(x in any_number(), y in any_number()) {
        let (a, b) = (Rational::from_big(x.clone()), Rational::from_big(y.clone()));
        let pairs = [(a.add(&b), &x + &y), (a.sub(&b), &x - &y), (a.mul(&b), &x * &y), (a.neg(), -&x),
            (a.floor(), x.floor()), (a.trunc(), x.trunc())];
        for (ours, theirs) in pairs {
            prop_assert!(is_sound(&ours));
            prop_assert_eq!(ours.to_big(), theirs);
        }
        match a.div(&b) {
            None => prop_assert!(y.is_zero()),
            Some(ours) => {
                prop_assert!(is_sound(&ours));
                prop_assert_eq!(ours.to_big(), &x / &y);
            }
        }
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        prop_assert_eq!(a == b, x == y);
        prop_assert_eq!(a.is_integer(), x.is_integer());
    }

    #[test]
    fn a_number_reads_back_from_both_spellings(x in any_number()) {
        let value = Rational::from_big(x);
        prop_assert_eq!(Rational::parse(&value.to_string()), Ok(value.clone()));
        if let Some(decimal) = value.to_decimal() && decimal.len() <= SPELLING {
            prop_assert_eq!(Rational::parse(&decimal), Ok(value));
        }
    }

    #[test]
    fn short_decimals_read_like_long_ones(text in "-?[0-9]{1,9}[.][0-9]{1,9}") {
        // With so many more places it is no short decimal any more.
        let long = format!("{text}{}", "0".repeat(20));
        prop_assert_eq!(Rational::parse(&text).ok(), Rational::parse(&long).ok());
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[-+0-9./e]{0,12}") {
        let _ = Rational::parse(&text);
    }
}
