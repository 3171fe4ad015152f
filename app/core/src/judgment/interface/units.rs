//! Units whose relation is a matter of definition, so that it is exact. No currency is converted into another.

use crate::exact::Rational;

/// Spellings of a unit; value × numerator / denominator is the value in the unit of the kind that has 1 and 1.
type Unit = (&'static [&'static str], i64, i64);

/// Kinds of units; bytes follow the SI and IEC prefixes. A cent is a part of several currencies, which have a kind each.
static KINDS: &[&[Unit]] = &[
    &[(&["eur", "euro", "€"], 1, 1), (&["cent", "eurocent"], 1, 100)],
    &[(&["usd", "dollar", "$"], 1, 1), (&["cent"], 1, 100)],
    &[(&["gbp", "pound sterling", "£"], 1, 1), (&["penny", "pence"], 1, 100)],
    &[
        (&["microsecond", "us", "µs"], 1, 1_000_000),
        (&["millisecond", "ms"], 1, 1000),
        (&["second", "s", "sec"], 1, 1),
        (&["minute", "min"], 60, 1),
        (&["hour", "h", "hr"], 3600, 1),
        (&["day", "d"], 86_400, 1),
        (&["week"], 604_800, 1),
    ],
    &[(&["month"], 1, 1), (&["quarter"], 3, 1), (&["year"], 12, 1)],
    &[
        (&["byte"], 1, 1),
        (&["kb"], 1000, 1),
        (&["mb"], 1_000_000, 1),
        (&["gb"], 1_000_000_000, 1),
        (&["tb"], 1_000_000_000_000, 1),
        (&["kib"], 1 << 10, 1),
        (&["mib"], 1 << 20, 1),
        (&["gib"], 1 << 30, 1),
        (&["tib"], 1 << 40, 1),
    ],
    &[
        (&["mg"], 1, 1_000_000),
        (&["g", "gram"], 1, 1000),
        (&["kg", "kilogram"], 1, 1),
        (&["t", "tonne"], 1000, 1),
        (&["lb", "pound"], 45_359_237, 100_000_000),
        (&["oz", "ounce"], 45_359_237, 1_600_000_000),
    ],
    &[
        (&["mm", "millimetre", "millimeter"], 1, 1000),
        (&["cm", "centimetre", "centimeter"], 1, 100),
        (&["m", "metre", "meter"], 1, 1),
        (&["km", "kilometre", "kilometer"], 1000, 1),
        (&["inch", "inches"], 254, 10_000),
        (&["ft", "foot", "feet"], 3048, 10_000),
        (&["mile"], 1_609_344, 1000),
    ],
    &[(&["ml", "millilitre"], 1, 1000), (&["l", "litre", "liter"], 1, 1)],
    &[(&["percent", "%"], 1, 100), (&["ratio", "fraction"], 1, 1), (&["permille", "‰"], 1, 1000)],
];

/// A unit by its spellings, its scale and its offset in kelvin, both as fractions.
type Temperature = (&'static [&'static str], (i64, i64), (i64, i64));

/// Temperatures: value × scale + offset is kelvin.
static TEMPERATURES: &[Temperature] = &[
    (&["k", "kelvin"], (1, 1), (0, 1)),
    (&["c", "°c", "degc", "celsius"], (1, 1), (27_315, 100)),
    (&["f", "°f", "degf", "fahrenheit"], (5, 9), (229_835, 900)),
];

/// The exact factor and offset from one unit to another, where they are a matter of definition.
#[must_use]
pub fn known_conversion(from: &str, to: &str) -> Option<(Rational, Rational)> {
    let (from, to) = (from.trim().to_lowercase(), to.trim().to_lowercase());
    let is = |spelled: &[&str], unit: &str| {
        let plain = unit.strip_suffix('s').filter(|word| word.chars().count() > 2);
        spelled.iter().any(|s| *s == unit || Some(*s) == plain)
    };
    for kind in KINDS {
        let find = |unit: &str| kind.iter().find(|(spelled, ..)| is(spelled, unit));
        if let (Some((a, n, d)), Some((b, m, e))) = (find(&from), find(&to))
            && !std::ptr::eq(*a, *b)
        {
            let factor = Rational::from_ratio(*n, *d)?.div(&Rational::from_ratio(*m, *e)?)?;
            return Some((factor, Rational::ZERO));
        }
    }
    let find = |unit: &str| TEMPERATURES.iter().find(|(spelled, ..)| is(spelled, unit));
    let ((a, scale_a, zero_a), (b, scale_b, zero_b)) = (find(&from)?, find(&to)?);
    if std::ptr::eq(*a, *b) {
        return None;
    }
    let ratio = |(n, d): (i64, i64)| Rational::from_ratio(n, d);
    let scale = ratio(*scale_b)?;
    let offset = ratio(*zero_a)?.sub(&ratio(*zero_b)?).div(&scale)?;
    Some((ratio(*scale_a)?.div(&scale)?, offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(from: &str, to: &str) -> Option<String> {
        known_conversion(from, to).map(|(factor, offset)| format!("{factor} {offset}"))
    }

    #[test]
    fn factors_are_exact_both_ways_and_only_where_defined() {
        for (from, to, conversion) in [
            ("cent", "EUR", "1/100 0"),
            ("EUR", "cents", "100 0"),
            ("cents", "USD", "1/100 0"),
            ("hours", "day", "1/24 0"),
            ("Day", "hours", "24 0"),
            ("minutes", "hours", "1/60 0"),
            ("day", "weeks", "1/7 0"),
            ("GB", "MB", "1000 0"),
            ("MiB", "GiB", "1/1024 0"),
            ("months", "years", "1/12 0"),
            ("mile", "km", "201168/125000 0"),
            ("mm", "m", "1/1000 0"),
            ("percent", "ratio", "1/100 0"),
            ("F", "C", "5/9 -160/9"),
            ("°C", "°F", "9/5 32"),
            ("celsius", "K", "1 5463/20"),
        ] {
            let wanted: Vec<_> = conversion.split(' ').map(|n| Rational::parse(n).unwrap().to_string()).collect();
            assert_eq!(known(from, to), Some(wanted.join(" ")), "{from} to {to}");
        }
        for (from, to) in [
            ("EUR", "USD"),
            ("day", "month"),
            ("cent", "CHF"),
            ("", "day"),
            ("EUR", "EUR"),
            ("cent", "cents"),
            ("F", "kg"),
            ("pence", "USD"),
            ("C", "celsius"),
        ] {
            assert_eq!(known(from, to), None, "{from} to {to}");
        }
    }
}
