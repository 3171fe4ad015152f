//! Characters that a reader cannot see, or that change how their neighbours are read.

/// Whether `c` shows nothing of its own: control characters, characters that reorder text, and those that Unicode calls
/// default-ignorable. Two names that differ only in such characters look alike.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{00ad}'
                | '\u{034f}'
                | '\u{061c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Whether text reads as what it is: not blank, no blanks at its ends or doubled within, nothing hidden.
#[must_use]
pub fn is_legible(text: &str) -> bool {
    !text.is_empty() && text.split(' ').all(|word| !word.is_empty() && !word.contains(unseen))
}

fn unseen(c: char) -> bool {
    is_hidden(c) || c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_are_told_apart() {
        for text in ["approve", "grounds-income", "größe", "refund in part", "承認", "✔"] {
            assert!(is_legible(text), "{text}");
        }
        for text in [
            "",
            " ",
            " approve",
            "approve ",
            "refund  in",
            "approve\u{200b}",
            "\u{3164}",
            "a\u{202e}b",
            "a\tb",
            "a\u{a0}b",
        ] {
            assert!(!is_legible(text), "{text:?}");
        }
    }
}
