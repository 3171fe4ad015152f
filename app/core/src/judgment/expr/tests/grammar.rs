//! The corners of CEL's grammar, each read as an independent implementation reads it.

use super::differential::same_reading;
use super::random::environment;

/// Texts that are conditions, or parts of conditions, of the subset.
#[rustfmt::skip]
const WITHIN: &[&str] = &[
    // Numbers.
    "1.5", "1e3", "1E+3", "2e-2", ".5", ".5e1", "007", "0x1F", "0xff", "-0x10", "0", "-0", "00.50",
    "9223372036854775807", "-9223372036854775808", "-0x8000000000000000", "1in[1]", "0xfin[15]", "- 7",
    "-// remark\n7",
    // Text.
    "''", "\"\"", "'a\"b'", "\"a'b\"", r"'\a\b\f\n\r\t\v\\\?\`'", r#"'\'\"'"#, r"'\x41\X4a\u0041\U0001F600\101\377'",
    r"'e\u0301'", r"'\u212b'", "'e\u{301}'", r"r'\n'", "R\"\\\"", "'''a\n'b''c'''", "\"\"\"\"a\"\"\"", r"r'''\\'''",
    "''''''", "'''\r\n \r'''", r"'\000'", "'ü'", "r\"\"\"a\r\nb\"\"\"",
    // Names.
    "_a1", "grounds . i", "grounds\n.\n// remark\ni", "grounds.while", "parameters.if", "has(grounds.i)",
    "has(\n(grounds.i))", "(grounds).i", "in_", "trueish", "nullable", "has", "date", "size",
    // Operators.
    "a || b && c || d", "a && b || c && d", "!a && b", "!(a && b)", "!!a", "!!!a", "--i", "---i", "- -i", "-(-7)",
    "--7", "---7", "!-7", "a - -7", "a -7", "a < b < c", "a == b != c", "a in b in c", "1 + 2 * 3 - 4 / 5 % 6",
    "(1 + 2) * 3", "a - b - c", "a < b + c && d", "!has(grounds.x)", "a in [1] == b", "a &&\tb\r\n||\u{c}c",
    // Lists.
    "[]", "[1,]", "[,]", "[[1], [2, 3],]",
];

/// Texts that are no condition of the subset.
#[rustfmt::skip]
const OUTSIDE: &[&str] = &[
    // Nothing, or half of something.
    "", " \n", "// remark", "a &&", "&& a", "(a", "a)", "[1", "1]", "()", "( )", "a b", "1 2", "a,b", "[1,,2]",
    "[,1]", "[1 2]", ",", ".", "..", "a.", "grounds.", "grounds.1", "has(", "has()", "a !b", "!", "-", "a ! = b",
    "!-a", "-!a", "has(grounds.i,)", "has(grounds.i == 1)", "grounds.in", "grounds.true", "in", "while", "while(1)",
    // Other signs.
    "a = b", "a & b", "a | b", "a ^ b", "a; b", "#", "$a", "@", "\\", "~a", "`a`", "grounds.`a-b`", "größe",
    "a\u{a0}== b", "\u{feff}a", "a\u{b}b", "–1", "a <> b", "a => b",
    // Numbers.
    "1.", "1.e3", "1e", "0x", "0X1F", "1_000", "9223372036854775808", "-9223372036854775809",
    "--9223372036854775808", "5u", "0x5U", "-5u", "1e400",
    // Text.
    "'", "'a", "\"a'", "'a\nb'", "r'a\nb'", r"'\q'", r"'\x4'", r"'\u12'", r"'\ud800'", r"'\400'", r"'\8'", "'''a''",
    "b'a'", "rb'a'", "'a' 'b'", "'''a''''",
    // CEL, but not ours.
    "a ? b : c", "{}", "a[0]", "s.size()", "size(s)", "[1].exists(x, x > 0)", ".a", "null", "a{}", "a.b.c", "'a'.b",
];

#[test]
fn corners_are_read_alike() {
    let env = environment();
    for text in WITHIN {
        assert!(same_reading(text, &env), "{text:?}");
    }
    for text in OUTSIDE {
        assert!(!same_reading(text, &env), "{text:?}");
    }
}
