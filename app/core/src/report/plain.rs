//! Text that others wrote, made safe for a terminal: control characters, characters that reorder text and those that show
//! nothing are given as escapes, so that a title can neither move the cursor nor make a verdict read backwards.

use std::borrow::Cow;

use crate::legible::is_hidden;

/// Whether a terminal, or the order in which it shows text, obeys a character. Joiners and variation selectors are part of
/// ordinary words and signs.
fn steers(c: char) -> bool {
    is_hidden(c) && !matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

/// One line of text: what steers is written `\u{1b}`, line feeds included, for a line could put words into our mouth.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    escape(text, steers, |c, out| out.extend(c.escape_unicode()))
}

/// Text of several lines, each made safe before: line feeds stay.
#[must_use]
pub fn plain_lines(text: &str) -> Cow<'_, str> {
    escape(text, |c| c != '\n' && steers(c), |c, out| out.extend(c.escape_unicode()))
}

/// Written JSON with the escapes of JSON in place of what steers: a reader of JSON reads the same, and a terminal obeys
/// nothing. Line feeds stay, which stand between values only.
#[must_use]
pub fn plain_json(text: &str) -> Cow<'_, str> {
    escape(
        text,
        |c| c != '\n' && steers(c),
        |c, out| c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
    )
}

fn escape(text: &str, is: impl Fn(char) -> bool, write: impl Fn(char, &mut String)) -> Cow<'_, str> {
    // Most text is of plain letters, and some of it is long.
    if text.bytes().all(|b| (b' '..0x7f).contains(&b)) || !text.contains(&is) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is(c) { write(c, &mut shown) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        let text = "a\u{1b}[2J\n\u{9b}\u{7f}\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}ü\u{200d}";
        let shown = r"a\u{1b}[2J\u{a}\u{9b}\u{7f}\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}ü";
        assert_eq!(plain(text), format!("{shown}\u{200d}"));
        assert_eq!(plain_lines(text), format!("{}\u{200d}", shown.replace(r"\u{a}", "\n")));
        assert_eq!(plain("größe ✔\u{fe0f}"), "größe ✔\u{fe0f}");
    }

    #[test]
    fn json_reads_as_before() {
        let text = "\u{7f}\u{9b}\u{202e}\u{e0041}\u{200d}ü";
        let json = serde_json::to_string(text).unwrap();
        let shown = plain_json(&json);
        assert_eq!(shown, format!("\"{}\u{200d}ü\"", r"\u007f\u009b\u202e\udb40\udc41"));
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
        assert_eq!(plain_json("[1,\n2]"), "[1,\n2]");
    }
}
