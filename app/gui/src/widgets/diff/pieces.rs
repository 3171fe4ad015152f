//! Difference of two texts, word by word.

/// A piece of a text, and whether the other version lacks it.
pub type Piece = (String, bool);

/// Splits two texts into common and differing pieces, word by word.
#[must_use]
pub fn pieces(old: &str, new: &str) -> (Vec<Piece>, Vec<Piece>) {
    let (a, b) = (words(old), words(new));
    // A table of this size is a moment's work; longer texts are marked as a whole.
    if a.len() * b.len() > 40_000 {
        return (vec![(old.to_owned(), true)], vec![(new.to_owned(), true)]);
    }
    let width = b.len() + 1;
    let mut longest = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if a[i] == b[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            push(&mut left, a[i], false);
            push(&mut right, b[j], false);
            i += 1;
            j += 1;
        } else if j >= b.len() || (i < a.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
            push(&mut left, a[i], true);
            i += 1;
        } else {
            push(&mut right, b[j], true);
            j += 1;
        }
    }
    (left, right)
}

fn push(into: &mut Vec<Piece>, word: &str, differs: bool) {
    match into.last_mut() {
        Some((text, same)) if *same == differs => text.push_str(word),
        _ => into.push((word.to_owned(), differs)),
    }
}

/// Words, signs and the gaps between them.
fn words(text: &str) -> Vec<&str> {
    let class = |c: char| {
        if c.is_alphanumeric() || c == '_' || c == '-' {
            0
        } else if c.is_whitespace() {
            1
        } else {
            2
        }
    };
    let mut out = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (i, c) in text.char_indices() {
        if before.is_some_and(|b| b != class(c) || b == 2) {
            out.push(&text[start..i]);
            start = i;
        }
        before = Some(class(c));
    }
    if start < text.len() {
        out.push(&text[start..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_put_together_give_the_texts_back() {
        let (a, b) = ("days <= 14 && unused", "days <= 30 && unused || premium");
        let (left, right) = pieces(a, b);
        let join = |p: &[Piece]| p.iter().map(|(t, _)| t.as_str()).collect::<String>();
        assert_eq!((join(&left).as_str(), join(&right).as_str()), (a, b));
        assert!(left.contains(&("14".to_owned(), true)));
    }
}
